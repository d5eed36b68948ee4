//! `playscript review`: goes through the snapshots that wait, and keeps or drops each.

use std::io::{self, BufRead};
use std::path::{Path, PathBuf};

use clap::Args;

use crate::report::terminal::Look;
use crate::report::{Paint, count, difference, visible_line};
use crate::scenario::{Diagnostic, shown};
use crate::snapshot::{Change, Pending, SnapshotError, accept, pending, reject};

use super::failure::Failure;
use super::outcome::Outcome;
use super::{paths, say};

/// Go through new and changed snapshots, and keep or drop each
///
/// A run leaves what differs from its snapshot beside it, as `.snap.new`. Each is shown with what differs, and you are asked: `a` accepts it,
/// which makes it the stored one; `r` rejects it; `s` leaves it for later; `q` ends the review. In a Cargo package `cargo insta review` does the
/// same.
#[derive(Args)]
#[command(after_help = "\
Examples:
  playscript review                          one after the other
  playscript review scenarios/todo.yaml      those of one scenario
  playscript review --list                   only show them
  playscript review --accept                 keep all of them

Exit codes:
  0 nothing waits any more, 1 something still waits, 2 a file is wrong, 3 a file can't be written")]
pub(super) struct Flags {
    /// Scenarios, or snapshot files [default: all that wait in the project]
    paths: Vec<PathBuf>,

    /// Only show them
    #[arg(long, conflicts_with_all = ["accept", "reject"])]
    list: bool,

    /// Accept all of them
    #[arg(long, conflicts_with = "reject")]
    accept: bool,

    /// Reject all of them
    #[arg(long)]
    reject: bool,
}

/// What becomes of one.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Decision {
    Accept,
    Reject,
    Leave,
    Stop,
}

pub(super) fn run(flags: &Flags) -> Result<Outcome, Failure> {
    let project = match flags.paths.first() {
        Some(_) => paths::wanted(&flags.paths)?.project,
        None => paths::here().project,
    };
    let (waiting, unreadable) = waiting(&project, &flags.paths)?;
    let paint = Look::of_stdout().paint;
    let mut left = waiting.len();
    for (index, one) in waiting.iter().enumerate() {
        say::out(&drawn(one, index + 1, waiting.len(), paint))?;
        let decision = match flags {
            Flags { accept: true, .. } => Decision::Accept,
            Flags { reject: true, .. } => Decision::Reject,
            Flags { list: true, .. } => Decision::Leave,
            _ => asked(paint)?,
        };
        match decision {
            Decision::Accept => {
                let stored = accept(&one.path).map_err(|error| wrong(&error))?;
                say::out(&format!("{} {}\n", paint.good("accepted"), shown_path(&stored)))?;
                left -= 1;
            }
            Decision::Reject => {
                reject(&one.path).map_err(|error| wrong(&error))?;
                say::out(&format!("{} {}\n", paint.bad("rejected"), shown_path(&one.path)))?;
                left -= 1;
            }
            Decision::Leave => say::out("")?,
            // The rest is not even shown.
            Decision::Stop => {
                say::out("")?;
                break;
            }
        }
    }
    if !unreadable.is_empty() {
        return Err(Failure { outcome: Outcome::Wrong, diagnostics: unreadable });
    }
    let end = match (waiting.len(), left) {
        (0, _) => "no snapshot waits for review".to_owned(),
        (_, 0) => format!("{} reviewed", count(waiting.len(), "snapshot")),
        (_, 1) => "1 snapshot waits for review".to_owned(),
        (_, left) => format!("{left} snapshots wait for review"),
    };
    say::out(&end)?;
    Ok(if left == 0 { Outcome::Passed } else { Outcome::Failed })
}

/// What waits and is meant, and what could not be read.
fn waiting(project: &Path, paths: &[PathBuf]) -> Result<(Vec<Pending>, Vec<Diagnostic>), Failure> {
    let all = pending(project).map_err(|error| wrong(&error))?;
    let (mut waiting, mut unreadable) = (Vec::new(), Vec::new());
    for one in all {
        match one {
            Ok(one) => waiting.push(one),
            Err(error) => unreadable.push(diagnostic(&error)),
        }
    }
    if let Some(path) = paths.iter().find(|path| !path.exists()) {
        let name = shown(&path.to_string_lossy());
        return Err(Failure::wrong(
            Diagnostic::new(format!("there is no `{name}`"))
                .next("name scenarios or snapshot files; without a name all that wait are reviewed"),
        ));
    }
    if !paths.is_empty() {
        waiting.retain(|one| {
            paths.iter().any(|path| {
                is(path, &one.path)
                    || is(path, &one.stored)
                    || one.source.as_ref().is_some_and(|(source, _)| holds(path, &project.join(source)))
            })
        });
    }
    Ok((waiting, unreadable))
}

fn is(one: &Path, other: &Path) -> bool {
    matches!((one.canonicalize(), other.canonicalize()), (Ok(one), Ok(other)) if one == other)
}

/// Whether that is the file, or a folder that holds it.
fn holds(path: &Path, file: &Path) -> bool {
    matches!((path.canonicalize(), file.canonicalize()), (Ok(path), Ok(file)) if file.starts_with(&path))
}

fn drawn(one: &Pending, number: usize, of: usize, paint: Paint) -> String {
    let mut text = format!("{} {}", paint.faint(format!("[{number}/{of}]")), paint.strong(shown_path(&one.path)));
    if let Some((source, line)) = &one.source {
        let line = line.map(|line| format!(":{line}")).unwrap_or_default();
        text.push_str(&format!("\n  {}", visible_line(&format!("{source}{line}"))));
        if let Some(name) = &one.description {
            text.push_str(&format!("  {}", visible_line(name)));
        }
    }
    match &one.change {
        Change::Outline { stored, .. } => {
            text.push_str(if stored.is_some() { "\n  stored (-) and new (+):\n" } else { "\n  it is new:\n" });
            text.push_str(&difference(&one.difference(), "    ", paint));
        }
        Change::Picture { new, stored: None, .. } => text.push_str(&format!("\n  it is new: {}", shown_path(new))),
        Change::Picture { new, stored: Some(stored), how } => {
            text.push_str(&format!("\n  {how}\n  stored: {}\n  new:    {}", shown_path(stored), shown_path(new)));
        }
    }
    text
}

/// Asks until an answer can be read; the end of the input ends the review.
fn asked(paint: Paint) -> Result<Decision, Failure> {
    let choices = "a accept, r reject, s leave it for later, q end";
    let mut input = io::stdin().lock();
    loop {
        say::out_bytes(format!("  {} ", paint.strong(format!("{choices}:"))).as_bytes())?;
        let mut line = Vec::new();
        let read = input.read_until(b'\n', &mut line).map_err(|error| {
            Failure::world(
                Diagnostic::new("the answer can't be read")
                    .detail("the system says", error.to_string())
                    .next("use --list, --accept or --reject"),
            )
        })?;
        if read == 0 {
            return Ok(Decision::Stop);
        }
        let answer = String::from_utf8_lossy(&line).trim().to_lowercase();
        // What is echoed to a terminal is not to be had from a pipe.
        if !io::IsTerminal::is_terminal(&io::stdin()) {
            say::out(&visible_line(&answer))?;
        }
        match answer.as_str() {
            "a" | "accept" => return Ok(Decision::Accept),
            "r" | "reject" => return Ok(Decision::Reject),
            "s" | "skip" | "" => return Ok(Decision::Leave),
            "q" | "quit" => return Ok(Decision::Stop),
            _ => {}
        }
    }
}

fn shown_path(path: &Path) -> String {
    visible_line(&path.strip_prefix(".").unwrap_or(path).display().to_string()).into_owned()
}

fn wrong(error: &SnapshotError) -> Failure {
    let diagnostics = vec![diagnostic(error)];
    let outcome = if matches!(error, SnapshotError::Io { .. }) { Outcome::World } else { Outcome::Wrong };
    Failure { outcome, diagnostics }
}

fn diagnostic(error: &SnapshotError) -> Diagnostic {
    Diagnostic::new(error.to_string()).next(error.next("playscript run"))
}
