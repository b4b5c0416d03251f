//! The costs of events on a virtual processor.

use crate::processor::Event;

/// The costs of events, in nanoseconds of virtual time or in any other unit.
///
/// Everything else is free: a node's cost includes the game's rules and the sums of a chance node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CostModel {
    /// A node, leaf or not.
    pub node: u32,
    /// A static evaluation.
    pub evaluation: u32,
    /// A table probe or store.
    pub table: u32,
    /// A poll: whether the task is cancelled, or which workers are idle.
    pub poll: u32,
    /// Making and publishing a split point.
    pub split: u32,
    /// Stealing a ticket, until the thief starts its task.
    pub steal: u32,
    /// A look for work that finds none. If this is 0, the worker looks again one unit later.
    pub failed_steal: u32,
    /// Waking a worker, for the one that wakes it.
    pub wake: u32,
    /// From then until it runs. If this and `wake` are 0, all workers begin at once and none sleeps; else the
    /// search begins alone, calls its helpers as on threads, and times are nanoseconds.
    pub wake_latency: u32,
}

impl CostModel {
    /// A node is the unit and an evaluation takes two. Parallel search adds little; a split point costs more
    /// on a real machine.
    pub const UNIT: CostModel = CostModel {
        node: 1,
        evaluation: 2,
        table: 0,
        poll: 0,
        split: 2,
        steal: 20,
        failed_steal: 10,
        wake: 0,
        wake_latency: 0,
    };

    /// Nodes alone: only search overhead and waiting can be lost.
    pub const FREE: CostModel =
        CostModel { evaluation: 0, split: 0, steal: 0, failed_steal: 0, ..CostModel::UNIT };

    /// Whether workers are awake from the beginning to the end.
    pub(super) fn wakes_at_once(&self) -> bool {
        self.wake == 0 && self.wake_latency == 0
    }

    /// The cost of an event.
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
            Event::Wake => self.wake,
        };
        u64::from(cost)
    }
}
