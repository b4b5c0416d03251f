//! Dice behind its door: rules, positions, suites, and evaluators by name.

use crate::cli::files;
use crate::cli::{BadInput, shown};
use crate::question::door::{Door, Entry, KnownGame, SearcherMaker};
use crate::question::typed::{Typed, typed};
use starsplit::evaluator::{Constant, Evaluator, HashRandom};
use starsplit::game::Game;
use starsplit_games::dice::{Dice, Move, Network, Position, Rules, RunCount};
use starsplit::score::Score;
use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;

/// Dice as suites and flags name it.
pub const GAME: KnownGame = KnownGame {
    name: "dice",
    default_rules: "size=5,run=4,full-line=reroll",
    suites: &[
        ("paper", include_str!("../../../suites/paper.txt")),
        ("large", include_str!("../../../suites/large.txt")),
        ("quick", include_str!("../../../suites/quick.txt")),
        ("pass", include_str!("../../../suites/pass.txt")),
        ("board-3", include_str!("../../../suites/board-3.txt")),
        ("board-4", include_str!("../../../suites/board-4.txt")),
        ("board-5", include_str!("../../../suites/board-5.txt")),
        ("board-6", include_str!("../../../suites/board-6.txt")),
        ("board-7", include_str!("../../../suites/board-7.txt")),
    ],
    open: |rules| match rules.parse::<Rules>() {
        Ok(rules) => Ok(Arc::new(DiceDoor(Dice::new(rules)))),
        Err(error) => Err(error.to_string()),
    },
};

/// The door to Dice under some rules.
#[derive(Clone, Debug)]
struct DiceDoor(Dice);

impl DiceDoor {
    fn entry(&self, position: Position) -> Entry {
        Entry::new(self.0.notation(&position), position)
    }
}

impl Door for DiceDoor {
    fn game(&self) -> &str {
        GAME.name
    }

    fn rules(&self) -> String {
        self.0.rules().to_string()
    }

    fn initial(&self) -> Entry {
        self.entry(self.0.initial())
    }

    fn position(&self, text: &str) -> Result<Entry, String> {
        self.0.parse(text).map(|position| self.entry(position)).map_err(|error| error.to_string())
    }

    fn full_depth(&self, position: &Entry) -> anyhow::Result<Option<u32>> {
        Ok(self.0.full_depth(typed(position)?))
    }

    fn default_evaluator(&self) -> &'static str {
        // The trained network for the board it was trained for, none for others.
        if (self.0.rules().size(), self.0.rules().run()) == (5, 4) { "network" } else { "constant" }
    }

    fn evaluator(&self, name: &str, seed: u64) -> anyhow::Result<Box<dyn SearcherMaker>> {
        let game = self.0.clone();
        Ok(match name.parse()? {
            EvaluatorName::Constant => {
                Box::new(Typed { game, evaluator: Plain::Constant(Constant::default()) })
            }
            EvaluatorName::Runs => Box::new(Typed { game, evaluator: Plain::Runs(RunCount) }),
            EvaluatorName::HashRandom => {
                let evaluator = HashRandom::new(seed, game.grid().limit());
                Box::new(Typed { game, evaluator })
            }
            name @ (EvaluatorName::Network | EvaluatorName::NetworkFile(_)) => {
                let evaluator = network_of(&name, &game)?;
                Box::new(Typed { game, evaluator })
            }
        })
    }

    fn weights_file(&self, evaluator: &str) -> Option<PathBuf> {
        match evaluator.parse() {
            Ok(EvaluatorName::NetworkFile(file)) => Some(file),
            _ => None,
        }
    }
}

/// An evaluator as the command line names it.
#[derive(Clone, Debug, PartialEq, Eq)]
enum EvaluatorName {
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

/// The evaluators that keep no state and do not look at what was rolled. They are one type, because searches
/// are compiled for each type of evaluator, which is most of what building the experiments takes.
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

/// The network called `name` for `dice`.
///
/// # Errors
/// When it is the name of another evaluator, or its weights cannot be read or do not fit the game.
pub fn network(name: &str, dice: &Dice) -> Result<Network, BadInput> {
    network_of(&name.parse()?, dice)
}

fn network_of(name: &EvaluatorName, dice: &Dice) -> Result<Network, BadInput> {
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
        let default = |rules| (GAME.open)(rules).unwrap().default_evaluator();
        assert_eq!((default(GAME.default_rules), default("size=3,run=3")), ("network", "constant"));
    }

    #[test]
    fn only_weights_that_the_user_has_given_are_in_a_file() {
        let door = (GAME.open)(GAME.default_rules).unwrap();
        assert_eq!(door.weights_file("network:a"), Some(PathBuf::from("a")));
        assert_eq!((door.weights_file("network"), door.weights_file("runs")), (None, None));
    }

    #[test]
    fn weights_that_are_not_there_are_named() {
        let error =
            read_network(&Dice::new(Rules::default()), "no/such/weights".as_ref()).unwrap_err().to_string();
        assert!(error.starts_with("weights file no/such/weights: expected"), "{error}");
    }
}
