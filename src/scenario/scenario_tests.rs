//! Whole files: the head, the steps, and every word about what is wrong with them.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::time::Duration;

use super::diagnostic::Problems;
use super::scenario::{Scenario, Viewport, load, parse};
use super::source::Source;
use super::step::Vocabulary;

const VOCABULARY: Vocabulary<'static> = Vocabulary {
    verbs: &[
        "open",
        "read",
        "click",
        "type",
        "press",
        "wait",
        "wait-for",
        "repeat",
        "if",
        "assert-tree-contains",
        "snapshot",
    ],
    extras: &["name", "timeout", "when", "optional", "soft", "tab", "then", "else"],
    elsewhere: &[("goto", "open")],
    notes: &[],
    fields: |_| Vec::new(),
};

fn read(text: &str) -> (Option<Scenario>, Vec<String>) {
    let mut problems = Problems::default();
    let scenario = parse(Source::new("f", text), &VOCABULARY, &mut problems);
    if let Some(scenario) = &scenario {
        problems.check_names(&scenario.known());
    }
    let line = |diagnostic: super::Diagnostic| {
        let place = diagnostic.place.unwrap();
        let at = place.to_string().replacen("f:", "", 1);
        format!("{at} {} | {} | {}", diagnostic.title, diagnostic.label, diagnostic.next.unwrap_or_default())
    };
    let lines = problems.into_iter().map(line).collect();
    (scenario, lines)
}

fn good(text: &str) -> Scenario {
    let (scenario, lines) = read(text);
    assert_eq!(lines, Vec::<String>::new(), "{text}");
    scenario.unwrap()
}

#[test]
fn the_first_example_of_the_language() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir_all(folder.path().join("pages/login")).unwrap();
    let path = folder.path().join("login.yaml");
    let text = r#"name: A visitor signs in
tags: [smoke, login]
serve: pages/login            # a folder beside this file, served on loopback
steps:
  - open: /
  - type: { into: textbox "Email", text: ada@example.com }
  - type: { into: textbox "Password", text: "{{ secret.PASSWORD }}" }
  - click: button "Sign in"
    name: the button
    timeout: 5s
  - assert-tree-contains: |
      main
        heading "Welcome, Ada" [level=1]
        link "Sign out"
  - read
  - snapshot: signed-in
"#;
    std::fs::write(&path, text).unwrap();
    let mut problems = Problems::default();
    let scenario = load(&path, &VOCABULARY, &mut problems).unwrap();
    assert!(problems.is_empty(), "{problems:?}");
    assert_eq!(scenario.name, "A visitor signs in");
    assert_eq!(scenario.tags, ["smoke", "login"]);
    assert_eq!(scenario.serve, Some(folder.path().join("pages/login").canonicalize().unwrap()));
    let verbs: Vec<&str> = scenario.steps.iter().map(|step| step.verb.name.as_str()).collect();
    assert_eq!(verbs, ["open", "type", "type", "click", "assert-tree-contains", "read", "snapshot"]);
    let click = scenario.steps.get(3).unwrap();
    assert_eq!(click.argument.as_ref().unwrap().text(), Some("button \"Sign in\""));
    assert_eq!(click.extra("timeout").unwrap().text(), Some("5s"));
    assert_eq!(click.place.line(), 8);
    assert!(scenario.steps.get(5).unwrap().argument.is_none());
}

#[test]
fn the_whole_head() {
    let scenario = good(
        r##"name: n
tags: one
pages: { /: "<h1>Hi</h1>", /b: x }
seed: 7
variables: { limit: 300, code: 007, sum: 12.10, user: { name: Ada }, hello: "{{ limit }}" }
readings: { score: 'status /Score: (\d+)/', over: 'alert "Game over"' }
env: [HOME]
secrets: [KEY]
timeout: 1m
step-timeout: 5s
redact:
  - { pattern: 'port \d+', with: port N }
  - pattern: /id-(\w+)/
    with: id
browser: { viewport: 390x844 }
skip: waits for the new form
before: [read]
after:
  - wait: 300ms
steps: [read]
"##,
    );
    assert_eq!(scenario.pages, [("/".to_owned(), "<h1>Hi</h1>".to_owned()), ("/b".to_owned(), "x".to_owned())]);
    assert_eq!(scenario.seed, Some(7));
    let values: Vec<String> =
        scenario.variables.iter().map(|(key, value)| format!("{}={}", key.name, value.value())).collect();
    assert_eq!(values, ["limit=300", "code=\"007\"", "sum=12.10", "user={\"name\":\"Ada\"}", "hello=\"{{ limit }}\""]);
    assert_eq!(scenario.readings.iter().map(|reading| reading.pattern.has_group()).collect::<Vec<_>>(), [true, false]);
    assert_eq!(
        (scenario.timeout, scenario.step_timeout),
        (Some(Duration::from_secs(60)), Some(Duration::from_secs(5)))
    );
    assert_eq!(scenario.redact.iter().map(|one| one.pattern.as_str()).collect::<Vec<_>>(), ["port \\d+", "id-(\\w+)"]);
    assert_eq!(scenario.browser.viewport, Some(Viewport { width: 390, height: 844 }));
    assert_eq!(scenario.skip.as_ref().map(|skip| skip.why.as_str()), Some("waits for the new form"));
    assert_eq!((scenario.before.len(), scenario.after.len(), scenario.steps.len()), (1, 1, 1));
    for name in ["limit", "score", "over", "env.HOME", "secret.KEY", "url", "title", "turn", "base", "other"] {
        assert!(scenario.known().contains(name), "{name}");
    }
    assert_eq!(good("steps: [read]\n").name, "f");
    assert_eq!(good("variables: {a: '{{ secret.ANY }}'}\nsteps: [read]\n").secrets.len(), 0);
}

#[test]
fn files_without_steps() {
    let next = "write at least `steps:` and below it `  - open: /`";
    let cases = [
        ("name: x\n", "1:1 no steps | `steps:` is missing"),
        ("name: x\nsteps: []\n", "2:1 no steps | nothing is listed here"),
        ("steps:\n", "1:1 no steps | nothing is listed here"),
        ("hello\n", "1:1 a scenario must be a map | this is text"),
        ("", "1:1 the file is empty | no steps"),
        ("# c\n", "1:1 the file holds nothing but comments | no steps"),
        ("~\n", "1:1 a scenario must be a map | this is nothing"),
    ];
    for (text, said) in cases {
        assert_eq!(read(text).1, [format!("{said} | {next}")], "{text:?}");
    }
    assert_eq!(
        read("- open: /\n").1,
        ["1:1 a scenario must be a map | this is a list | write `steps:` above the list, and `name:` above that"]
    );
    assert_eq!(
        read("steps: x\n").1,
        ["1:8 steps must be a list | this is text | write each step on a line of its own below: `  - open: /`"]
    );
    assert_eq!(
        read("steps: {open: /}\n").1,
        ["1:8 steps must be a list | this is a map | begin each step with `- `: `- open: …`"]
    );
}

#[test]
fn steps_that_are_none() {
    let cases: &[(&str, &[&str])] = &[
        ("- clik: Save", &["2:3 there is no verb `clik` | did you mean `click`? | write `click`"]),
        ("- raed", &["2:3 there is no verb `raed` | did you mean `read`? | write `read`"]),
        (
            "- xyzzy: 1",
            &[
                "2:3 there is no verb `xyzzy` | not known here | known here: open, read, click, type, press, wait, wait-for, repeat, if, assert-tree-contains, snapshot",
            ],
        ),
        (
            "- click: Save\n  type: x",
            &["3:3 two verbs in one step: `click` and `type` | the second | begin a new item: `- type: …`"],
        ),
        ("- click: Save\n  timeot: 5s", &["3:3 a step has no `timeot` | did you mean `timeout`? | write `timeout`"]),
        (
            "- click: Save\n  colour: red",
            &[
                "3:3 a step has no `colour` | not known here | known here: name, timeout, when, optional, soft, tab, then, else",
            ],
        ),
        (
            "- name: x\n  timeout: 5s",
            &["2:3 a step without a verb | none of these keys is a verb | say what is done: `open`, `click`, `type` …"],
        ),
        ("- name: x\n  clik: y", &["3:3 there is no verb `clik` | did you mean `click`? | write `click`"]),
        ("- click Save", &["2:3 `click` has no `: ` behind it | read as a text | write `- click: Save`"]),
        ("- click:Save", &["2:3 `click` has no `: ` behind it | read as a text | write `- click: Save`"]),
        (
            "-",
            &[
                "2:2 a step is missing | this is nothing | write a verb behind `- `, such as `- open: /`, or delete the line",
            ],
        ),
        (
            "- [read]",
            &[
                "2:3 a step is missing | this is a list | write a verb behind `- `, such as `- open: /`, or delete the line",
            ],
        ),
        (
            "- clik: x\n- raed\n- click: y\n  nme: z",
            &[
                "2:3 there is no verb `clik` | did you mean `click`? | write `click`",
                "3:3 there is no verb `raed` | did you mean `read`? | write `read`",
                "5:3 a step has no `nme` | did you mean `name`? | write `name`",
            ],
        ),
    ];
    for (steps, said) in cases {
        assert_eq!(read(&format!("steps:\n{steps}\n")).1, *said, "{steps}");
    }
}

#[test]
fn a_bare_verb_and_one_without_argument() {
    let scenario = good("steps:\n  - read\n  - read:\n  - if: over\n    then: [read]\n");
    assert!(scenario.steps.iter().take(2).all(|step| step.verb.name == "read" && step.argument.is_none()));
    let tilde = good("steps:\n  - press: ~\n");
    assert_eq!(tilde.steps[0].argument.as_ref().unwrap().text(), Some("~"));
    let mut problems = Problems::default();
    assert!(scenario.steps[0].want_argument("write `- read: x`", &mut problems).is_none());
    let said: Vec<String> = problems.iter().map(ToString::to_string).collect();
    assert_eq!(said, ["f:2:5: `read` says nothing more (something is missing behind it); write `- read: x`"]);
}

#[test]
fn heads_that_are_wrong() {
    let cases: &[(&str, &[&str])] = &[
        ("nme: x", &["1:1 a scenario has no `nme` | did you mean `name`? | write `name`"]),
        ("exampels: []", &["1:1 a scenario has no `exampels` | did you mean `examples`? | write `examples`"]),
        (
            "click: x",
            &[
                "1:1 `click` is a verb, not a key of a scenario | outside of the steps | put it under `steps:`, as `  - click: …`",
            ],
        ),
        ("name: [a]", &["1:7 `name` must be text | this is a list | write one text, without `[ ]` and `- `"]),
        ("name:", &["1:1 `name` must be text | this is nothing | write \"\" for an empty text"]),
        ("name: ~", &["1:7 `name` must be text | this is nothing | put it in quotes: \"~\""]),
        ("name: ''", &["1:7 `name` is empty | nothing is written | fill it in, or delete it"]),
        (
            "tags: {a: b}",
            &["1:7 `tags` must be a list | this is a map | begin each item with `- `, or write [one, two]"],
        ),
        ("seed: x", &["1:7 `seed` must be a whole number | not a whole number from 0 | write `seed: 7`"]),
        ("seed: -1", &["1:7 `seed` must be a whole number | not a whole number from 0 | write `seed: 7`"]),
        ("timeout: 300", &["1:10 `timeout` is not a duration | `300` has no unit | say 300ms or 300s"]),
        (
            "step-timeout: soon",
            &["1:15 `step-timeout` is not a duration | `soon` is not a duration | say 300ms, 5s or 1m30s"],
        ),
        (
            "env: [a-b]",
            &[
                "1:7 `a-b` can't be a name in `env` | expressions could not mention it | use letters, digits and `_`, such as `a_b`",
            ],
        ),
        ("variables: {url: x}", &["1:13 `url` already has a meaning in expressions | taken | choose another name"]),
        (
            "variables: {a: '{{ b }}'}",
            &[
                "1:20 `b` is not known | no value has this name | known here: a, base, other, title, turn, url; add it under `variables:`, or put text in quotes",
            ],
        ),
        (
            "variables: [a]",
            &["1:12 `variables` must be a map | this is a list | write `key: value` lines, or {key: value}"],
        ),
        ("readings: {a: 'button [x]'}", &["1:24 this pattern does not parse | unknown state `x` | states are"]),
        (
            "redact: [{pattern: '(', with: x}]",
            &[
                "1:20 this regular expression does not parse | unclosed group | correct it; a backslash before a sign means the sign itself",
            ],
        ),
        (
            "redact: [{pattern: a}]",
            &["1:11 `with` is missing | half of a redaction | write { pattern: 'port \\d+', with: 'port N' }"],
        ),
        (
            "browser: {viewport: big}",
            &["1:21 this is not a size | not width and height in CSS pixels | write WIDTHxHEIGHT, such as 390x844"],
        ),
        (
            "browser: {locale: no_body speaks}",
            &["1:19 this is not a locale |  | write a language and a country, such as de-DE"],
        ),
        ("browser: {viewprt: 1x1}", &["1:11 `browser` has no `viewprt` | did you mean `viewport`? | write `viewport`"]),
        ("pages: {a: b}", &["1:9 a page's path begins with `/` | this is not a path | write `/a`"]),
        (
            "serve: missing-folder",
            &[
                "1:8 there is no folder `missing-folder` | not found beside this file | make the folder, or correct its name; it is relative to this file",
            ],
        ),
        (
            "serve: http://localhost:3000",
            &[
                "1:8 `serve` names a folder of this machine | this is an address | leave `serve` out, and write `- open: http://localhost:3000`",
            ],
        ),
        (
            "base: http://localhost:3000",
            &[
                "1:1 a scenario has no `base` | not known here | write the whole address in `open`, as in `- open: http://localhost:3000/`",
            ],
        ),
        (
            "viewport: 9x9",
            &["1:1 a scenario has no `viewport` | not known here | write `browser: { viewport: 900x640 }`"],
        ),
        ("serve: Cargo.toml", &["1:8 `serve` must name a folder | this is a file | name the folder it stands in"]),
        (
            "name: \"\\e[31m\"\n\"\\e[2Jx\": 1",
            &[
                "2:1 a scenario has no `\\e[2Jx` | not known here | known here: name, tags, serve, pages, routes, app, seed, clock, variables, readings, env, secrets, timeout, step-timeout, retries, redact, browser, users, fail-on, examples, needs, whenever, skip, expected-to-fail, before, after, steps",
            ],
        ),
    ];
    for (head, said) in cases {
        let lines = read(&format!("{head}\nsteps: [read]\n")).1;
        assert_eq!(lines.len(), said.len(), "{head}: {lines:#?}");
        for (line, said) in lines.iter().zip(*said) {
            if said.ends_with("states are") {
                assert!(line.starts_with(said), "{head}: {line}");
            } else {
                assert_eq!(line, said, "{head}");
            }
        }
    }
}

#[test]
fn seven_faults_of_every_kind_are_told_at_once() {
    let text = "nme: x\nseed: x\nvariables: {a: '{{ bb }}'}\nsteps:\n  - clik: x\n  - click: button \"Save: all\"\n  - click: x\n    timeot: 1s\nsteps: []\n";
    let (_, lines) = read(text);
    let places: Vec<&str> = lines.iter().map(|line| line.split(' ').next().unwrap()).collect();
    assert_eq!(places, ["1:1", "2:7", "3:20", "5:5", "6:12", "8:5", "9:1"], "{lines:#?}");
}

#[test]
fn a_swallowed_list_of_steps_is_not_called_missing() {
    let (_, lines) = read("name: x\n steps:\n  - read\n");
    assert_eq!(lines.len(), 1, "{lines:#?}");
    assert!(lines[0].starts_with("2:2 this line is indented too far"), "{lines:#?}");
}
