//! How often values came.

use hdrhistogram::Histogram as Counts;
use std::fmt;

/// Why no value is refused.
const RESIZES: &str = "it resizes itself, so it takes every value";

/// How often values came, each to two significant digits.
#[derive(Clone, PartialEq)]
pub struct Histogram(Counts<u64>);

impl Histogram {
    /// Adds a value that came so often.
    pub fn add(&mut self, value: u64, count: u64) {
        // Not one of those that saturate, which clamp to the histogram's current range.
        self.0.record_n(value, count).expect(RESIZES);
    }

    /// Adds what another has.
    pub(super) fn add_all(&mut self, other: &Histogram) {
        self.0.add(&other.0).expect(RESIZES);
    }

    /// How many values came.
    pub fn total(&self) -> u64 {
        self.0.len()
    }

    /// The least; 0 where none came.
    pub fn min(&self) -> u64 {
        self.0.min()
    }

    /// The greatest; 0 where none came.
    pub fn max(&self) -> u64 {
        self.0.max()
    }

    /// The value that this share of them does not exceed; 0 where none came.
    pub fn quantile(&self, share: f64) -> u64 {
        self.0.value_at_quantile(share)
    }

    /// The values from the least on, each with how often it came.
    pub fn counts(&self) -> impl Iterator<Item = (u64, u64)> {
        self.0.iter_recorded().map(|value| (value.value_iterated_to(), value.count_at_value()))
    }
}

impl Default for Histogram {
    fn default() -> Self {
        Histogram(Counts::new(2).expect("two significant digits are among those that it knows"))
    }
}

impl fmt::Debug for Histogram {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.counts()).finish()
    }
}
