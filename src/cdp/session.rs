//! One target, to send commands to and hear events from.

use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

use tokio::sync::oneshot;
use tokio::time::Instant;

use super::connection::Shared;
use super::{CallError, Command, Connection, Events, ReplyText};

/// One target of the browser, or the browser itself. Cheap to clone.
#[derive(Clone)]
pub struct Session {
    connection: Connection,
    shared: Arc<Shared>,
}

impl Session {
    pub(super) fn new(connection: Connection, shared: Arc<Shared>) -> Session {
        Session { connection, shared }
    }

    /// The session's id; empty for the browser's own.
    pub fn id(&self) -> &str {
        &self.shared.id
    }

    /// The connection that this is a session of.
    pub fn connection(&self) -> &Connection {
        &self.connection
    }

    /// Whether the target was closed or detached from.
    pub fn is_detached(&self) -> bool {
        self.shared.is_detached()
    }

    /// Sends the command and waits for its answer.
    pub async fn call<C: Command>(&self, command: &C, deadline: Instant) -> Result<C::Reply, CallError> {
        self.submit(command).await_by(deadline).await
    }

    /// Sends the command at once; commands arrive in the order of these calls. The answer can be
    /// waited for later.
    pub fn submit<C: Command>(&self, command: &C) -> Pending<C::Reply> {
        let (sender, reply) = oneshot::channel();
        let inner = &self.connection.inner;
        let id = match serde_json::to_string(command) {
            Ok(params) => inner.submit(&self.shared, C::METHOD, &params, Some(sender)),
            Err(error) => {
                let message = format!("the command cannot be written down: {error}");
                let _ = sender.send(Err(CallError::Unreadable { method: C::METHOD, message }));
                0
            }
        };
        Pending {
            call: Call { connection: self.connection.clone(), id },
            reply,
            method: C::METHOD,
            sent: Instant::now(),
            kind: PhantomData,
        }
    }

    /// Sends the command; its answer is nobody's business.
    pub fn send<C: Command>(&self, command: &C) {
        match serde_json::to_string(command) {
            Ok(params) => {
                self.connection.inner.submit(&self.shared, C::METHOD, &params, None);
            }
            Err(error) => {
                tracing::debug!(target: "playscript::cdp", "{} cannot be written down: {error}", C::METHOD);
            }
        }
    }

    /// The events of this target from now on. Subscribe before the command that makes the target
    /// tell of them.
    pub fn events(&self) -> Events {
        self.connection.inner.subscribe(&self.shared)
    }
}

impl fmt::Debug for Session {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Session").field(&self.shared.id).finish()
    }
}

/// A command that was sent and whose answer has not been looked at. Dropping it forgets the answer,
/// not the command.
#[must_use = "the answer is forgotten; `Session::send` says so plainly"]
pub struct Pending<R> {
    call: Call,
    reply: oneshot::Receiver<Result<ReplyText, CallError>>,
    method: &'static str,
    sent: Instant,
    kind: PhantomData<fn() -> R>,
}

/// Takes the call off the connection's list when nobody waits for it any more.
struct Call {
    connection: Connection,
    id: u64,
}

impl Drop for Call {
    fn drop(&mut self) {
        self.connection.inner.forget(self.id);
    }
}

impl<R: serde::de::DeserializeOwned> Pending<R> {
    /// Waits for the answer.
    pub async fn await_by(self, deadline: Instant) -> Result<R, CallError> {
        self.text_by(deadline).await?.read()
    }

    /// Waits for the answer and leaves it unread, for the caller to borrow from.
    pub async fn text_by(self, deadline: Instant) -> Result<ReplyText, CallError> {
        let Pending { call: _call, reply, method, sent, .. } = self;
        match tokio::time::timeout_at(deadline, reply).await {
            Ok(Ok(outcome)) => outcome,
            // The connection always answers what it takes off its list; should it not, the browser
            // is out of reach.
            Ok(Err(_)) => Err(CallError::Gone { last_words: String::new() }),
            Err(_) => Err(CallError::TimedOut { method, waited: sent.elapsed() }),
        }
    }
}

impl<R> fmt::Debug for Pending<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pending").field("method", &self.method).finish_non_exhaustive()
    }
}
