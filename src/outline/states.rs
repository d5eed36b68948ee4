//! The fixed table of states: their order, what is said of them, and when it says something.

use std::borrow::Cow;

use super::build::RawNode;
use super::line::State;
use super::text::fold;

/// What kind of value a state has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    /// Said only when true: `[disabled]`.
    Flag,
    /// Absent when off, `[checked]`, `[checked=mixed]`.
    Tristate,
    /// Said when false as well, for it tells a toggle from a plain button: `[pressed=false]`.
    Toggle,
    /// `[invalid]`, or which way: `[invalid=grammar]`.
    FlagOrWord,
    /// A word, a number or a text: `[level=2]`.
    Text,
}

/// Name, kind and the property of Chrome's tree. The order is the order in which states are printed.
pub(crate) const STATES: &[(&str, Kind, &str)] = &[
    ("level", Kind::Text, "level"),
    ("checked", Kind::Tristate, "checked"),
    ("pressed", Kind::Toggle, "pressed"),
    ("selected", Kind::Flag, "selected"),
    ("expanded", Kind::Toggle, "expanded"),
    ("disabled", Kind::Flag, "disabled"),
    ("readonly", Kind::Flag, "readonly"),
    ("required", Kind::Flag, "required"),
    ("invalid", Kind::FlagOrWord, "invalid"),
    ("focused", Kind::Flag, "focused"),
    ("modal", Kind::Flag, "modal"),
    ("busy", Kind::Flag, "busy"),
    ("value-min", Kind::Text, "valuemin"),
    ("value-max", Kind::Text, "valuemax"),
    ("value-text", Kind::Text, "valuetext"),
    ("multiselectable", Kind::Flag, "multiselectable"),
    ("multiline", Kind::Flag, "multiline"),
    ("orientation", Kind::Text, "orientation"),
    ("autocomplete", Kind::Text, "autocomplete"),
    ("haspopup", Kind::Text, "hasPopup"),
    ("keyshortcuts", Kind::Text, "keyshortcuts"),
    ("roledescription", Kind::Text, "roledescription"),
    // Chrome gives it beside the properties.
    ("description", Kind::Text, ""),
];

pub(crate) fn kind(name: &str) -> Option<(&'static str, Kind)> {
    STATES.iter().find(|(known, ..)| *known == name).map(|(known, kind, _)| (*known, *kind))
}

/// The known state nearest to a word.
pub(crate) fn nearest(word: &str) -> Option<&'static str> {
    let word = word.to_ascii_lowercase();
    STATES
        .iter()
        .map(|(name, ..)| (strsim::jaro_winkler(&word, name), *name))
        .filter(|(likeness, _)| *likeness > 0.75)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, name)| name)
}

/// The states of a node that say something, in the fixed order. `name` and `value` are as they will be printed.
pub(crate) fn of(node: &RawNode<'_>, name: &str, value: Option<&str>) -> Vec<State> {
    let mut states = Vec::new();
    for (state, kind, property) in STATES {
        let raw = match *state {
            "description" => node.description.as_deref(),
            _ => node.property(property),
        };
        let Some(raw) = raw.map(fold).filter(|raw| !raw.is_empty()) else {
            continue;
        };
        if !says_something(node, state, &raw, name, value) {
            continue;
        }
        let value = match (kind, raw.as_str()) {
            (Kind::Text, _) => Some(raw),
            (_, "true" | "1") => None,
            (Kind::Toggle, "false" | "0") => Some("false".to_owned()),
            (_, "false" | "0") => continue,
            (Kind::Flag, _) => continue,
            _ => Some(raw),
        };
        states.push(State { name: Cow::Borrowed(state), value });
    }
    states
}

/// Leaves out what the role alone says already, and what would differ without the page being another.
fn says_something(node: &RawNode<'_>, state: &str, raw: &str, name: &str, value: Option<&str>) -> bool {
    let role = node.role.as_ref();
    match state {
        // The nesting of the lines shows the level of a list item.
        "level" => role != "listitem",
        // The document has the focus whenever nothing else has.
        "focused" => !super::roles::document(role),
        // Chrome gives 0 and 0 to a field without bounds.
        "value-min" | "value-max" => {
            let bound = |property| node.property(property).and_then(|bound| bound.parse::<f64>().ok());
            bound("valuemin").zip(bound("valuemax")).is_some_and(|(least, most)| least < most)
        }
        "value-text" => Some(raw) != value,
        "description" => raw != name,
        "autocomplete" => raw != "none",
        // Every drop-down list opens one of these.
        "haspopup" => raw != "false" && !(role == "combobox" && matches!(raw, "menu" | "listbox")),
        "orientation" => match role {
            "slider" | "separator" | "tablist" | "toolbar" | "menubar" | "progressbar" | "meter" => raw != "horizontal",
            "radiogroup" => false,
            _ => raw != "vertical",
        },
        _ => true,
    }
}
