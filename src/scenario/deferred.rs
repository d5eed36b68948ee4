//! What is read at load where it can be, and when its step is performed where `{{ … }}` stands in it.

use std::borrow::Cow;
use std::fmt;
use std::time::Duration;

use super::diagnostic::{Diagnostic, Problems, shown};
use super::duration::duration;
use super::keys::Chord;
use super::names::Names;
use super::node::{Kind, Node};
use super::scenario::Viewport;
use super::target::Target;
use super::target_map::pattern_error;
use super::template::Template;
use super::text_match::TextMatch;
use super::values::{ValueError, Values};
use crate::outline::{LinePattern, Pattern};

pub(super) const DOES_NOT_PARSE: &str = "this pattern does not parse";
pub(super) const MATCHES_NOTHING: &str = "this pattern would match nothing";

/// What can be read from a node.
pub trait Readable: Clone {
    /// Reads it, or adds what is wrong.
    fn read(node: &Node, problems: &mut Problems) -> Option<Self>;
}

/// A value of a step, which may have `{{ … }}` in it: `click: button "{{ label }}"`.
#[derive(Clone, Debug)]
pub enum Deferred<T> {
    /// It says everything.
    Ready(T),
    /// It is read when the step is performed.
    Later {
        /// What was written.
        node: Node,
        /// What its expressions mention.
        names: Names,
    },
}

impl<T: Readable> Deferred<T> {
    /// Reads it, or, where `{{ … }}` stands in it, checks the expressions.
    pub fn parse(node: &Node, problems: &mut Problems) -> Option<Deferred<T>> {
        if !node.has_templates() {
            return T::read(node, problems).map(Deferred::Ready);
        }
        let before = problems.len();
        let mut names = Names::default();
        node.check_templates(&mut names, problems);
        (problems.len() == before).then(|| Deferred::Later { node: node.clone(), names })
    }

    /// What its expressions mention; nothing where it says everything.
    pub fn names(&self) -> Option<&Names> {
        match self {
            Deferred::Ready(_) => None,
            Deferred::Later { names, .. } => Some(names),
        }
    }

    /// The value.
    pub fn get(&self, values: &Values) -> Result<Cow<'_, T>, Diagnostic> {
        match self {
            Deferred::Ready(value) => Ok(Cow::Borrowed(value)),
            Deferred::Later { node, .. } => {
                let rendered = node.rendered(values).map_err(|error| error.diagnostic())?;
                let mut problems = Problems::default();
                match T::read(&rendered, &mut problems) {
                    Some(value) => Ok(Cow::Owned(value)),
                    None => Err(problems.into_iter().next().unwrap_or_else(|| {
                        Diagnostic::new("this can't be read once its values are filled in").at(node.place.clone())
                    })),
                }
            }
        }
    }
}

/// As it was written, on one line, for messages.
impl<T: fmt::Display> fmt::Display for Deferred<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Deferred::Ready(value) => value.fmt(f),
            // A text without the quotes that only YAML needs.
            Deferred::Later { node, .. } => f.write_str(&shown(node.text().unwrap_or(node.place.text()))),
        }
    }
}

impl Readable for String {
    fn read(node: &Node, problems: &mut Problems) -> Option<String> {
        match &node.kind {
            // `text:` with nothing behind it is an empty text, as it reads.
            Kind::Scalar { text, .. } => Some(text.clone()),
            _ => node.want_text("this", problems).map(str::to_owned),
        }
    }
}

impl Node {
    /// Whether `{{` stands in any of its texts.
    pub fn has_templates(&self) -> bool {
        match &self.kind {
            Kind::Scalar { text, .. } => text.contains("{{"),
            Kind::List(items) => items.iter().any(Node::has_templates),
            Kind::Map(entries) => entries.iter().any(|(_, value)| value.has_templates()),
        }
    }

    /// Adds what is wrong in the expressions of its texts, and takes down the names they mention.
    pub fn check_templates(&self, names: &mut Names, problems: &mut Problems) {
        match &self.kind {
            Kind::Scalar { text, .. } => {
                if text.contains("{{")
                    && let Some(template) = Template::parse(self, problems)
                {
                    names.extend(template.names());
                }
            }
            Kind::List(items) => items.iter().for_each(|item| item.check_templates(names, problems)),
            Kind::Map(entries) => entries.iter().for_each(|(_, value)| value.check_templates(names, problems)),
        }
    }

    /// The same with the values filled in; places stay.
    pub fn rendered(&self, values: &Values) -> Result<Node, ValueError> {
        let kind = match &self.kind {
            Kind::Scalar { text, .. } if text.contains("{{") => {
                // What does not parse was told at load.
                let template = Template::parse(self, &mut Problems::default());
                let text = match template {
                    Some(template) => template.render(values)?,
                    None => text.clone(),
                };
                Kind::Scalar { text, plain: false }
            }
            Kind::Scalar { .. } => self.kind.clone(),
            Kind::List(items) => Kind::List(items.iter().map(|item| item.rendered(values)).collect::<Result<_, _>>()?),
            Kind::Map(entries) => Kind::Map(
                entries
                    .iter()
                    .map(|(key, value)| Ok((key.clone(), value.rendered(values)?)))
                    .collect::<Result<_, ValueError>>()?,
            ),
        };
        Ok(Node { kind, place: self.place.clone() })
    }
}

impl Readable for Target {
    fn read(node: &Node, problems: &mut Problems) -> Option<Target> {
        Target::from_node(node, problems)
    }
}

impl Readable for TextMatch {
    fn read(node: &Node, problems: &mut Problems) -> Option<TextMatch> {
        TextMatch::from_node(node, problems)
    }
}

impl Readable for Chord {
    fn read(node: &Node, problems: &mut Problems) -> Option<Chord> {
        Chord::from_node(node, problems)
    }
}

impl Readable for Viewport {
    fn read(node: &Node, problems: &mut Problems) -> Option<Viewport> {
        Viewport::from_node(node, problems)
    }
}

impl Readable for Duration {
    fn read(node: &Node, problems: &mut Problems) -> Option<Duration> {
        node.want_duration("this", problems)
    }
}

/// Lines of a pattern that YAML reads as something else, for `|` is missing.
fn lines_of_yaml(node: &Node) -> Option<Diagnostic> {
    let written = node.place.text();
    let label = match &node.kind {
        Kind::List(items) if !items.is_empty() && !written.starts_with('[') => "YAML reads this as a list",
        Kind::Map(_) if !written.starts_with('{') => "YAML reads this as a map",
        Kind::Scalar { plain: true, .. } if written.contains('\n') => "YAML reads these lines as one",
        _ => return None,
    };
    Some(
        Diagnostic::new("the lines of a pattern need `|` before them")
            .at(node.place.clone())
            .label(label)
            .next("put `|` behind the colon, and below it the lines as `read` prints them, without `- ` and `:`"),
    )
}

impl Readable for Pattern {
    fn read(node: &Node, problems: &mut Problems) -> Option<Pattern> {
        if let Some(diagnostic) = lines_of_yaml(node) {
            problems.add(diagnostic);
            return None;
        }
        let text = node.want_text("a pattern", problems)?;
        let parsed = Pattern::parse(text).map_err(|error| (error, DOES_NOT_PARSE));
        let checked = parsed.and_then(|pattern| match pattern.unknown_role() {
            Some(error) => Err((error, MATCHES_NOTHING)),
            None => Ok(pattern),
        });
        checked.map_err(|(error, title)| problems.add(pattern_error(node, error, title))).ok()
    }
}

impl Readable for LinePattern {
    fn read(node: &Node, problems: &mut Problems) -> Option<LinePattern> {
        let text = node.want_text("a pattern", problems)?;
        let parsed = LinePattern::parse(text).map_err(|error| (error, DOES_NOT_PARSE));
        let checked = parsed.and_then(|pattern| match pattern.unknown_role(text) {
            Some(error) => Err((error, MATCHES_NOTHING)),
            None => Ok(pattern),
        });
        checked.map_err(|(error, title)| problems.add(pattern_error(node, error, title))).ok()
    }
}

impl Node {
    /// The duration that is wanted here, or a problem.
    pub fn want_duration(&self, what: &str, problems: &mut Problems) -> Option<Duration> {
        let text = self.want_text(what, problems)?;
        match duration(text) {
            Ok(duration) => Some(duration),
            Err(message) => {
                let (label, next) = message.split_once("; ").unwrap_or((&message, "say 300ms, 5s or 1m30s"));
                problems.add(
                    Diagnostic::new(format!("{what} is not a duration")).at(self.place.clone()).label(label).next(next),
                );
                None
            }
        }
    }
}
