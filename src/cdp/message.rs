//! One message of the browser: is it a reply or an event, and whose.

use std::borrow::Cow;

use bytes::Bytes;
use serde::Deserialize;
use serde_json::value::RawValue;

use super::{CallError, Event};

/// The text of a reply, from which the caller reads typed and borrowed values.
#[derive(Debug, Clone)]
pub struct ReplyText {
    method: &'static str,
    text: Bytes,
}

#[derive(Deserialize)]
struct Envelope<T> {
    result: T,
}

impl ReplyText {
    pub(super) fn new(method: &'static str, text: Bytes) -> ReplyText {
        ReplyText { method, text }
    }

    /// The answer, typed; strings may borrow from the message. One pass over the message, however
    /// long it is.
    pub fn read<'a, T: Deserialize<'a>>(&'a self) -> Result<T, CallError> {
        match serde_json::from_slice::<Envelope<T>>(&self.text) {
            Ok(envelope) => Ok(envelope.result),
            Err(error) => Err(CallError::Unreadable {
                method: self.method,
                message: format!("{error}: {}", around(&self.text, error.column())),
            }),
        }
    }
}

/// A few dozen bytes of the message about the place where reading failed.
fn around(text: &[u8], column: usize) -> String {
    let end = text.len().min(column.saturating_add(20));
    let start = column.saturating_sub(60).min(end);
    format!("…{}…", String::from_utf8_lossy(&text[start..end]))
}

/// A message, sorted.
#[derive(Debug)]
pub(super) enum Incoming {
    /// The answer to the command with this number, unread.
    Answer { id: u64, text: Bytes },
    /// The browser's refusal of the command with this number.
    Refusal { id: u64, code: i64, message: String },
    /// Something that happened in the session (the browser's own has an empty id).
    Event { session: String, event: Event },
    /// An error that belongs to no command: the browser could not read what it was sent.
    Complaint(String),
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Head<'a> {
    id: Option<u64>,
    #[serde(borrow)]
    method: Option<Cow<'a, str>>,
    #[serde(borrow)]
    session_id: Option<Cow<'a, str>>,
    #[serde(borrow)]
    params: Option<&'a RawValue>,
    #[serde(borrow)]
    error: Option<Refusal<'a>>,
}

#[derive(Deserialize)]
struct Refusal<'a> {
    #[serde(default)]
    code: i64,
    #[serde(borrow, default)]
    message: Cow<'a, str>,
    #[serde(borrow, default)]
    data: Option<Cow<'a, str>>,
}

impl Incoming {
    /// Sorts a message. An answer is told by its first bytes, so that a long one is read only once,
    /// by its caller.
    pub(super) fn read(text: Bytes) -> Result<Incoming, serde_json::Error> {
        if let Some(id) = answered(&text) {
            return Ok(Incoming::Answer { id, text });
        }
        let head: Head<'_> = serde_json::from_slice(&text)?;
        let refused = head.error.map(|error| {
            let message = match error.data {
                Some(data) => format!("{}: {data}", error.message),
                None => error.message.into_owned(),
            };
            (error.code, message)
        });
        Ok(match (head.id, refused, head.method) {
            (Some(id), Some((code, message)), _) => Incoming::Refusal { id, code, message },
            (Some(id), None, _) => Incoming::Answer { id, text },
            (None, None, Some(method)) => {
                let params = match head.params {
                    Some(params) => text.slice_ref(params.get().as_bytes()),
                    None => Bytes::from_static(b"{}"),
                };
                Incoming::Event {
                    session: head.session_id.map(Cow::into_owned).unwrap_or_default(),
                    event: Event::new(method.into_owned(), params),
                }
            }
            (None, Some((code, message)), _) => Incoming::Complaint(format!("{message} ({code})")),
            (None, None, None) => Incoming::Complaint("neither a reply nor an event".to_owned()),
        })
    }
}

/// The number of a message that begins `{"id":7,"result":`, as Chrome writes every answer.
fn answered(text: &[u8]) -> Option<u64> {
    let rest = text.strip_prefix(b"{\"id\":")?;
    let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
    if !rest[digits..].starts_with(b",\"result\":") {
        return None;
    }
    std::str::from_utf8(&rest[..digits]).ok()?.parse().ok()
}
