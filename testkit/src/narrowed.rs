//! A game with few moves and outcomes, so that it can be searched deep.

use super::meetings::rank;
use starsplit::evaluator::mix64;
use starsplit::game::{Game, StepOf};
use starsplit::score::Bounds;
use starsplit_wrappers::{GameWrapper, forward};
use std::ops::ControlFlow;

/// Another game: the full one with those moves and outcomes that come first in an order of `salt`'s making,
/// so many at most. The same ones are kept everywhere, so its lines of play come together often.
pub(crate) struct Narrowed<'a, G> {
    pub(crate) full: &'a G,
    pub(crate) salt: u64,
    /// `None` keeps all, in the game's own order.
    pub(crate) width: Option<usize>,
}

// Not derived, which would ask the game to be copied.
impl<G> Clone for Narrowed<'_, G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G> Copy for Narrowed<'_, G> {}

impl<G: Game> Narrowed<'_, G> {
    fn kept_moves(&self, position: &G::Position, width: usize) -> Vec<G::Move> {
        let mut moves = Vec::new();
        self.full.moves(position, |mv| moves.push(mv));
        moves.sort_by_cached_key(|mv| rank(&format!("{mv:?}"), self.salt));
        moves.truncate(width);
        moves
    }

    fn kept_outcomes(&self, position: &G::Position, width: usize) -> Vec<(G::Outcome, u32)> {
        let mut outcomes = Vec::new();
        self.full.outcomes(position, |outcome, weight| outcomes.push((outcome, weight)));
        outcomes.sort_by_cached_key(|(outcome, _)| rank(&format!("{outcome:?}"), self.salt));
        outcomes.truncate(width);
        outcomes
    }
}

impl<G: Game> GameWrapper for Narrowed<'_, G> {
    type Inner = G;
    type Position = G::Position;

    fn inner(&self) -> &G {
        self.full
    }

    fn inner_position(position: &G::Position) -> &G::Position {
        position
    }

    fn wrap(&self, _: &G::Position, _: StepOf<G>, after: G::Position) -> G::Position {
        after
    }

    fn identity(&self) -> u64 {
        let width = self.width.map_or(u64::MAX, |width| width as u64);
        mix64(mix64(self.full.identity() ^ self.salt) ^ width)
    }

    fn moves(&self, position: &G::Position, push: impl FnMut(G::Move)) {
        match self.width {
            Some(width) => self.kept_moves(position, width).into_iter().for_each(push),
            None => self.full.moves(position, push),
        }
    }

    fn visit_moves(
        &self,
        position: &G::Position,
        mut visit: impl FnMut(G::Move, G::Position) -> ControlFlow<()>,
    ) {
        let Some(width) = self.width else { return self.full.visit_moves(position, visit) };
        let mut moves = self.kept_moves(position, width).into_iter();
        let _ = moves.try_for_each(|mv| visit(mv, self.full.play(position, mv)));
    }

    fn outcomes(&self, position: &G::Position, mut push: impl FnMut(G::Outcome, u32)) {
        match self.width {
            Some(width) => {
                let outcomes = self.kept_outcomes(position, width).into_iter();
                outcomes.for_each(|(outcome, weight)| push(outcome, weight));
            }
            None => self.full.outcomes(position, push),
        }
    }

    fn visit_outcomes(
        &self,
        position: &G::Position,
        mut visit: impl FnMut(G::Outcome, u32, G::Position) -> ControlFlow<()>,
    ) {
        let Some(width) = self.width else { return self.full.visit_outcomes(position, visit) };
        let mut outcomes = self.kept_outcomes(position, width).into_iter();
        let _ = outcomes
            .try_for_each(|(outcome, weight)| visit(outcome, weight, self.full.resolve(position, outcome)));
    }

    fn outcome_bounds(&self, position: &G::Position, depth: u8, push: impl FnMut(Bounds)) {
        if self.width.is_none() {
            self.full.outcome_bounds(position, depth, push);
        }
    }
}

forward! { impl<'a, G: Game> Game for Narrowed<'a, G> }
