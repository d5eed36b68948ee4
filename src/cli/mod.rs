//! One file a command: read the flags into settings once, call the rooms, and say how it ended.

mod address;
mod arguments;
mod browser;
mod browser_flags;
mod check;
mod completions;
mod config;
mod failure;
mod fmt;
mod init;
mod install;
mod look;
mod machine;
mod outcome;
mod page_flags;
mod paths;
mod read;
mod review;
mod run;
mod say;
mod schema;
mod serve;
mod settings;
mod signals;
mod visit;

pub use arguments::perform as run;
