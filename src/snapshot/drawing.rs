//! A difference between a stored outline and the page, drawn.

use super::compare::{Comparison, Pair};

/// Lines shown around what differs.
const AROUND: usize = 2;
/// Lines drawn before the rest is only counted.
const LONGEST: usize = 80;

/// Draws what differs, with a little around it: `-` is stored, `+` is on the page. A line that a stored pattern matches
/// is shown as it is stored, and never as a difference.
pub(super) fn drawn(comparison: &Comparison) -> String {
    let pairs = in_order_of_reading(&comparison.pairs);
    let differs: Vec<bool> = pairs.iter().map(|pair| !matches!(pair, Pair::Same { .. })).collect();
    let near = near(&differs);
    let (mut drawing, mut drawn, mut left_out, mut skipping) = (String::new(), 0, 0, false);
    for (index, pair) in pairs.iter().enumerate() {
        if !near[index] {
            if !skipping && drawn < LONGEST {
                drawing.push_str("  …\n");
            }
            skipping = true;
            continue;
        }
        skipping = false;
        if drawn >= LONGEST {
            left_out += usize::from(differs[index]);
            continue;
        }
        let lines = match *pair {
            Pair::Same { stored, .. } => vec![(' ', comparison.stored[stored])],
            Pair::Gone(stored) => vec![('-', comparison.stored[stored])],
            Pair::Added(new) => vec![('+', comparison.new[new])],
            Pair::Moved { stored, new } => {
                vec![('-', comparison.stored[stored]), ('+', comparison.new[new])]
            }
        };
        for (mark, line) in lines {
            drawing.push_str(&format!("{mark} {line}\n"));
            drawn += 1;
        }
    }
    if left_out > 0 {
        drawing.push_str(&format!("… and {left_out} more lines that differ\n"));
    }
    drawing.truncate(drawing.trim_end().len());
    drawing
}

/// Which lines are within reach of one that differs.
fn near(differs: &[bool]) -> Vec<bool> {
    let mut near = vec![false; differs.len()];
    for (index, _) in differs.iter().enumerate().filter(|(_, differs)| **differs) {
        let end = (index + AROUND + 1).min(near.len());
        near[index.saturating_sub(AROUND)..end].fill(true);
    }
    near
}

/// Within a run of differences, what is gone before what was added, as far as nothing that moved stands between.
fn in_order_of_reading(pairs: &[Pair]) -> Vec<Pair> {
    let mut ordered = pairs.to_vec();
    let is_either = |pair: &Pair| matches!(pair, Pair::Gone(_) | Pair::Added(_));
    for run in ordered.chunk_by_mut(|left, right| is_either(left) && is_either(right)) {
        run.sort_by_key(|pair| matches!(pair, Pair::Added(_)));
    }
    ordered
}

#[cfg(test)]
mod tests {
    use super::*;

    fn difference(stored: &str, new: &str) -> String {
        drawn(&Comparison::new(stored, new))
    }

    #[test]
    fn only_what_differs_is_marked() {
        let stored = "RootWebArea \"Home\"\n  banner\n  main\n    heading /Welcome/ [level=1]\n    text \"old\"\n    link \"Out\"\n    link \"Help\"\n    link \"More\"";
        let page = "RootWebArea \"Home\"\n  banner\n  main\n    heading \"Welcome, Ada\" [level=1]\n    text \"new\"\n    link \"Out\"\n    link \"Help\"\n    link \"More\"";
        assert_eq!(
            difference(stored, page),
            "  …\n    main\n      heading /Welcome/ [level=1]\n-     text \"old\"\n+     text \"new\"\n      link \"Out\"\n      link \"Help\"\n  …"
        );
    }

    #[test]
    fn a_great_difference_is_cut_and_counted() {
        let page: String = (0..1000).map(|number| format!("text \"{number}\"\n")).collect();
        let drawing = difference("main", &page);
        assert_eq!(drawing.lines().count(), LONGEST + 1);
        assert!(drawing.ends_with("… and 921 more lines that differ"), "{drawing}");
    }

    #[test]
    fn from_nothing_and_to_nothing() {
        assert_eq!(difference("", "main"), "+ main");
        assert_eq!(difference("main", ""), "- main");
    }
}
