//! What figures need of a line of a search, real or simulated.

use crate::records::chosen::Chosen;
use crate::records::line::Line;
use crate::records::measured::{Calls, IterationCost, Kept};
use starsplit::score::Score;
use std::mem::take;

/// What is wrong with a score that is not the expected one.
pub(crate) fn other_score(score: Score, expected: Score) -> Option<String> {
    (score != expected).then(|| format!("score {score}, expected {expected}"))
}

/// What a line says of a search's value and cost, parallel or not.
#[derive(Clone, Debug, Default)]
pub(crate) struct RecordedSearch {
    pub(crate) wall_ns: u64,
    pub(crate) nodes: u64,
    pub(crate) evaluations: u64,
    pub(crate) score: Option<Score>,
    pub(crate) busy_ns: Option<u64>,
    pub(crate) idle_ns: Option<u64>,
    pub(crate) stealing_ns: Option<u64>,
    pub(crate) parked_ns: Option<u64>,
    pub(crate) aborted_nodes: u64,
    /// Only where they were counted.
    pub(crate) duplicate_nodes: Option<u64>,
    pub(crate) steals: u64,
    /// How often its workers took so many nanoseconds to leave what had become useless.
    pub(crate) aborts: Vec<(u64, u64)>,
    /// The completed iterations, shallowest first.
    pub(crate) iterations: Vec<IterationCost>,
    pub(crate) chosen: Option<Chosen>,
    pub(crate) calls: Option<Calls>,
    pub(crate) kept: Option<Kept>,
    /// Look-ups, and those that found bounds.
    pub(crate) looks: Option<(u64, u64)>,
}

impl RecordedSearch {
    /// What a line says. Its lists are taken out of it.
    ///
    /// # Errors When it cannot be of a search: one visits something, unless it was stopped, takes some time
    /// and counts its splits.
    pub(crate) fn take(line: &mut Line) -> Result<Self, String> {
        let search = &mut line.search;
        if search.wall_ns == 0 || (search.nodes == 0 && !search.stopped) {
            return Err(format!("{} nodes in {} ns", search.nodes, search.wall_ns));
        }
        let split = |name: &str| search.split.get(name).copied();
        let known = |name: &str| split(name).ok_or_else(|| format!("split without {name}"));
        Ok(RecordedSearch {
            wall_ns: search.wall_ns,
            nodes: search.nodes,
            evaluations: search.evaluations,
            // Of a search that was stopped it is that of a shallower iteration.
            score: search.score.filter(|_| !search.stopped),
            busy_ns: search.busy_ns,
            idle_ns: search.idle_ns,
            stealing_ns: search.stealing_ns,
            parked_ns: search.parked_ns,
            aborted_nodes: known("aborted_nodes")?,
            duplicate_nodes: split("duplicate_nodes"),
            steals: known("steals")?,
            aborts: search
                .workers
                .as_mut()
                .map(|workers| take(&mut workers.abort_counts))
                .unwrap_or_default(),
            iterations: take(&mut search.iterations),
            chosen: take(&mut search.chosen),
            calls: search.calls,
            looks: search.table.get("probes").copied().zip(search.table.get("hits").copied()),
            kept: take(&mut search.kept),
        })
    }

    /// Wall time in seconds.
    pub(crate) fn seconds(&self) -> f64 {
        self.wall_ns as f64 / 1e9
    }

    /// Whether duplicate nodes were counted.
    pub(crate) fn is_explained(&self) -> bool {
        self.duplicate_nodes.is_some()
    }
}
