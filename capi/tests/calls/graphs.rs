//! Random games behind functions, with rewards, plies from 0 to 6 and hashes of all forms: what searches of
//! them find, beside plain Expectimax of the games themselves.

#[path = "../../../tests/common/oracle.rs"]
#[expect(dead_code, reason = "others ask it for more")]
mod oracle;

use super::{coin, depth as to_depth, searcher_of, summary_of};
use oracle::Oracle;
use starsplit::evaluator::{Evaluator, HashRandom};
use starsplit::game::{Game, NodeKind, Player, Step};
use starsplit::score::Score;
use starsplit_c::game::{starsplit_game_define, starsplit_game_free};
use starsplit_c::own::{starsplit_game_functions, starsplit_node, starsplit_outcome};
use starsplit_c::position::{starsplit_position_free, starsplit_position_of_bytes};
use starsplit_c::result::{starsplit_result_free, starsplit_summary};
use starsplit_c::searcher::{starsplit_searcher_free, starsplit_searcher_search, starsplit_searcher_set};
use starsplit_c::status::starsplit_status::STARSPLIT_OK;
use starsplit_testkit::{
    EdgePlies, GraphGame, GraphPosition, GraphShape, HashForm, PliedGraph, RandomGraph, RewardedGraph,
    Rewards,
};
use std::ffi::{CStr, c_void};
use std::ptr::null_mut;

const GRAPHS: u64 = 60;
const DEEPEST: u32 = 7;

/// The most plies of a step.
const MOST_PLIES: u8 = 6;

type TheGame = PliedGraph<RewardedGraph>;

/// What the functions are given: a game, its evaluator, and all positions by their numbers.
struct User {
    game: TheGame,
    evaluator: HashRandom,
    positions: Vec<GraphPosition>,
}

impl User {
    /// # Safety
    /// `user` is one, and `at` leads to a position's number.
    unsafe fn at<'a>(user: *mut c_void, at: *const c_void) -> (&'a User, &'a GraphPosition) {
        // SAFETY: the caller's promise.
        unsafe {
            let user = &*user.cast::<User>();
            (user, &user.positions[*at.cast::<u32>() as usize])
        }
    }

    /// A score for the player of `of` as a value for player 0.
    fn value(&self, of: &GraphPosition, score: Score) -> f64 {
        let is_max = self.game.player(of) == Player::Max;
        self.game.facts().grid.value(if is_max { score } else { -score })
    }

    fn step(&self, before: &GraphPosition, step: u32) -> (Step<u32, u32>, GraphPosition) {
        if self.game.kind(before) == NodeKind::Decision {
            (Step::Move(step), self.game.play(before, step))
        } else {
            (Step::Outcome(step), self.game.resolve(before, step))
        }
    }
}

unsafe extern "C" fn describe(user: *mut c_void, at: *const c_void, node: *mut starsplit_node) -> i32 {
    // SAFETY: as the library calls it.
    let (user, position) = unsafe { User::at(user, at) };
    let kind = user.game.kind(position);
    let hash = user.game.hash(position);
    let ends = kind == NodeKind::Terminal;
    let score = if ends { user.game.terminal_score(position) } else { 0 };
    let described = starsplit_node {
        kind: match kind {
            NodeKind::Decision => 0,
            NodeKind::Chance => 1,
            NodeKind::Terminal => 2,
        },
        player: u32::from(user.game.player(position) == Player::Min),
        hash: [hash.high, hash.low],
        terminal_value: user.value(position, score),
        full_depth: 0,
    };
    // SAFETY: a place for it.
    unsafe { *node = described };
    0
}

/// Writes as many of these as there is room for, and gives how many there are.
///
/// # Safety
/// `to` has room for `capacity` of them.
unsafe fn write_all<T: Copy>(from: &[T], to: *mut T, capacity: usize) -> i32 {
    for (place, &one) in from.iter().enumerate().take(capacity) {
        // SAFETY: the caller's promise.
        unsafe { *to.add(place) = one };
    }
    from.len() as i32
}

unsafe extern "C" fn moves(user: *mut c_void, at: *const c_void, to: *mut u32, capacity: usize) -> i32 {
    // SAFETY: as the library calls it.
    let (user, position) = unsafe { User::at(user, at) };
    let mut moves = Vec::new();
    user.game.moves(position, |mv| moves.push(mv));
    // SAFETY: as above.
    unsafe { write_all(&moves, to, capacity) }
}

unsafe extern "C" fn outcomes(
    user: *mut c_void,
    at: *const c_void,
    to: *mut starsplit_outcome,
    capacity: usize,
) -> i32 {
    // SAFETY: as the library calls it.
    let (user, position) = unsafe { User::at(user, at) };
    let mut outcomes = Vec::new();
    user.game.outcomes(position, |outcome, weight| outcomes.push(starsplit_outcome { outcome, weight }));
    // SAFETY: as above.
    unsafe { write_all(&outcomes, to, capacity) }
}

unsafe extern "C" fn take(user: *mut c_void, at: *const c_void, step: u32, after: *mut c_void) -> i32 {
    // SAFETY: as the library calls it.
    unsafe {
        let (user, position) = User::at(user, at);
        *after.cast::<u32>() = user.step(position, step).1.index;
    }
    0
}

unsafe extern "C" fn evaluate(
    user: *mut c_void,
    positions: *const *const c_void,
    count: usize,
    values: *mut f64,
) -> i32 {
    for place in 0..count {
        // SAFETY: so many positions, and so many values.
        unsafe {
            let (user, position) = User::at(user, *positions.add(place));
            let score = user.evaluator.evaluate(&user.game, position, &());
            *values.add(place) = user.value(position, score);
        }
    }
    0
}

unsafe extern "C" fn reward(
    user: *mut c_void,
    at: *const c_void,
    step: u32,
    _: *const c_void,
    reward: *mut f64,
) -> i32 {
    // SAFETY: as the library calls it.
    unsafe {
        let (user, position) = User::at(user, at);
        let (step, after) = user.step(position, step);
        *reward = user.value(position, user.game.reward(position, step, &after));
    }
    0
}

unsafe extern "C" fn plies(
    user: *mut c_void,
    at: *const c_void,
    step: u32,
    _: *const c_void,
    plies: *mut u32,
) -> i32 {
    // SAFETY: as the library calls it.
    unsafe {
        let (user, position) = User::at(user, at);
        let (step, after) = user.step(position, step);
        *plies = user.game.plies(position, step, &after).into();
    }
    0
}

fn functions(game: &TheGame, seed: u64) -> starsplit_game_functions {
    let facts = game.facts();
    let (grid, limit) = (facts.grid, facts.grid.limit());
    starsplit_game_functions {
        name: c"graph".as_ptr(),
        rules_identity: seed,
        evaluator_identity: seed,
        position_size: size_of::<u32>(),
        low: grid.value(-limit),
        high: grid.value(limit),
        grid_limit: limit,
        evaluation_fixed_ns: if seed.is_multiple_of(3) { 10_000 } else { 0 },
        describe: Some(describe),
        moves: Some(moves),
        play: Some(take),
        outcomes: Some(outcomes),
        resolve: Some(take),
        evaluate: Some(evaluate),
        reward: Some(reward),
        plies: Some(plies),
        saturates: facts.saturates.into(),
        successor_ns: [0, 20, 2_000][seed as usize % 3],
        ..coin::functions()
    }
}

/// A random game.
fn game_of(seed: u64) -> TheGame {
    let limit = [1, 4, 1 << 20][seed as usize / 3 % 3];
    let (positions, cycles) = (8 + seed as u32 % 30, !seed.is_multiple_of(4));
    let shape = GraphShape { positions, limit, cycles, successors: 1..=3, ..GraphShape::default() };
    let graph = RandomGraph::new(&shape, seed).expect("the shape is within its limits");
    let graph = graph.with_hashes(HashForm::drawn_by(seed));
    let rewards = Rewards { move_percent: 60, outcome_percent: 60, most: 2 * limit };
    let plies = EdgePlies { none_percent: 40, more_percent: 50, most: MOST_PLIES };
    let rewarded = RewardedGraph::new(graph, rewards).expect("they are within their limits");
    PliedGraph::new(rewarded, plies).expect("they are within their limits")
}

/// What searches of a position to a depth find, by options, one after the other on one table.
fn search(user: &mut User, functions: &starsplit_game_functions, depth: u32) -> Vec<starsplit_summary> {
    let start = user.game.graph().start().index;
    let user = (&raw mut *user).cast();
    let (mut game, mut position) = (null_mut(), null_mut());
    let (limits, none) = (to_depth(depth), null_mut());
    let options: [&[(&CStr, &CStr)]; 5] = [
        &[(c"algorithm", c"star2")],
        &[(c"algorithm", c"star1")],
        &[(c"algorithm", c"expectimax")],
        &[(c"algorithm", c"star2"), (c"threads", c"2")],
        &[(c"threads", c"1"), (c"lanes", c"4"), (c"batch", c"8")],
    ];
    // SAFETY: handles, texts and places that live.
    unsafe {
        assert_eq!(starsplit_game_define(functions, user, &raw mut game, none), STARSPLIT_OK);
        let status = starsplit_position_of_bytes(game, (&raw const start).cast(), &raw mut position, none);
        assert_eq!(status, STARSPLIT_OK);
        let searcher = searcher_of(game);
        let found = options.map(|options| {
            for (option, value) in options {
                let status = starsplit_searcher_set(searcher, option.as_ptr(), value.as_ptr(), none);
                assert_eq!(status, STARSPLIT_OK, "{option:?}");
            }
            let (mut result, stop) = (null_mut(), null_mut());
            let status =
                starsplit_searcher_search(searcher, position, &limits, None, stop, &raw mut result, none);
            assert_eq!(status, STARSPLIT_OK);
            let summary = summary_of(result);
            starsplit_result_free(result);
            summary
        });
        starsplit_searcher_free(searcher);
        starsplit_position_free(position);
        starsplit_game_free(game);
        found.to_vec()
    }
}

#[test]
fn random_games_with_rewards_and_plies_have_the_oracles_values() {
    let (mut clamped, mut none, mut more) = (0, 0, 0);
    for seed in 0..GRAPHS {
        let game = game_of(seed);
        let evaluator = HashRandom::new(seed, game.facts().grid.limit());
        let functions = functions(&game, seed);
        let (positions, depth) = (game.graph().positions().collect(), 2 + seed as u32 % (DEEPEST - 1));
        let mut user = User { game: game.clone(), evaluator, positions };
        let mut oracle = Oracle::new(&game, &user.evaluator);
        let start = game.graph().start();
        let sign = if game.player(&start) == Player::Max { 1 } else { -1 };
        let value = sign * oracle.value(&start, depth);
        clamped += oracle.clamped;
        none += oracle.plies_none;
        more += oracle.plies_more;
        for (place, found) in search(&mut user, &functions, depth).into_iter().enumerate() {
            let scores = [found.lower_score, found.upper_score].map(i64::from);
            assert_eq!(
                (scores, found.is_exact, found.contradictions),
                ([value; 2], true, 0),
                "{seed} {place}"
            );
            let is_free = functions.evaluation_fixed_ns == 0;
            assert_eq!(found.evaluation_assumed, is_free, "{seed}");
            assert_eq!(found.successors_assumed, functions.successor_ns == 0, "{seed}");
        }
    }
    assert!(clamped > 0 && none > 0 && more > 0, "{clamped} {none} {more}");
}
