//! At which depths Star2 probes before it searches.
//!
//! A probe costs the search of a move of each successor, and saves the rest where it settles the node. What
//! the node does not need to be searched for is what others, that probes did not settle, took after them. In
//! a game for one player hardly any probe settles a node, for what it proves is the wrong bound; there, and
//! wherever it is so, probes are left out, but for one node in sixteen, so that a change is noticed.

use crate::game::Game;
use crate::search::setup::{NodeOf, Setup};
use crate::search::worker::Worker;

/// So many nodes at a depth are probed before it is first asked whether that pays, and again each time.
const BETWEEN_CHOICES: u64 = 32;

/// One node in so many is probed where it does not pay.
const SAMPLE: u64 = 16;

/// Depths beyond the last are not told apart.
const DEPTHS: usize = 16;

/// What came of the probes at one depth.
#[derive(Clone, Copy, Debug, Default)]
struct Tally {
    /// Nodes whose successors were probed.
    probed: u64,
    /// Those settled by that.
    settled: u64,
    /// What the probes cost.
    price: u64,
    /// What the searches after them cost, where they had not settled the node.
    price_after: u64,
}

impl Tally {
    /// Whether it pays to probe.
    fn pays(&self) -> bool {
        let open = self.probed - self.settled;
        // settled / probed * price_after / open > price / probed; what had been proven by the probe is not
        // lost where it did not settle the node, so it costs half of that.
        open == 0 || self.settled * self.price_after > self.price * open / 2
    }

    /// What was counted counts half from now on.
    fn fade(&mut self) {
        let Tally { probed, settled, price, price_after } = self;
        for count in [probed, settled, price, price_after] {
            *count /= 2;
        }
    }
}

/// What came of the probes at each depth.
#[derive(Debug, Default)]
pub(super) struct ProbeCounts {
    tallies: [Tally; DEPTHS],
}

impl<S: Setup> Worker<'_, S> {
    /// Whether the successors of this chance node are probed before they are searched.
    #[inline]
    pub(in crate::search) fn probes(&self, node: NodeOf<'_, S>) -> bool {
        node.depth >= 2 && (self.plan.probes(node.depth) || self.samples_probes(node))
    }

    /// Whether they are to see whether it would pay after all.
    #[inline]
    fn samples_probes(&self, node: NodeOf<'_, S>) -> bool {
        let hash = self.game.hash(node.position);
        self.options.probing_factor.is_none()
            && (hash.low ^ hash.high).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32 & (SAMPLE - 1) == 0
    }

    /// The price of all that was done before a node is probed; `None` where nobody wants to know.
    #[inline]
    pub(in crate::search) fn price_before_probes(&self) -> Option<u64> {
        self.options.probing_factor.is_none().then(|| self.price())
    }

    /// The probes of a node have ended: what was done so far.
    #[inline]
    pub(in crate::search) fn note_probes(&mut self, depth: u8, before: Option<u64>, settled: bool) -> Option<u64> {
        let before = before?;
        let now = self.price();
        let tally = &mut self.tuner.probes.tallies[usize::from(depth).min(DEPTHS - 1)];
        tally.probed += 1;
        tally.settled += u64::from(settled);
        tally.price += now - before;
        if settled {
            self.choose_probes(depth);
        }
        Some(now)
    }

    /// And what followed them, where they did not settle the node.
    #[inline]
    pub(in crate::search) fn note_after_probes(&mut self, depth: u8, before: Option<u64>) {
        if let Some(before) = before {
            let now = self.price();
            self.tuner.probes.tallies[usize::from(depth).min(DEPTHS - 1)].price_after += now - before;
            self.choose_probes(depth);
        }
    }

    /// Chooses anew, where enough nodes were probed.
    #[inline]
    fn choose_probes(&mut self, depth: u8) {
        if self.tuner.probes.tallies[usize::from(depth).min(DEPTHS - 1)].probed >= BETWEEN_CHOICES {
            self.choose_probes_now(depth);
        }
    }

    #[cold]
    fn choose_probes_now(&mut self, depth: u8) {
        let tally = &mut self.tuner.probes.tallies[usize::from(depth).min(DEPTHS - 1)];
        let pays = tally.pays();
        tally.fade();
        if pays != self.plan.probes(depth) {
            self.plan = self.plan.with_probes(depth, pays);
        }
    }
}
