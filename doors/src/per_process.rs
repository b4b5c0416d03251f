//! What each process has of its own. A process that was forked while another thread had a lock has it locked for
//! ever.

use std::process;
use std::sync::OnceLock;

/// A value that begins anew in a forked process.
#[derive(Debug)]
pub(crate) struct PerProcess<T> {
    process: u32,
    own: T,
    in_child: OnceLock<Box<PerProcess<T>>>,
}

impl<T: Default> Default for PerProcess<T> {
    fn default() -> Self {
        PerProcess { process: process::id(), own: T::default(), in_child: OnceLock::new() }
    }
}

impl<T: Default> PerProcess<T> {
    /// The value of the process that asks.
    pub(crate) fn get(&self) -> &T {
        let mut of = self;
        while of.process != process::id() {
            of = of.in_child.get_or_init(Box::default);
        }
        &of.own
    }
}
