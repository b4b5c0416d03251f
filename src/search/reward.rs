//! Rewards along edges ([`Steps::rewards`]): what a move or an outcome is worth where something is scored
//! on the way.
//!
//! A move or an outcome with the reward r, in steps of the grid, leads to a node worth v; both as the player
//! of the node that it leaves sees them. It is then worth `f(v) = clamp(r + v)`, where clamping brings a
//! number onto the grid, from -L to L. A decision node is worth the greatest of its moves', a chance node the
//! rounded weighted mean of its outcomes'. At depth 0 the evaluation stands for all that is still to come.
//!
//! Why every proof stays one:
//!
//! * Clamping is monotone, so bounds of v are mapped to bounds of `f(v)`, and odd, so that it does not matter
//!   who looks: the other player sees the reward -r, the value -v and their sum clamped, `-f(v)`.
//! * A node keeps bounds F of what each successor is worth to it, mapped, and meets every new proof with
//!   them. They begin with `f([-L, L])`. F may be exact though v is not known: f joins all v that it clamps.
//!   What a chance node's sums and thresholds are made of is F.
//! * For -L < beta <= L, `f(v) >= beta` is `v >= beta - r`; for -L <= alpha < L, `f(v) <= alpha` is
//!   `v <= alpha - r`. So the successor is searched in the node's window for it, narrowed to F, less r.
//!
//! Clamping is for bounds. Where v itself is known and r + v is off the grid, the game has broken its
//! contract, unless it declares that it saturates, and the search ends (`breach.rs`). A contract that is kept
//! makes F true of r + v, too. That a reward alone is more than two values differ by is known before v is.
//!
//! Windows stay on the grid. Where F is not exact and does not settle the window [alpha, beta], the narrowed
//! one has `F.lower <= alpha < beta <= F.upper`. F lies within `f([-L, L])`, whose lower end is
//! `max(r, 0) - L` (for r no more than 2 L), so `alpha - r >= max(r, 0) - r - L >= -L`; in the same way
//! `beta - r <= L`. So nothing has to be cut to the grid, and a reward of any size asks of the successor what
//! it can answer. (A window wider than the grid, with which Expectimax asks its chance nodes for exact
//! values, becomes F less r, which only an exact F answers.) The conditions on alpha and beta hold, too:
//! `beta > F.lower >= -L` and `alpha < F.upper <= L`.
//!
//! An entry of the table holds the value of the node, without the reward that led to it: f has no inverse,
//! and another way to the node has another reward.
//!
//! Of a decision node's moves F is known when they come up, not before: it takes the position after the move,
//! which is made for the moves tried only. A move whose F settles the window is not searched; its F counts.

use crate::game::{Game, StepOf};
use crate::score::{Bounds, Score, Window, is_on_grid};

/// The reward of a move or an outcome, as the player of the node that it leaves sees it. At most twice the
/// grid's limit: with that, as with more where values saturate, every value ends up at the grid's end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Reward(pub(super) Score);

/// How what lies below an edge is seen from the node above it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Edge {
    pub(crate) reward: Reward,
    /// Whether the successor belongs to the other player.
    pub(crate) flips: bool,
}

impl Reward {
    /// No reward.
    const NONE: Self = Reward(0);

    /// A reward that the game gave; `off_grid` says what is made of one that is more than values differ by.
    #[inline(always)]
    fn taken(reward: Score, limit: Score, off_grid: impl FnOnce(Score) -> Score) -> Self {
        Reward(if is_on_grid(reward, 2 * limit) { reward } else { off_grid(reward) })
    }

    /// The reward of a step that leads to `after`; `off_grid` as in `taken`.
    #[inline(always)]
    pub(super) fn of_step<G: Game>(
        game: &G,
        limit: Score,
        before: &G::Position,
        (step, after): (StepOf<G>, &G::Position),
        off_grid: impl FnOnce(Score) -> Score,
    ) -> Self {
        if !G::STEPS.may_pay(&step) {
            return Self::NONE;
        }
        Self::taken(game.reward(before, step, after), limit, off_grid)
    }

    /// The reward in steps of the grid.
    #[inline]
    pub(super) fn steps(self) -> Score {
        self.0
    }

    /// Whether the reward alone settles a window on the grid: whether [`mapped`](Self::mapped) of all that
    /// is possible does.
    #[inline(always)]
    pub(super) fn is_enough_for(self, window: Window, limit: Score) -> bool {
        self.0 >= window.beta + limit || self.0 <= window.alpha - limit
    }

    /// f: what the edge is worth that leads to this much.
    #[inline]
    pub(super) fn with(self, below: Score, limit: Score) -> Score {
        (self.0 + below).clamp(-limit, limit)
    }

    /// f of bounds.
    #[inline]
    pub(super) fn mapped(self, below: Bounds, limit: Score) -> Bounds {
        Bounds { lower: self.with(below.lower, limit), upper: self.with(below.upper, limit) }
    }

    /// The window of what the edge leads to, where the edge is asked for `window`.
    #[inline]
    pub(super) fn shifted(self, window: Window) -> Window {
        Window { alpha: window.alpha - self.0, beta: window.beta - self.0 }
    }
}

/// The nearest reward that values can differ by, for windows and bounds: whoever searches what a move or an
/// outcome leads to looks whether the game keeps its contract.
pub(super) fn within(limit: Score) -> impl FnOnce(Score) -> Score {
    move |reward| reward.clamp(-2 * limit, 2 * limit)
}

impl Edge {
    /// The edge that a step is which leads to `after`.
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

    /// What the edge is worth, as the player of the node above it sees it, where this is known of what it
    /// leads to, as the player there sees it.
    pub(crate) fn worth(self, below: Bounds, limit: Score) -> Bounds {
        self.reward.mapped(if self.flips { below.flipped() } else { below }, limit)
    }

    /// The same where the value of what it leads to is known, whether it is on the grid or not.
    pub(crate) fn exact_worth(self, below: Bounds) -> Option<Score> {
        let below = if self.flips { below.flipped() } else { below };
        below.is_exact().then_some(self.reward.0 + below.lower)
    }

    /// The window of the successor, as its player sees it, where the edge is asked for `window`.
    pub(crate) fn below(self, window: Window) -> Window {
        let shifted = self.reward.shifted(window);
        if self.flips { shifted.flipped() } else { shifted }
    }
}

#[cfg(all(test, not(loom)))]
mod tests;
