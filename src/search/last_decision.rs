//! Decision nodes whose moves lead to leaves. These and their leaves are most nodes of a search that ends
//! with a decision, so they have a loop of their own.
//!
//! It tries the same moves in the same order as `negamax.rs` and `expectimax.rs` and finds the same bounds,
//! with the same counts. What it leaves out is what such a node has no use for: the table, other workers,
//! windows for its successors, copies of them that outlast the move.
//!
//! Where no move can cut, all are tried in the order in which the game gives them, each as soon as it is
//! generated ([`Game::visit_moves`]).

use crate::evaluator::Evaluator;
use crate::game::{Game, Kind, Player, Step};
use crate::processor::{Event, Processor};
use crate::score::{Bounds, Score, Window};
use crate::search::answer::{Given, SearchError};
use crate::search::moves::{Breadth, GeneratedMoves};
use crate::search::ordering::{SELECTIONS_ABOVE_LEAVES, note_cutoff};
use crate::search::reward::Reward;
use crate::search::setup::{MoveOf, NodeOf, PositionOf, Setup};
use crate::search::worker::Worker;
use std::ops::ControlFlow;

/// Searches such a node by an algorithm that prunes.
#[inline(never)]
pub(super) fn decision<S: Setup>(
    worker: &mut Worker<'_, S>,
    node: NodeOf<'_, S>,
    window: Window,
    breadth: Breadth,
    is_idle: bool,
) -> Bounds {
    if is_idle {
        return try_as_generated::<S, false>(worker, node, window);
    }
    let moves = GeneratedMoves::new(worker, node);
    let places = moves.range();
    if places.len() > 1 {
        moves.rank_by_heuristics(worker, node);
    }
    let most = match breadth {
        Breadth::All => u32::MAX,
        Breadth::First(most) => most,
    };
    let mut untried = places.start..places.end.min(places.start.saturating_add(most as usize));
    let mut greatest = Bounds::exactly(-worker.limit);
    let mut selections = SELECTIONS_ABOVE_LEAVES;
    let mut is_cut = false;
    while worker.goes_on()
        && !is_cut
        && let Some(next) = untried.next()
    {
        let mv = if selections > 0 { moves.bring_best_to(worker, next) } else { worker.moves.at(next) };
        selections = selections.saturating_sub(1);
        let position = worker.game.play(node.position, mv);
        let open = Window::new(window.alpha.max(greatest.lower), window.beta);
        let mut leaves = Leaves::new(worker, node);
        let found = leaves.value_of(mv, &position, open);
        leaves.count();
        greatest = Bounds::new(greatest.lower.max(found.lower), greatest.upper.max(found.upper));
        is_cut = greatest.lower >= window.beta;
        if is_cut {
            note_cutoff(worker, node, mv);
        }
    }
    if untried.start < places.end || places.is_empty() {
        greatest.upper = worker.limit; // what was not tried may be worth anything
    }
    moves.finish(worker);
    greatest
}

/// Tries the moves of such a node each as soon as it is generated, until one cuts.
#[inline(always)] // there is one caller of either kind
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

/// The same for a watchful worker, which looks at the clock before each evaluation when it is time to. Apart,
/// for to ask that of every leaf takes a hundredth of Expectimax's instructions.
#[cold]
#[inline(never)]
fn try_watchfully<S: Setup, const IS_FULL_WIDTH: bool>(
    worker: &mut Worker<'_, S>,
    node: NodeOf<'_, S>,
    window: Window,
) -> Bounds {
    try_each::<S, IS_FULL_WIDTH, true>(worker, node, window)
}

/// What is the same for both.
#[inline(always)] // it has hardly any instructions but the game's and the evaluator's
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
        greatest.upper = limit; // what was not tried may be worth anything
    }
    greatest
}

/// The same for Expectimax, which no move cuts.
#[inline(never)]
pub(super) fn try_all<S: Setup>(worker: &mut Worker<'_, S>, node: NodeOf<'_, S>) -> Bounds {
    try_as_generated::<S, true>(worker, node, Window::full(worker.limit))
}

/// The leaves below one node, counted where registers are.
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
    #[inline(always)]
    fn new(worker: &'w mut Worker<'a, S>, node: NodeOf<'n, S>) -> Self {
        let Worker { game, evaluator, limit, .. } = *worker;
        let mover = game.player(node.position);
        Leaves { worker, game, evaluator, limit, node, mover, terminals: 0, evaluated: 0 }
    }

    /// Whether the search goes on, as far as a watchful worker knows.
    fn goes_on(&mut self) -> bool {
        self.count();
        self.worker.goes_on()
    }

    /// What a move that leads to `position` is worth to the mover, who asks no more than `window` does.
    #[inline(always)]
    fn value_of(&mut self, mv: MoveOf<S>, position: &PositionOf<S>, window: Window) -> Bounds {
        let Leaves { game, evaluator, limit, node, .. } = *self;
        let mover = self.mover;
        let reward = Reward::of_step(game, limit, node.position, (Step::Move(mv), position), |reward| {
            self.worker.take_off_grid(Given::Reward, reward, mover)
        });
        if reward.is_enough_for(window, limit) {
            return reward.mapped(Bounds::unknown(limit), limit);
        }
        self.worker.processor.charge(Event::Node);
        let (given, score) = if game.kind(position) == Kind::Terminal {
            self.terminals += 1;
            (Given::TerminalScore, game.terminal_score(position))
        } else {
            self.evaluated += 1;
            self.worker.processor.charge(Event::Evaluation);
            let score = evaluator.evaluate_after_move(game, node.state, node.position, mv, position);
            (Given::Evaluation, score)
        };
        let viewer = game.player(position);
        let score = self.worker.take(given, score, |_| viewer);
        let score = if viewer == mover { score } else { -score };
        Bounds::exactly(self.worker.worth_of_score(reward, score, |_| mover))
    }

    /// Counts those that were not yet.
    #[inline(always)]
    fn count(&mut self) {
        let nodes = &mut self.worker.stats.nodes;
        nodes.leaf += self.terminals + self.evaluated;
        nodes.evaluations += self.evaluated;
        (self.terminals, self.evaluated) = (0, 0);
    }
}
