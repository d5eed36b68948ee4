//! Installing a browser, told while it goes on.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::browser::install::{Installed, Progress, install};
use crate::browser::{BrowserError, LaunchOptions, find};
use crate::report::terminal::{Look, Motion};
use crate::report::visible_line;

use super::failure::Failure;
use super::say;

/// Installs a browser unless one is found.
pub(super) fn install_if_missing(options: &LaunchOptions) -> Result<(), Failure> {
    match find(options) {
        Err(BrowserError::NotFound { .. }) => install_now().map(|_| ()),
        // A browser that was named and is wrong is told when it is started.
        _ => Ok(()),
    }
}

/// Installs a browser, and tells on standard error how that goes.
pub(super) fn install_now() -> Result<Installed, Failure> {
    let bar = bar();
    let installed = install(&mut |progress| match progress {
        Progress::Step(what) => {
            bar.reset();
            bar.suspend(|| say::note(&visible_line(&what)));
        }
        Progress::Downloaded { bytes, total } => {
            if let Some(total) = total {
                bar.set_length(total);
            }
            bar.set_position(bytes);
        }
        Progress::Output(line) => bar.suspend(|| say::note(&format!("  {}", visible_line(&line)))),
    });
    bar.finish_and_clear();
    installed.map_err(|error| Failure::world_error(&error))
}

/// A bar on standard error, where something may move; nothing elsewhere.
fn bar() -> ProgressBar {
    let target = match Look::of_stderr().motion {
        Motion::Moving => ProgressDrawTarget::stderr(),
        Motion::Still => ProgressDrawTarget::hidden(),
    };
    let style = ProgressStyle::with_template("  {bar:30} {bytes} of {total_bytes}  {bytes_per_sec}")
        // Cannot happen with the template above.
        .unwrap_or_else(|_| ProgressStyle::default_bar())
        .progress_chars("━╸ ");
    ProgressBar::with_draw_target(Some(0), target).with_style(style)
}
