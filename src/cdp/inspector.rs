//! `Inspector`: tells that a renderer died. Enabling it is not needed for a crash to be told.

use serde::Serialize;

use super::{Command, Empty};

/// Starts the events.
#[derive(Debug, Serialize)]
pub struct Enable {}

impl Command for Enable {
    const METHOD: &'static str = "Inspector.enable";
    type Reply = Empty;
}
