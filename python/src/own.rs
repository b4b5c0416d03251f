//! A game that is written in Python: `starsplit/own.py` puts it into the few calls that are made from here.

use crate::arguments::shown;
use crate::called::Raised;
use crate::ending::calling;
use crate::keys::{Key, KeyBytes, Said, in_words};
use crate::turns::Turns;
use crate::{SearchError, bad};
use arc_swap::ArcSwapOption;
use pyo3::exceptions::PyTypeError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyList, PyTuple};
use starsplit::evaluator::{Abilities, Before, EvaluationCost, EvaluationError, Evaluator, EvaluatorFacts};
use starsplit::game::{Game, GameFacts, NodeKind, Player, PositionHash, Step, Texts};
use starsplit::score::{Grid, Score};
use std::collections::HashMap;
use std::fmt;
use std::mem::take;
use std::panic::resume_unwind;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

/// What holds for all states of a game.
#[derive(Clone, Copy, FromPyObject)]
pub(crate) struct Traits {
    /// By how many plies iterations deepen.
    #[pyo3(item)]
    depth_step: u8,
    /// How many plies a move takes, and how many an outcome.
    #[pyo3(item)]
    plies: (u8, u8),
    #[pyo3(item)]
    has_rewards: bool,
    /// Whether it has keys of its own; else a state is its key.
    #[pyo3(item)]
    has_keys: bool,
    /// Whether it has an evaluation of its own; else each is 0.
    #[pyo3(item)]
    evaluates: bool,
    /// What a call of `evaluate` costs and what each state, in nanoseconds.
    #[pyo3(item)]
    costs: (u32, u32),
    /// Whether it says so itself; else it is what every game has.
    #[pyo3(item)]
    declares_costs: bool,
    /// Whether values beyond the range count as its ends.
    #[pyo3(item)]
    saturates: bool,
    /// What a successor costs, in nanoseconds.
    #[pyo3(item)]
    successor_ns: u32,
    /// Whether it says so itself.
    #[pyo3(item)]
    declares_successor_cost: bool,
}

impl Traits {
    /// The attributes whose prices are taken for granted.
    pub(crate) fn assumed(&self) -> Vec<&'static str> {
        let costs = (self.evaluates && !self.declares_costs).then_some("costs");
        let successors =
            (!self.declares_successor_cost || self.successor_ns == 0).then_some("successor_cost");
        costs.into_iter().chain(successors).collect()
    }
}

/// The methods that a game is.
pub(crate) struct Functions {
    pub(crate) object: Py<PyAny>,
    pub(crate) name: String,
    pub(crate) grid: Grid,
    pub(crate) traits: Traits,
    /// What one of them has raised.
    pub(crate) raised: Raised,
    pub(crate) kept: Kept,
    pub(crate) turns: Turns,
}

/// The positions that are kept, by their hashes: what is met again is not asked for again.
#[derive(Default)]
pub(crate) struct Kept(Mutex<HashMap<PositionHash, OwnPosition>>);

impl Kept {
    /// How many are kept at the most. Then all are forgotten, and those that are met again are made anew.
    const MOST: usize = 1 << 18;

    fn locked(&self) -> MutexGuard<'_, HashMap<PositionHash, OwnPosition>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn get(&self, hash: PositionHash) -> Option<OwnPosition> {
        self.locked().get(&hash).cloned()
    }

    fn get_all(&self, hashes: &[PositionHash]) -> Vec<Option<OwnPosition>> {
        let kept = self.locked();
        hashes.iter().map(|hash| kept.get(hash).cloned()).collect()
    }

    /// Forgets all of them, and what they lead to: those that lead to one another would hold one another for
    /// ever.
    ///
    /// States are given back when nothing is locked: what Python does then may take a while, or come here.
    pub(crate) fn forget(&self) {
        let all = take(&mut *self.locked());
        all.into_values().for_each(|position| position.0.steps.store(None));
    }

    /// Keeps a position, unless another thread was faster; the one that is kept.
    fn keep(&self, position: &OwnPosition) -> OwnPosition {
        if self.locked().len() >= Self::MOST {
            self.forget();
        }
        self.locked().entry(position.0.hash).or_insert_with(|| position.clone()).clone()
    }
}

impl Drop for Kept {
    fn drop(&mut self) {
        self.forget();
    }
}

impl Functions {
    /// The position of a state: one for all states of a key.
    pub(crate) fn position(&self, state: &Bound<'_, PyAny>) -> PyResult<OwnPosition> {
        let py = state.py();
        let positions = calling(py, || self.positions(&PyList::new(py, [state])?))?;
        positions.into_iter().next().ok_or_else(|| bad("keys: expected one"))
    }

    fn positions(&self, states: &Bound<'_, PyList>) -> PyResult<Vec<OwnPosition>> {
        let mut keys = self.keys(states)?;
        // Who makes keys may leave something out: what the game says of a state is added to them.
        let mut said = self.described(states, |place| keys[place].may_forget)?;
        for (key, said) in keys.iter_mut().zip(&said) {
            said.iter().for_each(|said| key.add(said));
        }
        let hashes: Vec<PositionHash> = keys.iter().map(|key| key.hash).collect();
        let known = self.kept.get_all(&hashes);
        let new = self.described(states, |place| known[place].is_none() && !keys[place].may_forget)?;
        said.iter_mut().zip(new).for_each(|(said, new)| *said = said.or(new));
        let mut positions = Vec::with_capacity(hashes.len());
        for ((state, said), (hash, known)) in states.iter().zip(said).zip(hashes.into_iter().zip(known)) {
            // One before it in the list may be the same.
            let known = known.or_else(|| self.kept.get(hash));
            let made = || said.map(|said| self.kept.keep(&OwnPosition::new(state.unbind(), hash, said)));
            positions.push(known.or_else(made).ok_or_else(|| bad("described: expected each state"))?);
        }
        Ok(positions)
    }

    fn keys(&self, states: &Bound<'_, PyList>) -> PyResult<Vec<Key>> {
        let (py, object) = (states.py(), self.object.bind(states.py()));
        let keys: Option<Bound<'_, PyList>> = match self.traits.has_keys {
            true => Some(object.call_method1(intern!(py, "keys"), (states,))?.extract()?),
            false => None,
        };
        let mut bytes = KeyBytes::default();
        let mut found = Vec::with_capacity(states.len());
        for (place, state) in states.iter().enumerate() {
            let key = keys.as_ref().map(|keys| keys.get_item(place)).transpose()?;
            found.push(bytes.key_of(&state, key.as_ref()).map_err(|error| about(error, &state))?);
        }
        Ok(found)
    }

    /// What the game says of those states that are asked for by their places.
    fn described(
        &self,
        states: &Bound<'_, PyList>,
        is_asked: impl Fn(usize) -> bool,
    ) -> PyResult<Vec<Option<Said>>> {
        let (py, places): (_, Vec<usize>) =
            (states.py(), (0..states.len()).filter(|&place| is_asked(place)).collect());
        let mut found = vec![None; states.len()];
        if places.is_empty() {
            return Ok(found);
        }
        let asked = places.iter().map(|&place| states.get_item(place)).collect::<PyResult<Vec<_>>>()?;
        let said = self.object.call_method1(py, intern!(py, "described"), (PyList::new(py, asked)?,))?;
        let said: Vec<Said> = said.extract(py)?;
        places.into_iter().zip(said).for_each(|(place, said)| found[place] = Some(said));
        Ok(found)
    }

    /// What `read` takes of the steps from a position; the game is asked for them once.
    fn of_steps<R>(&self, position: &OwnPosition, read: impl FnOnce(&Steps) -> R) -> R {
        match &*position.0.steps.load() {
            Some(steps) => read(steps),
            None => read(&self.attached(|py| self.expand(py, position))),
        }
    }

    /// The steps from a position; the game is asked for them once.
    fn steps(&self, py: Python<'_>, position: &OwnPosition) -> PyResult<Arc<Steps>> {
        position.0.steps.load_full().map_or_else(|| self.expand(py, position), Ok)
    }

    /// Asks the game for the steps from a position.
    #[cold]
    fn expand(&self, py: Python<'_>, position: &OwnPosition) -> PyResult<Arc<Steps>> {
        let is_chance = position.kind() == NodeKind::Chance;
        let arguments = (&position.0.state, is_chance);
        let found = self.object.call_method1(py, intern!(py, "successors"), arguments)?;
        let (list, weights, states): (Bound<'_, PyTuple>, Option<_>, Bound<'_, PyList>) =
            found.extract(py)?;
        if let Some(place) = states.iter().position(|state| state.is_none()) {
            // What a method gives that returns nothing.
            let method = if is_chance { "resolve" } else { "play" };
            let (step, state) = (shown(&list.get_item(place)?), position.shown());
            let text = format!("{method} None: expected the state after {step} (state {state})");
            return Err(PyTypeError::new_err(text));
        }
        let steps = Arc::new(Steps {
            weights: weights.unwrap_or_else(|| vec![1; states.len()]),
            after: self.positions(&states)?,
            rewards: self.rewards(position, &list, &states)?,
            list: list.unbind(),
            texts: OnceLock::new(),
        });
        // One that is older than the last forgetting is kept again, so that the next finds it.
        self.kept.keep(position);
        position.0.steps.store(Some(Arc::clone(&steps)));
        Ok(steps)
    }

    /// What the steps from a position pay its player; nothing where none does.
    fn rewards(
        &self,
        position: &OwnPosition,
        steps: &Bound<'_, PyTuple>,
        states: &Bound<'_, PyList>,
    ) -> PyResult<Vec<Score>> {
        let (py, object) = (states.py(), self.object.bind(states.py()));
        if !self.traits.has_rewards {
            return Ok(Vec::new());
        }
        let given = object.call_method1(intern!(py, "rewards"), (&position.0.state, steps, states))?;
        let of = PyList::new(py, vec![&position.0.state; states.len()])?;
        let rewards = self.finite("reward", &given, &of)?;
        if rewards.iter().all(|&reward| reward == 0.0) {
            return Ok(Vec::new());
        }
        rewards.iter().try_for_each(|&reward| self.check_reward(position, reward))?;
        Ok(rewards.iter().map(|&reward| for_player(position.player(), self.grid.steps(reward))).collect())
    }

    /// Finite numbers that a method gave, each of its state.
    fn finite(&self, name: &str, given: &Bound<'_, PyAny>, states: &Bound<'_, PyList>) -> PyResult<Vec<f64>> {
        let numbers: Option<Vec<f64>> = given.extract().ok();
        match numbers.filter(|numbers| numbers.iter().all(|number| number.is_finite())) {
            Some(numbers) => Ok(numbers),
            // It names the first that is none.
            None => self.object.bind(given.py()).call_method1("finite", (name, given, states))?.extract(),
        }
    }

    /// The moves or outcomes of a position in words, each of which names one of them.
    fn texts(&self, py: Python<'_>, position: &OwnPosition) -> PyResult<Vec<String>> {
        let steps = self.steps(py, position)?;
        if let Some(texts) = steps.texts.get() {
            return Ok(texts.clone());
        }
        let arguments = (&position.0.state, &steps.list);
        let texts = self.object.call_method1(py, "texts", arguments)?.extract(py)?;
        Ok(steps.texts.get_or_init(|| texts).clone())
    }

    /// The moves or outcomes of a position in words, with their weights.
    pub(crate) fn weighted(&self, position: &OwnPosition) -> PyResult<Vec<(String, u32)>> {
        Python::attach(|py| {
            calling(py, || {
                let texts = self.texts(py, position)?;
                let steps = self.steps(py, position)?;
                Ok(texts.into_iter().zip(steps.weights.iter().copied()).collect())
            })
        })
    }

    /// The position after the move or outcome of this place, and what it pays player 0.
    pub(crate) fn after(&self, position: &OwnPosition, place: usize) -> PyResult<(OwnPosition, f64)> {
        Python::attach(|py| {
            let steps = calling(py, || self.steps(py, position))?;
            let missing = || bad(format_args!("action {place}: expected less than {}", steps.after.len()));
            let after = steps.after.get(place).ok_or_else(missing)?;
            let reward = steps.rewards.get(place).map_or(0, |&reward| for_player(position.player(), reward));
            Ok((after.clone(), self.grid.difference(reward)))
        })
    }

    fn text(&self, position: &OwnPosition, place: u32) -> String {
        self.attached(|py| {
            let text = self.texts(py, position)?.into_iter().nth(place as usize);
            text.ok_or_else(|| bad(format_args!("text of step {place}: expected one")))
        })
    }

    fn evaluate(&self, positions: &[&OwnPosition]) -> PyResult<Vec<Score>> {
        let score =
            |(&position, value): (&&OwnPosition, f64)| self.score_of("an evaluation", position, value);
        if !self.traits.evaluates {
            return positions.iter().map(|position| score((position, 0.0))).collect();
        }
        let values: Vec<f64> = self.turns.call(|py| {
            let states = PyList::new(py, positions.iter().map(|position| &position.0.state))?;
            let given = self.object.bind(py).call_method1(intern!(py, "evaluate"), (&states,))?;
            self.finite("evaluate", &given, &states)
        })?;
        positions.iter().zip(values).map(score).collect()
    }

    /// The score of a value of player 0's for the position's player. The search refuses one beyond the range,
    /// too, but cannot name the state.
    fn score_of(&self, what: &str, position: &OwnPosition, value: f64) -> PyResult<Score> {
        let score = self.grid.score(value);
        if self.traits.saturates || score.saturating_abs() <= self.grid.limit() {
            return Ok(for_player(position.player(), score));
        }
        let (low, high) = self.grid.range();
        Err(SearchError::new_err(format!(
            "{what} for Max of {value}: expected {low} to {high}, or a declaration that values saturate \
             (state {})",
            position.shown()
        )))
    }

    /// The search refuses a reward that no two values differ by, too, but cannot name the state.
    fn check_reward(&self, position: &OwnPosition, reward: f64) -> PyResult<()> {
        let steps = self.grid.steps(reward);
        if self.traits.saturates || steps.saturating_abs() <= 2 * self.grid.limit() {
            return Ok(());
        }
        let (low, high) = self.grid.range();
        Err(SearchError::new_err(format!(
            "a reward of {reward}: expected no more than values from {low} to {high} differ by, or a declaration \
             that values saturate (state {})",
            position.shown()
        )))
    }

    fn evaluated(&self, position: &OwnPosition) -> Score {
        self.evaluate(&[position]).unwrap_or_else(|error| self.end(error))[0]
    }

    /// Does something in Python; what is raised there ends the search, and is raised again by whoever called
    /// it.
    fn attached<R>(&self, body: impl FnOnce(Python<'_>) -> PyResult<R>) -> R {
        self.turns.call(body).unwrap_or_else(|error| self.end(error))
    }

    fn end(&self, error: PyErr) -> ! {
        resume_unwind(Box::new(self.raised.keep(error)))
    }
}

/// What was raised about the key of a state, which it names.
fn about(error: PyErr, state: &Bound<'_, PyAny>) -> PyErr {
    let py = state.py();
    let text = format!("{} (state {})", error.value(py), shown(state));
    if error.is_instance_of::<PyTypeError>(py) { PyTypeError::new_err(text) } else { error }
}

fn for_player(player: Player, score: Score) -> Score {
    match player {
        Player::Max => score,
        Player::Min => -score,
    }
}

/// What the game says of a state, once for all states of its key.
struct Inner {
    state: Py<PyAny>,
    kind: NodeKind,
    player: Player,
    hash: PositionHash,
    /// Of a terminal state, for player 0.
    value: f64,
    /// How many plies can follow at the most, if the game says so.
    full_depth: Option<u32>,
    steps: ArcSwapOption<Steps>,
    evaluation: OnceLock<Score>,
}

/// The steps from a state. Moves have weights of 1.
struct Steps {
    list: Py<PyTuple>,
    weights: Vec<u32>,
    after: Vec<OwnPosition>,
    /// What they pay the state's player; nothing where none does.
    rewards: Vec<Score>,
    texts: OnceLock<Vec<String>>,
}

/// A state.
#[derive(Clone)]
pub(crate) struct OwnPosition(Arc<Inner>);

impl fmt::Debug for OwnPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("OwnPosition")
    }
}

impl OwnPosition {
    fn new(state: Py<PyAny>, hash: PositionHash, (kind, player, value, full_depth): Said) -> Self {
        let kind = match kind {
            0 => NodeKind::Decision,
            1 => NodeKind::Chance,
            _ => NodeKind::Terminal,
        };
        let player = if player == 0 { Player::Max } else { Player::Min };
        let (steps, evaluation) = (ArcSwapOption::empty(), OnceLock::new());
        OwnPosition(Arc::new(Inner { state, kind, player, hash, value, full_depth, steps, evaluation }))
    }

    pub(crate) fn kind(&self) -> NodeKind {
        self.0.kind
    }

    pub(crate) fn player(&self) -> Player {
        self.0.player
    }

    pub(crate) fn terminal_value(&self) -> f64 {
        self.0.value
    }

    /// The hash of its key, in hexadecimal.
    pub(crate) fn key(&self) -> String {
        in_words(self.0.hash)
    }

    /// The state as a message shows it.
    fn shown(&self) -> String {
        Python::attach(|py| shown(self.0.state.bind(py)))
    }

    /// The state itself.
    pub(crate) fn object(&self) -> &Py<PyAny> {
        &self.0.state
    }
}

/// The game.
#[derive(Clone)]
pub(crate) struct OwnGame(pub(crate) Arc<Functions>);

impl fmt::Debug for OwnGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("OwnGame").field(&self.0.name).finish()
    }
}

impl Game for OwnGame {
    type Position = OwnPosition;
    type Move = u32;
    type Outcome = u32;

    // One type of game for all: what these cost is nothing beside a call into Python.
    const STEPS: starsplit::game::Steps = starsplit::game::Steps::PLAIN.with_rewards(true).with_plies(true);

    fn identity(&self) -> u64 {
        // A table belongs to one searcher, and that to one game; workers of a plan have others.
        0x6f77_6e70_7974_686f ^ u64::from(self.0.traits.saturates)
    }

    fn facts(&self) -> GameFacts {
        GameFacts::new(self.0.grid)
            .saturating(self.0.traits.saturates)
            .with_depth_step(self.0.traits.depth_step.max(1))
            .with_successor_ns(self.0.traits.successor_ns)
    }

    fn kind(&self, position: &OwnPosition) -> NodeKind {
        position.kind()
    }

    fn player(&self, position: &OwnPosition) -> Player {
        position.player()
    }

    fn terminal_score(&self, position: &OwnPosition) -> Score {
        let score = self.0.score_of("a terminal score", position, position.terminal_value());
        score.unwrap_or_else(|error| self.0.end(error))
    }

    fn hash(&self, position: &OwnPosition) -> PositionHash {
        position.0.hash
    }

    fn moves(&self, position: &OwnPosition, push: impl FnMut(u32)) {
        let count = self.0.of_steps(position, |steps| steps.weights.len());
        (0..count as u32).for_each(push);
    }

    fn play(&self, position: &OwnPosition, mv: u32) -> OwnPosition {
        self.0.of_steps(position, |steps| steps.after[mv as usize].clone())
    }

    fn reward(&self, before: &OwnPosition, step: Step<u32, u32>, _: &OwnPosition) -> Score {
        let (Step::Move(place) | Step::Outcome(place)) = step;
        if !self.0.traits.has_rewards {
            return 0;
        }
        self.0.of_steps(before, |steps| steps.rewards.get(place as usize).copied().unwrap_or(0))
    }

    fn plies(&self, _: &OwnPosition, step: Step<u32, u32>, _: &OwnPosition) -> u8 {
        match step {
            Step::Move(_) => self.0.traits.plies.0,
            Step::Outcome(_) => self.0.traits.plies.1,
        }
    }

    fn outcomes(&self, position: &OwnPosition, mut push: impl FnMut(u32, u32)) {
        self.0.of_steps(position, |steps| {
            (0..).zip(&steps.weights).for_each(|(place, &weight)| push(place, weight));
        });
    }

    fn resolve(&self, position: &OwnPosition, outcome: u32) -> OwnPosition {
        self.0.of_steps(position, |steps| steps.after[outcome as usize].clone())
    }

    fn full_depth(&self, position: &OwnPosition) -> Option<u32> {
        position.0.full_depth
    }
}

impl Texts for OwnGame {
    fn move_text(&self, position: &OwnPosition, mv: u32) -> String {
        self.0.text(position, mv)
    }

    fn outcome_text(&self, position: &OwnPosition, outcome: u32) -> String {
        self.0.text(position, outcome)
    }
}

/// The game's own evaluation.
#[derive(Clone)]
pub(crate) struct OwnEvaluator(pub(crate) Arc<Functions>);

impl fmt::Debug for OwnEvaluator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("OwnEvaluator").field(&self.0.name).finish()
    }
}

impl Evaluator<OwnGame> for OwnEvaluator {
    type State = ();
    const ABILITIES: Abilities = Abilities::NONE.with_batches(true);

    fn facts(&self, _: &OwnGame) -> EvaluatorFacts {
        EvaluatorFacts::new(0x6f77_6e65_7661_6c70).with_cost({
            let (fixed_ns, each_ns) = self.0.traits.costs;
            EvaluationCost { fixed_ns, each_ns }
        })
    }

    fn state(&self, _: &OwnGame, _: &OwnPosition, _: Option<Before<'_, OwnGame, ()>>) {}

    fn evaluate(&self, _: &OwnGame, position: &OwnPosition, (): &()) -> Score {
        // Nobody waits for Python within the cell: who holds the interpreter might wait for the cell.
        let known = position.0.evaluation.get().copied();
        let score = known.unwrap_or_else(|| self.0.evaluated(position));
        *position.0.evaluation.get_or_init(|| score)
    }

    fn evaluate_many(
        &self,
        game: &OwnGame,
        nodes: &[(&OwnPosition, &())],
        scores: &mut [Score],
    ) -> Result<(), EvaluationError> {
        let is_new = |position: &&OwnPosition| position.0.evaluation.get().is_none();
        let positions: Vec<_> = nodes.iter().map(|&(position, ())| position).filter(is_new).collect();
        let found = if positions.is_empty() { Ok(Vec::new()) } else { self.0.evaluate(&positions) };
        let found = found.map_err(|error| EvaluationError::new(self.0.raised.keep(error)))?;
        for (position, score) in positions.into_iter().zip(found) {
            position.0.evaluation.get_or_init(|| score);
        }
        for (&(position, ()), score) in nodes.iter().zip(scores) {
            *score = self.evaluate(game, position, &());
        }
        Ok(())
    }
}
