//! A chance node that is being searched, and its successors.

use crate::score::{Bounds, Score, Window};
use crate::search::chance_sums::ChanceSums;
use std::ops::Range;

/// One successor of a chance node and what is known of it, as the chance node's player sees it (the paper's
/// `cinfo`): of what its outcome is worth, together with the reward.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Successor<O> {
    pub(crate) outcome: O,
    pub(crate) weight: u32,
    pub(crate) bounds: Bounds,
}

/// A chance node being searched. Its successors lie on the worker's stack.
#[derive(Debug)]
pub(crate) struct ChanceNode {
    pub(super) begin: usize,
    pub(super) end: usize,
    pub(crate) sums: ChanceSums,
    /// What is asked of the node.
    pub(crate) window: Window,
    /// What the table knew of it; the window lies within.
    pub(crate) known: Bounds,
    /// The version of the windows above from which the window was derived last; see `live.rs`.
    pub(super) seen: u64,
    /// Whether what was proven elsewhere has left nothing to ask of the node.
    pub(super) is_moot: bool,
    /// The node's own evaluation, for evaluators that do not look at its outcomes.
    pub(crate) evaluation: Option<Score>,
}

/// A pass over a chance node's successors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Phase {
    /// Star2's: a few moves of each successor.
    Probing,
    /// Star1's: each successor until its part of the node's value is settled.
    Star1,
}

impl ChanceNode {
    /// Where the successors lie on the worker's stack.
    #[inline]
    pub(crate) fn range(&self) -> Range<usize> {
        self.begin..self.end
    }

    /// What was proven elsewhere has left nothing to ask of the node.
    pub(crate) fn become_moot(&mut self) {
        self.is_moot = true;
    }

    /// Whether the node is cut, by its own sums or by what was proven elsewhere.
    #[inline]
    pub(crate) fn is_settled(&self) -> bool {
        self.sums.is_cut() || self.is_moot
    }
}

/// The window of a probe, as the chance node's player sees it, before a reward is taken off. `of_opponent`:
/// whether the other player moves.
#[inline]
pub(super) fn probe_window(sums: &ChanceSums, weight: u32, known: Bounds, of_opponent: bool) -> Window {
    let window = sums.window_for(weight, known);
    if of_opponent {
        Window::new(window.alpha, known.upper)
    } else {
        // Only ChildMax counts: a few moves prove a lower bound, which is worth having however low it is.
        Window::new(known.lower, window.beta)
    }
}
