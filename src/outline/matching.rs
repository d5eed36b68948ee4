//! Whether a pattern is in an outline, by a table and never by trying all ways.
//!
//! Pattern lines in order must meet outline lines in strictly growing order, each inside the line that its parent met.
//! For a pattern line and an outline line it meets, only one thing matters to what follows: the earliest line at which
//! all of its children can have been met. That is what the table holds, filled from the last pattern line to the first.

use std::collections::HashMap;
use std::rc::Rc;

use super::content::Contents;
use super::line::Outline;
use super::line_pattern::By;
use super::mismatch::{self, Mismatch};
use super::pattern::Pattern;

/// Where a pattern was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// For each line of the pattern the index of the outline line it matched.
    pub lines: Vec<usize>,
}

/// An outline made ready for many questions.
pub(crate) struct Ground<'o> {
    pub(crate) outline: &'o Outline,
    pub(crate) contents: Contents,
    /// The end of each line's subtree.
    pub(crate) ends: Vec<usize>,
}

impl<'o> Ground<'o> {
    pub(crate) fn new(outline: &'o Outline) -> Self {
        Self { outline, contents: Contents::of(outline), ends: outline.ends() }
    }

    pub(crate) fn meets(&self, pattern: &Pattern, pattern_line: usize, line: usize) -> Option<By> {
        pattern.lines[pattern_line].line.matches_with(&self.outline.lines[line], self.contents.second_name(line))
    }
}

/// For each pattern line the outline lines that match it by themselves, in order. Equal lines share one list.
pub(crate) struct Candidates(Vec<Rc<Vec<usize>>>);

impl Candidates {
    pub(crate) fn new(ground: &Ground<'_>, pattern: &Pattern) -> Self {
        let mut by_role: HashMap<String, Vec<usize>> = HashMap::new();
        for (index, line) in ground.outline.lines.iter().enumerate() {
            by_role.entry(line.role.to_lowercase()).or_default().push(index);
        }
        let everything: Vec<usize> = (0..ground.outline.lines.len()).collect();
        let mut known: HashMap<String, Rc<Vec<usize>>> = HashMap::new();
        let lists = (0..pattern.lines.len()).map(|index| {
            let line = &pattern.lines[index].line;
            let list = known.entry(line.to_string()).or_insert_with(|| {
                let pool = match &line.role {
                    Some(role) => by_role.get(&role.to_lowercase()).map_or(&[][..], Vec::as_slice),
                    None => &everything,
                };
                Rc::new(pool.iter().copied().filter(|&real| ground.meets(pattern, index, real).is_some()).collect())
            });
            Rc::clone(list)
        });
        Self(lists.collect())
    }

    pub(crate) fn of(&self, pattern_line: usize) -> &[usize] {
        &self.0[pattern_line]
    }
}

/// Ways to meet a pattern line with all of its children: the line, and the earliest last line used. Both grow from
/// entry to entry; a way that starts earlier and ends no earlier than another is of no use and is not kept.
type Ways = Vec<(usize, usize)>;

/// The table for the first lines of a pattern.
pub(crate) struct Table<'a> {
    candidates: &'a Candidates,
    parents: &'a [Option<usize>],
    children: Vec<Vec<usize>>,
    /// `None` for a line without children, whose candidates are its ways.
    ways: Vec<Option<Ways>>,
}

impl<'a> Table<'a> {
    /// Fills the table for the first `length` lines.
    pub(crate) fn new(
        ground: &Ground<'_>,
        candidates: &'a Candidates,
        parents: &'a [Option<usize>],
        length: usize,
    ) -> Self {
        let mut children: Vec<Vec<usize>> = vec![Vec::new(); length];
        for (index, parent) in parents.iter().enumerate().take(length) {
            if let Some(parent) = parent {
                children[*parent].push(index);
            }
        }
        let mut table = Self { candidates, parents, children, ways: vec![None; length] };
        for index in (0..length).rev() {
            if table.children[index].is_empty() {
                continue;
            }
            let mut ways = Ways::new();
            for &real in candidates.of(index).iter().rev() {
                if let Some(last) = table.last(ground, index, real)
                    && ways.last().is_none_or(|(_, best)| last < *best)
                {
                    ways.push((real, last));
                }
            }
            ways.reverse();
            table.ways[index] = Some(ways);
        }
        table
    }

    /// The earliest last line used when a pattern line, with its children, is met at an outline line.
    pub(crate) fn last(&self, ground: &Ground<'_>, pattern_line: usize, real: usize) -> Option<usize> {
        self.children[pattern_line].iter().try_fold(real, |at, &child| {
            self.from(child, at + 1).map(|(_, last)| last).filter(|last| *last < ground.ends[real])
        })
    }

    /// How many lines of the pattern can hold at most: a line that is met nowhere fails at the end of its children.
    fn bound(&self, pattern: &Pattern) -> usize {
        (0..self.ways.len())
            .filter(|&line| self.from(line, 0).is_none())
            .map(|line| pattern.end(line))
            .min()
            .unwrap_or(self.ways.len())
    }

    /// The way to meet a pattern line, at `start` or later, that ends first.
    fn from(&self, pattern_line: usize, start: usize) -> Option<(usize, usize)> {
        match &self.ways[pattern_line] {
            Some(ways) => ways.get(ways.partition_point(|(real, _)| *real < start)).copied(),
            None => {
                let all = self.candidates.of(pattern_line);
                all.get(all.partition_point(|real| *real < start)).map(|&real| (real, real))
            }
        }
    }

    /// Where the lines of the table are met, all of them, or as `under` says: those below a pattern line that is met at
    /// a given line.
    pub(crate) fn place(&self, under: Option<(usize, usize)>) -> Option<Vec<(usize, usize)>> {
        // Where the search for the next child of each pattern line goes on.
        let mut start = vec![0; self.ways.len()];
        let mut root = 0;
        let mut inside = vec![false; self.ways.len()];
        let mut placed = Vec::new();
        if let Some((top, real)) = under {
            inside[top] = true;
            start[top] = real + 1;
            placed.push((top, real));
        }
        for index in 0..self.ways.len() {
            let parent = self.parents[index];
            if under.is_some() && !parent.is_some_and(|parent| inside[parent]) {
                continue;
            }
            inside[index] = true;
            let from = parent.map_or(root, |parent| start[parent]);
            let (real, last) = self.from(index, from)?;
            match parent {
                Some(parent) => start[parent] = last + 1,
                None => root = last + 1,
            }
            start[index] = real + 1;
            placed.push((index, real));
        }
        Some(placed)
    }
}

/// Whether the outline holds the pattern: children match descendants, in reading order, with others allowed between.
pub fn contains(outline: &Outline, pattern: &Pattern) -> Result<Found, Box<Mismatch>> {
    let ground = Ground::new(outline);
    if let Some(found) = line_by_line(&ground, pattern) {
        return Ok(found);
    }
    let candidates = Candidates::new(&ground, pattern);
    let parents = pattern.parents();
    let whole = Table::new(&ground, &candidates, &parents, pattern.lines.len());
    match whole.place(None) {
        Some(placed) => Ok(Found { lines: placed.into_iter().map(|(_, real)| real).collect() }),
        None => {
            let bound = whole.bound(pattern);
            drop(whole);
            Err(Box::new(mismatch::not_contained(&ground, pattern, &candidates, &parents, bound)))
        }
    }
}

/// The plain case of a pattern that was printed from this very outline, however large.
fn line_by_line(ground: &Ground<'_>, pattern: &Pattern) -> Option<Found> {
    let lines = &ground.outline.lines;
    let same = pattern.lines.len() == lines.len()
        && (0..lines.len()).all(|index| {
            pattern.lines[index].depth == lines[index].depth && ground.meets(pattern, index, index).is_some()
        });
    same.then(|| Found { lines: (0..lines.len()).collect() })
}

/// Whether the outline does not hold the pattern.
pub fn lacks(outline: &Outline, pattern: &Pattern) -> Result<(), Box<Mismatch>> {
    match contains(outline, pattern) {
        Ok(found) => Err(Box::new(mismatch::not_lacked(&Ground::new(outline), pattern, &found))),
        Err(_) => Ok(()),
    }
}

/// Whether a part of the outline is exactly the pattern: each line with the children given and no others.
///
/// The part may stand anywhere; several lines at the top are brothers that follow each other. A line of a text role
/// that is matched by its text may leave out the lines that the text is made of.
pub fn equals(outline: &Outline, pattern: &Pattern) -> Result<Found, Box<Mismatch>> {
    let ground = Ground::new(outline);
    if pattern.lines.is_empty() {
        return Ok(Found { lines: Vec::new() });
    }
    match walk_anywhere(&ground, pattern) {
        Ok(lines) => Ok(Found { lines }),
        Err(met) => Err(Box::new(mismatch::not_equal(&ground, pattern, &met))),
    }
}

/// Walks from every line of the outline; in error the most lines met from one of them.
pub(crate) fn walk_anywhere(ground: &Ground<'_>, pattern: &Pattern) -> Result<Vec<usize>, Vec<usize>> {
    let mut most = Vec::new();
    for start in 0..ground.outline.lines.len() {
        match walk(ground, pattern, start) {
            Ok(met) => return Ok(met),
            Err(met) if met.len() > most.len() => most = met,
            Err(_) => {}
        }
    }
    Err(most)
}

/// Walks down pattern and outline together; in error the lines met until they part.
fn walk(ground: &Ground<'_>, pattern: &Pattern, start: usize) -> Result<Vec<usize>, Vec<usize>> {
    let lines = &ground.outline.lines;
    let base = lines[start].depth;
    let mut at = start;
    let mut met = Vec::new();
    for (index, wanted) in pattern.lines.iter().enumerate() {
        let by = lines
            .get(at)
            .filter(|line| line.depth == base + wanted.depth)
            .and_then(|_| ground.meets(pattern, index, at));
        let Some(by) = by else {
            return Err(met);
        };
        met.push(at);
        let leaf = pattern.lines.get(index + 1).is_none_or(|next| next.depth <= wanted.depth);
        at = if leaf && by == By::Content { ground.ends[at] } else { at + 1 };
    }
    if lines.get(at).is_some_and(|line| line.depth > base) { Err(met) } else { Ok(met) }
}
