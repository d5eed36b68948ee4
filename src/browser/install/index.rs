//! The list of versions of Chrome for Testing.

use serde::Deserialize;
use std::collections::HashMap;

use super::InstallError;

/// Where the list is.
pub(super) const INDEX: &str =
    "https://googlechromelabs.github.io/chrome-for-testing/last-known-good-versions-with-downloads.json";

/// Which of its downloads is meant.
const DOWNLOAD: &str = "chrome-headless-shell";

/// The name of the program in the archive.
pub(super) const PROGRAM: &str = if cfg!(windows) { "chrome-headless-shell.exe" } else { "chrome-headless-shell" };

/// A version to fetch.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Release {
    pub(super) version: String,
    pub(super) url: String,
}

#[derive(Deserialize)]
struct Index {
    channels: HashMap<String, Channel>,
}

#[derive(Deserialize)]
struct Channel {
    version: String,
    #[serde(default)]
    downloads: HashMap<String, Vec<Download>>,
}

#[derive(Deserialize)]
struct Download {
    platform: String,
    url: String,
}

/// This system's name in the list; none for systems that Chrome for Testing is not made for, such
/// as Linux on ARM.
pub(super) fn platform() -> Option<&'static str> {
    match (std::env::consts::OS, std::env::consts::ARCH) {
        ("linux", "x86_64") => Some("linux64"),
        ("macos", "aarch64") => Some("mac-arm64"),
        ("macos", "x86_64") => Some("mac-x64"),
        ("windows", "x86_64" | "aarch64") => Some("win64"),
        ("windows", "x86") => Some("win32"),
        _ => None,
    }
}

/// The newest stable version in the list.
pub(super) fn stable(index: &[u8], platform: &str, url: &str) -> Result<Release, InstallError> {
    let bad = |reason: String| InstallError::BadIndex { url: url.to_owned(), reason };
    let mut index: Index = serde_json::from_slice(index).map_err(|error| bad(error.to_string()))?;
    let channel = index.channels.remove("Stable").ok_or_else(|| bad("it has no Stable channel".to_owned()))?;
    // It becomes the name of a folder.
    let version = channel.version;
    if version.is_empty()
        || !version.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.')
        || version.contains("..")
    {
        return Err(bad(format!("{version:?} is no version")));
    }
    let downloads = channel.downloads.get(DOWNLOAD).map(Vec::as_slice).unwrap_or_default();
    let download = downloads.iter().find(|download| download.platform == platform);
    let download = download.ok_or_else(|| bad(format!("it has no {DOWNLOAD} for {platform}")))?;
    Ok(Release { version, url: download.url.clone() })
}
