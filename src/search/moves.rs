//! What a worker knows of moves: those of the decision nodes on its path, with what was computed of them.

use crate::score::{Bounds, Score, Window};
use crate::search::heuristics::Heuristics;
use crate::search::together::Together;
use crate::search::tuning::Trial;
use std::ops::Range;

/// The moves of the decision nodes on the path, the root's first, and what ranks them.
pub(crate) struct Moves<M, P, S> {
    pub(super) stack: Vec<RankedMove<M>>,
    /// The successors made to rank them.
    pub(super) successors: Vec<MoveSuccessor<P, S>>,
    /// Which moves cut elsewhere.
    pub(super) heuristics: Heuristics<M>,
    /// What is evaluated together, where evaluations are made in batches; see `company.rs`.
    pub(super) together: Together,
}

impl<M: Copy, P, S> Moves<M, P, S> {
    /// None yet.
    pub(super) fn new(heuristics: Heuristics<M>, together: Together) -> Self {
        let (stack, successors) = (Vec::with_capacity(1024), Vec::with_capacity(256));
        Moves { stack, successors, heuristics, together }
    }

    /// The move at this place of the stack.
    #[inline]
    pub(super) fn at(&self, place: usize) -> M {
        self.stack[place].mv
    }
}

/// A move with its rank.
#[derive(Clone, Copy, Debug)]
pub(super) struct RankedMove<M> {
    pub(super) mv: M,
    /// Its place in generation order.
    pub(super) ordinal: u32,
    /// Where its successor waits in `Moves::successors`, if it was made for ranking.
    pub(super) successor: Option<u32>,
    pub(super) rank: i64,
}

/// The position after a move, with all that was computed of it.
#[derive(Clone, Debug)]
pub(crate) struct MoveSuccessor<P, S> {
    pub(super) position: P,
    pub(super) state: S,
    /// The evaluation as the successor's player sees it, if it was made.
    pub(super) evaluation: Option<Score>,
}

impl<P, S> MoveSuccessor<P, S> {
    /// The position after the move.
    #[inline]
    pub(crate) fn position(&self) -> &P {
        &self.position
    }
}

/// The moves of one decision node, generated on the worker's stack.
#[derive(Debug)]
pub(super) struct GeneratedMoves {
    pub(super) begin: usize,
    pub(super) end: usize,
    pub(super) first_successor: usize,
}

impl GeneratedMoves {
    /// Where the moves lie on the stack, in generation order.
    #[inline]
    pub(super) fn range(&self) -> Range<usize> {
        self.begin..self.end
    }
}

/// Gives out the moves of one decision node, best guess first.
#[derive(Debug)]
pub(super) struct MovePicker {
    pub(super) moves: GeneratedMoves,
    pub(super) next: usize,
    pub(super) hint: Option<u16>,
    pub(super) is_ranked: bool,
    /// How many moves are still to be selected one by one.
    pub(super) selections: u8,
    /// Whether the rest is sorted then, or left as it is.
    pub(super) sorts: bool,
    /// Whether moves are ranked by static evaluation.
    pub(super) is_static: bool,
    /// The trial that this node is.
    pub(super) trial: Option<Trial>,
}

/// A move given out: the move, its ordinal, and where its successor waits if it was made.
#[derive(Debug)]
pub(crate) struct Picked<M> {
    pub(crate) mv: M,
    pub(crate) ordinal: u32,
    pub(super) successor: Option<u32>,
}

/// A decision node whose moves are being tried.
#[derive(Debug)]
pub(crate) struct OpenMoves {
    /// What is asked of the node.
    pub(crate) window: Window,
    /// What the table knew of it; the window lies within.
    pub(crate) known: Bounds,
    /// The greatest of the bounds of the moves tried, which start below everything.
    pub(crate) greatest: Bounds,
    pub(super) best: Option<u32>,
    pub(super) picker: MovePicker,
    /// How many moves may still be tried.
    pub(super) untried: u32,
    /// Whether each move's own value is wanted, which no other move's value may cut short: at a root whose
    /// moves are ranked, and at every node of an algorithm that does not prune.
    pub(crate) is_full_width: bool,
}

/// How many of a decision node's moves are searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Breadth {
    /// All, until one cuts.
    All,
    /// At most so many: Star2's probing factor.
    First(u32),
}
