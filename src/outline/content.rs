//! The text that lines hold, for roles that a browser does not name by it.

use std::ops::Range;

use super::line::Outline;
use super::roles;

/// How many text lines may stand inside each other for the text of the inner ones to be looked at. Bounds the work
/// on a page that nests without end.
const NESTED: usize = 32;

/// The texts of all lines at once: one string, and where in it each line's text stands.
pub(crate) struct Contents {
    text: String,
    ranges: Vec<Range<usize>>,
    /// Whether a pattern's name may be this line's text.
    counts: Vec<bool>,
}

impl Contents {
    pub(crate) fn of(outline: &Outline) -> Self {
        let lines = &outline.lines;
        let mut contents =
            Self { text: String::new(), ranges: vec![0..0; lines.len()], counts: vec![false; lines.len()] };
        // Open lines, innermost last, and how many of them hold text.
        let mut open: Vec<usize> = Vec::new();
        let mut nested = 0;
        for index in 0..=lines.len() {
            let depth = lines.get(index).map_or(0, |line| line.depth);
            while let Some(&top) = open.last() {
                if index < lines.len() && lines[top].depth < depth {
                    break;
                }
                open.pop();
                nested -= usize::from(roles::holds_text(&lines[top].role));
                contents.close(outline, top);
            }
            if let Some(line) = lines.get(index) {
                contents.ranges[index].start = contents.text.len();
                let holds = roles::holds_text(&line.role);
                contents.counts[index] = holds && nested < NESTED;
                nested += usize::from(holds);
                open.push(index);
            }
        }
        contents
    }

    /// A line ends: if nothing inside it gave a text, it may give its name.
    fn close(&mut self, outline: &Outline, index: usize) {
        let line = &outline.lines[index];
        let gives = line.role.eq_ignore_ascii_case("StaticText") || roles::named_by_content(&line.role);
        if self.text.len() == self.ranges[index].start && gives && !line.name.is_empty() {
            if !self.text.is_empty() {
                self.text.push(' ');
            }
            self.text.push_str(&line.name);
        }
        self.ranges[index].end = self.text.len();
    }

    /// The text of the line's subtree.
    pub(crate) fn text(&self, index: usize) -> &str {
        self.ranges.get(index).and_then(|range| self.text.get(range.clone())).unwrap_or_default().trim()
    }

    /// The text that a pattern's name may match as well as the name.
    pub(crate) fn second_name(&self, index: usize) -> Option<&str> {
        let text = self.text(index);
        (self.counts.get(index) == Some(&true) && !text.is_empty()).then_some(text)
    }
}

impl Outline {
    /// The text of the line's subtree on one line: its texts, and the names of links, buttons, images and the like
    /// that hold no text of their own, in reading order, joined by blanks. Bullets and labels of fields are not text.
    pub fn content(&self, line: usize) -> String {
        Contents::of(&self.part(line)).text(0).to_owned()
    }
}
