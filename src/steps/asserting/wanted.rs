//! What a text must be, must hold and must not be: shared by `assert-text` and `assert-value`.

use std::fmt;
use std::ops::ControlFlow;

use super::super::arguments::wrong;
use crate::page::{Element, Page, PageError};
use crate::scenario::{Deferred, Target, TextMatch};
use crate::steps::arguments::Arguments;
use crate::steps::failure::Failure;
use crate::steps::spec::{Field, Kind, field, required};
use crate::steps::stage::Stage;
use crate::steps::step::At;

/// The fields of both verbs.
pub(super) const FIELDS: &[Field] = &[
    required("of", Kind::Target, "The element."),
    field("is", Kind::TextMatch, "All of it is this text, white space aside; or this /regex/ finds something in it."),
    field("has", Kind::TextMatch, "This text or /regex/ is found in it."),
    field("not", Kind::TextMatch, "It is another text than this one; or this /regex/ finds nothing in it."),
];

/// The conditions as they were written.
#[derive(Debug)]
pub(super) struct Wanted {
    pub(super) of: Deferred<Target>,
    is: Option<Deferred<TextMatch>>,
    has: Option<Deferred<TextMatch>>,
    not: Option<Deferred<TextMatch>>,
}

/// The conditions with their values filled in.
#[derive(Debug)]
pub(super) struct Conditions {
    is: Option<TextMatch>,
    has: Option<TextMatch>,
    not: Option<TextMatch>,
}

impl Wanted {
    pub(super) fn read(args: &mut Arguments<'_>) -> Option<Wanted> {
        let (of, is, has, not) =
            (args.given("of"), args.given_if_any("is"), args.given_if_any("has"), args.given_if_any("not"));
        let wanted = Wanted { of: of?, is: is?, has: has?, not: not? };
        if let Wanted { is: None, has: None, not: None, .. } = wanted {
            let place = args.place();
            args.problem(
                wrong(place, "nothing is said of it")
                    .label("`is`, `has` or `not` is missing")
                    .next("write what it must be: `is: TEXT`, `has: TEXT` or `not: TEXT`, or a /regex/"),
            );
            return None;
        }
        Some(wanted)
    }

    pub(super) async fn conditions(&self, stage: &mut Stage, at: &At<'_>) -> Result<Conditions, Failure> {
        let mut all = [None, None, None];
        for (slot, given) in all.iter_mut().zip([&self.is, &self.has, &self.not]) {
            if let Some(given) = given {
                *slot = Some(stage.get(given, at).await?.into_owned());
            }
        }
        let [is, has, not] = all;
        Ok(Conditions { is, has, not })
    }
}

/// As it is said in a step: `button "Save" is "x"`.
impl fmt::Display for Wanted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.of)?;
        for (word, given) in [("is", &self.is), ("has", &self.has), ("is not", &self.not)] {
            if let Some(given) = given {
                write!(f, " {word} {given}")?;
            }
        }
        Ok(())
    }
}

impl Conditions {
    /// The first condition that does not hold, in words. One of the texts is enough: a list has a label and a value.
    pub(super) fn unmet(&self, texts: &[&str]) -> Option<String> {
        let any = |holds: &dyn Fn(&str) -> bool| texts.iter().any(|text| holds(text));
        if let Some(is) = self.is.as_ref().filter(|is| !any(&|text| same(is, text))) {
            return Some(format!("it is not {is}"));
        }
        if let Some(has) = self.has.as_ref().filter(|has| !any(&|text| holds(has, text))) {
            return Some(format!("it does not hold {has}"));
        }
        let not = self.not.as_ref().filter(|not| any(&|text| same(not, text)))?;
        Some(match not {
            TextMatch::Exact(_) => format!("it is {not}"),
            TextMatch::Pattern(_) => format!("{not} finds something in it"),
        })
    }
}

/// White space aside: how a page breaks its lines is nobody's business.
fn same(wanted: &TextMatch, text: &str) -> bool {
    match wanted {
        TextMatch::Exact(wanted) => wanted == text || wanted.split_whitespace().eq(text.split_whitespace()),
        TextMatch::Pattern(_) => wanted.matches(text),
    }
}

fn holds(wanted: &TextMatch, text: &str) -> bool {
    let folded = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    match wanted {
        TextMatch::Exact(wanted) => text.contains(wanted.as_str()) || folded(text).contains(&folded(wanted)),
        TextMatch::Pattern(_) => wanted.matches(text),
    }
}

/// Finds the element and judges it, again whenever the page has changed, until the judgement is a break; or the last
/// judgement at the deadline.
pub(super) async fn until_judged<T>(
    stage: &mut Stage,
    at: &At<'_>,
    of: &Target,
    judge: impl AsyncFn(&Page, &Element) -> Result<ControlFlow<(), T>, PageError>,
) -> Result<Option<T>, Failure> {
    let page = stage.page();
    let failed = |error: PageError| at.page_failure(&error);
    // What the last act set off may still change what holds now.
    page.settle(at.deadline).await.map_err(failed)?;
    let mut changes = page.changes();
    let mut last = None;
    loop {
        let judged = match page.locate(of, at.deadline).await {
            Ok(element) => judge(&page, &element).await,
            Err(error) => Err(error),
        };
        match judged {
            Ok(ControlFlow::Break(())) => return Ok(None),
            Ok(ControlFlow::Continue(why)) => last = Some(why),
            // It went between the look and the question.
            Err(error) if error.is_passing() => {}
            // A look that the deadline cut off says less than the last whole one.
            Err(error) if error.is_late() && last.is_some() => return Ok(last),
            Err(error) => return Err(failed(error)),
        }
        if !changes.changed(at.deadline).await.map_err(failed)? {
            return match last {
                Some(why) => Ok(Some(why)),
                None => Err(at.failure(format!("{of} did not stay long enough to be looked at"))),
            };
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    fn conditions(is: &str, has: &str, not: &str) -> Conditions {
        let one = |text: &str| (!text.is_empty()).then(|| TextMatch::parse(text).unwrap());
        Conditions { is: one(is), has: one(has), not: one(not) }
    }

    #[test]
    fn each_condition_says_why_it_does_not_hold() {
        let cases = [
            (("Two  left", "", ""), "Two\nleft", None),
            (("Two", "", ""), "Two left", Some("it is not \"Two\"")),
            (("/^\\d+ left$/", "", ""), "12 left", None),
            (("", "wo l", ""), "Two left", None),
            (("", "three", ""), "Two left", Some("it does not hold \"three\"")),
            (("", "", "Two"), "Two left", None),
            (("", "", "Two left"), "Two left", Some("it is \"Two left\"")),
            (("", "", "/left/"), "Two left", Some("/left/ finds something in it")),
            (("Two left", "left", "/right/"), "Two left", None),
        ];
        for ((is, has, not), text, why) in cases {
            assert_eq!(conditions(is, has, not).unmet(&[text]).as_deref(), why, "{is} {has} {not}");
        }
        assert_eq!(conditions("no", "", "").unmet(&["Norway", "no"]), None);
    }
}
