//! A game of one's own that brings an evaluator alone: positions are the way to them, rules have one form.

use starsplit::evaluator::{Constant, mix64};
use starsplit::game::{Game, NodeKind, Player, PositionHash, Texts};
use starsplit::score::Score;
use starsplit_games::{EvaluatorVisitor, GameInfo, Invalid, KnownGame, Own, OwnGame, self_play};
use std::fmt::Debug;

/// Players take 1 or 10 from a heap in turn, then chance takes 0 or 1 more. Who finds it empty has lost.
#[derive(Clone, Debug)]
struct Heap;

#[derive(Clone, Copy, Debug, PartialEq)]
struct Position {
    left: u8,
    to_act: Player,
    is_chance: bool,
}

impl Game for Heap {
    type Position = Position;
    type Move = u8;
    type Outcome = u8;

    fn identity(&self) -> u64 {
        mix64(0x6865_6170)
    }

    fn kind(&self, position: &Position) -> NodeKind {
        match position {
            Position { is_chance: true, .. } => NodeKind::Chance,
            Position { left: 0, .. } => NodeKind::Terminal,
            _ => NodeKind::Decision,
        }
    }

    fn player(&self, position: &Position) -> Player {
        position.to_act
    }

    fn terminal_score(&self, _: &Position) -> Score {
        -self.facts().grid.limit()
    }

    fn hash(&self, &Position { left, to_act, is_chance }: &Position) -> PositionHash {
        let bits = u64::from(left) << 2 | (to_act as u64) << 1 | u64::from(is_chance);
        PositionHash { high: mix64(bits), low: mix64(!bits) }
    }

    fn moves(&self, position: &Position, push: impl FnMut(u8)) {
        [1, 10].into_iter().filter(|&taken| taken <= position.left).for_each(push);
    }

    fn play(&self, &Position { left, to_act, .. }: &Position, taken: u8) -> Position {
        Position { left: left - taken, to_act: to_act.opponent(), is_chance: true }
    }

    fn outcomes(&self, _: &Position, mut push: impl FnMut(u8, u32)) {
        push(0, 2);
        push(1, 1);
    }

    fn resolve(&self, &Position { left, to_act, .. }: &Position, taken: u8) -> Position {
        Position { left: left.saturating_sub(taken), to_act, is_chance: false }
    }
}

impl Texts for Heap {}

/// A name for the game, which might be of another crate.
struct Named;

impl OwnGame for Named {
    type Game = Heap;
    type Evaluator = Constant;

    fn game() -> Heap {
        Heap
    }

    fn start(_: &Heap) -> Position {
        Position { left: 40, to_act: Player::Max, is_chance: false }
    }

    fn evaluator(_: &Heap) -> Constant {
        Constant::default()
    }
}

/// Positions of self-play, with their texts.
struct Played;

impl EvaluatorVisitor<Own<Named>> for Played {
    type Output = Vec<(String, Position)>;

    fn visit<E: starsplit::evaluator::Evaluator<Own<Named>> + Clone + Debug + 'static>(
        self,
        evaluator: E,
    ) -> Self::Output {
        self_play::positions(&Own::<Named>::default(), &evaluator, 12, 1)
    }
}

#[test]
fn a_position_is_read_and_written_as_the_way_to_it() {
    // The text of one move begins that of the other.
    let heap = Own::<Named>::default();
    let text = "start, 10, 1, 1, 0";
    let (written, position) = heap.read(text).unwrap();
    assert_eq!((written.as_str(), position.left, position.to_act), (text, 28, Player::Max));
    assert_eq!(heap.parse(" start ").unwrap(), heap.initial());
    let found = heap.visit_evaluator("own", 1, Played).unwrap();
    assert_eq!(found.len(), 12);
    for (text, position) in found {
        assert_eq!(heap.read(&text), Ok((text.clone(), position)), "{text}");
    }
}

#[test]
fn what_is_no_position_rule_or_evaluator_is_named() {
    let heap = Own::<Named>::default();
    for (text, expected) in [
        ("", "expected a way from the start, such as start"),
        ("start, 2", "expected a way from the start, such as start, 1"),
        ("start, 10, 1, 100", "such as start, 10, 1, 1"),
        ("start,10", "such as start, 1"),
    ] {
        let complaint = heap.read(text).unwrap_err().to_string();
        assert!(complaint.contains(expected) && !complaint.contains('\n'), "{text}: {complaint}");
    }
    let info = GameInfo::own("heap");
    assert!(Own::<Named>::open(&info, info.default_rules).is_ok() && Own::<Named>::open(&info, "").is_ok());
    let refused: Invalid = Own::<Named>::open(&info, "size=3").unwrap_err();
    assert_eq!(refused.to_string(), "rules size=3: expected default, as there are no others");
    let refused = heap.visit_evaluator("network", 1, Played).unwrap_err();
    assert_eq!(refused.to_string(), "evaluator network: expected own");
}
