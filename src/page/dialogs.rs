//! Dialogs of pages: each is answered at once, since a page stands still until it is, and remembered.
//!
//! How the next one is answered can be announced. Without that an alert is accepted, since it asks nothing, and so is the question whether to
//! leave a page, since leaving is what was asked for; any other question is dismissed, since a yes may lead to something that can't be
//! undone, and is told as trouble.

use std::collections::VecDeque;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::watch;

use crate::cdp::{Session, page as protocol};
use crate::scenario::TextMatch;

/// How many dialogs are remembered: a page may ask without end.
const REMEMBERED: usize = 1_000;

/// A dialog that a page opened, and how it was answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dialog {
    /// `alert`, `confirm`, `prompt` or `beforeunload`.
    pub kind: String,
    /// What it said.
    pub message: String,
    /// How it was answered.
    pub answer: Answer,
    /// Whether that had been announced.
    pub announced: bool,
    /// Why it is not one that was to be expected.
    pub trouble: Option<Trouble>,
}

/// How a dialog is answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer {
    /// With OK.
    Accepted,
    /// With Cancel.
    Dismissed,
    /// With a text and OK.
    Told(String),
}

/// What is wrong with a dialog.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Trouble {
    /// It asks something, and nobody had said how to answer.
    Unannounced,
    /// It says something else than was expected.
    Unexpected {
        /// What was expected.
        expected: String,
    },
    /// It takes no text, and a text was to be given.
    TakesNoText,
}

/// How the next dialog is answered.
#[derive(Debug, Clone)]
pub struct Announcement {
    /// What it has to say.
    pub expect: Option<TextMatch>,
    /// The answer.
    pub answer: Answer,
}

impl fmt::Display for Dialog {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let answer = match self.answer {
            Answer::Accepted => "accepted",
            Answer::Dismissed => "dismissed",
            // The text may be a secret.
            Answer::Told(_) => "answered",
        };
        if self.message.is_empty() {
            write!(f, "{} ({answer})", self.kind)
        } else {
            write!(f, "{}: {} ({answer})", self.kind, self.message)
        }
    }
}

/// The dialogs of all tabs of a browser context: what was announced, and what came. Cheap to clone.
#[derive(Clone, Default)]
pub struct Dialogs {
    hub: Arc<Hub>,
}

#[derive(Default)]
struct Hub {
    list: Mutex<List>,
    /// Counts what came.
    news: watch::Sender<usize>,
}

#[derive(Default)]
struct List {
    announced: VecDeque<(u64, Announcement)>,
    numbers: u64,
    /// The newest ones.
    came: VecDeque<Dialog>,
    /// How many came before these.
    forgotten: usize,
}

impl Dialogs {
    fn list(&self) -> MutexGuard<'_, List> {
        // Nothing panics while it holds the lock; were it so, the list is still whole.
        self.hub.list.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Says how the next dialog is answered; several in a row are for as many dialogs, in this order. The number names the announcement.
    pub fn announce(&self, announcement: Announcement) -> u64 {
        let mut list = self.list();
        list.numbers += 1;
        let number = list.numbers;
        list.announced.push_back((number, announcement));
        number
    }

    /// The announcements that no dialog has come for.
    pub fn unused(&self) -> Vec<u64> {
        self.list().announced.iter().map(|(number, _)| *number).collect()
    }

    /// How many dialogs came so far.
    pub fn count(&self) -> usize {
        let list = self.list();
        list.forgotten + list.came.len()
    }

    /// The dialogs that came from one on, see [`Dialogs::count`]; of very many the newest.
    pub fn since(&self, count: usize) -> Vec<Dialog> {
        let list = self.list();
        list.came.iter().skip(count.saturating_sub(list.forgotten)).cloned().collect()
    }

    /// Resolves as soon as one came from that one on that means trouble.
    pub async fn trouble_since(&self, count: usize) {
        let mut news = self.hub.news.subscribe();
        loop {
            news.borrow_and_update();
            if self.since(count).iter().any(|dialog| dialog.trouble.is_some()) {
                return;
            }
            if news.changed().await.is_err() {
                // Not while `self` holds the sender.
                return std::future::pending().await;
            }
        }
    }

    /// Answers the dialog that has just opened.
    pub(super) fn open(&self, session: &Session, opened: protocol::JavaScriptDialogOpening) -> Dialog {
        let given = opened.default_prompt.clone();
        let announced = self.list().announced.pop_front().map(|(_, announcement)| announcement);
        let dialog = judge(announced, opened);
        let (accept, prompt_text) = match &dialog.answer {
            // OK takes what the prompt already holds.
            Answer::Accepted => (true, given.as_deref()),
            Answer::Dismissed => (false, None),
            Answer::Told(text) => (true, Some(text.as_str())),
        };
        {
            // Before it is answered: whoever waits for what the page does next finds the dialog here.
            let mut list = self.list();
            if list.came.len() == REMEMBERED {
                list.came.pop_front();
                list.forgotten += 1;
            }
            list.came.push_back(dialog.clone());
        }
        self.hub.news.send_modify(|count| *count += 1);
        session.send(&protocol::HandleJavaScriptDialog { accept, prompt_text });
        dialog
    }
}

/// How a dialog is answered, and whether it is one to be expected.
fn judge(announced: Option<Announcement>, opened: protocol::JavaScriptDialogOpening) -> Dialog {
    let protocol::JavaScriptDialogOpening { message, kind, .. } = opened;
    let (answer, trouble) = match &announced {
        None if matches!(&*kind, "alert" | "beforeunload") => (Answer::Accepted, None),
        None => (Answer::Dismissed, Some(Trouble::Unannounced)),
        Some(Announcement { expect: Some(expected), .. }) if !expected.matches(&message) => {
            (Answer::Dismissed, Some(Trouble::Unexpected { expected: expected.to_string() }))
        }
        Some(Announcement { answer: Answer::Told(_), .. }) if kind != "prompt" => {
            (Answer::Dismissed, Some(Trouble::TakesNoText))
        }
        Some(announcement) => (announcement.answer.clone(), None),
    };
    Dialog { kind, message, answer, announced: announced.is_some(), trouble }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn opened(kind: &str, message: &str) -> protocol::JavaScriptDialogOpening {
        protocol::JavaScriptDialogOpening { message: message.to_owned(), kind: kind.to_owned(), default_prompt: None }
    }

    fn announced(expect: Option<&str>, answer: Answer) -> Option<Announcement> {
        Some(Announcement { expect: expect.map(|text| TextMatch::parse(text).unwrap()), answer })
    }

    #[test]
    fn without_a_word_only_questions_are_trouble() {
        for (kind, answer, trouble) in [
            ("alert", Answer::Accepted, None),
            ("beforeunload", Answer::Accepted, None),
            ("confirm", Answer::Dismissed, Some(Trouble::Unannounced)),
            ("prompt", Answer::Dismissed, Some(Trouble::Unannounced)),
        ] {
            let dialog = judge(None, opened(kind, "Hm?"));
            assert_eq!((dialog.answer, dialog.trouble, dialog.announced), (answer, trouble, false), "{kind}");
        }
    }

    #[test]
    fn an_announcement_is_for_what_it_expects() {
        let dialog = judge(announced(Some("/^Delete/"), Answer::Accepted), opened("confirm", "Delete all?"));
        assert_eq!((dialog.answer, dialog.trouble), (Answer::Accepted, None));
        let dialog = judge(announced(Some("Delete one?"), Answer::Accepted), opened("confirm", "Delete all?"));
        let expected = "\"Delete one?\"".to_owned();
        assert_eq!((dialog.answer, dialog.trouble), (Answer::Dismissed, Some(Trouble::Unexpected { expected })));
    }

    #[test]
    fn a_text_is_for_a_prompt_and_is_not_told() {
        let told = || announced(None, Answer::Told("zed".to_owned()));
        let dialog = judge(told(), opened("prompt", "Name?"));
        assert_eq!((dialog.to_string(), dialog.trouble.clone()), ("prompt: Name? (answered)".to_owned(), None));
        assert_eq!(judge(told(), opened("confirm", "Sure?")).trouble, Some(Trouble::TakesNoText));
    }
}
