//! The layout of files: what it moves, what it leaves, and that it never changes what a file says.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use proptest::prelude::*;

use super::diagnostic::Problems;
use super::layout::layout;
use super::source::Source;

fn laid_out(text: &str) -> Result<String, Vec<String>> {
    let mut problems = Problems::default();
    let text = layout(&Source::new("f", text), &mut problems);
    text.filter(|_| problems.is_empty())
        .ok_or_else(|| problems.into_iter().map(|problem| problem.to_string()).collect())
}

#[test]
fn what_it_does() {
    let cases = [
        // Two spaces a level, lists below their key.
        (
            "steps:\n- open: /\n- click: Save\n  timeout: 5s\n",
            "steps:\n  - open: /\n  - click: Save\n    timeout: 5s\n",
        ),
        ("steps:\n      -   open:   /\n      -   read\n", "steps:\n  - open: /\n  - read\n"),
        ("a:\n- b:\n  - c\n  - d: 1\n    e: 2\nf: 3\n", "a:\n  - b:\n      - c\n      - d: 1\n        e: 2\nf: 3\n"),
        ("a:\n - - b\n   - c\n", "a:\n  - - b\n    - c\n"),
        ("a:\n    b\nc:\n  'd'\n", "a:\n  b\nc:\n  'd'\n"),
        // A list whose place the reader gives as that of its first item.
        ("a:\n- {b: 1}\n- [c]\nd:\n- [ e ]\n", "a:\n  - { b: 1 }\n  - [c]\nd:\n  - [e]\n"),
        // Brackets.
        ("a: {b: 1,c:  [ 1,2 ]}\nd: [ ]\ne: { }\n", "a: { b: 1, c: [1, 2] }\nd: []\ne: {}\n"),
        ("a: {b: \"x,  y\", c: 'p: q'}\n", "a: { b: \"x,  y\", c: 'p: q' }\n"),
        // Blank lines, ends of lines and of the file.
        ("\n\na: 1   \n\n\n\nb: 2\n\n\n", "a: 1\n\nb: 2\n"),
        ("\u{feff}a: 1\r\nb: 2", "a: 1\nb: 2\n"),
        // Comments stay where they are, with what they are about.
        (
            "# top\na: 1 # one\nb:      # two\n# three\n- c   # four\n    # five\n- d\n",
            "# top\na: 1  # one\nb:      # two\n  # three\n  - c  # four\n  # five\n  - d\n",
        ),
        ("a:\n    b: 1          # x\n    cc: 2         # y\n", "a:\n  b: 1            # x\n  cc: 2           # y\n"),
        // Texts of several lines.
        (
            "a:\n    b: |\n          one\n            two\n\n          three\n    c: 1\n",
            "a:\n  b: |\n    one\n      two\n\n    three\n  c: 1\n",
        ),
        (
            "a: >-\n      one\n      two\nb: \"x\n      y\"\nc: p\n      q\n",
            "a: >-\n  one\n  two\nb: \"x\n  y\"\nc: p\n  q\n",
        ),
        ("- |\n    # no comment\n    x\n# comment\n- y\n", "- |\n  # no comment\n  x\n# comment\n- y\n"),
        ("a: [\n  1,   # one\n  2\n]\n", "a: [\n  1,   # one\n  2\n]\n"),
        // What it does not know it leaves.
        ("a: &x {b: 1}\nc: *x\n", "a: &x { b: 1 }\nc: *x\n"),
        ("a:   # nothing\nb: ~\n", "a:   # nothing\nb: ~\n"),
    ];
    for (text, expected) in cases {
        assert_eq!(laid_out(text).as_deref(), Ok(expected), "{text}");
        assert_eq!(laid_out(expected).as_deref(), Ok(expected), "once more");
    }
}

#[test]
fn what_is_wrong_is_told_and_left() {
    assert!(laid_out("a: [1\n").unwrap_err()[0].contains("a bracket is not closed"));
    assert!(laid_out("a: b: c\n").unwrap_err()[0].contains("`: ` inside a text"));
}

/// Files of all kinds of values, at odd indentations, with comments and blank lines.
fn file() -> impl Strategy<Value = String> {
    let scalar = prop::sample::select(vec![
        "x",
        "007",
        "\"a: b # c\"",
        "'it''s'",
        "button \"Save\" [checked]",
        "{a: 1,b:  [x,y]}",
        "[ ]",
        "[1, {c: d}]",
        "",
        "{ role: button,   name: \"A  B\" }",
        "~",
        "/a#b/",
        "\"\\u001b\"",
    ]);
    let text = prop::sample::select(vec!["|", ">", "|-", ">-"]);
    let leaf = (scalar, 1_usize..4, prop::bool::ANY).prop_map(|(scalar, gap, comment)| {
        Part::Leaf(format!("{}{scalar}{}", " ".repeat(gap), if comment { "  # c" } else { "" }))
    });
    let block = (text, 1_usize..5).prop_map(|(sign, indent)| Part::Block(sign.to_owned(), indent));
    let part = prop_oneof![4 => leaf, 1 => block].prop_recursive(4, 24, 4, |inner| {
        prop_oneof![
            (prop::collection::vec(inner.clone(), 1..4), 1_usize..5, prop::bool::ANY)
                .prop_map(|(parts, indent, comment)| Part::Map(parts, indent, comment)),
            (prop::collection::vec(inner, 1..4), 0_usize..5, 1_usize..4)
                .prop_map(|(parts, indent, gap)| Part::List(parts, indent, gap)),
        ]
    });
    prop::collection::vec(part, 1..4).prop_map(|parts| {
        let mut out = String::new();
        Part::Map(parts, 0, true).write(&mut out, 0, true);
        out
    })
}

#[derive(Clone, Debug)]
enum Part {
    Leaf(String),
    Block(String, usize),
    Map(Vec<Part>, usize, bool),
    List(Vec<Part>, usize, usize),
}

impl Part {
    /// Writes what stands behind a key or dash; `column` is that of the key. `inline`: on the line that is begun.
    fn write(&self, out: &mut String, column: usize, inline: bool) {
        match self {
            Part::Leaf(text) => out.push_str(&format!("{text}\n")),
            Part::Block(sign, indent) => {
                let blank = " ".repeat(column + indent);
                out.push_str(&format!(" {sign}\n{blank}one # no comment\n{blank}  two\n\n{blank}three\n"));
            }
            Part::Map(parts, indent, comment) => {
                let column = if inline { column } else { column + indent };
                if !inline {
                    out.push('\n');
                }
                for (index, part) in parts.iter().enumerate() {
                    if index > 0 || !inline || column == 0 {
                        if *comment {
                            out.push_str(&format!("\n\n{}# about k{index}\n", " ".repeat(column)));
                        }
                        out.push_str(&" ".repeat(column));
                    }
                    out.push_str(&format!("k{index}:"));
                    part.write(out, column, false);
                }
            }
            Part::List(parts, indent, gap) => {
                let column = column + indent;
                out.push('\n');
                for part in parts {
                    out.push_str(&format!("{}-", " ".repeat(column)));
                    if matches!(part, Part::Map(..)) {
                        out.push_str(&" ".repeat(*gap));
                        part.write(out, column + 1 + gap, true);
                    } else {
                        part.write(out, column, false);
                    }
                }
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, failure_persistence: None, ..ProptestConfig::default() })]

    /// `layout` itself compares the trees, the comments and a second pass, and says so where one differs.
    #[test]
    fn any_file_is_laid_out_without_a_change_of_meaning(text in file()) {
        let once = laid_out(&text);
        prop_assert!(once.is_ok(), "{text}\n{once:?}");
        let once = once.unwrap();
        prop_assert_eq!(laid_out(&once), Ok(once));
    }

    #[test]
    fn no_text_is_too_odd(text in "[ \\-a:#\n|>{}\\[\\]\"'&*,!?x]{0,60}") {
        if let Ok(once) = laid_out(&text) {
            prop_assert_eq!(laid_out(&once), Ok(once));
        }
    }
}
