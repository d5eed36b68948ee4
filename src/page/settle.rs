//! After an act: what it set off, and waiting for that before a look.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::Instant;

use super::core::Core;
use super::dialogs::Dialog;
use super::error::PageError;
use super::state::{Done, Mark, State};
use super::tab::Page;
use super::watch::CAUGHT_UP;
use super::{inject, kit};
use crate::cdp::runtime;

/// Requests that an act started are waited for this long: long enough for an application's own server, and a long poll, which has no end,
/// costs it once.
const REQUESTS: Duration = Duration::from_millis(500);
/// A document that the act went to may load this long once it is there, before it is looked at as it is.
const LOAD: Duration = Duration::from_secs(3);

/// What frames have said is heard within milliseconds.
const CATCH_UP: Duration = Duration::from_secs(1);

/// An act under way. Dropping it finishes it.
pub struct Act {
    core: Arc<Core>,
    start: Mark,
}

/// What is known at once of what an act set off.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Aftermath {
    /// Dialogs that opened, and how they were answered.
    pub dialogs: Vec<Dialog>,
    /// Whether the tab showed another document meanwhile.
    pub navigated: bool,
}

impl Page {
    /// Marks the moment before an act: what begins from now on is what [`Page::settle`] waits for.
    pub fn begin_act(&self) -> Act {
        self.begin(Done::Act)
    }

    /// The same for what is less than an act.
    pub(super) fn begin(&self, done: Done) -> Act {
        self.core().traffic.begin_act();
        let mut state = self.core().state();
        state.done = state.done.max(done);
        let start = state.now();
        // Several acts may come before a look; the look waits for what any of them set off.
        state.mark.get_or_insert(start);
        drop(state);
        Act { core: self.core().clone(), start }
    }

    /// Waits for what the acts since the last look set off: a document on its way, requests that began (bounded), and one animation
    /// frame, so that handlers have run. It never fails for slowness: a page that does not come to rest is looked at as it is.
    pub async fn settle(&self, deadline: Instant) -> Result<(), PageError> {
        let core = self.core();
        let mark = {
            let mut state = core.state();
            state.done = Done::Texts;
            match state.mark.take() {
                Some(mark) => mark,
                // No act since the last look, but the document may not be whole yet. One that never is costs this wait once.
                None if state.comes_for_the_first_time() => state.now(),
                None => return Ok(()),
            }
        };
        if let Some(why) = core.stopped() {
            return Err(why);
        }
        let patience = deadline.min(Instant::now() + REQUESTS);
        let mut first = true;
        loop {
            self.painted(first, deadline).await?;
            first = false;
            if !core.state().unsettled(&mark) {
                return Ok(());
            }
            if !self.rested(&mark, patience, deadline).await? {
                return Ok(());
            }
        }
    }

    /// Before an act that first looks for its target: the same as [`Page::settle`], but where nothing was done since the last look
    /// except that fields were given texts, only what is under way is waited for. What their handlers began at once is told before
    /// the answer to a round trip; the look that follows still waits for all.
    pub async fn make_way(&self, deadline: Instant) -> Result<(), PageError> {
        let done = self.core().state().done;
        if done == Done::Texts { self.let_pass(deadline).await } else { self.settle(deadline).await }
    }

    /// Before a step that goes elsewhere, runs a script or changes what is around the page: what acts set off has its end first, or it
    /// would be cut short, or meet the change or not, as luck has it. Of what scripts did, only what is under way is waited for.
    pub async fn let_end(&self, deadline: Instant) -> Result<(), PageError> {
        let done = self.core().state().done;
        match done {
            Done::Texts | Done::Went => Ok(()),
            Done::Script => self.let_pass(deadline).await,
            Done::Act => self.settle(deadline).await,
        }
    }

    /// Waits for what is under way, but for no animation frame if nothing is.
    async fn let_pass(&self, deadline: Instant) -> Result<(), PageError> {
        let core = self.core();
        let (mark, world) = {
            let state = core.state();
            (state.mark, state.frames.main().and_then(|main| Some((main.session.clone(), main.world?))))
        };
        let (Some(mark), Some((session, world))) = (mark, world) else { return self.settle(deadline).await };
        let nothing =
            runtime::Evaluate { expression: "0", context_id: Some(world), return_by_value: true, await_promise: false };
        match core.answer(session.call(&nothing, deadline)).await {
            // Its document is on its way out.
            Err(error) if error.is_passing() => self.settle(deadline).await,
            Err(error) => Err(error),
            Ok(_) if core.state().unsettled(&mark) => self.settle(deadline).await,
            Ok(_) => Ok(()),
        }
    }

    /// Waits, for a second at most, until the watchers have heard everything that the frames have said so far: logs, errors, requests.
    pub async fn catch_up(&self, deadline: Instant) -> Result<(), PageError> {
        let core = self.core();
        let expression = format!("{}('{CAUGHT_UP}')", inject::BINDING);
        let (before, asked) = {
            let state = core.state();
            let mut asked = 0;
            for frame in state.frames.iter().filter(|frame| !frame.crashed) {
                let Some(world) = frame.world else { continue };
                frame.session.send(&runtime::Evaluate {
                    expression: &expression,
                    context_id: Some(world),
                    return_by_value: true,
                    await_promise: false,
                });
                asked += 1;
            }
            (state.caught_up, asked)
        };
        // A frame that goes away meanwhile says nothing any more.
        let soon = deadline.min(Instant::now() + CATCH_UP);
        core.until(soon, |state| (state.caught_up >= before + asked).then_some(())).await.map(drop)
    }

    /// Waits until documents and requests are there; `false` when patience ended first.
    async fn rested(&self, mark: &Mark, patience: Instant, deadline: Instant) -> Result<bool, PageError> {
        let core = self.core();
        let first = core.until(patience, |state| (!state.unsettled(mark)).then_some(())).await?;
        if first.is_some() {
            return Ok(true);
        }
        // Only a document of the tab itself is worth more than that: all the time there is until it is there …
        let navigating = |state: &State| state.frames.main().is_some_and(|main| main.navigating);
        if navigating(&core.state())
            && core.until(deadline, |state| (!navigating(state)).then_some(())).await?.is_none()
        {
            return Ok(false);
        }
        // … and some until it is complete.
        let loading = |state: &State| state.frames.main().is_some_and(|main| main.loading && !main.loaded);
        if !loading(&core.state()) {
            return Ok(false);
        }
        let load = deadline.min(Instant::now() + LOAD);
        Ok(core.until(load, |state| (!loading(state)).then_some(())).await?.is_some())
    }

    /// Waits for one animation frame, in which every callback that the act asked for has had its turn. With a seed the kit knows when
    /// nothing was asked for, and then the wait is saved; not so after a request has ended, whose handlers are still to run.
    async fn painted(&self, first: bool, deadline: Instant) -> Result<(), PageError> {
        if first && self.core().settings.seed.is_some() && !kit::pending(self, deadline).await? {
            return Ok(());
        }
        match self.call_tool::<Option<bool>>(self.main_frame(), "painted", &[], deadline).await {
            // The document is on its way out; what follows waits for the next one.
            Err(error) if error.is_passing() => Ok(()),
            other => other.map(drop),
        }
    }
}

impl Act {
    /// Ends the act and tells what it set off so far.
    pub fn finish(self) -> Aftermath {
        let state = self.core.state();
        Aftermath {
            dialogs: state.dialogs.get(self.start.dialogs..).unwrap_or_default().to_vec(),
            navigated: state.commits != self.start.commits,
        }
    }
}
