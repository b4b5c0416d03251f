//! Static bounds: what the game can prove of an outcome without a search ([`Game::outcome_bounds`]), such as
//! a win that the roll allows at once.
//!
//! Ballard's Star1 (1983) begins with [L, U] for every successor; whatever a game knows better narrows the
//! windows of all the others, and is enough by itself where it carries the node's sums out of its window. The
//! bounds are proven, so they join what a search finds like any other. Expectimax, the measure of the rest,
//! does without; so does a node at depth 1, whose successors are leaves and have the evaluation for their
//! value.
//!
//! What a game offers is brought onto the grid first, as its terminal scores and the evaluations are: sums,
//! windows and table entries rely on it. It is told of the position after the outcome, and mapped here to
//! what the outcome is worth where that carries a reward (`reward.rs`).

use crate::game::Game;
use crate::score::{Bounds, Score};
use crate::search::chance_sums::ChanceSums;
use crate::search::control::on_grid;
use crate::search::request::Options;
use crate::search::reward::Reward;
use crate::search::setup::{NodeOf, Setup};
use crate::search::worker::Worker;
use std::ops::Range;

/// The least depth of chance nodes that take static bounds.
pub(super) fn least_depth(options: &Options) -> u8 {
    if options.static_bounds && options.algorithm.prunes() { 2 } else { u8::MAX }
}

/// Begins the successors, at these places of the stack, with the bounds that the game knows of them.
#[inline]
pub(super) fn take<S: Setup>(
    worker: &mut Worker<'_, S>,
    node: NodeOf<'_, S>,
    range: Range<usize>,
    sums: &mut ChanceSums,
) {
    if node.depth < worker.static_bounds_depth {
        return;
    }
    let (game, limit, mut crossed) = (worker.game, worker.limit, 0);
    let mut successors = worker.successors[range].iter_mut();
    game.outcome_bounds(node.position, node.depth, |offered| {
        let Some(successor) = successors.next() else { return };
        match taken(offered, limit) {
            Some(bounds) => {
                let bounds = worth(game, limit, node.position, successor.outcome, bounds);
                sums.update(successor.weight, successor.bounds, bounds);
                successor.bounds = bounds;
            }
            None => crossed += 1,
        }
    });
    worker.stats.nodes.static_cutoffs += u64::from(sums.is_cut());
    worker.stats.table.contradictions += crossed;
}

/// What an outcome is worth that leads to a position of which these bounds are known.
#[inline]
fn worth<G: Game>(
    game: &G,
    limit: Score,
    before: &G::Position,
    outcome: G::Outcome,
    after: Bounds,
) -> Bounds {
    if !G::HAS_REWARDS {
        return after;
    }
    let position = game.resolve(before, outcome);
    Reward::of_outcome(game, limit, before, outcome, &position).mapped(after, limit)
}

/// What is taken of the bounds offered; nothing where they cross, for then one of them is false.
#[inline]
fn taken(offered: Bounds, limit: Score) -> Option<Bounds> {
    let bounds = Bounds { lower: on_grid(offered.lower, limit), upper: on_grid(offered.upper, limit) };
    (offered.lower <= offered.upper).then_some(bounds)
}
