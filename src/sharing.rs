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

use crate::game::{Game, Kind, Step, StepOf};
use crate::score::{Bounds, Score, Window};
use crate::search::{
    ChanceSums, Edge, Given, Phase, SearchError, depth_after, move_window, successor_window, taken,
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
    let mut steps = Vec::new();
    if game.kind(position) == Kind::Chance {
        game.outcomes(position, |outcome, weight| steps.push((Step::Outcome(outcome), weight)));
        if steps.iter().any(|&(_, weight)| weight == 0) {
            return Err(SearchError::ZeroWeight);
        }
        let total = steps.iter().map(|&(_, weight)| u64::from(weight)).sum();
        if !(1..=u64::from(u32::MAX)).contains(&total) {
            return Err(SearchError::TotalWeight { total });
        }
    } else {
        game.moves(position, |mv| steps.push((Step::Move(mv), 1)));
        if steps.is_empty() {
            return Err(SearchError::NoMoves);
        }
    }
    steps.into_iter().map(|step| successor(game, position, depth, step)).collect()
}

/// What a step leads to.
fn successor<G: Game>(
    game: &G,
    position: &G::Position,
    depth: u8,
    (step, weight): (StepOf<G>, u32),
) -> Result<Successor<G::Position>, SearchError> {
    let after = step.take(game, position);
    if G::STEPS.may_pay(&step) {
        take(game, Given::Reward, game.reward(position, step, &after), position)?;
    }
    let edge = Edge::of_step(game, game.facts().grid.limit(), position, step, &after);
    let depth = depth_after(game, depth, position, step, &after);
    Ok(Successor { position: after, depth, edge: WeightedEdge { edge, weight } })
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
    let limit = game.facts().grid.limit();
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
    taken(game, game.facts().saturates, given, score, game.player(position))
}
