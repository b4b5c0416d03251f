//! One roll and move ahead: what a position's value should be, by the values after it.

use starsplit::game::{Game, Kind};
use starsplit_games::dice::{Dice, Move, Position, Weights};

/// What the network says of all rolls and moves from a position.
#[derive(Clone, Debug)]
pub(super) struct Lookahead {
    /// The mean of the values after the roll and a move, as the player to act sees them.
    pub(super) value: f32,
    /// For each outcome, the position with that roll pending and the best move there. All are equally likely.
    pub(super) rolls: Vec<(Position, Move)>,
}

impl Lookahead {
    /// Looks ahead from `position`, which is before a roll. A share of `random` of the moves counts as made
    /// at random, the others as the best by `weights`.
    pub(super) fn new(weights: &Weights, dice: &Dice, position: &Position, random: f32) -> Self {
        let mut rolls = Vec::with_capacity(8);
        let mut sum = 0.0;
        dice.outcomes(position, |line, _| {
            let rolled = dice.resolve(position, line);
            let (value, best) = after_roll(weights, dice, &rolled, random);
            sum += value;
            rolls.push((rolled, best));
        });
        Lookahead { value: sum / rolls.len().max(1) as f32, rolls }
    }
}

/// The value of `rolled` as the player to act sees it, and the best move.
fn after_roll(weights: &Weights, dice: &Dice, rolled: &Position, random: f32) -> (f32, Move) {
    let (mut best, mut sum, mut moves) = ((f32::NEG_INFINITY, Move::Pass), 0.0, 0.0);
    dice.moves(rolled, |mv| {
        let after = dice.play(rolled, mv);
        let (value, rank) = match dice.kind(&after) {
            // The network may say 1 as well; a win comes first.
            Kind::Terminal => {
                let end = -dice.terminal_score(&after).signum() as f32;
                (end, 2.0 * end)
            }
            _ => {
                let value = -weights.forward(dice, &after).value;
                (value, value)
            }
        };
        sum += value;
        moves += 1.0;
        if rank > best.0 {
            best = (rank, mv);
        }
    });
    ((1.0 - random) * best.0.min(1.0) + random * sum / moves, best.1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use starsplit_games::dice::RulesError;

    fn dice() -> Result<Dice, RulesError> {
        Ok(Dice::new("size=2,run=2".parse()?))
    }

    #[test]
    fn wins_are_seen_and_their_share_is_counted() {
        let dice = dice().unwrap();
        // One checker of each: any second checker wins.
        let position = dice.parse("x./.o x -").unwrap();
        let zero = Weights::zero(dice.rules());
        for random in [0.0, 0.3, 1.0] {
            let look = Lookahead::new(&zero, &dice, &position, random);
            assert_eq!((look.value, look.rolls.len()), (1.0, 2));
            for (rolled, mv) in look.rolls {
                assert_eq!(dice.kind(&dice.play(&rolled, mv)), Kind::Terminal);
            }
        }
    }

    #[test]
    fn random_moves_pull_the_value_to_the_mean() {
        let dice = dice().unwrap();
        let mut weights = Weights::zero(dice.rules());
        // The opponent's checker on the first cell they see is bad for the player to act after it.
        weights.columns[4] = [-0.5; 10];
        weights.output = [0.1; 10];
        let bad = weights.forward(&dice, &dice.parse("x./.. o -").unwrap()).value;
        assert!(bad < -0.5);
        // Of the two rolls one allows that checker; a random move there finds it half of the time.
        let value = |random| Lookahead::new(&weights, &dice, &dice.initial(), random).value;
        assert!((value(0.0) + bad / 2.0).abs() < 1e-6);
        assert!((value(1.0) + bad / 4.0).abs() < 1e-6);
        assert!((value(0.5) + 0.375 * bad).abs() < 1e-6);
        let look = Lookahead::new(&weights, &dice, &dice.initial(), 1.0);
        assert_eq!(look.rolls[0].1, Move::Place(0));
    }
}
