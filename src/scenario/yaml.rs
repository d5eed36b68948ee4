//! YAML to [`Node`]s, iteratively and within limits.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use saphyr_parser::{Event, Marker, Parser, ScalarStyle, ScanError, Span, StrInput};

use super::diagnostic::{Diagnostic, Problems, shown};
use super::faults::{self, Before, Repair};
use super::node::{Key, Kind, Node};
use super::origin;
use super::source::{Place, Source};

/// How deep values may nest: small enough that recursion over a tree is always safe.
pub(super) const MAX_DEPTH: usize = 64;
/// How many values a file may hold.
const MAX_NODES: usize = 100_000;
/// How many values and how much text aliases may repeat.
const MAX_REPEATED_NODES: usize = 10_000;
const MAX_REPEATED_TEXT: usize = 1024 * 1024;
/// How many syntax errors are told before giving up: each costs another pass.
const MAX_PASSES: usize = 20;

/// Reads a source as one YAML document. Every fault is a problem; `None` means that there is no tree to go on with.
pub fn read(source: &Arc<Source>, problems: &mut Problems) -> Option<Node> {
    // A syntax error ends the library's work, so what is wrong is repaired in a copy of the same length, and read again:
    // places stay right, and the next fault is found as well.
    let mut text = source.text.clone();
    let mut tabs = false;
    for pass in 1..=MAX_PASSES {
        let offsets = Offsets::of(&text);
        let mut builder = Builder::new(source, &text, &offsets);
        let error = builder.run();
        let mut repairs = std::mem::take(&mut builder.repairs);
        std::mem::take(&mut builder.broken).into_iter().for_each(|diagnostic| problems.add_guessed(diagnostic));
        // A comment that was none may have swallowed a bracket: then the error is not the author's.
        if let Some(error) = error.as_ref().filter(|_| repairs.is_empty()) {
            let at = offsets.byte(error.marker());
            let fault = faults::explain(source, &text, error.info(), at, &builder.before());
            // Once tabs have become spaces, indentation is only a guess.
            if !(tabs && fault.generic) {
                problems.add_guessed(fault.diagnostic);
            }
            tabs |= fault.tabs;
            if fault.repairs.is_empty() {
                return None;
            }
            repairs = fault.repairs;
        }
        if repairs.is_empty() || builder.stopped || pass == MAX_PASSES {
            let usable = !builder.stopped && error.is_none();
            let empty = builder.nodes == 0 && usable;
            let root = builder.finish(problems);
            if empty {
                problems.add(nothing(source));
            }
            return root.filter(|_| usable);
        }
        text = faults::apply(&text, &repairs);
    }
    None
}

fn nothing(source: &Arc<Source>) -> Diagnostic {
    let title = if source.text.trim().is_empty() { "the file is empty" } else { "the file holds nothing but comments" };
    Diagnostic::new(title)
        .at(Place::new(source, 0..0))
        .label("no steps")
        .next("write at least `steps:` and below it `  - open: /`")
}

/// From the library's character counts to bytes.
struct Offsets {
    /// Empty for ASCII, where both are the same.
    bytes: Vec<usize>,
    length: usize,
}

impl Offsets {
    fn of(text: &str) -> Offsets {
        let bytes = if text.is_ascii() { Vec::new() } else { text.char_indices().map(|(at, _)| at).collect() };
        Offsets { bytes, length: text.len() }
    }

    fn byte(&self, marker: &Marker) -> usize {
        let index = marker.index();
        if self.bytes.is_empty() {
            index.min(self.length)
        } else {
            self.bytes.get(index).copied().unwrap_or(self.length)
        }
    }
}

/// A list or map that is still open.
enum Open {
    List(Vec<Node>),
    Map { entries: Vec<(Key, Node)>, lines: HashMap<String, usize>, key: Option<Key>, skip: bool },
}

struct Frame {
    open: Open,
    start: usize,
    anchor: usize,
}

/// A value that was given a name with `&`.
struct Anchored {
    node: Node,
    nodes: usize,
    text: usize,
    depth: usize,
}

struct Builder<'a> {
    source: &'a Arc<Source>,
    text: &'a str,
    offsets: &'a Offsets,
    frames: Vec<Frame>,
    anchors: HashMap<usize, Anchored>,
    nodes: usize,
    repeated: (usize, usize),
    root: Option<Node>,
    documents: usize,
    found: Vec<Diagnostic>,
    broken: Vec<Diagnostic>,
    repairs: Vec<Repair>,
    stopped: bool,
    last: Range<usize>,
    /// Where the last event ended: block scalars begin behind it, with a header that the library passes over.
    cursor: usize,
    ended: bool,
}

impl<'a> Builder<'a> {
    fn new(source: &'a Arc<Source>, text: &'a str, offsets: &'a Offsets) -> Builder<'a> {
        Builder {
            source,
            text,
            offsets,
            frames: Vec::new(),
            anchors: HashMap::new(),
            nodes: 0,
            repeated: (0, 0),
            root: None,
            documents: 0,
            found: Vec::new(),
            broken: Vec::new(),
            repairs: Vec::new(),
            stopped: false,
            last: 0..0,
            cursor: 0,
            ended: false,
        }
    }

    fn run(&mut self) -> Option<ScanError> {
        let mut parser: Parser<'_, StrInput<'_>> = Parser::new_from_str(self.text);
        while let Some(next) = parser.next_event() {
            match next {
                Ok((event, span)) => self.event(event, span),
                Err(error) => return Some(error),
            }
            if self.stopped || self.ended {
                return None;
            }
        }
        None
    }

    fn event(&mut self, event: Event<'_>, span: Span) {
        let start = self.offsets.byte(&span.start);
        let end = self.offsets.byte(&span.end);
        let (start, anchor) = match &event {
            Event::Scalar(_, _, anchor, tag) | Event::SequenceStart(anchor, tag) | Event::MappingStart(anchor, tag) => {
                if tag.is_some() {
                    self.tag(start);
                }
                (if *anchor > 0 || tag.is_some() { self.past_properties(start, end) } else { start }, *anchor)
            }
            _ => (start, 0),
        };
        match event {
            Event::DocumentStart(_) => {
                self.documents += 1;
                if self.documents == 2 {
                    self.second_document(start);
                }
            }
            Event::Scalar(text, style, ..) => self.scalar(text.into_owned(), style, anchor, start, end),
            Event::SequenceStart(..) => self.open(Open::List(Vec::new()), anchor, start),
            Event::MappingStart(..) => {
                let open = Open::Map { entries: Vec::new(), lines: HashMap::new(), key: None, skip: false };
                self.open(open, anchor, start);
            }
            Event::SequenceEnd | Event::MappingEnd => self.close(end),
            Event::Alias(anchor) => self.alias(anchor, start, end),
            Event::StreamStart | Event::StreamEnd | Event::DocumentEnd | Event::Nothing => {}
        }
        self.cursor = self.cursor.max(end);
    }

    /// Where a value starts behind its anchor and tag, which the library counts as part of it.
    fn past_properties(&self, start: usize, end: usize) -> usize {
        let mut at = start;
        while let Some(rest) = self.text.get(at..) {
            let blank = rest.len() - rest.trim_start().len();
            let rest = rest.trim_start();
            let length = match rest.chars().next() {
                Some('&' | '!') => rest.find(char::is_whitespace).unwrap_or(rest.len()),
                Some('#') => rest.find('\n').unwrap_or(rest.len()),
                _ => return (at + blank).min(end.max(start)),
            };
            at += blank + length;
        }
        start
    }

    /// Where a block scalar's `|` or `>` stands: the first behind what was read before, comments aside.
    fn block_header(&self, start: usize) -> usize {
        let mut at = self.cursor;
        while let Some(rest) = self.text.get(at..) {
            match rest.chars().next() {
                Some('|' | '>') => return at,
                Some('#') => at += rest.find('\n').unwrap_or(rest.len()),
                Some('&' | '!') => at += rest.find(char::is_whitespace).unwrap_or(rest.len()),
                Some(other) => at += other.len_utf8(),
                None => break,
            }
        }
        start
    }

    /// What had been read so far, to explain an error by.
    fn before(&self) -> Before {
        let is_bracket = |at: &usize| self.text.get(*at..).is_some_and(|rest| rest.starts_with(['{', '[']));
        // An outer block may hold a closed bracket, but no block stands inside of brackets.
        let bracket = self.frames.last().map(|frame| frame.start).filter(is_bracket);
        Before { scalar: self.last.clone(), bracket }
    }

    fn place(&self, start: usize, end: usize) -> Place {
        Place::new(self.source, start..end)
    }

    fn stop(&mut self, diagnostic: Diagnostic) {
        self.found.push(diagnostic);
        self.stopped = true;
    }

    fn second_document(&mut self, start: usize) {
        let end = start + if self.text.get(start..).is_some_and(|rest| rest.starts_with("---")) { 3 } else { 0 };
        let label = if end > start { "`---` begins another document" } else { "another document begins here" };
        self.ended = true;
        self.found.push(
            Diagnostic::new("a second document in one file")
                .at(self.place(start, end))
                .label(label)
                .next("put each scenario in a file of its own, or delete this line"),
        );
    }

    fn tag(&mut self, start: usize) {
        let line = self.text.get(start..).unwrap_or_default().lines().next().unwrap_or_default();
        let from = start + line.find('!').unwrap_or(0);
        let tag = self.text.get(from..).unwrap_or_default().split(char::is_whitespace).next().unwrap_or_default();
        self.found.push(
            Diagnostic::new("tags are not used in scenarios")
                .at(self.place(from, from + tag.len()))
                .label("in YAML, `!` begins a tag")
                .next("put the text in quotes, or delete the tag"),
        );
    }

    fn count(&mut self, start: usize) -> bool {
        self.nodes += 1;
        if self.nodes > MAX_NODES {
            self.stop(
                Diagnostic::new(format!("the file holds more than {MAX_NODES} values"))
                    .at(self.place(start, start))
                    .label("reading ended here")
                    .next("split it into several scenarios"),
            );
        }
        !self.stopped
    }

    fn open(&mut self, open: Open, anchor: usize, start: usize) {
        if !self.count(start) {
            return;
        }
        if self.frames.len() >= MAX_DEPTH {
            self.stop(faults::too_deep(self.place(start, start)));
            return;
        }
        self.frames.push(Frame { open, start, anchor });
    }

    fn close(&mut self, end: usize) {
        let Some(frame) = self.frames.pop() else {
            return;
        };
        let kind = match frame.open {
            Open::List(items) => Kind::List(items),
            Open::Map { entries, .. } => Kind::Map(entries),
        };
        // Where a block ends, the library has already passed the blank lines behind it.
        let body = self.text.get(frame.start..end.max(frame.start)).unwrap_or_default();
        let end = frame.start + faults::without_trailing_comments(body).len();
        let node = Node { kind, place: self.place(frame.start, end) };
        self.anchor(frame.anchor, &node);
        self.add(node);
    }

    fn scalar(&mut self, text: String, style: ScalarStyle, anchor: usize, start: usize, end: usize) {
        if !self.count(start) {
            return;
        }
        let plain = style == ScalarStyle::Plain;
        let block = matches!(style, ScalarStyle::Literal | ScalarStyle::Folded);
        let start = if block { self.block_header(start) } else { start };
        let end = match style {
            ScalarStyle::Plain => end,
            ScalarStyle::SingleQuoted | ScalarStyle::DoubleQuoted => {
                origin::quoted_end(self.text, start).unwrap_or(end)
            }
            ScalarStyle::Literal | ScalarStyle::Folded => {
                start + self.text.get(start..end).unwrap_or_default().trim_end().len()
            }
        };
        if plain {
            let flow = self.before().bracket.is_some();
            if let Some((diagnostic, repairs)) =
                faults::broken_plain(self.source, self.text, start..end, self.expects_key(), flow)
            {
                self.broken.push(diagnostic);
                self.repairs.extend(repairs);
            }
        }
        self.last = start..end;
        let place = if text.is_empty() && plain { self.nothing(start) } else { self.place(start, end) };
        let node = Node { kind: Kind::Scalar { text, plain }, place };
        self.anchor(anchor, &node);
        self.add(node);
    }

    /// Where nothing is: the library gives the next thing's place, which may be lines below.
    fn nothing(&self, start: usize) -> Place {
        if let Some(Frame { open: Open::Map { key: Some(key), .. }, .. }) = self.frames.last() {
            return key.place.clone();
        }
        self.place(start, start)
    }

    fn anchor(&mut self, anchor: usize, node: &Node) {
        if anchor == 0 {
            return;
        }
        let (mut nodes, mut text, mut depth) = (0, 0, 0);
        let mut rest = vec![(node, 1)];
        while let Some((node, level)) = rest.pop() {
            nodes += 1;
            depth = depth.max(level);
            match &node.kind {
                Kind::Scalar { text: scalar, .. } => text += scalar.len(),
                Kind::List(items) => rest.extend(items.iter().map(|item| (item, level + 1))),
                Kind::Map(entries) => rest.extend(entries.iter().map(|(_, value)| (value, level + 1))),
            }
        }
        self.anchors.insert(anchor, Anchored { node: node.clone(), nodes, text, depth });
    }

    fn alias(&mut self, anchor: usize, start: usize, end: usize) {
        let Some(anchored) = self.anchors.get(&anchor) else {
            // The value that holds this alias is not complete yet.
            self.stop(
                Diagnostic::new("an alias to the value it stands in")
                    .at(self.place(start, end))
                    .label("this would never end")
                    .next("write the value out"),
            );
            return;
        };
        self.repeated.0 += anchored.nodes;
        self.repeated.1 += anchored.text;
        let mut node = anchored.node.clone();
        if self.repeated.0 > MAX_REPEATED_NODES || self.repeated.1 > MAX_REPEATED_TEXT {
            self.stop(
                Diagnostic::new("too many aliases")
                    .at(self.place(start, end))
                    .label(format!("more than {MAX_REPEATED_NODES} values would be repeated"))
                    .next("write the values out, or repeat steps with `repeat`"),
            );
            return;
        }
        if self.frames.len() + anchored.depth > MAX_DEPTH {
            self.stop(faults::too_deep(self.place(start, end)));
            return;
        }
        // What is wrong in the value stands where it was written; a bare scalar is marked where it is used.
        if matches!(node.kind, Kind::Scalar { .. }) && self.expects_key() {
            node.place = self.place(start, end);
        }
        self.add(node);
    }

    fn expects_key(&self) -> bool {
        matches!(self.frames.last(), Some(Frame { open: Open::Map { key: None, .. }, .. }))
    }

    fn add(&mut self, node: Node) {
        let Some(frame) = self.frames.last_mut() else {
            if self.root.is_none() {
                self.root = Some(node);
            }
            return;
        };
        match &mut frame.open {
            Open::List(items) => items.push(node),
            Open::Map { entries, lines, key, skip } => match key.take() {
                Some(key) => {
                    if !std::mem::take(skip) {
                        entries.push((key, node));
                    }
                }
                None => {
                    let name = match node.kind {
                        Kind::Scalar { text, .. } => text,
                        _ => {
                            *skip = true;
                            self.found.push(faults::bad_key(&node.place));
                            String::new()
                        }
                    };
                    if !*skip && let Some(first) = lines.get(&name) {
                        *skip = true;
                        self.found.push(duplicate(&name, *first, &node.place));
                    }
                    lines.entry(name.clone()).or_insert_with(|| node.place.line());
                    *key = Some(Key { name, place: node.place });
                }
            },
        }
    }

    fn finish(self, problems: &mut Problems) -> Option<Node> {
        for diagnostic in self.found {
            problems.add_guessed(diagnostic);
        }
        self.root
    }
}

fn duplicate(name: &str, first: usize, place: &Place) -> Diagnostic {
    let second = place.line();
    let again = if first == second {
        format!("twice in line {first}")
    } else {
        format!("first in line {first}, again in line {second}")
    };
    Diagnostic::new(format!("`{}` is there twice", shown(name)))
        .at(place.clone())
        .label(again)
        .next("delete one of the two")
}
