//! An application that was started: it ends with us, all of its processes included.

use std::io;
use std::process::Child;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use rustix::process::{Pid, Signal};
use tokio::sync::watch;

use super::command::{Prepared, prepare};
use super::log::{Log, Tee};
use crate::process::{Duty, Group, Guard, Phase, Said, start_leader};
use crate::scenario::{AppSetting, AppStart};

/// How long an application may take to end once it was asked to.
const GRACE: Duration = Duration::from_secs(5);
/// How long its processes may take to be gone once they were killed.
const DYING: Duration = Duration::from_secs(10);

/// An application that was started. Dropping it ends it, without waiting.
#[derive(Debug)]
pub(super) struct Program {
    tree: Arc<Tree>,
    phase: watch::Receiver<Phase>,
    said: Said,
}

/// All of its processes.
#[derive(Debug)]
struct Tree {
    group: Group,
    asked: AtomicBool,
}

impl Tree {
    /// Asks all of them to end; once, since many programs take a second time for "at once".
    fn ask(&self) {
        if !self.asked.swap(true, Ordering::SeqCst) {
            self.group.signal(Signal::TERM);
        }
    }
}

impl Program {
    /// Starts it. What it says goes to the log as well.
    pub(super) fn start(
        setting: &AppSetting,
        start: &AppStart,
        port: Option<u16>,
        log: Option<Log>,
    ) -> io::Result<Program> {
        let Prepared { command, output, mark } = prepare(setting, start, port)?;
        // Up before there is anything to tidy up.
        let guard = Guard::start(Duty { folder: None, grace: GRACE, ask: true, mark: Some(&mark) })?;
        let child = match start_leader(command, Vec::new(), Some(&guard), None) {
            Ok(child) => child,
            Err(error) => {
                guard.dismiss();
                return Err(error);
            }
        };
        let group = Group::led_by(Pid::from_child(&child)).marked(mark);
        let tree = Arc::new(Tree { group, asked: AtomicBool::new(false) });
        let (sender, phase) = watch::channel(Phase::Running);
        let keeper = Arc::clone(&tree);
        let kept = std::thread::Builder::new()
            .name("app keeper".to_owned())
            .spawn(move || keep(&keeper, child, guard, &sender));
        // Without its keeper the guard is gone too, and takes what was started with it.
        kept?;
        let said = Said::listen(Tee::new(output, log)).inspect_err(|_| tree.group.kill())?;
        Ok(Program { tree, phase, said })
    }

    /// Resolves when it has ended.
    pub(super) async fn ended(&self) -> String {
        let mut phase = self.phase.clone();
        let ended = phase.wait_for(|phase| *phase != Phase::Running).await;
        ended.ok().and_then(|phase| phase.how().map(str::to_owned)).unwrap_or_else(|| "ended".to_owned())
    }

    /// How it ended, if it has.
    pub(super) fn how_it_ended(&self) -> Option<String> {
        self.phase.borrow().how().map(str::to_owned)
    }

    /// What it has said.
    pub(super) fn said(&self) -> &Said {
        &self.said
    }

    /// Ends it, and returns when all of its processes are gone.
    pub(super) async fn end(&self) {
        self.tree.ask();
        if !self.is_cleared_within(GRACE).await {
            self.tree.group.kill();
            if !self.is_cleared_within(DYING).await {
                tracing::debug!("processes of the application are still there {DYING:?} after they were killed");
            }
        }
    }

    async fn is_cleared_within(&self, limit: Duration) -> bool {
        let mut phase = self.phase.clone();
        let cleared = phase.wait_for(|phase| matches!(phase, Phase::Cleared(_)));
        tokio::time::timeout(limit, cleared).await.is_ok()
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        self.tree.group.kill();
    }
}

/// The life of an application, until nothing of it is left.
fn keep(tree: &Tree, mut child: Child, guard: Guard, phase: &watch::Sender<Phase>) {
    let how = tree.group.wait_for_leader();
    phase.send_replace(Phase::Ended(how.clone()));
    // A program that has ended by itself may have left others behind.
    tree.ask();
    // Elsewhere it is only known once the leader is reaped whether others live, and then they can't be told from strangers.
    if cfg!(target_os = "linux") {
        tree.group.wait_until_empty(GRACE);
    }
    tree.group.finish(|| drop(child.wait()), DYING);
    guard.dismiss();
    phase.send_replace(Phase::Cleared(how));
}
