//! A search under way, as other Python threads see it.

use crate::arguments::{self, Optional, given};
use crate::result::SearchResult;
use pyo3::prelude::*;
use starsplit::game::Player;
use starsplit::score::Grid;
use std::sync::{Mutex, PoisonError};

/// What a search looks like from outside.
type Viewed = (Grid, Player, Vec<String>);

/// A search under way, as other threads see it: `searcher.search(state, handle=handle)`. It is for one
/// search.
#[pyclass(frozen, weakref, module = "starsplit")]
pub(crate) struct Handle {
    shown: starsplit::Handle<String, String>,
    /// How its search's state sees values, and writes moves.
    viewed: Mutex<Option<Viewed>>,
}

impl Handle {
    /// Its search has completed an iteration, and sees values and moves so.
    pub(crate) fn view(&self, grid: Grid, viewer: Player, moves: &[String]) {
        let mut viewed = self.viewed.lock().unwrap_or_else(PoisonError::into_inner);
        viewed.get_or_insert_with(|| (grid, viewer, moves.to_vec()));
    }

    pub(crate) fn shown(&self) -> &starsplit::Handle<String, String> {
        &self.shown
    }
}

#[pymethods]
impl Handle {
    #[new]
    fn new() -> Self {
        Handle { shown: starsplit::Handle::new(), viewed: Mutex::new(None) }
    }

    /// The nodes of all threads so far.
    #[getter]
    fn nodes(&self) -> u64 {
        self.shown.nodes()
    }

    /// The depth of the iteration that goes on; 0 before the first.
    #[getter]
    fn depth(&self) -> u32 {
        self.shown.depth()
    }

    /// The last completed iteration, with its best move, value and line.
    #[getter]
    fn iteration(&self) -> Option<SearchResult> {
        let iteration = self.shown.iteration()?;
        let viewed = self.viewed.lock().unwrap_or_else(PoisonError::into_inner);
        let (grid, viewer, moves) = viewed.as_ref()?;
        Some(SearchResult::of_iteration(*grid, *viewer, moves, &iteration))
    }

    /// Has the search end after so many more seconds, whatever its limit was; None takes its time limit away.
    #[pyo3(signature = (seconds))]
    fn end_within(&self, seconds: Optional<'_, '_>) -> PyResult<()> {
        self.shown.end_within(given(seconds, arguments::seconds)?);
        Ok(())
    }

    /// Ends the search, or has it end before it begins.
    fn stop(&self) {
        self.shown.stop();
    }

    fn __repr__(&self) -> String {
        format!("<Handle of a search at depth {}, {} nodes>", self.depth(), self.nodes())
    }
}
