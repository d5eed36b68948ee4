//! Text with `{{ … }}` in it.

use super::diagnostic::{Diagnostic, Problems};
use super::expression::Expression;
use super::names::Names;
use super::node::{Kind, Node};
use super::source::{Place, Source};
use super::tokens::tokens;
use super::values::{ValueError, Values};

/// Text that is rendered when its step is performed. Only `{{ … }}` means anything; `{%` and `{#` are text, for a page's
/// own templates and style sheets. `{{ "{{" }}` writes two braces.
#[derive(Clone, Debug)]
pub struct Template {
    parts: Vec<Part>,
    names: Names,
    place: Place,
    written: String,
}

#[derive(Clone, Debug)]
enum Part {
    Text(String),
    Expression(Box<Expression>),
}

impl Template {
    /// Reads text that is wanted here; anything else is a problem.
    pub fn parse(node: &Node, problems: &mut Problems) -> Option<Template> {
        let text = node.want_text("this", problems)?;
        let mut parts = Vec::new();
        let mut names = Names::default();
        let mut good = true;
        let mut from = 0;
        while let Some(open) = text.get(from..).and_then(|rest| rest.find("{{")).map(|at| from + at) {
            if open > from {
                parts.push(Part::Text(text.get(from..open).unwrap_or_default().to_owned()));
            }
            let Some(close) = closing(text, open + 2) else {
                problems.add(
                    Diagnostic::new("`{{` is not closed")
                        .at(node.place_in(open..open + 2))
                        .label("it begins here")
                        .next("end it with `}}`; `{{ \"{{\" }}` writes two braces"),
                );
                return None;
            };
            match Expression::parse_part(node, open + 2..close, problems) {
                Some(expression) => {
                    names.extend(expression.names());
                    parts.push(Part::Expression(Box::new(expression)));
                }
                None => good = false,
            }
            from = close + 2;
        }
        if from < text.len() {
            parts.push(Part::Text(text.get(from..).unwrap_or_default().to_owned()));
        }
        good.then(|| Template { parts, names, place: node.place.clone(), written: text.to_owned() })
    }

    /// Text that means itself, braces included: for callers that have no file.
    pub fn literal(text: &str) -> Template {
        let node = Node {
            kind: Kind::Scalar { text: String::new(), plain: false },
            place: Place::new(&Source::new("", ""), 0..0),
        };
        let parts = if text.is_empty() { Vec::new() } else { vec![Part::Text(text.to_owned())] };
        Template { parts, names: Names::default(), place: node.place, written: text.to_owned() }
    }

    /// The text, if no part of it is worked out.
    pub fn plain(&self) -> Option<&str> {
        match self.parts.as_slice() {
            [] => Some(""),
            [Part::Text(text)] => Some(text),
            _ => None,
        }
    }

    /// The text as it was written.
    pub fn written(&self) -> &str {
        &self.written
    }

    /// The text.
    pub fn render(&self, values: &Values) -> Result<String, ValueError> {
        let mut out = String::new();
        for part in &self.parts {
            match part {
                Part::Text(text) => out.push_str(text),
                Part::Expression(expression) => out.push_str(&expression.render(values)?),
            }
        }
        Ok(out)
    }

    /// The value: what the expression gives if the text is one `{{ … }}` and nothing else, the text otherwise.
    pub fn value(&self, values: &Values) -> Result<serde_json::Value, ValueError> {
        match self.parts.as_slice() {
            [Part::Expression(expression)] => expression.evaluate(values),
            _ => self.render(values).map(serde_json::Value::String),
        }
    }

    /// What it needs.
    pub fn names(&self) -> &Names {
        &self.names
    }

    /// Where it stands.
    pub fn place(&self) -> &Place {
        &self.place
    }
}

/// Where the `}}` stands that closes what starts at `from`: not one inside quotes, nor one that closes a map.
fn closing(text: &str, from: usize) -> Option<usize> {
    let mut depth = 0_usize;
    for token in tokens(text, from) {
        let Ok(token) = token else { break };
        match text.get(token.range.clone())? {
            "{" => depth += 1,
            "}" if depth > 0 => depth -= 1,
            "}" if text.get(token.range.start..)?.starts_with("}}") => {
                return Some(token.range.start);
            }
            _ => {}
        }
    }
    // A quote that does not close must not hide the end: the expression then says what is wrong.
    text.get(from..)?.find("}}").map(|at| from + at)
}
