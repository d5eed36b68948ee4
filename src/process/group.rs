//! A process group: everything that a launched browser has started, ended together.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use rustix::io::Errno;
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, test_kill_process_group, waitid};

/// The group that a child of ours leads.
#[derive(Debug)]
pub struct Group {
    leader: Pid,
    /// Until the leader is reaped, its number cannot be given to a process that is a stranger.
    reaped: Mutex<bool>,
}

impl Group {
    /// The group of this child, which leads it.
    pub fn led_by(leader: Pid) -> Group {
        Group { leader, reaped: Mutex::new(false) }
    }

    /// Waits for the leader to end, and leaves it unreaped.
    pub fn wait_for_leader(&self) {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT;
        while matches!(waitid(WaitId::Pid(self.leader), options), Err(Errno::INTR)) {}
    }

    /// Ends everything in the group, while it certainly is ours.
    pub fn kill(&self) {
        let reaped = self.reaped();
        if !*reaped {
            let _ = kill_process_group(self.leader, Signal::KILL);
        }
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
        // The number of a group is not given away while the group has members, so asking is safe;
        // killing is over.
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
        test_kill_process_group(self.leader) != Err(Errno::SRCH) && !only_zombies(self.leader)
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
