//! The page room against a real Chrome.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
// Costs are told, see `reading`.
#![allow(clippy::print_stdout)]

mod finding;
mod frames;
mod going;
mod reading;
mod refs;
mod settling;
mod support;
mod tabs;
