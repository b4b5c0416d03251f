//! When a search ends: depth, nodes, time, or a stop flag.

use crate::sync::{AtomicBool, Relaxed};
use std::sync::Arc;
use std::time::Duration;

/// The greatest depth of a search. A table slot has eight bits for a depth, and 255 is spare.
pub const MAX_DEPTH: u32 = 254;

/// The greatest [`full_depth`](crate::game::Game::full_depth) of the root of a search
/// [to the end](SearchDepth::ToTheEnd). Such long games need larger [stacks](crate::Searcher#stacks).
pub const MAX_FULL_DEPTH: u32 = 4096;

/// The greatest number of threads in a search.
pub const MAX_THREADS: usize = 1024;

/// The greatest number of workers: threads, or lanes on all threads.
pub const MAX_WORKERS: usize = 16_384;

/// The greatest number of evaluations in a batch.
pub const MAX_BATCH: usize = 65_536;

/// The greatest number of [`move_slots`](crate::game::GameFacts::move_slots). Each thread of a search needs
/// four bytes for each slot and player: 8 MiB at the most.
pub const MAX_MOVE_SLOTS: usize = 1 << 20;

/// The greatest number of moves and outcomes on a path, for games with plies of their own
/// ([`Steps::plies`](crate::game::Steps::plies)). In other games a path is no longer than the depth.
pub const MAX_PATH_LENGTH: u32 = 512;

/// A flag that stops searches. Any thread may raise it; clones share it.
///
/// It stays raised until it is cleared, so a flag raised just before a search begins is not lost.
#[derive(Clone, Debug, Default)]
pub struct StopFlag(Arc<AtomicBool>);

impl StopFlag {
    /// A flag that is not raised.
    pub fn new() -> Self {
        StopFlag::default()
    }

    /// Stops every search that has this flag.
    pub fn stop(&self) {
        // Relaxed: the flag publishes no other data, and a few more nodes do not matter.
        self.0.store(true, Relaxed);
    }

    /// Clears the flag, for another search.
    pub fn clear(&self) {
        self.0.store(false, Relaxed); // Relaxed: as in `stop`.
    }

    /// Whether the flag is raised.
    #[inline]
    pub fn is_raised(&self) -> bool {
        self.0.load(Relaxed) // Relaxed: as in `stop`.
    }
}

/// How deep a search goes. Nothing is deeper than the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SearchDepth {
    /// So many plies: 1 to [`MAX_DEPTH`].
    Plies(u32),
    /// To the end of the game, for games that bound their length
    /// ([`Game::full_depth`](crate::game::Game::full_depth)) by at most [`MAX_FULL_DEPTH`].
    ///
    /// The value depends on no evaluation: evaluations only order moves. There is one iteration; results tell
    /// the plies that were left at most as its depth. A position has one entry in the table, whatever the
    /// plies to it: where positions recur, that is far fewer nodes than a search to a depth as great.
    ToTheEnd,
}

impl From<u32> for SearchDepth {
    fn from(plies: u32) -> Self {
        SearchDepth::Plies(plies)
    }
}

/// The limits of a search. The first one reached ends it. Write them as fields over a default, such as
/// `Limits { nodes: Some(1_000), ..Limits::depth(8) }`: later versions may have more.
#[derive(Clone, Debug)]
pub struct Limits {
    /// The depth of the last iteration.
    pub depth: SearchDepth,
    /// The greatest number of nodes, in all iterations and threads. Each thread may exceed it by some eleven
    /// hundred, and by the leaves below one node, which are searched without a check of the limits.
    pub nodes: Option<u64>,
    /// The greatest wall time. A search overruns it, and a stop from outside, by the current evaluation and
    /// by what workers do until their next look at the clock. That is a few milliseconds, by the measured
    /// time of nodes, and longer if evaluations suddenly become slow. With more threads than processors,
    /// threads reach that look one after another. A callback or a call of the game is never interrupted.
    pub time: Option<Duration>,
    /// The flag that stops the search.
    pub stop: StopFlag,
}

impl Default for Limits {
    /// As deep as possible in one second.
    fn default() -> Self {
        Limits::unbounded().with_time(Duration::from_secs(1))
    }
}

impl Limits {
    /// A depth of `plies`, and no other limit.
    pub fn depth(plies: u32) -> Self {
        Limits { depth: SearchDepth::Plies(plies), nodes: None, time: None, stop: StopFlag::new() }
    }

    /// To the end of the game, and no other limit.
    pub fn to_the_end() -> Self {
        Limits { depth: SearchDepth::ToTheEnd, ..Limits::depth(MAX_DEPTH) }
    }

    /// As deep as the other limits allow. The calling thread also searches, on its own stack; for the stack
    /// that a ply needs, see [`Searcher`](crate::Searcher#stacks).
    pub fn unbounded() -> Self {
        Limits::depth(MAX_DEPTH)
    }

    /// Adds a limit of `nodes` nodes.
    #[must_use]
    pub fn with_nodes(self, nodes: u64) -> Self {
        Limits { nodes: Some(nodes), ..self }
    }

    /// Adds a limit on wall time.
    #[must_use]
    pub fn with_time(self, time: Duration) -> Self {
        Limits { time: Some(time), ..self }
    }

    /// Adds a stop flag.
    #[must_use]
    pub fn with_stop(self, stop: StopFlag) -> Self {
        Limits { stop, ..self }
    }
}
