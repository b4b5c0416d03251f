//! Exact values of late positions of Dice, by looking at everything: slow and simple, to judge evaluators by.

use anyhow::{Result, bail};
use starsplit::game::{Game, NodeKind, Player};
use starsplit_games::dice::{Dice, Position};
use std::collections::HashMap;

type Known = HashMap<(u64, u64, Player), f64>;

/// The value of `position`, before a roll, as the player to act sees it, played to the end by both sides.
///
/// # Errors
/// Where full lines cost the turn: such games have no last move.
pub fn value(dice: &Dice, position: &Position) -> Result<f64> {
    if dice.full_depth(position).is_none() {
        bail!("rules {}: exact values are for full-line=reroll only", dice.rules());
    }
    Ok(before_roll(dice, position, &mut Known::new()))
}

fn before_roll(dice: &Dice, position: &Position, known: &mut Known) -> f64 {
    if dice.kind(position) == NodeKind::Terminal {
        return f64::from(dice.terminal_score(position).signum());
    }
    let key = (position.stones(Player::Max), position.stones(Player::Min), position.to_act());
    if let Some(&value) = known.get(&key) {
        return value;
    }
    let (mut sum, mut weights) = (0.0, 0.0);
    dice.outcomes(position, |line, weight| {
        let rolled = dice.resolve(position, line);
        let mut best = f64::NEG_INFINITY;
        dice.moves(&rolled, |mv| best = best.max(-before_roll(dice, &dice.play(&rolled, mv), known)));
        sum += f64::from(weight) * best;
        weights += f64::from(weight);
    });
    known.insert(key, sum / weights);
    sum / weights
}

#[cfg(test)]
mod tests {
    use super::*;
    use starsplit_games::dice::Move;

    fn after(dice: &Dice, cells: &[u8]) -> Position {
        cells.iter().fold(dice.initial(), |position, &cell| {
            let mut rolled = None;
            dice.outcomes(&position, |line, _| {
                let candidate = dice.resolve(&position, line);
                dice.moves(&candidate, |mv| {
                    if mv == Move::Place(cell) {
                        rolled = Some(candidate);
                    }
                });
            });
            dice.play(&rolled.expect("the cell is empty"), Move::Place(cell))
        })
    }

    #[test]
    fn a_board_of_four_cells_is_won_by_the_second_checker() {
        let dice = Dice::new("size=2,run=2".parse().unwrap());
        // Any two checkers touch, so the first player wins with the third checker of the game.
        assert_eq!(value(&dice, &dice.initial()).unwrap(), 1.0);
        assert_eq!(value(&dice, &after(&dice, &[0])).unwrap(), -1.0);
    }

    #[test]
    fn two_empty_cells_worked_out_by_hand() {
        // x o x   The second player rolls a column. The left one leads to a draw; the right one leaves the
        // left to x o o   the first player, who then completes a column: half of 0 and -1. . x .
        let dice = Dice::new("size=3,run=3".parse().unwrap());
        assert_eq!(value(&dice, &after(&dice, &[0, 1, 2, 4, 3, 5, 7])).unwrap(), -0.5);
        assert_eq!(value(&dice, &after(&dice, &[0, 1, 2, 4, 3, 5, 7, 8])).unwrap(), 1.0);
    }

    #[test]
    fn lost_turns_are_refused() {
        let dice = Dice::new("size=2,run=2,full-line=pass".parse().unwrap());
        assert!(value(&dice, &dice.initial()).is_err());
    }
}
