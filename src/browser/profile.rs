//! A profile folder of the user's: is another browser at work on it?

use std::fs::File;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::BrowserError;
use super::workdir::lock;

/// A profile of the user's that nobody else uses. Nothing in it is ever removed by us, locks of the
/// dead included: Chrome knows how.
#[derive(Debug)]
pub(super) struct Profile {
    path: PathBuf,
    /// The folder itself, locked against other runs of ours: the headless shell takes no lock of
    /// its own.
    _lock: Option<File>,
}

impl Profile {
    pub(super) fn claim(path: &Path) -> Result<Profile, BrowserError> {
        let no_folder = |source| BrowserError::NoFolder { folder: path.to_owned(), source };
        std::fs::create_dir_all(path).map_err(no_folder)?;
        let path = std::path::absolute(path).map_err(no_folder)?;
        if let Some(holder) = holder(&path) {
            return Err(BrowserError::ProfileInUse { profile: path, holder });
        }
        let folder = File::open(&path).ok();
        if folder.as_ref().is_some_and(|folder| !lock_soon(folder)) {
            let holder = "another run of playscript".to_owned();
            return Err(BrowserError::ProfileInUse { profile: path, holder });
        }
        Ok(Profile { path, _lock: folder })
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }
}

/// A browser that is just being started elsewhere in this process has a copy of every open file for
/// a moment, those of a profile that was just given up among them.
fn lock_soon(folder: &File) -> bool {
    (0..20).any(|round| {
        if round > 0 {
            std::thread::sleep(Duration::from_millis(5));
        }
        lock(folder)
    })
}

/// Who holds the profile: Chrome leaves a link that names host and process.
#[cfg(unix)]
fn holder(profile: &Path) -> Option<String> {
    let link = std::fs::read_link(profile.join("SingletonLock")).ok()?;
    let link = link.to_string_lossy();
    let (host, process) = link.rsplit_once('-')?;
    if host != host_name()? {
        return Some(format!("process {process} on host {host}"));
    }
    let pid = rustix::process::Pid::from_raw(process.parse().ok()?)?;
    let dead = rustix::process::test_kill_process(pid) == Err(rustix::io::Errno::SRCH);
    (!dead).then(|| format!("process {process}"))
}

#[cfg(not(unix))]
fn holder(_profile: &Path) -> Option<String> {
    None
}

#[cfg(target_os = "linux")]
fn host_name() -> Option<String> {
    Some(std::fs::read_to_string("/proc/sys/kernel/hostname").ok()?.trim().to_owned())
}

#[cfg(all(unix, not(target_os = "linux")))]
fn host_name() -> Option<String> {
    let output = std::process::Command::new("hostname").output().ok()?;
    Some(String::from_utf8(output.stdout).ok()?.trim().to_owned())
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

    use super::*;

    fn locked_by(holder: &str) -> (tempfile::TempDir, Result<Profile, BrowserError>) {
        let folder = tempfile::tempdir().unwrap();
        std::os::unix::fs::symlink(holder, folder.path().join("SingletonLock")).unwrap();
        let claimed = Profile::claim(folder.path());
        assert!(folder.path().join("SingletonLock").is_symlink(), "the lock was removed");
        (folder, claimed)
    }

    #[test]
    fn a_lock_of_another_host_is_heeded() {
        let (folder, claimed) = locked_by("other-host-4242");
        let message = claimed.unwrap_err().to_string();
        assert!(message.contains("process 4242 on host other-host"), "{message}");
        assert!(message.contains(&*folder.path().to_string_lossy()), "{message}");
    }

    #[test]
    fn a_lock_of_a_process_that_lives_is_heeded() {
        let (_folder, claimed) = locked_by(&format!("{}-{}", host_name().unwrap(), std::process::id()));
        assert!(claimed.unwrap_err().to_string().contains(&format!("process {}", std::process::id())));
    }

    #[test]
    fn a_lock_of_a_dead_process_is_left_to_chrome() {
        let mut child = std::process::Command::new("true").spawn().unwrap();
        let pid = child.id();
        child.wait().unwrap();
        let (_folder, claimed) = locked_by(&format!("{}-{pid}", host_name().unwrap()));
        claimed.unwrap();
    }

    #[test]
    fn two_of_ours_do_not_share_a_profile() {
        let folder = tempfile::tempdir().unwrap();
        let first = Profile::claim(folder.path()).unwrap();
        assert!(matches!(Profile::claim(folder.path()), Err(BrowserError::ProfileInUse { .. })));
        drop(first);
        Profile::claim(folder.path()).unwrap();
    }
}
