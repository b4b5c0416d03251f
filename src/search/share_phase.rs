//! The phase in which a chance node's successors are asked for their shares of a window (`shares.rs`): where,
//! in which order, and whether it pays.

use crate::search::chance::search_phase;
use crate::search::chance_node::{ChanceNode, ChanceSuccessor, Phase};
use crate::search::chance_sums::ChanceSums;
use crate::search::recording;
use crate::search::setup::{NodeOf, OutcomeOf, Setup};
use crate::search::shares::Shares;
use crate::search::tuning::ShareTrial;
use crate::search::worker::Worker;
use std::cmp::Reverse;

/// The lack to beta is at most this part of the grid's limit, for each weight. Where more is missing,
/// shares are beyond what moves are worth.
const GREATEST_PART: i64 = 10;

/// Asks the successors for their shares, where that may settle the node and has paid. What is returned is to
/// be concluded once the node is searched.
#[inline]
pub(super) fn ask<S: Setup>(
    worker: &mut Worker<'_, S>,
    node: NodeOf<'_, S>,
    chance: &mut ChanceNode,
) -> Option<ShareTrial> {
    let ChanceSums { total, lower, beta_threshold, .. } = chance.sums;
    let is_near = (beta_threshold - lower) * GREATEST_PART <= i64::from(worker.limit) * total;
    if !is_near || !chance.sums.may_reach(worker.far()) {
        return None;
    }
    let trial = worker.tuner.begin_share_trial(node.depth, &worker.stats.nodes)?;
    if trial.asks {
        order_and_ask(worker, node, chance);
    }
    Some(trial)
}

/// Notes what the search of a node took, with shares or without.
#[inline]
pub(super) fn conclude<S: Setup>(worker: &mut Worker<'_, S>, trial: Option<ShareTrial>) {
    // As in samples of orderings, what other workers search is not counted.
    if let Some(trial) = trial.filter(|_| !worker.is_halted()) {
        worker.tuner.end_share_trial(trial, &worker.stats.nodes);
    }
}

#[inline(never)] // few nodes ask
fn order_and_ask<S: Setup>(worker: &mut Worker<'_, S>, node: NodeOf<'_, S>, chance: &mut ChanceNode) {
    let successors = &mut worker.successors[chance.range()];
    successors.sort_unstable_by_key(|one| (Reverse(one.weight), one.bounds.lower, one.place));
    let open = |successor: &&ChanceSuccessor<OutcomeOf<S>>| !successor.bounds.is_exact();
    chance.shares = Shares::over(successors.iter().filter(open).map(|successor| successor.weight));
    recording::begin_phase(worker, Phase::Shares);
    search_phase(worker, node, chance, Phase::Shares);
    recording::begin_phase(worker, Phase::Star1);
    // The Star1 phase goes on in the game's order, as it does without shares.
    worker.successors[chance.range()].sort_unstable_by_key(|one| one.place);
}
