//! Evaluators and tables by name, handed to code that is generic over them, so that every search is compiled for its
//! own evaluator.

use crate::cli::files;
use crate::cli::{BadInput, shown};
use starsplit::evaluator::{Constant, Evaluator, HashRandom};
use starsplit::game::Game;
use starsplit::games::dice::{Dice, Move, Network, Position, Rules, RunCount};
use starsplit::score::Score;
use starsplit::table::{LocklessTable, TableError};
use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// An evaluator for Dice as the command line names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EvaluatorName {
    /// Every leaf is even.
    Constant,
    /// Evaluations drawn from the position's hash and the seed.
    HashRandom,
    /// The run-count heuristic.
    Runs,
    /// The trained network that comes with the library.
    Network,
    /// A network whose weights are in a file.
    NetworkFile(PathBuf),
}

impl EvaluatorName {
    /// The evaluator used when none is named: the trained network for the board it was trained for, none for others.
    pub fn default_for(rules: &Rules) -> Self {
        if (rules.size(), rules.run()) == (5, 4) { EvaluatorName::Network } else { EvaluatorName::Constant }
    }
}

impl FromStr for EvaluatorName {
    type Err = BadInput;

    fn from_str(text: &str) -> Result<Self, BadInput> {
        match (text, text.strip_prefix("network:")) {
            ("constant", _) => Ok(EvaluatorName::Constant),
            ("hash-random", _) => Ok(EvaluatorName::HashRandom),
            ("runs", _) => Ok(EvaluatorName::Runs),
            ("network", _) => Ok(EvaluatorName::Network),
            (_, Some(file)) if !file.is_empty() => Ok(EvaluatorName::NetworkFile(file.into())),
            _ => Err(BadInput::new(
                "evaluator",
                text,
                "expected constant, hash-random, runs, network or network:FILE",
            )),
        }
    }
}

impl fmt::Display for EvaluatorName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EvaluatorName::Constant => f.write_str("constant"),
            EvaluatorName::HashRandom => f.write_str("hash-random"),
            EvaluatorName::Runs => f.write_str("runs"),
            EvaluatorName::Network => f.write_str("network"),
            EvaluatorName::NetworkFile(file) => write!(f, "network:{}", file.display()),
        }
    }
}

/// The evaluators that keep no state and do not look at what was rolled. They are one type, because searches are compiled
/// for each type of evaluator, which is most of what building the experiments takes.
#[derive(Clone, Copy, Debug)]
enum Plain {
    Constant(Constant),
    Runs(RunCount),
}

impl Evaluator<Dice> for Plain {
    type State = ();
    const IGNORES_OUTCOME: bool = true;

    fn identity(&self) -> u64 {
        match self {
            Plain::Constant(constant) => Evaluator::<Dice>::identity(constant),
            Plain::Runs(runs) => runs.identity(),
        }
    }

    fn state(&self, _: &Dice, _: &Position) {}

    fn after_move(&self, _: &Dice, _: &(), _: &Position, _: Move, _: &Position) {}

    #[inline]
    fn evaluate(&self, dice: &Dice, position: &Position, state: &()) -> Score {
        match self {
            Plain::Constant(constant) => constant.evaluate(dice, position, state),
            Plain::Runs(runs) => runs.evaluate(dice, position, state),
        }
    }
}

/// Work that is done with whatever evaluator was named.
pub trait WithEvaluator {
    /// What the work returns.
    type Output;

    /// Does the work.
    ///
    /// # Errors
    /// Whatever goes wrong in it.
    fn run<E: Evaluator<Dice> + Clone>(self, evaluator: E) -> anyhow::Result<Self::Output>;
}

/// Makes the evaluator called `name` for `dice` and does `work` with it.
///
/// # Errors
/// [`BadInput`] when weights cannot be read or do not fit the game; otherwise what the work returns.
pub fn with_evaluator<W: WithEvaluator>(
    name: &EvaluatorName,
    dice: &Dice,
    seed: u64,
    work: W,
) -> anyhow::Result<W::Output> {
    match name {
        EvaluatorName::Constant => work.run(Plain::Constant(Constant::default())),
        EvaluatorName::Runs => work.run(Plain::Runs(RunCount)),
        EvaluatorName::HashRandom => work.run(HashRandom::new(seed, dice.grid().limit())),
        EvaluatorName::Network | EvaluatorName::NetworkFile(_) => work.run(network(name, dice)?),
    }
}

/// Whether [`with_evaluator`] could make the evaluator called `name` for `dice`.
///
/// # Errors
/// When weights cannot be read or do not fit the game.
pub fn check_evaluator(name: &EvaluatorName, dice: &Dice) -> Result<(), BadInput> {
    match name {
        EvaluatorName::Constant | EvaluatorName::Runs | EvaluatorName::HashRandom => Ok(()),
        EvaluatorName::Network | EvaluatorName::NetworkFile(_) => network(name, dice).map(drop),
    }
}

/// The network called `name` for `dice`.
///
/// # Errors
/// When it is the name of another evaluator, or its weights cannot be read or do not fit the game.
pub fn network(name: &EvaluatorName, dice: &Dice) -> Result<Network, BadInput> {
    match name {
        EvaluatorName::Network => Network::trained(dice).map_err(|error| {
            let complaint = format!("expected a board that it was trained for ({error})");
            BadInput::new("evaluator", "network", complaint)
        }),
        EvaluatorName::NetworkFile(file) => read_network(dice, file),
        other => Err(BadInput::new("evaluator", other.to_string(), "expected network or network:FILE")),
    }
}

fn read_network(dice: &Dice, file: &Path) -> Result<Network, BadInput> {
    let complaint = |error: &dyn fmt::Display| BadInput::new("weights file", file.to_string_lossy(), error);
    let bytes = files::read(file, files::WEIGHTS)
        .map_err(|error| complaint(&format_args!("expected a readable file ({error})")))?;
    Network::from_bytes(dice, &bytes).map_err(|error| {
        complaint(&format_args!("expected weights written by train for this board ({error})"))
    })
}

/// So many lockless tables of `mib` MiB each.
///
/// # Errors
/// As [`table`].
pub fn tables(count: usize, mib: u64) -> Result<Vec<LocklessTable>, BadInput> {
    (0..count).map(|_| table(mib)).collect()
}

/// A lockless table of `mib` MiB.
///
/// # Errors
/// [`BadInput`] when the machine cannot give so much.
pub fn table(mib: u64) -> Result<LocklessTable, BadInput> {
    LocklessTable::new(mib).map_err(|error| {
        let reason = match error {
            TableError::Memory { source, .. } => source.to_string(),
            other => other.to_string(),
        };
        let complaint = format_args!("expected no more than the system grants ({reason})").to_string();
        BadInput::new("table-mb", mib.to_string(), complaint)
    })
}

/// Reads rules of Dice.
///
/// # Errors
/// When they are none.
pub fn rules(text: &str) -> Result<Rules, BadInput> {
    text.parse().map_err(|error| BadInput::from_error(format_args!("rules {}: {error}", shown(text))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_evaluators_are_read_as_they_are_written() {
        for name in ["constant", "hash-random", "runs", "network", "network:weights/a.safetensors"] {
            assert_eq!(name.parse::<EvaluatorName>().unwrap().to_string(), name);
        }
        for bad in ["", "Network", "network:", "none"] {
            assert!(bad.parse::<EvaluatorName>().is_err(), "{bad}");
        }
    }

    #[test]
    fn the_network_is_the_default_for_its_own_board_only() {
        assert_eq!(EvaluatorName::default_for(&Rules::default()), EvaluatorName::Network);
        assert_eq!(EvaluatorName::default_for(&rules("size=3,run=3").unwrap()), EvaluatorName::Constant);
    }

    #[test]
    fn weights_that_are_not_there_are_named() {
        let error =
            read_network(&Dice::new(Rules::default()), "no/such/weights".as_ref()).unwrap_err().to_string();
        assert!(error.starts_with("weights file no/such/weights: expected"), "{error}");
    }
}
