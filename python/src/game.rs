//! Games: those of the library by name, and those that are written in Python.

use crate::arguments::{self, Given, Optional, given, name, text};
use crate::bad;
use crate::called::{Called, Calling, Raised};
use crate::own::{Functions, Kept, OwnEvaluator, OwnGame, Traits};
use crate::searcher::OF_SEARCH;
use crate::state::State;
use crate::turns::Turns;
use pyo3::exceptions::{PyTypeError, PyUserWarning};
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use starsplit::score::Grid;
use starsplit_doors::Entry;
use starsplit_doors::door::{Door, SearcherMaker};
use starsplit_doors::play::AnyPlay;
use starsplit_doors::session::DEFAULT_TABLE_MIB;
use starsplit_doors::typed::Typed;
use starsplit_doors_all::GAMES;
use starsplit_games::network::{self, NetworkGame, NetworkVisitor};
use std::ffi::CString;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

/// Whose rules.
#[derive(Clone)]
pub(crate) enum Rules {
    /// The library's.
    BuiltIn(Arc<dyn Door>),
    /// Those of a Python object.
    Own(Arc<Functions>),
}

impl Rules {
    pub(crate) fn name(&self) -> String {
        match self {
            Rules::BuiltIn(door) => door.game().to_owned(),
            Rules::Own(functions) => functions.name.clone(),
        }
    }

    /// The rules in full; none for a game written in Python.
    pub(crate) fn text(&self) -> Option<String> {
        match self {
            Rules::BuiltIn(door) => Some(door.rules()),
            Rules::Own(_) => None,
        }
    }

    /// Whether states of the one are states of the other.
    pub(crate) fn is(&self, other: &Rules) -> bool {
        match (self, other) {
            (Rules::BuiltIn(one), Rules::BuiltIn(two)) => {
                (one.game(), one.rules()) == (two.game(), two.rules())
            }
            (Rules::Own(one), Rules::Own(two)) => Arc::ptr_eq(one, two),
            _ => false,
        }
    }

    /// The error of what another game is needed for.
    fn not_for(&self, expected: &str) -> PyErr {
        let name = match self {
            Rules::BuiltIn(door) => door.game(),
            Rules::Own(functions) => &functions.name,
        };
        bad(format_args!("game {name}: {expected}"))
    }

    /// The game as it is played, where it is one of the library's.
    pub(crate) fn play(&self) -> Option<&dyn AnyPlay> {
        match self {
            Rules::BuiltIn(door) => door.play(),
            Rules::Own(_) => None,
        }
    }

    pub(crate) fn grid(&self) -> Grid {
        match self {
            Rules::BuiltIn(_) => self.play().map_or_else(Grid::default, |play| play.grid()),
            Rules::Own(functions) => functions.grid,
        }
    }

    /// How large a searcher's table is. The system clears it as it fills, which a short search would wait for:
    /// a game in Python makes fewer positions a second.
    pub(crate) fn default_table_mib(&self) -> u64 {
        match self {
            Rules::BuiltIn(_) => DEFAULT_TABLE_MIB,
            Rules::Own(_) => 16,
        }
    }

    /// What makes searchers: with an evaluator of that name, or with a function of arrays of features.
    pub(crate) fn maker(
        &self,
        evaluator: Option<&str>,
        seed: u64,
        calling: Option<Calling>,
    ) -> PyResult<Box<dyn SearcherMaker>> {
        match (self, calling) {
            (Rules::Own(functions), None) if evaluator.is_none() => {
                let functions = Arc::clone(functions);
                Ok(Box::new(Typed::<_, _> {
                    game: OwnGame(Arc::clone(&functions)),
                    evaluator: OwnEvaluator(functions),
                    caller_stack: Some(OF_SEARCH),
                }))
            }
            (Rules::Own(_), _) => {
                Err(bad("evaluator: expected none for a game written in Python, which evaluates itself"))
            }
            (Rules::BuiltIn(door), None) => {
                door.evaluator(evaluator.unwrap_or_else(|| door.default_evaluator()), seed).map_err(bad)
            }
            (Rules::BuiltIn(_), Some(_)) if evaluator.is_some() => {
                Err(bad("evaluator: expected none beside a function that evaluates"))
            }
            (Rules::BuiltIn(door), Some(calling)) => {
                network::open(door.game(), Some(&door.rules()), CallingOf(calling)).map_err(bad)
            }
        }
    }

    /// How many features a state has, where the game has any.
    pub(crate) fn features(&self) -> PyResult<usize> {
        match self {
            Rules::BuiltIn(door) => network::open(door.game(), Some(&door.rules()), Counting).map_err(bad),
            Rules::Own(_) => Err(self.not_for("expected one of the library's, which have features")),
        }
    }
}

impl Rules {
    /// The features of a state of the game, where it has any.
    pub(crate) fn features_of(&self, entry: &Entry) -> PyResult<Vec<f32>> {
        match self {
            Rules::BuiltIn(door) => {
                let found =
                    network::open(door.game(), Some(&door.rules()), FeaturesOf(entry)).map_err(bad)?;
                found.ok_or_else(|| bad("state: expected one of its game"))
            }
            Rules::Own(_) => Err(self.not_for("expected one of the library's, which have features")),
        }
    }
}

/// Makes searchers that evaluate by a function of arrays.
struct CallingOf(Calling);

impl NetworkVisitor for CallingOf {
    type Output = Box<dyn SearcherMaker>;

    fn visit<G: NetworkGame<H, O>, const H: usize, const O: usize>(
        self,
        _: &'static starsplit_games::GameInfo,
        game: G,
    ) -> Self::Output {
        let evaluator = Called::<H, O>::new(self.0, game.shape().inputs());
        Box::new(Typed::<_, _> { game, evaluator, caller_stack: Some(OF_SEARCH) })
    }
}

/// Counts features.
struct Counting;

impl NetworkVisitor for Counting {
    type Output = usize;

    fn visit<G: NetworkGame<H, O>, const H: usize, const O: usize>(
        self,
        _: &'static starsplit_games::GameInfo,
        game: G,
    ) -> usize {
        game.shape().inputs()
    }
}

/// The features of a state.
struct FeaturesOf<'a>(&'a Entry);

impl NetworkVisitor for FeaturesOf<'_> {
    type Output = Option<Vec<f32>>;

    fn visit<G: NetworkGame<H, O>, const H: usize, const O: usize>(
        self,
        _: &'static starsplit_games::GameInfo,
        game: G,
    ) -> Self::Output {
        let position = self.0.position::<G::Position>()?;
        let mut features = vec![0.0; game.shape().inputs()];
        game.inputs(position, game.player(position), |input, count| features[input] = f32::from(count));
        Some(features)
    }
}

/// A game under its rules: `Game("einstein", "size=5,stones=6")`; its usual rules without the second.
#[pyclass(frozen, weakref, module = "starsplit")]
pub(crate) struct Game {
    pub(crate) rules: Rules,
}

#[pymethods]
impl Game {
    #[new]
    #[pyo3(signature = (name, rules=None))]
    fn new(#[pyo3(from_py_with = name)] name: Given<String>, rules: Optional<'_, '_>) -> PyResult<Self> {
        let rules: Option<String> = given(rules, arguments::rules)?;
        let info = GAMES.named(&name?).map_err(bad)?;
        Ok(Game { rules: Rules::BuiltIn(GAMES.open(info, rules.as_deref()).map_err(bad)?) })
    }

    /// The game that an object's methods are; `python_game` in the package prepares it.
    #[staticmethod]
    fn _of(object: Py<PyAny>, name: String, range: (f64, f64), traits: Traits) -> PyResult<Self> {
        let grid = Grid::new(range.0, range.1).map_err(bad)?;
        let (raised, kept, turns) = (Raised::default(), Kept::default(), Turns::default());
        let functions = Functions { object, name, grid, traits, raised, kept, turns };
        Ok(Game { rules: Rules::Own(Arc::new(functions)) })
    }

    /// Its name among the library's games, or that of the class that describes it in Python.
    #[getter]
    fn name(&self) -> String {
        self.rules.name()
    }

    /// In full; None for a game written in Python.
    #[getter]
    fn rules(&self) -> Option<String> {
        self.rules.text()
    }

    /// The least and the greatest value, for player 0.
    #[getter]
    fn value_range(&self) -> (f64, f64) {
        self.rules.grid().range()
    }

    /// The names of its evaluators, the usual one first.
    #[getter]
    fn evaluators(&self) -> Vec<&'static str> {
        match &self.rules {
            Rules::BuiltIn(door) => door.evaluators().iter().map(|info| info.name).collect(),
            Rules::Own(_) => Vec::new(),
        }
    }

    /// How many features a state has, for `evaluating_searcher`.
    #[getter]
    fn feature_count(&self) -> PyResult<usize> {
        self.rules.features()
    }

    /// The state in which the game begins.
    fn new_initial_state(&self) -> PyResult<State> {
        match &self.rules {
            Rules::BuiltIn(door) => State::built_in(&self.rules, door.initial()),
            rules @ Rules::Own(_) => Err(rules.not_for("expected one of the library's; use state(object)")),
        }
    }

    /// The state that a text in the game's notation describes. A `UserWarning` tells what the text says
    /// beyond it and the game does not use, such as an XGID's cube and score.
    fn parse(&self, py: Python<'_>, #[pyo3(from_py_with = text)] text: Given<String>) -> PyResult<State> {
        match &self.rules {
            Rules::BuiltIn(door) => {
                let text = text?;
                let state = State::built_in(&self.rules, door.position(&text).map_err(bad)?)?;
                if let Some(unused) = door.unused(&text) {
                    let told = CString::new(format!("position: not used: {unused}"))?;
                    PyErr::warn(py, &py.get_type::<PyUserWarning>(), &told, 1)?;
                }
                Ok(state)
            }
            rules @ Rules::Own(_) => Err(rules.not_for("expected one of the library's; use state(object)")),
        }
    }

    /// The states in which a player moves checkers in a match, the text of a .mat or .sgf file; nothing of the
    /// cube.
    fn match_positions(&self, #[pyo3(from_py_with = text)] text: Given<String>) -> PyResult<Vec<State>> {
        let Some(play) = self.rules.play() else {
            return Err(self.rules.not_for("expected one of the library's"));
        };
        let entries = play.match_positions(&text?).map_err(bad)?;
        entries.into_iter().map(|entry| State::built_in(&self.rules, entry)).collect()
    }

    /// A state of a game written in Python.
    fn state(&self, py: Python<'_>, object: Py<PyAny>) -> PyResult<State> {
        match &self.rules {
            Rules::Own(functions) => {
                Ok(State::own(&self.rules, &functions.name, functions.position(object.bind(py))?))
            }
            rules @ Rules::BuiltIn(_) => {
                Err(rules.not_for("expected one written in Python; use parse(text)"))
            }
        }
    }

    fn __eq__(&self, other: &Game) -> bool {
        self.rules.is(&other.rules)
    }

    fn __hash__(&self) -> u64 {
        hashed((self.name(), self.rules()))
    }

    fn __copy__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __deepcopy__(slf: Py<Self>, _memo: Py<PyAny>) -> Py<Self> {
        slf
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Reduced<'py>> {
        let game = slf.get();
        let Some(rules) = game.rules() else {
            return Err(PyTypeError::new_err("a game written in Python: pickle what it was made of"));
        };
        Ok((slf.get_type().into_any(), (game.name(), rules).into_pyobject(slf.py())?))
    }

    fn __repr__(&self) -> String {
        match self.rules() {
            Some(rules) => format!("Game({:?}, {rules:?})", self.name()),
            None => format!("<game {:?}, written in Python>", self.name()),
        }
    }
}

/// What `pickle` calls with which arguments.
pub(crate) type Reduced<'py> = (Bound<'py, PyAny>, Bound<'py, PyTuple>);

/// A hash of what tells one from others.
pub(crate) fn hashed(of: impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    of.hash(&mut hasher);
    hasher.finish()
}

/// The names of the library's games.
#[pyfunction]
pub(crate) fn games() -> Vec<&'static str> {
    GAMES.infos().map(|info| info.name).collect()
}
