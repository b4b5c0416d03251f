//! What proves how much a root is worth: the library's search, or the experiment's own.

use crate::question::door::{AnySearcher, Entry};
use starsplit::score::{Bounds, Window};
use starsplit::search::{Limits, Stats, StopFlag, StopReason};

/// What searches took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Counts {
    /// Every entry into a node.
    pub(super) nodes: u64,
    /// Static evaluations, those by which moves are ranked among them.
    pub(super) evaluations: u64,
    /// Look-ups in the table.
    pub(super) look_ups: u64,
    /// Successors searched in less than their usual window.
    pub(super) narrowed: u64,
    /// Those of them that had to be searched again.
    pub(super) re_searches: u64,
    /// Proofs that contradicted each other: none in a sound search.
    pub(super) contradictions: u64,
}

impl Counts {
    /// Both together.
    pub(super) fn plus(self, other: Counts) -> Counts {
        Counts {
            nodes: self.nodes + other.nodes,
            evaluations: self.evaluations + other.evaluations,
            look_ups: self.look_ups + other.look_ups,
            narrowed: self.narrowed + other.narrowed,
            re_searches: self.re_searches + other.re_searches,
            contradictions: self.contradictions + other.contradictions,
        }
    }

    /// What a search of the library took.
    pub(super) fn of(stats: &Stats) -> Counts {
        Counts {
            nodes: stats.nodes.total(),
            evaluations: stats.nodes.evaluations,
            look_ups: stats.table.probes,
            contradictions: stats.table.contradictions,
            ..Counts::default()
        }
    }
}

/// What one search of the root has proven.
#[derive(Clone, Copy, Debug)]
pub(super) struct Proof {
    pub(super) bounds: Bounds,
    pub(super) counts: Counts,
    /// Whether it was stopped before it had proven what was asked.
    pub(super) is_stopped: bool,
}

/// A root, and what searches it in windows; what it has learnt helps the searches to come.
pub(super) trait Prover {
    /// Searches the root to this depth as far as the window asks.
    ///
    /// # Errors
    /// Whatever ends the search with an error.
    fn prove(&mut self, depth: u32, window: Window) -> anyhow::Result<Proof>;
}

/// The library's search, one call for each window. Its table is kept from one to the next; what else a call
/// learns, of moves and of what to look up, ends with it.
pub(super) struct LibraryProver<'a> {
    pub(super) searcher: &'a dyn AnySearcher,
    pub(super) root: &'a Entry,
    pub(super) stop: &'a StopFlag,
}

impl Prover for LibraryProver<'_> {
    fn prove(&mut self, depth: u32, window: Window) -> anyhow::Result<Proof> {
        let limits = Limits::unbounded().with_stop(self.stop.clone());
        let proof = self.searcher.prove(self.root, depth, window, &limits)?;
        let is_stopped = proof.stopped_by != StopReason::Depth;
        Ok(Proof { bounds: proof.bounds, counts: Counts::of(&proof.stats), is_stopped })
    }
}
