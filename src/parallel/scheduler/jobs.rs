//! The rayon threads to which a method hands its tasks as jobs.

use crate::search::{Setup, Stacks};
use crate::sync::Mutex;
use std::sync::Arc;

/// The rayon pool, and what jobs keep on each of its threads.
pub(crate) struct Jobs<S: Setup> {
    pub(crate) rayon: Arc<rayon::ThreadPool>,
    pub(crate) spare: Vec<Spare<S>>,
}

impl<S: Setup> Jobs<S> {
    /// For the threads of this pool.
    pub(crate) fn new(rayon: Arc<rayon::ThreadPool>) -> Self {
        Jobs { spare: (0..rayon.current_num_threads()).map(|_| Spare::default()).collect(), rayon }
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
