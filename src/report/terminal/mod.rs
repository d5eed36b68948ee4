//! The report on a terminal, in a pipe or in a log.

mod activity;
mod columns;
mod lines;
mod look;
mod output;
mod progress;
mod screen;
#[allow(clippy::module_inception)] // the folder is the room's format, the file its one public type
mod terminal;
mod verbosity;

#[cfg(test)]
mod tests;

pub use lines::Commands;
pub use look::{Look, Motion};
pub use terminal::Terminal;
pub use verbosity::Verbosity;
