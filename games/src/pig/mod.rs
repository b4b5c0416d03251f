//! Pig, the dice game in which one presses one's luck.
//!
//! The player whose turn it is rolls the die or holds. A one ends the turn and loses what the turn has
//! gathered; any other number is added to the turn's total. Holding banks the total and ends the turn; it is
//! allowed before the first roll, too, so play may go on for ever. Whoever has banked the target wins (+1 for
//! the first player, -1 for the second). A player whose banked points and turn's total reach it can only
//! hold.

mod evaluators;
use crate::rules_text::{number, numbers};
use crate::{EvaluatorInfo, EvaluatorVisitor, GameInfo, Invalid, KnownGame};
use starsplit::evaluator::mix64;
use starsplit::game::{Game, GameFacts, NodeKind, Player, PositionHash, Texts};
use starsplit::score::{Grid, Score};

/// Pig as suites and flags name it.
pub const INFO: GameInfo = GameInfo {
    name: "pig",
    default_rules: "target=100,die=6",
    rules_help: "target, the points that win, is 2 to 10000; die, its faces, 2 to 100",
    notation_help: "the banked points of x and of o, the turn's total and whose turn it is: \"23 40 7 x\"; \
                    with roll at the end where the player has chosen to roll: \"23 40 7 x roll\"",
    moves_help: "roll or hold",
    evaluators: evaluators::ALL,
    suites: &[("pig", include_str!("suites/pig.txt"))],
};

/// The game of Pig under given rules.
#[derive(Clone, Copy, Debug)]
pub struct Pig {
    target: u16,
    die: u8,
}

/// A move of Pig.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Move {
    /// Throws the die.
    Roll,
    /// Banks the turn's total and ends the turn.
    Hold,
}

/// The number that the die shows, from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Pips(u8);

/// A position of Pig, before a decision or before a roll.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    banked: [u16; 2],
    turn_total: u16,
    to_act: Player,
    is_rolling: bool,
}

impl Position {
    /// The points that `player` has banked.
    #[inline]
    pub fn banked(&self, player: Player) -> u16 {
        self.banked[player as usize]
    }

    /// The points that a player would have after holding, where it is that player's turn.
    #[inline]
    fn in_hand(&self) -> u16 {
        self.banked(self.to_act) + self.turn_total
    }
}

impl Pig {
    /// The points that win.
    pub fn target(&self) -> u16 {
        self.target
    }

    /// Whether play can lead to this total while the player whose turn it is has `banked` points.
    fn is_possible(&self, turn_total: u16, banked: u16) -> bool {
        let die = u16::from(self.die);
        // Rolls add 2 or more; the last of them was made short of the target.
        let is_sum = turn_total != 1 && (die > 2 || turn_total % 2 == 0);
        is_sum && banked + turn_total < self.target + die
    }
}

impl Game for Pig {
    type Position = Position;
    type Move = Move;
    type Outcome = Pips;

    fn identity(&self) -> u64 {
        mix64(0x0070_6967 ^ mix64(u64::from(self.target) << 8 | u64::from(self.die)))
    }

    fn facts(&self) -> GameFacts {
        GameFacts::default().with_outcomes_never_end(true).with_move_slots(2).with_successor_ns(2)
    }

    #[inline]
    fn kind(&self, position: &Position) -> NodeKind {
        if position.banked.iter().any(|&points| points >= self.target) {
            NodeKind::Terminal
        } else if position.is_rolling {
            NodeKind::Chance
        } else {
            NodeKind::Decision
        }
    }

    #[inline]
    fn player(&self, position: &Position) -> Player {
        position.to_act
    }

    /// The winner was the last to move.
    #[inline]
    fn terminal_score(&self, _: &Position) -> Score {
        -Grid::default().limit()
    }

    /// Each half alone tells any two positions apart: the position fits into 64 bits.
    #[inline]
    fn hash(&self, position: &Position) -> PositionHash {
        let [first, second] = position.banked.map(u64::from);
        let flags = (position.to_act as u64) << 1 | u64::from(position.is_rolling);
        let bits = first | second << 16 | u64::from(position.turn_total) << 32 | flags << 48;
        PositionHash { high: mix64(bits), low: mix64(!bits) }
    }

    #[inline]
    fn moves(&self, position: &Position, mut push: impl FnMut(Move)) {
        if position.in_hand() < self.target {
            push(Move::Roll);
        }
        push(Move::Hold);
    }

    #[inline]
    fn play(&self, position: &Position, mv: Move) -> Position {
        let mut after = *position;
        match mv {
            Move::Roll => after.is_rolling = true,
            Move::Hold => {
                after.banked[position.to_act as usize] = position.in_hand();
                after.turn_total = 0;
                after.to_act = position.to_act.opponent();
            }
        }
        after
    }

    #[inline]
    fn outcomes(&self, _: &Position, mut push: impl FnMut(Pips, u32)) {
        (1..=self.die).for_each(|pips| push(Pips(pips), 1));
    }

    #[inline]
    fn resolve(&self, position: &Position, Pips(pips): Pips) -> Position {
        let mut after = *position;
        after.is_rolling = false;
        if pips == 1 {
            after.turn_total = 0;
            after.to_act = position.to_act.opponent();
        } else {
            after.turn_total += u16::from(pips);
        }
        after
    }

    fn move_slot(&self, mv: Move) -> usize {
        mv as usize
    }
}

impl Texts for Pig {
    fn move_text(&self, _: &Position, mv: Move) -> String {
        match mv {
            Move::Roll => "roll".to_owned(),
            Move::Hold => "hold".to_owned(),
        }
    }

    fn outcome_text(&self, _: &Position, Pips(pips): Pips) -> String {
        pips.to_string()
    }
}

impl KnownGame for Pig {
    fn open(_: &GameInfo, rules: &str) -> Result<Self, Invalid> {
        let [target, die] = numbers(rules, [("target", 2..=10_000), ("die", 2..=100)])?;
        Ok(Pig { target: target.unwrap_or(100) as u16, die: die.unwrap_or(6) as u8 })
    }

    fn rules(&self) -> String {
        format!("target={},die={}", self.target, self.die)
    }

    fn initial(&self) -> Position {
        Position { banked: [0; 2], turn_total: 0, to_act: Player::Max, is_rolling: false }
    }

    fn parse(&self, text: &str) -> Result<Position, Invalid> {
        let fields: Vec<_> = text.split_whitespace().collect();
        let (first, second, turn_total, player, is_rolling) = match fields[..] {
            [first, second, turn_total, player] => (first, second, turn_total, player, false),
            [first, second, turn_total, player, "roll"] => (first, second, turn_total, player, true),
            _ => return Err(Invalid::new("position", text, "\"23 40 7 x\" or \"23 40 7 x roll\"")),
        };
        let banked = [self.read_banked(first)?, self.read_banked(second)?];
        let to_act = match player {
            "x" => Player::Max,
            "o" => Player::Min,
            _ => return Err(Invalid::new("player", player, "x or o")),
        };
        let own = banked[to_act as usize];
        let turn_total = self.read_turn_total(turn_total, own)?;
        let position = Position { banked, turn_total, to_act, is_rolling };
        if is_rolling && position.in_hand() >= self.target {
            let expected = format!("no roll, for {own} and the turn's total reach {}", self.target);
            return Err(Invalid::new("position", text, expected));
        }
        Ok(position)
    }

    fn notation(&self, position: &Position) -> String {
        let Position { banked: [first, second], turn_total, to_act, is_rolling } = position;
        let roll = if *is_rolling { " roll" } else { "" };
        format!("{first} {second} {turn_total} {}{roll}", sign(*to_act))
    }

    fn draw(&self, position: &Position) -> String {
        let Position { banked: [first, second], turn_total, to_act, .. } = position;
        let what = match self.kind(position) {
            NodeKind::Terminal => "the game is over".to_owned(),
            NodeKind::Chance => format!("{} rolls", sign(*to_act)),
            NodeKind::Decision => format!("{} rolls or holds", sign(*to_act)),
        };
        let target = self.target;
        format!("x has {first} of {target}\no has {second} of {target}\nthis turn {turn_total}\n\n{what}\n")
    }

    fn mirror(&self, position: &Position) -> Option<Position> {
        let [first, second] = position.banked;
        Some(Position { banked: [second, first], to_act: position.to_act.opponent(), ..*position })
    }

    fn evaluators(&self) -> Vec<EvaluatorInfo> {
        evaluators::ALL.to_vec()
    }

    fn visit_evaluator<V: EvaluatorVisitor<Self>>(
        &self,
        name: &str,
        _seed: u64,
        visitor: V,
    ) -> Result<V::Output, Invalid> {
        evaluators::named(name).map(|evaluator| visitor.visit(evaluator))
    }
}

impl Pig {
    fn read_banked(&self, text: &str) -> Result<u16, Invalid> {
        let read = number(text).filter(|&points| points < u32::from(self.target) && points != 1);
        let expected = format!("a number of points below {}, not 1", self.target);
        read.map(|points| points as u16).ok_or_else(|| Invalid::new("banked", text, expected))
    }

    fn read_turn_total(&self, text: &str, banked: u16) -> Result<u16, Invalid> {
        let longest = u32::from(self.target) + u32::from(self.die);
        let read = number(text).filter(|&points| points < longest).map(|points| points as u16);
        read.filter(|&points| self.is_possible(points, banked)).ok_or_else(|| {
            let most = self.target - 1 - banked + u16::from(self.die);
            let even = if self.die == 2 { "an even number" } else { "a number other than 1" };
            Invalid::new("turn's total", text, format_args!("{even} up to {most} after {banked} banked"))
        })
    }
}

fn sign(player: Player) -> char {
    match player {
        Player::Max => 'x',
        Player::Min => 'o',
    }
}
