//! The steps that the algorithms share at chance nodes: opening and closing the node, generating outcomes,
//! updating the exact sums as bounds of successors become known, and searching the successors phase by phase.
//!
//! Where outcomes have rewards, a successor's bounds are always those of its outcome's worth, the reward
//! included: the bounds F of `reward.rs`. Sums, thresholds and windows use these. A search below an outcome
//! gets a window less the reward, and its result is mapped back.

use crate::game::{Game, NodeKind, Step};
use crate::processor::{Evaluates, Event, Processor};
use crate::score::{Bounds, Score, Window};
use crate::search::answer::Given;
use crate::search::chance_node::{ChanceNode, ChanceSuccessor, Phase, Place};
use crate::search::chance_sums::{ChanceSums, are_weights, fault_of_weights};
use crate::search::deferral::{Then, search_busy_last};
use crate::search::descent::with_successor;
use crate::search::live::{Change, Link};
use crate::search::plies::Depth;
use crate::search::request::Helping;
use crate::search::setup::{NodeOf, OutcomeOf, Peers, PositionOf, Setup};
use crate::search::shares::Shares;
use crate::search::worker::{Worker, asks_again};
use crate::search::{collapse, descent, evaluation, star1, star2, static_bounds, transposition};
use std::ops::Range;

/// Generates the outcomes of `node` on the worker's stack, with their rewards and static bounds, which
/// may cut the node. `None` if the game broke its contract; the search is then halted with an error.
pub(super) fn open_chance<S: Setup>(
    worker: &mut Worker<'_, S>,
    node: NodeOf<'_, S>,
    window: Window,
    known: Bounds,
) -> Option<ChanceNode> {
    let begin = worker.successors.len();
    let bounds = Bounds::unknown(worker.limit);
    let (mut total, mut least) = (0u64, u32::MAX);
    let successors = &mut worker.successors;
    worker.game.outcomes(node.position, |outcome, weight| {
        total += u64::from(weight);
        least = least.min(weight);
        let place = (successors.len() - begin) as Place;
        successors.push(ChanceSuccessor { outcome, weight, place, bounds });
    });
    let end = worker.successors.len();
    if !are_weights(least, total) {
        worker.control.fail(fault_of_weights(least, total));
        worker.set_halted(true);
        worker.successors.truncate(begin);
        return None;
    }
    let mut sums = ChanceSums::new(total as i64, worker.limit, window);
    if <S::Game as Game>::STEPS.outcome_rewards {
        take_rewards(worker, node, begin..end, &mut sums);
    }
    static_bounds::narrow_outcomes(worker, node, begin..end, &mut sums);
    let (seen, evaluation) = (worker.team_link.seen_version, node.evaluation);
    let shares = Shares::default();
    Some(ChanceNode { begin, end, sums, window, known, seen, window_closed: false, evaluation, shares })
}

/// Intersects `found` with the bounds of a successor, and updates the sums.
#[inline]
pub(crate) fn tighten_chance<S: Setup>(
    worker: &mut Worker<'_, S>,
    chance: &mut ChanceNode,
    index: usize,
    found: Bounds,
) {
    let ChanceSuccessor { weight, bounds: before, .. } = worker.successors[index];
    let after = transposition::meet(worker, found, before);
    worker.successors[index].bounds = after;
    chance.sums.update(weight, before, after);
}

/// The successor at this stack index as the phase asks for it: in the Shares phase, its bounds are the
/// null window. `None` if nothing is to be asked.
#[inline]
fn asked<S: Setup>(
    worker: &Worker<'_, S>,
    chance: &mut ChanceNode,
    phase: Phase,
    index: usize,
) -> Option<ChanceSuccessor<OutcomeOf<S>>> {
    let successor = worker.successors[index];
    if phase != Phase::Shares {
        return Some(successor);
    }
    let ChanceSuccessor { weight, bounds, .. } = successor;
    let asked = chance.shares.ask(&chance.sums, weight, bounds);
    if asked.is_none() {
        chance.shares.note(weight, bounds);
    }
    asked.map(|bounds| ChanceSuccessor { bounds, ..successor })
}

/// Takes what a phase found of the successor at this stack index.
#[inline]
fn take_found<S: Setup>(
    worker: &mut Worker<'_, S>,
    chance: &mut ChanceNode,
    phase: Phase,
    index: usize,
    found: Bounds,
) {
    tighten_chance(worker, chance, index, found);
    if phase == Phase::Shares {
        let ChanceSuccessor { weight, bounds, .. } = worker.successors[index];
        chance.shares.note(weight, bounds);
    }
}

/// The number of successors, from this stack index on, that are not known exactly.
fn open_from<S: Setup>(worker: &Worker<'_, S>, chance: &ChanceNode, from: usize) -> usize {
    worker.successors[from..chance.end].iter().filter(|successor| !successor.bounds.is_exact()).count()
}

/// Derives the node's window again, if something above the node has changed.
#[inline]
fn follow<S: Setup>(worker: &mut Worker<'_, S>, chance: &mut ChanceNode) {
    match descent::window_change(worker, &mut chance.seen) {
        Change::None => {}
        Change::Empty => chance.window_closed = true,
        Change::To(window) => {
            let window = window.narrowed_by(chance.known);
            if window.is_empty() {
                chance.window_closed = true;
            } else {
                chance.window = window;
                chance.sums.ask(window);
            }
        }
    }
}

/// Removes the successors from the stack and returns the node's bounds.
#[inline]
pub(super) fn close_chance<S: Setup>(worker: &mut Worker<'_, S>, chance: ChanceNode) -> Bounds {
    worker.successors.truncate(chance.begin);
    chance.sums.bounds()
}

/// Gives the successors in this range of the stack the bounds that follow from their rewards alone. Not above
/// leaves, where each successor becomes exact at once.
fn take_rewards<S: Setup>(
    worker: &mut Worker<'_, S>,
    node: NodeOf<'_, S>,
    range: Range<usize>,
    sums: &mut ChanceSums,
) {
    if descent::has_plain_leaves(worker, node) {
        return;
    }
    for index in range {
        let ChanceSuccessor { outcome, weight, bounds, .. } = worker.successors[index];
        let position = worker.game.resolve(node.position, outcome);
        let reward = descent::reward(worker, node, Step::Outcome(outcome), &position);
        let possible = descent::possible(worker, reward);
        sums.update(weight, bounds, possible);
        worker.successors[index].bounds = possible;
    }
}

/// Searches the successors in a phase until the node is cut, together with other workers where the parallel
/// method says so.
#[inline(never)] // inlined, it would be repeated in many callers
pub(super) fn search_phase<S: Setup>(
    worker: &mut Worker<'_, S>,
    node: NodeOf<'_, S>,
    chance: &mut ChanceNode,
    phase: Phase,
) {
    if descent::has_plain_leaves(worker, node) {
        return search_leaves(worker, node, chance, true);
    }
    if chance.is_settled() {
        return; // by what was known before the phase
    }
    if worker.may_be_shared(node) {
        let before = worker.visited();
        search_phase_shared(worker, node, chance, phase);
        let size = worker.visited().wrapping_sub(before);
        if worker.team_link.peers.is_some() {
            worker.team_link.policy.note_size(node.depth, phase, size);
        }
    } else {
        search_in_order(worker, node, chance, phase, chance.range());
    }
}

/// Searches the successors in turn until the node is cut, and shares the rest with other workers once so many
/// are idle as the policy says. In the Star1 phase, successors that another worker is searching come last.
///
/// Separate from `search_in_order`, which nine nodes in ten use and which is kept minimal.
fn search_phase_shared<S: Setup>(
    worker: &mut Worker<'_, S>,
    node: NodeOf<'_, S>,
    chance: &mut ChanceNode,
    phase: Phase,
) {
    let mut least_idle = worker.team_link.policy.idle_for_phase(node, phase);
    let mut left = chance.range();
    search_busy_last(
        worker,
        chance,
        |worker, _| next_open(worker, &mut left),
        |worker, &index| phase == Phase::Star1 && is_busy(worker, node, index),
        |worker, chance, index, was_put_off| {
            if asks_again(node.ply) {
                least_idle = worker.team_link.policy.idle_for_phase(node, phase);
            }
            if !was_put_off && worker.has_idle(least_idle) && open_from(worker, chance, index) >= 2 {
                share_rest(worker, node, chance, phase, index);
                return Then::PutOff;
            }
            if advance_shared(worker, node, chance, phase, index) { Then::Next } else { Then::End }
        },
    );
}

/// The next successor of those at these stack indices that is not known from the table or another phase.
fn next_open<S: Setup>(worker: &Worker<'_, S>, left: &mut Range<usize>) -> Option<usize> {
    left.find(|&index| !worker.successors[index].bounds.is_exact())
}

/// Searches the successors from this stack index on together with other workers.
fn share_rest<S: Setup>(
    worker: &mut Worker<'_, S>,
    node: NodeOf<'_, S>,
    chance: &mut ChanceNode,
    phase: Phase,
    from: usize,
) {
    match worker.team_link.policy.helpers() {
        Helping::Steal | Helping::RunJobs => S::Peers::split_phase(worker, node, chance, phase, from),
        Helping::SearchInOwnOrder => {
            let (rest, seed) = (from..chance.range().end, worker.stats.nodes.total());
            let order = worker.team_link.policy.own_order(rest, seed);
            search_in_order(worker, node, chance, phase, order.into_iter());
        }
        Helping::SearchBusyLast => search_beside_others(worker, node, chance, phase, from),
    }
}

/// Searches the successors from this stack index on beside workers that search the same, those that are busy
/// last.
fn search_beside_others<S: Setup>(
    worker: &mut Worker<'_, S>,
    node: NodeOf<'_, S>,
    chance: &mut ChanceNode,
    phase: Phase,
    from: usize,
) {
    let mut left = from..chance.range().end;
    search_busy_last(
        worker,
        chance,
        |worker, _| next_open(worker, &mut left).map(|index| (index, after_outcome(worker, node, index))),
        |worker, (_, (position, depth))| !S::Peers::mark(worker, position, *depth),
        |worker, chance, (index, (position, depth)), was_put_off| {
            search_in_order(worker, node, chance, phase, std::iter::once(index));
            if !was_put_off {
                S::Peers::unmark(worker, &position, depth);
            }
            if chance.sums.is_cut() || worker.is_halted() { Then::End } else { Then::Next }
        },
    );
}

/// The position of the successor at this stack index, and its depth.
fn after_outcome<S: Setup>(
    worker: &Worker<'_, S>,
    node: NodeOf<'_, S>,
    index: usize,
) -> (PositionOf<S>, Depth) {
    let outcome = worker.successors[index].outcome;
    let position = worker.game.resolve(node.position, outcome);
    let depth = descent::depth_after(worker, node, Step::Outcome(outcome), &position);
    (position, depth)
}

/// Whether another worker is searching the successor at this stack index.
fn is_busy<S: Setup>(worker: &mut Worker<'_, S>, node: NodeOf<'_, S>, index: usize) -> bool {
    if node.depth <= worker.team_link.policy.marking_depth() {
        return false;
    }
    let (position, depth) = after_outcome(worker, node, index);
    let kind = worker.game.kind(&position);
    kind != NodeKind::Terminal
        && worker.team_link.policy.marks(depth)
        && S::Peers::is_busy(worker, kind, &position, depth)
}

/// Searches the successor at this stack index, in the window that the split points above leave now. Returns
/// whether the phase goes on.
fn advance_shared<S: Setup>(
    worker: &mut Worker<'_, S>,
    node: NodeOf<'_, S>,
    chance: &mut ChanceNode,
    phase: Phase,
    index: usize,
) -> bool {
    if worker.team_link.policy.follows(node.depth) {
        follow(worker, chance);
    }
    if chance.is_settled() {
        return false;
    }
    let Some(successor) = asked(worker, chance, phase, index) else { return true };
    let found = search_below_link(worker, node, chance, phase, &successor);
    take_found(worker, chance, phase, index, found);
    !chance.sums.is_cut() && !worker.is_halted() && worker.goes_on_among_leaves()
}

/// Searches the successors at these stack indices until the node is cut, without regard to other workers.
#[inline]
fn search_in_order<S: Setup>(
    worker: &mut Worker<'_, S>,
    node: NodeOf<'_, S>,
    chance: &mut ChanceNode,
    phase: Phase,
    order: impl Iterator<Item = usize>,
) {
    for index in order {
        if worker.successors[index].bounds.is_exact() {
            continue;
        }
        if phase == Phase::Shares {
            ask_for_share(worker, node, chance, index);
        } else {
            let (successor, sums) = (worker.successors[index], chance.sums);
            let found = advance(worker, node, &successor, &sums, phase);
            tighten_chance(worker, chance, index, found);
        }
        if chance.sums.is_cut() || worker.is_halted() || !worker.goes_on_among_leaves() {
            return;
        }
    }
}

/// Asks the successor at this stack index for its share, if anything is to be asked.
#[inline(never)] // nine nodes in ten do not ask
fn ask_for_share<S: Setup>(
    worker: &mut Worker<'_, S>,
    node: NodeOf<'_, S>,
    chance: &mut ChanceNode,
    index: usize,
) {
    if let Some(asked) = asked(worker, chance, Phase::Shares, index) {
        let sums = chance.sums;
        let found = advance(worker, node, &asked, &sums, Phase::Shares);
        take_found(worker, chance, Phase::Shares, index, found);
    }
}

/// Searches a successor as the phase asks for it, below a link if the node records links.
#[inline]
fn search_below_link<S: Setup>(
    worker: &mut Worker<'_, S>,
    node: NodeOf<'_, S>,
    chance: &ChanceNode,
    phase: Phase,
    successor: &ChanceSuccessor<OutcomeOf<S>>,
) -> Bounds {
    let (sums, known) = (chance.sums, chance.known);
    descent::below_link(
        worker,
        worker.team_link.policy.follows(node.depth),
        |worker| {
            Link::chance(
                sums,
                known,
                successor,
                phase,
                descent::outcome_edge(worker, node, successor.outcome),
            )
        },
        |worker| advance(worker, node, successor, &sums, phase),
    )
}

/// Evaluates the successors of a node at depth 1: leaves, of which only the sums are kept. With `prunes` it
/// stops when the node is cut.
#[inline(never)] // inlined, it would be repeated in many callers
pub(super) fn search_leaves<S: Setup>(
    worker: &mut Worker<'_, S>,
    node: NodeOf<'_, S>,
    chance: &mut ChanceNode,
    prunes: bool,
) {
    let is_shared = collapse::ignores_outcome(worker, node.position);
    for index in chance.range() {
        let ChanceSuccessor { outcome, weight, bounds, .. } = worker.successors[index];
        let score = leaf_successor(worker, node, outcome, is_shared, &mut chance.evaluation);
        chance.sums.update(weight, bounds, Bounds::exactly(score));
        // Leaves with a common evaluation take no time. Others are not evaluated once the search is over.
        let is_over = !is_shared && !worker.goes_on();
        if is_over || prunes && chance.sums.is_cut() {
            return;
        }
    }
}

/// Searches one successor in this phase. It is no leaf, unless the game has plies of its own. The result may
/// be no better than the known bounds.
#[inline]
pub(crate) fn advance<S: Setup>(
    worker: &mut Worker<'_, S>,
    node: NodeOf<'_, S>,
    successor: &ChanceSuccessor<OutcomeOf<S>>,
    sums: &ChanceSums,
    phase: Phase,
) -> Bounds {
    match phase {
        Phase::Probing => star2::probe_successor(worker, node, successor, sums),
        Phase::Shares | Phase::Star1 => star1::search_outcome(worker, node, successor, sums, phase),
    }
}

/// The worth of an outcome that leads to a leaf, for the chance node's player. `evaluation` caches the
/// evaluation that the leaves share.
#[inline]
fn leaf_successor<S: Setup>(
    worker: &mut Worker<'_, S>,
    node: NodeOf<'_, S>,
    outcome: OutcomeOf<S>,
    is_shared: bool,
    evaluation: &mut Option<Score>,
) -> Score {
    let position = worker.game.resolve(node.position, outcome);
    let kind = worker.game.kind(&position);
    let reward = descent::reward(worker, node, Step::Outcome(outcome), &position);
    if is_shared && kind != NodeKind::Terminal {
        // For the same player the evaluation is that of the chance node. (`evaluation::evaluate` is not
        // called here: used in this closure as well, it would no longer be inlined anywhere.)
        worker.stats.nodes.leaf += 1;
        worker.processor.charge(Event::Node);
        let score = *evaluation.get_or_insert_with(|| {
            worker.stats.nodes.evaluations += 1;
            worker.processor.charge(Event::Evaluation);
            let Worker { evaluator, game, .. } = *worker;
            let score = worker.processor.evaluate(evaluator, game, node.position, node.state);
            evaluation::on_grid(worker, Given::Evaluation, score, |game| game.player(node.position))
        });
        return descent::worth_of_score(worker, reward, score, |game| game.player(node.position));
    }
    let score = with_successor(worker, node, outcome, &position, |worker, successor| {
        evaluation::leaf(worker, kind, successor)
    });
    let is_viewers = worker.game.player(&position) == worker.game.player(node.position);
    let score = if is_viewers { score } else { -score };
    descent::worth_of_score(worker, reward, score, |game| game.player(node.position))
}
