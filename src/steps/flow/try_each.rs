//! `try-each`: performs steps in turn until one changes the page.

use async_trait::async_trait;
use tokio::time::Instant;

use crate::steps::arguments::Arguments;
use crate::steps::failure::Failure;
use crate::steps::spec::{Group, Kind, Spec, required};
use crate::steps::stage::{Note, Stage};
use crate::steps::step::{Action, At, Step};

/// The verb.
pub(in crate::steps) static SPEC: Spec = Spec {
    name: "try-each",
    group: Group::Flow,
    summary: "Performs steps in turn until one changes the page's outline; fails when none does.",
    short: Some("steps"),
    fields: &[required("steps", Kind::Steps, "The steps, the best first.")],
    example: "- try-each:\n    - press: ArrowDown\n    - press: ArrowLeft",
    build,
};

#[derive(Debug)]
struct TryEach {
    steps: Vec<Step>,
}

fn build(args: &mut Arguments<'_>) -> Option<Box<dyn Action>> {
    Some(Box::new(TryEach { steps: args.steps("steps")? }))
}

#[async_trait(?Send)]
impl Action for TryEach {
    fn describe(&self) -> String {
        "try-each".to_owned()
    }

    fn inside(&self) -> Option<&[Step]> {
        Some(&self.steps)
    }

    async fn perform(&self, stage: &mut Stage, at: &At<'_>) -> Result<(), Failure> {
        let mut before = stage.look(at).await?;
        for step in &self.steps {
            let started = Instant::now();
            stage.perform_one(step, at.deadline).await?;
            stage.forget();
            let after = stage.look(at).await?;
            let changed = !after.outline.same_as(&before.outline) || after.url != before.url;
            stage.keep(after.clone());
            if changed {
                stage.meter.moved(started.elapsed());
                stage.tell(Note::Moved { moves: stage.meter.moves(), readings: stage.readings(&after) });
                return Ok(());
            }
            before = after;
        }
        let tried: Vec<String> = self.steps.iter().map(Step::describe).collect();
        Err(at
            .failure("none of these steps changed the page")
            .label(format!("no change after {}", tried.join(", ")))
            .next("end the loop before (its `until`), or add a step that still can change the page"))
    }
}
