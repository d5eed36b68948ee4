//! Events of a session.

use bytes::Bytes;
use serde::Deserialize;
use tokio::sync::mpsc;

/// Something that happened in a target.
#[derive(Debug, Clone)]
pub struct Event {
    /// The name on the wire, such as `Page.loadEventFired`.
    pub method: String,
    /// The parameters as they came: a part of the message, not a copy.
    params: Bytes,
}

impl Event {
    pub(super) fn new(method: String, params: Bytes) -> Event {
        Event { method, params }
    }

    /// The parameters, typed; strings may borrow from the event.
    pub fn read<'a, T: Deserialize<'a>>(&'a self) -> Result<T, serde_json::Error> {
        serde_json::from_slice(&self.params)
    }
}

/// The events of one session from the moment of [`super::Session::events`] on, in order. It ends
/// when the session is detached or the browser goes. Nothing is lost: it holds as many events as
/// its reader leaves unread.
#[derive(Debug)]
pub struct Events {
    receiver: mpsc::UnboundedReceiver<Event>,
}

impl Events {
    pub(super) fn new(receiver: mpsc::UnboundedReceiver<Event>) -> Events {
        Events { receiver }
    }

    /// The next event, or `None` once the stream has ended. Safe to drop while waiting.
    pub async fn next(&mut self) -> Option<Event> {
        self.receiver.recv().await
    }
}
