//! `hover`: moves the mouse over an element.

use async_trait::async_trait;

use crate::scenario::{Deferred, Target};
use crate::steps::arguments::Arguments;
use crate::steps::failure::Failure;
use crate::steps::spec::{Group, Kind, Spec, required};
use crate::steps::stage::Stage;
use crate::steps::step::{Action, At};

/// The verb.
pub(in crate::steps) static SPEC: Spec = Spec {
    name: "hover",
    group: Group::Acting,
    summary: "Moves the mouse over an element and leaves it there.",
    short: Some("on"),
    fields: &[required("on", Kind::Target, "What the mouse is moved over.")],
    example: "- hover: button \"Help\"",
    build,
};

#[derive(Debug)]
struct Hover {
    on: Deferred<Target>,
}

fn build(args: &mut Arguments<'_>) -> Option<Box<dyn Action>> {
    Some(Box::new(Hover { on: args.given("on")? }))
}

#[async_trait(?Send)]
impl Action for Hover {
    fn describe(&self) -> String {
        format!("hover {}", self.on)
    }

    fn target(&self) -> Option<&Deferred<Target>> {
        Some(&self.on)
    }

    async fn perform(&self, stage: &mut Stage, at: &At<'_>) -> Result<(), Failure> {
        let on = stage.get(&self.on, at).await?;
        stage.page().hover(&on, at.deadline).await.map_err(|error| at.page_failure(&error))
    }
}
