//! The sizes of past searches of chance nodes, to decide what is worth a split. Depth alone does not tell:
//! near the end of a game a search nine plies deep may take a microsecond.

use crate::search::Depth;
use crate::search::Phase;

/// A worker's moving averages of the nodes in each phase of chance nodes, by depth.
#[derive(Debug, Default)]
pub(crate) struct Sizes {
    /// By depth, as far as known.
    averages: Vec<Averages>,
}

/// The averages of one depth, by phase; `None` before the first.
type Averages = [Option<u64>; 2];

/// An average moves towards a new value by one part in this many.
const INERTIA: u64 = 4;

impl Sizes {
    /// The average; `None` before the first.
    #[inline]
    pub(crate) fn of(&self, depth: Depth, phase: Phase) -> Option<u64> {
        self.averages.get(usize::from(depth))?[phase as usize]
    }

    /// The average of the larger phase at this depth; `None` before the first.
    pub(crate) fn largest(&self, depth: Depth) -> Option<u64> {
        self.averages.get(usize::from(depth))?.iter().copied().max()?
    }

    /// Records the nodes of a phase.
    pub(crate) fn note(&mut self, depth: Depth, phase: Phase, nodes: u64) {
        let depth = usize::from(depth);
        if self.averages.len() <= depth {
            self.averages.resize(depth + 1, Averages::default());
        }
        let average = &mut self.averages[depth][phase as usize];
        *average = Some(average.map_or(nodes, |old| (old * (INERTIA - 1) + nodes) / INERTIA));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn averages_follow_what_is_seen() {
        let mut sizes = Sizes::default();
        assert_eq!(sizes.of(7, Phase::Star1), None);
        sizes.note(7, Phase::Star1, 1_000);
        assert_eq!((sizes.of(7, Phase::Star1), sizes.of(7, Phase::Probing)), (Some(1_000), None));
        assert_eq!((sizes.largest(7), sizes.largest(8)), (Some(1_000), None));
        sizes.note(7, Phase::Star1, 0);
        assert_eq!(sizes.of(7, Phase::Star1), Some(750));
        (0..40).for_each(|_| sizes.note(7, Phase::Star1, 20_000));
        assert!(sizes.of(7, Phase::Star1).is_some_and(|size| size > 19_000));
        assert_eq!((sizes.of(5, Phase::Star1), sizes.of(200, Phase::Star1)), (None, None));
    }
}
