//! What one verb is: everything that the reference, the schema, `check` and the runner know of it.

use super::arguments::Arguments;
use super::step::Action;

/// The groups of the reference, in its order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Group {
    /// Moving between documents.
    Going,
    /// Reading the page without changing it.
    Looking,
    /// What a person does to a page.
    Acting,
    /// Tabs of the browser context.
    Tabs,
    /// What stands around the page.
    Around,
    /// Waiting for something to happen.
    Waiting,
    /// What must be true.
    Asserting,
    /// The order of steps.
    Flow,
}

/// What a field of a verb holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Text, with `{{ … }}` filled in when the step is performed.
    Text,
    /// Text or `/regex/`.
    TextMatch,
    /// A target: an outline line, a name, `ref_3`, or a map.
    Target,
    /// A target, or a list of targets.
    Targets,
    /// An address with `*` for anything, or a `/regex/`.
    UrlPattern,
    /// Outline lines.
    Pattern,
    /// An expression.
    Expression,
    /// A duration: `300ms`, `5s`.
    Duration,
    /// A number.
    Number,
    /// Yes or no.
    Boolean,
    /// One of these words.
    Choice(&'static [&'static str]),
    /// One chord, or a list of keys held together.
    Keys,
    /// A text, or a list of texts.
    Texts,
    /// A list of steps.
    Steps,
    /// A map of free names.
    Map,
    /// A list, or an expression that gives one.
    List,
    /// A list of `{if, then}`.
    Branches,
    /// Anything: text, numbers, lists, maps.
    Value,
}

impl Kind {
    /// The kind in words, for "needs …" messages and the reference.
    #[must_use]
    pub fn words(self) -> String {
        match self {
            Kind::Text => "a text".into(),
            Kind::TextMatch => "a text or a /regex/".into(),
            Kind::Target => "a target, such as `button \"Save\"`".into(),
            Kind::Targets => "a target, or a list of targets".into(),
            Kind::UrlPattern => "an address or a part of it, `*` for anything, or a /regex/".into(),
            Kind::Pattern => "outline lines".into(),
            Kind::Expression => "an expression".into(),
            Kind::Duration => "a duration, such as 300ms or 5s".into(),
            Kind::Number => "a number".into(),
            Kind::Boolean => "true or false".into(),
            Kind::Choice(words) => format!("one of {}", words.join(", ")),
            Kind::Keys => "a key, such as Enter, w or Control+Shift+K, or a list of keys held together".into(),
            Kind::Texts => "a text, or a list of texts".into(),
            Kind::Steps => "a list of steps".into(),
            Kind::Map => "names with their values".into(),
            Kind::List => "a list, or an expression that gives one".into(),
            Kind::Branches => "a list of `{ if, then }`".into(),
            Kind::Value => "any value".into(),
        }
    }
}

/// One argument of a verb.
#[derive(Clone, Copy, Debug)]
pub struct Field {
    /// Its key.
    pub name: &'static str,
    /// What it holds.
    pub kind: Kind,
    /// A sentence for the reference and the editor.
    pub doc: &'static str,
    /// Whether the step makes no sense without it.
    pub required: bool,
}

/// A field that may be left out.
pub(super) const fn field(name: &'static str, kind: Kind, doc: &'static str) -> Field {
    Field { name, kind, doc, required: false }
}

/// A field that the step can't do without.
pub(super) const fn required(name: &'static str, kind: Kind, doc: &'static str) -> Field {
    Field { name, kind, doc, required: true }
}

/// One verb.
#[derive(Debug)]
pub struct Spec {
    /// The verb as it is written.
    pub name: &'static str,
    /// Its place in the reference.
    pub group: Group,
    /// One sentence.
    pub summary: &'static str,
    /// The field that `verb: VALUE` fills when VALUE isn't a map of fields.
    pub short: Option<&'static str>,
    /// Its arguments.
    pub fields: &'static [Field],
    /// A step that shows it; the tests compile it.
    pub example: &'static str,
    /// From arguments to something that can be performed; `None` when a problem was told.
    pub build: fn(&mut Arguments<'_>) -> Option<Box<dyn Action>>,
}

impl Spec {
    /// The field of that name.
    #[must_use]
    pub fn field(&self, name: &str) -> Option<&'static Field> {
        self.fields.iter().find(|field| field.name == name)
    }
}
