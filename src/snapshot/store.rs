//! Holding an outline against what is stored.

use std::io;
use std::path::{Path, PathBuf};

use regex::Regex;

use super::claims::{Claims, Clash};
use super::compare::{self, Comparison};
use super::drawing::drawn;
use super::files;
use super::format::{self, FormatError, Header, ReadError, Stored};
use super::key::Key;
use super::policy::{Destination, Policy};
use crate::outline::{Outline, Refs};

/// The folder of a project that holds its snapshots.
pub(super) const FOLDER: &str = "snapshots";

/// What a step asks to be held against its snapshot.
#[derive(Clone, Copy, Debug)]
pub struct Taken<'a> {
    /// What the snapshot is known by.
    pub key: &'a Key,
    /// The line of the step in the scenario file, counted from 1.
    pub line: u32,
    /// The scenario's name, for the one who reviews.
    pub description: &'a str,
    /// Which row of examples is played, as in `city=Oslo`; empty if there are none.
    pub row: &'a str,
    /// The page.
    pub outline: &'a Outline,
    /// What is replaced before storing and comparing.
    pub redactions: &'a [Redaction],
}

/// Something to be replaced in every line of an outline before it is stored or held against what is stored.
#[derive(Clone, Debug)]
pub struct Redaction {
    pattern: Regex,
    replacement: String,
}

impl Redaction {
    /// A redaction; the replacement may name groups of the pattern, as `$1` or `${name}`.
    pub fn new(pattern: Regex, replacement: impl Into<String>) -> Redaction {
        Redaction { pattern, replacement: replacement.into() }
    }
}

/// An outline held.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Held {
    /// It is what is stored.
    Matches,
    /// Nothing was stored, and now it is.
    Created {
        /// The stored file.
        path: PathBuf,
    },
    /// Something else was stored, and now this is.
    Updated {
        /// The stored file.
        path: PathBuf,
    },
}

/// How an outline stands to what is stored; nothing is written to know it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// It is what is stored.
    Matches,
    /// Something else is stored.
    Differs,
    /// Nothing is stored.
    Missing,
}

/// An outline that could not be held. Paths are relative to the project's folder.
#[derive(Debug, thiserror::Error)]
pub enum SnapshotError {
    /// Nothing is stored to hold it against.
    #[error("there is no snapshot {} yet", .path.display())]
    Missing {
        /// The file that would hold it.
        path: PathBuf,
        /// Where it was written for review, or why it was not.
        written: Result<PathBuf, &'static str>,
    },
    /// Something else is stored.
    #[error("the page differs from its snapshot {}", .path.display())]
    Differs {
        /// The stored file.
        path: PathBuf,
        /// What differs, drawn: `-` is stored, `+` is on the page.
        difference: String,
        /// Stored lines that look like patterns and are none.
        notes: Vec<String>,
        /// Where it was written for review, or why it was not.
        written: Result<PathBuf, &'static str>,
    },
    /// What is stored is no snapshot.
    #[error("{0}")]
    Format(#[from] FormatError),
    /// Another step has this snapshot.
    #[error("{0}")]
    Clash(#[from] Clash),
    /// It could not be read or written.
    #[error("{}: {error}", .path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What went wrong.
        error: io::Error,
    },
}

impl SnapshotError {
    /// What to do about it. `again` is the command that performs the scenario again.
    pub fn next(&self, again: &str) -> String {
        match self {
            SnapshotError::Missing { written: Ok(pending), .. } => {
                format!("it was written to {}; if it is right, keep it: INSTA_UPDATE=always {again}", pending.display())
            }
            SnapshotError::Missing { written: Err(reason), .. } => {
                format!("{reason}; run it once where it may be written, and commit the file")
            }
            SnapshotError::Differs { written: Ok(pending), .. } => {
                format!(
                    "what the page shows was written to {}; if it is right, keep it: INSTA_UPDATE=always {again}",
                    pending.display()
                )
            }
            SnapshotError::Differs { written: Err(reason), .. } => {
                format!("{reason}; if the page is right, accept it where it may be written, and commit the file")
            }
            SnapshotError::Format(_) => {
                "mend the file, or delete it to have it written anew (the text after its second `---` is the outline)"
                    .to_owned()
            }
            SnapshotError::Clash(clash) => clash.next().to_owned(),
            SnapshotError::Io { .. } => "see that the folder can be read and written".to_owned(),
        }
    }

    /// What belongs beneath the message, each with a title.
    pub fn details(&self) -> Vec<(String, String)> {
        let SnapshotError::Differs { difference, notes, .. } = self else {
            return Vec::new();
        };
        let mut details = vec![("stored (-) and the page (+)".to_owned(), difference.clone())];
        if !notes.is_empty() {
            details.push(("in the stored file".to_owned(), notes.join("\n")));
        }
        details
    }
}

/// The snapshots of a project during one run.
#[derive(Debug)]
pub struct Store {
    project: PathBuf,
    policy: Policy,
    claims: Claims,
}

impl Store {
    /// The store of the project in that folder: its files stand in `snapshots/` there.
    pub fn new(project: impl Into<PathBuf>, policy: Policy) -> Store {
        Store { project: project.into(), policy, claims: Claims::new() }
    }

    /// Who holds what in this run.
    pub fn claims(&self) -> &Claims {
        &self.claims
    }

    /// The file that a snapshot is stored in.
    pub fn path(&self, key: &Key) -> PathBuf {
        self.project.join(FOLDER).join(format!("{}.snap", key.stem()))
    }

    /// How an outline stands to what is stored. Writes nothing, so that a step may ask again while it waits for the page.
    pub fn standing(&self, taken: &Taken<'_>) -> Result<Standing, SnapshotError> {
        self.claim(taken)?;
        let Some(stored) = self.stored(&self.path(taken.key))? else {
            return Ok(Standing::Missing);
        };
        let matches = compare::matches(&stored.text, &redacted(taken));
        Ok(if matches { Standing::Matches } else { Standing::Differs })
    }

    /// Holds an outline against what is stored, and writes what the policy has written. An outline that was only written
    /// for review, or not at all, is an error.
    pub fn hold(&self, taken: &Taken<'_>) -> Result<Held, SnapshotError> {
        self.claim(taken)?;
        let path = self.path(taken.key);
        let text = redacted(taken);
        let Some(stored) = self.stored(&path)? else {
            return match self.write(taken, &path, &text, false)? {
                Written::Stored => Ok(Held::Created { path: self.shown(&path) }),
                Written::Not(written) => Err(SnapshotError::Missing { path: self.shown(&path), written }),
            };
        };
        let comparison = Comparison::new(&stored.text, &text);
        let merged = comparison.merged();
        if comparison.matches() {
            // What is pending from an earlier run is out of date.
            self.io(&path, files::remove(&files::pending_of(&path)))?;
            return self.matched(taken, &path, &stored, &merged);
        }
        match self.write(taken, &path, &merged, true)? {
            Written::Stored => Ok(Held::Updated { path: self.shown(&path) }),
            Written::Not(written) => Err(SnapshotError::Differs {
                path: self.shown(&path),
                difference: drawn(&comparison),
                notes: notes(&comparison, &stored),
                written,
            }),
        }
    }

    fn matched(&self, taken: &Taken<'_>, path: &Path, stored: &Stored, merged: &str) -> Result<Held, SnapshotError> {
        let file = format::render(&header(taken), merged, false);
        if !self.policy.rewrites() || file == stored.raw {
            return Ok(Held::Matches);
        }
        self.claims.writes(&taken.key.stem(), taken.row, merged)?;
        self.io(path, files::write(path, &file))?;
        Ok(Held::Updated { path: self.shown(path) })
    }

    fn write(&self, taken: &Taken<'_>, path: &Path, text: &str, is_stored: bool) -> Result<Written, SnapshotError> {
        let pending = files::pending_of(path);
        let destination = self.policy.destination(is_stored);
        if destination == Destination::Nowhere {
            return Ok(Written::Not(Err(self.policy.reason())));
        }
        self.claims.writes(&taken.key.stem(), taken.row, text)?;
        if destination == Destination::Pending {
            self.io(&pending, files::write(&pending, &format::render(&header(taken), text, true)))?;
            return Ok(Written::Not(Ok(self.shown(&pending))));
        }
        self.io(path, files::write(path, &format::render(&header(taken), text, false)))?;
        self.io(&pending, files::remove(&pending))?;
        Ok(Written::Stored)
    }

    fn claim(&self, taken: &Taken<'_>) -> Result<(), SnapshotError> {
        let place = format!("{}:{}", taken.key.source(), taken.line);
        Ok(self.claims.claim(taken.key, &place)?)
    }

    fn stored(&self, path: &Path) -> Result<Option<Stored>, SnapshotError> {
        format::read(path).map_err(|error| match error {
            ReadError::Format(error) => FormatError { path: self.shown(path), ..error }.into(),
            ReadError::Io { path, error } => SnapshotError::Io { path: self.shown(&path), error },
        })
    }

    fn io<T>(&self, path: &Path, result: io::Result<T>) -> Result<T, SnapshotError> {
        result.map_err(|error| SnapshotError::Io { path: self.shown(path), error })
    }

    /// A path as it is told: relative to the project's folder.
    fn shown(&self, path: &Path) -> PathBuf {
        path.strip_prefix(&self.project).unwrap_or(path).to_owned()
    }
}

enum Written {
    Stored,
    Not(Result<PathBuf, &'static str>),
}

fn header(taken: &Taken<'_>) -> Header {
    Header {
        source: format::one_line(&taken.key.source()),
        line: Some(taken.line),
        description: format::one_line(taken.description),
        expression: format!("snapshot: {}", format::one_line(&taken.key.name)),
    }
}

/// The text that is stored and compared.
fn redacted(taken: &Taken<'_>) -> String {
    let text = format::normal(&taken.outline.text(Refs::Hidden));
    if taken.redactions.is_empty() {
        return text;
    }
    let lines: Vec<String> = text.lines().map(|line| redacted_line(line, taken.redactions)).collect();
    format::normal(&lines.join("\n"))
}

fn redacted_line(line: &str, redactions: &[Redaction]) -> String {
    // The indentation is the tree, and no text of the page.
    let (depth, rest) = line.split_at(line.len() - line.trim_start_matches(' ').len());
    let mut rest = rest.to_owned();
    for Redaction { pattern, replacement } in redactions {
        rest = pattern.replace_all(&rest, replacement.as_str()).into_owned();
    }
    format!("{depth}{}", rest.replace(['\n', '\r'], " "))
}

fn notes(comparison: &Comparison<'_>, stored: &Stored) -> Vec<String> {
    let broken = comparison.broken_patterns().into_iter().take(3);
    broken
        .map(|(line, message)| {
            format!("line {} is no pattern, and was compared as text: {message}", stored.first_line + line)
        })
        .collect()
}
