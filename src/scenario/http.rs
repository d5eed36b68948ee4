//! What answers and requests are made of, wherever a scenario writes it: statuses, headers, files for a body.

use std::path::{Path, PathBuf};

use super::diagnostic::{Diagnostic, Problems, shown};
use super::node::{Key, Node};

/// Reads the HTTP status of an answer, or tells what is wrong with it.
pub fn status(node: &Node, problems: &mut Problems) -> Option<u16> {
    // Below are answers that are none yet, which the browser does not take.
    let status = node.json().as_u64().and_then(|status| u16::try_from(status).ok()).filter(|s| (200..=599).contains(s));
    if status.is_none() {
        problems.add(
            Diagnostic::new("`status` is an HTTP status from 200 to 599")
                .at(node.place.clone())
                .label("not one of them")
                .next("write 402, for instance"),
        );
    }
    status
}

/// Whether this can be the name of a header; what is wrong with it is told.
pub fn is_header_name(key: &Key, problems: &mut Problems) -> bool {
    let token = |c: char| c.is_ascii_alphanumeric() || "!#$%&'*+-.^_`|~".contains(c);
    let good = !key.name.is_empty() && key.name.chars().all(token);
    if !good {
        problems.add(
            Diagnostic::new(format!("`{}` can't be the name of a header", shown(&key.name)))
                .at(key.place.clone())
                .label("names of headers have letters, digits and `-`")
                .next("write a name such as Content-Type"),
        );
    }
    good
}

/// The file beside the scenario that a node names, or a problem where there is none.
pub fn file_beside(node: &Node, file: &str, problems: &mut Problems) -> Option<PathBuf> {
    let path = node.place.source.path.parent().unwrap_or(Path::new("")).join(file);
    if path.is_file() {
        return Some(path);
    }
    problems.add(
        Diagnostic::new(format!("there is no file `{}`", shown(file)))
            .at(node.place.clone())
            .label(if path.is_dir() { "this is a folder" } else { "not found beside this scenario" })
            .next("make the file, or correct its name; it is relative to this scenario"),
    );
    None
}
