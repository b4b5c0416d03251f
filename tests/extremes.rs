//! The ends of what the `Game` trait allows: more moves than an entry can name, weights that fill 32 bits.

use crate::common::erased_game::{Plain, at};
use crate::common::oracle::oracle_value;
use starsplit::Searcher;
use starsplit::evaluator::{Constant, mix64};
use starsplit::game::{Game, NodeKind, Player, PositionHash};
use starsplit::score::{MAX_LIMIT, Score};
use starsplit::search::{Algorithm, Limits, MoveOrdering, Options, StopReason, TableUse};
use starsplit::table::LocklessTable;

/// A root with many successors, all terminal: by a move, or by chance.
struct Fan {
    kind: NodeKind,
    scores: Vec<Score>,
    /// By outcome, where chance decides.
    weights: Vec<u32>,
}

/// The root, or the successor with this number.
type Place = Option<u32>;

impl Game for Fan {
    type Position = Place;
    type Move = u32;
    type Outcome = u32;

    fn identity(&self) -> u64 {
        self.scores.len() as u64
    }

    fn kind(&self, place: &Place) -> NodeKind {
        if place.is_none() { self.kind } else { NodeKind::Terminal }
    }

    fn player(&self, _: &Place) -> Player {
        Player::Max
    }

    fn terminal_score(&self, place: &Place) -> Score {
        place.map_or(0, |number| self.scores[number as usize])
    }

    fn hash(&self, place: &Place) -> PositionHash {
        let bits = mix64(place.map_or(0, |number| u64::from(number) + 1));
        PositionHash { high: bits, low: mix64(bits) }
    }

    fn moves(&self, _: &Place, push: impl FnMut(u32)) {
        (0..self.scores.len() as u32).for_each(push);
    }

    fn play(&self, _: &Place, mv: u32) -> Place {
        Some(mv)
    }

    fn outcomes(&self, _: &Place, mut push: impl FnMut(u32, u32)) {
        self.weights.iter().enumerate().for_each(|(number, &weight)| push(number as u32, weight));
    }

    fn resolve(&self, _: &Place, outcome: u32) -> Place {
        Some(outcome)
    }
}

#[test]
fn the_best_of_seventy_thousand_moves_is_found_wherever_it_is() {
    for best in [0, 1_022, 1_023, 65_535, 65_536, 69_999] {
        let mut scores = vec![-7; 70_000];
        scores[best] = 5;
        let (root, fan) = (at(Place::None), Fan { kind: NodeKind::Decision, scores, weights: Vec::new() });
        let fan = Plain::of(fan);
        for &algorithm in Algorithm::ALL {
            let table = LocklessTable::with_buckets(16).expect("a small table");
            let options =
                Options { table_use: TableUse::All, table_depth: Some(1), ..Options::paper(algorithm) };
            let searcher = Searcher::new(fan.clone(), Constant::default(), table).with_options(options);
            for round in ["first", "again, with what the first left"] {
                let result = searcher.request(&root).limits(Limits::depth(2)).search().expect("a valid game");
                assert_eq!(result.score(), Some(5), "{algorithm}, best move {best}, {round}");
                assert_eq!(result.best_move, Some(best as u32), "{algorithm}, {round}");
            }
        }
    }
}

#[test]
fn weights_may_fill_32_bits() {
    for weights in [[1, u32::MAX - 1], [u32::MAX / 2, u32::MAX / 2 + 1], [u32::MAX - 1, 1]] {
        for scores in [[MAX_LIMIT, -MAX_LIMIT], [MAX_LIMIT, MAX_LIMIT - 1], [-1, 0]] {
            let fan = Fan { kind: NodeKind::Chance, scores: scores.to_vec(), weights: weights.to_vec() };
            let (root, fan) = (at(Place::None), Plain::of(fan));
            let expected = oracle_value(&fan, &Constant::default(), &root, 1);
            for &algorithm in Algorithm::ALL {
                let table = LocklessTable::with_buckets(16).expect("a small table");
                let searcher = Searcher::new(fan.clone(), Constant::default(), table)
                    .with_options(Options::paper(algorithm));
                let result = searcher.request(&root).limits(Limits::depth(1)).search().expect("a valid game");
                assert_eq!(
                    result.score().map(i64::from),
                    Some(expected),
                    "{algorithm}, {weights:?}, {scores:?}"
                );
            }
        }
    }
}

/// A root with one move, to a decision with very many, each to a chance node.
struct Broom;

/// So many moves.
const BRISTLES: u32 = 70_000;

impl Game for Broom {
    /// The ply and a number.
    type Position = (u8, u32);

    type Move = u32;
    type Outcome = u32;

    fn identity(&self) -> u64 {
        0
    }

    fn kind(&self, &(ply, _): &(u8, u32)) -> NodeKind {
        if ply == 2 { NodeKind::Chance } else { NodeKind::Decision }
    }

    fn player(&self, _: &(u8, u32)) -> Player {
        Player::Max
    }

    fn terminal_score(&self, _: &(u8, u32)) -> Score {
        0
    }

    fn hash(&self, &(ply, number): &(u8, u32)) -> PositionHash {
        let bits = mix64(u64::from(ply) << 32 | u64::from(number));
        PositionHash { high: bits, low: mix64(bits) }
    }

    fn moves(&self, &(ply, _): &(u8, u32), push: impl FnMut(u32)) {
        (0..if ply == 1 { BRISTLES } else { 1 }).for_each(push);
    }

    fn play(&self, &(ply, _): &(u8, u32), mv: u32) -> (u8, u32) {
        (ply + 1, mv)
    }

    fn outcomes(&self, _: &(u8, u32), mut push: impl FnMut(u32, u32)) {
        push(0, 1);
    }

    fn resolve(&self, &(ply, number): &(u8, u32), _: u32) -> (u8, u32) {
        (ply + 1, number)
    }
}

/// The chance nodes collapse, and do not look at the limits themselves.
#[test]
fn a_node_limit_holds_among_seventy_thousand_moves() {
    let (root, most) = (at((0u8, 0u32)), 10_000);
    // By the loop that such nodes have, and by the usual search of decision nodes.
    for (ordering, table_depth) in
        [(MoveOrdering::Hybrid, 3), (MoveOrdering::Hybrid, 2), (MoveOrdering::Static, 3)]
    {
        let table = LocklessTable::with_buckets(16).expect("a small table");
        let options =
            Options { ordering, table_depth: Some(table_depth), deepening: false, ..Options::default() };
        let searcher = Searcher::new(Plain::of(Broom), Constant::default(), table).with_options(options);
        let whole = searcher.request(&root).limits(Limits::depth(3)).search().expect("a valid game");
        assert_eq!(whole.stats.nodes.collapsed, u64::from(BRISTLES), "{ordering}, {table_depth}");
        searcher.new_game();
        let found =
            searcher.request(&root).limits(Limits::depth(3).with_nodes(most)).search().expect("a valid game");
        assert_eq!(found.stopped_by, StopReason::Nodes, "{ordering}, {table_depth}");
        let nodes = found.stats.nodes.total();
        assert!((most..=most + 1_100).contains(&nodes), "{nodes} nodes with {ordering}, {table_depth}");
    }
}
