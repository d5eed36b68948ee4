//! Durations: `300ms`, `5s`, `2m`, `1m30s`.

use std::time::Duration;

const UNITS: &[(&str, u64)] = &[("ms", 1), ("s", 1_000), ("m", 60_000), ("h", 3_600_000)];
const MAX_MILLIS: u64 = 7 * 24 * 3_600_000;

/// Reads a duration; the error says what is wrong and how to say it.
pub fn duration(text: &str) -> Result<Duration, String> {
    let text = text.trim();
    if text.is_empty() {
        return Err("a duration is missing; say 300ms, 5s or 1m30s".to_owned());
    }
    if text.chars().all(|c| c.is_ascii_digit() || c == '.') {
        return Err(format!("`{text}` has no unit; say {text}ms or {text}s"));
    }
    let mut rest = text;
    let mut total = 0_u64;
    let mut smallest = usize::MAX;
    while !rest.is_empty() {
        let digits = rest.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(rest.len());
        let (number, tail) = rest.split_at(digits);
        let letters = tail.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(tail.len());
        let (unit, tail) = tail.split_at(letters);
        let found = UNITS.iter().position(|(name, _)| *name == unit);
        let (Some(index), Some(amount)) = (found, amount(number)) else {
            return Err(unreadable(text));
        };
        // Units fall, each once: `30s1m` and `5s5s` are slips.
        if index >= smallest {
            return Err(unreadable(text));
        }
        smallest = index;
        let unit = UNITS.get(index).map_or(1, |(_, millis)| *millis);
        total = total.saturating_add(times(amount, unit));
        rest = tail;
    }
    if total > MAX_MILLIS {
        return Err(format!("`{}` is longer than a week", super::shown(text)));
    }
    Ok(Duration::from_millis(total))
}

/// A decimal number in thousandths, so that `1.5s` is exact.
fn amount(number: &str) -> Option<u64> {
    let (whole, part) = number.split_once('.').unwrap_or((number, "0"));
    if whole.is_empty() || part.is_empty() || part.len() > 3 || part.contains('.') {
        return None;
    }
    let whole: u64 = whole.parse().ok()?;
    let thousandths: u64 = format!("{part:0<3}").parse().ok()?;
    whole.checked_mul(1_000)?.checked_add(thousandths)
}

fn times(thousandths: u64, millis: u64) -> u64 {
    thousandths.saturating_mul(millis) / 1_000
}

fn unreadable(text: &str) -> String {
    format!("`{}` is not a duration; say 300ms, 5s or 1m30s", super::shown(text))
}

/// A duration in words, for messages: `300 ms`, `5 s`, `1.5 s`.
#[must_use]
pub fn duration_in_words(duration: Duration) -> String {
    if duration < Duration::from_secs(1) {
        return format!("{} ms", duration.as_millis());
    }
    let seconds = (duration.as_secs_f64() * 10.0).round() / 10.0;
    format!("{seconds} s")
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

    use super::*;

    #[test]
    fn reads() {
        let cases = [
            ("300ms", 300),
            ("5s", 5_000),
            ("2m", 120_000),
            ("1m30s", 90_000),
            ("1.5s", 1_500),
            ("1h", 3_600_000),
            ("0s", 0),
            (" 5s ", 5_000),
        ];
        for (text, millis) in cases {
            assert_eq!(duration(text), Ok(Duration::from_millis(millis)), "{text}");
        }
    }

    #[test]
    fn says() {
        let words = |millis| duration_in_words(Duration::from_millis(millis));
        assert_eq!([words(0), words(999), words(5_000), words(1_540)], ["0 ms", "999 ms", "5 s", "1.5 s"]);
    }

    #[test]
    fn refuses() {
        let cases = [
            ("300", "`300` has no unit; say 300ms or 300s"),
            ("", "a duration is missing; say 300ms, 5s or 1m30s"),
            ("soon", "`soon` is not a duration; say 300ms, 5s or 1m30s"),
            ("5 s", "`5 s` is not a duration; say 300ms, 5s or 1m30s"),
            ("-5s", "`-5s` is not a duration; say 300ms, 5s or 1m30s"),
            ("30s1m", "`30s1m` is not a duration; say 300ms, 5s or 1m30s"),
            ("5sec", "`5sec` is not a duration; say 300ms, 5s or 1m30s"),
            ("1..5s", "`1..5s` is not a duration; say 300ms, 5s or 1m30s"),
            ("5µs", "`5µs` is not a duration; say 300ms, 5s or 1m30s"),
            ("99999999999999999999s", "`99999999999999999999s` is not a duration; say 300ms, 5s or 1m30s"),
            ("9999h", "`9999h` is longer than a week"),
        ];
        for (text, message) in cases {
            assert_eq!(duration(text), Err(message.to_owned()), "{text}");
        }
    }
}
