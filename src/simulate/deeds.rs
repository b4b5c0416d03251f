//! What lanes have done that others may wait for.

use std::cell::Cell;

/// What was done so far, by whomever, and the news that the lane that runs has made.
#[derive(Debug, Default)]
pub(super) struct Deeds {
    /// How much was done.
    pub(super) count: Cell<u64>,
    /// When the lane that runs did the first that may be news to whoever has found no work.
    pub(super) news: Cell<Option<u64>>,
    /// How many processors wait for the device or for news.
    pub(super) sleepers: Cell<usize>,
}

impl Deeds {
    /// Something was done.
    #[inline]
    pub(super) fn note(&self) {
        self.count.set(self.count.get() + 1);
    }
}
