//! Expectimax: searches every successor of every node. The reference for the other algorithms, and the only
//! one without windows. With b outcomes a chance node and m moves a decision node, it visits (b m)^(d/2)
//! nodes to depth d.
//!
//! It returns bounds too, because a search can be halted and a table holds bounds. A table entry settles a
//! node only if it is exact. (A successor is left out only where a reward alone takes its worth to an end of
//! the grid; see `reward.rs`.)

use crate::game::{Game, NodeKind, Step};
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

/// The value of a decision node: the maximum of its moves' values.
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
    if negamax::is_of_some_moves(worker, node) {
        return negamax::root_of_some_moves(worker, node, Window::full(worker.limit));
    }
    let known = worker.look_up_node(node.position, NodeKind::Decision, node.depth);
    if worker.is_settled(&known, Window::full(worker.limit), node.ply) {
        worker.stats.table.decision_cutoffs += 1;
        return worker.settle(&known);
    }
    let (greatest, table_move) = if worker.checks_each_move(node) {
        negamax::try_all_beside_others(worker, node)
    } else {
        try_all(worker, node)
    };
    worker.conclude(&known, greatest, node.depth, table_move)
}

/// The value of a chance node: the weighted mean of its successors' values, rounded onto the grid.
#[inline(always)]
pub(super) fn successors<S: Setup>(worker: &mut Worker<'_, S>, node: NodeOf<'_, S>, chance: &mut ChanceNode) {
    if worker.is_above_leaves(node) {
        search_leaves(worker, node, chance, false);
    } else if worker.may_be_shared(node) {
        search_phase(worker, node, chance, Phase::Star1);
    } else {
        search_all(worker, node, chance);
    }
}

/// Searches every successor that is not known exactly, in the game's order. Faster than the Star1 phase,
/// which computes a window for each.
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
        worker.prefetch(&position, worker.depth_after(node, Step::Outcome(outcome), &position));
        let kind = worker.game.kind(&position);
        let is_viewers = worker.game.player(&position) == viewer;
        let found = with_successor(worker, node, outcome, &position, |worker, below| {
            let is_leaf = worker.is_leaf_below(below.depth);
            if kind != NodeKind::Decision
                || !is_viewers
                || is_leaf
                || below.depth >= worker.team_link.recorded_depth
            {
                return worker.search_for(viewer, below, window);
            }
            decision(worker, below)
        });
        let reward = worker.reward(node, Step::Outcome(outcome), &position);
        let found = worker.worth_of_outcome(reward, found, viewer);
        chance.tighten(worker, index, found);
        if worker.is_halted() || !worker.goes_on_among_leaves() {
            return;
        }
    }
}

/// Tries every move, in the game's order. Returns the maximum of their bounds and, unless halted, the ordinal
/// of the best move.
#[inline(always)]
fn try_all<S: Setup>(worker: &mut Worker<'_, S>, node: NodeOf<'_, S>) -> (Bounds, Option<u16>) {
    let window = Window::full(worker.limit);
    let mover = worker.game.player(node.position);
    let moves = GeneratedMoves::new(worker, node);
    let mut greatest = Bounds::exactly(-worker.limit);
    let (mut best, mut tried_any) = (None, false);
    let mut untried = moves.range();
    while !worker.is_halted() {
        let Some(index) = untried.next() else { break };
        let mv = worker.moves.at(index);
        let successor = make_successor(worker, node, mv);
        let below = worker.below(node, mv, &successor);
        let reward = worker.reward(node, Step::Move(mv), below.position);
        let possible = worker.possible(reward);
        let found = worker.search_move((reward, mover), possible, window, |worker, window| {
            worker.search_for(mover, below, window)
        });
        if found.lower > greatest.lower || !tried_any {
            tried_any = true;
            // A greater ordinal is not stored.
            best = u16::try_from(index - moves.range().start).ok();
        }
        greatest = Bounds::new(greatest.lower.max(found.lower), greatest.upper.max(found.upper));
    }
    if !untried.is_empty() || !tried_any {
        greatest.upper = worker.limit; // untried moves may be worth anything
    }
    moves.finish(worker);
    (greatest, best.filter(|_| !worker.is_halted()))
}
