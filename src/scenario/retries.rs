//! `retries:`: how often a scenario that failed is performed again.

use super::diagnostic::{Diagnostic, Problems};
use super::node::Node;

/// The most retries that may be asked for. What fails eleven times in a row is not flaky, and a digit too many would let a
/// run go on for hours.
pub const MOST_RETRIES: usize = 10;

/// Reads `retries`.
pub fn read(node: &Node, problems: &mut Problems) -> Option<usize> {
    let number = node.text().and_then(|text| text.trim().parse().ok());
    let number = number.filter(|number| *number <= MOST_RETRIES);
    if number.is_none() {
        problems.add(
            Diagnostic::new(format!("`retries` is a whole number from 0 to {MOST_RETRIES}"))
                .at(node.place.clone())
                .label("not such a number")
                .next("write `retries: 2` for up to three attempts, or leave it out"),
        );
    }
    number
}
