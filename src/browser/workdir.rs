//! The temporary folder of one browser: its profile and its other files.
//!
//! The folder holds a file `owner` that its process keeps locked. The lock goes with the process,
//! however that ends, so a folder whose file can be locked is a leftover and is removed by the next
//! launch.

use std::fs::{self, DirBuilder, File};
use std::hash::{BuildHasher, Hasher, RandomState};
use std::io;
use std::path::{Path, PathBuf};

const PREFIX: &str = "playscript-chrome-";

/// The longest that Chrome makes in its temporary folder and binds a socket to. Its full program does, at once, and ends when the
/// path is too long for that; the headless shell has no such sockets.
const SOCKET: &str = "/org.chromium.Chromium.XXXXXX/SingletonSocket";
/// How long the path of a socket may be, in bytes: `sun_path` of sockaddr_un, without the zero at its end (unix(7); macOS has
/// four bytes less than Linux).
const LONGEST_SOCKET: usize = if cfg!(target_os = "linux") { 107 } else { 103 };
/// Where temporary folders go when those of the user are too deep.
#[cfg(unix)]
const SHALLOW: &str = "/tmp";

/// Where temporary folders of browsers may be: the user's place for them, and the one for when that is too deep.
fn parents() -> Vec<PathBuf> {
    let mut parents = vec![std::env::temp_dir()];
    #[cfg(unix)]
    parents.extend(Some(PathBuf::from(SHALLOW)).filter(|shallow| *shallow != parents[0]));
    parents
}

/// The temporary folder of one browser. Removing it is up to whoever knows that the browser has
/// ended.
#[derive(Debug)]
pub(super) struct Workdir {
    path: PathBuf,
    /// Locked as long as it is open.
    _owner: File,
}

/// Where a temporary folder will be. Nothing is there yet, so that its guard can be up before it.
#[derive(Debug)]
pub(super) struct Place(PathBuf);

impl Place {
    /// A place of its own that is not too deep for a browser with `sockets`, if there is one.
    pub(super) fn choose(sockets: bool) -> Place {
        let parents = parents();
        let shallow = parents.iter().map(|parent| Place::below(parent)).find(|place| !(sockets && place.too_deep()));
        shallow.unwrap_or_else(|| Place::below(&std::env::temp_dir()))
    }

    fn below(parent: &Path) -> Place {
        // Each of these begins with other random numbers. The name is short, for the sake of the sockets below it.
        let random = RandomState::new().build_hasher().finish() >> 32;
        Place(parent.join(format!("{PREFIX}{random:08x}")))
    }

    /// Whether a browser could not have its sockets there.
    fn too_deep(&self) -> bool {
        cfg!(unix) && temp_of(&self.0).as_os_str().len() + SOCKET.len() > LONGEST_SOCKET
    }

    pub(super) fn path(&self) -> &Path {
        &self.0
    }

    /// A fresh profile.
    pub(super) fn profile(&self) -> PathBuf {
        self.0.join("profile")
    }

    /// Makes the folder. A folder that already is there is somebody else's, and an error.
    pub(super) fn make(self) -> io::Result<Workdir> {
        private().create(&self.0)?;
        // Locked before it has the name by which others look for leftovers.
        let unnamed = self.0.join("owner.new");
        let owner = File::create_new(&unnamed)?;
        lock(&owner);
        fs::rename(unnamed, self.0.join("owner"))?;
        fs::create_dir(self.profile())?;
        let workdir = Workdir { path: self.0, _owner: owner };
        fs::create_dir(workdir.temp())?;
        Ok(workdir)
    }
}

fn temp_of(path: &Path) -> PathBuf {
    path.join("tmp")
}

impl Workdir {
    /// For the browser's own temporary files, sockets among them, which it leaves behind when it is
    /// killed.
    pub(super) fn temp(&self) -> PathBuf {
        temp_of(&self.path)
    }

    /// Removes it with all that is in it. Something that still writes can make that fail once or
    /// twice.
    pub(super) fn remove(&self) -> io::Result<()> {
        for _ in 0..10 {
            match fs::remove_dir_all(&self.path) {
                Ok(()) => return Ok(()),
                Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
                Err(_) => std::thread::yield_now(),
            }
        }
        fs::remove_dir_all(&self.path)
    }
}

/// What pages leave in a profile is nobody else's business.
#[cfg(unix)]
fn private() -> DirBuilder {
    use std::os::unix::fs::DirBuilderExt;
    let mut builder = DirBuilder::new();
    builder.mode(0o700);
    builder
}

/// The temporary folder of Windows is the user's own.
#[cfg(not(unix))]
fn private() -> DirBuilder {
    DirBuilder::new()
}

/// Removes the folders that runs have left behind which could not remove them. What cannot be
/// removed is left to a later time.
pub(super) fn sweep() {
    for parent in parents() {
        sweep_below(&parent);
    }
}

fn sweep_below(parent: &Path) {
    let Ok(entries) = fs::read_dir(parent) else {
        return;
    };
    for entry in entries.flatten() {
        if !entry.file_name().to_string_lossy().starts_with(PREFIX) {
            continue;
        }
        // Without the file it is a folder that is just being made, or that somebody else is
        // removing.
        let Ok(owner) = File::open(entry.path().join("owner")) else {
            continue;
        };
        if lock(&owner) {
            tracing::debug!("removing what an earlier run has left: {}", entry.path().display());
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

/// Takes the lock if nobody has it.
#[cfg(unix)]
pub(super) fn lock(file: &File) -> bool {
    use rustix::fs::{FlockOperation, flock};
    flock(file, FlockOperation::NonBlockingLockExclusive).is_ok()
}

/// Windows does not let files be removed that a process has open: a folder in use survives the
/// attempt.
#[cfg(not(unix))]
pub(super) fn lock(_file: &File) -> bool {
    true
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

    use super::*;

    #[test]
    fn sweeping_takes_leftovers_only() {
        let parent = tempfile::tempdir().unwrap();
        let used = Place::below(parent.path()).make().unwrap();
        let left = Place::below(parent.path()).make().unwrap();
        let left_path = left.path.clone();
        fs::write(left_path.join("profile/Cookies"), "x").unwrap();
        drop(left);
        let strange = parent.path().join("playscript-chrome-without-owner");
        fs::create_dir(&strange).unwrap();

        sweep_below(parent.path());

        assert!(used.temp().is_dir(), "a folder in use was removed");
        assert!(!left_path.exists(), "a leftover has stayed");
        assert!(strange.exists(), "a folder of unknown kind was removed");
        used.remove().unwrap();
        assert!(!used.path.exists());
        used.remove().unwrap();
    }

    #[cfg(unix)]
    #[test]
    fn sockets_of_a_browser_fit_where_the_place_is_shallow_enough() {
        assert!(!Place::below(Path::new(SHALLOW)).too_deep());
        // One of a CI, with one of a test in it.
        assert!(!Place::below(Path::new("/tmp/tmp.XXXXXXXXXX/.tmpXX")).too_deep());
        assert!(Place::below(Path::new(&format!("/{}", "deep/".repeat(12)))).too_deep());
    }

    #[cfg(unix)]
    #[test]
    fn a_folder_is_private_and_never_somebody_elses() {
        use std::os::unix::fs::PermissionsExt;
        let parent = tempfile::tempdir().unwrap();
        let place = Place::below(parent.path());
        let again = Place(place.path().to_owned());
        assert_ne!(Place::below(parent.path()).path(), place.path());
        let made = place.make().unwrap();
        assert_eq!(made.path.metadata().unwrap().permissions().mode() & 0o777, 0o700);
        assert!(again.make().is_err());
    }
}
