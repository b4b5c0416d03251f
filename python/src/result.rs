//! What a search answers, as a plain object.

use pyo3::prelude::*;
use pyo3::types::PyDict;
use starsplit::game::{Player, Step};
use starsplit::score::{Bounds, Grid};
use starsplit::search::{Iteration, RootMove, RootOutcome, StopReason, TableCounts};
use starsplit_doors::door::Answer;

/// The answer of a search, or of one iteration. Values are in the game's units, scores in steps of the grid,
/// both for player 0.
#[pyclass(frozen, get_all, module = "starsplit")]
#[derive(Clone)]
pub(crate) struct SearchResult {
    depth: u32,
    value: f64,
    bounds: (f64, f64),
    score: (i32, i32),
    is_exact: bool,
    best_move: Option<String>,
    best_action: Option<usize>,
    line: Vec<String>,
    ranked_moves: Vec<(String, f64)>,
    nodes: u64,
    evaluations: u64,
    contradictions: u64,
    batches: (u64, f64),
    seconds: f64,
    stopped_by: Option<&'static str>,
}

impl SearchResult {
    /// Of a search that has ended, of a position whose moves are so written.
    pub(crate) fn of_answer(grid: Grid, viewer: Player, moves: &[String], answer: &Answer) -> Self {
        let of_last = Iteration {
            depth: answer.depth,
            bounds: answer.bounds,
            best_move: answer.best_move.clone(),
            pv: answer.pv.clone(),
            root_moves: answer.root_moves.clone(),
            stats: answer.stats,
            elapsed: answer.elapsed,
        };
        let stopped_by = match answer.stopped_by {
            StopReason::Depth => "depth",
            StopReason::Nodes => "nodes",
            StopReason::Time => "time",
            StopReason::Flag => "stop",
        };
        let batches = (answer.stats.batches.calls, answer.stats.batches.fill(answer.lanes.batch));
        let found = Self::of_iteration(grid, viewer, moves, &of_last);
        SearchResult { stopped_by: Some(stopped_by), batches, ..found }
    }

    /// Of one iteration.
    pub(crate) fn of_iteration(
        grid: Grid,
        viewer: Player,
        moves: &[String],
        iteration: &Iteration<String, String>,
    ) -> Self {
        let for_max = |bounds: Bounds| match viewer {
            Player::Max => bounds,
            Player::Min => bounds.flipped(),
        };
        let bounds = for_max(iteration.bounds);
        let (lower, upper) = (grid.value(bounds.lower), grid.value(bounds.upper));
        let best = iteration.best_move.as_ref();
        SearchResult {
            depth: iteration.depth,
            value: if bounds.is_exact() { lower } else { f64::midpoint(lower, upper) },
            bounds: (lower, upper),
            score: (bounds.lower, bounds.upper),
            is_exact: iteration.depth > 0 && bounds.is_exact(),
            best_move: best.cloned(),
            best_action: best.and_then(|best| moves.iter().position(|text| text == best)),
            line: iteration.pv.iter().map(text).collect(),
            ranked_moves: iteration
                .root_moves
                .iter()
                .filter(|ranked| ranked.bounds.is_exact())
                .map(|RootMove { mv, value, .. }| (mv.clone(), *value))
                .collect(),
            nodes: iteration.stats.nodes.total(),
            evaluations: iteration.stats.nodes.evaluations,
            contradictions: iteration.stats.table.contradictions,
            batches: (0, 0.0),
            seconds: iteration.elapsed.as_secs_f64(),
            stopped_by: None,
        }
    }
}

/// An outcome of a chance node, with its value in the game's units for player 0.
#[pyclass(frozen, get_all, module = "starsplit")]
#[derive(Clone)]
pub(crate) struct Outcome {
    outcome: String,
    probability: f64,
    value: f64,
    bounds: (f64, f64),
    is_exact: bool,
    line: Vec<String>,
}

impl Outcome {
    /// Those of a node whose player is `viewer`.
    pub(crate) fn all(grid: Grid, viewer: Player, found: Vec<RootOutcome<String, String>>) -> Vec<Self> {
        let total: f64 = found.iter().map(|one| f64::from(one.weight)).sum();
        let told = |RootOutcome { outcome, weight, bounds, value, pv }| {
            let for_max = if viewer == Player::Max { bounds } else { Bounds::flipped(bounds) };
            Outcome {
                outcome,
                probability: f64::from(weight) / total,
                value,
                bounds: (grid.value(for_max.lower), grid.value(for_max.upper)),
                is_exact: bounds.is_exact(),
                line: pv.iter().map(text).collect(),
            }
        };
        found.into_iter().map(told).collect()
    }
}

#[pymethods]
impl Outcome {
    fn __repr__(&self) -> String {
        format!("<{}: probability {}, value {}>", self.outcome, self.probability, self.value)
    }
}

fn text(step: &Step<String, String>) -> String {
    match step {
        Step::Move(text) | Step::Outcome(text) => text.clone(),
    }
}

#[pymethods]
impl SearchResult {
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let dict = PyDict::new(py);
        dict.set_item("depth", self.depth)?;
        dict.set_item("value", self.value)?;
        dict.set_item("bounds", self.bounds)?;
        dict.set_item("score", self.score)?;
        dict.set_item("is_exact", self.is_exact)?;
        dict.set_item("contradictions", self.contradictions)?;
        dict.set_item("best_move", &self.best_move)?;
        dict.set_item("best_action", self.best_action)?;
        dict.set_item("line", &self.line)?;
        dict.set_item("ranked_moves", &self.ranked_moves)?;
        dict.set_item("nodes", self.nodes)?;
        dict.set_item("evaluations", self.evaluations)?;
        dict.set_item("batches", self.batches)?;
        dict.set_item("seconds", self.seconds)?;
        dict.set_item("stopped_by", self.stopped_by)?;
        Ok(dict)
    }

    fn __repr__(&self) -> String {
        let best = self.best_move.as_deref().unwrap_or("none");
        let warned = match self.contradictions {
            0 => String::new(),
            contradictions => {
                let counts = TableCounts { contradictions, ..TableCounts::default() };
                format!(" ({})", counts.contradictions_text())
            }
        };
        format!(
            "<depth {}: value {}{warned}, best move {best}, {} nodes>",
            self.depth, self.value, self.nodes
        )
    }
}
