//! The setup of every search that this library runs: its workers are tied together by seats in a team.

use crate::evaluator::Evaluator;
use crate::game::Game;
use crate::parallel::methods::fork_join;
use crate::parallel::scheduler::worker_context::Seat;
use crate::processor::{Processor, Thread};
use crate::search::{ChanceNode, NodeOf, Phase, Setup, Worker, go_through_in_order};
use crate::table::Table;
use std::marker::PhantomData;

/// A game, an evaluator, a table, and what the workers run on.
pub(crate) struct Parties<G, E, T, P>(PhantomData<(G, E, T, P)>);

impl<G: Game, E: Evaluator<G>, T: Table, P: Machine> Setup for Parties<G, E, T, P> {
    type Game = G;
    type Evaluator = E;
    type Table = T;
    type Processor = P;
    type Crew = Seat<Self>;
}

/// A setup whose workers have seats.
pub(crate) trait Parallel: Setup<Crew = Seat<Self>, Processor: Machine> {}

impl<S: Setup<Crew = Seat<S>, Processor: Machine>> Parallel for S {}

/// A processor on which workers share a search.
pub(crate) trait Machine: Processor {
    /// Goes through a phase by the method of fork and join. In turn, where there are no threads to run jobs.
    fn fork<S: Parallel<Processor = Self>>(
        worker: &mut Worker<'_, S>,
        node: NodeOf<'_, S>,
        chance: &mut ChanceNode,
        phase: Phase,
        from: usize,
    ) {
        go_through_in_order(worker, node, chance, phase, from..chance.range().end);
    }
}

impl Machine for Thread {
    fn fork<S: Parallel<Processor = Self>>(
        worker: &mut Worker<'_, S>,
        node: NodeOf<'_, S>,
        chance: &mut ChanceNode,
        phase: Phase,
        from: usize,
    ) {
        fork_join::go_through(worker, node, chance, phase, from);
    }
}
