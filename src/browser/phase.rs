//! How far a browser's life has come.

/// How far a browser's life has come.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Phase {
    Running,
    /// How it ended, such as `exited with code 0`.
    Ended(String),
    /// Every process of it is gone, and so is the temporary folder.
    Cleared(String),
}

impl Phase {
    /// How it ended, if it has.
    pub(super) fn how(&self) -> Option<&str> {
        match self {
            Phase::Running => None,
            Phase::Ended(how) | Phase::Cleared(how) => Some(how),
        }
    }
}
