//! `review`: what a run left for review is shown, and kept or dropped.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod common;

use std::io::Write;
use std::process::Stdio;

use common::{Project, Ran};

/// A project in which three snapshots wait: one that is new, one that differs, one that is a picture.
fn project() -> Project {
    let project = Project::new();
    let page = |word: &str| {
        format!(
            "<!doctype html><html lang=en><title>Box</title><style>body {{ margin: 0 }} div {{ position: absolute; top: 0; width: 9px; height: 9px; background: {word} }}</style><h1>{word}</h1><div role=img aria-label=Box></div>"
        )
    };
    project.write("scenarios/pages/index.html", &page("red"));
    let head = |name: &str| format!("name: {name}\nserve: pages\nsteps:\n  - open: /\n");
    let changed = "  - snapshot: changed\n    soft: true\n";
    let picture = "  - look: { snapshot: box, of: image \"Box\" }\n    soft: true\n    timeout: 2s\n";
    project.write("scenarios/one.yaml", &format!("{}{changed}{picture}", head("One")));
    let output = project.command(&["run"]).env("INSTA_UPDATE", "always").output().unwrap();
    Ran::of(&output).expect_code(0);
    project.write("scenarios/pages/index.html", &page("blue"));
    project.write(
        "scenarios/one.yaml",
        &format!("{}{}{picture}", head("One"), changed.replace("soft: true", "soft: true\n    timeout: 2s")),
    );
    project.write("scenarios/two.yaml", &format!("{}  - snapshot: new\n", head("Two")));
    project.run(&["run"]).expect_code(1).expect_words(&["3 snapshots wait for review", "playscript review"]);
    project
}

fn answering(project: &Project, args: &[&str], answers: &str) -> Ran {
    let mut child =
        project.command(args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(answers.as_bytes()).unwrap();
    Ran::of(&child.wait_with_output().unwrap())
}

fn snapshots(project: &Project) -> Vec<String> {
    let entries = std::fs::read_dir(project.folder().join("snapshots")).unwrap();
    let mut names: Vec<String> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn each_is_shown_and_kept_or_dropped_as_it_was_answered() {
    let project = project();
    let listed = project.run(&["review", "--list"]).expect_code(1).expect_words(&[
        "[1/3] snapshots/one__box.snap.new\n  scenarios/one.yaml:8  One\n  81 of 81 pixels differ (100.00 %)",
        "stored: snapshots/one__box.snap.png",
        "[2/3] snapshots/one__changed.snap.new",
        "    -   heading \"red\" [level=1]",
        "    +   heading \"blue\" [level=1]",
        "[3/3] snapshots/two__new.snap.new",
        "it is new:",
        "3 snapshots wait for review",
    ]);
    assert!(listed.err.is_empty(), "{}", listed.err);
    let before = snapshots(&project);

    // A slip is asked again; the end of the answers ends the review.
    answering(&project, &["review"], "s\nwhat\nA\n")
        .expect_code(1)
        .expect_words(&["accepted snapshots/one__changed.snap", "2 snapshots wait for review"]);
    let left: Vec<String> = before.iter().filter(|name| *name != "one__changed.snap.new").cloned().collect();
    assert_eq!(snapshots(&project), left);
    let stored = std::fs::read_to_string(project.folder().join("snapshots/one__changed.snap")).unwrap();
    assert!(stored.contains("heading \"blue\"") && !stored.contains("assertion_line"), "{stored}");

    answering(&project, &["review", "scenarios/two.yaml"], "r\n").expect_code(0).expect_words(&["1 snapshot reviewed"]);
    answering(&project, &["review"], "q\n").expect_code(1);
    project.run(&["review", "--accept"]).expect_code(0).expect_words(&["accepted snapshots/one__box.snap"]);
    assert_eq!(snapshots(&project), ["one__box.snap", "one__box.snap.png", "one__changed.snap"]);
    project.run(&["run", "scenarios/one.yaml"]).expect_code(0);
    project.run(&["review"]).expect_code(0).expect_words(&["no snapshot waits for review"]);
}

#[test]
fn what_can_not_be_reviewed_is_told() {
    let project = Project::new();
    project.write("snapshots/a__b.snap.new", "no front matter");
    project.run(&["review", "--accept"]).expect_code(2).expect_words(&["a__b.snap.new:1", "starts with a line `---`"]);
    project
        .run(&["review", "scenarios/nothing.yaml"])
        .expect_code(2)
        .expect_words(&["there is no `scenarios/nothing.yaml`"]);
    project.run(&["review", "--accept", "--reject"]).expect_code(2);
}
