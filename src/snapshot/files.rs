//! Files written whole or not at all.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::format::{Content, picture_of};

/// Writes a file beside its place and renames it, so that a reader, or a run that is cut short, never sees half of it.
fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    std::fs::create_dir_all(folder)?;
    let mut builder = tempfile::Builder::new();
    // The temporary name is hidden from `cargo insta`.
    builder.prefix(".playscript-").suffix(".tmp");
    // A temporary file is its owner's alone unless told otherwise; a snapshot is a file like any other.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let mut file = builder.tempfile_in(folder)?;
    file.write_all(bytes)?;
    file.persist(path).map_err(|error| error.error)?;
    Ok(())
}

/// Writes a snapshot: the file, and before it the picture that it speaks of. One that was of the other kind is so no more.
pub(super) fn write_snapshot(path: &Path, file: &str, content: Content<'_>) -> io::Result<()> {
    match content {
        Content::Picture(bytes) => write(&picture_of(path), bytes)?,
        Content::Outline(_) => remove(&picture_of(path))?,
    }
    write(path, file.as_bytes())
}

/// Removes a snapshot, stored or pending, with its picture; one that is absent is removed already.
pub(super) fn remove_snapshot(path: &Path) -> io::Result<()> {
    remove(path)?;
    remove(&picture_of(path))
}

/// Removes what is pending for a stored snapshot.
pub(super) fn remove_pending(stored: &Path) -> io::Result<()> {
    remove_snapshot(&pending_of(stored))
}

/// Removes a file; one that is absent is removed already.
fn remove(path: &Path) -> io::Result<()> {
    match std::fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// The pending file of a stored one: `x.snap.new` of `x.snap`.
pub(super) fn pending_of(stored: &Path) -> PathBuf {
    let mut name = stored.as_os_str().to_owned();
    name.push(".new");
    name.into()
}

/// The stored file of a pending one, if it is named as one.
pub(super) fn stored_of(pending: &Path) -> Option<PathBuf> {
    let name = pending.file_name()?.to_str()?;
    let stored = name.strip_suffix(".new").filter(|name| name.ends_with(".snap"))?;
    Some(pending.with_file_name(stored))
}

/// The files of a folder whose names end so, in order; none if there is no such folder.
pub(super) fn ending(folder: &Path, end: &str) -> io::Result<Vec<PathBuf>> {
    let entries = match std::fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(error),
    };
    let mut paths = Vec::new();
    for entry in entries {
        let entry = entry?;
        let is_one = entry.file_name().to_str().is_some_and(|name| name.ends_with(end) && !name.starts_with('.'));
        if is_one && entry.path().is_file() {
            paths.push(entry.path());
        }
    }
    paths.sort();
    Ok(paths)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn a_file_is_replaced_and_nothing_else_is_left() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("snapshots").join("a__b.snap");
        write(&path, b"one").unwrap();
        write(&path, b"two").unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "two");
        assert_eq!(std::fs::read_dir(path.parent().unwrap()).unwrap().count(), 1);
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let plain = folder.path().join("plain");
            std::fs::write(&plain, "x").unwrap();
            let mode = |path: &Path| std::fs::metadata(path).unwrap().permissions().mode();
            assert_eq!(mode(&path), mode(&plain));
        }
    }

    #[test]
    fn pending_and_stored_names() {
        let stored = Path::new("s/a.b__c.snap");
        assert_eq!(pending_of(stored), Path::new("s/a.b__c.snap.new"));
        assert_eq!(stored_of(&pending_of(stored)).as_deref(), Some(stored));
        for other in ["s/a.snap", "s/a.new", "s/.new", "s/a.snap.new.png"] {
            assert_eq!(stored_of(Path::new(other)), None, "{other}");
        }
    }
}
