//! What lanes have done that other lanes may wait for.

use std::cell::Cell;

/// The number of deeds so far, and the running lane's news.
#[derive(Debug, Default)]
pub(super) struct Deeds {
    /// The number of deeds by all lanes.
    pub(super) count: Cell<u64>,
    /// When the running lane first did something that may be news to idle lanes.
    pub(super) news: Cell<Option<u64>>,
    /// The number of processors that wait for the device or for news.
    pub(super) sleepers: Cell<usize>,
}

impl Deeds {
    /// Counts a deed.
    #[inline]
    pub(super) fn note(&self) {
        self.count.set(self.count.get() + 1);
    }
}
