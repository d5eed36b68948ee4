//! What stands around the steps: when a scenario is run, what it needs, what is done when something stands in the way.

use std::path::{Path, PathBuf};

use super::deferred::Readable;
use super::diagnostic::{Diagnostic, Problems, shown};
use super::expression::Expression;
use super::names::Names;
use super::node::{Key, Kind, Node};
use super::scenario::Scenario;
use super::source::{Place, Source};
use super::step::{RawStep, Vocabulary};
use super::text_match::TextMatch;
use crate::outline::Pattern;

/// `skip`: the scenario is not run.
#[derive(Clone, Debug)]
pub struct Skip {
    /// Why.
    pub why: String,
    /// Only where this holds; without it, always.
    pub when: Option<Expression>,
}

/// `expected-to-fail`: the scenario fails when it passes.
#[derive(Clone, Debug)]
pub struct ExpectedToFail {
    /// Why.
    pub why: String,
    /// What its failures say; without it, anything.
    pub message: Option<TextMatch>,
    /// Where it stands.
    pub place: Place,
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
        return Some(Skip { why: reason(node, "skip", problems)?, when: None });
    }
    node.want_keys("`skip`", &["when", "why"], problems)?;
    let example = "write { when: 'env.CI == \"true\"', why: needs a sound card }";
    let (when, why) = node.want_both(("when", "why"), &node.place, "half of a `skip`", example, problems)?;
    let why = reason(why, "why", problems);
    let when = Expression::parse(when, problems)?;
    Some(Skip { why: why?, when: Some(when) })
}

/// Reads `expected-to-fail`: a reason, or `{why, message}`.
pub(super) fn expected_to_fail(key: &Key, node: &Node, problems: &mut Problems) -> Option<ExpectedToFail> {
    let place = key.place.clone();
    let Some(entries) = node.entries() else {
        return Some(ExpectedToFail { why: reason(node, "expected-to-fail", problems)?, message: None, place });
    };
    let known = ["why", "message"];
    node.want_keys("`expected-to-fail`", &known, problems)?;
    let message = match node.get("message") {
        Some(message) => Some(TextMatch::from_node(message, problems)?),
        None => None,
    };
    match node.get("why") {
        Some(why) => Some(ExpectedToFail { why: reason(why, "why", problems)?, message, place }),
        None => {
            if entries.iter().all(|(key, _)| known.contains(&key.name.as_str())) {
                problems.add(
                    Diagnostic::new("`why` is missing")
                        .at(entries.first().map_or_else(|| node.place.clone(), |(key, _)| key.place.clone()))
                        .label("half of an `expected-to-fail`")
                        .next("write { why: the total is wrong, message: 'is not 24.00' }"),
                );
            }
            None
        }
    }
}

/// The reason that is wanted here: `skip: true` has none.
fn reason(node: &Node, name: &str, problems: &mut Problems) -> Option<String> {
    const ANSWERS: &[&str] = &["true", "false", "yes", "no", "on", "off"];
    let text = node.want_filled(&format!("`{name}`"), problems)?;
    let Kind::Scalar { plain: true, .. } = node.kind else { return Some(text.to_owned()) };
    if !ANSWERS.contains(&text.to_lowercase().as_str()) {
        return Some(text.to_owned());
    }
    let whole = if name == "why" { String::new() } else { format!(", or leave `{name}` out") };
    problems.add(
        Diagnostic::new(format!("`{name}` wants a reason"))
            .at(node.place.clone())
            .label("this is none")
            .next(format!("write it for those who read the report, as in `{name}: waits for the new cart`{whole}")),
    );
    None
}

/// What is wrong with a `skip` that asks the page.
pub(super) const SKIPPED: &str = "whether a scenario is skipped is decided before there is a page";

/// Complains, with this title, where something that comes before there is a page asks what is only known then: `names`
/// at `place`.
pub(super) fn check_early(scenario: &Scenario, title: &str, names: &Names, place: &Place, problems: &mut Problems) {
    let mut of_page = OF_PAGE.iter().copied().chain(scenario.readings.iter().map(|reading| reading.name.as_str()));
    let mut filled = scenario.variables.iter().filter(|(_, node)| node.has_templates()).map(|(key, _)| &key.name);
    let label = if names.page || of_page.any(|name| names.names.contains(name)) {
        "this asks the page".to_owned()
    } else if let Some(name) = filled.find(|name| names.names.contains(*name)) {
        format!("`{}` has `{{{{ … }}}}` in it, and is worked out later", shown(name))
    } else {
        return;
    };
    let next = match title {
        SKIPPED => "ask `env`, `variables` or the row of `examples`; a step can ask the page, with `when`",
        _ => "take `env`, plain `variables` or the row of `examples`",
    };
    problems.add(Diagnostic::new(title).at(place.clone()).label(label).next(next));
}

/// The list that a text with commas was meant to be, as it is written.
pub(super) fn listed(node: &Node, name: &str) -> Option<String> {
    let text = node.text().filter(|text| text.contains(','))?;
    let items: Vec<&str> = text.split(',').map(str::trim).filter(|item| !item.is_empty()).collect();
    Some(format!("`{name}: [{}]`", shown(&items.join(", "))))
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
                .next(match listed(node, "needs") {
                    Some(list) => format!("write {list}"),
                    None => "name a scenario file; it is relative to this file".to_owned(),
                }),
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
