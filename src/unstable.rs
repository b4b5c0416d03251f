//! Parts that only the other crates of this project use. **Unstable**: any version may change it or take it
//! away.
//!
//! * A planner that shares one search among machines takes the top of the tree from here, with the rules and
//!   the arithmetic of the search itself: [`successors`] expands a node, [`bounds`] combines the bounds of a
//!   node's successors, [`windows`] gives the windows in which they are still to be searched, and [`catch`]
//!   turns a panic of the game into an error.
//!   [`SearchRequest::prove`](crate::SearchRequest::prove) searches a node in a window.
//! * A crate that saves tables takes them as words ([`RawTable`], [`KEY_SCHEME`]).
//! * A crate of other tables takes the buckets ([`BucketTable`]), and fills them with slots of its own
//!   ([`WordPair`]).
//! * Whoever clamps scores asks whether one is that of a NaN ([`NOT_A_NUMBER`]).
//! * A crate that puts games into words shows a search to handles in those words ([`in_other_words`],
//!   [`note`]).

pub use crate::score::not_a_number::NOT_A_NUMBER;
pub use crate::search::panics::catch;
pub use crate::sharing::{Successor, WeightedEdge, bounds, successors, windows};
pub use crate::table::buckets::BucketTable;
pub use crate::table::meaning::KEY_SCHEME;
pub use crate::table::slot::{SealedSlot, WordPair};
pub use crate::table::words::RawTable;

use crate::Handle;
use crate::search::Iteration;

/// A handle of the same search that tells iterations in other words, such as with moves as texts. Whoever
/// translates them [notes](note) each.
pub fn in_other_words<M, O, P, Q>(handle: &Handle<M, O>) -> Handle<P, Q> {
    handle.in_other_words()
}

/// Keeps an iteration for [`Handle::iteration`]. A search does so itself for the handle that it has.
pub fn note<M, O>(handle: &Handle<M, O>, iteration: Iteration<M, O>) {
    handle.note(iteration);
}
