//! Options that do not fit together, and texts that are no options.

use crate::search::request::algorithm::Algorithm;
use crate::search::request::choices::{Company, MoveOrdering, TableUse};
use crate::search::request::limits::{MAX_BATCH, MAX_THREADS};
use crate::search::request::method::Method;
use crate::search::request::option_value::{OptionKind, OptionType};
use crate::table::Reuse;
use std::str::FromStr;

/// The beginning of a text that is no value, as errors keep it: whoever gives a long one knows the rest.
pub(super) fn cut(text: &str) -> String {
    const LONGEST: usize = 80;
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text.to_owned(),
    }
}

/// Options that do not fit together.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum OptionsError {
    /// No threads, or more than the library takes.
    #[error("threads {found}: expected 1 to {MAX_THREADS}")]
    Threads {
        /// The number asked for.
        found: usize,
    },
    /// No lanes, or more workers than the library takes.
    #[error("lanes {found}: expected 1 to {most} on each thread")]
    Lanes {
        /// The number asked for.
        found: usize,
        /// The greatest number with so many threads.
        most: usize,
    },
    /// A batch of no evaluations, or of too many.
    #[error("batch {found}: expected 1 to {MAX_BATCH}")]
    Batch {
        /// The number asked for.
        found: usize,
    },
    /// Lanes in a build of the library without them.
    #[error("lanes {found}: expected 1, or a build with the feature lanes")]
    NoLanes {
        /// The number asked for.
        found: usize,
    },
    /// Lanes on virtual processors, without a device that evaluates for them.
    #[error("lanes {found}: expected 1 in a simulated search without a device")]
    LanesNotSimulated {
        /// The number asked for.
        found: usize,
    },
    /// A method that leaves scheduling to threads cannot be used in lanes.
    #[error("method {method}: expected one without threads of its own where there are lanes")]
    NotInLanes {
        /// The method asked for.
        method: Method,
    },
    /// A method was to be simulated that cannot be.
    #[error("method {method}: expected one that can be simulated")]
    NotSimulated {
        /// The method asked for.
        method: Method,
    },
    /// An algorithm that [needs the table](Algorithm::needs_table) without table use at every node.
    #[error("table use {found}: {algorithm} looks up chance nodes; expected all")]
    NeedsTable {
        /// The algorithm asked for.
        algorithm: Algorithm,
        /// The table use asked for.
        found: TableUse,
    },
    /// Entries of greater depths were to count in a game whose values depend on the past
    /// ([`depends_on_past`](crate::game::GameFacts::depends_on_past)), where they may be of another past.
    #[error("reuse at-least: values of this game depend on the positions before; expected exact")]
    DependsOnPast,
    /// A value that an option does not take.
    #[error("{what} {found}: expected {expected}")]
    Value {
        /// The option's name on a command line.
        what: &'static str,
        /// The value given.
        found: String,
        /// What it takes.
        expected: String,
    },
    /// A name that is not in the list.
    #[error("{what} {found:?}: expected {expected}")]
    Name {
        /// What the name was to choose.
        what: &'static str,
        /// The name given.
        found: String,
        /// The names there are.
        expected: &'static str,
    },
}

/// Has choices read by their names.
macro_rules! read_by_name {
    ($($choice:ty),+) => {$(
        impl FromStr for $choice {
            type Err = OptionsError;

            fn from_str(name: &str) -> Result<Self, OptionsError> {
                let found = <$choice>::ALL.iter().copied().find(|choice| choice.name() == name);
                found.ok_or_else(|| no_choice::<$choice>(name))
            }
        }
    )+};
}

read_by_name!(Algorithm, TableUse, MoveOrdering, Company, Method, Reuse);

/// That the name is none of the choices.
fn no_choice<C: OptionType>(name: &str) -> OptionsError {
    match C::KIND {
        OptionKind::Choice { what, expected, .. } => OptionsError::Name { what, found: cut(name), expected },
        kind => OptionsError::Value { what: "name", found: cut(name), expected: kind.to_string() },
    }
}
