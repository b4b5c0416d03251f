//! Games that change a few things of another game.

use starsplit::game::{Game, GameFacts, NodeKind, Player, PositionHash, Step, StepOf, Steps, until_break};
use starsplit::score::{Bounds, Score};
use std::ops::ControlFlow;

/// A game made from another one, its [inner](GameWrapper::inner) game. Methods mean the same as in [`Game`];
/// what the wrapper does not implement is the inner game's. [`forward!`](crate::forward) makes the type a
/// [`Game`].
///
/// Two things are not the inner game's. `visit_moves` and `visit_outcomes` use the wrapper's own
/// [`moves`](GameWrapper::moves) and [`outcomes`](GameWrapper::outcomes). And there are no
/// [bounds](Game::outcome_bounds), which may be false once something else is changed.
///
/// Where both traits are in scope, name the trait in a call, as in `Game::moves`.
pub trait GameWrapper: Send + Sync {
    /// The inner game.
    type Inner: Game;
    /// A position. It contains one of the inner game's, or is one.
    type Position: Clone + Send + Sync;
    /// See [`Game::STEPS`].
    const STEPS: Steps = <Self::Inner as Game>::STEPS;

    /// The inner game.
    fn inner(&self) -> &Self::Inner;

    /// The inner game's position.
    fn inner_position(position: &Self::Position) -> &<Self::Inner as Game>::Position;

    /// The position after a step, where the inner game's position is `after`.
    fn wrap(
        &self,
        before: &Self::Position,
        step: StepOf<Self::Inner>,
        after: <Self::Inner as Game>::Position,
    ) -> Self::Position;

    /// See [`Game::identity`]. It must differ from the inner game's where values may differ.
    fn identity(&self) -> u64;

    /// See [`Game::facts`]. What the inner game promises must hold here as well.
    fn facts(&self) -> GameFacts {
        self.inner().facts()
    }

    /// See [`Game::kind`].
    #[inline]
    fn kind(&self, position: &Self::Position) -> NodeKind {
        self.inner().kind(Self::inner_position(position))
    }

    /// See [`Game::player`].
    #[inline]
    fn player(&self, position: &Self::Position) -> Player {
        self.inner().player(Self::inner_position(position))
    }

    /// See [`Game::terminal_score`].
    #[inline]
    fn terminal_score(&self, position: &Self::Position) -> Score {
        self.inner().terminal_score(Self::inner_position(position))
    }

    /// See [`Game::hash`].
    #[inline]
    fn hash(&self, position: &Self::Position) -> PositionHash {
        self.inner().hash(Self::inner_position(position))
    }

    /// See [`Game::hash_to_depth`]. The wrapper's own hash, plus what the depth adds to the inner game's.
    #[inline]
    fn hash_to_depth(&self, position: &Self::Position, depth: u8) -> PositionHash {
        let (inner, within) = (self.inner(), Self::inner_position(position));
        self.hash(position) ^ inner.hash(within) ^ inner.hash_to_depth(within, depth)
    }

    /// See [`Game::moves`].
    #[inline]
    fn moves(&self, position: &Self::Position, push: impl FnMut(<Self::Inner as Game>::Move)) {
        self.inner().moves(Self::inner_position(position), push);
    }

    /// See [`Game::play`].
    #[inline]
    fn play(&self, position: &Self::Position, mv: <Self::Inner as Game>::Move) -> Self::Position {
        let after = self.inner().play(Self::inner_position(position), mv);
        self.wrap(position, Step::Move(mv), after)
    }

    /// See [`Game::outcomes`].
    #[inline]
    fn outcomes(&self, position: &Self::Position, push: impl FnMut(<Self::Inner as Game>::Outcome, u32)) {
        self.inner().outcomes(Self::inner_position(position), push);
    }

    /// See [`Game::resolve`].
    #[inline]
    fn resolve(&self, position: &Self::Position, outcome: <Self::Inner as Game>::Outcome) -> Self::Position {
        let after = self.inner().resolve(Self::inner_position(position), outcome);
        self.wrap(position, Step::Outcome(outcome), after)
    }

    /// See [`Game::reward`].
    #[inline]
    fn reward(&self, before: &Self::Position, step: StepOf<Self::Inner>, after: &Self::Position) -> Score {
        self.inner().reward(Self::inner_position(before), step, Self::inner_position(after))
    }

    /// See [`Game::plies`].
    #[inline]
    fn plies(&self, before: &Self::Position, step: StepOf<Self::Inner>, after: &Self::Position) -> u8 {
        self.inner().plies(Self::inner_position(before), step, Self::inner_position(after))
    }

    /// See [`Game::visit_moves`].
    #[inline]
    fn visit_moves(
        &self,
        position: &Self::Position,
        mut visit: impl FnMut(<Self::Inner as Game>::Move, Self::Position) -> ControlFlow<()>,
    ) {
        self.moves(position, until_break(|mv| visit(mv, self.play(position, mv))));
    }

    /// See [`Game::visit_outcomes`].
    #[inline]
    fn visit_outcomes(
        &self,
        position: &Self::Position,
        mut visit: impl FnMut(<Self::Inner as Game>::Outcome, u32, Self::Position) -> ControlFlow<()>,
    ) {
        let mut each =
            until_break(|(outcome, weight)| visit(outcome, weight, self.resolve(position, outcome)));
        self.outcomes(position, |outcome, weight| each((outcome, weight)));
    }

    /// See [`Game::outcome_bounds`].
    #[inline]
    fn outcome_bounds(&self, _position: &Self::Position, _depth: u8, _push: impl FnMut(Bounds)) {}

    /// See [`Game::move_slot`].
    #[inline]
    fn move_slot(&self, mv: <Self::Inner as Game>::Move) -> usize {
        self.inner().move_slot(mv)
    }

    /// See [`Game::full_depth`].
    fn full_depth(&self, position: &Self::Position) -> Option<u32> {
        self.inner().full_depth(Self::inner_position(position))
    }
}
