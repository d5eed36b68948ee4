//! The small words: counts and times, as they are said everywhere.

use std::time::Duration;

/// `1 scenario`, `12 scenarios`.
#[must_use]
pub fn count(number: usize, noun: &str) -> String {
    if number == 1 {
        return format!("1 {noun}");
    }
    // "a step of a box" never meets a noun that needs more than these two.
    match noun.strip_suffix('y') {
        Some(stem) if !stem.ends_with(['a', 'e', 'o', 'u']) => format!("{number} {stem}ies"),
        _ => format!("{number} {noun}s"),
    }
}

/// `4.1 s`, `2 min 5 s`: a time to be read in a sentence.
#[must_use]
pub fn seconds(time: Duration) -> String {
    let tenths = (time.as_secs_f64() * 10.0).round();
    if tenths < 600.0 {
        return format!("{:.1} s", tenths / 10.0);
    }
    let whole = time.as_secs_f64().round() as u64;
    format!("{} min {} s", whole / 60, whole % 60)
}

/// `6 ms`, `0.4 ms`, `1.2 s`: a short time to be read in a sentence.
pub(crate) fn milliseconds(time: Duration) -> String {
    let ms = time.as_secs_f64() * 1000.0;
    if ms >= 999.5 {
        seconds(time)
    } else if ms >= 0.95 || ms == 0.0 {
        format!("{ms:.0} ms")
    } else {
        format!("{ms:.1} ms")
    }
}

/// `96`, `3.4`: how many a second.
pub(crate) fn rate(per_second: f64) -> String {
    if per_second >= 9.95 { format!("{per_second:.0}") } else { format!("{per_second:.1}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_agree_with_their_nouns() {
        assert_eq!(count(1, "scenario"), "1 scenario");
        assert_eq!(count(0, "file"), "0 files");
        assert_eq!(count(2, "try"), "2 tries");
        assert_eq!(count(2, "key"), "2 keys");
    }

    #[test]
    fn times_read_well_at_every_length() {
        let text = |ms| seconds(Duration::from_millis(ms));
        assert_eq!(
            [text(0), text(4120), text(59_940), text(59_990), text(125_000)],
            ["0.0 s", "4.1 s", "59.9 s", "1 min 0 s", "2 min 5 s"]
        );
        let short = |us| milliseconds(Duration::from_micros(us));
        assert_eq!(
            [short(0), short(400), short(950), short(6400), short(1_200_000)],
            ["0 ms", "0.4 ms", "1 ms", "6 ms", "1.2 s"]
        );
    }
}
