//! What each kind of event costs on a virtual processor.

use crate::processor::Event;

/// What events cost, in nanoseconds of virtual time, or in whatever unit is wanted.
///
/// All else costs nothing: a game's rules are part of a node's cost, and so are the sums of a chance node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CostModel {
    /// A node visited, leaves among them.
    pub node: u32,
    /// A static evaluation; where a [device](crate::simulate::SimulatedDevice) makes it, what it takes the
    /// processor to ask for it.
    pub evaluation: u32,
    /// A look-up in the table, or a store.
    pub table: u32,
    /// A look whether the work still matters, or at who is without work.
    pub poll: u32,
    /// A split point made and published.
    pub split: u32,
    /// A ticket stolen, until the thief is at work.
    pub steal: u32,
    /// A look for work that finds none. Where this is 0, whoever looks in vain looks again one unit later.
    pub failed_steal: u32,
}

impl CostModel {
    /// A node is the unit, an evaluation two, and what parallel search adds costs little beside them; a real
    /// machine asks more for a split point.
    pub const UNIT: CostModel =
        CostModel { node: 1, evaluation: 2, table: 0, poll: 0, split: 2, steal: 20, failed_steal: 10 };

    /// Nodes alone: what is left to be lost is search overhead and waiting.
    pub const FREE: CostModel =
        CostModel { node: 1, evaluation: 0, table: 0, poll: 0, split: 0, steal: 0, failed_steal: 0 };

    /// What an event costs.
    #[inline]
    pub(super) fn of(&self, event: Event) -> u64 {
        let cost = match event {
            Event::Node => self.node,
            Event::Evaluation => self.evaluation,
            Event::Table => self.table,
            Event::Poll => self.poll,
            Event::Split => self.split,
            Event::Steal => self.steal,
            Event::FailedSteal => self.failed_steal,
        };
        u64::from(cost)
    }
}
