//! What stands around the page, against a real Chrome: the network above all.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

#[path = "../common/mod.rs"]
mod common;

mod browser;
mod fail_on;
mod mocks;
mod requests;
mod rest;
mod tabs;
mod unused;
