//! Reading a verb's arguments: each getter tells what is wrong where it stands.

use std::time::Duration;

use super::given::Whole;
use super::spec::{Field, Kind, Spec};
use super::step::{Step, compile};
use super::{EXTRAS, VOCABULARY};
use super::{elsewhere, extras};
use crate::scenario::{
    Deferred, Diagnostic, Expression, Key, Kind as NodeKind, Node, Place, Problems, RawStep, Readable, TextMatch,
    check_value_name, nearest, shown, unlikely_address,
};

/// A problem at a place.
pub(super) fn wrong(place: &Place, title: impl Into<String>) -> Diagnostic {
    Diagnostic::new(title).at(place.clone())
}

/// The complaint that a yes or no is something else.
pub(super) fn not_a_flag(name: &str, place: &Place) -> Diagnostic {
    wrong(place, format!("`{name}` is true or false"))
        .label("neither of them")
        .next(format!("write `{name}: true`, or leave it out"))
}

/// The arguments of one step.
#[derive(Debug)]
pub struct Arguments<'a> {
    spec: &'static Spec,
    raw: &'a RawStep,
    fields: Vec<(&'static Field, &'a Node)>,
    problems: &'a mut Problems,
}

impl<'a> Arguments<'a> {
    /// Sorts what was written into the verb's fields; `None` when that can't be, which is told.
    pub(super) fn new(spec: &'static Spec, raw: &'a RawStep, problems: &'a mut Problems) -> Option<Arguments<'a>> {
        let before = problems.len();
        let mut fields = match raw.argument.as_ref().filter(|node| !node.is_null()) {
            None => Vec::new(),
            Some(node) => match (&node.kind, spec.short) {
                (NodeKind::Map(entries), _) if takes_fields(spec, entries) => sort_fields(spec, entries, problems),
                (_, Some(short)) => spec.field(short).map(|field| (field, node)).into_iter().collect(),
                (_, None) => {
                    let label = match spec.fields {
                        [] => format!("write `- {}` alone", spec.name),
                        _ => format!("a map of {} belongs here", names(spec)),
                    };
                    problems.add(
                        wrong(&node.place, format!("`{}` can't take this", spec.name))
                            .label(label)
                            .next(format!("write it like this:\n{}", spec.example)),
                    );
                    Vec::new()
                }
            },
        };
        let beside = raw.extra.iter().filter(|(key, _)| extras::beside(spec.name).contains(&key.name.as_str()));
        fields.extend(beside.filter_map(|(key, node)| Some((spec.field(&key.name)?, node))));
        let guessed = raw.argument.as_ref().is_some_and(|node| problems.guessed(&node.place));
        if problems.len() == before && !guessed {
            let missing = spec
                .fields
                .iter()
                .filter(|field| field.required && !fields.iter().any(|(given, _)| given.name == field.name));
            // `press: ~` is nothing to YAML, and hardly what was meant.
            let written = raw.argument.as_ref().and_then(Node::text).filter(|text| !text.is_empty());
            for field in missing {
                problems.add(match written.filter(|_| spec.short == Some(field.name) && fields.is_empty()) {
                    Some(text) => wrong(&raw.verb.place, format!("`{}` is given nothing", spec.name))
                        .label(format!("in YAML, `{text}` means nothing"))
                        .next(format!("put it in quotes: \"{text}\"")),
                    None => wrong(&raw.verb.place, format!("`{}` needs {}", spec.name, need(spec, field)))
                        .label(match spec.short == Some(field.name) {
                            true => "nothing stands behind it".to_owned(),
                            false => format!("`{}` is missing", field.name),
                        })
                        .next(format!("write it like this:\n{}", spec.example)),
                });
            }
        }
        (problems.len() == before).then_some(Arguments { spec, raw, fields, problems })
    }

    fn node(&self, name: &str) -> Option<&'a Node> {
        debug_assert!(self.spec.field(name).is_some(), "{} declares no field {name}", self.spec.name);
        self.fields.iter().find(|(field, _)| field.name == name).map(|(_, node)| *node)
    }

    /// What a mark stands under when the step fails: the target it is about, else what it needs, else the verb.
    pub(super) fn mark(&self) -> Place {
        let said = |field: &Field| !matches!(field.kind, Kind::Steps | Kind::Map | Kind::Boolean | Kind::Number);
        let target = self.fields.iter().find(|(field, _)| field.kind == Kind::Target);
        let needed = || self.fields.iter().find(|(field, _)| field.required && said(field));
        let any = || self.fields.iter().find(|(field, _)| said(field));
        target.or_else(needed).or_else(any).map_or_else(|| self.raw.verb.place.clone(), |(_, node)| node.place.clone())
    }

    /// The verb's place, for problems that concern several fields.
    pub(super) fn place(&self) -> &'a Place {
        &self.raw.verb.place
    }

    /// Tells a problem.
    pub(super) fn problem(&mut self, diagnostic: Diagnostic) {
        self.problems.add(diagnostic);
    }

    /// Tells that the step makes a name known to the templates and expressions of the file. A name that they could not
    /// mention is a problem, and `false`.
    pub(super) fn declare(&mut self, name: &str) -> bool {
        let place = self.raw.argument.as_ref().and_then(|node| place_of(node, name)).unwrap_or(&self.raw.verb.place);
        self.problems.declare_at(name, place.clone());
        check_value_name(name, place, &format!("`{}`", self.spec.name), self.problems)
    }

    /// Whether the field was written.
    pub(super) fn has(&self, name: &str) -> bool {
        self.node(name).is_some()
    }

    /// A field that may hold templates.
    pub(super) fn given<T: Readable>(&mut self, name: &str) -> Option<Deferred<T>> {
        Deferred::parse(self.node(name)?, self.problems)
    }

    /// An optional field that may hold templates: `Some(None)` when it was not written, `None` when it is wrong.
    pub(super) fn given_if_any<T: Readable>(&mut self, name: &str) -> Option<Option<Deferred<T>>> {
        if self.has(name) { self.given(name).map(Some) } else { Some(None) }
    }

    /// The address of a tab: whole, from its path on, or a regular expression.
    pub(super) fn address(&mut self, name: &str) -> Option<Deferred<TextMatch>> {
        if let Some(diagnostic) = self.node(name).and_then(|node| unlikely_address(node, false)) {
            self.problems.add(diagnostic);
            return None;
        }
        self.given(name)
    }

    /// An expression.
    pub(super) fn expression(&mut self, name: &str) -> Option<Expression> {
        Expression::parse(self.node(name)?, self.problems)
    }

    /// A duration.
    pub(super) fn duration(&mut self, name: &str) -> Option<Duration> {
        let node = self.node(name)?;
        node.want_duration(&format!("`{name}`"), self.problems)
    }

    /// A number.
    pub(super) fn number(&mut self, name: &str) -> Option<f64> {
        let node = self.node(name)?;
        let number = node.json().as_f64();
        if number.is_none() {
            self.problems.add(
                wrong(&node.place, format!("`{name}` is a number"))
                    .label(format!("this is {}", node.kind_name()))
                    .next(format!("write digits alone: `{name}: 200`")),
            );
        }
        number
    }

    /// A whole number of at least `least`.
    pub(super) fn whole(&mut self, name: &str, least: u64) -> Option<u64> {
        let node = self.node(name)?;
        let number = node.json().as_u64().filter(|number| *number >= least);
        if number.is_none() {
            self.problems.add(
                wrong(&node.place, format!("`{name}` is a whole number of at least {least}"))
                    .label("not such a number")
                    .next(format!("write digits alone: `{name}: {}`", least.max(3))),
            );
        }
        number
    }

    /// A whole number that may be known only when the step is performed.
    pub(super) fn whole_later(&mut self, name: &str, least: u64) -> Option<Deferred<Whole>> {
        if self.node(name)?.has_templates() {
            return self.given(name);
        }
        self.whole(name, least).map(|number| Deferred::Ready(Whole(number)))
    }

    /// Yes or no; false when not written.
    pub(super) fn flag(&mut self, name: &str) -> bool {
        let Some(node) = self.node(name) else { return false };
        if let serde_json::Value::Bool(value) = node.json() {
            return value;
        }
        self.problems.add(not_a_flag(name, &node.place));
        false
    }

    /// One of the words that the field declares.
    pub(super) fn choice(&mut self, name: &str) -> Option<&'static str> {
        let node = self.node(name)?;
        let Some(Kind::Choice(words)) = self.spec.field(name).map(|field| field.kind) else { return None };
        let text = node.want_text(&format!("`{name}`"), self.problems)?;
        let found = words.iter().copied().find(|word| *word == text);
        if found.is_none() {
            let problem = wrong(&node.place, format!("`{name}` can't be `{}`", shown(text)));
            self.problems.add(match nearest(text, words.iter().copied()) {
                Some(near) => problem.label(format!("did you mean `{near}`?")).next(format!("write `{near}`")),
                None => problem.label("not known here").next(format!("write one of {}", words.join(", "))),
            });
        }
        found
    }

    /// The node of a field whose form is the verb's own affair.
    pub(super) fn raw(&self, name: &str) -> Option<&'a Node> {
        self.node(name)
    }

    /// The collector, for what reads nodes itself.
    pub(super) fn problems(&mut self) -> &mut Problems {
        self.problems
    }

    /// Free names with their values.
    pub(super) fn map(&mut self, name: &str) -> Option<&'a [(Key, Node)]> {
        self.node(name)?.want_map(&format!("`{name}`"), self.problems)
    }

    /// `{x, y}`, CSS pixels.
    pub(super) fn offset(&mut self, name: &str) -> Option<(f64, f64)> {
        let entries = self.map(name)?;
        let number =
            |name: &str| entries.iter().find(|(key, _)| key.name == name).and_then(|(_, node)| node.json().as_f64());
        match (number("x"), number("y"), entries.len()) {
            (Some(x), Some(y), 2) => Some((x, y)),
            _ => {
                let place = self.node(name)?.place.clone();
                self.problem(
                    wrong(&place, format!("`{name}` is `{{x: NUMBER, y: NUMBER}}`"))
                        .label("this is something else")
                        .next(format!("write `{name}: {{ x: 10, y: 10 }}`, in CSS pixels")),
                );
                None
            }
        }
    }

    /// Steps inside.
    pub(super) fn steps(&mut self, name: &str) -> Option<Vec<Step>> {
        self.steps_of(self.node(name)?, name)
    }

    /// Steps of a node that the verb reads itself.
    pub(super) fn steps_of(&mut self, node: &Node, name: &str) -> Option<Vec<Step>> {
        let before = self.problems.len();
        let raw = RawStep::list(node, &VOCABULARY, self.problems);
        let steps = compile(&raw, self.problems);
        if steps.is_empty() && self.problems.len() == before {
            self.problems.add(
                wrong(&node.place, format!("`{name}` holds no step"))
                    .label("nothing is listed here")
                    .next(format!("write at least one:\n{}", self.spec.example)),
            );
        }
        (self.problems.len() == before).then_some(steps)
    }
}

/// Where a word stands in a value, as a key or as a whole text.
fn place_of<'a>(node: &'a Node, word: &str) -> Option<&'a Place> {
    match &node.kind {
        NodeKind::Scalar { text, .. } => (text == word).then_some(&node.place),
        NodeKind::List(items) => items.iter().find_map(|item| place_of(item, word)),
        NodeKind::Map(entries) => {
            let key = entries.iter().find(|(key, _)| key.name == word).map(|(key, _)| &key.place);
            key.or_else(|| entries.iter().find_map(|(_, value)| place_of(value, word)))
        }
    }
}

/// A map is the verb's fields, unless its short form can be a map itself (a target) and none of the keys is a field.
fn takes_fields(spec: &Spec, entries: &[(Key, Node)]) -> bool {
    // What stands beside the verb does not stand in it as well.
    if !extras::beside(spec.name).is_empty() {
        return false;
    }
    match spec.short.and_then(|short| spec.field(short)).map(|field| field.kind) {
        Some(Kind::Map) => false,
        Some(Kind::Target) => entries.iter().any(|(key, _)| spec.field(&key.name).is_some()),
        _ => true,
    }
}

fn sort_fields<'a>(
    spec: &'static Spec,
    entries: &'a [(Key, Node)],
    problems: &mut Problems,
) -> Vec<(&'static Field, &'a Node)> {
    let mut fields = Vec::new();
    let mut cut = 0;
    for (index, (key, value)) in entries.iter().enumerate() {
        if index < cut {
            continue;
        }
        match spec.field(&key.name) {
            Some(field) => fields.push((field, value)),
            None if EXTRAS.iter().any(|extra| extra.name == key.name) => {
                problems.add(key.belongs_beside_the_verb(&format!("`{}`", spec.name)));
            }
            None => {
                if let Some((diagnostic, end)) = cut_by_comma(entries, index) {
                    problems.add(diagnostic);
                    cut = end;
                    continue;
                }
                if let Some(diagnostic) = elsewhere::said_otherwise(spec, key, value) {
                    problems.add(diagnostic);
                    continue;
                }
                let known: Vec<&str> = spec.fields.iter().map(|field| field.name).collect();
                problems.add(key.unknown(&format!("`{}` has no `{}`", spec.name, key.name), &known));
            }
        }
    }
    fields
}

/// The mistake, and the first entry behind it, where a text without quotes was cut by its commas: `{ name: a.csv, has: /^one,two/ }`.
fn cut_by_comma(entries: &[(Key, Node)], index: usize) -> Option<(Diagnostic, usize)> {
    let (before, value) = entries.get(index.checked_sub(1)?)?;
    if !matches!(&value.kind, NodeKind::Scalar { plain: true, .. }) {
        return None;
    }
    // A piece is a key without a colon.
    let is_piece = |(key, value): &&(Key, Node)| {
        let behind = key.place.source.text.get(key.place.range.end..).unwrap_or_default().trim_start();
        value.is_null() && behind.starts_with([',', '}'])
    };
    let pieces = entries.get(index..)?.iter().take_while(is_piece).count();
    let (last, _) = entries.get(index..index + pieces)?.last()?;
    let place = Place::new(&value.place.source, value.place.range.start..last.place.range.end);
    let whole = place.text().replace('\'', "''");
    let diagnostic = wrong(&place, "a comma ends a text between braces")
        .label("one text for a reader, several for YAML")
        .next(format!("put it in quotes: {}: '{whole}'", before.name));
    Some((diagnostic, index + pieces))
}

fn names(spec: &Spec) -> String {
    let names: Vec<String> = spec.fields.iter().map(|field| format!("`{}`", field.name)).collect();
    names.join(", ")
}

fn need(spec: &Spec, field: &Field) -> String {
    if spec.short == Some(field.name) {
        return field.kind.words();
    }
    format!("`{}`: {}", field.name, field.kind.words())
}
