//! The only door to atomics and threads' meeting points: the real ones, or loom's stand-ins under `--cfg loom`, so
//! that a protocol that is model-checked is the protocol that runs.

#[cfg(not(loom))]
pub(crate) use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU8, AtomicU32, AtomicU64, AtomicUsize};

#[cfg(loom)]
pub(crate) use loom::sync::atomic::{AtomicBool, AtomicI64, AtomicU8, AtomicU32, AtomicU64, AtomicUsize};

pub(crate) use std::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed, Release, SeqCst};

pub(crate) use std::sync::atomic::fence;

/// 128 bits at once; not known to loom.
#[cfg(all(feature = "atomic128", not(loom)))]
pub(crate) use portable_atomic::AtomicU128;

/// An atomic of a type of one's own; not known to loom, so not for protocols that are to be modelled.
pub(crate) use atomic::Atomic;
pub(crate) use crossbeam::deque;
pub(crate) use crossbeam::utils::{Backoff, CachePadded};
pub(crate) use parking_lot::{Condvar, Mutex};
