//! `if`: performs steps where something holds, and others where it does not.

use async_trait::async_trait;

use crate::scenario::{Expression, Node};
use crate::steps::arguments::{Arguments, wrong};
use crate::steps::failure::Failure;
use crate::steps::spec::{Group, Kind, Spec, field, required};
use crate::steps::stage::Stage;
use crate::steps::step::{Action, At, Step};

/// The verb.
pub(in crate::steps) static SPEC: Spec = Spec {
    name: "if",
    group: Group::Flow,
    summary: "Performs steps where an expression holds, and others where it does not. It looks once, when what was set off before is done.",
    short: Some("condition"),
    fields: &[
        required("condition", Kind::Expression, "What must hold; it stands behind `if:` itself."),
        required("then", Kind::Steps, "What is done where it holds. It stands beside `if`, as the next two do."),
        field("else-if", Kind::Branches, "What else is asked, in turn, where it does not hold."),
        field("else", Kind::Steps, "What is done where nothing of it holds."),
    ],
    example: "- if: has('dialog \"Cookies\"')\n  then:\n    - click: button \"Reject\"\n  else:\n    - read",
    build,
};

#[derive(Debug)]
struct If {
    /// Conditions and their steps, in the order in which they are asked.
    branches: Vec<(Expression, Vec<Step>)>,
    otherwise: Vec<Step>,
}

fn build(args: &mut Arguments<'_>) -> Option<Box<dyn Action>> {
    let mut branches = vec![args.expression("condition").zip(args.steps("then"))];
    if let Some(node) = args.raw("else-if") {
        match node.items() {
            Some(items) => branches.extend(items.iter().map(|item| branch(item, args))),
            None => {
                args.problem(
                    wrong(&node.place, "`else-if` is a list")
                        .label(format!("this is {}", node.kind_name()))
                        .next("write `- if: EXPRESSION` and below it `then:`, as items of `else-if:`"),
                );
                branches.push(None);
            }
        }
    }
    let otherwise = if args.has("else") { args.steps("else") } else { Some(Vec::new()) };
    let branches = branches.into_iter().collect::<Option<Vec<_>>>()?;
    Some(Box::new(If { branches, otherwise: otherwise? }))
}

/// One item of `else-if`.
fn branch(item: &Node, args: &mut Arguments<'_>) -> Option<(Expression, Vec<Step>)> {
    let told = args.problems().len();
    item.want_keys("each of `else-if`", &["if", "then"], args.problems())?;
    let (Some(condition), Some(then)) = (item.get("if"), item.get("then")) else {
        if args.problems().len() == told {
            let missing = if item.get("if").is_none() { "if" } else { "then" };
            args.problem(
                wrong(&item.place, format!("`{missing}` is missing"))
                    .label("half of a branch")
                    .next("write `- if: EXPRESSION` and below it `then:` with its steps"),
            );
        }
        return None;
    };
    let condition = Expression::parse(condition, args.problems());
    let steps = args.steps_of(then, "then");
    condition.zip(steps)
}

#[async_trait(?Send)]
impl Action for If {
    fn describe(&self) -> String {
        match self.branches.first() {
            Some((condition, _)) => format!("if {condition}"),
            None => "if".to_owned(),
        }
    }

    fn inside(&self) -> Option<&[Step]> {
        self.branches.first().map(|(_, steps)| steps.as_slice())
    }

    async fn perform(&self, stage: &mut Stage, at: &At<'_>) -> Result<(), Failure> {
        for (condition, steps) in &self.branches {
            if stage.holds(condition, at).await? {
                return stage.perform(steps, at.deadline).await;
            }
        }
        stage.perform(&self.otherwise, at.deadline).await
    }
}
