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

/// The averages of one depth; `None` before the first.
#[derive(Clone, Copy, Debug, Default)]
struct Averages {
    probing: Option<u64>,
    star1: Option<u64>,
}

/// An average moves towards a new value by one part in this many.
const INERTIA: u64 = 4;

impl Averages {
    #[inline]
    fn of(self, phase: Phase) -> Option<u64> {
        match phase {
            Phase::Probing => self.probing,
            Phase::Star1 => self.star1,
        }
    }

    #[inline]
    fn of_mut(&mut self, phase: Phase) -> &mut Option<u64> {
        match phase {
            Phase::Probing => &mut self.probing,
            Phase::Star1 => &mut self.star1,
        }
    }
}

impl Sizes {
    /// The average; `None` before the first.
    #[inline]
    pub(crate) fn of(&self, depth: Depth, phase: Phase) -> Option<u64> {
        self.averages.get(usize::from(depth))?.of(phase)
    }

    /// The average of the larger phase at this depth; `None` before the first.
    pub(crate) fn largest(&self, depth: Depth) -> Option<u64> {
        let &Averages { probing, star1 } = self.averages.get(usize::from(depth))?;
        probing.max(star1)
    }

    /// Records the nodes of a phase.
    pub(crate) fn note(&mut self, depth: Depth, phase: Phase, nodes: u64) {
        let depth = usize::from(depth);
        if self.averages.len() <= depth {
            self.averages.resize(depth + 1, Averages::default());
        }
        let average = self.averages[depth].of_mut(phase);
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
