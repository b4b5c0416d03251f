//! What can be wrong with plans, paths and lines.

use crate::task::TaskKey;
use starsplit::score::{Bounds, Score};
use starsplit::search::{MAX_DEPTH, SearchError};
use starsplit::table::Reuse;

/// Why a plan could not be made, or an answer was not taken.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum PlanError {
    /// A depth that cannot be searched.
    #[error("depth {found}: expected 1 to {MAX_DEPTH}, and of an answer 0 as well")]
    Depth {
        /// The depth asked for.
        found: u32,
    },
    /// The plan's answers were to come from searches whose values are not those of a position and a depth.
    #[error("reuse {found}: expected {}, under which position and depth determine a value", Reuse::Exact)]
    Reuse {
        /// What they were to use.
        found: Reuse,
    },
    /// The plan's identities are not of its game, or an answer is of other identities than the plan.
    #[error("{what} {found}: expected {expected}, of which the plan is")]
    Identity {
        /// What differs.
        what: &'static str,
        /// What was given.
        found: String,
        /// What the plan has.
        expected: String,
    },
    /// An answer's path does not lead to a position of the game.
    #[error(transparent)]
    Path(#[from] PathError),
    /// An answer's bounds are no bounds of a score of the game.
    #[error(
        "bounds {} to {}: expected two scores from -{limit} to {limit}, the second no less than the first",
        .found.lower, .found.upper
    )]
    Bounds {
        /// What was given.
        found: Bounds,
        /// The limit of the game's grid.
        limit: Score,
    },
    /// Two proofs about one value exclude each other, so one of them is false. The plan has failed: it takes
    /// no more answers, and this is what it says to all of them.
    #[error(
        "bounds {} to {} of {key}: expected some that agree with {} to {}, which are proven; one of the \
         answers is false",
        .found.lower, .found.upper, .known.lower, .known.upper
    )]
    Contradiction {
        /// The position and the depth.
        key: TaskKey,
        /// What was known.
        known: Bounds,
        /// What an answer said of it, or what follows from those about its successors.
        found: Bounds,
    },
    /// The game broke its contract.
    #[error(transparent)]
    Game(#[from] SearchError),
}

/// Why a path leads nowhere.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PathError {
    /// There is no such move or outcome.
    #[error("step {step} of the path is {found}: expected a number below {count}, as many as there are")]
    Ordinal {
        /// Which step of the path, from 1 on.
        step: usize,
        /// The ordinal.
        found: u32,
        /// How many moves or outcomes there are.
        count: u64,
    },
    /// The game is over before the path is.
    #[error("step {step} of the path: expected none, for the game is over before it")]
    Over {
        /// Which step of the path, from 1 on.
        step: usize,
    },
}

/// Why a worker could not do a task.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum WorkError {
    /// The task's path does not lead to a position of the game.
    #[error(transparent)]
    Path(#[from] PathError),
    /// The search failed.
    #[error(transparent)]
    Search(#[from] SearchError),
}

/// What is wrong with a line.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{thing} {found}: expected {expected}")]
pub struct LineError {
    /// What of it.
    pub thing: &'static str,
    /// What stands there, in quotes and no more than its beginning; `missing` where nothing does.
    pub found: String,
    /// What should.
    pub expected: &'static str,
}
