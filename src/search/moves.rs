//! The moves of the decision nodes on a worker's path, and their successors.

use crate::score::{Bounds, Score, Window};
use crate::search::heuristics::Heuristics;
use crate::search::live::{Change, Link};
use crate::search::reward::Edge;
use crate::search::sibling_batcher::SiblingBatcher;
use crate::search::tuning::Trial;
use std::ops::Range;

/// The moves of the decision nodes on the path, the root's first, and what ranks them.
pub(crate) struct Moves<M, P, S> {
    pub(super) stack: Vec<RankedMove<M>>,
    /// The successors made for ranking.
    pub(super) successors: Vec<MoveSuccessor<P, S>>,
    /// Killers and history.
    pub(super) heuristics: Heuristics<M>,
    /// Evaluations made in batches; see `sibling_batch.rs`.
    pub(super) batcher: SiblingBatcher,
}

impl<M: Copy, P, S> Moves<M, P, S> {
    /// Empty stacks.
    pub(super) fn new(heuristics: Heuristics<M>, batcher: SiblingBatcher) -> Self {
        let (stack, successors) = (Vec::with_capacity(1024), Vec::with_capacity(256));
        Moves { stack, successors, heuristics, batcher }
    }

    /// The move at this stack index.
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
    /// The index of its successor in `Moves::successors`, if ranking made it.
    pub(super) successor: Option<u32>,
    pub(super) rank: i64,
}

/// The position after a move, with what was computed for it.
#[derive(Clone, Debug)]
pub(crate) struct MoveSuccessor<P, S> {
    pub(crate) position: P,
    pub(super) state: S,
    /// The evaluation for the successor's player, if it was made.
    pub(super) evaluation: Option<Score>,
}

/// The moves of one decision node, generated on the worker's stack.
#[derive(Debug)]
pub(super) struct GeneratedMoves {
    pub(super) begin: usize,
    pub(super) end: usize,
    pub(super) first_successor: usize,
}

impl GeneratedMoves {
    /// The moves' indices on the stack, in generation order.
    #[inline]
    pub(super) fn range(&self) -> Range<usize> {
        self.begin..self.end
    }
}

/// Yields the moves of a decision node, best guess first.
#[derive(Debug)]
pub(super) struct MovePicker {
    pub(super) moves: GeneratedMoves,
    pub(super) next: usize,
    pub(super) table_move: Option<u16>,
    pub(super) is_ranked: bool,
    /// The moves still to be selected one by one.
    pub(super) selections: u8,
    /// Whether the rest is then sorted, or left as it is.
    pub(super) sorts: bool,
    /// Whether moves are ranked by static evaluation.
    pub(super) is_static: bool,
    /// The ordering trial that this node belongs to.
    pub(super) trial: Option<Trial>,
}

impl MovePicker {
    /// Whether all moves were yielded.
    #[inline]
    pub(super) fn is_exhausted(&self) -> bool {
        self.next == self.moves.end
    }

    /// The number of moves not yet yielded.
    #[inline]
    pub(super) fn left(&self) -> usize {
        self.moves.end - self.next
    }
}

/// A picked move, its ordinal, and the index of its successor if ranking made it.
#[derive(Debug)]
pub(crate) struct Picked<M> {
    pub(crate) mv: M,
    pub(crate) ordinal: u32,
    pub(super) successor: Option<u32>,
}

/// A decision node whose moves are being tried.
#[derive(Debug)]
pub(crate) struct OpenMoves {
    /// The node's window.
    pub(crate) window: Window,
    /// The table's bounds of the node; the window lies within.
    pub(crate) known: Bounds,
    /// The maximum of the bounds of the moves tried; it starts at the least score.
    pub(crate) greatest: Bounds,
    pub(super) best: Option<u32>,
    pub(super) picker: MovePicker,
    /// How many moves may still be tried.
    pub(super) untried: u32,
    /// Whether more moves than the best get a value of their own: at a root with ranked moves, and at every
    /// node of an algorithm that does not prune.
    pub(crate) is_full_width: bool,
}

impl OpenMoves {
    /// Forgets the best move, for a node that ended before its moves could be compared.
    pub(crate) fn forget_best(&mut self) {
        self.best = None;
    }

    /// The number of moves left to try.
    #[inline]
    pub(super) fn left(&self) -> usize {
        self.picker.left().min(self.untried as usize)
    }

    /// The score that the next move has to beat.
    #[inline]
    pub(crate) fn floor(&self) -> Score {
        if self.is_full_width { self.window.alpha } else { self.greatest.lower }
    }

    /// The window of the next move, for the mover.
    #[inline]
    pub(crate) fn next_window(&self) -> Window {
        self.window_above(self.floor())
    }

    /// The same for a move that has to beat `floor`.
    #[inline]
    pub(super) fn window_above(&self, floor: Score) -> Window {
        Window::new(self.window.alpha.max(floor), self.window.beta)
    }

    /// The link to the next move's successor.
    pub(super) fn link(&self, floor: Score, possible: Bounds, edge: Edge) -> Link {
        Link::Decision { floor, known: self.known, possible, edge }
    }

    /// Narrows the window as what lies above has changed; `true` when that settles the node.
    pub(super) fn follow(&mut self, change: Change) -> bool {
        match change {
            Change::None => false,
            Change::Empty => true,
            Change::To(window) => {
                self.window = window.narrowed_by(self.known);
                self.window.is_empty() || self.floor() >= self.window.beta
            }
        }
    }
}

/// How many moves of a decision node are searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Breadth {
    /// All, until a cutoff.
    All,
    /// At most this many: Star2's probing factor.
    First(u32),
}

impl Breadth {
    /// The greatest number of moves that are searched.
    #[inline]
    pub(super) fn most(self) -> u32 {
        match self {
            Breadth::All => u32::MAX,
            Breadth::First(most) => most,
        }
    }
}
