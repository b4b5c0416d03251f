//! EinStein würfelt nicht (Althöfer 2004), on boards of several sizes.
//!
//! Each player has numbered stones, set up at random in a corner of a square board: the first player's at the
//! top left, the second player's at the bottom right. A turn begins with a roll of a die with as many faces
//! as there were stones. The stone of the number rolled must move; where it is gone, the next lower or the
//! next higher one that is left does, as the player likes. The first player's stones move a cell to the
//! right, down, or both; the second player's to the left, up, or both. Whatever is on the cell that a stone
//! moves to is taken, one's own as well. Whoever reaches the far corner, or takes the last stone of the
//! other, wins (+1 for the first player, -1 for the second).
//!
//! The stones fill a triangle: with 3 stones its sides are 2 cells long, with 6 stones 3. The set-up is two
//! chance events, the first player's order and then the second player's, all orders being equally likely.
//! The rows of an order follow one another from the top, each from the left.

mod evaluators;
pub mod network;
use crate::network::{fitting, is_network, named};
use crate::rules_text::{number, numbers};
use crate::{EvaluatorInfo, EvaluatorVisitor, GameInfo, Invalid, KnownGame};
use starsplit::evaluator::mix64;
use starsplit::game::{Game, GameFacts, NodeKind, Player, PositionHash, Texts};
use starsplit::score::{Grid, Score};

/// EinStein würfelt nicht as suites and flags name it.
pub const INFO: GameInfo = GameInfo {
    name: "einstein",
    default_rules: "size=5,stones=6",
    rules_help: "size, the cells on a side, is 3 to 7; stones, of each player, 3 or 6, and 3 where size is 3",
    notation_help: "the rows from the top parted by '/', two signs a cell (x1 to x6 the first player's \
                    stones, o1 to o6 the second's, .. nobody's), who is to act, and the roll: \
                    \"x1x2x3..../x4x5....../x6......o6/......o5o4/....o3o2o1 x 3\", with - before a roll; \
                    without stones: before x, and then o, is set up. Or numbers, o's below 0, with commas \
                    or spaces: \"1,2,3,0,0,4,5,0,0,0,6,0,0,0,-6,0,0,0,-5,-4,0,0,-3,-2,-1 x 3\"",
    moves_help: "the stone's number and the cell it moves to, by column from the left and row from the \
                 bottom: 3-d4",
    evaluators: evaluators::ALL,
    suites: &[("einstein", include_str!("suites/einstein.txt"))],
};

/// The most stones that a player may have.
const MAX_STONES: usize = 6;

/// Numbers of cells are below this.
const CELLS: usize = 64;

/// Where a stone is that was taken, or not set up yet.
const GONE: u8 = CELLS as u8 - 1;

/// The game under given rules, with the tables that make moves cheap.
#[derive(Clone, Debug)]
pub struct Einstein {
    size: u8,
    stones: u8,
    /// The cells on which each player's stones are set up, from the top left.
    corners: [Vec<u8>; 2],
    /// The first player's as a set.
    first_corner: u64,
    /// Every order in which stones can be set up there.
    orders: Vec<[u8; MAX_STONES]>,
    /// By player and cell: the cells that a stone may move to, both ways at once first; `GONE` for none.
    targets: Box<[[[u8; 3]; CELLS]; 2]>,
    /// By player and cell: the moves that a stone needs at least to reach the far corner; `u8::MAX` for gone
    /// stones.
    distances: [[u8; CELLS]; 2],
    /// By player, stone and cell.
    stone_hashes: Box<[[[PositionHash; CELLS]; MAX_STONES]; 2]>,
    roll_hashes: [PositionHash; MAX_STONES],
    second_player_hash: PositionHash,
}

/// A move: a stone and the cell that it moves to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Move {
    /// Counted from 0.
    stone: u8,
    from: u8,
    to: u8,
}

/// A result of chance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// The order in which a player's stones are set up.
    SetUp(u16),
    /// The number of the stone that was rolled, counted from 0.
    Roll(u8),
}

/// A position, before a set-up, before a roll or with one pending.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    hash: PositionHash,
    /// By player and number, the cells of the stones, row by row from the top left; `GONE` where there is
    /// none.
    stones: [[u8; MAX_STONES]; 2],
    to_act: Player,
    stage: Stage,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    /// The first player is to be set up where there are no stones, else the second.
    SetUp,
    ToRoll,
    Rolled(u8),
    /// The player who moved last, the opponent of `to_act`, has won.
    Won,
}

impl Position {
    /// How many stones `player` has left.
    fn left(&self, player: Player) -> u32 {
        self.stones_left(player).count() as u32
    }

    /// The numbers, counted from 0, and cells of the stones that `player` has left.
    fn stones_left(&self, player: Player) -> impl Iterator<Item = (u8, u8)> {
        (0..).zip(self.stones[player as usize]).filter(|&(_, cell)| cell != GONE)
    }
}

impl Einstein {
    /// The game on a board of `size` by `size` cells, 3 to 7, with 3 or 6 `stones` a player that fill
    /// triangles with sides shorter than the board's.
    fn new(size: u8, stones: u8) -> Self {
        let side = if stones == 3 { 2 } else { 3 };
        let cells = 0..size * size;
        let depth = |cell: u8| cell / size + cell % size;
        let goal = size * size - 1;
        let random = |what: usize| {
            let bits = 2 * what as u64;
            PositionHash { high: mix64(bits + 1), low: mix64(mix64(bits + 2)) }
        };
        let stone_hash = |player, stone, cell| random((player * MAX_STONES + stone) * CELLS + cell);
        let others = 2 * MAX_STONES * CELLS;
        let first_corner =
            cells.clone().filter(|&cell| depth(cell) < side).fold(0, |set, cell| set | 1u64 << cell);
        Einstein {
            size,
            stones,
            corners: [
                cells.clone().filter(|&cell| depth(cell) < side).collect(),
                cells.filter(|&cell| depth(goal - cell) < side).collect(),
            ],
            first_corner,
            orders: orders(stones),
            targets: Box::new([Player::Max, Player::Min].map(|player| targets(size, player))),
            distances: [goal, 0].map(|goal| distances(size, goal)),
            stone_hashes: Box::new(std::array::from_fn(|player| {
                std::array::from_fn(|stone| std::array::from_fn(|cell| stone_hash(player, stone, cell)))
            })),
            roll_hashes: std::array::from_fn(|roll| random(others + roll)),
            second_player_hash: random(others + MAX_STONES),
        }
    }

    /// The moves that `player` needs at least to win the race to the far corner.
    #[inline]
    fn nearest(&self, position: &Position, player: Player) -> u8 {
        let distances = &self.distances[player as usize];
        let cells = position.stones[player as usize].iter();
        cells.fold(u8::MAX, |nearest, &cell| nearest.min(distances[usize::from(cell)]))
    }

    /// The corner that `player`'s stones make for.
    #[inline]
    fn goal(&self, player: Player) -> u8 {
        match player {
            Player::Max => self.size * self.size - 1,
            Player::Min => 0,
        }
    }

    /// The stones, counted from 0, that may move after a roll: one, or the neighbours of one that is gone.
    #[inline]
    fn movable(stones: &[u8; MAX_STONES], roll: u8) -> [Option<u8>; 2] {
        let is_left = |stone: &u8| stones[usize::from(*stone)] != GONE;
        if is_left(&roll) {
            return [Some(roll), None];
        }
        [(0..roll).rev().find(is_left), (roll + 1..MAX_STONES as u8).find(is_left)]
    }

    /// Puts a stone on a cell, or takes it off.
    #[inline]
    fn put(&self, position: &mut Position, player: Player, stone: u8, cell: u8) {
        let (player, number) = (player as usize, usize::from(stone));
        for place in [position.stones[player][number], cell] {
            if place != GONE {
                position.hash ^= self.stone_hashes[player][number][usize::from(place)];
            }
        }
        position.stones[player][number] = cell;
    }

    /// The player who is set up next, where one is.
    fn to_set_up(position: &Position) -> Player {
        if position.left(Player::Max) == 0 { Player::Max } else { Player::Min }
    }

    /// The most moves that `player`, whose stones are on `cells`, can make: all stones go all the way but for
    /// a single step, and one of them takes it. Diagonal steps and captures only make the game shorter.
    fn most_moves(&self, player: Player, cells: impl Iterator<Item = u8>) -> u32 {
        let steps = |cell: u8| {
            let (row, column) = (cell / self.size, cell % self.size);
            let steps = u32::from(row + column);
            if player == Player::Max { 2 * u32::from(self.size - 1) - steps } else { steps }
        };
        1 + cells.map(|cell| steps(cell) - 1).sum::<u32>()
    }
}

/// The permutations of the numbers below `count`, filled up with zeros.
fn orders(count: u8) -> Vec<[u8; MAX_STONES]> {
    let mut orders = vec![[0; MAX_STONES]];
    for number in 0..count {
        let longer = |order: [u8; MAX_STONES]| {
            (0..=usize::from(number)).map(move |place| {
                let mut longer = order;
                longer.copy_within(place..usize::from(number), place + 1);
                longer[place] = number;
                longer
            })
        };
        orders = orders.into_iter().flat_map(longer).collect();
    }
    orders
}

/// By cell, where a stone of `player` may move.
fn targets(size: u8, player: Player) -> [[u8; 3]; CELLS] {
    let mut targets = [[GONE; 3]; CELLS];
    for cell in 0..size * size {
        let (row, column) = (cell / size, cell % size);
        let (has_row, has_column, steps) = match player {
            Player::Max => (row + 1 < size, column + 1 < size, [size as i8 + 1, size as i8, 1]),
            Player::Min => (row > 0, column > 0, [-(size as i8) - 1, -(size as i8), -1]),
        };
        let exists = [has_row && has_column, has_row, has_column];
        for ((target, exists), step) in targets[usize::from(cell)].iter_mut().zip(exists).zip(steps) {
            if exists {
                *target = cell.wrapping_add_signed(step);
            }
        }
    }
    targets
}

/// By cell, the moves to the corner `goal`: the greater of the distances along rows and columns.
fn distances(size: u8, goal: u8) -> [u8; CELLS] {
    let mut distances = [u8::MAX; CELLS];
    for cell in 0..size * size {
        let rows = (cell / size).abs_diff(goal / size);
        distances[usize::from(cell)] = rows.max((cell % size).abs_diff(goal % size));
    }
    distances
}

impl Game for Einstein {
    type Position = Position;
    type Move = Move;
    type Outcome = Outcome;

    fn identity(&self) -> u64 {
        mix64(0x6569_6e73_7465_696e ^ mix64(u64::from(self.size) << 8 | u64::from(self.stones)))
    }

    /// Chance and decisions alternate strictly once both players are set up, which takes two plies.
    fn facts(&self) -> GameFacts {
        GameFacts::default()
            .with_outcomes_never_end(true)
            .with_depth_step(2)
            .with_move_slots(8 * usize::from(self.size * self.size))
            .with_successor_ns(20)
    }

    #[inline]
    fn kind(&self, position: &Position) -> NodeKind {
        match position.stage {
            Stage::SetUp | Stage::ToRoll => NodeKind::Chance,
            Stage::Rolled(_) => NodeKind::Decision,
            Stage::Won => NodeKind::Terminal,
        }
    }

    #[inline]
    fn player(&self, position: &Position) -> Player {
        position.to_act
    }

    #[inline]
    fn terminal_score(&self, _: &Position) -> Score {
        -Grid::default().limit()
    }

    #[inline]
    fn hash(&self, position: &Position) -> PositionHash {
        position.hash
    }

    #[inline]
    fn moves(&self, position: &Position, mut push: impl FnMut(Move)) {
        let Stage::Rolled(roll) = position.stage else { return };
        let player = position.to_act as usize;
        for stone in Self::movable(&position.stones[player], roll).into_iter().flatten() {
            let from = position.stones[player][usize::from(stone)];
            let targets = self.targets[player][usize::from(from)];
            targets.into_iter().filter(|&to| to != GONE).for_each(|to| push(Move { stone, from, to }));
        }
    }

    #[inline]
    fn play(&self, position: &Position, mv: Move) -> Position {
        let mover = position.to_act;
        let mut after = *position;
        for player in [Player::Max, Player::Min] {
            let taken = position.stones[player as usize].iter().position(|&cell| cell == mv.to);
            if let Some(taken) = taken {
                self.put(&mut after, player, taken as u8, GONE);
            }
        }
        self.put(&mut after, mover, mv.stone, mv.to);
        if let Stage::Rolled(roll) = position.stage {
            after.hash ^= self.roll_hashes[usize::from(roll)];
        }
        after.hash ^= self.second_player_hash;
        after.to_act = mover.opponent();
        let has_won = mv.to == self.goal(mover) || after.stones[after.to_act as usize] == [GONE; MAX_STONES];
        after.stage = if has_won { Stage::Won } else { Stage::ToRoll };
        after
    }

    #[inline]
    fn outcomes(&self, position: &Position, mut push: impl FnMut(Outcome, u32)) {
        if position.stage == Stage::SetUp {
            (0..self.orders.len() as u16).for_each(|order| push(Outcome::SetUp(order), 1));
        } else {
            (0..self.stones).for_each(|stone| push(Outcome::Roll(stone), 1));
        }
    }

    #[inline]
    fn resolve(&self, position: &Position, outcome: Outcome) -> Position {
        let mut after = *position;
        match outcome {
            Outcome::Roll(roll) => {
                after.hash ^= self.roll_hashes[usize::from(roll)];
                after.stage = Stage::Rolled(roll);
            }
            Outcome::SetUp(order) => {
                let player = Self::to_set_up(position);
                let order = self.orders[usize::from(order)];
                for (&cell, stone) in self.corners[player as usize].iter().zip(order) {
                    self.put(&mut after, player, stone, cell);
                }
                after.stage = if player == Player::Max { Stage::SetUp } else { Stage::ToRoll };
            }
        }
        after
    }

    /// By the cell that is left and the direction: there are six, of which each player has three.
    #[inline]
    fn move_slot(&self, mv: Move) -> usize {
        let step = mv.to.abs_diff(mv.from);
        let way = usize::from(step >= self.size) + usize::from(step > self.size);
        8 * usize::from(mv.from) + 4 * usize::from(mv.to < mv.from) + way
    }

    /// Stones, those that are not set up yet among them.
    fn full_depth(&self, position: &Position) -> Option<u32> {
        let most = |player: Player| match self.corners[player as usize].iter() {
            corner if position.left(player) == 0 => self.most_moves(player, corner.copied()),
            _ => self.most_moves(player, position.stones_left(player).map(|(_, cell)| cell)),
        };
        // The players take turns, and the game ends with the last move of either at the latest.
        let moves = || (2 * most(position.to_act) - 1).min(2 * most(position.to_act.opponent()));
        Some(match position.stage {
            Stage::Won => 0,
            Stage::Rolled(_) => 2 * moves() - 1,
            Stage::ToRoll => 2 * moves(),
            Stage::SetUp if position.left(Player::Max) > 0 => 2 * moves() + 1,
            Stage::SetUp => 2 * moves() + 2,
        })
    }
}

impl Texts for Einstein {
    fn move_text(&self, _: &Position, mv: Move) -> String {
        let column = char::from(b'a' + mv.to % self.size);
        format!("{}-{column}{}", mv.stone + 1, self.size - mv.to / self.size)
    }

    fn outcome_text(&self, _: &Position, outcome: Outcome) -> String {
        match outcome {
            Outcome::Roll(roll) => (roll + 1).to_string(),
            Outcome::SetUp(order) => {
                let order = &self.orders[usize::from(order)][..usize::from(self.stones)];
                let numbers: String = order.iter().map(|stone| (stone + 1).to_string()).collect();
                format!("set-up {numbers}")
            }
        }
    }
}

impl KnownGame for Einstein {
    fn open(_: &GameInfo, rules: &str) -> Result<Self, Invalid> {
        let [size, stones] = numbers(rules, [("size", 3..=7), ("stones", 3..=6)])?;
        let size = size.unwrap_or(5);
        let most = if size == 3 { 3 } else { 6 };
        let stones = stones.unwrap_or(most);
        if ![3, most].contains(&stones) {
            let expected = if size == 3 { "3 where size is 3" } else { "3 or 6" };
            return Err(Invalid::new("stones", &stones.to_string(), expected));
        }
        Ok(Einstein::new(size as u8, stones as u8))
    }

    fn rules(&self) -> String {
        format!("size={},stones={}", self.size, self.stones)
    }

    fn initial(&self) -> Position {
        self.position([[GONE; MAX_STONES]; 2], Player::Max, Stage::SetUp)
    }

    fn parse(&self, text: &str) -> Result<Position, Invalid> {
        let own = self.cells_of(text);
        let fields: Vec<_> = own.as_deref().unwrap_or(text).split_whitespace().collect();
        let [board, player, roll] = fields[..] else {
            return Err(Invalid::new("position", text, "board, player and roll, as in \"x1../..o1 x -\""));
        };
        let stones = self.read_board(board)?;
        let to_act = match player {
            "x" => Player::Max,
            "o" => Player::Min,
            _ => return Err(Invalid::new("player", player, "x or o")),
        };
        let stage = self.read_roll(roll)?;
        let position = self.position(stones, to_act, stage);
        if stones[1] == [GONE; MAX_STONES] {
            let expected = "stones of both, or, with x to act and no roll, none or x alone in its corner";
            return self.before_set_up(position).ok_or_else(|| Invalid::new("board", board, expected));
        }
        self.check_unfinished(board, &position)?;
        Ok(position)
    }

    fn notation(&self, position: &Position) -> String {
        let roll = match position.stage {
            Stage::Rolled(roll) => (roll + 1).to_string(),
            _ => "-".to_owned(),
        };
        let rows: Vec<_> = (0..self.size).map(|row| self.row(position, row).concat()).collect();
        format!("{} {} {roll}", rows.join("/"), sign(position.to_act))
    }

    fn formats(&self, position: &Position) -> Vec<(&'static str, String)> {
        let own = self.notation(position);
        let (board, rest) = own.split_once(' ').unwrap_or((&own, ""));
        let signs: Vec<char> = board.chars().filter(|&sign| sign != '/').collect();
        let number = |cell: &[char]| match cell {
            ['x', stone] => stone.to_string(),
            ['o', stone] => format!("-{stone}"),
            _ => "0".to_owned(),
        };
        let numbers: Vec<_> = signs.chunks(2).map(number).collect();
        vec![("numbers", format!("{} {rest}", numbers.join(" ")))]
    }

    fn draw(&self, position: &Position) -> String {
        let mut drawn = String::new();
        for row in 0..self.size {
            drawn += &format!("{}  {}\n", self.size - row, self.row(position, row).join(" "));
        }
        drawn += "   ";
        drawn.extend(('a'..).take(usize::from(self.size)).flat_map(|column| [column, ' ', ' ']));
        let who = sign(position.to_act);
        let what = match position.stage {
            Stage::SetUp => format!("{} is set up", sign(Self::to_set_up(position))),
            Stage::ToRoll => format!("{who} rolls"),
            Stage::Rolled(roll) => format!("{who} moves, {}", roll + 1),
            Stage::Won => "the game is over".to_owned(),
        };
        format!("{}\n\n{what}\n", drawn.trim_end())
    }

    /// The board is turned by half a turn. While it is set up, one player comes before the other.
    fn mirror(&self, position: &Position) -> Option<Position> {
        let turned = |cell| if cell == GONE { GONE } else { self.size * self.size - 1 - cell };
        let [first, second] = position.stones.map(|stones| stones.map(turned));
        let mirrored = || self.position([second, first], position.to_act.opponent(), position.stage);
        (position.stage != Stage::SetUp).then(mirrored)
    }

    fn hash_from_scratch(&self, position: &Position) -> PositionHash {
        let mut hash = PositionHash::default();
        for player in [Player::Max, Player::Min] {
            for (stone, cell) in position.stones_left(player) {
                hash ^= self.stone_hashes[player as usize][usize::from(stone)][usize::from(cell)];
            }
        }
        if position.to_act == Player::Min {
            hash ^= self.second_player_hash;
        }
        if let Stage::Rolled(roll) = position.stage {
            hash ^= self.roll_hashes[usize::from(roll)];
        }
        hash
    }

    fn evaluators(&self) -> Vec<EvaluatorInfo> {
        fitting(self, evaluators::ALL)
    }

    fn visit_evaluator<V: EvaluatorVisitor<Self>>(
        &self,
        name: &str,
        _seed: u64,
        visitor: V,
    ) -> Result<V::Output, Invalid> {
        if is_network(name) {
            return named(self, name).map(|network| visitor.visit(network));
        }
        evaluators::named(name).map(|evaluator| visitor.visit(evaluator))
    }
}

/// What notation needs.
impl Einstein {
    fn position(&self, stones: [[u8; MAX_STONES]; 2], to_act: Player, stage: Stage) -> Position {
        let mut position = Position { hash: PositionHash::default(), stones, to_act, stage };
        position.hash = self.hash_from_scratch(&position);
        position
    }

    /// The cells of a row from the left, two signs each.
    fn row(&self, position: &Position, row: u8) -> Vec<String> {
        let mut cells = vec!["..".to_owned(); usize::from(self.size)];
        for player in [Player::Max, Player::Min] {
            for (stone, cell) in position.stones_left(player).filter(|&(_, cell)| cell / self.size == row) {
                cells[usize::from(cell % self.size)] = format!("{}{}", sign(player), stone + 1);
            }
        }
        cells
    }

    /// What is written as a number for each cell, with player and roll behind: 3 for x's stone 3, -3 for o's,
    /// 0 for none. As the game writes it; `None` for what is something else.
    fn cells_of(&self, text: &str) -> Option<String> {
        let words: Vec<_> = text.split([' ', ',', '\t']).filter(|word| !word.is_empty()).collect();
        let size = usize::from(self.size);
        let cells = words.get(..size * size)?;
        let cell = |word: &&str| match word.parse::<i32>().ok()? {
            0 => Some("..".to_owned()),
            stone @ 1..=9 => Some(format!("x{stone}")),
            stone @ -9..=-1 => Some(format!("o{}", -stone)),
            _ => None,
        };
        let cells = cells.iter().map(cell).collect::<Option<Vec<_>>>()?;
        let rows: Vec<_> = cells.chunks(size).map(<[String]>::concat).collect();
        Some([&[rows.join("/").as_str()], &words[size * size..]].concat().join(" "))
    }

    fn read_board(&self, board: &str) -> Result<[[u8; MAX_STONES]; 2], Invalid> {
        let size = usize::from(self.size);
        let rows: Vec<Vec<char>> = board.split('/').map(|row| row.chars().collect()).collect();
        if rows.len() != size || rows.iter().any(|row| row.len() != 2 * size) {
            let expected = format!("{size} rows of {size} cells, two signs each");
            return Err(Invalid::new("board", board, expected));
        }
        let mut stones = [[GONE; MAX_STONES]; 2];
        for (index, cell) in rows.iter().flat_map(|row| row.chunks(2)).enumerate() {
            if *cell == ['.', '.'] {
                continue;
            }
            let name: String = cell.iter().collect();
            let place = self.stone_named(&name).map(|(player, stone)| &mut stones[player as usize][stone]);
            match place {
                Some(place) if *place == GONE => *place = index as u8,
                Some(_) => return Err(Invalid::new("stone", &name, "one of each")),
                None => {
                    let expected = format!("x or o and a number from 1 to {}, or ..", self.stones);
                    return Err(Invalid::new("cell", &name, expected));
                }
            }
        }
        Ok(stones)
    }

    fn stone_named(&self, name: &str) -> Option<(Player, usize)> {
        let (player, stone) = match name.strip_prefix('x') {
            Some(stone) => (Player::Max, stone),
            None => (Player::Min, name.strip_prefix('o')?),
        };
        Some((player, self.stone_numbered(stone)?))
    }

    /// The stone that is written so, counted from 0.
    fn stone_numbered(&self, text: &str) -> Option<usize> {
        let is_stone = |number: &u32| (1..=u32::from(self.stones)).contains(number);
        number(text).filter(is_stone).map(|number| number as usize - 1)
    }

    fn read_roll(&self, text: &str) -> Result<Stage, Invalid> {
        if text == "-" {
            return Ok(Stage::ToRoll);
        }
        let expected = format!("- or a number from 1 to {}", self.stones);
        let roll = self.stone_numbered(text).ok_or_else(|| Invalid::new("roll", text, expected))?;
        Ok(Stage::Rolled(roll as u8))
    }

    /// The position, in which the second player has no stones, as one before a set-up.
    fn before_set_up(&self, position: Position) -> Option<Position> {
        let cells: Vec<_> = position.stones_left(Player::Max).map(|(_, cell)| cell).collect();
        let corner = &self.corners[Player::Max as usize];
        let is_set_up = cells.len() == corner.len() && corner.iter().all(|cell| cells.contains(cell));
        let is_first_to_act = position.to_act == Player::Max && position.stage == Stage::ToRoll;
        let is_before = is_first_to_act && (cells.is_empty() || is_set_up);
        is_before.then_some(Position { stage: Stage::SetUp, ..position })
    }

    fn check_unfinished(&self, board: &str, position: &Position) -> Result<(), Invalid> {
        for player in [Player::Max, Player::Min] {
            let goal = self.goal(player);
            if position.left(player) == 0 || position.stones_left(player).any(|(_, cell)| cell == goal) {
                let (who, goal) = (sign(player), if player == Player::Max { "last" } else { "first" });
                let expected = format!("a stone of {who}'s, and none on its goal, the {goal} cell");
                return Err(Invalid::new("board", board, expected));
            }
        }
        Ok(())
    }
}

fn sign(player: Player) -> char {
    match player {
        Player::Max => 'x',
        Player::Min => 'o',
    }
}
