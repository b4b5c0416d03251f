//! Parts of the search for a planner that shares one search among machines
//! ([`unstable`](crate::unstable)). All bounds and windows of a node are for its own player.

use crate::game::{Game, NodeKind, Step, StepOf};
use crate::score::{Bounds, Score, Window};
use crate::search::{
    ChanceSums, Edge, Given, Phase, SearchError, are_weights, checked_score, depth_after, entry_depth,
    fault_of_weights, move_window, successor_window,
};

/// A successor of a node.
#[derive(Clone, Debug)]
pub struct Successor<P> {
    /// The position.
    pub position: P,
    /// Its remaining depth.
    pub depth: u8,
    /// The move or the outcome that leads to it.
    pub edge: WeightedEdge,
}

/// A move or an outcome: how a node sees its successor.
#[derive(Clone, Copy, Debug)]
pub struct WeightedEdge {
    edge: Edge,
    /// An outcome's weight; 1 for a move.
    weight: u32,
}

impl WeightedEdge {
    /// An outcome's weight; 1 for a move.
    pub(crate) fn weight(self) -> u32 {
        self.weight
    }

    /// The reward of the move or the outcome, for the parent's player, in steps of the grid.
    pub(crate) fn reward(self) -> Score {
        self.edge.reward.0
    }

    /// The successor's bounds `below` as its parent sees them, on a grid with this limit.
    pub fn worth(self, below: Bounds, limit: Score) -> Bounds {
        self.edge.worth(below, limit)
    }
}

/// The successors of a position that is no terminal, in the game's order of moves or outcomes. `depth` is
/// that of the position, at least 1.
///
/// # Errors
/// When there is no move, when weights are zero or their sum is out of range, or when a reward exceeds the
/// greatest difference of two values.
pub fn successors<G: Game>(
    game: &G,
    position: &G::Position,
    depth: u8,
) -> Result<Vec<Successor<G::Position>>, SearchError> {
    let mut steps = Vec::new();
    if game.kind(position) == NodeKind::Chance {
        game.outcomes(position, |outcome, weight| steps.push((Step::Outcome(outcome), weight)));
        let weights = || steps.iter().map(|&(_, weight)| weight);
        let (least, total) = (weights().min().unwrap_or(u32::MAX), weights().map(u64::from).sum());
        if !are_weights(least, total) {
            return Err(fault_of_weights(least, total));
        }
    } else {
        game.moves(position, |mv| steps.push((Step::Move(mv), 1)));
        if steps.is_empty() {
            return Err(SearchError::NoMoves);
        }
    }
    steps.into_iter().map(|step| successor(game, position, depth, step)).collect()
}

/// The successor after a step, an outcome of this weight or a move of weight 1.
pub(crate) fn successor<G: Game>(
    game: &G,
    position: &G::Position,
    depth: u8,
    (step, weight): (StepOf<G>, u32),
) -> Result<Successor<G::Position>, SearchError> {
    let after = step.take(game, position);
    if G::STEPS.may_pay(&step) {
        checked(game, Given::Reward, game.reward(position, step, &after), position)?;
    }
    let edge = Edge::of_step(game, game.facts().grid.limit(), position, step, &after);
    let depth = entry_depth(depth_after(game, depth.into(), position, step, &after));
    Ok(Successor { position: after, depth, edge: WeightedEdge { edge, weight } })
}

/// The bounds of a position of this kind from those of all its successors, or a terminal's score.
///
/// # Errors
/// When a terminal's score is off the grid, or a reward takes an exact value beyond it.
pub fn bounds<G: Game>(
    game: &G,
    position: &G::Position,
    kind: NodeKind,
    below: &[(WeightedEdge, Bounds)],
) -> Result<Bounds, SearchError> {
    if kind == NodeKind::Terminal {
        let score = game.terminal_score(position);
        return checked(game, Given::TerminalScore, score, position).map(Bounds::exactly);
    }
    for (WeightedEdge { edge, .. }, below) in below {
        if let Some(worth) = edge.exact_worth(*below) {
            checked(game, Given::Worth, worth, position)?;
        }
    }
    let limit = game.facts().grid.limit();
    if kind == NodeKind::Chance {
        return Ok(sums(limit, Window::full(limit), below).bounds());
    }
    let least = Bounds::exactly(-limit);
    Ok(below.iter().fold(least, |greatest, (edge, below)| {
        let worth = edge.worth(*below, limit);
        Bounds::new(greatest.lower.max(worth.lower), greatest.upper.max(worth.upper))
    }))
}

/// The window in which each successor of a node of this kind is still to be searched, by Star1 or alpha-beta;
/// `None` where it need not be. `window` is the node's, and `limit` the grid's.
pub fn windows(
    kind: NodeKind,
    limit: Score,
    window: Window,
    below: &[(WeightedEdge, Bounds)],
) -> Vec<Option<Window>> {
    let worth = |&(edge, below): &(WeightedEdge, Bounds)| edge.worth(below, limit);
    if kind == NodeKind::Chance {
        let sums = sums(limit, window, below);
        let asked = |below| {
            let &(WeightedEdge { edge, weight }, _) = below;
            successor_window(&sums, weight, worth(below), Phase::Star1, edge)
        };
        return below.iter().map(asked).collect();
    }
    let floor = below.iter().map(|below| worth(below).lower).fold(window.alpha, i32::max);
    let open = Window::new(floor, window.beta);
    below.iter().map(|below| move_window(open, worth(below), below.0.edge)).collect()
}

/// The sums of a chance node that is searched in `window`.
fn sums(limit: Score, window: Window, below: &[(WeightedEdge, Bounds)]) -> ChanceSums {
    let total = below.iter().map(|(edge, _)| i64::from(edge.weight)).sum();
    let mut sums = ChanceSums::new(total, limit, window);
    for (edge, below) in below {
        sums.update(edge.weight, Bounds::unknown(limit), edge.worth(*below, limit));
    }
    sums
}

/// Checks a score or a reward that the game gave.
fn checked<G: Game>(
    game: &G,
    given: Given,
    score: Score,
    position: &G::Position,
) -> Result<Score, SearchError> {
    checked_score(game, game.facts().saturates, given, score, game.player(position))
}
