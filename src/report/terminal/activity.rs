//! What each running case is doing, put together from its events.

use std::collections::HashMap;

use crate::run::{CaseId, Event};
use crate::scenario::Place;

use super::super::visible_line;

/// The running cases.
#[derive(Default)]
pub(super) struct Activities(HashMap<CaseId, Activity>);

/// One running case.
#[derive(Default)]
pub(super) struct Activity {
    /// Steps that have begun and not ended, the outermost first.
    open: Vec<Step>,
    /// The newest move, as long as the step that contains the loop goes on.
    playing: Option<String>,
}

/// A step that has begun.
pub(super) struct Step {
    /// What it does, safe to print.
    pub(super) what: String,
    pub(super) place: Place,
    /// What it produced to look at, each with its verb.
    pub(super) output: Vec<(&'static str, String)>,
}

impl Activities {
    /// Takes in an event; returns the step that it ended.
    pub(super) fn take(&mut self, event: &Event) -> Option<Step> {
        match event {
            Event::CaseStarted { case, .. } => {
                self.0.insert(*case, Activity::default());
            }
            Event::StepStarted { case, what, place } => {
                let step = Step { what: visible_line(what).into_owned(), place: place.clone(), output: Vec::new() };
                self.0.entry(*case).or_default().open.push(step);
            }
            Event::StepOutput { case, verb, text, .. } => {
                if let Some(step) = self.0.get_mut(case).and_then(|activity| activity.open.last_mut()) {
                    step.output.push((verb, text.clone()));
                }
            }
            Event::StepEnded { case, .. } => {
                let activity = self.0.get_mut(case)?;
                let ended = activity.open.pop();
                if activity.open.is_empty() {
                    activity.playing = None;
                }
                return ended;
            }
            Event::Moved { case, moves, readings } => {
                let mut text = format!("move {moves}");
                for (name, value) in readings {
                    text.push_str("  ");
                    text.push_str(&visible_line(name));
                    text.push(' ');
                    text.push_str(&visible_line(value));
                }
                self.0.entry(*case).or_default().playing = Some(text);
            }
            Event::CaseEnded(ended) => {
                self.0.remove(&ended.case);
            }
            Event::AttemptFailed { case, .. } => {
                self.0.remove(case);
            }
            Event::RunStarted(_) | Event::Notice { .. } | Event::RunEnded(_) => {}
        }
        None
    }

    /// What to show for a case: the move of a game, else the innermost step.
    pub(super) fn of(&self, case: CaseId) -> Option<&str> {
        let activity = self.0.get(&case)?;
        activity.playing.as_deref().or_else(|| activity.open.last().map(|step| step.what.as_str()))
    }
}
