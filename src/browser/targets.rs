//! Targets as they are attached, handed to the context that they belong to.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::{mpsc, oneshot};
use tokio::time::Instant;

use super::Target;
use crate::cdp::target::{AttachedToTarget, DetachFromTarget, FilterEntry, RunIfWaitingForDebugger, SetAutoAttach};
use crate::cdp::{CallError, Command, Connection, Events};

/// Only tabs. Chrome's own windows (`browser_ui`) and workers are left alone, and so never stand
/// still.
const TABS: &[FilterEntry<'_>] =
    &[FilterEntry { kind: Some("page"), exclude: false }, FilterEntry { kind: None, exclude: true }];

/// The contexts of a browser and the targets on their way to them.
#[derive(Debug, Default)]
pub(super) struct Targets {
    contexts: Mutex<HashMap<String, Arrivals>>,
}

/// The targets of one context on their way.
#[derive(Debug)]
struct Arrivals {
    pop_ups: mpsc::UnboundedSender<Target>,
    /// How many tabs are being opened whose ids are not known yet.
    opening: usize,
    /// Targets without an opener that came while tabs were being opened: one of those, or pop-ups
    /// that hide who opened them.
    unclaimed: Vec<Target>,
    /// Tabs that were opened by command and are not attached yet.
    expected: HashMap<String, oneshot::Sender<Target>>,
}

/// A tab is being opened; while this lives, targets without an opener are kept back.
pub(super) struct Opening {
    targets: Arc<Targets>,
    context: String,
}

impl Targets {
    /// Makes the browser attach to each new tab at its very start, and follows that.
    pub(super) async fn follow(connection: &Connection, deadline: Instant) -> Result<Arc<Targets>, CallError> {
        let root = connection.root();
        let events = root.events();
        let auto_attach =
            SetAutoAttach { auto_attach: true, wait_for_debugger_on_start: true, flatten: true, filter: TABS };
        root.call(&auto_attach, deadline).await?;
        let targets = Arc::new(Targets::default());
        tokio::spawn(Arc::clone(&targets).route(events, connection.downgrade()));
        Ok(targets)
    }

    async fn route(self: Arc<Self>, mut events: Events, connection: crate::cdp::WeakConnection) {
        while let Some(event) = events.next().await {
            if event.method != "Target.attachedToTarget" {
                continue;
            }
            let Some(connection) = connection.upgrade() else {
                break;
            };
            match event.read::<AttachedToTarget>() {
                Ok(attached) => self.arrived(&connection, attached),
                Err(error) => tracing::debug!("{} cannot be read: {error}", event.method),
            }
        }
        // The streams of pop-ups end with the browser.
        self.contexts().clear();
    }

    fn arrived(&self, connection: &Connection, attached: AttachedToTarget) {
        let info = attached.target_info;
        let session = connection.session(&attached.session_id);
        let context = info.browser_context_id.unwrap_or_default();
        let mut contexts = self.contexts();
        let Some(arrivals) = contexts.get_mut(&context).filter(|_| info.kind == "page") else {
            // Nobody's: it must not stand still for ever.
            session.send(&RunIfWaitingForDebugger {});
            connection.root().send(&DetachFromTarget { session_id: &attached.session_id });
            return;
        };
        let target = Target { id: info.target_id, session, opener: info.opener_id, url: info.url };
        if let Some(expecting) = arrivals.expected.remove(&target.id) {
            target.resume();
            let _ = expecting.send(target);
        } else if arrivals.opening > 0 && target.opener.is_none() {
            arrivals.unclaimed.push(target);
        } else {
            let _ = arrivals.pop_ups.send(target);
        }
    }

    /// From now on targets of this context are looked after.
    pub(super) fn register(&self, context: &str) -> mpsc::UnboundedReceiver<Target> {
        let (pop_ups, receiver) = mpsc::unbounded_channel();
        let arrivals = Arrivals { pop_ups, opening: 0, unclaimed: Vec::new(), expected: HashMap::new() };
        self.contexts().insert(context.to_owned(), arrivals);
        receiver
    }

    /// Whether the context was known until now.
    pub(super) fn forget(&self, context: &str) -> bool {
        self.contexts().remove(context).is_some()
    }

    pub(super) fn opening(self: &Arc<Self>, context: &str) -> Opening {
        if let Some(arrivals) = self.contexts().get_mut(context) {
            arrivals.opening += 1;
        }
        Opening { targets: Arc::clone(self), context: context.to_owned() }
    }

    fn contexts(&self) -> MutexGuard<'_, HashMap<String, Arrivals>> {
        self.contexts.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Opening {
    /// The tab with this id, once it is attached to.
    pub(super) async fn attached(self, id: &str, deadline: Instant) -> Result<Target, CallError> {
        let begun = Instant::now();
        let attaching = {
            let mut contexts = self.targets.contexts();
            let gone = CallError::Detached { method: crate::cdp::target::CreateTarget::METHOD };
            let arrivals = contexts.get_mut(&self.context).ok_or(gone)?;
            if let Some(index) = arrivals.unclaimed.iter().position(|target| target.id == id) {
                let target = arrivals.unclaimed.swap_remove(index);
                target.resume();
                return Ok(target);
            }
            let (sender, receiver) = oneshot::channel();
            arrivals.expected.insert(id.to_owned(), sender);
            receiver
        };
        match tokio::time::timeout_at(deadline, attaching).await {
            Ok(Ok(target)) => Ok(target),
            Ok(Err(_)) => Err(CallError::Detached { method: crate::cdp::target::CreateTarget::METHOD }),
            Err(_) => Err(CallError::TimedOut { method: "Target.attachedToTarget", waited: begun.elapsed() }),
        }
    }
}

impl Drop for Opening {
    fn drop(&mut self) {
        let mut contexts = self.targets.contexts();
        let Some(arrivals) = contexts.get_mut(&self.context) else {
            return;
        };
        arrivals.opening = arrivals.opening.saturating_sub(1);
        if arrivals.opening == 0 {
            for target in arrivals.unclaimed.drain(..) {
                let _ = arrivals.pop_ups.send(target);
            }
        }
    }
}
