//! What hands, questions, files and scripts do in whole scenarios, and the words when it goes wrong.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod common;

use common::Project;

/// A page with a line that tells what it saw, and a scenario that begins by opening it.
fn scenario(page: &str, steps: &str) -> String {
    let head = "<title>Test</title><p role=status id=log>nothing yet</p><script>const log = t => document.getElementById('log').textContent = t</script>";
    let page: String = format!("{head}{page}").lines().map(|line| format!("    {line}\n")).collect();
    format!("name: One\npages:\n  /: |\n{page}  /next: <title>Next</title><h1>Next</h1>\nsteps:\n  - open: /\n{steps}")
}

const QUESTIONS: &str = "<button onclick=\"alert('Saved!'); log('after alert')\">Save</button>\
    <button onclick=\"log('answer ' + confirm('Delete all?'))\">Delete</button>\
    <button onclick=\"log('text ' + prompt('Your name?', 'anon'))\">Name</button>\
    <button onclick=\"log(confirm('One?') + ' ' + prompt('Two?') + ' ' + confirm('Three?'))\">Three</button>\
    <button onclick=\"setTimeout(() => confirm('Late?'), 50)\">Late</button>";

#[test]
fn questions_are_answered_as_announced_each_its_own() {
    let project = Project::new();
    let steps = "  - click: button \"Save\"
  - assert-tree-contains: status \"after alert\"
  - dialog: dismiss
  - click: button \"Delete\"
  - assert-tree-contains: status \"answer false\"
  - dialog: { answer: zed, expect: Your name? }
  - click: button \"Name\"
  - assert-tree-contains: status \"text zed\"
  - dialog: accept
  - dialog: { answer: \"{{ 1 + 1 }}\" }
  - dialog: dismiss
  - click: button \"Three\"
  - assert-tree-contains: status \"true 2 false\"
  # An answer that nobody asked for is no mistake by itself.
  - dialog: accept
";
    project.write("one.yaml", &scenario(QUESTIONS, steps));
    project.run(&["run", "one.yaml"]).expect_code(0).expect_words(&["alert: Saved! (accepted)"]);
}

#[test]
fn a_question_that_nobody_announced_fails_its_step_at_once_with_its_text() {
    let project = Project::new();
    let fails = |name: &str, steps: &str| {
        project.write(name, &scenario(QUESTIONS, steps));
    };
    fails("a.yaml", "  - group:\n      - click: button \"Delete\"\n      - assert-tree-contains: status \"never\"\n");
    // The page asks while a later step waits: that one ends at once.
    fails("b.yaml", "  - click: button \"Late\"\n  - wait-for: status \"never\"\n    timeout: 20s\n");
    fails("c.yaml", "  - dialog: { expect: /none/, then: accept }\n  - click: button \"Delete\"\n");
    fails("d.yaml", "  - dialog: { answer: zed }\n  - click: button \"Delete\"\n");
    fails(
        "e.yaml",
        "  - dialog: { expect: /all/, then: accept }\n  - click: button \"Save\"\n    fails: was expected\n  - dialog: { expect: /all/, then: accept }\n",
    );
    let started = std::time::Instant::now();
    let ran = project.run(&["run", "a.yaml", "b.yaml", "c.yaml", "d.yaml", "e.yaml"]).expect_code(1);
    assert!(started.elapsed().as_secs() < 18, "took {:?}", started.elapsed());
    ran.expect_words(&[
        "error: the page asked \"Delete all?\" (confirm), and no step had said how to answer",
        "--> a.yaml:9:16",
        "it was dismissed",
        "`- dialog: accept`",
        "error: the page asked \"Late?\" (confirm)",
        "error: the page said \"Delete all?\" (confirm), and /none/ was expected",
        "error: the page said \"Delete all?\" (confirm), which takes no text",
        "error: the dialog never came",
        "--> e.yaml:11:23",
        "0 passed, 5 failed",
    ]);
}

#[test]
fn each_user_is_asked_and_answers_apart() {
    let project = Project::new();
    let users = |steps: &str| scenario(QUESTIONS, steps).replacen("steps:", "users: [ada, bob]\nsteps:", 1);
    let open = "  - { as: bob, open: / }\n  - click: button \"Save\"\n  - click: button \"Save\"\n";
    // Bob's first question comes after two of ada's.
    project.write("a.yaml", &users(&format!("{open}  - {{ as: bob, click: button \"Delete\" }}\n")));
    let steps = "  - { as: bob, dialog: accept }\n  - { as: ada, dialog: dismiss }\n\
        \x20 - { as: bob, click: button \"Delete\" }\n  - { as: bob, assert-tree-contains: status \"answer true\" }\n\
        \x20 - { as: ada, click: button \"Delete\" }\n  - { as: ada, assert-tree-contains: status \"answer false\" }\n";
    project.write("b.yaml", &users(&format!("{open}{steps}")));
    // What one step was allowed to fail with is not told again when the other user has had a turn.
    let steps = "  - { click: button \"Delete\", optional: true }\n  - { as: bob, wait-for: button \"Save\" }\n  - wait-for: button \"Save\"\n";
    project.write("c.yaml", &users(&format!("{open}{steps}")));
    let ran = project.run(&["run", "a.yaml", "b.yaml", "c.yaml"]).expect_code(1);
    ran.expect_words(&["the page asked \"Delete all?\" (confirm)", "--> a.yaml:", "2 passed, 1 failed"]);
}

#[test]
fn a_question_after_the_last_step_is_one_too() {
    let project = Project::new();
    let page = "<button onclick=\"requestAnimationFrame(() => confirm('And now?'))\">Ask</button>";
    project.write("one.yaml", &scenario(page, "  - click: button \"Ask\"\n"));
    project.run(&["run", "one.yaml"]).expect_code(1).expect_words(&["the page asked \"And now?\" (confirm)"]);
}

#[test]
fn a_page_that_is_not_to_be_left_stays() {
    let project = Project::new();
    let page = "<button onclick=\"log('touched')\">Touch</button><a href=/next>Next</a>\
        <script>addEventListener('beforeunload', e => e.preventDefault())</script>";
    let leave = |step: &str| format!("  - dialog: dismiss\n  - {step}\n  - assert-title: Test\n");
    let steps = format!(
        "  - click: button \"Touch\"\n{}{}{}{}  - open: /next\n  - back\n  - assert-title: Test\n",
        leave("open: /next"),
        leave("click: link \"Next\""),
        leave("reload"),
        leave("back"),
    );
    project.write("one.yaml", &scenario(page, &steps));
    project.run(&["run", "one.yaml"]).expect_code(0).expect_words(&["beforeunload (accepted)"]);
}

#[test]
fn keys_that_are_down_come_up_at_the_end() {
    let project = Project::new();
    let page = "<script>let up = []; onkeyup = e => log('up ' + (up.push(e.key), up)); onkeydown = e => log('down ' + e.key + e.shiftKey)</script>";
    let steps = "  - key-down: Shift
  - key-down: w
  - assert-tree-contains: status \"down wtrue\"
  - key-up: q
    fails: the key q is not down
after:
  - assert-tree-contains: status \"up w,Shift\"
";
    project.write("one.yaml", &scenario(page, steps));
    project.run(&["run", "one.yaml"]).expect_code(0);
}

#[test]
fn files_are_looked_for_before_the_page_hears_of_them() {
    let project = Project::new();
    let page = "<input type=file id=f style='display:none' onchange=\"log([...this.files].map(x => x.name + ':' + x.size).join())\"><button onclick=\"f.click()\">Choose file</button>\
        <label>Direct <input type=file multiple onchange=\"log('direct ' + this.files.length)\"></label>";
    let steps = "  - upload: { into: button \"Choose file\", files: süß file.txt }
  - assert-tree-contains: \"status \\\"süß file.txt:5\\\"\"
  - upload: { into: { label: Direct }, files: [gone.txt] }
    fails: there is no file
  - upload: { into: { label: Direct }, files: ../tmp/out.txt }
    fails: is outside the project
  - assert-tree-contains: \"status \\\"süß file.txt:5\\\"\"
  - upload: { into: { label: Direct }, files: [../tmp/out.txt, \"{{ 'süß' }} file.txt\"], outside-project: true }
  - assert-tree-contains: status \"direct 2\"
";
    project.write("süß file.txt", "12345").write("one.yaml", &scenario(page, steps));
    std::fs::write(project.temp().join("out.txt"), "x").unwrap();
    project.run(&["run", "one.yaml"]).expect_code(0);
    // As in a bare container.
    let mut bare = project.command(&["run", "one.yaml"]);
    bare.env_remove("LANG").env_remove("LC_CTYPE").env("LC_ALL", "C");
    common::Ran::of(&bare.output().unwrap()).expect_code(0);
}

#[test]
fn a_script_says_where_it_went_wrong() {
    let project = Project::new();
    let page = "<script>const state = { total: () => 41 }; function pay() { throw new TypeError('no card') }</script>";
    let write = |name: &str, steps: &str| {
        project.write(name, &scenario(page, steps));
    };
    write("a.yaml", "  - script: |\n      const total = state.total();\n      pay(total);\n");
    write("b.yaml", "  - script: |\n      const total = 1;\n      return total +;\n");
    write("c.yaml", "  - script: { run: \"const a = 1;\", into: a }\n");
    write("d.yaml", "  - script: { run: document.body, into: a }\n");
    write("e.yaml", "  - script: while (true) {}\n    timeout: 300ms\n");
    write(
        "good.yaml",
        "  - script: while (true) {}
    timeout: 300ms
    fails: did not end
  - script: new Promise(() => {})
    timeout: 300ms
    fails: did not end
  - set: { one: 1 }
  - script: { run: \"state.total() + more + deep.list[1]\", args: { more: \"{{ one }}\", deep: { list: [1, 2] } }, into: sum }
  - assert: sum == 44
  - script: { run: \"await fetch('/next').then(r => r.text())\", into: html }
  - script: { run: null, into: nothing }
  - assert: nothing == none
  - script: { run: \"// a comment\\nfor (const a of [1]) { return { a, when: new Date(0) } }\", into: map }
  - assert: map.a == 1 and map.when == '1970-01-01T00:00:00.000Z'
  - script: location.href = '/next'
  - assert-title: Next
",
    );
    let names = ["a.yaml", "b.yaml", "c.yaml", "d.yaml", "e.yaml", "good.yaml"];
    let ran = project.run(&[&["run"], names.as_slice()].concat()).expect_code(1);
    ran.expect_words(&[
        "error: the script failed: TypeError: no card",
        "--> a.yaml:10:7",
        "^^^^^^^^^^^ line 2 of the script",
        "error: the script can't be read: SyntaxError",
        "--> b.yaml:10:7",
        "error: the script gave nothing to be kept as `a`",
        "error: the script gave a node of the page, which can't be kept",
        "error: the script did not end within 300 ms",
        "1 passed, 5 failed",
    ]);
}

#[test]
fn there_is_nowhere_to_go_before_the_first_page() {
    let project = Project::new();
    let steps = "  - open: /next
  - back
  - assert-title: Test
  - forward
  - assert-title: Next
  - forward:
    fails: there is no page to go forward to
  - resize: 390x844
  - script: { run: \"[innerWidth, innerHeight].join('x')\", into: size }
  - assert: size == '390x844'
";
    project.write("one.yaml", &scenario("", steps));
    project.run(&["run", "one.yaml"]).expect_code(0);
}
