//! The doors to all games: one type for whatever game.

use crate::cli::BadInput;
use crate::question::door::{Door, Entry, SearcherMaker};
use crate::question::typed::{Typed, typed};
use starsplit::evaluator::Evaluator;
use starsplit_games::{
    EvaluatorInfo, EvaluatorVisitor, GameInfo, GameVisitor, KnownGame, list, perft, self_play,
};
use std::fmt::Debug;
use std::sync::Arc;

pub use list::ALL;

/// The game of that name.
///
/// # Errors
/// When there is none.
pub fn named(name: &str) -> Result<&'static GameInfo, BadInput> {
    list::named(name).map_err(BadInput::from_error)
}

/// The game that is meant where none is named.
pub fn default_game() -> &'static GameInfo {
    ALL[0]
}

/// The door to a game, under its default rules where none are given.
///
/// # Errors
/// When the rules are none of that game.
pub fn open(game: &GameInfo, rules: Option<&str>) -> Result<Arc<dyn Door>, BadInput> {
    list::open(game.name, rules, Opening).map_err(BadInput::from_error)
}

struct Opening;

impl GameVisitor for Opening {
    type Output = Arc<dyn Door>;

    fn visit<G: KnownGame>(self, info: &'static GameInfo, game: G) -> Arc<dyn Door> {
        Arc::new(GameDoor { info, game })
    }
}

/// The door to a game under some rules.
#[derive(Clone, Debug)]
struct GameDoor<G> {
    info: &'static GameInfo,
    game: G,
}

impl<G: KnownGame> GameDoor<G> {
    fn entry(&self, position: G::Position) -> Entry {
        Entry::new(self.game.notation(&position), position)
    }
}

impl<G: KnownGame> Door for GameDoor<G> {
    fn info(&self) -> &'static GameInfo {
        self.info
    }

    fn rules(&self) -> String {
        self.game.rules()
    }

    fn initial(&self) -> Entry {
        self.entry(self.game.initial())
    }

    fn position(&self, text: &str) -> Result<Entry, BadInput> {
        self.game.parse(text).map(|position| self.entry(position)).map_err(BadInput::from_error)
    }

    fn full_depth(&self, position: &Entry) -> anyhow::Result<Option<u32>> {
        Ok(self.game.full_depth(typed(position)?))
    }

    fn perft(
        &self,
        position: &Entry,
        depth: u32,
        mut goes_on: &mut dyn FnMut() -> bool,
    ) -> anyhow::Result<Option<u64>> {
        Ok(perft::perft(&self.game, typed(position)?, depth, &mut goes_on))
    }

    fn self_play(&self, evaluator: &str, count: usize, seed: u64) -> Result<Vec<Entry>, BadInput> {
        let playing = Playing { game: &self.game, count, seed };
        let found = self.game.visit_evaluator(evaluator, seed, playing).map_err(BadInput::from_error)?;
        Ok(found.into_iter().map(|position| self.entry(position)).collect())
    }

    fn evaluators(&self) -> Vec<EvaluatorInfo> {
        self.game.evaluators()
    }

    fn evaluator(&self, name: &str, seed: u64) -> Result<Box<dyn SearcherMaker>, BadInput> {
        self.game.visit_evaluator(name, seed, Making(self.game.clone())).map_err(BadInput::from_error)
    }
}

/// Plays a game against itself by the evaluator that it is given.
struct Playing<'g, G> {
    game: &'g G,
    count: usize,
    seed: u64,
}

impl<G: KnownGame> EvaluatorVisitor<G> for Playing<'_, G> {
    type Output = Vec<G::Position>;

    fn visit<E: Evaluator<G>>(self, evaluator: E) -> Self::Output {
        self_play::positions(self.game, &evaluator, self.count, self.seed)
    }
}

/// Makes searchers of a game with the evaluator that it is given.
struct Making<G>(G);

impl<G: KnownGame> EvaluatorVisitor<G> for Making<G> {
    type Output = Box<dyn SearcherMaker>;

    fn visit<E: Evaluator<G> + Clone + Debug + 'static>(self, evaluator: E) -> Box<dyn SearcherMaker> {
        Box::new(Typed { game: self.0, evaluator })
    }
}
