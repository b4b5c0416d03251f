//! Whether shares of a window are asked for ([`Phase::Shares`](crate::search::Phase)).
//!
//! That saves half of a search where successors have many moves, and costs a little where they have two. So
//! of the nodes of a depth that come close enough to beta, a few are searched in the way that is not the
//! usual one, and what both take is compared.

use crate::search::plies::Depth;
use crate::search::tuning::orderings::Costs;

/// One node in so many is searched in the other way: while it is open which way costs less, and once it is
/// clear.
const OTHER: [u64; 2] = [16, 64];

/// Depths from this one on are counted together.
const DEPTHS: usize = 16;

/// Counts are halved at so many.
const MOST: u64 = 4_096;

/// A node that may be asked for shares, and the price of all that was done before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::search) struct ShareTrial {
    pub(in crate::search) asks: bool,
    pub(super) place: usize,
    pub(super) before: u64,
}

/// The costs of the nodes of a depth in both ways.
#[derive(Clone, Copy, Debug, Default)]
struct Ways {
    asked: Costs,
    unasked: Costs,
}

impl Ways {
    /// Whether asking has cost less, by the error of the means at least; `None` while that is open.
    fn verdict(&self) -> Option<bool> {
        let ((asked, error), (unasked, other_error)) = (self.asked.mean(), self.unasked.mean());
        let loss = asked - unasked;
        (loss * loss > error + other_error).then_some(loss < 0.0)
    }

    /// Whether asking is the usual way. The first nodes are asked: a short search cannot wait for counts.
    fn pays(&self) -> bool {
        self.verdict() != Some(false)
    }

    /// Whether it is the other way's turn.
    fn is_others_turn(&self) -> bool {
        let every = OTHER[usize::from(self.verdict().is_some())];
        (self.asked.searches + self.unasked.searches) % every == every - 1
    }
}

/// The costs at each depth.
#[derive(Debug)]
pub(super) struct ShareTrials {
    /// What the options say.
    fixed: Option<bool>,
    at: [Ways; DEPTHS],
}

impl ShareTrials {
    pub(super) fn new(fixed: Option<bool>) -> Self {
        ShareTrials { fixed, at: [Ways::default(); DEPTHS] }
    }

    /// How to search a node of this depth, and where its cost is noted; `None` if shares are never asked for.
    pub(super) fn begin(&self, depth: Depth) -> Option<(bool, usize)> {
        let place = usize::from(depth).min(DEPTHS - 1);
        let ways = &self.at[place];
        match self.fixed {
            Some(asks) => asks.then_some((true, place)),
            None => Some((ways.pays() != ways.is_others_turn(), place)),
        }
    }

    pub(super) fn note(&mut self, trial: ShareTrial, price: u64) {
        let ways = &mut self.at[trial.place];
        if trial.asks {
            ways.asked.note(price)
        } else {
            ways.unasked.note(price)
        }
        if ways.asked.searches + ways.unasked.searches >= MOST {
            ways.asked.fade();
            ways.unasked.fade();
        }
    }

    /// The depths at which shares are asked for, of those at which they might be.
    pub(super) fn chosen(&self) -> impl Iterator<Item = u8> {
        let is_asked = |ways: &Ways| ways.asked.searches > 0 && ways.pays();
        (0..DEPTHS as u8).filter(move |&depth| is_asked(&self.at[usize::from(depth)]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How many of 1,600 nodes are asked that take so much with shares and without, more or less.
    fn asked(with: u64, without: u64) -> usize {
        let mut trials = ShareTrials::new(None);
        let asks = |number: u64| {
            let (asks, place) = trials.begin(5).unwrap();
            let price = if asks { with } else { without };
            trials.note(ShareTrial { asks, place, before: 0 }, price * (1 + number % 3) / 2);
            asks
        };
        (0..1_600).map(asks).filter(|&asks| asks).count()
    }

    #[test]
    fn shares_are_asked_for_unless_that_is_clearly_dearer() {
        let counts = [(100, 300), (100, 100), (130, 100)].map(|(with, without)| asked(with, without));
        let [cheaper, as_dear, dearer] = counts;
        assert!(cheaper > 1_550 && as_dear == 1_500 && (20..300).contains(&dearer), "{counts:?}");
    }

    #[test]
    fn options_decide_before_any_count() {
        let begun = |fixed, depth| ShareTrials::new(fixed).begin(depth);
        assert_eq!(begun(Some(false), 3), None);
        assert_eq!((begun(Some(true), 3), begun(None, 300)), (Some((true, 3)), Some((true, DEPTHS - 1))));
    }
}
