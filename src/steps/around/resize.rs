//! `resize`: gives the tab another viewport.

use async_trait::async_trait;

use crate::scenario::{Deferred, Viewport};
use crate::steps::arguments::Arguments;
use crate::steps::failure::Failure;
use crate::steps::spec::{Group, Kind, Spec, required};
use crate::steps::stage::Stage;
use crate::steps::step::{Action, At};

/// The verb.
pub(in crate::steps) static SPEC: Spec = Spec {
    name: "resize",
    group: Group::Around,
    summary: "Gives the tab another viewport; tabs that are opened later begin with that of the scenario.",
    short: Some("to"),
    fields: &[required("to", Kind::Text, "Width and height in CSS pixels, such as 390x844.")],
    example: "- resize: 390x844",
    build,
};

#[derive(Debug)]
struct Resize {
    to: Deferred<Viewport>,
}

fn build(args: &mut Arguments<'_>) -> Option<Box<dyn Action>> {
    Some(Box::new(Resize { to: args.given("to")? }))
}

#[async_trait(?Send)]
impl Action for Resize {
    fn describe(&self) -> String {
        format!("resize {}", self.to)
    }

    async fn perform(&self, stage: &mut Stage, at: &At<'_>) -> Result<(), Failure> {
        let Viewport { width, height } = *stage.get(&self.to, at).await?;
        stage.page().resize(width, height, at.deadline).await.map_err(|error| at.page_failure(&error))
    }
}
