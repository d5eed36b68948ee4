//! Our own folder of browsers: `chrome/<version>/<folder of the archive>/<program>`.

use std::path::{Path, PathBuf};

use super::index::PROGRAM;
use crate::browser::{Found, Kind, Surroundings};

/// The browsers that playscript has installed, the newest first.
pub fn installed(surroundings: &Surroundings) -> Vec<Found> {
    let Some(folder) = folder(surroundings) else {
        return Vec::new();
    };
    let Ok(entries) = std::fs::read_dir(folder) else {
        return Vec::new();
    };
    let mut found: Vec<(Vec<u32>, Found)> = entries
        .flatten()
        .filter_map(|entry| {
            let version = entry.file_name().into_string().ok()?;
            let numbers = version.split('.').map(str::parse).collect::<Result<Vec<u32>, _>>().ok()?;
            let path = program(&entry.path())?;
            let kind = Kind::of(&path);
            Some((numbers, Found { path, kind, version: Some(version) }))
        })
        .collect();
    found.sort_by(|(one, _), (other, _)| other.cmp(one));
    found.into_iter().map(|(_, found)| found).collect()
}

/// The folder of all versions.
pub(super) fn folder(surroundings: &Surroundings) -> Option<PathBuf> {
    Some(surroundings.cache.as_ref()?.join("chrome"))
}

/// The program in the folder of one version: the archive has one folder, named after the system.
pub(super) fn program(version: &Path) -> Option<PathBuf> {
    let folders = std::fs::read_dir(version).ok()?.flatten();
    folders.map(|folder| folder.path().join(PROGRAM)).find(|program| program.is_file())
}
