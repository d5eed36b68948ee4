//! `playscript schema`: the language, or a project's settings, as a JSON Schema, for editors.

use clap::Args;
use serde_json::Value as Json;

use crate::run::project_schema;
use crate::scenario::Diagnostic;

use super::failure::Failure;
use super::outcome::Outcome;
use super::say;

/// Print the JSON Schema of scenario files, for editors
///
/// An editor with a YAML language server completes verbs, keys and values by it, and shows what each of them does.
#[derive(Args)]
#[command(after_help = "\
Examples:
  playscript schema > playscript.schema.json
  playscript schema --project > playscript.project.schema.json

Then let each scenario begin with the line
  # yaml-language-server: $schema=../playscript.schema.json
and playscript.yaml with
  # yaml-language-server: $schema=playscript.project.schema.json")]
pub(super) struct Flags {
    /// The schema of `playscript.yaml`, the settings of a project
    #[arg(long)]
    project: bool,
}

pub(super) fn run(flags: &Flags) -> Result<Outcome, Failure> {
    let text = if flags.project { of_project()? } else { of_scenarios()? };
    say::out_bytes(text.as_bytes())?;
    Ok(Outcome::Passed)
}

/// The schema of scenarios, as a file.
pub(super) fn of_scenarios() -> Result<String, Failure> {
    text(&crate::steps::schema())
}

/// The schema of `playscript.yaml`, as a file.
pub(super) fn of_project() -> Result<String, Failure> {
    text(&project_schema())
}

fn text(schema: &Json) -> Result<String, Failure> {
    let text = serde_json::to_string_pretty(schema);
    let text =
        text.map_err(|error| Failure::world(Diagnostic::new(format!("the schema can't be written: {error}"))))?;
    Ok(format!("{text}\n"))
}
