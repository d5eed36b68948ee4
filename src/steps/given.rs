//! Arguments that only steps know how to read.

use std::fmt;

use super::arguments::wrong;
use crate::outline::Pattern;
use crate::scenario::{Chord, Kind as NodeKind, Node, Problems, Readable, Target};

/// A pattern, with the node that it was read from: a line that does not match is marked there.
#[derive(Clone, Debug)]
pub(super) struct PatternText {
    /// The lines.
    pub pattern: Pattern,
    /// Where they stand.
    pub node: Node,
}

/// The first line, for messages.
impl fmt::Display for PatternText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut lines = self.node.text().unwrap_or_default().lines();
        f.write_str(lines.next().unwrap_or_default())?;
        if lines.next().is_some() { f.write_str(" …") } else { Ok(()) }
    }
}

impl Readable for PatternText {
    fn read(node: &Node, problems: &mut Problems) -> Option<PatternText> {
        Some(PatternText { pattern: Pattern::read(node, problems)?, node: node.clone() })
    }
}

/// Keys that go down together.
#[derive(Clone, Debug)]
pub(super) struct Keys(pub Vec<Chord>);

impl fmt::Display for Keys {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words: Vec<String> = self.0.iter().map(ToString::to_string).collect();
        f.write_str(&words.join(" with "))
    }
}

impl Readable for Keys {
    fn read(node: &Node, problems: &mut Problems) -> Option<Keys> {
        let single = std::slice::from_ref(node);
        let nodes = match &node.kind {
            NodeKind::List(items) => items.as_slice(),
            _ => single,
        };
        if nodes.is_empty() {
            problems.add(
                wrong(&node.place, "no key is named here")
                    .label("an empty list")
                    .next("name at least one, such as Enter"),
            );
            return None;
        }
        // All of them are read before giving up: all that is wrong is told at once.
        let chords: Vec<Option<Chord>> = nodes.iter().map(|node| Chord::from_node(node, problems)).collect();
        chords.into_iter().collect::<Option<Vec<Chord>>>().map(Keys)
    }
}

/// Several targets.
#[derive(Clone, Debug)]
pub(super) struct Targets(pub Vec<Target>);

impl fmt::Display for Targets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let targets: Vec<String> = self.0.iter().map(ToString::to_string).collect();
        f.write_str(&targets.join(", "))
    }
}

impl Readable for Targets {
    fn read(node: &Node, problems: &mut Problems) -> Option<Targets> {
        let nodes = match &node.kind {
            NodeKind::List(items) => items.as_slice(),
            _ => std::slice::from_ref(node),
        };
        let targets: Vec<Option<Target>> = nodes.iter().map(|node| Target::read(node, problems)).collect();
        targets.into_iter().collect::<Option<Vec<Target>>>().map(Targets)
    }
}

/// A whole number from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Whole(pub u64);

impl fmt::Display for Whole {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl Readable for Whole {
    fn read(node: &Node, problems: &mut Problems) -> Option<Whole> {
        let text = node.want_text("a number", problems)?;
        let number = text.trim().parse().ok().map(Whole);
        if number.is_none() {
            problems.add(
                wrong(&node.place, "this is not a whole number").label("a number from 0 belongs here").next("write 3"),
            );
        }
        number
    }
}
