//! `assert-focus`.

use std::ops::ControlFlow;

use async_trait::async_trait;

use super::wanted::until_judged;
use crate::outline::{Line, Outline, Refs};
use crate::scenario::{Deferred, Target};
use crate::steps::arguments::Arguments;
use crate::steps::failure::Failure;
use crate::steps::spec::{Group, Kind, Spec, required};
use crate::steps::stage::{Stage, words};
use crate::steps::step::{Action, At};

/// The verb.
pub(in crate::steps) static SPEC: Spec = Spec {
    name: "assert-focus",
    group: Group::Asserting,
    summary: "An element must have the focus: keys go to it.",
    short: Some("of"),
    fields: &[required("of", Kind::Target, "The element.")],
    example: "- assert-focus: textbox \"Email\"",
    build,
};

#[derive(Debug)]
struct AssertFocus {
    of: Deferred<Target>,
}

fn build(args: &mut Arguments<'_>) -> Option<Box<dyn Action>> {
    Some(Box::new(AssertFocus { of: args.given("of")? }))
}

#[async_trait(?Send)]
impl Action for AssertFocus {
    fn describe(&self) -> String {
        format!("assert-focus {}", self.of)
    }

    async fn perform(&self, stage: &mut Stage, at: &At<'_>) -> Result<(), Failure> {
        let of = stage.get(&self.of, at).await?;
        let unmet = until_judged(stage, at, &of, async |page, element| {
            let has = page.has_focus(element, at.deadline).await?;
            Ok(if has { ControlFlow::Break(()) } else { ControlFlow::Continue(element.description.clone()) })
        });
        let Some(element) = unmet.await? else { return Ok(()) };
        let failure = at.failure(format!("{element} does not have the focus"));
        // Which one has it is only for the eye: the failure stands without it.
        let focused = match stage.page().outline(at.deadline + super::FOCUS_TIME).await {
            Ok(seen) => focused(&seen.outline),
            Err(_) => String::new(),
        };
        let focused = if focused.is_empty() { "(nothing: keys go to the page)".to_owned() } else { focused };
        Err(failure.detail(format!("what has the focus, after {}", words(at.given)), focused))
    }
}

/// The lines that are focused; a document is, where nothing in it is.
fn focused(outline: &Outline) -> String {
    let has = |line: &&Line| line.role != "RootWebArea" && line.states.iter().any(|state| state.name == "focused");
    let lines = outline.lines.iter().filter(has).map(|line| Line { depth: 0, ..line.clone() }).collect();
    Outline { lines }.text(Refs::Hidden).trim_end().to_owned()
}
