//! A game in which both players may wait: its positions recur at as many depths as a search has. A table that
//! keeps them all makes the cost grow with the depth, not exponentially.

use crate::common::erased_game::{Plain, at};
use starsplit::Searcher;
use starsplit::evaluator::{HashRandom, mix64};
use starsplit::game::{Game, NodeKind, Player, PositionHash};
use starsplit::score::{MAX_LIMIT, Score};
use starsplit::search::{Algorithm, Limits, Options, TableUse};
use starsplit::table::LocklessTable;

/// Either player has a mark on a circle of this many places.
const PLACES: u8 = 5;

/// Players take turns. A turn is to wait, or to throw a coin, by which the player's mark goes on or not. The
/// game never ends.
struct Waiting;

#[derive(Clone, Copy)]
struct Position {
    marks: [u8; 2],
    player: Player,
    thrown: bool,
}

/// The moves.
const WAIT: u32 = 0;
const THROW: u32 = 1;

impl Game for Waiting {
    type Position = Position;
    type Move = u32;
    type Outcome = u32;

    fn identity(&self) -> u64 {
        0
    }

    fn kind(&self, position: &Position) -> NodeKind {
        if position.thrown { NodeKind::Chance } else { NodeKind::Decision }
    }

    fn player(&self, position: &Position) -> Player {
        position.player
    }

    fn terminal_score(&self, _: &Position) -> Score {
        unreachable!("the game never ends")
    }

    fn hash(&self, position: &Position) -> PositionHash {
        let Position { marks, player, thrown } = *position;
        let number = u64::from(u32::from_le_bytes([marks[0], marks[1], player as u8, u8::from(thrown)]));
        PositionHash { high: mix64(2 * number), low: mix64(2 * number + 1) }
    }

    fn moves(&self, _: &Position, mut push: impl FnMut(u32)) {
        push(WAIT);
        push(THROW);
    }

    fn play(&self, position: &Position, mv: u32) -> Position {
        if mv == THROW {
            Position { thrown: true, ..*position }
        } else {
            Position { player: position.player.opponent(), ..*position }
        }
    }

    fn outcomes(&self, _: &Position, mut push: impl FnMut(u32, u32)) {
        push(0, 1);
        push(1, 1);
    }

    fn resolve(&self, position: &Position, outcome: u32) -> Position {
        let mut marks = position.marks;
        let mark = &mut marks[position.player as usize];
        *mark = (*mark + outcome as u8) % PLACES;
        Position { marks, player: position.player.opponent(), thrown: false }
    }
}

/// How many nodes a search to `depth` visits; `most` ends it.
fn nodes(algorithm: Algorithm, table: LocklessTable, depth: u32, most: u64) -> u64 {
    let options = Options { algorithm, table_use: TableUse::All, table_depth: Some(1), ..Options::default() };
    let searcher =
        Searcher::new(Plain::of(Waiting), HashRandom::new(3, MAX_LIMIT), table).with_options(options);
    let start = at(Position { marks: [0, 0], player: Player::Max, thrown: false });
    let result = searcher
        .request(&start)
        .limits(Limits::depth(depth).with_nodes(most))
        .search()
        .expect("valid options");
    assert!(result.is_exact(), "{algorithm} to depth {depth} visits more than {most} nodes");
    result.stats.nodes.total()
}

#[test]
fn where_positions_recur_at_every_depth_the_cost_grows_with_the_depth() {
    // Four times the entries that all depths of all positions take.
    let buckets = u64::from(PLACES) * u64::from(PLACES) * 4 * 200;
    let table = || LocklessTable::with_buckets(buckets).unwrap();
    for &algorithm in Algorithm::ALL.iter().filter(|algorithm| algorithm.prunes()) {
        let mut before = nodes(algorithm, table(), 50, 1 << 20);
        for depth in [100, 200] {
            // Twice the depth.
            let most = before * 5 / 2;
            before = nodes(algorithm, table(), depth, most);
        }
    }
}
