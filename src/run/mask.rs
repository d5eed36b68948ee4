//! Secrets stay in the run: every event is masked where it leaves.

use super::event::{Attempt, CaseEnded, Event, Verdict};
use crate::scenario::Mask;

/// The event without secrets.
pub(super) fn masked(mask: &Mask, mut event: Event) -> Event {
    match &mut event {
        Event::StepStarted { what, place, .. } => {
            mask.apply(what);
            mask.apply_to_place(place);
        }
        Event::StepOutput { text, place, .. } => {
            mask.apply(text);
            mask.apply_to_place(place);
        }
        Event::Moved { readings, .. } => readings.iter_mut().for_each(|(_, value)| mask.apply(value)),
        Event::Notice { text, .. } => mask.apply(text),
        Event::AttemptFailed { attempt, .. } => attempt_failed(mask, attempt),
        Event::CaseEnded(ended) => end(mask, ended),
        // Nothing in these comes from a page or a value.
        Event::RunStarted(_) | Event::CaseStarted { .. } | Event::StepEnded { .. } | Event::RunEnded(_) => {}
    }
    event
}

fn attempt_failed(mask: &Mask, attempt: &mut Attempt) {
    mask.apply_to(&mut attempt.why);
    attempt.also.iter_mut().for_each(|why| mask.apply_to(why));
}

fn end(mask: &Mask, ended: &mut CaseEnded) {
    match &mut ended.verdict {
        Verdict::Failed(why) | Verdict::Broken(why) => mask.apply_to(why),
        Verdict::Skipped(why) => mask.apply(why),
        Verdict::Passed | Verdict::Flaky | Verdict::Interrupted => {}
    }
    ended.earlier.iter_mut().for_each(|attempt| attempt_failed(mask, attempt));
    ended.also.iter_mut().for_each(|why| mask.apply_to(why));
    if let Some(play) = &mut ended.play {
        play.readings.iter_mut().for_each(|(_, value)| mask.apply(value));
    }
}
