//! Backgammon and hyper-backgammon as programs name them.

use crate::backgammon::{Backgammon, Move, Outcome, Phase, Position, Scoring, Variant};
use crate::backgammon::{evaluators, matches, mlp, notation};
use crate::network::fitting;
use crate::{EvaluatorInfo, EvaluatorVisitor, GameInfo, Invalid, KnownGame};
use starsplit::game::{Game, NodeKind, Player, PositionHash};

/// Backgammon as suites and flags name it.
pub const INFO: GameInfo = GameInfo {
    name: "backgammon",
    default_rules: "scoring=points",
    rules_help: "scoring is points (1, and 2 or 3 for gammons and backgammons) or winloss (always 1); there \
                 is no doubling cube",
    notation_help: "GNU Backgammon's position ID, who is on roll, x or o, and the roll: \
                    \"4HPwATDgc/ABMA x 31\" (or 3-1), with - before a roll; \"4HPwATDgc/ABMA ? -\" or \
                    \"start\" before the roll that decides who begins; \"4HPwATDgc/ABMA\" where x is to roll; \
                    position ID and match ID: \"4HPwATDgc/ABMA:cIkFAAAAAAAA\"; or an XGID: \
                    \"XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10\" (without XGID=, too). What the \
                    last two say of cube, score and match is not used, and a line says so. Matches: .mat and \
                    .sgf files, see positions --from",
    moves_help: "as players write them: 13/11 6/5*, bar/22, 6/off(2), or pass; points as the mover counts",
    evaluators: evaluators::ALL,
    suites: &[("backgammon", include_str!("suites/backgammon.txt"))],
};

/// Hyper-backgammon as suites and flags name it.
pub const HYPER_INFO: GameInfo = GameInfo {
    name: "hyper-backgammon",
    notation_help: "as in backgammon: \"AACgAgAAKgAAAA x 31\", \"AACgAgAAKgAAAA ? -\", \"start\", \
                    \"AACgAgAAKgAAAA\", \"AACgAgAAKgAAAA:cIkFAAAAAAAA\", \
                    \"XGID=-aaa------------------AAA-:0:0:1:31:0:0:0:0:10\"; no matches",
    evaluators: evaluators::WITHOUT_MLP,
    suites: &[("hyper-backgammon", include_str!("suites/hyper-backgammon.txt"))],
    ..INFO
};

impl KnownGame for Backgammon {
    fn open(info: &GameInfo, rules: &str) -> Result<Self, Invalid> {
        let variant = if info.name == HYPER_INFO.name { Variant::Hyper } else { Variant::Backgammon };
        Ok(Backgammon::new(variant, Scoring::read(rules)?))
    }

    fn rules(&self) -> String {
        format!("scoring={}", self.scoring().name())
    }

    fn initial(&self) -> Position {
        Backgammon::initial(self)
    }

    fn parse(&self, text: &str) -> Result<Position, Invalid> {
        notation::parse(self, text)
    }

    fn notation(&self, position: &Position) -> String {
        notation::notation(self, position)
    }

    fn unused(&self, text: &str) -> Option<String> {
        notation::unused(self, text)
    }

    fn formats(&self, position: &Position) -> Vec<(&'static str, String)> {
        notation::others::formats(position)
    }

    /// Those of `.mat` files and of GNU Backgammon's `.sgf` files, as of games for money without a cube.
    fn match_positions(&self, text: &str) -> Result<Vec<Position>, Invalid> {
        matches::positions(self, text)
    }

    /// The board as `x` sees it, with x's points numbered.
    fn draw(&self, position: &Position) -> String {
        let mut lines = vec!["+-13-14-15-16-17-18-+---+-19-20-21-22-23-24-+".to_owned()];
        lines.extend((1..=ROWS).map(|row| drawn_row(position, row, true)));
        lines.push(format!("|{:18} |BAR|{:18} |", "", ""));
        lines.extend((1..=ROWS).rev().map(|row| drawn_row(position, row, false)));
        lines.push("+-12-11-10--9--8--7-+---+--6--5--4--3--2--1-+".to_owned());
        for player in [Player::Max, Player::Min] {
            let on_board: u8 = (1..=25).map(|point| position.checkers(player, point)).sum();
            lines.push(format!(
                "{}: {} pips, {} on the bar, {} off",
                notation::sign(player),
                position.pips(player),
                position.checkers(player, 25),
                self.variant().checkers() - on_board,
            ));
        }
        lines.push(self.turn(position));
        lines.join("\n") + "\n"
    }

    fn parse_move(&self, position: &Position, text: &str) -> Result<Move, Invalid> {
        notation::parse_move(self, position, text)
    }

    fn is_outcome_meant(&self, position: &Position, outcome: Outcome, text: &str) -> bool {
        notation::is_outcome(position, outcome, text)
    }

    fn mirror(&self, position: &Position) -> Option<Position> {
        let [first, second] = position.checkers;
        let is_opening = position.phase == Phase::Opening;
        let to_act = if is_opening { position.to_act } else { position.to_act.opponent() };
        Some(self.position([second, first], to_act, position.phase))
    }

    fn hash_from_scratch(&self, position: &Position) -> PositionHash {
        self.sum_of_keys(position).into()
    }

    fn evaluators(&self) -> Vec<EvaluatorInfo> {
        let all = if mlp::is_trained_for(self) { evaluators::ALL } else { evaluators::WITHOUT_MLP };
        fitting(self, all)
    }

    fn visit_evaluator<V: EvaluatorVisitor<Self>>(
        &self,
        name: &str,
        _seed: u64,
        visitor: V,
    ) -> Result<V::Output, Invalid> {
        evaluators::visit(self, name, visitor)
    }
}

impl Backgammon {
    /// What happens next, in words.
    fn turn(&self, position: &Position) -> String {
        let who = notation::sign(position.to_act());
        match (self.kind(position), position.phase) {
            (NodeKind::Terminal, _) => "the game is over".to_owned(),
            (_, Phase::Opening) => "both roll: the higher number begins".to_owned(),
            (_, Phase::Rolling) => format!("{who} rolls"),
            (_, Phase::Moving(roll)) => format!("{who} moves, {}{}", roll.high(), roll.low()),
        }
    }
}

/// Rows of a half of the board; higher stacks are told by their number in the last one.
const ROWS: u8 = 5;

/// A row of the board, counted from the edge of the upper or the lower half. The bar shows, from the middle
/// on, the checkers of the player who enters in that half.
fn drawn_row(position: &Position, row: u8, is_upper: bool) -> String {
    let point = |column: u8| if is_upper { 13 + column } else { 12 - column };
    let half = |columns: std::ops::Range<u8>| -> String {
        columns.map(|column| format!("{:>3}", cell(stack(position, point(column)), row))).collect()
    };
    let entering = if is_upper { Player::Max } else { Player::Min };
    let waiting = (position.checkers(entering, 25) > 0).then(|| (position.checkers(entering, 25), entering));
    let bar = cell(waiting, ROWS + 1 - row);
    format!("|{} |{bar:^3}|{} |", half(0..6), half(6..12))
}

/// How many checkers are on a point that x numbers so, and whose.
fn stack(position: &Position, point: u8) -> Option<(u8, Player)> {
    let on = |player, point| Some((position.checkers(player, point), player)).filter(|&(count, _)| count > 0);
    on(Player::Max, point).or_else(|| on(Player::Min, 25 - point))
}

fn cell(stack: Option<(u8, Player)>, row: u8) -> String {
    match stack {
        Some((count, _)) if row == ROWS && count > ROWS => count.to_string(),
        Some((count, player)) if row <= count => notation::sign(player).to_string(),
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_board_is_drawn_as_players_see_it() {
        let game = Backgammon::open(&INFO, "").unwrap();
        let expected = concat!(
            "+-13-14-15-16-17-18-+---+-19-20-21-22-23-24-+\n",
            "|  x           o    |   |  o              x |\n",
            "|  x           o    |   |  o              x |\n",
            "|  x           o    |   |  o                |\n",
            "|  x                |   |  o                |\n",
            "|  x                |   |  o                |\n",
            "|                   |BAR|                   |\n",
            "|  o                |   |  x                |\n",
            "|  o                |   |  x                |\n",
            "|  o           x    |   |  x                |\n",
            "|  o           x    |   |  x              o |\n",
            "|  o           x    |   |  x              o |\n",
            "+-12-11-10--9--8--7-+---+--6--5--4--3--2--1-+\n",
            "x: 167 pips, 0 on the bar, 0 off\n",
            "o: 167 pips, 0 on the bar, 0 off\n",
            "both roll: the higher number begins\n",
        );
        assert_eq!(game.draw(&game.initial()), expected);
    }

    #[test]
    fn the_bar_high_stacks_and_the_roll_are_drawn() {
        let game = Backgammon::open(&INFO, "").unwrap();
        let position = game.parse("4Ac8pCgcgEcQdw o 31").unwrap();
        let expected = concat!(
            "+-13-14-15-16-17-18-+---+-19-20-21-22-23-24-+\n",
            "|  x           x    |   |  x  x     o  x  x |\n",
            "|  x                |   |           o       |\n",
            "|  x                |   |           o       |\n",
            "|  x                |   |                   |\n",
            "|                   |   |                   |\n",
            "|                   |BAR|                   |\n",
            "|                   | o |  6                |\n",
            "|  o                | o |  x                |\n",
            "|  o                | o |  x              o |\n",
            "|  o                |   |  x              o |\n",
            "|  o        o       |   |  x     o        o |\n",
            "+-12-11-10--9--8--7-+---+--6--5--4--3--2--1-+\n",
            "x: 191 pips, 0 on the bar, 0 off\n",
            "o: 245 pips, 3 on the bar, 0 off\n",
            "o moves, 31\n",
        );
        assert_eq!(game.draw(&position), expected);
    }

    #[test]
    fn rules_are_read_and_written() {
        for (text, rules) in [("", "scoring=points"), (" scoring=winloss ,", "scoring=winloss")] {
            assert_eq!(Backgammon::open(&HYPER_INFO, text).unwrap().rules(), rules);
        }
        for bad in ["scoring", "scoring=money", "cube=1", "scoring=points,scoring=points"] {
            let told = Backgammon::open(&INFO, bad).unwrap_err().to_string();
            assert!(told.starts_with("rule ") && told.contains("expected scoring"), "{told}");
        }
        let ids = [INFO, HYPER_INFO].map(|info| {
            ["scoring=points", "scoring=winloss"]
                .map(|rules| Backgammon::open(&info, rules).unwrap().identity())
        });
        let mut ids = ids.concat();
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(ids.len(), 4);
    }
}
