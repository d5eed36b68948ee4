//! However a run ends, nothing of it is left: no Chrome, no folder.

#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod common;

use std::process::{Child, Stdio};
use std::time::Duration;

use common::{Project, is_alive, signal, until};

/// A scenario that is still at it when the test strikes.
const ENDLESS: &str = "\
name: It waits for something that never comes
pages: { /: '<h1>Still here</h1>' }
timeout: 2m
steps:
  - open: /
  - wait-for: heading \"Never\"
    timeout: 100s
";

fn project() -> Project {
    let project = Project::new();
    for name in ["a", "b"] {
        project.write(&format!("scenarios/{name}.yaml"), ENDLESS);
    }
    project
}

/// A run in which a page is up, and the processes of its browser.
fn in_the_middle(project: &Project) -> (Child, Vec<u32>) {
    let child = project.spawn(&["run", "--workers", "2"]);
    until("a page is up", Duration::from_secs(30), || project.shows_a_page());
    let browsers = project.browsers();
    assert!(browsers.len() >= 3, "a browser is several processes: {browsers:?}");
    (child, browsers)
}

fn strike(child: &Child, name: &str) {
    signal::send(name, &child.id().to_string());
}

/// Nothing of the browser is left at this moment.
fn left(project: &Project, browsers: &[u32]) -> (Vec<u32>, Vec<std::path::PathBuf>) {
    let alive = browsers.iter().copied().filter(|pid| is_alive(*pid)).chain(project.browsers()).collect();
    (alive, project.leftovers())
}

/// Nothing of the browser is left in the end.
fn nothing_is_left(project: &Project, browsers: &[u32]) {
    until("no process and no folder is left", Duration::from_secs(10), || left(project, browsers) == (vec![], vec![]));
}

#[test]
fn ctrl_c_leaves_nothing_ten_times() {
    for _ in 0..10 {
        let project = project();
        let (mut child, browsers) = in_the_middle(&project);
        strike(&child, "-INT");
        let code = child.wait().unwrap().code();
        // The program itself waits for its browser: nothing is left once it has ended.
        assert_eq!(left(&project, &browsers), (vec![], vec![]));
        assert_eq!(code, Some(130));
    }
}

#[test]
fn kill_9_leaves_nothing_ten_times() {
    for _ in 0..10 {
        let project = project();
        let (mut child, browsers) = in_the_middle(&project);
        strike(&child, "-KILL");
        child.wait().unwrap();
        nothing_is_left(&project, &browsers);
    }
}

#[test]
fn sigterm_and_sighup_end_a_run_as_ctrl_c_does() {
    for signal in ["-TERM", "-HUP"] {
        let project = project();
        let (mut child, browsers) = in_the_middle(&project);
        strike(&child, signal);
        let code = child.wait().unwrap().code();
        assert_eq!(left(&project, &browsers), (vec![], vec![]));
        assert_eq!(code, Some(130), "{signal}");
    }
}

#[test]
fn a_second_ctrl_c_ends_at_once() {
    let project = project();
    let (mut child, browsers) = in_the_middle(&project);
    strike(&child, "-INT");
    strike(&child, "-INT");
    child.wait().unwrap();
    nothing_is_left(&project, &browsers);
}

/// The code that a run ends with, which takes no time that somebody who pressed Ctrl-C would notice.
#[track_caller]
fn soon_ended(child: &mut Child) -> Option<i32> {
    let mut status = None;
    until("the run has ended", Duration::from_secs(10), || {
        status = child.try_wait().unwrap();
        status.is_some()
    });
    status.and_then(|status| status.code())
}

#[test]
fn ctrl_c_does_not_wait_for_what_stands_under_after() {
    let project = Project::new();
    project.write(
        "scenarios/a.yaml",
        "pages: { /: '<h1>Still here</h1>' }\nafter:\n  - wait-for: heading \"Never\"\n    timeout: 100s\n\
         steps:\n  - open: /\n  - look: { path: last.png }\n",
    );
    let mut child = project.spawn(&["run"]);
    until("the last step is done", Duration::from_secs(30), || project.folder().join("last.png").exists());
    let browsers = project.browsers();
    strike(&child, "-INT");
    assert_eq!(soon_ended(&mut child), Some(130));
    assert_eq!(left(&project, &browsers), (vec![], vec![]));
}

#[test]
fn ctrl_c_does_not_wait_for_a_browser_that_never_answers() {
    use std::os::unix::fs::PermissionsExt;
    let project = project();
    let (mute, started) = (project.folder().join("mute"), project.folder().join("started"));
    project.write(
        "mute",
        &format!("#!/bin/sh\necho \"$@\" >'{0}.new'\nmv '{0}.new' '{0}'\nexec sleep 600\n", started.display()),
    );
    std::fs::set_permissions(&mute, PermissionsExt::from_mode(0o755)).unwrap();
    let mut child = project.command(&["run"]).env("PLAYSCRIPT_CHROME", mute).stdout(Stdio::piped()).spawn().unwrap();
    until("it was started", Duration::from_secs(30), || started.exists());
    let arguments = std::fs::read_to_string(&started).unwrap();
    let profile = arguments.split(' ').find_map(|word| word.strip_prefix("--user-data-dir=")).unwrap().trim();
    let folder = std::path::Path::new(profile).parent().unwrap();
    assert!(folder.is_dir(), "{folder:?}");
    strike(&child, "-INT");
    assert_eq!(soon_ended(&mut child), Some(130));
    until("its folder is gone", Duration::from_secs(10), || !folder.exists());
    nothing_is_left(&project, &[]);
}

#[test]
fn a_browser_that_is_killed_breaks_its_scenarios_and_the_run_goes_on() {
    let project = project();
    project.write(
        "scenarios/z.yaml",
        "name: After it\npages: { /: '<h1>Hi</h1>' }\nsteps:\n  - open: /\n  - assert-tree-contains: heading \"Hi\"\n",
    );
    let (child, browsers) = in_the_middle(&project);
    let eldest = browsers[0];
    signal::send("-KILL", &eldest.to_string());
    let ran = common::Ran::of(&child.wait_with_output().unwrap()).expect_code(3);
    ran.expect_words(&["1 passed", "the browser"]);
    nothing_is_left(&project, &browsers);
}

#[test]
fn a_browser_that_is_killed_is_no_failure_that_a_step_may_expect() {
    let project = Project::new();
    project.write(
        "scenarios/a.yaml",
        "pages: { /: '<h1>Still here</h1>' }\nsteps:\n  - open: /\n  - look: { path: last.png }\n\
         \x20 - wait-for: heading \"Never\"\n    timeout: 100s\n    fails: browser\n",
    );
    let child = project.spawn(&["run"]);
    until("the page is up", Duration::from_secs(30), || project.folder().join("last.png").exists());
    let browsers = project.browsers();
    signal::send("-KILL", &browsers[0].to_string());
    let ran = common::Ran::of(&child.wait_with_output().unwrap()).expect_code(3);
    // How it ended and what it said are told apart.
    ran.expect_words(&["1 broken", "error: the browser has gone: it ", "scenarios/a.yaml:5:"]);
    nothing_is_left(&project, &browsers);
}
