//! The questions that pages ask while a case is performed: what was announced, and what nobody was ready for.

use super::failure::Failure;
use super::stage::{Note, Stage};
use crate::page::{Dialog, Trouble};
use crate::scenario::{Place, shown};

/// What steps have said and seen of dialogs, for each user.
#[derive(Debug, Default)]
pub(super) struct Questions {
    announced: Vec<Announced>,
    /// How many dialogs steps have answered for, by user.
    seen: Vec<usize>,
}

/// A `dialog` step.
#[derive(Debug)]
struct Announced {
    user: usize,
    number: u64,
    place: Place,
    /// Whether the dialog has to come.
    must_come: bool,
    /// What the step says.
    what: String,
}

impl Stage {
    fn seen(&self, user: usize) -> usize {
        self.questions.seen.get(user).copied().unwrap_or(0)
    }

    /// A `dialog` step has said how the next dialog is answered.
    pub(super) fn announced(&mut self, number: u64, place: &Place, must_come: bool, what: String) {
        let user = self.user;
        self.questions.announced.push(Announced { user, number, place: place.clone(), must_come, what });
    }

    /// Whether no dialog has come for what was announced.
    fn is_unused(&self, announced: &Announced) -> bool {
        let user = self.props.users.get(announced.user);
        user.is_some_and(|user| user.tabs.dialogs().unused().contains(&announced.number))
    }

    /// The `dialog` steps that no dialog has come for: where they stand, and what they say.
    #[must_use]
    pub fn unused_answers(&self) -> Vec<String> {
        let unused = self.questions.announced.iter().filter(|announced| self.is_unused(announced));
        unused.map(|announced| format!("line {}: {}", announced.place.line(), announced.what)).collect()
    }

    /// Resolves as soon as a page of the current user asks what nobody was ready for.
    pub(super) fn troubling_question(&self) -> impl Future<Output = ()> + use<> {
        let (dialogs, seen) = (self.tabs().dialogs().clone(), self.seen(self.user));
        async move { dialogs.trouble_since(seen).await }
    }

    /// Tells of the dialogs that came since the last step; one that nobody was ready for is the step's failure.
    pub(super) fn answer_for_questions(&mut self, place: &Place) -> Result<(), Failure> {
        let mut failure = None;
        for user in 0..self.props.users.len() {
            let Some(dialogs) = self.props.users.get(user).map(|user| user.tabs.dialogs()) else { continue };
            let (came, count) = (dialogs.since(self.seen(user)), dialogs.count());
            self.questions.seen.resize(self.props.users.len(), 0);
            if let Some(seen) = self.questions.seen.get_mut(user) {
                *seen = count;
            }
            for dialog in came.iter().filter(|dialog| !dialog.announced && dialog.trouble.is_none()) {
                self.tell(Note::Notice(dialog.to_string()));
            }
            failure = failure.or_else(|| came.iter().find_map(|dialog| failed(place, dialog)));
        }
        failure.map_or(Ok(()), Err)
    }

    /// Whether pages asked something after the last step, and whether all dialogs came that had to.
    ///
    /// # Errors
    /// What nobody was ready for, or the first that did not come.
    pub fn last_questions(&mut self) -> Result<(), Failure> {
        if let Some(last) = self.last.clone() {
            self.answer_for_questions(&last)?;
        }
        let mut announced = self.questions.announced.iter();
        let missing = announced.find(|announced| announced.must_come && self.is_unused(announced));
        missing.map_or(Ok(()), |missing| {
            Err(Failure::new(&missing.place, "the dialog never came")
                .label("no dialog opened after this")
                .next("take the step away, or look at why the page no longer asks"))
        })
    }

    /// Lets up the keys that are down, before `deadline`.
    pub async fn release(&self, deadline: tokio::time::Instant) {
        for page in self.props.users.iter().flat_map(|user| user.tabs.pages()) {
            // A tab that is stuck or gone holds nothing that anyone could still see.
            let _ = page.release_all(deadline).await;
        }
    }
}

/// The failure of a step in which a dialog came that nobody was ready for.
fn failed(place: &Place, dialog: &Dialog) -> Option<Failure> {
    let what = format!("\"{}\" ({})", shown(&dialog.message), dialog.kind);
    let failure = |title: String| Failure::new(place, title).label("it was dismissed");
    Some(match dialog.trouble.as_ref()? {
        Trouble::Unannounced => failure(format!("the page asked {what}, and no step had said how to answer"))
            .next("say so before this step: `- dialog: accept`, `- dialog: dismiss` or `- dialog: { answer: TEXT }`"),
        Trouble::Unexpected { expected } => failure(format!("the page said {what}, and {expected} was expected"))
            .next("mend `expect:` of the `dialog` step, or look at why the page says something else"),
        Trouble::TakesNoText => failure(format!("the page said {what}, which takes no text"))
            .next("an `answer` is for a prompt; write `- dialog: accept` or `- dialog: dismiss`"),
    })
}
