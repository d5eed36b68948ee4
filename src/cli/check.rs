//! `playscript check`: all that is wrong with the files, without a browser.

use std::collections::HashSet;
use std::path::PathBuf;

use clap::Args;
use serde_json::Value as Json;

use crate::report::count;
use crate::run::{Plan, ProjectFile, load_with, project_file};
use crate::scenario::{Diagnostic, Problems};

use super::failure::Failure;
use super::outcome::Outcome;
use super::paths::Wanted;
use super::{paths, say};

/// Tell all that is wrong with scenario files, without a browser
///
/// Reads the files as `run` does, and tells everything that is wrong in all of them at once: each with its line, a mark
/// under the place, and the next move.
#[derive(Args)]
#[command(after_help = "\
Examples:
  playscript check                      every scenario in scenarios/
  playscript check login.yaml cart/     a file, and every scenario in a folder

Exit codes: 0 nothing is wrong, 2 something is")]
pub(super) struct Flags {
    /// Scenario files, and folders that hold some [default: scenarios/ of the project]
    paths: Vec<PathBuf>,
}

pub(super) fn run(flags: Flags) -> Result<Outcome, Failure> {
    let (plan, _) = checked(&paths::wanted(&flags.paths)?, &[])?;
    let files = match (plan.files, plan.parts) {
        (files, 0) => count(files, "file"),
        (0, parts) => format!("{} for scenarios to use", count(parts, "file")),
        (files, parts) => format!("{} and {} that they use", count(files, "file"), count(parts, "file")),
    };
    say::out(&format!("{files}, nothing wrong"))?;
    Ok(Outcome::Passed)
}

/// The plan of all files and the project's settings, if nothing is wrong with any of them.
pub(super) fn checked(wanted: &Wanted, variables: &[(String, Json)]) -> Result<(Plan, ProjectFile), Failure> {
    let mut problems = Problems::default();
    let file = project_file(&wanted.project, &mut problems);
    let plan = load_with(&wanted.paths, variables, &file, &mut problems);
    if problems.is_empty() {
        return Ok((plan, file));
    }
    let mut diagnostics = problems.into_vec();
    diagnostics.extend(total(&diagnostics, plan.files));
    Err(Failure { outcome: Outcome::Wrong, diagnostics })
}

/// `3 mistakes in 2 of 7 files`, where counting helps.
fn total(diagnostics: &[Diagnostic], files: usize) -> Option<Diagnostic> {
    let wrong: HashSet<_> =
        diagnostics.iter().filter_map(|one| one.place.as_ref()).map(|place| &place.source.path).collect();
    let mistakes = count(diagnostics.len(), "mistake");
    (diagnostics.len() > 1 && !wrong.is_empty())
        .then(|| Diagnostic::new(format!("{mistakes} in {} of {}", wrong.len(), count(files, "file"))))
}
