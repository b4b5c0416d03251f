//! Matches between players, with intervals.

use super::play::{self, Player};
use rayon::prelude::*;
use serde::Serialize;
use starsplit_games::KnownGame;

/// The result of a match, for the player that was named first.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Match {
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
    /// The share of points, a draw counting half.
    pub score: f64,
    /// The lower end of the score's 95% Wilson interval.
    pub low: f64,
    /// The upper end.
    pub high: f64,
    /// The mean of the results in the game's units: points, where a win may be worth several.
    pub points: f64,
    /// The half-width of its 95% interval.
    pub points_error: f64,
}

/// Plays `games` games between `player` and `opponent`, who take turns in going first. The result depends on
/// the seed, not on the number of threads.
pub fn play_match<G: KnownGame>(
    game: &G,
    player: &dyn Player<G>,
    opponent: &dyn Player<G>,
    games: u64,
    seed: u64,
) -> Match {
    let one_game = |number: u64| {
        let first = number.is_multiple_of(2);
        let players = if first { [player, opponent] } else { [opponent, player] };
        let positions = play::game(game, players, &mut play::stream(seed, number));
        let end = &positions[positions.len() - 1];
        let score = game.terminal_score(end);
        if (game.player(end) == starsplit::game::Player::Max) == first { score } else { -score }
    };
    // In whole steps of the grid, whose sums do not depend on their order.
    let tally = |number| {
        let score = i128::from(one_game(number));
        let mut tally = [0, 0, 0, score, score * score];
        tally[(score.signum() + 1) as usize] = 1;
        tally
    };
    let add = |one: [i128; 5], other: [i128; 5]| std::array::from_fn(|i| one[i] + other[i]);
    let [losses, draws, wins, sum, squares] = (0..games).into_par_iter().map(tally).reduce(|| [0; 5], add);
    let count = games.max(1) as f64;
    let score = (wins as f64 + draws as f64 / 2.0) / count;
    let (low, high) = wilson(score, games);
    let unit = game.facts().grid.range().1 / f64::from(game.facts().grid.limit());
    let mean = sum as f64 / count;
    let deviation = (squares as f64 / count - mean * mean).max(0.0).sqrt();
    let [losses, draws, wins] = [losses, draws, wins].map(|games| games as u64);
    let points_error = Z * deviation / count.sqrt() * unit;
    Match { wins, draws, losses, score, low, high, points: mean * unit, points_error }
}

/// What a normal variable is within 95% of the time, in deviations.
const Z: f64 = 1.959_963_984_540_054;

/// The Wilson interval at 95% for a share of `score` among `count`.
pub fn wilson(score: f64, count: u64) -> (f64, f64) {
    if count == 0 {
        return (0.0, 1.0);
    }
    let n = count as f64;
    let centre = score + Z * Z / (2.0 * n);
    let half = Z * (score * (1.0 - score) / n + Z * Z / (4.0 * n * n)).sqrt();
    let scale = 1.0 + Z * Z / n;
    ((centre - half) / scale, (centre + half) / scale)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::training::play::{Greedy, Uniform};
    use starsplit_games::dice::{Dice, RunCount};

    #[test]
    fn wilson_intervals_are_the_published_ones() {
        // Newcombe (1998), table I: 81 of 263, and 0 of 20.
        let (low, high) = wilson(81.0 / 263.0, 263);
        assert!((low - 0.2553).abs() < 5e-5 && (high - 0.3662).abs() < 5e-5);
        let (low, high) = wilson(0.0, 20);
        assert!(low.abs() < 1e-12 && (high - 0.1611).abs() < 5e-5);
        assert_eq!(wilson(0.0, 0), (0.0, 1.0));
    }

    #[test]
    fn matches_are_fair_and_do_not_depend_on_threads() {
        let dice = Dice::new("size=4,run=3".parse().unwrap());
        let greedy = Greedy { evaluator: RunCount, explore: 0.0 };
        let with_threads = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| play_match(&dice, &greedy, &Uniform, 400, 3))
        };
        let result = with_threads(1);
        assert_eq!(result, with_threads(3));
        assert_eq!(result.wins + result.draws + result.losses, 400);
        assert!(result.low > 0.5, "{result:?}");
        let against_itself = play_match(&dice, &Uniform, &Uniform, 1000, 4);
        assert!(against_itself.low < 0.5 && against_itself.high > 0.5, "{against_itself:?}");
    }
}
