//! What the scenario expects to stand in an act's way, and does about it.

use std::borrow::Cow;
use std::time::Duration;

use tokio::time::Instant;

use super::failure::Failure;
use super::spec::Group;
use super::stage::{Note, Stage, Whenever};
use super::step::{At, Step};
use crate::outline::{Pattern, contains};

/// How often the way is cleared for one act: what comes back each time will not go.
const MOST: usize = 3;
/// How long an act is tried before it is looked what came in its way meanwhile.
const FIRST_TRY: Duration = Duration::from_secs(1);
/// What takes the page as it stands, so that what came by chance is cleared away before.
const LOOKS: &[&str] = &["snapshot", "look"];
/// Acts that do nothing unless they do all, so that they may be tried for a moment.
const TRIED_FIRST: &[&str] = &["click", "double-click", "right-click", "hover"];

impl Stage {
    /// Performs what the step does. Where the scenario has `whenever`, an act's way is cleared before, and again when the
    /// act could not be done.
    pub(super) async fn perform_action(&mut self, step: &Step, at: &At<'_>) -> Result<(), Failure> {
        let looks = LOOKS.contains(&step.spec.name);
        if (step.spec.group != Group::Acting && !looks) || self.props.whenever.is_empty() || self.clearing {
            return self.perform_in_time(step, at).await;
        }
        let mut at = *at;
        let mut cleared = 0;
        self.cleared.clear();
        self.clear_the_way(step, &mut at, &mut cleared).await?;
        if looks {
            return self.perform_in_time(step, &at).await;
        }
        let mut first = TRIED_FIRST.contains(&step.spec.name);
        loop {
            let soon = Instant::now() + FIRST_TRY;
            let this_try = if first && soon < at.deadline { At { deadline: soon, ..at } } else { at };
            let last = this_try.deadline == at.deadline;
            first = false;
            match self.perform_in_time(step, &this_try).await {
                Err(failure) if failure.did_nothing => {
                    if !self.clear_the_way(step, &mut at, &mut cleared).await? && last {
                        return Err(failure);
                    }
                }
                result => return result,
            }
        }
    }

    /// Performs the steps for everything that stands in the way now; whether there was anything. The act has all of its
    /// time again then.
    async fn clear_the_way(&mut self, step: &Step, at: &mut At<'_>, cleared: &mut usize) -> Result<bool, Failure> {
        self.forget();
        let look = At { deadline: at.deadline.max(Instant::now() + FIRST_TRY), ..*at };
        // A page that can't be looked at is the act's to tell.
        let Ok(seen) = self.look(&look).await else { return Ok(false) };
        let all = self.props.whenever.clone();
        let mut any = false;
        for whenever in all.iter().filter(|whenever| contains(&seen.outline, &whenever.pattern).is_ok()) {
            // Whoever acts on the dialog itself means that one to be there.
            if self.is_about(step, &whenever.pattern, &look).await {
                continue;
            }
            if *cleared >= MOST {
                return Err(at
                    .failure(format!("{} still stands in the way", whenever.written))
                    .label(format!("after its steps of `whenever` were performed {MOST} times"))
                    .next("look at what these steps do, or make its line narrower"));
            }
            self.tell(Note::Notice(format!("{} stood in the way", whenever.written)));
            // What stands in the way of these steps is not cleared again.
            self.clearing = true;
            let until = Instant::now() + at.given;
            let result = Box::pin(self.perform(&whenever.steps, until)).await;
            self.clearing = false;
            result.map_err(|failure| failure.detail("done since this stood in the way", whenever.written.clone()))?;
            *cleared += 1;
            any = true;
            self.cleared.push(whenever.told());
        }
        if any {
            self.forget();
            at.deadline = Instant::now() + at.given;
        }
        Ok(any)
    }

    /// Whether the step is about something in what stands in the way. A page that can't be looked at is the act's to tell.
    async fn is_about(&mut self, step: &Step, pattern: &Pattern, at: &At<'_>) -> bool {
        let Some(target) = step.action.target() else { return false };
        let Ok(target) = self.get(target, at).await.map(Cow::into_owned) else { return false };
        self.page().lies_in(&target, pattern, at.deadline).await.unwrap_or(false)
    }

    /// Says of a failure what `whenever` has answered since the last act began: the page is another one after that.
    pub(super) fn with_cleared(&self, failure: Failure) -> Failure {
        if self.cleared.is_empty() || self.clearing {
            failure
        } else {
            failure.detail("`whenever` answered", self.cleared.join("\n"))
        }
    }
}

impl Whenever {
    /// As a failure tells it: what stood in the way, and where it is said what to do then.
    fn told(&self) -> String {
        match self.steps.first() {
            Some(step) => format!("{}, by the steps from line {} on, just before", self.written, step.place.line()),
            None => self.written.clone(),
        }
    }
}
