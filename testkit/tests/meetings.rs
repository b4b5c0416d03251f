//! The test kit leads plays together, searches with a table beside plain ones, and so finds what plays at
//! random do not show.

use crate::games::dark_chess::{DarkChess, Position};
use crate::games::forgetful::{Drawn, Forgetful, Kept};
use starsplit::evaluator::{Constant, HashRandom};
use starsplit::game::{Game, StepOf};
use starsplit_testkit::{Fault, Plays, Violation, check, check_evaluator, check_game, check_searches};
use starsplit_wrappers::{GameWrapper, forward};
use std::ops::ControlFlow;

const DARK_CHESS: DarkChess = DarkChess { quiet_limit: 8 };

/// Dark chess whose hash forgets a part.
fn forgetting(part: &'static str) -> (Forgetful, Kept) {
    let game = Forgetful::new(DARK_CHESS, DarkChess::parts).forgetting(part);
    let start = game.keep(DARK_CHESS.start());
    (game, start)
}

#[test]
fn each_part_that_a_hash_forgets_is_found_without_an_evaluator() {
    for (part, _) in DARK_CHESS.parts(&DARK_CHESS.start()) {
        let (game, start) = forgetting(part);
        let violation = check_game(&game, &start, &Plays::default()).expect_err(part);
        assert!(matches!(violation.fault, Fault::HashShared { .. }), "{part}: {violation}");
        let found_again = check_game(&game, &start, &Plays::default());
        assert_eq!(found_again, Err(violation), "the same seed makes the same plays");
    }
}

#[test]
fn nothing_is_found_where_nothing_is_forgotten() {
    let (game, start) = forgetting("nothing");
    let plays = Plays { games: 40, ..Plays::default() };
    let report = check(&game, &Constant::default(), &start, &plays).unwrap();
    assert!(report.compared > 500 && report.searches > 60 && report.evaluations > 1000, "{report}");
}

#[test]
fn searches_beside_plain_ones_find_it_too() {
    let drawn = Drawn(HashRandom::new(1, 500));
    for part in ["the multiset of what is face down", "the colours", "the quiet moves", "the side to move"] {
        let (game, start) = forgetting(part);
        let violation = check_searches(&game, &drawn, &start, &Plays::default()).expect_err(part);
        match violation.fault {
            Fault::SearchedValue { depth, plain, searched, .. } => {
                assert!(depth <= 10 && (searched.lower, searched.upper) != (plain, plain), "{part}");
            }
            Fault::Contradictions { contradictions, .. } => assert!(contradictions > 0, "{part}"),
            other => panic!("{part}: {other}"),
        }
    }
}

#[test]
fn an_evaluation_that_sees_more_than_the_hash_is_found_where_plays_meet() {
    let (game, start) = forgetting("the colours");
    let violation = check_evaluator(&game, &Drawn(HashRandom::new(1, 500)), &start, &Plays::default());
    let fault = violation.expect_err("the colours").fault;
    assert!(matches!(fault, Fault::EvaluationChanged { .. }), "{fault}");
}

/// In how a game visits its moves and outcomes.
#[derive(Clone, Copy, PartialEq)]
enum Wrong {
    Nothing,
    MoveLeftOut,
    OtherPosition,
    OtherWeight,
}

/// Dark chess that visits its moves and outcomes itself.
struct Visiting(Wrong);

impl GameWrapper for Visiting {
    type Inner = DarkChess;
    type Position = Position;

    fn inner(&self) -> &DarkChess {
        &DARK_CHESS
    }

    fn inner_position(position: &Position) -> &Position {
        position
    }

    fn wrap(&self, _: &Position, _: StepOf<DarkChess>, after: Position) -> Position {
        after
    }

    fn identity(&self) -> u64 {
        DARK_CHESS.identity()
    }

    fn visit_moves(
        &self,
        position: &Position,
        mut visit: impl FnMut(<DarkChess as Game>::Move, Position) -> ControlFlow<()>,
    ) {
        let mut left_out = self.0 == Wrong::MoveLeftOut;
        DARK_CHESS.visit_moves(position, |mv, after| {
            let after = if self.0 == Wrong::OtherPosition { *position } else { after };
            if std::mem::take(&mut left_out) { ControlFlow::Continue(()) } else { visit(mv, after) }
        });
    }

    fn visit_outcomes(
        &self,
        position: &Position,
        mut visit: impl FnMut(<DarkChess as Game>::Outcome, u32, Position) -> ControlFlow<()>,
    ) {
        let more = u32::from(self.0 == Wrong::OtherWeight);
        DARK_CHESS.visit_outcomes(position, |outcome, weight, after| visit(outcome, weight + more, after));
    }
}

forward! { impl Game for Visiting }

#[test]
fn moves_and_outcomes_that_are_visited_are_those_that_are_listed() {
    let check =
        |wrong| check_game(&Visiting(wrong), &DARK_CHESS.start(), &Plays { games: 5, ..Plays::default() });
    check(Wrong::Nothing).unwrap();
    for (wrong, expected) in
        [(Wrong::MoveLeftOut, "moves"), (Wrong::OtherPosition, "moves"), (Wrong::OtherWeight, "outcomes")]
    {
        match check(wrong) {
            Err(Violation { fault: Fault::Visited { what, .. }, .. }) => assert_eq!(what, expected),
            other => panic!("{expected}: {other:?}"),
        }
    }
}
