//! What chance does in a match: every event is drawn from the seed, the pair of games and its number in the
//! game, and from nothing else, so that both games of a pair have the same rolls.

use starsplit::evaluator::mix64;
use starsplit_training::play::place;

/// What is drawn for: no two draw the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// The rolls of a pair of games.
    Rolls,
    /// The moves of a random player in a game.
    Moves,
}

/// The bits of event `number` of the pair or game `of`.
pub fn bits(seed: u64, purpose: Purpose, of: u64, number: u64) -> u64 {
    let stream = mix64(mix64(mix64(seed).wrapping_add(purpose as u64)).wrapping_add(of));
    mix64(stream.wrapping_add(number.wrapping_mul(0x9e37_79b9_7f4a_7c15)))
}

/// The outcome that `bits` stand for, by its place; each has its weight's share of all bits. None where there
/// is no outcome of any weight.
pub fn outcome(bits: u64, outcomes: &[(String, u32)]) -> Option<usize> {
    let total: u64 = outcomes.iter().map(|&(_, weight)| u64::from(weight)).sum();
    place(outcomes.iter().map(|&(_, weight)| weight), below(bits, total))
}

/// A number below `limit`, 0 where that is 0. The bias is of 1 part in 2^64 / `limit`.
pub fn below(bits: u64, limit: u64) -> u64 {
    ((u128::from(bits) * u128::from(limit)) >> 64) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn weighted(weights: &[u32]) -> Vec<(String, u32)> {
        weights.iter().map(|&weight| (String::new(), weight)).collect()
    }

    #[test]
    fn every_outcome_has_its_share_of_the_bits() {
        let outcomes = weighted(&[1, 0, 2, 1]);
        let quarter = 1 << 62;
        let places = [0, quarter - 1, quarter, 3 * quarter - 1, 3 * quarter, u64::MAX];
        assert_eq!(places.map(|bits| outcome(bits, &outcomes).unwrap()), [0, 0, 2, 2, 3, 3]);
        assert_eq!((outcome(7, &[]), outcome(7, &weighted(&[0]))), (None, None));
    }

    #[test]
    fn frequencies_are_those_of_the_weights() {
        let outcomes = weighted(&[90, 10]);
        let draws = 20_000;
        let rare =
            (0..draws).filter(|&n| outcome(bits(3, Purpose::Rolls, n / 100, n % 100), &outcomes) == Some(1));
        let share = rare.count() as f64 / draws as f64;
        // Three deviations of a share of a tenth of so many.
        assert!((share - 0.1).abs() < 3.0 * (0.09 / draws as f64).sqrt(), "{share}");
    }

    #[test]
    fn what_is_drawn_depends_on_all_that_it_is_drawn_from() {
        let drawn = bits(1, Purpose::Rolls, 1, 1);
        let others = [
            bits(2, Purpose::Rolls, 1, 1),
            bits(1, Purpose::Moves, 1, 1),
            bits(1, Purpose::Rolls, 2, 1),
            bits(1, Purpose::Rolls, 1, 2),
        ];
        assert!(!others.contains(&drawn));
        assert_eq!(drawn, bits(1, Purpose::Rolls, 1, 1));
    }
}
