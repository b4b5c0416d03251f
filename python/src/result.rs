//! What a search answers, as a plain object.

use crate::game::{Reduced, hashed};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use starsplit::game::{Player, Step};
use starsplit::score::{Bounds, Grid};
use starsplit::search::{
    Expectation as Means, Iteration, RootMove, RootOutcome, RootRanking, Stats, StopReason, TableCounts,
};
use starsplit_doors::door::Answer;
use std::time::Duration;

/// A value in the game's units for player 0; not a number where there is none. What is none equals itself, so that a
/// copy equals what it is of.
#[derive(Clone, Copy, FromPyObject, IntoPyObject, IntoPyObjectRef)]
#[pyo3(transparent)]
pub(crate) struct Worth(f64);

impl PartialEq for Worth {
    fn eq(&self, other: &Self) -> bool {
        self.0 == other.0 || self.0.is_nan() && other.0.is_nan()
    }
}

/// The answer of a search, or of an iteration. Values are in the game's units, for player 0.
#[pyclass(frozen, get_all, eq, module = "starsplit")]
#[derive(Clone, PartialEq)]
pub(crate) struct SearchResult {
    /// Of the last completed iteration, in plies; 0 where none was.
    depth: u32,
    /// The value at that depth; where it is not exact, the middle of the bounds; nan where no iteration was completed.
    value: Worth,
    /// What is proven of the value.
    bounds: (f64, f64),
    /// The bounds in steps of the game's grid: what to compare.
    score: (i32, i32),
    /// Whether the value is known exactly: it is wherever an iteration was completed.
    is_exact: bool,
    /// The best move in the game's words; None at chance nodes.
    best_move: Option<String>,
    /// The same as an action.
    best_action: Option<usize>,
    /// The principal line: best moves, and the likeliest outcomes.
    line: Vec<String>,
    /// With the option `rank_root_moves=3`, the three best moves with their values, best first; all with
    /// `True`.
    ranked_moves: Vec<(String, f64)>,
    /// How many nodes were visited, over all iterations and threads.
    nodes: u64,
    /// How many evaluations were made.
    evaluations: u64,
    /// How many proofs contradicted each other. Unless it is 0 the game's keys, its rules or its evaluation
    /// break the contract, and the value may be wrong; 0 proves nothing.
    contradictions: u64,
    /// How many calls were for more than one position, and which part of `batch` they filled in the mean. Of a
    /// game written in Python, states in them that have been evaluated before are left out of what `evaluate` is
    /// given.
    batches: (u64, f64),
    /// Wall time.
    seconds: f64,
    /// Whether other threads were called. Not to a search that is over soon, nor while another search has them.
    had_helpers: bool,
    /// How many seconds another search had the threads when this one wanted them. It searched alone meanwhile.
    waited: f64,
    /// The prices that the search took for granted, since nobody declared them: `costs`, `successor_cost`,
    /// `fixed_ns`, `each_ns`. Declared as measured, they may save most of its time. Empty for an iteration.
    assumed: Vec<String>,
    /// "depth", "nodes", "time" or "stop"; None for an iteration.
    stopped_by: Option<String>,
    /// The tree of the last iteration as JSON lines, with the option `tree_nodes=20000`; None without, and for an
    /// iteration. `SearchTree` reads it.
    pub(crate) tree: Option<String>,
}

/// What an iteration and a result have of the last iteration.
struct Last<'a> {
    depth: u32,
    bounds: Bounds,
    value: f64,
    best_move: Option<&'a String>,
    pv: &'a [Step<String, String>],
    root_moves: &'a [RootMove<String>],
    nodes: u64,
    stats: Stats,
    elapsed: Duration,
}

impl SearchResult {
    /// Of a search that has ended, of a position whose moves are so written.
    /// So many moves were asked to be ranked: others may be exact by chance. Nobody declared these prices.
    pub(crate) fn of_answer(
        grid: Grid,
        viewer: Player,
        moves: &[String],
        (answer, ranked): (&Answer, RootRanking),
        assumed: &[&str],
    ) -> Self {
        let last = Last {
            depth: answer.depth,
            bounds: answer.bounds,
            value: answer.iterations.last().map_or(f64::NAN, |last| last.value),
            best_move: answer.best_move.as_ref(),
            pv: &answer.pv,
            root_moves: &answer.root_moves,
            nodes: answer.stats.nodes.total(),
            stats: answer.stats,
            elapsed: answer.elapsed,
        };
        let stopped_by = match answer.stopped_by {
            StopReason::Depth => "depth",
            StopReason::Nodes => "nodes",
            StopReason::Time => "time",
            _ => "stop",
        };
        let batches = (answer.stats.batches.calls, answer.stats.batches.fill(answer.lanes.batch));
        let mut found = Self::of_last(grid, viewer, moves, &last);
        if let RootRanking::Best(count) = ranked {
            found.ranked_moves.truncate(count as usize);
        }
        let (had_helpers, waited) = (answer.had_helpers, answer.waited.as_secs_f64());
        let assumed = assumed.iter().map(|&name| name.to_owned()).collect();
        SearchResult {
            stopped_by: Some(stopped_by.to_owned()),
            batches,
            had_helpers,
            waited,
            assumed,
            ..found
        }
    }

    /// Of one iteration.
    pub(crate) fn of_iteration(
        grid: Grid,
        viewer: Player,
        moves: &[String],
        iteration: &Iteration<String, String>,
    ) -> Self {
        let last = Last {
            depth: iteration.depth,
            bounds: iteration.bounds,
            value: iteration.value,
            best_move: iteration.best_move.as_ref(),
            pv: &iteration.pv,
            root_moves: &iteration.root_moves,
            nodes: iteration.nodes,
            stats: iteration.stats,
            elapsed: iteration.elapsed,
        };
        Self::of_last(grid, viewer, moves, &last)
    }

    fn of_last(grid: Grid, viewer: Player, moves: &[String], iteration: &Last<'_>) -> Self {
        let bounds = for_max(viewer, iteration.bounds);
        let (lower, upper) = (grid.value(bounds.lower), grid.value(bounds.upper));
        let best = iteration.best_move;
        SearchResult {
            depth: iteration.depth,
            value: Worth(iteration.value),
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
            nodes: iteration.nodes,
            evaluations: iteration.stats.nodes.evaluations,
            contradictions: iteration.stats.table.contradictions,
            batches: (0, 0.0),
            seconds: iteration.elapsed.as_secs_f64(),
            had_helpers: false,
            waited: 0.0,
            assumed: Vec::new(),
            stopped_by: None,
            tree: None,
        }
    }
}

/// An outcome of a chance node. Values are in the game's units, for player 0.
#[pyclass(frozen, get_all, eq, module = "starsplit")]
#[derive(Clone, PartialEq)]
pub(crate) struct Outcome {
    /// In the game's words.
    outcome: String,
    /// Its probability.
    probability: f64,
    /// The state's depth at which this is its value, the same for all outcomes; 0 where a limit ended the search
    /// before any.
    depth: u32,
    /// The exact value; nan at depth 0.
    value: Worth,
    /// What is proven of the value.
    bounds: (f64, f64),
    /// Whether the value is known exactly: a limit may have ended the search before.
    is_exact: bool,
    /// The best play after it.
    line: Vec<String>,
}

impl Outcome {
    /// Those of a node whose player is `viewer`.
    pub(crate) fn all(grid: Grid, viewer: Player, found: Vec<RootOutcome<String, String>>) -> Vec<Self> {
        let total: f64 = found.iter().map(|one| f64::from(one.weight)).sum();
        let told = |RootOutcome { outcome, weight, depth, bounds, value, pv, .. }| {
            let for_max = for_max(viewer, bounds);
            Outcome {
                outcome,
                probability: f64::from(weight) / total,
                depth,
                value: Worth(value),
                bounds: (grid.value(for_max.lower), grid.value(for_max.upper)),
                is_exact: bounds.is_exact(),
                line: pv.iter().map(text).collect(),
            }
        };
        found.into_iter().map(told).collect()
    }
}

impl Outcome {
    fn told(&self) -> String {
        format!("<{}: probability {}, value {}>", self.outcome, self.probability, self.value.0)
    }
}

/// What the best play from a state leads to, on average.
#[pyclass(frozen, get_all, eq, module = "starsplit")]
#[derive(Clone, PartialEq)]
pub(crate) struct Expectation {
    /// The mean of each number of the payload.
    means: Vec<f64>,
    /// The mean of the rewards on the way, for player 0.
    rewards: f64,
    /// The state's value at that depth, for player 0.
    value: f64,
    /// The depth.
    depth: u32,
    /// The distinct states of the tree of best play, at their depths.
    states: u64,
    /// The nodes that finding its moves took, beside those of the search before it.
    nodes: u64,
}

impl Expectation {
    pub(crate) fn new(grid: Grid, viewer: Player, answer: &Answer, found: Means) -> Self {
        let Means { payload, rewards, positions, stats, .. } = found;
        Expectation {
            means: payload,
            rewards,
            value: grid.value(for_max(viewer, answer.bounds).lower),
            depth: answer.depth,
            states: positions,
            nodes: stats.nodes.total(),
        }
    }
}

impl Expectation {
    fn told(&self) -> String {
        format!("<depth {}: means {:?}, value {}>", self.depth, self.means, self.value)
    }
}

impl SearchResult {
    fn told(&self) -> String {
        let best = self.best_move.as_deref().unwrap_or("none");
        let warned = match self.contradictions {
            0 => String::new(),
            contradictions => {
                let mut counts = TableCounts::default();
                counts.contradictions = contradictions;
                format!(" ({})", counts.contradictions_text())
            }
        };
        format!(
            "<depth {}: value {}{warned}, best move {best}, {} nodes>",
            self.depth, self.value.0, self.nodes
        )
    }
}

/// Bounds of this player's as player 0 sees them.
fn for_max(viewer: Player, bounds: Bounds) -> Bounds {
    match viewer {
        Player::Max => bounds,
        Player::Min => bounds.flipped(),
    }
}

fn text(step: &Step<String, String>) -> String {
    match step {
        Step::Move(text) | Step::Outcome(text) => text.clone(),
    }
}

/// What all results are to Python: dictionaries, copies and pickles of the fields that are named, in this order.
/// Two are equal where all fields are; `hashed` are some of them, whole numbers and texts.
macro_rules! plain_results {
    ($($name:ident { $($field:ident),+ } hashed by $($of:ident),+;)+) => {$(
        #[pymethods]
        impl $name {
            /// All of it by name.
            fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
                let dict = PyDict::new(py);
                $(dict.set_item(stringify!($field), &self.$field)?;)+
                Ok(dict)
            }

            #[staticmethod]
            fn _restored(fields: &Bound<'_, PyAny>) -> PyResult<$name> {
                Ok($name { $($field: fields.get_item(stringify!($field))?.extract()?),+ })
            }

            fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Reduced<'py>> {
                let (py, fields) = (slf.py(), slf.get().to_dict(slf.py())?);
                Ok((slf.get_type().getattr("_restored")?, (fields,).into_pyobject(py)?))
            }

            fn __copy__(slf: Py<Self>) -> Py<Self> {
                slf
            }

            fn __deepcopy__(slf: Py<Self>, _memo: Py<PyAny>) -> Py<Self> {
                slf
            }

            fn __hash__(&self) -> u64 {
                hashed(($(&self.$of),+))
            }

            fn __repr__(&self) -> String {
                self.told()
            }
        }
    )+};
}

plain_results! {
    SearchResult {
        depth, value, bounds, score, is_exact, contradictions, best_move, best_action, line, ranked_moves, nodes,
        evaluations, batches, seconds, had_helpers, waited, assumed, stopped_by, tree
    } hashed by depth, score, nodes, line;
    Outcome { outcome, probability, depth, value, bounds, is_exact, line } hashed by outcome, depth, line;
    Expectation { means, rewards, value, depth, states, nodes } hashed by depth, states, nodes;
}
