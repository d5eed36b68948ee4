//! Keys of the head that are read before there are values.

use super::diagnostic::{Diagnostic, Problems};
use super::node::{Key, Kind, Node};

/// Keys whose texts are filled in, or may hold two braces of their own: those of a page's templates, of a program's
/// arguments, of data that a scenario is tried with.
const OTHERS: &[&str] =
    &["name", "clock", "variables", "before", "steps", "after", "whenever", "pages", "routes", "app", "examples"];

/// Complains about a `{{ … }}` that would stay one.
pub(super) fn check(key: &Key, value: &Node, problems: &mut Problems) {
    let name = key.name.as_str();
    if OTHERS.contains(&name) || !super::head_keys::HEAD.iter().any(|known| known.name == name) {
        return;
    }
    // An expression may stand in braces.
    let Some((node, range)) = found(if name == "skip" { value.get("why").unwrap_or(value) } else { value }) else {
        return;
    };
    let next = match name {
        "readings" => "write the line itself; targets and patterns of steps take `{{ … }}`",
        "redact" => "write the pattern itself: a regular expression can say what all values look like",
        "skip" => "write the reason itself; a condition is `{ when: EXPRESSION, why: REASON }`",
        "serve" | "needs" => "write the path itself",
        "browser" => "write the value itself; in a step, `resize` takes `{{ … }}`",
        _ => "write the value itself; steps, `variables`, `name` and `clock` take `{{ … }}`",
    };
    problems.add(
        Diagnostic::new(format!("`{name}` takes no `{{{{ … }}}}`"))
            .at(node.place_in(range))
            .label("read before there are values")
            .next(next),
    );
}

/// The first text with something in braces, and where in it.
fn found(node: &Node) -> Option<(&Node, std::ops::Range<usize>)> {
    match &node.kind {
        Kind::Scalar { text, .. } => {
            let start = text.find("{{")?;
            let end = text.get(start..)?.find("}}")? + start + 2;
            Some((node, start..end))
        }
        Kind::List(items) => items.iter().find_map(found),
        Kind::Map(entries) => entries.iter().find_map(|(_, value)| found(value)),
    }
}
