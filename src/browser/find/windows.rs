//! Where browsers are on Windows.

use std::ffi::OsString;
use std::path::PathBuf;

/// Names of headless shells, best first.
pub(super) const HEADLESS_SHELLS: &[&str] = &["chrome-headless-shell.exe"];

/// Names of browsers with windows, best first.
pub(super) const BROWSERS: &[&str] = &["chrome.exe", "chromium.exe", "msedge.exe"];

/// Programs below an applications folder.
pub(super) const APPLICATIONS: &[&str] = &[
    r"Google\Chrome\Application\chrome.exe",
    r"Chromium\Application\chrome.exe",
    r"Microsoft\Edge\Application\msedge.exe",
    r"Google\Chrome Beta\Application\chrome.exe",
    r"Google\Chrome SxS\Application\chrome.exe",
];

pub(super) fn applications(set: &impl Fn(&str) -> Option<OsString>) -> Vec<PathBuf> {
    ["ProgramFiles", "ProgramFiles(x86)", "LOCALAPPDATA"].into_iter().filter_map(set).map(PathBuf::from).collect()
}

pub(super) fn cache(set: &impl Fn(&str) -> Option<OsString>) -> Option<PathBuf> {
    set("LOCALAPPDATA").map(PathBuf::from)
}
