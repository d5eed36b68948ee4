//! `playscript config`: what is in force, and where each of it came from.

use clap::{ArgMatches, Args};

use crate::report::visible_line;
use crate::run::project_file;
use crate::scenario::Problems;

use super::failure::Failure;
use super::outcome::Outcome;
use super::settings::SettingsFlags;
use super::{paths, say};

/// Print which settings are in force, and where each of them came from
///
/// A flag wins over the environment, which wins over `playscript.yaml` of the project, which wins over what is usual. What a
/// scenario says of itself wins over all of them.
#[derive(Args)]
#[command(after_help = "\
Examples:
  playscript config                 what `run` would use here
  playscript config --workers 4     the same with a flag")]
pub(super) struct Flags {
    #[command(flatten)]
    settings: SettingsFlags,
}

pub(super) fn run(flags: &Flags, matches: &ArgMatches) -> Result<Outcome, Failure> {
    let here = paths::here();
    let mut problems = Problems::default();
    let file = project_file(&here.project, &mut problems);
    if !problems.is_empty() {
        return Err(Failure { outcome: Outcome::Wrong, diagnostics: problems.into_vec() });
    }
    let rows = flags.settings.in_force(matches, &here, &file).rows;
    let names = rows.iter().map(|row| row.name.len()).max().unwrap_or(0);
    let values = rows.iter().map(|row| row.value.chars().count()).max().unwrap_or(0).min(60);
    let lines: Vec<String> = rows
        .iter()
        .map(|row| format!("{:names$}  {:values$}  {}", row.name, visible_line(&row.value), row.from))
        .collect();
    say::out(&lines.join("\n"))?;
    Ok(Outcome::Passed)
}
