//! playscript: a test-and-play runner for real browsers.
//!
//! The rooms, from the ground up; a room uses only rooms above it in this list:
//!
//! - [`outline`]: the accessibility outline as a tree and as text; patterns, matching, differences. Pure.
//! - [`scenario`]: the scenario language: text to a tree of values, each with its place, and what is wrong with it.
//! - [`cdp`]: the DevTools protocol: bytes to replies and events.
//! - [`process`]: programs that end with us, and all that they start with them.
//! - [`browser`]: a Chrome: found, installed, launched, connected to, watched, ended; contexts and targets.
//! - [`page`]: one tab as a person uses it: go, read, find, act, wait, look.
//! - [`site`]: the pages under test: the embedded server.
//! - [`app`]: the user's own application: started, waited for, ended with all of its processes.
//! - [`snapshot`]: stored outlines in the insta format: hold against, write pending, accept.
//! - [`steps`]: one file a verb, and the stage that verbs act on.
//! - [`run`]: plan, workers, deadlines, events.
//! - [`report`]: one file a format, each a function of events.
//! - [`cli`]: one file a command.

pub mod app;
pub mod browser;
pub mod cdp;
pub mod cli;
pub mod outline;
pub mod page;
pub mod process;
pub mod report;
pub mod run;
pub mod scenario;
pub mod site;
pub mod snapshot;
pub mod steps;
