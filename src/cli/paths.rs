//! Which scenarios are meant, and which folder is the project's.

use std::path::{Path, PathBuf};

use crate::run::{PROJECT_FILE as SETTINGS, project_file};
use crate::scenario::{Diagnostic, Problems, shell_word, shown};

use super::failure::Failure;

/// The folder that is run when none is named, unless the project names another.
const SCENARIOS: &str = "scenarios";

/// What to run, and where its snapshots and reports stand.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Wanted {
    /// Files and folders as they will be named in messages.
    pub(super) paths: Vec<PathBuf>,
    /// The project's folder.
    pub(super) project: PathBuf,
    /// Whether these are all scenarios of the project.
    pub(super) whole: bool,
}

impl Wanted {
    /// A file or folder of the project, without a `./` before it.
    pub(super) fn in_project(&self, name: &str) -> PathBuf {
        in_project(&self.project, name)
    }
}

fn in_project(project: &Path, name: &str) -> PathBuf {
    if project == Path::new(".") { PathBuf::from(name) } else { project.join(name) }
}

/// The project that the working folder is in, whatever scenarios it has.
pub(super) fn here() -> Wanted {
    Wanted { paths: Vec::new(), project: project_of(Path::new(".")), whole: true }
}

/// Finds out what is wanted: the paths as given, else the project's `scenarios` folder.
pub(super) fn wanted(given: &[PathBuf]) -> Result<Wanted, Failure> {
    let Some(first) = given.first() else {
        let project = project_of(Path::new("."));
        let folder = scenarios_of(&project);
        if !folder.is_dir() {
            let name = folder.display().to_string();
            return Err(Failure::wrong(
                Diagnostic::new(format!("there is no folder `{}` here", shown(&name)))
                    .next("name a scenario or a folder that holds some: playscript run login.yaml"),
            ));
        }
        return Ok(Wanted { paths: vec![folder], project, whole: true });
    };
    for path in given.iter().filter(|path| path.is_relative() && !path.exists()) {
        let beside = scenarios_of(&project_of(Path::new("."))).join(path);
        if beside.exists() {
            return Err(Failure::wrong(
                Diagnostic::new(format!("there is no `{}` here", path.display()))
                    .next(format!("name it as it is seen from here: {}", shell_word(&beside))),
            ));
        }
    }
    let project = project_of(if first.is_dir() { first } else { first.parent().unwrap_or(Path::new("")) });
    let whole = given.iter().any(|path| same(path, &scenarios_of(&project)));
    Ok(Wanted { paths: given.to_vec(), project, whole })
}

/// The folder of a project's scenarios. What is wrong with the project's file is told by whoever goes on to read it.
fn scenarios_of(project: &Path) -> PathBuf {
    let named = project_file(project, &mut Problems::default()).scenarios;
    named.map_or_else(|| in_project(project, SCENARIOS), |named| named.value)
}

/// The nearest folder at or above this one that holds the settings, else the working folder: as seen from the working
/// folder, so that what is said stays short.
fn project_of(folder: &Path) -> PathBuf {
    let working = PathBuf::from(".");
    let Ok(here) = working.canonicalize() else { return working };
    let Ok(folder) = here.join(folder).canonicalize() else { return working };
    folder.ancestors().find(|folder| folder.join(SETTINGS).is_file()).map_or(working, |found| seen_from(&here, found))
}

/// The folder as a person in `here` would write it. Both are absolute.
fn seen_from(here: &Path, folder: &Path) -> PathBuf {
    if folder == here {
        PathBuf::from(".")
    } else if let Ok(below) = folder.strip_prefix(here) {
        below.to_owned()
    } else if let Ok(above) = here.strip_prefix(folder) {
        above.iter().map(|_| "..").collect()
    } else {
        folder.to_owned()
    }
}

fn same(one: &Path, other: &Path) -> bool {
    match (one.canonicalize(), other.canonicalize()) {
        (Ok(one), Ok(other)) => one == other,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use std::fs;

    use super::*;

    #[test]
    fn the_project_is_the_nearest_folder_that_says_so() {
        let top = tempfile::tempdir().unwrap();
        let project = top.path().canonicalize().unwrap();
        let deep = project.join("scenarios/shop");
        fs::create_dir_all(&deep).unwrap();
        fs::write(project.join(SETTINGS), "").unwrap();
        let file = deep.join("cart.yaml");
        fs::write(&file, "").unwrap();
        let of = |path: &Path| wanted(&[path.to_owned()]).unwrap();
        assert_eq!(of(&file), Wanted { paths: vec![file.clone()], project: project.clone(), whole: false });
        assert_eq!(of(&deep), Wanted { paths: vec![deep.clone()], project: project.clone(), whole: false });
        assert!(of(&project.join("scenarios")).whole);
        // A file that is not there is told by whoever reads it.
        assert_eq!(of(&project.join("scenarios/none.yaml")).project, project);
    }

    #[test]
    fn without_settings_the_working_folder_is_the_project() {
        let top = tempfile::tempdir().unwrap();
        let wanted = wanted(&[top.path().join("a.yaml")]).unwrap();
        assert_eq!(wanted.project, Path::new("."));
        assert_eq!(wanted.in_project("snapshots"), Path::new("snapshots"));
    }

    #[test]
    fn folders_are_named_as_seen_from_here() {
        let seen = |here: &str, folder: &str| seen_from(Path::new(here), Path::new(folder)).display().to_string();
        assert_eq!(seen("/a/b", "/a/b"), ".");
        assert_eq!(seen("/a/b/c/d", "/a/b"), "../..");
        assert_eq!(seen("/a", "/a/b/c"), "b/c");
        assert_eq!(seen("/a/b", "/x"), "/x");
    }
}
