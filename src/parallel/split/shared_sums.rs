//! The sums of a chance node whose successors several workers search, and the test for a cut.

use crate::search::ChanceSums;
use crate::sync::{AtomicI64, CachePadded, ProtocolStep, Relaxed, unless_broken};

/// The sums and what the node's window asks of them. All of it only ever tightens, so what is stale is merely
/// wider.
#[derive(Debug)]
pub(crate) struct SharedSums {
    total: i64,
    lower: CachePadded<AtomicI64>,
    upper: AtomicI64,
    beta_threshold: AtomicI64,
    alpha_threshold: AtomicI64,
}

impl SharedSums {
    pub(crate) fn new(sums: &ChanceSums) -> Self {
        SharedSums {
            total: sums.total,
            lower: CachePadded::new(AtomicI64::new(sums.lower)),
            upper: AtomicI64::new(sums.upper),
            beta_threshold: AtomicI64::new(sums.beta_threshold),
            alpha_threshold: AtomicI64::new(sums.alpha_threshold),
        }
    }

    /// The sums as they are now, or as they were a moment ago.
    pub(crate) fn load(&self) -> ChanceSums {
        ChanceSums {
            total: self.total,
            lower: self.lower.load(Relaxed), // Relaxed, all: what is stale is wider, hence sound.
            upper: self.upper.load(Relaxed),
            beta_threshold: self.beta_threshold.load(Relaxed),
            alpha_threshold: self.alpha_threshold.load(Relaxed),
        }
    }

    /// Adds what became known of a successor; `true` when that cuts the node. The test uses what the
    /// additions returned, so of two that pass a threshold together the later one sees it.
    pub(crate) fn add(&self, lower_change: i64, upper_change: i64) -> bool {
        // Relaxed, all: each addition is atomic on its own, and the test needs the returned sums alone.
        let add = |sum: &AtomicI64, change| {
            let seen =
                unless_broken(ProtocolStep::CutUsesReturnedSum, None, Some(sum)).map(|sum| sum.load(Relaxed));
            let returned = sum.fetch_add(change, Relaxed);
            seen.unwrap_or(returned) + change
        };
        let (lower, upper) = (add(&self.lower, lower_change), add(&self.upper, upper_change));
        lower >= self.beta_threshold.load(Relaxed) || upper <= self.alpha_threshold.load(Relaxed)
    }

    /// Asks no more than another window does; `true` when that cuts the node. `asked` are these sums with its
    /// thresholds.
    pub(crate) fn narrow(&self, asked: ChanceSums) -> bool {
        self.beta_threshold.fetch_min(asked.beta_threshold, Relaxed); // Relaxed, both: as in `load`.
        self.alpha_threshold.fetch_max(asked.alpha_threshold, Relaxed);
        asked.is_cut()
    }
}
