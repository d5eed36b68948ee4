//! `Log`: what the browser itself reports about a page.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use super::{Command, Empty};

/// Starts the events.
#[derive(Debug, Serialize)]
pub struct Enable {}

impl Command for Enable {
    const METHOD: &'static str = "Log.enable";
    type Reply = Empty;
}

/// `Log.entryAdded`.
#[derive(Debug, Deserialize)]
pub struct EntryAdded<'a> {
    /// The entry.
    #[serde(borrow)]
    pub entry: Entry<'a>,
}

/// One entry.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Entry<'a> {
    /// Such as `network`.
    #[serde(borrow)]
    pub source: Cow<'a, str>,
    /// `verbose`, `info`, `warning` or `error`.
    #[serde(borrow)]
    pub level: Cow<'a, str>,
    /// What it says.
    #[serde(borrow)]
    pub text: Cow<'a, str>,
    /// Where from.
    #[serde(default)]
    pub url: Option<String>,
    /// Where from, counted from 0.
    #[serde(default)]
    pub line_number: Option<u32>,
}
