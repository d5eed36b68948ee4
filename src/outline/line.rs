//! The outline itself: a flat list of lines in reading order.

use std::borrow::Cow;
use std::ops::Range;

/// Opaque handle the reader of the page gave the node (index into the reader's own table).
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Handle(pub u32);

/// A state of a node: `[checked]`, `[checked=mixed]`.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct State {
    /// The name, one of the fixed table of states.
    pub name: Cow<'static, str>,
    /// What it is; `None` says that it simply holds.
    pub value: Option<String>,
}

/// One line: a node of the accessibility tree.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Line {
    /// How deep the node is nested; the first line has depth 0.
    pub depth: usize,
    /// Chrome's own role, as Chrome spells it.
    pub role: String,
    /// The computed name; empty when there is none.
    pub name: String,
    /// What a field holds.
    pub value: Option<String>,
    /// The states that say something, in the fixed order.
    pub states: Vec<State>,
    /// Whether the line carries a `[ref_N]`.
    pub interactive: bool,
    /// Whether the text before it may touch its own: the page has no white space between them. It is never printed,
    /// and only whoever builds an outline from a page knows it.
    pub touches: bool,
    /// The node on the page, for whoever read it.
    pub handle: Option<Handle>,
}

/// A page, or a part of one, as a person hears it: a tree kept flat, in reading order.
///
/// `depth` alone gives the nesting. Nothing here recurses, for pages may nest very deep.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Outline {
    /// The lines in reading order.
    pub lines: Vec<Line>,
}

/// Whether `[ref_N]` is printed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Refs {
    /// For a person or an agent that will act.
    Shown,
    /// For a snapshot or a comparison.
    Hidden,
}

impl Outline {
    /// Whether a person would see no difference: the same lines, whatever handles the readers gave them.
    pub fn same_as(&self, other: &Outline) -> bool {
        fn shown(line: &Line) -> (usize, &str, &str, Option<&str>, &[State]) {
            (line.depth, &line.role, &line.name, line.value.as_deref(), &line.states)
        }
        self.lines.len() == other.lines.len()
            && self.lines.iter().zip(&other.lines).all(|(one, two)| shown(one) == shown(two))
    }

    /// Each interactive line: its number N as in `ref_N`, counted from 1, and its index.
    pub fn refs(&self) -> impl Iterator<Item = (u32, usize)> + '_ {
        let interactive = self.lines.iter().enumerate().filter(|(_, line)| line.interactive);
        (1..).zip(interactive.map(|(index, _)| index))
    }

    /// The line and its descendants. Empty when there is no such line.
    pub fn subtree(&self, line: usize) -> Range<usize> {
        let Some(top) = self.lines.get(line) else {
            return line..line;
        };
        let below = self.lines[line + 1..].iter();
        line..line + 1 + below.take_while(|other| other.depth > top.depth).count()
    }

    /// That part, re-based to depth 0. Empty when there is no such line.
    pub fn part(&self, line: usize) -> Outline {
        let mut lines = self.lines[self.subtree(line.min(self.lines.len()))].to_vec();
        let base = lines.first().map_or(0, |top| top.depth);
        for line in &mut lines {
            line.depth -= base;
        }
        Outline { lines }
    }

    /// The end (exclusive) of every line's subtree, in one pass.
    pub(crate) fn ends(&self) -> Vec<usize> {
        let mut ends = vec![self.lines.len(); self.lines.len()];
        let mut open: Vec<usize> = Vec::new();
        for (index, line) in self.lines.iter().enumerate() {
            while let Some(&top) = open.last() {
                if self.lines[top].depth < line.depth {
                    break;
                }
                ends[top] = index;
                open.pop();
            }
            open.push(index);
        }
        ends
    }
}
