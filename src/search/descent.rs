//! From a node to its successor: the depth that is left, the reward on the way, the window below, and what
//! comes back.

use crate::evaluator::{Before, Evaluator};
use crate::game::{Game, Player, Step, StepOf};
use crate::processor::{Event, Processor};
use crate::score::{Bounds, Score, Window};
use crate::search::answer::{Given, SearchError};
use crate::search::live::{Change, Link};
use crate::search::node::Node;
use crate::search::plies::depth_after;
use crate::search::request::MAX_PATH_LENGTH;
use crate::search::reward::{Edge, Reward};
use crate::search::setup::{MoveOf, NodeOf, OutcomeOf, Peers, PositionOf, Setup, StateOf, SuccessorOf};
use crate::search::worker::Worker;

/// The way down.
impl<S: Setup> Worker<'_, S> {
    /// Searches a node and tells what was found as `viewer` sees it; `window` is `viewer`'s too.
    #[inline(always)] // a call of its own for every node takes a hundredth of Expectimax's instructions
    pub(crate) fn search_for(&mut self, viewer: Player, node: NodeOf<'_, S>, window: Window) -> Bounds {
        if self.game.player(node.position) == viewer {
            S::search(self, node, window)
        } else {
            S::search(self, node, window.flipped()).flipped()
        }
    }

    /// The node that a move leads to, whose successor this is.
    #[inline]
    pub(crate) fn below<'n>(
        &self,
        node: NodeOf<'_, S>,
        mv: MoveOf<S>,
        successor: &'n SuccessorOf<S>,
    ) -> NodeOf<'n, S> {
        Node {
            position: &successor.position,
            state: &successor.state,
            depth: self.depth_after_move(node, mv, &successor.position),
            ply: node.ply + 1,
            evaluation: successor.evaluation,
            is_all_node: false,
        }
    }

    /// The depth of the node that a move leads to.
    #[inline(always)]
    pub(crate) fn depth_after_move(&self, node: NodeOf<'_, S>, mv: MoveOf<S>, after: &PositionOf<S>) -> u8 {
        depth_after(self.game, node.depth, node.position, Step::Move(mv), after)
    }

    /// The depth of the node that an outcome leads to.
    #[inline(always)]
    pub(crate) fn depth_after_outcome(
        &self,
        node: NodeOf<'_, S>,
        outcome: OutcomeOf<S>,
        after: &PositionOf<S>,
    ) -> u8 {
        depth_after(self.game, node.depth, node.position, Step::Outcome(outcome), after)
    }

    /// Whether a move takes no ply.
    #[inline(always)]
    pub(super) fn takes_no_ply(&self, node: NodeOf<'_, S>, mv: MoveOf<S>, after: &PositionOf<S>) -> bool {
        <S::Game as Game>::STEPS.plies && self.depth_after_move(node, mv, after) == node.depth
    }

    /// Whether the successors of a node are leaves whatever leads to them.
    #[inline(always)]
    pub(super) fn is_above_leaves(&self, node: NodeOf<'_, S>) -> bool {
        !<S::Game as Game>::STEPS.plies && node.depth == 1
    }

    /// Whether a successor at this depth is a leaf that has to be told apart from others: in games in which
    /// that does not follow from the depth above it.
    #[inline(always)]
    pub(super) fn is_leaf_below(&self, depth: u8) -> bool {
        <S::Game as Game>::STEPS.plies && depth == 0
    }

    /// Whether a loop goes on that may evaluate though it is not for leaves alone.
    #[inline(always)]
    pub(crate) fn goes_on_among_leaves(&mut self) -> bool {
        !<S::Game as Game>::STEPS.plies || self.goes_on()
    }

    /// Whether the path to an interior node is so long that it may not go on, in which case the search is
    /// halted with an error.
    #[inline(always)]
    pub(super) fn ends_path(&mut self, node: NodeOf<'_, S>) -> bool {
        let is_too_long = <S::Game as Game>::STEPS.plies && u32::from(node.ply) >= MAX_PATH_LENGTH;
        if is_too_long {
            self.control.fail(SearchError::PathLength);
            self.set_halted(true);
        }
        is_too_long
    }

    /// What became of the window of the node that is being searched. `seen` is the version of the windows
    /// above from which the node's own was derived last: at first what the node above had seen,
    /// [`seen_version`].
    pub(super) fn window_change(&mut self, seen: &mut u64) -> Change {
        self.processor.charge(Event::Poll);
        let Some(peers) = &self.ties.peers else { return Change::None };
        let version = peers.window_version();
        if *seen == version {
            return Change::None;
        }
        *seen = version;
        self.ties.seen_version = version;
        let links = &self.ties.links[self.ties.first_link..];
        match peers.window_above() {
            None => Change::None,
            Some(above) => above
                .and_then(|above| links.iter().try_fold(above, |window, link| link.follow(window)))
                .map_or(Change::Empty, Change::To),
        }
    }

    /// Calls `search` below a link, if the node is one that notes its links.
    #[inline]
    pub(super) fn below_link<R>(
        &mut self,
        notes_link: bool,
        link: impl FnOnce(&Self) -> Link,
        search: impl FnOnce(&mut Self) -> R,
    ) -> R {
        if !notes_link {
            return search(self);
        }
        let link = link(self);
        self.ties.links.push(link);
        let found = search(self);
        self.ties.links.pop();
        found
    }

    /// The reward of a move that leads to `after`.
    #[inline(always)]
    pub(crate) fn move_reward(
        &mut self,
        node: NodeOf<'_, S>,
        mv: MoveOf<S>,
        after: &PositionOf<S>,
    ) -> Reward {
        let (game, limit) = (self.game, self.limit);
        Reward::of_step(game, limit, node.position, (Step::Move(mv), after), |reward| {
            self.take_off_grid(Given::Reward, reward, game.player(node.position))
        })
    }

    /// The reward of an outcome that leads to `after`.
    #[inline(always)]
    pub(super) fn outcome_reward(
        &mut self,
        node: NodeOf<'_, S>,
        outcome: OutcomeOf<S>,
        after: &PositionOf<S>,
    ) -> Reward {
        let (game, limit) = (self.game, self.limit);
        Reward::of_step(game, limit, node.position, (Step::Outcome(outcome), after), |reward| {
            self.take_off_grid(Given::Reward, reward, game.player(node.position))
        })
    }

    /// The evaluator's state of the position that a step leads to.
    #[inline(always)]
    pub(super) fn state_after(
        &self,
        node: NodeOf<'_, S>,
        step: StepOf<S::Game>,
        after: &PositionOf<S>,
    ) -> StateOf<S> {
        let before = Before { position: node.position, state: node.state, step };
        self.evaluator.state(self.game, after, Some(before))
    }

    /// The edge that a move is.
    pub(crate) fn move_edge(&self, node: NodeOf<'_, S>, mv: MoveOf<S>, after: &PositionOf<S>) -> Edge {
        Edge::of_step(self.game, self.limit, node.position, Step::Move(mv), after)
    }

    /// The edge that an outcome is.
    pub(crate) fn outcome_edge(&self, node: NodeOf<'_, S>, outcome: OutcomeOf<S>) -> Edge {
        let after = self.game.resolve(node.position, outcome);
        Edge::of_step(self.game, self.limit, node.position, Step::Outcome(outcome), &after)
    }

    /// What an edge is worth that leads to this much, as the player of the node above it, `viewer`, sees
    /// both.
    #[inline(always)]
    pub(super) fn worth(&mut self, reward: Reward, below: Bounds, viewer: Player) -> Bounds {
        if !<S::Game as Game>::STEPS.rewards {
            return below;
        }
        if below.is_exact() {
            return Bounds::exactly(self.worth_of_score(reward, below.lower, |_| viewer));
        }
        reward.mapped(below, self.limit)
    }

    /// The same where the edge is an outcome.
    #[inline(always)]
    pub(super) fn worth_of_outcome(&mut self, reward: Reward, below: Bounds, viewer: Player) -> Bounds {
        if <S::Game as Game>::STEPS.outcome_rewards { self.worth(reward, below, viewer) } else { below }
    }

    /// The same of a score, which is known.
    #[inline(always)]
    pub(super) fn worth_of_score(
        &mut self,
        reward: Reward,
        below: Score,
        viewer: impl FnOnce(&S::Game) -> Player,
    ) -> Score {
        if !<S::Game as Game>::STEPS.rewards {
            return below;
        }
        self.take(Given::Worth, reward.0 + below, viewer)
    }

    /// What an edge can be worth that leads to what can be worth so much.
    #[inline(always)]
    pub(super) fn possible_with(&self, reward: Reward, below: Bounds) -> Bounds {
        if <S::Game as Game>::STEPS.rewards { reward.mapped(below, self.limit) } else { below }
    }

    /// What an edge can be worth, whatever it leads to.
    #[inline(always)]
    pub(crate) fn possible(&self, reward: Reward) -> Bounds {
        self.possible_with(reward, Bounds::unknown(self.limit))
    }

    /// The window of what an edge leads to, where the edge is asked for `window`; both seen by the player of
    /// the node above it. The window lies within what is known of the edge, and is not empty.
    #[inline(always)]
    pub(super) fn window_below(&self, reward: Reward, window: Window) -> Window {
        if !<S::Game as Game>::STEPS.rewards {
            return window;
        }
        let shifted = reward.shifted(window);
        debug_assert!(
            -self.limit <= shifted.alpha && shifted.alpha < shifted.beta && shifted.beta <= self.limit,
            "{shifted:?} from {window:?} by {reward:?}; has a move or an outcome more than one reward?"
        );
        shifted
    }

    /// Searches what a move leads to, as far as `window` asks: what the move, which has this reward, is
    /// worth to the mover, which is known to be no more than `possible` says. `search` is given the window
    /// of what it leads to; it and what it finds are as the mover sees them, too.
    #[inline(always)]
    pub(crate) fn search_move(
        &mut self,
        (reward, mover): (Reward, Player),
        possible: Bounds,
        window: Window,
        search: impl FnOnce(&mut Self, Window) -> Bounds,
    ) -> Bounds {
        if !<S::Game as Game>::STEPS.rewards && !S::Evaluator::ABILITIES.bounds {
            return search(self, window);
        }
        if window.is_settled_by(possible) {
            return possible;
        }
        let below = self.window_below(reward, window.narrowed_by(possible));
        let found = search(self, below);
        let found = self.worth(reward, found, mover);
        if S::Evaluator::ABILITIES.bounds { self.meet(found, possible) } else { found }
    }
}

/// Calls `act` with the node after an outcome, whose position is `position`.
#[inline]
pub(super) fn with_successor<S: Setup, R>(
    worker: &mut Worker<'_, S>,
    node: NodeOf<'_, S>,
    outcome: OutcomeOf<S>,
    position: &PositionOf<S>,
    act: impl FnOnce(&mut Worker<'_, S>, NodeOf<'_, S>) -> R,
) -> R {
    let (depth, ply) = (worker.depth_after_outcome(node, outcome, position), node.ply + 1);
    if S::Evaluator::ABILITIES.ignores_outcome {
        return act(worker, Node::new(position, node.state, depth, ply));
    }
    let state = worker.state_after(node, Step::Outcome(outcome), position);
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
        let (options, control) = (Options::default(), Control::new(&Limits::depth(9), &StopFlag::new()));
        let evaluator = &HashRandom::new(1, 1);
        let search = SearchContext { game, evaluator, table: &NoTable, options: &options, control: &control };
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
            let left = with_worker(&plied, |worker| worker.depth_after_move(node(depth, 1), 0, &after));
            assert_eq!(left, depth.saturating_sub(plies));
            let left = with_worker(&graph, |worker| worker.depth_after_move(node(depth, 1), 0, &after));
            assert_eq!(left, depth - 1);
        }
    }
}
