//! What is no browser, or cannot be one here: told within two seconds, with what was said.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod browser_common;

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use browser_common::{processes, soon, wait_until};
use playscript::browser::{Browser, BrowserError, LaunchOptions, Sandbox};
use tokio::time::Instant;

fn named(path: impl Into<PathBuf>) -> LaunchOptions {
    LaunchOptions { program: Some(path.into()), ..LaunchOptions::default() }
}

async fn failure(options: &LaunchOptions) -> BrowserError {
    let begun = Instant::now();
    let error = Browser::launch(options, soon()).await.unwrap_err();
    assert!(begun.elapsed() < Duration::from_secs(2), "{:?}: {error}", begun.elapsed());
    error
}

fn script(folder: &Path, text: &str) -> PathBuf {
    let path = folder.join("program");
    std::fs::write(&path, text).unwrap();
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    path
}

#[tokio::test]
async fn a_path_that_is_not_there() {
    let message = failure(&named("/nonexistent")).await.to_string();
    assert!(message.contains("--chrome names /nonexistent"), "{message}");
    assert!(message.contains("playscript browser install"), "{message}");
}

#[tokio::test]
async fn a_file_that_cannot_be_executed() {
    let message = failure(&named("/etc/passwd")).await.to_string();
    assert!(message.contains("not marked as executable"), "{message}");
}

#[tokio::test]
async fn a_program_that_is_no_browser() {
    let message = failure(&named("/bin/true")).await.to_string();
    assert!(message.contains("/bin/true exited at once with code 0"), "{message}");
    let folder = tempfile::tempdir().unwrap();
    let error = failure(&named(script(folder.path(), "#!/bin/sh\necho no display >&2\nexit 7\n"))).await;
    let message = error.to_string();
    assert!(message.contains("exited at once with code 7") && message.contains("it said: no display"), "{message}");
    // Marked as a program, and none.
    let error = failure(&named(script(folder.path(), "\u{7f}ELF and nothing more"))).await;
    assert!(matches!(error, BrowserError::CannotStart { .. } | BrowserError::ExitedAtOnce { .. }), "{error}");
}

#[tokio::test]
async fn a_program_that_says_nothing_is_ended_at_the_deadline() {
    let folder = tempfile::tempdir().unwrap();
    let program = script(folder.path(), "#!/bin/sh\necho thinking >&2\nexec sleep 1000\n");
    let deadline = Instant::now() + Duration::from_millis(500);
    let error = Browser::launch(&named(&program), deadline).await.unwrap_err();
    let BrowserError::NoAnswer { said, .. } = &error else { panic!("{error}") };
    assert_eq!(said, "thinking");
    wait_until("no process", || {
        let processes = processes(folder.path(), None);
        if processes.is_empty() { Ok(()) } else { Err(format!("{processes:?}")) }
    });
}

#[tokio::test]
async fn root_that_insists_on_the_sandbox_reads_chromes_own_words() {
    if !rustix::process::geteuid().is_root() {
        return;
    }
    let options = LaunchOptions { sandbox: Sandbox::On, ..LaunchOptions::default() };
    // The headless shell has fallen silent about it in some versions; that it ends is what counts.
    let message = failure(&options).await.to_string();
    assert!(message.contains("exited at once"), "{message}");
    assert!(message.contains("no-sandbox") || message.contains("sandbox"), "{message}");
}

#[tokio::test]
async fn a_profile_of_another_host_is_refused_and_its_lock_left() {
    let profile = tempfile::tempdir().unwrap();
    let lock = profile.path().join("SingletonLock");
    std::os::unix::fs::symlink("other-host-4242", &lock).unwrap();
    let options = LaunchOptions { profile: Some(profile.path().to_owned()), ..LaunchOptions::default() };
    let message = failure(&options).await.to_string();
    assert!(message.contains("process 4242 on host other-host"), "{message}");
    assert!(lock.is_symlink());
}
