//! `for-each`: performs steps once for each item of a list.

use async_trait::async_trait;
use serde_json::Value as Json;

use super::value::Value;
use super::{looped, next_turn};
use crate::scenario::{Expression, Kind as NodeKind};
use crate::steps::arguments::{Arguments, wrong};
use crate::steps::failure::Failure;
use crate::steps::spec::{Group, Kind, Spec, required};
use crate::steps::stage::Stage;
use crate::steps::step::{Action, At, Step};

/// The verb.
pub(in crate::steps) static SPEC: Spec = Spec {
    name: "for-each",
    group: Group::Flow,
    summary: "Performs steps once for each item of a list.",
    short: None,
    fields: &[
        required("name", Kind::Text, "What an item is called in the steps."),
        required("in", Kind::List, "The list; its items may be texts, numbers, lists and maps."),
        required("steps", Kind::Steps, "What is done with each item; `turn` counts from 1."),
    ],
    example: "- for-each:\n    name: city\n    in: [Oslo, Bergen]\n    steps:\n      - click: link \"{{ city }}\"",
    build,
};

#[derive(Debug)]
enum Items {
    Written(Vec<Value>),
    Worked(Expression),
}

#[derive(Debug)]
struct ForEach {
    name: String,
    items: Items,
    steps: Vec<Step>,
}

fn build(args: &mut Arguments<'_>) -> Option<Box<dyn Action>> {
    let name = name(args);
    let items = items(args);
    let steps = args.steps("steps");
    Some(Box::new(ForEach { name: name?, items: items?, steps: steps? }))
}

fn name(args: &mut Arguments<'_>) -> Option<String> {
    let node = args.raw("name")?;
    let name = node.want_text("`name`", args.problems())?.to_owned();
    args.declare(&name).then_some(name)
}

fn items(args: &mut Arguments<'_>) -> Option<Items> {
    let node = args.raw("in")?;
    match &node.kind {
        NodeKind::List(items) if items.is_empty() => {
            args.problem(
                wrong(&node.place, "this list is empty")
                    .label("nothing would be done")
                    .next("write its items: `in: [Oslo, Bergen]`"),
            );
            None
        }
        NodeKind::List(items) => {
            let items: Vec<Option<Value>> = items.iter().map(|item| Value::read(item, args.problems())).collect();
            items.into_iter().collect::<Option<Vec<_>>>().map(Items::Written)
        }
        _ => args.expression("in").map(Items::Worked),
    }
}

impl ForEach {
    async fn items(&self, stage: &mut Stage, at: &At<'_>) -> Result<Vec<Json>, Failure> {
        let expression = match &self.items {
            Items::Written(values) => {
                let mut items = Vec::new();
                for value in values {
                    items.push(value.evaluate(stage, at).await?);
                }
                return Ok(items);
            }
            Items::Worked(expression) => expression,
        };
        let values = stage.values(expression.names(), at).await?;
        let kind = match expression.evaluate(&values).map_err(|error| Failure::of(at.place, error.diagnostic()))? {
            Json::Array(items) => return Ok(items),
            Json::Object(_) => "a map",
            Json::String(_) => "a text",
            Json::Number(_) => "a number",
            Json::Bool(_) => "true or false",
            Json::Null => "nothing",
        };
        let next = match kind {
            "a map" => "go through its pairs: `MAP|items`, where an item is `[name, value]`",
            "a text" => "take it apart: `TEXT|split(\", \")`",
            "a number" => "count with `range(1, NUMBER + 1)`",
            _ => "name a list",
        };
        Err(Failure::new(expression.place(), "`for-each` goes through a list")
            .label(format!("this is {kind}"))
            .next(next))
    }
}

#[async_trait(?Send)]
impl Action for ForEach {
    fn describe(&self) -> String {
        match &self.items {
            Items::Written(items) => format!("for each of {} {}", items.len(), self.name),
            Items::Worked(expression) => format!("for each {} in {expression}", self.name),
        }
    }

    fn inside(&self) -> Option<&[Step]> {
        Some(&self.steps)
    }

    async fn perform(&self, stage: &mut Stage, at: &At<'_>) -> Result<(), Failure> {
        let items = self.items(stage, at).await?;
        let before = stage.variable(&self.name);
        let result = looped(stage, async |stage| {
            for item in items {
                next_turn(stage);
                stage.set(&self.name, item);
                stage.perform(&self.steps, at.deadline).await?;
            }
            Ok(())
        })
        .await;
        stage.put_back(&self.name, before);
        result
    }
}
