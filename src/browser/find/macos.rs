//! Where browsers are on macOS.

use std::ffi::OsString;
use std::path::PathBuf;

/// Names of headless shells, best first.
pub(super) const HEADLESS_SHELLS: &[&str] = &["chrome-headless-shell", "chromium-headless-shell"];

/// Names of browsers with windows, best first.
pub(super) const BROWSERS: &[&str] = &["google-chrome", "chromium"];

/// Programs below an applications folder.
pub(super) const APPLICATIONS: &[&str] = &[
    "Google Chrome.app/Contents/MacOS/Google Chrome",
    "Google Chrome for Testing.app/Contents/MacOS/Google Chrome for Testing",
    "Chromium.app/Contents/MacOS/Chromium",
    "Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
    "Google Chrome Beta.app/Contents/MacOS/Google Chrome Beta",
    "Google Chrome Canary.app/Contents/MacOS/Google Chrome Canary",
];

pub(super) fn applications(set: &impl Fn(&str) -> Option<OsString>) -> Vec<PathBuf> {
    let own = set("HOME").map(|home| PathBuf::from(home).join("Applications"));
    std::iter::once(PathBuf::from("/Applications")).chain(own).collect()
}

pub(super) fn cache(set: &impl Fn(&str) -> Option<OsString>) -> Option<PathBuf> {
    Some(PathBuf::from(set("HOME")?).join("Library/Caches"))
}
