//! What stands around the steps: rows, needs, secrets, what is expected, what stands in the way.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod common;

use common::{Project, Ran};

const PAGE: &str = "<!doctype html><html lang=en><title>Echo</title><label>Word <input></label><p role=status></p>\
    <script>document.querySelector('input').oninput = event => document.querySelector('p').textContent = event.target.value</script>";

fn project(files: &[(&str, &str)]) -> Project {
    let project = Project::new();
    project.write("pages/index.html", PAGE);
    for (path, text) in files {
        project.write(path, text);
    }
    project
}

fn run_with(project: &Project, args: &[&str], env: &[(&str, &str)]) -> Ran {
    Ran::of(&project.command(args).envs(env.iter().copied()).output().unwrap())
}

const ECHO: &str = "serve: pages\nsteps:\n  - open: /\n  - type: { into: textbox, text: \"{{ word }}\" }\n  - assert-text: { of: status, is: \"{{ word }}\" }\n  - assert: word != \"7\"\n";

#[test]
fn each_row_is_a_case_and_texts_stay_texts() {
    let csv = "word,note\r\n007,\"a, \"\"b\"\"\r\nc\"\r\n\r\n7,x\r\n";
    let project = project(&[("a.yaml", &format!("name: Echo\nexamples: words.csv\n{ECHO}")), ("words.csv", csv)]);
    project.run(&["run", "a.yaml"]).expect_code(1).expect_words(&[
        "2 scenarios",
        "Echo [word=007, note=a, \"b\" c]",
        "Echo [word=7, note=x]",
        "1 passed, 1 failed",
    ]);
    project.write("words.json", "[{\"word\": \"one\"}, {\"word\": \"1e3\"}]");
    project.write("a.yaml", &format!("name: Echo\nexamples: words.json\n{ECHO}"));
    project.run(&["run", "a.yaml"]).expect_code(0).expect_words(&["[word=1e3]", "2 passed"]);
    project.write("a.yaml", &format!("name: Echo\nexamples: [{{ word: 007 }}, {{ word: no }}]\n{ECHO}"));
    project.run(&["run", "a.yaml"]).expect_code(0).expect_words(&["[word=007]", "[word=no]", "2 passed"]);
}

#[test]
fn rows_that_are_wrong_are_told_where_they_stand() {
    let cases: &[(&str, &str, &[&str])] = &[
        ("r.csv", "", &["is empty", "a.yaml:2:11"]),
        ("r.csv", "city,note\n", &["names and no rows", "r.csv:1:1"]),
        (
            "r.csv",
            "city,note\nOslo,a\nBergen\n\"Tromsø, Norway\",b,c\n",
            &["r.csv:3:1", "1 value, and the names", "r.csv:4:1", "3 values"],
        ),
        ("r.csv", "city,\nOslo,a\n", &["a column has no name"]),
        ("r.csv", "city,city\nOslo,a\n", &["two columns are called `city`"]),
        (
            "r.csv",
            "the city,url\nOslo,a\n",
            &["`the city` can't be a name", "r.csv:1:1", "`url` already has a meaning", "r.csv:1:10"],
        ),
        ("r.csv", "city;note\nOslo;a\n", &["not separated by commas"]),
        ("r.csv", "place\nOslo\n", &["`city` is not known", "a.yaml:4:"]),
        ("r.json", "[{\"city\": \"Oslo\"},\n {\"city\" \"Bergen\"}]", &["this is not JSON", "r.json:2:"]),
        ("r.json", "{\"city\": \"Oslo\"}", &["the rows are a list of objects", "this is a map"]),
        ("r.json", "[{\"city\": \"Oslo\"},\n {\"town\": \"Bergen\"}]", &["this row has no `city`", "r.json:2:2"]),
        ("r.txt", "x", &["a .csv or .json file"]),
        ("[]", "", &["`examples` has no rows"]),
        ("[{ city: a }, { city: b, note: c }]", "", &["the first row has no `note`"]),
        ("none.csv", "", &["there is no file `none.csv`"]),
    ];
    for (file, text, words) in cases {
        let project =
            project(&[("a.yaml", &format!("name: A\nexamples: {file}\nsteps:\n  - open: /{{{{ city }}}}\n"))]);
        if file.starts_with("r.") {
            project.write(file, text);
        }
        project.run(&["check", "a.yaml"]).expect_code(2).expect_words(words);
    }
}

#[test]
fn what_is_needed_runs_first_and_once() {
    let needs = |name: &str, needs: &str| {
        format!("name: {name}\nneeds: [{needs}]\npages: {{ /: hello }}\nsteps:\n  - open: /\n")
    };
    let project = project(&[
        ("a.yaml", &needs("A", "parts/login.yaml")),
        ("b.yaml", &needs("B", "parts/login.yaml, a.yaml")),
        ("parts/login.yaml", "name: Login\npages: { /: hello }\nsteps:\n  - open: /\n  - assert: true\n"),
    ]);
    let ran = project.run(&["run", "b.yaml", "a.yaml", "--workers", "3"]).expect_code(0);
    let order: Vec<usize> = ["  Login", "  A\n", "  B\n"].iter().map(|name| ran.out.find(name).unwrap()).collect();
    assert!(order.is_sorted() && ran.out.contains("3 passed"), "{}", ran.out);
    project.write("parts/login.yaml", "name: Login\nsteps:\n  - assert: false\n");
    project
        .run(&["run", "b.yaml"])
        .expect_code(1)
        .expect_words(&["it needs parts/login.yaml, which did not pass", "1 failed, 2 skipped"]);
    project.write("parts/login.yaml", &needs("Login", "../b.yaml"));
    project.run(&["check", "a.yaml"]).expect_code(2).expect_words(&[
        "scenarios need each other in a circle",
        "the way round",
        "parts/login.yaml:2:9 needs",
    ]);
    project.write("a.yaml", &needs("A", "none.yaml"));
    project.run(&["check", "a.yaml"]).expect_code(2).expect_words(&["there is no scenario `none.yaml`"]);
}

#[test]
fn what_is_skipped_and_what_is_expected_to_fail() {
    let scenario = |head: &str, step: &str| format!("name: A\n{head}\nsteps:\n  - {step}\n");
    let project = project(&[]);
    let cases: &[(&str, &str, i32, &[&str])] = &[
        (
            "skip: { when: env.SLOW == \"yes\", why: too slow here }\nenv: [SLOW]",
            "assert: false",
            0,
            &["SKIP", "too slow here"],
        ),
        ("skip: { when: env.SLOW != \"yes\", why: too slow here }\nenv: [SLOW]", "assert: true", 0, &["1 passed"]),
        ("expected-to-fail: issue 12", "assert: false", 0, &["failed as expected (issue 12)", "1 passed"]),
        (
            "expected-to-fail: issue 12",
            "assert: true",
            1,
            &["was expected to fail, and passed", "issue 12", "a.yaml:2:1"],
        ),
        ("skip: { when: has('alert'), why: none }", "assert: true", 2, &["before there is a page", "a.yaml:2:15"]),
        ("skip: { when: over, why: none }\nreadings: { over: alert }", "assert: true", 2, &["before there is a page"]),
        ("skip: { why: none }", "assert: true", 2, &["`when` is missing"]),
        (
            "variables: { a: 3, b: \"{{ a + 1 }}\", c: \"{{ b }}{{ b }}\" }",
            "assert: b == 4 and c == \"44\"",
            0,
            &["1 passed"],
        ),
    ];
    for (head, step, code, words) in cases {
        project.write("a.yaml", &scenario(head, step));
        run_with(&project, &["run", "a.yaml"], &[("SLOW", "yes")]).expect_code(*code).expect_words(words);
    }
}

#[test]
fn a_secret_is_shown_nowhere() {
    const SECRET: &str = "hunter \"2\"&co";
    let project = project(&[(
        "a.yaml",
        "name: \"A {{ secret.WORD }}\"\nserve: pages\nsecrets: [WORD]\nsteps:\n  - open: \"/?q={{ secret.WORD|urlencode }}\"\n  - type: { into: textbox, text: \"{{ secret.WORD }}\" }\n  \
         - read\n  - name: \"says {{ 1 }}\"\n    text\n  - look: { path: \"{{ secret.WORD }}.png\" }\n  - snapshot: \"x {{ secret.WORD }}\"\n    optional: true\n  \
         - assert-text: { of: status, is: \"not {{ secret.WORD }}\" }\n    timeout: 300ms\n",
    )]);
    let text = std::fs::read_to_string(project.folder().join("a.yaml")).unwrap();
    let text = text
        .replace("?q={{ secret.WORD|urlencode }}", "?q={{ secret.WORD }}")
        .replace("    text\n", "    read: { of: textbox }\n");
    project.write("a.yaml", &text);
    let ran = run_with(&project, &["run", "a.yaml", "--verbose"], &[("WORD", SECRET)]).expect_code(1);
    assert!(ran.out.contains("•••"), "{}", ran.out);
    let mut all = ran.all();
    for entry in walkdir::WalkDir::new(project.folder()).into_iter().flatten() {
        all.push_str(&entry.path().to_string_lossy());
        if entry.path().extension().is_some_and(|extension| extension == "new" || extension == "snap") {
            all.push_str(&std::fs::read_to_string(entry.path()).unwrap());
        }
    }
    assert!(!all.contains("hunter"), "{all}");
    assert!(all.contains(".snap.new") && all.contains("textbox \"Word\" = \"•••\""), "{all}");
    run_with(&project, &["run", "a.yaml"], &[("WORD", "ab")])
        .expect_code(2)
        .expect_words(&["the secret WORD is shorter than 3 characters", "a.yaml:3:11"]);
}

const COVERED: &str = "<!doctype html><html lang=en><title>Way</title><button onclick=\"document.title = 'Done'\">Go</button>\
    <dialog aria-label=Cookies><button onclick=\"SHUT\">Reject</button></dialog>\
    <script>setTimeout(() => document.querySelector('dialog').showModal(), DELAY)</script>";

#[test]
fn what_stands_in_the_way_is_cleared() {
    let scenario = |times: &str| {
        format!(
            "name: A\nserve: pages\nwhenever:\n  dialog \"Cookies\":\n    - click: button \"Reject\"\nsteps:\n  - open: /\n{times}  - click: button \"Go\"\n    timeout: 3s\n  - assert-title: Done\n"
        )
    };
    let project = project(&[("a.yaml", &scenario(""))]);
    let shut = "this.closest('dialog').close()";
    project.write("pages/index.html", &COVERED.replace("SHUT", shut).replace("DELAY", "0"));
    project.run(&["run", "a.yaml"]).expect_code(0).expect_words(&["dialog \"Cookies\" stood in the way"]);
    // It comes while the act waits for a button that is not there yet.
    let late = COVERED.replace("SHUT", &format!("{shut}; document.querySelector('button').hidden = false"));
    project.write("pages/index.html", &late.replace("DELAY", "400").replacen("<button ", "<button hidden ", 1));
    project.run(&["run", "a.yaml"]).expect_code(0).expect_words(&["stood in the way"]);
    // It does not go.
    project.write("pages/index.html", &COVERED.replace("SHUT", "0").replace("DELAY", "0"));
    project.run(&["run", "a.yaml"]).expect_code(1).expect_words(&["still stands in the way", "a.yaml:8:12"]);
    project.write("a.yaml", "name: A\nwhenever: { dialgo \"Cookies\": [clik: Save] }\nsteps: [read]\n");
    project.run(&["check", "a.yaml"]).expect_code(2).expect_words(&["`clik`", "a.yaml:2:"]);
}

/// A page that says, in numbers, what its date says and whether a second question gets the same answer.
const DATES: &str = "<!doctype html><html lang=en><title>Dates</title><a href=/>Again</a><p role=status></p><script>\
    const said = [Date.now(), Number(new Date()), Date.parse(Date())];\
    document.querySelector('p').textContent = `${said} ${Math.random() < 1} ${Date.toString().includes('[native code]')}`</script>";

#[test]
fn the_clock_is_what_the_scenario_says() {
    let scenario = |head: &str, steps: &str| format!("serve: pages\n{head}\nsteps:\n  - open: /\n{steps}");
    let stands = "clock: { at: 2026-03-01T09:00:00.250+01:00, runs: false }";
    let at = 1_772_352_000_250_u64;
    let said = format!("  - assert-text: {{ of: status, is: \"{at},{at},{} true true\" }}\n", at - 250);
    let again = format!("{said}  - click: Again\n{said}  - reload\n{said}");
    let project = project(&[("stands.yaml", &scenario(stands, &again))]);
    project.write("seeded.yaml", &scenario(&format!("seed: 7\n{stands}"), &again));
    // It goes on, from one document to the next.
    let first = "  - script: { run: 'Date.now()', into: first }\n  - click: Again\n  - assert-title: Dates\n";
    let second = "  - script: { run: 'Date.now()', into: second }\n  \
                  - assert: first >= 1772352000000 and second > first and second < 1772352060000\n";
    project.write("runs.yaml", &scenario("clock: 2026-03-01T08:00:00Z", &format!("{first}{second}")));
    project.write("pages/index.html", DATES);
    project.run(&["run", "stands.yaml", "seeded.yaml", "runs.yaml"]).expect_code(0).expect_words(&["3 passed"]);
}

#[test]
fn what_the_scenarios_of_a_tag_need_runs_with_them() {
    let scenario = |head: &str| format!("{head}\npages: {{ /: hello }}\nsteps:\n  - open: /\n");
    let project = project(&[
        ("all/a.yaml", &scenario("name: A")),
        ("all/b.yaml", &scenario("name: B\nneeds: d.yaml")),
        ("all/c.yaml", &scenario("name: C\ntags: x\nneeds: b.yaml")),
        ("all/d.yaml", &scenario("name: D")),
    ]);
    let ran = project.run(&["run", "all", "--tag", "x", "--workers", "1"]).expect_code(0);
    let order: Vec<usize> = ["  D\n", "  B\n", "  C\n"].iter().map(|name| ran.out.find(name).unwrap()).collect();
    assert!(order.is_sorted() && ran.out.contains("3 passed"), "{}", ran.out);
}

/// A page with a question about cookies before it.
const ASKS: &str = r#"
pages:
  /: |
    <!doctype html><title>Shop</title>
    <main><h1>Shop</h1><button>Buy</button><p role=status id=out></p></main>
    <div role=dialog aria-label="Cookies" style="position:fixed;inset:0;background:white">
      <button onclick="choose('all')">Accept all</button><button onclick="choose('few')">Only necessary</button>
    </div>
    <script>const choose = what => { out.textContent = what; document.querySelector('[role=dialog]').remove() }</script>
"#;

#[test]
fn whenever_leaves_the_dialog_alone_that_an_act_is_about() {
    let whenever = "whenever:\n  dialog \"Cookies\":\n    - click: Accept all\n";
    let project = project(&[]);
    for (act, chosen) in [
        ("click: button \"Only necessary\"", "few"),
        ("click: { css: 'button:last-of-type', within: dialog }", "few"),
        ("click: button \"Buy\"", "all"),
    ] {
        let steps = format!("steps:\n  - open: /\n  - {act}\n  - assert-text: {{ of: status, is: {chosen} }}\n");
        project.write("a.yaml", &format!("{ASKS}{whenever}{steps}"));
        project.run(&["run", "a.yaml"]).expect_code(0);
    }
}

#[test]
fn a_failure_says_what_whenever_answered_just_before() {
    let head = format!("{ASKS}whenever:\n  dialog \"Cookies\":\n    - click: Accept all\n");
    let steps = "steps:\n  - open: /\n  - click: button \"Buy\"\n  - assert-tree-contains: dialog \"Cookies\"\n    timeout: 1s\n";
    let project = project(&[("a.yaml", &format!("{head}{steps}"))]);
    project
        .run(&["run", "a.yaml"])
        .expect_code(1)
        .expect_words(&["`whenever` answered: dialog \"Cookies\", by the steps from line 12 on, just before"]);
}

#[test]
fn a_snapshot_is_taken_of_what_whenever_has_cleared() {
    let head = format!("{ASKS}whenever:\n  dialog \"Cookies\":\n    - click: Accept all\n");
    let project = project(&[("a.yaml", &format!("{head}steps:\n  - open: /\n  - snapshot: shop\n"))]);
    let mut command = project.command(&["run", "a.yaml"]);
    Ran::of(&command.env("INSTA_UPDATE", "always").output().unwrap()).expect_code(0);
    let stored = std::fs::read_to_string(project.folder().join("snapshots/a__shop.snap")).unwrap();
    assert!(stored.contains("heading \"Shop\"") && !stored.contains("dialog"), "{stored}");
}

#[test]
fn what_is_covered_by_a_dialog_is_told_with_whenever() {
    let steps = "steps:\n  - open: /\n  - click: button \"Buy\"\n    timeout: 1s\n";
    let project = project(&[("a.yaml", &format!("{ASKS}{steps}"))]);
    project.run(&["run", "a.yaml"]).expect_code(1).expect_words(&[
        "is covered by dialog \"Cookies\"",
        "where it comes unasked",
        "whenever:",
        "dialog \"Cookies\": [click: …]",
    ]);
}

#[test]
fn one_row_is_run_by_its_label_or_its_values() {
    let examples = "[{ word: one, note: a }, { word: two, note: b }, { word: 7, note: 'a, b' }]";
    let project = project(&[("a.yaml", &format!("name: Echo\nexamples: {examples}\n{ECHO}"))]);
    let again = "again: playscript run a.yaml --row 'word=7, note=a, b'";
    project.run(&["run", "a.yaml"]).expect_code(1).expect_words(&["2 passed, 1 failed", again]);
    for (row, title, code) in [
        ("word=7, note=a, b", "[word=7, note=a, b]", 1),
        ("note=a, b", "[word=7, note=a, b]", 1),
        ("note=b,word=two", "[word=two, note=b]", 0),
        ("note=a", "[word=one, note=a]", 0),
    ] {
        let ran = project.run(&["run", "--row", row, "a.yaml"]).expect_code(code).expect_words(&["1 scenario,", title]);
        assert!(!ran.out.contains("unreferenced"), "{}", ran.out);
    }
    project
        .run(&["run", "a.yaml", "--row", "word=one", "--row", "word=two"])
        .expect_code(0)
        .expect_words(&["2 passed"]);
    project.run(&["run", "a.yaml", "--row", "word=three"]).expect_code(2).expect_words(&[
        "no scenario has the row `word=three`",
        "word=one, note=a\n",
        "word=7, note=a, b\n",
    ]);
    project.write("b.yaml", &format!("name: B\nvariables: {{ word: x }}\n{ECHO}"));
    project.run(&["run", "b.yaml", "--row", "word=x"]).expect_code(2).expect_words(&["only scenarios with `examples`"]);
}

#[test]
fn what_is_expected_to_fail_may_say_with_which_message() {
    let project = Project::new();
    let steps = "pages: { /: <h1>Sum 12</h1> }\nstep-timeout: 300ms\nsteps:\n  - open: /\n";
    let wrong = "  - assert: 1 == 2\n";
    let scenario = |message: &str, steps: &str| {
        format!("name: A\nexpected-to-fail: {{ why: BUG-13, message: {message} }}\n{steps}")
    };
    project.write("a.yaml", &scenario("1 == 3", &format!("{steps}{wrong}")));
    let ran = project.run(&["run", "a.yaml"]);
    let title =
        ran.all().lines().find_map(|line| line.split("failed as expected (BUG-13): ").nth(1).map(str::to_owned));
    let failed = ran.code == Some(1);
    assert!(failed && title.is_none(), "the message is another one: {}", ran.all());
    ran.expect_words(&["expected to fail with: \"1 == 3\" (BUG-13)", "a.yaml:7:13"]);
    project.write("a.yaml", &scenario("/1 == 2/", &format!("{steps}{wrong}")));
    project.run(&["run", "a.yaml"]).expect_code(0).expect_words(&["failed as expected (BUG-13)"]);
    // A second failure beside it is not the one that was spoken of.
    let second = "  - assert: 1 == 2\n    soft: true\n  - assert: 3 == 4\n";
    project.write("a.yaml", &scenario("/1 == 2/", &format!("{steps}{second}")));
    project.run(&["run", "a.yaml"]).expect_code(1).expect_words(&["3 == 4", "expected to fail with"]);
    project.write("a.yaml", &scenario("/1 == 2/", steps));
    project.run(&["run", "a.yaml"]).expect_code(1).expect_words(&["expected to fail, and passed", "since: BUG-13"]);
}

#[test]
fn a_clock_and_a_name_take_values_of_their_row() {
    let project = Project::new();
    project.write(
        "a.yaml",
        "name: \"{{ shop }}: the sale is {{ state }}\"\nvariables: { shop: Harbour }\nclock: { at: \"{{ start }}\", runs: false }\n\
         examples:\n  - { start: \"2026-11-27T23:59:00Z\", state: on }\n  - { start: \"2026-11-28T00:00:00Z\", state: over }\n\
         pages:\n  /: |\n    <p role=status></p><script>\n    document.querySelector('p').textContent = \
         'Sale ' + (new Date() < new Date('2026-11-28T00:00:00Z') ? 'on' : 'over')</script>\n\
         steps:\n  - open: /\n  - assert-text: { of: status, is: \"Sale {{ state }}\" }\n",
    );
    project.run(&["run", "a.yaml"]).expect_code(0).expect_words(&[
        "Harbour: the sale is on [start=2026-11-27T23:59:00Z, state=on]",
        "Harbour: the sale is over [",
        "2 passed",
    ]);
    project.run(&["run", "a.yaml", "--var", "shop=Fjord"]).expect_code(0).expect_words(&["Fjord: the sale is on ["]);
}
