//! An application that was started, on Windows: when we are killed it stays until it is ended by hand.

use std::io;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use tokio::sync::watch;

use super::command::{Prepared, prepare};
use super::log::{Log, Tee};
use crate::process::{Phase, Said, ending};
use crate::scenario::{AppSetting, AppStart};

/// How long its processes may take to be gone once they were killed.
const DYING: Duration = Duration::from_secs(10);

/// An application that was started. Dropping it ends it, without waiting.
#[derive(Debug)]
pub(super) struct Program {
    pid: u32,
    phase: watch::Receiver<Phase>,
    said: Said,
}

impl Program {
    /// Starts it. What it says goes to the log as well.
    pub(super) fn start(
        setting: &AppSetting,
        start: &AppStart,
        port: Option<u16>,
        log: Option<Log>,
    ) -> io::Result<Program> {
        let Prepared { mut command, output, .. } = prepare(setting, start, port)?;
        let child = command.spawn()?;
        // Our ends of what it writes to: the output ends when the last is closed.
        drop(command);
        let (sender, phase) = watch::channel(Phase::Running);
        let pid = child.id();
        std::thread::Builder::new().name("app keeper".to_owned()).spawn(move || keep(child, &sender))?;
        let said = Said::listen(Tee::new(output, log))?;
        Ok(Program { pid, phase, said })
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

    /// Ends it, and returns when it is gone.
    pub(super) async fn end(&self) {
        self.kill();
        let _ = tokio::time::timeout(DYING, self.ended()).await;
    }

    /// Ends the process and all that it has started.
    fn kill(&self) {
        if self.how_it_ended().is_none() {
            let _ = Command::new("taskkill")
                .args(["/T", "/F", "/PID", &self.pid.to_string()])
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .status();
        }
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        self.kill();
    }
}

fn keep(mut child: Child, phase: &watch::Sender<Phase>) {
    let how = child.wait().map_or_else(|error| error.to_string(), ending);
    phase.send_replace(Phase::Cleared(how));
}
