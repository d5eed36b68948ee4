//! Lines that may have been meant.

use super::content::Contents;
use super::diff;
use super::line::Outline;
use super::line_pattern::{LinePattern, NamePattern};

/// The lines nearest to the one wanted by role and name, best first, for "did you mean". Lines that match come first;
/// lines that have little in common with it are not among them.
pub fn closest(outline: &Outline, wanted: &LinePattern, limit: usize) -> Vec<usize> {
    let contents = Contents::of(outline);
    let mut ranked: Vec<(f64, usize)> = Vec::new();
    for (index, line) in outline.lines.iter().enumerate() {
        let second = contents.second_name(index);
        let same_role = wanted.role.is_some() && wanted.role_matches(line);
        let named = wanted.name != NamePattern::Any;
        let likeness = diff::likeness(wanted, line, second);
        let near =
            if same_role || !named { likeness >= 0.4 } else { diff::akin(wanted, line, second) || likeness >= 0.5 };
        if near {
            ranked.push((likeness, index));
        }
    }
    ranked.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    ranked.into_iter().take(limit).map(|(_, index)| index).collect()
}
