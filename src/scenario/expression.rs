//! Expressions: `over or score >= 2000`.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::{Arc, LazyLock};

use minijinja::value::ValueKind;
use minijinja::{ErrorKind, Value};
use serde_json::{Map, Number};

use super::analysis::{self, Analysis, SPELLED};
use super::deferred::{DOES_NOT_PARSE, MATCHES_NOTHING};
use super::diagnostic::{Diagnostic, Problems, nearest, shown};
use super::functions::{self, ENVIRONMENT};
use super::names::Names;
use super::node::Node;
use super::source::Place;
use super::tokens::{Token, tokens};
use super::values::{Reason, ValueError, Values};
use crate::outline::Pattern;

/// The longest expression. What is longer is data.
const MAX_LENGTH: usize = 10_000;
/// How deep a value of the scope may nest.
const MAX_DEPTH: usize = 128;

/// An expression that parses; its names are checked by [`Problems::check_names`].
#[derive(Clone)]
pub struct Expression {
    compiled: Arc<minijinja::Expression<'static, 'static>>,
    text: String,
    place: Place,
    names: Names,
    functions: Vec<String>,
    /// The way to its value in the scope, where it is nothing but that: what is found there keeps its spelling.
    path: Option<Vec<String>>,
    /// Whether it joins texts.
    joins: bool,
}

impl std::fmt::Debug for Expression {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Expression").field(&self.text).finish()
    }
}

/// As it was written, without braces.
impl std::fmt::Display for Expression {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&shown(&self.text))
    }
}

impl Expression {
    /// Reads an expression, bare or in `{{ }}`.
    pub fn parse(node: &Node, problems: &mut Problems) -> Option<Expression> {
        if let Some(inner) = unquoted_braces(node) {
            problems.add(
                Diagnostic::new("an expression stands here without braces")
                    .at(node.place.clone())
                    .label("`{{` begins a map")
                    .next(format!("write {}", shown(inner))),
            );
            return None;
        }
        let text = node.want_text("an expression", problems)?;
        let trimmed = text.trim();
        let start = text.len() - text.trim_start().len();
        let inner = trimmed.strip_prefix("{{").and_then(|inner| inner.strip_suffix("}}"));
        match inner {
            Some(inner) => Expression::parse_part(node, start + 2..start + 2 + inner.len(), problems),
            None => Expression::parse_part(node, start..start + trimmed.len(), problems),
        }
    }

    /// Reads the expression in a part of a node's text.
    pub(super) fn parse_part(node: &Node, part: Range<usize>, problems: &mut Problems) -> Option<Expression> {
        let text = node.text()?.get(part.clone())?;
        match compile(text) {
            Ok((compiled, analysis)) => {
                let mut names = Names::default();
                for (name, range) in &analysis.names {
                    names.names.insert(name.clone());
                    problems.mention(name, node.place_in(part.start + range.start..part.start + range.end));
                }
                let functions: Vec<String> = analysis.functions.into_iter().map(|(name, _)| name).collect();
                names.page = functions.iter().any(|name| name == "count" || name == "has");
                let trimmed = text.trim();
                let start = part.start + text.len() - text.trim_start().len();
                let place = node.place_in(start..start + trimmed.len());
                let compiled = Arc::new(compiled);
                let (path, joins) = (analysis.path, analysis.strict.contains(SPELLED));
                Some(Expression { compiled, text: trimmed.to_owned(), place, names, functions, path, joins })
            }
            Err(faults) => {
                for fault in faults {
                    let range = part.start + fault.range.start..part.start + fault.range.end;
                    problems.add(fault.diagnostic.at(node.place_in(range)));
                }
                None
            }
        }
    }

    /// What it needs.
    pub fn names(&self) -> &Names {
        &self.names
    }

    /// What it is made of, with the values: its names, and what `count('…')` and `has('…')` found.
    pub fn parts(&self, values: &Values) -> Vec<(String, serde_json::Value)> {
        static LOOK: LazyLock<Option<regex::Regex>> =
            LazyLock::new(|| regex::Regex::new(r#"\b(?:count|has)\((?:'[^'\\]*'|"[^"\\]*")\)"#).ok());
        let mut parts: Vec<(String, serde_json::Value)> = Vec::new();
        for name in &self.names.names {
            let root = name.split('.').next().unwrap_or(name);
            // The values of `env` and `secret` are nobody's business.
            if let Some(value) = values.scope.get(root).filter(|_| !matches!(root, "env" | "secret")) {
                parts.push((name.clone(), value.clone()));
            }
        }
        for look in LOOK.iter().flat_map(|look| look.find_iter(&self.text)) {
            let text = look.as_str();
            let value = compile(text).ok().and_then(|(compiled, analysis)| {
                let functions = analysis.functions.into_iter().map(|(name, _)| name).collect();
                let names = Names { page: true, ..Names::default() };
                let (text, place) = (text.to_owned(), self.place.clone());
                let compiled = Arc::new(compiled);
                Expression { compiled, text, place, names, functions, path: None, joins: false }.evaluate(values).ok()
            });
            if let Some(value) = value.filter(|_| !parts.iter().any(|(part, _)| part == text)) {
                parts.push((text.to_owned(), value));
            }
        }
        // An expression that is one of its parts has been told as a whole.
        parts.retain(|(part, _)| *part != self.text);
        parts
    }

    /// Where it stands.
    pub fn place(&self) -> &Place {
        &self.place
    }

    /// Its value.
    pub fn evaluate(&self, values: &Values) -> Result<serde_json::Value, ValueError> {
        let value = self.value(values)?;
        match self.as_it_stands(values) {
            Some(found) => Ok(found.clone()),
            None => json(&value, 0).map_err(|message| self.error(message, None, Reason::Wrong)),
        }
    }

    /// What stands in the scope, where the expression is nothing but the way to it.
    fn as_it_stands<'a>(&self, values: &'a Values) -> Option<&'a serde_json::Value> {
        at_path(values, self.path.as_deref()?).filter(|value| !value.is_null())
    }

    /// Whether it holds. Only `true` and `false` are conditions, and nothing, which does not hold: a text such as "false"
    /// must not be taken for a yes.
    pub fn holds(&self, values: &Values) -> Result<bool, ValueError> {
        let value = self.value(values)?;
        match value.kind() {
            ValueKind::Bool => Ok(value.is_true()),
            ValueKind::None => Ok(false),
            kind => {
                let what = match kind {
                    ValueKind::Number => "a number",
                    ValueKind::String => "text",
                    _ => "a list or map",
                };
                let message = format!("`{self}` is {what} ({}), not true or false", shown(&value.to_string()));
                let next = match kind {
                    ValueKind::Number => format!("compare it: `{self} > 0`"),
                    ValueKind::String => format!("compare it: `{self} != \"\"`"),
                    _ => format!("compare it: `{self}|length > 0`"),
                };
                Err(self.error(message, Some(next), Reason::Wrong))
            }
        }
    }

    /// Its value as it stands in text.
    pub(super) fn render(&self, values: &Values) -> Result<String, ValueError> {
        let value = self.value(values)?;
        if let Some(found) = self.as_it_stands(values).filter(|found| !found.is_string()) {
            return Ok(found.to_string());
        }
        match value.kind() {
            ValueKind::None => {
                let message = format!("`{self}` is nothing here");
                let next = format!("give it a value, or say what stands for it: {{{{ {self}|default(\"…\", true) }}}}");
                Err(self.error(message, Some(next), Reason::Absent))
            }
            ValueKind::String | ValueKind::Number | ValueKind::Bool => Ok(functions::written(&value)),
            _ => match json(&value, 0) {
                Ok(json) => Ok(json.to_string()),
                Err(message) => Err(self.error(message, None, Reason::Wrong)),
            },
        }
    }

    fn value(&self, values: &Values) -> Result<Value, ValueError> {
        let mut scope: BTreeMap<String, Value> = BTreeMap::new();
        for name in &self.names.names {
            let root = name.split('.').next().unwrap_or(name);
            if let Some(value) = values.scope.get(root) {
                let value = jinja(value, 0).map_err(|message| self.error(message, None, Reason::Wrong))?;
                scope.insert(root.to_owned(), value);
            }
        }
        for name in &self.functions {
            if let Some(function) = functions::function(name, values) {
                scope.insert(name.clone(), function);
            }
        }
        if self.joins {
            let values = values.clone();
            let spelled = move |path: String, value: Value| spelled(&values, &path).map_or(value, Value::from);
            scope.insert(SPELLED.to_owned(), Value::from_function(spelled));
        }
        let value = self.compiled.eval(Value::from(scope)).map_err(|error| self.failed(&error, values))?;
        if value.is_undefined() { Err(self.missing(values)) } else { Ok(value) }
    }

    fn failed(&self, error: &minijinja::Error, values: &Values) -> ValueError {
        let absent = error.kind() == ErrorKind::UndefinedError;
        match error.detail().and_then(|detail| detail.split_once('\n')) {
            Some((message, next)) => {
                let reason = if absent { Reason::Absent } else { Reason::Wrong };
                if absent && message == "a value is missing" {
                    return self.missing(values);
                }
                self.error(message.to_owned(), Some(next.to_owned()), reason)
            }
            // Operators call it an unsupported type.
            None if absent || error.detail().is_some_and(|detail| detail.contains("undefined")) => self.missing(values),
            None => {
                let message = error.detail().map_or_else(|| error.kind().to_string(), str::to_owned);
                self.error(format!("`{self}` can't be worked out: {message}"), None, Reason::Wrong)
            }
        }
    }

    /// Which of the names has no value.
    fn missing(&self, values: &Values) -> ValueError {
        let absent = self.names.names.iter().find(|name| !is_there(name, values));
        match absent {
            Some(name) => {
                let near = nearest(name, values.scope.keys().map(String::as_str));
                let next = match near {
                    Some(near) => format!("did you mean `{near}`?"),
                    None => "give it a value before this step".to_owned(),
                };
                self.error(format!("`{name}` has no value here"), Some(next), Reason::Absent)
            }
            None => {
                let message = format!("`{self}` has no value here");
                let next = "look at the names behind its dots and brackets".to_owned();
                self.error(message, Some(next), Reason::Absent)
            }
        }
    }

    fn error(&self, message: String, next: Option<String>, reason: Reason) -> ValueError {
        ValueError { message, next, place: Some(self.place.clone()), reason }
    }
}

/// What is found in the scope.
fn at_path<'a>(values: &'a Values, path: &[String]) -> Option<&'a serde_json::Value> {
    let (root, members) = path.split_first()?;
    members.iter().try_fold(values.scope.get(root)?, |value, member| match value {
        serde_json::Value::Array(items) => items.get(member.parse::<usize>().ok()?),
        other => other.get(member),
    })
}

/// A number of the scope as it was written.
fn spelled(values: &Values, path: &str) -> Option<String> {
    let words: Vec<Token> = tokens(path, 0).collect::<Result<_, _>>().ok()?;
    let path = analysis::analyse(path, &words).path?;
    at_path(values, &path).filter(|value| value.is_number()).map(ToString::to_string)
}

fn is_there(name: &str, values: &Values) -> bool {
    match name.split_once('.') {
        Some((root, member)) => values.scope.get(root).is_some_and(|value| value.get(member).is_some()),
        None => values.scope.contains_key(name),
    }
}

/// `until: {{ over }}` without quotes is a map to YAML.
fn unquoted_braces(node: &Node) -> Option<&str> {
    node.entries()?;
    let inner = node.place.text().strip_prefix("{{")?;
    Some(inner.split("}}").next().unwrap_or(inner).trim())
}

/// What is wrong in an expression, and where in its text.
struct Fault {
    range: Range<usize>,
    diagnostic: Diagnostic,
}

type Compiled = (minijinja::Expression<'static, 'static>, Analysis);

fn compile(text: &str) -> Result<Compiled, Vec<Fault>> {
    let whole = 0..text.len();
    let fault = |range: Range<usize>, title: &str, label: &str, next: &str| {
        vec![Fault { range, diagnostic: Diagnostic::new(title).label(label).next(next) }]
    };
    if text.trim().is_empty() {
        return Err(fault(whole, "an expression is missing", "nothing is here", "write one, such as `score >= 300`"));
    }
    if text.len() > MAX_LENGTH {
        let title = format!("an expression is longer than {MAX_LENGTH} characters");
        return Err(fault(whole, &title, "", "put data in `variables:`"));
    }
    let mut words: Vec<Token> = Vec::new();
    for token in tokens(text, 0) {
        match token {
            Ok(token) => words.push(token),
            Err(at) => {
                return Err(fault(
                    at..text.len(),
                    "this text has no closing quote",
                    "it begins here",
                    "close the quote",
                ));
            }
        }
    }
    let unready = |error: &minijinja::Error| {
        let range = error.range().filter(|range| range.end <= text.len() && text.get(range.clone()).is_some());
        let range = range.filter(|range| !range.is_empty()).unwrap_or(whole.clone());
        let label = error.detail().unwrap_or("this can't be read").to_owned();
        let next = advice(text, &words);
        vec![Fault { range, diagnostic: Diagnostic::new("this expression does not parse").label(label).next(next) }]
    };
    ENVIRONMENT.compile_expression(text).map_err(|error| unready(&error))?;
    let analysis = analysis::analyse(text, &words);
    let faults = unknown(&analysis);
    if !faults.is_empty() {
        return Err(faults);
    }
    let strict = analysis.strict.clone();
    let compiled = ENVIRONMENT.compile_expression_owned(strict).map_err(|error| unready(&error))?;
    Ok((compiled, analysis))
}

/// What people write who come from another language.
fn advice(text: &str, words: &[Token]) -> &'static str {
    let signs: Vec<&str> = words.iter().filter_map(|token| text.get(token.range.clone())).collect();
    let pair = |first: &str, second: &str| signs.windows(2).any(|pair| pair == [first, second]);
    if pair("&", "&") {
        "write `and` for `&&`"
    } else if pair("|", "|") {
        "write `or` for `||`"
    } else if signs.contains(&"!") {
        "write `not` for `!`"
    } else if pair("==", "=") {
        "write `==` for `===`"
    } else if signs.contains(&"=") {
        "write `==` to compare"
    } else if signs.contains(&"?") {
        "write `a if condition else b`"
    } else if signs.contains(&"{") {
        "write the expression without `{{ }}`, or all of it inside"
    } else if signs.windows(2).any(|pair| pair.iter().all(|sign| is_plain_word(sign))) {
        "put text in quotes, as in `title == 'Sign in'`"
    } else if signs.iter().filter(|sign| **sign == "(").count() > signs.iter().filter(|sign| **sign == ")").count() {
        "a `(` is not closed: write `)` where it ends"
    } else {
        "an expression reads like `over or score >= 2000`"
    }
}

/// Whether it is a word that means nothing to an expression by itself.
fn is_plain_word(sign: &str) -> bool {
    const MEANS: [&str; 10] = ["and", "or", "not", "in", "is", "if", "else", "true", "false", "none"];
    sign.starts_with(|c: char| c.is_alphabetic()) && !MEANS.contains(&sign.to_lowercase().as_str())
}

/// Functions, filters and tests that do not exist, and patterns that do not parse.
fn unknown(analysis: &Analysis) -> Vec<Fault> {
    let mut faults = Vec::new();
    let kinds = [
        ("function", &analysis.functions, functions::FUNCTIONS),
        ("filter", &analysis.filters, functions::FILTERS),
        ("test", &analysis.tests, functions::TESTS),
    ];
    for (kind, found, known) in kinds {
        for (name, range) in found.iter().filter(|(name, _)| !known.contains(&name.as_str())) {
            let diagnostic = Diagnostic::new(format!("there is no {kind} `{}`", shown(name)));
            let diagnostic = match nearest(name, known.iter().copied()) {
                Some(near) => diagnostic.label(format!("did you mean `{near}`?")).next(format!("write `{near}`")),
                None => diagnostic.label("not known here").next(format!("known here: {}", known.join(", "))),
            };
            faults.push(Fault { range: range.clone(), diagnostic });
        }
    }
    for (literal, range) in &analysis.patterns {
        let decoded = ENVIRONMENT.compile_expression(literal).and_then(|literal| literal.eval(()));
        let Some(Ok(pattern)) = decoded.ok().and_then(|text| text.as_str().map(str::to_owned)).map(Ok::<_, ()>) else {
            continue;
        };
        let wrong = match Pattern::parse(&pattern) {
            Ok(pattern) => pattern.unknown_role().map(|error| (error, MATCHES_NOTHING)),
            Err(error) => Some((error, DOES_NOT_PARSE)),
        };
        if let Some((error, title)) = wrong {
            // Without escapes the literal's inside is the pattern.
            let inner = range.start + 1 + error.range.start..range.start + 1 + error.range.end;
            let range = if literal.contains('\\') { range.clone() } else { inner };
            let mut diagnostic = Diagnostic::new(title).label(error.message);
            diagnostic.next = match error.meant {
                Some(line) => Some(format!("{}, inside of the other ones: '{line}'", error.next.unwrap_or_default())),
                None => error.next,
            };
            faults.push(Fault { range, diagnostic });
        }
    }
    faults
}

fn jinja(value: &serde_json::Value, depth: usize) -> Result<Value, String> {
    if depth > MAX_DEPTH {
        return Err("a value is nested too deeply".to_owned());
    }
    Ok(match value {
        serde_json::Value::Null => Value::from(()),
        serde_json::Value::Bool(yes) => Value::from(*yes),
        serde_json::Value::Number(number) => match (number.as_i64(), number.as_u64()) {
            (Some(number), _) => Value::from(number),
            (None, Some(number)) => Value::from(number),
            _ => Value::from(number.as_f64().unwrap_or_default()),
        },
        serde_json::Value::String(text) => Value::from(text.as_str()),
        serde_json::Value::Array(items) => {
            items.iter().map(|item| jinja(item, depth + 1)).collect::<Result<Vec<_>, _>>()?.into()
        }
        serde_json::Value::Object(entries) => {
            let entries = entries.iter().map(|(key, value)| Ok((key.clone(), jinja(value, depth + 1)?)));
            Value::from(entries.collect::<Result<BTreeMap<_, _>, String>>()?)
        }
    })
}

fn json(value: &Value, depth: usize) -> Result<serde_json::Value, String> {
    if depth > MAX_DEPTH {
        return Err("a value is nested too deeply".to_owned());
    }
    Ok(match value.kind() {
        ValueKind::Undefined | ValueKind::None => serde_json::Value::Null,
        ValueKind::Bool => serde_json::Value::Bool(value.is_true()),
        ValueKind::Number => number(value).map(serde_json::Value::Number).ok_or("a number is not finite")?,
        ValueKind::String => value.as_str().unwrap_or_default().into(),
        ValueKind::Map => {
            let mut entries = Map::new();
            for key in value.try_iter().map_err(|error| error.to_string())? {
                let item = value.get_item(&key).map_err(|error| error.to_string())?;
                entries.insert(key.to_string(), json(&item, depth + 1)?);
            }
            serde_json::Value::Object(entries)
        }
        ValueKind::Seq | ValueKind::Iterable => {
            let items = value.try_iter().map_err(|error| error.to_string())?;
            items.map(|item| json(&item, depth + 1)).collect::<Result<Vec<_>, _>>()?.into()
        }
        _ => value.to_string().into(),
    })
}

fn number(value: &Value) -> Option<Number> {
    if value.is_integer() {
        if let Ok(whole) = i64::try_from(value.clone()) {
            return Some(whole.into());
        }
        if let Ok(whole) = u64::try_from(value.clone()) {
            return Some(whole.into());
        }
    }
    f64::try_from(value.clone()).ok().and_then(Number::from_f64)
}
