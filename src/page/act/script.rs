//! The JavaScript of acting, and calls into it.

use std::borrow::Cow;
use std::time::Duration;

use serde_json::{Value, json};
use tokio::time::Instant;

use crate::cdp::{Pending, Session, runtime};
use crate::page::Page;
use crate::page::error::PageError;

/// One script: its files share their helpers.
pub(in crate::page) const SCRIPTS: &[&str] = &[concat!(
    include_str!("js/geometry.js"),
    include_str!("js/describe.js"),
    include_str!("js/ready.js"),
    include_str!("js/guard.js"),
    include_str!("js/field.js"),
    include_str!("js/check.js"),
    include_str!("js/choose.js"),
    include_str!("js/upload.js"),
    include_str!("js/hover.js"),
    include_str!("js/wheel.js"),
    include_str!("js/tools.js"),
)];

/// How long a wait inside the page may take so that its answer, which says what was missing, is here by the deadline.
pub(super) fn budget(deadline: Instant) -> u64 {
    let left = deadline.saturating_duration_since(Instant::now());
    let margin = (left / 5).min(Duration::from_millis(200));
    u64::try_from((left - margin).as_millis()).unwrap_or(u64::MAX)
}

/// How long the answer to such a wait is listened for: on a busy machine it may be late, and it says more than that time is up.
pub(super) fn late(deadline: Instant) -> Instant {
    deadline + Duration::from_millis(250)
}

/// The world of a frame, to call functions in that are about no element.
#[derive(Clone, Debug)]
pub(super) struct World {
    pub(super) session: Session,
    pub(super) id: i64,
}

impl World {
    /// Calls a function at once; the answer can be waited for later.
    pub(super) fn submit(&self, function: &str, args: &[Value]) -> Pending<runtime::Evaluated> {
        self.with_call(function, args, |session, call| session.submit(call))
    }

    /// Calls a function whose answer is nobody's business.
    pub(super) fn send(&self, function: &str, args: &[Value]) {
        self.with_call(function, args, |session, call| session.send(call));
    }

    fn with_call<T>(
        &self,
        function: &str,
        args: &[Value],
        give: impl FnOnce(&Session, &runtime::CallFunctionOn<'_>) -> T,
    ) -> T {
        let arguments: Vec<_> = args.iter().map(|value| runtime::Argument::Value(Cow::Borrowed(value))).collect();
        let call = runtime::CallFunctionOn {
            function_declaration: &format!("(...args) => __playscript.{function}(null, ...args)"),
            object_id: None,
            execution_context_id: Some(self.id),
            arguments: &arguments,
            return_by_value: true,
            await_promise: true,
        };
        give(&self.session, &call)
    }
}

impl Page {
    /// The world of a frame.
    pub(super) async fn world_of(&self, frame: &str, deadline: Instant) -> Result<World, PageError> {
        let (session, id) = self.injected(frame, deadline).await?;
        Ok(World { session, id })
    }

    /// The worlds of all frames that are known to have one: others are still to show their first document.
    pub(super) fn worlds(&self) -> Vec<(String, World)> {
        let state = self.core().state();
        let frames = state.frames.iter().filter(|frame| !frame.crashed);
        frames
            .filter_map(|frame| Some((frame.id.clone(), World { session: frame.session.clone(), id: frame.world? })))
            .collect()
    }

    /// Asks all frames at once, and gives what those answer that still are there.
    pub(super) async fn ask_all<T: serde::de::DeserializeOwned>(
        &self,
        worlds: &[(String, World)],
        function: &str,
        args: &[Value],
        deadline: Instant,
    ) -> Vec<(String, T)> {
        let asked: Vec<_> = worlds.iter().map(|(frame, world)| (frame.clone(), world.submit(function, args))).collect();
        let mut answers = Vec::new();
        for (frame, pending) in asked {
            if let Ok(answer) = self.answer_of(pending, deadline).await {
                answers.push((frame, answer));
            }
        }
        answers
    }
}

/// The budget as an argument.
pub(super) fn within(deadline: Instant) -> Value {
    json!({ "budget": budget(deadline) })
}
