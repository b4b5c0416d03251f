//! The types of every search of this library. Its workers may form a team.

use crate::evaluator::Evaluator;
use crate::game::Game;
use crate::parallel::scheduler::worker_context::WorkerContext;
use crate::processor::{Evaluates, Processor};
use crate::score::{Bounds, Window};
use crate::search::{NodeOf, Setup, Worker, search_node};
use crate::table::Table;
use std::marker::PhantomData;

/// A game, an evaluator, a table, and a processor.
pub(crate) struct TeamSetup<G, E, T, P>(Types<G, E, T, P>);

/// Names the types without a value of them.
type Types<G, E, T, P> = PhantomData<fn() -> (G, E, T, P)>;

impl<G: Game, E: Evaluator<G>, T: Table, P: Processor + Evaluates<G, E>> Setup for TeamSetup<G, E, T, P> {
    type Game = G;
    type Evaluator = E;
    type Table = T;
    type Processor = P;
    type Peers = WorkerContext<Self>;

    #[inline(always)]
    fn search(worker: &mut Worker<'_, Self>, node: NodeOf<'_, Self>, window: Window) -> Bounds {
        search_node(worker, node, window)
    }
}

/// Types of a search whose workers have a context each.
pub(crate) trait Parallel: Setup<Peers = WorkerContext<Self>> {}

impl<S: Setup<Peers = WorkerContext<S>>> Parallel for S {}
