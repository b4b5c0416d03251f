//! What whoever shares one search among machines asks of the library beside its searches: the top of the
//! tree, by the rules and the arithmetic of the search itself. The crate `starsplit-planner` is built on it.
//!
//! * [`successors`] expands a node.
//! * [`bounds`] tells what is proven of a node by what is known of its successors.
//! * [`windows`] tells what is still to be asked of these.
//! * [`catch`] makes an error of a panic of the game.
//!
//! [`Searcher::prove`](crate::Searcher::prove) searches a node in such a window;
//! `Searcher::simulate_proof` (feature `simulate`) does it in virtual time, as far as it is granted.
//!
//! All bounds and windows of a node are as its own player sees them.

use crate::game::{Game, Kind};
use crate::score::{Bounds, Score, Window};
use crate::search::{
    ChanceSums, Edge, Given, Phase, SearchError, depth_after_move, depth_after_outcome, move_window,
    successor_window, taken,
};

pub use crate::parallel::catch;

/// What a move or an outcome leads to.
#[derive(Clone, Debug)]
pub struct Successor<P> {
    /// The position.
    pub position: P,
    /// The depth that is left there.
    pub depth: u8,
    /// The move or the outcome.
    pub edge: WeightedEdge,
}

/// A move or an outcome: how the node that it leaves sees what it leads to.
#[derive(Clone, Copy, Debug)]
pub struct WeightedEdge {
    edge: Edge,
    /// The weight of an outcome; 1 of a move.
    weight: u32,
}

impl WeightedEdge {
    /// What the edge is worth to the node that it leaves, where these are the bounds of what it leads to and
    /// the grid has this limit.
    pub fn worth(self, below: Bounds, limit: Score) -> Bounds {
        self.edge.worth(below, limit)
    }
}

/// The successors of a position that is no terminal, in the order in which the game gives its moves or
/// outcomes. `depth` is what is left at the position, 1 or more.
///
/// # Errors
/// When there is no move, weights are none, or a reward is more than values differ by.
pub fn successors<G: Game>(
    game: &G,
    position: &G::Position,
    depth: u8,
) -> Result<Vec<Successor<G::Position>>, SearchError> {
    match game.kind(position) {
        Kind::Chance => after_outcomes(game, position, depth),
        _ => after_moves(game, position, depth),
    }
}

fn after_moves<G: Game>(
    game: &G,
    position: &G::Position,
    depth: u8,
) -> Result<Vec<Successor<G::Position>>, SearchError> {
    let (limit, mut moves) = (game.grid().limit(), Vec::new());
    game.moves(position, |mv| moves.push(mv));
    if moves.is_empty() {
        return Err(SearchError::NoMoves);
    }
    let after = |mv| {
        let after = game.play(position, mv);
        if G::HAS_REWARDS {
            take(game, Given::Reward, game.move_reward(position, mv, &after), position)?;
        }
        let edge = Edge::of_move(game, limit, position, mv, &after);
        let depth = depth_after_move(game, depth, position, mv, &after);
        Ok(Successor { position: after, depth, edge: WeightedEdge { edge, weight: 1 } })
    };
    moves.into_iter().map(after).collect()
}

fn after_outcomes<G: Game>(
    game: &G,
    position: &G::Position,
    depth: u8,
) -> Result<Vec<Successor<G::Position>>, SearchError> {
    let (limit, mut outcomes) = (game.grid().limit(), Vec::new());
    game.outcomes(position, |outcome, weight| outcomes.push((outcome, weight)));
    if outcomes.iter().any(|&(_, weight)| weight == 0) {
        return Err(SearchError::ZeroWeight);
    }
    let total = outcomes.iter().map(|&(_, weight)| u64::from(weight)).sum();
    if !(1..=u64::from(u32::MAX)).contains(&total) {
        return Err(SearchError::TotalWeight { total });
    }
    let after = |(outcome, weight)| {
        let after = game.resolve(position, outcome);
        if G::HAS_OUTCOME_REWARDS {
            take(game, Given::Reward, game.outcome_reward(position, outcome, &after), position)?;
        }
        let edge = Edge::of_outcome(game, limit, position, outcome, &after);
        let depth = depth_after_outcome(game, depth, position, outcome, &after);
        Ok(Successor { position: after, depth, edge: WeightedEdge { edge, weight } })
    };
    outcomes.into_iter().map(after).collect()
}

/// What is proven of a position of this kind, where this is known of all its successors; of a terminal, which
/// has none, its score.
///
/// # Errors
/// When a terminal's score is off the grid, or a reward carries a value that is known beyond it.
pub fn bounds<G: Game>(
    game: &G,
    position: &G::Position,
    kind: Kind,
    below: &[(WeightedEdge, Bounds)],
) -> Result<Bounds, SearchError> {
    if kind == Kind::Terminal {
        let score = game.terminal_score(position);
        return take(game, Given::TerminalScore, score, position).map(Bounds::exactly);
    }
    for (WeightedEdge { edge, .. }, below) in below {
        if let Some(worth) = edge.exact_worth(*below) {
            take(game, Given::Worth, worth, position)?;
        }
    }
    let limit = game.grid().limit();
    if kind == Kind::Chance {
        return Ok(sums(limit, Window::full(limit), below).bounds());
    }
    let least = Bounds::exactly(-limit);
    Ok(below.iter().fold(least, |greatest, (edge, below)| {
        let worth = edge.worth(*below, limit);
        Bounds::new(greatest.lower.max(worth.lower), greatest.upper.max(worth.upper))
    }))
}

/// What has to be asked of each successor of a node of this kind, of which `window` is asked, by the means of
/// Star1 and alpha-beta; `None` where nothing has to. The grid has this limit.
pub fn windows(
    kind: Kind,
    limit: Score,
    window: Window,
    below: &[(WeightedEdge, Bounds)],
) -> Vec<Option<Window>> {
    let worth = |&(edge, below): &(WeightedEdge, Bounds)| edge.worth(below, limit);
    if kind == Kind::Chance {
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

/// The sums of a chance node of which `window` is asked.
fn sums(limit: Score, window: Window, below: &[(WeightedEdge, Bounds)]) -> ChanceSums {
    let total = below.iter().map(|(edge, _)| i64::from(edge.weight)).sum();
    let mut sums = ChanceSums::new(total, limit, window);
    for (edge, below) in below {
        sums.update(edge.weight, Bounds::unknown(limit), edge.worth(*below, limit));
    }
    sums
}

/// What is taken of a score or of a reward that the game gives of a position.
fn take<G: Game>(game: &G, given: Given, score: Score, position: &G::Position) -> Result<Score, SearchError> {
    taken(game, game.saturates(), given, score, game.player(position))
}
