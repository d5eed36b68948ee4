//! Wrong files, one mistake each, and the exact words that `check` says about them: `tests/wrong/NAME.yaml` and
//! `NAME.stderr` beside it.
//!
//! `UPDATE=1 cargo test --test wrong` writes the words anew. Read them as the person would who made the mistake: is the
//! mark under what is wrong, is the reason clear, and does the last line say what to write instead?

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod common;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use common::{Project, Ran};

/// The wrong files are the words of this program; fewer than this, and somebody has lost some.
const AT_LEAST: usize = 80;

fn folder() -> PathBuf {
    common::of_repository("tests/wrong")
}

/// The names of the wrong files, without their ending.
fn names() -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(folder())
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "yaml"))
        .map(|path| path.file_stem().unwrap().to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}

/// `check` in that folder, where nothing of the surroundings changes what it says.
fn check(folder: &Path, args: &[&str]) -> Ran {
    let mut command = Command::new(env!("CARGO_BIN_EXE_playscript"));
    command.arg("check").args(args).current_dir(folder).stdin(Stdio::null());
    command.env("NO_COLOR", "1").env("COLUMNS", "100").env_remove("CLICOLOR_FORCE");
    Ran::of(&command.output().unwrap())
}

#[test]
fn every_wrong_file_is_told_in_the_words_written_down() {
    let update = std::env::var_os("UPDATE").is_some();
    let mut differ = Vec::new();
    let names = names();
    assert!(names.len() >= AT_LEAST, "only {} wrong files are left", names.len());
    for name in names {
        let ran = check(&folder(), &[&format!("{name}.yaml")]);
        assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""), "{name}: {}", ran.all());
        let path = folder().join(format!("{name}.stderr"));
        if update {
            fs::write(&path, &ran.err).unwrap();
        } else if fs::read_to_string(&path).unwrap_or_default() != ran.err {
            differ.push(format!("{name}.stderr is not what is said now:\n{}", ran.err));
        }
    }
    assert!(differ.is_empty(), "{}\nrun `UPDATE=1 cargo test --test wrong` and look at the change", differ.join("\n"));
}

#[test]
fn every_message_has_a_place_a_reason_and_a_next_move() {
    if std::env::var_os("UPDATE").is_some() {
        // They are being written.
        return;
    }
    for name in names() {
        let text = fs::read_to_string(folder().join(format!("{name}.stderr"))).unwrap();
        assert_eq!(text.matches("error: ").count(), 1, "{name} is one mistake, and is told as one:\n{text}");
        for part in ["error: ", &format!(" --> {name}.yaml:"), "^", "= next:"] {
            assert!(text.contains(part), "{name} says no {part:?}:\n{text}");
        }
        let marked = text.lines().find(|line| line.contains('^')).unwrap();
        let reason = marked.rsplit('^').next().unwrap().trim();
        // A file that is not text at all has nothing to be marked.
        assert!(!reason.is_empty() || name == "yaml-utf-16", "{name} marks a place and says nothing there:\n{text}");
    }
}

#[test]
fn all_that_is_wrong_with_all_files_is_told_at_once() {
    let names: Vec<String> = names().iter().map(|name| format!("{name}.yaml")).collect();
    let args: Vec<&str> = names.iter().map(String::as_str).collect();
    let ran = check(&folder(), &args).expect_code(2);
    for name in &names {
        assert!(ran.err.contains(&format!(" --> {name}:")), "nothing is said of {name}");
    }
    let count = names.len();
    assert!(ran.err.contains(&format!("{count} mistakes in {count} of {count} files")), "{}", ran.err);
}

#[test]
fn bombs_and_towers_end_at_once() {
    let project = Project::new();
    let bomb: String = (0..9).fold("a0: &a0 [x, x, x, x, x, x, x, x, x]\n".to_owned(), |mut text, level| {
        let items = vec![format!("*a{level}"); 9].join(", ");
        text.push_str(&format!("a{}: &a{} [{items}]\n", level + 1, level + 1));
        text
    });
    let cases = [
        ("bomb.yaml", format!("{bomb}steps:\n  - read\n"), "too many aliases"),
        ("large.yaml", format!("steps:\n{}", "  - read\n".repeat(10_000_000 / 9)), "is larger than 2 MB"),
        ("many.yaml", format!("steps:\n{}", "  - read\n".repeat(200_000)), "the file holds more than 100000 values"),
        ("tower.yaml", format!("steps: {}", "[".repeat(5_000)), "nested too deeply"),
        ("braces.yaml", format!("steps: {}", "{a: ".repeat(5_000)), "nested too deeply"),
        (
            "stairs.yaml",
            (0..1_400).map(|level| format!("{}a:\n", " ".repeat(level))).collect::<String>(),
            "nested too deeply",
        ),
    ];
    for (name, text, said) in cases {
        project.write(name, &text);
        let start = Instant::now();
        let ran = check(&project.folder(), &[name]).expect_code(2);
        let took = start.elapsed();
        assert!(ran.err.contains(said), "{name}: {}", ran.err);
        // A release build takes a few hundredths of a second; this one is not, and may share its machine.
        assert!(took < Duration::from_secs(10), "{name} took {took:?}");
    }
}

#[test]
fn what_only_looks_wrong_is_right() {
    let project = Project::new();
    let texts = ["007", "1e3", "0x10", "12.10", "1_000", ".5", "2031-02-03", "12:30", "+5", "no", "on", "~/x"];
    let typed: String =
        texts.iter().map(|text| format!("  - type: {{ into: textbox \"Code\", text: {text} }}\n")).collect();
    project.write("numbers.yaml", &format!("name: 007\nsteps:\n{typed}"));
    let plain = "name: One\npages: { /: hi }\nsteps:\n  - open: /\n  - assert-tree-contains: |\n      main\n        button \"A\"\n";
    project.write("windows.yaml", &format!("\u{feff}{}", plain.replace('\n', "\r\n")));
    project.write("escape.yaml", "steps:\n  - type: { into: textbox \"Code\", text: \"a\\u001b[31m\" }\n");
    project.write("anchor.yaml", "pages: { /: hi }\nvariables:\n  one: &it [a, b]\n  two: *it\nsteps:\n  - open: /\n");
    let ran = check(&project.folder(), &["numbers.yaml", "windows.yaml", "escape.yaml", "anchor.yaml"]).expect_code(0);
    assert_eq!(ran.out, "4 files, nothing wrong\n");
}

#[test]
fn a_folder_without_scenarios_is_a_mistake_too() {
    let project = Project::new();
    project.write("scenarios/notes.txt", "nothing to play");
    check(&project.folder(), &["scenarios"])
        .expect_code(2)
        .expect_words(&["no scenario in the folder scenarios", "next:"]);
    check(&project.folder(), &["none.yaml"]).expect_code(2).expect_words(&["can't read `none.yaml`", "next:"]);
}
