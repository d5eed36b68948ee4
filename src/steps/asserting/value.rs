//! `assert-value`.

use std::ops::ControlFlow;

use async_trait::async_trait;

use super::wanted::{FIELDS, Wanted, until_judged};
use crate::page::FieldValue;
use crate::steps::arguments::Arguments;
use crate::steps::failure::Failure;
use crate::steps::spec::{Group, Spec};
use crate::steps::stage::{Stage, words};
use crate::steps::step::{Action, At};

/// The verb.
pub(in crate::steps) static SPEC: Spec = Spec {
    name: "assert-value",
    group: Group::Asserting,
    summary: "What a field holds must be this, hold it, or be something else; of a list to choose from, the label or the value of what is chosen.",
    short: None,
    fields: FIELDS,
    example: "- assert-value: { of: textbox \"Email\", is: ada@example.com }",
    build,
};

#[derive(Debug)]
struct AssertValue {
    wanted: Wanted,
}

fn build(args: &mut Arguments<'_>) -> Option<Box<dyn Action>> {
    Some(Box::new(AssertValue { wanted: Wanted::read(args)? }))
}

#[async_trait(?Send)]
impl Action for AssertValue {
    fn describe(&self) -> String {
        format!("assert-value {}", self.wanted)
    }

    async fn perform(&self, stage: &mut Stage, at: &At<'_>) -> Result<(), Failure> {
        let of = stage.get(&self.wanted.of, at).await?;
        let conditions = self.wanted.conditions(stage, at).await?;
        let unmet = until_judged(stage, at, &of, async |page, element| {
            let held = page.value_of(element, at.deadline).await?;
            let texts: Vec<&str> = held.value.iter().chain(&held.also).map(String::as_str).collect();
            let why = if texts.is_empty() { Some("it holds no value".to_owned()) } else { conditions.unmet(&texts) };
            Ok(match why {
                None => ControlFlow::Break(()),
                Some(why) => ControlFlow::Continue((why, held)),
            })
        });
        let Some((why, held)) = unmet.await? else { return Ok(()) };
        if let Some(reason) = held.none {
            return Err(at.failure(format!("{of} holds no value")).label("not a field").next(reason));
        }
        let failure = at.failure("the field holds another value").label(why);
        Err(failure.detail(format!("its value, after {}", words(at.given)), shown(&held)))
    }
}

/// A value for a person: a password stays hidden.
fn shown(held: &FieldValue) -> String {
    let value = held.value.as_deref().unwrap_or_default();
    match &held.also {
        _ if held.hidden => format!("(hidden, {} characters)", value.chars().count()),
        _ if value.is_empty() => "(empty)".to_owned(),
        Some(also) if also != value => format!("{value}\n(sent as {also})"),
        _ => value.to_owned(),
    }
}
