//! The order of steps: chosen, repeated, tried again, shared between files, as several users.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod common;

use common::{Project, Ran};

const PAGE: &str = "<!doctype html><html lang=en><title>Count</title><button>More</button><p role=status>0</p>\
    <script>let n = 0; document.querySelector('button').onclick = () => document.querySelector('p').textContent = ++n</script>";

fn project(steps: &str) -> Project {
    let project = Project::new();
    project.write("pages/index.html", PAGE);
    project.write(
        "a.yaml",
        &format!("name: A\nserve: pages\nstep-timeout: 1s\nreadings: {{ n: 'status /(\\d+)/' }}\nsteps:\n  - open: /\n{steps}"),
    );
    project
}

fn run(steps: &str) -> Ran {
    project(steps).run(&["run", "a.yaml"])
}

#[test]
fn the_branch_that_holds_is_performed_and_no_other() {
    run(r#"
  - for-each:
      name: times
      in: "{{ [1, 2, 3] }}"
      steps:
        - if: times == 1
          then:
            - click: button "More"
          else-if:
            - if: times == 2
              then:
                - repeat: { times: 10, steps: [click: button "More"] }
          else:
            - assert: n == 11 and turn == 3
            - set: { done: "{{ n }}" }
  - assert: done == 11
  - if: n == 0
    then: [assert: false]
"#)
    .expect_code(0);
}

#[test]
fn a_name_of_a_loop_is_its_own() {
    let ran = run(r#"
  - set: { city: Rome }
  - for-each: { name: city, in: ["007", 7, { of: "{{ city }}" }], steps: [set: { last: "{{ city }}" }] }
  - assert: city == "Rome" and last.of == "Rome"
  - for-each: { name: x, in: n, steps: [read] }
"#);
    ran.expect_code(1).expect_words(&["`for-each` goes through a list", "this is a number", "a.yaml:11:"]);
}

#[test]
fn a_try_that_fails_is_noted_and_made_again() {
    let steps = r#"
  - retry:
      times: 3
      steps:
        - click: button "More"
        - assert: n == WANTED
          timeout: 300ms
"#;
    let ran = run(&steps.replace("WANTED", "2")).expect_code(0);
    ran.expect_words(&["try 1 of 3 failed: this does not hold"]);
    let ran = run(&steps.replace("WANTED", "9")).expect_code(1);
    ran.expect_words(&["try 2 of 3 failed", "n = 3"]);
}

#[test]
fn soft_failures_are_all_told_at_the_end() {
    let ran = run(r#"
  - assert-title: First
    soft: true
    timeout: 200ms
  - group: [click: button "More", assert-title: Second]
    soft: true
    timeout: 300ms
  - assert: n == 1
  - assert-title: Third
    timeout: 200ms
"#)
    .expect_code(1);
    assert_eq!(ran.out.matches("error: the page has another title").count(), 3, "{}", ran.out);
    ran.expect_words(&["a.yaml:8:19", "a.yaml:11:49", "a.yaml:15:19"]);
    run("  - assert-title: First\n    soft: true\n    timeout: 200ms\n").expect_code(1);
}

#[test]
fn a_used_file_has_its_own_places_and_names() {
    let project = project(
        "  - set: { times: 5 }\n  - use: { file: parts/more.yaml, with: { times: 2 } }\n  - assert: n == 2 and times == 5\n  - use: parts/whole.yaml\n",
    );
    project.write(
        "parts/more.yaml",
        "- repeat:\n    while: turn < times\n    at-most: 9\n    steps:\n      - click: button \"More\"\n",
    );
    project.write(
        "parts/more.yaml",
        "- for-each:\n    name: i\n    in: range(0, times)\n    steps:\n      - click: button \"More\"\n",
    );
    project.write(
        "parts/whole.yaml",
        "name: Whole\nvariables: { wanted: 3 }\nsteps:\n  - assert: n == wanted\n    timeout: 200ms\n",
    );
    let ran = project.run(&["run", "a.yaml"]).expect_code(1);
    ran.expect_words(&["parts/whole.yaml:4:13", "n = 2", "used at", "a.yaml:10:10"]);
}

#[test]
fn what_is_wrong_with_used_files_is_told_at_load_with_both_places() {
    let project = project(
        "  - use: parts/none.yaml\n  - use: { file: parts/hello.yaml, with: { nmae: Ada } }\n  - use: parts/round.yaml\n  - use: \"{{ n }}.yaml\"\n",
    );
    project.write("parts/hello.yaml", "- type: { into: textbox, text: \"{{ name }}\" }\n- clik: Save\n");
    project.write("parts/round.yaml", "- use: back.yaml\n");
    project.write("parts/back.yaml", "- use: round.yaml\n");
    project.run(&["check", "a.yaml"]).expect_code(2).expect_words(&[
        "there is no file `parts/none.yaml` to use",
        "a.yaml:7:10",
        "parts/hello.yaml does not mention `nmae`",
        "did you mean `name`?",
        "parts/hello.yaml:1:",
        "`name` is not known",
        "used at",
        "a.yaml:8:18",
        "there is no verb `clik`",
        "files use each other in a circle",
        "parts/back.yaml:1:8",
        "files are read before values are known",
    ]);
}

#[test]
fn a_list_of_steps_is_a_part_and_no_scenario() {
    let project = Project::new();
    project.write("pages/index.html", PAGE);
    project.write("scenarios/a.yaml", "name: A\nserve: ../pages\nsteps:\n  - use: parts/go.yaml\n");
    project.write("scenarios/parts/go.yaml", "- open: /{{ somewhere|default('') }}\n");
    let ran = project.run(&["check"]).expect_code(2);
    ran.expect_words(&["`somewhere` is not known"]);
    project.write("scenarios/parts/go.yaml", "- open: /\n");
    project.run(&["check"]).expect_code(0).expect_words(&["1 file and 1 file that they use, nothing wrong"]);
    project.run(&["run"]).expect_code(0).expect_words(&["1 passed"]);
    project
        .run(&["run", "scenarios/parts/go.yaml"])
        .expect_code(2)
        .expect_words(&["is a list of steps for scenarios to use"]);
    project.write("b.yaml", "name: B\nneeds: [scenarios/parts/go.yaml]\nsteps:\n  - wait: 1ms\n");
    project.run(&["check", "b.yaml"]).expect_code(2).expect_words(&["a scenario must be a map"]);
    project.run(&["run", "scenarios/parts"]).expect_code(2).expect_words(&["there is no scenario here"]);
    project
        .run(&["check", "scenarios/parts/go.yaml"])
        .expect_code(0)
        .expect_words(&["1 file for scenarios to use, nothing wrong"]);
    project.write("scenarios/parts/go.yaml", "- opne: /\n");
    let ran = project.run(&["check"]).expect_code(2);
    assert_eq!(ran.all().matches("there is no verb `opne`").count(), 1, "{}", ran.all());
}

#[test]
fn mistakes_of_flow_are_told_without_a_browser() {
    let project = project(
        "  - click: More\n    then: [read]\n  - if: n > 0\n  - if: n > 0\n    then: [read]\n    else-if: { if: true, then: [read] }\n  \
         - for-each: { name: n, in: [1], steps: [read] }\n  - for-each: { name: my-name, in: [], steps: [read] }\n  \
         - retry: { times: 1, steps: [read] }\n  - read:\n    as: bob\n  - read:\n    soft: true\n    optional: true\n",
    );
    let ran = project.run(&["check", "a.yaml"]).expect_code(2);
    ran.expect_words(&[
        "`then` stands beside `if` only",
        "`if` needs `then`: a list of steps",
        "`else-if` is a list",
        "`n` is a reading",
        "this list is empty",
        "`my-name` can't be a name in `for-each`",
        "`times` is a whole number of at least 2",
        "there is no user `bob`",
        "a step is `soft` or `optional`, not both",
    ]);
}

#[test]
fn users_have_cookies_and_tabs_of_their_own() {
    let project = Project::new();
    let page = "<!doctype html><html lang=en><title>Jar</title><p role=status></p><script>\
        document.querySelector('p').textContent = document.cookie || 'empty'; document.cookie = 'seen=yes'</script>";
    project.write("pages/index.html", page);
    project.write(
        "a.yaml",
        "name: A\nserve: pages\nusers: [ada, bob]\nsteps:\n  - open: /\n  - open: /\n  - assert-text: { of: status, is: seen=yes }\n  \
         - as: bob\n    group:\n      - open: /\n      - assert-text: { of: status, is: empty }\n      - as: ada\n        assert-text: { of: status, is: seen=yes }\n  \
         - assert-text: { of: status, is: nothing }\n    as: bob\n    timeout: 300ms\n",
    );
    project.run(&["run", "a.yaml"]).expect_code(1).expect_words(&["a.yaml:14:24", "empty"]);
    project.write("a.yaml", "name: A\nusers: [ada, ada]\nsteps:\n  - read:\n    as: eve\n");
    project.run(&["check", "a.yaml"]).expect_code(2).expect_words(&["`ada` is listed twice", "there is no user `eve`"]);
}

#[test]
fn what_is_written_as_a_number_is_one_wherever_it_stands() {
    let project = Project::new();
    project.write(
        "pages/index.html",
        "<!doctype html><html lang=en><title>Prices</title><p>\u{20ac}14.50</p><h1>\u{20ac}24.00</h1><label>Sum <input></label>",
    );
    project.write(
        "a.yaml",
        r#"
serve: pages
step-timeout: 1s
variables: { price: 24.00, list: [9.90, 1.50], code: 007, quoted: "24.00", big: 1e3 }
examples: [{ fee: 0.50 }]
readings: { shown: 'paragraph /(\d+\.\d+)/' }
steps:
  - open: /
  - assert: shown < 20 and shown * 2 == 29
  - set: { more: 1.10 }
  - assert: price - 4 == 20 and list[0] + list[1] + fee == 11.9 and more > 1
  - assert: code == "007" and quoted == "24.00" and big == "1e3"
  - type: { into: textbox "Sum", text: "{{ price }}" }
  - assert-value: { of: textbox "Sum", is: "{{ price }}" }
  - assert-text: { of: heading, is: "\u20ac{{ price }}" }
  - set: { kept: "{{ price }}" }
  - type: { into: textbox "Sum", text: "{{ kept }} {{ shown }} {{ fee }}" }
  - assert-value: { of: textbox "Sum", is: 24.00 14.50 0.50 }
  - for-each: { name: item, in: "{{ list }}", steps: [set: { last: "was {{ item }}" }] }
  - assert: last == "was 1.50"
  - assert: quoted * 2 == 48
    fails: '"24.00" * 2 calculates with text and a number'
"#,
    );
    project.run(&["run", "a.yaml"]).expect_code(0).expect_words(&["[fee=0.50]"]);
}
