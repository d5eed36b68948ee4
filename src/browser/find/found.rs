//! A browser that was found.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::process::again_while_busy;

/// A browser that was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// The program.
    pub path: PathBuf,
    /// What it seems to be.
    pub kind: Kind,
    /// Its version, where that is known without starting it.
    pub version: Option<String>,
}

/// What a program seems to be, by its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// The headless shell: the same engine without a window, several times cheaper a page.
    HeadlessShell,
    /// A browser with windows.
    Full,
}

impl Found {
    pub(super) fn at(path: PathBuf) -> Found {
        let kind = Kind::of(&path);
        Found { path, kind, version: None }
    }

    /// The name of its kind of browser: `Chrome`, `Chromium` or `Edge`.
    pub fn brand(&self) -> &'static str {
        let name = file_name(&self.path);
        if name.contains("chromium") || name == "headless_shell" {
            "Chromium"
        } else if name.contains("edge") {
            "Edge"
        } else {
            "Chrome"
        }
    }

    /// What the program says of its own version, such as `Chromium 156.0.8078.73`. Starts it, so
    /// this proves that it can start.
    pub fn ask_version(&self) -> Result<String, String> {
        let mut command = Command::new(&self.path);
        command.args(["--version", "--no-sandbox"]).stdin(Stdio::null());
        let output = again_while_busy(|| command.output())
            .map_err(|error| format!("{} cannot be started: {error}", self.path.display()))?;
        let version = String::from_utf8_lossy(&output.stdout).trim().to_owned();
        if output.status.success() && !version.is_empty() {
            return Ok(version);
        }
        let said = String::from_utf8_lossy(&output.stderr).trim().to_owned();
        Err(format!("{} does not start ({}): {said}", self.path.display(), output.status))
    }
}

impl Kind {
    /// By the name of the program.
    pub fn of(path: &Path) -> Kind {
        let name = file_name(path);
        if name.contains("headless-shell") || name.contains("headless_shell") {
            Kind::HeadlessShell
        } else {
            Kind::Full
        }
    }
}

fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().to_ascii_lowercase()
}
