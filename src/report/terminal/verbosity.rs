//! How much is said.

/// How much is said, from little to much.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verbosity {
    /// Failures and the summary.
    Quiet,
    /// Also a line for each scenario, and notices.
    #[default]
    Normal,
    /// Also each step, and what `read`, `text` and `console` produced.
    Verbose,
}
