//! One browser at the other end of a transport: numbers commands, hands replies to their callers
//! and events to their sessions.

use std::collections::HashMap;
use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use bytes::Bytes;
use serde::Deserialize;
use tokio::sync::{mpsc, oneshot, watch};

use super::message::Incoming;
use super::{CallError, Event, Events, ReplyText, Session};

/// What a browser that has gone said last. Asked for once, when the transport ends; it may wait a
/// moment for the words to arrive.
pub type LastWords = Box<dyn Fn() -> Pin<Box<dyn Future<Output = String> + Send>> + Send + Sync>;

/// The error number that Chrome gives for a session that it does not know (any more).
const NO_SUCH_SESSION: i64 = -32001;

/// A browser. Cheap to clone; the transport closes when [`Connection::close`] is called or the last
/// clone, [`Session`]s included, is dropped.
#[derive(Clone)]
pub struct Connection {
    pub(super) inner: Arc<Inner>,
}

/// A connection that does not keep the transport open.
#[derive(Clone)]
pub struct WeakConnection {
    inner: Weak<Inner>,
}

impl WeakConnection {
    /// The connection, if somebody still uses it.
    pub fn upgrade(&self) -> Option<Connection> {
        self.inner.upgrade().map(|inner| Connection { inner })
    }
}

/// What the clones of a connection share. The one lock is held for a few instructions, and never
/// while waiting.
pub(super) struct Inner {
    state: Mutex<State>,
    gone: watch::Sender<bool>,
    last_words: Mutex<Option<LastWords>>,
}

struct State {
    /// `None` once closed from this side.
    outbox: Option<mpsc::UnboundedSender<String>>,
    next_id: u64,
    pending: HashMap<u64, Waiter>,
    sessions: HashMap<String, Entry>,
    gone: Option<String>,
}

/// A call that waits for its reply.
struct Waiter {
    method: &'static str,
    session: Arc<Shared>,
    reply: oneshot::Sender<Result<ReplyText, CallError>>,
}

/// What the connection keeps of a session.
struct Entry {
    shared: Arc<Shared>,
    /// The session through which this one was attached; when that one goes, so does this.
    parent: Option<String>,
    listeners: Vec<mpsc::UnboundedSender<Event>>,
}

/// What the clones of a session share.
pub(super) struct Shared {
    pub(super) id: String,
    detached: AtomicBool,
}

impl Shared {
    pub(super) fn is_detached(&self) -> bool {
        self.detached.load(Ordering::Relaxed)
    }
}

impl Entry {
    fn new(id: &str, parent: Option<String>) -> Entry {
        Entry {
            shared: Arc::new(Shared { id: id.to_owned(), detached: AtomicBool::new(false) }),
            parent,
            listeners: Vec::new(),
        }
    }
}

/// The name of an attached or detached session inside an event.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct SessionName {
    session_id: String,
}

impl Connection {
    /// A connection whose transport takes its messages from the receiver that is returned with it.
    pub(super) fn new() -> (Connection, mpsc::UnboundedReceiver<String>) {
        let (outbox, inbox) = mpsc::unbounded_channel();
        let inner = Inner {
            state: Mutex::new(State {
                outbox: Some(outbox),
                next_id: 1,
                pending: HashMap::new(),
                sessions: HashMap::from([(String::new(), Entry::new("", None))]),
                gone: None,
            }),
            gone: watch::Sender::new(false),
            last_words: Mutex::new(None),
        };
        (Connection { inner: Arc::new(inner) }, inbox)
    }

    /// The browser itself, as a session.
    pub fn root(&self) -> Session {
        self.session("")
    }

    /// The session with this id, which a `Target.attachedToTarget` event or a reply has named.
    pub fn session(&self, id: &str) -> Session {
        let mut state = self.inner.state();
        let entry = state.sessions.entry(id.to_owned()).or_insert_with(|| Entry::new(id, None));
        Session::new(self.clone(), Arc::clone(&entry.shared))
    }

    /// The same without keeping the transport open.
    pub fn downgrade(&self) -> WeakConnection {
        WeakConnection { inner: Arc::downgrade(&self.inner) }
    }

    /// Whether the browser has gone or the connection was closed.
    pub fn is_closed(&self) -> bool {
        *self.inner.gone.borrow()
    }

    /// Resolves when the browser has gone or the connection was closed.
    pub async fn closed(&self) {
        // The sender lives as long as `self`, so waiting cannot fail.
        let _ = self.inner.gone.subscribe().wait_for(|gone| *gone).await;
    }

    /// Resolves when the browser has gone, to what a call would fail with now.
    pub async fn gone(&self) -> CallError {
        self.closed().await;
        let last_words = self.inner.state().gone.clone().unwrap_or_default();
        CallError::Gone { last_words }
    }

    /// Closes the transport. A launched browser ends when its pipe closes; calls that are pending
    /// fail when it has.
    pub fn close(&self) {
        self.inner.state().outbox = None;
    }

    /// Sets who tells the last words of the browser.
    pub fn set_last_words(&self, last_words: LastWords) {
        *lock(&self.inner.last_words) = Some(last_words);
    }

    #[cfg(test)]
    pub(super) fn pending_calls(&self) -> usize {
        self.inner.state().pending.len()
    }
}

impl fmt::Debug for Connection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Connection").field("closed", &self.is_closed()).finish_non_exhaustive()
    }
}

impl Inner {
    fn state(&self) -> MutexGuard<'_, State> {
        lock(&self.state)
    }

    /// Numbers the command and puts it in the outbox, both under the lock, so that numbers and
    /// messages keep the order of the calls. `reply` is where the answer goes; without it the
    /// answer is nobody's business.
    pub(super) fn submit(
        &self,
        session: &Arc<Shared>,
        method: &'static str,
        params: &str,
        reply: Option<oneshot::Sender<Result<ReplyText, CallError>>>,
    ) -> u64 {
        let mut state = self.state();
        let id = state.next_id;
        state.next_id += 1;
        let problem = if let Some(last_words) = &state.gone {
            Some(CallError::Gone { last_words: last_words.clone() })
        } else if session.is_detached() {
            Some(CallError::Detached { method })
        } else if let Some(outbox) = &state.outbox {
            // An outbox without a reader: the transport is about to say that the browser has gone,
            // and fails the call then.
            let _ = outbox.send(envelope(id, method, params, &session.id));
            None
        } else {
            Some(CallError::Gone { last_words: "the connection was closed".to_owned() })
        };
        match (reply, problem) {
            (Some(reply), Some(problem)) => {
                let _ = reply.send(Err(problem));
            }
            (Some(reply), None) => {
                state.pending.insert(id, Waiter { method, session: Arc::clone(session), reply });
            }
            (None, _) => {}
        }
        id
    }

    /// Nobody waits for this reply any more.
    pub(super) fn forget(&self, id: u64) {
        self.state().pending.remove(&id);
    }

    pub(super) fn subscribe(&self, session: &Shared) -> Events {
        let (listener, receiver) = mpsc::unbounded_channel();
        let mut state = self.state();
        if state.gone.is_none()
            && !session.is_detached()
            && let Some(entry) = state.sessions.get_mut(&session.id)
        {
            entry.listeners.push(listener);
        }
        Events::new(receiver)
    }

    /// A whole message has come from the browser.
    pub(super) fn receive(&self, text: Bytes) {
        tracing::trace!(target: "playscript::cdp", "< {}", shown(&text));
        match Incoming::read(text) {
            Ok(Incoming::Answer { id, text }) => {
                self.answer(id, |method| Ok(ReplyText::new(method, text)));
            }
            Ok(Incoming::Refusal { id, code, message }) => {
                self.answer(id, |method| match code {
                    NO_SUCH_SESSION => Err(CallError::Detached { method }),
                    _ => Err(CallError::Refused { method, code, message }),
                });
            }
            Ok(Incoming::Event { session, event }) => self.deliver(&session, event),
            Ok(Incoming::Complaint(message)) => {
                tracing::debug!(target: "playscript::cdp", "the browser complains: {message}");
            }
            // The protocol has no way to answer; the call that may have been meant meets its
            // deadline.
            Err(error) => {
                tracing::debug!(target: "playscript::cdp", "a message that cannot be read: {error}");
            }
        }
    }

    fn answer(&self, id: u64, outcome: impl FnOnce(&'static str) -> Result<ReplyText, CallError>) {
        let mut state = self.state();
        // Without a waiter: the answer was nobody's business, or its caller has stopped waiting.
        let Some(waiter) = state.pending.remove(&id) else {
            return;
        };
        let outcome = outcome(waiter.method);
        if matches!(outcome, Err(CallError::Detached { .. })) {
            state.detach(&waiter.session.id);
        }
        let _ = waiter.reply.send(outcome);
    }

    fn deliver(&self, session: &str, event: Event) {
        let mut state = self.state();
        let other = match event.method.as_str() {
            "Target.attachedToTarget" | "Target.detachedFromTarget" => event.read::<SessionName>().ok(),
            _ => None,
        };
        if let Some(SessionName { session_id }) = &other
            && event.method == "Target.attachedToTarget"
        {
            let parent = Some(session.to_owned()).filter(|parent| !parent.is_empty());
            let entry = state.sessions.entry(session_id.clone()).or_insert_with(|| Entry::new(session_id, None));
            entry.parent = parent;
        }
        let detached = other.filter(|_| event.method == "Target.detachedFromTarget");
        if let Some(entry) = state.sessions.get_mut(session) {
            // Those whose `Events` were dropped are let go here.
            entry.listeners.retain(|listener| listener.send(event.clone()).is_ok());
        }
        if let Some(SessionName { session_id }) = detached {
            state.detach(&session_id);
        }
    }

    /// The transport has ended: asks for the last words and fails every call.
    pub(super) async fn ended(&self, reason: &str) {
        let asked = lock(&self.last_words).as_ref().map(|last_words| last_words());
        let said = match asked {
            Some(words) => words.await,
            None => String::new(),
        };
        let last_words = if said.is_empty() { reason.to_owned() } else { said };
        tracing::debug!(target: "playscript::cdp", "the browser has gone: {last_words}");
        let mut state = self.state();
        if state.gone.is_some() {
            return;
        }
        state.outbox = None;
        state.gone = Some(last_words.clone());
        let sessions = std::mem::take(&mut state.sessions);
        let pending = std::mem::take(&mut state.pending);
        drop(state);
        self.gone.send_replace(true);
        for waiter in pending.into_values() {
            let _ = waiter.reply.send(Err(CallError::Gone { last_words: last_words.clone() }));
        }
        // Ends the events, and so comes last: whoever follows them asks then whether the browser has gone, or the
        // session only.
        drop(sessions);
    }
}

impl State {
    /// The session and those attached through it have gone: their calls fail and their events end.
    fn detach(&mut self, id: &str) {
        let mut gone = vec![id.to_owned()];
        while let Some(id) = gone.pop() {
            if id.is_empty() {
                continue;
            }
            let Some(entry) = self.sessions.remove(&id) else {
                continue;
            };
            entry.shared.detached.store(true, Ordering::Relaxed);
            let orphans = self.sessions.iter().filter(|(_, entry)| entry.parent.as_deref() == Some(&id));
            gone.extend(orphans.map(|(id, _)| id.clone()));
            let calls: Vec<u64> =
                self.pending.iter().filter(|(_, waiter)| waiter.session.id == id).map(|(number, _)| *number).collect();
            for number in calls {
                if let Some(waiter) = self.pending.remove(&number) {
                    let _ = waiter.reply.send(Err(CallError::Detached { method: waiter.method }));
                }
            }
        }
    }
}

fn envelope(id: u64, method: &str, params: &str, session: &str) -> String {
    let text = if session.is_empty() {
        format!(r#"{{"id":{id},"method":"{method}","params":{params}}}"#)
    } else {
        format!(r#"{{"id":{id},"method":"{method}","params":{params},"sessionId":"{session}"}}"#)
    };
    tracing::trace!(target: "playscript::cdp", "> {}", shown(text.as_bytes()));
    text
}

/// The beginning of a message, for the trace.
fn shown(text: &[u8]) -> String {
    const MOST: usize = 1000;
    if text.len() <= MOST {
        return String::from_utf8_lossy(text).into_owned();
    }
    format!("{}… ({} bytes)", String::from_utf8_lossy(&text[..MOST]), text.len())
}

/// A thread that panicked with the lock held has not left the maps half-changed in a way that
/// matters: go on.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
