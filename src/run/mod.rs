//! Plan, workers, deadlines and events of a run. Nothing is printed here.

mod attempts;
mod browser;
mod case;
mod event;
mod mask;
mod needs;
mod pictures;
mod plan;
mod project;
mod queue;
mod settings;
mod stop;
mod surroundings;
mod workers;

pub use event::{Attempt, CaseEnded, CaseId, CaseTitle, Event, Play, RunEnded, RunStarted, Verdict};
pub use plan::{Case, Plan, load, load_with, scenario_files};
pub use project::{MOST_WORKERS, PROJECT, PROJECT_FILE, ProjectFile, Settled, project_file, project_schema};
pub use settings::{RunSettings, SCENARIO_TIMEOUT, Unreferenced, workers_for};
pub use workers::{RunError, run};
