//! Coroutines that take turns on one thread: a thread's lanes, or virtual processors.

#![allow(unsafe_code, reason = "coroutines that borrow what the search borrows")]

use corosensei::stack::DefaultStack;
use corosensei::{Coroutine, CoroutineResult, Yielder};
use std::io;
use std::marker::PhantomData;

/// The handle with which a running program gives way. Only the program owns it.
#[derive(Debug)]
pub(crate) struct CoroutineHandle<P> {
    yielder: *const Yielder<(), P>,
}

impl<P> Clone for CoroutineHandle<P> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<P> Copy for CoroutineHandle<P> {}

impl<P> CoroutineHandle<P> {
    /// Gives way for the reason `pause`. Returns when the coroutine is resumed.
    pub(crate) fn give_way(self, pause: P) {
        // SAFETY: the yielder lives as long as the coroutine's body runs, and the handle is given to the
        // program that is that body. The handle stays in workers that the program owns, is not `Send`, and is
        // in nothing that workers share. So the running coroutine is the yielder's own.
        unsafe { (*self.yielder).suspend(pause) };
    }
}

/// Coroutines, each with its own stack. Their programs' borrows live for `'p`.
pub(crate) struct Coroutines<'p, P> {
    begun: Vec<Coroutine<(), P, (), DefaultStack>>,
    programs: PhantomData<Box<dyn FnOnce() + 'p>>,
}

/// Calls `run` without coroutines. Those that it begins are dropped when it returns.
pub(crate) fn with_coroutines<'p, P, R>(run: impl FnOnce(&mut Coroutines<'p, P>) -> R) -> R {
    run(&mut Coroutines { begun: Vec::new(), programs: PhantomData })
}

impl<'p, P> Coroutines<'p, P> {
    /// Makes a coroutine of a program, with a stack of so many bytes, which first runs when resumed. Returns
    /// its index.
    ///
    /// # Errors
    /// If the system grants no stack.
    pub(crate) fn begin(
        &mut self,
        stack: usize,
        program: impl FnOnce(CoroutineHandle<P>) + 'p,
    ) -> io::Result<usize> {
        let stack = DefaultStack::new(stack)?;
        let body = move |yielder: &Yielder<(), P>, ()| program(CoroutineHandle { yielder });
        // SAFETY: the body's borrows live for 'p, which outlasts `with_coroutines`. The coroutines are
        // dropped there: no other code makes `Coroutines`, so none can move them out.
        self.begun.push(unsafe { Coroutine::with_stack_unchecked(stack, body) });
        Ok(self.begun.len() - 1)
    }

    /// The number of coroutines begun.
    pub(crate) fn len(&self) -> usize {
        self.begun.len()
    }

    /// Runs a coroutine until it gives way or ends.
    pub(crate) fn resume(&mut self, index: usize) -> CoroutineResult<P, ()> {
        self.begun[index].resume(())
    }
}
