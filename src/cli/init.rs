//! `playscript init`: a first scenario with its page, the project's file and a workflow for CI. Nothing is written over.

use std::fs::{self, File};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use clap::Args;

use crate::scenario::Diagnostic;

use super::failure::Failure;
use super::outcome::Outcome;
use super::{say, schema};

/// Begin a project: a first scenario, its page, settings and a workflow for CI
///
/// Writes scenarios/first.yaml and its page, playscript.yaml, the schemas for editors, a .gitignore, and a workflow file. What is there
/// already is left as it is.
#[derive(Args)]
#[command(after_help = "\
Examples:
  playscript init          in this folder
  playscript init shop     in a folder of that name, which is made")]
pub(super) struct Flags {
    /// The project's folder
    #[arg(default_value = ".")]
    folder: PathBuf,
}

/// What a run leaves that nobody else needs.
const IGNORED: &str = "playscript-report/\n";

pub(super) fn run(flags: &Flags) -> Result<Outcome, Failure> {
    let (schema, project_schema) = (schema::of_scenarios()?, schema::of_project()?);
    let files = [
        ("playscript.yaml", include_str!("init/playscript.yaml")),
        (".gitignore", IGNORED),
        ("scenarios/first.yaml", include_str!("init/first.yaml")),
        ("scenarios/pages/first/index.html", include_str!("init/index.html")),
        ("playscript.schema.json", &schema),
        ("playscript.project.schema.json", &project_schema),
        (".github/workflows/playscript.yml", include_str!("init/workflow.yml")),
    ];
    let here = flags.folder == Path::new(".");
    for (name, text) in files {
        let path = if here { PathBuf::from(name) } else { flags.folder.join(name) };
        let word = if write_new(&path, text)? { "wrote" } else { "kept " };
        say::out(&format!("{word}  {}", path.display()))?;
    }
    let go = if here { String::new() } else { format!("cd {} && ", flags.folder.display()) };
    say::out(&format!("next: {go}playscript run"))?;
    Ok(Outcome::Passed)
}

/// Writes a file that is not there yet; whether it was written.
fn write_new(path: &Path, text: &str) -> Result<bool, Failure> {
    let written = path.parent().map_or(Ok(()), fs::create_dir_all).and_then(|()| {
        // Asked of the system in one go, so that nothing that comes into being meanwhile is written over.
        File::options().write(true).create_new(true).open(path)?.write_all(text.as_bytes())
    });
    match written {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == ErrorKind::AlreadyExists && path.is_file() => Ok(false),
        Err(error) => Err(Failure::world(
            Diagnostic::new(format!("can't write `{}`", path.display()))
                .detail("the system says", error.to_string())
                .next("name a folder that can be written to: playscript init FOLDER"),
        )),
    }
}
