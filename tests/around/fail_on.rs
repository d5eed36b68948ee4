//! What fails a scenario by itself.

use crate::common::Project;

const PAGES: &str = r#"
pages:
  /: |
    <!doctype html><title>Shop</title><link rel=icon href="data:,">
    <button onclick="undefined_function()">Throw</button>
    <button onclick="Promise.reject(new Error('no stock'))">Reject</button>
    <button onclick="console.error('stock is', -1)">Log</button>
    <button onclick="fetch('/missing.json').then(() => out.textContent = 'asked')">Ask</button>
    <button onclick="fetch('http://localhost:1/x').catch(() => out.textContent = 'refused')">Outside</button>
    <p role=status id=out></p>
"#;

fn run(head: &str, steps: &[&str]) -> (Option<i32>, String) {
    let project = Project::new();
    let steps: String = steps.iter().map(|step| format!("  - {step}\n")).collect();
    project.write("a.yaml", &format!("{PAGES}{head}\nsteps:\n  - open: /\n{steps}  - assert-title: Shop\n"));
    let ran = project.run(&["run", "a.yaml"]);
    (ran.code, ran.all())
}

#[track_caller]
fn fails(head: &str, steps: &[&str], words: &[&str]) {
    let (code, told) = run(head, steps);
    assert_eq!(code, Some(1), "{told}");
    for word in words {
        assert!(told.contains(word), "not said: {word}\n{told}");
    }
}

#[track_caller]
fn passes(head: &str, steps: &[&str]) {
    let (code, told) = run(head, steps);
    assert_eq!(code, Some(0), "{told}");
}

#[test]
fn an_error_that_nothing_caught_fails_by_itself_where_it_came() {
    fails(
        "",
        &["click: Throw", "click: Reject"],
        &[
            "the page threw an error that nothing caught",
            "--> a.yaml:14:12",
            "it came after this step began",
            "line 14: ReferenceError: undefined_function is not defined",
            "line 15: Error: no stock",
            "write `fail-on: []`",
        ],
    );
    passes("fail-on: []", &["click: Throw"]);
    passes("fail-on: { page-errors: false }", &["click: Reject"]);
}

#[test]
fn a_step_that_fails_comes_first() {
    fails("", &["click: Throw", "{ click: Nowhere, timeout: 200ms }"], &["Nowhere", "a.yaml:15:14", "console:"]);
}

#[test]
fn logged_errors_and_failed_and_outside_requests_fail_where_that_is_asked_for() {
    let all = ["click: Log", "click: Ask", "wait-for: status \"asked\"", "click: Outside"];
    passes("", &all);
    fails(
        "fail-on: { console-errors: true }",
        &all,
        &[
            "the page logged an error",
            "a.yaml:14:12",
            "console errors: line 14: stock is -1",
            "take `console-errors` out",
        ],
    );
    fails(
        "fail-on: [failed-requests]",
        &all,
        &[
            "a request of the page failed",
            "line 15: GET /missing.json → 404",
            "line 17: GET http://localhost:1/x → net::ERR_",
        ],
    );
    fails(
        "fail-on: [outside-requests]",
        &all,
        &[
            "the page asked outside of what is served",
            "a.yaml:17:12",
            "GET http://localhost:1/x",
            "mock what is asked for",
        ],
    );
    passes(
        "fail-on: [failed-requests, outside-requests]",
        &[
            r#"mock: { url: "http://localhost:1/*", status: 500 }"#,
            "mock: { url: /missing.json, status: 404 }",
            "click: Outside",
            "click: Ask",
        ],
    );
}

#[test]
fn what_another_user_meets_fails_too_and_stands_where_that_user_acted() {
    fails(
        "users: [ada, bob]",
        &["{ open: /, as: bob }", "{ click: Throw, as: bob }", "click: button \"Log\""],
        &["the page threw an error that nothing caught", "line 15: ReferenceError"],
    );
    passes("users: [ada, bob]", &["{ open: /, as: bob }"]);
    let (_, told) = run("users: [ada, bob]", &["{ mock: { url: /never }, as: bob }"]);
    assert!(told.contains("no request used the mock of line 14: mock /never"), "{told}");
}

#[test]
fn a_project_says_what_is_usual_and_a_scenario_has_the_last_word() {
    let project = Project::new();
    let scenario = |head: &str, step: &str| {
        format!("{PAGES}{head}\nsteps:\n  - open: /\n  - click: {step}\n  - assert-title: Shop\n")
    };
    project.write("playscript.yaml", "fail-on: [console-errors]\n");
    let cases = [
        ("", "Log", 1),
        ("", "Throw", 0),
        ("fail-on: { page-errors: true }", "Log", 1),
        ("fail-on: { page-errors: true }", "Throw", 1),
        ("fail-on: { console-errors: false }", "Log", 0),
        ("fail-on: [page-errors]", "Log", 0),
    ];
    let names: Vec<String> = (0..cases.len()).map(|case| format!("{case}.yaml")).collect();
    for (name, (head, step, _)) in names.iter().zip(cases) {
        project.write(name, &scenario(head, step));
    }
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let ran = project.run(&[&["run"], names.as_slice()].concat()).expect_code(1);
    for (name, (head, step, code)) in names.iter().zip(cases) {
        let failed = ran.out.lines().any(|line| line.starts_with("FAIL [") && line.contains(name));
        assert_eq!(failed, code == 1, "{head} {step}\n{}", ran.out);
    }
    project.run(&["config"]).expect_code(0).expect_words(&["fail-on", "[console-errors]", "playscript.yaml:1"]);
    project.write("playscript.yaml", "fail-on: [console-error]\n");
    project.run(&["check", "0.yaml"]).expect_code(2).expect_words(&["did you mean `console-errors`?"]);
}

#[test]
fn mistakes_are_told_at_load() {
    let project = Project::new();
    for (text, words) in [
        ("fail-on: [page-error]", "did you mean `page-errors`?"),
        ("fail-on: page-errors", "`fail-on` is a list"),
        ("fail-on: { console-errors: maybe }", "`console-errors` is true or false"),
        ("fail-on: { consol: true }", "`fail-on` has no `consol`"),
    ] {
        project.write("a.yaml", &format!("{text}\nsteps:\n  - open: /\n"));
        project.run(&["check", "a.yaml"]).expect_code(2).expect_words(&[words]);
    }
}
