//! insta's file format: YAML front matter, then the text.
//!
//! ```text
//! ---
//! source: scenarios/login.yaml
//! assertion_line: 14
//! description: A visitor signs in
//! expression: "snapshot: signed-in"
//! ---
//! RootWebArea "Home"
//! ```
//!
//! These are the fields that `cargo insta review` shows. The line is kept in pending files only, as insta does, so that a
//! stored file does not change when steps are added above it. A picture is a binary snapshot: its front matter has
//! `extension: png` and `snapshot_kind: binary`, and the picture stands beside it, under the same name with `.png` at its end.

use std::io;
use std::path::{Path, PathBuf};

use saphyr_parser::{Event, Parser};

/// How much front matter is read, in bytes.
const LONGEST_HEADER: usize = 64 * 1024;
/// How deeply it may nest. insta's own reader recurses.
const DEEPEST_HEADER: usize = 16;
const FENCE: &str = "---";
/// The one kind of pictures that is stored.
pub(super) const EXTENSION: &str = "png";

/// The front matter we write.
#[derive(Clone, Debug)]
pub(super) struct Header {
    pub(super) source: String,
    pub(super) line: Option<u32>,
    pub(super) description: String,
    /// The name that the step gives it.
    pub(super) name: String,
}

/// What is written.
#[derive(Clone, Copy, Debug)]
pub(super) enum Content<'a> {
    /// An outline's text.
    Outline(&'a str),
    /// A picture's bytes, a PNG.
    Picture(&'a [u8]),
}

impl<'a> Content<'a> {
    pub(super) fn bytes(self) -> &'a [u8] {
        match self {
            Content::Outline(text) => text.as_bytes(),
            Content::Picture(bytes) => bytes,
        }
    }
}

/// What was kept.
#[derive(Clone, Debug)]
pub(super) enum Kept {
    /// Line ends are `\n`; nothing stands at the end.
    Outline(String),
    /// The bytes of the file beside it.
    Picture(Vec<u8>),
}

impl Kept {
    pub(super) fn content(&self) -> Content<'_> {
        match self {
            Kept::Outline(text) => Content::Outline(text),
            Kept::Picture(bytes) => Content::Picture(bytes),
        }
    }
}

/// What a file of the format holds.
#[derive(Clone, Debug)]
pub(super) struct Stored {
    pub(super) source: Option<String>,
    pub(super) line: Option<u32>,
    pub(super) description: Option<String>,
    pub(super) expression: Option<String>,
    pub(super) content: Kept,
    /// The line of the file on which the text starts, counted from 1.
    pub(super) first_line: usize,
    /// The file as it is.
    pub(super) raw: String,
}

/// A snapshot file that is none, and where it stops being one.
#[derive(Debug, thiserror::Error)]
#[error("{}:{line}: {message}", .path.display())]
pub struct FormatError {
    /// The file.
    pub path: PathBuf,
    /// The line, counted from 1.
    pub line: usize,
    /// What is wrong there.
    pub message: String,
}

/// Why a file could not be read.
#[derive(Debug, thiserror::Error)]
pub(super) enum ReadError {
    #[error(transparent)]
    Format(#[from] FormatError),
    #[error("{}: {error}", .path.display())]
    Io { path: PathBuf, error: io::Error },
}

/// The bytes of a file; with the line in a pending one only.
pub(super) fn render(header: &Header, content: Content<'_>, with_line: bool) -> String {
    let mut file = format!("{FENCE}\nsource: {}\n", scalar(&header.source));
    if let Some(line) = header.line.filter(|_| with_line) {
        file.push_str(&format!("assertion_line: {line}\n"));
    }
    if !header.description.is_empty() {
        file.push_str(&format!("description: {}\n", scalar(&header.description)));
    }
    match content {
        Content::Outline(text) => {
            let expression = scalar(&format!("snapshot: {}", header.name));
            file.push_str(&format!("expression: {expression}\n{FENCE}\n{}\n", normal(text)));
        }
        Content::Picture(_) => {
            let expression = scalar(&format!("look: {{ snapshot: {} }}", header.name));
            let kind = format!("extension: {EXTENSION}\nsnapshot_kind: binary");
            file.push_str(&format!("expression: {expression}\n{kind}\n{FENCE}\n"));
        }
    }
    file
}

/// A pending file as a stored one: without the line, line ends and the end made normal. What else its front matter says
/// is kept as it was written, fields we don't know included.
pub(super) fn accepted(pending: &Stored) -> String {
    let header_lines = pending.first_line.saturating_sub(1);
    let mut file = String::with_capacity(pending.raw.len());
    for line in pending.raw.lines().take(header_lines).filter(|line| !line.starts_with("assertion_line:")) {
        file.push_str(line);
        file.push('\n');
    }
    if let Kept::Outline(text) = &pending.content {
        file.push_str(text);
        file.push('\n');
    }
    file
}

/// Reads a file, `None` if there is none.
pub(super) fn read(path: &Path) -> Result<Option<Stored>, ReadError> {
    let bytes = match std::fs::read(path) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => {
            return Err(ReadError::Io { path: path.to_owned(), error });
        }
    };
    let wrong = |line, message: String| FormatError { path: path.to_owned(), line, message };
    let raw = String::from_utf8(bytes).map_err(|error| {
        let before = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        wrong(before.iter().filter(|byte| **byte == b'\n').count() + 1, "this line is not UTF-8".to_owned())
    })?;
    let header_lines = check_header(&raw).map_err(|(line, message)| wrong(line, message))?;
    // From here on it is insta that says what the file holds, so that both always agree.
    let snapshot = insta::Snapshot::from_file(path).map_err(|error| wrong(1, error.to_string()))?;
    let content = match snapshot.as_text() {
        Some(text) => Kept::Outline(text.to_string()),
        None => Kept::Picture(read_picture(path, &raw)?),
    };
    let metadata = snapshot.metadata();
    Ok(Some(Stored {
        source: metadata.source().map(str::to_owned),
        line: metadata.assertion_line(),
        description: metadata.description().map(str::to_owned),
        expression: metadata.expression().map(str::to_owned),
        content,
        first_line: header_lines + 1,
        raw,
    }))
}

/// The picture that stands beside its front matter.
fn read_picture(path: &Path, front_matter: &str) -> Result<Vec<u8>, ReadError> {
    let beside = picture_of(path);
    match std::fs::read(&beside) {
        Ok(bytes) => Ok(bytes),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            let line = front_matter.lines().position(|line| line.starts_with("snapshot_kind")).unwrap_or(0) + 1;
            let name = beside.file_name().unwrap_or_default().to_string_lossy();
            let message = format!("its picture is missing, which should stand beside it as {name}");
            Err(FormatError { path: path.to_owned(), line, message }.into())
        }
        Err(error) => Err(ReadError::Io { path: beside, error }),
    }
}

/// The picture of a snapshot file: `x.snap.png` of `x.snap`, `x.snap.new.png` of `x.snap.new`.
pub(super) fn picture_of(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".");
    name.push(EXTENSION);
    name.into()
}

/// Checks that front matter stands there that insta can read without printing, panicking or recursing without bound;
/// returns how many lines it has.
fn check_header(raw: &str) -> Result<usize, (usize, String)> {
    if raw.starts_with('\u{feff}') {
        return Err((1, "it starts with a byte order mark, which insta can't read: save it without".to_owned()));
    }
    if raw.lines().next().map(str::trim_end) != Some(FENCE) {
        return Err((1, format!("a snapshot file starts with a line `{FENCE}` and its front matter")));
    }
    let mut length = 0;
    for (index, line) in raw.split_inclusive('\n').enumerate() {
        if index > 0 && line.trim_end() == FENCE {
            check_yaml(&raw[..length])?;
            return Ok(index + 1);
        }
        length += line.len();
        if length > LONGEST_HEADER {
            return Err((index + 1, "the front matter is too long to be one".to_owned()));
        }
    }
    Err((raw.lines().count(), format!("the front matter has no end: a second line `{FENCE}` is missing")))
}

fn check_yaml(header: &str) -> Result<(), (usize, String)> {
    let mut depth = 0_usize;
    let mut is_extension = false;
    for event in Parser::new_from_str(header) {
        let (event, span) = event
            .map_err(|error| (error.marker().line(), format!("the front matter is not YAML: {}", error.info())))?;
        let line = span.start.line();
        // Of another kind insta would read the file of that name, whatever it leads to.
        if depth == 1
            && let Event::Scalar(text, ..) = &event
        {
            if is_extension && text != EXTENSION {
                return Err((
                    line,
                    format!("it holds a binary snapshot of the kind `{}`, not a picture", one_line(text)),
                ));
            }
            // A key, or a value that is the same word.
            is_extension = text == "extension";
        }
        is_extension &= matches!(event, Event::Scalar(..));
        match event {
            Event::MappingStart(..) => depth += 1,
            Event::SequenceStart(..) if depth > 0 => depth += 1,
            Event::MappingEnd | Event::SequenceEnd => depth = depth.saturating_sub(1),
            Event::Scalar(..) | Event::SequenceStart(..) if depth == 0 => {
                return Err((line, "the front matter is not a mapping, as in `source: login.yaml`".to_owned()));
            }
            Event::Alias(_) => return Err((line, "the front matter holds an alias".to_owned())),
            _ => {}
        }
        if depth > DEEPEST_HEADER {
            return Err((line, "the front matter nests too deeply".to_owned()));
        }
    }
    Ok(())
}

/// A text as insta compares it: `\n` at line ends, nothing at the end.
pub(super) fn normal(text: &str) -> String {
    text.trim_end().replace("\r\n", "\n")
}

/// A text on one line, without characters that would have to be escaped or would change how others are shown.
pub(super) fn one_line(text: &str) -> String {
    let shown: String = text.chars().map(|character| if is_shown(character) { character } else { ' ' }).collect();
    shown.split(' ').filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}

fn is_shown(character: char) -> bool {
    !character.is_control()
        && !character.is_whitespace()
        && !matches!(character, '\u{feff}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// A YAML scalar, in quotes exactly where insta puts it in quotes.
fn scalar(text: &str) -> String {
    if is_plain(text) {
        return text.to_owned();
    }
    let mut quoted = String::from("\"");
    for character in text.chars() {
        match character {
            '"' | '\\' => quoted.extend(['\\', character]),
            '\n' => quoted.push_str("\\n"),
            '\r' => quoted.push_str("\\r"),
            '\t' => quoted.push_str("\\t"),
            control if control.is_ascii_control() => {
                quoted.push_str(&format!("\\u{:04x}", u32::from(control)));
            }
            other => quoted.push(other),
        }
    }
    quoted.push('"');
    quoted
}

fn is_plain(text: &str) -> bool {
    const WORDS: [&str; 9] = ["yes", "no", "true", "false", "on", "off", "null", "~", ""];
    let is_word = |word: &&str| {
        let mut capitalized = (*word).to_owned();
        capitalized.get_mut(..1).into_iter().for_each(str::make_ascii_uppercase);
        text == *word || text == word.to_ascii_uppercase() || text == capitalized
    };
    let is_number =
        text.starts_with("0x") || text.starts_with("0o") || text.parse::<i64>().is_ok() || text.parse::<f64>().is_ok();
    !WORDS.iter().any(is_word)
        && !is_number
        && !text.starts_with([' ', '.', '&', '*', '?', '|', '-', '<', '>', '=', '!', '%', '@'])
        && !text.ends_with(' ')
        && !text.contains([':', '{', '}', '[', ']', ',', '#', '`', '"', '\'', '\\'])
        && !text.contains(|character: char| character.is_ascii_control())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic)]
    use proptest::prelude::*;

    use super::*;

    fn written(bytes: impl AsRef<[u8]>) -> (tempfile::TempDir, PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x__y.snap");
        std::fs::write(&path, bytes).unwrap();
        (folder, path)
    }

    #[test]
    fn a_broken_file_is_told_with_its_line() {
        for (bytes, line, said) in [
            (&b""[..], 1, "starts with"),
            (b"RootWebArea\n", 1, "starts with"),
            (b"\xef\xbb\xbf---\na: b\n---\n", 1, "byte order mark"),
            (b"---\nsource: a\nRootWebArea\n", 3, "no end"),
            (b"---\nsource: [a\n---\nx\n", 3, "not YAML"),
            (b"---\na: b\n\tc: d: e\n---\nx\n", 2, "not YAML"),
            (b"---\nonly text\n---\nx\n", 2, "not a mapping"),
            (b"---\n- a\n---\nx\n", 2, "not a mapping"),
            (b"---\n---\nx\n", 2, "not a mapping"),
            (b"---\na: &b c\nd: *b\n---\nx\n", 3, "alias"),
            (b"---\nsource: a\n---\nx\n\xff\n", 5, "UTF-8"),
            (b"---\nextension: png\nsnapshot_kind: binary\n---\n", 3, "picture is missing"),
            (b"---\nextension: ../../x\nsnapshot_kind: binary\n---\n", 2, "binary"),
            (b"---\nextension: [png]\nsnapshot_kind: binary\n---\n", 1, ""),
        ] {
            let (_folder, path) = written(bytes);
            let shown = String::from_utf8_lossy(bytes);
            match read(&path) {
                Err(ReadError::Format(error)) => {
                    assert!(error.message.contains(said), "{shown:?}: {error}");
                    assert_eq!(error.line, line, "{shown:?}: {error}");
                }
                other => panic!("{shown:?}: {other:?}"),
            }
        }
        let deep = format!("---\na: {}\n---\nx\n", "[".repeat(60_000));
        let (_folder, path) = written(deep);
        assert!(matches!(read(&path), Err(ReadError::Format(_))));
        let long = format!("---\na: {}\n---\nx\n", "b".repeat(70_000));
        let (_folder, path) = written(long);
        assert!(matches!(read(&path), Err(ReadError::Format(_))));
        assert!(read(Path::new("/nowhere/at/all.snap")).unwrap().is_none());
    }

    #[test]
    fn line_ends_and_the_end_are_neutral() {
        for bytes in [
            "---\nsource: a\n---\nx\n  y\n",
            "---\r\nsource: a\r\n---\r\nx\r\n  y\r\n\r\n",
            "---\nsource: a\n---\nx\n  y",
        ] {
            let (_folder, path) = written(bytes);
            let stored = read(&path).unwrap().unwrap();
            assert!(matches!(&stored.content, Kept::Outline(text) if text == "x\n  y"));
            assert_eq!(stored.first_line, 4);
            assert_eq!(accepted(&stored), "---\nsource: a\n---\nx\n  y\n");
        }
    }

    fn told() -> impl Strategy<Value = String> {
        let tricky = [
            "yes", "No", "NULL", "~", "0x1f", "12", "1e3", "inf", ".5", "- a", "a: b", "'", "a # b", "%", "ü", "-",
            "?x", "a\\b", "\"q\"",
        ];
        prop_oneof![proptest::sample::select(tricky.to_vec()).prop_map(str::to_owned), ".{0,20}", "\\PC{0,20}"]
            .prop_map(|text| one_line(&text))
    }

    proptest! {
        #[test]
        fn any_file_is_read_or_refused(bytes in proptest::collection::vec(any::<u8>(), 0..200), header in "[\\PC\n\t]{0,60}") {
            let (_folder, path) = written(&bytes);
            let _ = read(&path);
            let (_folder, path) = written(format!("---\n{header}\n---\nx\n"));
            let _ = read(&path);
        }

        /// What insta writes after having read ours is what we wrote, byte for byte.
        #[test]
        fn insta_reads_and_rewrites_ours_unchanged(source in told(), description in told(), name in told(), text in "[\\PC\n]{0,80}", line in 1_u32..10_000) {
            let header = Header { source: source.clone(), line: Some(line), description: description.clone(), name: name.clone() };
            let (_folder, path) = written(render(&header, Content::Outline(&text), true));
            let snapshot = insta::Snapshot::from_file(&path).unwrap();
            prop_assert_eq!(snapshot.metadata().source(), Some(source.as_str()));
            prop_assert_eq!(snapshot.metadata().description().unwrap_or(""), description.as_str());
            let expression = format!("snapshot: {name}");
            prop_assert_eq!(snapshot.metadata().expression(), Some(expression.as_str()));
            prop_assert_eq!(snapshot.metadata().assertion_line(), Some(line));
            prop_assert_eq!(snapshot.as_text().unwrap().to_string(), normal(&text));

            let again = path.with_extension("again.snap");
            snapshot.save(&again).unwrap();
            let rewritten = std::fs::read_to_string(&again).unwrap();
            prop_assert_eq!(&rewritten, &render(&header, Content::Outline(&text), false));
            let stored = read(&path).unwrap().unwrap();
            prop_assert!(matches!(&stored.content, Kept::Outline(kept) if *kept == normal(&text)));
            prop_assert_eq!(accepted(&stored), rewritten);

            let picture = Content::Picture(b"not looked at");
            let path = path.with_extension("picture.snap");
            crate::snapshot::files::write_snapshot(&path, &render(&header, picture, true), picture).unwrap();
            let again = path.with_extension("again.snap");
            insta::Snapshot::from_file(&path).unwrap().save(&again).unwrap();
            prop_assert_eq!(std::fs::read_to_string(&again).unwrap(), render(&header, picture, false));
            prop_assert_eq!(std::fs::read(picture_of(&again)).unwrap(), picture.bytes());
            let stored = read(&path).unwrap().unwrap();
            prop_assert!(matches!(&stored.content, Kept::Picture(bytes) if bytes == picture.bytes()));
            prop_assert_eq!(accepted(&stored), render(&header, picture, false));
        }
    }
}
