//! What a run tells and how it ends, by the program itself on a real Chrome.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod common;

use common::{Project, Ran, of_repository};

#[test]
fn every_bundled_scenario_passes_and_no_snapshot_is_an_orphan() {
    let project = Project::new();
    let report = project.folder().join("report");
    let output = project
        .command(&["run", "--unreferenced", "reject", "--report-folder", report.to_str().unwrap()])
        .current_dir(of_repository(""))
        .env("CI", "true")
        .output()
        .unwrap();
    let files = std::fs::read_dir(of_repository("scenarios")).unwrap().flatten().map(|entry| entry.path());
    let cases: usize = files
        .filter(|path| path.extension().is_some_and(|extension| extension == "yaml"))
        .map(|path| {
            // One a row, where the rows stand in a file: its first line is none.
            let rows = path.with_extension("csv");
            if rows.is_file() { std::fs::read_to_string(rows).unwrap().lines().count() - 1 } else { 1 }
        })
        .sum();
    let ran = Ran::of(&output).expect_code(0);
    ran.expect_words(&[&format!("{cases} passed")]);
}

const SIGN_IN: &str = "\
name: A visitor signs in
pages: { /: '<main><h1>Welcome, Adam</h1><a href=/>Sign out</a></main>' }
steps:
  - open: /
  - assert-tree-contains: |
      main
        heading \"Welcome, Ada\" [level=1]
        link \"Sign out\"
    timeout: 300ms
";

#[test]
fn a_wrong_name_is_shown_with_line_mark_and_the_nearest_part_of_the_page() {
    let project = Project::new();
    project.write("scenarios/sign-in.yaml", SIGN_IN);
    let ran = project.run(&["run"]).expect_code(1);
    let picture = "playscript-report/scenarios-sign-in/step-2.png";
    let ran = ran.expect_words(&[
        "error: the page does not contain this line",
        "--> scenarios/sign-in.yaml:7:9",
        "7 |         heading \"Welcome, Ada\" [level=1]",
        "^^^^^^^^^^^^^^^^^^^^^^ the name differs; nothing else does",
        "= the page, nearest part, after 300 ms:",
        "~   heading \"Welcome, Adam\" [level=1]",
        &format!("= picture: {picture}"),
        "= url: /",
        "= again: playscript run scenarios/sign-in.yaml",
        "0 passed, 1 failed",
    ]);
    assert!(!ran.all().contains("~   link"), "a line that matches is no difference:\n{}", ran.all());
    let bytes = std::fs::read(project.folder().join(picture)).unwrap();
    assert!(bytes.starts_with(b"\x89PNG") && bytes.len() > 1_000);
}

#[test]
fn seven_faults_of_one_file_are_told_at_once_and_nothing_runs() {
    let project = Project::new();
    project.write(
        "scenarios/wrong.yaml",
        "\
name: Seven faults
tagz: [a]
readings: { score: 'status /(/' }
pages: { /: Hi }
steps:
  - clik: Save
  - type: { into: textbox \"A\", txt: b }
  - press: Entr
  - wait: 5
  - assert: scor > 3
",
    );
    for command in ["check", "run"] {
        let ran = project.run(&[command]).expect_code(2);
        ran.expect_words(&[
            "scenarios/wrong.yaml:2:1",
            "did you mean `tags`?",
            "scenarios/wrong.yaml:3:",
            "scenarios/wrong.yaml:6:5",
            "did you mean `click`?",
            "scenarios/wrong.yaml:7:32",
            "did you mean `text`?",
            "scenarios/wrong.yaml:8:12",
            "Enter",
            "scenarios/wrong.yaml:9:11",
            "say 5ms or 5s",
            "scenarios/wrong.yaml:10:13",
            "did you mean `score`?",
        ]);
    }
    assert!(project.leftovers().is_empty());
}

#[test]
fn without_a_browser_the_run_ends_with_3_and_the_next_move() {
    let project = Project::new();
    project.write("scenarios/a.yaml", "pages: { /: Hi }\nsteps: [open: /]\n");
    let output = project.command(&["run"]).env("PLAYSCRIPT_CHROME", "/nonexistent").output().unwrap();
    Ran::of(&output).expect_code(3).expect_words(&["/nonexistent", "PLAYSCRIPT_CHROME"]);
}

#[test]
fn a_page_of_ten_thousand_nodes_is_read_whole() {
    let project = Project::new();
    project.write(
        "pages/index.html",
        "<title>Many</title><ol></ol><script>\
         for (let i = 1; i <= 5000; i++) { const li = document.createElement('li'); li.textContent = 'item ' + i;\
         document.querySelector('ol').append(li) }</script><button>The last one</button>",
    );
    project.write(
        "scenarios/many.yaml",
        "serve: ../pages\nsteps:\n  - open: /\n  - assert: count('listitem') == 5000\n    timeout: 60s\n  - click: button \"The last one\"\n    timeout: 60s\n  - assert-tree-contains: |\n      list\n        listitem \"item 1\"\n        listitem \"item 5000\"\n      button \"The last one\"\n    timeout: 60s\n",
    );
    project.run(&["run"]).expect_code(0).expect_words(&["1 passed"]);
}

#[test]
fn a_tree_of_more_than_16_megabytes_does_not_break_the_connection() {
    let project = Project::new();
    // Each paragraph's text comes twice in the browser's answer: as the text and as its line boxes' text.
    project.write(
        "pages/index.html",
        "<title>Heavy</title><body><script>\
         for (let i = 0; i < 150; i++) { const p = document.createElement('p'); p.textContent = i + 'x'.repeat(120000);\
         document.body.append(p) }</script><button>Still here</button>",
    );
    project.write(
        "scenarios/heavy.yaml",
        "serve: ../pages\nsteps:\n  - open: /\n  - assert: count('paragraph') == 150\n    timeout: 60s\n  - click: button \"Still here\"\n    timeout: 60s\n",
    );
    project.run(&["run"]).expect_code(0).expect_words(&["1 passed"]);
}

#[test]
fn a_run_that_has_only_so_much_time_ends_then() {
    let project = Project::new();
    project.write(
        "scenarios/a.yaml",
        "pages: { /: Hi }\nsteps:\n  - open: /\n  - wait-for: heading \"Never\"\n    timeout: 2m\n",
    );
    let ran = project.run(&["run", "--run-timeout", "1s"]).expect_code(1);
    assert!(!ran.all().contains("1 passed"));
}

#[test]
fn what_stands_under_after_is_performed_however_the_scenario_ended() {
    let project = Project::new();
    project.write(
        "scenarios/a.yaml",
        "pages: { /: '<h1>Hi</h1>' }\nafter:\n  - read\nsteps:\n  - open: /\n  - assert-title: Never\n    timeout: 100ms\n",
    );
    project.run(&["run", "--verbose"]).expect_code(1).expect_words(&["the page has another title", "heading \"Hi\""]);
}

#[test]
fn loops_and_groups_under_after_have_time_when_the_scenario_has_none_left() {
    let project = Project::new();
    project.write(
        "scenarios/a.yaml",
        "pages: { /: '<h1>Hi</h1>' }\ntimeout: 5s\nafter:\n  - group: [read]\nsteps:\n  - open: /\n  - wait-for: heading \"Never\"\n    timeout: 1m\n",
    );
    let ran = project.run(&["run", "--verbose"]).expect_code(1);
    let ran = ran.expect_words(&["          read", "heading \"Hi\" [level=1]"]);
    assert!(!ran.all().contains("after 60 s"), "the step had less time than it asked for:\n{}", ran.all());
}

#[test]
fn failures_are_told_in_full_when_the_snapshots_cannot_be_read() {
    let project = Project::new();
    project.write("snapshots", "This is no folder.");
    project.write(
        "scenarios/a.yaml",
        "pages: { /: '<h1>Hi</h1>' }\nsteps:\n  - open: /\n  - assert-title: Never\n    timeout: 100ms\n",
    );
    project.run(&["run"]).expect_code(3).expect_words(&["--> scenarios/a.yaml:4:", "0 passed, 1 failed", "snapshots"]);
}

#[test]
fn unreferenced_snapshots_are_deleted_where_that_is_asked_for_and_told_as_such() {
    let project = Project::new();
    project.write("playscript.yaml", "").write("scenarios/a.yaml", "pages: { /: Hi }\nsteps: [open: /]\n");
    let file = "snapshots/a__old.snap";
    project.write(file, "---\nsource: scenarios/a.yaml\nexpression: \"snapshot: old\"\n---\nmain\n");
    let listed = project.run(&["run"]).expect_code(0);
    listed.expect_words(&["1 stored snapshot that no scenario names any more", file, "--unreferenced=delete"]);
    let deleted = project.run(&["run", "--unreferenced=delete"]).expect_code(0);
    let deleted = deleted.expect_words(&["1 stored snapshot deleted", file]);
    assert!(!deleted.out.contains("remove them"), "{}", deleted.out);
    assert!(!project.folder().join(file).exists());
}

#[test]
fn what_a_page_does_while_time_passes_is_seen_by_the_expressions_that_follow() {
    let project = Project::new();
    project.write(
        "scenarios/a.yaml",
        "pages: { /: '<h1>0</h1><script>let n = 0; setInterval(() => { document.querySelector(\"h1\").textContent = ++n }, 20)</script>' }\n\
         readings: { count: 'heading /(\\d+)/' }\nsteps:\n  - open: /\n  - assert: count >= 0\n  - set: { before: '{{ count }}' }\n\
         \x20 - wait: 500ms\n  - set: { after: '{{ count }}' }\n  - assert: after > before\n",
    );
    project.run(&["run"]).expect_code(0).expect_words(&["1 passed"]);
}

/// A server whose every answer takes its time.
fn slow_server(body: &'static str) -> u16 {
    use std::io::{Read, Write};
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            std::thread::spawn(move || {
                let _ = stream.read(&mut [0; 4096]);
                // The slowness of the server is what it is for.
                std::thread::sleep(std::time::Duration::from_millis(300));
                let head = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nConnection: close\r\n\r\n";
                let _ = stream.write_all(format!("{head}{body}").as_bytes());
            });
        }
    });
    port
}

#[test]
fn an_act_waits_for_what_the_act_before_it_set_off() {
    let project = Project::new();
    let port = slow_server(
        "<p role=status>none</p><button>Next</button><script>\
         document.querySelector('button').onclick = event => requestAnimationFrame(async () => {\
           const from = document.querySelector('p').textContent; await fetch('/');\
           document.querySelector('p').textContent = { none: 'one', one: 'two' }[from] })</script>",
    );
    project.write(
        "scenarios/a.yaml",
        &format!(
            "steps:\n  - open: http://127.0.0.1:{port}/\n  - click: {{ css: button }}\n  - click: {{ css: button }}\n  - assert-tree-contains: status \"two\"\n    timeout: 1s\n"
        ),
    );
    project.run(&["run"]).expect_code(0).expect_words(&["1 passed"]);
}

#[test]
fn an_act_waits_for_what_a_field_asked_for_when_it_got_its_text() {
    let project = Project::new();
    let port = slow_server(
        "<p role=status>none</p><input aria-label=Street><button onclick=\"document.querySelector('p').textContent = 'too early'\">Next</button>\
         <script>document.querySelector('input').oninput = async () => {\
           await fetch('/');\
           document.querySelector('button').onclick = () => document.querySelector('p').textContent = 'in time' }</script>",
    );
    project.write(
        "scenarios/a.yaml",
        &format!(
            "steps:\n  - open: http://127.0.0.1:{port}/\n  - type: {{ into: Street, text: Strandgaten }}\n  - click: Next\n  - assert-tree-contains: status \"in time\"\n    timeout: 1s\n"
        ),
    );
    project.run(&["run"]).expect_code(0).expect_words(&["1 passed"]);
}

#[test]
fn a_loop_that_waits_for_nothing_hears_the_clock() {
    let project = Project::new();
    project.write(
        "scenarios/a.yaml",
        "timeout: 1s\nsteps:\n  - repeat:\n      while: 'true'\n      at-most: 100000000\n      steps:\n        - set: { a: '{{ turn }}' }\n",
    );
    project.run(&["run"]).expect_code(1).expect_words(&["the time was up before this step"]);
}

#[test]
fn a_value_that_doubles_without_end_is_stopped() {
    let project = Project::new();
    project.write(
        "scenarios/a.yaml",
        "steps:\n  - set: { a: xxxxxxxxxxxxxxxx }\n  - repeat:\n      times: 60\n      steps:\n        - set: { a: '{{ a ~ a }}' }\n",
    );
    project.run(&["run"]).expect_code(1).expect_words(&["`a` would hold more than 16 MB"]);
}
