//! Perceptrons by the names of evaluators: `mlp` and `mlp:FILE`.

use super::{Mlp, Weights};
use crate::backgammon::{Backgammon, Scoring, Variant};
use crate::network::{NetworkError, NetworkGame, Source, from_source};
use crate::{Invalid, KnownGame};

/// The weights that come with the library.
pub(super) const TRAINED: &[u8] = include_bytes!("../../../weights/backgammon-mlp.safetensors");

/// Whether an evaluator of this name is a perceptron.
pub(in super::super) fn is_mlp(name: &str) -> bool {
    name == "mlp" || name.starts_with("mlp:")
}

/// Whether weights come with the library for these rules.
pub(in super::super) fn is_trained_for(game: &Backgammon) -> bool {
    game.variant() == Variant::Backgammon && game.scoring() == Scoring::Points
}

/// The perceptron called `name`: `mlp`, the trained one, or `mlp:FILE`.
///
/// # Errors
/// When it is the name of another evaluator, or its weights cannot be read or do not fit the game.
pub(in super::super) fn named(game: &Backgammon, name: &str) -> Result<Mlp, Invalid> {
    from_source(name, "mlp", "teach", |source| {
        let bytes = match source {
            Source::File(bytes) => bytes,
            Source::Library if is_trained_for(game) => TRAINED,
            Source::Library => {
                let rules = format!("{},{}", game.shape().rules, game.rules());
                return Err(NetworkError::Untrained { rules });
            }
        };
        Mlp::new(game, &Weights::from_bytes(game, bytes)?)
    })
}
