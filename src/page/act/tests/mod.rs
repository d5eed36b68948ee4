//! Acts on a real Chrome, on small pages of their own.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod checks;
mod choices;
mod clicks;
mod drags;
mod frames;
mod guard;
mod keys;
mod pointer;
mod stage;
mod typing;
