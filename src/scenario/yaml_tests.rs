//! Limits, encodings, aliases, duplicates, and what stays text.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::path::Path;
use std::time::{Duration, Instant};

use super::diagnostic::Problems;
use super::node::Node;
use super::source::Source;
use super::yaml;

fn read_bytes(bytes: &[u8]) -> (Option<Node>, Vec<String>) {
    let mut problems = Problems::default();
    let source = Source::from_bytes(Path::new("f"), bytes, &mut problems);
    let node = source.and_then(|source| yaml::read(&source, &mut problems));
    (node, said(problems))
}

fn said(problems: Problems) -> Vec<String> {
    let line = |diagnostic: super::Diagnostic| {
        let at = diagnostic.place.map(|place| place.to_string()).unwrap_or_default();
        format!("{at} {} | {} | {}", diagnostic.title, diagnostic.label, diagnostic.next.unwrap_or_default())
    };
    problems.into_iter().map(line).collect()
}

fn good(text: &str) -> Node {
    let (node, said) = read_bytes(text.as_bytes());
    assert_eq!(said, Vec::<String>::new(), "{text:?}");
    node.unwrap()
}

#[test]
fn what_looks_like_something_else_stays_text() {
    for text in ["no", "on", "yes", "007", "1e3", "0x10", "12.10", "1_000", ".5", "2031-02-03", "12:30", "+5", "true"] {
        assert_eq!(good(&format!("a: {text}\n")).get("a").unwrap().text(), Some(text));
    }
    let nothing = good("a:\nb: ~\nc: null\nd: \"\"\ne: 'null'\n");
    let nulls: Vec<bool> = nothing.entries().unwrap().iter().map(|(_, value)| value.is_null()).collect();
    assert_eq!(nulls, [true, true, true, false, false]);
}

#[test]
fn json_is_what_yaml_says() {
    let node = good("a: {n: 1, f: 1.5, b: true, z: , t: \"1\", no: no, l: [1, x]}\n");
    let json = serde_json::json!({"n": 1, "f": 1.5, "b": true, "z": null, "t": "1", "no": "no", "l": [1, "x"]});
    assert_eq!(node.get("a").unwrap().json(), json);
    assert_eq!(good("a: 1.50\n").get("a").unwrap().value().to_string(), "1.50");
}

#[test]
fn a_mark_and_windows_line_ends_change_nothing() {
    let plain = "name: x\ntext: |\n  one\n  two\nfolded: \"a\n  b\"\n";
    let windows = format!("\u{FEFF}{}", plain.replace('\n', "\r\n"));
    let (node, said) = read_bytes(windows.as_bytes());
    assert_eq!(said, Vec::<String>::new());
    let node = node.unwrap();
    assert_eq!(node.get("text").unwrap().text(), Some("one\ntwo\n"));
    assert_eq!(node.get("folded").unwrap().text(), Some("a b"));
    assert_eq!(node.get("name").unwrap().place.to_string(), "f:1:7");
    assert_eq!(node.place.source.text, plain);
}

#[test]
fn duplicates_name_both_lines() {
    let (_, lines) = read_bytes(b"steps: []\nsteps:\n  - click: {on: a, on: b}\n");
    assert_eq!(
        lines,
        [
            "f:2:1 `steps` is there twice | first in line 1, again in line 2 | delete one of the two",
            "f:3:20 `on` is there twice | twice in line 3 | delete one of the two",
        ]
    );
}

#[test]
fn files_with_nothing() {
    let next = "write at least `steps:` and below it `  - open: /`";
    for (text, title) in [
        ("", "the file is empty"),
        ("\n \n", "the file is empty"),
        ("# x\n# y\n", "the file holds nothing but comments"),
    ] {
        assert_eq!(read_bytes(text.as_bytes()).1, [format!("f:1:1 {title} | no steps | {next}")], "{text:?}");
    }
}

#[test]
fn encodings_other_than_utf8() {
    let utf16 = "f:1:1 the file is UTF-16, not UTF-8 |  | save it as UTF-8: every editor can, usually under \"Save with encoding\"";
    let bytes: Vec<u8> = "a: b\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
    assert_eq!(read_bytes(&[&[0xFF, 0xFE], bytes.as_slice()].concat()).1, [utf16]);
    assert_eq!(read_bytes(&bytes).1, [utf16]);
    let bytes: Vec<u8> = "\u{FEFF}a: b\n".encode_utf16().flat_map(u16::to_be_bytes).collect();
    assert_eq!(read_bytes(&bytes).1, [utf16]);
    let next = "save it as UTF-8: every editor can, usually under \"Save with encoding\"";
    assert_eq!(read_bytes(b"a: b\nc: caf\xE9\n").1, [format!("f:2:7 the file is not UTF-8 | byte 0xE9 here | {next}")]);
    let two = read_bytes(b"a: \xE9\nb: \xE8\n").1;
    assert_eq!(two, [format!("f:1:4 the file is not UTF-8 | byte 0xE9 here, and 1 more in this file | {next}")]);
}

#[test]
fn control_characters_are_told_and_never_shown_raw() {
    let (node, lines) = read_bytes(b"a: x\x1b[31my\nb: \"\\u001b ok\"\nc: \x00\n");
    assert_eq!(
        lines,
        [
            "f:1:5 a raw control character, U+001B | not allowed here | delete it, or write it as an escape in double quotes: \"\\u001b\"",
            "f:3:4 a raw control character, U+0000 | not allowed here | delete it, or write it as an escape in double quotes: \"\\u0000\"",
        ]
    );
    let node = node.unwrap();
    assert_eq!(node.get("a").unwrap().text(), Some("x␛[31my"));
    assert_eq!(node.get("b").unwrap().text(), Some("\u{1b} ok"));
    assert!(!node.place.source.text.contains('\u{1b}'));
    let many = read_bytes("a: \u{7f}\u{7f}\u{7f}\u{7f}\u{7f}\u{7f}\u{7f}\n".as_bytes()).1;
    assert_eq!(many.len(), 5);
    assert!(many[4].contains("not allowed here; 2 more in this file"), "{}", many[4]);
}

#[test]
fn anchors_may_be_used_modestly() {
    let node = good("a: &user {name: ada}\nb: *user\nc: [*user]\n");
    assert_eq!(node.get("b").unwrap().get("name").unwrap().text(), Some("ada"));
    assert_eq!(node.get("b").unwrap().get("name").unwrap().place.to_string(), "f:1:17");
    assert_eq!(
        read_bytes(b"a: &x [*x]\n").1,
        ["f:1:8 an alias to the value it stands in | this would never end | write the value out"]
    );
}

fn quickly(bytes: &[u8]) -> Vec<String> {
    let start = Instant::now();
    let lines = read_bytes(bytes).1;
    // Without optimization and beside other tests it may take longer.
    let most = if cfg!(debug_assertions) { 5 } else { 1 };
    assert!(start.elapsed() < Duration::from_secs(most), "took {:?}", start.elapsed());
    lines
}

#[test]
fn an_alias_bomb_ends_at_once() {
    let mut file = String::from("a0: &a0 [x, x, x, x, x, x, x, x, x]\n");
    for level in 1..10 {
        let inner = vec![format!("*a{}", level - 1); 9].join(", ");
        file.push_str(&format!("a{level}: &a{level} [{inner}]\n"));
    }
    let lines = quickly(file.as_bytes());
    assert_eq!(lines.len(), 1);
    assert!(lines[0].contains("too many aliases | more than 10000 values would be repeated"), "{lines:?}");
    // The same with one long text.
    let file = format!("a: &a {}\nb: [{}]\n", "x".repeat(100_000), vec!["*a"; 5_000].join(", "));
    assert!(quickly(file.as_bytes())[0].contains("too many aliases"));
}

#[test]
fn deep_files_end_at_once() {
    let deep: [String; 5] = [
        format!("a: {}\n", "[".repeat(5_000)),
        format!("a: {}{}\n", "[".repeat(5_000), "]".repeat(5_000)),
        "{a: ".repeat(5_000),
        (0..1_900).map(|level| format!("{}a:\n", " ".repeat(level))).collect(),
        "- ".repeat(5_000),
    ];
    for file in deep {
        let lines = quickly(file.as_bytes());
        assert_eq!(lines.len(), 1, "{:?} {lines:?}", &file[..20]);
        assert!(
            lines[0].contains("values are nested too deeply | more than 64 levels | write it flatter"),
            "{lines:?}"
        );
    }
    let most = format!("a: {}{}\n", "[".repeat(60), "]".repeat(60));
    assert_eq!(quickly(most.as_bytes()), Vec::<String>::new());
}

#[test]
fn large_files_end_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("large.yaml");
    std::fs::write(&path, "a: b\n".repeat(2 * 1024 * 1024)).unwrap();
    let mut problems = Problems::default();
    let start = Instant::now();
    assert!(Source::read(&path, &mut problems).is_none());
    assert!(start.elapsed() < Duration::from_secs(1));
    let lines = said(problems);
    assert!(lines[0].contains("is larger than 2 MB"), "{lines:?}");
    // Many values, not many bytes.
    let lines = read_bytes(format!("a: [{}]\n", "x,".repeat(150_000)).as_bytes()).1;
    assert_eq!(lines.len(), 1);
    assert!(lines[0].contains("the file holds more than 100000 values"), "{lines:?}");
}

#[test]
fn files_that_cannot_be_read() {
    let read = |path: &Path| {
        let mut problems = Problems::default();
        assert!(Source::read(path, &mut problems).is_none());
        let diagnostic = problems.into_iter().next().unwrap();
        (diagnostic.title, diagnostic.next.unwrap())
    };
    assert_eq!(
        read(Path::new("missing.yaml")),
        ("can't read `missing.yaml`".to_owned(), "check the path; it is relative to the folder you are in".to_owned())
    );
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(read(folder.path()).1, "name a scenario file");
}

#[test]
fn all_faults_are_told_at_once_from_top_to_bottom() {
    let file = "name: a: b\nname: c\nsteps:\n  - click: \"Save\" x\n  - press: @\n  - type: { css: #id }\n  - open: {{ base }}\n";
    let (_, lines) = read_bytes(file.as_bytes());
    let places: Vec<&str> = lines.iter().map(|line| line.split(' ').next().unwrap()).collect();
    assert_eq!(places, ["f:1:7", "f:2:1", "f:4:19", "f:5:12", "f:6:18", "f:7:11"], "{lines:#?}");
}

#[test]
fn a_comment_with_a_space_is_a_comment() {
    let node = good(
        "serve: pages/login            # a folder beside this file\nseed: 7 # Math.random\nsteps: # all of them\n  - read\ntags: [a] #list\n",
    );
    assert_eq!(node.get("serve").unwrap().text(), Some("pages/login"));
}
