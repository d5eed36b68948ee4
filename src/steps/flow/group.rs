//! `group`: steps under one name.

use async_trait::async_trait;

use crate::scenario::Deferred;
use crate::steps::arguments::Arguments;
use crate::steps::failure::Failure;
use crate::steps::spec::{Group, Kind, Spec, field, required};
use crate::steps::stage::Stage;
use crate::steps::step::{Action, At, Step};

/// The verb.
pub(in crate::steps) static SPEC: Spec = Spec {
    name: "group",
    group: Group::Flow,
    summary: "Performs steps under one name, so that they can be skipped, timed or be optional together.",
    short: Some("steps"),
    fields: &[field("name", Kind::Text, "What the group is about."), required("steps", Kind::Steps, "The steps.")],
    example: "- group:\n    name: The visitor leaves\n    steps:\n      - click: link \"Sign out\"",
    build,
};

#[derive(Debug)]
struct GroupStep {
    name: Option<Deferred<String>>,
    steps: Vec<Step>,
}

fn build(args: &mut Arguments<'_>) -> Option<Box<dyn Action>> {
    let name = args.given_if_any("name")?;
    Some(Box::new(GroupStep { name, steps: args.steps("steps")? }))
}

#[async_trait(?Send)]
impl Action for GroupStep {
    fn describe(&self) -> String {
        match &self.name {
            Some(name) => name.to_string(),
            None => "group".to_owned(),
        }
    }

    fn inside(&self) -> Option<&[Step]> {
        Some(&self.steps)
    }

    async fn perform(&self, stage: &mut Stage, at: &At<'_>) -> Result<(), Failure> {
        stage.perform(&self.steps, at.deadline).await
    }
}
