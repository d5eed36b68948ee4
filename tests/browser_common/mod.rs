//! What the tests on real browsers share.
#![allow(dead_code, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

#[path = "../common/signal.rs"]
pub(crate) mod signal;

use std::path::{Path, PathBuf};
use std::time::Duration;

use playscript::browser::{Browser, LaunchOptions};
use playscript::cdp::{Command, Empty, Events};
use serde::{Deserialize, Serialize};
use tokio::time::Instant;

/// Far away: no test that is well waits for it.
pub(crate) fn soon() -> Instant {
    Instant::now() + Duration::from_secs(30)
}

/// A wait that would otherwise be for ever, in a test that is not well.
pub(crate) async fn within<T>(what: &str, waiting: impl Future<Output = T>) -> T {
    let waited = tokio::time::timeout(Duration::from_secs(20), waiting).await;
    waited.unwrap_or_else(|_| panic!("{what}: it has not come"))
}

/// Waits for an event of this name.
pub(crate) async fn event(events: &mut Events, method: &str) {
    within(method, async { while events.next().await.expect("the target has gone").method != method {} }).await;
}

/// Waits until the target has gone.
pub(crate) async fn end(mut events: Events) {
    within("the end of a target", async { while events.next().await.is_some() {} }).await;
}

pub(crate) async fn launch() -> Browser {
    launch_with(&LaunchOptions::default()).await
}

pub(crate) async fn launch_with(options: &LaunchOptions) -> Browser {
    Browser::launch(options, soon()).await.unwrap_or_else(|error| panic!("{error}"))
}

/// Waits until something holds, looking again and again: the one place of these tests that looks by
/// the clock.
pub(crate) fn wait_until(what: &str, mut holds: impl FnMut() -> Result<(), String>) {
    let end = std::time::Instant::now() + Duration::from_secs(10);
    loop {
        let Err(reason) = holds() else { return };
        assert!(std::time::Instant::now() < end, "{what}: {reason}");
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// What a browser has on this machine: its processes and its folder.
#[derive(Debug, Clone)]
pub(crate) struct Traces {
    /// The temporary folder, above the profile.
    pub(crate) folder: PathBuf,
    /// The leader of its process group.
    pub(crate) pid: u32,
}

impl Traces {
    pub(crate) fn of(browser: &Browser) -> Traces {
        let folder = browser.profile().unwrap().parent().unwrap().to_owned();
        Traces { folder, pid: browser.pid().unwrap() }
    }

    /// The processes of its group, and all others that have its folder on their command line.
    pub(crate) fn processes(&self) -> Vec<String> {
        processes(&self.folder, Some(self.pid))
    }

    pub(crate) fn wait_until_gone(&self) {
        wait_until("the browser should leave nothing", || {
            let processes = self.processes();
            if processes.is_empty() && !self.folder.exists() {
                return Ok(());
            }
            Err(format!("folder: {}, processes: {processes:#?}", self.folder.exists()))
        });
    }
}

/// Living processes that have this text on their command line or belong to this group.
pub(crate) fn processes(text: &Path, group: Option<u32>) -> Vec<String> {
    let text = text.to_string_lossy();
    let own = std::process::id().to_string();
    std::fs::read_dir("/proc")
        .unwrap()
        .flatten()
        .filter_map(|entry| {
            let name = entry.file_name().into_string().ok()?;
            name.parse::<u32>().ok()?;
            let stat = std::fs::read_to_string(entry.path().join("stat")).ok()?;
            let mut fields = stat.rsplit_once(')')?.1.split_ascii_whitespace();
            let dead = matches!(fields.next(), Some("Z" | "X"));
            let in_group = group.is_some() && fields.nth(1)?.parse().ok() == group;
            let line = std::fs::read(entry.path().join("cmdline")).ok()?;
            let line = String::from_utf8_lossy(&line).replace('\0', " ");
            let meant = in_group || line.contains(&*text);
            (meant && !dead && name != own).then(|| format!("{name} {line:.100}"))
        })
        .collect()
}

/// Runs a script in a page.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Evaluate {
    pub(crate) expression: String,
    pub(crate) return_by_value: bool,
    pub(crate) user_gesture: bool,
}

impl Evaluate {
    pub(crate) fn new(expression: impl Into<String>) -> Evaluate {
        Evaluate { expression: expression.into(), return_by_value: true, user_gesture: true }
    }
}

#[derive(Debug, Deserialize)]
pub(crate) struct Evaluated {
    pub(crate) result: Value,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Value {
    #[serde(default)]
    pub(crate) value: serde_json::Value,
}

impl Command for Evaluate {
    const METHOD: &'static str = "Runtime.evaluate";
    type Reply = Evaluated;
}

/// Makes a page tell of what happens to it.
#[derive(Serialize)]
pub(crate) struct PageEnable {}

impl Command for PageEnable {
    const METHOD: &'static str = "Page.enable";
    type Reply = Empty;
}
