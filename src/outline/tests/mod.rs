//! Tests of the room.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod building;
mod differences;
mod matching;
mod patterns;
mod printing;
mod properties;

use super::*;

/// An outline from its text, for tests to read.
fn outline(text: &str) -> Outline {
    Outline::parse(text).unwrap()
}

/// A pattern from its text.
fn pattern(text: &str) -> Pattern {
    Pattern::parse(text).unwrap()
}
