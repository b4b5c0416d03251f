//! The test kit's mirror finds a game that plays for the wrong player, which as a game is sound.

use starsplit::evaluator::{Before, Constant, Evaluator, EvaluatorFacts, mix64};
use starsplit::game::{Game, GameFacts, NodeKind, Player, PositionHash, Step, Steps};
use starsplit::score::{Grid, Score};
use starsplit_testkit::{Fault, Plays, Report, Violation, check_evaluator, check_game, check_mirror};

const PLAYS: Plays = Plays { games: 30, max_plies: 60, seed: 2 };

/// How the game, its evaluator or its mirror treats one player otherwise than the other.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Favour {
    None,
    /// Whoever moves, `Max` is said to.
    AlwaysMax,
    /// Chance nodes and terminals are told for `Max`, which is as good.
    MaxTells,
    /// Terminals are told for the player who moved last, as if for the one who would be next.
    Loser,
    /// Nobody: who wins is told to have lost, at every end.
    WrongSign,
    /// Nobody: the evaluation is told for the player who is not to act, everywhere.
    WrongViewer,
    /// `Min` may not roll again.
    FewerMoves,
    /// `Min` rolls twos more often.
    OtherWeights,
    /// `Min` banks a point more.
    OtherStep,
    /// Only `Max` has rewards.
    OneReward,
    /// A roll of `Max` alone has a bound on what is left to play.
    OneFullDepth,
    /// `Max` alone has a move that rolls.
    OtherKind,
    /// The evaluator does not look at who is to act.
    Evaluation,
    /// The mirror forgets who is to act.
    MirrorKeepsPlayer,
    /// The mirror forgets the turn's total.
    MirrorLoses,
    /// The mirror does not keep the hash.
    MirrorHash,
}

/// Pig to ten points: roll, or bank what the turn has brought, each banked point for a reward. A one ends the
/// turn.
struct Pig(Favour);

#[derive(Clone, Copy, Debug)]
struct Position {
    banked: [u32; 2],
    turn: u32,
    to_act: Player,
    rolls: bool,
    hash: PositionHash,
}

impl Position {
    /// With its hash.
    fn kept(mut self) -> Self {
        let Position { banked: [first, second], turn, to_act, rolls, .. } = self;
        let parts = [first, second, turn, to_act as u32, u32::from(rolls)];
        let bits = parts.iter().fold(0, |bits, &part| bits << 8 | u64::from(part));
        self.hash = PositionHash::from(mix64(bits));
        self
    }
}

impl Pig {
    fn is(&self, favour: Favour) -> bool {
        self.0 == favour
    }

    fn start(&self) -> Position {
        let hash = PositionHash::default();
        Position { banked: [0, 0], turn: 0, to_act: Player::Max, rolls: false, hash }.kept()
    }

    fn mirror(&self, position: &Position) -> Position {
        let Position { banked: [first, second], to_act, turn, .. } = *position;
        let to_act = if self.is(Favour::MirrorKeepsPlayer) { to_act } else { to_act.opponent() };
        let turn = if self.is(Favour::MirrorLoses) { 0 } else { turn };
        let mirrored = Position { banked: [second, first], to_act, turn, ..*position };
        if self.is(Favour::MirrorHash) { mirrored } else { mirrored.kept() }
    }
}

impl Game for Pig {
    type Position = Position;
    type Move = bool;
    type Outcome = u32;
    const STEPS: Steps = Steps::PLAIN.with_rewards(true);

    fn identity(&self) -> u64 {
        0
    }

    fn facts(&self) -> GameFacts {
        GameFacts::new(Grid::with_limit(-1.0, 1.0, 100).expect("a grid"))
    }

    fn kind(&self, position: &Position) -> NodeKind {
        if position.banked.iter().any(|&points| points >= 10) {
            NodeKind::Terminal
        } else if position.rolls {
            NodeKind::Chance
        } else {
            NodeKind::Decision
        }
    }

    fn player(&self, position: &Position) -> Player {
        let is_told_for_max = self.is(Favour::MaxTells) && self.kind(position) != NodeKind::Decision;
        if self.is(Favour::AlwaysMax) || is_told_for_max { Player::Max } else { position.to_act }
    }

    fn terminal_score(&self, position: &Position) -> Score {
        let for_max = if position.banked[0] >= 10 { 50 } else { -50 };
        match self.player(position) {
            _ if self.is(Favour::Loser) => for_max,
            player if self.is(Favour::WrongSign) => for_max * if player == Player::Max { -1 } else { 1 },
            Player::Max => for_max,
            Player::Min => -for_max,
        }
    }

    fn hash(&self, position: &Position) -> PositionHash {
        position.hash
    }

    fn moves(&self, position: &Position, mut push: impl FnMut(bool)) {
        if position.turn == 0 || !(self.is(Favour::FewerMoves) && position.to_act == Player::Min) {
            push(true);
        }
        if position.turn > 0 {
            push(false);
        }
    }

    fn play(&self, position: &Position, rolls: bool) -> Position {
        let mut after = *position;
        let is_min = position.to_act == Player::Min;
        if rolls && !(self.is(Favour::OtherKind) && is_min) {
            after.rolls = true;
        } else if rolls {
            after.turn += 2;
        } else {
            let more = u32::from(self.is(Favour::OtherStep) && is_min);
            after.banked[position.to_act as usize] += position.turn + more;
            (after.turn, after.to_act) = (0, position.to_act.opponent());
        }
        after.kept()
    }

    fn reward(&self, position: &Position, step: Step<bool, u32>, _: &Position) -> Score {
        let has_none =
            step != Step::Move(false) || (self.is(Favour::OneReward) && position.to_act == Player::Min);
        if has_none { 0 } else { position.turn as Score }
    }

    fn outcomes(&self, position: &Position, mut push: impl FnMut(u32, u32)) {
        let more = u32::from(self.is(Favour::OtherWeights) && position.to_act == Player::Min);
        (1..=3).for_each(|pips| push(pips, 1 + if pips == 2 { more } else { 0 }));
    }

    fn resolve(&self, position: &Position, pips: u32) -> Position {
        let (turn, to_act) = match pips {
            1 => (0, position.to_act.opponent()),
            _ => (position.turn + pips, position.to_act),
        };
        Position { turn, to_act, rolls: false, ..*position }.kept()
    }

    fn full_depth(&self, position: &Position) -> Option<u32> {
        let is_bounded = self.is(Favour::OneFullDepth) && position.to_act == Player::Max && position.rolls;
        is_bounded.then_some(7)
    }
}

/// The lead in points.
struct Lead;

impl Evaluator<Pig> for Lead {
    type State = ();

    fn facts(&self, _: &Pig) -> EvaluatorFacts {
        EvaluatorFacts::new(1)
    }

    fn state(&self, _: &Pig, _: &Position, _: Option<Before<'_, Pig, ()>>) {}

    fn evaluate(&self, game: &Pig, position: &Position, (): &()) -> Score {
        let [first, second] = position.banked.map(|points| points as Score);
        match game.player(position) {
            _ if game.is(Favour::Evaluation) => first - second + 1,
            player if (player == Player::Max) != game.is(Favour::WrongViewer) => first - second,
            _ => second - first,
        }
    }
}

fn check(favour: Favour) -> Result<Report, Violation> {
    let game = Pig(favour);
    check_mirror(&game, &Lead, &game.start(), &PLAYS, |position| game.mirror(position))
}

/// In what the mirror image differs.
fn what(favour: Favour) -> &'static str {
    match check(favour).expect_err("a fault").fault {
        Fault::NotMirrored { what, .. } => what,
        other => panic!("{favour:?}: {other}"),
    }
}

#[test]
fn a_game_that_favours_nobody_passes() {
    for favour in [Favour::None, Favour::MaxTells] {
        let report = check(favour).unwrap();
        assert!(report.games == 30 && report.terminals > 0 && report.evaluations > 500, "{report}");
        check_game(&Pig(favour), &Pig(favour).start(), &PLAYS).unwrap();
    }
}

#[test]
fn a_game_in_which_both_play_for_max_is_found_by_its_mirror_alone() {
    let game = Pig(Favour::AlwaysMax);
    check_game(&game, &game.start(), &PLAYS).expect("a sound game, but not the one that was meant");
    check_evaluator(&game, &Lead, &game.start(), &PLAYS).expect("a sound evaluator");
    let violation = check(Favour::AlwaysMax).expect_err("it is found");
    let expected = "game 0, ply 0, after the start: in the mirror image: player Max, expected Min";
    assert_eq!(violation.to_string(), expected);
}

#[test]
fn what_is_wrong_for_both_alike_is_seen_in_the_counts_of_the_report_alone() {
    let look = |favour| {
        let game = Pig(favour);
        // Each check passes: these are sound games, and evaluations, of others than were meant.
        let of_game = check_game(&game, &game.start(), &PLAYS).unwrap();
        let of_evaluator = check_evaluator(&game, &Lead, &game.start(), &PLAYS).unwrap();
        (of_game, of_evaluator)
    };
    let (sound, evaluated) = look(Favour::None);
    check(Favour::None).unwrap();
    assert!(
        sound.won_by_last == sound.terminals && sound.lost_by_last == 0,
        "who banks ten points has won: {sound}"
    );
    assert!(sound.decisions_of_min * 3 > sound.decisions, "both move: {sound}");
    assert!(sound.terminals > 20, "{sound}");
    assert!(evaluated.ends_foreseen > 2 * evaluated.ends_misjudged, "{evaluated}");

    let (always_max, _) = look(Favour::AlwaysMax);
    assert_eq!(always_max.decisions_of_min, 0);

    let (wrong_sign, evaluated) = look(Favour::WrongSign);
    check(Favour::WrongSign).unwrap();
    assert!(wrong_sign.won_by_last == 0 && wrong_sign.lost_by_last == wrong_sign.terminals, "{wrong_sign}");
    assert!(evaluated.ends_misjudged > 2 * evaluated.ends_foreseen, "{evaluated}");

    let (_, wrong_viewer) = look(Favour::WrongViewer);
    check(Favour::WrongViewer).unwrap();
    assert!(wrong_viewer.ends_misjudged > 2 * wrong_viewer.ends_foreseen, "{wrong_viewer}");
}

#[test]
fn whatever_favours_a_player_is_found() {
    use Favour::*;
    let expected = [
        (Loser, "terminal score for Max"),
        (FewerMoves, "number of moves or outcomes"),
        (OtherWeights, "move or outcome"),
        (OtherStep, "move or outcome"),
        (OneReward, "move or outcome"),
        (OneFullDepth, "full depth"),
        (Evaluation, "evaluation for Max"),
        (MirrorKeepsPlayer, "player"),
        (MirrorLoses, "hash of the mirror image"),
        (MirrorHash, "move or outcome"),
    ];
    for (favour, name) in expected {
        assert_eq!(what(favour), name, "{favour:?}");
    }
    // The first move leads to a roll for one, and to a choice for the other.
    assert_eq!(what(OtherKind), "move or outcome");
}

#[test]
fn a_kind_that_is_not_mirrored_is_found() {
    let game = Pig(Favour::None);
    let confused = |position: &Position| {
        let rolls = !position.rolls;
        Position { rolls, ..game.mirror(position) }.kept()
    };
    let violation = check_mirror(&game, &Constant::default(), &game.start(), &PLAYS, confused).unwrap_err();
    let fault = Fault::NotMirrored { what: "kind", found: "Chance".into(), expected: "Decision".into() };
    assert_eq!(violation.fault, fault);
}
