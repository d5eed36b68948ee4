//! Which case comes next: the first that waits and whose needs have ended. What failed and is to be performed again comes when
//! nothing else can be performed, and then alone.

use std::sync::{Mutex, MutexGuard, PoisonError};

use tokio::sync::watch;

/// How a case stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Standing {
    Waiting,
    Running,
    /// It failed, and is to be performed again.
    ToRetry,
    /// It is performed again, and nothing beside it.
    Retried,
    Ended {
        passed: bool,
    },
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
    /// Whether it was performed before and failed.
    pub(super) again: bool,
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

    /// Takes up the next case; waits while all that are left need one that runs, or must be alone, or one that is alone runs.
    /// `None` when none is left.
    pub(super) async fn take(&self) -> Option<Next> {
        // Listened to before looking, so that no end falls in between.
        let mut ended = self.ended.subscribe();
        loop {
            {
                let mut standings = self.standings();
                if let Some(next) = self.next(&standings) {
                    standings[next.case] = if next.again { Standing::Retried } else { Standing::Running };
                    return Some(next);
                }
                if !standings.iter().any(|standing| matches!(standing, Standing::Waiting | Standing::ToRetry)) {
                    return None;
                }
            }
            ended.changed().await.ok()?;
        }
    }

    fn next(&self, standings: &[Standing]) -> Option<Next> {
        if standings.contains(&Standing::Retried) {
            return None;
        }
        self.ready(standings).or_else(|| {
            let alone = !standings.contains(&Standing::Running);
            alone.then(|| self.to_retry(standings)).flatten()
        })
    }

    /// The first that is to be performed again; one that others wait for comes before all others, so that those run
    /// before further retries.
    fn to_retry(&self, standings: &[Standing]) -> Option<Next> {
        let all = || standings.iter().enumerate().filter(|(_, s)| **s == Standing::ToRetry).map(|(case, _)| case);
        let waited_for = |case: &usize| {
            let mut needs = self.needs.iter().zip(standings).filter(|(_, standing)| **standing == Standing::Waiting);
            needs.any(|(needs, _)| needs.contains(case))
        };
        let case = all().find(waited_for).or_else(|| all().next())?;
        Some(Next { case, again: true, missing: None })
    }

    fn ready(&self, standings: &[Standing]) -> Option<Next> {
        let waiting = standings.iter().enumerate().filter(|(_, standing)| **standing == Standing::Waiting);
        waiting.map(|(case, _)| case).find_map(|case| {
            let needs = self.needs.get(case).map_or(&[][..], Vec::as_slice);
            let of = |need: &usize| standings.get(*need).copied().unwrap_or(Standing::Ended { passed: true });
            let all_ended = needs.iter().all(|need| matches!(of(need), Standing::Ended { .. }));
            let missing = needs.iter().copied().find(|need| of(need) == Standing::Ended { passed: false });
            all_ended.then_some(Next { case, again: false, missing })
        })
    }

    /// A case that was taken up has ended.
    pub(super) fn end(&self, case: usize, passed: bool) {
        self.set(case, Standing::Ended { passed });
    }

    /// A case that was taken up has failed, and is to be performed again.
    pub(super) fn retry(&self, case: usize) {
        self.set(case, Standing::ToRetry);
    }

    fn set(&self, case: usize, new: Standing) {
        if let Some(standing) = self.standings().get_mut(case) {
            *standing = new;
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
        let next = |case, missing| Some(Next { case, again: false, missing });
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

    #[tokio::test]
    async fn what_failed_is_retried_alone_when_nothing_else_can_run() {
        let queue = Queue::new(vec![vec![], vec![], vec![1], vec![]]);
        let first = |case| Some(Next { case, again: false, missing: None });
        let again = |case| Some(Next { case, again: true, missing: None });
        assert_eq!(queue.take().await, first(0));
        queue.retry(0);
        assert_eq!(queue.take().await, first(1));
        queue.retry(1);
        assert_eq!(queue.take().await, first(3));
        assert!(queue.take().now_or_never().is_none(), "a retry beside another case");
        queue.end(3, true);
        assert_eq!(queue.take().await, again(1), "the one that another waits for comes first");
        assert!(queue.take().now_or_never().is_none(), "anything beside a retry");
        queue.retry(1);
        assert_eq!(queue.take().await, again(1));
        let (taken, ()) = tokio::join!(queue.take(), async { queue.end(1, true) });
        assert_eq!(taken, first(2), "what waited runs before further retries");
        assert!(queue.take().now_or_never().is_none(), "a retry beside another case");
        queue.end(2, true);
        assert_eq!(queue.take().await, again(0));
        queue.end(0, false);
        assert_eq!(queue.take().await, None);
    }
}
