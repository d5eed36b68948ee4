//! A file's text as it is shown to people, and places in it.

use std::fmt;
use std::fs::File;
use std::io::{self, Read};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::diagnostic::{Diagnostic, Problems};

/// The largest file that is read. A scenario is written by hand; what is larger was named by mistake.
const MAX_BYTES: usize = 2 * 1024 * 1024;

/// How many unprintable characters are told one by one.
const MAX_TOLD: usize = 5;

/// A file's text, ready to be shown: without a byte-order mark, with `\n` line ends, and with pictures (`␛`) in place
/// of control characters, so that no excerpt of it can drive a terminal.
#[derive(Debug)]
pub struct Source {
    /// The path as it is shown to people.
    pub path: PathBuf,
    /// The text.
    pub text: String,
    starts: Vec<usize>,
}

impl Source {
    /// A source from text that is already in memory. Byte-order mark, line ends and control characters are treated as in
    /// a file, but not complained about.
    pub fn new(path: impl Into<PathBuf>, text: &str) -> Arc<Source> {
        let mut ignored = Problems::default();
        let bytes = text.as_bytes();
        let path = path.into();
        Source::decode(&path, bytes, &mut ignored)
    }

    /// Reads a file. What can't be read, is too large or isn't UTF-8 is a problem, with its place.
    pub fn read(path: &Path, problems: &mut Problems) -> Option<Arc<Source>> {
        let bytes = match read_limited(path) {
            Ok(bytes) => bytes,
            Err(error) => {
                let title = format!("can't read `{}`", path.display());
                let next = match error.kind() {
                    io::ErrorKind::NotFound => "check the path; it is relative to the folder you are in",
                    io::ErrorKind::PermissionDenied => "make the file readable",
                    _ => "name a scenario file",
                };
                problems.add(Diagnostic::new(title).detail("the system says", error.to_string()).next(next));
                return None;
            }
        };
        if bytes.len() > MAX_BYTES {
            let title = format!("`{}` is larger than {} MB", path.display(), MAX_BYTES / 1024 / 1024);
            let next = "name a scenario file; large pages and data belong in files beside it";
            problems.add(Diagnostic::new(title).next(next));
            return None;
        }
        Source::from_bytes(path, &bytes, problems)
    }

    /// A source from the bytes of a file; see [`Source::read`].
    pub fn from_bytes(path: &Path, bytes: &[u8], problems: &mut Problems) -> Option<Arc<Source>> {
        if is_utf16(bytes) {
            let source = Source::shown(path, String::new());
            problems.add(
                Diagnostic::new("the file is UTF-16, not UTF-8")
                    .at(Place::new(&source, 0..0))
                    .next("save it as UTF-8: every editor can, usually under \"Save with encoding\""),
            );
            return None;
        }
        Some(Source::decode(path, bytes, problems))
    }

    fn decode(path: &Path, bytes: &[u8], problems: &mut Problems) -> Arc<Source> {
        let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
        let mut text = String::with_capacity(bytes.len());
        let mut controls: Vec<(usize, char)> = Vec::new();
        let mut broken: Vec<(usize, u8)> = Vec::new();
        for chunk in bytes.utf8_chunks() {
            let mut characters = chunk.valid().chars().peekable();
            while let Some(character) = characters.next() {
                match character {
                    '\r' if characters.peek() == Some(&'\n') => {}
                    '\t' | '\n' => text.push(character),
                    _ if character.is_control() => {
                        controls.push((text.len(), character));
                        text.push(picture(character));
                    }
                    _ => text.push(character),
                }
            }
            if let Some(first) = chunk.invalid().first() {
                broken.push((text.len(), *first));
                text.push('\u{FFFD}');
            }
        }
        let source = Source::shown(path, text);
        report_broken(&source, &broken, problems);
        report_controls(&source, &controls, problems);
        source
    }

    fn shown(path: &Path, text: String) -> Arc<Source> {
        let mut starts = vec![0];
        starts.extend(text.match_indices('\n').map(|(at, _)| at + 1));
        Arc::new(Source { path: path.to_owned(), text, starts })
    }

    /// Line and column, both from 1, of a byte offset; the column counts characters.
    pub fn line_column(&self, offset: usize) -> (usize, usize) {
        let offset = floor(&self.text, offset);
        let line = self.starts.partition_point(|start| *start <= offset);
        let start = self.starts.get(line.saturating_sub(1)).copied().unwrap_or(0);
        let column = self.text.get(start..offset).map_or(0, |part| part.chars().count());
        (line, column + 1)
    }

    /// The bytes of a line (from 1), without its line end.
    pub fn line(&self, line: usize) -> Range<usize> {
        let start = self.starts.get(line.saturating_sub(1)).copied().unwrap_or(self.text.len());
        let end = self.starts.get(line).map_or(self.text.len(), |next| next - 1);
        start..end.max(start)
    }
}

/// A part of a source: what a diagnostic marks.
#[derive(Clone)]
pub struct Place {
    /// The source.
    pub source: Arc<Source>,
    /// The bytes of [`Source::text`].
    pub range: Range<usize>,
}

impl Place {
    /// A place in a source; the range is cut to what is there.
    pub fn new(source: &Arc<Source>, range: Range<usize>) -> Place {
        let start = floor(&source.text, range.start);
        let end = floor(&source.text, range.end).max(start);
        Place { source: Arc::clone(source), range: start..end }
    }

    /// The text at this place.
    pub fn text(&self) -> &str {
        self.source.text.get(self.range.clone()).unwrap_or_default()
    }

    /// Whether the two have a character of the same file in common.
    pub fn overlaps(&self, other: &Place) -> bool {
        Arc::ptr_eq(&self.source, &other.source)
            && self.range.start < other.range.end
            && other.range.start < self.range.end
    }

    /// The line, from 1.
    pub fn line(&self) -> usize {
        self.source.line_column(self.range.start).0
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (line, column) = self.source.line_column(self.range.start);
        write!(f, "{}:{line}:{column}", self.source.path.display())
    }
}

impl fmt::Debug for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self} ({:?})", self.range)
    }
}

/// The nearest character boundary at or before an offset.
fn floor(text: &str, offset: usize) -> usize {
    let mut offset = offset.min(text.len());
    while !text.is_char_boundary(offset) {
        offset -= 1;
    }
    offset
}

/// Reads at most one byte more than is allowed, so that a device file or a huge one costs nothing.
fn read_limited(path: &Path) -> io::Result<Vec<u8>> {
    if path.is_dir() {
        return Err(io::Error::other("this is a folder"));
    }
    let mut bytes = Vec::new();
    File::open(path)?.take(MAX_BYTES as u64 + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn is_utf16(bytes: &[u8]) -> bool {
    match bytes {
        [0xFF, 0xFE, ..] | [0xFE, 0xFF, ..] => true,
        // Without a mark: the first sign of a scenario is ASCII, so one half of it is zero.
        [0, second, ..] => *second != 0,
        [first, 0, ..] => *first != 0,
        _ => false,
    }
}

/// What stands in the shown text for a control character.
fn picture(control: char) -> char {
    match u32::from(control) {
        code @ 0..=0x1F => char::from_u32(0x2400 + code).unwrap_or('\u{FFFD}'),
        0x7F => '\u{2421}',
        _ => '\u{FFFD}',
    }
}

fn report_broken(source: &Arc<Source>, broken: &[(usize, u8)], problems: &mut Problems) {
    let Some((at, byte)) = broken.first() else {
        return;
    };
    let more = match broken.len() {
        1 => String::new(),
        count => format!(", and {} more in this file", count - 1),
    };
    problems.add(
        Diagnostic::new("the file is not UTF-8")
            .at(Place::new(source, *at..at + '\u{FFFD}'.len_utf8()))
            .label(format!("byte 0x{byte:02X} here{more}"))
            .next("save it as UTF-8: every editor can, usually under \"Save with encoding\""),
    );
}

fn report_controls(source: &Arc<Source>, controls: &[(usize, char)], problems: &mut Problems) {
    for (index, (at, control)) in controls.iter().take(MAX_TOLD).enumerate() {
        let code = u32::from(*control);
        let length = picture(*control).len_utf8();
        let more = controls.len() - MAX_TOLD.min(controls.len());
        let label = if more > 0 && index + 1 == MAX_TOLD {
            format!("not allowed here; {more} more in this file")
        } else {
            "not allowed here".to_owned()
        };
        problems.add(
            Diagnostic::new(format!("a raw control character, U+{code:04X}"))
                .at(Place::new(source, *at..at + length))
                .label(label)
                .next(format!("delete it, or write it as an escape in double quotes: \"\\u{code:04x}\"")),
        );
    }
}
