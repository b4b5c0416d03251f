//! Whether shares of a window are asked for ([`Phase::Shares`](crate::search::Phase)).
//!
//! That saves half of a search where successors have many moves, and costs a little where they have two. So
//! of the nodes of a depth that come close enough to beta, a few are searched in the way that is not the
//! usual one, and what both take is compared.

use crate::search::plies::Depth;
use crate::search::tuning::Plan;
use crate::search::tuning::orderings::Costs;
use crate::search::tuning::plan::EVERY_PLACE;

/// One node in so many is searched in the other way: while it is open which way costs less, and once it is
/// clear.
const OTHER: [u64; 2] = [16, 64];

/// Depths from the last of these on are counted together.
const DEPTHS: usize = 15;

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
    /// Whether asking has cost less; `None` while that is open.
    pays: Option<bool>,
}

impl Ways {
    fn count(&self) -> u64 {
        self.asked.searches + self.unasked.searches
    }

    /// Compares the means, which have to differ by their error at least.
    fn compare(&mut self) {
        let ((asked, error), (unasked, other_error)) = (self.asked.mean(), self.unasked.mean());
        let loss = asked - unasked;
        self.pays = (loss * loss > error + other_error).then_some(loss < 0.0);
    }

    /// Whether it is the other way's turn.
    #[inline]
    fn is_others_turn(&self) -> bool {
        let every = OTHER[usize::from(self.pays.is_some())];
        self.count() % every == every - 1
    }
}

/// The costs at each depth.
#[derive(Debug)]
pub(super) struct ShareTrials {
    /// The options' word on it.
    fixed: Option<bool>,
    at: [Ways; DEPTHS],
    /// The places at which asking is the usual way, one bit each.
    asking: u16,
}

impl ShareTrials {
    pub(super) fn new(fixed: Option<bool>) -> Self {
        ShareTrials { fixed, at: [Ways::default(); DEPTHS], asking: EVERY_PLACE }
    }

    /// How to search a node of this depth, and where its cost is noted; `None` if shares are never asked for.
    /// Where the worker does not lead, it follows the plan.
    #[inline]
    pub(super) fn begin(&self, depth: Depth, leads: bool, plan: Plan) -> Option<(bool, usize)> {
        let place = usize::from(depth).min(DEPTHS - 1);
        let is_usual = |places: u16| places >> place & 1 != 0;
        match self.fixed {
            Some(asks) => asks.then_some((true, place)),
            None if leads => Some((is_usual(self.asking) != self.at[place].is_others_turn(), place)),
            None => Some((is_usual(plan.share_places), place)),
        }
    }

    pub(super) fn note(&mut self, trial: ShareTrial, price: u64) {
        let ways = &mut self.at[trial.place];
        if trial.asks {
            ways.asked.note(price)
        } else {
            ways.unasked.note(price)
        }
        if ways.count() % OTHER[0] == 0 {
            ways.compare();
            self.asking = (0..DEPTHS).fold(0, |places, place| places | u16::from(self.asks(place)) << place);
        }
    }

    /// Whether asking is the usual way: as it is at the next lesser depths while nothing else is known, and
    /// while nothing is known at all. A short search cannot wait for counts.
    fn asks(&self, place: usize) -> bool {
        let known = self.at[place.saturating_sub(2)..=place].iter().rev().find_map(|ways| ways.pays);
        known.unwrap_or(true)
    }

    /// The plan for the others.
    pub(super) fn choose(&self, plan: Plan) -> Plan {
        Plan { share_places: self.asking, ..plan }
    }

    /// The depths at which shares are asked for, of those at which they might be.
    pub(super) fn chosen(&self) -> impl Iterator<Item = u8> {
        let is_asked =
            |place: u8| self.asking >> place & 1 != 0 && self.at[usize::from(place)].asked.searches > 0;
        (0..DEPTHS as u8).filter(move |&depth| is_asked(depth))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan() -> Plan {
        Plan::unpack(1 << 63).unwrap()
    }

    /// How many of 1,600 nodes are asked that take so much with shares and without, more or less.
    fn asked(with: u64, without: u64) -> usize {
        let mut trials = ShareTrials::new(None);
        let asks = |number: u64| {
            let (asks, place) = trials.begin(5, true, plan()).unwrap();
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
        let mut trials = ShareTrials::new(None);
        for number in 0..100 {
            let price = [60, 100][number % 2];
            trials.note(ShareTrial { asks: number % 2 == 1, place: 5, before: 0 }, price);
        }
        let follows = |depth| trials.begin(depth, false, trials.choose(plan())).unwrap().0;
        assert_eq!([4, 5, 7, 8].map(follows), [true, false, false, true]);
    }

    #[test]
    fn options_decide_before_any_count() {
        let begun = |fixed, depth| ShareTrials::new(fixed).begin(depth, true, plan());
        assert_eq!(begun(Some(false), 3), None);
        assert_eq!((begun(Some(true), 3), begun(None, 300)), (Some((true, 3)), Some((true, DEPTHS - 1))));
    }
}
