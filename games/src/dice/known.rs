//! Dice as programs name it.
use crate::dice::{Dice, Line, Move, Position, Rules, evaluators, notation};
use crate::network::fitting;
use crate::{EvaluatorInfo, EvaluatorVisitor, GameInfo, Invalid, KnownGame};
use starsplit::game::{Game, NodeKind, Player, PositionHash, Texts};

/// Dice as suites and flags name it.
pub const INFO: GameInfo = GameInfo {
    name: "dice",
    default_rules: "size=5,run=4,full-line=reroll",
    rules_help: "size is 2 to 8 and run, the checkers in line that win, 2 to size; full-line is reroll (only \
                 lines with room are rolled) or pass (the turn is lost)",
    notation_help: "the rows from the top parted by '/', x and o and '.', who is to act, and the roll, of x \
                    a row, of o a column: \"x.o../..x../.oo../.x..o/...x. x r3\", \
                    \"x.o../..x../.oo../.xx.o/...x. o c2\", with - before a roll",
    moves_help: "the cell as the board is drawn, column and row: c2 (r2c3 is read, too)",
    evaluators: evaluators::ALL,
    suites: &[
        ("paper", include_str!("suites/paper.txt")),
        ("large", include_str!("suites/large.txt")),
        ("quick", include_str!("suites/quick.txt")),
        ("pass", include_str!("suites/pass.txt")),
        ("board-3", include_str!("suites/board-3.txt")),
        ("board-4", include_str!("suites/board-4.txt")),
        ("board-5", include_str!("suites/board-5.txt")),
        ("board-6", include_str!("suites/board-6.txt")),
        ("board-7", include_str!("suites/board-7.txt")),
    ],
};

impl KnownGame for Dice {
    fn open(_: &GameInfo, rules: &str) -> Result<Self, Invalid> {
        rules.parse::<Rules>().map(Dice::new).map_err(Invalid::from_error)
    }

    fn rules(&self) -> String {
        Dice::rules(self).to_string()
    }

    fn initial(&self) -> Position {
        Dice::initial(self)
    }

    fn parse(&self, text: &str) -> Result<Position, Invalid> {
        Dice::parse(self, text).map_err(Invalid::from_error)
    }

    fn notation(&self, position: &Position) -> String {
        Dice::notation(self, position)
    }

    fn is_move_meant(&self, position: &Position, mv: Move, text: &str) -> bool {
        match mv {
            Move::Place(cell) => notation::read_cell(Dice::rules(self).size(), text) == Some(cell),
            Move::Pass => self.move_text(position, mv).eq_ignore_ascii_case(text),
        }
    }

    fn is_outcome_meant(&self, position: &Position, line: Line, text: &str) -> bool {
        notation::names_line(position.to_act(), line, text)
    }

    fn draw(&self, position: &Position) -> String {
        let text = Dice::notation(self, position);
        let mut fields = text.split(' ');
        let board = fields.next().unwrap_or_default();
        let mut drawn = String::new();
        for (row, cells) in (1..).zip(board.split('/')) {
            drawn += &format!("{row} ");
            drawn.extend(cells.chars().flat_map(|cell| [' ', cell]));
            drawn.push('\n');
        }
        let columns = ('a'..).take(usize::from(Dice::rules(self).size()));
        drawn += "  ";
        drawn.extend(columns.flat_map(|column| [' ', column]));
        let who = if position.to_act() == Player::Max { 'x' } else { 'o' };
        let what = match (self.kind(position), position.pending()) {
            (NodeKind::Terminal, _) => "the game is over".to_owned(),
            (_, None) => format!("{who} rolls"),
            (_, Some(line)) => format!("{who} moves, {}", self.outcome_text(position, line)),
        };
        format!("{drawn}\n{what}\n")
    }

    /// Rows become columns.
    fn mirror(&self, position: &Position) -> Option<Position> {
        let size = Dice::rules(self).size();
        let turned = |stones: u64| {
            let cells = (0..size * size).filter(|cell| stones >> cell & 1 != 0);
            cells.fold(0, |set, cell| set | 1 << (cell % size * size + cell / size))
        };
        let stones = [Player::Min, Player::Max].map(|player| turned(position.stones(player)));
        Some(self.position(stones, position.to_act().opponent(), position.pending()))
    }

    fn hash_from_scratch(&self, position: &Position) -> PositionHash {
        self.computed_hash(position)
    }

    fn evaluators(&self) -> Vec<EvaluatorInfo> {
        fitting(self, evaluators::ALL)
    }

    fn visit_evaluator<V: EvaluatorVisitor<Self>>(
        &self,
        name: &str,
        seed: u64,
        visitor: V,
    ) -> Result<V::Output, Invalid> {
        evaluators::visit(self, name, seed, visitor)
    }
}
