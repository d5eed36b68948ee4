//! Why a step did not hold, ready to be shown where the step stands.

use crate::page::PageError;
use crate::scenario::{Detail, Diagnostic, Place};

/// Whose fault a failure is: the exit code and the report tell them apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// The page is not as the scenario says it should be.
    Page,
    /// The browser, the disk or the network failed; the scenario may be right.
    World,
}

/// A step that did not hold.
#[derive(Clone, Debug)]
pub struct Failure {
    /// What a person is shown.
    pub diagnostic: Box<Diagnostic>,
    /// Whose fault it is.
    pub cause: Cause,
    /// Whether it is known that the act was not done, so that it may be tried again.
    pub did_nothing: bool,
    /// Whether the scenario fails however often it is performed: nothing is stored yet to hold the page against.
    pub for_good: bool,
}

impl Failure {
    /// A failure of the page at a place of the scenario.
    pub fn new(place: &Place, title: impl Into<String>) -> Failure {
        Failure {
            diagnostic: Box::new(Diagnostic {
                title: title.into(),
                place: Some(place.clone()),
                label: String::new(),
                details: Vec::new(),
                next: None,
            }),
            cause: Cause::Page,
            did_nothing: false,
            for_good: false,
        }
    }

    /// What stands under the mark.
    #[must_use]
    pub fn label(mut self, label: impl Into<String>) -> Failure {
        self.diagnostic.label = label.into();
        self
    }

    /// Something more to see: the nearest part of the page, what was in the way.
    #[must_use]
    pub fn detail(mut self, title: impl Into<String>, text: impl Into<String>) -> Failure {
        self.diagnostic.details.push(Detail { title: title.into(), text: text.into() });
        self
    }

    /// The next move.
    #[must_use]
    pub fn next(mut self, next: impl Into<String>) -> Failure {
        self.diagnostic.next = Some(next.into());
        self
    }

    /// The world's fault instead of the page's.
    #[must_use]
    pub fn of_world(mut self) -> Failure {
        self.cause = Cause::World;
        self
    }

    /// The scenario fails however often it is performed.
    #[must_use]
    pub fn for_good(mut self) -> Failure {
        self.for_good = true;
        self
    }

    /// What another room says, at the place of the step unless it knows a better one.
    pub fn of(place: &Place, mut diagnostic: Diagnostic) -> Failure {
        diagnostic.place.get_or_insert_with(|| place.clone());
        Failure { diagnostic: Box::new(diagnostic), cause: Cause::Page, did_nothing: false, for_good: false }
    }

    /// What the page room says of an act that did not happen.
    pub fn of_page(place: &Place, error: &PageError) -> Failure {
        let mut failure = Failure::new(place, error.to_string());
        for (title, text) in error.details() {
            failure = failure.detail(title, text);
        }
        failure.diagnostic.next = error.next();
        failure.did_nothing = error.did_nothing();
        if error.is_of_world() { failure.of_world() } else { failure }
    }
}
