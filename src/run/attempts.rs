//! Attempts at a case: whether one that failed is performed again, and what became of all of them.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::case::Performed;
use super::event::{Attempt, CaseEnded, CaseId, Verdict};
use super::plan::Case;

/// The attempts of a run that failed and were not the last of their cases.
#[derive(Debug, Default)]
pub(super) struct Attempts(Mutex<HashMap<CaseId, Vec<Attempt>>>);

/// What is to be done after an attempt.
pub(super) enum After {
    /// Perform the case again, later.
    Again(Box<Attempt>),
    /// The case has ended so.
    Ended(Box<CaseEnded>),
}

impl Attempts {
    fn failed(&self) -> MutexGuard<'_, HashMap<CaseId, Vec<Attempt>>> {
        // Nothing panics while it holds the lock; were it so, the map is still whole.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Which attempt comes next at a case, from 1.
    pub(super) fn next(&self, case: CaseId) -> usize {
        self.failed().get(&case).map_or(0, Vec::len) + 1
    }

    /// Takes in what came of an attempt. Only what the page may have done wrong is performed again: not what the world broke,
    /// what was stopped, or what can't pass.
    pub(super) fn after(&self, Performed { mut ended, for_good }: Performed, attempts: usize) -> After {
        let mut failed = self.failed();
        let earlier = failed.remove(&ended.case).unwrap_or_default();
        let number = earlier.len() + 1;
        match ended.verdict {
            Verdict::Failed(why) if !for_good && number < attempts => {
                let attempt = Attempt { number, why, also: ended.also, took: ended.took };
                failed.insert(ended.case, earlier.into_iter().chain([attempt.clone()]).collect());
                After::Again(Box::new(attempt))
            }
            verdict => {
                let flaky = matches!(verdict, Verdict::Passed) && !earlier.is_empty();
                ended.verdict = if flaky { Verdict::Flaky } else { verdict };
                (ended.earlier, ended.attempts) = (earlier, attempts);
                After::Ended(Box::new(ended))
            }
        }
    }
}

/// How many attempts a case has in all; `retries` is for cases that do not say so themselves.
pub(super) fn attempts_of(case: &Case, retries: usize) -> usize {
    case.scenario.retries.unwrap_or(retries).saturating_add(1)
}
