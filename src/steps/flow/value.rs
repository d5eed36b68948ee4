//! A value that a name is given: `variables`, `set`, `for-each` and `use` read it alike.

use serde_json::Value as Json;

use crate::scenario::{Kind, Names, Node, Problems, Template};
use crate::steps::failure::Failure;
use crate::steps::stage::Stage;
use crate::steps::step::At;

/// A value as it was written, to be worked out when it is needed.
#[derive(Clone, Debug)]
pub enum Value {
    /// Without a template: as it stands in the file, a list or a map too.
    Plain(Json),
    /// Text with templates; one `{{ expression }}` alone keeps its type.
    Template(Template),
    /// A list or a map with templates in it.
    Tree(Node, Names),
}

impl Value {
    /// Reads it; `None` when one of its templates is wrong, which is told.
    pub fn read(node: &Node, problems: &mut Problems) -> Option<Value> {
        if !node.has_templates() {
            return Some(Value::Plain(node.value()));
        }
        if let Kind::Scalar { .. } = node.kind {
            return Template::parse(node, problems).map(Value::Template);
        }
        let before = problems.len();
        let mut names = Names::default();
        node.check_templates(&mut names, problems);
        (problems.len() == before).then(|| Value::Tree(node.clone(), names))
    }

    /// What it is now.
    ///
    /// # Errors
    /// When an expression in it has no value.
    pub(in crate::steps) async fn evaluate(&self, stage: &mut Stage, at: &At<'_>) -> Result<Json, Failure> {
        match self {
            Value::Plain(json) => Ok(json.clone()),
            Value::Template(template) => stage.evaluate(template, at).await,
            Value::Tree(node, names) => {
                let values = stage.values(names, at).await?;
                let rendered = node.rendered(&values).map_err(|error| Failure::of(at.place, error.diagnostic()))?;
                Ok(rendered.value())
            }
        }
    }
}
