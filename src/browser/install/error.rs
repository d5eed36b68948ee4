//! Why no browser was installed.

use std::io;
use std::path::PathBuf;

/// Why no browser was installed.
#[derive(Debug, thiserror::Error)]
pub enum InstallError {
    /// A server could not be reached, or has no such file.
    #[error("{url} cannot be fetched: {reason}")]
    OutOfReach {
        /// The address.
        url: String,
        /// What went wrong.
        reason: String,
    },
    /// What came is not what the server says it has.
    #[error(
        "{url}: what came has the {kind} {found}, but the server announces {announced}; nothing was installed\ntry again, or fetch from elsewhere with PLAYSCRIPT_DOWNLOAD_HOST"
    )]
    WrongChecksum {
        /// The address.
        url: String,
        /// `MD5` or `CRC-32C`.
        kind: &'static str,
        /// What was announced, in the server's notation.
        announced: String,
        /// What came, in the same notation.
        found: String,
    },
    /// The list of versions cannot be read.
    #[error("the list of versions at {url} cannot be read: {reason}")]
    BadIndex {
        /// The address.
        url: String,
        /// What did not fit.
        reason: String,
    },
    /// The archive is damaged, or means harm.
    #[error("the archive from {url} cannot be unpacked: {reason}; nothing was installed")]
    BadArchive {
        /// The address.
        url: String,
        /// What is wrong.
        reason: String,
    },
    /// There is no Chrome for Testing for this system.
    #[error("there is no Chrome for Testing for {system}")]
    NoSuchSystem {
        /// Such as `linux on aarch64`.
        system: String,
    },
    /// What was installed does not start.
    #[error("{0}")]
    DoesNotStart(String),
    /// The disk, or rights to it.
    #[error("{}: {source}", path.display())]
    Disk {
        /// Where.
        path: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
    /// No folder to install into is known.
    #[error("no folder to install into is known: set PLAYSCRIPT_CACHE to one")]
    NoCache,
    /// None of the known package managers is there.
    #[error("none of these package managers was found: {0}")]
    NoPackageManager(String),
    /// The package manager needs rights that we do not have and cannot ask for.
    #[error("{manager} needs the rights of root; run this yourself:\n  {command}")]
    NoRights {
        /// Which one.
        manager: &'static str,
        /// What to type.
        command: String,
    },
    /// The package manager has failed.
    #[error("{command} has failed ({how}){}", after_lines(.output))]
    PackageManager {
        /// What was run.
        command: String,
        /// How it ended.
        how: String,
        /// The last lines of its output.
        output: String,
    },
    /// Neither way has worked.
    #[error("no browser could be installed\nby download: {download}\nby the system's packages: {packages}")]
    Neither {
        /// Why not by download.
        download: Box<InstallError>,
        /// Why not by package.
        packages: Box<InstallError>,
    },
}

fn after_lines(output: &str) -> String {
    if output.is_empty() { String::new() } else { format!(":\n{output}") }
}
