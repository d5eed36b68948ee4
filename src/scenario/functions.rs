//! What expressions can call, and comparisons that are never silently wrong.

use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};

use minijinja::value::{Rest, ValueKind};
use minijinja::{Environment, Error, ErrorKind, UndefinedBehavior, Value};

use super::analysis::{COMPARE, OPERATE};
use super::values::Values;
use crate::outline::{self, LinePattern, Outline, Pattern, PatternError};

/// Functions that expressions can call.
pub(super) const FUNCTIONS: &[&str] = &["random", "cycle", "count", "has", "range"];

/// Filters, as the reference has them.
pub(super) const FILTERS: &[&str] = &[
    "abs",
    "bool",
    "capitalize",
    "count",
    "d",
    "default",
    "dictsort",
    "first",
    "float",
    "groupby",
    "int",
    "items",
    "join",
    "last",
    "length",
    "lines",
    "list",
    "lower",
    "map",
    "max",
    "min",
    "reject",
    "rejectattr",
    "replace",
    "reverse",
    "round",
    "select",
    "selectattr",
    "sort",
    "split",
    "string",
    "sum",
    "title",
    "tojson",
    "trim",
    "unique",
    "upper",
];

/// Tests, as the reference has them.
pub(super) const TESTS: &[&str] = &[
    "boolean",
    "defined",
    "divisibleby",
    "endingwith",
    "eq",
    "equalto",
    "even",
    "false",
    "float",
    "ge",
    "gt",
    "in",
    "integer",
    "iterable",
    "le",
    "lower",
    "lt",
    "mapping",
    "ne",
    "none",
    "number",
    "odd",
    "sequence",
    "startingwith",
    "string",
    "true",
    "undefined",
    "upper",
];

/// Tests that compare, and the comparison each is.
const COMPARING: &[(&str, &str)] = &[
    ("eq", "=="),
    ("equalto", "=="),
    ("==", "=="),
    ("ne", "!="),
    ("!=", "!="),
    ("lt", "<"),
    ("lessthan", "<"),
    ("<", "<"),
    ("le", "<="),
    ("<=", "<="),
    ("gt", ">"),
    ("greaterthan", ">"),
    (">", ">"),
    ("ge", ">="),
    (">=", ">="),
    ("in", "in"),
];

/// The one environment of all expressions: it holds nothing that changes.
pub(super) static ENVIRONMENT: LazyLock<Environment<'static>> = LazyLock::new(|| {
    let mut environment = Environment::new();
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    // They take a size, and would set aside as much memory as it says.
    for name in ["indent", "batch", "slice"] {
        environment.remove_filter(name);
    }
    environment.add_function(COMPARE, chain);
    environment.add_function(OPERATE, calculate);
    for (name, operator) in COMPARING {
        environment.add_test(*name, |left: &Value, right: &Value| compare(left, operator, right));
    }
    environment
});

/// A function that depends on the values.
pub(super) fn function(name: &str, values: &Values) -> Option<Value> {
    match name {
        "random" => {
            let random = values.random.clone();
            Some(Value::from_function(move |low: Option<i64>, high: Option<i64>| match (low, high) {
                (None, None) => Ok(Value::from(random.fraction())),
                (Some(low), Some(high)) => Ok(Value::from(random.between(low, high))),
                _ => Err(wrong("random() takes no number or two", "write random(), or random(1, 6)")),
            }))
        }
        "cycle" => {
            let cycles = values.cycles.clone();
            Some(Value::from_function(move |items: Rest<Value>| {
                let key = format!("{:?}", items.0);
                let count = items.0.len();
                match items.0.into_iter().nth(cycles.turn(key) % count.max(1)) {
                    Some(item) => Ok(item),
                    None => Err(wrong("cycle() has nothing to cycle through", "write cycle(\"Left\", \"Right\")")),
                }
            }))
        }
        "count" => {
            let outline = values.outline.clone();
            Some(Value::from_function(move |pattern: String| {
                let outline = page(outline.as_ref())?;
                let text = pattern;
                let pattern = LinePattern::parse(&text).map_err(|error| wrong(&error.message, PATTERN_NEXT))?;
                pattern.unknown_role(&text).map_or(Ok(()), |error| Err(no_role(&error)))?;
                Ok(outline.lines.iter().filter(|line| pattern.matches(line)).count())
            }))
        }
        "has" => {
            let outline = values.outline.clone();
            Some(Value::from_function(move |pattern: String| {
                let outline = page(outline.as_ref())?;
                let pattern = Pattern::parse(&pattern).map_err(|error| wrong(&error.message, PATTERN_NEXT))?;
                pattern.unknown_role().map_or(Ok(()), |error| Err(no_role(&error)))?;
                Ok(outline::contains(outline, &pattern).is_ok())
            }))
        }
        _ => None,
    }
}

/// A role that no browser gives, in a pattern that was put together while the scenario ran.
fn no_role(error: &PatternError) -> Error {
    wrong(&error.message, error.next.as_deref().unwrap_or(PATTERN_NEXT))
}

const PATTERN_NEXT: &str = "write an outline line, such as count('button \"Save\"')";

fn page(outline: Option<&Arc<Outline>>) -> Result<&Outline, Error> {
    outline.map(Arc::as_ref).ok_or_else(|| absent("there is no page yet", "`open` one first"))
}

/// An error whose first line is what is wrong and whose second is what to do.
pub(super) fn wrong(message: &str, next: &str) -> Error {
    Error::new(ErrorKind::InvalidOperation, format!("{message}\n{next}"))
}

fn absent(message: &str, next: &str) -> Error {
    Error::new(ErrorKind::UndefinedError, format!("{message}\n{next}"))
}

/// `a < b <= c`: operands and operators by turns.
fn chain(words: Rest<Value>) -> Result<bool, Error> {
    let mut left = words.first();
    for pair in words.get(1..).unwrap_or_default().chunks(2) {
        let (Some(first), [operator, right]) = (left, pair) else {
            break;
        };
        if !compare(first, operator.as_str().unwrap_or_default(), right)? {
            return Ok(false);
        }
        left = Some(right);
    }
    Ok(true)
}

fn compare(left: &Value, operator: &str, right: &Value) -> Result<bool, Error> {
    for value in [left, right] {
        if value.is_undefined() {
            return Err(absent("a value is missing", "give it a value before this step, or ask `is defined`"));
        }
    }
    match operator {
        "==" => same(left, operator, right),
        "!=" => same(left, operator, right).map(|same| !same),
        "in" => within(left, operator, right),
        "not in" => within(left, operator, right).map(|within| !within),
        _ => ordered(left, operator, right),
    }
}

fn same(left: &Value, operator: &str, right: &Value) -> Result<bool, Error> {
    if left.is_none() || right.is_none() {
        return Ok(left.is_none() && right.is_none());
    }
    if kind(left) == kind(right) { Ok(left == right) } else { Err(unlike(left, operator, right)) }
}

fn ordered(left: &Value, operator: &str, right: &Value) -> Result<bool, Error> {
    let kinds = (kind(left), kind(right));
    if kinds.0 == NOTHING || kinds.1 == NOTHING {
        let message = format!("there is nothing to compare in {}", drawn(left, operator, right));
        return Err(absent(&message, "ask first whether it is there: `x is not none and …`"));
    }
    if !matches!(kinds, (NUMBER, NUMBER) | (TEXT, TEXT)) {
        return Err(unlike(left, operator, right));
    }
    Ok(match operator {
        "<" => left < right,
        "<=" => left <= right,
        ">" => left > right,
        _ => left >= right,
    })
}

fn within(left: &Value, operator: &str, right: &Value) -> Result<bool, Error> {
    match right.kind() {
        ValueKind::String => match (left.as_str(), right.as_str()) {
            (Some(part), Some(whole)) => Ok(whole.contains(part)),
            _ => Err(unlike(left, operator, right)),
        },
        ValueKind::Map => match left.as_str() {
            Some(key) => Ok(right.get_attr(key).is_ok_and(|value| !value.is_undefined())),
            None => Err(unlike(left, operator, right)),
        },
        ValueKind::None => Err(absent(
            &format!("there is nothing to look in: {}", drawn(left, operator, right)),
            "ask first whether it is there: `x is not none and …`",
        )),
        _ => {
            let mut unfit = None;
            for item in right.try_iter()? {
                match same(left, operator, &item) {
                    Ok(true) => return Ok(true),
                    Ok(false) => {}
                    Err(error) => unfit = Some(error),
                }
            }
            unfit.map_or(Ok(false), Err)
        }
    }
}

/// `a + b - c`: operands and operators that bind alike by turns, from left to right.
fn calculate(words: Rest<Value>) -> Result<Value, Error> {
    let mut left = words.first().cloned().unwrap_or_default();
    for pair in words.get(1..).unwrap_or_default().chunks(2) {
        let [operator, right] = pair else { break };
        left = operate(&left, operator.as_str().unwrap_or_default(), right)?;
    }
    Ok(left)
}

fn operate(left: &Value, operator: &str, right: &Value) -> Result<Value, Error> {
    for value in [left, right] {
        if value.is_undefined() {
            return Err(absent("a value is missing", "give it a value before this step, or ask `is defined`"));
        }
    }
    if operator == "~" {
        return Ok(Value::from(format!("{}{}", written(left), written(right))));
    }
    let kinds = (kind(left), kind(right));
    if kinds.0 == NOTHING || kinds.1 == NOTHING {
        let message = format!("there is nothing to calculate with in {}", drawn(left, operator, right));
        return Err(absent(&message, "ask first whether it is there, or say what stands for it: `x|default(0, true)`"));
    }
    let fit = match kinds {
        (NUMBER, NUMBER) => true,
        (TEXT, TEXT) | (LIST, LIST) => operator == "+",
        _ => false,
    };
    if !fit {
        let next = match (kinds, operator) {
            ((TEXT, NUMBER) | (NUMBER, TEXT), "+") => {
                "turn the text into a number with `|float` or `|int`; to join texts, write `~` for `+`"
            }
            ((TEXT, _) | (_, TEXT), _) => "turn the text into a number with `|float` or `|int`",
            _ => "`+ - * / // % **` calculate with numbers; `+` joins two texts, or two lists",
        };
        let message = format!("{} calculates with {} and {}", drawn(left, operator, right), kinds.0, kinds.1);
        return Err(wrong(&message, next));
    }
    match OPERATORS.get(operator) {
        Some(Ok(expression)) => expression.eval(minijinja::context! { a => left, b => right }).map_err(|error| {
            let detail = error.detail().map_or_else(|| error.kind().to_string(), str::to_owned);
            wrong(&format!("{} can't be worked out: {detail}", drawn(left, operator, right)), "look at its two values")
        }),
        Some(Err(error)) => Err(Error::new(error.kind(), error.to_string())),
        None => Err(wrong(&format!("there is no operator `{operator}`"), "write + - * / // % or **")),
    }
}

/// Each operator as the interpreter has it.
static OPERATORS: LazyLock<BTreeMap<&str, Result<minijinja::Expression<'static, 'static>, Error>>> =
    LazyLock::new(|| {
        let all = ["+", "-", "*", "/", "//", "%", "**"];
        all.into_iter().map(|sign| (sign, ENVIRONMENT.compile_expression_owned(format!("a {sign} b")))).collect()
    });

const TEXT: &str = "text";
const LIST: &str = "a list";
const NUMBER: &str = "a number";
const NOTHING: &str = "nothing";

fn kind(value: &Value) -> &'static str {
    match value.kind() {
        ValueKind::Undefined | ValueKind::None => NOTHING,
        ValueKind::Bool => "true or false",
        ValueKind::Number => NUMBER,
        ValueKind::String => TEXT,
        ValueKind::Map => "a map",
        _ => LIST,
    }
}

fn unlike(left: &Value, operator: &str, right: &Value) -> Error {
    let kinds = (kind(left), kind(right));
    let next = match kinds {
        (TEXT, NUMBER) | (NUMBER, TEXT) => {
            "turn the text into a number with `|int` or `|float`, or put the number in quotes"
        }
        _ => "compare values of one kind",
    };
    wrong(&format!("{} compares {} with {}", drawn(left, operator, right), kinds.0, kinds.1), next)
}

fn drawn(left: &Value, operator: &str, right: &Value) -> String {
    let one = |value: &Value| match value.as_str() {
        Some(text) => format!("\"{}\"", super::shown(text)),
        None => super::shown(&written(value)),
    };
    format!("{} {operator} {}", one(left), one(right))
}

/// A value as text: booleans and nothing as scenarios and pages write them, not as Python does.
pub(super) fn written(value: &Value) -> String {
    match value.kind() {
        ValueKind::Bool if value.is_true() => "true".to_owned(),
        ValueKind::Bool => "false".to_owned(),
        ValueKind::None => "none".to_owned(),
        _ => value.to_string(),
    }
}
