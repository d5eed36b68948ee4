//! The keyboard.

use std::time::Duration;

use tokio::time::Instant;

use super::answer::Answer;
use super::held::Holding;
use super::script::{late, within};
use crate::cdp::input::{DispatchKeyEvent, KeyEventKind};
use crate::cdp::{Empty, Pending, Session};
use crate::page::Page;
use crate::page::error::PageError;
use crate::scenario::{Chord, KeyName, Modifiers, Target, duration_in_words};

/// A smooth scroll takes less than this, over any distance.
const SCROLLING: Duration = Duration::from_secs(1);

/// How long keys are held.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Hold {
    /// From the last key going down to the first coming up; a plain press when not given.
    pub duration: Option<Duration>,
    /// What is sent meanwhile.
    pub repeat: Repeat,
}

/// Which repeated presses a held key sends.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Repeat {
    /// As most keyboards are set: after half a second, twenty a second.
    #[default]
    Keyboard,
    /// As told.
    Every {
        /// Until the first.
        after: Duration,
        /// From one to the next.
        every: Duration,
    },
    /// None.
    Never,
}

impl Repeat {
    fn times(self) -> Option<(Duration, Duration)> {
        match self {
            Repeat::Keyboard => Some((Duration::from_millis(500), Duration::from_millis(50))),
            // A repeat without a pause would be a flood.
            Repeat::Every { after, every } => Some((after, every.max(Duration::from_millis(1)))),
            Repeat::Never => None,
        }
    }
}

impl Page {
    /// Presses keys together, the chords' modifiers first, and lets them up again, whatever happens meanwhile: a failure, the step's
    /// end or another document. With `on`, that element gets the focus first.
    pub async fn press(
        &self,
        chords: &[Chord],
        hold: Hold,
        on: Option<&Target>,
        deadline: Instant,
    ) -> Result<(), PageError> {
        if let Some(duration) = hold.duration.filter(|duration| Instant::now() + *duration > deadline) {
            let held = duration_in_words(duration);
            let message =
                format!("holding a key for {held} takes longer than this step may: give it a longer `timeout`");
            return Err(PageError::Act { message, details: Vec::new() });
        }
        if let Some(target) = on {
            self.focus(target, deadline).await?;
        }
        self.scrolled(deadline).await?;
        let _act = self.begin_act();
        let commits = self.core().state().commits;
        let mut holding = Holding::new(self);
        let modifiers = chords.iter().fold(Modifiers::NONE, |all, chord| all.with(chord.modifiers));
        holding.modifiers(modifiers, deadline).await?;
        let keys: Vec<&KeyName> = chords.iter().flat_map(|chord| &chord.keys).collect();
        for key in &keys {
            match holding.press(key, deadline).await {
                // A key may close its tab.
                Err(PageError::Closed) => return Ok(()),
                other => other?,
            }
        }
        if let (Some(duration), Some(last)) = (hold.duration, keys.last()) {
            self.keep_down(last, duration, hold.repeat, commits, deadline).await?;
        }
        holding.release(deadline).await
    }

    /// Waits until what is being scrolled has come to its end: the browser drops a key that would scroll and comes with the last frame
    /// of the scrolling before it, which no finger is quick enough for.
    async fn scrolled(&self, deadline: Instant) -> Result<(), PageError> {
        if !self.core().state().scrolling() {
            return Ok(());
        }
        let patience = deadline.min(Instant::now() + SCROLLING);
        if self.core().until(patience, |state| (!state.scrolling()).then_some(())).await?.is_none() {
            // One that scrolls without end, or went away meanwhile, costs this once.
            for frame in self.core().state().frames.iter_mut() {
                frame.scrolling = false;
            }
        }
        Ok(())
    }

    /// Holds the last key, with its repeats, until the time is over or another document is there: that one was not meant.
    async fn keep_down(
        &self,
        key: &KeyName,
        duration: Duration,
        repeat: Repeat,
        commits: u64,
        deadline: Instant,
    ) -> Result<(), PageError> {
        let start = Instant::now();
        let end = start + duration;
        let every = repeat.times().filter(|_| key.modifier().is_none());
        let mut next = every.map(|(after, _)| start + after);
        loop {
            let wake = next.map_or(end, |next| next.min(end));
            // The one wait for a time and not for the page: a held key is what was asked for.
            let left = self.core().until(wake, |state| (state.commits != commits).then_some(())).await;
            match left {
                Ok(None) => {}
                Ok(Some(())) | Err(PageError::Closed) => return Ok(()),
                Err(error) => return Err(error),
            }
            let now = Instant::now();
            if now >= end {
                return Ok(());
            }
            // A page that is slow to handle one repeat gets the next one later, not two at once.
            let again = down(self, self.session(), key, true);
            match self.core().answer(again.await_by(deadline)).await {
                Ok(_) => {}
                Err(PageError::Closed) => return Ok(()),
                Err(error) => return Err(error),
            }
            next = every.map(|(_, every)| (now + every).max(Instant::now()));
        }
    }

    /// Presses keys that stay down, over any number of acts, until [`Page::key_up`] or [`Page::release_all`].
    pub async fn key_down(&self, chord: &Chord, deadline: Instant) -> Result<(), PageError> {
        let _act = self.begin_act();
        for key in chord.modifiers.keys().iter().chain(&chord.keys) {
            // A key that is down already sends what a held key sends.
            let again = self.held().is_down(key);
            if !again {
                self.held().add(key);
            }
            let pending = down(self, self.session(), key, again);
            self.core().answer(pending.await_by(deadline)).await?;
        }
        Ok(())
    }

    /// Lets keys up that [`Page::key_down`] pressed.
    pub async fn key_up(&self, chord: &Chord, deadline: Instant) -> Result<(), PageError> {
        let _act = self.begin_act();
        let modifiers = chord.modifiers.keys();
        for key in chord.keys.iter().rev().chain(modifiers.iter().rev()) {
            if !self.held().remove(key) {
                let down: Vec<String> = self.held().all().into_iter().map(|key| key.key).collect();
                let down = if down.is_empty() { "no key is".to_owned() } else { format!("down: {}", down.join(", ")) };
                let message =
                    format!("the key {} is not down, so it cannot come up ({down}): `key-down` it first", key.key);
                return Err(PageError::Act { message, details: Vec::new() });
            }
            let pending = up(self, self.session(), key);
            self.core().answer(pending.await_by(deadline)).await?;
        }
        Ok(())
    }

    /// Lets up whatever is down.
    pub async fn release_all(&self, deadline: Instant) -> Result<(), PageError> {
        let mut last = None;
        for key in self.held().all().iter().rev() {
            if self.held().remove(key) {
                last = Some(up(self, self.session(), key));
            }
        }
        match last {
            None => Ok(()),
            Some(last) => match self.core().answer(last.await_by(deadline)).await {
                Ok(_) | Err(PageError::Closed) => Ok(()),
                Err(error) => Err(error),
            },
        }
    }

    /// Gives an element the focus, once it is visible and enabled.
    pub async fn focus(&self, target: &Target, deadline: Instant) -> Result<(), PageError> {
        let _act = self.begin_act();
        self.with_element(target, "focused", deadline, async |element| {
            let answer: Answer<serde_json::Value> =
                self.call_injected(element, "actFocus", &[within(deadline)], late(deadline)).await?;
            Ok(answer.into_result().map(drop))
        })
        .await
    }
}

/// Sends a key going down.
pub(super) fn down(page: &Page, session: &Session, key: &KeyName, auto_repeat: bool) -> Pending<Empty> {
    let held = page.held().modifiers();
    // Control, Alt and Meta make a command of a key, whatever character it has.
    let commands = held.contains(Modifiers::CONTROL) || held.contains(Modifiers::ALT) || held.contains(Modifiers::META);
    let text = key.text.as_deref().filter(|_| !commands);
    let kind = if text.is_some() { KeyEventKind::KeyDown } else { KeyEventKind::RawKeyDown };
    session.submit(&DispatchKeyEvent {
        kind,
        text,
        unmodified_text: text,
        auto_repeat,
        commands: editing(key, held),
        ..event(kind, key, held)
    })
}

/// Sends a key coming up.
pub(super) fn up(page: &Page, session: &Session, key: &KeyName) -> Pending<Empty> {
    session.submit(&event(KeyEventKind::KeyUp, key, page.held().modifiers()))
}

fn event<'a>(kind: KeyEventKind, key: &'a KeyName, held: Modifiers) -> DispatchKeyEvent<'a> {
    DispatchKeyEvent {
        kind,
        modifiers: held.bits(),
        key: &key.key,
        code: key.code,
        windows_virtual_key_code: key.key_code,
        text: None,
        unmodified_text: None,
        // The keypad's place has a flag of its own.
        location: if key.location == 3 { 0 } else { key.location },
        is_keypad: key.location == 3,
        auto_repeat: false,
        commands: &[],
    }
}

/// On a Mac the system, not the browser, makes editing commands of keys, and input that is sent skips the system.
fn editing(key: &KeyName, held: Modifiers) -> &'static [&'static str] {
    if !cfg!(target_os = "macos") || !held.contains(Modifiers::META) {
        return &[];
    }
    match key.code {
        "KeyA" => &["selectAll"],
        "KeyC" => &["copy"],
        "KeyX" => &["cut"],
        "KeyV" => &["paste"],
        "KeyZ" if held.contains(Modifiers::SHIFT) => &["redo"],
        "KeyZ" => &["undo"],
        _ => &[],
    }
}
