//! Keys that are down, and their release, however an act ends.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use tokio::time::Instant;

use super::keys;
use crate::cdp::{Empty, Pending, Session};
use crate::page::Page;
use crate::page::error::PageError;
use crate::scenario::{KeyName, Modifiers};

/// The keys of a tab that are down.
#[derive(Debug, Default)]
pub struct Held {
    down: Mutex<Vec<KeyName>>,
    numbers: AtomicU64,
}

impl Held {
    fn down(&self) -> MutexGuard<'_, Vec<KeyName>> {
        self.down.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn next_number(&self) -> u64 {
        self.numbers.fetch_add(1, Ordering::Relaxed)
    }

    pub(super) fn is_down(&self, key: &KeyName) -> bool {
        self.down().iter().any(|held| same(held, key))
    }

    pub(super) fn add(&self, key: &KeyName) {
        self.down().push(key.clone());
    }

    /// Takes a key off the list; `false` when it is not on it.
    pub(super) fn remove(&self, key: &KeyName) -> bool {
        let mut down = self.down();
        let place = down.iter().rposition(|held| same(held, key));
        place.map(|place| down.remove(place)).is_some()
    }

    pub(super) fn all(&self) -> Vec<KeyName> {
        self.down().clone()
    }

    /// The modifiers among them.
    pub(super) fn modifiers(&self) -> Modifiers {
        self.down().iter().filter_map(KeyName::modifier).fold(Modifiers::NONE, Modifiers::with)
    }
}

/// Shift may change a key's character between its press and its release.
fn same(one: &KeyName, other: &KeyName) -> bool {
    if one.code.is_empty() && other.code.is_empty() { one.key == other.key } else { one.code == other.code }
}

/// Keys that one act holds. They come up when it is dropped: an act may fail, run out of time or be given up in any place.
pub(super) struct Holding<'a> {
    page: &'a Page,
    /// Where the keys go.
    session: Session,
    keys: Vec<KeyName>,
}

impl<'a> Holding<'a> {
    pub(super) fn new(page: &'a Page) -> Self {
        Holding::in_frame(page, page.session())
    }

    /// For keys that go straight to the process of a frame that was given the focus just now: the browser may not know of that yet.
    pub(super) fn in_frame(page: &'a Page, session: &Session) -> Self {
        Holding { page, session: session.clone(), keys: Vec::new() }
    }

    /// Holds modifiers that are not down yet.
    pub(super) async fn modifiers(&mut self, modifiers: Modifiers, deadline: Instant) -> Result<(), PageError> {
        for key in modifiers.keys() {
            if key.modifier().is_some_and(|one| !self.page.held().modifiers().contains(one)) {
                self.press(&key, deadline).await?;
            }
        }
        Ok(())
    }

    /// Presses a key, and returns when the page has handled it.
    pub(super) async fn press(&mut self, key: &KeyName, deadline: Instant) -> Result<(), PageError> {
        let pending = self.submit(key);
        self.page.core().answer(pending.await_by(deadline)).await.map(drop)
    }

    /// Presses a key without waiting for the page.
    pub(super) fn submit(&mut self, key: &KeyName) -> Pending<Empty> {
        self.page.held().add(key);
        self.keys.push(key.clone());
        keys::down(self.page, &self.session, key, false)
    }

    /// Lets all keys up, the last pressed first, and returns when the page has handled it.
    pub(super) async fn release(mut self, deadline: Instant) -> Result<(), PageError> {
        let Some(last) = self.release_now() else { return Ok(()) };
        match self.page.core().answer(last.await_by(deadline)).await {
            // Nothing is held in a tab that has closed.
            Ok(Empty {}) | Err(PageError::Closed) => Ok(()),
            Err(error) => Err(error),
        }
    }

    fn release_now(&mut self) -> Option<Pending<Empty>> {
        let mut last = None;
        while let Some(key) = self.keys.pop() {
            if self.page.held().remove(&key) {
                last = Some(keys::up(self.page, &self.session, &key));
            }
        }
        last
    }
}

impl Drop for Holding<'_> {
    fn drop(&mut self) {
        // The answers are forgotten, not the releases.
        drop(self.release_now());
    }
}

impl Page {
    /// What is held, as the protocol's bits.
    pub(super) fn modifiers(&self) -> u8 {
        self.held().modifiers().bits()
    }
}
