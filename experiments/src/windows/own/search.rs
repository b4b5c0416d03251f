//! The search itself: its nodes and edges, and what it shares with the files of either kind of node.

use super::table::{NodeKey, Proven, key};
use crate::windows::prover::{Counts, Proof, Prover};
use crate::windows::way::Inner;
use starsplit::evaluator::Evaluator;
use starsplit::game::{Game, NodeKind, Player, Step};
use starsplit::score::{Bounds, Score, Window};
use starsplit::search::StopFlag;
use std::ops::ControlFlow;

/// The least depth of a node that uses the table.
const TABLE_DEPTH: u8 = 2;

/// A look whether somebody asks to stop is taken once in so many nodes.
const STOP_EVERY: u64 = 1 << 10;

/// What is asked of an evaluator, whatever its type: the search is compiled once for each game.
pub(in crate::windows) trait Static<G: Game> {
    /// The evaluation as the position's player sees it, from nothing but the position.
    fn evaluate(&self, game: &G, position: &G::Position) -> Score;
    /// Whether the outcomes of this chance node do not matter to it.
    fn ignores_outcome(&self, game: &G, position: &G::Position) -> bool;
}

impl<G: Game, E: Evaluator<G>> Static<G> for E {
    fn evaluate(&self, game: &G, position: &G::Position) -> Score {
        Evaluator::evaluate(self, game, position, &self.state(game, position, None))
    }

    fn ignores_outcome(&self, game: &G, position: &G::Position) -> bool {
        E::ABILITIES.may_ignore_outcome && Evaluator::ignores_outcome(self, game, position)
    }
}

/// How many of a decision node's moves are searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Breadth {
    All,
    /// One: Star2's probe.
    First,
}

/// A way from a node to a successor, as the node's player sees it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edge {
    pub(super) mover: Player,
    pub(super) reward: Score,
}

/// The search of one root, with all that it has learnt.
pub(in crate::windows) struct OwnSearch<'a, G: Game> {
    pub(super) game: &'a G,
    evaluator: &'a dyn Static<G>,
    root: &'a G::Position,
    pub(super) inner: Inner,
    pub(super) limit: Score,
    pub(super) proven: Proven,
    /// By the player and the move's slot: how much moves have cut.
    pub(super) history: [Vec<u64>; 2],
    pub(super) counts: Counts,
    stop: &'a StopFlag,
    pub(super) is_halted: bool,
}

impl<'a, G: Game> OwnSearch<'a, G> {
    /// A search of this root that knows nothing yet.
    pub(super) fn new(
        (game, evaluator): (&'a G, &'a dyn Static<G>),
        root: &'a G::Position,
        inner: Inner,
        stop: &'a StopFlag,
    ) -> Self {
        let history = [vec![0; game.facts().move_slots], vec![0; game.facts().move_slots]];
        let (limit, proven, counts) = (game.facts().grid.limit(), Proven::default(), Counts::default());
        OwnSearch { game, evaluator, root, inner, limit, proven, history, counts, stop, is_halted: false }
    }

    /// Searches a node as far as the window asks, which lies on the grid. A halted search says what it knows.
    fn search(&mut self, position: &G::Position, depth: u8, window: Window, breadth: Breadth) -> Bounds {
        if self.has_to_halt() {
            return Bounds::unknown(self.limit);
        }
        self.counts.nodes += 1;
        let kind = self.game.kind(position);
        if kind == NodeKind::Terminal {
            return Bounds::exactly(self.game.terminal_score(position).clamp(-self.limit, self.limit));
        }
        if depth == 0 || depth == 1 && kind == NodeKind::Chance && self.collapses(position) {
            return Bounds::exactly(self.evaluate(position));
        }
        let node = key(self.game.hash_to_depth(position, depth), kind == NodeKind::Chance);
        let known = self.look_up(&node, depth);
        if window.is_settled_by(known) {
            return known;
        }
        let open = window.narrowed_by(known);
        let (found, hint) = match kind {
            NodeKind::Chance => (self.chance(position, (&node, depth), open), None),
            _ => self.decision(position, (&node, depth), open, breadth),
        };
        let bounds = self.meet(found, known);
        if depth >= TABLE_DEPTH && !self.is_halted {
            self.proven.keep(node, depth, bounds, hint);
        }
        bounds
    }

    /// Searches what an edge leads to, as far as `window` asks of the edge, of which `known` is known: what
    /// it is worth, as the player above sees it.
    pub(super) fn search_edge(
        &mut self,
        edge: Edge,
        (after, depth): (&G::Position, u8),
        (window, known): (Window, Bounds),
        breadth: Breadth,
    ) -> Bounds {
        if window.is_settled_by(known) {
            return known;
        }
        let Window { alpha, beta } = window.narrowed_by(known);
        let below = self.seen(edge, after, Window::new(alpha - edge.reward, beta - edge.reward));
        let found = self.search(after, depth, below, breadth);
        let found = self.worth(edge, after, found);
        self.meet(found, known)
    }

    /// The window below an edge as the player there sees it.
    fn seen(&self, edge: Edge, after: &G::Position, window: Window) -> Window {
        if self.game.player(after) == edge.mover { window } else { window.flipped() }
    }

    /// What an edge is worth that leads to a position of these bounds: the reward added, on the grid.
    pub(super) fn worth(&self, edge: Edge, after: &G::Position, found: Bounds) -> Bounds {
        let found = if self.game.player(after) == edge.mover { found } else { found.flipped() };
        let with = |score: Score| (score + edge.reward).clamp(-self.limit, self.limit);
        Bounds::new(with(found.lower), with(found.upper))
    }

    /// A reward as the node's player sees it. More than twice the grid's limit says no more than that.
    pub(super) fn on_edge(&self, reward: Score) -> Score {
        reward.clamp(-2 * self.limit, 2 * self.limit)
    }

    pub(super) fn evaluate(&mut self, position: &G::Position) -> Score {
        self.counts.evaluations += 1;
        self.evaluator.evaluate(self.game, position).clamp(-self.limit, self.limit)
    }

    /// What is proven of a node.
    pub(super) fn look_up(&mut self, node: &NodeKey, depth: u8) -> Bounds {
        if depth < TABLE_DEPTH {
            return Bounds::unknown(self.limit);
        }
        self.counts.look_ups += 1;
        self.proven.bounds(node, depth).unwrap_or(Bounds::unknown(self.limit))
    }

    /// Two proofs together. Where they contradict each other the answer is worth nothing, which is counted.
    pub(super) fn meet(&mut self, one: Bounds, other: Bounds) -> Bounds {
        one.meet(other).unwrap_or_else(|| {
            self.counts.contradictions += 1;
            one
        })
    }

    /// Whether a chance node right above the leaves is worth its own evaluation: its leaves share it, and
    /// none ends the game or is rewarded.
    fn collapses(&self, position: &G::Position) -> bool {
        if !self.evaluator.ignores_outcome(self.game, position) {
            return false;
        }
        let mut are_alike = true;
        self.game.visit_outcomes(position, |outcome, _, after| {
            are_alike &= self.game.kind(&after) != NodeKind::Terminal;
            are_alike &=
                !G::STEPS.outcome_rewards || self.game.reward(position, Step::Outcome(outcome), &after) == 0;
            if are_alike { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        are_alike
    }

    fn has_to_halt(&mut self) -> bool {
        if self.counts.nodes.is_multiple_of(STOP_EVERY) && self.stop.is_raised() {
            self.is_halted = true;
        }
        self.is_halted
    }
}

impl<G: Game> Prover for OwnSearch<'_, G> {
    fn prove(&mut self, depth: u32, window: Window) -> anyhow::Result<Proof> {
        let before = std::mem::take(&mut self.counts);
        let bounds = self.search(self.root, u8::try_from(depth)?, window, Breadth::All);
        let counts = self.counts;
        self.counts = before.plus(counts);
        Ok(Proof { bounds, counts, is_stopped: self.is_halted })
    }
}
