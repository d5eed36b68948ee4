//! The keys that any step may carry beside its verb.

use super::arguments::{not_a_flag, wrong};
use super::spec::{Field, Kind, field};
use super::step::Extras;
use crate::scenario::{Deferred, Diagnostic, Expression, Key, Node, Problems, TextMatch};

/// The keys, with what the reference says of each.
pub const FIELDS: &[Field] = &[
    field("name", Kind::Text, "What reports call the step."),
    field("timeout", Kind::Duration, "How long the step may take."),
    field("when", Kind::Expression, "The step is performed only where this holds."),
    field(
        "soft",
        Kind::Boolean,
        "A failure of the step fails the scenario at its end; the steps after it are performed first.",
    ),
    field("optional", Kind::Boolean, "A failure of the step is noted, and the scenario goes on."),
    field("fails", Kind::TextMatch, "The step must fail, and its message must hold this text or match this /regex/."),
    field(
        "opens",
        Kind::Text,
        "The act opens a tab: the step waits for it and names it. The steps that follow stay where they were; `tab` or `tab-select` goes there.",
    ),
    field("tab", Kind::Text, "The tab that the step is performed in, by its name or id."),
    field("as", Kind::Text, "The user whom the step is performed as: one of the scenario's `users`."),
];

/// Keys that stand beside one verb and are its arguments.
const BESIDE: &[(&str, &[&str])] = &[("if", &["then", "else-if", "else"])];

/// The keys that stand beside this verb as its arguments.
#[must_use]
pub fn beside(verb: &str) -> &'static [&'static str] {
    BESIDE.iter().find(|(name, _)| *name == verb).map_or(&[], |(_, keys)| keys)
}

/// All keys that stand beside one verb only.
pub(super) fn all_beside() -> impl Iterator<Item = &'static str> {
    BESIDE.iter().flat_map(|(_, keys)| keys.iter().copied())
}

/// Reads them; `None` when one of them is wrong, which is told.
pub(super) fn read(verb: &str, nodes: &[(Key, Node)], problems: &mut Problems) -> Option<Extras> {
    let mut extras = Extras::default();
    let before = problems.len();
    for (key, node) in nodes {
        match key.name.as_str() {
            "name" => extras.name = later(key, node, problems),
            "opens" => extras.opens = later(key, node, problems),
            "tab" => extras.tab = later(key, node, problems),
            "timeout" => extras.timeout = node.want_duration("`timeout`", problems),
            "when" => extras.when = Expression::parse(node, problems),
            "optional" => extras.optional = flag(key, node, problems),
            "soft" => extras.soft = flag(key, node, problems),
            "as" => {
                extras.user = text(key, node, problems);
                if let Some(user) = &extras.user {
                    problems.mention_user(user, node.place.clone());
                }
            }
            name if beside(verb).contains(&name) => {}
            name if all_beside().any(|key| key == name) => problems.add(stray(verb, key)),
            "fails" => extras.fails = TextMatch::from_node(node, problems),
            // `compile` is only reached with keys of the vocabulary, which is made from FIELDS.
            _ => {}
        }
    }
    if let Some((key, _)) = nodes.iter().find(|(key, _)| key.name == "soft" && extras.soft && extras.optional) {
        problems.add(
            wrong(&key.place, "a step is `soft` or `optional`, not both")
                .label("fails the scenario at its end")
                .next("keep `optional` if its failure is nothing to worry about, else `soft`"),
        );
    }
    (problems.len() == before).then_some(extras)
}

fn flag(key: &Key, node: &Node, problems: &mut Problems) -> bool {
    if let serde_json::Value::Bool(value) = node.json() {
        return value;
    }
    problems.add(not_a_flag(&key.name, &node.place));
    false
}

/// A key of another verb.
fn stray(verb: &str, key: &Key) -> Diagnostic {
    let owner = BESIDE.iter().find(|(_, keys)| keys.contains(&key.name.as_str())).map_or("", |(owner, _)| owner);
    wrong(&key.place, format!("`{}` stands beside `{owner}` only", key.name))
        .label(format!("this step is `{verb}`"))
        .next(format!(
            "begin the step with `- {owner}: EXPRESSION`; `when: EXPRESSION` makes this one depend on something"
        ))
}

fn text(key: &Key, node: &Node, problems: &mut Problems) -> Option<String> {
    node.want_text(&format!("`{}`", key.name), problems).map(str::to_owned)
}

/// A text that may be known only when the step is performed.
fn later(key: &Key, node: &Node, problems: &mut Problems) -> Option<Deferred<String>> {
    node.want_text(&format!("`{}`", key.name), problems)?;
    Deferred::parse(node, problems)
}
