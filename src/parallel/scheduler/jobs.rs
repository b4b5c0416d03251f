//! The rayon threads to which a method hands its tasks as jobs.

use crate::search::{ChanceNode, NodeOf, Phase, Setup, Stacks, Worker};
use crate::sync::Mutex;
use std::sync::Arc;

/// Searches the successors of a chance node from an index on as jobs, and waits for all of them.
type Fork<S> = fn(&mut Worker<'_, S>, NodeOf<'_, S>, &mut ChanceNode, Phase, usize);

/// The rayon pool, and what jobs keep on each of its threads.
pub(crate) struct Jobs<S: Setup> {
    pub(crate) rayon: Arc<rayon::ThreadPool>,
    pub(crate) spare: Vec<Spare<S>>,
    /// Makes jobs of a phase. A function that only searches on threads have; no other search has jobs.
    pub(crate) fork: Fork<S>,
}

impl<S: Setup> Jobs<S> {
    /// For the threads of this pool.
    pub(crate) fn new(rayon: Arc<rayon::ThreadPool>, fork: Fork<S>) -> Self {
        let spare = (0..rayon.current_num_threads()).map(|_| Spare::default()).collect();
        Jobs { rayon, spare, fork }
    }
}

/// Stacks that jobs on one thread leave for later jobs. Several, because a job that waits lets others run on
/// top of it.
pub(crate) struct Spare<S: Setup>(pub(crate) Mutex<Vec<Stacks<S>>>);

impl<S: Setup> Default for Spare<S> {
    fn default() -> Self {
        Spare(Mutex::new(Vec::new()))
    }
}
