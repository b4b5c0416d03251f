//! A game with a sample of the outcomes at each chance node.

use crate::smaller::{also, positions_are_the_full_games};
use crate::{GameWrapper, forward};
use starsplit::evaluator::mix64;
use starsplit::game::{Game, GameFacts, PositionHash, Texts};

/// A game with a sample of the outcomes at each chance node. The sample is a number of draws with
/// replacement, by the outcomes' probabilities; an outcome's weight is how often it was drawn. The sample
/// depends only on the position and a seed, so a position that recurs has the same sample.
///
/// This is the sparse sampling of Kearns, Mansour and Ng (2002), as Monte Carlo *-minimax (Lanctot,
/// Saffidine, Veness, Archibald and Winands 2013) does it at chance nodes, except that there a revisited node
/// is sampled again.
///
/// The mean of a chance node's value over seeds is the full game's value, if its successors have their values
/// in the full game. For a root with decisions in its tree it is not, since the mover sees the samples and
/// profits from them.
///
/// A chance node generates its outcomes twice, and takes one hash for each draw.
#[derive(Clone, Copy, Debug)]
pub struct Sampled<G> {
    full: G,
    draws: Option<u32>,
    seed: u64,
}

/// The greatest number of draws, which is the sum of a chance node's weights.
const MOST_DRAWS: u32 = 1 << 20;

impl<G: Game> Sampled<G> {
    /// `full` with `draws` draws at each chance node, clamped to 1 to 2^20. With `None` the game is `full`,
    /// whatever the seed.
    pub fn new(full: G, draws: Option<u32>, seed: u64) -> Self {
        let draws = draws.map(|draws| draws.clamp(1, MOST_DRAWS));
        Sampled { full, draws, seed: if draws.is_some() { seed } else { 0 } }
    }

    /// The draws at a position: numbers below the sum of the weights, in ascending order.
    fn drawn(&self, PositionHash { high, low }: PositionHash, draws: u32, total: u64) -> Vec<u64> {
        let base = mix64(mix64(high ^ self.seed) ^ low);
        let draw = |turn| {
            let bits = mix64(base.wrapping_add(u64::from(turn).wrapping_mul(0x9e37_79b9_7f4a_7c15)));
            ((u128::from(bits) * u128::from(total)) >> 64) as u64
        };
        let mut drawn: Vec<u64> = (0..draws).map(draw).collect();
        drawn.sort_unstable();
        drawn
    }
}

impl<G: Game> GameWrapper for Sampled<G> {
    positions_are_the_full_games!();

    fn identity(&self) -> u64 {
        let Some(draws) = self.draws else { return self.full.identity() };
        mix64(mix64(self.full.identity() ^ 0x7361_6d70_6c65_6421) ^ mix64(self.seed) ^ u64::from(draws))
    }

    fn facts(&self) -> GameFacts {
        let full = self.full.facts();
        let Some(draws) = self.draws else { return full };
        also(full, format!("{draws} outcomes drawn at each chance node with seed {}", self.seed))
    }

    fn outcomes(&self, position: &G::Position, mut push: impl FnMut(G::Outcome, u32)) {
        let Some(draws) = self.draws else { return self.full.outcomes(position, push) };
        let mut total = 0u64;
        self.full.outcomes(position, |_, weight| total += u64::from(weight));
        let drawn = self.drawn(self.full.hash(position), draws, total);
        let (mut before, mut left) = (0u64, drawn.as_slice());
        self.full.outcomes(position, |outcome, weight| {
            before += u64::from(weight);
            let here = left.partition_point(|&number| number < before);
            left = &left[here..];
            // At most `MOST_DRAWS`.
            if here > 0 {
                push(outcome, here as u32);
            }
        });
    }
}

forward! { impl<G: Game> Game for Sampled<G> }
forward! { impl<G: Texts> Texts for Sampled<G> }
