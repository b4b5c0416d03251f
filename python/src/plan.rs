//! A search shared among machines, as tasks: lines of text.

use crate::arguments::{Given, limit, line, name, task};
use crate::called::Raised;
use crate::ending::away;
use crate::searcher::{caught, told};
use pyo3::prelude::*;
use starsplit::game::Player;
use starsplit::score::{Bounds, Grid};
use starsplit_doors::plans::{AnyPlan, Found, Moved};
use std::sync::{Mutex, PoisonError};

/// A search as tasks, lines of text, and their answers, in any order, late, or twice.
#[pyclass(frozen, module = "starsplit")]
pub(crate) struct Plan {
    plan: Mutex<Box<dyn AnyPlan>>,
    grid: Grid,
    viewer: Player,
    raised: Raised,
}

/// What is told of an answer: tasks that matter no more, tasks that are narrower with how they are now, and
/// whether the plan has ended.
type Told = (Vec<String>, Vec<(String, String)>, bool);

/// Depth, value, score, best move, answers, nodes and contradictions.
type InWords = (u32, f64, (i32, i32), Option<String>, u64, u64, u64);

impl Plan {
    pub(crate) fn new(plan: Box<dyn AnyPlan>, grid: Grid, viewer: Player, raised: Raised) -> Self {
        Plan { plan: Mutex::new(plan), grid, viewer, raised }
    }

    /// Does something with the plan while other threads may go on: who waits for the plan must not hold up a
    /// game in Python, which whoever has the plan may ask.
    fn with<R: Send>(
        &self,
        py: Python<'_>,
        body: impl FnOnce(&mut dyn AnyPlan) -> anyhow::Result<R> + Send,
    ) -> PyResult<R> {
        let locked = || self.plan.lock().unwrap_or_else(PoisonError::into_inner);
        let done = away(py, || caught(|| body(&mut **locked())));
        done.map_err(|error| told(&self.raised, &error, None))
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
    /// Tasks that nobody has, the most useful first.
    #[pyo3(signature = (limit=Ok(1)), text_signature = "($self, limit=1)")]
    fn hand_out(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = limit)] limit: Given<usize>,
    ) -> PyResult<Vec<String>> {
        let limit = limit?;
        self.with(py, |plan| Ok(plan.hand_out(limit)))
    }

    /// The task of this name will not be answered: it is handed out again if it is still open.
    fn lost(&self, py: Python<'_>, #[pyo3(from_py_with = name)] name: Given<String>) -> PyResult<()> {
        let name = name?;
        self.with(py, |plan| {
            plan.lost(&name);
            Ok(())
        })
    }

    /// Takes an answer: the names of tasks that matter no more, those that are narrower with how they are
    /// now, and whether the plan has ended.
    fn answer(&self, py: Python<'_>, #[pyo3(from_py_with = line)] line: Given<String>) -> PyResult<Told> {
        let line = line?;
        let Moved { closed, narrowed, has_ended } = self.with(py, |plan| plan.answer(&line))?;
        Ok((closed, narrowed, has_ended))
    }

    /// A task's name.
    #[staticmethod]
    fn name_of(#[pyo3(from_py_with = task)] task: Given<String>) -> PyResult<String> {
        let task = task?;
        let task = task.strip_prefix("task 1 ").unwrap_or(&task);
        Ok(task.split(" window ").next().unwrap_or_default().to_owned())
    }

    /// Whether its value is known.
    #[getter]
    fn has_ended(&self, py: Python<'_>) -> PyResult<bool> {
        self.with(py, |plan| Ok(plan.found().is_some()))
    }

    /// The depth of the iteration under way, and what is proven of its value.
    #[getter]
    fn progress(&self, py: Python<'_>) -> PyResult<(u32, (f64, f64))> {
        let (depth, bounds) = self.with(py, |plan| Ok(plan.bounds()))?;
        Ok((depth, self.for_max(bounds).1))
    }

    /// Depth, value, score, best move, answers, nodes and contradictions, once it has ended.
    #[getter]
    fn found(&self, py: Python<'_>) -> PyResult<Option<InWords>> {
        let found = self.with(py, |plan| Ok(plan.found()))?;
        Ok(found.map(|Found { depth, bounds, best_move, answers, nodes, contradictions }| {
            let (score, values) = self.for_max(bounds);
            (depth, values.0, score, best_move, answers, nodes, contradictions)
        }))
    }
}
