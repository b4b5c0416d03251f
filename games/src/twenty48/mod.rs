//! 2048 (Cirulli 2014), for one player.
//!
//! A move slides all tiles to one side of the board; where two equal ones meet they merge into one of twice
//! the number, once a move, those nearest the side first. After each move a new tile comes into an empty
//! cell, each as likely: a 2 with weight 9, a 4 with weight 1, unless the rules say otherwise. The game
//! begins with two such tiles. It is over when a move makes the tile `end`, or when no move changes the
//! board. Two tiles 32768 do not merge, which matters for `end=none` only.
//!
//! With `score=points` each merge scores the number of the new tile, a reward of the move, and a finished
//! game has nothing to come. With `score=target` nothing is scored on the way, and a game is worth 1 when
//! `end` was made, else 0: the value is the probability to make it.
//!
//! # How far the points go
//!
//! On a board of n cells the i-th greatest tile is at most 2^(n - i + 2): a new tile is the last of at most n
//! and no more than 4; and where the a-th to the b-th greatest are equal, b greater than a, two of them merge
//! into the a-th of at most 2^(n - b + 3). A tile 2^k made of twos has scored (k - 1) 2^k, and less if fours
//! went into it. So all tiles before the last move have scored at most the sum of (k - 1) 2^k over the i,
//! where k is the lesser of n - i + 2 and the exponent below that of `end`; and the last move scores at most
//! `end` for each two cells. Whatever remains of a game scores no more than this bound; the evaluations stay
//! within a quarter of it, and within all of it with `end=none`; and the grid has room for both, so that
//! nothing saturates. It is told in points, 0 in the middle, with as many steps a point as a power of two
//! allows: 64 where `end` is 2048 on 4 by 4.

mod bounds;
pub mod evaluators;
mod rows;
use crate::rules_text::parts;
use crate::{EvaluatorInfo, EvaluatorVisitor, GameInfo, Invalid, KnownGame};
use rows::{GREATEST_EXPONENT, RowTables, Slid};
use starsplit::evaluator::mix64;
use starsplit::game::{Game, GameFacts, NodeKind, Player, PositionHash, Step, StepOf, Steps, Texts};
use starsplit::score::{Grid, MAX_LIMIT, Score};
use std::fmt;
use std::ops::ControlFlow;
use std::str::FromStr;
use std::sync::Arc;

/// 2048 as programs name it.
pub const INFO: GameInfo = GameInfo {
    name: "2048",
    default_rules: "size=4,two=9,four=1,end=2048,score=points",
    rules_help: "size is 2 to 4, or rows and columns such as 2x3; two and four are the weights of new tiles; \
                 end is the tile that ends the game, 8 to 32768, or none; score is points or target (the \
                 probability to make the tile end)",
    notation_help: "a hex digit a cell, row by row, the exponent of its tile or 0, then what is next: \
                    \"0000001000000200 move\" (which may be left out), or tile before a new tile, or over; \
                    the empty board with tile gets two tiles. Or the tiles, with commas or spaces: \
                    \"0,0,0,0,0,0,2,0,0,0,0,0,0,4,0,0 move\"; or, 4 by 4, the digits as one number, the \
                    first cell the lowest: \"0x0020000001000000 move\"",
    moves_help: "up, down, left or right, or the first letter",
    evaluators: evaluators::ALL,
    suites: &[("2048", include_str!("suites/2048.txt"))],
};

/// What a game is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Scoring {
    /// The points of merges, as rewards of moves.
    Points,
    /// 1 when the tile that ends the game is made, else 0.
    Target,
}

/// The shape of the board, what new tiles come, and when the game ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Rules {
    rows: u8,
    columns: u8,
    two: u32,
    four: u32,
    /// The exponent of the tile that ends the game.
    end: Option<u8>,
    scoring: Scoring,
}

impl Default for Rules {
    /// The usual ones: 4 by 4, a 2 nine times as often as a 4, to 2048, for points.
    fn default() -> Self {
        Rules { rows: 4, columns: 4, two: 9, four: 1, end: Some(11), scoring: Scoring::Points }
    }
}

/// The greatest weight of a new tile, with which the sum over all cells fits 32 bits.
const GREATEST_WEIGHT: u32 = 1_000_000;

impl Rules {
    fn identity(&self) -> u64 {
        let weights = mix64(u64::from(self.two) << 32 | u64::from(self.four));
        let end = self.end.unwrap_or(0);
        mix64(weights ^ u64::from_le_bytes([self.rows, self.columns, end, self.scoring as u8, 0, 0, 0, 0]))
    }

    fn cells(&self) -> u8 {
        self.rows * self.columns
    }

    /// The exponent of the greatest tile while the game goes on.
    fn greatest_unfinished(&self) -> u8 {
        self.end.map_or(GREATEST_EXPONENT, |end| end - 1)
    }

    /// The exponents of the least and the greatest new tile.
    fn new_tiles(&self) -> (u8, u8) {
        (if self.two > 0 { 1 } else { 2 }, if self.four > 0 { 2 } else { 1 })
    }

    /// The exponents of new tiles, each with its weight, in the order of the outcomes.
    fn weights(&self) -> [(u8, u32); 2] {
        [(1, self.two), (2, self.four)]
    }

    /// For each number of tiles on the board, the exponent that the least of them does not exceed.
    fn tile_limits(&self) -> impl Iterator<Item = u8> + use<> {
        let rules = *self;
        (1..=rules.cells()).map(move |i| rules.cells() - i + rules.new_tiles().1)
    }

    /// More points than these no line of play scores (see the head of this file).
    fn points_bound(&self) -> u32 {
        let scored = |exponent: u8| u32::from(exponent - 1) << exponent;
        let limit = self.greatest_unfinished();
        let before_last: u32 = self.tile_limits().map(|tile| scored(tile.min(limit))).sum();
        let largest = self.cells() + self.new_tiles().1 - 1;
        let last = self.end.map_or(0, |end| u32::from(self.cells() / 2) << end.min(largest));
        before_last + last
    }

    /// No evaluation is worth more points than these.
    fn evaluation_bound(&self) -> u32 {
        self.points_bound() / if self.end.is_some() { 4 } else { 1 }
    }

    /// The exponent of the greatest tile that there may be while the game goes on.
    fn greatest_tile(&self) -> u8 {
        self.greatest_unfinished().min(self.cells() + self.new_tiles().1 - 1)
    }

    /// The greatest sum of tiles where a new one is to come and the game not over.
    fn greatest_sum(&self) -> u32 {
        let limit = self.greatest_unfinished();
        self.tile_limits().take(usize::from(self.cells()) - 1).map(|tile| 1 << tile.min(limit)).sum()
    }
}

impl fmt::Display for Rules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Rules { rows, columns, two, four, .. } = self;
        let size = if rows == columns { rows.to_string() } else { format!("{rows}x{columns}") };
        let end = self.end.map_or("none".to_owned(), |end| (1u32 << end).to_string());
        let score = if self.scoring == Scoring::Points { "points" } else { "target" };
        write!(f, "size={size},two={two},four={four},end={end},score={score}")
    }
}

impl FromStr for Rules {
    type Err = Invalid;

    fn from_str(text: &str) -> Result<Self, Invalid> {
        let mut rules = Rules::default();
        let mut given = Vec::new();
        for part in parts(text) {
            let (name, value) = part.split_once('=').unwrap_or((part, ""));
            match name {
                "size" => (rules.rows, rules.columns) = read_size(value)?,
                "two" => rules.two = read_weight("weight of 2", value)?,
                "four" => rules.four = read_weight("weight of 4", value)?,
                "end" => rules.end = read_end(value)?,
                "score" => rules.scoring = read_scoring(value)?,
                _ => return Err(Invalid::new("rule", part, "size=, two=, four=, end= or score=")),
            }
            if given.contains(&name) {
                return Err(Invalid::new("rule", part, "each rule once"));
            }
            given.push(name);
        }
        if rules.two + rules.four == 0 {
            return Err(Invalid::new("weights of 2 and 4", "0", "at least one above 0"));
        }
        if (rules.end, rules.scoring) == (None, Scoring::Target) {
            return Err(Invalid::new("end", "none", "a tile to make, as score=target asks"));
        }
        Ok(rules)
    }
}

fn read_size(value: &str) -> Result<(u8, u8), Invalid> {
    let (rows, columns) = value.split_once('x').unwrap_or((value, value));
    match (rows, columns) {
        ("2" | "3" | "4", "2" | "3" | "4") => Ok((rows.as_bytes()[0] - b'0', columns.as_bytes()[0] - b'0')),
        _ => Err(Invalid::new("size", value, "2, 3 or 4, or rows and columns such as 2x3")),
    }
}

fn read_weight(what: &str, value: &str) -> Result<u32, Invalid> {
    let weight = value.parse().ok().filter(|&weight| weight <= GREATEST_WEIGHT);
    weight.ok_or_else(|| Invalid::new(what, value, format_args!("0 to {GREATEST_WEIGHT}")))
}

fn read_end(value: &str) -> Result<Option<u8>, Invalid> {
    if value == "none" {
        return Ok(None);
    }
    let end = (3..=GREATEST_EXPONENT).find(|&end| value.parse() == Ok(1u32 << end));
    end.map(Some).ok_or_else(|| Invalid::new("end", value, "a power of 2 from 8 to 32768, or none"))
}

fn read_scoring(value: &str) -> Result<Scoring, Invalid> {
    match value {
        "points" => Ok(Scoring::Points),
        "target" => Ok(Scoring::Target),
        _ => Err(Invalid::new("score", value, "points or target")),
    }
}

/// 2048 under given rules, with the tables that make moves cheap. Clones share the tables.
#[derive(Clone, Debug)]
pub struct Twenty48 {
    rules: Rules,
    grid: Grid,
    /// Steps of the grid a point; 0 where points do not count.
    point: Score,
    /// One bit in each cell of the board, its lowest.
    used: u64,
    /// The tile that ends the game in each cell, 0 where there is none.
    end_everywhere: u64,
    /// A quarter of the number on it; more than any slide scores where there is none.
    end_quarter: u32,
    tables: Arc<RowTables>,
}

/// To which side all tiles slide.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Direction {
    /// To the top.
    Up,
    /// To the bottom.
    Down,
    /// To the left.
    Left,
    /// To the right.
    Right,
}

const DIRECTIONS: [(Direction, &str); 4] = [
    (Direction::Up, "up"),
    (Direction::Down, "down"),
    (Direction::Left, "left"),
    (Direction::Right, "right"),
];

/// A slide of all tiles to one side, with the points that it scores, which are found with it. Moves are the
/// same where their directions are.
#[derive(Clone, Copy)]
pub struct Move {
    direction: Direction,
    quarter_points: u32,
}

impl Move {
    /// To which side.
    pub fn direction(self) -> Direction {
        self.direction
    }
}

impl PartialEq for Move {
    fn eq(&self, other: &Self) -> bool {
        self.direction == other.direction
    }
}

impl Eq for Move {}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.direction.fmt(f)
    }
}

/// A new tile.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Tile {
    /// How far from bit 0 of the board its cell begins.
    shift: u8,
    exponent: u8,
}

/// A position of 2048, before a move or before a new tile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    board: u64,
    kind: NodeKind,
}

impl Twenty48 {
    /// The score of no more points, or of no chance to make the target.
    fn nothing_to_come(&self) -> Score {
        match self.rules.scoring {
            Scoring::Points => 0,
            Scoring::Target => -self.grid.limit(),
        }
    }

    /// The game under `rules`.
    fn new(rules: Rules) -> Result<Self, Invalid> {
        let bound = rules.points_bound();
        let room = bound + rules.evaluation_bound();
        let most = f64::from(room);
        let (grid, point) = match rules.scoring {
            Scoring::Points => {
                let steps = 1 << (f64::from(MAX_LIMIT) / most).log2() as u32;
                (Grid::with_limit(-most, most, room as Score * steps), steps)
            }
            Scoring::Target => (Grid::new(0.0, 1.0), 0),
        };
        let in_row = 0x1111_u64 >> (16 - 4 * rules.columns) << (16 - 4 * rules.columns);
        Ok(Twenty48 {
            rules,
            grid: grid.map_err(Invalid::from_error)?,
            point,
            used: (0..rules.rows).fold(0, |used, row| used | in_row << (48 - 16 * row)),
            end_everywhere: u64::from(rules.end.unwrap_or(0)) * 0x1111_1111_1111_1111,
            end_quarter: rules.end.map_or(u32::MAX, |end| (1 << end) / 4),
            tables: Arc::new(RowTables::new(rules.rows, rules.columns)),
        })
    }

    /// The lowest bits of the board's empty cells.
    #[inline]
    fn empty(&self, board: u64) -> u64 {
        rows::empty_cells(board) & self.used
    }

    /// Whether the tile that ends the game is there.
    #[inline]
    fn has_end(&self, board: u64) -> bool {
        self.end_everywhere != 0 && rows::empty_cells(board ^ self.end_everywhere) != 0
    }

    /// Whether a move changes a board with a tile on it. One next to an empty cell can always slide there.
    #[inline]
    fn has_move(&self, board: u64) -> bool {
        self.empty(board) != 0 || self.tables.has_merge(board)
    }

    /// The position after a slide. The tile that ends the game is made by a merge that scores as much.
    #[inline]
    fn after(&self, slid: Slid) -> Position {
        let has_end = slid.quarter_points >= self.end_quarter && self.has_end(slid.board);
        Position { board: slid.board, kind: if has_end { NodeKind::Terminal } else { NodeKind::Chance } }
    }

    /// The board's exponents, row by row.
    fn cells(&self, board: u64) -> impl Iterator<Item = u8> {
        let columns = usize::from(self.rules.columns);
        let rows = rows::rows(board).take(usize::from(self.rules.rows));
        rows.flat_map(move |row| rows::exponents(row).into_iter().take(columns))
    }

    /// What others write, as the game writes it: all tiles as numbers, or 4 by 4 as a number of 64 bits whose
    /// lowest digit is the first cell. `None` for what is neither; what is wrong with it is found later.
    fn digits_of(&self, text: &str) -> Option<String> {
        let words: Vec<_> = text.split([' ', ',', '\t']).filter(|word| !word.is_empty()).collect();
        let cells = usize::from(self.rules.cells());
        let (board, rest) = if let Some(number) = words.first()?.strip_prefix("0x") {
            let number = u64::from_str_radix(number, 16).ok().filter(|_| cells == 16)?;
            let digit = |cell: usize| char::from_digit((number >> (4 * cell) & 15) as u32, 16);
            ((0..16).map(digit).collect::<Option<String>>()?, &words[1..])
        } else {
            let tiles = words.get(..cells).filter(|_| cells > 1)?;
            let exponent = |word: &&str| match word.parse::<u32>().ok()? {
                0 => Some('0'),
                tile if tile.is_power_of_two() && tile > 1 => char::from_digit(tile.ilog2(), 16),
                _ => None,
            };
            (tiles.iter().map(exponent).collect::<Option<String>>()?, &words[cells..])
        };
        Some([&[board.as_str()], rest].concat().join(" "))
    }

    fn read_board(&self, text: &str) -> Result<u64, Invalid> {
        let cells = self.rules.cells();
        let invalid = |expected: fmt::Arguments<'_>| Err(Invalid::new("board", text, expected));
        if text.len() != usize::from(cells) || !text.bytes().all(|digit| digit.is_ascii_hexdigit()) {
            return invalid(format_args!("{cells} hex digits"));
        }
        let mut board = 0;
        for (cell, digit) in (0..).zip(text.chars()) {
            let (row, column) = (cell / self.rules.columns, cell % self.rules.columns);
            board |= u64::from(digit.to_digit(16).unwrap_or(0)) << (60 - 16 * row - 4 * column);
        }
        let mut tiles: Vec<_> = self.cells(board).filter(|&tile| tile > 0).collect();
        tiles.sort_unstable_by(|a, b| b.cmp(a));
        let (least, greatest) = (self.rules.new_tiles().0, self.rules.end.unwrap_or(GREATEST_EXPONENT));
        if tiles.iter().any(|tile| !(least..=greatest).contains(tile)) {
            return invalid(format_args!("tiles from {least:x} to {greatest:x}"));
        }
        if let Some((nth, (_, limit))) =
            tiles.iter().zip(self.rules.tile_limits()).enumerate().find(|(_, (tile, limit))| *tile > limit)
        {
            return invalid(format_args!(
                "number {} of its tiles, by size, to be at most {limit:x}",
                nth + 1
            ));
        }
        Ok(board)
    }
}

impl Game for Twenty48 {
    type Position = Position;
    type Move = Move;
    type Outcome = Tile;
    const STEPS: Steps = Steps::PLAIN.with_move_rewards(true);

    fn identity(&self) -> u64 {
        mix64(0x3230_3438 ^ self.rules.identity())
    }

    fn facts(&self) -> GameFacts {
        GameFacts::new(self.grid).with_depth_step(2).with_move_slots(DIRECTIONS.len()).with_successor_ns(6)
    }

    #[inline]
    fn kind(&self, position: &Position) -> NodeKind {
        position.kind
    }

    #[inline]
    fn player(&self, _: &Position) -> Player {
        Player::Max
    }

    fn terminal_score(&self, position: &Position) -> Score {
        match self.rules.scoring {
            Scoring::Target if self.has_end(position.board) => self.grid.limit(),
            Scoring::Points | Scoring::Target => self.nothing_to_come(),
        }
    }

    /// The board is all there is, so nothing is carried.
    #[inline]
    fn hash(&self, position: &Position) -> PositionHash {
        let pending = u64::from(position.kind == NodeKind::Chance);
        PositionHash {
            high: mix64(position.board),
            low: mix64(position.board ^ 0x9e37_79b9_7f4a_7c15) ^ pending.wrapping_neg(),
        }
    }

    #[inline]
    fn moves(&self, position: &Position, mut push: impl FnMut(Move)) {
        self.visit_moves(position, |mv, _| {
            push(mv);
            ControlFlow::Continue(())
        });
    }

    #[inline]
    fn play(&self, position: &Position, mv: Move) -> Position {
        let board = self.tables.slide(position.board, mv.direction);
        self.after(Slid { board, quarter_points: mv.quarter_points })
    }

    /// All four slides are made first: one call of `visit` then stands for all.
    #[inline(always)] // there are few callers, and it is most of the time
    fn visit_moves(&self, position: &Position, mut visit: impl FnMut(Move, Position) -> ControlFlow<()>) {
        const ORDER: [Direction; 4] = [Direction::Up, Direction::Down, Direction::Left, Direction::Right];
        let slides = self.tables.slides(position.board);
        for (direction, slid) in ORDER.into_iter().zip(slides) {
            let mv = Move { direction, quarter_points: slid.quarter_points };
            if slid.board != position.board && visit(mv, self.after(slid)).is_break() {
                return;
            }
        }
    }

    #[inline]
    fn reward(&self, _: &Position, step: StepOf<Self>, _: &Position) -> Score {
        match step {
            Step::Move(mv) => 4 * mv.quarter_points as Score * self.point,
            Step::Outcome(_) => 0,
        }
    }

    #[inline]
    fn outcomes(&self, position: &Position, mut push: impl FnMut(Tile, u32)) {
        let empty = self.empty(position.board);
        for (exponent, weight) in self.rules.weights() {
            let mut left = if weight > 0 { empty } else { 0 };
            while left != 0 {
                let shift = 63 - left.leading_zeros() as u8;
                left ^= 1 << shift;
                push(Tile { shift, exponent }, weight);
            }
        }
    }

    #[inline]
    fn resolve(&self, position: &Position, tile: Tile) -> Position {
        let board = position.board | u64::from(tile.exponent) << tile.shift;
        let is_first = position.board == 0;
        let kind = match (is_first, self.has_move(board)) {
            (true, _) => NodeKind::Chance,
            (false, true) => NodeKind::Decision,
            (false, false) => NodeKind::Terminal,
        };
        Position { board, kind }
    }

    #[inline]
    fn move_slot(&self, mv: Move) -> usize {
        mv.direction as usize
    }

    /// The sum of the tiles grows with each new one, and the board holds only so much.
    fn full_depth(&self, position: &Position) -> Option<u32> {
        let sum: u32 = self.cells(position.board).filter(|&tile| tile > 0).map(|tile| 1 << tile).sum();
        let (greatest, step) = (self.rules.greatest_sum(), 1 << self.rules.new_tiles().0);
        let with_chance = 2 * (greatest.saturating_sub(sum) / step + 1);
        Some(match position.kind {
            NodeKind::Terminal => 0,
            NodeKind::Chance if sum == 0 => with_chance - 1, // no move between the first two tiles
            NodeKind::Chance => with_chance,
            NodeKind::Decision if sum > greatest => 1, // whatever it is, the move ends the game
            NodeKind::Decision => with_chance + 1,
        })
    }
}

impl Texts for Twenty48 {
    fn move_text(&self, _: &Position, mv: Move) -> String {
        DIRECTIONS[mv.direction as usize].1.to_owned()
    }

    fn outcome_text(&self, _: &Position, tile: Tile) -> String {
        let cell = (60 - tile.shift) / 4;
        format!("{} in row {}, column {}", 1 << tile.exponent, cell / 4 + 1, cell % 4 + 1)
    }
}

impl KnownGame for Twenty48 {
    fn open(_: &GameInfo, rules: &str) -> Result<Self, Invalid> {
        Twenty48::new(rules.parse()?)
    }

    fn rules(&self) -> String {
        self.rules.to_string()
    }

    fn initial(&self) -> Position {
        Position { board: 0, kind: NodeKind::Chance }
    }

    fn parse(&self, text: &str) -> Result<Position, Invalid> {
        let own = self.digits_of(text);
        let mut words = own.as_deref().unwrap_or(text).split_whitespace();
        let board = self.read_board(words.next().unwrap_or_default())?;
        let next = words.next().unwrap_or("move");
        if let Some(extra) = words.next() {
            return Err(Invalid::new("position's third word", extra, "no more than two"));
        }
        let (has_end, has_room) = (self.has_end(board), self.empty(board) != 0);
        let tiles = self.cells(board).filter(|&tile| tile > 0).count();
        let (fits, kind) = match next {
            "move" => (tiles >= 2 && !has_end && self.has_move(board), NodeKind::Decision),
            "tile" => (has_room && !has_end, NodeKind::Chance),
            "over" => (if has_end { has_room } else { !self.has_move(board) }, NodeKind::Terminal),
            _ => return Err(Invalid::new("position's second word", next, "move, tile or over")),
        };
        let expected = "move with two tiles and a move left, tile with an empty cell, or over where there is \
                        no move or a move has made the last tile";
        if fits { Ok(Position { board, kind }) } else { Err(Invalid::new("position", text, expected)) }
    }

    fn notation(&self, position: &Position) -> String {
        let next = match position.kind {
            NodeKind::Decision => "move",
            NodeKind::Chance => "tile",
            NodeKind::Terminal => "over",
        };
        let cells = self.cells(position.board).filter_map(|tile| char::from_digit(tile.into(), 16));
        cells.chain([' ']).chain(next.chars()).collect()
    }

    fn formats(&self, position: &Position) -> Vec<(&'static str, String)> {
        let next = self.notation(position).split_whitespace().nth(1).unwrap_or_default().to_owned();
        let tiles = self.cells(position.board).map(|tile| if tile > 0 { 1_u32 << tile } else { 0 });
        let tiles: Vec<_> = tiles.map(|tile| tile.to_string()).collect();
        let mut formats = vec![("tiles", format!("{} {next}", tiles.join(" ")))];
        if (self.rules.rows, self.rules.columns) == (4, 4) {
            // The first cell is the lowest digit.
            let digits = self.cells(position.board).enumerate();
            let number = digits.fold(0_u64, |all, (cell, tile)| all | u64::from(tile) << (4 * cell));
            formats.push(("number", format!("0x{number:016x} {next}")));
        }
        formats
    }

    fn result_text(&self, position: &Position) -> String {
        let highest = self.cells(position.board).max().unwrap_or_default();
        (1u64 << highest).to_string()
    }

    fn draw(&self, position: &Position) -> String {
        let mut drawn = String::new();
        for (cell, exponent) in (1..).zip(self.cells(position.board)) {
            let tile = if exponent > 0 { (1u32 << exponent).to_string() } else { ".".to_owned() };
            let end = if cell % self.rules.columns == 0 { "\n" } else { "" };
            drawn += &format!("{tile:>6}{end}");
        }
        drawn += match position.kind {
            NodeKind::Terminal => "the game is over\n",
            NodeKind::Decision => "to move\n",
            NodeKind::Chance if position.board == 0 => "two tiles come\n",
            NodeKind::Chance => "a tile comes\n",
        };
        drawn
    }

    fn parse_move(&self, position: &Position, text: &str) -> Result<Move, Invalid> {
        let (mut legal, mut names) = (Vec::new(), Vec::new());
        self.moves(position, |mv| {
            legal.push(mv);
            names.push(DIRECTIONS[mv.direction as usize].1);
        });
        let word = text.trim().to_ascii_lowercase();
        let is_meant = |mv: &Move| {
            let name = DIRECTIONS[mv.direction as usize].1;
            word == name || word == name[..1]
        };
        let invalid = || Invalid::new("move", text.trim(), names.join(" or "));
        legal.iter().copied().find(is_meant).ok_or_else(invalid)
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
        evaluators::named(self, name).map(|evaluator| visitor.visit(evaluator))
    }
}
