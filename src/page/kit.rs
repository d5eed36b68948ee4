//! The kit of a page with a seed or a clock: repeatable chance and dates, and knowing whether something is about to happen.

use serde_json::json;
use tokio::time::Instant;

use super::error::PageError;
use super::inject;
use super::tab::Page;
use crate::cdp::runtime;

/// What the dates of pages say.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Clock {
    /// The moment it is set to, in milliseconds since 1970-01-01T00:00:00Z.
    pub at: i64,
    /// Whether it goes on from there, or stands still.
    pub runs: bool,
    /// When it was set, by the machine's own clock, in the same unit.
    pub begun: i64,
}

/// Runs in the page's own world before its first script; nothing, where there is neither a seed nor a clock.
pub(super) fn script(seed: Option<u64>, clock: Option<Clock>) -> Option<String> {
    if seed.is_none() && clock.is_none() {
        return None;
    }
    // The number is written as a string: it may be larger than a script's numbers are exact.
    let seed = seed.map(|seed| seed.to_string());
    let clock = clock.map(|clock| json!({ "at": clock.at, "runs": clock.runs, "begun": clock.begun }));
    let options = json!({ "seed": seed, "clock": clock });
    Some(format!("({})({options})", include_str!("js/kit.js").trim()))
}

/// Whether any frame has a callback, a short timer or a message waiting for its turn.
pub(super) async fn pending(page: &Page, deadline: Instant) -> Result<bool, PageError> {
    let core = page.core();
    let asked: Vec<_> = {
        let state = core.state();
        let frames = state.frames.iter().filter(|frame| !frame.crashed);
        frames
            .filter_map(|frame| {
                let evaluate = runtime::Evaluate {
                    expression: "globalThis[Symbol.for('playscript.kit')]?.pending() ?? true",
                    context_id: Some(frame.main_world?),
                    return_by_value: true,
                    await_promise: false,
                };
                Some(frame.session.submit(&evaluate))
            })
            .collect()
    };
    // A frame that has gone or whose world is not known yet is a document on its way: then a frame's wait is not saved.
    let mut pending = asked.is_empty();
    for answer in asked {
        match core.answer(answer.await_by(deadline)).await {
            Ok(evaluated) => pending |= inject::value(evaluated).unwrap_or(true),
            Err(error) if error.is_passing() => pending = true,
            Err(error) => return Err(error),
        }
    }
    Ok(pending)
}
