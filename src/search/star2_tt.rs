//! Star2-TT (Veness and Blair, Figure 4.1): Star2 with the transposition table at chance nodes.
//!
//! [`chance_node`] takes the figure's steps in their order. Only its first two lines, which evaluate leaves,
//! are elsewhere (`recursion.rs`). The two phases go through the successors in `chance.rs`, and search one in
//! `star2.rs` or `star1.rs`.
//!
//! Star2-TT adds two steps to the paper's Star2. The chance node's own entry, with a lower and an upper
//! bound, may cut the node or narrow its window (section III.A). And before it searches any successor, it
//! probes the table for all of them (section III.B, successor probing): the stochastic form of enhanced
//! transposition cutoffs. The other algorithms leave steps out: Star2 successor probing, Star1 the probing
//! phase as well, Expectimax all windows. Whether they use the entries of chance nodes is an option
//! ([`TableUse`](crate::search::TableUse)); in the paper they do not.
//!
//! Differences from the printed figure, the first four explained in `paper-notes.md`:
//!
//! * A search returns two proven bounds instead of one number. They are intersected with the entry's that
//!   narrowed the window. Only what the entry does not say yet is stored.
//! * Successors known exactly are neither looked up nor searched again.
//! * Entries count at equal depth only, unless the options ask for
//!   [`Reuse::AtLeast`](crate::table::Reuse::AtLeast).
//! * Successor probing begins at depth 4, unless the options say otherwise.
//! * All successors' entries are prefetched before the first is read. Terminal successors have none.
//! * Where the depth alone shows that all successors are leaves, there are no phases: `search_leaves` in
//!   `chance.rs`.
//! * Between the two phases, successors may be asked for their shares of beta in null windows, the paper's
//!   future work (section VIII.B): `shares.rs`.
//! * Before they are looked up or searched, the successors have the bounds that follow from rewards and from
//!   the evaluator's static bounds (`open_chance`), and a node whose outcomes do not matter may collapse
//!   (`collapse.rs`).

use crate::game::{Game, NodeKind, Step};
use crate::score::{Bounds, Window};
use crate::search::chance::{close_chance, open_chance, search_phase, tighten_chance};
use crate::search::chance_node::{ChanceNode, Phase};
use crate::search::ordering::sibling_batch::{evaluate_first_moves, forget};
use crate::search::plies::Depth;
use crate::search::request::Algorithm;
use crate::search::setup::{NodeOf, Setup};
use crate::search::worker::Worker;
use crate::search::{descent, expectimax, share_phase, star2, transposition};
use crate::table::Table;

/// Searches a chance node.
#[inline(always)] // it has one caller
pub(super) fn chance_node<S: Setup>(
    worker: &mut Worker<'_, S>,
    node: NodeOf<'_, S>,
    window: Window,
) -> Bounds {
    worker.stats.nodes.chance += 1;
    worker.poll(node.depth);
    let algorithm = worker.options.algorithm;
    // Transposition cutoff: the node's own entry settles the node, or narrows its window.
    let known = transposition::look_up_node(worker, node.position, NodeKind::Chance, node.depth);
    let window = if algorithm.prunes() { window } else { Window::beyond(worker.limit) };
    if window.is_settled_by(known.bounds) {
        worker.stats.table.chance_cutoffs += 1;
        return transposition::settle(worker, &known);
    }
    let window = if algorithm.prunes() { window.narrowed_by(known.bounds) } else { window };
    let Some(mut chance) = open_chance(worker, node, window, known.bounds) else { return known.bounds };
    match algorithm {
        Algorithm::Expectimax => expectimax::successors(worker, node, &mut chance),
        Algorithm::Star1 => search_phase(worker, node, &mut chance, Phase::Star1),
        Algorithm::Star2 | Algorithm::Star2Tt => {
            if algorithm == Algorithm::Star2Tt {
                probe_table(worker, node, &mut chance);
            }
            if descent::is_above_leaves::<S>(node) {
                search_phase(worker, node, &mut chance, Phase::Star1);
            } else if !chance.is_settled() {
                search_in_phases(worker, node, &mut chance);
            }
        }
    }
    let proven = close_chance(worker, chance);
    transposition::conclude(worker, &known, proven, node.depth, None)
}

/// Searches the successors in the phases of Star2, until the node is cut: probes, shares, Star1.
#[inline(always)] // it has one caller
fn search_in_phases<S: Setup>(worker: &mut Worker<'_, S>, node: NodeOf<'_, S>, chance: &mut ChanceNode) {
    let (mut evaluated, mut phase) = (None, Phase::Probing);
    if star2::may_be_probed(worker, node, &chance.sums) {
        evaluated = evaluate_first_moves(worker, node, chance);
        search_phase(worker, node, chance, phase);
    }
    // A phase asks after each successor whether the search is halted. Between two phases it is asked here.
    if !chance.is_settled() && !worker.is_halted() {
        let trial = share_phase::ask(worker, node, chance);
        phase = Phase::Shares;
        if !chance.is_settled() && !worker.is_halted() {
            phase = Phase::Star1;
            search_phase(worker, node, chance, phase);
        }
        share_phase::conclude(worker, trial);
    }
    if let Some(evaluated) = evaluated {
        forget(worker, evaluated);
    }
    count_end(worker, chance, phase);
}

/// Counts how the node ended, and in which phase.
#[inline]
fn count_end<S: Setup>(worker: &mut Worker<'_, S>, chance: &ChanceNode, phase: Phase) {
    let (sums, ends) = (&chance.sums, &mut worker.stats.ends);
    let count = match phase {
        _ if sums.upper <= sums.alpha_threshold => &mut ends.low,
        _ if sums.lower < sums.beta_threshold => &mut ends.open,
        Phase::Probing => &mut ends.by_probes,
        Phase::Shares => &mut ends.by_shares,
        Phase::Star1 => &mut ends.by_star1,
    };
    *count += 1;
}

/// Successor probing: probes the table for every successor until the node is cut. Not below the depth that
/// the options say, and never at depth 1: leaves have no entries.
#[inline]
fn probe_table<S: Setup>(worker: &mut Worker<'_, S>, node: NodeOf<'_, S>, chance: &mut ChanceNode) {
    let is_deep = node.depth >= Depth::from(worker.options.successor_probing_depth.max(2));
    if S::Table::IS_PRESENT && is_deep && !chance.sums.is_cut() {
        probe_each(worker, node, chance);
        worker.stats.table.successor_cutoffs += u64::from(chance.sums.is_cut());
    }
}

fn probe_each<S: Setup>(worker: &mut Worker<'_, S>, node: NodeOf<'_, S>, chance: &mut ChanceNode) {
    for index in chance.range() {
        let outcome = worker.successors[index].outcome;
        let position = worker.game.resolve(node.position, outcome);
        transposition::prefetch(
            worker,
            &position,
            descent::depth_after(worker, node, Step::Outcome(outcome), &position),
        );
    }
    let viewer = worker.game.player(node.position);
    for index in chance.range() {
        let outcome = worker.successors[index].outcome;
        let position = worker.game.resolve(node.position, outcome);
        let kind = worker.game.kind(&position);
        if kind == NodeKind::Terminal || worker.successors[index].bounds.is_exact() {
            continue;
        }
        let depth = descent::depth_after(worker, node, Step::Outcome(outcome), &position);
        if descent::is_leaf_below::<S>(depth) {
            continue;
        }
        worker.stats.nodes.successor_probes += 1;
        let known = transposition::look_up_node(worker, &position, kind, depth);
        let found =
            if known.bounds.is_exact() { transposition::settle(worker, &known) } else { known.bounds };
        let same_viewer = worker.game.player(&position) == viewer;
        let reward = descent::reward(worker, node, Step::Outcome(outcome), &position);
        let found = descent::worth_of_outcome(
            worker,
            reward,
            if same_viewer { found } else { found.flipped() },
            viewer,
        );
        tighten_chance(worker, chance, index, found);
        if chance.sums.is_cut() {
            return;
        }
    }
}
