//! `focus`: gives an element the focus.

use async_trait::async_trait;

use crate::scenario::{Deferred, Target};
use crate::steps::arguments::Arguments;
use crate::steps::failure::Failure;
use crate::steps::spec::{Group, Kind, Spec, required};
use crate::steps::stage::Stage;
use crate::steps::step::{Action, At};

/// The verb.
pub(in crate::steps) static SPEC: Spec = Spec {
    name: "focus",
    group: Group::Acting,
    summary: "Gives an element the focus without clicking it, once it is visible and enabled.",
    short: Some("on"),
    fields: &[required("on", Kind::Target, "What gets the focus.")],
    example: "- focus: textbox \"Search\"",
    build,
};

#[derive(Debug)]
struct Focus {
    on: Deferred<Target>,
}

fn build(args: &mut Arguments<'_>) -> Option<Box<dyn Action>> {
    Some(Box::new(Focus { on: args.given("on")? }))
}

#[async_trait(?Send)]
impl Action for Focus {
    fn describe(&self) -> String {
        format!("focus {}", self.on)
    }

    fn target(&self) -> Option<&Deferred<Target>> {
        Some(&self.on)
    }

    async fn perform(&self, stage: &mut Stage, at: &At<'_>) -> Result<(), Failure> {
        let on = stage.get(&self.on, at).await?;
        stage.page().focus(&on, at.deadline).await.map_err(|error| at.page_failure(&error))
    }
}
