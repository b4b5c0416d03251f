//! Rewards of moves and outcomes ([`Steps::rewards`](crate::game::Steps::rewards)).
//!
//! A step with the reward r, in steps of the grid, leads to a node of value v, both for the player of the
//! node before it. The step is worth `f(v) = clamp(r + v)`; clamping brings a number into the grid, from -L
//! to L. A decision node is worth the maximum of its moves' worth, a chance node the rounded weighted mean of
//! its outcomes' worth. At depth 0 the evaluation estimates all that is still to come.
//!
//! Why every proof stays a proof:
//!
//! * f is monotone, so it maps bounds of v to bounds of `f(v)`. Clamping is odd, so the player does not
//!   matter: the other player has reward -r, value -v and worth `-f(v)`.
//! * A node keeps bounds F of each step's worth, and meets every new proof with them. They begin with
//!   `f([-L, L])`. F may be exact before v is known, since f maps many v to an end of the grid. A chance
//!   node's sums and thresholds use F.
//! * For -L < beta <= L, `f(v) >= beta` is `v >= beta - r`. For -L <= alpha < L, `f(v) <= alpha` is
//!   `v <= alpha - r`. So the successor is searched in the step's window, narrowed to F, less r.
//!
//! Clamping is for bounds. If v itself is known and r + v is off the grid, the game has broken its contract,
//! unless it saturates, and the search ends (`breach.rs`). If the contract is kept, F holds for r + v as
//! well. A reward that alone exceeds the difference of any two values is detected before v is known.
//!
//! Windows stay on the grid. If F is not exact and does not settle the window [alpha, beta], the narrowed
//! window has `F.lower <= alpha < beta <= F.upper`. F lies within `f([-L, L])`, whose lower end is
//! `max(r, 0) - L` (for r of at most 2 L). So `alpha - r >= max(r, 0) - r - L >= -L`, and in the same way
//! `beta - r <= L`. So no window needs clipping, whatever the reward. (Expectimax uses a window wider than
//! the grid at chance nodes, to get exact values. It becomes F less r, which only an exact F settles.) The
//! conditions on alpha and beta hold as well: `beta > F.lower >= -L` and `alpha < F.upper <= L`.
//!
//! A table entry holds the node's value without the reward before it: f has no inverse, and another path to
//! the node has another reward.
//!
//! F of a move needs the position after it, so it is computed only when the move is tried. A move whose F
//! settles the window is not searched; F is its result.

use crate::game::{Game, StepOf};
use crate::score::{Bounds, Score, Window, is_on_grid};

/// The reward of a step, for the player of the node before it. At most twice the grid's limit: that much
/// already takes every value to the end of the grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Reward(pub(crate) Score);

/// How the node above an edge sees what lies below it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Edge {
    pub(crate) reward: Reward,
    /// Whether the successor belongs to the other player.
    pub(crate) flips: bool,
}

impl Reward {
    /// The reward of a step to `after`; none where steps carry none. `off_grid` replaces one beyond twice the
    /// limit.
    #[inline]
    pub(super) fn of_step<G: Game>(
        game: &G,
        limit: Score,
        before: &G::Position,
        (step, after): (StepOf<G>, &G::Position),
        off_grid: impl FnOnce(Score) -> Score,
    ) -> Self {
        if !G::STEPS.may_pay(&step) {
            return Reward(0);
        }
        let reward = game.reward(before, step, after);
        Reward(if is_on_grid(reward, 2 * limit) { reward } else { off_grid(reward) })
    }

    /// Whether the reward alone settles a window on the grid, whatever the value after the step.
    #[inline]
    pub(super) fn is_enough_for(self, window: Window, limit: Score) -> bool {
        self.0 >= window.beta + limit || self.0 <= window.alpha - limit
    }

    /// f of bounds: the worth of a step to a node with these.
    #[inline]
    pub(super) fn mapped(self, below: Bounds, limit: Score) -> Bounds {
        let worth = |below: Score| (self.0 + below).clamp(-limit, limit);
        Bounds { lower: worth(below.lower), upper: worth(below.upper) }
    }

    /// The successor's window, before a change of player, from the step's.
    #[inline]
    pub(super) fn shifted(self, window: Window) -> Window {
        Window { alpha: window.alpha - self.0, beta: window.beta - self.0 }
    }
}

/// Clamps a reward to twice the limit, for windows and bounds only. The search of the successor checks the
/// game's contract.
pub(super) fn within(limit: Score) -> impl FnOnce(Score) -> Score {
    move |reward| reward.clamp(-2 * limit, 2 * limit)
}

impl Edge {
    /// The edge of a step to `after`.
    pub(crate) fn of_step<G: Game>(
        game: &G,
        limit: Score,
        before: &G::Position,
        step: StepOf<G>,
        after: &G::Position,
    ) -> Self {
        let flips = game.player(after) != game.player(before);
        Edge { reward: Reward::of_step(game, limit, before, (step, after), within(limit)), flips }
    }

    /// The worth of the edge for the player above it, from the successor's bounds for the successor's player.
    pub(crate) fn worth(self, below: Bounds, limit: Score) -> Bounds {
        self.reward.mapped(if self.flips { below.flipped() } else { below }, limit)
    }

    /// The worth, on the grid or not, if the successor's value is exact.
    pub(crate) fn exact_worth(self, below: Bounds) -> Option<Score> {
        let below = if self.flips { below.flipped() } else { below };
        below.is_exact().then_some(self.reward.0 + below.lower)
    }

    /// The successor's window, for its player, from the edge's.
    pub(crate) fn below(self, window: Window) -> Window {
        let shifted = self.reward.shifted(window);
        if self.flips { shifted.flipped() } else { shifted }
    }
}

#[cfg(all(test, not(loom)))]
mod tests;
