//! The rayon threads to which a method hands its tasks as jobs.

use crate::parallel::stack::STACK;
use crate::search::{Setup, Stacks};
use crate::sync::{AtomicUsize, Mutex, Relaxed};
use std::sync::Arc;

/// The rayon pool, and what jobs keep on each of its threads.
pub(crate) struct Jobs<S: Setup> {
    pub(crate) rayon: Arc<rayon::ThreadPool>,
    pub(crate) spare: Vec<Spare<S>>,
    /// How many jobs a thread's stack has room for.
    most: usize,
}

impl<S: Setup> Jobs<S> {
    /// For the threads of this pool, where a job needs so much of a stack.
    pub(crate) fn new(rayon: Arc<rayon::ThreadPool>, stack: usize) -> Self {
        let spare = (0..rayon.current_num_threads()).map(|_| Spare::default()).collect();
        Jobs { spare, rayon, most: STACK / stack }
    }

    /// Whether a worker that waits for jobs has room for another one above it. The first worker, on the
    /// calling thread, runs none.
    pub(crate) fn has_room(&self, worker: usize) -> bool {
        let of_thread = worker.checked_sub(1).map(|thread| &self.spare[thread]);
        // Relaxed: the thread's own.
        of_thread.map_or(0, |spare| spare.running.load(Relaxed)) < self.most
    }
}

/// What jobs keep on one thread. A job that waits lets others run on top of it.
pub(crate) struct Spare<S: Setup> {
    /// Stacks that jobs leave for later ones.
    pub(crate) stacks: Mutex<Vec<Stacks<S>>>,
    /// The jobs on top of one another.
    pub(crate) running: AtomicUsize,
}

impl<S: Setup> Default for Spare<S> {
    fn default() -> Self {
        Spare { stacks: Mutex::new(Vec::new()), running: AtomicUsize::new(0) }
    }
}
