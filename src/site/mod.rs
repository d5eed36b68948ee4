//! The pages under test: the embedded server.
//!
//! A [`Site`] serves one folder and any number of inline pages on loopback, at a free port, on two origins. What a
//! front-end developer can rely on:
//!
//! - inline pages win over files; `/` is `index.html`; `/about` is `about`, else `about.html`; a folder that holds an
//!   `index.html` is redirected to its name with a slash, so that relative links work. There is no fallback of unknown
//!   paths to `index.html`: a missing page is a 404 that says what was looked for.
//! - `Content-Type` comes from the extension, text as UTF-8; nothing may be cached, unless a route says so; one range of a file can be asked for.
//! - routes answer before both what a file can't say, or stand before what is served with a password, a delay or headers.
//! - nothing outside the folder is served, by whatever spelling, symbolic links included; names that start with a dot
//!   are not served either, `.well-known` excepted.

mod answer;
mod body;
mod listen;
mod log;
mod lookup;
mod missing;
mod path_names;
mod range;
mod routes;
mod server;

pub use answer::content_type;
pub use log::Request;
pub use server::{Site, SiteSpec};
