//! Starting a browser so that it ends with us.

use std::ffi::OsString;
use std::io;
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStderr, Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use rustix::pipe::{PipeFlags, pipe_with};
use rustix::process::{Pid, Signal};
use tokio::sync::{oneshot, watch};
use tokio::time::Instant;

use super::BrowserError;
use super::profile::Profile;
use super::workdir::{Place, Workdir};
use crate::cdp::Connection;
use crate::process::{Duty, Group, Guard, Phase, Said, ending, start_leader};

/// How long the processes of a browser may take to be gone once they were killed.
const DYING: Duration = Duration::from_secs(10);
/// How long a browser with a profile of the user's has for ending by itself, as it does when its
/// pipe closes, once we are gone.
const GRACE: Duration = Duration::from_secs(2);

/// A browser that was started. Dropping it ends the browser, without waiting.
#[derive(Debug)]
pub(super) struct Process {
    pid: u32,
    group: Arc<Group>,
    phase: watch::Receiver<Phase>,
}

/// A browser is spoken to over two pipes: nobody else can speak to it, and it ends when they close.
struct Spawned {
    process: Process,
    /// What the browser writes.
    reader: OwnedFd,
    /// What the browser reads.
    writer: OwnedFd,
    stderr: ChildStderr,
}

/// What to start.
struct Order {
    program: PathBuf,
    arguments: Vec<OsString>,
    /// Claimed as long as the browser lives.
    profile: Option<Profile>,
}

/// Starts the program with its pipes. (The deadline is for systems where the browser has to name an
/// address first.)
///
/// A thread of its own starts the browser, lives as long as the browser does, and tidies up: a
/// child's parent-death signal comes when the *thread* that started it ends.
pub(super) async fn spawn(
    program: &Path,
    mut arguments: Vec<OsString>,
    place: Place,
    profile: Option<Profile>,
    _deadline: Instant,
) -> Result<(Process, Said, Connection), BrowserError> {
    let cannot_start = |source| BrowserError::CannotStart { path: program.to_owned(), source };
    let (sender, receiver) = oneshot::channel();
    arguments.push("--remote-debugging-pipe".into());
    let order = Order { program: program.to_owned(), arguments, profile };
    std::thread::Builder::new()
        .name("browser keeper".to_owned())
        .spawn(move || keep(order, place, sender))
        .map_err(cannot_start)?;
    let ended = |_| Err(cannot_start(io::Error::other("the thread that starts it ended")));
    let spawned = receiver.await.unwrap_or_else(ended)?;
    let Spawned { process, reader, writer, stderr } = spawned;
    let said = Said::listen(stderr).map_err(cannot_start)?;
    let connection = Connection::over_pipe(reader, writer).map_err(cannot_start)?;
    Ok((process, said, connection))
}

type Started = oneshot::Sender<Result<Spawned, BrowserError>>;

/// The life of a browser, from before its start until nothing of it is left.
fn keep(order: Order, place: Place, started: Started) {
    // Up before there is anything to tidy up. A machine without a shell does without: then a later
    // run sweeps what we leave when we are killed.
    let grace = if order.profile.is_some() { GRACE } else { Duration::ZERO };
    let guard = Guard::start(Duty { folder: Some(place.path()), grace, ..Duty::default() }).ok();
    let folder = place.path().to_owned();
    match place.make() {
        Ok(workdir) => live(order, &workdir, guard.as_ref(), started),
        Err(source) => {
            // What was made before it failed; nothing, when the place was taken.
            if source.kind() != io::ErrorKind::AlreadyExists {
                let _ = std::fs::remove_dir_all(&folder);
            }
            let _ = started.send(Err(BrowserError::NoFolder { folder, source }));
        }
    }
    if let Some(guard) = guard {
        guard.dismiss();
    }
}

fn live(order: Order, workdir: &Workdir, guard: Option<&Guard>, started: Started) {
    let (phase, receiver) = watch::channel(Phase::Running);
    match start(&order, workdir, guard, receiver) {
        Ok((spawned, child)) => {
            let group = Arc::clone(&spawned.process.group);
            // Should nobody wait any more, the browser is dropped, and so ended, right here.
            let _ = started.send(Ok(spawned));
            let how = until_gone(&group, child, &phase);
            let _ = workdir.remove();
            // Who waits for the end may want the profile at once.
            drop(order);
            phase.send_replace(Phase::Cleared(how));
        }
        Err(source) => {
            let _ = workdir.remove();
            let _ = started.send(Err(BrowserError::CannotStart { path: order.program, source }));
        }
    }
}

fn until_gone(group: &Group, mut child: Child, phase: &watch::Sender<Phase>) -> String {
    group.wait_for_leader();
    let mut how = String::new();
    let reap = || {
        how = child.wait().map_or_else(|error| error.to_string(), ending);
        phase.send_replace(Phase::Ended(how.clone()));
    };
    if !group.finish(reap, DYING) {
        tracing::debug!("processes of the browser are still there {DYING:?} after they were killed");
    }
    how
}

fn start(
    order: &Order,
    workdir: &Workdir,
    guard: Option<&Guard>,
    phase: watch::Receiver<Phase>,
) -> io::Result<(Spawned, Child)> {
    // Made first, so that they take the descriptors 3 and 4 if those are free, rather than what the
    // library makes for starting a program.
    let (browser_reads, writer) = pipe_with(PipeFlags::CLOEXEC)?;
    let (reader, browser_writes) = pipe_with(PipeFlags::CLOEXEC)?;
    widen(&writer);
    widen(&reader);
    let mut command = Command::new(&order.program);
    command
        .args(&order.arguments)
        .env("TMPDIR", workdir.temp())
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped());
    name_files_in_utf8(&mut command, |name| std::env::var_os(name));
    // A profile of the user's is to be written first; the guard sees to it that this ends.
    let signal = if order.profile.is_some() { Signal::TERM } else { Signal::KILL };
    let hand_over = vec![(browser_reads, 3), (browser_writes, 4)];
    let mut child = start_leader(command, hand_over, guard, Some(signal))?;
    let no_stderr = || io::Error::other("the browser has no error output");
    let stderr = child.stderr.take().ok_or_else(no_stderr)?;
    let group = Arc::new(Group::led_by(Pid::from_child(&child)));
    let process = Process { pid: child.id(), group, phase };
    Ok((Spawned { process, reader, writer, stderr }, child))
}

/// Chrome reads names of files in the encoding of its locale. In that of a bare container (`C`, or none at all) it would find no file
/// with more than ASCII in its name, and would tell nobody.
fn name_files_in_utf8(command: &mut Command, variable: impl Fn(&str) -> Option<OsString>) {
    // The first that is set counts: locale(7).
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().filter_map(variable).find(|value| !value.is_empty());
    let locale = locale.unwrap_or_default().to_string_lossy().to_lowercase().replace('-', "");
    if !locale.ends_with("utf8") && !locale.contains("utf8@") {
        command.env_remove("LC_ALL").env("LC_CTYPE", "C.UTF-8");
    }
}

/// A wider pipe takes a tree of many megabytes in fewer turns. Where it cannot be had, the usual
/// one does.
#[cfg(target_os = "linux")]
fn widen(pipe: &OwnedFd) {
    let _ = rustix::pipe::fcntl_setpipe_size(pipe, 1 << 20);
}

#[cfg(not(target_os = "linux"))]
fn widen(_pipe: &OwnedFd) {}

impl Process {
    pub(super) fn pid(&self) -> u32 {
        self.pid
    }

    pub(super) fn phase(&self) -> watch::Receiver<Phase> {
        self.phase.clone()
    }

    pub(super) fn kill(&self) {
        self.group.kill();
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.kill();
    }
}
