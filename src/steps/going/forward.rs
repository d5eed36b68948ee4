//! `forward`.

use async_trait::async_trait;

use crate::steps::arguments::Arguments;
use crate::steps::failure::Failure;
use crate::steps::spec::{Group, Spec};
use crate::steps::stage::Stage;
use crate::steps::step::{Action, At};

/// The verb.
pub(in crate::steps) static SPEC: Spec = Spec {
    name: "forward",
    group: Group::Going,
    summary: "Goes one place forward in the tab's history, after a `back`.",
    short: None,
    fields: &[],
    example: "- forward",
    build,
};

#[derive(Debug)]
struct Forward;

fn build(_: &mut Arguments<'_>) -> Option<Box<dyn Action>> {
    Some(Box::new(Forward))
}

#[async_trait(?Send)]
impl Action for Forward {
    fn describe(&self) -> String {
        SPEC.name.to_owned()
    }

    async fn perform(&self, stage: &mut Stage, at: &At<'_>) -> Result<(), Failure> {
        stage.page().forward(at.deadline).await.map_err(|error| at.page_failure(&error))
    }
}
