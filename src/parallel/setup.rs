//! The setup of every search that this library runs: its workers are tied together by seats in a team.

use crate::evaluator::Evaluator;
use crate::game::Game;
use crate::parallel::seat::Seat;
use crate::processor::Processor;
use crate::search::Setup;
use crate::table::Table;
use std::marker::PhantomData;

/// A game, an evaluator, a table, and what the workers run on.
pub(crate) struct Parties<G, E, T, P>(PhantomData<(G, E, T, P)>);

impl<G: Game, E: Evaluator<G>, T: Table, P: Processor> Setup for Parties<G, E, T, P> {
    type Game = G;
    type Evaluator = E;
    type Table = T;
    type Processor = P;
    type Crew = Seat<Self>;
}

/// A setup whose workers have seats.
pub(crate) trait Parallel: Setup<Crew = Seat<Self>> {}

impl<S: Setup<Crew = Seat<S>>> Parallel for S {}
