//! Text as it is matched: itself, or a `/regular expression/`.

use std::fmt;

use super::diagnostic::{Diagnostic, Problems, shown};
use super::node::Node;
use crate::outline::RegexPattern;

/// What a text must be: exactly this, or something a regular expression finds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TextMatch {
    /// Exactly this text.
    Exact(String),
    /// What a regular expression between slashes finds.
    Pattern(RegexPattern),
}

impl TextMatch {
    /// Reads `/regex/`, or `/regex/i` where case does not matter; else text. The error is the regular expression's own.
    pub fn parse(text: &str) -> Result<TextMatch, String> {
        let (body, flags) = match text.strip_suffix("/i") {
            // `/shop/list/i` is a path.
            Some(body) if !body.get(1..).unwrap_or_default().replace("\\/", "").contains('/') => (body, "i"),
            _ => (text.strip_suffix('/').unwrap_or_default(), ""),
        };
        match body.strip_prefix('/') {
            Some(pattern) if !pattern.is_empty() => {
                RegexPattern::new(&pattern.replace("\\/", "/"), flags).map(TextMatch::Pattern)
            }
            _ => Ok(TextMatch::Exact(text.to_owned())),
        }
    }

    /// Reads it from a file.
    pub fn from_node(node: &Node, problems: &mut Problems) -> Option<TextMatch> {
        let text = node.want_text("this", problems)?;
        match TextMatch::parse(text) {
            Ok(found) => Some(found),
            Err(message) => {
                problems.add(bad_regex(node, &message));
                None
            }
        }
    }

    /// Whether a message is expected: by a part of it, or by a regular expression.
    pub fn is_in_message(&self, message: &str) -> bool {
        match self {
            TextMatch::Exact(text) => message.contains(text.as_str()),
            TextMatch::Pattern(_) => self.matches(message),
        }
    }

    /// Whether a text is what is wanted.
    pub fn matches(&self, text: &str) -> bool {
        match self {
            TextMatch::Exact(wanted) => wanted == text,
            TextMatch::Pattern(pattern) => pattern.regex().is_match(text),
        }
    }
}

/// As it is written in a scenario: `"text"` or `/regex/`.
impl fmt::Display for TextMatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TextMatch::Exact(text) => write!(f, "\"{}\"", shown(text)),
            TextMatch::Pattern(pattern) => f.write_str(&shown(&pattern.to_string())),
        }
    }
}

/// The complaint about a regular expression that does not parse.
pub(super) fn bad_regex(node: &Node, message: &str) -> Diagnostic {
    Diagnostic::new("this regular expression does not parse")
        .at(node.place.clone())
        .label(message)
        .next("correct it; a backslash before a sign means the sign itself")
}

/// The regex crate draws an excerpt of its own; its last line says what is wrong.
pub(super) fn last_line(text: &str) -> String {
    let line = text.lines().last().unwrap_or(text);
    line.strip_prefix("error: ").unwrap_or(line).to_owned()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

    use super::*;

    #[test]
    fn text_is_exact_and_slashes_make_a_pattern() {
        assert!(TextMatch::parse("Save").unwrap().matches("Save"));
        assert!(!TextMatch::parse("Save").unwrap().matches("Save all"));
        assert!(TextMatch::parse("/^Save/").unwrap().matches("Save all"));
        assert!(TextMatch::parse(r"/a\/b/").unwrap().matches("a/b"));
        assert!(TextMatch::parse(r"/users/\d+/").unwrap().matches("http://x/users/42"));
        assert!(TextMatch::parse("/save/i").unwrap().matches("SAVE"));
        for text in ["/", "//", "/home", "home/", "a.b", "/shop/list/i", "/i", ""] {
            assert_eq!(TextMatch::parse(text), Ok(TextMatch::Exact(text.to_owned())));
        }
        assert_eq!(TextMatch::parse("/(/"), Err("unclosed group".to_owned()));
        assert_eq!(TextMatch::parse("/a+/").unwrap().to_string(), "/a+/");
    }
}
