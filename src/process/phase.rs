//! How far the life of a program has come.

use std::process::ExitStatus;

/// How far the life of a program has come.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Phase {
    /// It runs.
    Running,
    /// How it ended, such as `exited with code 0`.
    Ended(String),
    /// The same; and every process of it is gone, and so is its temporary folder.
    Cleared(String),
}

impl Phase {
    /// How it ended, if it has.
    pub fn how(&self) -> Option<&str> {
        match self {
            Phase::Running => None,
            Phase::Ended(how) | Phase::Cleared(how) => Some(how),
        }
    }
}

/// How a program ended, as it stands in a sentence: `exited with code 1`.
#[cfg(unix)]
pub fn ending(status: ExitStatus) -> String {
    use std::os::unix::process::ExitStatusExt;
    ending_of(status.code(), status.signal())
}

#[cfg(unix)]
pub(super) fn ending_of(code: Option<i32>, signal: Option<i32>) -> String {
    match (code, signal) {
        (Some(code), _) => format!("exited with code {code}"),
        (None, Some(signal)) => format!("was ended by signal {signal}"),
        (None, None) => "ended".to_owned(),
    }
}

/// How a program ended, as it stands in a sentence: `exited with code 1`.
#[cfg(not(unix))]
pub fn ending(status: ExitStatus) -> String {
    format!("exited with code {}", status.code().unwrap_or_default())
}
