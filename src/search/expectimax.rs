//! Expectimax: every successor of every node. The measure for the others, and the only algorithm that never asks for
//! a window. Its chance nodes visit b successors and its decision nodes m moves: (b m)^(d/2) nodes to depth d.
//!
//! It has bounds too, because a search can be halted and a table can hold them; a table entry ends the search of a
//! node only when it is exact.

use crate::game::{Game, Kind};
use crate::score::{Bounds, Window};
use crate::search::chance::{ChanceNode, go_through_leaves, with_successor};
use crate::search::ordering::{GeneratedMoves, make_successor};
use crate::search::setup::{NodeOf, Setup};
use crate::search::worker::Worker;

/// The value of a decision node: the greatest of its moves' values.
pub(super) fn decision<S: Setup>(worker: &mut Worker<'_, S>, node: NodeOf<'_, S>) -> Bounds {
    worker.stats.nodes.decision += 1;
    worker.poll(node.depth);
    let window = Window::full(worker.limit);
    let known = worker.look_up(node.position, Kind::Decision, node.depth);
    if worker.is_settled(&known, window, node.ply) {
        worker.stats.table.decision_cutoffs += 1;
        return known.bounds;
    }
    let mover = worker.game.player(node.position);
    let moves = GeneratedMoves::new(worker, node);
    let mut greatest = Bounds::exactly(-worker.limit);
    let (mut best, mut tried_any) = (None, false);
    let mut untried = moves.range();
    while worker.goes_on()
        && let Some(index) = untried.next()
    {
        let ordinal = index - moves.range().start;
        let mv = worker.generated_move(index);
        let successor = make_successor(worker, node, mv);
        let found = worker.search_for(mover, successor.below(node), window);
        if found.lower > greatest.lower || !tried_any {
            tried_any = true;
            best = u16::try_from(ordinal).ok(); // an ordinal beyond that is not remembered
            if node.ply == 0 {
                worker.root_move = Some(mv);
            }
        }
        if worker.ranks_moves_of(node) {
            worker.note_root_move(mv, ordinal as u32, found);
        }
        greatest = Bounds::new(greatest.lower.max(found.lower), greatest.upper.max(found.upper));
    }
    if !untried.is_empty() || !tried_any {
        greatest.upper = worker.limit; // what was not tried may be worth anything
    }
    moves.finish(worker);
    let hint = best.filter(|_| !worker.halted);
    worker.conclude(&known, greatest, node.depth, hint)
}

/// The value of a chance node: the weighted mean of its successors' values, rounded onto the grid.
pub(super) fn chance<S: Setup>(worker: &mut Worker<'_, S>, node: NodeOf<'_, S>) -> Bounds {
    worker.stats.nodes.chance += 1;
    worker.poll(node.depth);
    let window = Window::full(worker.limit);
    let known = worker.look_up(node.position, Kind::Chance, node.depth);
    if window.is_settled_by(known.bounds) {
        worker.stats.table.chance_cutoffs += 1;
        return known.bounds;
    }
    let Some(mut chance) = ChanceNode::open(worker, node, window, known.bounds) else { return known.bounds };
    let viewer = worker.game.player(node.position);
    if node.depth == 1 {
        go_through_leaves(worker, node, &mut chance, false);
    } else {
        for index in chance.range() {
            if worker.halted {
                break;
            }
            let outcome = worker.successors[index].outcome;
            let position = worker.game.resolve(node.position, outcome);
            let found = with_successor(worker, node, outcome, &position, |worker, successor| {
                worker.search_for(viewer, successor, window)
            });
            chance.learn(worker, index, found);
        }
    }
    let proven = chance.close(worker);
    worker.conclude(&known, proven, node.depth, None)
}
