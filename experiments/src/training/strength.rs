//! Matches between players, with intervals.

use super::play::{self, Player};
use rayon::prelude::*;
use serde::Serialize;
use starsplit::game::Game;
use starsplit_games::dice::Dice;

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
}

/// Plays `games` games between `player` and `opponent`, who take turns in going first. The result depends on
/// the seed, not on the number of threads.
pub fn play_match(dice: &Dice, player: &dyn Player, opponent: &dyn Player, games: u64, seed: u64) -> Match {
    let one_game = |number: u64| {
        let first = number.is_multiple_of(2);
        let players = if first { [player, opponent] } else { [opponent, player] };
        let positions = play::game(dice, players, &mut play::stream(seed, number));
        let end = positions[positions.len() - 1];
        // As the player to act sees it: that is `player` when the moves made so far came out even.
        let score = dice.terminal_score(&end).signum();
        if (end.to_act() == starsplit::game::Player::Max) == first { score } else { -score }
    };
    let count = |results: [u64; 3], others: [u64; 3]| std::array::from_fn(|i| results[i] + others[i]);
    let tally = |number| {
        let mut results = [0; 3];
        results[(one_game(number) + 1) as usize] = 1;
        results
    };
    let [losses, draws, wins] = (0..games).into_par_iter().map(tally).reduce(|| [0; 3], count);
    let score = (wins as f64 + draws as f64 / 2.0) / games.max(1) as f64;
    let (low, high) = wilson(score, games);
    Match { wins, draws, losses, score, low, high }
}

/// The Wilson interval at 95% for a share of `score` among `count`.
pub fn wilson(score: f64, count: u64) -> (f64, f64) {
    const Z: f64 = 1.959_963_984_540_054;
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
    use starsplit_games::dice::RunCount;

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
