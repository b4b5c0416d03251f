//! Whose turn it is: the order in which contenders run.

use crate::analysis::order::rounds_to_balance;

/// The order in which `count` contenders run in a round, counted from 0.
///
/// A Williams design: over `count` rounds in a row, or twice as many for an odd count, every contender comes
/// right after each other one equally often, so that what one leaves behind in caches, clock and heat falls
/// to all alike. Every second round is the one before it backwards, so that a machine that slows down or
/// speeds up favours none.
///
/// Source: E. J. Williams, "Experimental designs balanced for the estimation of residual effects of
/// treatments", Australian Journal of Scientific Research A 2 (1949).
pub fn in_turn(count: usize, round: usize) -> impl Iterator<Item = usize> {
    let round = round % rounds_to_balance(count).max(1);
    let (shift, backwards) = (round / 2, round % 2 == 1);
    // 0, 1, count - 1, 2, count - 2, ...: for an even count the steps from one to the next are all different,
    // modulo the count. For an odd count half of them are there twice and the others not at all; backwards it
    // is the other half.
    let zigzag = move |i: usize| if i % 2 == 1 { i.div_ceil(2) } else { count - i / 2 };
    (0..count).map(move |i| (zigzag(if backwards { count - 1 - i } else { i }) + shift) % count)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn order(count: usize, round: usize) -> Vec<usize> {
        in_turn(count, round).collect()
    }

    #[test]
    fn every_other_round_runs_backwards() {
        assert_eq!([0, 1, 2, 3].map(|round| order(3, round)), [[0, 1, 2], [2, 1, 0], [1, 2, 0], [0, 2, 1]]);
        assert_eq!([0, 1, 2].map(|round| order(2, round)), [[0, 1], [1, 0], [0, 1]]);
        assert_eq!((order(1, 5), order(0, 5)), (vec![0], vec![]));
    }

    #[test]
    fn every_contender_has_one_turn_a_round() {
        for (count, round) in (1..=7).flat_map(|count| (0..20).map(move |round| (count, round))) {
            let mut turns = order(count, round);
            turns.sort_unstable();
            assert_eq!(turns, (0..count).collect::<Vec<_>>(), "{count} contenders, round {round}");
        }
    }

    #[test]
    fn every_contender_comes_right_after_each_other_one_equally_often() {
        for count in 2..=7 {
            // Balanced from whichever round one begins with.
            for first in 0..2 * rounds_to_balance(count) {
                let mut follows = vec![vec![0; count]; count];
                for round in first..first + rounds_to_balance(count) {
                    order(count, round).windows(2).for_each(|pair| follows[pair[0]][pair[1]] += 1);
                }
                let times = rounds_to_balance(count) / count;
                for (one, other) in (0..count).flat_map(|one| (0..count).map(move |other| (one, other))) {
                    let expected = if one == other { 0 } else { times };
                    assert_eq!(follows[one][other], expected, "{one} then {other}, {count} from {first}");
                }
            }
        }
    }
}
