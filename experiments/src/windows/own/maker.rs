//! Makes searches of the experiment's own for the positions of whatever game.

use super::search::{OwnSearch, Static};
use crate::cli::BadInput;
use crate::question::door::{Door, Entry};
use crate::windows::prover::Prover;
use crate::windows::way::Inner;
use anyhow::Context;
use starsplit::evaluator::Evaluator;
use starsplit::search::StopFlag;
use starsplit_games::{EvaluatorVisitor, GameInfo, GameVisitor, KnownGame, list};
use std::fmt::Debug;

/// A game with an evaluator: makes searches, whatever the types of both.
pub(in crate::windows) trait OwnMaker {
    /// A search of this root that knows nothing yet.
    ///
    /// # Errors
    /// When the position is of another game.
    fn prover<'a>(
        &'a self,
        root: &'a Entry,
        inner: Inner,
        stop: &'a StopFlag,
    ) -> anyhow::Result<Box<dyn Prover + 'a>>;
}

/// The maker for the game behind a door and the evaluator of that name.
///
/// # Errors
/// [`BadInput`] when there is no such evaluator, or moves of the game take plies of their own.
pub(in crate::windows) fn maker(
    door: &dyn Door,
    evaluator: &str,
    seed: u64,
) -> anyhow::Result<Box<dyn OwnMaker>> {
    let opening = Opening { evaluator, seed };
    list::open(door.game(), Some(&door.rules()), opening).map_err(BadInput::from_error)?
}

struct OwnGame<G: KnownGame> {
    game: G,
    evaluator: Box<dyn Static<G> + Send + Sync>,
}

impl<G: KnownGame> OwnMaker for OwnGame<G> {
    fn prover<'a>(
        &'a self,
        root: &'a Entry,
        inner: Inner,
        stop: &'a StopFlag,
    ) -> anyhow::Result<Box<dyn Prover + 'a>> {
        let root = root.position::<G::Position>().context("a position of the suite's game")?;
        Ok(Box::new(OwnSearch::new((&self.game, &*self.evaluator), root, inner, stop)))
    }
}

struct Opening<'a> {
    evaluator: &'a str,
    seed: u64,
}

impl GameVisitor for Opening<'_> {
    type Output = anyhow::Result<Box<dyn OwnMaker>>;

    fn visit<G: KnownGame>(self, info: &'static GameInfo, game: G) -> Self::Output {
        if G::STEPS.plies {
            return Err(BadInput::new("game", info.name, "expected one whose moves take a ply each").into());
        }
        let of_game = OfGame { game: game.clone() };
        Ok(game.visit_evaluator(self.evaluator, self.seed, of_game).map_err(BadInput::from_error)?)
    }
}

struct OfGame<G> {
    game: G,
}

impl<G: KnownGame> EvaluatorVisitor<G> for OfGame<G> {
    type Output = Box<dyn OwnMaker>;

    fn visit<E: Evaluator<G> + Clone + Debug + 'static>(self, evaluator: E) -> Self::Output {
        Box::new(OwnGame { game: self.game, evaluator: Box::new(evaluator) })
    }
}
