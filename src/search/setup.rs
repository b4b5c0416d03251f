//! The types of a search under one name, so that a function has one type parameter instead of five; and the
//! traits through which a search uses other workers. `parallel` implements them.

use crate::evaluator::Evaluator;
use crate::game::{Game, NodeKind};
use crate::processor::{Evaluates, Processor};
use crate::score::{Bounds, Window};
use crate::search::answer::{Iteration, SearchResult};
use crate::search::chance_node::{ChanceNode, Phase};
use crate::search::moves::{MoveSuccessor, Moves, OpenMoves};
use crate::search::node::Node;
use crate::search::plies::Depth;
use crate::search::worker::Worker;
use crate::table::Table;
use std::time::Duration;

/// The types of a search: game, evaluator, table, processor and peers.
pub(crate) trait Setup: Recursion {
    /// The game.
    type Game: Game;
    /// The evaluator.
    type Evaluator: Evaluator<Self::Game>;
    /// The table.
    type Table: Table;
    /// The processor of a worker: a thread, a lane of one, or a virtual processor.
    type Processor: Processor + Evaluates<Self::Game, Self::Evaluator>;
    /// A worker's connection to the other workers.
    type Peers: Peers<Self>;

    /// Whether workers may evaluate in batches. Where false, the code for that is not compiled.
    const IN_BATCHES: bool = <Self::Processor as Evaluates<Self::Game, Self::Evaluator>>::IN_BATCHES;
    /// Whether they wait for their evaluations.
    const WAITS: bool = <Self::Processor as Evaluates<Self::Game, Self::Evaluator>>::WAITS;
}

/// The search of a node of any kind (`recursion.rs`). Decision nodes and chance nodes search each other
/// through this trait, so neither file imports the other's. (A probe calls `negamax::decision`; Expectimax
/// has both in one file.)
pub(crate) trait Recursion: Sized {
    /// Searches a node. The bounds settle `window`, unless the search is halted.
    fn search(worker: &mut Worker<'_, Self>, node: NodeOf<'_, Self>, window: Window) -> Bounds
    where
        Self: Setup;
}

/// The game's position.
pub(crate) type PositionOf<S> = <<S as Setup>::Game as Game>::Position;
/// The game's move.
pub(crate) type MoveOf<S> = <<S as Setup>::Game as Game>::Move;
/// The game's outcome of a chance event.
pub(crate) type OutcomeOf<S> = <<S as Setup>::Game as Game>::Outcome;
/// The evaluator's carried state.
pub(crate) type StateOf<S> = <<S as Setup>::Evaluator as Evaluator<<S as Setup>::Game>>::State;
/// The result of a search.
pub(crate) type ResultOf<S> = SearchResult<MoveOf<S>, OutcomeOf<S>>;
/// The result of an iteration.
pub(crate) type IterationOf<S> = Iteration<MoveOf<S>, OutcomeOf<S>>;
/// The callback after each iteration. Owned, so that a panic when its captures drop is caught; and of one
/// type, so that a search is compiled once whatever is called.
pub(crate) type WatchOf<'a, S> = Box<dyn FnMut(&IterationOf<S>) + 'a>;
/// A node of the search.
pub(crate) type NodeOf<'n, S> = Node<'n, PositionOf<S>, StateOf<S>>;
/// The position after a move, with what was computed for it.
pub(crate) type MoveSuccessorOf<S> = MoveSuccessor<PositionOf<S>, StateOf<S>>;
/// The worker's stacks of moves and the move heuristics.
pub(crate) type MovesOf<S> = Moves<MoveOf<S>, PositionOf<S>, StateOf<S>>;

/// Helpers that a search may call after it has begun alone.
pub(crate) trait Reserve<S: Setup> {
    /// Considers calling the helpers, `elapsed` after the search began. Called before each iteration, with
    /// its outlook, and now and then within it.
    fn consider(
        &mut self,
        processor: &S::Processor,
        elapsed: Duration,
        outlook: Option<Outlook>,
    ) -> HelperStatus<S::Peers>;
}

/// An iteration about to begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Outlook {
    /// To which depth.
    pub(crate) depth: Depth,
    /// Whether it is the last.
    pub(crate) is_last: bool,
    /// When it begins, after the start of the search.
    pub(crate) began: Duration,
    /// Its expected time and that of the next iteration, if a forecast is possible.
    pub(crate) expected: Option<[Duration; 2]>,
}

/// The decision whether to call helpers.
pub(crate) enum HelperStatus<C> {
    /// Nothing.
    None,
    /// The helpers were called. The peers connect the worker to them, so that they find work when they
    /// arrive.
    Joined(C),
    /// Nothing is left to do for them.
    Settled,
}

/// A worker's connection to the other workers of its search. What is shared with them, and when, is decided
/// elsewhere (`sharing_policy.rs`).
pub(crate) trait Peers<S: Setup> {
    /// The worker's index in its team, and the team's size.
    fn place(&self) -> (usize, usize);

    /// Whether the worker has a task of a split point.
    fn has_task(&self) -> bool;

    /// Whether the worker's task is cancelled: a node above it is cut.
    fn is_cut_above(&self) -> bool;

    /// The current window of the successor that is this worker's task, for the successor's player.
    /// `Some(None)` if it is empty, `None` if the worker has no task.
    fn window_above(&self) -> Option<Option<Window>>;

    /// A number that grows whenever that window may have changed; 0 without a task.
    fn window_version(&self) -> u64;

    /// The number of idle workers.
    fn idle(&self) -> usize;

    /// The nodes visited in the tasks of this worker's split points, less the nodes that it visited itself
    /// while they were open; wraps. Added to the worker's own count, it gives the nodes of its own searches,
    /// wherever they ran.
    fn helper_nodes(&self) -> u64;

    /// Splits a phase of a chance node into the successors from this stack index on, and returns when all of
    /// them are searched or the node is cut.
    fn split_phase(
        worker: &mut Worker<'_, S>,
        node: NodeOf<'_, S>,
        chance: &mut ChanceNode,
        phase: Phase,
        from: usize,
    );

    /// The same for the remaining moves of a decision node.
    fn split_moves(worker: &mut Worker<'_, S>, node: NodeOf<'_, S>, open: &mut OpenMoves);

    /// Whether another worker seems to be searching this node.
    fn is_busy(worker: &mut Worker<'_, S>, kind: NodeKind, position: &PositionOf<S>, depth: Depth) -> bool;

    /// Marks this node as being searched, until it is [unmarked](Peers::unmark). Returns `false` if another
    /// worker seems to be searching it.
    fn mark(worker: &mut Worker<'_, S>, position: &PositionOf<S>, depth: Depth) -> bool;

    /// Removes the mark.
    fn unmark(worker: &mut Worker<'_, S>, position: &PositionOf<S>, depth: Depth);

    /// Records the entry into a node. [`leave`](Peers::leave) gets what it returns.
    fn enter(worker: &mut Worker<'_, S>, kind: NodeKind, node: NodeOf<'_, S>) -> Option<u64>;

    /// Records the exit from a node.
    fn leave(worker: &mut Worker<'_, S>, kind: NodeKind, node: NodeOf<'_, S>, entered: Option<u64>);
}
