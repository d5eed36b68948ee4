//! What fails a scenario by itself, although every step held.

use super::failure::Failure;
use super::stage::Stage;
use crate::page::net::{Sent, Went};
use crate::page::{ConsoleEntry, Source};
use crate::scenario::{FailOn, FailOnSetting, Place};

/// How many of a kind are shown.
const SHOWN: usize = 10;

/// How far the errors and requests of a case had come when an act began.
#[derive(Debug, Clone)]
struct Milestone {
    errors: u64,
    requests: u64,
    place: Place,
}

/// Errors and requests, by the act after whose beginning they came: what a click sets off is told while the assertion behind it waits.
#[derive(Debug, Default)]
pub(super) struct Milestones(Vec<Milestone>);

impl Milestones {
    /// An act begins.
    pub(super) fn mark(&mut self, (errors, requests): (u64, u64), place: &Place) {
        let milestone = Milestone { errors, requests, place: place.clone() };
        match self.0.last_mut() {
            // The act before has set off nothing, as most acts of a game.
            Some(last) if (last.errors, last.requests) == (errors, requests) => *last = milestone,
            _ => self.0.push(milestone),
        }
    }

    /// How many requests there were when the last act began.
    pub(super) fn requests(&self) -> u64 {
        self.0.last().map_or(0, |last| last.requests)
    }

    fn of_error(&self, number: u64) -> Option<&Place> {
        self.0.iter().rev().find(|mark| mark.errors <= number).map(|mark| &mark.place)
    }

    fn of_request(&self, number: u64) -> Option<&Place> {
        self.0.iter().rev().find(|mark| mark.requests <= number).map(|mark| &mark.place)
    }
}

/// Something that fails a scenario, and the act that it came after.
struct Trouble {
    place: Place,
    text: String,
}

impl Stage {
    /// What fails the case although its steps held, if there is such a thing. The first kind gives the failure its title and place.
    #[must_use]
    pub fn trouble(&self) -> Option<Failure> {
        let wanted = self.props.fail_on;
        let mut kinds: Vec<(&str, &str, Vec<Trouble>)> = Vec::new();
        if wanted.page_errors {
            let found = self.of_errors(|entry| entry.source == Source::Exception);
            kinds.push(("page-errors", "the page threw an error that nothing caught", found));
        }
        if wanted.console_errors {
            let found = self.of_errors(|entry| !matches!(entry.source, Source::Exception | Source::Network));
            kinds.push(("console-errors", "the page logged an error", found));
        }
        if wanted.failed_requests {
            kinds.push(("failed-requests", "a request of the page failed", self.of_requests(failed)));
        }
        if wanted.outside_requests {
            let found = self.of_requests(|sent| self.is_outside(&sent.url));
            kinds.push(("outside-requests", "the page asked outside of what is served", found));
        }
        kinds.retain(|(_, _, found)| !found.is_empty());
        let (kind, title, found) = kinds.first()?;
        let mut failure = Failure::new(&found.first()?.place, *title).label("it came after this step began");
        for (kind, _, found) in &kinds {
            failure = failure.detail(kind.replace('-', " "), listed(found));
        }
        Some(failure.next(advice(kind, wanted)))
    }

    fn of_errors(&self, is: impl Fn(&ConsoleEntry) -> bool) -> Vec<Trouble> {
        let mut found = Vec::new();
        for (user, milestones) in self.props.users.iter().zip(self.milestones()) {
            for (number, entry) in user.tabs.traffic().errors().into_iter().filter(|(_, entry)| is(entry)) {
                // Before its first act a user has an empty page, which does nothing.
                if let Some(place) = milestones.of_error(number) {
                    found.push(Trouble { place: place.clone(), text: entry.to_string() });
                }
            }
        }
        found
    }

    fn of_requests(&self, is: impl Fn(&Sent) -> bool) -> Vec<Trouble> {
        let mut found = Vec::new();
        for (user, milestones) in self.props.users.iter().zip(self.milestones()) {
            let requests = user.tabs.traffic().requests();
            for sent in requests.iter().filter(|sent| !sent.mocked && is(sent)) {
                if let Some(place) = milestones.of_request(sent.number) {
                    let text = format!("{} {}{}", sent.method, self.short_url(&sent.url), ending(sent));
                    found.push(Trouble { place: place.clone(), text });
                }
            }
        }
        found
    }
}

fn advice(kind: &str, wanted: FailOn) -> String {
    match kind {
        "page-errors" if wanted == FailOnSetting::default().in_force() => {
            "mend the page; where the error is meant to be, write `fail-on: []` above the steps".to_owned()
        }
        "outside-requests" => "mock what is asked for there, or take `outside-requests` out of `fail-on`".to_owned(),
        _ => format!("mend the page, or take `{kind}` out of `fail-on`"),
    }
}

fn listed(found: &[Trouble]) -> String {
    let mut lines: Vec<String> =
        found.iter().take(SHOWN).map(|trouble| format!("line {}: {}", trouble.place.line(), trouble.text)).collect();
    if found.len() > SHOWN {
        lines.push(format!("({} more)", found.len() - SHOWN));
    }
    lines.join("\n")
}

fn failed(sent: &Sent) -> bool {
    match &sent.went {
        Went::Answered(status) => *status >= 400,
        // A scenario that takes the network away means it.
        Went::Failed(why) => why != "net::ERR_INTERNET_DISCONNECTED",
        Went::Open | Went::Cancelled => false,
    }
}

fn ending(sent: &Sent) -> String {
    match &sent.went {
        Went::Answered(status) => format!(" → {status}"),
        Went::Failed(why) => format!(" → {why}"),
        Went::Open | Went::Cancelled => String::new(),
    }
}
