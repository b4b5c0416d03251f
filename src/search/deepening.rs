//! Iterative deepening: searches the root to depth 1, 2, 3 and so on, or in the game's depth step. The table
//! moves of one iteration order the moves of the next, and a stopped search has a result.

use crate::evaluator::Evaluator;
use crate::game::{Game, Step};
use crate::processor::Processor;
use crate::score::Bounds;
use crate::search::answer::{Interrupted, Iteration, SearchResult, StopReason};
use crate::search::forecast::Forecast;
use crate::search::node::Node;
use crate::search::plies::{Depth, reported_depth};
use crate::search::pv::{first_move, table_pv};
use crate::search::ranking::value_for_max;
use crate::search::recording;
use crate::search::request::{Limits, MoveOrdering, Options, TableUse};
use crate::search::setup::{IterationOf, NodeOf, Outlook, PositionOf, ResultOf, Setup, StateOf, WatchOf};
use crate::search::tuning::Lanes;
use crate::search::worker::Worker;
use crate::table::Table;
use std::iter::StepBy;
use std::ops::RangeInclusive;
use std::time::Duration;

/// A search of so many nodes is large enough to leave out iterations: a fraction of a millisecond.
const LARGE: u64 = 10_000;

/// Searches `position` iteration by iteration, and calls `watch` after each.
///
/// The statistics are this worker's own; a parallel search adds its helpers'.
pub(crate) fn run<S: Setup>(
    worker: &mut Worker<'_, S>,
    position: &PositionOf<S>,
    depth: Depth,
    mut watch: WatchOf<'_, S>,
) -> ResultOf<S> {
    let mut deepening = Deepening::new(worker, position, depth);
    deepening.go_on(worker, &mut watch, &|_| false);
    deepening.answer(worker)
}

/// The state of a search between two iterations.
pub(crate) struct Deepening<'p, S: Setup> {
    position: &'p PositionOf<S>,
    state: StateOf<S>,
    /// The depths of the remaining iterations.
    left: Depths,
    iterations: Vec<IterationOf<S>>,
    interrupted: Option<Interrupted>,
    forecast: Forecast,
    /// The nodes of each iteration, after its depth.
    sizes: Vec<(Depth, u64)>,
}

impl<'p, S: Setup> Deepening<'p, S> {
    /// A search of `position` to `depth`, before its first iteration.
    pub(crate) fn new(worker: &Worker<'_, S>, position: &'p PositionOf<S>, depth: Depth) -> Self {
        Deepening {
            position,
            state: worker.evaluator.state(worker.game, position, None),
            left: depths(depth, step(worker, depth)),
            iterations: Vec::new(),
            interrupted: None,
            forecast: Forecast::default(),
            sizes: Vec::new(),
        }
    }

    /// Searches until all iterations are done, the search is halted, or `pauses` returns true before an
    /// iteration. Returns whether it paused.
    pub(crate) fn go_on(
        &mut self,
        worker: &mut Worker<'_, S>,
        watch: &mut WatchOf<'_, S>,
        pauses: &dyn Fn(Outlook) -> bool,
    ) -> bool {
        choose_for_all(worker);
        while let Some(depth) = self.left.clone().next() {
            let (began, later) = (Duration::from_nanos(worker.processor.now()), self.left.clone().nth(1));
            let expected = self.forecast.of(depth, later);
            let outlook = Outlook { depth, is_last: later.is_none(), began, expected };
            if pauses(outlook) {
                return true;
            }
            self.left.next();
            worker.begin_iteration(outlook.is_last);
            let now = worker.begin_to_measure();
            worker.table.new_generation();
            worker.root.clear();
            let reported = reported_depth(depth, worker.near_leaves.to_the_end);
            worker.control.running.begin_iteration(reported);
            worker.report_nodes_at(now);
            if worker.is_halted() {
                break;
            }
            worker.adopt_granularity();
            worker.poll_helpers(now, Some(outlook));
            let nodes_before = worker.control.nodes();
            recording::begin_iteration(worker, depth);
            let root = root(worker, self.position, &self.state, depth);
            let bounds = S::search(worker, root, worker.control.root_window(worker.limit));
            if worker.is_halted() {
                // Even if the table made its bounds exact: the move is only the best of those tried.
                self.interrupted = Some(Interrupted { depth: reported, bounds });
                break;
            }
            let iteration = completed(worker, root, bounds);
            choose_splits(worker, depth, nodes_before, &mut self.sizes);
            self.forecast.note(depth, iteration.elapsed.saturating_sub(began));
            watch(&iteration);
            self.iterations.push(iteration);
            if leaves_out_iterations(worker) {
                let Limits { time, nodes, .. } = worker.control.limits;
                self.leave_out_small_iterations(time.is_some() || nodes.is_some());
            }
        }
        false
    }

    /// Where iterations grow little, as where positions recur, an iteration for each ply would be most of the
    /// search: the next is one as large as all before it, if they go on growing so.
    fn leave_out_small_iterations(&mut self, is_limited: bool) {
        let nodes = |iteration: &IterationOf<S>| iteration.stats.nodes.total() as f64;
        let [.., earlier, before, last] = &self.iterations[..] else { return };
        let (size, all) = (nodes(last) - nodes(before), nodes(last));
        let plies = f64::from(last.depth - before.depth);
        let growth = (size / (nodes(before) - nodes(earlier)).max(1.0)).powf(plies.recip());
        // Twice as deep at the most: what has grown little so far may grow more.
        let wanted = (all / size.max(1.0)).ln() / growth.ln().max(f64::MIN_POSITIVE);
        let (depth, step) = (f64::from(last.depth), wanted.min(f64::from(last.depth)));
        // Or as deep as the search goes, if that is little deeper: an iteration shortly before the last would
        // take about as long. Where a limit may end the last, that iteration's answer is worth its time.
        let is_last_near = !is_limited
            && self.left.clone().next_back().is_some_and(|last| f64::from(last) <= depth + 1.5 * step);
        while self.left.clone().nth(1).is_some_and(|next| is_last_near || f64::from(next) <= depth + step) {
            self.left.next();
        }
    }

    /// The result. Without a completed iteration: what the first had proven, and a move to play all the same.
    pub(crate) fn answer(self, worker: &Worker<'_, S>) -> ResultOf<S> {
        let Deepening { position, iterations, interrupted, .. } = self;
        let (depth, bounds, value, best_move, pv) = match iterations.last() {
            Some(last) => (last.depth, last.bounds, last.value, last.best_move, last.pv.clone()),
            None => {
                let bounds = interrupted.map_or(Bounds::unknown(worker.limit), |proven| proven.bounds);
                let asked = worker.root.asked.first().copied();
                let best_move = worker.root.preferred.or(asked).or_else(|| first_move(worker, position));
                (0, bounds, f64::NAN, best_move, best_move.map(Step::Move).into_iter().collect())
            }
        };
        SearchResult {
            depth,
            bounds,
            value,
            best_move,
            pv,
            root_moves: iterations.last().map_or_else(Vec::new, |last| last.root_moves.clone()),
            stats: worker.stats,
            chosen: worker.tuner.chosen(
                worker.options,
                worker.team_link.peers.as_ref().map(|_| worker.team_link.policy.granularity()),
            ),
            lanes: if S::IN_BATCHES { worker.moves.batcher.lanes(worker.options) } else { Lanes::NONE },
            smaller_game: worker.game.facts().left_out,
            elapsed: Duration::from_nanos(worker.processor.now()),
            had_helpers: false,
            waited: Duration::ZERO,
            stopped_by: StopReason::Depth,
            interrupted,
            iterations,
            workers: Vec::new(),
            tree: None,
        }
    }
}

/// Whether a search may leave out iterations: where successors are dear, and where it is large and the choice
/// is its own.
fn leaves_out_iterations<S: Setup>(worker: &Worker<'_, S>) -> bool {
    let is_left =
        worker.options.table_use != TableUse::None && worker.options.ordering == MoveOrdering::Chosen;
    worker.game.facts().has_dear_successors() || is_left && worker.stats.nodes.total() >= LARGE
}

/// Makes this worker the one that chooses for all workers of its search.
pub(crate) fn choose_for_all<S: Setup>(worker: &mut Worker<'_, S>) {
    worker.tuner.leads = true;
    if shares(worker.options) && worker.control.granularity().is_none() {
        worker.control.publish_granularity(worker.tuner.first_splits(worker.options));
    }
}

/// Whether a search has more than one worker.
fn shares(options: &Options) -> bool {
    options.is_parallel() || options.has_lanes()
}

/// Records an iteration's nodes, and chooses what the next iteration splits. `before` is the count of all
/// workers before the iteration.
fn choose_splits<S: Setup>(
    worker: &mut Worker<'_, S>,
    depth: Depth,
    before: u64,
    iterations: &mut Vec<(Depth, u64)>,
) {
    if shares(worker.options) {
        worker.report_nodes();
        iterations.push((depth, worker.control.nodes().saturating_sub(before)));
        let splits = worker.tuner.splits(worker.options, &worker.stats.nodes, iterations);
        worker.control.publish_granularity(splits);
    }
}

/// The result of a completed iteration.
fn completed<S: Setup>(worker: &Worker<'_, S>, root: NodeOf<'_, S>, bounds: Bounds) -> IterationOf<S> {
    let elapsed = Duration::from_nanos(worker.processor.now());
    let value_of = |bounds| value_for_max(worker.game, root.position, bounds);
    let (value, root_moves) = (value_of(bounds), worker.root.ranked(value_of));
    let best_move = root_moves.first().map(|best| best.mv).or(worker.root.preferred);
    let pv = table_pv(worker, root, best_move);
    let depth = reported_depth(root.depth, worker.near_leaves.to_the_end);
    let nodes = worker.control.nodes() + worker.unreported_nodes();
    Iteration { depth, bounds, value, best_move, pv, root_moves, nodes, stats: worker.stats, elapsed }
}

/// Searches `position` iteration by iteration beside the leader, to fill the table.
pub(crate) fn search_whole_tree<S: Setup>(
    worker: &mut Worker<'_, S>,
    position: &PositionOf<S>,
    depth: Depth,
) {
    let state = worker.evaluator.state(worker.game, position, None);
    for depth in depths(depth, step(worker, depth)) {
        worker.report_nodes();
        if worker.is_halted() {
            return;
        }
        worker.adopt_granularity();
        worker.root.clear();
        recording::begin_iteration(worker, depth);
        let root = root(worker, position, &state, depth);
        S::search(worker, root, worker.control.root_window(worker.limit));
    }
}

/// The root as a node at this depth.
fn root<'n, S: Setup>(
    worker: &Worker<'_, S>,
    position: &'n PositionOf<S>,
    state: &'n StateOf<S>,
    depth: Depth,
) -> NodeOf<'n, S> {
    Node::new(position, state, depth, worker.control.root_ply())
}

/// The bounds of `position` at depth 0: its terminal score or its evaluation.
pub(crate) fn search_leaf<S: Setup>(worker: &mut Worker<'_, S>, position: &PositionOf<S>) -> Bounds {
    let state = worker.evaluator.state(worker.game, position, None);
    let node = root(worker, position, &state, 0);
    S::search(worker, node, worker.control.root_window(worker.limit))
}

/// The depth step of the iterations: the whole depth without iterative deepening, and to the end.
fn step<S: Setup>(worker: &Worker<'_, S>, target: Depth) -> Depth {
    let deepens = worker.options.deepening && !worker.near_leaves.to_the_end;
    if deepens { worker.game.facts().depth_step.into() } else { target }
}

type Depths = StepBy<RangeInclusive<Depth>>;

/// The depths of the iterations: `target`, less multiples of the step.
fn depths(target: Depth, step: Depth) -> Depths {
    let step = step.max(1);
    let first = match target % step {
        0 => step,
        rest => rest,
    };
    (first..=target).step_by(usize::from(step))
}

#[cfg(test)]
mod tests {
    use super::depths;

    #[test]
    fn iterations_end_at_the_target_and_keep_its_parity() {
        assert_eq!(depths(5, 1).collect::<Vec<_>>(), [1, 2, 3, 4, 5]);
        assert_eq!(depths(13, 2).collect::<Vec<_>>(), [1, 3, 5, 7, 9, 11, 13]);
        assert_eq!(depths(4, 2).collect::<Vec<_>>(), [2, 4]);
        assert_eq!(depths(1, 2).collect::<Vec<_>>(), [1]);
        assert_eq!(depths(254, 2).next_back(), Some(254));
        assert_eq!(depths(3, 0).collect::<Vec<_>>(), [1, 2, 3]);
    }
}
