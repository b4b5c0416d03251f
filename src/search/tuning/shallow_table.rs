//! Whether nodes one and two plies above the leaves use the table, and whether it holds evaluations.
//!
//! Nearly all nodes are this shallow, and a table hit saves little. Probing pays where they recur often
//! enough, or cost enough; that depends on the game and on the parity of the depth. So a sample of each class
//! of nodes always uses the table: those with enough zeros in their keys. The hits in the sample, and the
//! cost of the other nodes, decide for the whole class. A position is always in the sample or never, so the
//! sample recurs as often as its class.

use crate::game::{NodeKind, PositionHash};
use crate::search::near_leaves::NearLeaves;
use crate::search::plies::Depth;
use crate::search::request::{Options, TableUse};
use crate::search::tuning::{Plan, TABLE_NS};
use std::num::NonZeroU64;

/// After this many probes of a class a choice is made; the counts are then halved.
const LOOK_UPS: u64 = 32;

/// Counts of fewer searched nodes than this are not halved: without one nothing is known of what probes save.
const FEWEST: u64 = 8;

/// A sample is one node in 2^bits of its class: at first, at least and at most.
const AT_FIRST: u32 = 5;
const LEAST_BITS: u32 = 3;
const MOST_BITS: u32 = 10;

/// A sample may cost the search divided by this.
const SHARE: u64 = 128;

/// A class of nodes, or evaluations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::search) enum Class {
    /// Chance nodes right above leaves.
    Chance1,
    /// Chance nodes right above [`Decision1`](Class::Decision1).
    Chance2,
    /// Decision nodes right above leaves.
    Decision1,
    /// Decision nodes right above [`Chance1`](Class::Chance1).
    Decision2,
    /// Evaluations.
    Evaluation,
}

const CLASSES: usize = 5;

impl Class {
    const ALL: [Class; CLASSES] =
        [Class::Chance1, Class::Chance2, Class::Decision1, Class::Decision2, Class::Evaluation];

    /// Whether it uses the table by this plan.
    fn is_looked_up(self, plan: Plan) -> bool {
        self.nodes().map_or(plan.remembers_evaluations, |(kind, depth)| plan.table_depth(kind) <= depth)
    }

    /// The plan with this choice for the class.
    fn chosen_in(self, plan: Plan, is_looked_up: bool) -> Plan {
        let Some((kind, depth)) = self.nodes() else {
            return Plan { remembers_evaluations: is_looked_up, ..plan };
        };
        let present = plan.table_depth(kind);
        let table_depth = if is_looked_up { present.min(depth) } else { present.max(depth + 1) };
        match kind {
            NodeKind::Decision => Plan { decision_table_depth: table_depth, ..plan },
            NodeKind::Chance | NodeKind::Terminal => Plan { chance_table_depth: table_depth, ..plan },
        }
    }

    /// The kind and the depth of its nodes; `None` for evaluations.
    fn nodes(self) -> Option<(NodeKind, Depth)> {
        match self {
            Class::Chance1 => Some((NodeKind::Chance, 1)),
            Class::Chance2 => Some((NodeKind::Chance, 2)),
            Class::Decision1 => Some((NodeKind::Decision, 1)),
            Class::Decision2 => Some((NodeKind::Decision, 2)),
            Class::Evaluation => None,
        }
    }

    /// The price of a probe, in nanoseconds: the wait for memory, the store, and the loss of the node's fast
    /// loop.
    fn cost(self) -> u64 {
        match self {
            // Nothing prefetches evaluations.
            Class::Evaluation | Class::Decision2 => 2 * TABLE_NS,
            _ => TABLE_NS,
        }
    }

    /// The class of a node, if it has one.
    #[inline]
    pub(in crate::search) fn of(kind: NodeKind, depth: Depth) -> Option<Class> {
        match (kind, depth) {
            (NodeKind::Decision, 1) => Some(Class::Decision1),
            (NodeKind::Decision, 2) => Some(Class::Decision2),
            (NodeKind::Chance, 1) => Some(Class::Chance1),
            (NodeKind::Chance, 2) => Some(Class::Chance2),
            _ => None,
        }
    }
}

/// The probes in a class's sample.
#[derive(Clone, Copy, Debug, Default)]
struct Tally {
    settled: u64,
    /// Nodes not settled, and searched to the end.
    searched: u64,
    /// The total price of these searches, in nanoseconds.
    price: u64,
}

impl Tally {
    fn look_ups(&self) -> u64 {
        self.settled + self.searched
    }

    /// The price saved: settled nodes are assumed to cost the mean of the others.
    fn saved(&self) -> u64 {
        self.settled * self.price / self.searched.max(1)
    }

    /// Whether probes of this class pay. `at_present` is the current choice, which stays if both are nearly
    /// equal.
    fn pays(&self, class: Class, at_present: bool) -> bool {
        let (saved, cost) = (self.saved(), self.look_ups() * class.cost());
        if at_present { 3 * saved > 2 * cost } else { saved > cost }
    }

    /// Halves the counts.
    fn fade(&mut self) {
        self.settled /= 2;
        // Where nearly all are settled, the few others tell what is saved, and stay until there are more.
        if self.searched >= FEWEST {
            self.searched /= 2;
            self.price /= 2;
        }
    }
}

/// A node in a sample: its class, and the price of all that was done before its probe. In one nonzero word,
/// since every node carries an `Option` of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::search) struct Sampled(NonZeroU64);

impl Sampled {
    /// Prices are far below 2^60 nanoseconds.
    #[inline]
    pub(super) fn new(class: Class, before: u64) -> Option<Self> {
        NonZeroU64::new((before << 4) | (class as u64 + 1)).map(Sampled)
    }

    pub(super) fn class(self) -> Class {
        Class::ALL[(self.0.get() & 15) as usize - 1]
    }

    pub(super) fn before(self) -> u64 {
        self.0.get() >> 4
    }
}

/// The samples of all classes.
#[derive(Debug)]
pub(super) struct ShallowTable {
    /// The classes that the options leave to the search.
    is_tried: [bool; CLASSES],
    tallies: [Tally; CLASSES],
    samples: [Sample; CLASSES],
}

/// The part of a class that always uses the table.
#[derive(Clone, Copy, Debug)]
struct Sample {
    /// It is one node in 2^bits.
    bits: u32,
    /// The bits that are zero in its keys.
    mask: u64,
    /// An estimate of the class's nodes until `bits` was chosen, from the sample's probes.
    visits: u64,
    /// The probes since `bits` was chosen.
    looks: u64,
}

impl Sample {
    fn new(bits: u32) -> Self {
        // Bits of a key that do not choose the bucket and are not the last of the tag.
        Sample { bits, mask: ((1 << bits) - 1) << 32, visits: 0, looks: 0 }
    }

    /// A sample as large as a search of this price allows.
    fn resized(self, class: Class, price: u64) -> Self {
        let visits = self.visits + (self.looks << self.bits);
        let affordable = price / visits.max(1);
        let parts = SHARE * class.cost() / affordable.max(1);
        let bits = parts.max(1).ilog2().clamp(LEAST_BITS, MOST_BITS);
        Sample { visits, ..Sample::new(bits) }
    }
}

impl ShallowTable {
    pub(super) fn new(
        options: &Options,
        evaluation_ns: u64,
        has_table: bool,
        near_leaves: NearLeaves,
        first: Plan,
    ) -> Self {
        let is_tried = |class| {
            let is_left = options.table_depth.is_none();
            let has_chance = is_left && options.table_use == TableUse::All;
            match class {
                // If all of them collapse unseen, they count as evaluations.
                Class::Chance1 => {
                    has_chance && !(near_leaves.all_collapse && near_leaves.leaves_are_promised)
                }
                Class::Chance2 => has_chance,
                Class::Decision1 | Class::Decision2 => is_left,
                Class::Evaluation => {
                    let is_collapsed_kept = first.looks_up_collapsed(near_leaves.collapsing_depth);
                    options.remember_evaluations.is_none() && evaluation_ns > TABLE_NS && !is_collapsed_kept
                }
            }
        };
        ShallowTable {
            is_tried: Class::ALL.map(|class| has_table && !near_leaves.to_the_end && is_tried(class)),
            tallies: Default::default(),
            samples: [Sample::new(AT_FIRST); CLASSES],
        }
    }

    /// Whether a key is in the sample of its class.
    #[inline]
    pub(super) fn has(&self, class: Class, key: PositionHash) -> bool {
        key.low & self.samples[class as usize].mask == 0 && self.is_tried[class as usize]
    }

    /// The greatest depth of nodes in samples; 0 without samples.
    pub(super) fn deepest(&self) -> Depth {
        let tried = Class::ALL.into_iter().filter(|&class| self.tries(class));
        tried.filter_map(Class::nodes).map(|(_, depth)| depth).max().unwrap_or(0)
    }

    /// Whether the options leave the class to the search.
    pub(super) fn tries(&self, class: Class) -> bool {
        self.is_tried[class as usize]
    }

    /// The plan that follows from the samples. Their size then follows the price of the search so far.
    pub(super) fn choose(&mut self, mut plan: Plan, price: u64) -> Plan {
        for class in Class::ALL {
            let (tally, sample) = (&mut self.tallies[class as usize], &mut self.samples[class as usize]);
            if tally.look_ups() < LOOK_UPS {
                continue;
            }
            plan = class.chosen_in(plan, tally.pays(class, class.is_looked_up(plan)));
            *sample = sample.resized(class, price);
            tally.fade();
        }
        plan
    }

    /// The table has settled a node of the sample, or had its evaluation.
    pub(super) fn note_settled(&mut self, class: Class) {
        self.samples[class as usize].looks += 1;
        self.tallies[class as usize].settled += 1;
    }

    /// The table has not settled it; `price` is what it then cost.
    pub(super) fn note_searched(&mut self, class: Class, price: u64) {
        self.samples[class as usize].looks += 1;
        let tally = &mut self.tallies[class as usize];
        tally.searched += 1;
        tally.price += price;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLAN: Plan = Plan {
        chance_table_depth: 2,
        decision_table_depth: 3,
        remembers_evaluations: false,
        static_depths: 0,
        share_places: 0,
    };

    fn tally(settled: u64, searched: u64, each: u64) -> Tally {
        Tally { settled, searched, price: searched * each }
    }

    /// The plan that follows from these tallies.
    fn chosen(tallies: [Tally; CLASSES]) -> Plan {
        let samples = [Sample::new(AT_FIRST); CLASSES];
        let mut counted = ShallowTable { is_tried: [true; CLASSES], tallies, samples };
        counted.choose(PLAN, 1_000_000)
    }

    #[test]
    fn a_look_up_pays_where_what_it_saves_is_more_than_it_costs() {
        // One in ten settled: the others must cost ten probes, or a little less to keep probing.
        let pays = |tally: Tally, at_present| tally.pays(Class::Chance2, at_present);
        for (each, to_begin, to_go_on) in [(5, false, false), (8, false, true), (12, true, true)] {
            let tally = tally(100, 900, each * TABLE_NS);
            assert_eq!((pays(tally, false), pays(tally, true)), (to_begin, to_go_on), "{each}");
        }
        assert!(!pays(tally(0, 1000, 1_000_000), true));
        assert!(!pays(tally(1000, 0, 0), false), "nothing is known of what it saves");
        assert!(!tally(100, 900, 12 * TABLE_NS).pays(Class::Decision2, false), "what costs more");
    }

    /// The few that are not settled go on to tell what the others save.
    #[test]
    fn where_nearly_all_are_settled_look_ups_go_on_to_pay() {
        let mut tally = tally(20, 12, 1_000);
        for _ in 0..100 {
            assert!(tally.pays(Class::Decision1, true), "{tally:?}");
            tally.fade();
            tally.settled += LOOK_UPS;
        }
    }

    #[test]
    fn what_does_not_pay_is_left_and_what_is_not_known_stays() {
        let (good, bad, unknown) = (tally(500, 500, 1_000), tally(1, 999, 1_000), Tally::default());
        assert_eq!(chosen([unknown; CLASSES]), PLAN);
        assert_eq!(chosen([tally(15, 15, 100_000); CLASSES]), PLAN, "too few");
        let all =
            Plan { chance_table_depth: 1, decision_table_depth: 1, remembers_evaluations: true, ..PLAN };
        assert_eq!(chosen([good; CLASSES]), all);
        let none = Plan { chance_table_depth: 3, ..PLAN };
        assert_eq!(chosen([bad; CLASSES]), none);
        let some = Plan { chance_table_depth: 3, decision_table_depth: 2, ..PLAN };
        assert_eq!(chosen([bad, bad, bad, good, bad]), some);
    }

    #[test]
    fn a_sample_costs_but_a_small_part_of_the_search() {
        for each in [50, 500, 5_000, 50_000] {
            let looked = Sample { looks: 100, ..Sample::new(AT_FIRST) };
            let visits = 100 << AT_FIRST;
            let Sample { bits, visits: counted, .. } = looked.resized(Class::Decision2, visits * each);
            assert_eq!(counted, visits);
            let cost = (visits >> bits) * Class::Decision2.cost();
            assert!(cost <= visits * each * 2 / SHARE || bits == MOST_BITS, "{each}: {bits}");
            assert!(cost * 2 >= visits * each / SHARE || bits == LEAST_BITS, "{each}: {bits}");
        }
    }

    #[test]
    fn a_sampled_node_knows_its_class_and_price() {
        for class in Class::ALL {
            for before in [0, 1, 12_345, (1 << 60) - 1] {
                let sampled = Sampled::new(class, before).expect("not 0");
                assert_eq!((sampled.class(), sampled.before()), (class, before));
            }
        }
    }

    #[test]
    fn a_class_is_of_a_kind_and_a_depth() {
        assert_eq!(Class::of(NodeKind::Decision, 0), None);
        assert_eq!(Class::of(NodeKind::Decision, 3), None);
        assert_eq!(Class::of(NodeKind::Chance, 1), Some(Class::Chance1));
        assert_eq!(Class::of(NodeKind::Chance, 2), Some(Class::Chance2));
        assert_eq!(Class::of(NodeKind::Decision, 1), Some(Class::Decision1));
        assert_eq!(Class::of(NodeKind::Decision, 2), Some(Class::Decision2));
    }
}
