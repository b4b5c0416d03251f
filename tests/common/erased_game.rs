//! Games behind a pointer, as [`erased`](super::erased) has evaluators.

use starsplit::game::{Game, GameFacts, NodeKind, Player, PositionHash, Step, Steps};
use starsplit::score::{Bounds, Score};
use std::any::Any;
use std::ops::ControlFlow;
use std::sync::Arc;

/// A game whose steps take a ply each and pay nothing.
pub(crate) type Plain = ErasedGame<false>;
/// A game whose steps have rewards and plies of their own.
pub(crate) type Stepped = ErasedGame<true>;

/// A game of whatever type whose moves and outcomes are numbers.
#[derive(Clone)]
pub(crate) struct ErasedGame<const IS_STEPPED: bool>(Arc<dyn Plays>);

impl<const IS_STEPPED: bool> ErasedGame<IS_STEPPED> {
    /// This game; a [`Plain`] one may be handled as a [`Stepped`] one.
    pub(crate) fn of(game: impl Plays + 'static) -> Self {
        assert!(IS_STEPPED || game.is_plain(), "a game with steps of its own is not plain");
        ErasedGame(Arc::new(game))
    }
}

/// A position of such a game.
pub(crate) type Position = Arc<dyn Any + Send + Sync>;

pub(crate) fn at(position: impl Any + Send + Sync) -> Position {
    Arc::new(position)
}

/// [`Game`] with positions of one type, so that pointers to it can be made.
pub(crate) trait Plays: Send + Sync {
    fn is_plain(&self) -> bool;
    fn identity(&self) -> u64;
    fn facts(&self) -> GameFacts;
    fn kind(&self, position: &Position) -> NodeKind;
    fn player(&self, position: &Position) -> Player;
    fn terminal_score(&self, position: &Position) -> Score;
    fn hash(&self, position: &Position) -> PositionHash;
    fn hash_to_depth(&self, position: &Position, depth: u8) -> PositionHash;
    fn moves(&self, position: &Position, push: &mut dyn FnMut(u32));
    fn play(&self, position: &Position, mv: u32) -> Position;
    fn visit_moves(&self, position: &Position, visit: &mut dyn FnMut(u32, Position) -> ControlFlow<()>);
    fn reward(&self, before: &Position, step: Step<u32, u32>, after: &Position) -> Score;
    fn plies(&self, before: &Position, step: Step<u32, u32>, after: &Position) -> u8;
    fn outcomes(&self, position: &Position, push: &mut dyn FnMut(u32, u32));
    fn resolve(&self, position: &Position, outcome: u32) -> Position;
    fn visit_outcomes(
        &self,
        position: &Position,
        visit: &mut dyn FnMut(u32, u32, Position) -> ControlFlow<()>,
    );
    fn outcome_bounds(&self, position: &Position, depth: u8, push: &mut dyn FnMut(Bounds));
    fn move_slot(&self, mv: u32) -> usize;
    fn full_depth(&self, position: &Position) -> Option<u32>;
}

/// The position that was erased.
fn of<P: Any>(position: &Position) -> &P {
    let position: &dyn Any = &**position;
    position.downcast_ref().expect("a position of this game")
}

impl<G: Game<Move = u32, Outcome = u32, Position: 'static>> Plays for G {
    fn is_plain(&self) -> bool {
        G::STEPS == Steps::PLAIN
    }

    fn identity(&self) -> u64 {
        Game::identity(self)
    }

    fn facts(&self) -> GameFacts {
        Game::facts(self)
    }

    fn kind(&self, position: &Position) -> NodeKind {
        Game::kind(self, of(position))
    }

    fn player(&self, position: &Position) -> Player {
        Game::player(self, of(position))
    }

    fn terminal_score(&self, position: &Position) -> Score {
        Game::terminal_score(self, of(position))
    }

    fn hash(&self, position: &Position) -> PositionHash {
        Game::hash(self, of(position))
    }

    fn hash_to_depth(&self, position: &Position, depth: u8) -> PositionHash {
        Game::hash_to_depth(self, of(position), depth)
    }

    fn moves(&self, position: &Position, push: &mut dyn FnMut(u32)) {
        Game::moves(self, of(position), push);
    }

    fn play(&self, position: &Position, mv: u32) -> Position {
        at(Game::play(self, of(position), mv))
    }

    fn visit_moves(&self, position: &Position, visit: &mut dyn FnMut(u32, Position) -> ControlFlow<()>) {
        Game::visit_moves(self, of(position), |mv, after| visit(mv, at(after)));
    }

    fn reward(&self, before: &Position, step: Step<u32, u32>, after: &Position) -> Score {
        Game::reward(self, of(before), step, of(after))
    }

    fn plies(&self, before: &Position, step: Step<u32, u32>, after: &Position) -> u8 {
        Game::plies(self, of(before), step, of(after))
    }

    fn outcomes(&self, position: &Position, push: &mut dyn FnMut(u32, u32)) {
        Game::outcomes(self, of(position), push);
    }

    fn resolve(&self, position: &Position, outcome: u32) -> Position {
        at(Game::resolve(self, of(position), outcome))
    }

    fn visit_outcomes(
        &self,
        position: &Position,
        visit: &mut dyn FnMut(u32, u32, Position) -> ControlFlow<()>,
    ) {
        Game::visit_outcomes(self, of(position), |outcome, weight, after| visit(outcome, weight, at(after)));
    }

    fn outcome_bounds(&self, position: &Position, depth: u8, push: &mut dyn FnMut(Bounds)) {
        Game::outcome_bounds(self, of(position), depth, push);
    }

    fn move_slot(&self, mv: u32) -> usize {
        Game::move_slot(self, mv)
    }

    fn full_depth(&self, position: &Position) -> Option<u32> {
        Game::full_depth(self, of(position))
    }
}

// The lint: a new method must be forwarded here.
#[deny(clippy::missing_trait_methods)]
impl<const IS_STEPPED: bool> Game for ErasedGame<IS_STEPPED> {
    type Position = Position;
    type Move = u32;
    type Outcome = u32;
    const STEPS: Steps =
        if IS_STEPPED { Steps::PLAIN.with_rewards(true).with_plies(true) } else { Steps::PLAIN };

    fn identity(&self) -> u64 {
        self.0.identity()
    }

    fn facts(&self) -> GameFacts {
        self.0.facts()
    }

    fn kind(&self, position: &Position) -> NodeKind {
        self.0.kind(position)
    }

    fn player(&self, position: &Position) -> Player {
        self.0.player(position)
    }

    fn terminal_score(&self, position: &Position) -> Score {
        self.0.terminal_score(position)
    }

    fn hash(&self, position: &Position) -> PositionHash {
        self.0.hash(position)
    }

    fn hash_to_depth(&self, position: &Position, depth: u8) -> PositionHash {
        self.0.hash_to_depth(position, depth)
    }

    fn moves(&self, position: &Position, mut push: impl FnMut(u32)) {
        self.0.moves(position, &mut push);
    }

    fn play(&self, position: &Position, mv: u32) -> Position {
        self.0.play(position, mv)
    }

    fn visit_moves(&self, position: &Position, mut visit: impl FnMut(u32, Position) -> ControlFlow<()>) {
        self.0.visit_moves(position, &mut visit);
    }

    fn reward(&self, before: &Position, step: Step<u32, u32>, after: &Position) -> Score {
        self.0.reward(before, step, after)
    }

    fn plies(&self, before: &Position, step: Step<u32, u32>, after: &Position) -> u8 {
        self.0.plies(before, step, after)
    }

    fn outcomes(&self, position: &Position, mut push: impl FnMut(u32, u32)) {
        self.0.outcomes(position, &mut push);
    }

    fn resolve(&self, position: &Position, outcome: u32) -> Position {
        self.0.resolve(position, outcome)
    }

    fn visit_outcomes(
        &self,
        position: &Position,
        mut visit: impl FnMut(u32, u32, Position) -> ControlFlow<()>,
    ) {
        self.0.visit_outcomes(position, &mut visit);
    }

    fn outcome_bounds(&self, position: &Position, depth: u8, mut push: impl FnMut(Bounds)) {
        self.0.outcome_bounds(position, depth, &mut push);
    }

    fn move_slot(&self, mv: u32) -> usize {
        self.0.move_slot(mv)
    }

    fn full_depth(&self, position: &Position) -> Option<u32> {
        self.0.full_depth(position)
    }
}
