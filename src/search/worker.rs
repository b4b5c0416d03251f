//! One thread's part of a search: its stacks, its counts, what it has learnt about moves, and when it halts.

use crate::evaluator::Evaluator;
use crate::game::{Game, Kind, Player};
use crate::parallel::Seat;
use crate::score::{Bounds, Score, Window};
use crate::search::chance::Successor;
use crate::search::control::{Control, on_grid};
use crate::search::heuristics::Heuristics;
use crate::search::negamax::Breadth;
use crate::search::options::{Algorithm, MAX_DEPTH, MoveOrdering, Options};
use crate::search::ordering::MoveStack;
use crate::search::stats::Stats;
use crate::search::transposition::Keys;
use crate::search::{expectimax, negamax, star1, star2, star2_tt};
use crate::table::Table;

/// How many nodes a worker visits between two looks at the limits.
const NODES_BETWEEN_CHECKS: u64 = 1024;

/// A node as it is entered: the position with its evaluator state, the depth that remains and the ply from the root.
#[derive(Debug)]
pub(crate) struct Node<'n, P, S> {
    pub(crate) position: &'n P,
    pub(crate) state: &'n S,
    pub(crate) depth: u8,
    pub(crate) ply: u8,
    /// The position's evaluation as its player sees it, where one was already made for ordering.
    pub(crate) evaluation: Option<Score>,
}

impl<P, S> Clone for Node<'_, P, S> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<P, S> Copy for Node<'_, P, S> {}

/// The node type of a game searched with an evaluator.
pub(crate) type NodeOf<'n, G, E> = Node<'n, <G as Game>::Position, <E as Evaluator<G>>::State>;

/// One thread's part of a search.
pub(crate) struct Worker<'a, G: Game, E: Evaluator<G>, T> {
    pub(crate) game: &'a G,
    pub(crate) evaluator: &'a E,
    pub(crate) table: &'a T,
    pub(crate) options: &'a Options,
    pub(crate) control: &'a Control,
    pub(crate) limit: Score,
    pub(super) keys: Keys,
    pub(crate) stats: Stats,
    /// The successors of the chance nodes on the path, the root's first.
    pub(crate) successors: Vec<Successor<G::Outcome>>,
    /// The moves of the decision nodes on the path, the root's first.
    pub(super) moves: MoveStack<G, E>,
    pub(super) heuristics: Heuristics<G::Move>,
    /// At a decision root, the move that the present iteration prefers.
    pub(super) root_move: Option<G::Move>,
    /// Whether what is being searched has to end: the whole search, or the split point that this worker is under.
    pub(crate) halted: bool,
    /// The place in the team when several threads search.
    pub(crate) seat: Option<Seat<'a, G, E>>,
    reported_nodes: u64,
}

impl<'a, G: Game, E: Evaluator<G>, T: Table> Worker<'a, G, E, T> {
    pub(crate) fn new(
        game: &'a G,
        evaluator: &'a E,
        table: &'a T,
        options: &'a Options,
        control: &'a Control,
        seat: Option<Seat<'a, G, E>>,
    ) -> Self {
        Worker {
            game,
            evaluator,
            table,
            options,
            control,
            limit: game.grid().limit(),
            keys: Keys::new(game, evaluator, options),
            stats: Stats::default(),
            successors: Vec::with_capacity(1024),
            moves: MoveStack::new(),
            heuristics: Heuristics::new(MAX_DEPTH as usize + 1, game.move_slots()),
            root_move: None,
            halted: false,
            seat,
            reported_nodes: 0,
        }
    }

    /// Searches a node: proven bounds that settle `window`, unless the search is halted.
    pub(crate) fn search(&mut self, node: NodeOf<'_, G, E>, window: Window) -> Bounds {
        let kind = self.game.kind(node.position);
        if kind == Kind::Terminal || node.depth == 0 {
            return Bounds::exactly(self.leaf(kind, node));
        }
        match (self.options.algorithm, kind) {
            (Algorithm::Expectimax, Kind::Decision) => expectimax::decision(self, node),
            (_, Kind::Decision) => negamax::decision(self, node, window, Breadth::All),
            (Algorithm::Expectimax, _) => expectimax::chance(self, node),
            (Algorithm::Star1, _) => star1::chance(self, node, window),
            (Algorithm::Star2, _) => star2::chance(self, node, window),
            (Algorithm::Star2Tt, _) => star2_tt::chance(self, node, window),
        }
    }

    /// Searches a node and tells what was found as `viewer` sees it; `window` is `viewer`'s too.
    #[inline]
    pub(crate) fn search_for(&mut self, viewer: Player, node: NodeOf<'_, G, E>, window: Window) -> Bounds {
        if self.game.player(node.position) == viewer {
            self.search(node, window)
        } else {
            self.search(node, window.flipped()).flipped()
        }
    }

    /// Counts a leaf and gives its score as its player sees it.
    #[inline]
    pub(super) fn leaf(&mut self, kind: Kind, node: NodeOf<'_, G, E>) -> Score {
        self.stats.nodes.leaf += 1;
        if kind == Kind::Terminal {
            return self.terminal_score(node.position);
        }
        node.evaluation.unwrap_or_else(|| self.evaluate(node.position, node.state))
    }

    /// A terminal's score as its player sees it.
    #[inline]
    pub(super) fn terminal_score(&self, position: &G::Position) -> Score {
        on_grid(self.game.terminal_score(position), self.limit)
    }

    /// A static evaluation, counted.
    #[inline]
    pub(super) fn evaluate(&mut self, position: &G::Position, state: &E::State) -> Score {
        self.stats.nodes.evaluations += 1;
        on_grid(self.evaluator.evaluate(self.game, position, state), self.limit)
    }

    /// Called at every interior node: learns whether the search has to end here, and sets `halted` if so.
    #[inline]
    pub(super) fn poll(&mut self) {
        if self.stats.nodes.total() - self.reported_nodes >= NODES_BETWEEN_CHECKS {
            self.report_nodes();
        }
        if let Some(seat) = &self.seat {
            self.halted |= seat.is_cut_above() || self.control.is_halted();
        }
    }

    /// Reports the nodes since the last report and looks at every limit.
    #[cold]
    pub(crate) fn report_nodes(&mut self) {
        let total = self.stats.nodes.total();
        let new = total - self.reported_nodes;
        self.reported_nodes = total;
        self.halted |= self.control.check(new);
    }

    /// Whether the ordering at this depth is by static evaluation.
    #[inline]
    pub(super) fn orders_statically(&self, depth: u8) -> bool {
        match self.options.ordering {
            MoveOrdering::Paper => false,
            MoveOrdering::Static => true,
            MoveOrdering::Hybrid => depth >= 4,
        }
    }
}
