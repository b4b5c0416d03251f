//! How large searches of chance nodes have been: what a split is worth depends on it, and depth alone does
//! not tell. Near the end of a game a search nine plies deep may be over in a microsecond.

use crate::search::Depth;
use crate::search::Phase;

/// Nodes visited in the phases of chance nodes, by depth, as one worker has seen them: averages in which the
/// latest count most.
#[derive(Debug, Default)]
pub(crate) struct Sizes {
    /// By depth, as far as one was seen; probing and Star1.
    averages: Vec<[Option<u64>; 2]>,
}

/// An average moves by one part in so many towards what is new.
const INERTIA: u64 = 4;

impl Sizes {
    /// The average so far; `None` where nothing was seen yet.
    #[inline]
    pub(crate) fn of(&self, depth: Depth, phase: Phase) -> Option<u64> {
        self.averages.get(usize::from(depth))?[phase as usize]
    }

    /// The average of the phase at this depth that is the larger one; `None` where neither was seen yet.
    pub(crate) fn largest(&self, depth: Depth) -> Option<u64> {
        [Phase::Probing, Phase::Star1].into_iter().filter_map(|phase| self.of(depth, phase)).max()
    }

    /// Records one phase.
    pub(crate) fn note(&mut self, depth: Depth, phase: Phase, nodes: u64) {
        let depth = usize::from(depth);
        if self.averages.len() <= depth {
            self.averages.resize(depth + 1, [None; 2]);
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
