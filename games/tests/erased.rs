//! Evaluators of known games behind a pointer, by their names.

#[path = "../../tests/common/erased.rs"]
mod common;

use starsplit::evaluator::Evaluator;
use starsplit_games::{EvaluatorVisitor, Invalid, KnownGame};

pub(crate) use common::{Blind, Erased, Seeing};

/// An evaluator that sees outcomes, and has bounds.
pub(crate) type Foreseeing<'e, G> = Erased<'e, G, false, true>;

impl<G: KnownGame, const IS_BLIND: bool, const HAS_BOUNDS: bool> Erased<'_, G, IS_BLIND, HAS_BOUNDS> {
    /// The game's evaluator of this name.
    pub(crate) fn named(game: &G, name: &str, seed: u64) -> Result<Self, Invalid> {
        game.visit_evaluator(name, seed, Erase::<IS_BLIND, HAS_BOUNDS>)
    }
}

/// Makes an evaluator one of a kind.
struct Erase<const IS_BLIND: bool, const HAS_BOUNDS: bool>;

impl<G: KnownGame, const IS_BLIND: bool, const HAS_BOUNDS: bool> EvaluatorVisitor<G>
    for Erase<IS_BLIND, HAS_BOUNDS>
{
    type Output = Erased<'static, G, IS_BLIND, HAS_BOUNDS>;

    fn visit<E: Evaluator<G> + 'static>(self, evaluator: E) -> Self::Output {
        Erased::without_batches(evaluator)
    }
}
