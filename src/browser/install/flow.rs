//! The way from no browser to one that was proven to start.

use std::fs;
use std::io::{self, Seek};
use std::path::Path;

use super::cache::{folder, program};
use super::download::Downloads;
use super::index::{platform, stable};
use super::unpack::unpack;
use super::{InstallError, Progress, packages};
use crate::browser::{BrowserError, Found, LaunchOptions, Surroundings, find_in};

/// A browser that was installed and has proven that it starts.
#[derive(Debug, Clone)]
pub struct Installed {
    /// The browser.
    pub browser: Found,
    /// What it says of its own version.
    pub version: String,
}

/// Installs a browser: the headless shell of Chrome for Testing into our own folder, or, where that
/// is out of reach, a package of the system's. Blocks for as long as that takes.
pub fn install(progress: &mut dyn FnMut(Progress)) -> Result<Installed, InstallError> {
    install_in(&Surroundings::from_env(), is_root(), progress)
}

/// The same in other surroundings than this process's; `root` says whether package managers may be
/// run directly.
pub fn install_in(
    surroundings: &Surroundings,
    root: bool,
    progress: &mut dyn FnMut(Progress),
) -> Result<Installed, InstallError> {
    let download = match by_download(surroundings, progress) {
        Ok(installed) => return Ok(installed),
        Err(error) => error,
    };
    // Something that is not what it should be is told, not passed over in silence.
    if !matches!(
        download,
        InstallError::OutOfReach { .. }
            | InstallError::NoSuchSystem { .. }
            | InstallError::DoesNotStart(_)
            | InstallError::NoCache
    ) {
        return Err(download);
    }
    progress(Progress::Step(format!("{download}; trying the system's packages")));
    by_package(surroundings, root, progress)
        .map_err(|packages| InstallError::Neither { download: Box::new(download), packages: Box::new(packages) })
}

fn by_download(surroundings: &Surroundings, progress: &mut dyn FnMut(Progress)) -> Result<Installed, InstallError> {
    let platform = platform().ok_or_else(|| InstallError::NoSuchSystem {
        system: format!("{} on {}", std::env::consts::OS, std::env::consts::ARCH),
    })?;
    let cache = folder(surroundings).ok_or(InstallError::NoCache)?;
    let downloads = Downloads::new(surroundings.download_host.as_deref())?;
    let index = downloads.index();
    progress(Progress::Step(format!("asking {index} for the newest version")));
    let release = stable(&downloads.text(&index)?, platform, &index)?;
    let home = cache.join(&release.version);
    if let Some(path) = program(&home)
        && let Ok(installed) = proven(path, Some(release.version.clone()))
    {
        progress(Progress::Step(format!("Chrome for Testing {} is here already", release.version)));
        return Ok(installed);
    }
    let disk = |path: &Path| {
        let path = path.to_owned();
        move |source: io::Error| InstallError::Disk { path, source }
    };
    fs::create_dir_all(&cache).map_err(disk(&cache))?;
    // Beside its place, so that it can take its place in one move; what is left half done goes with
    // the guard of the folder.
    let workshop = tempfile::Builder::new().prefix(".installing-").tempdir_in(&cache).map_err(disk(&cache))?;
    let url = downloads.here(&release.url);
    progress(Progress::Step(format!("fetching Chrome for Testing {} from {url}", release.version)));
    let mut archive = tempfile::tempfile_in(workshop.path()).map_err(disk(workshop.path()))?;
    if downloads.file(&url, &mut archive, progress)? == 0 {
        progress(Progress::Step("the server announces no checksum; only the archive's own are checked".to_owned()));
    }
    archive.rewind().map_err(disk(workshop.path()))?;
    progress(Progress::Step("unpacking".to_owned()));
    let unpacked = workshop.path().join("unpacked");
    fs::create_dir(&unpacked).map_err(disk(&unpacked))?;
    let bad = |reason: String| InstallError::BadArchive { url: url.clone(), reason };
    unpack(archive, &unpacked).map_err(bad)?;
    let path = program(&unpacked).ok_or_else(|| bad("it holds no headless shell".to_owned()))?;
    proven(path, None)?;
    take_place(&unpacked, &home)?;
    let path = program(&home).ok_or_else(|| bad("it holds no headless shell".to_owned()))?;
    proven(path, Some(release.version))
}

/// Moves the folder to its place. A damaged one that stands there makes way; one that another run
/// has just put there is as good.
fn take_place(unpacked: &Path, home: &Path) -> Result<(), InstallError> {
    let disk = |source| InstallError::Disk { path: home.to_owned(), source };
    if home.exists() {
        fs::remove_dir_all(home).map_err(disk)?;
    }
    match fs::rename(unpacked, home) {
        Err(error) if !home.exists() => Err(disk(error)),
        _ => Ok(()),
    }
}

fn by_package(
    surroundings: &Surroundings,
    root: bool,
    progress: &mut dyn FnMut(Progress),
) -> Result<Installed, InstallError> {
    packages::install(surroundings, root, progress)?;
    // What was named before is what did not do.
    let surroundings = Surroundings { chrome: None, cache: None, ..surroundings.clone() };
    let found = find_in(&LaunchOptions::default(), &surroundings);
    let found = found.map_err(|error: BrowserError| InstallError::DoesNotStart(error.to_string()))?;
    proven(found.path, None)
}

fn proven(path: std::path::PathBuf, version: Option<String>) -> Result<Installed, InstallError> {
    let kind = crate::browser::Kind::of(&path);
    let browser = Found { path, kind, version };
    let version = browser.ask_version().map_err(InstallError::DoesNotStart)?;
    Ok(Installed { browser, version })
}

#[cfg(unix)]
fn is_root() -> bool {
    rustix::process::geteuid().is_root()
}

#[cfg(not(unix))]
fn is_root() -> bool {
    false
}
