//! Assertions about one element: what they say when they do not hold.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod common;

use common::{Project, Ran};

const PAGE: &str = r#"<!doctype html><html lang=en><title>Berths</title><main><h1>Berths</h1>
  <label>Boat <input value=Heron></label> <label>Word <input type=password value=sesame></label>
  <label>Quay <select><option value=n>North</option><option value=s>South</option></select></label>
  <label><input type=checkbox> Power</label> <p role=status>Two are free</p><form aria-label=Find><input type=search><button></button></form>
  <ul><li>A</li><li>B</li></ul><iframe title=Harbour srcdoc='<button>Ring</button>'></iframe></main>"#;

fn run(steps: &str) -> Ran {
    let project = Project::new();
    project.write("pages/index.html", PAGE);
    project.write("a.yaml", &format!("name: A\nserve: pages\nstep-timeout: 1s\nsteps:\n  - open: /\n{steps}"));
    project.run(&["run", "a.yaml"])
}

#[test]
fn what_holds_passes() {
    run(r#"
  - assert-text: { of: status, is: Two are free }
  - assert-text: { of: status, has: are, not: /none/ }
  - assert-value: { of: textbox "Boat", is: /^He/ }
  - assert-value: { of: combobox "Quay", is: n, not: South }
  - assert-value: { of: { label: Word }, is: sesame }
  - assert-count: { of: listitem, is: "{{ 1 + 1 }}", has: 1, not: 3 }
  - assert-count: { of: alert, is: 0 }
  - assert-names: list
  - click: textbox "Boat"
  - assert-focus: textbox "Boat"
  - press: { key: Escape, on: button "Ring" }
  - assert-focus: button "Ring"
"#)
    .expect_code(0);
}

#[test]
fn what_does_not_hold_says_what_is_there() {
    let cases: &[(&str, &[&str])] = &[
        (
            "assert-text: { of: status, is: One is free }",
            &["the element shows another text", "it is not \"One is free\"", "its text, after 1 s", "Two are free"],
        ),
        ("assert-text: { of: textbox \"Boat\", has: Heron }", &["(none)", "`assert-value`"]),
        ("assert-text: { of: alert, has: x }", &["nothing on the page is alert"]),
        ("assert-value: { of: combobox \"Quay\", is: South }", &["it is not \"South\"", "North", "(sent as n)"]),
        ("assert-value: { of: checkbox, is: on }", &["holds no value", "`[checked]`"]),
        ("assert-value: { of: status, is: on }", &["holds no value", "`assert-text`"]),
        (
            "assert-count: { of: listitem, is: 3 }",
            &["there are 2 of listitem", "the number that is wanted is 3", "the elements, after 1 s"],
        ),
        ("assert-focus: textbox \"Boat\"", &["does not have the focus", "keys go to the page"]),
        (
            "assert-names",
            &[
                "2 interactive elements have no name",
                "searchbox  in form \"Find\"",
                "button  in form \"Find\"",
                "aria-label",
            ],
        ),
    ];
    for (step, words) in cases {
        // One at a time, since the first failure ends a scenario.

        run(&format!("  - {step}\n")).expect_code(1).expect_words(words);
    }
    let hidden = run("  - assert-value: { of: { label: Word }, is: open }\n").expect_code(1);
    assert!(hidden.all().contains("(hidden, 6 characters)") && !hidden.all().contains("sesame"), "{}", hidden.all());
}

#[test]
fn mistakes_are_told_without_a_browser() {
    let project = Project::new();
    project.write(
        "a.yaml",
        "name: A\nsteps:\n  - assert-text: { of: status }\n  - assert-count: { of: listitem, is: many }\n  \
         - assert-count: { of: { x: 1, y: 2 }, is: 1 }\n  - assert-value: { of: textbox, is: /(/ }\n",
    );
    project.run(&["check", "a.yaml"]).expect_code(2).expect_words(&[
        "a.yaml:3:5",
        "`is`, `has` or `not` is missing",
        "a.yaml:4:39",
        "this is not a whole number",
        "a place in the viewport can't be counted",
        "this regular expression does not parse",
    ]);
}
