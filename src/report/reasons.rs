//! Why the attempts at a case failed, those that failed alike told once.

use crate::run::{CaseEnded, Verdict};
use crate::scenario::{Diagnostic, Place};

/// What one attempt, or several, failed of.
#[derive(Debug)]
pub(crate) struct Reason<'a> {
    /// Which attempts, from 1.
    pub(crate) attempts: Vec<usize>,
    /// Why the first of them failed: the failure itself, and those beside it.
    pub(crate) why: Vec<&'a Diagnostic>,
}

/// All reasons of a case, in the order of its attempts.
pub(crate) fn reasons(ended: &CaseEnded) -> Vec<Reason<'_>> {
    let earlier = ended.earlier.iter().map(|attempt| {
        let why: Vec<&Diagnostic> = std::iter::once(&*attempt.why).chain(&attempt.also).collect();
        (attempt.number, why)
    });
    let last = match &ended.verdict {
        Verdict::Failed(why) | Verdict::Broken(why) => Some(&**why),
        Verdict::Passed | Verdict::Flaky | Verdict::Skipped(_) | Verdict::Interrupted => None,
    };
    let last = last.map(|why| (ended.earlier.len() + 1, std::iter::once(why).chain(&ended.also).collect()));
    let mut reasons: Vec<Reason<'_>> = Vec::new();
    for (number, why) in earlier.chain(last) {
        match reasons.iter_mut().find(|reason| alike(&reason.why, &why)) {
            Some(reason) => reason.attempts.push(number),
            None => reasons.push(Reason { attempts: vec![number], why }),
        }
    }
    reasons
}

fn alike(one: &[&Diagnostic], other: &[&Diagnostic]) -> bool {
    one.len() == other.len() && one.iter().zip(other).all(|(one, other)| same(one, other))
}

/// Whether two say the same, but for the file that each picture is in and how long each has waited.
fn same(one: &Diagnostic, other: &Diagnostic) -> bool {
    fn place(diagnostic: &Diagnostic) -> Option<(&std::path::Path, &std::ops::Range<usize>)> {
        diagnostic.place.as_ref().map(|Place { source, range }| (source.path.as_path(), range))
    }
    let seen = |diagnostic: &Diagnostic| -> Vec<String> {
        let details = diagnostic.details.iter().filter(|detail| detail.title != "picture");
        details.map(|detail| detail.text.clone()).collect()
    };
    one.title == other.title
        && one.label == other.label
        && place(one) == place(other)
        && one.next == other.next
        && seen(one) == seen(other)
}

impl Reason<'_> {
    /// `attempt 1, and the same in attempts 2 and 3`.
    pub(crate) fn words(&self) -> String {
        let Some((first, rest)) = self.attempts.split_first() else { return String::new() };
        let rest: Vec<String> = rest.iter().map(ToString::to_string).collect();
        match rest.split_last() {
            None => format!("attempt {first}"),
            Some((last, [])) => format!("attempt {first}, and the same in attempt {last}"),
            Some((last, between)) => {
                format!("attempt {first}, and the same in attempts {} and {last}", between.join(", "))
            }
        }
    }
}
