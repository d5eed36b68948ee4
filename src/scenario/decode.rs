//! What a plain scalar says: the one place where serde_yaml decides.

use serde_json::{Number, Value};

/// Nothing, however YAML writes it.
pub(super) fn is_null(text: &str) -> bool {
    matches!(text, "" | "~" | "null" | "Null" | "NULL")
}

/// A plain scalar as YAML's number, boolean or null, else its text.
pub(super) fn yaml_value(text: &str) -> Value {
    // Only these can begin something other than text; it spares the decoder most texts, and documents of its own.
    let maybe = text.starts_with(|c: char| c.is_ascii_digit() || "+-.~tTfFnN".contains(c));
    if is_null(text) || text.is_empty() {
        return Value::Null;
    }
    if !maybe || text.len() > 64 || text.contains(char::is_whitespace) {
        return Value::String(text.to_owned());
    }
    match serde_yaml::from_str::<serde_yaml::Value>(text) {
        Ok(serde_yaml::Value::Bool(yes)) => Value::Bool(yes),
        Ok(serde_yaml::Value::Number(number)) => json_number(&number).map_or_else(|| text.into(), Value::Number),
        _ => Value::String(text.to_owned()),
    }
}

/// A plain scalar as [`yaml_value`], but a number only where it prints back as it was written.
pub(super) fn faithful_value(text: &str) -> Value {
    match yaml_value(text) {
        Value::Number(number) if number.to_string() != text => Value::String(text.to_owned()),
        value => value,
    }
}

/// The number that a text reads as, if it prints back the same: `12` and `-0.5`, but not `007`, `1e3` or `12.10`.
pub fn number(text: &str) -> Option<Number> {
    match faithful_value(text) {
        Value::Number(number) => Some(number),
        _ => None,
    }
}

fn json_number(number: &serde_yaml::Number) -> Option<Number> {
    if let Some(whole) = number.as_i64() {
        return Some(whole.into());
    }
    if let Some(whole) = number.as_u64() {
        return Some(whole.into());
    }
    // Not-a-number and infinity are not JSON; they stay the text they were.
    number.as_f64().and_then(Number::from_f64)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

    use super::*;
    use serde_json::json;

    #[test]
    fn yaml_numbers_are_numbers_in_json() {
        let cases = [
            ("12", json!(12)),
            ("-3", json!(-3)),
            ("12.10", json!(12.1)),
            ("1e3", json!(1000.0)),
            ("true", json!(true)),
            ("~", json!(null)),
            ("null", json!(null)),
            ("", json!(null)),
            ("no", json!("no")),
            ("on", json!("on")),
            ("007", json!("007")),
            ("2031-02-03", json!("2031-02-03")),
            ("12:30", json!("12:30")),
            (".nan", json!(".nan")),
            (".inf", json!(".inf")),
            ("- x", json!("- x")),
            ("---", json!("---")),
            ("18446744073709551615", json!(18446744073709551615_u64)),
        ];
        for (text, value) in cases {
            assert_eq!(yaml_value(text), value, "{text}");
        }
    }

    #[test]
    fn a_value_is_a_number_only_where_it_prints_back() {
        for text in ["007", "1e3", "0x10", "12.10", "1_000", ".5", "+5", "12:30", "2031-02-03", "1.0e2", "-0x1"] {
            assert_eq!(faithful_value(text), json!(text), "{text}");
        }
        assert_eq!(faithful_value("300"), json!(300));
        assert_eq!(faithful_value("0.5"), json!(0.5));
        assert_eq!(number("12"), Some(12.into()));
        assert_eq!(number("no"), None);
    }
}
