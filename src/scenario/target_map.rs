//! Targets that are maps: `{ role: button, name: Save, within: region "Cart", nth: 2 }`.

use super::deferred::{MATCHES_NOTHING, Readable};
use super::diagnostic::{Diagnostic, Problems, shown};
use super::faults::quoted;
use super::head_keys::{Holds, KeySpec, key, names_of};
use super::node::{Key, Kind, Node};
use super::target::{By, Has, Target, is_line, unknown_role};
use super::text_match::TextMatch;
use crate::outline::{LinePattern, Pattern, PatternError, is_known_role, may_be_role};

/// Keys that say which element is meant; a target has exactly one of them.
pub const KINDS: &[&str] = &["target", "css", "label", "text", "placeholder", "alt", "title", "test-id", "role", "x"];
/// All keys of a target.
pub static KEYS: &[KeySpec] = &[
    key(
        "target",
        Holds::Target,
        "The element, as an outline line, a name or a ref: for narrowing it by the keys beside.",
    ),
    key("css", Holds::Text, "The element that a CSS selector finds."),
    key("label", Holds::TextMatch, "The field with this label."),
    key("text", Holds::TextMatch, "The innermost element of this text."),
    key("placeholder", Holds::TextMatch, "The field with this placeholder."),
    key("alt", Holds::TextMatch, "The picture with this alternative text."),
    key("title", Holds::TextMatch, "The element with this title."),
    key("test-id", Holds::Text, "The element with this `data-testid`."),
    key("role", Holds::Role, "The element of this role, as `read` shows it; `name` beside it says which."),
    key("name", Holds::TextMatch, "Beside `role`: the element's name."),
    key("x", Holds::Number, "A place in the viewport, in CSS pixels from its left edge; `y` beside it."),
    key("y", Holds::Number, "Beside `x`: CSS pixels from the top edge."),
    key("within", Holds::Target, "Inside this element."),
    key("has", Holds::Text, "Holding this text, name or pattern."),
    key("nth", Holds::Whole(1), "Which of several, from 1."),
    key("frame", Holds::Target, "In this frame, such as `Iframe \"Payment\"`."),
];

/// Keys of a step that are easily put into its target.
const BESIDE_THE_VERB: &[&str] = &["timeout", "when", "optional", "fails", "opens", "tab"];

pub(super) fn target(node: &Node, problems: &mut Problems) -> Option<Target> {
    match &node.kind {
        Kind::Scalar { text, .. } if !node.is_null() => match Target::parse(text) {
            Ok(target) => Some(target),
            Err(error) => {
                problems.add(pattern_error(node, error, "this is not a target"));
                None
            }
        },
        Kind::Map(entries) if !node.place.text().starts_with("{{") => map(node, entries, problems),
        _ => {
            node.want_text("a target", problems);
            None
        }
    }
}

/// The complaint about a pattern or target that does not parse, at the part that is wrong.
pub(super) fn pattern_error(node: &Node, error: PatternError, title: &str) -> Diagnostic {
    let mut diagnostic = Diagnostic::new(title).at(node.place_in(error.range)).label(error.message);
    diagnostic.next = match error.meant {
        Some(line) if is_one_line(node) => {
            Some(format!("{}, inside of those that YAML takes: {}", error.next.unwrap_or_default(), quoted(&line)))
        }
        Some(line) => Some(format!("{}: {line}", error.next.unwrap_or_default())),
        None => error.next,
    };
    diagnostic
}

/// Whether a text stands on the line of its key, so that quotes in it need others around them.
fn is_one_line(node: &Node) -> bool {
    let written = node.place.text();
    !written.starts_with(['|', '>']) && !written.contains('\n')
}

fn map(node: &Node, entries: &[(Key, Node)], problems: &mut Problems) -> Option<Target> {
    let before = problems.len();
    let known = names_of(KEYS);
    // `ref` is told below.
    let is_unknown = |key: &Key| !known.contains(&key.name.as_str()) && key.name != "ref";
    for (key, value) in entries.iter().filter(|(key, _)| is_unknown(key)) {
        if BESIDE_THE_VERB.contains(&key.name.as_str()) {
            problems.add(key.belongs_beside_the_verb("a target"));
            continue;
        }
        let unknown = key.unknown(&format!("a target has no `{}`", shown(&key.name)), &known);
        if let Some((label, next)) = elsewhere(&key.name, value) {
            problems.add(unknown.label(label).next(next));
            continue;
        }
        problems.add(match value.text().filter(|text| text.starts_with("ref_")) {
            Some(text) => unknown.label("a ref is a target by itself").next(format!("write it alone: {}", shown(text))),
            None => unknown,
        });
    }
    let kinds: Vec<&(Key, Node)> =
        entries.iter().filter(|(key, _)| KINDS.contains(&key.name.as_str()) || key.name == "ref").collect();
    let by = match kinds.as_slice() {
        [] => {
            // A misspelt key has been told already.
            if problems.len() == before {
                problems.add(kindless(node));
            }
            None
        }
        [(key, value)] => by(node, key, value, problems),
        [(first, _), (second, _), ..] => {
            problems.add(
                Diagnostic::new(format!("a target has both `{}` and `{}`", first.name, second.name))
                    .at(second.place.clone())
                    .label("the second of two ways to name it")
                    .next("keep one; `within` and `has` narrow it"),
            );
            None
        }
    };
    for (misplaced, needed) in [("name", "role"), ("y", "x")] {
        if let Some((key, _)) = entries.iter().find(|(key, _)| key.name == misplaced)
            && node.get(needed).is_none()
            && !kinds.is_empty()
        {
            problems.add(
                Diagnostic::new(format!("`{misplaced}` stands beside `{needed}`"))
                    .at(key.place.clone())
                    .label(format!("there is no `{needed}`"))
                    .next(format!("add `{needed}`, or leave `{misplaced}` out")),
            );
        }
    }
    // Which element is there, the page says; and a place is counted from the viewport's corner, whatever stands around it.
    if let Some(By::Point { .. }) = by
        && let Some((key, _)) =
            entries.iter().find(|(key, _)| ["within", "has", "nth", "frame"].contains(&key.name.as_str()))
    {
        problems.add(
            Diagnostic::new(format!("a place has no `{}`", key.name))
                .at(key.place.clone())
                .label("`x` and `y` say it all")
                .next("leave it out; a place in an element is `click: { on: TARGET, at: { x: 5, y: 5 } }`"),
        );
    }
    let within = node.get("within").map(|inner| target(inner, problems));
    let frame = node.get("frame").map(|inner| target(inner, problems));
    let has = node.get("has").map(|inner| has(inner, problems));
    let nth = node.get("nth").map(|inner| nth(inner, problems));
    if problems.len() > before {
        return None;
    }
    Some(Target {
        by: by?,
        within: within.flatten().map(Box::new),
        has: has.flatten(),
        nth: nth.flatten(),
        frame: frame.flatten().map(Box::new),
    })
}

/// What is meant by a key of other tools: why it is none here, and what to write.
fn elsewhere(key: &str, value: &Node) -> Option<(String, String)> {
    let text = value.text().map(|text| shown(text).replace('"', "'")).unwrap_or_default();
    let is = |here: &str| Some((format!("`{here}` does this here"), format!("write `{here}`")));
    match key.to_lowercase().as_str() {
        "selector" | "locator" | "query" | "queryselector" => is("css"),
        "xpath" => Some((
            "there is no XPath here".to_owned(),
            "write the line as `read` shows it, such as button \"Save\", or `css`".to_owned(),
        )),
        "id" => Some(("no key here".to_owned(), format!("write {{ css: \"#{text}\" }}"))),
        "class" => Some(("no key here".to_owned(), format!("write {{ css: \".{text}\" }}"))),
        "testid" | "data-testid" | "data-test" | "datatestid" => is("test-id"),
        "index" | "position" | "n" => is("nth"),
        "in" | "inside" | "parent" | "container" => is("within"),
        "contains" | "hastext" | "has-text" | "containing" => is("has"),
        "aria-label" | "accessible-name" => is("name"),
        _ if is_known_role(key) && !text.is_empty() => {
            Some(("a role, not a key".to_owned(), format!("write {key} \"{text}\"")))
        }
        _ => None,
    }
}

fn kindless(node: &Node) -> Diagnostic {
    let diagnostic = Diagnostic::new("a target without anything to find it by").at(node.place.clone());
    match node.get("name").and_then(Node::text) {
        Some(name) => diagnostic
            .label("`name` stands beside `role`")
            .next(format!("add `role`, or write the name alone: \"{}\"", shown(name))),
        None => diagnostic
            .label("only narrowed, not named")
            .next(format!("add one of {}; `target` takes an outline line", KINDS.join(", "))),
    }
}

fn by(node: &Node, key: &Key, value: &Node, problems: &mut Problems) -> Option<By> {
    let what = format!("`{}`", key.name);
    Some(match key.name.as_str() {
        "target" => {
            let inner = target(value, problems)?;
            if inner.within.is_some() || inner.has.is_some() || inner.nth.is_some() || inner.frame.is_some() {
                problems.add(
                    Diagnostic::new("a narrowed target inside `target`")
                        .at(value.place.clone())
                        .label("narrowed here")
                        .next("put `within`, `has`, `nth` and `frame` beside `target`"),
                );
                return None;
            }
            inner.by
        }
        "ref" => {
            let text = value.want_text(&what, problems)?;
            problems.add(
                Diagnostic::new("a ref is a target by itself")
                    .at(key.place.clone())
                    .label("not a key")
                    .next(format!("write it in the target's place: {}", shown(text))),
            );
            return None;
        }
        "css" => By::Css(filled(value, &what, problems)?),
        "test-id" => By::TestId(filled(value, &what, problems)?),
        "label" => By::Label(TextMatch::from_node(value, problems)?),
        "text" => By::Text(TextMatch::from_node(value, problems)?),
        "placeholder" => By::Placeholder(TextMatch::from_node(value, problems)?),
        "alt" => By::Alt(TextMatch::from_node(value, problems)?),
        "title" => By::Title(TextMatch::from_node(value, problems)?),
        "role" => {
            let role = role(value, problems);
            let name = match node.get("name") {
                Some(name) => Some(TextMatch::from_node(name, problems)?),
                None => None,
            };
            By::Role { role: role?, name }
        }
        _ => {
            let x = coordinate(value, "`x`", problems);
            let Some(y) = node.get("y") else {
                problems.add(
                    Diagnostic::new("`x` without `y`")
                        .at(key.place.clone())
                        .label("a place needs both")
                        .next("write { x: 200, y: 150 }"),
                );
                return None;
            };
            let y = coordinate(y, "`y`", problems);
            By::Point { x: x?, y: y? }
        }
    })
}

fn filled(node: &Node, what: &str, problems: &mut Problems) -> Option<String> {
    node.want_filled_or(what, "nothing to find", "fill it in", problems).map(str::to_owned)
}

fn role(node: &Node, problems: &mut Problems) -> Option<String> {
    let role = filled(node, "`role`", problems)?;
    if may_be_role(&role) {
        return Some(role);
    }
    // The one line of an outline that the words here amount to.
    let line = LinePattern { role: Some(role.clone()), ..LinePattern::default() };
    let diagnostic = Diagnostic::new(format!("there is no role `{}`", shown(&role))).at(node.place.clone());
    problems.add(match line.unknown_role(&role) {
        Some(error) if error.meant.is_none() => {
            let label = error.message.split_once("; ").map_or("not a role", |(_, label)| label);
            let next = error.next.unwrap_or_default().replace(" [level=", "; for its level, a line: heading [level=");
            diagnostic.label(label).next(next)
        }
        _ => diagnostic.label("not a role").next("write a role as `read` shows it: button, link, textbox, heading …"),
    });
    None
}

fn coordinate(node: &Node, what: &str, problems: &mut Problems) -> Option<f64> {
    let text = node.want_text(what, problems)?;
    match text.trim().trim_end_matches("px").parse::<f64>() {
        Ok(number) if number.is_finite() && number.abs() < 1e7 => Some(number),
        _ => {
            problems.add(
                Diagnostic::new(format!("{what} must be a number"))
                    .at(node.place.clone())
                    .label("not a number of CSS pixels")
                    .next("write { x: 200, y: 150 }"),
            );
            None
        }
    }
}

fn nth(node: &Node, problems: &mut Problems) -> Option<usize> {
    let text = node.want_text("`nth`", problems)?;
    match text.trim().parse::<usize>() {
        Ok(number) if number > 0 => Some(number),
        _ => {
            problems.add(
                Diagnostic::new("`nth` must be a whole number from 1")
                    .at(node.place.clone())
                    .label("not such a number")
                    .next("write `nth: 1` for the first"),
            );
            None
        }
    }
}

fn has(node: &Node, problems: &mut Problems) -> Option<Has> {
    let text = node.want_text("`has`", problems)?;
    let trimmed = text.trim();
    if let Some(error) = unknown_role(text) {
        problems.add(pattern_error(node, error, MATCHES_NOTHING));
        return None;
    }
    if !trimmed.contains('\n') && !is_line(trimmed) {
        // `"text"` in quotes and text without mean the same here.
        if let Ok(Target { by: By::Name(name), .. }) = Target::parse(trimmed) {
            return TextMatch::from_node(
                &Node { kind: Kind::Scalar { text: name, plain: false }, place: node.place.clone() },
                problems,
            )
            .map(Has::Text);
        }
        return TextMatch::from_node(node, problems).map(Has::Text);
    }
    Pattern::read(node, problems).map(Has::Pattern)
}
