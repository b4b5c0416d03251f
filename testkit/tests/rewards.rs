//! How the conformance kit checks rewards, and what a game offers of outcomes where there are some.

use starsplit::evaluator::HashRandom;
use starsplit::game::{Game, GameFacts, NodeKind, Player, PositionHash, Step, Steps};
use starsplit::score::{Bounds, Grid, Score};
use starsplit::unstable::NOT_A_NUMBER;
use starsplit_testkit::{
    Fault, GraphShape, OutcomeBlind, Plays, RandomGraph, Report, RewardedGraph, Rewards, Violation,
    check_evaluator, check_game,
};
use std::sync::atomic::{AtomicI32, Ordering::Relaxed};

const LIMIT: Score = 10;

/// A chance node with an outcome that leads to a decision of the other player, whose move ends the game.
struct Short<const HAS_REWARDS: bool> {
    /// The rewards of the outcome and of the move.
    rewards: [Score; 2],
    /// By how much each next reward is more.
    grows: Score,
    asked: AtomicI32,
    /// What is offered of the outcome.
    offered: Bounds,
    saturates: bool,
}

fn short<const HAS_REWARDS: bool>(rewards: [Score; 2]) -> Short<HAS_REWARDS> {
    Short { rewards, grows: 0, asked: AtomicI32::new(0), offered: Bounds::unknown(LIMIT), saturates: false }
}

impl<const HAS_REWARDS: bool> Short<HAS_REWARDS> {
    fn drawn(&self, step: usize) -> Score {
        self.rewards[step] + self.grows * self.asked.fetch_add(1, Relaxed)
    }
}

impl<const HAS_REWARDS: bool> Game for Short<HAS_REWARDS> {
    /// The ply.
    type Position = u8;

    type Move = ();
    type Outcome = ();
    const STEPS: Steps = Steps::PLAIN.with_rewards(HAS_REWARDS);

    fn identity(&self) -> u64 {
        0
    }

    fn facts(&self) -> GameFacts {
        GameFacts::new(Grid::with_limit(-1.0, 1.0, LIMIT).expect("a grid")).saturating(self.saturates)
    }

    fn kind(&self, &ply: &u8) -> NodeKind {
        [NodeKind::Chance, NodeKind::Decision, NodeKind::Terminal][usize::from(ply)]
    }

    fn player(&self, &ply: &u8) -> Player {
        if ply == 1 { Player::Min } else { Player::Max }
    }

    fn terminal_score(&self, _: &u8) -> Score {
        2
    }

    fn hash(&self, &ply: &u8) -> PositionHash {
        PositionHash::from(u64::from(ply))
    }

    fn moves(&self, _: &u8, mut push: impl FnMut(())) {
        push(());
    }

    fn play(&self, ply: &u8, (): ()) -> u8 {
        ply + 1
    }

    fn reward(&self, _: &u8, step: Step<(), ()>, _: &u8) -> Score {
        self.drawn(usize::from(step == Step::Move(())))
    }

    fn outcomes(&self, _: &u8, mut push: impl FnMut((), u32)) {
        push((), 1);
    }

    fn resolve(&self, ply: &u8, (): ()) -> u8 {
        ply + 1
    }

    fn outcome_bounds(&self, _: &u8, _: u8, mut push: impl FnMut(Bounds)) {
        push(self.offered);
    }
}

fn check<const HAS_REWARDS: bool>(game: &Short<HAS_REWARDS>) -> Result<Report, Violation> {
    check_game(game, &0, &Plays::default())
}

/// The fault found, and the step that it was found at.
fn fault<const HAS_REWARDS: bool>(game: &Short<HAS_REWARDS>) -> (Fault, Option<String>) {
    let Violation { path, fault, .. } = check(game).expect_err("a fault");
    (fault, path.last().cloned())
}

fn at(step: &str) -> Option<String> {
    Some(format!("{step} ()"))
}

#[test]
fn rewards_within_the_grid_pass() {
    for rewards in [[0, 0], [3, -4], [2 * LIMIT, LIMIT + 2]] {
        check(&short::<true>(rewards)).unwrap();
    }
    check(&short::<false>([0, 0])).unwrap();
}

#[test]
fn a_reward_beyond_twice_the_limit_is_caught() {
    let refused = |reward| Fault::Reward { reward, limit: LIMIT };
    for reward in [2 * LIMIT + 1, -2 * LIMIT - 1, Score::MAX, Score::MIN] {
        assert_eq!(fault(&short::<true>([reward, 0])), (refused(reward), at("outcome")));
        assert_eq!(fault(&short::<true>([0, reward])), (refused(reward), at("move")));
    }
    assert_eq!(refused(21).to_string(), "reward 21: expected -20 to 20, twice the limit of the grid");
}

/// Each is within its limits; what is left of the game is 2 to the first player, -2 to the other, who moves.
#[test]
fn a_reward_that_leaves_no_room_for_the_value_after_it_is_caught() {
    let worth = |reward| Fault::Worth { reward, below: -2, limit: LIMIT };
    for reward in [LIMIT + 3, -LIMIT - 1] {
        assert_eq!(fault(&short::<true>([0, reward])), (worth(reward), at("move")));
        check(&Short { saturates: true, ..short::<true>([0, reward]) }).unwrap();
    }
    let text = "reward 13 and what it leads to, -2, are worth 11 together: expected -10 to 10";
    assert_eq!(worth(13).to_string(), text);
}

/// What saturates may be of any size, and is a number all the same.
#[test]
fn rewards_that_saturate_have_to_be_numbers() {
    for reward in [2 * LIMIT + 1, Score::MAX, Score::MIN] {
        check(&Short { saturates: true, ..short::<true>([reward, reward]) }).unwrap();
    }
    let none = Short { saturates: true, ..short::<true>([NOT_A_NUMBER, 0]) };
    assert_eq!(fault(&none), (Fault::NotANumber { what: "a reward" }, at("outcome")));
}

#[test]
fn a_reward_where_the_game_says_that_it_has_none_is_caught() {
    assert_eq!(fault(&short::<false>([1, 0])), (Fault::RewardUnsaid { reward: 1 }, at("outcome")));
    assert_eq!(fault(&short::<false>([0, -1])), (Fault::RewardUnsaid { reward: -1 }, at("move")));
}

#[test]
fn a_reward_that_changes_is_caught() {
    let changing = Short { grows: 1, ..short::<true>([0, 0]) };
    let (first, second) = ("0".to_owned(), "1".to_owned());
    assert_eq!(fault(&changing), (Fault::Unsteady { what: "rewards", first, second }, at("outcome")));
}

/// To the outcome's player the end after it is worth 2 less what the other player's move brings; its own
/// reward is not in that.
#[test]
fn bounds_of_outcomes_hold_later_rewards_and_not_the_outcomes_own() {
    for (move_reward, worth) in [(0, 2), (5, -3), (-5, 7), (20, -10), (-20, 10)] {
        let game = |offered| Short { offered, saturates: true, ..short::<true>([7, move_reward]) };
        let report = check(&game(Bounds::exactly(worth))).unwrap();
        assert!(report.bounds_checked > 0, "{report}");
        for wrong in [worth + 1, worth - 1, worth + 7].into_iter().filter(|wrong| wrong.abs() <= LIMIT) {
            let (fault, step) = fault(&game(Bounds::exactly(wrong)));
            assert!(matches!(fault, Fault::OutcomeBounds { .. }), "{wrong} for {worth}: {fault}, {step:?}");
        }
    }
}

/// One hash for two positions whose moves have different rewards.
struct Twins;

impl Game for Twins {
    /// The ply and which of two it is.
    type Position = (u8, u8);

    type Move = u8;
    type Outcome = ();
    const STEPS: Steps = Steps::PLAIN.with_rewards(true);

    fn identity(&self) -> u64 {
        0
    }

    fn kind(&self, &(ply, _): &(u8, u8)) -> NodeKind {
        if ply < 2 { NodeKind::Decision } else { NodeKind::Terminal }
    }

    fn player(&self, _: &(u8, u8)) -> Player {
        Player::Max
    }

    fn terminal_score(&self, _: &(u8, u8)) -> Score {
        0
    }

    fn hash(&self, &(ply, _): &(u8, u8)) -> PositionHash {
        PositionHash::from(u64::from(ply))
    }

    fn moves(&self, &(ply, _): &(u8, u8), push: impl FnMut(u8)) {
        (0..2 - ply).for_each(push);
    }

    fn play(&self, &(ply, _): &(u8, u8), mv: u8) -> (u8, u8) {
        (ply + 1, mv)
    }

    fn reward(&self, &(ply, which): &(u8, u8), _: Step<u8, ()>, _: &(u8, u8)) -> Score {
        if ply == 1 { Score::from(which) } else { 0 }
    }

    fn outcomes(&self, _: &(u8, u8), _: impl FnMut((), u32)) {}

    fn resolve(&self, position: &(u8, u8), (): ()) -> (u8, u8) {
        *position
    }
}

#[test]
fn positions_of_one_hash_have_the_same_rewards() {
    let found = check_game(&Twins, &(0, 0), &Plays::default()).expect_err("two positions of one hash");
    assert!(matches!(found.fault, Fault::HashShared { what: "rewards", .. }), "{found}");
}

#[test]
fn random_graphs_with_rewards_keep_the_rules() {
    let mut bounds = 0;
    for seed in 0..40 {
        let limit = [1, 4, 1 << 20][seed as usize % 3];
        let shape = GraphShape { positions: 20, terminal_percent: 20, limit, ..GraphShape::default() };
        let rewards = Rewards { move_percent: 60, outcome_percent: 60, most: 2 * limit };
        let graph = RandomGraph::new(&shape, seed).expect("the shape is within its limits");
        let game = RewardedGraph::new(graph.clone(), rewards).expect("the rewards are within their limits");
        let (start, plays) = (graph.start(), Plays { games: 20, max_plies: 40, seed });
        bounds += check_game(&game, &start, &plays).unwrap().bounds_checked;
        check_evaluator(&game, &HashRandom::new(seed, limit), &start, &plays).unwrap();
        check_evaluator(&game, &OutcomeBlind::new(&graph, seed, limit), &start, &plays).unwrap();
    }
    assert!(bounds > 1_000, "only {bounds} bounds were checked");
}
