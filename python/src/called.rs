//! An evaluator that calls a Python function with the features of a whole batch.

use pyo3::prelude::*;
use pyo3::types::PyBytes;
use starsplit::evaluator::{
    Abilities, Before, EvaluationCost, EvaluationError, Evaluator, EvaluatorFacts, mix64,
};
use starsplit::game::{Game, Player};
use starsplit::score::Score;
use starsplit_games::network::NetworkGame;
use std::collections::VecDeque;
use std::fmt;
use std::panic::resume_unwind;
use std::sync::{Arc, Mutex, PoisonError};

/// What is called, and what came of it where it failed: the search says it in words, and who called the
/// search raises what was raised.
#[derive(Clone)]
pub(crate) struct Calling {
    /// Takes bytes of 32-bit floats, row after row, and how many rows there are; gives bytes of 64-bit
    /// floats.
    pub(crate) function: Arc<Py<PyAny>>,
    /// So many rows in each call, zeros where there are fewer positions; none for as many as there are.
    pub(crate) padded: Option<usize>,
    /// What a call costs and what each position, in nanoseconds.
    pub(crate) costs: (u32, u32),
    /// Whether values beyond the game's range count as its ends.
    pub(crate) saturates: bool,
    pub(crate) raised: Raised,
}

/// Where exceptions wait for whoever called the search that they end. Several searches may share it, so each
/// exception has a number, which goes along in the message of what ends the search.
#[derive(Clone, Default)]
pub(crate) struct Raised(Arc<Mutex<Waiting>>);

#[derive(Default)]
struct Waiting {
    count: u64,
    errors: VecDeque<(u64, PyErr)>,
}

impl Raised {
    /// How messages begin that name an exception.
    const HEAD: &str = "starsplit-python ";

    /// As many as threads may raise at once before one is asked for; older ones are forgotten.
    const MOST: usize = 4096;

    /// Keeps an exception; the message to end the search with.
    pub(crate) fn keep(&self, error: PyErr) -> String {
        let text = error.to_string();
        let mut waiting = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        waiting.count += 1;
        let number = waiting.count;
        waiting.errors.push_back((number, error));
        if waiting.errors.len() > Self::MOST {
            waiting.errors.pop_front();
        }
        format!("{}{number} {text}", Self::HEAD)
    }

    /// The exception that a message names, if it does.
    pub(crate) fn named_in(&self, message: &str) -> Option<PyErr> {
        let (_, rest) = message.split_once(Self::HEAD)?;
        let number: u64 = rest.split(' ').next()?.parse().ok()?;
        let mut waiting = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let place = waiting.errors.iter().position(|(of, _)| *of == number)?;
        waiting.errors.remove(place).map(|(_, error)| error)
    }
}

/// The evaluator of a game whose network has `H` hidden units and `O` outputs: its inputs are the features.
#[derive(Clone)]
pub(crate) struct Called<const H: usize, const O: usize> {
    calling: Calling,
    inputs: usize,
}

impl<const H: usize, const O: usize> fmt::Debug for Called<H, O> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Called").field("inputs", &self.inputs).finish_non_exhaustive()
    }
}

impl<const H: usize, const O: usize> Called<H, O> {
    pub(crate) fn new(calling: Calling, inputs: usize) -> Self {
        Called { calling, inputs }
    }

    /// The values of these positions as their players see them, in the game's units.
    fn values<G: NetworkGame<H, O>>(&self, game: &G, positions: &[&G::Position]) -> Result<Vec<f64>, String> {
        let most = self.calling.padded.unwrap_or(usize::MAX);
        let mut values = Vec::with_capacity(positions.len());
        for positions in positions.chunks(most) {
            values.extend(self.values_of_call(game, positions)?);
        }
        Ok(values)
    }

    fn values_of_call<G: NetworkGame<H, O>>(
        &self,
        game: &G,
        positions: &[&G::Position],
    ) -> Result<Vec<f64>, String> {
        let rows = self.calling.padded.unwrap_or(positions.len());
        let mut features = vec![0_f32; rows * self.inputs];
        for (&position, row) in positions.iter().zip(features.chunks_mut(self.inputs)) {
            game.inputs(position, game.player(position), |input, count| row[input] = f32::from(count));
        }
        let bytes: Vec<u8> = features.iter().flat_map(|feature| feature.to_ne_bytes()).collect();
        let called = Python::attach(|py| {
            let given = self.calling.function.call1(py, (PyBytes::new(py, &bytes), rows))?;
            let given: Vec<u8> = given.bind(py).cast::<PyBytes>()?.as_bytes().to_vec();
            Ok(given)
        });
        let given = called.map_err(|error: PyErr| self.calling.raised.keep(error))?;
        let numbers = given.as_chunks::<8>().0.iter().map(|bytes| f64::from_ne_bytes(*bytes));
        let values: Vec<f64> = numbers.take(positions.len()).collect();
        if values.len() != positions.len() || values.iter().any(|value| !value.is_finite()) {
            return Err(format!("evaluate: expected {rows} finite values, one for each row"));
        }
        Ok(values)
    }

    fn score<G: Game>(game: &G, position: &G::Position, value: f64) -> Score {
        match game.player(position) {
            Player::Max => game.facts().grid.score(value),
            Player::Min => -game.facts().grid.score(-value),
        }
    }
}

impl<G: NetworkGame<H, O>, const H: usize, const O: usize> Evaluator<G> for Called<H, O> {
    type State = ();
    const ABILITIES: Abilities = Abilities::NONE.ignoring_outcomes().with_batches(true);

    fn facts(&self, _: &G) -> EvaluatorFacts {
        let facts = EvaluatorFacts::new({
            // A table belongs to one searcher, and that to one function; workers of a plan have others.
            mix64(0x6361_6c6c_6564_7079 ^ u64::from(self.calling.saturates))
        })
        .saturating(self.calling.saturates)
        .with_cost({
            let (fixed_ns, each_ns) = self.calling.costs;
            EvaluationCost { fixed_ns, each_ns }
        });
        let padded = self.calling.padded.and_then(|size| u32::try_from(size).ok());
        padded.map_or(facts, |size| facts.with_call_size(size))
    }

    fn state(&self, _: &G, _: &G::Position, _: Option<Before<'_, G, ()>>) {}

    fn evaluate(&self, game: &G, position: &G::Position, (): &()) -> Score {
        if game.is_even(position) {
            return 0;
        }
        match self.values(game, &[position]) {
            Ok(values) => Self::score(game, position, values[0]),
            // Searches end with what panics; nothing is printed this way.
            Err(text) => resume_unwind(Box::new(text)),
        }
    }

    fn evaluate_many(
        &self,
        game: &G,
        nodes: &[(&G::Position, &())],
        scores: &mut [Score],
    ) -> Result<(), EvaluationError> {
        let asked: Vec<_> = (0..nodes.len()).filter(|&place| !game.is_even(nodes[place].0)).collect();
        let positions: Vec<_> = asked.iter().map(|&place| nodes[place].0).collect();
        let values = self.values(game, &positions).map_err(EvaluationError::new)?;
        scores.fill(0);
        for (place, value) in asked.into_iter().zip(values) {
            scores[place] = Self::score(game, nodes[place].0, value);
        }
        Ok(())
    }
}
