//! The ways a call can end without an answer that can be used.

use std::time::Duration;

/// Why a call gave no answer.
#[derive(Debug, Clone, thiserror::Error)]
pub enum CallError {
    /// The browser answered with an error.
    #[error("{method}: the browser refused: {message} ({code})")]
    Refused {
        /// The command.
        method: &'static str,
        /// The error's number in the protocol.
        code: i64,
        /// The browser's own words.
        message: String,
    },
    /// The browser left the command unanswered until the deadline.
    #[error("{method}: the browser did not answer within {}", seconds(*.waited))]
    TimedOut {
        /// The command.
        method: &'static str,
        /// How long the answer was waited for.
        waited: Duration,
    },
    /// The browser went while the call was pending, or had gone before.
    #[error("the browser has gone{}", after_colon(.last_words))]
    Gone {
        /// The last lines that the browser said on its error output, and how it ended, as far as
        /// known.
        last_words: String,
    },
    /// The target of the session was closed, or the session detached from it.
    #[error("{method}: the tab or frame was closed")]
    Detached {
        /// The command.
        method: &'static str,
    },
    /// The answer is not what the protocol promises, or the command could not be written down.
    #[error("{method}: cannot read the browser's answer: {message}")]
    Unreadable {
        /// The command.
        method: &'static str,
        /// What did not fit.
        message: String,
    },
}

/// (The same words are made in `scenario`, which this room does not know.)
pub(super) fn seconds(waited: Duration) -> String {
    if waited < Duration::from_secs(1) {
        format!("{} ms", waited.as_millis())
    } else {
        format!("{} s", (waited.as_secs_f64() * 10.0).round() / 10.0)
    }
}

fn after_colon(words: &str) -> String {
    if words.is_empty() { String::new() } else { format!(": {words}") }
}
