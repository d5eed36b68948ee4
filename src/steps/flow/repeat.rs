//! `repeat`: performs steps again and again, never without an end.

use async_trait::async_trait;

use super::{looped, next_turn};
use crate::scenario::{Deferred, Expression};
use crate::steps::arguments::{Arguments, wrong};
use crate::steps::asserting::with_values;
use crate::steps::failure::Failure;
use crate::steps::given::Whole;
use crate::steps::spec::{Group, Kind, Spec, field, required};
use crate::steps::stage::Stage;
use crate::steps::step::{Action, At, Step};

/// The verb.
pub(in crate::steps) static SPEC: Spec = Spec {
    name: "repeat",
    group: Group::Flow,
    summary: "Performs steps a number of times, until something holds, or while it holds.",
    short: None,
    fields: &[
        field("times", Kind::Number, "How many turns."),
        field("until", Kind::Expression, "Looked at before each turn; the loop ends when it holds."),
        field("while", Kind::Expression, "Looked at before each turn; the loop ends when it no longer holds."),
        field("at-most", Kind::Number, "With `until` and `while`: the loop fails after so many turns."),
        required("steps", Kind::Steps, "What each turn does; `turn` counts from 1."),
    ],
    example: "- repeat:\n    until: has('alert \"Game over\"')\n    at-most: 500\n    steps:\n      - press: ArrowLeft",
    build,
};

#[derive(Debug)]
enum Bound {
    Times(Deferred<Whole>),
    Until { condition: Expression, ends_on: bool, at_most: Deferred<Whole> },
}

#[derive(Debug)]
struct Repeat {
    bound: Bound,
    steps: Vec<Step>,
}

fn build(args: &mut Arguments<'_>) -> Option<Box<dyn Action>> {
    let bounds: Vec<&str> = ["times", "until", "while"].into_iter().filter(|name| args.has(name)).collect();
    let steps = args.steps("steps");
    let bound = match bounds.as_slice() {
        ["times"] => Bound::Times(args.whole_later("times", 0)?),
        [name @ ("until" | "while")] => {
            let condition = args.expression(name);
            if !args.has("at-most") {
                let place = args.place();
                args.problem(
                    wrong(place, "this loop may never end")
                        .label(format!("`{name}` needs `at-most` beside it"))
                        .next("add `at-most: 1000`, or as many turns as it may need at most"),
                );
                return None;
            }
            let at_most = args.whole_later("at-most", 1)?;
            Bound::Until { condition: condition?, ends_on: *name == "until", at_most }
        }
        _ => {
            let place = args.place();
            args.problem(
                wrong(place, "a loop ends in one way")
                    .label("`times`, `until` or `while`: exactly one of them")
                    .next("write `times: 3`, or `until: EXPRESSION` and `at-most: 1000`"),
            );
            return None;
        }
    };
    Some(Box::new(Repeat { bound, steps: steps? }))
}

impl Repeat {
    async fn turns(&self, stage: &mut Stage, at: &At<'_>) -> Result<(), Failure> {
        // Asked once: what a turn changes is no reason for more of them.
        let (Bound::Times(most) | Bound::Until { at_most: most, .. }) = &self.bound;
        let most = stage.get(most, at).await?.0;
        let mut turn = 0;
        loop {
            match &self.bound {
                Bound::Times(_) if turn >= most => return Ok(()),
                Bound::Until { condition, ends_on, .. } => {
                    if stage.holds(condition, at).await? == *ends_on {
                        return Ok(());
                    }
                    if turn >= most {
                        let word = if *ends_on { "still does not hold" } else { "still holds" };
                        let failure = Failure::new(condition.place(), "the loop did not end")
                            .label(format!("this {word} after {most} turns"));
                        let values = stage.values(condition.names(), at).await?;
                        return Err(with_values(failure, condition, &values));
                    }
                }
                Bound::Times(_) => {}
            }
            turn += 1;
            next_turn(stage);
            stage.perform(&self.steps, at.deadline).await?;
        }
    }
}

#[async_trait(?Send)]
impl Action for Repeat {
    fn describe(&self) -> String {
        match &self.bound {
            Bound::Times(times) => format!("repeat {times} times"),
            Bound::Until { condition, ends_on: true, .. } => format!("repeat until {condition}"),
            Bound::Until { condition, .. } => format!("repeat while {condition}"),
        }
    }

    fn inside(&self) -> Option<&[Step]> {
        Some(&self.steps)
    }

    async fn perform(&self, stage: &mut Stage, at: &At<'_>) -> Result<(), Failure> {
        looped(stage, async |stage| self.turns(stage, at).await).await
    }
}
