//! What waits for review, and what no scenario names any more.

use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};

use super::claims::Claims;
use super::compare::Comparison;
use super::drawing::drawn;
use super::files;
use super::format::{self, Kept, ReadError, picture_of};
use super::key::Key;
use super::pictures::difference_of;
use super::store::{FOLDER, SnapshotError};

/// A snapshot that waits for review.
#[derive(Clone, Debug)]
pub struct Pending {
    /// The `.snap.new` file.
    pub path: PathBuf,
    /// The file it becomes when it is accepted.
    pub stored: PathBuf,
    /// The scenario, and the line of the step, that took it.
    pub source: Option<(String, Option<u32>)>,
    /// The scenario's name.
    pub description: Option<String>,
    /// The step, as in `snapshot: signed-in`.
    pub expression: Option<String>,
    /// What waits, beside what is stored.
    pub change: Change,
}

/// What waits for review, beside what is stored.
#[derive(Clone, Debug)]
pub enum Change {
    /// An outline.
    Outline {
        /// The one that waits.
        new: String,
        /// The one that is stored, if any.
        stored: Option<String>,
    },
    /// A picture.
    Picture {
        /// The file of the one that waits.
        new: PathBuf,
        /// The file of the one that is stored, if any.
        stored: Option<PathBuf>,
        /// How they differ, in words; empty if nothing is stored.
        how: String,
    },
}

impl Pending {
    /// What differs from what is stored: of an outline drawn, `-` is stored, `+` is new; of a picture in words.
    pub fn difference(&self) -> String {
        match &self.change {
            Change::Outline { new, stored } => drawn(&Comparison::new(stored.as_deref().unwrap_or_default(), new)),
            Change::Picture { how, .. } => how.clone(),
        }
    }
}

/// What waits for review in a project, in order of the files' names; a file that can't be read in its place.
pub fn pending(project: &Path) -> Result<Vec<Result<Pending, SnapshotError>>, SnapshotError> {
    let folder = project.join(FOLDER);
    let paths = files::ending(&folder, ".snap.new").map_err(|error| SnapshotError::Io { path: folder, error })?;
    Ok(paths.into_iter().map(one_pending).collect())
}

fn one_pending(path: PathBuf) -> Result<Pending, SnapshotError> {
    let stored = stored_of(&path)?;
    let new = existing(&path)?;
    let old = format::read(&stored)?.map(|stored| stored.content);
    let change = match new.content {
        Kept::Outline(new) => {
            let stored = match old {
                Some(Kept::Outline(text)) => Some(text),
                // It is replaced as a whole.
                Some(Kept::Picture(_)) | None => None,
            };
            Change::Outline { new, stored }
        }
        Kept::Picture(new) => {
            let old = match old {
                Some(Kept::Picture(bytes)) => Some(bytes),
                Some(Kept::Outline(_)) | None => None,
            };
            let how = old.as_ref().map(|old| difference_of(old, &new)).unwrap_or_default();
            Change::Picture { new: picture_of(&path), stored: old.map(|_| picture_of(&stored)), how }
        }
    };
    Ok(Pending {
        source: new.source.map(|source| (source, new.line)),
        description: new.description,
        expression: new.expression,
        change,
        path,
        stored,
    })
}

/// Accepts a `.snap.new` file: it becomes the stored one. Returns the path of that.
pub fn accept(pending: &Path) -> Result<PathBuf, SnapshotError> {
    let stored = stored_of(pending)?;
    let new = existing(pending)?;
    files::write_snapshot(&stored, &format::accepted(&new), new.content.content())
        .map_err(|error| SnapshotError::Io { path: stored.clone(), error })?;
    reject(pending)?;
    Ok(stored)
}

/// Rejects a `.snap.new` file: it is removed.
pub fn reject(pending: &Path) -> Result<(), SnapshotError> {
    stored_of(pending)?;
    files::remove_snapshot(pending).map_err(|error| SnapshotError::Io { path: pending.to_owned(), error })
}

fn stored_of(pending: &Path) -> Result<PathBuf, SnapshotError> {
    files::stored_of(pending).ok_or_else(|| SnapshotError::Io {
        path: pending.to_owned(),
        error: io::Error::new(io::ErrorKind::InvalidInput, "a snapshot that waits for review is named `….snap.new`"),
    })
}

fn existing(path: &Path) -> Result<format::Stored, SnapshotError> {
    format::read(path)?
        .ok_or_else(|| SnapshotError::Io { path: path.to_owned(), error: io::ErrorKind::NotFound.into() })
}

impl From<ReadError> for SnapshotError {
    fn from(error: ReadError) -> SnapshotError {
        match error {
            ReadError::Format(error) => SnapshotError::Format(error),
            ReadError::Io { path, error } => SnapshotError::Io { path, error },
        }
    }
}

/// A stored snapshot that no scenario names any more.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unreferenced {
    /// The stored file.
    pub path: PathBuf,
    /// The scenario that took it.
    pub source: String,
}

impl Unreferenced {
    /// Deletes the file, and what is pending for it.
    pub fn delete(&self) -> Result<(), SnapshotError> {
        for path in [files::pending_of(&self.path), self.path.clone()] {
            files::remove_snapshot(&path).map_err(|error| SnapshotError::Io { path, error })?;
        }
        Ok(())
    }
}

/// Stored snapshots of a project that nothing names any more: those of scenarios in `finished` that no step claimed, and
/// those whose scenario file is gone.
///
/// `finished` are the scenario files, relative to the project's folder, whose steps all were performed in this run: one that
/// failed half-way, was skipped, or was not run at all may still name what it did not come to. Files that were not taken by a
/// scenario (snapshots of a program's own tests, say) are never listed.
pub fn unreferenced(project: &Path, claims: &Claims, finished: &[PathBuf]) -> Result<Vec<Unreferenced>, SnapshotError> {
    let folder = project.join(FOLDER);
    let paths = files::ending(&folder, ".snap").map_err(|error| SnapshotError::Io { path: folder, error })?;
    let finished: BTreeSet<String> = finished.iter().map(|scenario| Key::scenario_stem(scenario)).collect();
    let mut list = Vec::new();
    for path in paths {
        let Some(stem) = path.file_stem().and_then(|stem| stem.to_str()) else {
            continue;
        };
        if claims.holds(stem) {
            continue;
        }
        // One that can't be read is not known to be a scenario's.
        let Ok(Some(stored)) = format::read(&path) else {
            continue;
        };
        let Some(source) = stored.source.filter(|source| source.ends_with(".yaml") || source.ends_with(".yml")) else {
            continue;
        };
        let is_of_finished = stem.rsplit_once("__").is_some_and(|(scenario, _)| finished.contains(scenario));
        if is_of_finished || !project.join(&source).exists() {
            list.push(Unreferenced { source, path });
        }
    }
    Ok(list)
}
