//! Holding an outline against what is stored.

use std::io;
use std::path::{Path, PathBuf};

use regex::Regex;

use super::claims::{Claims, Clash};
use super::compare::{self, Comparison};
use super::drawing::drawn;
use super::files;
use super::format::{self, Content, FormatError, Header, ReadError, Stored};
use super::key::{Key, slashed};
use super::policy::{Destination, Policy};
use crate::outline::{Outline, Refs};

/// The folder of a project that holds its snapshots.
pub(super) const FOLDER: &str = "snapshots";

/// The step that asks for a snapshot.
#[derive(Clone, Debug)]
pub struct Taker {
    /// What the snapshot is known by.
    pub key: Key,
    /// The line of the step in the scenario file, counted from 1.
    pub line: u32,
    /// The scenario's name, for the one who reviews.
    pub description: String,
    /// Which row of examples is played, as in `city=Oslo`; empty if there are none.
    pub row: String,
}

/// An outline to be held against its snapshot.
#[derive(Clone, Copy, Debug)]
pub struct Taken<'a> {
    /// Who asks.
    pub by: &'a Taker,
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
    /// Another picture is stored.
    #[error("the page differs from its picture {}", .path.display())]
    Looks {
        /// The stored picture.
        path: PathBuf,
        /// How it differs, in words.
        how: String,
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
            SnapshotError::Differs { written: Ok(pending), .. } | SnapshotError::Looks { written: Ok(pending), .. } => {
                format!(
                    "what the page shows was written to {}; if it is right, keep it: INSTA_UPDATE=always {again}",
                    pending.display()
                )
            }
            SnapshotError::Differs { written: Err(reason), .. } | SnapshotError::Looks { written: Err(reason), .. } => {
                format!("{reason}; if the page is right, accept it where it may be written, and commit the file")
            }
            SnapshotError::Format(_) => {
                "mend the file, or delete it to have it written anew (an outline is the text after its second `---`)"
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
        self.claim(taken.by)?;
        let Some((_, stored)) = self.stored_text(&self.path(&taken.by.key))? else {
            return Ok(Standing::Missing);
        };
        let matches = compare::matches(&stored, &redacted(taken));
        Ok(if matches { Standing::Matches } else { Standing::Differs })
    }

    /// Holds an outline against what is stored, and writes what the policy has written. An outline that was only written
    /// for review, or not at all, is an error.
    pub fn hold(&self, taken: &Taken<'_>) -> Result<Held, SnapshotError> {
        self.claim(taken.by)?;
        let path = self.path(&taken.by.key);
        let text = redacted(taken);
        let Some((stored, stored_text)) = self.stored_text(&path)? else {
            return self.keep_first(taken.by, &path, Content::Outline(&text));
        };
        let comparison = Comparison::new(&stored_text, &text);
        let merged = comparison.merged();
        if comparison.matches() {
            return self.matched(taken.by, &path, Content::Outline(&merged), |file| file == stored.raw);
        }
        match self.write(taken.by, &path, Content::Outline(&merged), true)? {
            Written::Stored => Ok(Held::Updated { path: self.shown(&path) }),
            Written::Not(written) => Err(SnapshotError::Differs {
                path: self.shown(&path),
                difference: drawn(&comparison),
                notes: notes(&comparison, &stored),
                written,
            }),
        }
    }

    /// Takes back what a row of a scenario has written for review in this run: it is performed again, and what it sees then
    /// counts.
    pub fn withdraw(&self, scenario: &Path, row: &str) {
        for stem in self.claims.withdraw(&slashed(scenario), row) {
            // One that stays is at worst an old difference that is looked at once more.
            let _ = files::remove_pending(&self.project.join(FOLDER).join(format!("{stem}.snap")));
        }
    }

    /// Keeps what nothing was stored for, as the policy has it.
    pub(super) fn keep_first(&self, by: &Taker, path: &Path, content: Content<'_>) -> Result<Held, SnapshotError> {
        match self.write(by, path, content, false)? {
            Written::Stored => Ok(Held::Created { path: self.shown(path) }),
            Written::Not(written) => Err(SnapshotError::Missing { path: self.shown(path), written }),
        }
    }

    /// What matches is written only if the policy has everything written anew, and it is not what stands there already.
    pub(super) fn matched(
        &self,
        by: &Taker,
        path: &Path,
        content: Content<'_>,
        is_there: impl FnOnce(&str) -> bool,
    ) -> Result<Held, SnapshotError> {
        // What is pending from an earlier run is out of date.
        self.io(path, files::remove_pending(path))?;
        let file = format::render(&header(by), content, false);
        if !self.policy.rewrites() || is_there(&file) {
            return Ok(Held::Matches);
        }
        self.claims.writes(&by.key.stem(), &by.row, content.bytes())?;
        self.io(path, files::write_snapshot(path, &file, content))?;
        Ok(Held::Updated { path: self.shown(path) })
    }

    pub(super) fn write(
        &self,
        by: &Taker,
        path: &Path,
        content: Content<'_>,
        is_stored: bool,
    ) -> Result<Written, SnapshotError> {
        let destination = self.policy.destination(is_stored);
        if destination == Destination::Nowhere {
            return Ok(Written::Not(Err(self.policy.reason())));
        }
        self.claims.writes(&by.key.stem(), &by.row, content.bytes())?;
        if destination == Destination::Pending {
            let pending = files::pending_of(path);
            let file = format::render(&header(by), content, true);
            self.io(&pending, files::write_snapshot(&pending, &file, content))?;
            return Ok(Written::Not(Ok(self.shown(&pending))));
        }
        self.io(path, files::write_snapshot(path, &format::render(&header(by), content, false), content))?;
        self.io(path, files::remove_pending(path))?;
        Ok(Written::Stored)
    }

    pub(super) fn claim(&self, by: &Taker) -> Result<(), SnapshotError> {
        let place = format!("{}:{}", by.key.source(), by.line);
        Ok(self.claims.claim(&by.key, &place)?)
    }

    /// What is stored there, which must be an outline, and its text.
    fn stored_text(&self, path: &Path) -> Result<Option<(Stored, String)>, SnapshotError> {
        let Some(mut stored) = self.stored(path)? else {
            return Ok(None);
        };
        match std::mem::replace(&mut stored.content, format::Kept::Outline(String::new())) {
            format::Kept::Outline(text) => Ok(Some((stored, text))),
            format::Kept::Picture(_) => {
                let message = "it holds a picture, not an outline".to_owned();
                Err(FormatError { path: self.shown(path), line: 1, message }.into())
            }
        }
    }

    pub(super) fn stored(&self, path: &Path) -> Result<Option<Stored>, SnapshotError> {
        format::read(path).map_err(|error| match error {
            ReadError::Format(error) => FormatError { path: self.shown(&error.path), ..error }.into(),
            ReadError::Io { path, error } => SnapshotError::Io { path: self.shown(&path), error },
        })
    }

    pub(super) fn io<T>(&self, path: &Path, result: io::Result<T>) -> Result<T, SnapshotError> {
        result.map_err(|error| SnapshotError::Io { path: self.shown(path), error })
    }

    /// A path as it is told: relative to the project's folder.
    pub(super) fn shown(&self, path: &Path) -> PathBuf {
        path.strip_prefix(&self.project).unwrap_or(path).to_owned()
    }
}

/// What became of a snapshot that does not match.
pub(super) enum Written {
    /// It is stored now.
    Stored,
    /// It waits for review there, or was not written for that reason.
    Not(Result<PathBuf, &'static str>),
}

fn header(by: &Taker) -> Header {
    Header {
        source: format::one_line(&by.key.source()),
        line: Some(by.line),
        description: format::one_line(&by.description),
        name: format::one_line(&by.key.name),
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
