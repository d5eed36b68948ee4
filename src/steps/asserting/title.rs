//! `assert-title`.

use async_trait::async_trait;

use crate::scenario::{Deferred, TextMatch};
use crate::steps::arguments::Arguments;
use crate::steps::failure::Failure;
use crate::steps::spec::{Group, Kind, Spec, required};
use crate::steps::stage::{Stage, words};
use crate::steps::step::{Action, At};
use crate::steps::until::{Unmet, until_holds};

/// The verb.
pub(in crate::steps) static SPEC: Spec = Spec {
    name: "assert-title",
    group: Group::Asserting,
    summary: "The page must have this title.",
    short: Some("title"),
    fields: &[required("title", Kind::TextMatch, "The whole title, or a /regex/.")],
    example: "- assert-title: Your account",
    build,
};

#[derive(Debug)]
struct AssertTitle {
    title: Deferred<TextMatch>,
}

fn build(args: &mut Arguments<'_>) -> Option<Box<dyn Action>> {
    Some(Box::new(AssertTitle { title: args.given("title")? }))
}

#[async_trait(?Send)]
impl Action for AssertTitle {
    fn describe(&self) -> String {
        format!("assert-title {}", self.title)
    }

    async fn perform(&self, stage: &mut Stage, at: &At<'_>) -> Result<(), Failure> {
        let title = stage.get(&self.title, at).await?;
        until_holds(stage, at, |_, seen| if title.matches(&seen.title) { Ok(()) } else { Err(()) }).await.map_err(
            |unmet| match unmet {
                Unmet::Page(failure) => failure,
                Unmet::Reason((), seen) => at
                    .failure("the page has another title")
                    .label(format!("it is not {title}"))
                    .detail(format!("the title, after {}", words(at.given)), format!("\"{}\"", seen.title)),
            },
        )
    }
}
