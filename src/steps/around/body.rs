//! Bodies of answers as a scenario writes them: JSON with templates in it.

use serde_json::Value as Json;

use crate::scenario::{Kind, Node, Problems, Template};
use crate::steps::failure::Failure;
use crate::steps::stage::Stage;
use crate::steps::step::At;

/// JSON, in which a text may hold `{{ … }}`; one `{{ expression }}` alone keeps its type.
#[derive(Debug)]
pub(in crate::steps) enum JsonBody {
    Plain(Json),
    Template(Template),
    List(Vec<JsonBody>),
    Map(Vec<(String, JsonBody)>),
}

impl JsonBody {
    pub(in crate::steps) fn read(node: &Node, problems: &mut Problems) -> Option<JsonBody> {
        if !node.has_templates() {
            return Some(JsonBody::Plain(node.json()));
        }
        let before = problems.len();
        let body = match &node.kind {
            Kind::Scalar { .. } => JsonBody::Template(Template::parse(node, problems)?),
            Kind::List(items) => {
                JsonBody::List(items.iter().filter_map(|item| JsonBody::read(item, problems)).collect())
            }
            Kind::Map(entries) => JsonBody::Map(
                entries
                    .iter()
                    .filter_map(|(key, value)| Some((key.name.clone(), JsonBody::read(value, problems)?)))
                    .collect(),
            ),
        };
        (problems.len() == before).then_some(body)
    }

    pub(in crate::steps) async fn value(&self, stage: &mut Stage, at: &At<'_>) -> Result<Json, Failure> {
        Ok(match self {
            JsonBody::Plain(value) => value.clone(),
            JsonBody::Template(template) => stage.evaluate(template, at).await?,
            JsonBody::List(items) => {
                let mut values = Vec::new();
                for item in items {
                    values.push(Box::pin(item.value(stage, at)).await?);
                }
                Json::Array(values)
            }
            JsonBody::Map(entries) => {
                let mut values = serde_json::Map::new();
                for (name, item) in entries {
                    values.insert(name.clone(), Box::pin(item.value(stage, at)).await?);
                }
                Json::Object(values)
            }
        })
    }
}
