//! From the costs of single runs to the figures of a measurement.

use crate::analysis::conditions::{Conditions, Disturbance};
use crate::analysis::costs::Cost;
use crate::analysis::decomposition::Factors;
use crate::analysis::figure::Figure;
use crate::analysis::order::Order;
use crate::analysis::ratios::Ratio;
use crate::analysis::reading::Reading;
use crate::analysis::speedups::{Analysis, ContenderKind, Ratios, Role, Runs};
use crate::analysis::tables::is_beyond;
use crate::records::workers::Quantiles;
use serde::Serialize;
use starsplit::search::Algorithm;
use starsplit_statistics::bootstrap::Intervals;
use std::collections::BTreeMap;

/// The figures, in the form of the JSON object.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ScalingFigures {
    /// The algorithm of the searches.
    pub algorithm: &'static str,
    /// The depth of the searches.
    pub depth: u32,
    /// How many positions count: those that every contender has searched without error.
    pub positions: usize,
    /// Nodes of the baseline from which on a position counts as large.
    pub min_nodes: u64,
    /// How many positions are large.
    pub large_positions: usize,
    /// Whether every search found its position's value.
    pub values_equal: bool,
    /// The ordering of the serial search whose median times sum to the least: what speedups are measured
    /// against.
    pub baseline: &'static str,
    /// The serial searches.
    pub serial: Vec<ScalingSerial>,
    /// The machine's ceilings: searches with a whole table each, to their ends.
    pub ceilings: Vec<ScalingCeiling>,
    /// The machine's ceilings like for like: on a parallel search's threads, with its memory, until the first
    /// ends.
    pub matched_ceilings: Vec<ScalingCeiling>,
    /// The parallel searches.
    pub parallel: Vec<ScalingParallel>,
    /// Every position.
    pub by_position: Vec<ScalingPosition>,
    /// Whether threads were pinned to processors; none where the records do not say.
    pub pinned: Option<bool>,
    /// In which order the contenders came.
    pub order: Order,
    /// When the machine was disturbed; none where nobody looked.
    pub probed: Option<Disturbance>,
    /// Whether Ctrl-C ended the measurement early; in the object only then.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub stopped: bool,
}

/// The serial search under one ordering; the medians of each position's runs, summed over the positions.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct ScalingSerial {
    /// The ordering.
    pub ordering: &'static str,
    /// Nodes.
    pub nodes: u64,
    /// Wall time.
    pub seconds: f64,
}

/// What independent serial searches at once get out of the machine.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct ScalingCeiling {
    /// Their ordering.
    pub ordering: &'static str,
    /// How many there are at once.
    pub threads: usize,
    /// The sum of their rates, where the rate of one alone is 1: rates of whole searches, or of nodes where
    /// they are like for like.
    pub ceiling: Figure,
    /// Whether it is more than so many threads can give, in all or in the median over the large positions:
    /// the searches alone were slower, and shares of it are too low. In the object only then.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub beyond_threads: bool,
}

/// A parallel method on one number of threads.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ScalingParallel {
    /// The method.
    pub method: &'static str,
    /// The ordering.
    pub ordering: &'static str,
    /// The number of threads.
    pub threads: usize,
    /// Nodes: the medians of each position's runs, summed over the positions.
    pub nodes: u64,
    /// Wall time, summed in the same way.
    pub seconds: f64,
    /// The baseline's seconds over those of this search.
    pub speedup: Figure,
    /// The speedup over the ceiling of as many threads, or of as many as the machine runs at once where these
    /// are more; none where that was not measured.
    pub ceiling_share: Option<Figure>,
    /// The same of the ceiling like for like.
    pub matched_share: Option<Figure>,
    /// Of the median speedup over the large positions, or over all where none is large; that of two stages
    /// from three rounds on.
    pub speedup_intervals: Intervals,
    /// Of the share of the ceiling, in the same way.
    pub ceiling_share_intervals: Option<Intervals>,
    /// Of the share of the ceiling like for like.
    pub matched_share_intervals: Option<Intervals>,
    /// Nodes over those of the serial search under the same ordering, less 1.
    pub search_overhead: Figure,
    /// The speedup taken apart: every one of [`Factors`] by name; none where it is not known.
    pub decomposition: BTreeMap<&'static str, Option<Figure>>,
    /// From the cut of a split point to the moment a worker had left what it searched below, over all runs,
    /// in nanoseconds.
    pub abort_latency_ns: Quantiles,
    /// The speedup at each position in every round, in the report's order of positions.
    #[serde(skip)]
    pub(crate) rounds: Vec<Vec<f64>>,
    /// The totals of the decomposition, for people.
    #[serde(skip)]
    pub(super) factors: Factors,
}

/// One position; the lists are in the order of the report's.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ScalingPosition {
    /// Its place in the suite, from 1.
    pub index: usize,
    /// The position in the game's notation.
    pub position: String,
    /// The baseline's nodes, the median of its runs.
    pub nodes: u64,
    /// The baseline's wall time, the median of its runs.
    pub seconds: f64,
    /// For each ceiling.
    pub ceilings: Vec<f64>,
    /// For each ceiling like for like.
    pub matched_ceilings: Vec<f64>,
    /// For each parallel search.
    pub speedups: Vec<f64>,
    /// For each parallel search.
    pub ceiling_shares: Vec<Option<f64>>,
    /// For each parallel search.
    pub matched_shares: Vec<Option<f64>>,
    /// For each parallel search.
    pub search_overheads: Vec<f64>,
    /// For each parallel search.
    pub decompositions: Vec<Factors>,
}

/// What the figures are of, beside the costs.
#[derive(Clone, Debug)]
pub(super) struct ScalingFrame<'a> {
    pub(super) algorithm: &'static str,
    pub(super) depth: u32,
    /// How many threads the machine runs at once.
    pub(super) cores: usize,
    pub(super) min_nodes: u64,
    pub(super) values_equal: bool,
    /// The suite's positions in the game's notation.
    pub(super) positions: Vec<&'a str>,
    pub(super) pinned: Option<bool>,
    /// Under which the runs were made.
    pub(super) conditions: &'a Conditions,
}

impl ScalingFigures {
    /// The figures of all that was read of searches by this algorithm to this depth.
    pub(super) fn read(
        reading: &Reading,
        conditions: &Conditions,
        (algorithm, depth): (Algorithm, u32),
        min_nodes: u64,
    ) -> Self {
        let frame = ScalingFrame {
            algorithm: algorithm.name(),
            depth,
            cores: reading.cores,
            min_nodes,
            values_equal: reading.values_equal,
            positions: reading.texts.iter().map(String::as_str).collect(),
            pinned: reading.meta.settings.get("pinned").as_bool(),
            conditions,
        };
        ScalingFigures::new(&frame, &reading.contenders, &reading.runs())
    }

    /// The figures of the `contenders`, whose numbers are those of the `runs`.
    pub(super) fn new(frame: &ScalingFrame<'_>, contenders: &[ContenderKind], runs: &Runs<'_>) -> Self {
        let positions = runs.costs.complete();
        let analysis = Analysis::new(contenders, frame.cores, *runs, &positions);
        let (best, baseline) = analysis.baseline();
        let large: Vec<bool> = baseline.iter().map(|cost| cost.nodes >= frame.min_nodes as f64).collect();
        let ceilings = [Role::Ceiling, Role::MatchedCeiling]
            .map(|role| analysis.ceilings(role).collect::<Vec<(ContenderKind, Ratio)>>());
        let parallel: Vec<Ratios> = analysis.parallel().collect();
        let probed = frame.conditions.disturbance();
        let position = |(place, &index): (usize, &usize)| {
            let text = frame.positions[index].to_owned();
            ScalingPosition::new(index, text, place, baseline[place], &ceilings, &parallel)
        };
        ScalingFigures {
            algorithm: frame.algorithm,
            depth: frame.depth,
            positions: positions.len(),
            min_nodes: frame.min_nodes,
            large_positions: large.iter().filter(|large| **large).count(),
            values_equal: frame.values_equal,
            baseline: best.ordering.name(),
            serial: analysis
                .serial()
                .map(|(contender, costs)| ScalingSerial::new(contender, costs))
                .collect(),
            ceilings: ScalingCeiling::all(&ceilings[0], &large),
            matched_ceilings: ScalingCeiling::all(&ceilings[1], &large),
            parallel: parallel.iter().map(|ratios| ScalingParallel::new(ratios, &large)).collect(),
            by_position: positions.iter().enumerate().map(position).collect(),
            pinned: frame.pinned,
            order: frame.conditions.order(),
            probed,
            stopped: false,
        }
    }
}

impl ScalingSerial {
    fn new(contender: ContenderKind, costs: &[Cost]) -> Self {
        let Cost { nodes, seconds } = costs.iter().copied().sum();
        ScalingSerial { ordering: contender.ordering.name(), nodes: nodes.round() as u64, seconds }
    }
}

impl ScalingCeiling {
    fn all(ceilings: &[(ContenderKind, Ratio)], large: &[bool]) -> Vec<Self> {
        ceilings.iter().map(|(kind, ratio)| ScalingCeiling::new(kind, Figure::of(ratio, large))).collect()
    }

    fn new(contender: &ContenderKind, ceiling: Figure) -> Self {
        let threads = contender.threads;
        let middles = [Some(ceiling.total), ceiling.large.map(|spread| spread.median)];
        let beyond_threads = middles.into_iter().flatten().any(|middle| is_beyond(middle, threads));
        ScalingCeiling { ordering: contender.ordering.name(), threads, ceiling, beyond_threads }
    }
}

impl ScalingParallel {
    fn new(ratios: &Ratios, large: &[bool]) -> Self {
        let figure = |ratio: &Ratio| Figure::of(ratio, large);
        let intervals = |ratio: &Ratio| Intervals::of(&drawn(ratio, large));
        ScalingParallel {
            method: ratios.contender.role.name(),
            ordering: ratios.contender.ordering.name(),
            threads: ratios.contender.threads,
            nodes: ratios.sum.nodes.round() as u64,
            seconds: ratios.sum.seconds,
            speedup: figure(&ratios.speedup),
            ceiling_share: ratios.ceiling_share.as_ref().map(figure),
            matched_share: ratios.matched_share.as_ref().map(figure),
            speedup_intervals: intervals(&ratios.speedup),
            ceiling_share_intervals: ratios.ceiling_share.as_ref().map(intervals),
            matched_share_intervals: ratios.matched_share.as_ref().map(intervals),
            search_overhead: figure(&ratios.search_overhead),
            decomposition: ratios.decomposition.figures(large).collect(),
            abort_latency_ns: ratios.abort_latency,
            rounds: ratios.speedup.each.clone(),
            factors: ratios.decomposition.total,
        }
    }
}

/// The rounds of the positions that are drawn: the large ones, or all where none is large.
fn drawn(ratio: &Ratio, large: &[bool]) -> Vec<Vec<f64>> {
    let counts = |large_one: bool| large_one || !large.contains(&true);
    ratio.each.iter().zip(large).filter(|(_, large)| counts(**large)).map(|(own, _)| own.clone()).collect()
}

impl ScalingPosition {
    /// Position `index` of the suite, which has the given `place` among those that count.
    fn new(
        index: usize,
        position: String,
        place: usize,
        baseline: Cost,
        [ceilings, matched]: &[Vec<(ContenderKind, Ratio)>; 2],
        parallel: &[Ratios],
    ) -> Self {
        let here = |ratio: &Ratio| ratio.at(place);
        ScalingPosition {
            index: index + 1,
            position,
            nodes: baseline.nodes.round() as u64,
            seconds: baseline.seconds,
            ceilings: ceilings.iter().map(|(_, ceiling)| here(ceiling)).collect(),
            matched_ceilings: matched.iter().map(|(_, ceiling)| here(ceiling)).collect(),
            speedups: parallel.iter().map(|ratios| here(&ratios.speedup)).collect(),
            ceiling_shares: parallel.iter().map(|ratios| ratios.ceiling_share.as_ref().map(here)).collect(),
            matched_shares: parallel.iter().map(|ratios| ratios.matched_share.as_ref().map(here)).collect(),
            search_overheads: parallel.iter().map(|ratios| here(&ratios.search_overhead)).collect(),
            decompositions: parallel.iter().map(|ratios| ratios.decomposition.each[place]).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::costs::Costs;
    use crate::analysis::efforts::{Effort, Efforts};
    use crate::analysis::speedups::Role;
    use starsplit::search::{Method, MoveOrdering};

    /// A serial search, its ceiling and the parallel search on two threads.
    const ENTRANTS: [(Role, usize); 3] =
        [(Role::Serial, 1), (Role::Ceiling, 2), (Role::Parallel(Method::ChanceSplit), 2)];

    /// The report on positions whose costs are given for each contender, or on those of them that have any.
    fn report(positions: &[[Option<(f64, f64)>; 3]]) -> ScalingFigures {
        let contenders =
            ENTRANTS.map(|(role, threads)| ContenderKind { role, ordering: MoveOrdering::Paper, threads });
        let mut costs = Costs::new(3, positions.len());
        let mut efforts = Efforts::new(3, positions.len());
        for (index, position) in positions.iter().enumerate() {
            for (place, cost) in position.iter().enumerate() {
                if let &Some((nodes, seconds)) = cost {
                    costs.add(place, index, 0, Cost { nodes, seconds });
                    let busy = 2.0 * seconds;
                    efforts.add_effort(
                        place,
                        index,
                        0,
                        Effort { wall: seconds, busy, nodes, ..Effort::default() },
                    );
                }
            }
        }
        let frame = ScalingFrame {
            algorithm: "star2-tt",
            depth: 5,
            cores: 2,
            min_nodes: 100,
            values_equal: true,
            positions: vec!["some position"; positions.len()],
            pinned: None,
            conditions: &Conditions::default(),
        };
        ScalingFigures::new(&frame, &contenders, &Runs { costs: &costs, efforts: &efforts, explained: false })
    }

    #[test]
    fn figures_are_of_the_positions_that_all_have_searched() {
        let whole = |nodes, seconds| [Some((nodes, seconds)); 3];
        let part = [Some((1.0, 1.0)), None, Some((1.0, 1.0))];
        let report = report(&[part, whole(100.0, 4.0), whole(99.0, 2.0)]);
        assert_eq!((report.positions, report.large_positions, report.baseline), (2, 1, "paper"));
        assert_eq!(report.serial, [ScalingSerial { ordering: "paper", nodes: 199, seconds: 6.0 }]);
        assert_eq!((report.ceilings[0].threads, report.ceilings[0].ceiling.total), (2, 2.0));
        assert!(!report.ceilings[0].beyond_threads);
        let parallel = &report.parallel[0];
        assert_eq!((parallel.method, parallel.nodes, parallel.seconds), ("chance-split", 199, 6.0));
        assert_eq!((parallel.speedup.total, parallel.ceiling_share.unwrap().total), (1.0, 0.5));
        assert_eq!(
            report.by_position.iter().map(|p| (p.index, p.nodes)).collect::<Vec<_>>(),
            [(2, 100), (3, 99)]
        );
        assert_eq!(report.by_position[0].ceiling_shares, [Some(0.5)]);
        let whole = |name| parallel.decomposition[name].map(|figure| figure.total);
        assert_eq!((whole("predicted"), whole("measured")), (Some(1.0), Some(1.0)));
        assert_eq!(
            (whole("node_rate_ratio"), whole("idle"), whole("duplicate")),
            (Some(0.5), Some(0.0), None)
        );
        assert_eq!(report.by_position[0].decompositions[0].residual, Some(0.0));
    }

    #[test]
    fn without_positions_figures_are_null() {
        let report = serde_json::to_value(report(&[[None; 3]])).unwrap();
        assert_eq!(report["positions"], 0);
        let speedup = &report["parallel"][0]["speedup"];
        assert!(
            speedup["total"].is_null() && speedup["all"].is_null() && speedup["large"].is_null(),
            "{speedup}"
        );
    }
}
