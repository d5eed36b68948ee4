//! Folding white space, and quoting so that a text stays one visible line.

use std::fmt::Write as _;

/// Runs of white space become one blank, none at the ends.
pub(crate) fn fold(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        if !folded.is_empty() {
            folded.push(' ');
        }
        folded.push_str(word);
    }
    folded
}

/// Runs of white space become one blank, one at each end as well: what a field holds is told as it is.
pub(crate) fn fold_inside(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    let mut blank = false;
    for c in text.chars() {
        if !c.is_whitespace() {
            folded.push(c);
        } else if !blank {
            folded.push(' ');
        }
        blank = c.is_whitespace();
    }
    folded
}

/// The mark at the end of a text that was cut for printing.
pub(crate) const CUT: char = '…';
/// Cut texts are at least this long, so that a name such as "Loading…" is never taken for one.
const SHORTEST_CUT: usize = 200;

/// Whether a text of the page is the one a pattern gives: equal but for white space.
/// A long text that ends in `…` was cut by `capped` and stands for everything that begins so.
pub(crate) fn same_text(wanted: &str, real: &str) -> bool {
    if wanted == real || wanted.split_whitespace().eq(real.split_whitespace()) {
        return true;
    }
    match wanted.strip_suffix(CUT) {
        Some(start) if start.len() >= SHORTEST_CUT => fold(real).starts_with(fold(start).as_str()),
        _ => false,
    }
}

/// The first `limit` characters and a mark, if the text is longer.
pub(crate) fn cut(text: &str, limit: usize) -> std::borrow::Cow<'_, str> {
    let limit = limit.max(SHORTEST_CUT);
    match text.char_indices().nth(limit) {
        Some((end, _)) => format!("{}{CUT}", &text[..end]).into(),
        None => text.into(),
    }
}

/// Characters that do not show, or that change how their neighbours show.
pub(crate) fn hidden(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

/// Writes one character of a quoted text.
fn push_escaped(out: &mut String, c: char) {
    match c {
        '"' => out.push_str("\\\""),
        '\\' => out.push_str("\\\\"),
        '\n' => out.push_str("\\n"),
        '\r' => out.push_str("\\r"),
        '\t' => out.push_str("\\t"),
        c if hidden(c) => push_code(out, c),
        c => out.push(c),
    }
}

fn push_code(out: &mut String, c: char) {
    // Writing to a String cannot fail.
    let _ = write!(out, "\\u{{{:x}}}", u32::from(c));
}

/// The text in quotes, on one line, nothing in it invisible.
pub(crate) fn push_quoted(out: &mut String, text: &str) {
    out.push('"');
    for c in text.chars() {
        push_escaped(out, c);
    }
    out.push('"');
}

/// The text in quotes.
pub(crate) fn quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    push_quoted(&mut out, text);
    out
}

/// Characters that end a bare word or that mean something where one begins.
pub(crate) fn ends_word(c: char) -> bool {
    c.is_whitespace() || matches!(c, '"' | '/' | '[' | ']' | '=' | ':' | '\\' | '`' | '“' | '”')
}

/// A role as a bare word; what cannot stand in one is written as a code.
pub(crate) fn push_word(out: &mut String, word: &str) {
    for c in word.chars() {
        if ends_word(c) || hidden(c) {
            push_code(out, c);
        } else {
            out.push(c);
        }
    }
}
