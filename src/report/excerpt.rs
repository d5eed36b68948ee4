//! The lines of a file around a place, ready to be drawn.

use std::ops::Range;

use crate::scenario::Place;

use super::visible::stand_in;

/// Lines shown before the marked one.
const CONTEXT: usize = 2;

/// A marked line and the lines before it.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Excerpt {
    /// The lines, joined by line feeds. Control characters are replaced one for one, so that columns hold.
    pub(crate) text: String,
    /// Number of the first line, from 1.
    pub(crate) first_line: usize,
    /// Number of the last line, from 1.
    pub(crate) last_line: usize,
    /// Bytes of `text` to mark. Stays on the last line: a mark over many lines says less than its first line.
    pub(crate) mark: Range<usize>,
}

impl Excerpt {
    pub(crate) fn new(place: &Place) -> Self {
        let source = place.source.text.as_str();
        let start = floor(source, place.range.start);
        let end = floor(source, place.range.end).max(start);
        let line_start = source[..start].rfind('\n').map_or(0, |at| at + 1);
        let line_end = source[start..].find('\n').map_or(source.len(), |at| start + at);
        let line = &source[line_start..line_end];
        let number = place.source.line_column(start).0;

        let before: Vec<&str> = source[..line_start].lines().rev().take(CONTEXT).collect();
        let mut text = String::new();
        for line in before.iter().rev() {
            push_line(&mut text, line);
            text.push('\n');
        }
        let marked = &line[start - line_start..end.min(line_end) - line_start];
        let marked = marked.trim_end();
        push_line(&mut text, &line[..start - line_start]);
        let mark_start = text.len();
        push_line(&mut text, marked);
        let mark_end = text.len();
        push_line(&mut text, &line[start - line_start + marked.len()..]);
        Self { text, first_line: number - before.len(), last_line: number, mark: mark_start..mark_end }
    }
}

fn push_line(text: &mut String, line: &str) {
    text.extend(line.chars().map(stand_in));
}

/// The nearest character boundary at or before `at`: a wrong place must not take the message down with it.
fn floor(text: &str, at: usize) -> usize {
    let mut at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;
    use crate::scenario::Source;

    fn of(text: &str, range: Range<usize>) -> Excerpt {
        let source = Source::new("a.yaml", text);
        Excerpt::new(&Place { source, range })
    }

    #[test]
    fn two_lines_stand_before_the_marked_one_and_none_after() {
        let text = "one\ntwo\nthree\nfour\nfive\n";
        let at = text.find("four").unwrap();
        let excerpt = of(text, at..at + 4);
        assert_eq!(excerpt.text, "two\nthree\nfour");
        assert_eq!((excerpt.first_line, excerpt.last_line), (2, 4));
        assert_eq!(&excerpt.text[excerpt.mark], "four");
    }

    #[test]
    fn a_mark_over_several_lines_ends_with_its_first() {
        let excerpt = of("a: |\n  b\n  c\n", 0..9);
        assert_eq!(&excerpt.text[excerpt.mark], "a: |");
    }

    #[test]
    fn replaced_characters_do_not_move_the_mark() {
        // A source shows control characters as pictures; what turns text around is left to the excerpt.
        let text = "a: \u{202e}ü\u{2066} x";
        let at = text.find('x').unwrap();
        let excerpt = of(text, at..at + 1);
        assert_eq!(excerpt.text, "a: \u{fffd}ü\u{fffd} x");
        assert_eq!(&excerpt.text[excerpt.mark], "x");
    }

    #[test]
    fn places_outside_the_file_or_inside_a_character_are_survived() {
        assert_eq!(of("", 0..0).text, "");
        assert_eq!(of("ü", 1..90).mark, 0..2);
        #[allow(clippy::reversed_empty_ranges)]
        let backwards = of("abc", 9..1);
        assert_eq!(backwards.mark, 3..3);
        let after_the_end = of("abc\n", 4..4);
        assert_eq!((after_the_end.text.as_str(), after_the_end.last_line), ("abc\n", 2));
    }
}
