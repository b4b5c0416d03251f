//! The types that make up one search, under one name, so that a function names one parameter and not five.

use crate::evaluator::Evaluator;
use crate::game::Game;
use crate::processor::{Evaluates, Processor};
use crate::search::answer::{Iteration, SearchResult};
use crate::search::peers::Peers;
use crate::search::worker::Node;
use crate::table::Table;

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
