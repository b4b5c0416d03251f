//! The list of search algorithms, what each of them has to say of itself, and the way from a node to the
//! algorithm that searches it.
//!
//! An algorithm is its file, with a type that implements [`SearchAlgorithm`], its `mod` line in
//! `search/mod.rs`, and one entry of the list below. Everything else asks the algorithm, so there is nothing
//! else to change.

use crate::game::Kind;
use crate::score::{Bounds, Window};
use crate::search::chance::{self, ChanceNode};
use crate::search::request::{TableUse, named};
use crate::search::setup::{NodeOf, Setup};
use crate::search::worker::Worker;

/// A search algorithm: what it does at decision nodes and with the successors of chance nodes. What all do
/// alike at the head and the end of a chance node is [`chance::search`].
///
/// Nothing has a default, so that no algorithm inherits what it was not meant to.
pub(super) trait SearchAlgorithm {
    /// See [`Algorithm::prunes`].
    const PRUNES: bool;

    /// See [`Algorithm::needs_table`].
    const NEEDS_TABLE: bool;

    /// Which nodes use the table in the paper's comparison.
    const PAPER_TABLE_USE: TableUse;

    /// Searches a decision node.
    fn decision<S: Setup>(worker: &mut Worker<'_, S>, node: NodeOf<'_, S>, window: Window) -> Bounds;

    /// Searches the successors of a chance node that the table has not settled, in whatever phases the
    /// algorithm has, until the node is cut or the search is halted. What was found is in `chance`.
    fn successors<S: Setup>(worker: &mut Worker<'_, S>, node: NodeOf<'_, S>, chance: &mut ChanceNode);
}

/// Makes the enum of the algorithms, their names, and what is asked of them, from the list.
macro_rules! algorithms {
    ($($(#[$about:meta])* $variant:ident = $name:literal in $algorithm:path),+ $(,)?) => {
        /// The search algorithms, each in its own file.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Algorithm {
            $($(#[$about])* $variant),+
        }

        named!(Algorithm, algorithm, "algorithm", $($variant = $name),+);

        impl Algorithm {
            /// Whether it leaves out what cannot change the root's value: it searches within windows, and
            /// takes bounds for an answer. One that does not visits every successor of every node.
            pub fn prunes(self) -> bool {
                match self { $(Algorithm::$variant => <$algorithm as SearchAlgorithm>::PRUNES),+ }
            }

            /// Whether it is to look up chance nodes, and so runs with [`TableUse::All`] alone.
            pub fn needs_table(self) -> bool {
                match self { $(Algorithm::$variant => <$algorithm as SearchAlgorithm>::NEEDS_TABLE),+ }
            }

            /// Which nodes use the table in the paper's comparison.
            pub(super) fn paper_table_use(self) -> TableUse {
                match self { $(Algorithm::$variant => <$algorithm as SearchAlgorithm>::PAPER_TABLE_USE),+ }
            }
        }

        /// Searches an interior node by the algorithm of the search.
        #[inline(always)] // there is one caller
        pub(super) fn search<S: Setup>(
            worker: &mut Worker<'_, S>,
            kind: Kind,
            node: NodeOf<'_, S>,
            window: Window,
        ) -> Bounds {
            match worker.options.algorithm {
                $(Algorithm::$variant => search_as::<$algorithm, S>(worker, kind, node, window)),+
            }
        }
    };
}

algorithms! {
    /// Full width: every successor of every node.
    Expectimax = "expectimax" in crate::search::expectimax::Expectimax,
    /// Ballard's Star1: windows at chance nodes from the least and greatest values of what is not yet
    /// searched.
    Star1 = "star1" in crate::search::star1::Star1,
    /// Ballard's Star2: Star1 after a phase that probes a few moves of each successor.
    Star2 = "star2" in crate::search::star2::Star2,
    /// Star2 with transposition cutoffs and successor probing at chance nodes (Veness and Blair, Figure 4.1).
    Star2Tt = "star2-tt" in crate::search::star2_tt::Star2Tt,
}

/// Searches an interior node by this algorithm.
#[inline(always)]
fn search_as<A: SearchAlgorithm, S: Setup>(
    worker: &mut Worker<'_, S>,
    kind: Kind,
    node: NodeOf<'_, S>,
    window: Window,
) -> Bounds {
    match kind {
        Kind::Decision => A::decision(worker, node, window),
        Kind::Chance | Kind::Terminal => chance::search::<A, S>(worker, node, window),
    }
}
