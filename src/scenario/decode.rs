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
        Ok(serde_yaml::Value::Number(number)) => {
            let number = self::number(text).or_else(|| json_number(&number));
            number.map_or_else(|| text.into(), Value::Number)
        }
        _ => Value::String(text.to_owned()),
    }
}

/// A plain scalar as [`yaml_value`], but a number only where it is written as one: `1e3` and `0x10` are text.
pub(super) fn faithful_value(text: &str) -> Value {
    match yaml_value(text) {
        Value::Number(_) => number(text).map_or_else(|| text.into(), Value::Number),
        value => value,
    }
}

/// How many digits every number with a point keeps apart.
const DIGITS: usize = f64::DIGITS as usize;

/// The number that a text is, with its spelling: digits, perhaps a `-` before them, perhaps a point between them. `12`,
/// `-0.5` and `24.00` are numbers; `007`, `+5`, `1e3` and `.5` are not, and neither is what is too long to be told from
/// its neighbours, as the number of a card may be.
pub fn number(text: &str) -> Option<Number> {
    let digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    let unsigned = text.strip_prefix('-').unwrap_or(text);
    let (whole, fraction) = match unsigned.split_once('.') {
        Some((whole, fraction)) => (whole, Some(fraction)),
        None => (unsigned, None),
    };
    if !digits(whole) || (whole.len() > 1 && whole.starts_with('0')) || !fraction.is_none_or(digits) {
        return None;
    }
    let number: Number = text.parse().ok()?;
    let exact = match fraction {
        None => number.is_i64() || number.is_u64(),
        Some(fraction) => {
            whole.len() + fraction.len() <= DIGITS
                || number.as_f64().and_then(Number::from_f64).is_some_and(|number| number.to_string() == text)
        }
    };
    exact.then_some(number)
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
            ("12.5", json!(12.5)),
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
    fn a_value_is_a_number_where_it_is_written_as_one() {
        let texts = [
            "007",
            "0150",
            "00.5",
            "1e3",
            "0x10",
            "1_000",
            ".5",
            "5.",
            "+5",
            "12:30",
            "2031-02-03",
            "1.0e2",
            "-0x1",
            "-",
        ];
        for text in texts {
            assert_eq!(faithful_value(text), json!(text), "{text}");
        }
        assert_eq!(faithful_value("300"), json!(300));
        assert_eq!(faithful_value("0.5"), json!(0.5));
        assert_eq!(number("12"), Some(12.into()));
        assert_eq!(number("no"), None);
    }

    #[test]
    fn a_number_keeps_its_spelling() {
        for text in ["24.00", "9.90", "1.50", "-0.10", "0", "0.0", "1000000.00"] {
            let number = number(text).unwrap();
            assert_eq!((number.to_string().as_str(), number.as_f64()), (text, text.parse().ok()), "{text}");
            assert_eq!(yaml_value(text).to_string(), text);
        }
    }

    #[test]
    fn what_is_too_long_to_be_told_from_its_neighbours_stays_text() {
        for text in ["18446744073709551616", "-9223372036854775809", "12345678901234567.10"] {
            assert_eq!(faithful_value(text), json!(text), "{text}");
        }
        assert!(number("18446744073709551615").is_some() && number("0.1234567890123456").is_some());
    }
}
