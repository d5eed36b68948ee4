//! Text of pages and files, made safe to print: nothing in it can drive a terminal or turn a line around.

use std::borrow::Cow;

use crate::scenario::escaped;

/// Shows control and bidirectional-override characters as escapes; line breaks and tabs stay.
#[must_use]
pub fn visible(text: &str) -> Cow<'_, str> {
    escape(text, |c| is_hostile(c) && !matches!(c, '\n' | '\t'))
}

/// As [`visible`], for text that must stay on one line: runs of white space, line breaks included, become one space.
#[must_use]
pub fn visible_line(text: &str) -> Cow<'_, str> {
    let folds = |c: char| c.is_whitespace() && c != ' ';
    if !text.contains(folds) && !text.contains("  ") {
        return escape(text, is_hostile);
    }
    let folded = text.split_whitespace().collect::<Vec<_>>().join(" ");
    Cow::Owned(escape(&folded, is_hostile).into_owned())
}

/// One character that stands for `c` in an excerpt of a file, where columns must stay as they are.
pub(crate) fn stand_in(c: char) -> char {
    match c {
        '\t' => c,
        // The Unicode block "Control Pictures" repeats the control characters in their order.
        '\u{0}'..='\u{1f}' => char::from_u32(0x2400 + c as u32).unwrap_or('\u{fffd}'),
        '\u{7f}' => '\u{2421}',
        _ if is_hostile(c) => '\u{fffd}',
        _ => c,
    }
}

fn escape(text: &str, hostile: impl Fn(char) -> bool) -> Cow<'_, str> {
    if !text.contains(&hostile) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        if hostile(c) {
            out.push_str(&escaped(c));
        } else {
            out.push(c);
        }
    }
    Cow::Owned(out)
}

/// Whether a terminal may act on `c`, or show the text around it in another order or not at all.
fn is_hostile(c: char) -> bool {
    c.is_control()
        || matches!(c,
            // marks, embeddings, overrides and isolates of the bidirectional algorithm
            '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}'
            // line and paragraph separators
            | '\u{2028}' | '\u{2029}'
            // a byte order mark inside a text, interlinear annotations, non-characters, invisible tags
            | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{fffe}' | '\u{ffff}' | '\u{e0000}'..='\u{e007f}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terminal_controls_are_shown_as_escapes() {
        assert_eq!(visible("a\u{1b}[31mred\u{9b}m\0"), r"a\e[31mred\x9bm\0");
        assert_eq!(visible("a\r\nb\rc"), "a\\r\nb\\rc");
        assert_eq!(visible("abc\u{202e}cba\u{2066}"), r"abc\u202ecba\u2066");
    }

    #[test]
    fn plain_text_of_any_script_is_left_alone() {
        for text in ["", "Grüße, 世界", "👩‍👩‍👧 שלום", "two\nlines\twith a tab"] {
            assert!(matches!(visible(text), Cow::Borrowed(same) if same == text));
        }
    }

    #[test]
    fn a_line_stays_one_line() {
        assert_eq!(visible_line("one\r\ntwo\t three"), "one two three");
        assert_eq!(visible_line("a\u{7}b"), r"a\ab");
    }

    #[test]
    fn stand_ins_keep_one_column() {
        let shown: String = "a\u{1b}b\u{7f}c\u{202e}d\te".chars().map(stand_in).collect();
        assert_eq!(shown, "a␛b␡c\u{fffd}d\te");
    }
}
