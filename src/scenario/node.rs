//! The tree of values: what YAML says, each part with its place.

use std::ops::Range;

use super::diagnostic::{Diagnostic, Problems, nearest, shown};
use super::source::Place;
use super::{decode, origin};

/// A value and where it stands. Trees are at most [`super::yaml::MAX_DEPTH`] deep, so recursion over them is safe.
#[derive(Clone, Debug)]
pub struct Node {
    /// What it is.
    pub kind: Kind,
    /// Where it stands.
    pub place: Place,
}

/// What a value is.
#[derive(Clone, Debug)]
pub enum Kind {
    /// Text; `key:` with nothing is an empty plain scalar.
    Scalar {
        /// The text, decoded (quotes, escapes and folding undone), and otherwise as it was written: `007` is `007`.
        text: String,
        /// Whether it was written without quotes and not as a block.
        plain: bool,
    },
    /// A list.
    List(Vec<Node>),
    /// A map, in the order of the file, without duplicates.
    Map(Vec<(Key, Node)>),
}

/// A key of a map.
#[derive(Clone, Debug)]
pub struct Key {
    /// The key's text.
    pub name: String,
    /// Where it stands.
    pub place: Place,
}

impl Node {
    /// The text of a scalar.
    pub fn text(&self) -> Option<&str> {
        match &self.kind {
            Kind::Scalar { text, .. } => Some(text),
            _ => None,
        }
    }

    /// The items of a list.
    pub fn items(&self) -> Option<&[Node]> {
        match &self.kind {
            Kind::List(items) => Some(items),
            _ => None,
        }
    }

    /// The entries of a map.
    pub fn entries(&self) -> Option<&[(Key, Node)]> {
        match &self.kind {
            Kind::Map(entries) => Some(entries),
            _ => None,
        }
    }

    /// The value of a map's key.
    pub fn get(&self, key: &str) -> Option<&Node> {
        self.entries()?.iter().find(|(name, _)| name.name == key).map(|(_, value)| value)
    }

    /// Whether nothing was written: `key:`, `key: ~` or `key: null`.
    pub fn is_null(&self) -> bool {
        matches!(&self.kind, Kind::Scalar { text, plain: true } if decode::is_null(text))
    }

    /// The value as JSON, with plain scalars as the numbers, booleans and nulls that YAML says they are: for bodies of
    /// answers and the like.
    pub fn json(&self) -> serde_json::Value {
        self.convert(decode::yaml_value)
    }

    /// The value as JSON, with plain scalars as numbers only where they are written as one, so that `007` and `1e3` stay
    /// text: for `variables` and `set`. A number keeps its spelling, see [`decode::number`].
    pub fn value(&self) -> serde_json::Value {
        self.convert(decode::faithful_value)
    }

    fn convert(&self, scalar: fn(&str) -> serde_json::Value) -> serde_json::Value {
        match &self.kind {
            Kind::Scalar { text, plain: true } => scalar(text),
            Kind::Scalar { text, plain: false } => serde_json::Value::String(text.clone()),
            Kind::List(items) => items.iter().map(|item| item.convert(scalar)).collect(),
            Kind::Map(entries) => {
                entries.iter().map(|(key, value)| (key.name.clone(), value.convert(scalar))).collect()
            }
        }
    }

    /// The place of a byte range of the decoded text, for every way a scalar can be written. A list, a map, or a range
    /// that is not in the text, is the whole place.
    pub fn place_in(&self, range: Range<usize>) -> Place {
        let Kind::Scalar { text, plain } = &self.kind else {
            return self.place.clone();
        };
        match origin::range(&self.place.source.text, self.place.range.start, text, *plain, range) {
            Some(range) => Place::new(&self.place.source, range),
            None => self.place.clone(),
        }
    }

    /// What it is, for messages: "a list", "a map", "nothing", "text".
    pub fn kind_name(&self) -> &'static str {
        match &self.kind {
            Kind::List(_) => "a list",
            Kind::Map(_) => "a map",
            Kind::Scalar { .. } if self.is_null() => "nothing",
            Kind::Scalar { .. } => "text",
        }
    }

    /// The text that is wanted here, or a problem. `what` names the value: "`name`".
    pub fn want_text(&self, what: &str, problems: &mut Problems) -> Option<&str> {
        match &self.kind {
            Kind::Scalar { text, .. } if !self.is_null() => Some(text),
            Kind::Map(_) if self.place.text().starts_with("{{") => {
                problems.add(
                    Diagnostic::new(format!("{what} begins with `{{{{` and has no quotes"))
                        .at(self.place.clone())
                        .label("read as a map")
                        .next(format!("put it in quotes: \"{}\"", shown(self.place.text()))),
                );
                None
            }
            _ => self.unwanted(what, "text", "write \"\" for an empty text", problems),
        }
    }

    /// The text that is wanted here and is more than blanks, without those around it, or a problem.
    pub fn want_filled(&self, what: &str, problems: &mut Problems) -> Option<&str> {
        self.want_filled_or(what, "nothing is written", "fill it in, or delete it", problems).map(str::trim)
    }

    /// The text that is wanted here, as it is written, or a problem; with what is said where there are only blanks.
    pub fn want_filled_or(&self, what: &str, label: &str, next: &str, problems: &mut Problems) -> Option<&str> {
        let text = self.want_text(what, problems)?;
        if text.trim().is_empty() {
            problems.add(Diagnostic::new(format!("{what} is empty")).at(self.place.clone()).label(label).next(next));
            return None;
        }
        Some(text)
    }

    /// The values of two keys that only have a meaning together, or a problem at `place`.
    pub fn want_both(
        &self,
        (first, second): (&str, &str),
        place: &Place,
        label: &str,
        next: &str,
        problems: &mut Problems,
    ) -> Option<(&Node, &Node)> {
        let (one, other) = (self.get(first), self.get(second));
        if let (Some(one), Some(other)) = (one, other) {
            return Some((one, other));
        }
        let missing = if one.is_none() { first } else { second };
        problems.add(Diagnostic::new(format!("`{missing}` is missing")).at(place.clone()).label(label).next(next));
        None
    }

    /// The list that is wanted here, or a problem.
    pub fn want_list(&self, what: &str, problems: &mut Problems) -> Option<&[Node]> {
        match &self.kind {
            Kind::List(items) => Some(items),
            _ => self.unwanted(what, "a list", "begin each item with `- `, or write [one, two]", problems),
        }
    }

    /// The map that is wanted here, or a problem.
    pub fn want_map(&self, what: &str, problems: &mut Problems) -> Option<&[(Key, Node)]> {
        match &self.kind {
            Kind::Map(entries) => Some(entries),
            _ => self.unwanted(what, "a map", "write `key: value` lines, or {key: value}", problems),
        }
    }

    /// The map that is wanted here, with a problem for every key that is not among the known ones.
    pub fn want_keys(&self, what: &str, known: &[&str], problems: &mut Problems) -> Option<&[(Key, Node)]> {
        let entries = self.want_map(what, problems)?;
        for (key, _) in entries {
            if !known.contains(&key.name.as_str()) {
                problems.add(key.unknown(&format!("{what} has no `{}`", shown(&key.name)), known));
            }
        }
        Some(entries)
    }

    fn unwanted<T>(&self, what: &str, wanted: &str, next: &str, problems: &mut Problems) -> Option<T> {
        let found = self.kind_name();
        // `~` and `null` are nothing to YAML, and hardly what was meant where text is wanted.
        let written = self.text().filter(|text| wanted == "text" && !text.is_empty());
        let next = match (written, &self.kind) {
            (Some(text), _) => format!("put it in quotes: \"{text}\""),
            (None, Kind::List(_)) if wanted == "text" => "write one text, without `[ ]` and `- `".to_owned(),
            (None, Kind::Map(_)) if wanted == "text" => "write one text; one with `: ` in it needs quotes".to_owned(),
            _ => next.to_owned(),
        };
        problems.add(
            Diagnostic::new(format!("{what} must be {wanted}"))
                .at(self.place.clone())
                .label(format!("this is {found}"))
                .next(next),
        );
        None
    }
}

impl Key {
    /// The complaint about a key of a step that stands among the arguments of its verb.
    pub fn belongs_beside_the_verb(&self, where_it_stands: &str) -> Diagnostic {
        Diagnostic::new(format!("{where_it_stands} has no `{}`", shown(&self.name)))
            .at(self.place.clone())
            .label("a key of the step")
            .next(format!("put `{}:` on a line of its own below the verb, in the verb's column", shown(&self.name)))
    }

    /// The complaint that this key is not known here, with the nearest known one or else all of them.
    pub fn unknown(&self, title: &str, known: &[&str]) -> Diagnostic {
        let diagnostic = Diagnostic::new(title).at(self.place.clone());
        match nearest(&self.name, known.iter().copied()) {
            Some(near) => diagnostic.label(format!("did you mean `{near}`?")).next(format!("write `{near}`")),
            None => diagnostic.label("not known here").next(format!("known here: {}", known.join(", "))),
        }
    }
}
