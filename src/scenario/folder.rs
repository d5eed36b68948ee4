//! Folders that a file names.

use std::path::{Path, PathBuf};

use super::diagnostic::{Diagnostic, Problems, nearest, shown};
use super::node::Node;
use super::source::Source;

/// The folder of this machine that a text names, as seen from the file it stands in; absolute. `what` names the text.
pub(super) fn existing_folder(source: &Source, node: &Node, what: &str, problems: &mut Problems) -> Option<PathBuf> {
    let folder = node.want_filled(what, problems)?;
    if folder.contains("://") {
        problems.add(
            Diagnostic::new(format!("{what} names a folder of this machine"))
                .at(node.place.clone())
                .label("this is an address")
                .next(format!("leave {what} out, and write `- open: {}`", shown(folder))),
        );
        return None;
    }
    let beside = source.path.parent().unwrap_or(Path::new("")).join(folder);
    match std::path::absolute(&beside).and_then(|path| path.canonicalize()) {
        Ok(path) if path.is_dir() => Some(path),
        Ok(_) => {
            problems.add(
                Diagnostic::new(format!("{what} must name a folder"))
                    .at(node.place.clone())
                    .label("this is a file")
                    .next("name the folder it stands in"),
            );
            None
        }
        Err(error) => {
            let mut looked_for = shown(&beside.display().to_string());
            if error.kind() != std::io::ErrorKind::NotFound {
                looked_for.push_str(&format!(" ({error})"));
            }
            problems.add(
                Diagnostic::new(format!("there is no folder `{}`", shown(folder)))
                    .at(node.place.clone())
                    .label(match sibling(&beside) {
                        Some(near) => format!("did you mean `{near}`?"),
                        None => "not found beside this file".to_owned(),
                    })
                    .detail("looked for", looked_for)
                    .next("make the folder, or correct its name; it is relative to this file"),
            );
            None
        }
    }
}

/// The folder beside a missing one whose name is near to it.
fn sibling(missing: &Path) -> Option<String> {
    let parent = missing.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let folders = std::fs::read_dir(parent).ok()?.flatten().filter(|entry| entry.path().is_dir());
    let mut names: Vec<String> = folders.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    nearest(&missing.file_name()?.to_string_lossy(), names.iter().map(String::as_str)).map(str::to_owned)
}
