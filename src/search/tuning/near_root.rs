//! Which nodes are near the root: those below which so much work is expected (Schaeffer's lecture has the
//! table and enhanced transposition cutoffs near the root only, by a depth). A depth says little of work,
//! which differs from game to game by what one more ply multiplies it with; so it is told in nodes, and the
//! depth follows from the shallower iterations, as that of splits does.

use crate::search::request::Options;
use crate::search::setup::Setup;
use crate::search::tuning::Plan;
use crate::search::tuning::splits::least_depth;
use crate::search::worker::Worker;

/// Whether the options ask for it.
pub(super) fn is_asked(options: &Options) -> bool {
    options.table_work.or(options.move_probing_work).is_some()
}

/// `plan` for the next iteration, by the depths and nodes of those before.
fn near_root(options: &Options, plan: Plan, first: Plan, iterations: &[(u8, u64)]) -> Plan {
    let least = |work: Option<u64>| least_depth(iterations, work? as f64);
    let table = least(options.table_work).unwrap_or(0);
    Plan {
        chance_table_depth: first.chance_table_depth.max(table),
        decision_table_depth: first.decision_table_depth.max(table),
        move_probing_depth: least(options.move_probing_work).unwrap_or(plan.move_probing_depth),
        ..plan
    }
}

impl<S: Setup> Worker<'_, S> {
    /// Goes by what the iterations so far say is near the root, with all workers of the search.
    pub(super) fn choose_near_root(&mut self, iterations: &[(u8, u64)]) {
        let first = self.tuner.first_plan::<S>(self.options);
        let plan = near_root(self.options, self.plan, first, iterations);
        if plan != self.plan {
            self.publish_plan(plan);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_near_follows_from_the_work_below() {
        let plan = Plan {
            chance_table_depth: 2,
            decision_table_depth: 3,
            remembers_evaluations: false,
            static_depths: 0,
            move_probing_depth: 255,
        };
        let iterations = [(1, 1), (2, 10), (3, 100)];
        let depths = |table_work, move_probing_work| {
            let options = Options { table_work, move_probing_work, ..Options::default() };
            let plan = near_root(&options, plan, plan, &iterations);
            (plan.chance_table_depth, plan.decision_table_depth, plan.move_probing_depth)
        };
        assert_eq!(depths(None, None), (2, 3, 255));
        assert_eq!(depths(Some(1), Some(10)), (2, 3, 2), "no nearer to the leaves than is usual");
        assert_eq!(depths(Some(900), Some(90_000)), (4, 4, 6));
    }
}
