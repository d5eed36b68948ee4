//! Processes that have left the group of the program that started them, found by a mark in their environment: a server that
//! makes itself a daemon, a shell with job control.

use rustix::process::{Pid, Signal};

/// Sends a signal to every process that has this text in its environment, but for those in the group `told`, which have it already: to
/// many programs a second one says that there is no time left for an orderly end.
#[cfg(target_os = "linux")]
pub(super) fn signal(mark: &str, signal: Signal, told: Option<Pid>) {
    use rustix::process::{PidfdFlags, getpgid, kill_process, pidfd_open, pidfd_send_signal};
    for number in marked(mark) {
        let Some(pid) = i32::try_from(number).ok().and_then(Pid::from_raw) else { continue };
        if told.is_some() && getpgid(Some(pid)).ok() == told {
            continue;
        }
        match pidfd_open(pid, PidfdFlags::empty()) {
            // The number may have been given to a stranger meanwhile; what the descriptor stands for stays.
            Ok(process) if has_mark(number, mark) => drop(pidfd_send_signal(process, signal)),
            Ok(_) => {}
            // A system without such descriptors: Linux before 5.3.
            Err(_) => drop(kill_process(pid, signal)),
        }
    }
}

/// Whether any process has this text in its environment. The dead have none.
#[cfg(target_os = "linux")]
pub(super) fn are_there(mark: &str) -> bool {
    marked(mark).next().is_some()
}

#[cfg(target_os = "linux")]
fn marked(mark: &str) -> impl Iterator<Item = u32> {
    let processes = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let numbers = processes.filter_map(|process| process.file_name().to_str()?.parse::<u32>().ok());
    numbers.filter(move |number| has_mark(*number, mark))
}

#[cfg(target_os = "linux")]
fn has_mark(number: u32, mark: &str) -> bool {
    let environment = std::fs::read(format!("/proc/{number}/environ")).unwrap_or_default();
    environment.split(|byte| *byte == 0).any(|variable| variable == mark.as_bytes())
}

#[cfg(not(target_os = "linux"))]
pub(super) fn signal(_mark: &str, _signal: Signal, _told: Option<Pid>) {}

#[cfg(not(target_os = "linux"))]
pub(super) fn are_there(_mark: &str) -> bool {
    false
}
