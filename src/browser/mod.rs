//! A Chrome: found, installed, launched, connected to, watched and ended; its contexts and targets.

pub mod install;

mod connect;
mod context;
mod error;
mod find;
mod launch;
mod machine;
mod options;
mod product;
mod profile;
mod running;
mod switches;
mod targets;
mod workdir;

#[cfg(unix)]
mod process;
#[cfg(not(unix))]
#[path = "process_windows.rs"]
mod process;

pub use context::{Context, Target};
pub use error::BrowserError;
pub use find::{Found, Kind, Surroundings, find, find_in};
pub use options::{LaunchOptions, Sandbox};
pub use running::Browser;
pub use switches::{SWITCHES, Switch, When};
