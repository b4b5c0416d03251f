//! Star2-TT (Veness and Blair, Figure 4.1): Star2 with the transposition table at chance nodes.
//!
//! [`chance_node`] is the figure from its head to its end. Two additions to Star2: a chance node's own entry,
//! with a lower and an upper bound, may settle the node or narrow its window (section III.A); and before any
//! successor is searched, the entries of all of them are looked up (section III.B, successor probing), which
//! is the stochastic form of enhanced transposition cutoffs. The other algorithms leave out what they have
//! not: Star2 the second, Star1 the probing phase too, Expectimax all windows.
//!
//! Differences from the printed figure, each explained in `paper-notes.md`: what a search returns is a pair
//! of proven bounds and not one number; what was proven is joined with the entry that narrowed the window;
//! successors known exactly are not searched again; the sums are tested after every step; and entries count
//! only at equal depth unless [`Reuse::AtLeast`](crate::search::Reuse::AtLeast) is asked for.

use crate::game::{Game, Kind};
use crate::score::{Bounds, Window};
use crate::search::chance::search_phase;
use crate::search::chance_node::{ChanceNode, Phase};
use crate::search::request::Algorithm;
use crate::search::setup::{NodeOf, Setup};
use crate::search::worker::Worker;
use crate::search::{expectimax, star2};
use crate::table::Table;

/// Searches a chance node.
#[inline(always)] // there is one caller
pub(super) fn chance_node<S: Setup>(
    worker: &mut Worker<'_, S>,
    node: NodeOf<'_, S>,
    window: Window,
) -> Bounds {
    worker.stats.nodes.chance += 1;
    worker.poll(node.depth);
    let algorithm = worker.options.algorithm;
    // Transposition cutoffs: the node's own entry settles it, or narrows its window.
    let known = worker.look_up_node(node.position, Kind::Chance, node.depth);
    let window = if algorithm.prunes() { window } else { Window::beyond(worker.limit) };
    if window.is_settled_by(known.bounds) {
        worker.stats.table.chance_cutoffs += 1;
        return worker.settle(&known);
    }
    let open = if algorithm.prunes() { window.narrowed_by(known.bounds) } else { window };
    let Some(mut chance) = ChanceNode::open(worker, node, open, known.bounds) else { return known.bounds };
    match algorithm {
        Algorithm::Expectimax => expectimax::successors(worker, node, &mut chance),
        Algorithm::Star1 => search_phase(worker, node, &mut chance, Phase::Star1),
        Algorithm::Star2 | Algorithm::Star2Tt => {
            if algorithm == Algorithm::Star2Tt {
                probe_table(worker, node, &mut chance);
            }
            // The phases do nothing where the node is cut.
            let has_probes = star2::may_be_probed(worker, node, &chance.sums);
            if has_probes {
                search_phase(worker, node, &mut chance, Phase::Probing);
            }
            if !has_probes || !worker.is_halted() {
                search_phase(worker, node, &mut chance, Phase::Star1);
            }
        }
    }
    let proven = chance.close(worker);
    worker.conclude(&known, proven, node.depth, None)
}

/// Successor probing: looks up every successor and learns what is known, until that settles the node. Leaves
/// are not stored, which all or most are below a node at depth 1.
#[inline]
fn probe_table<S: Setup>(worker: &mut Worker<'_, S>, node: NodeOf<'_, S>, chance: &mut ChanceNode) {
    let is_deep = node.depth >= worker.options.successor_probing_depth.max(2);
    if S::Table::IS_PRESENT && is_deep && !chance.sums.is_cut() {
        probe_each(worker, node, chance);
        worker.stats.table.successor_cutoffs += u64::from(chance.sums.is_cut());
    }
}

fn probe_each<S: Setup>(worker: &mut Worker<'_, S>, node: NodeOf<'_, S>, chance: &mut ChanceNode) {
    for index in chance.range() {
        let outcome = worker.successors[index].outcome;
        let position = worker.game.resolve(node.position, outcome);
        worker.prefetch(&position, worker.depth_after_outcome(node, outcome, &position));
    }
    let viewer = worker.game.player(node.position);
    for index in chance.range() {
        let outcome = worker.successors[index].outcome;
        let position = worker.game.resolve(node.position, outcome);
        let kind = worker.game.kind(&position);
        if kind == Kind::Terminal || worker.successors[index].bounds.is_exact() {
            continue;
        }
        let depth = worker.depth_after_outcome(node, outcome, &position);
        if worker.is_leaf_below(depth) {
            continue;
        }
        worker.stats.nodes.successor_probes += 1;
        let found = worker.look_up(&position, kind, depth).bounds;
        let same_viewer = worker.game.player(&position) == viewer;
        let reward = worker.outcome_reward(node, outcome, &position);
        let found =
            worker.worth_of_outcome(reward, if same_viewer { found } else { found.flipped() }, viewer);
        chance.tighten(worker, index, found);
        if chance.sums.is_cut() {
            return;
        }
    }
}
