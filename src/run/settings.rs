//! What a run is told from outside: read once from flags and files, never asked again.

use std::path::PathBuf;
use std::time::Duration;

use crate::browser::LaunchOptions;
use crate::scenario::BrowserSettings;

/// How a run is done.
#[derive(Clone, Debug)]
pub struct RunSettings {
    /// Which browser, and how it is started.
    pub launch: LaunchOptions,
    /// How long the browser may take to start.
    pub launch_timeout: Duration,
    /// How many cases are performed at a time.
    pub workers: usize,
    /// How long a step may take, unless it says so itself.
    pub step_timeout: Option<Duration>,
    /// How long a scenario may take, unless it says so itself.
    pub scenario_timeout: Duration,
    /// How often a case that failed is performed again, unless its scenario says so itself.
    pub retries: usize,
    /// Whether a case that passed only in a retry fails the run.
    pub fail_on_flaky: bool,
    /// How long the whole run may take.
    pub run_timeout: Option<Duration>,
    /// Where pictures go.
    pub report_folder: PathBuf,
    /// The project's folder: snapshots stand in it, and no step writes outside of it.
    pub project: PathBuf,
    /// Whether the plan holds every scenario of the project: only then can a snapshot be called unreferenced.
    pub whole_project: bool,
    /// What becomes of snapshots that no scenario names.
    pub unreferenced: Unreferenced,
    /// The browser's settings, for scenarios that do not say them.
    pub browser: BrowserSettings,
}

/// What becomes of stored snapshots that no scenario of a whole run names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Unreferenced {
    /// They are listed.
    #[default]
    List,
    /// They are listed and the run fails.
    Reject,
    /// They are deleted.
    Delete,
}

/// How long a scenario may take when nothing says so: longer than any sane one, shorter than a night.
pub const SCENARIO_TIMEOUT: Duration = Duration::from_secs(300);

/// A number of workers that a machine carries: its cores, but a Chrome page wants about 300 MB beside the 500 MB of
/// Chrome itself, and on few cores Chrome's own processes are the limit.
#[must_use]
pub fn workers_for(cores: usize, free_memory_mb: Option<u64>) -> usize {
    let by_memory =
        free_memory_mb.map_or(usize::MAX, |mb| usize::try_from(mb.saturating_sub(500) / 300).unwrap_or(usize::MAX));
    cores.clamp(1, 16).min(by_memory.max(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn workers_follow_cores_and_memory() {
        assert_eq!(workers_for(2, Some(24_000)), 2);
        assert_eq!(workers_for(8, Some(1_500)), 3);
        assert_eq!(workers_for(8, Some(100)), 1);
        assert_eq!(workers_for(64, None), 16);
        assert_eq!(workers_for(0, None), 1);
    }
}
