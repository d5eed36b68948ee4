//! The notation of one line, shared by outlines and patterns: text to tokens, each with its place.

use std::ops::Range;

use super::error::PatternError;
use super::states;
use super::text::{ends_word, hidden, quoted};
use super::{foreign_roles, roles};

/// A name or a value as written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum TextToken {
    Quoted(String),
    Regex { source: String, flags: String, range: Range<usize> },
}

/// A state as written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct StateToken {
    pub(crate) name: &'static str,
    pub(crate) value: Option<String>,
}

/// A line as written; every part may be left out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct LineTokens {
    pub(crate) role: Option<String>,
    pub(crate) name: Option<TextToken>,
    pub(crate) value: Option<TextToken>,
    pub(crate) states: Vec<StateToken>,
    pub(crate) reference: bool,
}

/// Reads one line without its indentation. `offset` is where it stands in the whole text, for the places of errors.
pub(crate) fn line(text: &str, offset: usize) -> Result<LineTokens, PatternError> {
    let mut cursor = Cursor { text, at: 0, offset };
    let tokens = cursor.line()?;
    Ok(tokens)
}

struct Cursor<'t> {
    text: &'t str,
    at: usize,
    offset: usize,
}

impl Cursor<'_> {
    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn bump(&mut self) -> Option<char> {
        let c = self.peek()?;
        self.at += c.len_utf8();
        Some(c)
    }

    fn blanks(&mut self) -> bool {
        let before = self.at;
        while self.peek().is_some_and(char::is_whitespace) {
            self.bump();
        }
        self.at > before
    }

    fn error(&self, start: usize, end: usize, message: impl Into<String>) -> PatternError {
        PatternError::new(start + self.offset..end.max(start) + self.offset, message)
    }

    fn line(&mut self) -> Result<LineTokens, PatternError> {
        let mut tokens = LineTokens::default();
        self.blanks();
        if self.peek().is_some_and(|c| c == '\\' || !ends_word(c)) {
            tokens.role = Some(self.word()?);
        }
        self.blanks();
        if matches!(self.peek(), Some('"' | '/')) {
            tokens.name = Some(self.name_or_value()?);
        }
        self.blanks();
        if self.peek() == Some('=') {
            self.bump();
            self.blanks();
            tokens.value = Some(self.value()?);
        }
        loop {
            self.blanks();
            match self.peek() {
                Some('[') if !tokens.reference => self.bracket(&mut tokens)?,
                None => break,
                Some(_) => return Err(self.unexpected(&tokens)),
            }
        }
        if tokens == LineTokens::default() {
            return Err(self
                .error(0, self.text.len(), "an empty line")
                .next("write a role, a name in quotes, or both: button \"Save\""));
        }
        Ok(tokens)
    }

    /// A bare word with codes for what cannot stand in one.
    fn word(&mut self) -> Result<String, PatternError> {
        let mut word = String::new();
        while let Some(c) = self.peek() {
            if c == '\\' {
                let start = self.at;
                self.bump();
                word.push(self.escape(start)?);
            } else if ends_word(c) {
                break;
            } else {
                word.push(c);
                self.bump();
            }
        }
        Ok(word)
    }

    /// What follows a backslash that began at `start`.
    fn escape(&mut self, start: usize) -> Result<char, PatternError> {
        let escaped = match self.bump() {
            Some('n') => Some('\n'),
            Some('r') => Some('\r'),
            Some('t') => Some('\t'),
            Some(c @ ('"' | '\\' | '/')) => Some(c),
            Some('u') => self.code(),
            _ => None,
        };
        escaped.ok_or_else(|| {
            self.error(start, self.at, format!("`{}` is not an escape", &self.text[start..self.at]))
                .next("write \\\\ for a backslash; known are \\\" \\\\ \\n \\r \\t and \\u{…}")
        })
    }

    /// `{202e}` or `202e`.
    fn code(&mut self) -> Option<char> {
        let braced = self.peek() == Some('{');
        let digits = if braced {
            self.bump();
            let end = self.rest().find('}')?;
            let digits = self.rest()[..end].to_owned();
            self.at += end + 1;
            digits
        } else {
            let digits = self.rest().get(..4)?.to_owned();
            self.at += 4;
            digits
        };
        // `from_str_radix` would take a sign.
        if !digits.chars().all(|c| c.is_ascii_hexdigit()) {
            return None;
        }
        char::from_u32(u32::from_str_radix(&digits, 16).ok()?)
    }

    fn name_or_value(&mut self) -> Result<TextToken, PatternError> {
        if self.peek() == Some('/') { self.regex() } else { Ok(TextToken::Quoted(self.quoted()?)) }
    }

    fn quoted(&mut self) -> Result<String, PatternError> {
        let start = self.at;
        self.bump();
        let mut text = String::new();
        loop {
            let here = self.at;
            match self.bump() {
                Some('"') => return Ok(text),
                Some('\\') => text.push(self.escape(here)?),
                Some(c) => text.push(c),
                None => {
                    return Err(self
                        .error(start, self.text.trim_end().len(), "this quote is not closed")
                        .next("close it with \"; a quote inside the text is written \\\""));
                }
            }
        }
    }

    fn regex(&mut self) -> Result<TextToken, PatternError> {
        let start = self.at;
        self.bump();
        let mut source = String::new();
        loop {
            match self.bump() {
                Some('/') => break,
                Some('\\') => match self.bump() {
                    Some('/') => source.push('/'),
                    Some(c) => source.extend(['\\', c]),
                    None => source.push('\\'),
                },
                Some(c) => source.push(c),
                None => {
                    return Err(self
                        .error(start, self.text.trim_end().len(), "this regular expression is not closed")
                        .next("close it with /; a slash inside is written \\/"));
                }
            }
        }
        let flags_start = self.at;
        while self.peek().is_some_and(|c| !c.is_whitespace() && !matches!(c, '[' | '=')) {
            self.bump();
        }
        let flags = self.text[flags_start..self.at].to_owned();
        if let Some(unknown) = flags.chars().find(|c| !"imsx".contains(*c)) {
            return Err(self
                .error(flags_start, self.at, format!("`{unknown}` is not a flag of a regular expression"))
                .next("flags are i, m, s and x; a slash inside is written \\/, and a plain name stands in quotes"));
        }
        Ok(TextToken::Regex { source, flags, range: start + self.offset..self.at + self.offset })
    }

    fn value(&mut self) -> Result<TextToken, PatternError> {
        match self.peek() {
            Some('"' | '/') => self.name_or_value(),
            Some(c) if !ends_word(c) => {
                let start = self.at;
                while self.peek().is_some_and(|c| !c.is_whitespace() && !matches!(c, '[' | '"')) {
                    self.bump();
                }
                Ok(TextToken::Quoted(self.text[start..self.at].to_owned()))
            }
            _ => Err(self
                .error(self.at.saturating_sub(1), self.text.len(), "a value is missing after `=`")
                .next("write the value in quotes: = \"Oslo\"")),
        }
    }

    /// `[state]`, `[state=value]` or `[ref_N]`.
    fn bracket(&mut self, tokens: &mut LineTokens) -> Result<(), PatternError> {
        let start = self.at;
        self.bump();
        let name_start = self.at;
        while self.peek().is_some_and(|c| !ends_word(c)) {
            self.bump();
        }
        let name = self.text[name_start..self.at].to_owned();
        let mut value = None;
        if self.peek() == Some('=') {
            self.bump();
            value = Some(if self.peek() == Some('"') {
                self.quoted()?
            } else {
                let from = self.at;
                while self.peek().is_some_and(|c| !c.is_whitespace() && !matches!(c, ']' | '[' | '"')) {
                    self.bump();
                }
                self.text[from..self.at].to_owned()
            });
        }
        if self.peek() != Some(']') {
            return Err(self
                .error(start, self.text.trim_end().len(), "this bracket is not closed")
                .next("a state is written [checked] or [level=2]"));
        }
        self.bump();
        if value.is_none() && is_reference(&name) {
            tokens.reference = true;
            return Ok(());
        }
        let Some((name, kind)) = states::kind(&name) else {
            let error = self.error(name_start, name_start + name.len(), format!("unknown state `{name}`"));
            return Err(match states::nearest(&name) {
                Some(nearest) => error.next(format!("did you mean [{nearest}]?")),
                None => {
                    let known: Vec<&str> = states::STATES.iter().map(|(name, ..)| *name).collect();
                    error.next(format!("states are {}", known.join(", ")))
                }
            });
        };
        if value.is_none() && kind == states::Kind::Text {
            return Err(self
                .error(start, self.at, format!("the state `{name}` needs a value"))
                .next(format!("write [{name}=…]")));
        }
        tokens.states.push(StateToken { name, value });
        Ok(())
    }

    /// Says what stands where nothing more can stand.
    fn unexpected(&self, tokens: &LineTokens) -> PatternError {
        let rest = self.rest().trim_end();
        let end = self.at + rest.len();
        let first = rest.chars().next().unwrap_or(' ');
        if matches!(first, '“' | '”') {
            let straight = rest.replace(['“', '”'], "\"");
            return self.error(self.at, end, "these are not plain quotes").next(format!("write {straight}"));
        }
        if first == ':' {
            return self
                .error(self.at, end, "a colon cannot stand here")
                .next("leave it out: indentation alone shows what stands inside");
        }
        if tokens.reference {
            return self.error(self.at, end, "nothing can follow the ref").next("a line ends with its [ref_N]");
        }
        if tokens.role.as_deref() == Some("-") && tokens.name.is_none() {
            return self.error(self.at, end, "a line does not begin with a dash").next(format!("write {rest}"));
        }
        let bare = tokens.name.is_none() && tokens.value.is_none() && tokens.states.is_empty();
        if bare && !ends_word(first) {
            let name = rest.split(" [").next().unwrap_or(rest).trim_end();
            let role = tokens.role.as_deref().unwrap_or_default();
            if let Some(inner) = in_other_quotes(name) {
                return self
                    .error(self.at, self.at + name.len(), "a name stands in double quotes")
                    .next(format!("write {role} {}", quoted(inner)));
            }
            // Words of the page, which YAML may have taken the quotes from.
            let no_role = roles::nearest_role(role).is_none() && foreign_roles::meant(role).is_none();
            if no_role && !roles::may_be_role(role) {
                return self
                    .error(0, end, "a text without quotes")
                    .next("put a text in quotes")
                    .meant(quoted(self.text.trim()));
            }
            return self
                .error(self.at, self.at + name.len(), "a name stands in quotes")
                .next(format!("write {role} {}", quoted(name)));
        }
        let shown: String = rest.chars().take(20).filter(|c| !hidden(*c)).collect();
        self.error(self.at, end, format!("`{shown}` cannot stand here"))
            .next("a line is: role \"name\" = \"value\" [state] [state=value]")
    }
}

fn is_reference(name: &str) -> bool {
    name.strip_prefix("ref_").is_some_and(|n| !n.is_empty() && n.chars().all(|c| c.is_ascii_digit()))
}

/// A line of a text: its bytes there, without indentation and line end, and how deep it is nested.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Placed {
    pub(crate) range: Range<usize>,
    pub(crate) depth: usize,
}

/// The lines of a text with their depths: two blanks a level, the first line at depth 0 wherever it stands.
///
/// What `read` adds below an outline is passed over, so that all of it can be pasted.
pub(crate) fn placed_lines(text: &str) -> Result<Vec<Placed>, PatternError> {
    let mut lines: Vec<Placed> = Vec::new();
    let mut base = 0;
    let mut start = 0;
    for whole in text.split_inclusive('\n') {
        let line_start = start;
        start += whole.len();
        let line = whole.trim_end_matches(['\n', '\r']);
        let trimmed = line.trim();
        if trimmed.is_empty() || is_notice(trimmed) {
            continue;
        }
        let indent = line.len() - line.trim_start().len();
        let range = line_start + indent..line_start + indent + trimmed.len();
        let margin = line_start..line_start + indent;
        if let Some(odd) = line[..indent].chars().find(|c| *c != ' ') {
            let message = if odd == '\t' { "a tab indents this line" } else { "this line is indented by odd blanks" };
            return Err(PatternError::new(margin, message).next("indent by two spaces a level"));
        }
        if lines.is_empty() {
            base = indent;
        }
        let wrong = |message: String, next: &str| Err(PatternError::new(margin.start..range.end, message).next(next));
        let Some(inside) = indent.checked_sub(base) else {
            return wrong(
                "this line stands further left than the first".to_owned(),
                "give the first line the least indentation",
            );
        };
        let depth = inside / 2;
        let deepest = lines.last().map_or(0, |last| last.depth + 1);
        if inside % 2 == 1 {
            return wrong(format!("{inside} spaces are no whole level"), "indent by two spaces a level");
        }
        if depth > deepest {
            return wrong(
                format!("this line is indented by {inside} spaces, at most {} are possible here", deepest * 2),
                "indent by two spaces a level",
            );
        }
        lines.push(Placed { range, depth });
    }
    Ok(lines)
}

/// Whether it is one of the lines that `read` prints below an outline.
fn is_notice(line: &str) -> bool {
    if line == super::print::DATA_NOTICE {
        return true;
    }
    let count = |text: &str| !text.is_empty() && text.chars().all(|c| c.is_ascii_digit());
    line.strip_prefix('[')
        .and_then(|rest| rest.strip_suffix(" lines shown]"))
        .and_then(|rest| rest.split_once(" of "))
        .is_some_and(|(shown, all)| count(shown) && count(all))
}

/// What stands in quotes as some languages have them, and as word processors set them.
pub fn in_other_quotes(name: &str) -> Option<&str> {
    const QUOTES: [(char, char); 5] = [('\'', '\''), ('“', '”'), ('„', '“'), ('‘', '’'), ('«', '»')];
    let inner = |(open, close): &(char, char)| name.strip_prefix(*open).and_then(|inner| inner.strip_suffix(*close));
    QUOTES.iter().find_map(inner).filter(|inner| !inner.is_empty())
}
