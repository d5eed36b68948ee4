//! A connection against peers that behave and peers that do not.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod over_pipe;
mod over_websocket;
mod peer;
mod routing;
