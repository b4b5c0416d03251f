//! Dice and its evaluators under the test kit.

use starsplit::evaluator::{Constant, HashRandom};
use starsplit::game::Game;
use starsplit_games::dice::{Dice, FullLine, Rules, RunCount};
use starsplit_testkit::{Plays, Report, Violation, check_evaluator, check_game};

const PLAYS: Plays = Plays { games: 30, max_plies: 60, seed: 7 };

fn dice(size: u8, run: u8, full_line: FullLine) -> Dice {
    Dice::new(Rules::new(size, run, full_line).unwrap())
}

#[test]
fn dice_keeps_the_rules() {
    for (size, run) in [(2, 2), (3, 2), (3, 3), (5, 4), (8, 5)] {
        for full_line in [FullLine::Reroll, FullLine::Pass] {
            let game = dice(size, run, full_line);
            let report = check_game(&game, &game.initial(), &Plays { max_plies: 300, ..PLAYS }).unwrap();
            assert_eq!(report.games, 30);
            assert!(report.terminals > 0 && report.chances > 30 && report.decisions > 30, "{report}");
        }
    }
}

#[test]
fn evaluators_keep_the_rules() {
    for full_line in [FullLine::Reroll, FullLine::Pass] {
        let game = dice(4, 3, full_line);
        let limit = game.facts().grid.limit();
        let check = |report: Result<Report, Violation>| assert!(report.unwrap().evaluations > 1000);
        check(check_evaluator(&game, &RunCount, &game.initial(), &PLAYS));
        check(check_evaluator(&game, &Constant::new(17), &game.initial(), &PLAYS));
        check(check_evaluator(&game, &HashRandom::new(3, limit), &game.initial(), &PLAYS));
    }
}
