//! `set`: gives names values.

use async_trait::async_trait;
use serde_json::Value as Json;

use super::value::Value;
use crate::steps::arguments::Arguments;
use crate::steps::failure::Failure;
use crate::steps::spec::{Group, Kind, Spec, required};
use crate::steps::stage::Stage;
use crate::steps::step::{Action, At};

/// The verb.
pub(in crate::steps) static SPEC: Spec = Spec {
    name: "set",
    group: Group::Flow,
    summary: "Gives names values, for the templates and expressions that follow.",
    short: Some("values"),
    fields: &[required(
        "values",
        Kind::Map,
        "Each name with a text, a number, a list, or one `{{ expression }}`, whose type is kept.",
    )],
    example: "- set: { city: Oslo, wanted: 3 }",
    build,
};

/// What one name may hold, in bytes of text: far more than a page shows, and little enough for a machine.
const LARGEST: usize = 16_000_000;

/// How many bytes a value's texts and numbers take, more or less.
fn size(value: &Json) -> usize {
    match value {
        Json::String(text) => text.len(),
        Json::Array(list) => list.iter().map(|value| size(value) + 8).sum(),
        Json::Object(map) => map.iter().map(|(key, value)| key.len() + size(value) + 8).sum(),
        Json::Null | Json::Bool(_) | Json::Number(_) => 8,
    }
}

#[derive(Debug)]
struct Set {
    values: Vec<(String, Value)>,
}

fn build(args: &mut Arguments<'_>) -> Option<Box<dyn Action>> {
    let mut values = Vec::new();
    for (key, node) in args.map("values")? {
        let good = args.declare(&key.name);
        let value = Value::read(node, args.problems());
        values.push((key.name.clone(), value.filter(|_| good)));
    }
    let values = values.into_iter().map(|(name, value)| Some((name, value?))).collect::<Option<Vec<_>>>()?;
    Some(Box::new(Set { values }))
}

#[async_trait(?Send)]
impl Action for Set {
    fn describe(&self) -> String {
        let names: Vec<&str> = self.values.iter().map(|(name, _)| name.as_str()).collect();
        format!("set {}", names.join(", "))
    }

    async fn perform(&self, stage: &mut Stage, at: &At<'_>) -> Result<(), Failure> {
        for (name, value) in &self.values {
            let value = value.evaluate(stage, at).await?;
            if size(&value) > LARGEST {
                return Err(at
                    .failure(format!("`{name}` would hold more than {} MB", LARGEST / 1_000_000))
                    .next("keep less: a value that doubles in a loop has no end"));
            }
            stage.set(name, value);
        }
        Ok(())
    }
}
