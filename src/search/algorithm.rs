//! What each search algorithm does, and the way from a node to the algorithm that searches it.
//!
//! An algorithm is a type here that implements [`SearchAlgorithm`], with a file for what is its own, and its
//! entry in `request/algorithm.rs`.

use crate::game::{Game, Kind};
use crate::score::{Bounds, Window};
use crate::search::chance::{probe_and_search, run_phase};
use crate::search::chance_node::{ChanceNode, Phase};
use crate::search::moves::Breadth;
use crate::search::request::Algorithm;
use crate::search::setup::{NodeOf, Peers, Setup};
use crate::search::worker::Worker;
use crate::search::{collapse, expectimax, negamax, star2_tt};

/// A search algorithm: what it does at decision nodes and with the successors of chance nodes. What all do
/// alike at the head and the end of a chance node is [`chance_node`].
///
/// Nothing has a default, so that no algorithm inherits what it was not meant to.
trait SearchAlgorithm {
    /// See [`Algorithm::prunes`].
    const PRUNES: bool;

    /// Searches a decision node.
    fn decision<S: Setup>(worker: &mut Worker<'_, S>, node: NodeOf<'_, S>, window: Window) -> Bounds;

    /// Searches the successors of a chance node that the table has not settled, in whatever phases the
    /// algorithm has, until the node is cut or the search is halted. What was found is in `chance`.
    fn successors<S: Setup>(worker: &mut Worker<'_, S>, node: NodeOf<'_, S>, chance: &mut ChanceNode);
}

/// Full width at decision nodes and at chance nodes.
struct Expectimax;

impl SearchAlgorithm for Expectimax {
    const PRUNES: bool = Algorithm::Expectimax.prunes();

    #[inline(always)]
    fn decision<S: Setup>(worker: &mut Worker<'_, S>, node: NodeOf<'_, S>, _: Window) -> Bounds {
        expectimax::decision(worker, node)
    }

    #[inline(always)]
    fn successors<S: Setup>(worker: &mut Worker<'_, S>, node: NodeOf<'_, S>, chance: &mut ChanceNode) {
        expectimax::successors(worker, node, chance);
    }
}

/// Alpha-beta at decision nodes, one phase at chance nodes.
struct Star1;

impl SearchAlgorithm for Star1 {
    const PRUNES: bool = Algorithm::Star1.prunes();

    #[inline]
    fn decision<S: Setup>(worker: &mut Worker<'_, S>, node: NodeOf<'_, S>, window: Window) -> Bounds {
        negamax::decision(worker, node, window, Breadth::All)
    }

    #[inline(always)]
    fn successors<S: Setup>(worker: &mut Worker<'_, S>, node: NodeOf<'_, S>, chance: &mut ChanceNode) {
        run_phase(worker, node, chance, Phase::Star1);
    }
}

/// Alpha-beta at decision nodes, two phases at chance nodes.
struct Star2;

impl SearchAlgorithm for Star2 {
    const PRUNES: bool = Algorithm::Star2.prunes();

    #[inline]
    fn decision<S: Setup>(worker: &mut Worker<'_, S>, node: NodeOf<'_, S>, window: Window) -> Bounds {
        negamax::decision(worker, node, window, Breadth::All)
    }

    #[inline(always)]
    fn successors<S: Setup>(worker: &mut Worker<'_, S>, node: NodeOf<'_, S>, chance: &mut ChanceNode) {
        probe_and_search(worker, node, chance);
    }
}

/// Alpha-beta at decision nodes, successor probing and two phases at chance nodes, and the table at both.
struct Star2Tt;

impl SearchAlgorithm for Star2Tt {
    const PRUNES: bool = Algorithm::Star2Tt.prunes();

    #[inline]
    fn decision<S: Setup>(worker: &mut Worker<'_, S>, node: NodeOf<'_, S>, window: Window) -> Bounds {
        negamax::decision(worker, node, window, Breadth::All)
    }

    #[inline(always)]
    fn successors<S: Setup>(worker: &mut Worker<'_, S>, node: NodeOf<'_, S>, chance: &mut ChanceNode) {
        star2_tt::successors(worker, node, chance);
    }
}

/// Searches a node: proven bounds that settle `window`, unless the search is halted.
#[inline]
pub(crate) fn search<S: Setup>(worker: &mut Worker<'_, S>, node: NodeOf<'_, S>, window: Window) -> Bounds {
    let kind = worker.game.kind(node.position);
    if kind == Kind::Terminal || node.depth == 0 {
        return Bounds::exactly(worker.leaf(kind, node));
    }
    if node.depth == worker.near_leaves.collapsing_depth
        && kind == Kind::Chance
        && let Some(score) = collapse::chance_apart(worker, node)
    {
        return Bounds::exactly(score);
    }
    search_open(worker, kind, node, window)
}

/// The same for an interior node that does not collapse.
#[inline(never)] // its callers see to leaves, which are most nodes
fn search_open<S: Setup>(
    worker: &mut Worker<'_, S>,
    kind: Kind,
    node: NodeOf<'_, S>,
    window: Window,
) -> Bounds {
    if worker.ends_path(node) {
        return Bounds::unknown(worker.limit);
    }
    let is_watched = node.depth >= worker.ties.watched_depth;
    let noted = if is_watched { S::Peers::enter(worker, kind, node) } else { None };
    let found = search_interior(worker, kind, node, window);
    if is_watched {
        S::Peers::leave(worker, kind, node, noted);
    }
    found
}

/// Searches an interior node by the algorithm of the search.
#[inline(always)] // there is one caller
fn search_interior<S: Setup>(
    worker: &mut Worker<'_, S>,
    kind: Kind,
    node: NodeOf<'_, S>,
    window: Window,
) -> Bounds {
    match worker.options.algorithm {
        Algorithm::Expectimax => search_as::<Expectimax, S>(worker, kind, node, window),
        Algorithm::Star1 => search_as::<Star1, S>(worker, kind, node, window),
        Algorithm::Star2 => search_as::<Star2, S>(worker, kind, node, window),
        Algorithm::Star2Tt => search_as::<Star2Tt, S>(worker, kind, node, window),
    }
}

/// Searches an interior node by this algorithm.
#[inline(always)]
fn search_as<A: SearchAlgorithm, S: Setup>(
    worker: &mut Worker<'_, S>,
    kind: Kind,
    node: NodeOf<'_, S>,
    window: Window,
) -> Bounds {
    match kind {
        Kind::Decision => A::decision(worker, node, window),
        Kind::Chance | Kind::Terminal => chance_node::<A, S>(worker, node, window),
    }
}

/// Searches a chance node by an algorithm: all that is the same for every one of them. (For the paper's
/// Star2-TT, the look-up and what it settles are the transposition cutoffs of Figure 4.1.)
#[inline(always)] // there is one caller
fn chance_node<A: SearchAlgorithm, S: Setup>(
    worker: &mut Worker<'_, S>,
    node: NodeOf<'_, S>,
    window: Window,
) -> Bounds {
    worker.stats.nodes.chance += 1;
    worker.poll(node.depth);
    let window = if A::PRUNES { window } else { Window::beyond(worker.limit) };
    let known = worker.look_up_node(node.position, Kind::Chance, node.depth);
    if window.is_settled_by(known.bounds) {
        worker.stats.table.chance_cutoffs += 1;
        return worker.settle(&known);
    }
    let open = if A::PRUNES { window.narrowed_by(known.bounds) } else { window };
    let Some(mut chance) = ChanceNode::open(worker, node, open, known.bounds) else { return known.bounds };
    A::successors(worker, node, &mut chance);
    let proven = chance.close(worker);
    worker.conclude(&known, proven, node.depth, None)
}
