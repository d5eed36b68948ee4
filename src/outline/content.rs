//! The text that lines hold, for roles that a browser does not name by it.

use std::borrow::Cow;
use std::ops::Range;

use super::line::Outline;
use super::line_pattern::NamePattern;
use super::roles;
use super::text::{fold, same_text};

/// How many text lines may stand inside each other for the text of the inner ones to be looked at. Bounds the work
/// on a page that nests without end.
const NESTED: usize = 32;

/// The texts of all lines at once: one string, and where in it each line's text stands.
pub(crate) struct Contents {
    text: String,
    /// Where in it a blank stands between two texts that may touch each other on the page.
    joints: Vec<usize>,
    ranges: Vec<Range<usize>>,
    /// Whether a pattern's name may be this line's text.
    counts: Vec<bool>,
}

impl Contents {
    pub(crate) fn of(outline: &Outline) -> Self {
        let lines = &outline.lines;
        let mut contents = Self {
            text: String::new(),
            joints: Vec::new(),
            ranges: vec![0..0; lines.len()],
            counts: vec![false; lines.len()],
        };
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
                if line.touches {
                    self.joints.push(self.text.len());
                }
                self.text.push(' ');
            }
            self.text.push_str(&line.name);
        }
        self.ranges[index].end = self.text.len();
    }

    /// The text of the line's subtree.
    pub(crate) fn of_line(&self, index: usize) -> Content<'_> {
        let range = self.ranges.get(index).cloned().unwrap_or_default();
        let text = self.text.get(range.clone()).unwrap_or_default();
        let start = range.start + text.len() - text.trim_start().len();
        let first = self.joints.partition_point(|joint| *joint < start);
        let last = self.joints.partition_point(|joint| *joint < range.end);
        Content { text: text.trim(), start, joints: self.joints.get(first..last).unwrap_or_default() }
    }

    /// The text that a pattern's name may match as well as the name.
    pub(crate) fn second_name(&self, index: usize) -> Option<Content<'_>> {
        let content = self.of_line(index);
        (self.counts.get(index) == Some(&true) && !content.text.is_empty()).then_some(content)
    }
}

/// The text of one line's subtree.
///
/// A browser tells the texts of a paragraph, but not whether the elements that part them stand in one line of writing:
/// `<p>€<b id="sum">12</b></p>` reads `€12`, and `<li><div>Tea</div><div>€3</div></li>` reads as two words. Only white
/// space at an end of a text is sure. So where two texts may touch, both readings count: a blank, and none.
#[derive(Clone, Copy)]
pub(crate) struct Content<'c> {
    text: &'c str,
    /// Where it begins in all of the text, as `joints` count.
    start: usize,
    joints: &'c [usize],
}

impl<'c> Content<'c> {
    /// The texts joined by blanks.
    pub(crate) fn text(self) -> &'c str {
        self.text
    }

    /// The text as a pattern's name matches it: with blanks everywhere, or as its elements may touch on the page.
    pub(crate) fn matched(self, name: &NamePattern) -> Option<Cow<'c, str>> {
        if name.matches(self.text) {
            return Some(self.text.into());
        }
        if self.joints.is_empty() {
            return None;
        }
        match name {
            NamePattern::Any => None,
            NamePattern::Exact(wanted) => {
                // Each blank is kept where the wanted text has one.
                let wanted = fold(wanted);
                let mut rest = wanted.as_str();
                let mut read = String::with_capacity(self.text.len());
                for piece in self.pieces() {
                    if let Some(after) = rest.strip_prefix(' ') {
                        read.push(' ');
                        rest = after;
                    }
                    read.push_str(piece);
                    rest = rest.strip_prefix(piece).unwrap_or_default();
                }
                same_text(&wanted, &read).then_some(read.into())
            }
            NamePattern::Regex(_) => {
                let touching: String = self.pieces().collect();
                name.matches(&touching).then_some(touching.into())
            }
        }
    }

    /// The text, cut at the blanks that may be none.
    fn pieces(self) -> impl Iterator<Item = &'c str> {
        let cuts = self.joints.iter().map(move |joint| joint - self.start);
        let ends = cuts.clone().chain([self.text.len()]);
        [0].into_iter().chain(cuts.map(|cut| cut + 1)).zip(ends).filter_map(move |(from, to)| self.text.get(from..to))
    }
}

impl Outline {
    /// The text of the line's subtree on one line: its texts, and the names of links, buttons, images and the like
    /// that hold no text of their own, in reading order, joined by blanks. Bullets and labels of fields are not text.
    pub fn content(&self, line: usize) -> String {
        Contents::of(&self.part(line)).of_line(0).text().to_owned()
    }
}
