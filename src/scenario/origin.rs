//! From decoded text back to the file: where each character of a scalar was written.
//!
//! The YAML library gives a scalar's text and where it starts; this decodes it a second time and keeps the origin of
//! every character. What it decodes is held against the library's text, so a difference can never move a mark to a wrong
//! place: it falls back to the whole scalar.

use std::ops::Range;

/// A decoded character: its offset in the text, and the bytes of the file it came from.
#[derive(Clone)]
struct Piece {
    at: usize,
    from: Range<usize>,
}

/// Decoded text with the origin of each character.
#[derive(Default)]
struct Decoded {
    text: String,
    pieces: Vec<Piece>,
}

impl Decoded {
    fn push(&mut self, character: char, from: Range<usize>) {
        self.pieces.push(Piece { at: self.text.len(), from });
        self.text.push(character);
    }
}

/// The bytes of `source` that the byte range of `text` came from; `start` is where the scalar starts.
pub(super) fn range(source: &str, start: usize, text: &str, plain: bool, range: Range<usize>) -> Option<Range<usize>> {
    if range.start > range.end || range.end > text.len() {
        return None;
    }
    let decoded = decode(source, start, text, plain)?;
    let first = decoded.pieces.iter().find(|piece| piece.at >= range.start && piece.at < text.len());
    let last = decoded.pieces.iter().rev().find(|piece| piece.at < range.end);
    match (first, last) {
        (Some(first), Some(last)) if range.start < range.end => Some(first.from.start..last.from.end),
        // An empty range: before a character, or behind the last one.
        (Some(first), _) => Some(first.from.start..first.from.start),
        (None, _) => {
            let end = decoded.pieces.iter().rev().find(|piece| piece.at < text.len()).map(|piece| piece.from.end);
            let end = end.unwrap_or(if plain { start } else { start + 1 });
            Some(end..end)
        }
    }
}

fn decode(source: &str, start: usize, text: &str, plain: bool) -> Option<Decoded> {
    let body = source.get(start..)?;
    if plain {
        return Some(flow(source, start, None, text.len())).filter(|decoded| decoded.text == text);
    }
    match body.chars().next()? {
        quote @ ('"' | '\'') => {
            Some(flow(source, start + 1, Some(quote), text.len())).filter(|decoded| decoded.text == text)
        }
        style @ ('|' | '>') => block(source, start, style == '>', text),
        _ => None,
    }
}

/// Where a quoted scalar that starts at `start` ends, behind its closing quote.
pub(super) fn quoted_end(source: &str, start: usize) -> Option<usize> {
    let mut characters = source.get(start..)?.char_indices();
    let (_, quote) = characters.next()?;
    let mut characters = characters.peekable();
    while let Some((at, character)) = characters.next() {
        match character {
            '\\' if quote == '"' => {
                characters.next();
            }
            _ if character == quote => match characters.peek() {
                Some((_, '\'')) if quote == '\'' => {
                    characters.next();
                }
                _ => return Some(start + at + 1),
            },
            _ => {}
        }
    }
    None
}

/// Plain and quoted text: line breaks fold, and quotes have escapes. Ends at the closing quote, or with `length` bytes.
fn flow(source: &str, start: usize, quote: Option<char>, length: usize) -> Decoded {
    let mut decoded = Decoded::default();
    let mut at = start;
    let mut blanks: Vec<(char, usize)> = Vec::new();
    while let Some(character) = source.get(at..).and_then(|rest| rest.chars().next()) {
        if quote.is_none() && decoded.text.len() >= length {
            break;
        }
        match character {
            ' ' | '\t' => {
                blanks.push((character, at));
                at += 1;
                continue;
            }
            '\n' => {
                blanks.clear();
                at = fold(source, at, false, &mut decoded);
                continue;
            }
            _ => {}
        }
        for (blank, from) in blanks.drain(..) {
            decoded.push(blank, from..from + 1);
        }
        let rest = source.get(at..).unwrap_or_default();
        match (quote, character) {
            (Some('\''), '\'') if rest.starts_with("''") => {
                decoded.push('\'', at..at + 2);
                at += 2;
            }
            (Some(quote), _) if character == quote => break,
            (Some('"'), '\\') if rest.starts_with("\\\n") => at = fold(source, at + 1, true, &mut decoded),
            (Some('"'), '\\') => {
                let Some((meant, size)) = escape(rest) else {
                    break;
                };
                decoded.push(meant, at..at + size);
                at += size;
            }
            _ => {
                decoded.push(character, at..at + character.len_utf8());
                at += character.len_utf8();
            }
        }
    }
    decoded
}

/// A line break at `at` and the blank lines and indentation behind it: one break is a space (or nothing, when it was
/// escaped), each further one a line break. Gives where the text goes on.
fn fold(source: &str, at: usize, escaped: bool, decoded: &mut Decoded) -> usize {
    let mut further = Vec::new();
    let mut end = at + 1;
    for (offset, character) in source.get(at + 1..).unwrap_or_default().char_indices() {
        let here = at + 1 + offset;
        end = here;
        match character {
            '\n' => further.push(here),
            ' ' | '\t' => {}
            _ => break,
        }
        end = here + 1;
    }
    if further.is_empty() && !escaped {
        decoded.push(' ', at..at + 1);
    }
    for from in further {
        decoded.push('\n', from..from + 1);
    }
    end
}

/// The character that an escape means, and the bytes it takes.
fn escape(rest: &str) -> Option<(char, usize)> {
    let kind = rest.chars().nth(1)?;
    let meant = match kind {
        '0' => '\0',
        'a' => '\x07',
        'b' => '\x08',
        't' | '\t' => '\t',
        'n' => '\n',
        'v' => '\x0b',
        'f' => '\x0c',
        'r' => '\r',
        'e' => '\x1b',
        ' ' | '"' | '/' | '\\' => kind,
        'N' => '\u{85}',
        '_' => '\u{A0}',
        'L' => '\u{2028}',
        'P' => '\u{2029}',
        'x' | 'u' | 'U' => {
            let size = match kind {
                'x' => 2,
                'u' => 4,
                _ => 8,
            };
            let code = u32::from_str_radix(rest.get(2..2 + size)?, 16).ok()?;
            return Some((char::from_u32(code)?, 2 + size));
        }
        _ => return None,
    };
    Some((meant, 1 + kind.len_utf8()))
}

/// Literal (`|`) and folded (`>`) blocks.
fn block(source: &str, start: usize, folded: bool, text: &str) -> Option<Decoded> {
    let header_end = source.get(start..)?.find('\n').map(|at| start + at + 1)?;
    let header = source.get(start + 1..header_end)?;
    let indicators: String = header.chars().take_while(|c| matches!(c, '+' | '-' | '1'..='9')).collect();
    let indents = if indicators.contains(|c: char| c.is_ascii_digit()) {
        // An explicit indent counts from the parent's, which is not known here; the right one gives the text.
        1..=64
    } else {
        let indent = first_indent(source, header_end);
        indent..=indent
    };
    indents.into_iter().map(|indent| block_at(source, header_end, indent, folded, text.len())).find_map(
        |mut decoded| {
            // How many line breaks stay at the end is the header's say: the text tells.
            let rest = decoded.text.get(text.len()..)?;
            let same = decoded.text.starts_with(text) && rest.chars().all(|c| c == '\n');
            decoded.text.truncate(text.len());
            decoded.pieces.retain(|piece| piece.at < text.len());
            same.then_some(decoded)
        },
    )
}

fn first_indent(source: &str, from: usize) -> usize {
    let lines = source.get(from..).unwrap_or_default().split('\n');
    let indents = lines.map(|line| (line.len() - line.trim_start_matches(' ').len(), line));
    indents.filter(|(indent, line)| line.len() > *indent).map(|(indent, _)| indent).next().unwrap_or(0)
}

fn block_at(source: &str, from: usize, indent: usize, folded: bool, length: usize) -> Decoded {
    let mut decoded = Decoded::default();
    let mut at = from;
    // The break behind the last line of text, then the blank lines after it: only the next line tells what they mean.
    let mut pending: Option<usize> = None;
    let mut blank_lines: Vec<usize> = Vec::new();
    let mut was_indented = false;
    for line in source.get(from..).unwrap_or_default().split_inclusive('\n') {
        if decoded.text.len() > length {
            break;
        }
        let spaces = line.bytes().take_while(|byte| *byte == b' ').count().min(indent);
        let body = line.get(spaces..).unwrap_or_default();
        let content = body.strip_suffix('\n').unwrap_or(body);
        if content.is_empty() {
            if body.ends_with('\n') {
                blank_lines.push(at + spaces);
            }
            at += line.len();
            continue;
        }
        if spaces < indent {
            break;
        }
        let indented = content.starts_with([' ', '\t']);
        match pending.take() {
            // Between two lines of a folded text the break is a space, or stands for nothing where blank lines follow.
            Some(from) if folded && !was_indented && !indented && blank_lines.is_empty() => {
                decoded.push(' ', from..from + 1);
            }
            Some(_) if folded && !was_indented && !indented => {}
            Some(from) => decoded.push('\n', from..from + 1),
            None => {}
        }
        for from in blank_lines.drain(..) {
            decoded.push('\n', from..from + 1);
        }
        was_indented = indented;
        let mut here = at + spaces;
        for character in content.chars() {
            decoded.push(character, here..here + character.len_utf8());
            here += character.len_utf8();
        }
        pending = Some(here);
        at += line.len();
    }
    for from in pending.into_iter().chain(blank_lines) {
        let end = source.len().min(from + 1);
        decoded.push('\n', from.min(end)..end);
    }
    decoded
}
