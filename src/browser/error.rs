//! What can go wrong with a browser, told so that the reader knows the next move.

use std::io;
use std::path::PathBuf;
use std::time::Duration;

use crate::cdp::{CallError, ConnectError};
use crate::scenario::duration_in_words;

/// Why there is no browser, or it does not do what it should.
#[derive(Debug, thiserror::Error)]
pub enum BrowserError {
    /// None of the usual programs is in any of the usual places.
    #[error(
        "no browser was found\nlooked for: {}\nin: {}\ninstall one with `playscript browser install`, or name one with `--chrome PATH` or the variable PLAYSCRIPT_CHROME",
        names.join(", "),
        places.join(", ")
    )]
    NotFound {
        /// The names of programs that would have done.
        names: Vec<String>,
        /// The folders that were searched.
        places: Vec<String>,
    },
    /// The program that was named is not there.
    #[error("{named_by} names {}, but there is no such file\ninstall a browser with `playscript browser install`, or name another", path.display())]
    NoSuchFile {
        /// The path as given.
        path: PathBuf,
        /// Who named it.
        named_by: &'static str,
    },
    /// The program that was named cannot be executed.
    #[error("{named_by} names {}, but that is no program that can be executed{reason}", path.display())]
    NotExecutable {
        /// The path as given.
        path: PathBuf,
        /// Who named it.
        named_by: &'static str,
        /// Why, in brackets; may be empty.
        reason: String,
    },
    /// The headless shell was named for a run with windows.
    #[error("{named_by} names {}, the headless shell, which has no windows\nname another browser, or run without a window", path.display())]
    NoWindows {
        /// The path as given.
        path: PathBuf,
        /// Who named it.
        named_by: &'static str,
    },
    /// The system could not start the program.
    #[error("{} cannot be started: {source}", path.display())]
    CannotStart {
        /// The program.
        path: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
    /// The program ended before it had answered once.
    #[error("{} {how}, and never answered as a browser does{}", path.display(), said_below(.said))]
    ExitedAtOnce {
        /// The program.
        path: PathBuf,
        /// Such as `exited at once with code 0`.
        how: String,
        /// The last lines of its error output.
        said: String,
    },
    /// The program runs but does not answer.
    #[error("{} did not answer as a browser does within {}{}", path.display(), duration_in_words(*waited), said_below(.said))]
    NoAnswer {
        /// The program.
        path: PathBuf,
        /// How long was waited.
        waited: Duration,
        /// The last lines of its error output.
        said: String,
    },
    /// Another browser uses the profile.
    #[error("the profile {} is in use by {holder}\nend that browser, or name another profile folder", profile.display())]
    ProfileInUse {
        /// The profile folder.
        profile: PathBuf,
        /// Who holds it, such as `process 4242 on host build-7`.
        holder: String,
    },
    /// The folder for the browser's files, or the profile folder, could not be made.
    #[error("the folder {} for the browser cannot be made: {source}\nsee that the folder it stands in is there and can be written; temporary folders stand where TMPDIR says", folder.display())]
    NoFolder {
        /// Where it was to be made.
        folder: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
    /// A browser that runs already could not be connected to.
    #[error(transparent)]
    Connect(#[from] ConnectError),
    /// The browser runs, and a command of the protocol failed.
    #[error(transparent)]
    Call(#[from] CallError),
}

fn said_below(said: &str) -> String {
    if said.is_empty() { String::new() } else { format!("\nit said: {said}") }
}
