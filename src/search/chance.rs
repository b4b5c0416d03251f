//! The steps that the algorithms share at chance nodes: generating the outcomes, keeping the exact sums up to date as
//! successors become known, and going through the successors in one of the two phases.

use crate::evaluator::Evaluator;
use crate::game::{Game, Kind};
use crate::parallel;
use crate::score::{Bounds, Score, Window};
use crate::search::chance_sums::ChanceSums;
use crate::search::control::on_grid;
use crate::search::result::SearchError;
use crate::search::worker::{Node, NodeOf, Worker};
use crate::search::{star1, star2};
use crate::table::Table;
use std::ops::Range;

/// One successor of a chance node and what is known of it, as the chance node's player sees it (the paper's `cinfo`).
#[derive(Clone, Copy, Debug)]
pub(crate) struct Successor<O> {
    pub(crate) outcome: O,
    pub(crate) weight: u32,
    pub(crate) bounds: Bounds,
}

/// A chance node being searched. Its successors lie on the worker's stack.
#[derive(Debug)]
pub(crate) struct ChanceNode {
    begin: usize,
    end: usize,
    pub(crate) sums: ChanceSums,
    /// The node's own evaluation, for evaluators that do not look at outcomes.
    pub(crate) evaluation: Option<Score>,
}

/// A pass over a chance node's successors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Phase {
    /// Star2's: a few moves of each successor.
    Probing,
    /// Star1's: each successor until its part of the node's value is settled.
    Star1,
}

impl ChanceNode {
    /// Generates the outcomes of `node` on the worker's stack. `None` when the game broke its contract, in which case
    /// the search is halted with an error.
    pub(super) fn open<G: Game, E: Evaluator<G>, T: Table>(
        worker: &mut Worker<'_, G, E, T>,
        node: NodeOf<'_, G, E>,
        window: Window,
    ) -> Option<Self> {
        let begin = worker.successors.len();
        let bounds = Bounds::unknown(worker.limit);
        let (mut total, mut least) = (0u64, u32::MAX);
        let successors = &mut worker.successors;
        worker.game.outcomes(node.position, |outcome, weight| {
            total += u64::from(weight);
            least = least.min(weight);
            successors.push(Successor { outcome, weight, bounds });
        });
        let end = worker.successors.len();
        if least == 0 || total == 0 || total > u64::from(u32::MAX) {
            let error = if least == 0 { SearchError::ZeroWeight } else { SearchError::TotalWeight { total } };
            worker.control.fail(error);
            worker.halted = true;
            worker.successors.truncate(begin);
            return None;
        }
        let sums = ChanceSums::new(total as i64, worker.limit, window);
        Some(ChanceNode { begin, end, sums, evaluation: node.evaluation })
    }

    /// Where the successors lie on the worker's stack.
    #[inline]
    pub(crate) fn range(&self) -> Range<usize> {
        self.begin..self.end
    }

    /// Joins `found` with what was known of a successor.
    #[inline]
    pub(crate) fn learn<G: Game, E: Evaluator<G>, T: Table>(
        &mut self,
        worker: &mut Worker<'_, G, E, T>,
        index: usize,
        found: Bounds,
    ) {
        let Successor { weight, bounds: before, .. } = worker.successors[index];
        let after = worker.meet(found, before);
        worker.successors[index].bounds = after;
        self.sums.update(weight, before, after);
    }

    /// Takes the successors off the stack and gives the node's bounds.
    #[inline]
    pub(super) fn close<G: Game, E: Evaluator<G>, T: Table>(
        self,
        worker: &mut Worker<'_, G, E, T>,
    ) -> Bounds {
        worker.successors.truncate(self.begin);
        self.sums.bounds()
    }
}

/// Goes through the successors in a phase, until the node is cut; on several threads where that pays.
pub(super) fn run_phase<G: Game, E: Evaluator<G>, T: Table>(
    worker: &mut Worker<'_, G, E, T>,
    node: NodeOf<'_, G, E>,
    chance: &mut ChanceNode,
    phase: Phase,
) {
    if wants_split(worker, node.depth) {
        let open = worker.successors[chance.range()].iter().filter(|s| !s.bounds.is_exact()).count();
        if open >= 2 {
            return parallel::split_phase(worker, node, chance, phase);
        }
    }
    if node.depth == 1 {
        return go_through_leaves(worker, node, chance, true);
    }
    for index in chance.range() {
        let successor = worker.successors[index];
        if successor.bounds.is_exact() {
            continue; // known already, from the table or the other phase
        }
        let found = advance(worker, node, &successor, &chance.sums, phase, &mut chance.evaluation);
        chance.learn(worker, index, found);
        if chance.sums.is_cut() || worker.halted {
            return;
        }
    }
}

/// From how far above the least depth of a split on it is made whether or not somebody is idle now: such searches last
/// so long that somebody will be.
const EAGER: u8 = 4;

/// Whether a phase of a chance node at this depth is to be split.
#[inline]
fn wants_split<G: Game, E: Evaluator<G>, T: Table>(worker: &Worker<'_, G, E, T>, depth: u8) -> bool {
    let least = worker.options.split_depth;
    depth >= least
        && worker
            .seat
            .as_ref()
            .is_some_and(|seat| depth >= least.saturating_add(EAGER) || seat.team.has_idle())
}

/// Goes through the successors of a node at depth 1. They are leaves, of which nothing is known beforehand and nothing
/// but the sums has to be kept. With `prunes`, those that cannot matter any more are left out.
#[inline]
pub(super) fn go_through_leaves<G: Game, E: Evaluator<G>, T: Table>(
    worker: &mut Worker<'_, G, E, T>,
    node: NodeOf<'_, G, E>,
    chance: &mut ChanceNode,
    prunes: bool,
) {
    for index in chance.range() {
        let Successor { outcome, weight, bounds } = worker.successors[index];
        let score = leaf_successor(worker, node, outcome, &mut chance.evaluation);
        chance.sums.update(weight, bounds, Bounds::exactly(score));
        if prunes && chance.sums.is_cut() {
            return;
        }
    }
}

/// Searches one successor as its phase says. The answer may be no better than what was known.
#[inline]
pub(crate) fn advance<G: Game, E: Evaluator<G>, T: Table>(
    worker: &mut Worker<'_, G, E, T>,
    node: NodeOf<'_, G, E>,
    successor: &Successor<G::Outcome>,
    sums: &ChanceSums,
    phase: Phase,
    evaluation: &mut Option<Score>,
) -> Bounds {
    match phase {
        Phase::Probing => star2::probe_successor(worker, node, successor, sums),
        Phase::Star1 => star1::search_successor(worker, node, successor, sums, evaluation),
    }
}

/// The score of a leaf below a chance node, as the chance node's player sees it.
#[inline]
pub(super) fn leaf_successor<G: Game, E: Evaluator<G>, T: Table>(
    worker: &mut Worker<'_, G, E, T>,
    node: NodeOf<'_, G, E>,
    outcome: G::Outcome,
    evaluation: &mut Option<Score>,
) -> Score {
    let position = worker.game.resolve(node.position, outcome);
    let kind = worker.game.kind(&position);
    if E::IGNORES_OUTCOME && kind != Kind::Terminal {
        // Seen by the same player, the evaluation is that of the chance node.
        worker.stats.nodes.leaf += 1;
        return *evaluation.get_or_insert_with(|| {
            worker.stats.nodes.evaluations += 1;
            on_grid(worker.evaluator.evaluate(worker.game, node.position, node.state), worker.limit)
        });
    }
    let score =
        with_successor(worker, node, outcome, &position, |worker, successor| worker.leaf(kind, successor));
    if worker.game.player(&position) == worker.game.player(node.position) { score } else { -score }
}

/// Calls `act` with the node after an outcome, whose position is `position`.
#[inline]
pub(super) fn with_successor<G: Game, E: Evaluator<G>, T: Table, R>(
    worker: &mut Worker<'_, G, E, T>,
    node: NodeOf<'_, G, E>,
    outcome: G::Outcome,
    position: &G::Position,
    act: impl FnOnce(&mut Worker<'_, G, E, T>, NodeOf<'_, G, E>) -> R,
) -> R {
    let (depth, ply) = (node.depth - 1, node.ply + 1);
    if E::IGNORES_OUTCOME {
        return act(worker, Node { position, state: node.state, depth, ply, evaluation: None });
    }
    let state = worker.evaluator.after_outcome(worker.game, node.state, node.position, outcome, position);
    act(worker, Node { position, state: &state, depth, ply, evaluation: None })
}
