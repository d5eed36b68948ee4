//! Starting a browser so that it ends with us.
#![allow(
    unsafe_code,
    reason = "only a function that runs between fork and exec can put the two pipes on the descriptors 3 and 4"
)]

use std::ffi::OsString;
use std::io::{self, PipeWriter, Write};
use std::os::fd::{AsFd, BorrowedFd, FromRawFd, IntoRawFd, OwnedFd, RawFd};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStderr, Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::time::Duration;

use rustix::pipe::{PipeFlags, pipe_with};
use rustix::process::Pid;
use tokio::sync::{oneshot, watch};
use tokio::time::Instant;

use super::group::Group;
use super::guard::Guard;
use super::phase::Phase;
use super::profile::Profile;
use super::said::Said;
use super::workdir::{Place, Workdir};
use super::{BrowserError, busy};
use crate::cdp::Connection;

/// How long the processes of a browser may take to be gone once they were killed.
const DYING: Duration = Duration::from_secs(10);

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
    let guard = Guard::start(place.path(), order.profile.is_some()).ok();
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
    let guard = guard.map(|guard| guard.pipe().try_clone()).transpose()?;
    let parent = rustix::process::getpid();
    let in_good_order = order.profile.is_some();
    // SAFETY: the function runs in the child between fork and exec. It only makes system calls (no
    // allocation, no locks), all of which are safe after a fork, on descriptors that the child has
    // its own copy of.
    unsafe {
        command.pre_exec(move || {
            rustix::process::setsid()?;
            if let Some(guard) = &guard {
                tell_number(guard)?;
            }
            die_with_parent(parent, in_good_order)?;
            hand_over(browser_reads.as_fd(), browser_writes.as_fd())
        });
    }
    let mut child = busy::start(|| command.spawn())?;
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

/// The child tells its own number, which is that of its group: from here on there is no moment in
/// which the guard does not know it.
fn tell_number(mut guard: &PipeWriter) -> io::Result<()> {
    let mut line = [0; 24];
    let mut rest = &mut line[..];
    writeln!(rest, "{}", std::process::id())?;
    let unused = rest.len();
    let used = line.len() - unused;
    guard.write_all(&line[..used])
}

/// Puts the two pipe ends on the descriptors where the browser looks for them.
fn hand_over(reads: BorrowedFd<'_>, writes: BorrowedFd<'_>) -> io::Result<()> {
    // An end that already is 3 or 4 would be overwritten by the other, or keep its close-on-exec
    // mark: both move away first.
    let reads = rustix::io::fcntl_dupfd_cloexec(reads, 10)?;
    let writes = rustix::io::fcntl_dupfd_cloexec(writes, 10)?;
    put(&reads, 3)?;
    put(&writes, 4)
}

fn put(descriptor: &OwnedFd, number: RawFd) -> io::Result<()> {
    // SAFETY: this process is about to become another program, and nothing in it uses the
    // descriptor with this number any more, whatever it was. The owner made here is given up again
    // at once, so that it stays open for the program.
    let mut place = unsafe { OwnedFd::from_raw_fd(number) };
    let outcome = rustix::io::dup2(descriptor, &mut place);
    let _ = place.into_raw_fd();
    Ok(outcome?)
}

/// The browser is ended when its keeper thread ends, which only happens together with the whole
/// process.
#[cfg(target_os = "linux")]
fn die_with_parent(parent: Pid, in_good_order: bool) -> io::Result<()> {
    use rustix::process::{Signal, getppid, set_parent_process_death_signal};
    // A profile of the user's is to be written first; the guard sees to it that this ends.
    let signal = if in_good_order { Signal::TERM } else { Signal::KILL };
    set_parent_process_death_signal(Some(signal))?;
    // A parent that ended before this will send no signal.
    if getppid() == Some(parent) { Ok(()) } else { Err(io::ErrorKind::BrokenPipe.into()) }
}

#[cfg(not(target_os = "linux"))]
fn die_with_parent(_parent: Pid, _in_good_order: bool) -> io::Result<()> {
    Ok(())
}

/// A wider pipe takes a tree of many megabytes in fewer turns. Where it cannot be had, the usual
/// one does.
#[cfg(target_os = "linux")]
fn widen(pipe: &OwnedFd) {
    let _ = rustix::pipe::fcntl_setpipe_size(pipe, 1 << 20);
}

#[cfg(not(target_os = "linux"))]
fn widen(_pipe: &OwnedFd) {}

fn ending(status: ExitStatus) -> String {
    use std::os::unix::process::ExitStatusExt;
    match (status.code(), status.signal()) {
        (Some(code), _) => format!("exited with code {code}"),
        (None, Some(signal)) => format!("was ended by signal {signal}"),
        (None, None) => "ended".to_owned(),
    }
}

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
