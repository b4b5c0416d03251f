//! Expectimax: searches every successor of every node. The reference for the other algorithms, and the only
//! one without windows. With b outcomes a chance node and m moves a decision node, it visits (b m)^(d/2)
//! nodes to depth d.
//!
//! It returns bounds too, because a search can be halted and a table holds bounds. A table entry settles a
//! node only if it is exact. (A successor is left out only where a reward alone takes its worth to an end of
//! the grid; see `reward.rs`.)

use crate::game::{Game, NodeKind, Step};
use crate::score::{Bounds, Window};
use crate::search::chance::{search_leaves, search_phase, tighten_chance};
use crate::search::chance_node::{ChanceNode, ChanceSuccessor, Phase};
use crate::search::descent::with_successor;
use crate::search::near_leaves::LAST_DECISION;
use crate::search::ordering::{finish, generate, make_successor};
use crate::search::setup::{NodeOf, Setup};
use crate::search::worker::Worker;
use crate::search::{above_leaves, descent, negamax, transposition};

/// The value of a decision node: the maximum of its moves' values.
#[inline(always)] // a call costs 0.3 % of Star2-TT's instructions
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
    let known = transposition::look_up_node(worker, node.position, NodeKind::Decision, node.depth);
    if known.settles(Window::full(worker.limit), node.ply) {
        worker.stats.table.decision_cutoffs += 1;
        return transposition::settle(worker, &known);
    }
    let (greatest, table_move) = if worker.checks_each_move(node) {
        negamax::try_all_beside_others(worker, node)
    } else {
        try_all(worker, node)
    };
    transposition::conclude(worker, &known, greatest, node.depth, table_move)
}

/// The value of a chance node: the weighted mean of its successors' values, rounded onto the grid.
#[inline]
pub(super) fn successors<S: Setup>(worker: &mut Worker<'_, S>, node: NodeOf<'_, S>, chance: &mut ChanceNode) {
    if descent::has_plain_leaves(worker, node) {
        search_leaves(worker, node, chance, false);
    } else if worker.may_be_shared(node) {
        search_phase(worker, node, chance, Phase::Star1);
    } else {
        search_all(worker, node, chance);
    }
}

/// Searches every successor that is not known exactly, in the game's order. Faster than the Star1 phase,
/// which computes a window for each.
fn search_all<S: Setup>(worker: &mut Worker<'_, S>, node: NodeOf<'_, S>, chance: &mut ChanceNode) {
    let viewer = worker.game.player(node.position);
    let window = Window::full(worker.limit);
    for index in chance.range() {
        let ChanceSuccessor { outcome, bounds, .. } = worker.successors[index];
        if bounds.is_exact() {
            continue;
        }
        let position = worker.game.resolve(node.position, outcome);
        transposition::prefetch(
            worker,
            &position,
            descent::depth_after(worker, node, Step::Outcome(outcome), &position),
        );
        let kind = worker.game.kind(&position);
        let is_viewers = worker.game.player(&position) == viewer;
        let found = with_successor(worker, node, outcome, &position, |worker, below| {
            let is_leaf = descent::is_leaf_below::<S>(below.depth);
            if kind != NodeKind::Decision
                || !is_viewers
                || is_leaf
                || below.depth >= worker.team_link.recorded_depth
            {
                return descent::search_for(worker, viewer, below, window);
            }
            decision(worker, below)
        });
        let reward = descent::reward(worker, node, Step::Outcome(outcome), &position);
        let found = descent::worth_of_outcome(worker, reward, found, viewer);
        tighten_chance(worker, chance, index, found);
        if worker.is_halted() || !worker.goes_on_among_leaves() {
            return;
        }
    }
}

/// Tries every move, in the game's order. Returns the maximum of their bounds and, unless halted, the ordinal
/// of the best move.
#[inline]
fn try_all<S: Setup>(worker: &mut Worker<'_, S>, node: NodeOf<'_, S>) -> (Bounds, Option<u16>) {
    let window = Window::full(worker.limit);
    let mover = worker.game.player(node.position);
    let moves = generate(worker, node);
    let mut greatest = Bounds::exactly(-worker.limit);
    let (mut best, mut tried_any) = (None, false);
    let mut untried = moves.range();
    while !worker.is_halted() {
        let Some(index) = untried.next() else { break };
        let mv = worker.moves.at(index);
        let successor = make_successor(worker, node, mv);
        let below = descent::below(worker, node, mv, &successor);
        let reward = descent::reward(worker, node, Step::Move(mv), below.position);
        let possible = descent::possible(worker, reward);
        let found = descent::search_move(worker, (reward, mover), possible, window, |worker, window| {
            descent::search_for(worker, mover, below, window)
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
    finish(worker, moves);
    (greatest, best.filter(|_| !worker.is_halted()))
}
