//! A game that is written in Python: `starsplit/own.py` puts it into the few calls that are made from here.

use crate::bad;
use crate::called::Raised;
use pyo3::prelude::*;
use pyo3::types::PyList;
use starsplit::evaluator::{Abilities, Before, EvaluationCost, EvaluationError, Evaluator, EvaluatorFacts};
use starsplit::game::{Game, GameFacts, Hash, NodeKind, Player, Step, Texts};
use starsplit::score::{Grid, Score};
use std::fmt;
use std::panic::resume_unwind;
use std::sync::{Arc, OnceLock};

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
    /// What a call of `evaluate` costs and what each state, in nanoseconds.
    #[pyo3(item)]
    costs: (u32, u32),
    /// Whether values beyond the range count as its ends.
    #[pyo3(item)]
    saturates: bool,
}

/// The methods that a game is.
pub(crate) struct Functions {
    pub(crate) object: Py<PyAny>,
    pub(crate) name: String,
    pub(crate) grid: Grid,
    pub(crate) traits: Traits,
    /// What one of them has raised.
    pub(crate) raised: Raised,
}

impl Functions {
    /// The position of a state.
    pub(crate) fn position(&self, py: Python<'_>, state: Py<PyAny>) -> PyResult<OwnPosition> {
        let node = self.object.call_method1(py, "describe", (&state,))?.extract(py)?;
        Ok(OwnPosition(Arc::new(Inner { state, node, steps: OnceLock::new() })))
    }

    /// The moves, or the outcomes with their weights, of a position.
    fn steps<'p>(&self, py: Python<'_>, position: &'p OwnPosition) -> PyResult<&'p Steps> {
        if let Some(steps) = position.0.steps.get() {
            return Ok(steps);
        }
        let found = self.object.call_method1(py, "steps", (&position.0.state,))?;
        let (list, weights): (Py<PyList>, Vec<u32>) = found.extract(py)?;
        Ok(position.0.steps.get_or_init(|| Steps { list, weights, texts: OnceLock::new() }))
    }

    fn step(&self, py: Python<'_>, position: &OwnPosition, place: u32) -> PyResult<Py<PyAny>> {
        Ok(self.steps(py, position)?.list.bind(py).get_item(place as usize)?.unbind())
    }

    fn after(&self, position: &OwnPosition, place: u32) -> OwnPosition {
        self.attached(|py| {
            let step = self.step(py, position, place)?;
            let after = self.object.call_method1(py, "after", (&position.0.state, step))?;
            self.position(py, after)
        })
    }

    /// The moves or outcomes of a position in words, each of which names one of them.
    fn texts<'p>(&self, py: Python<'_>, position: &'p OwnPosition) -> PyResult<&'p [String]> {
        let steps = self.steps(py, position)?;
        if let Some(texts) = steps.texts.get() {
            return Ok(texts);
        }
        let texts: Vec<String> =
            self.object.call_method1(py, "texts", (&position.0.state, &steps.list))?.extract(py)?;
        Ok(steps.texts.get_or_init(|| texts))
    }

    fn text(&self, position: &OwnPosition, place: u32) -> String {
        self.attached(|py| {
            let texts = self.texts(py, position)?;
            texts
                .get(place as usize)
                .cloned()
                .ok_or_else(|| bad(format_args!("text of step {place}: expected one")))
        })
    }

    fn reward(&self, position: &OwnPosition, place: u32, after: &OwnPosition) -> Score {
        let reward: f64 = self.attached(|py| {
            let step = self.step(py, position, place)?;
            self.object.call_method1(py, "reward", (&position.0.state, step, &after.0.state))?.extract(py)
        });
        for_player(position.player(), self.grid.steps(reward))
    }

    fn evaluate(&self, positions: &[&OwnPosition]) -> PyResult<Vec<Score>> {
        let values: Vec<f64> = Python::attach(|py| {
            let states = PyList::new(py, positions.iter().map(|position| &position.0.state))?;
            self.object.call_method1(py, "evaluate", (states,))?.extract(py)
        })?;
        let score =
            |(position, value): (&&OwnPosition, f64)| for_player(position.player(), self.grid.score(value));
        Ok(positions.iter().zip(values).map(score).collect())
    }

    /// Does something in Python; what is raised there ends the search, and is raised again by whoever called
    /// it.
    fn attached<R>(&self, body: impl FnOnce(Python<'_>) -> PyResult<R>) -> R {
        Python::attach(body).unwrap_or_else(|error| resume_unwind(Box::new(self.raised.keep(error))))
    }
}

fn for_player(player: Player, score: Score) -> Score {
    match player {
        Player::Max => score,
        Player::Min => -score,
    }
}

/// What the game says of a state: its kind, player and hash, and for terminals the value for player 0.
#[derive(Clone, Copy, FromPyObject)]
struct Node(u8, u8, (u64, u64), f64);

struct Inner {
    state: Py<PyAny>,
    node: Node,
    steps: OnceLock<Steps>,
}

/// Moves have weights of 1.
struct Steps {
    list: Py<PyList>,
    weights: Vec<u32>,
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
    pub(crate) fn kind(&self) -> NodeKind {
        match self.0.node.0 {
            0 => NodeKind::Decision,
            1 => NodeKind::Chance,
            _ => NodeKind::Terminal,
        }
    }

    pub(crate) fn player(&self) -> Player {
        if self.0.node.1 == 0 { Player::Max } else { Player::Min }
    }

    pub(crate) fn terminal_value(&self) -> f64 {
        self.0.node.3
    }

    /// The hash of its key, in hexadecimal.
    pub(crate) fn key(&self) -> String {
        let (high, low) = self.0.node.2;
        format!("{high:016x}{low:016x}")
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
    }

    fn kind(&self, position: &OwnPosition) -> NodeKind {
        position.kind()
    }

    fn player(&self, position: &OwnPosition) -> Player {
        position.player()
    }

    fn terminal_score(&self, position: &OwnPosition) -> Score {
        for_player(position.player(), self.0.grid.score(position.terminal_value()))
    }

    fn hash(&self, position: &OwnPosition) -> Hash {
        let (high, low) = position.0.node.2;
        Hash { high, low }
    }

    fn moves(&self, position: &OwnPosition, push: impl FnMut(u32)) {
        let count = self.0.attached(|py| Ok(self.0.steps(py, position)?.weights.len()));
        (0..count as u32).for_each(push);
    }

    fn play(&self, position: &OwnPosition, mv: u32) -> OwnPosition {
        self.0.after(position, mv)
    }

    fn reward(&self, before: &OwnPosition, step: Step<u32, u32>, after: &OwnPosition) -> Score {
        let (Step::Move(place) | Step::Outcome(place)) = step;
        if self.0.traits.has_rewards { self.0.reward(before, place, after) } else { 0 }
    }

    fn plies(&self, _: &OwnPosition, step: Step<u32, u32>, _: &OwnPosition) -> u8 {
        match step {
            Step::Move(_) => self.0.traits.plies.0,
            Step::Outcome(_) => self.0.traits.plies.1,
        }
    }

    fn outcomes(&self, position: &OwnPosition, mut push: impl FnMut(u32, u32)) {
        let steps = self.0.attached(|py| self.0.steps(py, position));
        (0..).zip(&steps.weights).for_each(|(place, &weight)| push(place, weight));
    }

    fn resolve(&self, position: &OwnPosition, outcome: u32) -> OwnPosition {
        self.0.after(position, outcome)
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
        self.0.attached(|_| Ok(self.0.evaluate(&[position])?[0]))
    }

    fn evaluate_many(
        &self,
        _: &OwnGame,
        nodes: &[(&OwnPosition, &())],
        scores: &mut [Score],
    ) -> Result<(), EvaluationError> {
        let positions: Vec<_> = nodes.iter().map(|&(position, ())| position).collect();
        let found = self.0.evaluate(&positions);
        let found = found.map_err(|error| EvaluationError::new(self.0.raised.keep(error)))?;
        scores.copy_from_slice(&found);
        Ok(())
    }
}

/// The moves of a state in words, as a search tells them.
pub(crate) fn texts(py: Python<'_>, state: &crate::state::State) -> PyResult<Vec<String>> {
    let (crate::game::Rules::Own(functions), Some(position)) =
        (&state.rules, state.entry.position::<OwnPosition>())
    else {
        return Ok(Vec::new());
    };
    if position.kind() != NodeKind::Decision {
        return Ok(Vec::new());
    }
    Ok(functions.texts(py, position)?.to_vec())
}
