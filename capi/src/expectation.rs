//! What the best play from a position leads to.
#![allow(unsafe_code, reason = "handles are pointers")]

use crate::own::succeeded;
use crate::pointers::{Sized_, present, read_sized, reference, write_sized};
use crate::position::starsplit_position;
use crate::searcher::{asked, starsplit_limits, starsplit_searcher};
use crate::status::{Failure, guard, or_end, starsplit_error, starsplit_status};
use starsplit_doors::Entry;
use std::ffi::c_void;

/// Writes the numbers of a leaf, all 0 before. The leaf belongs to the search and ends with the call. 0 to go
/// on; any other number ends the search with `STARSPLIT_ERROR_CALLBACK`.
pub type starsplit_payload = Option<
    unsafe extern "C" fn(user: *mut c_void, leaf: *const starsplit_position, numbers: *mut f64) -> i32,
>;

/// What the best play leads to, beside the means of a payload.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct starsplit_expectation {
    /// `sizeof(starsplit_expectation)`, to be set by the caller.
    pub size: usize,
    /// Whether all of the tree of best play was seen; where a limit or a stop ended it, nothing else is told.
    pub is_whole: bool,
    /// The depth.
    pub depth: u32,
    /// The position's value at that depth, as player 0 sees it.
    pub value: f64,
    /// The mean of the rewards on the way, as player 0 sees them.
    pub rewards: f64,
    /// The distinct positions of the tree, at their depths.
    pub positions: u64,
    /// The nodes that finding its moves took, beside those of the search before it.
    pub nodes: u64,
}

// SAFETY: `repr(C)`, the size first; numbers, and a truth value that is false where it is 0.
unsafe impl Sized_ for starsplit_expectation {}

/// Searches a position, and then finds what the best play from it leads to: the mean of each of `count`
/// numbers that `payload` writes of the leaves of its tree, the ends of the game and of the depth. At each
/// decision node it takes the first best move, so the means are the same on any number of threads. `limits`,
/// which may be NULL, for a second, are those of each of both. Where `expectation.is_whole` is false, `means`
/// are not written. Refused where the game saturates, or the searcher reuses greater depths.
///
/// # Safety
/// The handles are what they are called, `limits`, `expectation` and `error` are NULL or have their sizes,
/// `count` numbers may be written to `means`, `payload` returns.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn starsplit_searcher_expectation(
    searcher: *const starsplit_searcher,
    position: *const starsplit_position,
    limits: *const starsplit_limits,
    count: usize,
    payload: starsplit_payload,
    user: *mut c_void,
    means: *mut f64,
    expectation: *mut starsplit_expectation,
    error: *mut starsplit_error,
) -> starsplit_status {
    // SAFETY: the caller's promises are those that these ask for.
    unsafe {
        guard(error, || {
            let (searcher, position) = (reference("searcher", searcher)?, reference("position", position)?);
            let limits = read_sized("limits", limits)?;
            let payload = payload.ok_or_else(|| Failure::argument("payload NULL: expected a function"))?;
            present("expectation", expectation)?;
            read_sized("expectation", expectation)?;
            if count > 0 {
                present("means", means)?;
            }
            let mut write = |leaf: Entry, numbers: &mut [f64]| {
                let leaf = or_end(starsplit_position::of_leaf(&position.rules, leaf));
                or_end(succeeded("payload", payload(user, &raw const leaf, numbers.as_mut_ptr())));
            };
            let (answer, found) = searcher.expectation(position, asked(&limits), (count, &mut write))?;
            let size = size_of::<starsplit_expectation>();
            let none = starsplit_expectation { size, ..std::mem::zeroed() };
            let Some(found) = found else {
                write_sized(expectation, none);
                return Ok(());
            };
            means.copy_from_nonoverlapping(found.payload.as_ptr(), count);
            let told = starsplit_expectation {
                size,
                is_whole: true,
                depth: answer.depth,
                value: searcher.value(position.player, answer.bounds),
                rewards: found.rewards,
                positions: found.positions,
                nodes: found.stats.nodes.total(),
            };
            write_sized(expectation, told);
            Ok(())
        })
    }
}
