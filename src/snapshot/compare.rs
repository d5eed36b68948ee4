//! A stored text held against a new one: line by line, a stored line with a `/regex/` as a pattern.

use std::time::{Duration, Instant};

use similar::{Algorithm, DiffOp, capture_diff_slices_deadline};

use crate::outline::{Line, LinePattern, Outline};

/// How long two texts are aligned before what is left is called different as a whole.
const ALIGNING: Duration = Duration::from_secs(1);
/// How many pairs of a hand-written line with a new one are tried for the best alignment; past that the first that
/// matches is taken.
const PAIRS: usize = 4_000_000;

/// How lines of the stored text and of the new one belong together, in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pair {
    /// They are equal, or the stored one is a pattern that matches.
    Same { stored: usize, new: usize },
    /// The stored one is a pattern that matches, but stands at another depth.
    Moved { stored: usize, new: usize },
    /// Stored only.
    Gone(usize),
    /// New only.
    Added(usize),
}

/// Two texts, and how they belong together.
#[derive(Debug)]
pub(super) struct Comparison<'a> {
    pub(super) stored: Vec<&'a str>,
    pub(super) new: Vec<&'a str>,
    pub(super) pairs: Vec<Pair>,
}

impl<'a> Comparison<'a> {
    pub(super) fn new(stored: &'a str, new: &'a str) -> Comparison<'a> {
        let (stored, new): (Vec<_>, Vec<_>) = (stored.lines().collect(), new.lines().collect());
        // One to one is what holds nearly always, and it is what decides; an alignment is for what is told and kept.
        let one_to_one = one_to_one(&stored, &new);
        let pairs = if one_to_one {
            (0..new.len()).map(|line| Pair::Same { stored: line, new: line }).collect()
        } else {
            aligned(&stored, &new)
        };
        Comparison { stored, new, pairs }
    }

    /// Whether the new text is what is stored.
    pub(super) fn matches(&self) -> bool {
        self.pairs.iter().all(|pair| matches!(pair, Pair::Same { .. }))
    }

    /// The new text with every stored line that still matches as it was written.
    pub(super) fn merged(&self) -> String {
        let mut text = String::new();
        for pair in &self.pairs {
            match *pair {
                Pair::Same { stored, .. } => text.push_str(self.stored[stored]),
                Pair::Moved { stored, new } => {
                    text.push_str(indentation(self.new[new]));
                    text.push_str(self.stored[stored].trim_start());
                }
                Pair::Added(new) => text.push_str(self.new[new]),
                Pair::Gone(_) => continue,
            }
            text.push('\n');
        }
        text.truncate(text.trim_end().len());
        text
    }

    /// Stored lines, counted from 0, that look like patterns and are none, with what is wrong with them.
    pub(super) fn broken_patterns(&self) -> Vec<(usize, String)> {
        let gone = self.pairs.iter().filter_map(|pair| match pair {
            Pair::Gone(stored) => Some(*stored),
            _ => None,
        });
        gone.filter(|stored| holds_regex(self.stored[*stored]))
            .filter_map(|stored| Some((stored, LinePattern::parse(self.stored[stored].trim()).err()?.message)))
            .collect()
    }
}

/// Whether the new text is what is stored: as [`Comparison::matches`], without the work of finding what differs.
pub(super) fn matches(stored: &str, new: &str) -> bool {
    one_to_one(&stored.lines().collect::<Vec<_>>(), &new.lines().collect::<Vec<_>>())
}

fn one_to_one(stored: &[&str], new: &[&str]) -> bool {
    stored.len() == new.len() && stored.iter().zip(new).all(|(stored, new)| holds(stored, new))
}

/// Whether a stored line holds a new one: the same text, or a pattern at the same depth.
fn holds(stored: &str, new: &str) -> bool {
    stored == new
        || indentation(stored) == indentation(new)
            && pattern_of(stored).is_some_and(|pattern| matches_line(&pattern, new))
}

fn indentation(line: &str) -> &str {
    &line[..line.len() - line.trim_start().len()]
}

/// Whether a line was written by hand as a pattern: a slash outside of quotes, where a printed line never has one.
fn holds_regex(line: &str) -> bool {
    let mut in_quotes = false;
    let mut characters = line.chars();
    while let Some(character) = characters.next() {
        match character {
            '\\' if in_quotes => drop(characters.next()),
            '"' => in_quotes = !in_quotes,
            '/' if !in_quotes => return true,
            _ => {}
        }
    }
    false
}

fn pattern_of(line: &str) -> Option<LinePattern> {
    if !holds_regex(line) {
        return None;
    }
    LinePattern::parse(line.trim()).ok()
}

fn line_of(text: &str) -> Option<Line> {
    Outline::parse(text.trim()).ok()?.lines.into_iter().next()
}

fn matches_line(pattern: &LinePattern, new: &str) -> bool {
    line_of(new).is_some_and(|line| pattern.matches(&line))
}

/// Aligns by equal lines first; between those, by hand-written lines that match.
fn aligned(stored: &[&str], new: &[&str]) -> Vec<Pair> {
    let deadline = Instant::now() + ALIGNING;
    let mut pairs = Vec::with_capacity(new.len());
    for part in capture_diff_slices_deadline(Algorithm::Myers, stored, new, Some(deadline)) {
        let (stored_range, new_range) = (part.old_range(), part.new_range());
        if matches!(part, DiffOp::Equal { .. }) {
            pairs.extend(stored_range.zip(new_range).map(|(stored, new)| Pair::Same { stored, new }));
            continue;
        }
        let (mut next_stored, mut next_new) = (stored_range.start, new_range.start);
        for (old, fresh) in matched(stored, new, stored_range.clone().collect(), new_range.clone().collect()) {
            pairs.extend((next_stored..old).map(Pair::Gone));
            pairs.extend((next_new..fresh).map(Pair::Added));
            let same_depth = indentation(stored[old]) == indentation(new[fresh]);
            pairs.push(if same_depth {
                Pair::Same { stored: old, new: fresh }
            } else {
                Pair::Moved { stored: old, new: fresh }
            });
            (next_stored, next_new) = (old + 1, fresh + 1);
        }
        pairs.extend((next_stored..stored_range.end).map(Pair::Gone));
        pairs.extend((next_new..new_range.end).map(Pair::Added));
    }
    pairs
}

/// Pairs as many hand-written lines as can be with lines that they match, keeping the order.
fn matched(stored: &[&str], new: &[&str], old: Vec<usize>, fresh: Vec<usize>) -> Vec<(usize, usize)> {
    let patterns: Vec<(usize, LinePattern)> =
        old.into_iter().filter_map(|line| Some((line, pattern_of(stored[line])?))).collect();
    if patterns.is_empty() {
        return Vec::new();
    }
    let lines: Vec<(usize, Line)> = fresh.into_iter().filter_map(|line| Some((line, line_of(new[line])?))).collect();
    let width = lines.len() + 1;
    if patterns.len().saturating_mul(width) > PAIRS {
        return first_matches(&patterns, &lines);
    }
    // best[p][l]: how many of the patterns from p on can be paired with lines from l on.
    let mut fits = vec![false; patterns.len() * width];
    let mut best = vec![0_u32; (patterns.len() + 1) * width];
    for (p, (_, pattern)) in patterns.iter().enumerate().rev() {
        for (l, (_, line)) in lines.iter().enumerate().rev() {
            let fit = pattern.matches(line);
            fits[p * width + l] = fit;
            let skipped = best[(p + 1) * width + l].max(best[p * width + l + 1]);
            let taken = if fit { best[(p + 1) * width + l + 1] + 1 } else { 0 };
            best[p * width + l] = skipped.max(taken);
        }
    }
    let (mut p, mut l, mut pairs) = (0, 0, Vec::new());
    while p < patterns.len() && l < lines.len() {
        if fits[p * width + l] && best[p * width + l] == best[(p + 1) * width + l + 1] + 1 {
            pairs.push((patterns[p].0, lines[l].0));
            (p, l) = (p + 1, l + 1);
        } else if best[(p + 1) * width + l] >= best[p * width + l + 1] {
            p += 1;
        } else {
            l += 1;
        }
    }
    pairs
}

fn first_matches(patterns: &[(usize, LinePattern)], lines: &[(usize, Line)]) -> Vec<(usize, usize)> {
    let mut rest = lines;
    let mut pairs = Vec::new();
    for (old, pattern) in patterns {
        if let Some(at) = rest.iter().position(|(_, line)| pattern.matches(line)) {
            pairs.push((*old, rest[at].0));
            rest = &rest[at + 1..];
        }
    }
    pairs
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    const STORED: &str = "RootWebArea \"Home\"\n  main\n    heading /^Welcome, / [level=1]\n    time /^\\d+:\\d+$/\n    link \"Sign out\"";

    #[test]
    fn a_hand_written_line_matches_as_a_pattern_and_all_others_as_text() {
        let page = "RootWebArea \"Home\"\n  main\n    heading \"Welcome, Ada\" [level=1]\n    time \"12:30\"\n    link \"Sign out\"";
        assert!(Comparison::new(STORED, page).matches() && matches(STORED, page));
        assert_eq!(Comparison::new(STORED, page).merged(), STORED);
        for (part, instead) in [
            ("12:30", "noon"),
            ("[level=1]", "[level=2]"),
            ("link \"Sign out\"", "link \"Sign out\" [disabled]"),
            ("    time", "      time"),
            ("    link", "    link \"New\"\n    link"),
            ("  main\n", ""),
        ] {
            let changed = page.replace(part, instead);
            assert_ne!(changed, page);
            assert!(!Comparison::new(STORED, &changed).matches(), "{instead}");
            assert!(!matches(STORED, &changed), "{instead}");
        }
    }

    #[test]
    fn a_printed_line_is_never_taken_for_a_pattern() {
        for line in
            ["link \"/\"", "link \"/a/\" = \"/b/\"", "button \"say \\\"/x/\\\" now\"", "text \"\\\\\" [a]", "main"]
        {
            assert!(!holds_regex(line), "{line}");
        }
        for line in ["link /x/", "textbox \"a\" = /b/", "button /say \"hi\"/", "/x/"] {
            assert!(holds_regex(line), "{line}");
        }
    }

    #[test]
    fn accepting_keeps_the_hand_written_lines_that_still_match() {
        // Wrapped in a region, so every depth changed; one link more; the time does not match any more.
        let page = "RootWebArea \"Home\"\n  region \"Outer\"\n    main\n      heading \"Welcome, Bob\" [level=1]\n      time \"noon\"\n      link \"Help\"\n      link \"Sign out\"";
        let merged = Comparison::new(STORED, page).merged();
        assert_eq!(
            merged,
            "RootWebArea \"Home\"\n  region \"Outer\"\n    main\n      heading /^Welcome, / [level=1]\n      time \"noon\"\n      link \"Help\"\n      link \"Sign out\""
        );
        assert!(Comparison::new(&merged, page).matches(), "what was accepted matches");
    }

    #[test]
    fn as_many_hand_written_lines_as_can_be_are_kept() {
        let stored = "listitem /c/\nlistitem /a/\nlistitem /b/";
        let page = "listitem \"1a\"\nlistitem \"1b\"\nlistitem \"1c\"";
        assert_eq!(Comparison::new(stored, page).merged(), "listitem /a/\nlistitem /b/\nlistitem \"1c\"");
    }

    #[test]
    fn a_line_that_does_not_parse_is_text() {
        let stored = "main\n  link /[/";
        assert!(Comparison::new(stored, stored).matches());
        let comparison = Comparison::new(stored, "main\n  link \"[\"");
        assert!(!comparison.matches());
        assert_eq!(comparison.broken_patterns().len(), 1);
        assert_eq!(comparison.broken_patterns()[0].0, 1);
    }
}
