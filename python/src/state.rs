//! States of games, with the names that users of OpenSpiel know.

use crate::arguments::{Given, action, shown, text};
use crate::bad;
use crate::game::{Game, Reduced, Rules, hashed};
use crate::own::{Functions, OwnPosition};
use pyo3::exceptions::{PyIndexError, PyTypeError};
use pyo3::prelude::*;
use starsplit::game::{NodeKind, Player};
use starsplit_doors::Entry;
use starsplit_doors::games::played;
use starsplit_doors::play::{AnyPlay, Turn};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Who acts where nobody does.
const CHANCE: i32 = -1;
const NOBODY: i32 = -4;

/// A state of a game. Actions are the places of moves, or of outcomes at chance nodes, in the game's order.
#[pyclass(weakref, module = "starsplit")]
#[derive(Clone)]
pub(crate) struct State {
    pub(crate) rules: Rules,
    pub(crate) entry: Entry,
    kind: NodeKind,
    pub(crate) player: Player,
    /// Of a terminal state, for player 0.
    terminal_value: f64,
    /// Rewards so far, for player 0.
    so_far: f64,
    /// Of a terminal state, which games do not write: that before it, and the action that led to it.
    before: Option<Arc<Written>>,
    /// A hash of the states before, where values depend on them.
    past: u64,
}

/// A state as it is written, its rewards so far, and an action to take from it.
type Written = (String, f64, Option<usize>);

impl State {
    pub(crate) fn new(
        rules: &Rules,
        entry: Entry,
        kind: NodeKind,
        player: Player,
        terminal_value: f64,
    ) -> Self {
        State {
            rules: rules.clone(),
            entry,
            kind,
            player,
            terminal_value,
            so_far: 0.0,
            before: None,
            past: 0,
        }
    }

    pub(crate) fn built_in(rules: &Rules, entry: Entry) -> PyResult<Self> {
        let Rules::BuiltIn(door) = rules else {
            return Err(bad("state: expected one of the library's games"));
        };
        let play = played(&**door).map_err(bad)?;
        let (kind, player) = (play.kind(&entry).map_err(bad)?, play.player(&entry).map_err(bad)?);
        let value = match kind {
            NodeKind::Terminal => play.grid().value(play.terminal_score(&entry).map_err(bad)?),
            NodeKind::Decision | NodeKind::Chance => 0.0,
        };
        Ok(Self::new(rules, entry, kind, player, value))
    }

    /// A leaf of a search, which has no text yet.
    pub(crate) fn of_leaf(rules: &Rules, leaf: Entry) -> PyResult<Self> {
        match (rules, leaf.position::<OwnPosition>()) {
            (Rules::Own(functions), Some(position)) => {
                Ok(Self::own(rules, &functions.name, position.clone()))
            }
            _ => {
                let play = rules.play().ok_or_else(|| bad("state: expected one of the library's games"))?;
                Self::built_in(rules, play.written(&leaf).map_err(bad)?)
            }
        }
    }

    /// Of a game written in Python.
    pub(crate) fn own(rules: &Rules, name: &str, position: OwnPosition) -> Self {
        let (kind, player, value) = (position.kind(), position.player(), position.terminal_value());
        Self::new(rules, Entry::new(format!("a state of {name}"), position), kind, player, value)
    }

    /// The functions and the position of a game written in Python.
    fn of_python(&self) -> Option<(&Functions, &OwnPosition)> {
        let Rules::Own(functions) = &self.rules else { return None };
        Some((functions, self.entry.position()?))
    }

    /// What tells a state of a game written in Python from others.
    pub(crate) fn own_key(&self) -> Option<String> {
        self.entry.position::<OwnPosition>().map(OwnPosition::key)
    }

    /// What tells a state from others of its game: how it is written or its key, what was paid so far, and the
    /// states before where they matter.
    fn told_apart(&self) -> (String, u64, u64) {
        (self.own_key().unwrap_or_else(|| self.entry.text.clone()), self.so_far.to_bits(), self.past)
    }

    /// As a message shows it.
    pub(crate) fn shown(&self, py: Python<'_>) -> String {
        match self.entry.position::<OwnPosition>() {
            Some(position) => shown(position.object().bind(py)),
            None => self.entry.text.clone(),
        }
    }

    /// By what values for its player are those for player 0.
    pub(crate) fn sign(&self) -> i32 {
        if self.player == Player::Max { 1 } else { -1 }
    }

    fn play(&self) -> PyResult<&dyn AnyPlay> {
        self.rules.play().ok_or_else(|| bad("state: expected one of the library's games"))
    }

    /// The moves in the game's words.
    pub(crate) fn moves(&self) -> PyResult<Vec<String>> {
        match self.kind {
            NodeKind::Decision => match self.of_python() {
                Some((functions, position)) => {
                    Ok(functions.weighted(position)?.into_iter().map(|(text, _)| text).collect())
                }
                None => self.play()?.moves(&self.entry).map_err(bad),
            },
            NodeKind::Chance | NodeKind::Terminal => Ok(Vec::new()),
        }
    }

    fn outcomes(&self) -> PyResult<Vec<(String, u32)>> {
        match self.kind {
            NodeKind::Chance => match self.of_python() {
                Some((functions, position)) => functions.weighted(position),
                None => self.play()?.outcomes(&self.entry).map_err(bad),
            },
            NodeKind::Decision | NodeKind::Terminal => Ok(Vec::new()),
        }
    }

    /// All moves or outcomes in words.
    fn steps(&self) -> PyResult<Vec<String>> {
        match self.kind {
            NodeKind::Chance => Ok(self.outcomes()?.into_iter().map(|(text, _)| text).collect()),
            NodeKind::Decision | NodeKind::Terminal => self.moves(),
        }
    }

    /// A move or an outcome in the game's words.
    fn text_of(&self, action: usize) -> PyResult<String> {
        let mut steps = self.steps()?;
        if action >= steps.len() {
            let text = format!("action {action}: expected less than {}", steps.len());
            return Err(PyIndexError::new_err(text));
        }
        Ok(steps.swap_remove(action))
    }

    /// The place of the move or the outcome that a person means by a text, in a game of the library's.
    fn meant(&self, text: &str, steps: &[String]) -> Option<usize> {
        let play = self.play().ok()?;
        match self.kind {
            NodeKind::Chance => play.outcome_by_text(&self.entry, text).ok(),
            NodeKind::Decision => {
                let turn = play.move_by_text(&self.entry, text).ok()?;
                steps.iter().position(|step| *step == turn.text)
            }
            NodeKind::Terminal => None,
        }
    }

    /// The state after an action.
    fn child_by(&self, action: usize) -> PyResult<State> {
        let text = self.text_of(action)?;
        if let Some((functions, position)) = self.of_python() {
            let (after, reward) = functions.after(position, action)?;
            let after = State::own(&self.rules, &functions.name, after);
            return Ok(State { so_far: self.so_far + reward, ..after });
        }
        let play = self.play()?;
        let turn = match self.kind {
            NodeKind::Chance => play.resolve(&self.entry, action),
            NodeKind::Decision | NodeKind::Terminal => play.move_by_text(&self.entry, &text),
        };
        let after = self.after(turn.map_err(bad)?)?;
        let before = (self.entry.text.clone(), self.so_far, Some(action));
        let past = if play.depends_on_past() { hashed((self.past, &self.entry.text)) } else { 0 };
        Ok(State { before: after.is_terminal().then(|| Arc::new(before)), past, ..after })
    }

    fn after(&self, turn: Turn) -> PyResult<State> {
        let reward = self.rules.grid().difference(turn.reward);
        let after = State::built_in(&self.rules, turn.after)?;
        Ok(State { so_far: self.so_far + reward, ..after })
    }
}

#[pymethods]
impl State {
    /// Whether the game has ended.
    fn is_terminal(&self) -> bool {
        self.kind == NodeKind::Terminal
    }

    /// Whether chance is next.
    fn is_chance_node(&self) -> bool {
        self.kind == NodeKind::Chance
    }

    /// 0 or 1; -1 at chance nodes, -4 at the end.
    fn current_player(&self) -> i32 {
        match (self.kind, self.player) {
            (NodeKind::Terminal, _) => NOBODY,
            (NodeKind::Chance, _) => CHANCE,
            (NodeKind::Decision, Player::Max) => 0,
            (NodeKind::Decision, Player::Min) => 1,
        }
    }

    /// The actions that there are, from 0 on.
    fn legal_actions(&self) -> PyResult<Vec<usize>> {
        Ok((0..self.steps()?.len()).collect())
    }

    /// A move or an outcome in the game's words.
    fn action_to_string(&self, #[pyo3(from_py_with = action)] action: Given<usize>) -> PyResult<String> {
        self.text_of(action?)
    }

    /// The action that is so written, or meant: moves and rolls are read as `play` reads them.
    fn string_to_action(&self, #[pyo3(from_py_with = text)] text: Given<String>) -> PyResult<usize> {
        let (text, steps) = (text?, self.steps()?);
        let exactly = steps.iter().position(|step| *step == text);
        let nearly = || steps.iter().position(|step| step.trim().eq_ignore_ascii_case(text.trim()));
        let place = exactly.or_else(nearly).or_else(|| self.meant(&text, &steps));
        place.ok_or_else(|| bad(format_args!("action {text:.80?}: expected one of {}", steps.len())))
    }

    /// Outcomes with their probabilities.
    fn chance_outcomes(&self) -> PyResult<Vec<(usize, f64)>> {
        let outcomes = self.outcomes()?;
        let sum: f64 = outcomes.iter().map(|(_, weight)| f64::from(*weight)).sum();
        Ok(outcomes
            .iter()
            .enumerate()
            .map(|(place, (_, weight))| (place, f64::from(*weight) / sum))
            .collect())
    }

    /// Outcomes with their exact weights: a probability is a weight over the sum of all.
    fn chance_weights(&self) -> PyResult<Vec<(usize, u32)>> {
        Ok(self.outcomes()?.into_iter().enumerate().map(|(place, (_, weight))| (place, weight)).collect())
    }

    /// The state after an action; this one stays.
    fn child(&self, #[pyo3(from_py_with = action)] action: Given<usize>) -> PyResult<State> {
        self.child_by(action?)
    }

    /// Goes on by an action.
    fn apply_action(&mut self, #[pyo3(from_py_with = action)] action: Given<usize>) -> PyResult<()> {
        *self = self.child_by(action?)?;
        Ok(())
    }

    /// The same state, to be played apart from this one.
    #[pyo3(name = "clone")]
    fn copied(&self) -> State {
        self.clone()
    }

    fn __copy__(&self) -> State {
        self.clone()
    }

    fn __deepcopy__(&self, _memo: Py<PyAny>) -> State {
        self.clone()
    }

    /// What each player has so far, and at the end.
    fn returns(&self) -> Vec<f64> {
        let value = self.so_far + self.terminal_value;
        vec![value, -value]
    }

    /// The state of a game written in Python; None for others.
    #[getter]
    fn object(&self, py: Python<'_>) -> Option<Py<PyAny>> {
        self.entry.position::<OwnPosition>().map(|position| position.object().clone_ref(py))
    }

    /// The game.
    #[getter]
    fn game(&self) -> Game {
        Game { rules: self.rules.clone() }
    }

    /// The state as other programs write it, each form by its name, such as "xgid"; `Game.parse` reads them.
    fn formats(&self) -> PyResult<BTreeMap<&'static str, String>> {
        Ok(self.play()?.formats(&self.entry).map_err(bad)?.into_iter().collect())
    }

    /// As a person wants to see it.
    fn drawing(&self) -> PyResult<String> {
        self.play()?.draw(&self.entry).map_err(bad)
    }

    /// The inputs of the game's own network, as `evaluating_searcher` gives them: what the state is like to whoever's
    /// turn it is, `game.feature_count` numbers. `games/weights/README.md` tells what they are.
    fn features(&self) -> PyResult<Vec<f32>> {
        self.rules.features_of(&self.entry)
    }

    fn __eq__(&self, other: &State) -> bool {
        self.rules.is(&other.rules) && self.told_apart() == other.told_apart()
    }

    fn __hash__(&self) -> u64 {
        hashed((self.rules.name(), self.told_apart()))
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Reduced<'py>> {
        let (py, state) = (slf.py(), slf.borrow());
        if state.past != 0 {
            return Err(PyTypeError::new_err(
                "a state whose value depends on the states before: pickle the moves",
            ));
        }
        if state.before.is_none()
            && let Rules::BuiltIn(door) = &state.rules
            && let Err(error) = door.position(&state.entry.text)
        {
            let text =
                format!("state {}: {error}; pickle the state before it and the action", state.entry.text);
            return Err(PyTypeError::new_err(text));
        }
        let game = Bound::new(py, state.game())?;
        let own = || (state.entry.text.clone(), state.so_far, None);
        let (text, so_far, action) = state.before.as_deref().cloned().unwrap_or_else(own);
        let arguments = (game, text, so_far, action).into_pyobject(py)?;
        Ok((py.import("starsplit")?.getattr("_restored_state")?, arguments))
    }

    #[staticmethod]
    #[pyo3(signature = (game, text, so_far, action))]
    fn _restored(game: &Game, text: &str, so_far: f64, action: Option<usize>) -> PyResult<Self> {
        let Rules::BuiltIn(door) = &game.rules else {
            return Err(bad("state: expected one of the library's games"));
        };
        let state = State { so_far, ..State::built_in(&game.rules, door.position(text).map_err(bad)?)? };
        action.map_or_else(|| Ok(state.clone()), |action| state.child_by(action))
    }

    fn __str__(&self) -> String {
        self.entry.text.clone()
    }

    fn __repr__(&self) -> String {
        format!("<State of {}: {}>", self.rules.name(), self.entry.text)
    }
}
