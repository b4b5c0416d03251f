//! How the cost of iterative deepening grows with depth.

use crate::records::measured::IterationCost;
use starsplit_statistics::summary::median;
use std::collections::BTreeMap;

/// What it took until an iteration was complete, all shallower ones included.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ToDepth {
    /// Nodes.
    pub nodes: f64,
    /// Time to depth, in seconds.
    pub seconds: f64,
}

/// What it took several runs of one search until each depth was complete: the medians over the runs that
/// completed it.
///
/// O(n log n) in the number of iterations.
pub fn to_depth<'a>(runs: impl Iterator<Item = &'a [IterationCost]>) -> BTreeMap<u32, ToDepth> {
    let mut steps: BTreeMap<u32, [Vec<f64>; 2]> = BTreeMap::new();
    for step in runs.flatten() {
        let [nodes, seconds] = steps.entry(step.depth).or_default();
        nodes.push(step.nodes as f64);
        seconds.push(step.wall_ns as f64 / 1e9);
    }
    let middle = |samples: &[f64]| median(samples).unwrap_or(f64::NAN);
    let of = |(depth, [nodes, seconds]): (u32, [Vec<f64>; 2])| {
        (depth, ToDepth { nodes: middle(&nodes), seconds: middle(&seconds) })
    };
    steps.into_iter().map(of).collect()
}

/// The effective branching factor at each depth: how many times as many nodes a ply costs, as the geometric
/// mean of the two last plies, one of which is chance's and one a player's. `until` has how many nodes a
/// search had visited when the iteration to a depth was complete. Depths without an iteration of their own
/// nodes, and those whose last but one has none, have no factor.
///
/// O(n log n) in the number of depths. Source: the usual one of iterative deepening, as in Korf, "Depth-first
/// iterative-deepening", Artificial Intelligence 27 (1985), for a tree whose plies take turns.
pub fn branching(until: &BTreeMap<u32, f64>) -> BTreeMap<u32, f64> {
    let mut before = 0.0;
    let mut own = BTreeMap::new();
    for (&depth, &nodes) in until {
        if nodes > before {
            own.insert(depth, nodes - before);
        }
        before = before.max(nodes);
    }
    let factor = |(&depth, &nodes): (&u32, &f64)| {
        let two_plies = nodes / own.get(&depth.checked_sub(2)?)?;
        Some((depth, two_plies.sqrt()))
    };
    own.iter().filter_map(factor).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn odd_depths_alone_have_factors_too() {
        let until = [(1, 10.0), (3, 10.0 + 90.0), (5, 10.0 + 90.0 + 810.0)].into();
        assert_eq!(branching(&until), BTreeMap::from([(3, 3.0), (5, 3.0)]));
    }

    #[test]
    fn what_has_no_nodes_of_its_own_has_no_factor() {
        let until = [(1, 10.0), (2, 20.0), (3, 20.0), (4, 60.0), (5, 70.0)].into();
        assert_eq!(branching(&until), BTreeMap::from([(4, 2.0)]));
        assert_eq!(branching(&BTreeMap::new()), BTreeMap::new());
    }

    fn step(depth: u32, nodes: u64, ms: u64) -> IterationCost {
        IterationCost { depth, nodes, evaluations: 0, wall_ns: 1_000_000 * ms }
    }

    #[test]
    fn the_middle_of_the_runs_that_completed_a_depth_counts() {
        let runs =
            [vec![step(1, 5, 2), step(3, 50, 9)], vec![step(1, 5, 4), step(3, 70, 7)], vec![step(1, 5, 3)]];
        let expected =
            [(1, ToDepth { nodes: 5.0, seconds: 0.003 }), (3, ToDepth { nodes: 60.0, seconds: 0.008 })];
        assert_eq!(to_depth(runs.iter().map(Vec::as_slice)), expected.into());
    }

    proptest! {
        #[test]
        fn deeper_takes_longer_whatever_the_order_of_the_runs(
            runs in prop::collection::vec(prop::collection::vec((1..1000_u64, 1..1000_u64), 4), 1..6),
        ) {
            let run = |own: &Vec<(u64, u64)>| {
                let mut sum = (0, 0);
                let mut add = |(depth, &(nodes, ms)): (u32, &(u64, u64))| {
                    sum = (sum.0 + nodes, sum.1 + ms);
                    step(depth, sum.0, sum.1)
                };
                (1..).zip(own).map(&mut add).collect::<Vec<_>>()
            };
            let runs: Vec<_> = runs.iter().map(run).collect();
            let found = to_depth(runs.iter().map(Vec::as_slice));
            prop_assert_eq!(&found, &to_depth(runs.iter().rev().map(Vec::as_slice)));
            let rows: Vec<_> = found.values().collect();
            prop_assert_eq!(rows.len(), 4);
            let is_more = |pair: &[&ToDepth]| {
                pair[0].nodes < pair[1].nodes && pair[0].seconds < pair[1].seconds
            };
            prop_assert!(rows.windows(2).all(is_more), "{:?}", rows);
        }

        #[test]
        fn regular_growth_is_found(factor in 1.01..50.0_f64, first in 1.0..1e6_f64, plies in 3..20_u32) {
            let mut sum = 0.0;
            let until = (1..=plies).map(|depth| {
                sum += first * factor.powi(depth as i32 - 1);
                (depth, sum)
            }).collect();
            let found = branching(&until);
            prop_assert_eq!(found.len() as u32, plies - 2);
            for (depth, found) in found {
                prop_assert!((found / factor - 1.0).abs() < 1e-3, "depth {}: {} for {}", depth, found,
                    factor);
            }
        }

        #[test]
        fn a_faster_machine_or_a_coarser_count_changes_nothing(scale in 0.001..1000.0_f64) {
            let until = BTreeMap::from([(1, 3.0), (2, 10.0), (3, 40.0), (4, 100.0)]);
            let scaled = until.iter().map(|(&depth, &nodes)| (depth, scale * nodes)).collect();
            for ((_, one), (_, other)) in branching(&until).iter().zip(&branching(&scaled)) {
                prop_assert!((one / other - 1.0).abs() < 1e-9);
            }
        }
    }
}
