//! The types of every search of this library. Its workers may form a team.

use crate::evaluator::Evaluator;
use crate::game::Game;
use crate::parallel::scheduler::worker_context::WorkerContext;
use crate::processor::{Evaluates, Processor};
use crate::score::{Bounds, Window};
use crate::search::{ChanceNode, NodeOf, Phase, Setup, Worker, search_node};
use crate::table::Table;
use std::marker::PhantomData;

/// A game, an evaluator, a table, and a processor.
pub(crate) struct TeamSetup<G, E, T, P>(Types<G, E, T, P>);

/// Names the types without a value of them.
type Types<G, E, T, P> = PhantomData<fn() -> (G, E, T, P)>;

impl<G: Game, E: Evaluator<G>, T: Table, P: ParallelProcessor + Evaluates<G, E>> Setup
    for TeamSetup<G, E, T, P>
{
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
pub(crate) trait Parallel: Setup<Peers = WorkerContext<Self>, Processor: ParallelProcessor> {}

impl<S: Setup<Peers = WorkerContext<S>, Processor: ParallelProcessor>> Parallel for S {}

/// A processor on which workers share a search.
pub(crate) trait ParallelProcessor: Processor {
    /// Searches a phase by fork and join. Only threads of a rayon pool can; on other processors the options
    /// refuse that method.
    fn fork_join<S: Parallel<Processor = Self>>(
        _: &mut Worker<'_, S>,
        _: NodeOf<'_, S>,
        _: &mut ChanceNode,
        _: Phase,
        _: usize,
    ) {
        unreachable!("there are no threads to run jobs, and a search by fork and join is refused")
    }
}
