//! The network of a context: one for all its tabs, frames and workers.

use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::{Mutex, MutexGuard, PoisonError};

use tokio::sync::watch;
use tokio::time::Instant;

use super::conditions::Network;
use super::downloads::{Download, Downloads, Folder};
use super::mock::{Mock, Set};
use super::sent::{Log, Sent};
use crate::cdp::{CallError, Command, Empty, Event, Pending, Session, fetch, network};
use crate::page::{ConsoleEntry, PageError};

/// How many errors are remembered.
const ERRORS: usize = 1_000;
/// How many ids of mocked requests are kept whose beginning has not been told yet.
const REMEMBERED: usize = 1_000;

/// What the pages of a context ask for, and what stands in the way.
#[derive(Debug, Default)]
pub struct Traffic {
    inner: Mutex<Inner>,
    told: watch::Sender<u64>,
}

#[derive(Debug, Default)]
pub(super) struct Inner {
    /// The sessions of tabs, frames of other processes and workers.
    sessions: Vec<Session>,
    pub(super) log: Log,
    pub(super) mocks: Vec<Set>,
    /// Requests of the `Network` domain that a mock answered, and whose beginning may not be told yet.
    early: HashSet<String>,
    /// By origin.
    pub(super) headers: HashMap<String, Vec<(String, String)>>,
    /// By origin: user and password.
    pub(super) passwords: HashMap<String, (String, String)>,
    /// Pauses that were answered with a password already, which did not please.
    pub(super) refused: HashSet<String>,
    network: Network,
    pub(super) downloads: Downloads,
    /// What pages threw, and the errors that they logged, with their numbers.
    errors: VecDeque<(u64, ConsoleEntry)>,
    error_count: u64,
    /// How many of both there were when the first act began that nobody has asked about.
    act: Option<(u64, u64)>,
}

impl Traffic {
    /// The traffic of a new context, over a network this good, whose downloads are kept in a folder.
    pub(in crate::page) fn new(network: Network, folder: Folder) -> Traffic {
        let downloads = Downloads::kept_in(folder);
        Traffic { inner: Mutex::new(Inner { network, downloads, ..Inner::default() }), told: watch::Sender::default() }
    }

    /// The downloads so far, oldest first.
    pub fn downloads(&self) -> Vec<Download> {
        self.inner().downloads.list().to_vec()
    }

    pub(super) fn inner(&self) -> MutexGuard<'_, Inner> {
        // Nothing panics while it holds the lock; were it so, the state is still whole.
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn tell(&self) {
        self.told.send_modify(|count| *count += 1);
    }

    /// Takes in a new session: what is in force holds for it too. To be called before its target runs.
    pub(in crate::page) fn join(&self, session: &Session) -> Vec<Pending<Empty>> {
        let mut inner = self.inner();
        inner.sessions.retain(|session| !session.is_detached());
        inner.sessions.push(session.clone());
        let mut answers = Vec::new();
        if inner.network != Network::Online {
            answers.push(session.submit(&inner.network.command()));
        }
        if inner.intercepts() {
            answers.extend(inner.intercept(session));
        }
        answers
    }

    /// Answers requests in the server's place from now on. Of several mocks that fit a request the newest answers.
    ///
    /// # Errors
    /// When the page has gone.
    pub async fn mock(&self, mock: Mock, deadline: Instant) -> Result<(), PageError> {
        self.change(deadline, |inner| match inner.mocks.iter().position(|set| set.mock.id == mock.id) {
            Some(at) => {
                let former = inner.mocks.remove(at);
                // A mock in a loop is one mock, which is used or not.
                let used = if mock.times.is_some() { 0 } else { former.used };
                inner.mocks.push(Set { mock, used });
            }
            None => inner.mocks.push(Set { mock, used: 0 }),
        })
        .await
    }

    /// The mocks that no request has used.
    pub fn unused_mocks(&self) -> Vec<Mock> {
        self.inner().mocks.iter().filter(|set| set.used == 0).map(|set| set.mock.clone()).collect()
    }

    /// Sends these headers with every request to an origin from now on, in place of those that were given for it before.
    ///
    /// # Errors
    /// When the page has gone.
    pub async fn send_headers(
        &self,
        origin: &str,
        headers: Vec<(String, String)>,
        deadline: Instant,
    ) -> Result<(), PageError> {
        self.change(deadline, |inner| drop(inner.headers.insert(origin.to_owned(), headers))).await
    }

    /// Answers an origin that asks for a password.
    ///
    /// # Errors
    /// When the page has gone.
    pub async fn give_password(
        &self,
        origin: &str,
        user: &str,
        password: &str,
        deadline: Instant,
    ) -> Result<(), PageError> {
        let both = (user.to_owned(), password.to_owned());
        self.change(deadline, |inner| drop(inner.passwords.insert(origin.to_owned(), both))).await
    }

    /// Makes the network as good as this.
    ///
    /// # Errors
    /// When the browser does not say so in time.
    pub async fn set_network(&self, network: Network, deadline: Instant) -> Result<(), PageError> {
        let answers: Vec<_> = {
            let mut inner = self.inner();
            inner.network = network;
            inner.living().map(|session| session.submit(&network.command())).collect()
        };
        all(answers, deadline).await
    }

    /// Changes what is in force, and waits until every session knows.
    async fn change(&self, deadline: Instant, change: impl FnOnce(&mut Inner)) -> Result<(), PageError> {
        let answers: Vec<_> = {
            let mut inner = self.inner();
            change(&mut inner);
            let sessions: Vec<Session> = inner.living().cloned().collect();
            sessions.iter().flat_map(|session| inner.intercept(session)).collect()
        };
        all(answers, deadline).await
    }

    /// Looks at the requests made so far, oldest first: the last 10,000 of them.
    pub fn requests(&self) -> Vec<Sent> {
        self.inner().log.kept().iter().cloned().collect()
    }

    /// Whether a mock answered a request to this address.
    pub fn was_mocked(&self, url: &str) -> bool {
        self.inner().log.kept().iter().any(|sent| sent.mocked && sent.url == url)
    }

    /// How many errors pages threw or logged so far, and how many requests they made.
    pub fn counts(&self) -> (u64, u64) {
        let inner = self.inner();
        (inner.error_count, inner.log.count())
    }

    /// An act begins.
    pub(in crate::page) fn begin_act(&self) {
        let mut inner = self.inner();
        let counts = (inner.error_count, inner.log.count());
        inner.act.get_or_insert(counts);
    }

    /// How many errors and requests there were when the first act began since this was asked last; `None` when there was no act.
    pub fn take_act(&self) -> Option<(u64, u64)> {
        self.inner().act.take()
    }

    /// What pages threw, and the errors that they logged, each with its number from 0: the last 1,000 of them.
    pub fn errors(&self) -> Vec<(u64, ConsoleEntry)> {
        self.inner().errors.iter().cloned().collect()
    }

    /// Takes in an error of one of the pages.
    pub(in crate::page) fn erred(&self, entry: ConsoleEntry) {
        let mut inner = self.inner();
        if inner.errors.len() == ERRORS {
            inner.errors.pop_front();
        }
        let number = inner.error_count;
        inner.errors.push_back((number, entry));
        inner.error_count += 1;
    }

    /// Looks at the requests until they give something, or `None` at the deadline.
    pub(in crate::page) async fn until_sent<T>(
        &self,
        deadline: Instant,
        mut look: impl FnMut(&mut dyn Iterator<Item = &Sent>) -> Option<T>,
    ) -> Option<T> {
        self.until(deadline, |inner| look(&mut inner.log.kept().iter())).await
    }

    /// Looks at the downloads until they give something, or `None` at the deadline.
    pub(in crate::page) async fn until_downloaded<T>(
        &self,
        deadline: Instant,
        mut look: impl FnMut(&[Download]) -> Option<T>,
    ) -> Option<T> {
        self.until(deadline, |inner| look(inner.downloads.list())).await
    }

    async fn until<T>(&self, deadline: Instant, mut look: impl FnMut(&Inner) -> Option<T>) -> Option<T> {
        let mut told = self.told.subscribe();
        loop {
            told.borrow_and_update();
            if let Some(found) = look(&self.inner()) {
                return Some(found);
            }
            // The sender lives as long as `self`.
            let changed = tokio::time::timeout_at(deadline, told.changed()).await;
            if changed.is_err() {
                return None;
            }
        }
    }

    /// Takes in an event of one of the sessions.
    pub(in crate::page) fn hear(&self, session: &Session, event: &Event) -> Result<(), serde_json::Error> {
        match &*event.method {
            "Network.requestWillBeSent" => {
                let begun: network::RequestWillBeSent<'_> = event.read()?;
                let mut inner = self.inner();
                inner.log.begin(&begun);
                if inner.early.remove(&*begun.request_id) {
                    inner.log.mocked(&begun.request_id);
                }
            }
            "Network.webSocketCreated" => self.inner().log.socket(&event.read()?),
            "Network.responseReceived" => self.inner().log.responded(&event.read()?),
            "Network.loadingFailed" => self.inner().log.failed(&event.read()?),
            "Page.downloadWillBegin" => self.inner().downloads.begin(&event.read()?),
            "Page.downloadProgress" => self.inner().downloads.progress(&event.read()?),
            "Fetch.requestPaused" => {
                let paused: fetch::RequestPaused<'_> = event.read()?;
                self.paused(session, &paused);
            }
            "Fetch.authRequired" => {
                let asked: fetch::AuthRequired<'_> = event.read()?;
                self.asked(session, &asked);
            }
            _ => return Ok(()),
        }
        self.tell();
        Ok(())
    }
}

impl Inner {
    fn living(&self) -> impl Iterator<Item = &Session> {
        self.sessions.iter().filter(|session| !session.is_detached())
    }

    fn intercepts(&self) -> bool {
        !(self.mocks.is_empty() && self.headers.is_empty() && self.passwords.is_empty())
    }

    fn intercept(&self, session: &Session) -> Vec<Pending<Empty>> {
        vec![
            session.submit(&fetch::Enable { handle_auth_requests: !self.passwords.is_empty() }),
            // What a service worker answers by itself could not be mocked.
            session.submit(&network::SetBypassServiceWorker { bypass: !self.mocks.is_empty() }),
        ]
    }

    /// Notes that a mock answered a request.
    pub(super) fn mocked(&mut self, id: &str) {
        self.log.mocked(id);
        if self.early.len() < REMEMBERED {
            self.early.insert(id.to_owned());
        }
    }
}

/// Waits for all answers. A frame or worker that has gone meanwhile, or that has no such command, is no reason to fail.
async fn all(answers: Vec<Pending<Empty>>, deadline: Instant) -> Result<(), PageError> {
    for answer in answers {
        match answer.await_by(deadline).await {
            Ok(Empty {}) | Err(CallError::Detached { .. }) => {}
            Err(CallError::Refused { method, .. }) if method == network::SetBypassServiceWorker::METHOD => {}
            Err(error) => return Err(error.into()),
        }
    }
    Ok(())
}
