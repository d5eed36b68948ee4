//! Everything that happens in a run, as typed facts. The run prints nothing: reports read these.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use crate::scenario::{Diagnostic, Place};

/// Which case of the run an event speaks of: its place in the plan, from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct CaseId(pub usize);

/// One fact of a run, in the order in which it came about.
#[derive(Clone, Debug)]
pub enum Event {
    /// The browser is up and the plan is fixed.
    RunStarted(RunStarted),
    /// A worker took up a case.
    CaseStarted {
        /// Which case.
        case: CaseId,
        /// Its names.
        title: Arc<CaseTitle>,
        /// Which attempt this is, from 1.
        attempt: usize,
    },
    /// A step began.
    StepStarted {
        /// Which case.
        case: CaseId,
        /// The step as a person would say it: `click button "Pay"`.
        what: String,
        /// Where it stands in its file.
        place: Place,
    },
    /// A step produced something to look at: the outline of `read`, the text of `text`, the path of a picture.
    StepOutput {
        /// Which case.
        case: CaseId,
        /// The verb that produced it.
        verb: &'static str,
        /// What it produced.
        text: String,
        /// Where the step stands in its file.
        place: Place,
    },
    /// A step ended.
    StepEnded {
        /// Which case.
        case: CaseId,
        /// How long it took.
        took: Duration,
        /// Whether it passed; a failed `optional` step counts as passed and leaves a notice.
        passed: bool,
    },
    /// A game made a move.
    Moved {
        /// Which case.
        case: CaseId,
        /// Moves so far.
        moves: u64,
        /// The newest readings, in the order of the scenario, as they would be printed.
        readings: Vec<(String, String)>,
    },
    /// Something the user should know that is not a failure: a dialog answered by default, a snapshot written.
    Notice {
        /// Which case.
        case: CaseId,
        /// A sentence.
        text: String,
    },
    /// A case failed, and is performed again when all others have run. Its end comes later.
    AttemptFailed {
        /// Which case.
        case: CaseId,
        /// Its names.
        title: Arc<CaseTitle>,
        /// What came of it.
        attempt: Box<Attempt>,
        /// How many attempts it has in all.
        of: usize,
    },
    /// A case ended.
    CaseEnded(Box<CaseEnded>),
    /// All cases ended.
    RunEnded(RunEnded),
}

/// The head line of a run.
#[derive(Clone, Debug)]
pub struct RunStarted {
    /// How many cases the plan has.
    pub cases: usize,
    /// How many are performed at a time.
    pub workers: usize,
    /// The browser as a person would name it: `Chromium 156 (headless shell)`.
    pub browser: String,
    /// What was decided for the user and is said once: `running as root: the sandbox is off`.
    pub notices: Vec<String>,
}

/// What a case is called.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CaseTitle {
    /// The scenario file as the user named it.
    pub file: PathBuf,
    /// The scenario's `name`.
    pub name: String,
}

/// How a case ended.
#[derive(Clone, Debug)]
pub enum Verdict {
    /// Every step held.
    Passed,
    /// Every step held, in a retry: an attempt before had failed.
    Flaky,
    /// A step failed: what, where, and what to do.
    Failed(Box<Diagnostic>),
    /// The scenario asks to be skipped, for this reason.
    Skipped(String),
    /// The world was wrong, not the page: the browser went, the disk is full.
    Broken(Box<Diagnostic>),
    /// The run was interrupted before the case ended.
    Interrupted,
}

/// An attempt that failed and was not the last.
#[derive(Clone, Debug)]
pub struct Attempt {
    /// Which one, from 1.
    pub number: usize,
    /// Why it failed.
    pub why: Box<Diagnostic>,
    /// Further failures beside that, in their order: those of `soft` steps.
    pub also: Vec<Diagnostic>,
    /// From the moment a worker took it up to its last step.
    pub took: Duration,
}

/// A case's end.
#[derive(Clone, Debug)]
pub struct CaseEnded {
    /// Which case.
    pub case: CaseId,
    /// Its names.
    pub title: Arc<CaseTitle>,
    /// How it ended.
    pub verdict: Verdict,
    /// From the moment a worker took it up, the last attempt where there were several, and its application answered, to its last
    /// step.
    pub took: Duration,
    /// Steps performed, those of loops each time.
    pub steps: usize,
    /// What was measured, when moves were made.
    pub play: Option<Play>,
    /// Further failures beside that of the verdict, in their order: those of `soft` steps.
    pub also: Vec<Diagnostic>,
    /// Attempts before this one, all of them failed.
    pub earlier: Vec<Attempt>,
    /// How many attempts it had in all, 1 without retries.
    pub attempts: usize,
}

/// What a game measured.
#[derive(Clone, Debug, PartialEq)]
pub struct Play {
    /// Acts that changed the page.
    pub moves: u64,
    /// Time spent in the loops that made them.
    pub took: Duration,
    /// From input to the outline that shows the change: the median.
    pub median: Duration,
    /// The same, 95th percentile.
    pub p95: Duration,
    /// The last readings, in the order of the scenario.
    pub readings: Vec<(String, String)>,
}

impl Play {
    /// Moves a second over the time in loops; 0 when no time passed.
    #[must_use]
    pub fn per_second(&self) -> f64 {
        let seconds = self.took.as_secs_f64();
        if seconds > 0.0 { self.moves as f64 / seconds } else { 0.0 }
    }
}

/// The totals.
#[derive(Clone, Debug, Default)]
pub struct RunEnded {
    /// Cases that passed.
    pub passed: usize,
    /// Cases that passed in a retry.
    pub flaky: usize,
    /// Whether those fail the run.
    pub flaky_fails: bool,
    /// Cases that failed.
    pub failed: usize,
    /// Cases that were skipped.
    pub skipped: usize,
    /// Cases that the world broke.
    pub broken: usize,
    /// Cases that did not end because the run was interrupted.
    pub interrupted: usize,
    /// From the start of the program's work to the last case.
    pub took: Duration,
    /// The time that the run was given, when that is why it was interrupted.
    pub out_of_time: Option<Duration>,
    /// Snapshots of the scenarios that were run, which wait for review (`.snap.new`).
    pub pending: Vec<PathBuf>,
    /// Stored snapshots that no scenario of a whole run names any more.
    pub unreferenced: Vec<PathBuf>,
    /// Those that were deleted for that.
    pub deleted: Vec<PathBuf>,
}
