//! What a syntax error means to the person who wrote the file, and how to read on behind it.

use std::ops::Range;
use std::sync::Arc;

use super::diagnostic::{Diagnostic, shown};
use super::source::{Place, Source};
use super::yaml::MAX_DEPTH;
use crate::outline::is_known_role;

/// Bytes to overwrite, keeping the length, so that reading can go on.
pub(super) struct Repair {
    pub(super) range: Range<usize>,
    pub(super) with: u8,
}

/// An explained syntax error.
pub(super) struct Fault {
    pub(super) diagnostic: Diagnostic,
    /// None where it is no use to read on.
    pub(super) repairs: Vec<Repair>,
    /// Whether it may merely follow from another fault.
    pub(super) generic: bool,
    /// Whether it is about tabs.
    pub(super) tabs: bool,
}

/// What had been read when the error came.
pub(super) struct Before {
    /// The last scalar.
    pub(super) scalar: Range<usize>,
    /// The innermost `{` or `[` that is still open.
    pub(super) bracket: Option<usize>,
}

pub(super) fn apply(text: &str, repairs: &[Repair]) -> String {
    let mut bytes = text.as_bytes().to_vec();
    for repair in repairs {
        if let Some(part) = bytes.get_mut(repair.range.clone()) {
            part.fill(repair.with);
        }
    }
    String::from_utf8(bytes).unwrap_or_else(|_| text.to_owned())
}

pub(super) fn too_deep(place: Place) -> Diagnostic {
    Diagnostic::new("values are nested too deeply")
        .at(place)
        .label(format!("more than {MAX_DEPTH} levels"))
        .next("write it flatter")
}

pub(super) fn bad_key(place: &Place) -> Diagnostic {
    let line = place.source.line(place.line());
    let rest = place.source.text.get(place.range.start..line.end).unwrap_or_default();
    let before = place.source.text.get(line.start..place.range.start).unwrap_or_default();
    if rest.starts_with('{') && before.ends_with('{') {
        let from = place.range.start - 1;
        let rest = rest.split_inclusive("}}").next().unwrap_or(rest);
        return braces(Place::new(&place.source, from..place.range.start + rest.len()));
    }
    Diagnostic::new("a key must be a plain word").at(place.clone()).label("this is not text").next("write `key: value`")
}

fn braces(place: Place) -> Diagnostic {
    let mut next = format!("put it in quotes: {}", quoted(place.text()));
    let inner = place.text().trim().strip_prefix("{{").and_then(|text| text.split_once("}}"));
    // Something to compare with follows: an expression was meant, and none of those has braces.
    if let Some((name, rest)) = inner.filter(|(_, rest)| rest.trim_start().starts_with(['=', '<', '>', '!'])) {
        next = format!("write an expression without braces: {}{}", shown(name.trim()), shown(rest.trim_end()));
    }
    Diagnostic::new("`{{` needs quotes around it").at(place).label("read as a map").next(next)
}

/// A block's text without the blank lines and comments behind it, which belong to what follows.
pub(super) fn without_trailing_comments(body: &str) -> &str {
    let mut body = body.trim_end();
    while let Some(at) = body.rfind('\n') {
        if !body.get(at..).unwrap_or_default().trim_start().starts_with('#') {
            break;
        }
        body = body.get(..at).unwrap_or_default().trim_end();
    }
    body
}

/// Text in quotes that YAML reads as this text.
pub(super) fn quoted(text: &str) -> String {
    let text = shown(text.trim());
    if !text.contains(['"', '\\']) {
        format!("\"{text}\"")
    } else if text.contains('\'') {
        format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
    } else {
        format!("'{text}'")
    }
}

/// A text in double quotes on one line, in single ones: there a backslash is nothing special.
fn in_single_quotes(text: &str) -> Option<String> {
    let inner = text.strip_prefix('"')?.lines().next()?;
    let inner = inner.get(..inner.find('"')?)?;
    (!inner.contains('\'') && !inner.ends_with('\\')).then(|| format!("'{inner}'"))
}

/// A plain scalar that `: ` or ` #` cut off without an error. `key`: whether it was read as one; `flow`: inside `{ }`.
pub(super) fn broken_plain(
    source: &Arc<Source>,
    text: &str,
    range: Range<usize>,
    key: bool,
    flow: bool,
) -> Option<(Diagnostic, Vec<Repair>)> {
    let line_end = text.get(range.end..)?.find('\n').map_or(text.len(), |at| range.end + at);
    let scalar = text.get(range.clone())?;
    let rest = text.get(range.end..line_end)?;
    let torn = scalar.matches('"').count() % 2 == 1;
    // A single quote behind a blank opens one; an apostrophe stands in a word.
    let opened = scalar.rfind(" '").is_some_and(|at| !scalar.get(at + 2..).unwrap_or_default().contains('\''));
    if key && torn && rest.starts_with(':') {
        return Some((colon(source, text, range.start..line_end, flow), colons(text, range.end..line_end)));
    }
    // Behind nothing, the library gives the place of the colon.
    let blank = if scalar.is_empty() { [' ', '\t', ':'].as_slice() } else { &[' ', '\t'] };
    let remark = rest.trim_start_matches(blank);
    let sign = line_end - remark.len();
    let behind = remark.strip_prefix('#')?.chars().next();
    let meant = match behind {
        Some(next) if !next.is_whitespace() => next != '#' && next != '!',
        None => torn || scalar.is_empty(),
        Some(_) => torn || opened && remark.contains('\''),
    };
    if !meant || key {
        return None;
    }
    let start = if scalar.is_empty() { sign } else { range.start };
    Some(comment(source, text, start, sign, flow))
}

/// A text that starts at `start` and is cut off by the `#` at `sign`.
fn comment(source: &Arc<Source>, text: &str, start: usize, sign: usize, flow: bool) -> (Diagnostic, Vec<Repair>) {
    let line_end = text.get(sign..).and_then(|rest| rest.find('\n')).map_or(text.len(), |at| sign + at);
    let place = Place::new(source, start..value_end(text, start, line_end, flow));
    let next = format!("put it in quotes: {}; a comment has a space behind its `#`", quoted(place.text()));
    let diagnostic = Diagnostic::new("` #` inside a text without quotes")
        .at(place)
        .label("from ` #` on this is a comment")
        .next(next);
    let signs = text.get(sign..line_end).unwrap_or_default().match_indices('#').map(|(at, _)| sign + at);
    (diagnostic, signs.map(|at| Repair { range: at..at + 1, with: b'_' }).collect())
}

/// Where a value on one line ends: inside brackets, before what closes them.
fn value_end(text: &str, start: usize, line_end: usize, flow: bool) -> usize {
    let line = text.get(start..line_end).unwrap_or_default();
    let line = if flow { line.trim_end().trim_end_matches(['}', ']', ' ', ',']) } else { line };
    start + line.trim_end().len()
}

fn colon(source: &Arc<Source>, text: &str, range: Range<usize>, flow: bool) -> Diagnostic {
    let end = value_end(text, range.start, range.end, flow);
    let written = text.get(range.start..end).unwrap_or_default();
    // `click: button: Save`.
    let line = written.split_once(": ").filter(|(role, name)| is_known_role(role) && !name.contains(['"', '\'', ':']));
    let next = match line {
        Some((role, name)) => format!("a name stands in quotes behind its role: {role} \"{}\"", shown(name.trim())),
        None => format!("put it in quotes: {}", quoted(written)),
    };
    Diagnostic::new("`: ` inside a text without quotes")
        .at(Place::new(source, range.start..end))
        .label("`: ` makes this a key")
        .next(next)
}

/// Takes the meaning from every `: ` in a range.
fn colons(text: &str, range: Range<usize>) -> Vec<Repair> {
    let part = text.get(range.clone()).unwrap_or_default();
    let ends =
        |at: usize| part.get(at + 1..).is_some_and(|rest| rest.is_empty() || rest.starts_with([' ', '\t', '\n']));
    let signs = part.match_indices(':').filter(|(at, _)| ends(*at));
    signs.map(|(at, _)| Repair { range: range.start + at..range.start + at + 1, with: b'_' }).collect()
}

/// A syntax error, in words that help.
pub(super) fn explain(source: &Arc<Source>, text: &str, info: &str, at: usize, before: &Before) -> Fault {
    Explainer { source, text, at, before }.explain(info)
}

struct Explainer<'a> {
    source: &'a Arc<Source>,
    text: &'a str,
    at: usize,
    before: &'a Before,
}

impl Explainer<'_> {
    fn explain(&self, info: &str) -> Fault {
        let any = |parts: &[&str]| parts.iter().any(|part| info.contains(part));
        if any(&["tabs disallowed", "found a tab", "tab cannot"])
            && let Some(fault) = self.tabs()
        {
            return fault;
        }
        if any(&["mapping values are not allowed"]) {
            return self.mapping_value();
        }
        if any(&[
            "unexpected character",
            "anchor or alias",
            "sequence entries are not",
            "mapping keys are not",
            "unknown anchor",
        ]) || (any(&["expected node content", "misplaced bracket"]) && self.before.bracket.is_none())
        {
            return self.special_sign();
        }
        if any(&["trailing content after"]) {
            return self.behind_quote();
        }
        if any(&["escape character", "escape code", "hexadecimal"]) {
            return self.escape();
        }
        if any(&["quoted scalar"]) {
            return self.unclosed(
                self.at,
                "a quote is not closed",
                "close it on the same line; in double quotes, \\\" is a quote",
            );
        }
        if any(&["recursion limit"]) {
            let diagnostic = too_deep(self.place(self.at, 1));
            return Fault { diagnostic, repairs: Vec::new(), generic: false, tabs: false };
        }
        if any(&["comment intercepting"]) {
            let diagnostic = Diagnostic::new("a comment inside a text")
                .at(self.to_line_end(self.at))
                .label("the text goes on in the next line")
                .next("put the text in quotes, or move the comment above it");
            return self.fault(diagnostic, vec![Repair { range: self.to_line_end(self.at).range, with: b' ' }]);
        }
        if any(&["byte order mark"]) {
            let diagnostic = Diagnostic::new("a byte-order mark inside the file")
                .at(self.place(self.at, '\u{FEFF}'.len_utf8()))
                .label("an invisible character")
                .next("delete it");
            return self.fault(diagnostic, vec![Repair { range: self.at..self.at + 3, with: b'_' }]);
        }
        if let Some(bracket) = self.before.bracket {
            let colon_here = self.text.get(self.at..).is_some_and(|rest| rest.starts_with(": "));
            let scalar = self.text.get(self.before.scalar.clone()).unwrap_or_default();
            if colon_here
                && self
                    .text
                    .get(self.before.scalar.end..self.at)
                    .is_some_and(|between| between.trim_matches(' ').is_empty())
                && !scalar.is_empty()
                && !scalar.contains('\n')
                && !scalar.starts_with(['"', '\''])
            {
                let line_end = self.line_end(self.at);
                let diagnostic = colon(self.source, self.text, self.before.scalar.start..line_end, true);
                return self.fault(diagnostic, colons(self.text, self.at..line_end));
            }
            if let Some((start, sign)) = self.swallowed(bracket) {
                let (diagnostic, repairs) = comment(self.source, self.text, start, sign, true);
                return self.fault(diagnostic, repairs);
            }
            let close = if self.text.get(bracket..).is_some_and(|rest| rest.starts_with('{')) { "}" } else { "]" };
            let title = format!("a bracket is not closed by `{close}`");
            return self.unclosed(bracket, &title, "close it; texts with `: `, `,` or brackets need quotes");
        }
        if any(&["simple key expect"]) {
            return self.missing_colon();
        }
        if any(&["did not find expected key", "'-' indicator", "invalid indentation"]) {
            return self.misaligned();
        }
        self.generic("this is not valid YAML", info, "line up the keys, and put texts with special signs in quotes")
    }

    fn place(&self, start: usize, length: usize) -> Place {
        Place::new(self.source, start..start + length)
    }

    /// From a byte to the end of its line, without what is blank there.
    fn to_line_end(&self, start: usize) -> Place {
        let end = self.line_end(start);
        Place::new(self.source, start..value_end(self.text, start, end, false))
    }

    fn line_end(&self, start: usize) -> usize {
        self.text.get(start..).and_then(|rest| rest.find('\n')).map_or(self.text.len(), |at| start + at)
    }

    fn line_start(&self, at: usize) -> usize {
        self.text.get(..at).and_then(|before| before.rfind('\n')).map_or(0, |at| at + 1)
    }

    fn fault(&self, diagnostic: Diagnostic, repairs: Vec<Repair>) -> Fault {
        Fault { diagnostic, repairs, generic: false, tabs: false }
    }

    fn generic(&self, title: &str, label: &str, next: &str) -> Fault {
        let place = if self.at >= self.text.len() {
            Place::new(self.source, self.text.len()..self.text.len())
        } else {
            self.to_line_end(self.at)
        };
        let diagnostic = Diagnostic::new(title).at(place).label(label).next(next);
        Fault { diagnostic, repairs: Vec::new(), generic: true, tabs: false }
    }

    fn tabs(&self) -> Option<Fault> {
        let mut found = Vec::new();
        let mut start = 0;
        for line in self.text.split_inclusive('\n') {
            let blank = line.len() - line.trim_start_matches([' ', '\t']).len();
            if let Some(tab) = line.get(..blank)?.find('\t')
                && line.trim() != ""
            {
                found.push(start + tab..start + blank);
            }
            start += line.len();
        }
        // The library may give the place of the text above.
        let from = self.line_start(self.at);
        let index = found.iter().position(|range| range.start >= from)?;
        let range = found.get(index)?.clone();
        let more = found.len() - index - 1;
        let label = match more {
            0 => "a tab indents this line".to_owned(),
            1 => "a tab indents this line, and 1 more".to_owned(),
            _ => format!("a tab indents this line, and {more} more"),
        };
        let diagnostic = Diagnostic::new("a tab in the indentation")
            .at(Place::new(self.source, range))
            .label(label)
            .next("indent with spaces, two for each level");
        let repairs = found.into_iter().map(|range| Repair { range, with: b' ' }).collect();
        Some(Fault { diagnostic, repairs, generic: false, tabs: true })
    }

    fn mapping_value(&self) -> Fault {
        let scalar = &self.before.scalar;
        let line_end = self.line_end(self.at);
        let between = self.text.get(scalar.end..self.at).unwrap_or_default();
        if between.contains(':') || scalar.is_empty() {
            return self.special_sign();
        }
        let written = self.text.get(scalar.clone()).unwrap_or_default();
        if written.starts_with(['"', '\'']) {
            return self.behind_quote();
        }
        let repairs = colons(self.text, self.at..line_end);
        if written.contains('\n') {
            let from = self.line_start(self.at);
            let from = from + self.text.get(from..self.at).map_or(0, |line| line.len() - line.trim_start().len());
            let word = written.lines().next().unwrap_or_default().trim_end();
            let bare = word.chars().all(|c| c.is_ascii_lowercase() || c == '-');
            let item = self.text.get(..scalar.start).is_some_and(|before| before.ends_with("- "));
            if bare && item && written.lines().count() == 2 {
                let key = self.text.get(from..self.at).unwrap_or_default();
                let diagnostic = Diagnostic::new(format!("`{word}` has no colon"))
                    .at(Place::new(self.source, scalar.start..scalar.start + word.len()))
                    .label("read as a text that goes on below")
                    .next(format!("write `- {word}:`, for `{}:` stands beside it", shown(key)));
                return self.fault(diagnostic, repairs);
            }
            let diagnostic = Diagnostic::new("this line is indented too far")
                .at(Place::new(self.source, from..self.at + 1))
                .label("read as more of the text above")
                .next("line it up with the key above; a text of several lines needs quotes or `|`");
            return self.fault(diagnostic, repairs);
        }
        let flow = self.before.bracket.is_some();
        self.fault(colon(self.source, self.text, scalar.start..line_end, flow), repairs)
    }

    /// A text that begins with a sign that has a meaning of its own.
    fn special_sign(&self) -> Fault {
        let sign = self.text.get(self.at..).and_then(|rest| rest.chars().next()).unwrap_or(' ');
        let end = self.line_end(self.at);
        let range =
            self.at..value_end(self.text, self.at, end, self.before.bracket.is_some()).max(self.at + sign.len_utf8());
        let meaning = match sign {
            '*' => "repeats a value that `&` named",
            '&' => "names a value",
            '-' => "begins a list item",
            '[' | ']' | '{' | '}' | ',' => "belongs to lists and maps",
            ':' => "ends a key",
            '?' => "begins a key",
            '%' => "begins a directive",
            _ => "is reserved",
        };
        let value = self.text.get(range.clone()).unwrap_or_default();
        let shown = if sign == '`' { "a backtick".to_owned() } else { format!("`{sign}`") };
        let diagnostic = Diagnostic::new(format!("a text can't begin with {shown}"))
            .at(Place::new(self.source, range.clone()))
            .label(format!("in YAML, {shown} {meaning}"))
            .next(format!("put it in quotes: {}", quoted(value)));
        let repair = Repair { range: self.at..self.at + sign.len_utf8(), with: b'_' };
        let mut repairs = colons(self.text, range);
        repairs.push(repair);
        self.fault(diagnostic, repairs)
    }

    fn behind_quote(&self) -> Fault {
        let flow = self.before.bracket.is_some();
        let end = self.line_end(self.at);
        let range = self.at..value_end(self.text, self.at, end, flow).max(self.at);
        // The value starts at the quote: behind the key, or at the scalar itself.
        let written = self.text.get(self.before.scalar.clone()).unwrap_or_default();
        let start = if written.starts_with(['"', '\'']) { self.before.scalar.start } else { self.before.scalar.end };
        let lead = self.text.get(start..self.at).unwrap_or_default();
        let start = start + lead.find(['"', '\'']).unwrap_or(0);
        let value = self.text.get(start..range.end).unwrap_or_default();
        // `"button "Save""`: the outer quotes are there already, and end at the first inner one.
        let twice = value.chars().next().filter(|quote| value.len() > 1 && value.ends_with(*quote));
        let nested = twice.and_then(|quote| {
            let inner = value.strip_prefix(quote)?.strip_suffix(quote)?;
            inner.split_once(quote).is_some_and(|(word, _)| word.ends_with(' ')).then_some(inner)
        });
        // `'Ada's boats'`: the quote in the middle is an apostrophe.
        let apostrophe = self.text.get(range.start..).is_some_and(|rest| rest.starts_with(char::is_alphanumeric));
        let inner = value.strip_prefix('\'').and_then(|rest| rest.strip_suffix('\'')).filter(|_| apostrophe);
        let next = match (nested, inner) {
            (Some(nested), _) => format!("quotes around quotes are of the other kind: {}", quoted(nested)),
            (None, Some(inner)) => format!("put it in double quotes: {}", quoted(inner)),
            (None, None) => format!("put all of it in quotes: {}", quoted(value)),
        };
        let diagnostic = Diagnostic::new("text behind a closing quote")
            .at(Place::new(self.source, range.clone()))
            .label("outside of the quotes")
            .next(next);
        self.fault(diagnostic, vec![Repair { range, with: b' ' }])
    }

    fn escape(&self) -> Fault {
        let rest = self.text.get(self.at..).unwrap_or_default();
        let mut found = None;
        let mut characters = rest.char_indices();
        while let Some((offset, character)) = characters.next() {
            if character != '\\' {
                continue;
            }
            let kind = characters.next().map_or(' ', |(_, kind)| kind);
            let size = match kind {
                'x' => 2,
                'u' => 4,
                'U' => 8,
                _ => 0,
            };
            let code = rest.get(offset + 2..offset + 2 + size).map(|code| u32::from_str_radix(code, 16).ok());
            let good = match code {
                Some(code) if size > 0 => code.and_then(char::from_u32).is_some(),
                _ => size == 0 && "0abt\tnvfre \"/\\N_LP\n".contains(kind),
            };
            if !good {
                found = Some((self.at + offset, 1 + kind.len_utf8()));
                break;
            }
        }
        let (start, length) = found.unwrap_or((self.at, 1));
        let place = self.place(start, length);
        // Whoever began to write a number wants a character, not a backslash.
        let (label, next) = match place.text().get(1..) {
            Some("x") => ("it needs two hexadecimal digits", "write all of them, as in \"\\x0a\"".to_owned()),
            Some("u") => {
                ("it needs four hexadecimal digits of a character", "write all of them, as in \"\\u00e9\"".to_owned())
            }
            Some("U") => (
                "it needs eight hexadecimal digits of a character",
                "write all of them, as in \"\\U0001f600\"".to_owned(),
            ),
            _ => (
                "not known in double quotes",
                match in_single_quotes(rest) {
                    Some(text) => format!("use single quotes: {text}; in double ones a backslash is `\\\\`"),
                    None => "write `\\\\` for a backslash, or use single quotes".to_owned(),
                },
            ),
        };
        let diagnostic =
            Diagnostic::new(format!("`{}` is not an escape", shown(place.text()))).at(place).label(label).next(next);
        self.fault(diagnostic, vec![Repair { range: start..start + 1, with: b'_' }])
    }

    fn unclosed(&self, start: usize, title: &str, next: &str) -> Fault {
        let diagnostic = Diagnostic::new(title).at(self.place(start, 1)).label("it begins here").next(next);
        self.fault(diagnostic, vec![Repair { range: start..self.line_end(start), with: b'_' }])
    }

    /// A ` #` behind an open bracket that looks like text and made the closing one a comment: where the text starts, and
    /// the `#`.
    fn swallowed(&self, bracket: usize) -> Option<(usize, usize)> {
        let line = self.text.get(bracket..self.line_end(bracket))?;
        let sign = line.match_indices(" #").map(|(at, _)| at + 1).find(|at| {
            line.get(at + 1..).and_then(|rest| rest.chars().next()).is_some_and(|next| !next.is_whitespace())
        })?;
        let before = line.get(..sign)?;
        let start = before.rfind([':', ',', '{', '[']).map_or(0, |at| at + 1);
        let start = start + before.get(start..)?.len() - before.get(start..)?.trim_start().len();
        Some((bracket + start, bracket + sign))
    }

    fn missing_colon(&self) -> Fault {
        let mut start = self.before.scalar.end;
        // Past the rest of the scalar's line, blank lines and comments.
        while let Some(line) = self.text.get(start..self.line_end(start)) {
            let content = line.trim_start_matches([' ', '\t', '}', ']', ',']);
            if (content.is_empty() || content.starts_with('#')) && start + line.len() < self.at {
                start += line.len() + 1;
                continue;
            }
            start += line.len() - content.len();
            break;
        }
        let place = self.to_line_end(start);
        let line = place.text().to_owned();
        // The text of a block that has none: it stands where its key stands.
        let above = self.text.get(..self.line_start(start)).unwrap_or_default().trim_end();
        let header = above.lines().next_back().unwrap_or_default();
        if [": |", ": >", ": |-", ": >-", ": |+", ": >+"].iter().any(|sign| header.ends_with(sign)) {
            let diagnostic = Diagnostic::new("the text of `|` stands deeper than its key")
                .at(place)
                .label("in the column of the key, or left of it")
                .next("indent this line and those that belong to it by two more");
            return Fault { diagnostic, repairs: Vec::new(), generic: false, tabs: false };
        }
        let (label, next) = match line.split_once(':') {
            Some((key, rest)) => {
                ("a space is missing behind `:`", format!("write `{}: {}`", shown(key), shown(rest.trim())))
            }
            None => ("a `:` is missing", format!("write `{}:`", shown(&line))),
        };
        let diagnostic = Diagnostic::new("this line is no key").at(place).label(label).next(next);
        Fault { diagnostic, repairs: Vec::new(), generic: false, tabs: false }
    }

    /// `-click: …`: without its space, a dash begins a word. The error comes there or one line later.
    fn glued_dash(&self) -> Option<Fault> {
        let here = self.line_start(self.at);
        let before = self.text.get(..here)?.trim_end().len();
        let (start, rest) = [here, self.line_start(before)].into_iter().find_map(|from| {
            let line = self.text.get(from..self.line_end(from))?;
            let rest = line.trim_start().strip_prefix('-')?;
            let glued = rest.starts_with(|c: char| c.is_ascii_lowercase());
            glued.then_some((from + line.len() - rest.len() - 1, rest.trim_end()))
        })?;
        let diagnostic = Diagnostic::new("this is no list item")
            .at(Place::new(self.source, start..start + 1 + rest.len()))
            .label("a space is missing behind `-`")
            .next(format!("write `- {}`", shown(rest)));
        Some(self.fault(diagnostic, Vec::new()))
    }

    /// A comment between a plain text and a line that would be more of it.
    fn comment_between(&self, line_start: usize) -> Option<usize> {
        let between = self.text.get(self.before.scalar.end..line_start)?;
        let sign = between.find('#')?;
        let only_comments = between.lines().all(|line| line.trim().is_empty() || line.trim_start().starts_with('#'));
        let line = self.text.get(line_start..self.line_end(line_start))?;
        let goes_on = !line.contains(':') && !line.trim_start().starts_with('-');
        (only_comments && goes_on).then_some(self.before.scalar.end + sign)
    }

    fn misaligned(&self) -> Fault {
        let line_start = self.line_start(self.at);
        let before = self.text.get(line_start..self.at).unwrap_or_default();
        let value = before.find("{{");
        if let Some(value) = value {
            let diagnostic = braces(self.to_line_end(line_start + value));
            let range = line_start + value..self.line_end(self.at);
            // Read as a number, not as a name that nothing knows.
            return self.fault(diagnostic, vec![Repair { range, with: b'0' }]);
        }
        if let Some(fault) = self.glued_dash() {
            return fault;
        }
        if let Some(comment) = self.comment_between(line_start) {
            let diagnostic = Diagnostic::new("a comment inside a text")
                .at(self.to_line_end(comment))
                .label("the text goes on below it")
                .next("move the comment above the text, or put the whole text in quotes");
            return Fault { diagnostic, repairs: Vec::new(), generic: true, tabs: false };
        }
        if !before.trim_start_matches([' ', '-']).is_empty() {
            return self.generic("this can't stand here", "behind a complete value", "put the whole text in quotes");
        }
        let item = self.text.get(self.at..).is_some_and(|rest| rest.starts_with("- "));
        if item {
            self.generic(
                "this item is not lined up with the others",
                "its `- ` stands in another column",
                "give every `- ` of a list the same indentation",
            )
        } else {
            self.generic(
                "this line is not lined up with what it belongs to",
                "no list or map goes on in this column",
                "keys of one step or map begin in the same column",
            )
        }
    }
}
