//! Abalone (Lalet and Levi 1987), for two players, without chance.
//!
//! Fourteen marbles a side lie on a hexagon of 61 fields. A move shifts one to three own marbles in a
//! straight line by one field: along their line, or two or three of them sideways into empty fields. Along
//! its line, a longer row pushes a shorter row of the other side before it (one by two or three, two by
//! three) if there is room behind or the board ends there, which takes the last marble off. Who has lost six
//! marbles has lost the game (-1, and +1 for the other). Positions may repeat; under `repetition=draw` a
//! position that was there before, with the same player to move, is a draw (0). The rules do not say what
//! happens to a player without a move; here that is a loss.
//!
//! The rows are a to i from the bottom, as the first player, Black, sees them, and the fields of a row are
//! numbered along the diagonals, so that a1 to a5 lie below b1 to b6 and e5 in the middle.

mod board;
pub mod evaluators;
mod repetition;
use crate::known::CountOfPieces;
use crate::rules_text::parts;
use crate::{EvaluatorInfo, EvaluatorVisitor, GameInfo, Invalid, KnownGame};
use board::{BOARD, DIRECTIONS, FIELDS, back, fields, is_field, step};
use repetition::{Earlier, Repetition};
use starsplit::evaluator::mix64;
use starsplit::game::{Game, GameFacts, NodeKind, Player, PositionHash, Texts};
use starsplit::score::Score;
use starsplit_wrappers::repetition::Past;
use std::convert::Infallible;
use std::sync::Arc;

/// Abalone as programs name it.
pub const INFO: GameInfo = GameInfo {
    name: "abalone",
    default_rules: "start=standard",
    rules_help: "start is standard, belgian or german, the last two being the Daisies; repetition is none, \
                 or draw where a position that comes again is one (positions that are read begin anew)",
    notation_help: "the rows i to a parted by '/', b and w and '.', and who moves: \
                    \"wwwww/wwwwww/..www../......../........./......../..bbb../bbbbbb/bbbbb b\"",
    moves_help: "along the line the last marble's field and the next, as a1b2; sideways the two ends and \
                 where the first goes, as a1a3b1",
    evaluators: evaluators::ALL,
    suites: &[
        ("abalone", include_str!("suites/abalone.txt")),
        ("abalone-starts", include_str!("suites/abalone-starts.txt")),
    ],
};

/// The starts: their names and the rows from the top.
const STARTS: [(&str, &str); 3] = [
    ("standard", "wwwww/wwwwww/..www../......../........./......../..bbb../bbbbbb/bbbbb b"),
    ("belgian", "ww.bb/wwwbbb/.ww.bb./......../........./......../.bb.ww./bbbwww/bb.ww b"),
    ("german", "...../ww..bb/www.bbb/.ww..bb./........./.bb..ww./bbb.www/bb..ww/..... b"),
];

/// Marbles of a side, at first and when it has lost.
const MARBLES: u32 = 14;
const LOST_AT: u32 = 8;

/// Abalone from one of its starts. Clones share the tables.
#[derive(Clone, Debug)]
pub struct Abalone {
    start: &'static str,
    repetition: Repetition,
    initial: Position,
    hashes: Arc<Hashes>,
}

/// What is drawn at random for the hash.
#[derive(Debug)]
struct Hashes {
    marbles: [[PositionHash; FIELDS]; 2],
    second_player: PositionHash,
}

impl Hashes {
    fn new() -> Self {
        let random = |what: u64| PositionHash { high: mix64(2 * what + 1), low: mix64(mix64(2 * what + 2)) };
        let of_field = |player: usize, field: usize| random((player * FIELDS + field) as u64);
        let of_player = |player| std::array::from_fn(|field| of_field(player, field));
        Hashes { marbles: std::array::from_fn(of_player), second_player: random(2 * FIELDS as u64) }
    }

    fn of(&self, marbles: [u128; 2], to_move: Player) -> PositionHash {
        let mut hash = if to_move == Player::Min { self.second_player } else { PositionHash::default() };
        for (set, hashes) in marbles.into_iter().zip(&self.marbles) {
            fields(set).for_each(|field| hash ^= hashes[usize::from(field)]);
        }
        hash
    }
}

/// A move: of a line of own marbles, one field in a direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Move {
    /// The last marble of the line along which it moves, or either end of one that moves sideways.
    first: u8,
    direction: u8,
    shape: Shape,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Shape {
    /// So many own marbles along their line, and so many of the other's before them.
    Inline { marbles: u8, pushed: u8 },
    /// So many marbles sideways, which lie in direction `along` from the first.
    Broadside { marbles: u8, along: u8 },
}

/// A position of Abalone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Position {
    /// The fields of either player.
    marbles: [u128; 2],
    hash: PositionHash,
    to_move: Player,
    is_over: bool,
    /// Whether it is over since it came again.
    is_drawn: bool,
    /// How near either player's marbles are to the middle: the sum over them of 4 less the distance. Derived
    /// from `marbles`; kept here because a move changes little of it.
    nearness: [u8; 2],
    /// The positions before it since a marble was taken; none where they may come again.
    past: Past<Earlier>,
}

impl Position {
    fn new(hashes: &Hashes, marbles: [u128; 2], to_move: Player) -> Self {
        let nearness = marbles.map(|set| fields(set).map(board::nearness).sum());
        let hash = hashes.of(marbles, to_move);
        let (is_over, is_drawn, past) = (false, false, Past::none());
        let mut position = Position { marbles, hash, to_move, is_over, is_drawn, nearness, past };
        position.is_over = position.is_lost();
        position
    }

    /// Whether the player to move has lost.
    #[inline]
    fn is_lost(&self) -> bool {
        self.count(self.to_move) <= LOST_AT || !has_move(self)
    }

    #[inline]
    fn count(&self, player: Player) -> u32 {
        self.marbles[player as usize].count_ones()
    }
}

impl Abalone {
    /// Moves one marble, if `to` is a field, else takes it off.
    #[inline]
    fn shift(&self, position: &mut Position, player: Player, from: u8, to: Option<u8>) {
        let (own, hashes) = (player as usize, &self.hashes.marbles[player as usize]);
        position.marbles[own] ^= 1 << from;
        position.hash ^= hashes[usize::from(from)];
        position.nearness[own] -= board::nearness(from);
        if let Some(to) = to {
            position.marbles[own] |= 1 << to;
            position.hash ^= hashes[usize::from(to)];
            position.nearness[own] += board::nearness(to);
        }
    }

    /// The position after a move, without its past.
    #[inline]
    fn moved(&self, position: &Position, mv: Move) -> Position {
        let (mover, direction) = (position.to_move, usize::from(mv.direction));
        let mut after = Position { past: Past::none(), ..*position };
        match mv.shape {
            Shape::Inline { marbles, pushed } => {
                let front = step(mv.first, direction, marbles);
                if pushed > 0 {
                    let behind = step(front, direction, pushed);
                    self.shift(&mut after, mover.opponent(), front, is_field(behind).then_some(behind));
                }
                self.shift(&mut after, mover, mv.first, Some(front));
            }
            Shape::Broadside { marbles, along } => {
                for i in 0..marbles {
                    let from = step(mv.first, usize::from(along), i);
                    self.shift(&mut after, mover, from, Some(step(from, direction, 1)));
                }
            }
        }
        after.hash ^= self.hashes.second_player;
        after.to_move = mover.opponent();
        after.is_over = after.is_lost();
        after
    }
}

/// The lines of own marbles that can move along `direction`: the fields of their last marbles.
struct Lines {
    /// Free to move, by how many marbles.
    free: [u128; 3],
    /// Pushing, by marbles and pushed ones: two and one, three and one, three and two.
    pushing: [u128; 3],
    /// The same where the last one pushed falls off.
    taking: [u128; 3],
}

impl Lines {
    fn can_push(&self) -> bool {
        [self.pushing, self.taking] != [[0; 3]; 2]
    }
}

#[inline]
fn lines(own: u128, other: u128, direction: usize) -> Lines {
    let empty = BOARD & !(own | other);
    // Fields before which lies a field of `set`.
    let before = |set| back(set, direction);
    let edge = BOARD & !before(BOARD);
    let line = |set| own & before(set);
    let one = line(empty);
    let two = line(one);
    let pushing = |behind: u128| {
        let (single, double) = (other & behind, other & before(other & behind));
        let by_two = line(line(single));
        [by_two, line(by_two), line(line(line(double)))]
    };
    Lines { free: [one, two, line(two)], pushing: pushing(before(empty)), taking: pushing(edge) }
}

/// Whether the player to move can. Where no marble has an empty field beside it, a push may still be there.
#[inline]
fn has_move(position: &Position) -> bool {
    let (own, other) = sides(position);
    let empty = BOARD & !(own | other);
    let is_free = (0..DIRECTIONS).any(|direction| own & back(empty, direction) != 0);
    is_free || (0..DIRECTIONS).any(|direction| lines(own, other, direction).can_push())
}

/// The marbles of the player to move, and the others.
#[inline]
fn sides(position: &Position) -> (u128, u128) {
    let mover = position.to_move;
    (position.marbles[mover as usize], position.marbles[mover.opponent() as usize])
}

/// Gives the moves sideways of so many marbles to `push`.
#[inline]
fn broadsides(position: &Position, marbles: u8, push: &mut impl FnMut(Move)) {
    let (own, other) = sides(position);
    let empty = BOARD & !(own | other);
    for direction in 0..DIRECTIONS {
        let free = own & back(empty, direction);
        for along in (0..DIRECTIONS / 2).filter(|along| direction % (DIRECTIONS / 2) != *along) {
            let pairs = free & back(free, along);
            let lines = if marbles == 2 { pairs } else { free & back(pairs, along) };
            let shape = Shape::Broadside { marbles, along: along as u8 };
            fields(lines).for_each(|first| push(Move { first, direction: direction as u8, shape }));
        }
    }
}

impl Game for Abalone {
    type Position = Position;
    type Move = Move;
    type Outcome = Infallible;

    /// The same for all starts: a position does not know where it came from.
    fn identity(&self) -> u64 {
        match self.repetition {
            Repetition::None => mix64(0x6162_616c_6f6e_6500),
            Repetition::Draw => mix64(0x6162_616c_6f6e_6580),
        }
    }

    fn facts(&self) -> GameFacts {
        let mut facts =
            GameFacts::default().with_move_slots(FIELDS * DIRECTIONS * SHAPES).with_successor_ns(27);
        facts.depends_on_past = self.repetition == Repetition::Draw;
        facts
    }

    #[inline]
    fn kind(&self, position: &Position) -> NodeKind {
        if position.is_over { NodeKind::Terminal } else { NodeKind::Decision }
    }

    #[inline]
    fn player(&self, position: &Position) -> Player {
        position.to_move
    }

    /// The player to move has lost: six marbles, or every move; unless the position came again.
    fn terminal_score(&self, position: &Position) -> Score {
        if position.is_drawn { 0 } else { -self.facts().grid.limit() }
    }

    #[inline]
    fn hash(&self, position: &Position) -> PositionHash {
        position.hash
    }

    #[inline]
    fn hash_to_depth(&self, position: &Position, depth: u8) -> PositionHash {
        if position.past.is_empty() { position.hash } else { position.hash ^ Self::salt(position, depth) }
    }

    /// Those that take a marble first, then pushes, then the longer lines first.
    #[inline]
    fn moves(&self, position: &Position, mut push: impl FnMut(Move)) {
        const PUSHES: [(u8, u8); 3] = [(2, 1), (3, 1), (3, 2)];
        let (own, other) = sides(position);
        let lines: [Lines; DIRECTIONS] = std::array::from_fn(|direction| lines(own, other, direction));
        let mut inline = |sets: &dyn Fn(&Lines) -> u128, marbles, pushed| {
            for (direction, lines) in (0..).zip(&lines) {
                let shape = Shape::Inline { marbles, pushed };
                fields(sets(lines)).for_each(|first| push(Move { first, direction, shape }));
            }
        };
        for (i, (marbles, pushed)) in PUSHES.into_iter().enumerate() {
            inline(&|lines| lines.taking[i], marbles, pushed);
        }
        for (i, (marbles, pushed)) in PUSHES.into_iter().enumerate() {
            inline(&|lines| lines.pushing[i], marbles, pushed);
        }
        inline(&|lines| lines.free[2], 3, 0);
        inline(&|lines| lines.free[1], 2, 0);
        broadsides(position, 3, &mut push);
        broadsides(position, 2, &mut push);
        for (direction, lines) in (0..).zip(&lines) {
            let shape = Shape::Inline { marbles: 1, pushed: 0 };
            fields(lines.free[0]).for_each(|first| push(Move { first, direction, shape }));
        }
    }

    #[inline]
    fn play(&self, position: &Position, mv: Move) -> Position {
        if self.repetition == Repetition::Draw {
            return self.play_and_remember(position, mv);
        }
        self.moved(position, mv)
    }

    fn outcomes(&self, _: &Position, _: impl FnMut(Infallible, u32)) {}

    fn resolve(&self, _: &Position, outcome: Infallible) -> Position {
        match outcome {}
    }

    #[inline]
    fn move_slot(&self, mv: Move) -> usize {
        let shape = match mv.shape {
            Shape::Inline { .. } => 0,
            Shape::Broadside { marbles, along } => 2 * usize::from(along) + usize::from(marbles) - 1,
        };
        (usize::from(mv.first) * DIRECTIONS + usize::from(mv.direction)) * SHAPES + shape
    }
}

impl Texts for Abalone {
    /// Marbles on the board.
    fn move_text(&self, _: &Position, mv: Move) -> String {
        let target = board::name(step(mv.first, usize::from(mv.direction), 1));
        let last = match mv.shape {
            Shape::Inline { .. } => String::new(),
            Shape::Broadside { marbles, along } => {
                board::name(step(mv.first, usize::from(along), marbles - 1))
            }
        };
        format!("{}{last}{target}", board::name(mv.first))
    }

    fn outcome_text(&self, _: &Position, outcome: Infallible) -> String {
        match outcome {}
    }
}

/// How many shapes of moves are told apart for their slots: along the line, and two or three sideways along
/// each of three lines.
const SHAPES: usize = 7;

impl KnownGame for Abalone {
    const PIECES_LEFT: Option<CountOfPieces<Position>> =
        Some(|position| position.marbles.map(|set| set.count_ones() as u8));

    fn open(_: &GameInfo, rules: &str) -> Result<Self, Invalid> {
        let (mut start, mut repetition) = (None, None);
        for part in parts(rules) {
            let (given, value) = match part.split_once('=') {
                Some(("start", value)) => (&mut start, value),
                Some(("repetition", value)) => (&mut repetition, value),
                _ => {
                    return Err(Invalid::new(
                        "rule",
                        part,
                        "start=standard or another, repetition=none or draw",
                    ));
                }
            };
            if given.replace(value).is_some() {
                return Err(Invalid::new("rule", part, "each rule once"));
            }
        }
        let name = start.unwrap_or(STARTS[0].0);
        let (start, rows) = *STARTS
            .iter()
            .find(|(start, _)| *start == name)
            .ok_or_else(|| Invalid::new("start", name, "standard, belgian or german"))?;
        let name = repetition.unwrap_or(Repetition::ALL[0].0);
        let (_, repetition) = *Repetition::ALL
            .iter()
            .find(|(repetition, _)| *repetition == name)
            .ok_or_else(|| Invalid::new("repetition", name, "none or draw"))?;
        let (marbles, to_move) = board::read(rows)?;
        let hashes = Arc::new(Hashes::new());
        Ok(Abalone { start, repetition, initial: Position::new(&hashes, marbles, to_move), hashes })
    }

    /// Without what is so by default and was not always a rule.
    fn rules(&self) -> String {
        match self.repetition {
            Repetition::None => format!("start={}", self.start),
            Repetition::Draw => format!("start={},repetition=draw", self.start),
        }
    }

    fn initial(&self) -> Position {
        self.initial.clone()
    }

    fn parse(&self, text: &str) -> Result<Position, Invalid> {
        let (marbles, to_move) = board::read(text)?;
        let (own, other) =
            (marbles[to_move as usize].count_ones(), marbles[1 - to_move as usize].count_ones());
        let counts = format!("{own} to move against {other}");
        if own > MARBLES || other > MARBLES || own < LOST_AT || other <= LOST_AT {
            let expected = "8 to 14 for who is to move and 9 to 14 for the other";
            return Err(Invalid::new("marbles", &counts, expected));
        }
        Ok(Position::new(&self.hashes, marbles, to_move))
    }

    fn notation(&self, position: &Position) -> String {
        board::write(position.marbles, position.to_move)
    }

    fn draw(&self, position: &Position) -> String {
        let lost = |player| MARBLES.saturating_sub(position.count(player));
        let turn = match (position.is_over, position.to_move) {
            _ if position.is_drawn => "a draw, since the position comes again",
            (false, Player::Max) => "b moves",
            (false, Player::Min) => "w moves",
            (true, Player::Max) => "w has won",
            (true, Player::Min) => "b has won",
        };
        let (black, white) = (lost(Player::Max), lost(Player::Min));
        format!("{}{turn}; b has lost {black} marbles, w {white}\n", board::draw(position.marbles))
    }

    /// Reads the ends of a line that moves sideways in either order, and hyphens between the fields.
    fn parse_move(&self, position: &Position, text: &str) -> Result<Move, Invalid> {
        let mut moves = Vec::new();
        self.moves(position, |mv| moves.push(mv));
        let meant = text.trim().replace('-', "").to_ascii_lowercase();
        let is_meant =
            |mv: &Move| self.move_text(position, *mv) == meant || other_text(*mv).as_deref() == Some(&*meant);
        moves.iter().copied().find(is_meant).ok_or_else(|| {
            let first = moves.first().map_or_else(String::new, |mv| self.move_text(position, *mv));
            let expected = format!("one of {} legal moves, such as {first}", moves.len());
            Invalid::new("move", text.trim(), expected)
        })
    }

    /// The colours are exchanged; the rules are the same from all sides of the board.
    fn mirror(&self, position: &Position) -> Option<Position> {
        let [first, second] = position.marbles;
        let mirrored = Position::new(&self.hashes, [second, first], position.to_move.opponent());
        let Position { is_over, is_drawn, .. } = *position;
        Some(Position { is_over, is_drawn, past: self.mirrored_past(&position.past), ..mirrored })
    }

    fn hash_from_scratch(&self, position: &Position) -> PositionHash {
        self.hashes.of(position.marbles, position.to_move)
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

/// A move sideways told from its other end.
fn other_text(mv: Move) -> Option<String> {
    let Shape::Broadside { marbles, along } = mv.shape else { return None };
    let last = step(mv.first, usize::from(along), marbles - 1);
    let target = step(last, usize::from(mv.direction), 1);
    Some([last, mv.first, target].map(board::name).concat())
}
