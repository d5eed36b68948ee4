//! What expressions are evaluated with, and what can go wrong then.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use super::diagnostic::Diagnostic;
use super::source::Place;
use crate::outline::Outline;

/// What expressions are evaluated with.
#[derive(Clone, Default)]
pub struct Values {
    /// The known names: variables, readings, `url`, `title`, `turn`, `base`, `other`; `env` and `secret` are objects.
    /// Only the names that an expression mentions ([`super::Names`]) need be there.
    pub scope: BTreeMap<String, serde_json::Value>,
    /// The page, for `count(…)` and `has(…)`.
    pub outline: Option<Arc<Outline>>,
    /// Where `random()` comes from. Clones share it.
    pub random: Random,
    /// How far each `cycle(…)` has come. Clones share it.
    pub cycles: Cycles,
}

impl Values {
    /// Values without names, with a seed for `random()`.
    pub fn seeded(seed: u64) -> Values {
        Values { random: Random::seeded(seed), ..Values::default() }
    }
}

/// A repeatable source of random numbers. Clones share one sequence.
#[derive(Clone, Debug, Default)]
pub struct Random(Arc<Mutex<u64>>);

impl Random {
    /// The sequence of a seed.
    pub fn seeded(seed: u64) -> Random {
        Random(Arc::new(Mutex::new(seed)))
    }

    /// The next 64 bits (SplitMix64: small, good enough for games and tests, the same on every machine).
    pub fn bits(&self) -> u64 {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        *state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = *state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// The next number from 0 up to, but not, 1.
    pub fn fraction(&self) -> f64 {
        // 53 bits fit a float exactly.
        let bits = (self.bits() >> 11) as f64;
        bits / 9_007_199_254_740_992.0
    }

    /// The next whole number from `low` to `high`, both included.
    pub fn between(&self, low: i64, high: i64) -> i64 {
        let (low, high) = (low.min(high), low.max(high));
        let span = (i128::from(high) - i128::from(low) + 1).unsigned_abs();
        let offset = (u128::from(self.bits()) * span) >> 64;
        i64::try_from(i128::from(low) + i128::try_from(offset).unwrap_or(0)).unwrap_or(low)
    }
}

/// How far each `cycle(…)` has come. Clones share it.
#[derive(Clone, Debug, Default)]
pub struct Cycles(Arc<Mutex<BTreeMap<String, usize>>>);

impl Cycles {
    /// How often this cycle was asked before.
    pub(super) fn turn(&self, key: String) -> usize {
        let mut turns = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let turn = turns.entry(key).or_default();
        *turn += 1;
        *turn - 1
    }
}

/// Why an expression has no value.
#[derive(Clone, Debug, thiserror::Error)]
#[error("{message}")]
pub struct ValueError {
    /// What is wrong.
    pub message: String,
    /// What to do next.
    pub next: Option<String>,
    /// The expression.
    pub place: Option<Place>,
    /// Whether waiting could help.
    pub reason: Reason,
}

/// Whether waiting could help where an expression has no value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// A value is not there (yet): a reading that the page does not show, a name that no step has set.
    Absent,
    /// The expression is wrong for these values.
    Wrong,
}

impl ValueError {
    /// The complaint, at the expression.
    pub fn diagnostic(&self) -> Diagnostic {
        let mut diagnostic = Diagnostic::new(&*self.message);
        diagnostic.place.clone_from(&self.place);
        diagnostic.next.clone_from(&self.next);
        diagnostic
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

    use super::*;

    #[test]
    fn the_same_seed_gives_the_same_sequence() {
        let draw = |seed| (0..5).map(|_| Random::seeded(seed).bits()).collect::<Vec<_>>();
        assert_eq!(draw(7), draw(7));
        let random = Random::seeded(7);
        let first: Vec<u64> = (0..5).map(|_| random.bits()).collect();
        let random = Random::seeded(8);
        let other: Vec<u64> = (0..5).map(|_| random.bits()).collect();
        assert_ne!(first, other);
        assert_eq!(first.iter().collect::<std::collections::BTreeSet<_>>().len(), 5);
    }

    #[test]
    fn numbers_stay_in_their_bounds() {
        let random = Random::seeded(1);
        let mut seen = std::collections::BTreeSet::new();
        for _ in 0..1_000 {
            assert!((0.0..1.0).contains(&random.fraction()));
            seen.insert(random.between(1, 6));
        }
        assert_eq!(seen, (1..=6).collect());
        assert_eq!(random.between(3, 3), 3);
        let _ = random.between(i64::MIN, i64::MAX);
    }
}
