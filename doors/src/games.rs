//! Games by name: what a program is given, of whatever types.

#[cfg(feature = "chains")]
use crate::counting::CountingMaker;
use crate::door::{Door, Entry, Kept, SearcherMaker};
use crate::erased::Erased;
use crate::play::AnyPlay;
use crate::played::Played;
use crate::typed::{Typed, typed};
use starsplit::evaluator::Evaluator;
use starsplit_games::{
    EvaluatorInfo, EvaluatorVisitor, GameInfo, Invalid, KnownGame, Own, OwnGame, perft, self_play,
};
use starsplit_wrappers::OfInner;
use starsplit_wrappers::smaller::{Sampled, TopMoves};
use std::fmt::Debug;
use std::sync::Arc;

/// Opens a game under rules.
type Open = fn(&'static GameInfo, &str) -> Result<Arc<dyn Door>, Invalid>;

/// A game that a program can name, and how it is opened. Where one is made, all of the game's searches are
/// compiled: put it into a `static` of a crate of its own.
#[derive(Clone, Copy, Debug)]
pub struct GameEntry {
    info: &'static GameInfo,
    open: Open,
}

impl GameEntry {
    /// The game of this type that `info` describes.
    pub const fn new<G: KnownGame>(info: &'static GameInfo) -> Self {
        GameEntry { info, open: |info, rules| Ok(door_to(info, G::open(info, rules)?)) }
    }

    /// The game of one's own that `info` describes.
    pub const fn own<O: OwnGame>(info: &'static GameInfo) -> Self {
        Self::new::<Own<O>>(info)
    }
}

/// The games that a program can name, each once. The first is the one that is meant where none is named.
#[derive(Clone, Copy, Debug)]
pub struct Games(pub &'static [&'static GameEntry]);

impl Games {
    /// What is known of each.
    pub fn infos(self) -> impl Iterator<Item = &'static GameInfo> + Clone {
        self.0.iter().map(|game| game.info)
    }

    /// The game of that name.
    ///
    /// # Errors
    /// When there is none.
    pub fn named(self, name: &str) -> Result<&'static GameInfo, Invalid> {
        self.entry(name).map(|game| game.info)
    }

    /// The game that is meant where none is named.
    ///
    /// # Panics
    /// When there is no game at all.
    pub fn default_game(self) -> &'static GameInfo {
        self.infos().next().expect("a program has a game")
    }

    /// The door to a game, under its default rules where none are given.
    ///
    /// # Errors
    /// When there is no such game, or the rules are none of it.
    pub fn open(self, game: &GameInfo, rules: Option<&str>) -> Result<Arc<dyn Door>, Invalid> {
        let entry = self.entry(game.name)?;
        (entry.open)(entry.info, rules.unwrap_or(game.default_rules))
    }

    fn entry(self, name: &str) -> Result<&'static GameEntry, Invalid> {
        self.0.iter().find(|game| game.info.name == name).copied().ok_or_else(|| {
            let names: Vec<_> = self.infos().map(|info| info.name).collect();
            Invalid::new("game", name, names.join(" or "))
        })
    }
}

/// The game behind a door, to be played.
///
/// # Errors
/// When it only searches.
pub fn played(door: &dyn Door) -> Result<&dyn AnyPlay, Invalid> {
    door.play().ok_or_else(|| Invalid::new("game", door.game(), "one that can be played"))
}

/// The door to a game.
pub fn door_to<G: KnownGame>(info: &'static GameInfo, game: G) -> Arc<dyn Door> {
    Arc::new(GameDoor { info, play: Played(game) })
}

/// The door to a game under some rules.
#[derive(Clone, Debug)]
struct GameDoor<G> {
    info: &'static GameInfo,
    play: Played<G>,
}

impl<G: KnownGame> Door for GameDoor<G> {
    fn info(&self) -> &'static GameInfo {
        self.info
    }

    fn rules(&self) -> String {
        self.play.0.rules()
    }

    fn initial(&self) -> Entry {
        self.play.entry(None, self.play.0.initial())
    }

    fn position(&self, text: &str) -> Result<Entry, Invalid> {
        self.play.0.read(text).map(|(text, position)| Entry::new(text, position))
    }

    fn unused(&self, text: &str) -> Option<String> {
        self.play.0.unused(text)
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
        Ok(found.into_iter().map(|(text, position)| Entry::new(text, position)).collect())
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
        // A constant as it stands: what comes after it is not compiled then.
        if const { !cfg!(feature = "smaller") } {
            let built = "a smaller game: expected a program built with searches of it, such as `starsplit`";
            return Err(Invalid::from_error(built));
        }
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
        Box::new(Typed::<_, _, false> { game, evaluator: OfInner(evaluator), caller_stack: None })
    }
}

/// Plays a game against itself by the evaluator that it is given.
struct Playing<'g, G> {
    game: &'g G,
    count: usize,
    seed: u64,
}

impl<G: KnownGame> EvaluatorVisitor<G> for Playing<'_, G> {
    type Output = Vec<(String, G::Position)>;

    fn visit<E: Evaluator<G>>(self, evaluator: E) -> Self::Output {
        self_play::positions(self.game, &evaluator, self.count, self.seed)
    }
}

/// Makes searchers of a game with the evaluator that it is given.
struct Making<G>(G);

impl<G: KnownGame> EvaluatorVisitor<G> for Making<G> {
    type Output = Box<dyn SearcherMaker>;

    fn visit<E: Evaluator<G> + Clone + Debug + 'static>(self, evaluator: E) -> Box<dyn SearcherMaker> {
        let typed = Typed::<_, _> { game: self.0, evaluator, caller_stack: None };
        // A constant as it stands: what comes after it is not compiled elsewhere.
        #[cfg(feature = "chains")]
        if const { G::PIECES_LEFT.is_some() } {
            return Box::new(CountingMaker(typed));
        }
        Box::new(typed)
    }
}
