//! Typing.

use serde::Deserialize;
use serde_json::json;
use tokio::time::Instant;

use super::answer::{Answer, Failure};
use super::held::Holding;
use super::keys;
use super::script::{budget, late};
use crate::cdp::input::InsertText;
use crate::cdp::{Empty, Pending, Session};
use crate::page::error::PageError;
use crate::page::state::Done;
use crate::page::{Element, Page};
use crate::scenario::{Chord, KeyName, Modifiers, Target};

/// What came of typing.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Typed {
    /// Said when the field holds something else than what was typed: a mask, a limit, a step. Never the text of a password.
    pub notice: Option<String>,
}

/// How a field was made ready.
#[derive(Debug, Deserialize)]
struct Prepared {
    /// It holds nothing.
    #[serde(default)]
    empty: bool,
    /// What it holds is selected, so that the first key replaces it.
    #[serde(default)]
    replaces: bool,
    /// The value is set already: fields whose keys differ from country to country.
    #[serde(default)]
    done: bool,
    #[serde(default)]
    notice: Option<String>,
}

/// What the field says afterwards.
#[derive(Debug, Deserialize)]
struct Outcome {
    #[serde(default)]
    notice: Option<String>,
}

impl Page {
    /// Types into a field, a text area or an editor, in place of what it holds; an empty text clears it. `by_key` presses each
    /// character. Line breaks are text, never Enter. Dates, times, colours and ranges take their value as their pickers would set it.
    pub async fn type_text(
        &self,
        target: &Target,
        text: &str,
        by_key: bool,
        deadline: Instant,
    ) -> Result<Typed, PageError> {
        let _act = if by_key { self.begin_act() } else { self.begin(Done::Texts) };
        self.with_element(target, "typed into", deadline, async |element| {
            self.type_into(element, text, by_key, deadline).await
        })
        .await
    }

    async fn type_into(
        &self,
        element: &Element,
        text: &str,
        by_key: bool,
        deadline: Instant,
    ) -> Result<Result<Typed, Failure>, PageError> {
        let wanted = json!({ "text": text, "byKey": by_key, "budget": budget(deadline) });
        let prepared: Answer<Prepared> =
            self.call_injected(element, "actPrepareField", &[wanted], late(deadline)).await?;
        let prepared = match prepared.into_result() {
            Ok(prepared) => prepared,
            Err(failure) => return Ok(Err(failure)),
        };
        if prepared.done {
            return Ok(Ok(Typed { notice: prepared.notice }));
        }
        let session = element.session();
        match text {
            "" if prepared.empty => {}
            "" => self.tap_delete(session, deadline).await?,
            _ if by_key => {
                if !prepared.empty && !prepared.replaces {
                    self.tap_delete(session, deadline).await?;
                }
                self.type_keys(session, text, deadline).await?;
            }
            _ => {
                self.core().call(session, &InsertText { text }, deadline).await?;
            }
        }
        let outcome: Result<Answer<Outcome>, _> = self.call_injected(element, "actTypedInto", &[], deadline).await;
        match outcome {
            Ok(answer) => Ok(answer.into_result().map(|outcome| Typed { notice: outcome.notice })),
            // The text was taken, and the page went on to another document because of it.
            Err(error) if error.is_passing() => Ok(Ok(Typed::default())),
            Err(error) => Err(error),
        }
    }

    /// Deletes what is selected, as a person would.
    async fn tap_delete(&self, session: &Session, deadline: Instant) -> Result<(), PageError> {
        let chord = Chord::parse("Delete").map_err(|error| PageError::Protocol(error.to_string()))?;
        let mut holding = Holding::in_frame(self, session);
        for key in &chord.keys {
            holding.press(key, deadline).await?;
        }
        holding.release(deadline).await
    }

    /// Presses the key of each character; what no key of the keyboard types is put in as an input method would.
    async fn type_keys(&self, session: &Session, text: &str, deadline: Instant) -> Result<(), PageError> {
        let mut other = String::new();
        let mut last = None;
        for character in text.replace("\r\n", "\n").chars() {
            let (key, shift) = KeyName::of_character(character);
            // Enter and Tab would send the form or leave the field.
            if key.key_code == 0 || character.is_control() {
                other.push(character);
                continue;
            }
            insert(session, &mut other);
            last = Some(self.type_key(session, &key, shift));
        }
        last = insert(session, &mut other).or(last);
        match last {
            None => Ok(()),
            Some(last) => self.core().answer(last.await_by(deadline)).await.map(drop),
        }
    }

    /// Sends a key down and up, with Shift around it where the character needs it.
    fn type_key(&self, session: &Session, key: &KeyName, shift: bool) -> Pending<Empty> {
        let shift = if shift { Modifiers::SHIFT.keys() } else { Vec::new() };
        for key in shift.iter().chain([key]) {
            self.held().add(key);
            drop(keys::down(self, session, key, false));
        }
        self.held().remove(key);
        let mut last = keys::up(self, session, key);
        for key in &shift {
            self.held().remove(key);
            last = keys::up(self, session, key);
        }
        last
    }
}

/// Puts in what was gathered, if anything.
fn insert(session: &Session, text: &mut String) -> Option<Pending<Empty>> {
    let text = std::mem::take(text);
    (!text.is_empty()).then(|| session.submit(&InsertText { text: &text }))
}
