//! `playscript browser`: which browser is used, and getting one.

use clap::{Args, Subcommand};

use crate::browser::find;
use crate::scenario::Diagnostic;

use super::browser_flags::WhichBrowser;
use super::failure::{Failure, NAME_ANOTHER};
use super::outcome::Outcome;
use super::{install, say};

/// Tell which browser is used, or install one
#[derive(Args)]
#[command(
    disable_help_subcommand = true,
    after_help = "\
Examples:
  playscript browser install      Chrome for Testing, or what the system's package manager has
  playscript browser path         the program that `run` would start
  playscript browser version      its name and version"
)]
pub(super) struct Flags {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Install a browser for playscript
    ///
    /// Fetches Chrome for Testing and checks it, or installs through the system's package manager where that is out of reach.
    Install,
    /// Print the path of the browser that would be used
    Path(WhichBrowser),
    /// Print the name and version of the browser that would be used
    Version(WhichBrowser),
}

pub(super) fn run(flags: Flags) -> Result<Outcome, Failure> {
    match flags.command {
        Command::Install => {
            let installed = install::install_now()?;
            say::out(&installed.browser.path.display().to_string())?;
        }
        Command::Path(flags) => {
            let found = find(&flags.launch_options())?;
            say::out(&found.path.display().to_string())?;
        }
        Command::Version(flags) => {
            let found = find(&flags.launch_options())?;
            let version = found.ask_version().map_err(|error| {
                let error = error.trim_end_matches([':', ' ']);
                Failure::world(Diagnostic::new(error).next(NAME_ANOTHER))
            })?;
            say::out(&version)?;
        }
    }
    Ok(Outcome::Passed)
}
