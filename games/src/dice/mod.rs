//! Dice, the game of the paper (Veness and Blair, section V; made by Hauk 2004).
//!
//! Two players place checkers on a square board of `size` by `size` cells. Before each placement an unbiased
//! die names the line, a row for the first player and a column for the second, in which the checker must go.
//! The first to connect `run` of their own checkers in a row, column or diagonal wins (+1 for the first
//! player, -1 for the second); a full board is a draw (0).
//!
//! What happens when the die names a full line is not on record, so it is a rule parameter: [`FullLine`].

pub mod evaluators;
mod known;
pub mod network;
mod notation;
mod rules;
mod run_count;

pub use known::INFO;
pub use network::{Network, Weights};
pub use notation::NotationError;
pub use rules::{FullLine, Rules, RulesError};
pub use run_count::RunCount;
use starsplit::evaluator::mix64;
use starsplit::game::{Game, GameFacts, NodeKind, Player, PositionHash, Texts};
use starsplit::score::{Bounds, Grid, Score};

/// The game of Dice under given rules, with the tables that make moves cheap.
#[derive(Clone, Debug)]
pub struct Dice {
    rules: Rules,
    grid: Grid,
    /// The cells of each line: the rows from the top, which the first player rolls, and the columns from the
    /// left.
    lines: [[u64; 8]; 2],
    all_cells: u64,
    /// The four directions in which runs extend: the distance between neighbours, and the cells that have
    /// one.
    directions: [(u32, u64); 4],
    stone_hashes: [[PositionHash; 64]; 2],
    pending_hashes: [PositionHash; 16],
    second_player_hash: PositionHash,
}

/// A move of Dice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Move {
    /// Places a checker on a cell, numbered row by row from the top left.
    Place(u8),
    /// Does nothing: the only move where the die named a full line and the rules say that this costs the
    /// turn.
    Pass,
}

/// A position of Dice, before a roll or with one pending.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    stones: [u64; 2],
    hash: PositionHash,
    /// How many runs of length `run - 2` and `run - 1` each player has, over all directions. Derived from
    /// `stones`; kept here because finding a win finds them too.
    runs: [[u8; 2]; 2],
    to_act: Player,
    pending: Option<Line>,
    status: Status,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Status {
    Open,
    /// The player who moved last, the opponent of `to_act`, has a run.
    Won,
    Full,
}

/// A line that the die can name: row or column by the player whose roll it is, numbered from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Line(u8);

impl Line {
    /// The row from the top, or the column from the left, counted from 0.
    #[inline]
    pub fn index(self) -> u8 {
        self.0
    }
}

impl Position {
    /// The cells that `player` occupies, one bit each, numbered row by row from the top left.
    #[inline]
    pub fn stones(&self, player: Player) -> u64 {
        self.stones[player as usize]
    }

    /// The line that was rolled, if a roll is pending.
    #[inline]
    pub fn pending(&self) -> Option<Line> {
        self.pending
    }

    /// The player who rolls or moves next.
    #[inline]
    pub fn to_act(&self) -> Player {
        self.to_act
    }

    /// How many runs of length `run - 2` and of length `run - 1` `player` has: every straight group of so
    /// many neighbouring checkers counts, in each direction, also inside a longer run.
    #[inline]
    pub fn runs(&self, player: Player) -> [u8; 2] {
        self.runs[player as usize]
    }
}

impl Dice {
    /// The game under `rules`.
    pub fn new(rules: Rules) -> Self {
        let size = u32::from(rules.size());
        let cell = |row: u32, column: u32| 1u64 << (row * size + column);
        let cells = |keep: &dyn Fn(u32, u32) -> bool| {
            (0..size * size)
                .filter(|c| keep(c / size, c % size))
                .fold(0, |set, c| set | cell(c / size, c % size))
        };
        let mut lines = [[0; 8]; 2];
        for i in 0..size {
            lines[0][i as usize] = cells(&|row, _| row == i);
            lines[1][i as usize] = cells(&|_, column| column == i);
        }
        let directions = [
            (1, cells(&|_, column| column + 1 < size)),
            (size, cells(&|row, _| row + 1 < size)),
            (size + 1, cells(&|row, column| row + 1 < size && column + 1 < size)),
            (size - 1, cells(&|row, column| row + 1 < size && column > 0)),
        ];
        let random = |what: u64| PositionHash { high: mix64(2 * what + 1), low: mix64(mix64(2 * what + 2)) };
        Dice {
            rules,
            grid: Grid::default(),
            lines,
            all_cells: cells(&|_, _| true),
            directions,
            stone_hashes: std::array::from_fn(|p| std::array::from_fn(|c| random(64 * p as u64 + c as u64))),
            pending_hashes: std::array::from_fn(|line| random(128 + line as u64)),
            second_player_hash: random(144),
        }
    }

    /// The rules.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// The position before the first roll: an empty board.
    pub fn initial(&self) -> Position {
        Position {
            stones: [0; 2],
            hash: PositionHash::default(),
            runs: [[0; 2]; 2],
            to_act: Player::Max,
            pending: None,
            status: Status::Open,
        }
    }

    /// The cells of a line as `player` rolls it: a row for the first player, a column for the second.
    #[inline]
    fn line_cells(&self, player: Player, line: Line) -> u64 {
        self.lines[player as usize][line.0 as usize]
    }

    #[inline]
    fn empty_cells(&self, position: &Position) -> u64 {
        self.all_cells & !(position.stones[0] | position.stones[1])
    }

    #[inline]
    fn pending_hash(&self, player: Player, line: Line) -> PositionHash {
        self.pending_hashes[8 * player as usize + line.0 as usize]
    }

    /// The runs of length `run - 2` and `run - 1` among `stones`, and whether there is one of length `run`.
    #[inline]
    fn count_runs(&self, stones: u64) -> ([u8; 2], bool) {
        match self.rules.run() {
            2 => {
                let pairs =
                    self.directions.iter().any(|&(step, has_next)| stones & has_next & (stones >> step) != 0);
                ([0, stones.count_ones() as u8], pairs)
            }
            3 => {
                let ([_, pairs], won) = self.count_long_runs(stones, 3);
                ([stones.count_ones() as u8, pairs], won)
            }
            4 => self.count_long_runs(stones, 4), // the paper's game: a constant lets the loop vanish
            run => self.count_long_runs(stones, run),
        }
    }

    /// The same for runs that are counted by direction.
    #[inline(always)]
    fn count_long_runs(&self, stones: u64, run: u8) -> ([u8; 2], bool) {
        let mut counts = [0; 2];
        let mut won = 0;
        for &(step, has_next) in &self.directions {
            // Bit c of `starts` says that a run of so many checkers starts at cell c. Two runs of one length
            // that start at neighbouring cells make one that is longer by a checker.
            let pairs = stones & has_next & (stones >> step);
            let (mut starts, mut longer) = (stones, pairs);
            for _ in 3..run {
                (starts, longer) = (longer, longer & (longer >> step));
            }
            counts[0] += starts.count_ones();
            counts[1] += longer.count_ones();
            won |= longer & (longer >> step);
        }
        (counts.map(|count| count as u8), won != 0)
    }

    /// The empty cells on which a checker of `player`'s completes a run.
    #[inline]
    fn winning_cells(&self, position: &Position, player: Player) -> u64 {
        if self.rules.run() == 4 {
            // Of four checkers in line but one, some two are neighbours.
            if position.runs(player)[0] == 0 {
                return 0;
            }
            return self.completing_cells(position.stones(player), 4) & self.empty_cells(position);
        }
        self.completing_cells(position.stones(player), self.rules.run()) & self.empty_cells(position)
    }

    /// The cells that lie in line with enough of `stones`, before and after together, for a run of `run`.
    #[inline(always)]
    fn completing_cells(&self, stones: u64, run: u8) -> u64 {
        let others = usize::from(run - 1);
        let mut found = 0;
        for &(step, has_next) in &self.directions {
            // Bit c of `before[k]`: the k cells before c in this direction are all of `stones`; `after`
            // likewise.
            let (mut before, mut after) = ([!0u64; 8], [!0u64; 8]);
            for k in 1..=others {
                before[k] = (stones & before[k - 1] & has_next) << step;
                after[k] = ((stones & after[k - 1]) >> step) & has_next;
            }
            for k in 0..=others {
                found |= before[k] & after[others - k];
            }
        }
        found
    }

    /// The position with these stones, all else derived; used by whatever does not come through moves.
    fn position(&self, stones: [u64; 2], to_act: Player, pending: Option<Line>) -> Position {
        let counted = stones.map(|own| self.count_runs(own));
        let status = if counted.iter().any(|&(_, won)| won) {
            Status::Won
        } else if stones[0] | stones[1] == self.all_cells {
            Status::Full
        } else {
            Status::Open
        };
        let mut position = Position {
            stones,
            hash: PositionHash::default(),
            runs: counted.map(|(runs, _)| runs),
            to_act,
            pending,
            status,
        };
        position.hash = self.computed_hash(&position);
        position
    }

    fn computed_hash(&self, position: &Position) -> PositionHash {
        let mut hash = PositionHash::default();
        for (stones, hashes) in position.stones.iter().zip(&self.stone_hashes) {
            for cell in bits(*stones) {
                hash ^= hashes[cell as usize];
            }
        }
        if position.to_act == Player::Min {
            hash ^= self.second_player_hash;
        }
        if let Some(line) = position.pending {
            hash ^= self.pending_hash(position.to_act, line);
        }
        hash
    }
}

impl Game for Dice {
    type Position = Position;
    type Move = Move;
    type Outcome = Line;

    fn identity(&self) -> u64 {
        mix64(0x6469_6365 ^ mix64(self.rules.identity()))
    }

    fn facts(&self) -> GameFacts {
        GameFacts::new(self.grid)
            .with_outcomes_never_end(true)
            .with_depth_step(2)
            .with_move_slots(65)
            .with_successor_ns(17)
    }

    #[inline]
    fn kind(&self, position: &Position) -> NodeKind {
        match (position.status, position.pending) {
            (Status::Open, None) => NodeKind::Chance,
            (Status::Open, Some(_)) => NodeKind::Decision,
            _ => NodeKind::Terminal,
        }
    }

    #[inline]
    fn player(&self, position: &Position) -> Player {
        position.to_act
    }

    #[inline]
    fn terminal_score(&self, position: &Position) -> Score {
        match position.status {
            Status::Won => -self.grid.limit(),
            _ => 0,
        }
    }

    #[inline]
    fn hash(&self, position: &Position) -> PositionHash {
        position.hash
    }

    #[inline]
    fn moves(&self, position: &Position, mut push: impl FnMut(Move)) {
        let Some(line) = position.pending else { return };
        let cells = self.line_cells(position.to_act, line) & self.empty_cells(position);
        if cells == 0 {
            push(Move::Pass);
        }
        for cell in bits(cells) {
            push(Move::Place(cell));
        }
    }

    #[inline]
    fn play(&self, position: &Position, mv: Move) -> Position {
        let mover = position.to_act;
        let mut after = *position;
        after.hash ^= self.second_player_hash;
        if let Some(line) = position.pending {
            after.hash ^= self.pending_hash(mover, line);
        }
        after.to_act = mover.opponent();
        after.pending = None;
        if let Move::Place(cell) = mv {
            let own = mover as usize;
            after.stones[own] |= 1 << cell;
            after.hash ^= self.stone_hashes[own][cell as usize];
            let (runs, won) = self.count_runs(after.stones[own]);
            after.runs[own] = runs;
            if won {
                after.status = Status::Won;
            } else if after.stones[0] | after.stones[1] == self.all_cells {
                after.status = Status::Full;
            }
        }
        after
    }

    #[inline]
    fn outcomes(&self, position: &Position, mut push: impl FnMut(Line, u32)) {
        let empty = self.empty_cells(position);
        let passes = self.rules.full_line() == FullLine::Pass;
        for line in 0..self.rules.size() {
            if passes || self.line_cells(position.to_act, Line(line)) & empty != 0 {
                push(Line(line), 1);
            }
        }
    }

    #[inline]
    fn resolve(&self, position: &Position, line: Line) -> Position {
        let mut after = *position;
        after.pending = Some(line);
        after.hash ^= self.pending_hash(position.to_act, line);
        after
    }

    /// The rolls with which `position`'s player wins at once.
    ///
    /// That a roll leaves nothing against the threats of the other is proven as cheaply, but hardly ever
    /// decides: see docs/what-did-not-work.md, "Order and probes".
    #[inline]
    fn outcome_bounds(&self, position: &Position, _depth: u8, mut push: impl FnMut(Bounds)) {
        let wins = self.winning_cells(position, position.to_act);
        if wins == 0 {
            return;
        }
        let limit = self.grid.limit();
        self.outcomes(position, |line, _| {
            let is_won = self.line_cells(position.to_act, line) & wins != 0;
            push(if is_won { Bounds::exactly(limit) } else { Bounds::unknown(limit) });
        });
    }

    #[inline]
    fn move_slot(&self, mv: Move) -> usize {
        match mv {
            Move::Place(cell) => cell as usize,
            Move::Pass => 64,
        }
    }

    /// Empty cells.
    fn full_depth(&self, position: &Position) -> Option<u32> {
        if self.rules.full_line() == FullLine::Pass {
            return None;
        }
        if position.status != Status::Open {
            return Some(0);
        }
        let placements = self.empty_cells(position).count_ones();
        Some((2 * placements).saturating_sub(u32::from(position.pending.is_some())))
    }
}

impl Texts for Dice {
    fn move_text(&self, _position: &Position, mv: Move) -> String {
        match mv {
            Move::Place(cell) => notation::cell_name(self.rules.size(), cell),
            Move::Pass => "pass".to_owned(),
        }
    }

    fn outcome_text(&self, position: &Position, line: Line) -> String {
        notation::drawn_line(position.to_act(), line)
    }
}

/// The positions of the set bits, lowest first.
#[inline]
fn bits(mut set: u64) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        let lowest = set.trailing_zeros();
        if lowest == 64 {
            return None;
        }
        set &= set - 1;
        Some(lowest as u8)
    })
}
