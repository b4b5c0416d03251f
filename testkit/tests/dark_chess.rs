//! The tests' dark chess keeps the rules, and searches of it find what a plain recursion finds.

use crate::erased::Seeing;
use crate::games::dark_chess::{DarkChess, Material};
use crate::oracle::oracle_value;
use starsplit::Searcher;
use starsplit::evaluator::HashRandom;
use starsplit::game::{Game, NodeKind};
use starsplit::score::Bounds;
use starsplit::search::{Algorithm, Limits};
use starsplit_testkit::{Plays, check_evaluator, check_game, check_searches};

const GAME: DarkChess = DarkChess { quiet_limit: 8 };

#[test]
fn it_keeps_the_rules() {
    let plays = Plays::default();
    let report = check_game(&GAME, &GAME.start(), &plays).unwrap();
    assert!(report.chances > 100 && report.terminals == 100 && report.compared > 500, "{report}");
    check_evaluator(&GAME, &Material, &GAME.start(), &plays).unwrap();
    let report = check_searches(&GAME, &Material, &GAME.start(), &plays).unwrap();
    assert!(report.searches > 150, "{report}");
}

#[test]
fn searches_find_what_a_plain_recursion_finds() {
    fn compare(evaluator: &Seeing<DarkChess>, every: usize) {
        for (position, depth) in positions().into_iter().step_by(every) {
            let expected = oracle_value(&GAME, evaluator, &position, depth);
            for &algorithm in Algorithm::ALL {
                let searcher = Searcher::builder(GAME, evaluator.clone()).algorithm(algorithm).table_mib(1);
                let result = searcher
                    .build()
                    .unwrap()
                    .request(&position)
                    .limits(Limits::depth(depth))
                    .search()
                    .unwrap();
                assert_eq!(result.bounds, Bounds::exactly(expected as i32), "{algorithm:?} {position:?}");
            }
        }
    }
    compare(&Seeing::of(Material), 1);
    compare(&Seeing::of(HashRandom::new(1, 1000)), 2);
}

/// Along a play, each with a depth that is soon searched.
fn positions() -> Vec<(<DarkChess as Game>::Position, u32)> {
    let (mut position, mut positions) = (GAME.start(), Vec::new());
    for ply in 0usize.. {
        let mut after = Vec::new();
        match GAME.kind(&position) {
            NodeKind::Terminal => break,
            NodeKind::Decision => GAME.moves(&position, |mv| after.push(GAME.play(&position, mv))),
            NodeKind::Chance => {
                GAME.outcomes(&position, |outcome, _| after.push(GAME.resolve(&position, outcome)))
            }
        }
        positions.push((position, [3, 4, 5, 6][(ply / 3).min(3)]));
        position = after[(7 * ply + 3) % after.len()];
    }
    positions
}
