//! `back`.

use async_trait::async_trait;

use crate::steps::arguments::Arguments;
use crate::steps::failure::Failure;
use crate::steps::spec::{Group, Spec};
use crate::steps::stage::Stage;
use crate::steps::step::{Action, At};

/// The verb.
pub(in crate::steps) static SPEC: Spec = Spec {
    name: "back",
    group: Group::Going,
    summary: "Goes one place back in the tab's history, as the browser's button does.",
    short: None,
    fields: &[],
    example: "- back",
    build,
};

#[derive(Debug)]
struct Back;

fn build(_: &mut Arguments<'_>) -> Option<Box<dyn Action>> {
    Some(Box::new(Back))
}

#[async_trait(?Send)]
impl Action for Back {
    fn describe(&self) -> String {
        SPEC.name.to_owned()
    }

    async fn perform(&self, stage: &mut Stage, at: &At<'_>) -> Result<(), Failure> {
        stage.page().back(at.deadline).await.map_err(|error| at.page_failure(&error))
    }
}
