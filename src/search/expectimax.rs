//! Expectimax: every successor of every node. The measure for the others, and the only algorithm that asks
//! nothing of a window. Its chance nodes visit b successors and its decision nodes m moves: (b m)^(d/2) nodes
//! to depth d.
//!
//! It has bounds too, because a search can be halted and a table can hold them; a table entry ends the search
//! of a node only when it is exact. Its chance nodes are those of Star1 where no value of a successor rules
//! anything out. (Only where a reward alone tells what a move or an outcome is worth, since it leads beyond
//! the grid whatever comes, is what it leads to not visited; see `reward.rs`.)

use crate::game::{Game, Kind};
use crate::score::{Bounds, Window};
use crate::search::chance::{search_leaves, search_phase};
use crate::search::chance_node::{ChanceNode, Phase, Successor};
use crate::search::descent::with_successor;
use crate::search::moves::GeneratedMoves;
use crate::search::near_leaves::LAST_DECISION;
use crate::search::ordering::make_successor;
use crate::search::setup::{NodeOf, Setup};
use crate::search::worker::Worker;
use crate::search::{above_leaves, negamax};

/// The value of a decision node: the greatest of its moves' values.
#[inline(always)]
pub(super) fn decision<S: Setup>(worker: &mut Worker<'_, S>, node: NodeOf<'_, S>) -> Bounds {
    worker.stats.nodes.decision += 1;
    worker.poll(node.depth);
    if node.depth == LAST_DECISION
        && worker.near_leaves.has_own_loop(node.depth)
        && node.ply > 0
        && !negamax::is_sampled(worker, node)
    {
        return above_leaves::full_width(worker, node);
    }
    let known = worker.look_up_node(node.position, Kind::Decision, node.depth);
    if worker.is_settled(&known, Window::full(worker.limit), node.ply) {
        worker.stats.table.decision_cutoffs += 1;
        return worker.settle(&known);
    }
    let (greatest, hint) = if worker.is_careful(node) {
        negamax::try_all_beside_others(worker, node)
    } else {
        try_all(worker, node)
    };
    worker.conclude(&known, greatest, node.depth, hint)
}

/// The value of a chance node: the weighted mean of its successors' values, rounded onto the grid.
#[inline(always)]
pub(super) fn successors<S: Setup>(worker: &mut Worker<'_, S>, node: NodeOf<'_, S>, chance: &mut ChanceNode) {
    if worker.is_above_leaves(node) {
        search_leaves(worker, node, chance, false);
    } else if worker.minds_others(node) {
        search_phase(worker, node, chance, Phase::Star1);
    } else {
        search_all(worker, node, chance);
    }
}

/// Searches every successor that is not known exactly, in the order in which the game gives them. What
/// Star1's phase does here that costs is to ask each for a window, which no search below looks at.
#[inline(never)]
fn search_all<S: Setup>(worker: &mut Worker<'_, S>, node: NodeOf<'_, S>, chance: &mut ChanceNode) {
    let viewer = worker.game.player(node.position);
    let window = Window::full(worker.limit);
    for index in chance.range() {
        let Successor { outcome, bounds, .. } = worker.successors[index];
        if bounds.is_exact() {
            continue;
        }
        let position = worker.game.resolve(node.position, outcome);
        worker.prefetch(&position, worker.depth_after_outcome(node, outcome, &position));
        let kind = worker.game.kind(&position);
        let is_viewers = worker.game.player(&position) == viewer;
        let found = with_successor(worker, node, outcome, &position, |worker, below| {
            let is_leaf = worker.is_leaf_below(below.depth);
            if kind != Kind::Decision || !is_viewers || is_leaf || below.depth >= worker.ties.watched_depth {
                return worker.search_for(viewer, below, window);
            }
            decision(worker, below)
        });
        let reward = worker.outcome_reward(node, outcome, &position);
        let found = worker.worth_of_outcome(reward, found, viewer);
        chance.tighten(worker, index, found);
        if worker.is_halted() || !worker.goes_on_among_leaves() {
            return;
        }
    }
}

/// Tries every move, in the order in which the game gives them: the greatest of their bounds, and the ordinal
/// of the best where the search was not halted.
#[inline(always)]
fn try_all<S: Setup>(worker: &mut Worker<'_, S>, node: NodeOf<'_, S>) -> (Bounds, Option<u16>) {
    let window = Window::full(worker.limit);
    let mover = worker.game.player(node.position);
    let moves = GeneratedMoves::new(worker, node);
    let mut greatest = Bounds::exactly(-worker.limit);
    let (mut best, mut tried_any) = (None, false);
    let mut untried = moves.range();
    while !worker.is_halted()
        && let Some(index) = untried.next()
    {
        let mv = worker.moves.at(index);
        let successor = make_successor(worker, node, mv);
        let below = worker.below(node, mv, &successor);
        let reward = worker.move_reward(node, mv, below.position);
        let possible = worker.possible(reward);
        let found = worker.search_move((reward, mover), possible, window, |worker, window| {
            worker.search_for(mover, below, window)
        });
        if found.lower > greatest.lower || !tried_any {
            tried_any = true;
            // An ordinal beyond that is not remembered.
            best = u16::try_from(index - moves.range().start).ok();
        }
        greatest = Bounds::new(greatest.lower.max(found.lower), greatest.upper.max(found.upper));
    }
    if !untried.is_empty() || !tried_any {
        greatest.upper = worker.limit; // what was not tried may be worth anything
    }
    moves.finish(worker);
    (greatest, best.filter(|_| !worker.is_halted()))
}
