//! Downloads, the console, a bad network, and servers that ask for a password.

use std::io::{Read, Write};
use std::net::TcpListener;

use crate::common::Project;

fn passes(text: &str) -> Project {
    let project = Project::new();
    project.write("a.yaml", text);
    project.run(&["run", "a.yaml"]).expect_code(0);
    project
}

const FILES: &str = r#"
pages:
  /: |
    <!doctype html><title>Files</title>
    <a id=b download="report.csv">Blob</a><a href="/data.bin" download>Server</a><a href="/other.zip" target=_blank>Tab</a>
    <script>b.href = URL.createObjectURL(new Blob(['name,total\nAda,42\n']))</script>
  /data.bin: binary
  /other.zip: zipped
steps:
  - open: /
"#;

#[test]
fn downloads_are_waited_for_looked_into_and_kept() {
    let project = passes(&format!(
        "{FILES}{}",
        r#"
  - click: Blob
  - assert-download: report.csv
  - assert-download: { name: /^report/, contains: "Ada,42", save-as: kept/ada.csv }
  - assert-download: { name: report.csv, contains: '/total\n\w+,42/' }
  - click: Server
  - assert-download: { name: data.bin, contains: binary }
  - click: Tab
  - assert-download: { name: other.zip, contains: zipped }
  - { assert-download: { name: report.csv, contains: Bob }, fails: the downloaded file does not hold this }
  - { assert-download: other.csv, fails: nothing of this name was downloaded, timeout: 200ms }
  - { assert-download: { name: report.csv, save-as: ../x.csv }, fails: is outside the project's folder }
  - assert-title: Files
"#
    ));
    assert_eq!(std::fs::read_to_string(project.folder().join("kept/ada.csv")).unwrap(), "name,total\nAda,42\n");
    assert_eq!(project.leftovers(), Vec::<std::path::PathBuf>::new());
}

#[test]
fn a_failed_look_for_a_download_lists_what_there_is() {
    let project = Project::new();
    project.write("a.yaml", &format!("{FILES}  - click: Blob\n  - {{ assert-download: x.csv, timeout: 500ms }}\n"));
    project.run(&["run", "a.yaml"]).expect_code(1).expect_words(&["not after 500 ms", "downloads so far: report.csv"]);
}

#[test]
fn what_a_page_logs_is_asserted() {
    passes(
        r#"
fail-on: []
pages:
  /: |
    <!doctype html><title>Log</title>
    <button onclick="console.log('hello', {n: 1})">Log</button><button onclick="console.warn('old')">Warn</button>
    <button onclick="setTimeout(() => { throw new Error('late') }, 100)">Throw</button><button onclick="fetch('/mocked')">Mocked</button>
steps:
  - mock: { url: /mocked, status: 500 }
  - open: /
  - assert-console: clean
  - click: Mocked
  - assert-requests: /mocked
  - click: Log
  - assert-console: clean
  - assert-console: { has: hello }
  - assert-console: { has: '/n: \d/', level: info, count: 1 }
  - assert-console: { level: error, count: 0 }
  - click: Warn
  - { assert-console: clean, fails: the console is not clean }
  - assert-console: { lacks: old, level: error }
  - { assert-console: { lacks: old }, fails: the console has this }
  - click: Throw
  - assert-console: { has: "Error: late", level: error }
  - { assert-console: { level: error, count: 0 }, fails: the console has one such entry }
  - { assert-console: { has: nobody }, fails: the console has no such entry, timeout: 100ms }
"#,
    );
}

#[test]
fn the_network_goes_away_and_comes_back() {
    passes(
        r#"
pages:
  /: |
    <!doctype html><title>Net</title><p role=status id=s></p>
    <button onclick="fetch('/data').then(() => s.textContent = 'came', () => s.textContent = 'lost ' + navigator.onLine)">Ask</button>
  /data: here
steps:
  - open: /
  - network: offline
  - click: Ask
  - wait-for: status "lost false"
  - network: online
  - click: Ask
  - wait-for: { request: /data }
  - wait-for: status "came"
  - { wait-for: { request: /never }, fails: no such request has had an answer, timeout: 200ms }
  - network: slow
  - { open: /data, timeout: 10s }
"#,
    );
}

/// A server that wants ada's password, and shows the header `X-Token`.
fn guarded() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let base = format!("http://{}", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let mut head = [0; 4096];
            let length = stream.read(&mut head).unwrap_or_default();
            let head = String::from_utf8_lossy(&head[..length]).into_owned();
            let token = head.lines().find_map(|line| line.strip_prefix("X-Token: ")).unwrap_or("none");
            let body = format!("<title>Inside</title><p role=status>{token}</p><link rel=icon href=\"data:,\">");
            // ada:pw
            let answer = if head.contains("Basic YWRhOnB3") || head.starts_with("GET /open") {
                format!(
                    "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}",
                    body.len()
                )
            } else {
                "HTTP/1.1 401 No\r\nWWW-Authenticate: Basic realm=\"x\"\r\nContent-Length: 0\r\nConnection: close\r\n\r\n".to_owned()
            };
            let _ = stream.write_all(answer.as_bytes());
        }
    });
    base
}

#[test]
fn servers_that_ask_for_a_password_get_it_and_nobody_else_sees_it() {
    let base = guarded();
    let project = Project::new();
    let host = base.trim_start_matches("http://");
    project.write(
        "a.yaml",
        &format!(
            r#"
steps:
  - open: {{ url: {base}/open, headers: {{ X-Token: "{{{{ 6 * 7 }}}}" }} }}
  - assert-tree-contains: status "42"
  - {{ open: {base}/, fails: asks for a user and a password }}
  - {{ open: {{ url: {base}/, auth: {{ user: ada, password: wr0ng }} }}, fails: does not take this user and password }}
  - open: {{ url: {base}/, auth: {{ user: ada, password: pw }} }}
  - assert-tree-contains: status "42"
  - open: http://ada:pw@{host}/again
  - assert-title: Inside
"#
        ),
    );
    let told = project.run(&["run", "a.yaml", "--verbose"]).expect_code(0).all();
    assert!(told.contains("http://ada:***@"), "{told}");
    assert!(!told.contains("ada:pw@"), "{told}");
}

#[test]
fn mistakes_are_told_at_load() {
    let project = Project::new();
    project.write(
        "a.yaml",
        r#"
steps:
  - assert-console: tidy
  - assert-console: { has: x, lacks: y }
  - assert-console
  - assert-console: { level: fatal }
  - assert-download: { names: x }
  - assert-download
  - network: gone
  - open: { url: /, auth: { user: ada } }
  - open: { url: /, headers: [a] }
  - wait-for: { request: /a, url: /b }
"#,
    );
    project.run(&["check", "a.yaml"]).expect_code(2).expect_words(&[
        "`is` can't be `tidy`",
        "`has` and `lacks` exclude each other",
        "`assert-console` says nothing",
        "`level` can't be `fatal`",
        "did you mean `name`?",
        "`assert-download` needs",
        "`is` can't be `gone`",
        "`password` is missing",
        "`headers` must be a map",
        "`wait-for` waits for one thing",
    ]);
}
