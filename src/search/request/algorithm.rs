//! The search algorithms.

use crate::search::request::choices::TableUse;
use crate::search::request::named::named;

/// The search algorithms.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Algorithm {
    /// Full width: every successor of every node.
    Expectimax,
    /// Ballard's Star1: windows at chance nodes, from the least and greatest values of the unsearched
    /// successors.
    Star1,
    /// Ballard's Star2: Star1 after a probing phase that searches a few moves of each successor.
    Star2,
    /// Star2 with transposition cutoffs and successor probing at chance nodes (Veness and Blair, Figure 4.1).
    #[default]
    Star2Tt,
}

named!(
    Algorithm,
    "algorithm",
    Expectimax = "expectimax",
    Star1 = "star1",
    Star2 = "star2",
    Star2Tt = "star2-tt"
);

impl Algorithm {
    /// Whether it prunes: it searches within windows, and accepts bounds as answers. Otherwise it visits
    /// every successor of every node.
    pub const fn prunes(self) -> bool {
        !matches!(self, Algorithm::Expectimax)
    }

    /// Whether it must look up chance nodes, and so needs [`TableUse::All`].
    pub fn needs_table(self) -> bool {
        self == Algorithm::Star2Tt
    }

    /// The nodes that use the table in the paper's comparison.
    pub(super) fn paper_table_use(self) -> TableUse {
        match self {
            Algorithm::Expectimax => TableUse::None,
            Algorithm::Star1 | Algorithm::Star2 => TableUse::Decision,
            Algorithm::Star2Tt => TableUse::All,
        }
    }
}
