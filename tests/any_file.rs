//! Any bytes at all, and any mixture of what scenarios are made of, end as a scenario or as what is wrong with it: never with
//! a panic, never late.
//!
//! `PLAYSCRIPT_FUZZ=10m cargo test --release --test any_file -- --ignored` goes on for as long as it is told to.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::path::Path;
use std::time::{Duration, Instant};

use playscript::scenario::{Problems, Source, duration, layout, parse};
use playscript::steps::{ALL, VOCABULARY, compile};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::{Config, TestRunner};

/// No file of this size takes longer, even in a debug build on a busy machine.
const LONGEST: Duration = Duration::from_secs(10);

/// All that is done with a file before a browser starts.
fn read(bytes: &[u8]) {
    let start = Instant::now();
    let mut problems = Problems::default();
    if let Some(source) = Source::from_bytes(Path::new("any.yaml"), bytes, &mut problems) {
        if let Some(scenario) = parse(source.clone(), &VOCABULARY, &mut problems) {
            for steps in [&scenario.before, &scenario.steps, &scenario.after] {
                compile(steps, &mut problems);
            }
            problems.check_names(&scenario.known());
        }
        let _ = layout(&source, &mut Problems::default());
    }
    for problem in problems {
        assert!(!problem.title.is_empty() && !problem.to_string().contains('\u{1b}'), "{problem}");
    }
    assert!(start.elapsed() < LONGEST, "took {:?}: {}", start.elapsed(), String::from_utf8_lossy(bytes));
}

/// What scenarios are made of, and what goes wrong in them.
const PARTS: &[&str] = &[
    "\n",
    "\n  ",
    "\n    ",
    "\n      ",
    "\t",
    " ",
    "- ",
    ": ",
    ":",
    ", ",
    "{",
    "}",
    "[",
    "]",
    "{{ ",
    " }}",
    "\"",
    "'",
    "`",
    "|\n",
    ">-\n",
    "#",
    " # ",
    "&a ",
    "*a",
    "!",
    "?",
    "%",
    "@",
    "---\n",
    "...\n",
    "~",
    "<<",
    "\\",
    "\\u12",
    "\u{feff}",
    "\u{1b}",
    "\u{85}",
    "\u{2028}",
    "ü",
    "😀",
    "/",
    "/(/",
    "ref_1",
    "name",
    "steps:\n  - ",
    "tags",
    "pages",
    "readings",
    "variables",
    "redact",
    "browser",
    "env",
    "timeout",
    "when",
    "fails",
    "button \"Save\"",
    "heading \"A\" [level=1]",
    "[checked",
    "status /Score: (\\d+)/",
    "score >= 3 and not over",
    "has('button')",
    "count(",
    "5s",
    "300",
    "1m30s",
    "Control+",
    "true",
    "{ role: button, name: Save }",
    "within: ",
    "nth: 0",
    "x: 1, y: 2",
];

fn file() -> impl Strategy<Value = Vec<u8>> {
    let verbs: Vec<String> = ALL.iter().map(|spec| spec.name.to_owned()).collect();
    let examples: Vec<String> =
        ALL.iter().map(|spec| format!("\n  {}\n", spec.example.replace('\n', "\n  "))).collect();
    let part = prop_oneof![
        8 => prop::sample::select(PARTS.to_vec()).prop_map(str::to_owned),
        2 => prop::sample::select(verbs),
        2 => prop::sample::select(examples),
        1 => "\\PC{0,6}",
    ];
    prop_oneof![
        1 => prop::collection::vec(any::<u8>(), 0..200),
        6 => prop::collection::vec(part, 0..40).prop_map(|parts| format!("steps:\n{}", parts.concat()).into_bytes()),
        3 => mutated(),
    ]
}

/// A bundled scenario with a few bytes changed, cut out or doubled.
fn mutated() -> impl Strategy<Value = Vec<u8>> {
    let mut whole: Vec<Vec<u8>> = Vec::new();
    for folder in ["scenarios", "tests/wrong"] {
        for entry in std::fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join(folder)).unwrap().flatten() {
            if entry.path().extension().is_some_and(|ending| ending == "yaml") {
                whole.push(std::fs::read(entry.path()).unwrap());
            }
        }
    }
    let change = (any::<prop::sample::Index>(), 0_usize..20, prop::sample::select(PARTS.to_vec()));
    (prop::sample::select(whole), prop::collection::vec(change, 1..6)).prop_map(|(mut bytes, changes)| {
        for (at, length, part) in changes {
            if !bytes.is_empty() {
                let at = at.index(bytes.len());
                let end = (at + length).min(bytes.len());
                bytes.splice(at..end, part.bytes());
            }
        }
        bytes
    })
}

proptest! {
    #![proptest_config(Config { cases: 400, failure_persistence: None, ..Config::default() })]

    #[test]
    fn any_file_ends_as_a_scenario_or_as_what_is_wrong(bytes in file()) {
        read(&bytes);
    }
}

#[test]
#[ignore = "goes on for as long as PLAYSCRIPT_FUZZ says"]
fn for_a_long_time() {
    let time = std::env::var("PLAYSCRIPT_FUZZ").unwrap_or_else(|_| "1m".to_owned());
    let time = duration(&time).expect("PLAYSCRIPT_FUZZ is a duration, such as 10m");
    let start = Instant::now();
    let mut runner = TestRunner::new(Config { failure_persistence: None, ..Config::default() });
    let files = file();
    let mut count = 0_u64;
    while start.elapsed() < time {
        let bytes = files.new_tree(&mut runner).unwrap().current();
        let outcome = std::panic::catch_unwind(|| read(&bytes));
        assert!(outcome.is_ok(), "after {count} files: {:?}", String::from_utf8_lossy(&bytes));
        count += 1;
    }
    assert!(count > 0);
}
