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
use crate::game::{Game, Kind, Player};
use crate::processor::{Event, Processor};
use crate::score::{Bounds, Score, Window};
use crate::search::answer::{NodeCounts, SearchError};
use crate::search::control::on_grid;
use crate::search::negamax::{Breadth, note_cutoff};
use crate::search::ordering::{GeneratedMoves, SELECTIONS_ABOVE_LEAVES};
use crate::search::request::{MoveOrdering, Options};
use crate::search::reward::Reward;
use crate::search::setup::{MoveOf, NodeOf, PositionOf, Setup};
use crate::search::tuning::Plan;
use crate::search::worker::Worker;
use std::ops::ControlFlow;

/// The depth of such nodes.
pub(super) const DEPTH: u8 = 1;

/// Whether they are searched so where other workers do not matter to them: the table has no part in it, and
/// moves are ranked by what is known of moves alone, if at all, as they are where the ordering is left to the
/// search. (Others keep to their order to the last move.) Not where moves may take another number of
/// plies.
pub(super) fn is_simple<S: Setup>(options: &Options, plan: &Plan) -> bool {
    let is_left_to_search = options.ordering == MoveOrdering::Chosen;
    !<S::Game as Game>::HAS_PLIES
        && plan.decision_table_depth > DEPTH
        && (is_left_to_search && !plan.orders_statically(options, DEPTH) || !options.algorithm.prunes())
}

/// Searches such a node by an algorithm that prunes.
#[inline(never)]
pub(super) fn decision<S: Setup>(
    worker: &mut Worker<'_, S>,
    node: NodeOf<'_, S>,
    window: Window,
    breadth: Breadth,
    is_idle: bool,
) -> Bounds {
    worker.heuristics.enter(node.ply, node.depth, worker.iteration_of(node));
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
    while !worker.halted
        && !is_cut
        && let Some(next) = untried.next()
    {
        let mv = if selections > 0 { moves.bring_best_to(worker, next) } else { worker.generated_move(next) };
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
    if worker.halted {
        return Bounds::unknown(worker.limit);
    }
    let (game, limit) = (worker.game, worker.limit);
    let mut leaves = Leaves::new(worker, node);
    let mut greatest = Bounds::exactly(-limit);
    let (mut tried_any, mut is_left, mut cut_by) = (false, false, None);
    game.visit_moves(node.position, |mv, position| {
        if cut_by.is_some() {
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
    if !tried_any {
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
struct Leaves<'w, 'n, S: Setup> {
    game: &'w S::Game,
    evaluator: &'w S::Evaluator,
    limit: Score,
    processor: &'w mut S::Processor,
    nodes: &'w mut NodeCounts,
    node: NodeOf<'n, S>,
    mover: Player,
    terminals: u64,
    evaluated: u64,
}

impl<'w, 'n, S: Setup> Leaves<'w, 'n, S> {
    #[inline(always)]
    fn new(worker: &'w mut Worker<'_, S>, node: NodeOf<'n, S>) -> Self {
        let Worker { game, evaluator, limit, processor, stats, .. } = worker;
        let (mover, nodes) = (game.player(node.position), &mut stats.nodes);
        Leaves { game, evaluator, limit: *limit, processor, nodes, node, mover, terminals: 0, evaluated: 0 }
    }

    /// What a move that leads to `position` is worth to the mover, who asks no more than `window` does.
    #[inline(always)]
    fn value_of(&mut self, mv: MoveOf<S>, position: &PositionOf<S>, window: Window) -> Bounds {
        let Leaves { game, evaluator, limit, node, .. } = *self;
        let reward = Reward::of_move(game, limit, node.position, mv, position);
        if reward.is_enough_for(window, limit) {
            return reward.mapped(Bounds::unknown(limit), limit);
        }
        self.processor.charge(Event::Node);
        let score = if game.kind(position) == Kind::Terminal {
            self.terminals += 1;
            on_grid(game.terminal_score(position), limit)
        } else {
            self.evaluated += 1;
            self.processor.charge(Event::Evaluation);
            on_grid(evaluator.evaluate_after_move(game, node.state, node.position, mv, position), limit)
        };
        let is_movers = game.player(position) == self.mover;
        Bounds::exactly(reward.with(if is_movers { score } else { -score }, limit))
    }

    #[inline(always)]
    fn count(self) {
        self.nodes.leaf += self.terminals + self.evaluated;
        self.nodes.evaluations += self.evaluated;
    }
}
