//! `playscript fmt`: lays files out, or tells which are not.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;

use crate::report::count;
use crate::run::scenario_files;
use crate::scenario::{Diagnostic, Place, Problems, Source, layout};

use super::failure::Failure;
use super::outcome::Outcome;
use super::{paths, say};

/// Lay scenario files out in one way
///
/// Two spaces a level, list items below their key, single blanks, at most one blank line. Words, quotes and comments stay as
/// they are, and what a file means never changes: a file of which that is not certain is left as it is, and told.
#[derive(Args)]
#[command(after_help = "\
Examples:
  playscript fmt                        every scenario in scenarios/
  playscript fmt login.yaml cart/       a file, and every scenario in a folder
  playscript fmt --check                write nothing, and exit 2 where something would change: for CI")]
pub(super) struct Flags {
    /// Scenario files, and folders that hold some [default: scenarios/ of the project]
    paths: Vec<PathBuf>,

    /// Write nothing; tell which files would change
    #[arg(long)]
    check: bool,
}

pub(super) fn run(flags: &Flags) -> Result<Outcome, Failure> {
    let mut problems = Problems::default();
    let files = scenario_files(&paths::wanted(&flags.paths)?.paths, &mut problems);
    let mut changed = 0;
    for path in &files {
        let Some(source) = Source::read(path, &mut problems) else { continue };
        let Some(text) = layout(&source, &mut problems) else { continue };
        // The bytes, since line ends and a mark at the start are a matter of layout too.
        if fs::read(path).is_ok_and(|written| written == text.as_bytes()) {
            continue;
        }
        changed += 1;
        if flags.check {
            problems.add(differs(&source, &text));
        } else {
            write(path, &text).map_err(|error| unwritten(path, &error))?;
            say::out(&format!("laid out  {}", path.display()))?;
        }
    }
    if !problems.is_empty() {
        return Err(Failure { outcome: Outcome::Wrong, diagnostics: problems.into_vec() });
    }
    let what = if changed == 0 { "as they should be".to_owned() } else { format!("{changed} of them changed") };
    say::out(&format!("{}, {what}", count(files.len(), "file")))?;
    Ok(Outcome::Passed)
}

/// The first line that would change.
fn differs(source: &Arc<Source>, text: &str) -> Diagnostic {
    let same = source.text.lines().zip(text.lines()).take_while(|(one, other)| one == other).count();
    let range = source.line(same + 1);
    let wanted = text.lines().nth(same).unwrap_or_default();
    let label = if wanted.is_empty() { "nothing belongs here" } else { "this line would change" };
    let mut diagnostic =
        Diagnostic::new("this file is laid out in another way").at(Place::new(source, range)).label(label);
    if !wanted.is_empty() {
        diagnostic = diagnostic.detail("it would read", wanted);
    }
    diagnostic.next(format!("playscript fmt {}", source.path.display()))
}

/// Writes beside the file and then takes its place, so that no file is ever half written.
fn write(path: &Path, text: &str) -> io::Result<()> {
    let path = path.canonicalize()?;
    let folder = path.parent().unwrap_or(Path::new("."));
    let mut beside = tempfile::NamedTempFile::new_in(folder)?;
    beside.write_all(text.as_bytes())?;
    fs::set_permissions(beside.path(), fs::metadata(&path)?.permissions())?;
    beside.persist(&path)?;
    Ok(())
}

fn unwritten(path: &Path, error: &io::Error) -> Failure {
    Failure::world(
        Diagnostic::new(format!("can't write `{}`", path.display()))
            .detail("the system says", error.to_string())
            .next("make the file and its folder writable"),
    )
}
