//! The sums of a chance node whose successors several workers search, the test for a cutoff, and the shares
//! that they are asked for.

use crate::search::{ChanceSums, Shares};
use crate::sync::{AtomicI64, CachePadded, ProtocolStep, Relaxed, unless_broken};

/// The sums and the thresholds of the node's window. All of them only tighten, so stale ones are wider.
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

    /// The current sums; they may be stale.
    pub(crate) fn load(&self) -> ChanceSums {
        ChanceSums {
            total: self.total,
            lower: self.lower.load(Relaxed), // Relaxed, all: stale sums are wider, hence sound.
            upper: self.upper.load(Relaxed),
            beta_threshold: self.beta_threshold.load(Relaxed),
            alpha_threshold: self.alpha_threshold.load(Relaxed),
        }
    }

    /// Adds the change of a successor's bounds; `true` when the node is cut. The test uses the sums that the
    /// additions returned: of two workers that pass a threshold together, the later one sees it.
    pub(crate) fn add(&self, lower_change: i64, upper_change: i64) -> bool {
        // Relaxed, all: each addition is atomic on its own, and the test needs the returned sums only.
        let add = |sum: &AtomicI64, change| {
            let seen =
                unless_broken(ProtocolStep::CutUsesReturnedSum, None, Some(sum)).map(|sum| sum.load(Relaxed));
            let returned = sum.fetch_add(change, Relaxed);
            seen.unwrap_or(returned) + change
        };
        let (lower, upper) = (add(&self.lower, lower_change), add(&self.upper, upper_change));
        lower >= self.beta_threshold.load(Relaxed) || upper <= self.alpha_threshold.load(Relaxed)
    }

    /// Narrows the thresholds to those of `asked`, these sums with another window; `true` when the node is
    /// cut.
    pub(crate) fn narrow(&self, asked: ChanceSums) -> bool {
        self.beta_threshold.fetch_min(asked.beta_threshold, Relaxed); // Relaxed, both: as in `load`.
        self.alpha_threshold.fetch_max(asked.alpha_threshold, Relaxed);
        asked.is_cut()
    }
}

/// What the next share is made of. A stale one is another share, and as sound: what is asked never decides
/// what is proven.
#[derive(Debug)]
pub(crate) struct SharedShares {
    left: AtomicI64,
    spent: AtomicI64,
}

impl SharedShares {
    pub(crate) fn new(shares: Shares) -> Self {
        SharedShares { left: AtomicI64::new(shares.left), spent: AtomicI64::new(shares.spent) }
    }

    pub(crate) fn load(&self) -> Shares {
        // Relaxed, both: see the type.
        Shares { left: self.left.load(Relaxed), spent: self.spent.load(Relaxed) }
    }

    pub(crate) fn add(&self, left: i64, spent: i64) {
        self.left.fetch_add(left, Relaxed); // Relaxed, both: as in `load`.
        self.spent.fetch_add(spent, Relaxed);
    }
}
