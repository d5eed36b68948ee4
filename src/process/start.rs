//! Starting a program at the head of a process group of its own, so that all of it can be ended.
#![allow(
    unsafe_code,
    reason = "only a function that runs between fork and exec can tell the guard the number of the process before it is another \
              program, and put descriptors where that program looks for them"
)]

use std::io::{self, PipeWriter, Write};
use std::os::fd::{FromRawFd, IntoRawFd, OwnedFd, RawFd};
use std::os::unix::process::CommandExt;
use std::process::{Child, Command};

use rustix::process::{Pid, Signal};

use super::{Guard, again_while_busy};

/// Starts the program as the leader of a session and a group of its own.
///
/// It has the descriptors of `hand_over` under the numbers beside them. The guard knows its number before it is the program. Where
/// `with_us` is given and the system can (Linux), the program is sent that signal when the thread that starts it here ends: a
/// thread that lives as long as the program does, then.
///
/// # Errors
/// When the system starts no program there.
pub fn start_leader(
    mut command: Command,
    mut hand_over: Vec<(OwnedFd, RawFd)>,
    guard: Option<&Guard>,
    with_us: Option<Signal>,
) -> io::Result<Child> {
    let guard = guard.map(|guard| guard.pipe().try_clone()).transpose()?;
    let parent = rustix::process::getpid();
    // SAFETY: the function runs in the child between fork and exec. It only makes system calls (no
    // allocation, no locks), all of which are safe after a fork, on descriptors that the child has
    // its own copy of.
    unsafe {
        command.pre_exec(move || {
            rustix::process::setsid()?;
            if let Some(guard) = &guard {
                tell_number(guard)?;
            }
            if let Some(signal) = with_us {
                die_with_parent(parent, signal)?;
            }
            // One that already has a number that is wanted would be overwritten by another, or keep its close-on-exec
            // mark: all move away first.
            let beyond = hand_over.iter().map(|(_, number)| *number).max().unwrap_or(0) + 8;
            for (descriptor, _) in &mut hand_over {
                *descriptor = rustix::io::fcntl_dupfd_cloexec(&*descriptor, beyond)?;
            }
            hand_over.iter().try_for_each(|(descriptor, number)| put(descriptor, *number))
        });
    }
    again_while_busy(|| command.spawn())
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

fn put(descriptor: &OwnedFd, number: RawFd) -> io::Result<()> {
    // SAFETY: this process is about to become another program, and nothing in it uses the
    // descriptor with this number any more, whatever it was. The owner made here is given up again
    // at once, so that it stays open for the program.
    let mut place = unsafe { OwnedFd::from_raw_fd(number) };
    let outcome = rustix::io::dup2(descriptor, &mut place);
    let _ = place.into_raw_fd();
    Ok(outcome?)
}

/// The program is ended when the thread that started it ends, which only happens together with the
/// whole process.
#[cfg(target_os = "linux")]
fn die_with_parent(parent: Pid, signal: Signal) -> io::Result<()> {
    use rustix::process::{getppid, set_parent_process_death_signal};
    set_parent_process_death_signal(Some(signal))?;
    // A parent that ended before this will send no signal.
    if getppid() == Some(parent) { Ok(()) } else { Err(io::ErrorKind::BrokenPipe.into()) }
}

#[cfg(not(target_os = "linux"))]
fn die_with_parent(_parent: Pid, _signal: Signal) -> io::Result<()> {
    Ok(())
}
