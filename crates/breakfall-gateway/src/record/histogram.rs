//! A histogram of durations.

use std::time::Duration;

/// Durations, counted in buckets.
///
/// ```
/// use std::time::Duration;
/// use breakfall_gateway::record::DurationHistogram;
///
/// let mut histogram = DurationHistogram::default();
/// histogram.observe(Duration::from_millis(7));
/// assert_eq!((histogram.count(), histogram.sum()), (1, Duration::from_millis(7)));
/// assert!(histogram.buckets().any(|bucket| bucket == (0.01, 1)));
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DurationHistogram {
    /// The last bucket has no bound.
    counts: [u64; BOUNDS_MS.len() + 1],
    sum: Duration,
}

impl DurationHistogram {
    /// Counts one duration.
    pub fn observe(&mut self, duration: Duration) {
        let is_above = |bound: &u64| duration > Duration::from_millis(*bound);
        let bucket = BOUNDS_MS.iter().take_while(|bound| is_above(bound)).count();
        self.counts[bucket] += 1;
        self.sum = self.sum.saturating_add(duration);
    }

    /// Adds the durations of another histogram.
    pub fn merge(&mut self, other: &Self) {
        for (own, more) in self.counts.iter_mut().zip(other.counts) {
            *own += more;
        }
        self.sum = self.sum.saturating_add(other.sum);
    }

    /// The number of durations.
    pub fn count(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// The sum of the durations.
    pub const fn sum(&self) -> Duration {
        self.sum
    }

    /// The upper bound of each bucket in seconds, and how many durations are in it but not in the one before.
    pub fn buckets(&self) -> impl Iterator<Item = (f64, u64)> {
        let bounds = BOUNDS_MS.iter();
        let bounds = bounds.map(|bound| Duration::from_millis(*bound).as_secs_f64());
        bounds.chain([f64::INFINITY]).zip(self.counts)
    }
}

/// The upper bounds of the buckets.
const BOUNDS_MS: [u64; 14] = [
    1, 5, 10, 25, 50, 100, 250, 500, 1000, 2500, 5000, 10_000, 60_000, 300_000,
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_duration_is_in_the_first_bucket_whose_bound_it_does_not_exceed() {
        let mut histogram = DurationHistogram::default();
        for millis in [0, 1, 2, 10, 11, 300_000, 300_001] {
            histogram.observe(Duration::from_millis(millis));
        }
        let filled: Vec<_> = histogram
            .buckets()
            .filter(|(_, count)| *count > 0)
            .collect();
        assert_eq!(
            filled,
            [
                (0.001, 2),
                (0.005, 1),
                (0.01, 1),
                (0.025, 1),
                (300.0, 1),
                (f64::INFINITY, 1)
            ]
        );
        let before = histogram.clone();
        histogram.merge(&before);
        assert_eq!(histogram.count(), 14);
    }
}
