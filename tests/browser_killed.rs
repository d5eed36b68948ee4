//! A runner that is killed leaves neither a process nor a folder.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout)]

mod browser_common;

use std::io::{BufRead, BufReader};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use browser_common::{launch_with, processes, soon, wait_until};
use playscript::browser::LaunchOptions;

/// The variable that makes this program play the runner; it holds the browser's program, if not any.
const ROLE: &str = "PLAYSCRIPT_TEST_RUNNER";
/// The variable that names the profile, if not a fresh one.
const PROFILE: &str = "PLAYSCRIPT_TEST_PROFILE";

/// Not a test by itself: the runner that the others kill, in a process of its own.
#[tokio::test(flavor = "multi_thread")]
async fn runner() {
    let Some(program) = std::env::var_os(ROLE) else {
        return;
    };
    let program = Some(PathBuf::from(program)).filter(|program| program.is_absolute());
    let profile = std::env::var_os(PROFILE).map(PathBuf::from);
    let options = LaunchOptions { program, profile, ..LaunchOptions::default() };
    let browser = launch_with(&options).await;
    let context = browser.new_context(soon()).await.unwrap();
    context.new_target("about:blank", soon()).await.unwrap();
    println!("\nruns {}", browser.pid().unwrap());
    std::future::pending::<()>().await;
}

/// A runner with a temporary folder of its own, in which all traces of it are.
struct Runner {
    child: Child,
    temp: tempfile::TempDir,
    /// The browser's process group, once it works.
    browser: Option<u32>,
}

impl Runner {
    /// Starts one, in a process group of its own as a shell does.
    fn start(change: impl FnOnce(&mut Command)) -> Runner {
        let temp = tempfile::tempdir().unwrap();
        let mut command = Command::new(std::env::current_exe().unwrap());
        command
            .args(["--exact", "runner", "--nocapture"])
            .env(ROLE, "any")
            .env("TMPDIR", temp.path())
            .process_group(0)
            .stdout(Stdio::piped())
            .stderr(Stdio::inherit());
        change(&mut command);
        Runner { child: command.spawn().unwrap(), temp, browser: None }
    }

    /// Waits until its browser works.
    fn working(mut self) -> Runner {
        let lines = BufReader::new(self.child.stdout.take().unwrap()).lines();
        let pid = lines.map(Result::unwrap).find_map(|line| line.strip_prefix("runs ")?.parse().ok());
        self.browser = Some(pid.expect("the runner does not run"));
        assert!(self.traces().1.len() > 2, "{:?}", self.traces());
        self
    }

    /// What there is of it: files in its temporary folder, and processes.
    fn traces(&self) -> (Vec<PathBuf>, Vec<String>) {
        let files = std::fs::read_dir(self.temp.path()).unwrap();
        let files = files.flatten().map(|entry| entry.path()).collect();
        (files, processes(self.temp.path(), self.browser))
    }

    /// Sends the signal to the process, or, as a terminal does, to its whole group.
    fn end(mut self, signal: &str, whole_group: bool) {
        let pid = format!("{}{}", if whole_group { "-" } else { "" }, self.child.id());
        browser_common::signal::send(signal, &pid);
        assert!(!self.child.wait().unwrap().success());
        wait_until("a runner that was killed should leave nothing", || {
            let (files, processes) = self.traces();
            if files.is_empty() && processes.is_empty() {
                return Ok(());
            }
            Err(format!("files: {files:?}, processes: {processes:#?}"))
        });
    }
}

#[test]
fn by_kill_9() {
    for _ in 0..3 {
        Runner::start(|_| ()).working().end("-KILL", false);
    }
}

#[test]
fn by_an_interrupt_at_the_terminal_that_nobody_handles() {
    for _ in 0..3 {
        Runner::start(|_| ()).working().end("-INT", true);
    }
}

#[test]
fn by_terminate_and_hang_up() {
    Runner::start(|_| ()).working().end("-TERM", false);
    Runner::start(|_| ()).working().end("-HUP", true);
}

#[test]
fn at_any_moment_of_the_launch() {
    for moment in (0..40).chain([50, 60, 80, 100, 120]) {
        let runner = Runner::start(|_| ());
        // Not a wait for something: the moment is what is tried out.
        std::thread::sleep(Duration::from_millis(moment));
        runner.end("-KILL", false);
    }
}

/// The browser with windows has more processes, and sockets in the temporary folder.
#[test]
fn with_the_browser_that_has_windows() {
    let chromium = "/usr/bin/chromium";
    if Path::new(chromium).exists() {
        let full = |command: &mut Command| _ = command.env(ROLE, chromium);
        Runner::start(full).working().end("-KILL", false);
        Runner::start(full).working().end("-INT", true);
    }
}

/// Chrome with windows ends at once when the path of its socket gets too long.
#[test]
fn with_windows_where_the_temporary_folder_is_deep() {
    let chromium = "/usr/bin/chromium";
    if Path::new(chromium).exists() {
        let deep = tempfile::tempdir().unwrap();
        let temp = deep.path().join("a-folder-with-a-long-name").join("and-another-one-below-it").join("and-the-last");
        std::fs::create_dir_all(&temp).unwrap();
        let full = |command: &mut Command| _ = command.env(ROLE, chromium).env("TMPDIR", &temp);
        let runner = Runner::start(full).working();
        let place = browser_folder(runner.browser.unwrap());
        assert!(!place.starts_with(&temp) && place.is_dir(), "{place:?}");
        runner.end("-KILL", false);
        wait_until("its folder should go", || if place.exists() { Err(format!("{place:?}")) } else { Ok(()) });
    }
}

/// The temporary folder of a browser, as its command line tells.
fn browser_folder(pid: u32) -> PathBuf {
    let command_line = std::fs::read_to_string(format!("/proc/{pid}/cmdline")).unwrap();
    let profile = command_line.split('\0').find_map(|word| word.strip_prefix("--user-data-dir=")).unwrap();
    Path::new(profile).parent().unwrap().to_owned()
}

#[test]
fn a_profile_of_the_users_stays() {
    let profile = tempfile::tempdir().unwrap();
    let kept = |command: &mut Command| _ = command.env(PROFILE, profile.path());
    Runner::start(kept).working().end("-KILL", false);
    wait_until("no process", || {
        let processes = processes(profile.path(), None);
        if processes.is_empty() { Ok(()) } else { Err(format!("{processes:?}")) }
    });
    assert!(std::fs::read_dir(profile.path()).unwrap().count() > 0);
}
