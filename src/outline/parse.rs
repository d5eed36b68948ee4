//! From text back to an outline.

use std::borrow::Cow;

use super::error::PatternError;
use super::line::{Line, Outline, State};
use super::syntax::{self, TextToken};

impl Outline {
    /// Reads what [`Outline::text`] printed. Lines that carry a `[ref_N]` are interactive.
    pub fn parse(text: &str) -> Result<Outline, PatternError> {
        let mut lines = Vec::new();
        for placed in syntax::placed_lines(text)? {
            let tokens = syntax::line(&text[placed.range.clone()], placed.range.start)?;
            lines.push(Line {
                depth: placed.depth,
                role: tokens.role.unwrap_or_default(),
                name: tokens.name.map(plain).transpose()?.unwrap_or_default(),
                value: tokens.value.map(plain).transpose()?,
                states: tokens
                    .states
                    .into_iter()
                    .map(|state| State { name: Cow::Borrowed(state.name), value: state.value })
                    .collect(),
                interactive: tokens.reference,
                ..Line::default()
            });
        }
        Ok(Outline { lines })
    }
}

/// An outline says what is there; only a pattern can leave it open.
fn plain(token: TextToken) -> Result<String, PatternError> {
    match token {
        TextToken::Quoted(text) => Ok(text),
        TextToken::Regex { range, .. } => {
            Err(PatternError::new(range, "an outline holds no regular expression").next("write the text in quotes"))
        }
    }
}
