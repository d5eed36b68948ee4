//! `retry`: performs steps again when they fail.

use async_trait::async_trait;

use crate::steps::arguments::Arguments;
use crate::steps::failure::{Cause, Failure};
use crate::steps::spec::{Group, Kind, Spec, required};
use crate::steps::stage::{Note, Stage};
use crate::steps::step::{Action, At, Step};

/// The verb.
pub(in crate::steps) static SPEC: Spec = Spec {
    name: "retry",
    group: Group::Flow,
    summary: "Performs steps, all of them again when one fails; fails when the last try does. Each try that failed is noted.",
    short: None,
    fields: &[
        required("times", Kind::Number, "How many tries there are, the first included."),
        required("steps", Kind::Steps, "The steps of one try."),
    ],
    example: "- retry:\n    times: 3\n    steps:\n      - open: /\n      - assert-text: { of: status, is: Ready }",
    build,
};

#[derive(Debug)]
struct Retry {
    times: u64,
    steps: Vec<Step>,
}

fn build(args: &mut Arguments<'_>) -> Option<Box<dyn Action>> {
    // One try is no retry.
    let times = args.whole("times", 2);
    let steps = args.steps("steps");
    Some(Box::new(Retry { times: times?, steps: steps? }))
}

#[async_trait(?Send)]
impl Action for Retry {
    fn describe(&self) -> String {
        format!("retry up to {} times", self.times)
    }

    fn inside(&self) -> Option<&[Step]> {
        Some(&self.steps)
    }

    async fn perform(&self, stage: &mut Stage, at: &At<'_>) -> Result<(), Failure> {
        let soft = stage.soft_failures();
        for number in 1..self.times {
            let title = match stage.perform(&self.steps, at.deadline).await {
                Ok(()) => match stage.soft_since(soft) {
                    Some(failure) => failure.diagnostic.title.clone(),
                    None => return Ok(()),
                },
                // Another try would meet the same world.
                Err(failure) if failure.cause == Cause::World => return Err(failure),
                Err(failure) => failure.diagnostic.title.clone(),
            };
            stage.forget_soft_since(soft);
            stage.tell(Note::Notice(format!("try {number} of {} failed: {title}", self.times)));
        }
        stage.perform(&self.steps, at.deadline).await
    }
}
