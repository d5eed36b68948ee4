//! Files that a scenario hands to a page: beside the scenario file, and inside the project unless told.

use std::path::{Path, PathBuf};

use crate::scenario::{Deferred, Kind as NodeKind, Node};
use crate::steps::arguments::{Arguments, wrong};
use crate::steps::around::beside;
use crate::steps::failure::Failure;
use crate::steps::spec::{Field, Kind, field};
use crate::steps::stage::Stage;
use crate::steps::step::At;

/// The field that lets files lie anywhere.
pub(super) const OUTSIDE: Field =
    field("outside-project", Kind::Boolean, "Lets the files lie outside the project's folder too.");

/// What `files` says.
#[derive(Debug)]
pub(super) struct Files {
    paths: Vec<Deferred<String>>,
    outside: bool,
}

impl Files {
    /// Reads `files`, one name or a list of them, and `outside-project`.
    pub(super) fn read(args: &mut Arguments<'_>) -> Option<Files> {
        let outside = args.flag(OUTSIDE.name);
        let node = args.raw("files")?;
        let nodes: &[Node] = match &node.kind {
            NodeKind::List(items) => items,
            _ => std::slice::from_ref(node),
        };
        if nodes.is_empty() {
            args.problem(
                wrong(&node.place, "no file is named here")
                    .label("an empty list")
                    .next("name at least one: `files: [photo.png]`"),
            );
            return None;
        }
        // All of them are read before giving up: all that is wrong is told at once.
        let paths: Vec<_> = nodes.iter().map(|node| Deferred::parse(node, args.problems())).collect();
        Some(Files { paths: paths.into_iter().collect::<Option<_>>()?, outside })
    }

    /// The names as they are written.
    pub(super) fn words(&self) -> String {
        let words: Vec<String> = self.paths.iter().map(ToString::to_string).collect();
        words.join(", ")
    }

    /// The absolute paths; each exists.
    pub(super) async fn paths(&self, stage: &mut Stage, at: &At<'_>) -> Result<Vec<PathBuf>, Failure> {
        let project = stage.props.project.clone();
        let mut paths = Vec::new();
        for path in &self.paths {
            let path = stage.get(path, at).await?;
            paths.push(found(&beside(at.place, &path), &project, self.outside).map_err(|why| {
                match why {
                    Why::Missing(path) => at
                        .failure(format!("there is no file `{}`", path.display()))
                        .next("a file's name is relative to the scenario file"),
                    Why::Outside(path) => at
                        .failure(format!("`{}` is outside the project's folder", path.display()))
                        .next("put the file inside, or say `outside-project: true`"),
                }
            })?);
        }
        Ok(paths)
    }
}

#[derive(Debug, PartialEq)]
enum Why {
    Missing(PathBuf),
    Outside(PathBuf),
}

/// The file as an absolute path without links, which could lead out of the project.
fn found(path: &Path, project: &Path, outside: bool) -> Result<PathBuf, Why> {
    let Ok(real) = path.canonicalize() else { return Err(Why::Missing(path.to_owned())) };
    let inside = project.canonicalize().is_ok_and(|project| real.starts_with(project));
    if inside || outside { Ok(real) } else { Err(Why::Outside(path.to_owned())) }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn files_are_beside_the_scenario_and_inside_the_project() {
        let root = tempfile::tempdir().unwrap();
        let project = root.path().join("project");
        let folder = project.join("scenarios");
        std::fs::create_dir_all(&folder).unwrap();
        for file in ["project/a.txt", "project/scenarios/süß file.txt", "outside.txt"] {
            std::fs::write(root.path().join(file), "x").unwrap();
        }
        let find = |path: &str, outside| found(&folder.join(path), &project, outside);
        assert!(find("süß file.txt", false).unwrap().ends_with("scenarios/süß file.txt"));
        assert!(find("../a.txt", false).is_ok());
        assert_eq!(find("gone.txt", false), Err(Why::Missing(folder.join("gone.txt"))));
        assert_eq!(find("../../outside.txt", false), Err(Why::Outside(folder.join("../../outside.txt"))));
        assert!(find("../../outside.txt", true).is_ok());
    }
}
