//! `assert-text`.

use std::ops::ControlFlow;

use async_trait::async_trait;

use super::wanted::{FIELDS, Wanted, until_judged};
use crate::steps::arguments::Arguments;
use crate::steps::failure::Failure;
use crate::steps::spec::{Group, Spec};
use crate::steps::stage::{Stage, words};
use crate::steps::step::{Action, At};

/// The verb.
pub(in crate::steps) static SPEC: Spec = Spec {
    name: "assert-text",
    group: Group::Asserting,
    summary: "The text that an element shows must be this one, hold it, or be another one.",
    short: None,
    fields: FIELDS,
    example: "- assert-text: { of: status, is: Saved }",
    build,
};

#[derive(Debug)]
struct AssertText {
    wanted: Wanted,
}

fn build(args: &mut Arguments<'_>) -> Option<Box<dyn Action>> {
    Some(Box::new(AssertText { wanted: Wanted::read(args)? }))
}

#[async_trait(?Send)]
impl Action for AssertText {
    fn describe(&self) -> String {
        format!("assert-text {}", self.wanted)
    }

    async fn perform(&self, stage: &mut Stage, at: &At<'_>) -> Result<(), Failure> {
        let of = stage.get(&self.wanted.of, at).await?;
        let conditions = self.wanted.conditions(stage, at).await?;
        let unmet = until_judged(stage, at, &of, async |page, element| {
            let text = page.text_of(element, at.deadline).await?;
            Ok(match conditions.unmet(&[&text]) {
                None => ControlFlow::Break(()),
                Some(why) => ControlFlow::Continue((why, text)),
            })
        });
        match unmet.await? {
            None => Ok(()),
            Some((why, text)) => {
                let failure = at.failure("the element shows another text").label(why);
                let after = format!("its text, after {}", words(at.given));
                Err(if text.is_empty() {
                    failure
                        .detail(after, "(none)")
                        .next("what a field holds is its value: hold that with `assert-value`")
                } else {
                    failure.detail(after, text)
                })
            }
        }
    }
}
