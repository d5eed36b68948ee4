//! Why a command could not do what it was asked: an outcome and what to tell about it.

use std::fmt::Display;

use crate::browser::BrowserError;
use crate::scenario::Diagnostic;

use super::outcome::Outcome;

/// The next move where a browser is there and does not do what it should.
pub(super) const NAME_ANOTHER: &str = "name another Chrome, Chromium, Edge or headless shell with `--chrome PATH`";

/// Why a command could not do what it was asked.
#[derive(Debug)]
pub(super) struct Failure {
    pub(super) outcome: Outcome,
    pub(super) diagnostics: Vec<Diagnostic>,
}

impl Failure {
    /// What the user wrote is wrong.
    pub(super) fn wrong(diagnostic: Diagnostic) -> Self {
        Self { outcome: Outcome::Wrong, diagnostics: vec![diagnostic] }
    }

    /// The world is wrong.
    pub(super) fn world(diagnostic: Diagnostic) -> Self {
        Self { outcome: Outcome::World, diagnostics: vec![diagnostic] }
    }

    /// The same, from an error of another room that says in its lines what is wrong, what there is, and what to do.
    pub(super) fn world_error(error: &impl Display) -> Self {
        Self::world(Diagnostic::from_lines(&error.to_string()))
    }
}

impl From<BrowserError> for Failure {
    fn from(error: BrowserError) -> Self {
        let mut failure = Self::world_error(&error);
        for diagnostic in &mut failure.diagnostics {
            diagnostic.next.get_or_insert_with(|| NAME_ANOTHER.to_owned());
        }
        failure
    }
}
