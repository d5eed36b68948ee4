//! Where browsers are on Linux and its like.

use std::ffi::OsString;
use std::path::PathBuf;

/// Names of headless shells, best first.
pub(super) const HEADLESS_SHELLS: &[&str] = &["chrome-headless-shell", "chromium-headless-shell", "headless_shell"];

/// Names of browsers with windows, best first.
pub(super) const BROWSERS: &[&str] = &[
    "google-chrome",
    "google-chrome-stable",
    "chrome",
    "chromium",
    "chromium-browser",
    "microsoft-edge",
    "microsoft-edge-stable",
    "google-chrome-beta",
    "google-chrome-unstable",
];

/// Programs below an applications folder; none needs to be on the `PATH`.
pub(super) const APPLICATIONS: &[&str] = &[
    "usr/lib64/chromium-browser/headless_shell",
    "opt/google/chrome/chrome",
    "usr/lib/chromium/chromium",
    "usr/lib/chromium-browser/chromium-browser",
    "opt/microsoft/msedge/msedge",
    "snap/bin/chromium",
    "usr/bin/chromium-headless-shell",
    "usr/bin/google-chrome",
    "usr/bin/chromium",
    "usr/bin/chromium-browser",
];

pub(super) fn applications(_set: &impl Fn(&str) -> Option<OsString>) -> Vec<PathBuf> {
    vec![PathBuf::from("/")]
}

pub(super) fn cache(set: &impl Fn(&str) -> Option<OsString>) -> Option<PathBuf> {
    let chosen = set("XDG_CACHE_HOME").map(PathBuf::from).filter(|path| path.is_absolute());
    chosen.or_else(|| Some(PathBuf::from(set("HOME")?).join(".cache")))
}
