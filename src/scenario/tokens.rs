//! The words of an expression, with their places: names are checked and comparisons made strict by them.

use std::ops::Range;

/// What a word is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sort {
    /// A name or a keyword.
    Name,
    /// Quoted text.
    Text,
    /// A number.
    Number,
    /// An operator or bracket.
    Sign,
}

/// A word and its bytes.
#[derive(Clone, Debug)]
pub(super) struct Token {
    pub(super) sort: Sort,
    pub(super) range: Range<usize>,
}

/// Two-character signs, longest match first.
const PAIRS: &[&str] = &["==", "!=", "<=", ">=", "//", "**"];

/// Splits `text` from `from` on into words, to its end. Text whose quote does not close is an error: the byte it starts at.
pub(super) fn tokens(text: &str, from: usize) -> Tokens<'_> {
    Tokens { text, at: from }
}

/// See [`tokens`].
pub(super) struct Tokens<'a> {
    text: &'a str,
    at: usize,
}

impl Iterator for Tokens<'_> {
    type Item = Result<Token, usize>;

    fn next(&mut self) -> Option<Self::Item> {
        let rest = self.text.get(self.at..)?;
        let start = self.at + rest.len() - rest.trim_start().len();
        let rest = self.text.get(start..)?;
        let first = rest.chars().next()?;
        let (sort, length) = match first {
            '"' | '\'' => match quoted(rest, first) {
                Some(length) => (Sort::Text, length),
                None => {
                    self.at = self.text.len();
                    return Some(Err(start));
                }
            },
            '0'..='9' => (Sort::Number, number(rest)),
            'a'..='z' | 'A'..='Z' | '_' => {
                let name = |c: char| c.is_ascii_alphanumeric() || c == '_';
                (Sort::Name, rest.find(|c| !name(c)).unwrap_or(rest.len()))
            }
            _ if PAIRS.iter().any(|pair| rest.starts_with(pair)) => (Sort::Sign, 2),
            _ => (Sort::Sign, first.len_utf8()),
        };
        self.at = start + length;
        Some(Ok(Token { sort, range: start..self.at }))
    }
}

fn quoted(rest: &str, quote: char) -> Option<usize> {
    let mut escaped = false;
    for (at, character) in rest.char_indices().skip(1) {
        match character {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            _ if character == quote => return Some(at + 1),
            _ => {}
        }
    }
    None
}

fn number(rest: &str) -> usize {
    let mut length = 0;
    let mut before = '0';
    let mut characters = rest.char_indices().peekable();
    while let Some((at, character)) = characters.next() {
        let next = characters.peek().map_or(' ', |(_, next)| *next);
        let part = character.is_ascii_alphanumeric()
            || character == '_'
            || (character == '.' && next.is_ascii_digit())
            || (matches!(character, '+' | '-') && matches!(before, 'e' | 'E') && !rest.starts_with("0x"));
        if !part {
            break;
        }
        before = character;
        length = at + character.len_utf8();
    }
    length
}
