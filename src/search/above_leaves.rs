//! Loops for decision nodes right above the leaves, which are most nodes of a search: last decisions, whose
//! moves lead to leaves, and the frontier, whose moves lead to chance nodes that collapse (`collapse.rs`).
//!
//! They try the same moves in the same order as `negamax.rs` and `expectimax.rs`, and find the same bounds
//! and counts. They leave out what such a node does not need: the table, other workers, windows for its
//! successors, and copies of successors that outlast the move. At the frontier that is a seventh of all
//! instructions.

use crate::evaluator::Evaluator;
use crate::game::{Game, NodeKind, Player, Step};
use crate::processor::{Event, Processor};
use crate::score::{Bounds, Score, Window};
use crate::search::answer::{Given, SearchError};
use crate::search::collapse;
use crate::search::moves::{Breadth, GeneratedMoves};
use crate::search::node::Node;
use crate::search::ordering::{
    SELECTIONS_ABOVE_LEAVES, bring_best_to, finish, generate, note_cutoff, rank_by_heuristics, select,
};
use crate::search::reward::Reward;
use crate::search::setup::{MoveOf, NodeOf, PositionOf, Setup};
use crate::search::worker::Worker;
use crate::search::{descent, evaluation};
use std::ops::ControlFlow;

/// Searches a decision node of the frontier.
#[inline(never)] // inlined, 0.5 % more instructions in Star2
pub(super) fn frontier<S: Setup>(
    worker: &mut Worker<'_, S>,
    node: NodeOf<'_, S>,
    window: Window,
    breadth: Breadth,
) -> Bounds {
    let mover = worker.game.player(node.position);
    let select = |worker: &mut Worker<'_, S>, moves: &GeneratedMoves, place| select(worker, moves, place);
    try_ranked(worker, node, window, breadth, select, |worker, mv, window| {
        let position = worker.game.play(node.position, mv);
        let reward = descent::reward(worker, node, Step::Move(mv), &position);
        let possible = descent::possible(worker, reward);
        descent::search_move(worker, (reward, mover), possible, window, |worker, window| {
            value_at_frontier(worker, node, mv, &position, mover, window)
        })
    })
}

/// The value of the position after a move, for the mover, in `window`.
#[inline(always)] // there is one caller
fn value_at_frontier<S: Setup>(
    worker: &mut Worker<'_, S>,
    node: NodeOf<'_, S>,
    mv: MoveOf<S>,
    position: &PositionOf<S>,
    mover: Player,
    window: Window,
) -> Bounds {
    let kind = worker.game.kind(position);
    let score = if kind == NodeKind::Terminal {
        evaluation::terminal(worker, position)
    } else if kind == NodeKind::Chance
        && !collapse::is_sampled(worker, position)
        && collapse::counts(worker, position)
    {
        evaluation::evaluate_after_move(worker, node, mv, position)
    } else {
        let state = descent::state_after(worker, node, Step::Move(mv), position);
        let below = Node::new(position, &state, node.depth - 1, node.ply + 1);
        return descent::search_for(worker, mover, below, window);
    };
    Bounds::exactly(if worker.game.player(position) == mover { score } else { -score })
}

/// Searches a last decision by an algorithm that prunes. With `is_idle` the order of moves does not matter,
/// and each is tried as soon as it is generated.
#[inline(never)] // inlined, 0.6 % more by default
pub(super) fn last_decision<S: Setup>(
    worker: &mut Worker<'_, S>,
    node: NodeOf<'_, S>,
    window: Window,
    breadth: Breadth,
    is_idle: bool,
) -> Bounds {
    if worker.near_leaves.to_the_end {
        return evaluation::is_not_the_end(worker);
    }
    if is_idle {
        return try_as_generated::<S, false>(worker, node, window);
    }
    let mut selections = SELECTIONS_ABOVE_LEAVES;
    let select = |worker: &mut Worker<'_, S>, moves: &GeneratedMoves, place| {
        if selections == 0 {
            return worker.moves.at(place);
        }
        selections -= 1;
        bring_best_to(worker, moves, place)
    };
    try_ranked(worker, node, window, breadth, select, |worker, mv, window| {
        let position = worker.game.play(node.position, mv);
        let mut leaves = Leaves::new(worker, node);
        let found = leaves.value_of(mv, &position, window);
        leaves.count();
        found
    })
}

/// Tries a node's moves, ranked by killers and history, until one cuts. `select` returns the next move for a
/// place of the stack. `value` returns a move's worth to the mover, in a window.
#[inline(always)] // a loop for each of its callers
fn try_ranked<S: Setup>(
    worker: &mut Worker<'_, S>,
    node: NodeOf<'_, S>,
    window: Window,
    breadth: Breadth,
    mut select: impl FnMut(&mut Worker<'_, S>, &GeneratedMoves, usize) -> MoveOf<S>,
    mut value: impl FnMut(&mut Worker<'_, S>, MoveOf<S>, Window) -> Bounds,
) -> Bounds {
    let moves = generate(worker, node);
    let places = moves.range();
    if places.len() > 1 {
        rank_by_heuristics(worker, node, places.clone());
    }
    let most = breadth.most() as usize;
    let mut untried = places.start..places.end.min(places.start.saturating_add(most));
    let mut greatest = Bounds::exactly(-worker.limit);
    let mut is_cut = false;
    while worker.goes_on() && !is_cut {
        let Some(place) = untried.next() else { break };
        let mv = select(worker, &moves, place);
        let found = value(worker, mv, Window::new(window.alpha.max(greatest.lower), window.beta));
        greatest = Bounds::new(greatest.lower.max(found.lower), greatest.upper.max(found.upper));
        is_cut = greatest.lower >= window.beta;
        if is_cut {
            note_cutoff(worker, node, mv);
        }
    }
    if untried.start < places.end || places.is_empty() {
        greatest.upper = worker.limit; // an untried move may be worth anything
    }
    finish(worker, moves);
    greatest
}

/// Searches a last decision by Expectimax, where no move cuts.
pub(super) fn full_width<S: Setup>(worker: &mut Worker<'_, S>, node: NodeOf<'_, S>) -> Bounds {
    if worker.near_leaves.to_the_end {
        return evaluation::is_not_the_end(worker);
    }
    try_as_generated::<S, true>(worker, node, Window::full(worker.limit))
}

/// Tries the moves of a last decision in generation order, each as soon as it is generated
/// ([`Game::visit_moves`]), until one cuts.
#[inline(always)] // one caller of each kind
fn try_as_generated<S: Setup, const IS_FULL_WIDTH: bool>(
    worker: &mut Worker<'_, S>,
    node: NodeOf<'_, S>,
    window: Window,
) -> Bounds {
    if worker.is_halted() {
        return Bounds::unknown(worker.limit);
    }
    if worker.is_watchful() {
        return try_watchfully::<S, IS_FULL_WIDTH>(worker, node, window);
    }
    try_each::<S, IS_FULL_WIDTH, false>(worker, node, window)
}

/// The same for a watchful worker, which checks the clock before an evaluation when due. Separate, because
/// this question at every leaf takes a hundredth of Expectimax's instructions.
#[cold]
fn try_watchfully<S: Setup, const IS_FULL_WIDTH: bool>(
    worker: &mut Worker<'_, S>,
    node: NodeOf<'_, S>,
    window: Window,
) -> Bounds {
    try_each::<S, IS_FULL_WIDTH, true>(worker, node, window)
}

/// The common part of both.
#[inline(always)] // hardly any instructions besides the game's and the evaluator's
fn try_each<S: Setup, const IS_FULL_WIDTH: bool, const IS_WATCHFUL: bool>(
    worker: &mut Worker<'_, S>,
    node: NodeOf<'_, S>,
    window: Window,
) -> Bounds {
    let (game, limit) = (worker.game, worker.limit);
    let mut leaves = Leaves::new(worker, node);
    let mut greatest = Bounds::exactly(-limit);
    let (mut tried_any, mut is_left, mut cut_by) = (false, false, None);
    game.visit_moves(node.position, |mv, position| {
        if cut_by.is_some() || IS_WATCHFUL && !leaves.goes_on() {
            is_left = true;
            return ControlFlow::Break(());
        }
        tried_any = true;
        let alpha = if IS_FULL_WIDTH { window.alpha } else { window.alpha.max(greatest.lower) };
        let found = leaves.value_of(mv, &position, Window::new(alpha, window.beta));
        greatest = Bounds::new(greatest.lower.max(found.lower), greatest.upper.max(found.upper));
        if !IS_FULL_WIDTH && greatest.lower >= window.beta {
            cut_by = Some(mv);
        }
        ControlFlow::Continue(())
    });
    leaves.count();
    if let Some(mv) = cut_by {
        note_cutoff(worker, node, mv);
    }
    if !tried_any && !is_left {
        worker.control.fail(SearchError::NoMoves);
        worker.set_halted(true);
    }
    if is_left || !tried_any {
        greatest.upper = limit; // an untried move may be worth anything
    }
    greatest
}

/// The leaves below one node. The counts are its own, so that they stay in registers.
struct Leaves<'w, 'a, 'n, S: Setup> {
    worker: &'w mut Worker<'a, S>,
    game: &'a S::Game,
    evaluator: &'a S::Evaluator,
    limit: Score,
    node: NodeOf<'n, S>,
    mover: Player,
    terminals: u64,
    evaluated: u64,
}

impl<'w, 'a, 'n, S: Setup> Leaves<'w, 'a, 'n, S> {
    #[inline]
    fn new(worker: &'w mut Worker<'a, S>, node: NodeOf<'n, S>) -> Self {
        let Worker { game, evaluator, limit, .. } = *worker;
        let mover = game.player(node.position);
        Leaves { worker, game, evaluator, limit, node, mover, terminals: 0, evaluated: 0 }
    }

    /// Whether the search goes on, for a watchful worker.
    fn goes_on(&mut self) -> bool {
        self.count();
        self.worker.goes_on()
    }

    /// The worth to the mover of a move that leads to `position`, in `window`.
    #[inline]
    fn value_of(&mut self, mv: MoveOf<S>, position: &PositionOf<S>, window: Window) -> Bounds {
        let Leaves { game, evaluator, limit, node, .. } = *self;
        let mover = self.mover;
        let reward = Reward::of_step(game, limit, node.position, (Step::Move(mv), position), |reward| {
            evaluation::take_off_grid(self.worker, Given::Reward, reward, mover)
        });
        if reward.is_enough_for(window, limit) {
            return reward.mapped(Bounds::unknown(limit), limit);
        }
        self.worker.processor.charge(Event::Node);
        let (given, score) = if game.kind(position) == NodeKind::Terminal {
            self.terminals += 1;
            (Given::TerminalScore, game.terminal_score(position))
        } else {
            self.evaluated += 1;
            self.worker.processor.charge(Event::Evaluation);
            let score = evaluator.evaluate_after_move(game, node.state, node.position, mv, position);
            (Given::Evaluation, score)
        };
        let viewer = game.player(position);
        let score = evaluation::on_grid(self.worker, given, score, |_| viewer);
        let score = if viewer == mover { score } else { -score };
        Bounds::exactly(descent::worth_of_score(self.worker, reward, score, |_| mover))
    }

    /// Adds the counts to the worker's.
    #[inline]
    fn count(&mut self) {
        let nodes = &mut self.worker.stats.nodes;
        nodes.leaf += self.terminals + self.evaluated;
        nodes.evaluations += self.evaluated;
        (self.terminals, self.evaluated) = (0, 0);
    }
}

#[cfg(all(test, not(loom)))]
mod tests;
