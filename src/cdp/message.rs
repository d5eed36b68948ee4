//! One message of the browser: is it a reply or an event, and whose.

use std::borrow::Cow;

use bytes::{Bytes, BytesMut};
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
        let text = whole_characters(text);
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

/// A script may cut a character in two (`text.slice(0, 10)` in the middle of an emoji), and Chrome sends the half as it is, `\ud83d`,
/// which is no text. It becomes U+FFFD, as it is shown; the rest of the page can be read.
fn whole_characters(text: Bytes) -> Bytes {
    let halves = half_characters(&text);
    if halves.is_empty() {
        return text;
    }
    // Both spellings are of one length. The message is not copied as long as nobody else holds its buffer.
    let mut text = BytesMut::from(text);
    for start in halves {
        text[start..start + 6].copy_from_slice(b"\\ufffd");
    }
    text.freeze()
}

/// Where escapes of surrogates stand that have no other half.
fn half_characters(text: &[u8]) -> Vec<usize> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(next) = text.get(at..).and_then(|rest| rest.iter().position(|byte| *byte == b'\\')) {
        let start = at + next;
        let Some(unit) = surrogate(text, start) else {
            // Any escape but that is two bytes at least.
            at = start + 2;
            continue;
        };
        let pair = unit < 0xDC00 && surrogate(text, start + 6).is_some_and(|unit| unit >= 0xDC00);
        if !pair {
            found.push(start);
        }
        at = start + if pair { 12 } else { 6 };
    }
    found
}

/// The surrogate that is escaped at this place, if one is.
fn surrogate(text: &[u8], at: usize) -> Option<u16> {
    let escape = text.get(at..at + 6)?.strip_prefix(b"\\u")?;
    let unit = u16::from_str_radix(std::str::from_utf8(escape).ok()?, 16).ok()?;
    (0xD800..0xE000).contains(&unit).then_some(unit)
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

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic)]
    use super::*;

    fn mended(text: &'static str) -> String {
        String::from_utf8(whole_characters(Bytes::from_static(text.as_bytes())).to_vec()).unwrap()
    }

    #[test]
    fn half_a_character_becomes_a_sign_for_it_and_whole_ones_stay() {
        assert_eq!(mended(r#""a\ud83d b""#), r#""a\ufffd b""#);
        assert_eq!(mended(r#""\uDC00""#), r#""\ufffd""#);
        assert_eq!(mended(r#""\ud83d\ude00""#), r#""\ud83d\ude00""#);
        assert_eq!(mended(r#""\ude00\ud83d""#), r#""\ufffd\ufffd""#);
        assert_eq!(mended(r#""\ud83d\ud83d\ude00""#), r#""\ufffd\ud83d\ude00""#);
        assert_eq!(mended(r#""\ud83d\n""#), r#""\ufffd\n""#);
        // An escaped backslash before the same letters.
        assert_eq!(mended(r#""\\ud83d \\\ud83d""#), r#""\\ud83d \\\ufffd""#);
        assert_eq!(mended(r#""\u00e9 \ud7ff \ue000""#), r#""\u00e9 \ud7ff \ue000""#);
        // Cut off, as garbage may be.
        for end in ["\"\\", "\"\\u", "\"\\ud8", "\"\\ud83"] {
            assert_eq!(mended(end), end);
        }
        let text = Bytes::from_static(br#"{"id":1,"result":{"a":"x\ud800"}}"#);
        let Incoming::Answer { text, .. } = Incoming::read(text).unwrap() else { panic!("an answer") };
        let read: std::collections::BTreeMap<String, String> = ReplyText::new("T.m", text).read().unwrap();
        assert_eq!(read["a"], "x\u{fffd}");
    }
}
