//! Finding a path's file in the served folder.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use bytes::Bytes;

use super::path_names::PathNames;

/// Files up to this size are read at once; greater ones while they are sent.
const SMALL: u64 = 128 * 1024;
/// How many names of a folder are looked at for one that was perhaps meant.
const NAMES_LOOKED_AT: usize = 2_000;
/// How alike a name has to be to be offered (Jaro-Winkler, 1 is equal).
const ALIKE: f64 = 0.8;

/// What a path stands for in the folder.
pub(super) enum Found {
    /// A small file's name and bytes.
    Small(String, Bytes),
    /// A greater file's name, itself, and its length.
    Large(String, File, u64),
    /// A folder with a page of its own, asked for without the slash at its end.
    Folder,
}

/// Why nothing of the folder is served.
#[derive(Debug)]
pub(super) enum Miss {
    /// There is no such file; these names are much like it.
    Absent { alike: Vec<String> },
    /// It is a folder, and has no `index.html`.
    NoIndex,
    /// It is there, but a symbolic link leads out of the folder.
    Outside,
    /// It starts with a dot.
    Hidden,
    /// It is there, but neither file nor folder, or it can't be read.
    Unreadable(io::ErrorKind),
}

/// The served folder, symbolic links resolved.
#[derive(Debug)]
pub(super) struct Folder(PathBuf);

impl Folder {
    pub(super) fn open(path: &Path) -> io::Result<Folder> {
        let told = |kind, why: &str| io::Error::new(kind, format!("`{}` can't be served: {why}", path.display()));
        let resolved = path.canonicalize().map_err(|error| told(error.kind(), &error.to_string()))?;
        if !resolved.is_dir() {
            return Err(told(io::ErrorKind::NotADirectory, "it is not a folder"));
        }
        Ok(Folder(resolved))
    }

    /// Blocks on the file system.
    pub(super) fn find(&self, names: &PathNames) -> Result<Found, Miss> {
        if names.is_hidden() {
            return Err(Miss::Hidden);
        }
        let mut without_index = names.is_folder() && self.0.join(names.name()).is_dir();
        for name in names.candidates() {
            let path = match self.0.join(&name).canonicalize() {
                Ok(path) => path,
                Err(error) if is_absence(&error) => continue,
                Err(error) => return Err(Miss::Unreadable(error.kind())),
            };
            if !path.starts_with(&self.0) {
                return Err(Miss::Outside);
            }
            // Before opening: to open a pipe would wait for its other end.
            let kind = fs::metadata(&path).map_err(|error| Miss::Unreadable(error.kind()))?;
            if kind.is_dir() {
                if path.join("index.html").is_file() {
                    return Ok(Found::Folder);
                }
                without_index = true;
                continue;
            }
            if !kind.is_file() {
                return Err(Miss::Unreadable(io::ErrorKind::Unsupported));
            }
            return read(name, &path).map_err(|error| Miss::Unreadable(error.kind()));
        }
        if without_index { Err(Miss::NoIndex) } else { Err(Miss::Absent { alike: self.alike(&names.name()) }) }
    }

    /// The names in the same folder that are much like the one asked for, best first.
    fn alike(&self, name: &str) -> Vec<String> {
        let (parent, wanted) = name.rsplit_once('/').map_or(("", name), |(parent, wanted)| (parent, wanted));
        let Ok(parent_path) = self.0.join(parent).canonicalize() else {
            return Vec::new();
        };
        let Ok(entries) = fs::read_dir(&parent_path) else {
            return Vec::new();
        };
        if !parent_path.starts_with(&self.0) {
            return Vec::new();
        }
        let mut alike: Vec<(f64, String)> = entries
            .take(NAMES_LOOKED_AT)
            .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
            .filter(|known| !known.starts_with('.'))
            .map(|known| (strsim::jaro_winkler(&known.to_lowercase(), &wanted.to_lowercase()), known))
            .filter(|(likeness, _)| *likeness >= ALIKE)
            .collect();
        alike.sort_by(|left, right| right.0.total_cmp(&left.0).then_with(|| left.1.cmp(&right.1)));
        let slash = if parent.is_empty() { "" } else { "/" };
        alike.into_iter().take(3).map(|(_, known)| format!("/{parent}{slash}{known}")).collect()
    }
}

fn read(name: String, path: &Path) -> io::Result<Found> {
    let mut file = File::open(path)?;
    let length = file.metadata()?.len();
    if length > SMALL {
        return Ok(Found::Large(name, file, length));
    }
    let mut bytes = Vec::with_capacity(usize::try_from(length).unwrap_or_default());
    // Bounded, should the file be growing meanwhile.
    file.by_ref().take(SMALL).read_to_end(&mut bytes)?;
    Ok(Found::Small(name, bytes.into()))
}

/// Whether an error says that there is no such file, a name too long to be one included.
fn is_absence(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory | io::ErrorKind::InvalidFilename)
}
