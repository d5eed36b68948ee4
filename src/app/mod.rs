//! The user's own application: started once a run for all scenarios that name it, waited for until it answers, ended with all of
//! its processes.
//!
//! Two scenarios share an application when they say the same of it. It is started when the first of them is performed, and ends
//! with the run: its processes are asked to (SIGTERM), and killed when that does not help. A guard does the same when the run
//! itself is killed.

mod apps;
mod command;
mod log;
mod port;
mod ready;

#[cfg(unix)]
mod program;
#[cfg(not(unix))]
#[path = "program_windows.rs"]
mod program;

pub use apps::{App, Apps};
