//! How a browser is to be launched.

use std::path::PathBuf;

/// What the user may choose about a browser that is launched.
#[derive(Debug, Clone, Default)]
pub struct LaunchOptions {
    /// The program; otherwise `PLAYSCRIPT_CHROME`, the configuration and the usual places are
    /// asked.
    pub program: Option<PathBuf>,
    /// The program that the configuration names; comes after `PLAYSCRIPT_CHROME`.
    pub configured: Option<PathBuf>,
    /// With a window to look at.
    pub headed: bool,
    /// Whether Chrome's sandbox is used.
    pub sandbox: Sandbox,
    /// Switches that the user adds; they come last and win.
    pub extra_args: Vec<String>,
    /// A profile folder that is kept; otherwise a fresh one that is removed.
    pub profile: Option<PathBuf>,
}

/// Whether Chrome's sandbox is used.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Sandbox {
    /// On, except where Chrome cannot start with it: as root, or without user namespaces. Said
    /// once, in `Browser::notices`.
    #[default]
    Auto,
    /// On, come what may.
    On,
    /// Off.
    Off,
}
