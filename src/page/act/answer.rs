//! What the page answers when it is asked whether an element can be acted on, and how that is said to a person.

use serde::de::{DeserializeOwned, Error};
use serde::{Deserialize, Deserializer};

use crate::page::Element;
use crate::page::error::PageError;
use crate::scenario::{By, Target};

/// The check that an element did not pass.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Check {
    /// It is in the document.
    Attached,
    /// It can be seen.
    Visible,
    /// It is enabled, and for typing not read-only.
    Enabled,
    /// It does not move.
    Still,
    /// It is in the window, or scrolling brings it there.
    InView,
    /// It would receive the event.
    Receives,
    /// It takes text.
    Editable,
    /// It takes this text.
    Form,
    /// It has the focus.
    Focus,
    /// It is of the right kind, and does what it is asked.
    Refused,
}

/// A check that was not passed, and why.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct Failure {
    pub(super) check: Check,
    pub(super) why: String,
    /// What was in the way.
    #[serde(default)]
    pub(super) by: Option<String>,
}

/// Either what was asked for or the check that was not passed.
#[derive(Debug, Clone)]
pub(super) enum Answer<T> {
    Failed(Failure),
    Good(T),
}

/// By hand, since numbers that keep their spelling get lost in what serde sets aside for untagged enums.
impl<'de, T: DeserializeOwned> Deserialize<'de> for Answer<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Answer<T>, D::Error> {
        let json = serde_json::Value::deserialize(deserializer)?;
        match Failure::deserialize(&json) {
            Ok(failure) => Ok(Answer::Failed(failure)),
            Err(_) => serde_json::from_value(json).map(Answer::Good).map_err(D::Error::custom),
        }
    }
}

impl<T> Answer<T> {
    pub(super) fn into_result(self) -> Result<T, Failure> {
        match self {
            Answer::Failed(failure) => Err(failure),
            Answer::Good(good) => Ok(good),
        }
    }
}

impl Failure {
    /// The error for an act: `deed` as in "cannot be clicked".
    pub(super) fn error(&self, target: &Target, element: &Element, deed: &str) -> PageError {
        let by_ref = matches!(target.by, By::Ref(_));
        match self.check {
            Check::Attached if by_ref => return PageError::Stale,
            Check::Visible if by_ref => return PageError::NotVisible,
            _ => {}
        }
        self.error_for(&element.description, deed)
    }

    pub(super) fn error_for(&self, name: &str, deed: &str) -> PageError {
        let way = self.by.as_deref().filter(|by| *by != "nothing");
        let message = match (self.check, way) {
            (Check::Receives, Some(by)) => {
                format!("{name} cannot be {deed}: it is covered by {by}; close or wait for that first")
            }
            (Check::Still, Some(by)) => {
                format!(
                    "{name} cannot be {deed}: it moves, and each time {by} was at its place; wait for it to come to rest"
                )
            }
            (Check::Focus, Some(by)) => format!("{name} cannot be {deed}: {} ({by} has it)", self.why),
            (Check::Enabled, _) => format!("{name} cannot be {deed}: it is {}; do first what enables it", self.why),
            (Check::Visible | Check::Attached | Check::Still | Check::InView | Check::Editable, _) => {
                format!("{name} cannot be {deed}: it is {}", self.why)
            }
            (Check::Form, _) => format!("{name} did not take the text: {}", self.why),
            (Check::Receives | Check::Focus | Check::Refused, _) => format!("{name} cannot be {deed}: {}", self.why),
        };
        let details = way.map(|by| ("in the way".to_owned(), by.to_owned())).into_iter().collect();
        PageError::Act { message, details }
    }
}
