//! How the conformance kit checks plies, and what a game offers of outcomes where there are some.

use starsplit::evaluator::HashRandom;
use starsplit::game::{Game, GameFacts, NodeKind, Player, PositionHash, Step, Steps};
use starsplit::score::{Bounds, Grid, Score};
use starsplit::search::MAX_PATH_LENGTH;
use starsplit_testkit::{
    EdgePlies, Fault, GraphShape, OutcomeBlind, Plays, PliedGraph, RandomGraph, Report, RewardedGraph,
    Rewards, Violation, check_evaluator, check_game,
};
use std::sync::atomic::{AtomicU8, Ordering::Relaxed};

const LIMIT: Score = 10;

/// A chance node with an outcome that leads to a decision, whose move ends the game.
struct Short<const HAS_PLIES: bool> {
    /// The plies of the outcome and of the move.
    plies: [u8; 2],
    /// By how much each next number is more.
    grows: u8,
    asked: AtomicU8,
    /// What is offered of the outcome.
    offered: Bounds,
    /// The full depths of the three positions.
    full_depths: [Option<u32>; 3],
}

fn short<const HAS_PLIES: bool>(plies: [u8; 2]) -> Short<HAS_PLIES> {
    let (asked, offered) = (AtomicU8::new(0), Bounds::unknown(LIMIT));
    Short { plies, grows: 0, asked, offered, full_depths: [None; 3] }
}

impl<const HAS_PLIES: bool> Short<HAS_PLIES> {
    fn drawn(&self, step: usize) -> u8 {
        self.plies[step] + self.grows * self.asked.fetch_add(1, Relaxed)
    }
}

impl<const HAS_PLIES: bool> Game for Short<HAS_PLIES> {
    /// How many steps were taken.
    type Position = u8;

    type Move = ();
    type Outcome = ();
    const STEPS: Steps = Steps::PLAIN.with_plies(HAS_PLIES);

    fn identity(&self) -> u64 {
        0
    }

    fn facts(&self) -> GameFacts {
        GameFacts::new(Grid::with_limit(-1.0, 1.0, LIMIT).expect("a grid"))
    }

    fn kind(&self, &steps: &u8) -> NodeKind {
        [NodeKind::Chance, NodeKind::Decision, NodeKind::Terminal][usize::from(steps)]
    }

    fn player(&self, _: &u8) -> Player {
        Player::Max
    }

    fn terminal_score(&self, _: &u8) -> Score {
        2
    }

    fn hash(&self, &steps: &u8) -> PositionHash {
        PositionHash::from(u64::from(steps))
    }

    fn moves(&self, _: &u8, mut push: impl FnMut(())) {
        push(());
    }

    fn play(&self, steps: &u8, (): ()) -> u8 {
        steps + 1
    }

    fn plies(&self, _: &u8, step: Step<(), ()>, _: &u8) -> u8 {
        self.drawn(usize::from(step == Step::Move(())))
    }

    fn outcomes(&self, _: &u8, mut push: impl FnMut((), u32)) {
        push((), 1);
    }

    fn resolve(&self, steps: &u8, (): ()) -> u8 {
        steps + 1
    }

    fn outcome_bounds(&self, _: &u8, _: u8, mut push: impl FnMut(Bounds)) {
        push(self.offered);
    }

    fn full_depth(&self, &steps: &u8) -> Option<u32> {
        self.full_depths[usize::from(steps)]
    }
}

fn check<const HAS_PLIES: bool>(game: &Short<HAS_PLIES>) -> Result<Report, Violation> {
    check_game(game, &0, &Plays::default())
}

/// The fault found, and the step that it was found at.
fn fault<const HAS_PLIES: bool>(game: &Short<HAS_PLIES>) -> (Fault, Option<String>) {
    let Violation { path, fault, .. } = check(game).expect_err("a fault");
    (fault, path.last().cloned())
}

fn at(step: &str) -> Option<String> {
    Some(format!("{step} ()"))
}

#[test]
fn plies_of_any_number_pass() {
    for plies in [[1, 1], [0, 0], [0, 255], [2, 0]] {
        check(&short::<true>(plies)).unwrap();
    }
    check(&short::<false>([1, 1])).unwrap();
}

#[test]
fn other_plies_than_one_where_the_game_says_that_it_has_none_are_caught() {
    assert_eq!(fault(&short::<false>([0, 1])), (Fault::PliesUnsaid { plies: 0 }, at("outcome")));
    assert_eq!(fault(&short::<false>([1, 2])), (Fault::PliesUnsaid { plies: 2 }, at("move")));
    let message = "2 plies: expected 1, as the game does not say that it has others (Steps::plies)";
    assert_eq!(Fault::PliesUnsaid { plies: 2 }.to_string(), message);
}

#[test]
fn plies_that_change_are_caught() {
    let changing = Short { grows: 1, ..short::<true>([0, 0]) };
    let (first, second) = ("0".to_owned(), "1".to_owned());
    assert_eq!(fault(&changing), (Fault::Unsteady { what: "plies", first, second }, at("outcome")));
}

#[test]
fn full_depths_count_plies() {
    let game = |plies, full_depths: [u32; 3]| {
        let full_depths = full_depths.map(Some);
        Short { full_depths, ..short::<true>(plies) }
    };
    for (plies, full_depths) in [
        ([1, 1], [2, 1, 0]),
        ([2, 3], [5, 3, 0]),
        ([0, 2], [2, 2, 0]),
        ([0, 0], [1, 1, 0]),
        ([2, 0], [9, 3, 0]),
    ] {
        check(&game(plies, full_depths)).unwrap();
    }
    let refused = |plies, before, after| Fault::FullDepthPlies { before, plies, after: Some(after) };
    assert_eq!(fault(&game([2, 3], [4, 3, 0])), (refused(2, 4, 3), at("outcome")));
    assert_eq!(fault(&game([2, 3], [4, 2, 0])), (refused(3, 2, 0), at("move")));
    // Nothing is left to search, and yet something is.
    assert_eq!(fault(&game([2, 0], [2, 0, 0])), (refused(0, 0, 0), at("move")));
    let open = Short { full_depths: [Some(5), None, Some(0)], ..short::<true>([1, 1]) };
    assert_eq!(fault(&open).0, Fault::FullDepthPlies { before: 5, plies: 1, after: None });
    let message = "full depth 4 before a step of 2 plies to full depth Some(3): expected at least both \
                   together, and 1";
    assert_eq!(refused(2, 4, 3).to_string(), message);
}

/// At every depth at which the decision after the outcome is searched, its move is seen to end the game; at
/// depth 0 it is evaluated, and nothing holds, but neither is it taken.
#[test]
fn bounds_of_outcomes_hold_at_the_depth_that_the_outcome_leaves() {
    let checked = [0, 1, 2, 4, 5].map(|plies| {
        let game = |offered| Short { offered, ..short::<true>([plies, 1]) };
        let report = check(&game(Bounds::exactly(2))).unwrap();
        let found = check(&game(Bounds::exactly(3)));
        // The bounds are compared at depths 2 to 5.
        match found {
            Ok(_) => assert_eq!(plies, 5, "a false bound passes"),
            Err(Violation { fault: Fault::OutcomeBounds { depth, .. }, .. }) => {
                assert_eq!(depth, (plies + 1).max(2));
            }
            Err(other) => panic!("{other}"),
        }
        report.bounds_checked
    });
    assert_eq!(checked, [4, 4, 3, 1, 0]);
}

/// Steps that take no ply, through so many positions, the last of which leads back to the one of this number,
/// or to the end.
struct Row {
    positions: u32,
    back_to: Option<u32>,
    /// Which step takes a ply, if one does.
    dear: Option<u32>,
}

impl Game for Row {
    type Position = u32;
    type Move = ();
    type Outcome = ();
    const STEPS: Steps = Steps::PLAIN.with_plies(true);

    fn identity(&self) -> u64 {
        0
    }

    fn kind(&self, &position: &u32) -> NodeKind {
        match position {
            end if end == self.positions => NodeKind::Terminal,
            even if even % 2 == 0 => NodeKind::Decision,
            _ => NodeKind::Chance,
        }
    }

    fn player(&self, _: &u32) -> Player {
        Player::Max
    }

    fn terminal_score(&self, _: &u32) -> Score {
        0
    }

    fn hash(&self, &position: &u32) -> PositionHash {
        PositionHash::from(u64::from(position))
    }

    fn moves(&self, _: &u32, mut push: impl FnMut(())) {
        push(());
    }

    fn play(&self, &position: &u32, (): ()) -> u32 {
        let next = position + 1;
        self.back_to.filter(|_| next == self.positions).unwrap_or(next)
    }

    fn plies(&self, &before: &u32, _: Step<(), ()>, _: &u32) -> u8 {
        u8::from(self.dear == Some(before))
    }

    fn outcomes(&self, _: &u32, mut push: impl FnMut((), u32)) {
        push((), 1);
    }

    fn resolve(&self, position: &u32, (): ()) -> u32 {
        self.play(position, ())
    }

    fn outcome_bounds(&self, _: &u32, _: u8, mut push: impl FnMut(Bounds)) {
        // Where nothing takes a ply there is no evaluation; but something to work out, in a chain that may
        // never end.
        let limit = self.facts().grid.limit();
        push(Bounds::new(if self.dear.is_none() { 0 } else { -limit }, limit));
    }
}

fn check_row(row: &Row) -> Result<(), Fault> {
    let plays = Plays { games: 1, max_plies: 2 * MAX_PATH_LENGTH, seed: 1 };
    check_game(row, &0, &plays).map(|_| ()).map_err(|violation| violation.fault)
}

#[test]
fn a_circle_that_takes_no_ply_is_caught() {
    for positions in [2, 3, 10, MAX_PATH_LENGTH] {
        for back_to in [0, positions - 2] {
            let row = |dear| Row { positions, back_to: Some(back_to), dear };
            let edges = (positions - back_to) as usize;
            assert_eq!(check_row(&row(None)), Err(Fault::PliesLoop { edges }), "{positions} to {back_to}");
            check_row(&row(Some(positions - 2))).unwrap();
            // Before the circle a ply makes no difference.
            if back_to > 0 {
                assert_eq!(check_row(&row(Some(0))), Err(Fault::PliesLoop { edges }));
            }
        }
    }
    let message = "3 moves and outcomes in a row that take no ply lead back to a position: expected that no \
                   such chain goes on for ever";
    assert_eq!(Fault::PliesLoop { edges: 3 }.to_string(), message);
}

/// One play, which ends there, is enough.
#[test]
fn a_step_back_to_its_own_position_that_takes_no_ply_is_caught_at_once() {
    let check = |dear| {
        let row = Row { positions: 3, back_to: Some(2), dear };
        check_game(&row, &0, &Plays { games: 1, max_plies: 2, seed: 1 })
    };
    let Violation { path, fault, .. } = check(None).expect_err("a circle of one step");
    assert_eq!((path.len(), fault), (3, Fault::PliesLoop { edges: 1 }));
    check(Some(2)).unwrap();
}

#[test]
fn a_chain_longer_than_any_search_follows_is_caught() {
    let row = |positions, dear| Row { positions, back_to: None, dear };
    check_row(&row(MAX_PATH_LENGTH, None)).unwrap();
    check_row(&row(MAX_PATH_LENGTH + 10, Some(20))).unwrap();
    let edges = MAX_PATH_LENGTH as usize + 1;
    assert_eq!(check_row(&row(MAX_PATH_LENGTH + 1, None)), Err(Fault::PliesChain { edges }));
    let message =
        format!("{edges} moves and outcomes in a row take no ply: expected at most {MAX_PATH_LENGTH}");
    assert_eq!(Fault::PliesChain { edges }.to_string(), message);
}

/// One hash for two positions whose moves take different plies.
struct Twins;

impl Game for Twins {
    /// How many steps were taken, and which of two it is.
    type Position = (u8, u8);

    type Move = u8;
    type Outcome = ();
    const STEPS: Steps = Steps::PLAIN.with_plies(true);

    fn identity(&self) -> u64 {
        0
    }

    fn kind(&self, &(steps, _): &(u8, u8)) -> NodeKind {
        if steps < 2 { NodeKind::Decision } else { NodeKind::Terminal }
    }

    fn player(&self, _: &(u8, u8)) -> Player {
        Player::Max
    }

    fn terminal_score(&self, _: &(u8, u8)) -> Score {
        0
    }

    fn hash(&self, &(steps, _): &(u8, u8)) -> PositionHash {
        PositionHash::from(u64::from(steps))
    }

    fn moves(&self, &(steps, _): &(u8, u8), push: impl FnMut(u8)) {
        (0..2 - steps).for_each(push);
    }

    fn play(&self, &(steps, _): &(u8, u8), mv: u8) -> (u8, u8) {
        (steps + 1, mv)
    }

    fn plies(&self, &(steps, which): &(u8, u8), _: Step<u8, ()>, _: &(u8, u8)) -> u8 {
        if steps == 1 { which } else { 1 }
    }

    fn outcomes(&self, _: &(u8, u8), _: impl FnMut((), u32)) {}

    fn resolve(&self, position: &(u8, u8), (): ()) -> (u8, u8) {
        *position
    }
}

#[test]
fn positions_of_one_hash_have_the_same_plies() {
    let found = check_game(&Twins, &(0, 0), &Plays::default()).expect_err("two positions of one hash");
    assert!(matches!(found.fault, Fault::HashShared { what: "plies", .. }), "{found}");
}

#[test]
fn random_graphs_with_plies_keep_the_rules() {
    let mut bounds = 0;
    for seed in 0..40 {
        let limit = [1, 4, 1 << 20][seed as usize % 3];
        let (cycles, terminal_percent) = (seed % 2 == 0, 20);
        let shape = GraphShape { positions: 20, terminal_percent, limit, cycles, ..GraphShape::default() };
        let graph = RandomGraph::new(&shape, seed).expect("the shape is within its limits");
        let plies = EdgePlies { none_percent: 50, more_percent: 25, most: 3 };
        let rewards = Rewards { move_percent: 60, outcome_percent: 60, most: 2 * limit };
        let rewarded =
            RewardedGraph::new(graph.clone(), rewards).expect("the rewards are within their limits");
        let plain = PliedGraph::new(graph.clone(), plies).expect("the plies are within their limits");
        let with_rewards = PliedGraph::new(rewarded, plies).expect("the plies are within their limits");
        let (start, plays) = (graph.start(), Plays { games: 20, max_plies: 40, seed });
        let blind = OutcomeBlind::new(&graph, seed, limit);
        bounds += check_game(&plain, &start, &plays).unwrap().bounds_checked;
        bounds += check_game(&with_rewards, &start, &plays).unwrap().bounds_checked;
        check_evaluator(&plain, &HashRandom::new(seed, limit), &start, &plays).unwrap();
        check_evaluator(&plain, &blind, &start, &plays).unwrap();
        check_evaluator(&with_rewards, &blind, &start, &plays).unwrap();
    }
    assert!(bounds > 1_000, "only {bounds} bounds were checked");
}
