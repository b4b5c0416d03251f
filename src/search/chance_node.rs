//! A chance node in search, and its successors.

use crate::score::{Bounds, Score, Window};
use crate::search::chance_sums::ChanceSums;
use crate::search::shares::Shares;
use std::ops::Range;

/// An outcome's place among those of its chance node as the game lists them, from 0.
pub(crate) type Place = u32;

/// A successor of a chance node (the paper's `cinfo`). Its bounds are for the chance node's player and
/// include the outcome's reward.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ChanceSuccessor<O> {
    pub(crate) outcome: O,
    pub(crate) weight: u32,
    pub(crate) place: Place,
    pub(crate) bounds: Bounds,
}

/// A chance node in search. Its successors lie on the worker's stack.
#[derive(Debug)]
pub(crate) struct ChanceNode {
    pub(super) begin: usize,
    pub(super) end: usize,
    pub(crate) sums: ChanceSums,
    /// The window in which the node is searched.
    pub(crate) window: Window,
    /// The table's bounds of the node; the window lies within.
    pub(crate) known: Bounds,
    /// The version of the windows above from which the window was last derived; see `live.rs`.
    pub(super) seen: u64,
    /// Whether the window has become empty because of what was proven elsewhere.
    pub(crate) window_closed: bool,
    /// The node's own evaluation, where it ignores outcomes.
    pub(crate) evaluation: Option<Score>,
    /// The parts of the next share, in that phase.
    pub(crate) shares: Shares,
}

/// A pass over a chance node's successors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Phase {
    /// Star2's: a few moves of each successor.
    Probing,
    /// Null windows that ask each successor for its share of beta (`shares.rs`).
    Shares,
    /// Star1's: each successor in its window.
    Star1,
}

impl ChanceNode {
    /// The successors' indices on the worker's stack.
    #[inline]
    pub(crate) fn range(&self) -> Range<usize> {
        self.begin..self.end
    }

    /// Whether the node is cut, by its own sums or by what was proven elsewhere.
    #[inline]
    pub(crate) fn is_settled(&self) -> bool {
        self.sums.is_cut() || self.window_closed
    }
}

/// The window of a probe for the chance node's player, before the reward is subtracted. `of_opponent`:
/// whether the other player moves at the successor.
#[inline]
pub(super) fn probe_window(sums: &ChanceSums, weight: u32, known: Bounds, of_opponent: bool) -> Window {
    let window = sums.window_for(weight, known);
    if of_opponent {
        Window::new(window.alpha, known.upper)
    } else {
        // Only ChildMax counts: any lower bound that a few moves prove is useful.
        Window::new(known.lower, window.beta)
    }
}
