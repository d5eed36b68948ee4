//! What is wrong with a pattern, and where.

use std::ops::Range;

/// A pattern or an outline that does not parse: the place, what is there, and the next move.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct PatternError {
    /// Bytes in the text that was parsed.
    pub range: Range<usize>,
    /// What is wrong there.
    pub message: String,
    /// What to write instead, when that is known.
    pub next: Option<String>,
    /// The line as it may have been meant, in the notation of outlines: what stands around it may ask for quotes of its
    /// own, so it is not a part of `next`.
    pub meant: Option<String>,
}

impl PatternError {
    pub(crate) fn new(range: Range<usize>, message: impl Into<String>) -> Self {
        Self { range, message: message.into(), next: None, meant: None }
    }

    pub(crate) fn next(mut self, next: impl Into<String>) -> Self {
        self.next = Some(next.into());
        self
    }

    pub(crate) fn meant(mut self, line: impl Into<String>) -> Self {
        self.meant = Some(line.into());
        self
    }
}
