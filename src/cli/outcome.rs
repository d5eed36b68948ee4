//! How a command ended, and the exit code for it. The only place that knows the numbers.

use std::process::ExitCode;

/// How a command ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    /// It did what it was asked, and all that was to hold held.
    Passed,
    /// A scenario failed.
    Failed,
    /// What the user wrote is wrong: a file, a flag.
    Wrong,
    /// The world is wrong: no browser, no port, a full disk.
    World,
    /// The user stopped it.
    Interrupted,
}

impl Outcome {
    pub(super) fn code(self) -> u8 {
        match self {
            Outcome::Passed => 0,
            Outcome::Failed => 1,
            Outcome::Wrong => 2,
            Outcome::World => 3,
            // As a shell counts the end by an interrupt: 128 + SIGINT.
            Outcome::Interrupted => 130,
        }
    }
}

impl From<Outcome> for ExitCode {
    fn from(outcome: Outcome) -> Self {
        ExitCode::from(outcome.code())
    }
}
