//! A process group: everything that a launched program has started, ended together.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use rustix::io::Errno;
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, test_kill_process_group, waitid};

use super::phase::ending_of;
use super::strays;

/// The group that a child of ours leads, and those of its processes that have left the group.
#[derive(Debug)]
pub struct Group {
    leader: Pid,
    /// What stands in the environment of all its processes, where they are looked for by it.
    mark: Option<String>,
    /// Until the leader is reaped, its number cannot be given to a process that is a stranger.
    reaped: Mutex<bool>,
}

impl Group {
    /// The group of this child, which leads it.
    pub fn led_by(leader: Pid) -> Group {
        Group { leader, mark: None, reaped: Mutex::new(false) }
    }

    /// Processes with this text in their environment are of the group too, wherever they have gone. (Linux only.)
    #[must_use]
    pub fn marked(mut self, mark: String) -> Group {
        self.mark = Some(mark);
        self
    }

    /// Waits for the leader to end, and leaves it unreaped. Gives how it ended, such as `exited with code 0`.
    pub fn wait_for_leader(&self) -> String {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT;
        loop {
            match waitid(WaitId::Pid(self.leader), options) {
                Err(Errno::INTR) => {}
                Ok(Some(status)) => return ending_of(status.exit_status(), status.terminating_signal()),
                _ => return ending_of(None, None),
            }
        }
    }

    /// Sends a signal to everything in the group, while it certainly is ours.
    pub fn signal(&self, signal: Signal) {
        let reaped = self.reaped();
        let told = (!*reaped).then_some(self.leader);
        if told.is_some() {
            let _ = kill_process_group(self.leader, signal);
        }
        drop(reaped);
        if let Some(mark) = &self.mark {
            strays::signal(mark, signal, told);
        }
    }

    /// Ends everything in the group, while it certainly is ours.
    pub fn kill(&self) {
        self.signal(Signal::KILL);
    }

    /// Ends what the leader has left behind, reaps the leader, and waits until the group is empty.
    /// False when it is not in time.
    pub fn finish(&self, reap: impl FnOnce(), limit: Duration) -> bool {
        {
            let mut reaped = self.reaped();
            let _ = kill_process_group(self.leader, Signal::KILL);
            reap();
            *reaped = true;
        }
        if let Some(mark) = &self.mark {
            strays::signal(mark, Signal::KILL, None);
        }
        // The number of a group is not given away while the group has members, so asking is safe;
        // killing is over.
        self.wait_until_empty(limit)
    }

    /// Waits until nothing in the group lives. False when it is not in time.
    pub fn wait_until_empty(&self, limit: Duration) -> bool {
        let end = Instant::now() + limit;
        let mut pause = Duration::from_micros(500);
        while self.has_living_members() {
            if Instant::now() >= end {
                return false;
            }
            // The system tells nobody when a group of other processes' children is empty.
            std::thread::sleep(pause);
            pause = (pause * 2).min(Duration::from_millis(20));
        }
        true
    }

    fn has_living_members(&self) -> bool {
        let in_group = test_kill_process_group(self.leader) != Err(Errno::SRCH) && !only_zombies(self.leader);
        in_group || self.mark.as_ref().is_some_and(|mark| strays::are_there(mark))
    }

    fn reaped(&self) -> MutexGuard<'_, bool> {
        self.reaped.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// In a container whose first process reaps nobody, the dead stay in their group for ever.
#[cfg(target_os = "linux")]
fn only_zombies(group: Pid) -> bool {
    let Ok(processes) = std::fs::read_dir("/proc") else {
        return false;
    };
    let group = group.as_raw_nonzero().to_string();
    !processes.flatten().any(|process| {
        let stat = std::fs::read_to_string(process.path().join("stat")).unwrap_or_default();
        // The name in brackets may hold anything; after it come state, parent and group.
        let mut fields = stat.rsplit_once(')').map(|(_, rest)| rest.split_ascii_whitespace()).into_iter().flatten();
        let state = fields.next();
        fields.nth(1) == Some(&group) && !matches!(state, Some("Z" | "X"))
    })
}

#[cfg(not(target_os = "linux"))]
fn only_zombies(_group: Pid) -> bool {
    false
}
