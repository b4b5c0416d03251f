//! The types that make up one search, under one name, so that a function names one parameter and not five;
//! and what a search asks of the workers beside it. The search knows no more of them; `parallel` implements
//! it.

use crate::evaluator::Evaluator;
use crate::game::{Game, Kind};
use crate::processor::{Evaluates, Processor};
use crate::score::{Bounds, Window};
use crate::search::answer::{Iteration, SearchResult};
use crate::search::chance_node::{ChanceNode, Phase};
use crate::search::moves::{MoveSuccessor, Moves, OpenMoves};
use crate::search::node::Node;
use crate::search::ties::SharingDepths;
use crate::search::tuning::Granularity;
use crate::search::worker::Worker;
use crate::table::Table;
use std::time::Duration;

/// A game, an evaluator, a table, what the workers run on, and how they work together.
pub(crate) trait Setup: Sized {
    /// The game.
    type Game: Game;
    /// The evaluator.
    type Evaluator: Evaluator<Self::Game>;
    /// The table.
    type Table: Table;
    /// What each worker runs on: a thread, a lane of one, or a virtual processor.
    type Processor: Processor + Evaluates<Self::Game, Self::Evaluator>;
    /// A worker's tie to the others, where there are others.
    type Peers: Peers<Self>;

    /// Searches a node: proven bounds that settle `window`, unless the search is halted. The one way from a
    /// node to its successors: whatever searches successors calls it, and imports no search.
    fn search(worker: &mut Worker<'_, Self>, node: NodeOf<'_, Self>, window: Window) -> Bounds;
}

/// The game's position.
pub(crate) type PositionOf<S> = <<S as Setup>::Game as Game>::Position;
/// The game's move.
pub(crate) type MoveOf<S> = <<S as Setup>::Game as Game>::Move;
/// The game's outcome of a chance event.
pub(crate) type OutcomeOf<S> = <<S as Setup>::Game as Game>::Outcome;
/// What the evaluator carries along.
pub(crate) type StateOf<S> = <<S as Setup>::Evaluator as Evaluator<<S as Setup>::Game>>::State;
/// What a search answers.
pub(crate) type ResultOf<S> = SearchResult<MoveOf<S>, OutcomeOf<S>>;
/// What an iteration found.
pub(crate) type IterationOf<S> = Iteration<MoveOf<S>, OutcomeOf<S>>;
/// A node of the search.
pub(crate) type NodeOf<'n, S> = Node<'n, PositionOf<S>, StateOf<S>>;
/// The position after a move, with all that was computed of it.
pub(crate) type SuccessorOf<S> = MoveSuccessor<PositionOf<S>, StateOf<S>>;
/// What a worker knows of moves.
pub(crate) type MovesOf<S> = Moves<MoveOf<S>, PositionOf<S>, StateOf<S>>;

/// More than there can be.
pub(crate) const NEVER: usize = usize::MAX;

/// Workers that may yet come to a search which one has begun alone.
pub(crate) trait Reserve<S: Setup> {
    /// Asked before an iteration, with what is known of it, and now and then within it; so long after the
    /// search began.
    fn look(&mut self, elapsed: Duration, outlook: Option<Outlook>) -> News<S::Peers>;
}

/// An iteration that begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Outlook {
    /// To which depth.
    pub(crate) depth: u8,
    /// Whether it is the last.
    pub(crate) is_last: bool,
    /// When, after the search did.
    pub(crate) began: Duration,
    /// How long it is expected to take, and the one after it, where that can be told.
    pub(crate) expected: Option<[Duration; 2]>,
}

/// What is new with them.
pub(crate) enum News<C> {
    /// Nothing.
    None,
    /// They are called: this ties the worker to them, so that they find what it searches when they come.
    Called(C),
    /// All is done for them that had to be.
    Settled,
}

/// A worker's tie to the other workers of its search.
pub(crate) trait Peers<S: Setup> {
    /// Whether what this worker searches has to end because it does not matter any more to those above it.
    fn is_cut_above(&self) -> bool;

    /// The window, as it is now, of the successor that this worker took from a split point, seen by the
    /// successor's player: `Some(None)` when it is empty, `None` when this worker works under no split point.
    fn window_above(&self) -> Option<Option<Window>>;

    /// A number that grows whenever that window may have changed; 0 under no split point.
    fn window_version(&self) -> u64;

    /// What this worker splits.
    fn granularity(&self) -> Granularity;

    /// From now on it splits so.
    fn set_granularity(&mut self, granularity: Granularity);

    /// From which depths on the others matter to this worker.
    fn depths(&self) -> SharingDepths;

    /// Whether somebody searches this node at the moment, as far as can be told.
    fn is_busy(worker: &mut Worker<'_, S>, kind: Kind, position: &PositionOf<S>, depth: u8) -> bool;

    /// How many workers are without work.
    fn idle(&self) -> usize;

    /// How many have to be for the rest of a phase of this chance node to be for
    /// [`share_phase`](Peers::share_phase); [`NEVER`] when it is not, however many are.
    fn idle_for_phase(&self, node: NodeOf<'_, S>, phase: Phase) -> usize;

    /// What others visited for this worker at the split points that it has made, less what it visited itself
    /// while they were open; wraps. With what it has counted that makes what its own searches took.
    fn visited_elsewhere(&self) -> u64;

    /// Records how many nodes a phase of a chance node at this depth took.
    fn note_size(&mut self, depth: u8, phase: Phase, nodes: u64);

    /// Goes through the successors of a phase from `from` on, in whatever way the method of parallel search
    /// has.
    fn share_phase(
        worker: &mut Worker<'_, S>,
        node: NodeOf<'_, S>,
        chance: &mut ChanceNode,
        phase: Phase,
        from: usize,
    );

    /// How many have to be for the moves of this decision node that are left after the first to be for
    /// [`share_moves`](Peers::share_moves); [`NEVER`] when they are not.
    fn idle_for_moves(&self, node: NodeOf<'_, S>) -> usize;

    /// Tries the moves that are left, in whatever way the method of parallel search has.
    fn share_moves(worker: &mut Worker<'_, S>, node: NodeOf<'_, S>, open: &mut OpenMoves);

    /// Records that a node is entered; what it returns is given to [`leave`](Peers::leave).
    fn enter(worker: &mut Worker<'_, S>, kind: Kind, node: NodeOf<'_, S>) -> Option<u64>;

    /// Records that a node is left.
    fn leave(worker: &mut Worker<'_, S>, kind: Kind, node: NodeOf<'_, S>, entered: Option<u64>);
}
