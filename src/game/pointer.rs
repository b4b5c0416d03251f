//! Games behind a pointer: a reference, a `Box`, an `Arc`.

use crate::game::{Game, GameFacts, NodeKind, Player, PositionHash, StepOf, Steps, Texts};
use crate::score::{Bounds, Score};
use std::ops::{ControlFlow, Deref};

// The lint: a new method must be forwarded here.
#[deny(clippy::missing_trait_methods)]
impl<P: Deref<Target: Game> + Send + Sync> Game for P {
    type Position = <P::Target as Game>::Position;
    type Move = <P::Target as Game>::Move;
    type Outcome = <P::Target as Game>::Outcome;

    const STEPS: Steps = P::Target::STEPS;

    fn identity(&self) -> u64 {
        P::Target::identity(self)
    }

    #[inline]
    fn facts(&self) -> GameFacts {
        P::Target::facts(self)
    }

    #[inline]
    fn kind(&self, position: &Self::Position) -> NodeKind {
        P::Target::kind(self, position)
    }

    #[inline]
    fn player(&self, position: &Self::Position) -> Player {
        P::Target::player(self, position)
    }

    #[inline]
    fn terminal_score(&self, position: &Self::Position) -> Score {
        P::Target::terminal_score(self, position)
    }

    #[inline]
    fn hash(&self, position: &Self::Position) -> PositionHash {
        P::Target::hash(self, position)
    }

    #[inline]
    fn hash_to_depth(&self, position: &Self::Position, depth: u8) -> PositionHash {
        P::Target::hash_to_depth(self, position, depth)
    }

    #[inline]
    fn moves(&self, position: &Self::Position, push: impl FnMut(Self::Move)) {
        P::Target::moves(self, position, push);
    }

    #[inline]
    fn play(&self, position: &Self::Position, mv: Self::Move) -> Self::Position {
        P::Target::play(self, position, mv)
    }

    #[inline]
    fn visit_moves(
        &self,
        position: &Self::Position,
        visit: impl FnMut(Self::Move, Self::Position) -> ControlFlow<()>,
    ) {
        P::Target::visit_moves(self, position, visit);
    }

    #[inline]
    fn reward(&self, before: &Self::Position, step: StepOf<Self>, after: &Self::Position) -> Score {
        P::Target::reward(self, before, step, after)
    }

    #[inline]
    fn plies(&self, before: &Self::Position, step: StepOf<Self>, after: &Self::Position) -> u8 {
        P::Target::plies(self, before, step, after)
    }

    #[inline]
    fn outcomes(&self, position: &Self::Position, push: impl FnMut(Self::Outcome, u32)) {
        P::Target::outcomes(self, position, push);
    }

    #[inline]
    fn resolve(&self, position: &Self::Position, outcome: Self::Outcome) -> Self::Position {
        P::Target::resolve(self, position, outcome)
    }

    #[inline]
    fn visit_outcomes(
        &self,
        position: &Self::Position,
        visit: impl FnMut(Self::Outcome, u32, Self::Position) -> ControlFlow<()>,
    ) {
        P::Target::visit_outcomes(self, position, visit);
    }

    #[inline]
    fn outcome_bounds(&self, position: &Self::Position, depth: u8, push: impl FnMut(Bounds)) {
        P::Target::outcome_bounds(self, position, depth, push);
    }

    #[inline]
    fn move_slot(&self, mv: Self::Move) -> usize {
        P::Target::move_slot(self, mv)
    }

    fn full_depth(&self, position: &Self::Position) -> Option<u32> {
        P::Target::full_depth(self, position)
    }
}

#[deny(clippy::missing_trait_methods)]
impl<P: Deref<Target: Texts> + Send + Sync> Texts for P {
    fn move_text(&self, position: &Self::Position, mv: Self::Move) -> String {
        P::Target::move_text(self, position, mv)
    }

    fn outcome_text(&self, position: &Self::Position, outcome: Self::Outcome) -> String {
        P::Target::outcome_text(self, position, outcome)
    }
}
