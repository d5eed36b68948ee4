//! The `Range` header, as far as it is served: one range of bytes.

use std::ops::Range;

/// What a request asks for.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Wanted {
    /// All of it: no range, several ranges, another unit, or a header that does not parse (which is to be ignored).
    Whole,
    /// These bytes; never empty, never past the end.
    Part(Range<u64>),
    /// A range that holds nothing of the file.
    Nothing,
}

/// Reads a `Range` header for a file of that length.
pub(super) fn wanted(header: &str, length: u64) -> Wanted {
    let Some((unit, ranges)) = header.split_once('=') else {
        return Wanted::Whole;
    };
    if !unit.trim().eq_ignore_ascii_case("bytes") || ranges.contains(',') {
        return Wanted::Whole;
    }
    let Some((first, last)) = ranges.trim().split_once('-') else {
        return Wanted::Whole;
    };
    let part = match (number(first), number(last)) {
        (Some(first), Some(last)) if first <= last => first..last.saturating_add(1).min(length),
        (Some(first), None) if last.is_empty() => first..length,
        (None, Some(count)) if first.is_empty() => length.saturating_sub(count)..length,
        _ => return Wanted::Whole,
    };
    if part.is_empty() { Wanted::Nothing } else { Wanted::Part(part) }
}

/// Digits only. A number too great to be held is past the end of any file.
fn number(text: &str) -> Option<u64> {
    if text.is_empty() || !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    Some(text.parse().unwrap_or(u64::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn single_open_ended_and_suffix() {
        assert_eq!(wanted("bytes=0-0", 10), Wanted::Part(0..1));
        assert_eq!(wanted("bytes=2-5", 10), Wanted::Part(2..6));
        assert_eq!(wanted("Bytes = 2-5", 10), Wanted::Part(2..6));
        assert_eq!(wanted("bytes=4-", 10), Wanted::Part(4..10));
        assert_eq!(wanted("bytes=-3", 10), Wanted::Part(7..10));
        assert_eq!(wanted("bytes=-300", 10), Wanted::Part(0..10));
        assert_eq!(wanted("bytes=8-99999999999999999999999", 10), Wanted::Part(8..10));
    }

    #[test]
    fn nothing_is_left_of_some() {
        for header in ["bytes=10-", "bytes=10-12", "bytes=-0", "bytes=99999999999999999999999-"] {
            assert_eq!(wanted(header, 10), Wanted::Nothing, "{header}");
        }
        assert_eq!(wanted("bytes=0-", 0), Wanted::Nothing);
        assert_eq!(wanted("bytes=-1", 0), Wanted::Nothing);
    }

    #[test]
    fn what_is_not_understood_is_the_whole() {
        for header in
            ["", "bytes", "bytes=", "bytes=-", "bytes=a-b", "bytes=5-2", "bytes=+1-2", "lines=0-1", "bytes=0-1,3-4"]
        {
            assert_eq!(wanted(header, 10), Wanted::Whole, "{header}");
        }
    }
}
