//! Pure: the accessibility outline, its text form, patterns, matching and differences.

mod build;
mod closest;
mod content;
mod diff;
mod draw;
mod error;
mod foreign_roles;
mod line;
mod line_pattern;
mod matching;
mod mismatch;
mod parse;
mod pattern;
mod print;
mod roles;
mod states;
mod syntax;
mod text;

#[cfg(test)]
mod tests;

pub use build::{RawNode, RawProperty, RawTree, build, number_text};
pub use closest::closest;
pub use error::PatternError;
pub use line::{Handle, Line, Outline, Refs, State};
pub use line_pattern::{LinePattern, NamePattern, RegexPattern, StatePattern};
pub use matching::{Found, contains, equals, lacks};
pub use mismatch::Mismatch;
pub use pattern::Pattern;
pub use print::DATA_NOTICE;
pub use roles::{is_foreign_role, is_known_role, known_roles, may_be_role, nearest_role};
pub use syntax::in_other_quotes;
