//! `playscript schema`: the language as a JSON Schema, for editors.

use clap::Args;

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

Then let each scenario begin with the line
  # yaml-language-server: $schema=../playscript.schema.json")]
pub(super) struct Flags {}

pub(super) fn run(_: Flags) -> Result<Outcome, Failure> {
    say::out_bytes(text()?.as_bytes())?;
    Ok(Outcome::Passed)
}

/// The schema as a file.
pub(super) fn text() -> Result<String, Failure> {
    let text = serde_json::to_string_pretty(&crate::steps::schema());
    let text =
        text.map_err(|error| Failure::world(Diagnostic::new(format!("the schema can't be written: {error}"))))?;
    Ok(format!("{text}\n"))
}
