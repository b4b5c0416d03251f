//! Star2-TT (Veness and Blair, Figure 4.1): Star2 with the transposition table at chance nodes.
//!
//! Two additions to Star2. A chance node's own entry, with a lower and an upper bound, may settle the node or
//! narrow its window (section III.A); here that is the head of `chance::search`, since Star2 may use such
//! entries too. And before any successor is searched, the entries of all of them are looked up (section
//! III.B, successor probing), which is the stochastic form of enhanced transposition cutoffs.
//!
//! Differences from the printed figure, each explained in `paper-notes.md`: what a search returns is a pair
//! of proven bounds and not one number; what was proven is joined with the entry that narrowed the window;
//! successors known exactly are not searched again; the sums are tested after every step; and entries count
//! only at equal depth unless [`Reuse::AtLeast`](crate::search::Reuse::AtLeast) is asked for.

use crate::game::{Game, Kind};
use crate::search::chance::probe_and_search;
use crate::search::chance_node::ChanceNode;
use crate::search::setup::{NodeOf, Setup};
use crate::search::worker::Worker;
use crate::table::Table;

/// Searches the successors of a chance node that its own entry has not settled (Figure 4.1 from successor
/// probing on), until the node is cut or the search is halted. What was found is in `chance`.
#[inline(always)] // there is one caller
pub(super) fn successors<S: Setup>(worker: &mut Worker<'_, S>, node: NodeOf<'_, S>, chance: &mut ChanceNode) {
    // Successor probing using the transposition table; leaves are not stored, which all or most are below a
    // node at depth 1.
    if !chance.sums.is_cut() && node.depth >= worker.options.successor_probing_depth.max(2) {
        probe_table(worker, node, chance);
        worker.stats.table.successor_cutoffs += u64::from(chance.sums.is_cut());
    }
    // Star2 probing phase, then Star1 phase; they do nothing where the node is cut.
    probe_and_search(worker, node, chance);
}

/// Looks up every successor and learns what is known, until that settles the node.
fn probe_table<S: Setup>(worker: &mut Worker<'_, S>, node: NodeOf<'_, S>, chance: &mut ChanceNode) {
    if !S::Table::IS_PRESENT {
        return;
    }
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
        chance.learn(worker, index, found);
        if chance.sums.is_cut() {
            return;
        }
    }
}
