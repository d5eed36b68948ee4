//! A byte range of decoded text leads back to the bytes it was written with.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use proptest::prelude::*;

use super::diagnostic::Problems;
use super::node::Node;
use super::source::Source;
use super::yaml;

fn value(text: &str, key: &str) -> Node {
    let mut problems = Problems::default();
    let root = yaml::read(&Source::new("f", text), &mut problems);
    assert!(problems.is_empty(), "{text:?}: {problems:?}");
    root.unwrap().get(key).unwrap().clone()
}

/// The place of a part of a value: line, column, and what is written there.
fn place(file: &str, part: &str) -> (usize, usize, String) {
    let node = value(file, "a");
    let text = node.text().unwrap();
    let at = text.find(part).unwrap_or_else(|| panic!("{text:?} holds no {part:?}"));
    let place = node.place_in(at..at + part.len());
    let (line, column) = place.source.line_column(place.range.start);
    (line, column, place.text().to_owned())
}

#[test]
fn parts_of_values_lead_back() {
    // The file, the part of the value, and its line, column and writing.
    let cases = [
        ("a: button x\n", "button", (1, 4, "button")),
        ("a: button x\n", "x", (1, 11, "x")),
        ("a: one\n  two\n", "two", (2, 3, "two")),
        ("a: one\n  two\n", "e t", (1, 6, "e\n  t")),
        ("a: one\n\n  two\n", "\ntwo", (2, 1, "\n  two")),
        ("a: 'it''s on'\n", "'s", (1, 7, "''s")),
        ("a: 'it''s on'\n", "on", (1, 11, "on")),
        ("a: \"x\\ty\\u00e9z\"\n", "\t", (1, 6, "\\t")),
        ("a: \"x\\ty\\u00e9z\"\n", "é", (1, 9, "\\u00e9")),
        ("a: \"x\\ty\\u00e9z\"\n", "z", (1, 15, "z")),
        ("a: \"é漢x\" # c\n", "x", (1, 7, "x")),
        ("a: \"one\n   two\\\n   three\"\n", "two", (2, 4, "two")),
        ("a: \"one\n   two\\\n   three\"\n", "three", (3, 4, "three")),
        ("a: \"one  \n\n   two\"\n", "two", (3, 4, "two")),
        ("a: |\n  main\n    heading \"W\"\n", "heading", (3, 5, "heading")),
        ("a: |\n  main\n    heading \"W\"\n", "\"W\"", (3, 13, "\"W\"")),
        ("a: |\n\n  main\n", "main", (3, 3, "main")),
        ("a: |   # c | d\n  main\n", "main", (2, 3, "main")),
        ("a: | # c\n  main\n\n  more\n", "more", (4, 3, "more")),
        ("a: |-\n  x\n\n\nb: 1\n", "x", (2, 3, "x")),
        ("a: |+\n  x\n\n\nb: 1\n", "\n\n", (2, 4, "\n\n")),
        ("a: |2\n    x\n  y\n", "  x", (2, 3, "  x")),
        ("a: |2\n    x\n  y\n", "y", (3, 3, "y")),
        ("a: |1-\n  x", " x", (2, 2, " x")),
        ("a: >\n  one\n  two\n\n  three\n", "two", (3, 3, "two")),
        ("a: >\n  one\n  two\n\n  three\n", "e t", (2, 5, "e\n  t")),
        ("a: >\n  one\n  two\n\n  three\n", "three", (5, 3, "three")),
        ("a: >\n  one\n    deep\n  two\n", "deep", (3, 5, "deep")),
        ("a: &x |\n  main\n", "main", (2, 3, "main")),
        ("b: &x \"q\"\na: &y \"main\"\n", "main", (2, 8, "main")),
        ("a: &y main\n", "main", (1, 7, "main")),
    ];
    for (file, part, (line, column, written)) in cases {
        assert_eq!(place(file, part), (line, column, written.to_owned()), "{file:?} {part:?}");
        // With Windows line ends the same places.
        let windows = file.replace('\n', "\r\n");
        assert_eq!(place(&windows, part), (line, column, written.to_owned()), "{windows:?} {part:?}");
    }
}

#[test]
fn the_mark_of_a_failed_line_stands_where_the_line_does() {
    let file = "name: A visitor signs in\ntags: [smoke, login]\nserve: pages/login\nsteps:\n  - open: /\n  - type: { into: textbox \"Email\", text: a }\n  \
                - click: button \"Sign in\"\n  - assert-tree-contains: |\n      main\n        heading \"Welcome, Ada\" [level=1]\n";
    let root = value(file, "steps");
    let node = root.items().unwrap().get(3).unwrap().get("assert-tree-contains").unwrap().clone();
    let text = node.text().unwrap();
    assert_eq!(text, "main\n  heading \"Welcome, Ada\" [level=1]\n");
    let at = text.find("heading").unwrap();
    let place = node.place_in(at..at + "heading \"Welcome, Ada\"".len());
    assert_eq!(place.to_string(), "f:10:9");
    assert_eq!(place.text(), "heading \"Welcome, Ada\"");
}

#[test]
fn empty_ranges_and_ranges_outside() {
    let node = value("a: \"xy\" # c\n", "a");
    let column = |range| {
        let place = node.place_in(range);
        (place.source.line_column(place.range.start).1, place.text().to_owned())
    };
    assert_eq!(column(0..0), (5, String::new()));
    assert_eq!(column(1..1), (6, String::new()));
    assert_eq!(column(2..2), (7, String::new()));
    assert_eq!(column(1..9), (4, "\"xy\"".to_owned()));
    assert_eq!(column(0..2), (5, "xy".to_owned()));
    let empty = value("a: \"\"\n", "a");
    assert_eq!(empty.place_in(0..0).to_string(), "f:1:5");
    let empty = value("a: |\nb: 1\n", "a");
    assert_eq!(empty.text(), Some(""));
    let _ = empty.place_in(0..0);
    let _ = value("a:\n", "a").place_in(0..0);
}

/// Text as YAML's double quotes write it.
fn double_quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for character in text.chars() {
        match character {
            '"' | '\\' => out.extend(['\\', character]),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            _ if character.is_control() || character == '\u{FEFF}' => {
                out.push_str(&format!("\\U{:08x}", u32::from(character)));
            }
            _ => out.push(character),
        }
    }
    out + "\""
}

proptest! {
    #[test]
    fn any_text_in_double_quotes_leads_back(before in "\\PC{0,4}", part in "\\PC{1,6}", after in ".{0,6}") {
        let text = format!("{before}{part}{after}");
        let file = format!("a: {}\n", double_quoted(&text));
        let node = value(&file, "a");
        prop_assert_eq!(node.text(), Some(text.as_str()));
        let place = node.place_in(before.len()..before.len() + part.len());
        let written = double_quoted(&part);
        prop_assert_eq!(place.text(), &written[1..written.len() - 1]);
    }

    #[test]
    fn any_line_of_a_literal_block_leads_back(lines in proptest::collection::vec(" {0,3}[!-~é漢][ -~é漢]{0,8}|", 1..6), indent in 1_usize..5) {
        // The first line says how far the block is indented.
        let mut lines = lines;
        lines.insert(0, "first".to_owned());
        let pad = " ".repeat(indent);
        let body: String = lines.iter().map(|line| if line.is_empty() { "\n".to_owned() } else { format!("{pad}{line}\n") }).collect();
        let file = format!("a: |\n{body}b: 1\n");
        let node = value(&file, "a");
        let text = node.text().unwrap().to_owned();
        let mut at = 0;
        for (index, line) in text.split('\n').enumerate().filter(|(_, line)| !line.is_empty()) {
            let start = text.split('\n').take(index).map(|line| line.len() + 1).sum::<usize>();
            at = at.max(start);
            let place = node.place_in(start..start + line.len());
            prop_assert_eq!(place.text(), line);
            prop_assert_eq!(place.source.line_column(place.range.start), (index + 2, indent + 1));
        }
    }

    #[test]
    fn any_folded_text_leads_back(words in proptest::collection::vec("[a-z]{1,5}", 1..8), breaks in proptest::collection::vec(1_usize..4, 8), indents in proptest::collection::vec(0_usize..2, 8), style in 0..3) {
        let mut body = String::new();
        let mut expected = Vec::new();
        for ((word, gap), deeper) in words.iter().zip(&breaks).zip(&indents) {
            let first = body.is_empty();
            let deeper = if first || style != 0 { 0 } else { *deeper };
            if !(first && style != 0) {
                body.push_str(&" ".repeat(3 + deeper));
            }
            expected.push((word.clone(), body.len()));
            body.push_str(word);
            body.push_str(&"\n".repeat(*gap));
        }
        let (head, tail) = match style {
            0 => ("a: >\n", "\n"),
            1 => ("a: \"", "\"\n"),
            _ => ("a: ", "\n"),
        };
        let body = if style == 1 { body.trim_end().to_owned() } else { body };
        let file = format!("{head}{body}{tail}");
        let node = value(&file, "a");
        let mut from = 0;
        for (word, at) in expected {
            let text = node.text().unwrap();
            let found = from + text[from..].find(&word).unwrap();
            let place = node.place_in(found..found + word.len());
            prop_assert_eq!(place.text(), &word);
            prop_assert_eq!(place.range.start, head.len() + at);
            from = found + word.len();
        }
    }

    #[test]
    fn no_text_makes_reading_panic(text in "(\\PC|\n|[-:#\"'{}\\[\\]|> \t&*!]){0,60}", from in 0_usize..20, length in 0_usize..20) {
        let mut problems = Problems::default();
        let source = Source::from_bytes(std::path::Path::new("f"), text.as_bytes(), &mut problems);
        if let Some(root) = source.and_then(|source| yaml::read(&source, &mut problems)) {
            let mut rest = vec![&root];
            while let Some(node) = rest.pop() {
                let _ = node.place_in(from..from + length).text();
                let _ = node.json();
                rest.extend(node.items().unwrap_or_default());
                rest.extend(node.entries().unwrap_or_default().iter().map(|(_, value)| value));
            }
        } else {
            prop_assert!(!problems.is_empty());
        }
    }
}
