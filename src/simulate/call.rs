//! How a search on virtual processors calls its helpers: when a search on threads would, and they wake as
//! threads do, as a tree.

use crate::parallel::{CallTime, Parallel, WorkerContext, calls_at_once, halves};
use crate::processor::{Event, Processor};
use crate::search::{HelperStatus, Options, Outlook, Reserve};
use crate::simulate::costs::CostModel;
use crate::simulate::schedule::Virtual;
use std::time::Duration;

/// The call for a search's helpers.
pub(super) struct VirtualCall<'x, S: Parallel> {
    options: &'x Options,
    time: CallTime<'x>,
    /// Until the helpers are there.
    leader: Option<WorkerContext<S>>,
    /// Once they are called.
    helpers: Vec<WokenHelper>,
}

/// A helper that was called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct WokenHelper {
    /// When it is awake and has woken others.
    awake: u64,
    /// How many wake-ups led to it.
    steps: u64,
}

impl<'x, S: Parallel> VirtualCall<'x, S> {
    /// A call not yet made.
    pub(super) fn new(options: &'x Options, leader: WorkerContext<S>) -> Self {
        VirtualCall { options, time: CallTime::new(options), leader: Some(leader), helpers: Vec::new() }
    }
}

impl<'s, S: Parallel<Processor = Virtual<'s>>> Reserve<S> for VirtualCall<'_, S> {
    fn consider(
        &mut self,
        processor: &Virtual<'s>,
        elapsed: Duration,
        outlook: Option<Outlook>,
    ) -> HelperStatus<WorkerContext<S>> {
        if self.leader.is_some() && self.helpers.is_empty() {
            if !self.time.has_come(elapsed, outlook) {
                return HelperStatus::None;
            }
            processor.charge(Event::Wake);
            let helpers = self.options.threads - 1;
            wake_tree((helpers, 1), processor.now(), processor.costs(), &mut self.helpers);
        }
        let now = processor.now();
        if !calls_at_once(self.options) && self.helpers.first().is_some_and(|first| now < first.awake) {
            return HelperStatus::None;
        }
        let Some(leader) = self.leader.take() else { return HelperStatus::Settled };
        // The contexts are handed on down the same tree, each by a steal.
        let handing_on = u64::from(processor.costs().steal);
        for (place, helper) in self.helpers.iter().enumerate() {
            processor.wake_at(1 + place, now.max(helper.awake).saturating_add(helper.steps * handing_on));
        }
        HelperStatus::Joined(leader)
    }
}

/// Adds so many helpers, woken by one that wakes the first of them at `time` and goes on. Each wakes others
/// by two of them.
fn wake_tree((count, steps): (usize, u64), time: u64, costs: CostModel, helpers: &mut Vec<WokenHelper>) {
    let first = helpers.len();
    let mut awake = time.saturating_add(costs.wake_latency.into());
    helpers.push(WokenHelper { awake, steps });
    for part in halves(count - 1) {
        awake = awake.saturating_add(costs.wake.into());
        wake_tree((part, steps + 1), awake, costs, helpers);
    }
    helpers[first].awake = awake;
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree(count: usize, costs: CostModel) -> Vec<WokenHelper> {
        let mut helpers = Vec::new();
        wake_tree((count, 1), 100, costs, &mut helpers);
        helpers
    }

    #[test]
    fn a_team_is_awake_after_as_many_steps_as_its_tree_is_high() {
        let costs = CostModel { wake: 0, wake_latency: 1, ..CostModel::FREE };
        for (count, height) in [(1, 1), (2, 2), (3, 2), (7, 3), (8, 4), (1_023, 10)] {
            let helpers = tree(count, costs);
            assert_eq!(helpers.len(), count);
            assert_eq!(helpers.iter().map(|helper| helper.steps).max(), Some(height), "{count} helpers");
            assert!(helpers.iter().all(|helper| helper.awake == 100 + helper.steps));
        }
    }

    #[test]
    fn who_wakes_others_begins_later() {
        let costs = CostModel { wake: 5, wake_latency: 30, ..CostModel::FREE };
        let expected = [(140, 1), (165, 2), (170, 2)].map(|(awake, steps)| WokenHelper { awake, steps });
        assert_eq!(tree(3, costs), expected);
    }
}
