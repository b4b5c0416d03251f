//! From measured searches to the paper's tables.

use crate::records::measured::IterationCost;
use crate::records::recorded::RecordedSearch;
use serde::Serialize;
use starsplit::search::{Algorithm, Options};
use starsplit_statistics::summary::Summary;
use std::collections::BTreeSet;

/// The tables, in the form of the JSON object.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PaperFigures {
    /// The depth of the searches.
    pub depth: u32,
    /// How many positions the suite has.
    pub positions: usize,
    /// Whether every algorithm found the same values.
    pub values_equal: bool,
    /// The figures for each move ordering.
    pub orderings: Vec<PaperOrdering>,
    /// Whether it is of the paper's game, so that its own figures stand beside these.
    #[serde(skip)]
    pub is_the_paper_s: bool,
    /// Whether Ctrl-C ended the run early; in the object only then.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub stopped: bool,
}

/// The figures for one move ordering.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PaperOrdering {
    /// The ordering.
    pub ordering: &'static str,
    /// How many positions every algorithm has searched.
    pub positions: usize,
    /// The figures for each algorithm.
    pub algorithms: Vec<PaperAlgorithm>,
}

/// What one algorithm took, over the positions.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PaperAlgorithm {
    /// The algorithm.
    pub algorithm: &'static str,
    /// Which nodes used the table.
    pub table_use: &'static str,
    /// Table I, in nodes; none without positions.
    pub nodes: Option<Summary>,
    /// Table II.
    pub seconds: Option<Summary>,
    /// Static evaluations, for leaves and for ordering.
    pub evaluations: Option<Summary>,
    /// Figure 6.3.
    pub by_depth: Vec<AlgorithmAtDepth>,
}

/// What one algorithm took until a depth was complete: means over the positions.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct AlgorithmAtDepth {
    /// The depth.
    pub depth: u32,
    /// Nodes.
    pub nodes: f64,
    /// Static evaluations.
    pub evaluations: f64,
    /// Seconds.
    pub seconds: f64,
}

impl PaperAlgorithm {
    /// What it took at some positions.
    pub(super) fn new(algorithm: Algorithm, runs: &[&RecordedSearch]) -> Self {
        let summary = |part: fn(&RecordedSearch) -> f64| {
            Summary::of(&runs.iter().map(|run| part(run)).collect::<Vec<_>>())
        };
        let iterations: Vec<&[IterationCost]> = runs.iter().map(|run| run.iterations.as_slice()).collect();
        PaperAlgorithm {
            algorithm: algorithm.name(),
            table_use: Options::paper(algorithm).table_use.name(),
            nodes: summary(|run| run.nodes as f64),
            seconds: summary(RecordedSearch::seconds),
            evaluations: summary(|run| run.evaluations as f64),
            by_depth: by_depth(&iterations),
        }
    }
}

fn by_depth(runs: &[&[IterationCost]]) -> Vec<AlgorithmAtDepth> {
    let depths: BTreeSet<u32> = runs.iter().flat_map(|steps| steps.iter().map(|step| step.depth)).collect();
    let at = |depth| {
        // A search that had nothing left to deepen stays at what it took.
        let reached =
            |steps: &&[IterationCost]| steps.iter().take_while(|step| step.depth <= depth).last().copied();
        let steps: Vec<IterationCost> = runs.iter().filter_map(reached).collect();
        let mean = |part: fn(&IterationCost) -> f64| steps.iter().map(part).sum::<f64>() / steps.len() as f64;
        AlgorithmAtDepth {
            depth,
            nodes: mean(|step| step.nodes as f64),
            evaluations: mean(|step| step.evaluations as f64),
            seconds: mean(|step| step.wall_ns as f64 / 1e9),
        }
    };
    depths.into_iter().map(at).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn step(depth: u32, nodes: u64) -> IterationCost {
        IterationCost { depth, nodes, evaluations: 2 * nodes, wall_ns: 1_000_000_000 * nodes }
    }

    #[test]
    fn figures_by_depth_are_means_over_the_positions() {
        let (long, short) = ([step(1, 10), step(3, 100)], [step(1, 20), step(3, 300)]);
        let expected = [
            AlgorithmAtDepth { depth: 1, nodes: 15.0, evaluations: 30.0, seconds: 15.0 },
            AlgorithmAtDepth { depth: 3, nodes: 200.0, evaluations: 400.0, seconds: 200.0 },
        ];
        assert_eq!(by_depth(&[&long, &short]), expected);
    }

    #[test]
    fn a_search_that_ended_early_stays_at_what_it_took() {
        let (long, short) = ([step(1, 10), step(3, 100)], [step(1, 20)]);
        assert_eq!(by_depth(&[&long, &short])[1].nodes, 60.0);
        assert_eq!(by_depth(&[]), []);
    }
}
