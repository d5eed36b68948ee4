//! Several lines of a pattern, nested.

use std::fmt;
use std::ops::Range;

use super::error::PatternError;
use super::line::Outline;
use super::line_pattern::LinePattern;
use super::syntax;

/// A pattern: lines nested by indentation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern {
    pub(crate) lines: Vec<PlacedPattern>,
}

/// A line of a pattern with its depth and its place in the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PlacedPattern {
    pub(crate) depth: usize,
    pub(crate) range: Range<usize>,
    pub(crate) line: LinePattern,
}

impl Pattern {
    /// Reads a pattern. It holds at least one line.
    pub fn parse(text: &str) -> Result<Pattern, PatternError> {
        let mut lines = Vec::new();
        for placed in syntax::placed_lines(text)? {
            let tokens = syntax::line(&text[placed.range.clone()], placed.range.start)?;
            lines.push(PlacedPattern { depth: placed.depth, line: LinePattern::of(tokens)?, range: placed.range });
        }
        if lines.is_empty() {
            return Err(PatternError::new(0..text.len(), "an empty pattern").next("write a line: button \"Save\""));
        }
        Ok(Pattern { lines })
    }

    /// The pattern that says all that the outline says: what is printed matches. The places are those in its own text.
    pub fn from_outline(outline: &Outline) -> Pattern {
        let mut start = 0;
        let mut lines = Vec::with_capacity(outline.lines.len());
        for line in &outline.lines {
            let pattern = LinePattern::from_line(line);
            start += line.depth * 2;
            let end = start + pattern.to_string().len();
            lines.push(PlacedPattern { depth: line.depth, range: start..end, line: pattern });
            start = end + 1;
        }
        Pattern { lines }
    }

    /// The first role of its lines that no browser gives, with what was meant. A pattern with such a role would match
    /// nothing, for ever, and a pattern that must not be found would hold for ever.
    pub fn unknown_role(&self) -> Option<PatternError> {
        self.lines.iter().find_map(|placed| placed.line.unknown_role_at(placed.range.start))
    }

    /// The lines in order, each with its depth.
    pub fn lines(&self) -> impl ExactSizeIterator<Item = (usize, &LinePattern)> {
        self.lines.iter().map(|placed| (placed.depth, &placed.line))
    }

    /// How many lines there are.
    pub fn len(&self) -> usize {
        self.lines.len()
    }

    /// Whether there is none; only the pattern of an empty outline.
    pub fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    /// The bytes of a line in the text that was parsed.
    pub fn range(&self, line: usize) -> Option<Range<usize>> {
        self.lines.get(line).map(|placed| placed.range.clone())
    }

    /// The end of a line's children and theirs.
    pub(crate) fn end(&self, line: usize) -> usize {
        let below = self.lines[line + 1..].iter();
        line + 1 + below.take_while(|other| other.depth > self.lines[line].depth).count()
    }

    /// The parent of every line.
    pub(crate) fn parents(&self) -> Vec<Option<usize>> {
        let mut open: Vec<usize> = Vec::new();
        let mut parents = Vec::with_capacity(self.lines.len());
        for (index, line) in self.lines.iter().enumerate() {
            while open.last().is_some_and(|&top| self.lines[top].depth >= line.depth) {
                open.pop();
            }
            parents.push(open.last().copied());
            open.push(index);
        }
        parents
    }
}

impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for placed in &self.lines {
            for _ in 0..placed.depth {
                f.write_str("  ")?;
            }
            writeln!(f, "{}", placed.line)?;
        }
        Ok(())
    }
}
