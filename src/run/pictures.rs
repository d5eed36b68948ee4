//! The folders of the report: where the pictures of a case go, and that those of former runs go first.

use std::ffi::OsStr;
use std::path::{Component, Path, PathBuf};

use super::plan::Case;

/// Where the pictures of an attempt go; those of each retry apart. The name depends on where the scenario stands in its project, and
/// not on where the program was started.
pub(super) fn folder(report: &Path, project: &Path, case: &Case, attempt: usize) -> PathBuf {
    let mut name = name(&case.file_in(project), case.row_number);
    if attempt > 1 {
        name.push_str(&format!("-attempt-{attempt}"));
    }
    report.join(name)
}

fn name(file: &Path, row: Option<usize>) -> String {
    let file = file.with_extension("");
    let parts = file.components().filter_map(|part| match part {
        Component::Normal(name) => Some(name.to_string_lossy().into_owned()),
        _ => None,
    });
    parts.chain(row.map(|row| format!("row-{row}"))).collect::<Vec<_>>().join("-")
}

/// Takes away the pictures that a former run has left: they would be taken for those of this one. What else stands there stays.
pub(super) fn clear(folder: &Path) {
    // A link may lead anywhere.
    let is_folder = |path: &Path| path.symlink_metadata().is_ok_and(|data| data.is_dir());
    if !is_folder(folder) {
        return;
    }
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        if entry.file_type().is_ok_and(|kind| kind.is_file()) && is_ours(&entry.file_name()) {
            // One that can't be removed is written over, or stays beside the new ones.
            let _ = std::fs::remove_file(entry.path());
        }
    }
    // Only if nothing is left in it.
    let _ = std::fs::remove_dir(folder);
}

/// Whether a file is called as only runs call theirs: `step-3.png`, `look-3.png`, `NAME.page.png`.
fn is_ours(name: &OsStr) -> bool {
    let Some(stem) = name.to_str().and_then(|name| name.strip_suffix(".png")) else { return false };
    let number = stem.strip_prefix("step-").or_else(|| stem.strip_prefix("look-"));
    number.is_some_and(|number| !number.is_empty() && number.chars().all(|c| c.is_ascii_digit()))
        || [".stored", ".page", ".difference"].iter().any(|end| stem.ends_with(end))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn only_what_runs_have_written_is_taken_away() {
        let top = tempfile::tempdir().unwrap();
        let folder = top.path().join("cart");
        std::fs::create_dir(&folder).unwrap();
        for name in ["step-1.png", "look-12.png", "cart__box.page.png", "step-a.png", "state.json", "mine.png"] {
            std::fs::write(folder.join(name), "").unwrap();
        }
        clear(&folder);
        let mut left: Vec<_> = std::fs::read_dir(&folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        left.sort();
        assert_eq!(left, ["mine.png", "state.json", "step-a.png"]);
    }

    #[test]
    fn a_folder_that_holds_nothing_else_goes_too_and_a_missing_one_is_fine() {
        let top = tempfile::tempdir().unwrap();
        let folder = top.path().join("cart");
        std::fs::create_dir(&folder).unwrap();
        std::fs::write(folder.join("step-1.png"), "").unwrap();
        clear(&folder);
        assert!(!folder.exists());
        clear(&folder);
    }

    #[test]
    fn folders_are_named_after_the_whole_path_in_the_project() {
        assert_eq!(name(Path::new("scenarios/a/home.yaml"), None), "scenarios-a-home");
        assert_eq!(name(Path::new("home.yaml"), Some(3)), "home-row-3");
    }
}
