//! The doors to all games: one type for whatever game.

use crate::door::{Door, Entry, Kept, SearcherMaker};
use crate::erased::Erased;
use crate::play::AnyPlay;
use crate::played::Played;
use crate::typed::{Typed, typed};
use starsplit::evaluator::Evaluator;
use starsplit_games::Invalid;
use starsplit_games::{
    EvaluatorInfo, EvaluatorVisitor, GameInfo, GameVisitor, KnownGame, list, perft, self_play,
};
use starsplit_wrappers::OfInner;
use starsplit_wrappers::smaller::{Sampled, TopMoves};
use std::fmt::Debug;
use std::sync::Arc;

pub use list::ALL;

/// The game of that name.
///
/// # Errors
/// When there is none.
pub fn named(name: &str) -> Result<&'static GameInfo, Invalid> {
    list::named(name)
}

/// The game that is meant where none is named.
pub fn default_game() -> &'static GameInfo {
    ALL[0]
}

/// The door to a game, under its default rules where none are given.
///
/// # Errors
/// When the rules are none of that game.
pub fn open(game: &GameInfo, rules: Option<&str>) -> Result<Arc<dyn Door>, Invalid> {
    list::open(game.name, rules, Opening)
}

/// The game behind a door, to be played.
///
/// # Errors
/// When it only searches.
pub fn played(door: &dyn Door) -> Result<&dyn AnyPlay, Invalid> {
    door.play().ok_or_else(|| Invalid::new("game", door.game(), "one that can be played"))
}

struct Opening;

impl GameVisitor for Opening {
    type Output = Arc<dyn Door>;

    fn visit<G: KnownGame>(self, info: &'static GameInfo, game: G) -> Arc<dyn Door> {
        door_to(info, game)
    }
}

/// The door to a game that need not be one of the list, such as one of a test.
pub fn door_to<G: KnownGame>(info: &'static GameInfo, game: G) -> Arc<dyn Door> {
    Arc::new(GameDoor { info, play: Played(game) })
}

/// The door to a game under some rules.
#[derive(Clone, Debug)]
struct GameDoor<G> {
    info: &'static GameInfo,
    play: Played<G>,
}

impl<G: KnownGame> GameDoor<G> {
    fn entry(&self, position: G::Position) -> Entry {
        self.play.entry(position)
    }
}

impl<G: KnownGame> Door for GameDoor<G> {
    fn info(&self) -> &'static GameInfo {
        self.info
    }

    fn rules(&self) -> String {
        self.play.0.rules()
    }

    fn initial(&self) -> Entry {
        self.entry(self.play.0.initial())
    }

    fn position(&self, text: &str) -> Result<Entry, Invalid> {
        self.play.0.parse(text).map(|position| self.entry(position))
    }

    fn full_depth(&self, position: &Entry) -> anyhow::Result<Option<u32>> {
        Ok(self.play.0.full_depth(typed(position)?))
    }

    fn perft(
        &self,
        position: &Entry,
        depth: u32,
        mut goes_on: &mut dyn FnMut() -> bool,
    ) -> anyhow::Result<Option<u64>> {
        Ok(perft::perft(&self.play.0, typed(position)?, depth, &mut goes_on))
    }

    fn play(&self) -> Option<&dyn AnyPlay> {
        Some(&self.play)
    }

    fn self_play(&self, evaluator: &str, count: usize, seed: u64) -> Result<Vec<Entry>, Invalid> {
        let playing = Playing { game: &self.play.0, count, seed };
        let found = self.play.0.visit_evaluator(evaluator, seed, playing)?;
        Ok(found.into_iter().map(|position| self.entry(position)).collect())
    }

    fn evaluators(&self) -> Vec<EvaluatorInfo> {
        self.play.0.evaluators()
    }

    fn evaluator(&self, name: &str, seed: u64) -> Result<Box<dyn SearcherMaker>, Invalid> {
        self.play.0.visit_evaluator(name, seed, Making(self.play.0.clone()))
    }

    fn evaluator_of_smaller(
        &self,
        name: &str,
        seed: u64,
        kept: Kept,
    ) -> Result<Box<dyn SearcherMaker>, Invalid> {
        self.play.0.visit_evaluator(name, seed, MakingSmaller(self.play.0.clone(), kept))
    }
}

/// Makes searchers of a smaller game with the evaluator that it is given.
struct MakingSmaller<G>(G, Kept);

impl<G: KnownGame> EvaluatorVisitor<G> for MakingSmaller<G> {
    type Output = Box<dyn SearcherMaker>;

    fn visit<E: Evaluator<G> + Clone + Debug + 'static>(self, evaluator: E) -> Box<dyn SearcherMaker> {
        let MakingSmaller(full, Kept { draws, moves, margin }) = self;
        let evaluator = OfInner(Erased::new(evaluator));
        let grid = full.facts().grid;
        let steps = |margin: f64| grid.score(grid.value(0) + margin);
        let sampled = Sampled::new(full, draws.map(|(draws, _)| draws), draws.map_or(0, |(_, seed)| seed));
        let game = TopMoves::new(sampled, evaluator.clone(), moves, margin.map(steps));
        Box::new(Typed { game, evaluator: OfInner(evaluator) })
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
