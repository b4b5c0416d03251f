//! Coroutines that take turns on one thread: the lanes of a thread, and virtual processors.

#![allow(unsafe_code, reason = "coroutines that borrow what the search borrows")]

use crate::parallel::STACK;
use corosensei::stack::DefaultStack;
use corosensei::{Coroutine, CoroutineResult, Yielder};
use std::io;
use std::marker::PhantomData;

/// The handle by which a running program gives way. It stays in what the program owns.
#[derive(Debug)]
pub(crate) struct Handle<P> {
    yielder: *const Yielder<(), P>,
}

impl<P> Clone for Handle<P> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<P> Copy for Handle<P> {}

impl<P> Handle<P> {
    /// Gives way, and says why. Returns when the coroutine is resumed.
    pub(crate) fn give_way(self, pause: P) {
        // SAFETY: the yielder lives as long as the coroutine's body runs. The handle is given to the program
        // that is that body. It stays in workers that the program owns, is not `Send`, and is in nothing that
        // workers share; so the coroutine that runs here is the yielder's own.
        unsafe { (*self.yielder).suspend(pause) };
    }
}

/// The programs that have begun, each with a stack of its own. What they borrow lives for `'p`.
pub(crate) struct Coroutines<'p, P> {
    begun: Vec<Coroutine<(), P, (), DefaultStack>>,
    programs: PhantomData<Box<dyn FnOnce() + 'p>>,
}

/// Calls `run` with no coroutine yet; those that it begins end with the call.
pub(crate) fn with_coroutines<'p, P, R>(run: impl FnOnce(&mut Coroutines<'p, P>) -> R) -> R {
    run(&mut Coroutines { begun: Vec::new(), programs: PhantomData })
}

impl<'p, P> Coroutines<'p, P> {
    /// Makes a coroutine of a program, which runs when it is resumed; gives its number.
    ///
    /// # Errors
    /// When the system grants no stack.
    pub(crate) fn begin(&mut self, program: impl FnOnce(Handle<P>) + 'p) -> io::Result<usize> {
        let stack = DefaultStack::new(STACK)?;
        let body = move |yielder: &Yielder<(), P>, ()| program(Handle { yielder });
        // SAFETY: what the body borrows lives for 'p, which outlasts `with_coroutines`. The coroutines are
        // dropped there: nobody else makes `Coroutines`, so nobody can take them out of their place.
        self.begun.push(unsafe { Coroutine::with_stack_unchecked(stack, body) });
        Ok(self.begun.len() - 1)
    }

    /// How many have begun.
    pub(crate) fn len(&self) -> usize {
        self.begun.len()
    }

    /// Runs one until it gives way or ends.
    pub(crate) fn resume(&mut self, index: usize) -> CoroutineResult<P, ()> {
        self.begun[index].resume(())
    }
}
