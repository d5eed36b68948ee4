//! What an installation tells while it goes on.

/// A step of an installation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Progress {
    /// Something begins, such as `fetching Chrome for Testing 156.0.8078.73`.
    Step(String),
    /// So many bytes of a download have come.
    Downloaded {
        /// How many.
        bytes: u64,
        /// How many there will be, if that was told.
        total: Option<u64>,
    },
    /// A line that a package manager has printed.
    Output(String),
}
