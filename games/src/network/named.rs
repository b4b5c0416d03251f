//! Networks by the names of evaluators: `network` and `network:FILE`.

use super::{NetworkError, NetworkGame, Weights};
use crate::{EvaluatorInfo, Invalid, files};

/// How a game with trained weights lists its network.
pub(crate) const NETWORK: EvaluatorInfo = EvaluatorInfo { name: "network", about: "the trained network" };

/// Those of `all` of a game's evaluators, the network at their head, that fit its rules: without it where
/// it was not trained for these.
pub(crate) fn fitting<G: NetworkGame<H, O>, const H: usize, const O: usize>(
    game: &G,
    all: &[EvaluatorInfo],
) -> Vec<EvaluatorInfo> {
    all[usize::from(game.trained().is_none())..].to_vec()
}

/// Whether an evaluator of this name is a network.
pub(crate) fn is_network(name: &str) -> bool {
    name == "network" || name.starts_with("network:")
}

/// The network called `name`: `network`, the trained one, or `network:FILE`.
///
/// # Errors
/// When it is the name of another evaluator, or its weights cannot be read or do not fit the game.
pub fn named<G: NetworkGame<H, O>, const H: usize, const O: usize>(
    game: &G,
    name: &str,
) -> Result<G::Network, Invalid> {
    from_source(name, "network", "train", |source| match source {
        Source::Library => trained(game),
        Source::File(bytes) => from_bytes(game, bytes),
    })
}

/// Where an evaluator's weights are.
pub(crate) enum Source<'a> {
    /// They come with the library.
    Library,
    /// In a file that the name names: its bytes.
    File(&'a [u8]),
}

/// What `make` makes of the weights that `name` names: `kind` itself, or `kind:FILE`, of which `maker` writes
/// the files.
pub(crate) fn from_source<N>(
    name: &str,
    kind: &str,
    maker: &str,
    make: impl FnOnce(Source<'_>) -> Result<N, NetworkError>,
) -> Result<N, Invalid> {
    match name.strip_prefix(kind) {
        Some("") => make(Source::Library).map_err(|error| {
            Invalid::new("evaluator", name, format_args!("rules that it was trained for ({error})"))
        }),
        Some(rest) if rest.len() > 1 && rest.starts_with(':') => {
            let file = &rest[1..];
            let bytes = files::read(file.as_ref(), files::WEIGHTS).map_err(|error| {
                Invalid::new("weights file", file, format_args!("a readable file ({error})"))
            })?;
            make(Source::File(&bytes)).map_err(|error| {
                let expected = format!("weights written by {maker} for these rules ({error})");
                Invalid::new("weights file", file, expected)
            })
        }
        _ => Err(Invalid::new("evaluator", name, format_args!("{kind} or {kind}:FILE"))),
    }
}

/// The network that was trained by self-play for these rules and comes with the library.
pub(crate) fn trained<G: NetworkGame<H, O>, const H: usize, const O: usize>(
    game: &G,
) -> Result<G::Network, NetworkError> {
    let bytes = game.trained().ok_or_else(|| NetworkError::Untrained { rules: game.shape().rules })?;
    from_bytes(game, bytes)
}

/// The network in a safetensors file.
pub(crate) fn from_bytes<G: NetworkGame<H, O>, const H: usize, const O: usize>(
    game: &G,
    bytes: &[u8],
) -> Result<G::Network, NetworkError> {
    game.network(&Weights::from_bytes(game.shape(), bytes)?)
}
