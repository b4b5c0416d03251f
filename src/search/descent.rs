//! From a node to its successor and back: remaining depth, reward, window, and the bounds returned.

use crate::evaluator::{Before, Evaluator};
use crate::game::{Game, Player, Step, StepOf};
use crate::processor::{Event, Processor};
use crate::score::{Bounds, Score, Window};
use crate::search::answer::{Given, SearchError};
use crate::search::live::{Change, Link};
use crate::search::node::Node;
use crate::search::plies::{self, Depth, longest_path};
use crate::search::reward::{Edge, Reward};
use crate::search::setup::{MoveOf, MoveSuccessorOf, NodeOf, OutcomeOf, Peers, PositionOf, Setup, StateOf};
use crate::search::worker::Worker;
use crate::search::{evaluation, transposition};

/// Searches a node. `window` and the returned bounds are for `viewer`.
#[inline(always)] // a call for every node costs 1 % of Expectimax's instructions
pub(crate) fn search_for<S: Setup>(
    worker: &mut Worker<'_, S>,
    viewer: Player,
    node: NodeOf<'_, S>,
    window: Window,
) -> Bounds {
    if worker.game.player(node.position) == viewer {
        S::search(worker, node, window)
    } else {
        S::search(worker, node, window.flipped()).flipped()
    }
}

/// The node after a move, from the move's successor.
#[inline]
pub(crate) fn below<'n, S: Setup>(
    worker: &Worker<'_, S>,
    node: NodeOf<'_, S>,
    mv: MoveOf<S>,
    successor: &'n MoveSuccessorOf<S>,
) -> NodeOf<'n, S> {
    Node {
        position: &successor.position,
        state: &successor.state,
        depth: depth_after(worker, node, Step::Move(mv), &successor.position),
        ply: node.ply + 1,
        evaluation: successor.evaluation,
        is_all_node: false,
        place: None,
    }
}

/// The depth of the node after a step.
#[inline]
pub(crate) fn depth_after<S: Setup>(
    worker: &Worker<'_, S>,
    node: NodeOf<'_, S>,
    step: StepOf<S::Game>,
    after: &PositionOf<S>,
) -> Depth {
    let depth = plies::depth_after(worker.game, node.depth, node.position, step, after);
    // To the end, a step of several plies does not lead past depth 1, where what is no end is found out.
    if <S::Game as Game>::STEPS.plies && worker.near_leaves.to_the_end { depth.max(1) } else { depth }
}

/// Whether a move takes no ply.
#[inline]
pub(super) fn takes_no_ply<S: Setup>(
    worker: &Worker<'_, S>,
    node: NodeOf<'_, S>,
    mv: MoveOf<S>,
    after: &PositionOf<S>,
) -> bool {
    <S::Game as Game>::STEPS.plies && depth_after(worker, node, Step::Move(mv), after) == node.depth
}

/// Whether all successors of a node are leaves, as its depth alone shows.
#[inline]
pub(super) fn is_above_leaves<S: Setup>(node: NodeOf<'_, S>) -> bool {
    !<S::Game as Game>::STEPS.plies && node.depth == 1
}

/// Whether they are searched without the steps that other nodes need. Where the tree is recorded they are
/// not, so that each is a node of it.
#[inline]
pub(super) fn has_plain_leaves<S: Setup>(worker: &Worker<'_, S>, node: NodeOf<'_, S>) -> bool {
    is_above_leaves::<S>(node) && !worker.records_all()
}

/// Whether a successor at this depth is a leaf, where its parent's depth does not show that.
#[inline]
pub(super) fn is_leaf_below<S: Setup>(depth: Depth) -> bool {
    <S::Game as Game>::STEPS.plies && depth == 0
}

/// Whether the path to an interior node has the greatest length. The search is then halted with an error.
#[inline]
pub(super) fn ends_path<S: Setup>(worker: &mut Worker<'_, S>, node: NodeOf<'_, S>) -> bool {
    let is_too_long = <S::Game as Game>::STEPS.plies
        && u32::from(node.ply) >= longest_path::<S::Game>(worker.near_leaves.to_the_end);
    if is_too_long {
        worker.control.fail(SearchError::PathLength);
        worker.set_halted(true);
    }
    is_too_long
}

/// How the current node's window has changed. `seen` is the version of the windows above from which the
/// node's was last derived. It starts as the parent's, `seen_version`.
pub(super) fn window_change<S: Setup>(worker: &mut Worker<'_, S>, seen: &mut u64) -> Change {
    worker.processor.charge(Event::Poll);
    let Some(peers) = &worker.team_link.peers else { return Change::None };
    let version = peers.window_version();
    if *seen == version {
        return Change::None;
    }
    *seen = version;
    worker.team_link.seen_version = version;
    let links = &worker.team_link.links[worker.team_link.first_link..];
    match peers.window_above() {
        None => Change::None,
        Some(above) => above
            .and_then(|above| links.iter().try_fold(above, |window, link| link.follow(window)))
            .map_or(Change::Empty, |window| {
                if let Some(recorder) = &mut worker.recorder {
                    recorder.narrow(worker.processor.now(), window);
                }
                Change::To(window)
            }),
    }
}

/// Calls `search` below a link, if the node records links.
#[inline]
pub(super) fn below_link<S: Setup, R>(
    worker: &mut Worker<'_, S>,
    notes_link: bool,
    link: impl FnOnce(&Worker<'_, S>) -> Link,
    search: impl FnOnce(&mut Worker<'_, S>) -> R,
) -> R {
    if !notes_link {
        return search(worker);
    }
    let link = link(worker);
    worker.team_link.links.push(link);
    let found = search(worker);
    worker.team_link.links.pop();
    found
}

/// The reward of a step to `after`.
#[inline]
pub(crate) fn reward<S: Setup>(
    worker: &mut Worker<'_, S>,
    node: NodeOf<'_, S>,
    step: StepOf<S::Game>,
    after: &PositionOf<S>,
) -> Reward {
    let (game, limit) = (worker.game, worker.limit);
    Reward::of_step(game, limit, node.position, (step, after), |reward| {
        evaluation::take_off_grid(worker, Given::Reward, reward, game.player(node.position))
    })
}

/// The evaluator's state after a step.
#[inline]
pub(super) fn state_after<S: Setup>(
    worker: &Worker<'_, S>,
    node: NodeOf<'_, S>,
    step: StepOf<S::Game>,
    after: &PositionOf<S>,
) -> StateOf<S> {
    let before = Before { position: node.position, state: node.state, step };
    worker.evaluator.state(worker.game, after, Some(before))
}

/// The edge of a step.
pub(crate) fn edge<S: Setup>(
    worker: &Worker<'_, S>,
    node: NodeOf<'_, S>,
    step: StepOf<S::Game>,
    after: &PositionOf<S>,
) -> Edge {
    Edge::of_step(worker.game, worker.limit, node.position, step, after)
}

/// The edge of an outcome.
pub(crate) fn outcome_edge<S: Setup>(
    worker: &Worker<'_, S>,
    node: NodeOf<'_, S>,
    outcome: OutcomeOf<S>,
) -> Edge {
    edge(worker, node, Step::Outcome(outcome), &worker.game.resolve(node.position, outcome))
}

/// The worth of an edge with this reward, from bounds of the value below. `viewer` is the player above;
/// both bounds are for it.
#[inline]
pub(super) fn worth<S: Setup>(
    worker: &mut Worker<'_, S>,
    reward: Reward,
    below: Bounds,
    viewer: Player,
) -> Bounds {
    if !<S::Game as Game>::STEPS.rewards {
        return below;
    }
    if below.is_exact() {
        return Bounds::exactly(worth_of_score(worker, reward, below.lower, |_| viewer));
    }
    reward.mapped(below, worker.limit)
}

/// The same for an outcome.
#[inline]
pub(super) fn worth_of_outcome<S: Setup>(
    worker: &mut Worker<'_, S>,
    reward: Reward,
    below: Bounds,
    viewer: Player,
) -> Bounds {
    if <S::Game as Game>::STEPS.outcome_rewards { worth(worker, reward, below, viewer) } else { below }
}

/// The same for an exact score.
#[inline]
pub(super) fn worth_of_score<S: Setup>(
    worker: &mut Worker<'_, S>,
    reward: Reward,
    below: Score,
    viewer: impl FnOnce(&S::Game) -> Player,
) -> Score {
    if !<S::Game as Game>::STEPS.rewards {
        return below;
    }
    evaluation::on_grid(worker, Given::Worth, reward.0 + below, viewer)
}

/// Bounds of an edge's worth, from bounds of the value below.
#[inline]
pub(super) fn possible_with<S: Setup>(worker: &Worker<'_, S>, reward: Reward, below: Bounds) -> Bounds {
    if <S::Game as Game>::STEPS.rewards { reward.mapped(below, worker.limit) } else { below }
}

/// Bounds of an edge's worth from its reward alone.
#[inline]
pub(crate) fn possible<S: Setup>(worker: &Worker<'_, S>, reward: Reward) -> Bounds {
    possible_with(worker, reward, Bounds::unknown(worker.limit))
}

/// The window below an edge from the edge's window, both for the player above. The window must not be
/// empty, and must lie within the bounds of the edge's worth.
#[inline]
pub(super) fn window_below<S: Setup>(worker: &Worker<'_, S>, reward: Reward, window: Window) -> Window {
    if !<S::Game as Game>::STEPS.rewards {
        return window;
    }
    let shifted = reward.shifted(window);
    debug_assert!(
        -worker.limit <= shifted.alpha && shifted.alpha < shifted.beta && shifted.beta <= worker.limit,
        "{shifted:?} from {window:?} by {reward:?}; has a move or an outcome more than one reward?"
    );
    shifted
}

/// Searches a move in `window` and returns its worth for the mover. `possible` bounds its worth in
/// advance. `search` gets the window below; that window and its result are also for the mover.
#[inline(always)] // a call costs 1.0 % of Expectimax's instructions
pub(crate) fn search_move<S: Setup>(
    worker: &mut Worker<'_, S>,
    (reward, mover): (Reward, Player),
    possible: Bounds,
    window: Window,
    search: impl FnOnce(&mut Worker<'_, S>, Window) -> Bounds,
) -> Bounds {
    if !<S::Game as Game>::STEPS.rewards && !S::Evaluator::ABILITIES.bounds {
        return search(worker, window);
    }
    if window.is_settled_by(possible) {
        return possible;
    }
    let below = window_below(worker, reward, window.narrowed_by(possible));
    let found = search(worker, below);
    let found = worth(worker, reward, found, mover);
    if S::Evaluator::ABILITIES.bounds { transposition::meet(worker, found, possible) } else { found }
}

/// Calls `act` with the node after an outcome. `position` is the node's.
#[inline]
pub(super) fn with_successor<S: Setup, R>(
    worker: &mut Worker<'_, S>,
    node: NodeOf<'_, S>,
    outcome: OutcomeOf<S>,
    position: &PositionOf<S>,
    act: impl FnOnce(&mut Worker<'_, S>, NodeOf<'_, S>) -> R,
) -> R {
    let (depth, ply) = (depth_after(worker, node, Step::Outcome(outcome), position), node.ply + 1);
    if S::Evaluator::ABILITIES.ignores_outcome {
        return act(worker, Node::new(position, node.state, depth, ply));
    }
    let state = state_after(worker, node, Step::Outcome(outcome), position);
    act(worker, Node::new(position, &state, depth, ply))
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use crate::evaluator::HashRandom;
    use crate::parallel::TeamSetup;
    use crate::processor::Thread;
    use crate::search::control::Control;
    use crate::search::request::{Limits, Options, StopFlag};
    use crate::search::worker::SearchContext;
    use crate::table::NoTable;
    use crate::tests::{Graph, Shape};

    /// Calls `act` with a worker that searches the game.
    fn with_worker<G: Game, R>(
        game: &G,
        act: impl FnOnce(&Worker<'_, TeamSetup<G, HashRandom, NoTable, Thread>>) -> R,
    ) -> R {
        let (options, control) = (
            Options::default(),
            Control::with_progress(&Limits::depth(9), &StopFlag::new(), Default::default()),
        );
        let evaluator = &HashRandom::new(1, 1);
        let search = SearchContext {
            game,
            evaluator,
            table: &NoTable,
            options: &options,
            control: &control,
            root_moves: &[],
            logs: None,
        };
        act(&Worker::new(search, Thread::new(control.started), None))
    }

    #[test]
    fn an_edge_takes_its_plies_and_no_more_than_are_left() {
        let shape = Shape { plies: 2..=3, ..Shape::default() };
        let (graph, plied) = (Graph::<false>(shape.clone()), Graph::<false, true>(shape));
        let position = &0;
        let node = |depth, ply| Node::new(position, &(), depth, ply);
        let after = graph.play(position, 0);
        let plies = plied.plies(position, Step::Move(0), &after);
        assert!((2..=3).contains(&plies));
        for depth in 1..=5 {
            let left =
                with_worker(&plied, |worker| depth_after(worker, node(depth, 1), Step::Move(0), &after));
            assert_eq!(left, depth.saturating_sub(plies.into()));
            let left =
                with_worker(&graph, |worker| depth_after(worker, node(depth, 1), Step::Move(0), &after));
            assert_eq!(left, depth - 1);
        }
    }
}
