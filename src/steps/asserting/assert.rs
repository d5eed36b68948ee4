//! `assert`: an expression must hold.

use async_trait::async_trait;

use super::wait_until_true;
use crate::scenario::Expression;
use crate::steps::arguments::Arguments;
use crate::steps::failure::Failure;
use crate::steps::spec::{Group, Kind, Spec, required};
use crate::steps::stage::Stage;
use crate::steps::step::{Action, At};

/// The verb.
pub(in crate::steps) static SPEC: Spec = Spec {
    name: "assert",
    group: Group::Asserting,
    summary: "An expression over variables, readings, `url`, `title`, `count('…')` and `has('…')` must hold.",
    short: Some("expression"),
    fields: &[required("expression", Kind::Expression, "What must hold.")],
    example: "- assert: count('listitem') == 3",
    build,
};

#[derive(Debug)]
struct Assert {
    expression: Expression,
}

fn build(args: &mut Arguments<'_>) -> Option<Box<dyn Action>> {
    Some(Box::new(Assert { expression: args.expression("expression")? }))
}

#[async_trait(?Send)]
impl Action for Assert {
    fn describe(&self) -> String {
        format!("assert {}", self.expression)
    }

    async fn perform(&self, stage: &mut Stage, at: &At<'_>) -> Result<(), Failure> {
        wait_until_true(stage, at, &self.expression).await
    }
}
