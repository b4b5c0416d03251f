//! How close evaluations are to what a deep or exact search says.

use super::exact;
use super::play::{self, Greedy};
use crate::question::door::{Entry, SearcherMaker};
use crate::question::typed::Typed;
use anyhow::Result;
use rayon::prelude::*;
use serde::Serialize;
use starsplit::game::{Game, NodeKind};
use starsplit::search::{Limits, Options};
use starsplit_games::dice::{Dice, Network, Position, RunCount};
use starsplit_tables::AnyTable;

/// How an evaluator compares with deeper values over a set of positions.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Agreement {
    /// How many positions.
    pub positions: usize,
    /// The root of the mean squared difference, where values run from -1 to 1.
    pub rmse: f64,
    /// Pearson's correlation; 0 where either side is the same everywhere.
    pub correlation: f64,
}

/// Compares what `evaluate` says of each position with the value paired with it.
pub fn agreement<P>(judged: &[(P, f64)], evaluate: impl Fn(&P) -> f64) -> Agreement {
    let pairs: Vec<_> = judged.iter().map(|(position, deep)| (evaluate(position), *deep)).collect();
    let count = pairs.len().max(1) as f64;
    let mean = |of: &dyn Fn(&(f64, f64)) -> f64| pairs.iter().map(of).sum::<f64>() / count;
    let (mean_x, mean_y) = (mean(&|p| p.0), mean(&|p| p.1));
    let spread = mean(&|p| (p.0 - mean_x) * (p.0 - mean_x)) * mean(&|p| (p.1 - mean_y) * (p.1 - mean_y));
    let together = mean(&|p| (p.0 - mean_x) * (p.1 - mean_y));
    Agreement {
        positions: pairs.len(),
        rmse: mean(&|p| (p.0 - p.1) * (p.0 - p.1)).sqrt(),
        correlation: if spread > 0.0 { together / spread.sqrt() } else { 0.0 },
    }
}

/// Pairs each position with its deep value, as the player to act sees it: from an exact solver or from a
/// search.
///
/// # Errors
/// When `deep` fails.
pub fn judge(
    positions: &[Position],
    deep: impl Fn(&Position) -> Result<f64> + Sync,
) -> Result<Vec<(Position, f64)>> {
    positions.par_iter().map(|position| Ok((*position, deep(position)?))).collect()
}

/// Late positions with their exact values: `count` of them, with 9 to 11 empty cells, that no training has
/// seen.
///
/// # Errors
/// Where positions have no exact values (see [`exact::value`]).
pub fn held_out(dice: &Dice, seed: u64, count: usize) -> Result<Vec<(Position, f64)>> {
    let positions = sampled(dice, !seed, count, |game| 9 + game as u32 % 3);
    judge(&positions, |position| exact::value(dice, position))
}

/// The depth of the searches that positions from all over the game are compared with.
pub const DEEP: u32 = 9;

/// Positions from all over the game, with 8 to 22 empty cells, with the values of a search with `network` to
/// depth [`DEEP`].
///
/// # Errors
/// When a search fails.
pub fn searched(dice: &Dice, network: &Network, seed: u64, count: usize) -> Result<Vec<(Position, f64)>> {
    let positions = sampled(dice, seed.rotate_left(32), count, |game| 8 + game as u32 % 15);
    let maker = Typed::<_, _, false> { game: dice.clone(), evaluator: network.clone() };
    judge(&positions, |position| {
        let table = AnyTable::of_mib(4)?;
        let searcher = maker.searcher(&table, Options::default(), None);
        let entry = Entry::new(dice.notation(position), *position);
        let bounds = searcher.search(&entry, &Limits::depth(DEEP), &mut |_| {})?.answer.bounds;
        Ok(dice.facts().grid.value(bounds.lower)) // exact, so that either bound will do
    })
}

/// Distinct positions before a roll from games of the run-count heuristic that makes every second move at
/// random: one a game, with as many empty cells as `wanted` says for the game's number.
fn sampled(dice: &Dice, seed: u64, count: usize, wanted: impl Fn(u64) -> u32) -> Vec<Position> {
    let player = Greedy { evaluator: RunCount, explore: 0.5 };
    let cells = u32::from(dice.rules().size()).pow(2);
    let mut positions: Vec<Position> = Vec::with_capacity(count);
    // Games that end early give none, hence the limit: boards too small for such positions have a smaller
    // set.
    for game in 0..100 * count as u64 {
        if positions.len() == count {
            break;
        }
        let mut random = play::stream(seed, game);
        let played = play::game(dice, [&player, &player], &mut random);
        let found = played.into_iter().find(|position| empty_cells(cells, position) == wanted(game));
        positions.extend(
            found.filter(|position| dice.kind(position) == NodeKind::Chance && !positions.contains(position)),
        );
    }
    positions
}

fn empty_cells(cells: u32, position: &Position) -> u32 {
    let stones =
        [starsplit::game::Player::Max, starsplit::game::Player::Min].map(|player| position.stones(player));
    cells - (stones[0] | stones[1]).count_ones()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agreement_is_that_of_worked_examples() {
        let dice = Dice::new("size=3,run=3".parse().unwrap());
        let positions = play::game(&dice, [&play::Uniform, &play::Uniform], &mut play::stream(1, 1));
        let judged: Vec<_> = positions[..4].iter().copied().zip([0.5, -0.5, 0.25, -0.25]).collect();
        let deep =
            |position: &Position| judged.iter().find(|(p, _)| p == position).map_or(0.0, |(_, deep)| *deep);
        let perfect = agreement(&judged, deep);
        assert!(perfect.rmse == 0.0 && (perfect.correlation - 1.0).abs() < 1e-12 && perfect.positions == 4);
        let opposite = agreement(&judged, |position| -deep(position));
        assert!((opposite.correlation + 1.0).abs() < 1e-12);
        // Differences 1, 1, 0.5, 0.5.
        assert!((opposite.rmse - 0.625f64.sqrt()).abs() < 1e-12);
        assert_eq!(agreement(&judged, |_| 0.3).correlation, 0.0);
    }

    #[test]
    fn held_out_positions_are_late_distinct_and_the_same_for_the_same_seed() {
        let dice = Dice::new("size=4,run=4".parse().unwrap());
        let set = held_out(&dice, 1, 12).unwrap();
        assert_eq!(set.len(), 12);
        for (i, (position, value)) in set.iter().enumerate() {
            assert!((9..=11).contains(&empty_cells(16, position)));
            assert!((-1.0..=1.0).contains(value));
            assert!(set[..i].iter().all(|(other, _)| other != position));
        }
        assert_eq!(set, held_out(&dice, 1, 12).unwrap());
        assert_ne!(set, held_out(&dice, 2, 12).unwrap());
    }
}
