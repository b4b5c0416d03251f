//! Searches, which let Python go on meanwhile.

use crate::arguments::{
    self, Given, Optional, asked_depth, check_function, depth, given, object, option, seconds, seed, shown,
    size, task, threads,
};
use crate::called::{Calling, Raised};
use crate::ending::{away, calling, pooled, searching, waited_for};
use crate::game::{Game, Rules};
use crate::handle::Handle;
use crate::interrupts::{interrupt_callbacks, known, number};
use crate::plan::Plan;
use crate::result::{Expectation, Outcome, SearchResult};
use crate::state::State;
use crate::{SearchError, bad};
use pyo3::exceptions::{PyRecursionError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use starsplit::Pool;
use starsplit::search::{self, Iteration, Limits, Options};
use starsplit_doors::Entry;
use starsplit_doors::door::{Answer, Asked};
use starsplit_doors::session::{Session, with};
use starsplit_doors::tree_file::{Searched, TreeData};
use starsplit_games::Invalid;
use starsplit_options::{DECLARED, DeclaredOption};
use starsplit_planner::PlannerOptions;
use std::cell::Cell;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, mpsc};
use std::thread;
use std::time::Duration;

/// How often a search under way looks whether somebody has pressed Ctrl-C.
const LOOK: Duration = Duration::from_millis(20);

/// The stack of a thread that searches, so that none needs another of which Python does not know. It is reserved, not used.
const STACK: usize = 64 << 20;

/// What of that a search may take.
pub(crate) const OF_SEARCH: usize = STACK - (1 << 20);

/// A game with an evaluator, a transposition table, options and threads. What a search learns stays in the
/// table for the next. Searches let other Python threads run, and Ctrl-C ends them.
///
/// The table has 64 MiB where `table_mib` does not say otherwise, and 16 for a game written in Python.
///
/// Options are those of the command line, with underscores: `rank_root_moves=3`, `lanes=16`,
/// `ordering="static"`.
#[pyclass(frozen, weakref, module = "starsplit")]
pub(crate) struct Searcher {
    rules: Rules,
    pub(crate) session: Session,
    raised: Raised,
    /// The prices that nobody declared.
    pub(crate) assumed: Vec<&'static str>,
}

/// How evaluations by a Python function are asked for.
struct Called {
    function: Option<Py<PyAny>>,
    padded: Option<usize>,
    costs: (u32, u32),
    /// Those of these prices that nobody gave.
    assumed: Vec<&'static str>,
    saturates: bool,
}

/// Threads that stay known to Python, each attached and then detached: to make what it has to know of a thread
/// anew takes longer than many a call into a game or an evaluator.
pub(crate) fn attached_threads(threads: usize) -> Result<Pool, search::SearchError> {
    Pool::running_within(threads, |_, run| pooled(run))
}

/// Does a search on a thread of its own, for which the calling one waits: how much stack that one has is not known. A
/// search that begins in a function which this one calls lies within as many others as before.
fn waiting<R: Send>(search: impl FnOnce() -> anyhow::Result<R> + Send) -> PyResult<anyhow::Result<R>> {
    let nested = NESTED.get();
    thread::scope(|scope| {
        let search = move || {
            NESTED.set(nested);
            known(|| waited_for(search))
        };
        let started = thread::Builder::new().stack_size(STACK).spawn_scoped(scope, search);
        let started = started.map_err(refused)?;
        started.join().map_err(|_| SearchError::new_err("a fault of the library's: the search has gone"))
    })
}

fn refused(error: std::io::Error) -> PyErr {
    SearchError::new_err(format!("a thread: the system refused it: {error}"))
}

/// A search that begins, maybe in a function that another has called.
struct Nested;

thread_local!(static NESTED: Cell<usize> = const { Cell::new(0) });

impl Nested {
    /// So many may lie in one another on a thread: each takes a part of its stack.
    const MOST: usize = 16;

    fn new() -> PyResult<Self> {
        if NESTED.get() == Self::MOST {
            let text = format!("a search within {} others: expected fewer", Self::MOST);
            return Err(PyRecursionError::new_err(text));
        }
        NESTED.set(NESTED.get() + 1);
        Ok(Nested)
    }
}

impl Drop for Nested {
    fn drop(&mut self) {
        NESTED.set(NESTED.get() - 1);
    }
}

/// The numbers that a payload gives of a leaf.
fn numbers_of(payload: &Py<PyAny>, leaf: State, size: usize) -> PyResult<Vec<f64>> {
    Python::attach(|py| {
        let given = payload.bind(py).call1((leaf.clone(),))?;
        let numbers: Option<Vec<f64>> = given.extract().ok();
        numbers.filter(|numbers| numbers.len() == size).ok_or_else(|| {
            let (given, state) = (shown(&given), leaf.shown(py));
            let expected = format_args!("expected a list of numbers, {size} as size says");
            bad(format_args!("payload {given}: {expected} (state {state})"))
        })
    })
}

impl Searcher {
    fn made(
        rules: &Rules,
        evaluator: Option<&str>,
        seed: u64,
        asked: Called,
        table: (u64, usize),
    ) -> PyResult<Self> {
        let raised = match rules {
            Rules::Own(functions) => functions.raised.clone(),
            Rules::BuiltIn(_) => Raised::default(),
        };
        let Called { function, padded, costs, assumed, saturates } = asked;
        let assumed = match (&function, rules) {
            (None, Rules::Own(functions)) => functions.traits.assumed(),
            _ => assumed,
        };
        let function = function.map(Arc::new);
        let raised_here = raised.clone();
        let calling =
            function.map(|function| Calling { function, padded, costs, saturates, raised: raised_here });
        let maker = rules.maker(evaluator, seed, calling)?;
        let session = Session::new(maker, table.0, table.1).map_err(bad)?.with_pools(attached_threads);
        Ok(Searcher { rules: rules.clone(), session, raised, assumed })
    }

    /// Does a search while other Python threads go on. A first Ctrl-C ends it after the functions in Python that
    /// it is in; a second one ends these as well.
    ///
    /// A thread of the search's own does it. The main thread, which alone sees signals, looks for them meanwhile.
    pub(crate) fn watched<R: Send>(
        &self,
        py: Python<'_>,
        state: &State,
        search: impl FnOnce() -> anyhow::Result<R> + Send,
    ) -> PyResult<R> {
        let _nested = Nested::new()?;
        let is_main = || {
            let main: u64 =
                py.import("threading")?.call_method0("main_thread")?.getattr("ident")?.extract()?;
            Ok(main == number(py)?)
        };
        let search = || caught(search);
        let done = searching(py, self.session.stop_flag(), is_main, |is_main| match is_main {
            true => self.looking_for_signals(search),
            false => waiting(search),
        })?;
        done?.map_err(|error| told(&self.raised, &error, Some(&|| state.shown(py))))
    }

    /// Forgets what its table has learnt, and what a game written in Python has told of its states.
    pub(crate) fn forget(&self) {
        self.session.new_game();
        if let Rules::Own(functions) = &self.rules {
            functions.kept.forget();
        }
    }

    fn looking_for_signals<R: Send>(
        &self,
        search: impl FnOnce() -> anyhow::Result<R> + Send,
    ) -> PyResult<anyhow::Result<R>> {
        thread::scope(|scope| {
            let (sender, receiver) = mpsc::channel();
            // As the others are: see `attached_threads`.
            let search = move || {
                let done = known(search);
                // Whoever waits is there until it has come.
                let _ = sender.send(done);
            };
            let started = thread::Builder::new().stack_size(STACK).spawn_scoped(scope, search);
            started.map_err(refused)?;
            let mut pressed = None;
            let done = loop {
                match receiver.recv_timeout(LOOK) {
                    Ok(done) => break done,
                    Err(mpsc::RecvTimeoutError::Timeout) => Python::attach(|py| {
                        let Err(error) = py.check_signals() else { return };
                        self.session.stop_flag().stop();
                        if pressed.replace(error).is_some() {
                            interrupt_callbacks(py, []);
                        }
                    }),
                    Err(mpsc::RecvTimeoutError::Disconnected) => {
                        return Err(SearchError::new_err("a fault of the library's: the search has gone"));
                    }
                }
            };
            if let Some(error) = pressed {
                self.session.stop_flag().clear();
                return Err(error);
            }
            Ok(done)
        })
    }

    /// A state of the searcher's game.
    ///
    /// # Errors
    /// A `TypeError` that says what was given instead.
    pub(crate) fn own_state(&self, state: &Bound<'_, PyAny>) -> PyResult<State> {
        let state =
            object::<State>("state", state, "a State, as the methods of a Game make it")?.borrow().clone();
        if self.rules.is(&state.rules) {
            return Ok(state);
        }
        let described = |rules: &Rules| match rules {
            Rules::BuiltIn(door) => format!("{} ({})", rules.name(), door.rules()),
            Rules::Own(_) => rules.name(),
        };
        let (found, expected) = (described(&state.rules), described(&self.rules));
        // Two calls make two games of one object.
        let text = match found == expected {
            true => format!(
                "state of {found}: expected one of the searcher's game, which another call of python_game made"
            ),
            false => format!("state of {found}: expected one of the searcher's game, {expected}"),
        };
        Err(PyTypeError::new_err(text))
    }
}

/// Does something that may end as panics do, such as where a function in Python has raised.
pub(crate) fn caught<R>(body: impl FnOnce() -> anyhow::Result<R>) -> anyhow::Result<R> {
    catch_unwind(AssertUnwindSafe(body)).unwrap_or_else(|payload| {
        let text = payload.downcast_ref::<String>().map(String::as_str);
        let text = text.or_else(|| payload.downcast_ref::<&str>().copied());
        Err(anyhow::anyhow!("{}", text.unwrap_or("a fault of the library's, without a message")))
    })
}

/// What is raised for an error: what a function in Python has raised, a `ValueError` for what does not fit the
/// search or the state, or a `SearchError`.
/// Of errors that say nothing of a state, `state` is the one that was searched.
pub(crate) fn told(raised: &Raised, error: &anyhow::Error, state: Option<&dyn Fn() -> String>) -> PyErr {
    use search::SearchError as Error;
    let (mut text, of_search) = (format!("{error:#}"), error.downcast_ref());
    let is_of_state = error.downcast_ref::<Invalid>().is_some();
    let is_bad = is_of_state || matches!(of_search, Some(Error::Options(_)));
    let is_on_the_way = matches!(
        of_search,
        Some(Error::Endless | Error::FullDepth { .. } | Error::NotTheEnd | Error::PathLength)
    );
    if let Some(state) = state.filter(|_| is_of_state || is_on_the_way) {
        text = format!("{text}, in a search of state {}", state());
    }
    let other = || if is_bad { bad(&text) } else { SearchError::new_err(text.clone()) };
    raised.named_in(&text).unwrap_or_else(other)
}

/// What a call of a function costs and each of its positions, in nanoseconds, and which of them is taken for
/// granted.
fn prices(
    (fixed_ns, each_ns): (Option<u32>, Option<u32>),
    is_called: bool,
) -> ((u32, u32), Vec<&'static str>) {
    let given = [("fixed_ns", fixed_ns), ("each_ns", each_ns)];
    let assumed = given.into_iter().filter(|(_, ns)| is_called && ns.is_none()).map(|(name, _)| name);
    ((fixed_ns.unwrap_or(30_000), each_ns.unwrap_or(1_000)), assumed.collect())
}

impl Searcher {
    /// The tree that a search answered with, as lines.
    fn tree_lines(&self, state: &State, answer: &Answer, options: &Options) -> PyResult<Option<String>> {
        let Some(tree) = &answer.tree else { return Ok(None) };
        let grid = self.session.grid();
        let name = self.rules.name();
        let searched = Searched {
            game: &name,
            rules: self.rules.text().unwrap_or_default(),
            position: &state.entry.text,
            drawn: String::new(),
            options,
            grid,
            simulated: false,
        };
        let value = answer.score().map(|score| grid.value(score));
        let mut lines = Vec::new();
        TreeData::new(&searched, answer, value, tree).write_lines(&mut lines).map_err(bad)?;
        Ok(Some(String::from_utf8(lines).map_err(bad)?))
    }
}

#[pymethods]
impl Searcher {
    #[new]
    #[pyo3(signature = (game, *, evaluator=None, seed=Ok(0), table_mib=None, threads=Ok(1), _call=None,
                        _padded=None, _costs=(None, None), _saturates=false, **options),
           text_signature = "(game, *, evaluator=None, seed=0, table_mib=None, threads=1, **options)")]
    #[allow(clippy::too_many_arguments, reason = "they are keywords")]
    fn new(
        py: Python<'_>,
        game: &Bound<'_, PyAny>,
        evaluator: Optional<'_, '_>,
        #[pyo3(from_py_with = seed)] seed: Given<u64>,
        table_mib: Optional<'_, '_>,
        #[pyo3(from_py_with = threads)] threads: Given<usize>,
        _call: Option<Py<PyAny>>,
        _padded: Option<usize>,
        _costs: (Option<u32>, Option<u32>),
        _saturates: bool,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Self> {
        let rules =
            &object::<Game>("game", game, "a Game; python_game makes one of a PythonGame")?.get().rules;
        let (seed, threads) = (seed?, threads?);
        let evaluator: Option<String> = given(evaluator, arguments::evaluator)?;
        let (costs, assumed) = prices(_costs, _call.is_some());
        let asked = Called { function: _call, padded: _padded, costs, assumed, saturates: _saturates };
        let table_mib = given(table_mib, arguments::table_mib)?.unwrap_or_else(|| rules.default_table_mib());
        let made = || Self::made(rules, evaluator.as_deref(), seed, asked, (table_mib, threads));
        let made = away(py, made)?;
        // All at once: one may not fit the defaults of the others.
        made.session.set_options(with_all(made.session.options(), options)?).map_err(bad)?;
        Ok(made)
    }

    /// Sets an option of later searches.
    fn set(
        &self,
        #[pyo3(from_py_with = option)] option: Given<String>,
        value: &Bound<'_, PyAny>,
    ) -> PyResult<()> {
        let (name, text) = written(&option?, value)?;
        self.session.set(&name, &text).map_err(|error| bad(in_python(&error)))
    }

    /// Searches until a limit is reached; a second where none is given. With `depth="full"` it searches to the end of
    /// the game, if that bounds its length, and evaluations only order moves. `on_iteration` is told each
    /// iteration; what it raises ends the search, and is raised here. With `root_moves`, texts of moves, the
    /// state is searched as if it had no others. `handle` shows the search to other threads. `options` are
    /// those of this search alone.
    #[pyo3(signature = (state, *, depth=None, nodes=None, seconds=None, on_iteration=None,
                        root_moves=None, handle=None, **options))]
    #[allow(clippy::too_many_arguments, reason = "they are keywords")]
    fn search(
        &self,
        py: Python<'_>,
        state: &Bound<'_, PyAny>,
        depth: Optional<'_, '_>,
        nodes: Optional<'_, '_>,
        seconds: Optional<'_, '_>,
        on_iteration: Option<Py<PyAny>>,
        root_moves: Optional<'_, '_>,
        handle: Option<&Bound<'_, PyAny>>,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<SearchResult> {
        let state = self.own_state(state)?;
        on_iteration.iter().try_for_each(|call| check_function("on_iteration", call.bind(py)))?;
        let handle = handle.map(|handle| object::<Handle>("handle", handle, "a Handle")).transpose()?;
        let (limits, root_moves) =
            (limits(depth, nodes, seconds)?, given(root_moves, arguments::root_moves)?.unwrap_or_default());
        let changed = with_all(self.session.options(), options)?;
        let ranked = changed.root_ranking;
        let searched_with = changed.clone();
        let (grid, viewer) = (self.session.grid(), state.player);
        let moves = state.moves()?;
        let handle = handle.map(Bound::get);
        let shown = handle.map(Handle::shown);
        let tell = |iteration: &Iteration<String, String>| {
            if let Some(handle) = handle {
                handle.view(grid, viewer, &moves);
            }
            let Some(call) = &on_iteration else { return };
            let found = SearchResult::of_iteration(grid, viewer, &moves, iteration);
            if let Err(error) = Python::attach(|py| call.call1(py, (found,))) {
                std::panic::resume_unwind(Box::new(self.raised.keep(error)));
            }
        };
        let asked = Asked { root_moves: &root_moves, handle: shown, ..Asked::from(&limits) };
        let search = || self.session.search(&state.entry, changed, asked, &mut |iteration| tell(iteration));
        let timed = self.watched(py, &state, search)?;
        let mut found = SearchResult::of_answer(grid, viewer, &moves, (&timed.answer, ranked), &self.assumed);
        found.tree = self.tree_lines(&state, &timed.answer, &searched_with)?;
        Ok(found)
    }

    /// The outcomes of a chance node, each with its value and the best play after it; the mean of the values
    /// is the state's. Cheap after a search of the state itself.
    #[pyo3(signature = (state, *, depth=None, nodes=None, seconds=None))]
    fn outcomes(
        &self,
        py: Python<'_>,
        state: &Bound<'_, PyAny>,
        depth: Optional<'_, '_>,
        nodes: Optional<'_, '_>,
        seconds: Optional<'_, '_>,
    ) -> PyResult<Vec<Outcome>> {
        let state = self.own_state(state)?;
        let limits = limits(depth, nodes, seconds)?;
        let found = self.watched(py, &state, || self.session.outcomes(&state.entry, limits))?;
        Ok(Outcome::all(self.session.grid(), state.player, found))
    }

    /// Searches a state, and then finds what the best play from it leads to: the mean of each of `size` numbers
    /// that `payload` gives, as a list, of a leaf of its tree: a `State` at the end of the game or of the depth, of a
    /// game written in Python with the state itself as its `object`. At each decision it takes the first best
    /// move, so means are the same on any number of threads. None where a limit ended it; `seconds` are for each
    /// of both. A game that saturates has none.
    #[pyo3(signature = (state, size, payload, *, depth=None, nodes=None, seconds=None))]
    #[expect(clippy::too_many_arguments, reason = "Python names them")]
    fn expectation(
        &self,
        py: Python<'_>,
        state: &Bound<'_, PyAny>,
        #[pyo3(from_py_with = size)] size: Given<usize>,
        payload: Py<PyAny>,
        depth: Optional<'_, '_>,
        nodes: Optional<'_, '_>,
        seconds: Optional<'_, '_>,
    ) -> PyResult<Option<Expectation>> {
        let state = self.own_state(state)?;
        let limits = limits(depth, nodes, seconds)?;
        let size = size?;
        check_function("payload", payload.bind(py))?;
        let call = |leaf: Entry, numbers: &mut [f64]| {
            let given = State::of_leaf(&self.rules, leaf).and_then(|leaf| numbers_of(&payload, leaf, size));
            match given {
                Ok(given) => numbers.copy_from_slice(&given),
                Err(error) => std::panic::resume_unwind(Box::new(self.raised.keep(error))),
            }
        };
        let (grid, mut write) = (self.session.grid(), call);
        let asked = || self.session.expectation(&state.entry, limits, (size, &mut write));
        let (answer, found) = self.watched(py, &state, asked)?;
        Ok(found.map(|found| Expectation::new(grid, state.player, &answer, found)))
    }

    /// A plan of a search to a depth, for workers elsewhere: see `starsplit.distributed`.
    #[pyo3(signature = (state, depth, *, split_above=None, parts=None))]
    fn plan(
        &self,
        py: Python<'_>,
        state: &Bound<'_, PyAny>,
        #[pyo3(from_py_with = depth)] depth: Given<u32>,
        split_above: Optional<'_, '_>,
        parts: Optional<'_, '_>,
    ) -> PyResult<Plan> {
        let depth = depth?;
        let usual = PlannerOptions::default();
        let options = PlannerOptions {
            split_above: given(split_above, arguments::split_above)?.unwrap_or(usual.split_above),
            parts: given(parts, arguments::parts)?.unwrap_or(usual.parts),
        };
        let state = self.own_state(state)?;
        let plan = self.watched(py, &state, || self.session.plan(&state.entry, depth, options))?;
        Ok(Plan::new(plan, self.session.grid(), state.player, self.raised.clone()))
    }

    /// Does a task of a plan of this state; the answer. Where it is stopped, what is proven so far.
    #[pyo3(signature = (state, task, *, seconds=None))]
    fn work(
        &self,
        py: Python<'_>,
        state: &Bound<'_, PyAny>,
        #[pyo3(from_py_with = task)] task: Given<String>,
        seconds: Optional<'_, '_>,
    ) -> PyResult<String> {
        let task = task?;
        let time = given(seconds, arguments::seconds)?.unwrap_or(Duration::from_secs(u32::MAX.into()));
        let limits = Limits { time: Some(time), ..Limits::unbounded() };
        let state = self.own_state(state)?;
        self.watched(py, &state, || self.session.work(&state.entry, &task, limits))
    }

    /// Forgets what the table has learnt.
    fn new_game(&self, py: Python<'_>) {
        away(py, || self.forget());
    }

    /// Ends its searches, from any thread, and later ones before they begin, until `clear_stop`.
    fn stop(&self) {
        self.session.stop_flag().stop();
    }

    /// Lets searches begin again after `stop`.
    fn clear_stop(&self) {
        self.session.stop_flag().clear();
    }

    /// Its game.
    #[getter]
    fn game(&self) -> Game {
        Game { rules: self.rules.clone() }
    }

    fn __repr__(&self) -> String {
        format!("<Searcher of {}>", self.rules.name())
    }
}

/// The options of a `Searcher` by name, each with what it does and the values that it takes.
#[pyfunction]
pub(crate) fn options() -> BTreeMap<String, String> {
    let told = |declared: &DeclaredOption| {
        let DeclaredOption { flag, help, more, kind, .. } = declared;
        let more = if more.is_empty() { String::new() } else { format!(" {}.", more.trim_end_matches('.')) };
        let default = declared.get(&search::Options::default());
        (flag.replace('-', "_"), format!("{help}.{more} Values: {kind}; default: {default}."))
    };
    DECLARED.iter().map(told).collect()
}

/// These options, but for those that are given by name.
fn with_all(mut options: search::Options, given: Option<&Bound<'_, PyDict>>) -> PyResult<search::Options> {
    for (name, value) in given.into_iter().flatten() {
        let (name, text) = written(&name.extract::<String>()?, &value)?;
        options = with(&options, &name, &text).map_err(|error| bad(in_python(&error)))?;
    }
    Ok(options)
}

/// An error about an option, whose name, and any that is meant, have underscores here.
fn in_python(error: &Invalid) -> String {
    let text = error.to_string();
    let (name, rest) = text.split_once(' ').unwrap_or((&text, ""));
    let is_unknown = name == "option";
    name.replace('-', "_") + " " + &if is_unknown { rest.replace('-', "_") } else { rest.to_owned() }
}

/// An option as command lines have it: its name and its value.
fn written(option: &str, value: &Bound<'_, PyAny>) -> PyResult<(String, String)> {
    let text = match value.extract::<bool>() {
        Ok(true) => "on".to_owned(),
        Ok(false) => "off".to_owned(),
        Err(_) if value.is_none() => "auto".to_owned(),
        Err(_) => calling(value.py(), || value.str())?.extract()?,
    };
    Ok((option.replace('_', "-"), text))
}

fn limits(depth: Optional<'_, '_>, nodes: Optional<'_, '_>, time: Optional<'_, '_>) -> PyResult<Limits> {
    let depth = given(depth, asked_depth)?;
    let (nodes, time) = (given(nodes, arguments::nodes)?, given(time, seconds)?);
    if (depth, nodes, time) == (None, None, None) {
        return Ok(Limits::default());
    }
    let unbounded = Limits::unbounded();
    Ok(Limits { depth: depth.unwrap_or(unbounded.depth), nodes, time, ..unbounded })
}
