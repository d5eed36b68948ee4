//! The room's scripts: an isolated world in every frame, which pages neither see nor disturb.
//!
//! Each file under `js/` (and of [`super::act`]) sets functions on the object `tools`. Functions are called by name with an element or
//! nothing first, so that no source text travels with the calls.

use std::borrow::Cow;
use std::sync::LazyLock;

use serde::de::DeserializeOwned;
use tokio::time::Instant;

use super::act;
use super::error::PageError;
use super::tab::Page;
use crate::cdp::{Session, page as protocol, runtime};

/// The world's name.
pub(super) const WORLD: &str = "playscript";
/// The function by which an observer tells of a change.
pub(super) const BINDING: &str = "playscriptChanged";

const SCRIPTS: &[&str] = &[
    include_str!("js/look.js"),
    include_str!("js/observe.js"),
    include_str!("js/painted.js"),
    include_str!("js/find.js"),
    include_str!("js/tell.js"),
    include_str!("js/still.js"),
];

/// All scripts as one, which may run twice in a world without harm. The first document of a pop-up or a frame may inherit the window of the
/// empty one before it, with what was set on it but without its listeners: there they run again.
pub(super) static SCRIPT: LazyLock<String> = LazyLock::new(|| {
    let mut script = String::from(
        "(() => {\n'use strict';\nif (globalThis.__playscript?.document === document) return;\nconst tools = globalThis.__playscript = { document };\n",
    );
    for part in SCRIPTS.iter().chain(act::SCRIPTS) {
        // Each idea keeps its helpers to itself.
        script.push_str("(() => {\n");
        script.push_str(part);
        script.push_str("})();\n");
    }
    script.push_str("})()");
    script
});

/// The function text that calls a tool with `this` first.
pub(super) fn caller(function: &str) -> String {
    format!("function(...args) {{ return __playscript.{function}(this, ...args) }}")
}

/// The value that came out of a call, or what it threw.
pub(super) fn value<T: DeserializeOwned>(evaluated: runtime::Evaluated) -> Result<T, PageError> {
    if let Some(thrown) = evaluated.exception_details {
        return Err(thrown_error(&thrown));
    }
    let text = evaluated.result.value.as_ref().map_or("null", |value| value.get());
    serde_json::from_str(text).map_err(|error| PageError::Protocol(format!("the page answered {text}: {error}")))
}

pub(super) fn thrown_error(thrown: &runtime::ExceptionDetails) -> PageError {
    let text = thrown.exception.as_ref().map(runtime::RemoteObject::brief).unwrap_or_default();
    let text = if text.is_empty() { &thrown.text } else { &text };
    // A document that goes away in the middle of a promise.
    if text.contains("__playscript is not defined") {
        return PageError::Moved { reason: text.clone() };
    }
    // Only the browser knows what a selector is.
    if let Some((_, rest)) = text.split_once(" on '")
        && let Some((selector, _)) = rest.split_once("' is not a valid selector")
    {
        let selector = selector.split_once("': '").map_or(selector, |(_, selector)| selector);
        let message = format!("`{selector}` is no CSS selector");
        return PageError::Act { message, details: Vec::new() };
    }
    PageError::Protocol(format!("a script in the page failed: {text}"))
}

impl Page {
    /// The isolated world of a frame with the room's scripts in it, and the session to reach it by.
    pub(crate) async fn injected(&self, frame: &str, deadline: Instant) -> Result<(Session, i64), PageError> {
        let core = self.core();
        let (session, loader) = {
            let state = core.state();
            let Some(frame) = state.frames.get(frame) else {
                return Err(PageError::Moved { reason: "the frame is gone".to_owned() });
            };
            if let Some(world) = frame.world {
                return Ok((frame.session.clone(), world));
            }
            (frame.session.clone(), frame.loader.clone())
        };
        // The world stands before the page's first script, but its news may be on the way, and the very first empty documents of
        // frames have none. Asking for it gives the one that stands.
        let create = protocol::CreateIsolatedWorld { frame_id: frame, world_name: WORLD };
        let world = core.call(&session, &create, deadline).await?.execution_context_id;
        let install = runtime::Evaluate {
            expression: &SCRIPT,
            context_id: Some(world),
            return_by_value: true,
            await_promise: false,
        };
        value::<Option<()>>(core.call(&session, &install, deadline).await?)?;
        // Unless another document, or news of its world, has come meanwhile: nothing would ever tell of this world's end.
        if let Some(frame) = core.state().frames.get_mut(frame)
            && frame.world.is_none()
            && frame.loader == loader
            && frame.session.id() == session.id()
        {
            frame.world = Some(world);
        }
        Ok((session, world))
    }

    /// The value of an expression in the isolated world of a frame; a promise is waited for.
    pub(crate) async fn evaluate<T: DeserializeOwned>(
        &self,
        frame: &str,
        expression: &str,
        deadline: Instant,
    ) -> Result<T, PageError> {
        let (session, world) = self.injected(frame, deadline).await?;
        let evaluate =
            runtime::Evaluate { expression, context_id: Some(world), return_by_value: true, await_promise: true };
        value(self.core().call(&session, &evaluate, deadline).await?)
    }

    /// Calls a tool that is about a whole document.
    pub(super) async fn call_tool<T: DeserializeOwned>(
        &self,
        frame: &str,
        function: &str,
        args: &[serde_json::Value],
        deadline: Instant,
    ) -> Result<T, PageError> {
        let (session, world) = self.injected(frame, deadline).await?;
        let arguments: Vec<_> = args.iter().map(|value| runtime::Argument::Value(Cow::Borrowed(value))).collect();
        let call = runtime::CallFunctionOn {
            function_declaration: &format!("(...args) => __playscript.{function}(...args)"),
            object_id: None,
            execution_context_id: Some(world),
            arguments: &arguments,
            return_by_value: true,
            await_promise: true,
        };
        value(self.core().call(&session, &call, deadline).await?)
    }
}
