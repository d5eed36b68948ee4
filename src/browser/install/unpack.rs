//! Unpacking an archive into an empty folder.

use std::fs::{self, File};
use std::io::{self, Read, Seek};
use std::path::{Component, Path, PathBuf};

use zip::ZipArchive;

/// An archive of a browser unpacks to some 300 MB; one that would fill the disk means harm.
const MOST_BYTES: u64 = 4 << 30;

/// Unpacks. Whatever would land outside of the folder ends it, and links with it.
pub(super) fn unpack(archive: impl Read + Seek, folder: &Path) -> Result<(), String> {
    let mut archive = ZipArchive::new(archive).map_err(|error| error.to_string())?;
    let mut left = MOST_BYTES;
    for index in 0..archive.len() {
        let mut entry = archive.by_index(index).map_err(|error| error.to_string())?;
        let name = entry.name().map_err(|error| error.to_string())?.into_owned();
        let inside = inside(&name).ok_or_else(|| format!("{name:?} would be put outside of the folder"))?;
        let path = folder.join(inside);
        let at = |error: io::Error| format!("{name}: {error}");
        if entry.is_dir() {
            fs::create_dir_all(&path).map_err(at)?;
            continue;
        }
        if entry.is_symlink() {
            return Err(format!("{name:?} is a link"));
        }
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent).map_err(at)?;
        }
        // An entry that stands twice is refused rather than written over.
        let mut file = File::create_new(&path).map_err(at)?;
        let written = io::copy(&mut (&mut entry).take(left), &mut file).map_err(at)?;
        left -= written;
        if left == 0 {
            return Err(format!("it has more than {} GB", MOST_BYTES >> 30));
        }
        keep_mode(&file, entry.unix_mode()).map_err(at)?;
    }
    Ok(())
}

/// The path as it is below the folder: plain names only.
fn inside(name: &str) -> Option<PathBuf> {
    // A backslash separates on Windows, and no archive of ours has one.
    if name.contains(['\\', '\0', ':']) {
        return None;
    }
    let path = PathBuf::from(name);
    let plain = path.components().all(|part| matches!(part, Component::Normal(_)));
    (plain && !name.is_empty()).then_some(path)
}

#[cfg(unix)]
fn keep_mode(file: &File, mode: Option<u32>) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    let Some(mode) = mode else { return Ok(()) };
    // Programs stay programs; nothing becomes writable for others or takes another user's rights.
    file.set_permissions(fs::Permissions::from_mode(0o644 | (mode & 0o111)))
}

#[cfg(not(unix))]
fn keep_mode(_file: &File, _mode: Option<u32>) -> io::Result<()> {
    Ok(())
}
