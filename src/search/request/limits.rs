//! When a search has to end: depth, nodes, time, or a wish from outside.

use crate::sync::{AtomicBool, Relaxed};
use std::sync::Arc;
use std::time::Duration;

/// The greatest depth that can be asked for: a table slot keeps depths in eight bits, and 255 is spare.
pub const MAX_DEPTH: u32 = 254;

/// The greatest number of threads that a search takes.
pub const MAX_THREADS: usize = 1024;

/// The greatest number of workers: threads, or lanes of all threads.
pub const MAX_WORKERS: usize = 16_384;

/// The greatest number of evaluations in a batch.
pub const MAX_BATCH: usize = 65_536;

/// The most [`move_slots`](crate::game::GameFacts::move_slots) that a game can have. Each thread of a search
/// keeps four bytes for each and either player, 8 MiB where there are so many.
pub const MAX_MOVE_SLOTS: usize = 1 << 20;

/// The most moves and outcomes that a line of play may have along which a game with plies of its own
/// ([`Steps::plies`](crate::game::Steps::plies)) is searched. In other games it has no more than its depth.
pub const MAX_PATH_LENGTH: u32 = 512;

/// A wish to stop that any thread can express; clones share it.
///
/// It stays raised until somebody clears it: a wish expressed a moment before a search begins is not lost.
#[derive(Clone, Debug, Default)]
pub struct StopFlag(Arc<AtomicBool>);

impl StopFlag {
    /// A flag that is not raised.
    pub fn new() -> Self {
        StopFlag::default()
    }

    /// Asks every search that looks at this flag to stop.
    pub fn stop(&self) {
        // Relaxed: the flag publishes no other data, and a few nodes more or less do not matter.
        self.0.store(true, Relaxed);
    }

    /// Takes the wish back, so that the flag can serve another search.
    pub fn clear(&self) {
        self.0.store(false, Relaxed); // Relaxed: as in `stop`.
    }

    /// Whether somebody asked to stop.
    #[inline]
    pub fn is_raised(&self) -> bool {
        self.0.load(Relaxed) // Relaxed: as in `stop`.
    }
}

/// How far a search may go. Whatever ends first ends it.
#[derive(Clone, Debug)]
pub struct Limits {
    /// The depth of the last iteration: 1 to [`MAX_DEPTH`].
    pub depth: u32,
    /// The greatest number of nodes, over all iterations and threads; it may be overshot, on each thread, by
    /// some eleven hundred and by the leaves below one node, which are searched without a look at the limits.
    pub nodes: Option<u64>,
    /// The greatest wall time. It is overrun, as a stop is that comes from outside, by the evaluation under
    /// way and by what workers do until they look at the clock again: a few milliseconds, as they have
    /// measured their nodes so far, and longer where evaluations become dear all of a sudden. Where there are
    /// more threads than processors, they come to that one after another. A callback, or one call of the
    /// game, is not interrupted.
    pub time: Option<Duration>,
    /// A flag that stops the search from outside.
    pub stop: StopFlag,
}

impl Default for Limits {
    /// As deep as one second lets it.
    fn default() -> Self {
        Limits::unbounded().with_time(Duration::from_secs(1))
    }
}

impl Limits {
    /// To `depth` and no other limit.
    pub fn depth(depth: u32) -> Self {
        Limits { depth, nodes: None, time: None, stop: StopFlag::new() }
    }

    /// As deep as the other limits let it. The calling thread searches too, on its own stack: for what a ply
    /// takes of it, see [`Searcher`](crate::Searcher#stacks).
    pub fn unbounded() -> Self {
        Limits::depth(MAX_DEPTH)
    }

    /// With at most `nodes` nodes.
    #[must_use]
    pub fn with_nodes(self, nodes: u64) -> Self {
        Limits { nodes: Some(nodes), ..self }
    }

    /// With at most this much wall time.
    #[must_use]
    pub fn with_time(self, time: Duration) -> Self {
        Limits { time: Some(time), ..self }
    }

    /// Stopped by this flag.
    #[must_use]
    pub fn with_stop(self, stop: StopFlag) -> Self {
        Limits { stop, ..self }
    }
}
