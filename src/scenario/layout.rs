//! One layout for every file: two spaces a level, items below their key, single blanks, at most one blank line.
//!
//! It moves what stands in a file and never writes it anew: words, quotes and comments stay as they are. The tree of values
//! is the guide, and the proof: a layout that does not read as the same tree, or would be laid out differently once more,
//! is not given back.

use std::collections::{BTreeMap, HashMap};
use std::ops::Range;
use std::sync::Arc;

use super::diagnostic::{Diagnostic, Problems};
use super::node::{Kind, Node};
use super::source::{Place, Source};
use super::yaml;

/// Spaces a level.
const STEP: usize = 2;
/// What may stand before a value in brackets.
const BEFORE_VALUE: &[char] = &[' ', '[', '{', ',', ':'];
/// Blanks before a comment behind something, at least.
const BEFORE_COMMENT: usize = 2;

/// The text of a file as it is laid out. What is wrong with it as YAML, or a form that can't be moved safely, is a problem.
pub fn layout(source: &Arc<Source>, problems: &mut Problems) -> Option<String> {
    let before = problems.len();
    let tree = yaml::read(source, problems)?;
    if problems.len() > before {
        return None;
    }
    let once = Layout::of(source, &tree).text();
    let again = Source::new(&source.path, &once);
    let mut doubts = Problems::default();
    let read = yaml::read(&again, &mut doubts).filter(|_| doubts.is_empty());
    let line = read.as_ref().map_or(Some(0), |read| difference(&tree, read));
    let kept = comments(&source.text, &tree) == read.as_ref().map_or(Vec::new(), |read| comments(&once, read));
    let stable = read.as_ref().is_some_and(|read| Layout::of(&again, read).text() == once);
    if line.is_none() && kept && stable {
        return Some(once);
    }
    let start = line.unwrap_or_default();
    problems.add(
        Diagnostic::new("this file can't be laid out")
            .at(Place::new(source, start..start + 1))
            .label("moving what stands here could change what it means")
            .next("write it in the usual way: `key: value` and `- item` lines; the file is left as it is"),
    );
    None
}

/// Where two trees begin to differ, as a byte of the first; none where they say the same.
fn difference(one: &Node, other: &Node) -> Option<usize> {
    let here = one.place.range.start;
    match (&one.kind, &other.kind) {
        (Kind::Scalar { text: a, plain: p }, Kind::Scalar { text: b, plain: q }) => (a != b || p != q).then_some(here),
        (Kind::List(a), Kind::List(b)) if a.len() == b.len() => a.iter().zip(b).find_map(|(a, b)| difference(a, b)),
        (Kind::Map(a), Kind::Map(b)) if a.len() == b.len() => a.iter().zip(b).find_map(|((key, a), (other, b))| {
            if key.name == other.name { difference(a, b) } else { Some(key.place.range.start) }
        }),
        _ => Some(here),
    }
}

/// The comments of a file, in order.
fn comments(text: &str, tree: &Node) -> Vec<String> {
    let spans = Spans::of(tree);
    let mut found = Vec::new();
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let range = start..start + line.trim_end().len();
        start += line.len();
        if let Some(at) = spans.comment(text, range.clone()) {
            found.push(text.get(at..range.end).unwrap_or_default().to_owned());
        }
    }
    found
}

/// What stands where: keys and values of a tree.
#[derive(Default)]
struct Spans {
    /// Keys of block maps: start to end.
    keys: BTreeMap<usize, usize>,
    /// Values behind keys: end of the key to start of the value.
    gaps: Vec<(usize, usize)>,
    /// Scalars and bracketed values: start to end. None lies within another.
    leaves: BTreeMap<usize, usize>,
    /// Brackets on one line, as they are printed.
    flows: Vec<(Range<usize>, String)>,
}

impl Spans {
    fn of(tree: &Node) -> Spans {
        let mut spans = Spans::default();
        spans.node(tree);
        spans
    }

    fn node(&mut self, node: &Node) {
        let range = node.place.range.clone();
        let bracketed = is_bracketed(node);
        match &node.kind {
            Kind::Map(entries) if !bracketed => {
                for (key, value) in entries {
                    // A repeated value stands elsewhere, and is met there.
                    if range.contains(&key.place.range.start) {
                        self.keys.insert(key.place.range.start, key.place.range.end);
                    }
                    if value.place.range.start >= key.place.range.end && range.contains(&value.place.range.start) {
                        self.gaps.push((key.place.range.end, value.place.range.start));
                        self.node(value);
                    }
                }
            }
            Kind::List(items) if !bracketed => {
                for item in items.iter().filter(|item| range.contains(&item.place.range.start)) {
                    self.node(item);
                }
            }
            Kind::Scalar { .. } if range.is_empty() => {}
            _ => {
                self.leaves.insert(range.start, range.end);
                if bracketed && let Some(text) = flow(node) {
                    self.flows.push((range, text));
                }
            }
        }
    }

    /// The value that a byte lies in, but does not begin.
    fn inside(&self, at: usize) -> Option<Range<usize>> {
        let (start, end) = self.leaves.range(..at).next_back()?;
        (at < *end).then_some(*start..*end)
    }

    /// Where a comment begins on a line.
    fn comment(&self, text: &str, line: Range<usize>) -> Option<usize> {
        let mut at = line.start;
        loop {
            if let Some(value) = self.inside(at) {
                at = value.end;
            }
            if at >= line.end {
                return None;
            }
            let rest = text.get(at..line.end)?;
            let next_value = self.leaves.range(at..line.end).next().map(|(start, end)| (*start, *end));
            let next_key = self.keys.range(at..line.end).next().map(|(start, end)| (*start, *end));
            let next = [next_value, next_key].into_iter().flatten().min();
            let until = next.map_or(rest.len(), |(start, _)| start - at);
            let blank =
                |at: &usize| rest.get(..*at).is_none_or(|before| before.is_empty() || before.ends_with([' ', '\t']));
            if let Some(sign) = rest.get(..until)?.match_indices('#').map(|(at, _)| at).find(blank) {
                return Some(at + sign);
            }
            at = next?.1.max(at + 1);
        }
    }
}

/// Whether a list or map is written in brackets. A list in the column of its key has the place of its first item.
fn is_bracketed(node: &Node) -> bool {
    let start = node.place.range.start;
    let text = node.place.text();
    match &node.kind {
        Kind::List(items) => text.starts_with('[') && items.first().is_none_or(|item| item.place.range.start != start),
        Kind::Map(entries) => {
            text.starts_with('{') && entries.first().is_none_or(|(key, _)| key.place.range.start != start)
        }
        Kind::Scalar { .. } => false,
    }
}

/// A value in brackets on one line: a blank inside braces, one behind each colon and comma. None where anything in it is
/// not plain enough to be sure of.
fn flow(node: &Node) -> Option<String> {
    let whole = node.place.text();
    let closed = if whole.starts_with('{') { '}' } else { ']' };
    let begins = |sign: char| {
        whole.match_indices(sign).any(|(at, _)| whole.get(..at).is_some_and(|before| before.ends_with(BEFORE_VALUE)))
    };
    if whole.contains('\n') || !whole.ends_with(closed) || ['&', '*', '!', '?'].into_iter().any(begins) {
        return None;
    }
    let part = |node: &Node| match &node.kind {
        Kind::Scalar { .. } if node.place.range.is_empty() => None,
        Kind::Scalar { .. } => Some(node.place.text().to_owned()),
        _ if is_bracketed(node) => flow(node),
        _ => None,
    };
    match &node.kind {
        Kind::List(items) => {
            let items: Option<Vec<String>> = items.iter().map(part).collect();
            Some(format!("[{}]", items?.join(", ")))
        }
        Kind::Map(entries) if entries.is_empty() => Some("{}".to_owned()),
        Kind::Map(entries) => {
            let entry = |key: &str, value: &Node| {
                // `{a:}` has nothing behind its colon, and the place of its key.
                let value = part(value).filter(|value| value != key)?;
                Some(format!("{key}: {value}"))
            };
            let entries: Option<Vec<String>> =
                entries.iter().map(|(key, value)| entry(key.place.text(), value)).collect();
            Some(format!("{{ {} }}", entries?.join(", ")))
        }
        Kind::Scalar { .. } => None,
    }
}

/// A list or map that is open: its column as it was and as it will be.
#[derive(Clone, Copy)]
struct Level {
    was: usize,
    becomes: usize,
    list: bool,
}

struct Layout<'a> {
    text: &'a str,
    spans: Spans,
    levels: Vec<Level>,
    out: Vec<String>,
    /// Comments on lines of their own, whose column depends on what follows: index in `out`, column.
    waiting: Vec<(usize, usize)>,
    /// How far the lines of a value move: by its start.
    moved: HashMap<usize, Move>,
}

/// How the further lines of a value move.
#[derive(Clone, Copy)]
enum Move {
    /// All by as much.
    By(isize),
    /// Each to this column, for its blanks mean nothing.
    To(usize),
}

impl<'a> Layout<'a> {
    fn of(source: &'a Source, tree: &Node) -> Layout<'a> {
        Layout {
            text: &source.text,
            spans: Spans::of(tree),
            levels: Vec::new(),
            out: Vec::new(),
            waiting: Vec::new(),
            moved: HashMap::new(),
        }
    }

    fn text(mut self) -> String {
        let text = self.text;
        let mut start = 0;
        for whole in text.split_inclusive('\n') {
            let line = whole.strip_suffix('\n').unwrap_or(whole);
            self.line(start, line);
            start += whole.len();
        }
        self.place_comments(None);
        while self.out.last().is_some_and(String::is_empty) {
            self.out.pop();
        }
        let mut text = self.out.join("\n");
        text.push('\n');
        text
    }

    fn line(&mut self, start: usize, line: &str) {
        let blank = line.len() - line.trim_start().len();
        if let Some(value) = self.spans.inside(start).or_else(|| self.spans.inside(start + blank)) {
            // A further line of a value.
            return self.further(&value, line);
        }
        if line.trim().is_empty() {
            if self.out.last().is_some_and(|last| !last.is_empty()) {
                self.out.push(String::new());
            }
            return;
        }
        if line.trim_start().starts_with('#') {
            self.waiting.push((self.out.len(), blank));
            self.out.push(line.trim().to_owned());
            return;
        }
        let (column, content) = self.columns(start, line);
        self.place_comments(Some((blank, column)));
        self.content(start, line, column, content);
    }

    /// A line inside of a text of several lines, or of brackets.
    fn further(&mut self, value: &Range<usize>, line: &str) {
        let blank = line.len() - line.trim_start_matches(' ').len();
        let written = match self.moved.get(&value.start) {
            _ if line.trim().is_empty() && !self.is_block(value.start) => String::new(),
            Some(Move::To(column)) => format!("{}{}", " ".repeat(*column), line.trim()),
            Some(Move::By(by)) if blank < line.len() || *by > 0 && !line.is_empty() => {
                format!("{}{}", " ".repeat(blank.saturating_add_signed(*by)), line.get(blank..).unwrap_or_default())
            }
            Some(Move::By(by)) => " ".repeat(blank.saturating_add_signed(*by)),
            None => line.to_owned(),
        };
        self.out.push(written);
    }

    fn is_block(&self, start: usize) -> bool {
        self.text.get(start..).is_some_and(|rest| rest.starts_with(['|', '>']))
    }

    /// The new column of a line's first sign, and where its content begins behind its dashes.
    fn columns(&mut self, start: usize, line: &str) -> (usize, usize) {
        let mut at = line.len() - line.trim_start().len();
        let mut first = None;
        let mut behind_dash: Option<usize> = None;
        loop {
            let rest = line.get(at..).unwrap_or_default();
            let dash = rest == "-" || rest.starts_with("- ");
            let dash = dash && !self.spans.leaves.contains_key(&(start + at));
            let key = self.spans.keys.contains_key(&(start + at));
            let column = if dash || key {
                self.level(at, dash, behind_dash)
            } else {
                // A value on a line of its own, or behind its dash.
                match behind_dash {
                    Some(dash) => dash + STEP,
                    None => {
                        while self.levels.last().is_some_and(|level| level.was >= at) && self.levels.len() > 1 {
                            self.levels.pop();
                        }
                        self.levels.last().map_or(0, |level| level.becomes + STEP)
                    }
                }
            };
            first.get_or_insert(column);
            if !dash {
                break;
            }
            behind_dash = Some(column);
            let next = rest.get(1..).unwrap_or_default();
            let blank = next.len() - next.trim_start().len();
            at += 1 + blank;
            if next.trim().is_empty() || next.trim_start().starts_with('#') {
                break;
            }
        }
        (first.unwrap_or(0), at)
    }

    /// The new column of a dash or key that stands in this column.
    fn level(&mut self, was: usize, list: bool, behind_dash: Option<usize>) -> usize {
        while let Some(top) = self.levels.last() {
            // A list may stand in the column of the key above it.
            let above = self.levels.len().checked_sub(2).and_then(|index| self.levels.get(index));
            let key_again = !list && top.list && top.was == was && above.is_some_and(|above| above.was == was);
            if top.was > was || key_again {
                self.levels.pop();
            } else {
                break;
            }
        }
        match self.levels.last() {
            Some(top) if top.was == was && top.list == list => return top.becomes,
            _ => {}
        }
        let becomes = match (behind_dash, self.levels.last()) {
            (Some(dash), _) => dash + STEP,
            (None, Some(top)) => top.becomes + STEP,
            (None, None) => 0,
        };
        self.levels.push(Level { was, becomes, list });
        becomes
    }

    /// Comments stand with what follows them, unless they stood in the column of something that is open.
    fn place_comments(&mut self, next: Option<(usize, usize)>) {
        for (index, was) in std::mem::take(&mut self.waiting) {
            let open = self.levels.iter().rev().find(|level| level.was == was).map(|level| level.becomes);
            let column = match next {
                Some((blank, column)) if blank == was => column,
                Some((_, column)) => open.unwrap_or(column),
                None => open.unwrap_or(0),
            };
            if let Some(line) = self.out.get_mut(index) {
                *line = format!("{}{line}", " ".repeat(column));
            }
        }
    }

    fn content(&mut self, start: usize, line: &str, column: usize, content: usize) {
        let blank = line.len() - line.trim_start().len();
        let end = start + line.trim_end().len();
        let comment = self.spans.comment(self.text, start..end);
        let until = comment.unwrap_or(end);
        let mut out = " ".repeat(column);
        let dashes = line.get(blank..content.min(line.len())).unwrap_or_default().matches('-').count();
        out.push_str(&"- ".repeat(dashes));
        let from = start + content;
        out.push_str(&self.moved_text(from..until.max(from)));
        let kept = out.trim_end().len();
        out.truncate(kept);
        self.remember(start..end, column, blank);
        if let Some(at) = comment {
            // In its column, so that comments below each other stay so.
            let was = self.text.get(start..at).map_or(0, |before| before.chars().count());
            let gap = was.saturating_sub(out.chars().count()).max(BEFORE_COMMENT);
            out.push_str(&" ".repeat(gap));
            out.push_str(self.text.get(at..end).unwrap_or_default());
        }
        self.out.push(out);
    }

    /// A part of a line with its brackets and the blanks behind its keys put in order.
    fn moved_text(&self, range: Range<usize>) -> String {
        let mut edits: Vec<(Range<usize>, &str)> = Vec::new();
        for (at, text) in self.spans.flows.iter().filter(|(at, _)| range.contains(&at.start) && at.end <= range.end) {
            edits.push((at.clone(), text));
        }
        for (from, to) in self.spans.gaps.iter().filter(|(from, to)| range.contains(from) && *to < range.end) {
            if self.text.get(*from..*to).is_some_and(|between| between.trim() == ":") {
                edits.push((*from..*to, ": "));
            }
        }
        edits.sort_by_key(|(at, _)| at.start);
        let mut out = String::new();
        let mut at = range.start;
        for (edit, text) in edits {
            out.push_str(self.text.get(at..edit.start).unwrap_or_default());
            out.push_str(text);
            at = edit.end;
        }
        out.push_str(self.text.get(at..range.end).unwrap_or_default());
        out
    }

    /// How the further lines of the values that begin on this line will move.
    fn remember(&mut self, line: Range<usize>, column: usize, blank: usize) {
        let begun = self.spans.leaves.range(line.start..line.end).map(|(start, end)| (*start, *end));
        let begun: Vec<(usize, usize)> = begun.filter(|(_, end)| *end > line.end).collect();
        for (start, end) in begun {
            let by = column.cast_signed() - blank.cast_signed();
            let how = if self.is_block(start) {
                let header = self.text.get(start..line.end).unwrap_or_default();
                let body = self.text.get(line.end..end).unwrap_or_default();
                let first = body.lines().find(|line| !line.trim().is_empty());
                let was = first.map(|line| line.len() - line.trim_start_matches(' ').len());
                let indicator = header.split('#').next().unwrap_or_default().contains(|c: char| c.is_ascii_digit());
                // The text stands below the key or dash that it belongs to.
                let owner = self.levels.last().map_or(0, |level| level.becomes) + STEP;
                match was {
                    Some(was) if !indicator => Move::By(owner.cast_signed() - was.cast_signed()),
                    _ => Move::By(by),
                }
            } else if self.text.get(start..).is_some_and(|rest| rest.starts_with(['{', '['])) {
                Move::By(by)
            } else {
                Move::To(self.levels.last().map_or(0, |level| level.becomes) + STEP)
            };
            self.moved.insert(start, how);
        }
    }
}
