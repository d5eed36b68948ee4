//! Starting a browser so that it ends with us, on Windows: over a port that the browser chooses,
//! since the standard library hands no pipes to children there. When we are killed the browser
//! stays until it is ended by hand; its folder is swept by a later run.

use std::ffi::OsString;
use std::io;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use tokio::sync::watch;
use tokio::time::Instant;

use super::BrowserError;
use super::profile::Profile;
use super::workdir::{Place, Workdir};
use crate::cdp::Connection;
use crate::process::{Phase, Said, ending};

/// A browser that was started. Dropping it ends the browser, without waiting for all of it to be
/// gone.
#[derive(Debug)]
pub(super) struct Process {
    pid: u32,
    phase: watch::Receiver<Phase>,
}

/// Starts the program and connects to it.
pub(super) async fn spawn(
    program: &Path,
    arguments: Vec<OsString>,
    place: Place,
    profile: Option<Profile>,
    deadline: Instant,
) -> Result<(Process, Said, Connection), BrowserError> {
    let folder = place.path().to_owned();
    let workdir = place.make().map_err(|source| BrowserError::NoFolder { folder, source })?;
    start(program, arguments, workdir, profile, deadline)
        .await
        .map_err(|source| BrowserError::CannotStart { path: program.to_owned(), source })
}

async fn start(
    program: &Path,
    mut arguments: Vec<OsString>,
    workdir: Workdir,
    profile: Option<Profile>,
    deadline: Instant,
) -> io::Result<(Process, Said, Connection)> {
    arguments.push("--remote-debugging-port=0".into());
    let mut child = Command::new(program)
        .args(&arguments)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()?;
    let no_stderr = || io::Error::other("the browser has no error output");
    let stderr = child.stderr.take().ok_or_else(no_stderr)?;
    let (sender, phase) = watch::channel(Phase::Running);
    let process = Process { pid: child.id(), phase };
    std::thread::Builder::new()
        .name("browser keeper".to_owned())
        .spawn(move || keep(child, &workdir, profile, &sender))?;
    let said = Said::listen(stderr)?;
    let no_address = |reason: &str| io::Error::new(io::ErrorKind::TimedOut, reason.to_owned());
    let address = tokio::time::timeout_at(deadline, said.address())
        .await
        .map_err(|_| no_address("it names no address to speak to"))?
        .ok_or_else(|| no_address("it ended without naming an address to speak to"))?;
    let connection = Connection::over_websocket(&address, deadline).await.map_err(io::Error::other)?;
    Ok((process, said, connection))
}

fn keep(mut child: Child, workdir: &Workdir, profile: Option<Profile>, phase: &watch::Sender<Phase>) {
    let how = child.wait().map_or_else(|error| error.to_string(), ending);
    phase.send_replace(Phase::Ended(how.clone()));
    // The files of a process can be removed once the system has closed them, a moment after its
    // end.
    for _ in 0..100 {
        if workdir.remove().is_ok() {
            break;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    drop(profile);
    phase.send_replace(Phase::Cleared(how));
}

impl Process {
    pub(super) fn pid(&self) -> u32 {
        self.pid
    }

    pub(super) fn phase(&self) -> watch::Receiver<Phase> {
        self.phase.clone()
    }

    /// Ends the process and all that it has started.
    pub(super) fn kill(&self) {
        if self.phase.borrow().how().is_none() {
            let _ = Command::new("taskkill")
                .args(["/T", "/F", "/PID", &self.pid.to_string()])
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .status();
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.kill();
    }
}
