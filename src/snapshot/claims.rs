//! Who holds which snapshot file in this run: each file belongs to one step.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::key::Key;

/// Two that would share one snapshot file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Clash {
    /// Two steps give one name.
    #[error("two steps write one snapshot, {file}: {first} and {second}")]
    TwoSteps {
        /// The file both would write.
        file: String,
        /// Where the step stands that came first.
        first: String,
        /// Where the other stands.
        second: String,
    },
    /// The names differ in upper and lower case only, which is one file on many systems.
    #[error(
        "{first_file} and {second_file} differ only in upper and lower case, and are one file on many systems: {first} and {second}"
    )]
    OnlyCase {
        /// The file of the step that came first.
        first_file: String,
        /// Where that step stands.
        first: String,
        /// The file of the other.
        second_file: String,
        /// Where the other stands.
        second: String,
    },
    /// One step, performed for several rows of examples, would write different pages.
    #[error("{place} writes one snapshot, {file}, for two different pages: {first} and {second}")]
    TwoRows {
        /// The file.
        file: String,
        /// Where the step stands.
        place: String,
        /// The row that came first.
        first: String,
        /// The other row.
        second: String,
    },
}

impl Clash {
    /// What to do about it.
    pub fn next(&self) -> &'static str {
        match self {
            Clash::TwoSteps { .. } | Clash::OnlyCase { .. } => "give one of them another name",
            Clash::TwoRows { .. } => "put a value of the row into the name, as in `snapshot: \"end-{{ city }}\"`",
        }
    }
}

#[derive(Debug)]
struct Claim {
    stem: String,
    place: String,
    /// What was written in this run, if anything.
    written: Option<Written>,
}

#[derive(Debug)]
struct Written {
    /// The rows that wrote it, the first of them first.
    rows: Vec<String>,
    /// What they all wrote.
    content: Vec<u8>,
}

/// The snapshot files named so far in a run.
#[derive(Debug, Default)]
pub struct Claims(Mutex<BTreeMap<String, Claim>>);

impl Claims {
    /// Nothing claimed yet.
    pub fn new() -> Claims {
        Claims::default()
    }

    /// Claims a snapshot's file for the step at `place` (`path:line`). The same step may claim it any number of times: in
    /// a retry, a loop, for each row of examples.
    pub fn claim(&self, key: &Key, place: &str) -> Result<(), Clash> {
        let stem = key.stem();
        match self.claims().entry(folded(&stem)) {
            Entry::Vacant(vacant) => {
                vacant.insert(Claim { stem, place: place.to_owned(), written: None });
                Ok(())
            }
            Entry::Occupied(claimed) if claimed.get().stem != stem => Err(Clash::OnlyCase {
                first_file: file(&claimed.get().stem),
                first: claimed.get().place.clone(),
                second_file: file(&stem),
                second: place.to_owned(),
            }),
            Entry::Occupied(claimed) if claimed.get().place != place => {
                Err(Clash::TwoSteps { file: file(&stem), first: claimed.get().place.clone(), second: place.to_owned() })
            }
            Entry::Occupied(_) => Ok(()),
        }
    }

    /// Whether a file of that name, without `.snap`, was claimed.
    pub fn holds(&self, stem: &str) -> bool {
        self.claims().get(&folded(stem)).is_some_and(|claim| claim.stem == stem)
    }

    /// Asks leave to write. A row may replace what it wrote itself (in a retry, say), and no other row's.
    pub(super) fn writes(&self, stem: &str, row: &str, content: &[u8]) -> Result<(), Clash> {
        let mut claims = self.claims();
        let Some(claim) = claims.get_mut(&folded(stem)) else {
            return Ok(());
        };
        let written = claim.written.get_or_insert_with(|| Written { rows: Vec::new(), content: content.to_owned() });
        match written.rows.iter().find(|other| *other != row) {
            Some(first) if written.content != content => Err(Clash::TwoRows {
                file: file(stem),
                place: claim.place.clone(),
                first: row_or_plain(first),
                second: row_or_plain(row),
            }),
            _ => {
                content.clone_into(&mut written.content);
                if !written.rows.iter().any(|other| other == row) {
                    written.rows.push(row.to_owned());
                }
                Ok(())
            }
        }
    }

    /// Forgets what a row of a file's scenario has written. The files that no other row has written as well are given back,
    /// without `.snap`.
    pub(super) fn withdraw(&self, source: &str, row: &str) -> Vec<String> {
        let mut claims = self.claims();
        let of_file = |claim: &&mut Claim| claim.place.rsplit_once(':').is_some_and(|(file, _)| file == source);
        let taken_back = claims.values_mut().filter(of_file).filter_map(|claim| {
            let rows = &mut claim.written.as_mut()?.rows;
            let before = rows.len();
            rows.retain(|other| other != row);
            let nobody = rows.is_empty() && before > 0;
            nobody.then(|| {
                claim.written = None;
                claim.stem.clone()
            })
        });
        taken_back.collect()
    }

    fn claims(&self) -> MutexGuard<'_, BTreeMap<String, Claim>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn folded(stem: &str) -> String {
    stem.to_lowercase()
}

fn file(stem: &str) -> String {
    format!("{stem}.snap")
}

fn row_or_plain(row: &str) -> String {
    if row.is_empty() { "the run without a row".to_owned() } else { row.to_owned() }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn one_file_belongs_to_one_step() {
        let claims = Claims::new();
        claims.claim(&Key::new("a/login.yaml", "end"), "a/login.yaml:3").unwrap();
        claims.claim(&Key::new("a/login.yaml", "end"), "a/login.yaml:3").unwrap();
        claims.claim(&Key::new("b/login.yaml", "end"), "b/login.yaml:3").unwrap();
        let clash = claims.claim(&Key::new("a/login.yaml", "end"), "a/login.yaml:9").unwrap_err();
        let told = clash.to_string();
        assert!(
            told.contains("a/login.yaml:3") && told.contains("a/login.yaml:9") && told.contains("a__login__end.snap"),
            "{told}"
        );
        assert!(claims.holds("a__login__end") && !claims.holds("a__login__other"));
    }

    #[test]
    fn names_that_differ_in_case_only_clash() {
        let claims = Claims::new();
        claims.claim(&Key::new("login.yaml", "End"), "login.yaml:3").unwrap();
        let told = claims.claim(&Key::new("login.yaml", "end"), "login.yaml:9").unwrap_err().to_string();
        assert!(told.contains("login__End.snap") && told.contains("login__end.snap"), "{told}");
        assert!(told.contains("login.yaml:3") && told.contains("login.yaml:9"), "{told}");
    }

    #[test]
    fn rows_write_one_text_or_are_told_to_name_it_apart() {
        let claims = Claims::new();
        let key = Key::new("x.yaml", "end");
        claims.claim(&key, "x.yaml:3").unwrap();
        claims.writes(&key.stem(), "city=Oslo", b"one").unwrap();
        claims.writes(&key.stem(), "city=Oslo", b"two").unwrap();
        claims.writes(&key.stem(), "city=Rome", b"two").unwrap();
        let told = claims.writes(&key.stem(), "city=Oslo", b"three").unwrap_err().to_string();
        assert!(told.contains("city=Oslo") && told.contains("city=Rome") && told.contains("x.yaml:3"), "{told}");
    }

    #[test]
    fn what_is_taken_back_is_written_by_nobody_else() {
        let claims = Claims::new();
        let (both, one) = (Key::new("x.yaml", "both"), Key::new("x.yaml", "one"));
        claims.claim(&both, "x.yaml:3").unwrap();
        claims.claim(&one, "x.yaml:4").unwrap();
        claims.writes(&both.stem(), "city=Oslo", b"same").unwrap();
        claims.writes(&both.stem(), "city=Rome", b"same").unwrap();
        claims.writes(&one.stem(), "city=Oslo", b"alone").unwrap();
        assert!(claims.withdraw("y.yaml", "city=Oslo").is_empty());
        assert_eq!(claims.withdraw("x.yaml", "city=Oslo"), ["x__one"]);
        assert!(claims.withdraw("x.yaml", "city=Oslo").is_empty());
        claims.writes(&both.stem(), "city=Rome", b"another").unwrap();
        assert_eq!(claims.withdraw("x.yaml", "city=Rome"), ["x__both"]);
    }
}
