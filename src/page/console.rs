//! What a page logs, throws and complains of.

use std::collections::VecDeque;
use std::fmt;

use serde::Serialize;

use crate::cdp::{log, runtime};

/// One entry of a page's console.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ConsoleEntry {
    /// How grave it is.
    pub level: Level,
    /// What it says.
    pub text: String,
    /// The script or address that it is about.
    pub url: Option<String>,
    /// The line there, counted from 1.
    pub line: Option<u32>,
    /// Where it comes from.
    pub source: Source,
}

/// What it says, and where: `TypeError: user is undefined (app.js:41)`.
impl fmt::Display for ConsoleEntry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)?;
        let Some(url) = &self.url else { return Ok(()) };
        let path = url.split(['?', '#']).next().unwrap_or_default();
        let path = path.split_once("://").and_then(|(_, rest)| rest.find('/').map(|at| &rest[at..])).unwrap_or(path);
        // A document at a folder has no name of its own, that of the whole site not even a folder.
        let file = path.rsplit('/').find(|part| !part.is_empty()).unwrap_or(path);
        match self.line {
            Some(line) => write!(f, " ({file}:{line})"),
            None => write!(f, " ({file})"),
        }
    }
}

/// How grave an entry is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// For the curious.
    Debug,
    /// For everybody.
    Info,
    /// Something may be wrong.
    Warning,
    /// Something is wrong.
    Error,
}

/// Where an entry comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Source {
    /// A call of `console`.
    Console,
    /// The browser's complaint about a request.
    Network,
    /// An exception that nothing caught.
    Exception,
    /// The browser.
    Browser,
}

/// The newest entries.
#[derive(Debug, Default)]
pub(super) struct Log {
    entries: VecDeque<ConsoleEntry>,
    /// How many were dropped from the front.
    dropped: usize,
}

/// A page that logs without end must not fill the memory.
const ENTRIES: usize = 1_000;
/// Nor may one entry.
const CHARACTERS: usize = 4_000;

impl Log {
    pub(super) fn push(&mut self, mut entry: ConsoleEntry) {
        if let Some((cut, _)) = entry.text.char_indices().nth(CHARACTERS) {
            entry.text.truncate(cut);
            entry.text.push('…');
        }
        if self.entries.len() == ENTRIES {
            self.entries.pop_front();
            self.dropped += 1;
        }
        self.entries.push_back(entry);
    }

    /// Entries from the `from`-th on, counted from the page's beginning.
    pub(super) fn since(&self, from: usize) -> Vec<ConsoleEntry> {
        self.entries.iter().skip(from.saturating_sub(self.dropped)).cloned().collect()
    }

    pub(super) fn count(&self) -> usize {
        self.dropped + self.entries.len()
    }
}

impl ConsoleEntry {
    pub(super) fn from_call(call: &runtime::ConsoleApiCalled) -> Option<ConsoleEntry> {
        let level = match &*call.kind {
            "error" | "assert" => Level::Error,
            "warning" => Level::Warning,
            "debug" | "trace" => Level::Debug,
            // These say nothing by themselves.
            "clear" | "endGroup" | "profile" | "profileEnd" => return None,
            _ => Level::Info,
        };
        let place = call.stack_trace.as_ref().and_then(|trace| trace.call_frames.first());
        Some(ConsoleEntry {
            level,
            text: formatted(&call.args),
            url: place.map(|frame| frame.url.clone()).filter(|url| !url.is_empty()),
            line: place.map(|frame| frame.line_number + 1),
            source: Source::Console,
        })
    }

    pub(super) fn from_exception(details: &runtime::ExceptionDetails) -> ConsoleEntry {
        let thrown = details.exception.as_ref();
        let text = thrown.map(runtime::RemoteObject::brief).unwrap_or_default();
        let place = details.stack_trace.as_ref().and_then(|trace| trace.call_frames.first());
        ConsoleEntry {
            level: Level::Error,
            text: if text.is_empty() { details.text.clone() } else { first_line(&text).to_owned() },
            url: details.url.clone().or_else(|| place.map(|frame| frame.url.clone())).filter(|url| !url.is_empty()),
            line: Some(details.line_number + 1),
            source: Source::Exception,
        }
    }

    pub(super) fn from_log(entry: log::Entry<'_>) -> ConsoleEntry {
        ConsoleEntry {
            level: match &*entry.level {
                "error" => Level::Error,
                "warning" => Level::Warning,
                "verbose" => Level::Debug,
                _ => Level::Info,
            },
            text: entry.text.into_owned(),
            url: entry.url,
            line: entry.line_number.map(|line| line + 1),
            source: if entry.source == "network" { Source::Network } else { Source::Browser },
        }
    }
}

fn first_line(text: &str) -> &str {
    text.lines().next().unwrap_or_default()
}

/// The arguments as a console shows them; `%s` and its like filled in, `%c` styles left out.
fn formatted(args: &[runtime::RemoteObject]) -> String {
    let mut rest = args.iter();
    let mut text = match args.first() {
        Some(first) if first.kind == "string" && args.len() > 1 => {
            rest.next();
            filled(&first.brief(), &mut rest)
        }
        _ => String::new(),
    };
    for object in rest {
        if !text.is_empty() {
            text.push(' ');
        }
        text.push_str(&object.brief());
    }
    text
}

/// A format with its places filled, as long as there is something to fill them with.
fn filled<'a>(format: &str, rest: &mut impl ExactSizeIterator<Item = &'a runtime::RemoteObject>) -> String {
    let mut text = String::new();
    let mut signs = format.chars().peekable();
    while let Some(sign) = signs.next() {
        let place = signs.peek().copied().filter(|_| sign == '%');
        match place {
            Some('%') => text.push('%'),
            Some('s' | 'd' | 'i' | 'f' | 'o' | 'O') if rest.len() > 0 => {
                text.push_str(&rest.next().map(runtime::RemoteObject::brief).unwrap_or_default());
            }
            Some('c') if rest.len() > 0 => drop(rest.next()),
            _ => {
                text.push(sign);
                continue;
            }
        }
        signs.next();
    }
    text
}

impl runtime::RemoteObject {
    /// How the value reads in a console.
    pub(super) fn brief(&self) -> String {
        if let Some(value) = &self.value {
            return match serde_json::from_str::<String>(value.get()) {
                Ok(text) => text,
                Err(_) => value.get().to_owned(),
            };
        }
        if let Some(value) = &self.unserializable_value {
            return value.clone();
        }
        if let Some(preview) = &self.preview {
            let list = preview.subtype.as_deref() == Some("array");
            if list || self.subtype.is_none() {
                let mut parts: Vec<String> = preview
                    .properties
                    .iter()
                    .map(|property| {
                        let value = property.value.as_deref().unwrap_or(&property.kind);
                        let value = if property.kind == "string" { format!("\"{value}\"") } else { value.to_owned() };
                        if list { value } else { format!("{}: {value}", property.name) }
                    })
                    .collect();
                if preview.overflow {
                    parts.push("…".to_owned());
                }
                let inner = parts.join(", ");
                return if list { format!("[{inner}]") } else { format!("{{{inner}}}") };
            }
        }
        match (&self.description, &*self.kind) {
            (Some(description), _) => description.clone(),
            (None, kind) => kind.to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn object(json: &str) -> runtime::RemoteObject {
        serde_json::from_str(json).unwrap()
    }

    #[test]
    fn arguments_read_as_in_a_console() {
        let args = [
            object(r#"{"type":"string","value":"%s has %d%% of %c"}"#),
            object(r#"{"type":"string","value":"Ada"}"#),
            object(r#"{"type":"number","value":7}"#),
            object(r#"{"type":"string","value":"color: red"}"#),
            object(
                r#"{"type":"object","description":"Object","preview":{"type":"object","overflow":true,"properties":[{"name":"a","type":"string","value":"x"}]}}"#,
            ),
        ];
        assert_eq!(formatted(&args), r#"Ada has 7% of  {a: "x", …}"#);
        assert_eq!(formatted(&[object(r#"{"type":"string","value":"100 % s"}"#)]), "100 % s");
        assert_eq!(formatted(&[object(r#"{"type":"undefined"}"#)]), "undefined");
    }

    #[test]
    fn an_entry_says_where_it_comes_from() {
        let entry = |url: Option<&str>, line| ConsoleEntry {
            level: Level::Error,
            text: "no".to_owned(),
            url: url.map(str::to_owned),
            line,
            source: Source::Console,
        };
        assert_eq!(entry(Some("http://h/js/app.js?v=1"), Some(41)).to_string(), "no (app.js:41)");
        assert_eq!(entry(Some("http://h:80/shop/"), None).to_string(), "no (shop)");
        assert_eq!(entry(Some("http://h:80/"), Some(2)).to_string(), "no (/:2)");
        assert_eq!(entry(None, None).to_string(), "no");
    }

    #[test]
    fn a_flood_keeps_the_newest_and_their_numbers() {
        let mut log = Log::default();
        for n in 0..ENTRIES + 5 {
            let text = format!("{n}");
            log.push(ConsoleEntry { level: Level::Info, text, url: None, line: None, source: Source::Console });
        }
        assert_eq!(log.count(), ENTRIES + 5);
        assert_eq!(log.since(0).len(), ENTRIES);
        assert_eq!(log.since(ENTRIES + 3)[0].text, format!("{}", ENTRIES + 3));
    }
}
