//! Cases of real reports, and others of their kinds: each file in `tests/cases/` is a scenario with the one right outcome. The tags of
//! a file say where it is from; `own` are those thought up here.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod common;

use common::{Project, of_repository};

/// Plays all scenarios of a folder, twice: what the first run stores, the second one reads.
fn plays(group: &str) {
    let project = Project::new();
    let folder = of_repository("tests/cases").join(group);
    let mut count = 0;
    for entry in std::fs::read_dir(&folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        count += usize::from(name.ends_with(".yaml"));
        std::fs::create_dir_all(project.folder().join("scenarios")).unwrap();
        std::fs::copy(&path, project.folder().join("scenarios").join(name)).unwrap();
    }
    project.run(&["check"]).expect_code(0);
    let run = |update: &str| {
        let output = project.command(&["run", "--workers", "2"]).env("INSTA_UPDATE", update).output().unwrap();
        let ran = common::Ran::of(&output).expect_code(0);
        // The last line says nothing but how many passed and in what time; a file with examples is several.
        let last = ran.out.lines().last().unwrap_or_default().trim().to_owned();
        let passed = last.split_once(" passed in ").and_then(|(passed, _)| passed.parse::<usize>().ok());
        assert!(passed.is_some_and(|passed| passed >= count), "{count} files, and: {last}");
    };
    run("always");
    run("no");
}

#[test]
fn outline() {
    plays("outline");
}

#[test]
fn refs() {
    plays("refs");
}

#[test]
fn click() {
    plays("click");
}

#[test]
fn typing() {
    plays("typing");
}

#[test]
fn keys() {
    plays("keys");
}

#[test]
fn waiting() {
    plays("waiting");
}

#[test]
fn dialogs() {
    plays("dialogs");
}

#[test]
fn files() {
    plays("files");
}

#[test]
fn access() {
    plays("access");
}

#[test]
#[ignore = "Chrome takes half a minute to tell a page of fifty thousand elements"]
fn large() {
    plays("large");
}
