//! `reload`.

use async_trait::async_trait;

use crate::steps::arguments::Arguments;
use crate::steps::failure::Failure;
use crate::steps::spec::{Group, Spec};
use crate::steps::stage::Stage;
use crate::steps::step::{Action, At};

/// The verb.
pub(in crate::steps) static SPEC: Spec = Spec {
    name: "reload",
    group: Group::Going,
    summary: "Loads the page again, as the browser's button does.",
    short: None,
    fields: &[],
    example: "- reload",
    build,
};

#[derive(Debug)]
struct Reload;

fn build(_: &mut Arguments<'_>) -> Option<Box<dyn Action>> {
    Some(Box::new(Reload))
}

#[async_trait(?Send)]
impl Action for Reload {
    fn describe(&self) -> String {
        SPEC.name.to_owned()
    }

    async fn perform(&self, stage: &mut Stage, at: &At<'_>) -> Result<(), Failure> {
        stage.page().reload(at.deadline).await.map_err(|error| at.page_failure(&error))
    }
}
