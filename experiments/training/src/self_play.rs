//! Test positions from self-play, written as a suite file.

use crate::play;
use anyhow::{Result, bail};
use rand_pcg::Pcg32;
use starsplit::game::{Game, NodeKind, Player};
use starsplit_games::dice::{Dice, Network, Position};
use std::fmt::Write;

/// The share of moves that self-play makes at random, so that games differ.
const EXPLORE: f32 = 0.2;

/// Games tried for one position before giving up.
const TRIES: u64 = 100_000;

/// How many checkers each of the 50 positions for the paper's board has: 16 openings, 18 from the middle, 12
/// from the end with at least 7 empty cells (so that 13 plies remain), 4 endgames with fewer.
pub const PAPER_CHECKERS: [u32; 50] = [
    2, 2, 3, 3, 4, 4, 5, 5, 5, 6, 6, 6, 7, 7, 7, 7, // opening
    8, 8, 8, 9, 9, 9, 10, 10, 10, 11, 11, 11, 12, 12, 12, 13, 13, 13, // middle
    14, 14, 15, 15, 15, 16, 16, 16, 17, 17, 18, 18, // end
    19, 20, 21, 22, // endgames
];

/// Unfinished positions before a roll, all different, one for each number of checkers, each from its own game
/// of the network against itself. A function of the seed.
///
/// # Errors
/// When some number of checkers is not found in many games.
pub fn collect(dice: &Dice, network: &Network, checkers: &[u32], seed: u64) -> Result<Vec<Position>> {
    let choose = |position: &Position, random: &mut Pcg32| match play::chance(random, EXPLORE) {
        true => play::random_move(dice, position, random),
        false => play::best_move(dice, network, position),
    };
    let mut positions: Vec<Position> = Vec::with_capacity(checkers.len());
    let mut game = 0;
    for &wanted in checkers {
        let give_up = game + TRIES;
        loop {
            if game == give_up {
                bail!("{wanted} checkers: no new unfinished position in {TRIES} games");
            }
            let played = play::game(dice, choose, &mut play::stream(seed, game));
            game += 1;
            let found = played.into_iter().find(|position| count(position) == wanted);
            let is_new = |p: &Position| dice.kind(p) == NodeKind::Chance && !positions.contains(p);
            if let Some(position) = found.filter(is_new) {
                positions.push(position);
                break;
            }
        }
    }
    Ok(positions)
}

/// How [`paper_suite`] begins, by which it is known: what it is, and the command that made it. `positions`
/// was a binary then; records have fingerprints of suites with this text.
pub fn paper_head(seed: u64) -> String {
    format!(
        "# 50 positions from self-play of the trained network, from opening to end; made by\n\
         # cargo run --release -p starsplit-experiments --bin positions -- --seed {seed}\n"
    )
}

/// The suite file of the paper's board: the command that makes it, the rules, one position a line.
///
/// # Errors
/// As [`collect`], and when the library's weights do not load.
pub fn paper_suite(seed: u64) -> Result<String> {
    let dice = Dice::new("size=5,run=4,full-line=reroll".parse()?);
    let network = Network::trained(&dice)?;
    let mut text = paper_head(seed);
    writeln!(text, "rules {}", dice.rules())?;
    for position in collect(&dice, &network, &PAPER_CHECKERS, seed)? {
        writeln!(text, "{}", dice.notation(&position))?;
    }
    Ok(text)
}

fn count(position: &Position) -> u32 {
    (position.stones(Player::Max) | position.stones(Player::Min)).count_ones()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn the_paper_s_suite_can_be_made_again() {
        assert_eq!(paper_suite(1).unwrap(), include_str!("../../../games/src/dice/suites/paper.txt"));
    }

    #[test]
    fn the_suite_s_positions_are_different_and_unfinished() {
        let dice = Dice::new("size=5,run=4".parse().unwrap());
        let network = Network::trained(&dice).unwrap();
        let positions = collect(&dice, &network, &PAPER_CHECKERS, 2).unwrap();
        let texts: HashSet<_> = positions.iter().map(|position| dice.notation(position)).collect();
        assert_eq!(texts.len(), 50);
        for (position, wanted) in positions.iter().zip(PAPER_CHECKERS) {
            assert_eq!((dice.kind(position), count(position)), (NodeKind::Chance, wanted));
        }
    }

    #[test]
    fn positions_that_do_not_exist_are_an_error() {
        let dice = Dice::new("size=5,run=4".parse().unwrap());
        let network = Network::trained(&dice).unwrap();
        assert!(collect(&dice, &network, &[0, 0], 1).is_err());
    }
}
