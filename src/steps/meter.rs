//! What a game measures: moves, the time in loops, and the time from input to the changed page.

use std::time::Duration;

/// Moves and their times.
#[derive(Debug, Default)]
pub struct Meter {
    times: Vec<Duration>,
    in_loops: Duration,
}

impl Meter {
    /// A move was made, and its change seen after this time.
    pub(super) fn moved(&mut self, after: Duration) {
        self.times.push(after);
    }

    /// An outermost loop that made moves ended.
    pub(super) fn looped(&mut self, took: Duration) {
        self.in_loops += took;
    }

    /// Moves so far.
    #[must_use]
    pub fn moves(&self) -> u64 {
        self.times.len() as u64
    }

    /// Time spent in loops that made moves.
    #[must_use]
    pub fn took(&self) -> Duration {
        self.in_loops
    }

    /// The time from input to the changed page that `share` of all moves (0 to 1) stayed within; nearest rank.
    #[must_use]
    pub fn within(&self, share: f64) -> Duration {
        let mut times = self.times.clone();
        times.sort_unstable();
        let rank = (times.len() as f64 * share).ceil().max(1.0) as usize;
        times.get(rank - 1).copied().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_are_the_nearest_ones() {
        let mut meter = Meter::default();
        assert_eq!(meter.within(0.5), Duration::ZERO);
        for ms in [30, 10, 20, 40] {
            meter.moved(Duration::from_millis(ms));
        }
        assert_eq!(meter.within(0.5), Duration::from_millis(20));
        assert_eq!(meter.within(0.95), Duration::from_millis(40));
        assert_eq!(meter.moves(), 4);
    }
}
