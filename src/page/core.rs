//! The heart of a page: its session, its state, and waiting for either.

use std::future::Future;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::watch;
use tokio::time::Instant;

use super::dialogs::Dialogs;
use super::error::PageError;
use super::kept::Fillings;
use super::net::Traffic;
use super::settings::PageSettings;
use super::state::State;
use crate::cdp::{CallError, Command, Session};

/// What the pages of a browser context share.
#[derive(Clone, Default)]
pub(super) struct OfContext {
    pub(super) dialogs: Dialogs,
    pub(super) traffic: Arc<Traffic>,
}

/// Shared by a page, its watchers and what they hand out.
pub(super) struct Core {
    pub(super) session: Session,
    pub(super) settings: PageSettings,
    /// Shared with the other tabs of the context.
    pub(super) dialogs: Dialogs,
    pub(super) traffic: Arc<Traffic>,
    /// What is still to be put into the session storage of origins that this tab has not shown yet.
    pub(super) fillings: Fillings,
    state: Mutex<State>,
    /// Counts what was told, so that waits look again.
    told: watch::Sender<u64>,
    /// Why nothing can be asked any more.
    stop: watch::Sender<Option<PageError>>,
}

impl Core {
    pub(super) fn new(session: Session, settings: PageSettings, shared: OfContext, main_frame: String) -> Core {
        let state = Mutex::new(State::new(main_frame, session.clone()));
        let OfContext { dialogs, traffic } = shared;
        let (told, stop) = (watch::Sender::new(0), watch::Sender::new(None));
        Core { session, settings, dialogs, traffic, fillings: Fillings::default(), state, told, stop }
    }

    /// The state. Never held across an await.
    pub(super) fn state(&self) -> MutexGuard<'_, State> {
        // Nothing panics while it holds the lock; were it so, the state is still whole.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Wakes everything that waits for the state.
    pub(super) fn tell(&self) {
        self.told.send_modify(|count| *count += 1);
    }

    pub(super) fn listen(&self) -> watch::Receiver<u64> {
        self.told.subscribe()
    }

    /// Ends all waits, until [`Core::revive`].
    pub(super) fn stop(&self, why: PageError) {
        self.stop.send_modify(|stop| {
            // A crash may be followed by the end of the tab, which never comes back.
            if stop.is_none() || matches!(stop, Some(PageError::Crashed)) {
                *stop = Some(why);
            }
        });
    }

    /// A crashed page has a renderer again.
    pub(super) fn revive(&self) {
        self.stop.send_if_modified(|stop| {
            let crashed = matches!(stop, Some(PageError::Crashed));
            if crashed {
                *stop = None;
            }
            crashed
        });
    }

    pub(super) fn stopped(&self) -> Option<PageError> {
        self.stop.borrow().clone()
    }

    /// Resolves when nothing can be asked any more.
    pub(super) async fn until_stopped(&self) -> PageError {
        let mut stop = self.stop.subscribe();
        match stop.wait_for(Option::is_some).await {
            Ok(why) => why.clone().unwrap_or(PageError::Closed),
            Err(_) => PageError::Closed,
        }
    }

    /// Resolves when the tab was closed or the browser has gone.
    pub(super) async fn until_gone(&self) -> PageError {
        let mut stop = self.stop.subscribe();
        let gone = |stop: &Option<PageError>| stop.as_ref().is_some_and(|why| !matches!(why, PageError::Crashed));
        match stop.wait_for(gone).await {
            Ok(why) => why.clone().unwrap_or(PageError::Closed),
            Err(_) => PageError::Closed,
        }
    }

    /// Waits for an answer, unless the page stops.
    pub(super) async fn answer<T>(&self, answer: impl Future<Output = Result<T, CallError>>) -> Result<T, PageError> {
        tokio::select! {
            biased;
            answer = answer => answer.map_err(|error| match error {
                // A session of a frame may go alone; the page's own takes the page along.
                CallError::Detached { .. } if self.session.is_detached() => PageError::Closed,
                CallError::TimedOut { waited, .. } => PageError::Busy { waited, to: self.state().on_its_way() },
                error => PageError::from(error),
            }),
            why = self.until_stopped() => Err(why),
        }
    }

    pub(super) async fn call<C: Command>(
        &self,
        session: &Session,
        command: &C,
        deadline: Instant,
    ) -> Result<C::Reply, PageError> {
        self.answer(session.call(command, deadline)).await
    }

    /// Waits until the state gives something, or `None` at the deadline.
    pub(super) async fn until<T>(
        &self,
        deadline: Instant,
        mut look: impl FnMut(&mut State) -> Option<T>,
    ) -> Result<Option<T>, PageError> {
        let mut told = self.listen();
        loop {
            told.borrow_and_update();
            if let Some(found) = look(&mut self.state()) {
                return Ok(Some(found));
            }
            tokio::select! {
                biased;
                why = self.until_stopped() => return Err(why),
                _ = told.changed() => {}
                () = tokio::time::sleep_until(deadline) => return Ok(None),
            }
        }
    }
}
