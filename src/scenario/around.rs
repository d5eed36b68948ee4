//! What stands around the steps: when a scenario is run, what it needs, what is done when something stands in the way.

use std::path::{Path, PathBuf};

use super::deferred::Readable;
use super::diagnostic::{Diagnostic, Problems, shown};
use super::expression::Expression;
use super::names::Names;
use super::node::{Kind, Node};
use super::source::{Place, Source};
use super::step::{RawStep, Vocabulary};
use crate::outline::Pattern;

/// `skip`: the scenario is not run.
#[derive(Clone, Debug)]
pub struct Skip {
    /// Why.
    pub why: String,
    /// Only where this holds; without it, always.
    pub when: Option<Expression>,
}

/// A scenario that must have passed before.
#[derive(Clone, Debug)]
pub struct Need {
    /// Its file.
    pub path: PathBuf,
    /// Where it is named.
    pub place: Place,
}

/// What is done when something stands in an act's way.
#[derive(Clone, Debug)]
pub struct Whenever {
    /// What stands there.
    pub pattern: Pattern,
    /// As it was written.
    pub written: String,
    /// What is done about it.
    pub steps: Vec<RawStep>,
    /// Where it stands.
    pub place: Place,
}

/// Values that are only known once there is a page.
const OF_PAGE: &[&str] = &["url", "title", "turn", "base", "other"];

/// Reads `skip`: a reason, or `{when, why}`.
pub(super) fn skip(node: &Node, problems: &mut Problems) -> Option<Skip> {
    if node.entries().is_none() {
        return Some(Skip { why: node.want_filled("`skip`", problems)?.to_owned(), when: None });
    }
    node.want_keys("`skip`", &["when", "why"], problems)?;
    let example = "write { when: 'env.CI == \"true\"', why: needs a sound card }";
    let (when, why) = node.want_both(("when", "why"), &node.place, "half of a `skip`", example, problems)?;
    let why = why.want_filled("`why`", problems);
    let when = Expression::parse(when, problems)?;
    Some(Skip { why: why?.to_owned(), when: Some(when) })
}

/// Complains about a `skip` that asks what only a page can tell; `readings` are the scenario's.
pub(super) fn check_skip<'a>(skip: &Skip, readings: impl Iterator<Item = &'a str>, problems: &mut Problems) {
    let Some(when) = &skip.when else { return };
    let Names { names, page } = when.names();
    let mut of_page = OF_PAGE.iter().copied().chain(readings);
    if *page || of_page.any(|name| names.contains(name)) {
        problems.add(
            Diagnostic::new("whether a scenario is skipped is decided before there is a page")
                .at(when.place().clone())
                .label("this asks the page")
                .next("ask `env`, `variables` or the row of `examples`; a step can ask the page, with `when`"),
        );
    }
}

/// Reads `needs`.
pub(super) fn needs(source: &Source, node: &Node, problems: &mut Problems) -> Vec<Need> {
    let items = match &node.kind {
        Kind::List(items) => items.as_slice(),
        _ => std::slice::from_ref(node),
    };
    let mut needs = Vec::new();
    for item in items {
        let Some(file) = item.want_filled("one of `needs`", problems) else { continue };
        let path = source.path.parent().unwrap_or(Path::new("")).join(file);
        if path.is_file() {
            needs.push(Need { path, place: item.place.clone() });
            continue;
        }
        problems.add(
            Diagnostic::new(format!("there is no scenario `{}`", shown(file)))
                .at(item.place.clone())
                .label(if path.is_dir() { "this is a folder" } else { "not found beside this file" })
                .detail("looked for", shown(&path.display().to_string()))
                .next("name a scenario file; it is relative to this file"),
        );
    }
    needs
}

/// Reads `whenever`: each line of the outline with its steps.
pub(super) fn whenever(node: &Node, vocabulary: &Vocabulary<'_>, problems: &mut Problems) -> Vec<Whenever> {
    let mut all = Vec::new();
    for (key, steps) in node.want_map("`whenever`", problems).unwrap_or_default() {
        let line = Node { kind: Kind::Scalar { text: key.name.clone(), plain: false }, place: key.place.clone() };
        let pattern = Pattern::read(&line, problems);
        let told = problems.len();
        let steps = RawStep::list(steps, vocabulary, problems);
        if steps.is_empty() && problems.len() == told {
            problems.add(
                Diagnostic::new("nothing is done about it")
                    .at(key.place.clone())
                    .label("no steps")
                    .next("write the steps below it, such as `- click: button \"Reject\"`"),
            );
        }
        if let Some(pattern) = pattern {
            all.push(Whenever { pattern, written: key.name.clone(), steps, place: key.place.clone() });
        }
    }
    all
}
