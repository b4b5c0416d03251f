//! A game for one player or for two that is like no game of the list: rolls of unequal weights, points as
//! rewards, values beyond 1, and all that has happened in the notation of its positions.

use starsplit::evaluator::{Constant, mix64};
use starsplit::game::{Game, GameFacts, NodeKind, Player, PositionHash, Step, Steps, Texts};
use starsplit::score::{Grid, Score};
use starsplit_experiments::question::door::Door;
use starsplit_experiments::question::doors::door_to;
use starsplit_games::{EvaluatorInfo, EvaluatorVisitor, GameInfo, Invalid, KnownGame};
use std::sync::Arc;

pub const INFO: GameInfo = GameInfo {
    name: "toy",
    default_rules: "players=2,rounds=6",
    rules_help: "players: 1 or 2; rounds: 1 to 99",
    notation_help: "a digit for each roll, 3 more where it was doubled, then -roll or -move",
    moves_help: "keep or double",
    evaluators: &[EvaluatorInfo { name: "constant", about: "nothing" }],
    suites: &[],
};

/// In each round a number is rolled: 1 with weight 3, 2 with weight 2, 3 with weight 1. Whose turn it is
/// keeps it, which is worth its points, or doubles, which is worth twice the points of a 3 and costs those of
/// others. To have come to the end is worth 1 to the first player.
#[derive(Clone, Debug)]
pub struct Toy {
    pub players: u8,
    pub rounds: u8,
}

/// The door to the game.
pub fn door(players: u8, rounds: u8) -> Arc<dyn Door> {
    door_to(&INFO, Toy { players, rounds })
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct At {
    pub round: u8,
    pub pending: bool,
    /// What was rolled as digits, the first one first; 3 more where it was doubled.
    pub line: u128,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Act {
    Keep,
    Double,
}

impl At {
    fn last(self) -> u8 {
        (self.line % 10) as u8
    }
}

/// The rolls that the notation of a position tells of.
pub fn rolls(notation: &str) -> Vec<u32> {
    notation.chars().filter_map(|c| c.to_digit(10)).map(|digit| (digit - 1) % 3 + 1).collect()
}

/// What the rewards of the game so far are worth to the first player.
pub fn points(notation: &str, players: usize) -> i32 {
    let of = |digit: char| match digit {
        '1'..='3' => digit as i32 - '0' as i32,
        '4' => -1,
        '5' => -2,
        _ => 6,
    };
    let moved = notation.strip_suffix("-move").map_or(notation, |line| &line[..line.len() - 1]);
    let digits = moved.chars().filter(char::is_ascii_digit).enumerate();
    digits.map(|(round, digit)| if round % players == 0 { of(digit) } else { -of(digit) }).sum()
}

impl Game for Toy {
    type Position = At;
    type Move = Act;
    type Outcome = u8;
    const STEPS: Steps = Steps::PLAIN.with_rewards(true);

    fn identity(&self) -> u64 {
        u64::from(self.players) * 100 + u64::from(self.rounds)
    }

    fn facts(&self) -> GameFacts {
        GameFacts::new(Grid::with_limit(-1000.0, 1000.0, 1000).expect("a grid"))
    }

    fn kind(&self, at: &At) -> NodeKind {
        match (at.pending, at.round < self.rounds) {
            (true, _) => NodeKind::Decision,
            (false, true) => NodeKind::Chance,
            (false, false) => NodeKind::Terminal,
        }
    }

    fn player(&self, at: &At) -> Player {
        if self.players == 2 && at.round % 2 == 1 { Player::Min } else { Player::Max }
    }

    fn terminal_score(&self, at: &At) -> Score {
        if self.player(at) == Player::Max { 1 } else { -1 }
    }

    fn hash(&self, at: &At) -> PositionHash {
        let bits = mix64(at.line as u64) ^ mix64((at.line >> 64) as u64 + 1);
        PositionHash::from(mix64(bits ^ u64::from(at.round) << 1 ^ u64::from(at.pending)))
    }

    fn moves(&self, _: &At, mut push: impl FnMut(Act)) {
        push(Act::Double);
        push(Act::Keep);
    }

    fn play(&self, at: &At, act: Act) -> At {
        let more = if act == Act::Double { 3 } else { 0 };
        At { round: at.round + 1, pending: false, line: at.line + more }
    }

    fn reward(&self, at: &At, step: Step<Act, u8>, _: &At) -> Score {
        let points = Score::from(at.last());
        match step {
            Step::Move(Act::Keep) => points,
            Step::Move(Act::Double) if points == 3 => 2 * points,
            Step::Move(Act::Double) => -points,
            Step::Outcome(_) => 0,
        }
    }

    fn outcomes(&self, _: &At, mut push: impl FnMut(u8, u32)) {
        [(1, 3), (2, 2), (3, 1)].into_iter().for_each(|(number, weight)| push(number, weight));
    }

    fn resolve(&self, at: &At, number: u8) -> At {
        At { pending: true, line: at.line * 10 + u128::from(number), ..*at }
    }
}

impl Texts for Toy {
    fn move_text(&self, _: &At, act: Act) -> String {
        format!("{act:?}").to_lowercase()
    }

    fn outcome_text(&self, _: &At, number: u8) -> String {
        format!("a {number}")
    }
}

impl KnownGame for Toy {
    fn open(_: &GameInfo, rules: &str) -> Result<Self, Invalid> {
        Err(Invalid::new("rules", rules, "none: doors to it are made by hand"))
    }

    fn rules(&self) -> String {
        format!("players={},rounds={}", self.players, self.rounds)
    }

    fn initial(&self) -> At {
        At::default()
    }

    fn parse(&self, text: &str) -> Result<At, Invalid> {
        let refuse = || Invalid::new("position", text, "digits, then -roll or -move");
        let (digits, next) = text.split_once('-').ok_or_else(refuse)?;
        let pending = next == "move";
        let line = if digits.is_empty() { 0 } else { digits.parse().map_err(|_| refuse())? };
        Ok(At { round: digits.len() as u8 - u8::from(pending), pending, line })
    }

    fn notation(&self, at: &At) -> String {
        let digits = if at.line == 0 { String::new() } else { at.line.to_string() };
        format!("{digits}-{}", if at.pending { "move" } else { "roll" })
    }

    fn draw(&self, at: &At) -> String {
        format!("round {} of {}\n{}", at.round + 1, self.rounds, self.notation(at))
    }

    fn result_text(&self, at: &At) -> String {
        rolls(&self.notation(at)).into_iter().max().map_or_else(String::new, |most| most.to_string())
    }

    fn evaluators(&self) -> Vec<EvaluatorInfo> {
        INFO.evaluators.to_vec()
    }

    fn visit_evaluator<V: EvaluatorVisitor<Self>>(
        &self,
        name: &str,
        _: u64,
        visitor: V,
    ) -> Result<V::Output, Invalid> {
        match name {
            "constant" => Ok(visitor.visit(Constant::default())),
            _ => Err(Invalid::new("evaluator", name, "constant")),
        }
    }
}
