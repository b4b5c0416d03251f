//! A search shared among machines, as tasks: lines of text.

use crate::SearchError;
use pyo3::prelude::*;
use starsplit::game::Player;
use starsplit::score::{Bounds, Grid};
use starsplit_doors::plans::{AnyPlan, Found, Moved};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Tasks out, answers in. `Searcher.plan` makes one.
#[pyclass(frozen, module = "starsplit")]
pub(crate) struct Plan {
    plan: Mutex<Box<dyn AnyPlan>>,
    grid: Grid,
    viewer: Player,
}

/// What is told of an answer: tasks that matter no more, tasks that are narrower with how they are now, and
/// whether the plan has ended.
type Told = (Vec<String>, Vec<(String, String)>, bool);

impl Plan {
    pub(crate) fn new(plan: Box<dyn AnyPlan>, grid: Grid, viewer: Player) -> Self {
        Plan { plan: Mutex::new(plan), grid, viewer }
    }

    fn locked(&self) -> MutexGuard<'_, Box<dyn AnyPlan>> {
        self.plan.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// In steps of the grid and in the game's units, for player 0.
    fn for_max(&self, bounds: Bounds) -> ((i32, i32), (f64, f64)) {
        let bounds = match self.viewer {
            Player::Max => bounds,
            Player::Min => bounds.flipped(),
        };
        ((bounds.lower, bounds.upper), (self.grid.value(bounds.lower), self.grid.value(bounds.upper)))
    }
}

#[pymethods]
impl Plan {
    #[pyo3(signature = (limit=1))]
    fn hand_out(&self, limit: usize) -> Vec<String> {
        self.locked().hand_out(limit)
    }

    fn lost(&self, name: &str) {
        self.locked().lost(name);
    }

    fn answer(&self, line: &str) -> PyResult<Told> {
        let answered = self.locked().answer(line);
        let Moved { closed, narrowed, has_ended } =
            answered.map_err(|error| SearchError::new_err(format!("{error:#}")))?;
        Ok((closed, narrowed, has_ended))
    }

    /// The name of a task: its line without the window.
    #[staticmethod]
    fn name_of(task: &str) -> String {
        let task = task.strip_prefix("task 1 ").unwrap_or(task);
        task.split(" window ").next().unwrap_or_default().to_owned()
    }

    #[getter]
    fn has_ended(&self) -> bool {
        self.locked().found().is_some()
    }

    /// The depth of the iteration under way, and what is proven of its value.
    #[getter]
    fn progress(&self) -> (u32, (f64, f64)) {
        let (depth, bounds) = self.locked().bounds();
        (depth, self.for_max(bounds).1)
    }

    /// What it has found: depth, value, score, best move, answers, nodes; None before it has ended.
    #[getter]
    fn found(&self) -> Option<(u32, f64, (i32, i32), Option<String>, u64, u64)> {
        let Found { depth, bounds, best_move, answers, nodes } = self.locked().found()?;
        let (score, values) = self.for_max(bounds);
        Some((depth, values.0, score, best_move, answers, nodes))
    }
}
