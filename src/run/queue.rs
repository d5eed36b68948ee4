//! Which case comes next: the first that waits and whose needs have ended.

use std::sync::{Mutex, MutexGuard, PoisonError};

use tokio::sync::watch;

/// How a case stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Standing {
    Waiting,
    Running,
    Ended { passed: bool },
}

/// The cases of a run, each with those that it needs.
pub(super) struct Queue {
    needs: Vec<Vec<usize>>,
    standings: Mutex<Vec<Standing>>,
    ended: watch::Sender<u64>,
}

/// A case to be taken up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Next {
    pub(super) case: usize,
    /// One that it needs and that did not pass: then it can't be performed.
    pub(super) missing: Option<usize>,
}

impl Queue {
    /// A queue in which nothing has begun. Needs go round in no circle: that is checked when the files are read.
    pub(super) fn new(needs: Vec<Vec<usize>>) -> Queue {
        let standings = Mutex::new(vec![Standing::Waiting; needs.len()]);
        Queue { needs, standings, ended: watch::Sender::new(0) }
    }

    fn standings(&self) -> MutexGuard<'_, Vec<Standing>> {
        // Nothing panics while it holds the lock; were it so, the list is still whole.
        self.standings.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes up the next case; waits while all that are left need one that runs. `None` when none is left.
    pub(super) async fn take(&self) -> Option<Next> {
        // Listened to before looking, so that no end falls in between.
        let mut ended = self.ended.subscribe();
        loop {
            {
                let mut standings = self.standings();
                if let Some(next) = self.ready(&standings) {
                    standings[next.case] = Standing::Running;
                    return Some(next);
                }
                if !standings.contains(&Standing::Waiting) {
                    return None;
                }
            }
            ended.changed().await.ok()?;
        }
    }

    fn ready(&self, standings: &[Standing]) -> Option<Next> {
        let waiting = standings.iter().enumerate().filter(|(_, standing)| **standing == Standing::Waiting);
        waiting.map(|(case, _)| case).find_map(|case| {
            let needs = self.needs.get(case).map_or(&[][..], Vec::as_slice);
            let of = |need: &usize| standings.get(*need).copied().unwrap_or(Standing::Ended { passed: true });
            let all_ended = needs.iter().all(|need| matches!(of(need), Standing::Ended { .. }));
            let missing = needs.iter().copied().find(|need| of(need) == Standing::Ended { passed: false });
            all_ended.then_some(Next { case, missing })
        })
    }

    /// A case that was taken up has ended.
    pub(super) fn end(&self, case: usize, passed: bool) {
        if let Some(standing) = self.standings().get_mut(case) {
            *standing = Standing::Ended { passed };
        }
        self.ended.send_modify(|count| *count += 1);
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use futures_util::FutureExt;

    use super::*;

    #[tokio::test]
    async fn a_case_waits_for_what_it_needs() {
        let queue = Queue::new(vec![vec![1], vec![], vec![1, 3], vec![]]);
        let next = |case, missing| Some(Next { case, missing });
        assert_eq!(queue.take().await, next(1, None));
        assert_eq!(queue.take().await, next(3, None));
        assert!(queue.take().now_or_never().is_none());
        let (taken, ()) = tokio::join!(queue.take(), async { queue.end(1, true) });
        assert_eq!(taken, next(0, None));
        queue.end(3, false);
        assert_eq!(queue.take().await, next(2, Some(3)));
        queue.end(0, true);
        queue.end(2, false);
        assert_eq!(queue.take().await, None);
    }
}
