//! The test kit leads plays together, searches with a table beside plain ones, and so finds what plays at
//! random do not show.

use crate::games::dark_chess::{DarkChess, Position};
use crate::games::forgetful::{Drawn, Forgetful, Kept};
use starsplit::evaluator::{Constant, HashRandom};
use starsplit::game::{Game, NodeKind, Player, PositionHash, StepOf};
use starsplit::score::Score;
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

/// Hashes as they are, and with one half constant.
const FORMS: [fn(PositionHash) -> PositionHash; 3] =
    [|hash| hash, |hash| PositionHash { low: 0, ..hash }, |hash| PositionHash { high: 0, ..hash }];

#[test]
fn each_part_that_a_hash_forgets_is_found_without_an_evaluator() {
    let parts = DARK_CHESS.parts(&DARK_CHESS.start());
    for ((part, _), form) in parts.into_iter().flat_map(|part| FORMS.map(|form| (part.clone(), form))) {
        let game = forgetting(part).0.with_hashes(form);
        let start = game.keep(DARK_CHESS.start());
        let violation = check_game(&game, &start, &Plays::default()).expect_err(part);
        assert!(matches!(violation.fault, Fault::HashShared { .. }), "{part}: {violation}");
        let found_again = check_game(&game, &start, &Plays::default());
        assert_eq!(found_again, Err(violation), "the same seed makes the same plays");
    }
}

#[test]
fn one_half_of_a_hash_is_enough_to_tell_positions_apart() {
    for form in FORMS {
        let game = forgetting("nothing").0.with_hashes(form);
        let (start, plays) = (game.keep(DARK_CHESS.start()), Plays { games: 20, ..Plays::default() });
        let report = check_game(&game, &start, &plays).unwrap();
        assert!(report.compared > 250, "{report}");
        check_evaluator(&game, &Drawn(HashRandom::new(1, 500)), &start, &plays).unwrap();
    }
}

/// A long row of rolls and moves. Two outcomes share a hash everywhere; what they lead to is the same but in
/// one place.
struct Row;

impl Row {
    const ODD_ONE: u32 = 150;
    const LENGTH: u32 = 190;
}

impl Game for Row {
    /// The ply, and the last outcome.
    type Position = (u32, u8);
    type Move = u8;
    type Outcome = u8;

    fn identity(&self) -> u64 {
        0
    }

    fn kind(&self, &(ply, _): &(u32, u8)) -> NodeKind {
        match ply {
            Row::LENGTH => NodeKind::Terminal,
            _ if ply % 2 == 0 => NodeKind::Chance,
            _ => NodeKind::Decision,
        }
    }

    fn player(&self, _: &(u32, u8)) -> Player {
        Player::Max
    }

    fn terminal_score(&self, _: &(u32, u8)) -> Score {
        0
    }

    fn hash(&self, &(ply, _): &(u32, u8)) -> PositionHash {
        PositionHash::from(u64::from(ply))
    }

    fn moves(&self, &(ply, outcome): &(u32, u8), mut push: impl FnMut(u8)) {
        push(if ply == Row::ODD_ONE + 1 { outcome } else { 0 });
    }

    fn play(&self, &(ply, _): &(u32, u8), _: u8) -> (u32, u8) {
        (ply + 1, 0)
    }

    fn outcomes(&self, _: &(u32, u8), mut push: impl FnMut(u8, u32)) {
        (0..2).for_each(|outcome| push(outcome, 1));
    }

    fn resolve(&self, &(ply, _): &(u32, u8), outcome: u8) -> (u32, u8) {
        (ply + 1, outcome)
    }
}

#[test]
fn outcomes_that_share_a_hash_are_compared_wherever_a_play_comes() {
    for seed in 0..20 {
        let found = check_game(&Row, &(0, 0), &Plays { games: 1, max_plies: 200, seed });
        let Violation { path, fault, .. } = found.expect_err("one of them leads elsewhere");
        assert!(matches!(fault, Fault::HashShared { what: "moves or outcomes", .. }), "{fault}");
        assert_eq!((path.len() as u32, path.last().unwrap().as_str()), (Row::ODD_ONE + 1, "outcome 1"));
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
