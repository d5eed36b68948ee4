//! Files that steps name: inside the project, relative to the scenario or to the project's folder.

use std::path::{Path, PathBuf};

use crate::scenario::{Node, Place, Problems, file_beside, leads_out};
use crate::steps::failure::Failure;
use crate::steps::stage::Stage;
use crate::steps::step::At;

/// A file beside the scenario.
pub(in crate::steps) fn beside(place: &Place, path: &str) -> PathBuf {
    place.source.path.parent().unwrap_or(Path::new("")).join(path)
}

/// Tells at load when a file beside the scenario is not there, unless its name is known only later.
pub(in crate::steps) fn check_there(node: &Node, problems: &mut Problems) {
    let Some(text) = node.text().filter(|text| !text.contains("{{")) else { return };
    let _ = file_beside(node, text, problems);
}

/// The bytes of a file beside the scenario, which must lie in the project's folder.
pub(in crate::steps) fn read_beside(stage: &Stage, at: &At<'_>, path: &str) -> Result<Vec<u8>, Failure> {
    let unreadable = |error: &std::io::Error| at.failure(format!("the file `{path}` can't be read: {error}"));
    let file = beside(at.place, path).canonicalize().map_err(|error| unreadable(&error))?;
    let project = stage.props.project.canonicalize().map_err(|error| unreadable(&error))?;
    if !file.starts_with(&project) {
        return Err(at
            .failure(format!("`{path}` is outside the project's folder"))
            .label(file.display().to_string())
            .next("files are read inside the project only"));
    }
    std::fs::read(&file).map_err(|error| unreadable(&error))
}

/// The path inside the folder, or `None` when it leads out of it.
fn inside(folder: &Path, path: &Path) -> Option<PathBuf> {
    (!leads_out(&path.to_string_lossy())).then(|| folder.join(path))
}

/// Where a step may write: inside the project's folder, which the path is relative to.
pub(in crate::steps) fn writable(stage: &Stage, at: &At<'_>, path: &str) -> Result<PathBuf, Failure> {
    inside(&stage.props.project, Path::new(path)).ok_or_else(|| {
        at.failure(format!("`{path}` is outside the project's folder"))
            .next("files are written inside the project only")
    })
}

/// Writes a file, with the folders that it stands in.
pub(in crate::steps) fn write(at: &At<'_>, path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    let parent = path.parent().map_or(Ok(()), std::fs::create_dir_all);
    parent.and_then(|()| std::fs::write(path, bytes)).map_err(|error| {
        at.failure(format!("the file can't be written: {error}")).label(path.display().to_string()).of_world()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_written_inside_the_project_only() {
        let folder = Path::new("/project");
        assert_eq!(inside(folder, Path::new("shots/a.png")), Some(PathBuf::from("/project/shots/a.png")));
        assert_eq!(inside(folder, Path::new("../a.png")), None);
        assert_eq!(inside(folder, Path::new("/etc/a.png")), None);
    }
}
