//! A game that is a table of functions in C, with its evaluation.
#![allow(unsafe_code, reason = "the functions are the caller's")]

use crate::pointers::Sized_;
use crate::status::{Failure, or_end};
use starsplit::evaluator::{
    Abilities, Before, EvaluationCost, EvaluationError, Evaluator, EvaluatorFacts, mix64,
};
use starsplit::game::{Game, GameFacts, NodeKind, Player, PositionHash, Step, Steps, Texts};
use starsplit::score::{Grid, Score};
use starsplit::search::MAX_MOVE_SLOTS;
use std::ffi::{c_char, c_void};
use std::fmt;
use std::sync::Arc;

/// What happens next at a position.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum starsplit_kind {
    /// A player moves.
    STARSPLIT_DECISION = 0,
    /// Chance has one of its outcomes.
    STARSPLIT_CHANCE = 1,
    /// The game is over.
    STARSPLIT_TERMINAL = 2,
}

/// What a game says of a position. Values are in the game's units, as player 0 sees them.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct starsplit_node {
    /// A `starsplit_kind`.
    pub kind: u32,
    /// Whose position it is: the player who moves, 0 or 1. At chance nodes and at the end either will do, and
    /// searches are cheapest where it changes seldom. Player 0 wants much, player 1 little.
    pub player: u32,
    /// 128 bits that differ between positions, the player to move and what is pending among them: two
    /// positions are taken for the same where all 128 are equal. In which bits hashes differ does not matter.
    pub hash: [u64; 2],
    /// The value of a terminal position; not looked at elsewhere.
    pub terminal_value: f64,
    /// How many plies can follow at the most, 0 where nobody knows.
    pub full_depth: u32,
}

/// An outcome of a chance node. Its probability is its weight over the sum of all weights.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct starsplit_outcome {
    /// A number that `resolve` knows.
    pub outcome: u32,
    /// At least 1; those of a node sum to less than 2^32.
    pub weight: u32,
}

/// A position is copied at every node. Those of at most so many bytes, of games without rewards and plies of
/// their own, are copied fastest.
pub const STARSPLIT_SMALL_POSITION: usize = 64;

/// The most bytes that a position may have.
pub const STARSPLIT_LARGEST_POSITION: usize = 512;

/// A game: functions of positions, which are `position_size` bytes each, aligned as 16 bytes are, copied as
/// bytes, never compared. Set what is not needed to 0 or NULL, as `starsplit_game_functions f = {.size =
/// sizeof f, ...}` does.
///
/// Each function is given `user`, as it was handed to `starsplit_game_define`. They are functions of their
/// arguments alone; all threads of a search call them at once, and none may keep a pointer that it was given,
/// jump out or throw. Those that give an `int` give 0, or any other number where they fail: the search then
/// ends with `STARSPLIT_ERROR_CALLBACK` and this number.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct starsplit_game_functions {
    /// `sizeof(starsplit_game_functions)`.
    pub size: usize,
    /// The game's name, for messages; copied.
    pub name: *const c_char,
    /// A number that differs between rules under which a position has another value.
    pub rules_identity: u64,
    /// A number that differs between evaluations that differ anywhere.
    pub evaluator_identity: u64,
    /// How many bytes a position has, 1 to `STARSPLIT_LARGEST_POSITION`.
    pub position_size: usize,
    /// The least value of the game, for player 0.
    pub low: f64,
    /// The greatest value of the game, for player 0.
    pub high: f64,
    /// Values are told apart in steps of half the range over this; 0 for the finest, 2^23 - 1.
    pub grid_limit: i32,
    /// By how many plies iterations deepen: 0 for 1; 2 where chance and decisions alternate strictly.
    pub depth_step: u32,
    /// How many different numbers moves have, where they are small and "the same" move has the same number in
    /// different positions: 0 to 2^20, 0 where they are not. Moves are tried in the order of what they were
    /// worth.
    pub move_slots: u32,
    /// What each call of `evaluate` costs however many positions it is for, in nanoseconds; a hint, from
    /// which the search chooses whether to evaluate in batches.
    pub evaluation_fixed_ns: u32,
    /// What each position costs beside that; 0 for 30.
    pub evaluation_each_ns: u32,
    /// 1 where `evaluate` gives every position after a chance node's outcomes one value, as where the roll is
    /// not looked at: then they are evaluated once, which saves most nodes.
    pub evaluation_ignores_outcomes: u32,
    /// 1 where no outcome ever ends the game, so that the search need not look.
    pub outcomes_never_end: u32,
    /// Describes a position. Called once for each that is made.
    pub describe: Option<
        unsafe extern "C" fn(user: *mut c_void, position: *const c_void, node: *mut starsplit_node) -> i32,
    >,
    /// Writes the moves of a decision node to `moves`, at most `capacity` of them, in an order that depends
    /// on the position alone. Gives how many there are, which may be more (it is called again with more
    /// room), or a negative number where it fails.
    pub moves: Option<
        unsafe extern "C" fn(
            user: *mut c_void,
            position: *const c_void,
            moves: *mut u32,
            capacity: usize,
        ) -> i32,
    >,
    /// Writes the position after a move to `after`, which is all zeros.
    pub play: Option<
        unsafe extern "C" fn(user: *mut c_void, position: *const c_void, mv: u32, after: *mut c_void) -> i32,
    >,
    /// Writes the outcomes of a chance node with their weights, the likeliest first; as `moves` does.
    pub outcomes: Option<
        unsafe extern "C" fn(
            user: *mut c_void,
            position: *const c_void,
            outcomes: *mut starsplit_outcome,
            capacity: usize,
        ) -> i32,
    >,
    /// Writes the position after an outcome to `after`, which is all zeros.
    pub resolve: Option<
        unsafe extern "C" fn(
            user: *mut c_void,
            position: *const c_void,
            outcome: u32,
            after: *mut c_void,
        ) -> i32,
    >,
    /// Writes the static evaluation of each of `count` positions to `values`, for player 0: the same number
    /// whatever the other positions are.
    pub evaluate: Option<
        unsafe extern "C" fn(
            user: *mut c_void,
            positions: *const *const c_void,
            count: usize,
            values: *mut f64,
        ) -> i32,
    >,
    /// Writes what a move, or an outcome at a chance node, pays player 0 at once, where there is anything
    /// such.
    pub reward: Option<
        unsafe extern "C" fn(
            user: *mut c_void,
            position: *const c_void,
            step: u32,
            after: *const c_void,
            reward: *mut f64,
        ) -> i32,
    >,
    /// Writes how many plies a move or an outcome takes, where that is not always 1. No chain of moves and
    /// outcomes that take none may go on for ever.
    pub plies: Option<
        unsafe extern "C" fn(
            user: *mut c_void,
            position: *const c_void,
            step: u32,
            after: *const c_void,
            plies: *mut u32,
        ) -> i32,
    >,
    /// 1 where values, evaluations and rewards beyond `low` and `high` are meant as these ends, and what a
    /// reward makes of the value that follows it as well. With 0 a search that meets one ends with
    /// `STARSPLIT_ERROR_SEARCH` and a message that names it.
    pub saturates: u32,
    /// What a successor costs, with its share of `moves` or `outcomes`, in nanoseconds: a hint that may save
    /// most of a search's time. 0 where it was not measured.
    pub successor_ns: u32,
}

// SAFETY: `repr(C)`, the size first; numbers, pointers and functions that may be missing can be all zeros.
unsafe impl Sized_ for starsplit_game_functions {}

impl fmt::Debug for starsplit_game_functions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("starsplit_game_functions").finish_non_exhaustive()
    }
}

/// The same, checked, with what is given to all of them.
pub(crate) struct Functions {
    pub(crate) name: String,
    grid: Grid,
    table: starsplit_game_functions,
    user: *mut c_void,
}

// SAFETY: the pointer is only handed to the caller's functions, of which the caller promises that threads may
// call them at once.
unsafe impl Send for Functions {}
// SAFETY: as above.
unsafe impl Sync for Functions {}

impl Functions {
    /// # Errors
    /// When one that is needed is missing, or a number is out of its range.
    pub(crate) fn new(
        table: starsplit_game_functions,
        name: String,
        user: *mut c_void,
    ) -> Result<Self, Failure> {
        let present = [
            ("describe", table.describe.is_some()),
            ("moves", table.moves.is_some()),
            ("play", table.play.is_some()),
            ("outcomes", table.outcomes.is_some()),
            ("resolve", table.resolve.is_some()),
            ("evaluate", table.evaluate.is_some()),
        ];
        if let Some((missing, _)) = present.iter().find(|(_, is_there)| !is_there) {
            return Err(Failure::argument(format_args!("functions.{missing}: NULL, expected a function")));
        }
        check("position_size", table.position_size as u64, 1, STARSPLIT_LARGEST_POSITION as u64)?;
        check("depth_step", table.depth_step.into(), 0, 255)?;
        check("move_slots", table.move_slots.into(), 0, MAX_MOVE_SLOTS as u64)?;
        let grid = match table.grid_limit {
            0 => Grid::new(table.low, table.high),
            limit => Grid::with_limit(table.low, table.high, limit),
        };
        Ok(Functions { name, grid: grid.map_err(Failure::argument)?, table, user })
    }

    /// Whether positions need the type of game that has all there is.
    pub(crate) fn is_rich(&self) -> bool {
        let Functions { table, .. } = self;
        table.reward.is_some() || table.plies.is_some() || table.position_size > STARSPLIT_SMALL_POSITION
    }

    pub(crate) fn grid(&self) -> Grid {
        self.grid
    }

    /// The position of these bytes.
    ///
    /// # Errors
    /// When `describe` fails, or says what cannot be.
    ///
    /// # Safety
    /// `bytes` leads to as many bytes as positions have.
    pub(crate) unsafe fn position<const N: usize>(
        &self,
        bytes: *const c_void,
    ) -> Result<OwnPosition<N>, Failure> {
        let mut position = OwnPosition::<N>::EMPTY;
        // SAFETY: the caller's promise; `N` is no less than the size, for `is_rich` chooses it.
        unsafe {
            let to = (&raw mut position.bytes).cast::<u8>();
            bytes.cast::<u8>().copy_to_nonoverlapping(to, self.table.position_size);
        }
        self.describe(&mut position)?;
        Ok(position)
    }

    fn describe<const N: usize>(&self, position: &mut OwnPosition<N>) -> Result<(), Failure> {
        let mut node = starsplit_node::default();
        // SAFETY: what the table asks of the function.
        let code = called(self.table.describe, |f| unsafe { f(self.user, position.bytes(), &raw mut node) });
        succeeded("describe", code)?;
        let gave = |field: &str, found: u32, most: u32| {
            Failure::callback_gave("describe", format_args!("{field} {found}, expected at most {most}"))
        };
        if node.kind > starsplit_kind::STARSPLIT_TERMINAL as u32 {
            return Err(gave("kind", node.kind, 2));
        }
        if node.player > 1 {
            return Err(gave("player", node.player, 1));
        }
        if node.kind == starsplit_kind::STARSPLIT_TERMINAL as u32 {
            finite("describe", node.terminal_value)?;
        }
        position.node = node;
        Ok(())
    }

    /// The position after a step, which `make` writes.
    fn after<const N: usize>(
        &self,
        name: &str,
        make: impl FnOnce(*mut c_void) -> i32,
    ) -> Result<OwnPosition<N>, Failure> {
        let mut after = OwnPosition::<N>::EMPTY;
        succeeded(name, make((&raw mut after.bytes).cast()))?;
        self.describe(&mut after)?;
        Ok(after)
    }

    fn score(&self, player: Player, value: f64) -> Score {
        for_player(player, self.grid.score(value))
    }

    /// A reward in steps of the grid, as player 0 sees it.
    fn reward_steps<const N: usize>(
        &self,
        before: &OwnPosition<N>,
        step: u32,
        after: &OwnPosition<N>,
    ) -> Score {
        if self.table.reward.is_none() {
            return 0;
        }
        let mut reward = 0.0;
        // SAFETY: what the table asks of the function.
        let code = called(self.table.reward, |f| unsafe {
            f(self.user, before.bytes(), step, after.bytes(), &raw mut reward)
        });
        or_end(succeeded("reward", code));
        or_end(finite("reward", reward));
        self.grid.steps(reward)
    }

    fn plies_of<const N: usize>(&self, before: &OwnPosition<N>, step: u32, after: &OwnPosition<N>) -> u8 {
        if self.table.plies.is_none() {
            return 1;
        }
        let mut plies = 1;
        // SAFETY: what the table asks of the function.
        let code = called(self.table.plies, |f| unsafe {
            f(self.user, before.bytes(), step, after.bytes(), &raw mut plies)
        });
        or_end(succeeded("plies", code));
        plies.min(255) as u8
    }

    /// What `fill` writes into rooms for so many.
    fn listed<T: Copy + Default>(&self, name: &str, fill: impl Fn(&mut [T]) -> i32, mut push: impl FnMut(T)) {
        const USUAL: usize = 128;
        let mut usual = [T::default(); USUAL];
        let found = fill(&mut usual);
        let Ok(count) = usize::try_from(found) else { return or_end(Err(Failure::callback(name, found))) };
        if let Some(found) = usual.get(..count) {
            return found.iter().for_each(|&item| push(item));
        }
        let mut large = vec![T::default(); count];
        let again = fill(&mut large);
        if usize::try_from(again) != Ok(count) {
            let what = format_args!("{again}, and {count} before, expected one number for one position");
            return or_end(Err(Failure::callback_gave(name, what)));
        }
        large.into_iter().for_each(push);
    }

    /// The evaluations of these positions as player 0 sees them.
    fn evaluate(&self, positions: &[*const c_void], values: &mut [f64]) -> Result<(), Failure> {
        // SAFETY: what the table asks of the function; there are as many values as positions.
        let code = called(self.table.evaluate, |f| unsafe {
            f(self.user, positions.as_ptr(), positions.len(), values.as_mut_ptr())
        });
        succeeded("evaluate", code)?;
        values.iter().try_for_each(|&value| finite("evaluate", value))
    }
}

/// Calls a function that is there, by [`Functions::new`].
fn called<F>(function: Option<F>, call: impl FnOnce(F) -> i32) -> i32 {
    function.map_or(-1, call)
}

fn check(name: &str, found: u64, least: u64, most: u64) -> Result<(), Failure> {
    if (least..=most).contains(&found) {
        return Ok(());
    }
    Err(Failure::argument(format_args!("functions.{name} {found}: expected {least} to {most}")))
}

/// Whether a function of the caller's gave 0.
pub(crate) fn succeeded(name: &str, code: i32) -> Result<(), Failure> {
    if code == 0 { Ok(()) } else { Err(Failure::callback(name, code)) }
}

fn finite(name: &str, value: f64) -> Result<(), Failure> {
    if value.is_finite() {
        return Ok(());
    }
    Err(Failure::callback_gave(name, format_args!("{value}, expected a finite number")))
}

fn for_player(player: Player, score: Score) -> Score {
    match player {
        Player::Max => score,
        Player::Min => -score,
    }
}

/// A position: the caller's bytes, and what the caller says of it.
#[derive(Clone, Copy, Debug)]
pub struct OwnPosition<const N: usize> {
    bytes: Aligned<N>,
    node: starsplit_node,
}

#[derive(Clone, Copy, Debug)]
#[repr(C, align(16))]
struct Aligned<const N: usize>([u8; N]);

impl<const N: usize> OwnPosition<N> {
    const EMPTY: Self = OwnPosition {
        bytes: Aligned([0; N]),
        node: starsplit_node { kind: 0, player: 0, hash: [0; 2], terminal_value: 0.0, full_depth: 0 },
    };

    pub(crate) fn bytes(&self) -> *const c_void {
        (&raw const self.bytes).cast()
    }

    pub(crate) fn kind(&self) -> NodeKind {
        match self.node.kind {
            0 => NodeKind::Decision,
            1 => NodeKind::Chance,
            _ => NodeKind::Terminal,
        }
    }

    pub(crate) fn player(&self) -> Player {
        if self.node.player == 0 { Player::Max } else { Player::Min }
    }

    /// As player 0 sees it.
    pub(crate) fn terminal_value(&self) -> f64 {
        self.node.terminal_value
    }
}

/// The game that the functions are. `RICH`: with rewards and plies.
#[derive(Clone)]
pub(crate) struct OwnGame<const N: usize, const RICH: bool>(pub(crate) Arc<Functions>);

impl<const N: usize, const RICH: bool> fmt::Debug for OwnGame<N, RICH> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("OwnGame").field(&self.0.name).finish()
    }
}

impl<const N: usize, const RICH: bool> Game for OwnGame<N, RICH> {
    type Position = OwnPosition<N>;
    type Move = u32;
    type Outcome = u32;
    const STEPS: Steps = Steps::PLAIN.with_rewards(RICH).with_plies(RICH);

    fn identity(&self) -> u64 {
        // A game of one's own is none of those that have a name.
        let identity = mix64(self.0.table.rules_identity ^ 0x6f77_6e67_616d_6531);
        if self.0.table.saturates != 0 { mix64(identity ^ 0x7361_7475_7261_7465) } else { identity }
    }

    fn facts(&self) -> GameFacts {
        GameFacts::new(self.0.grid)
            .saturating(self.0.table.saturates != 0)
            .with_outcomes_never_end(self.0.table.outcomes_never_end != 0)
            .with_depth_step(self.0.table.depth_step.clamp(1, 255) as u8)
            .with_move_slots(self.0.table.move_slots as usize)
            .with_successor_ns(self.0.table.successor_ns)
    }

    fn kind(&self, position: &OwnPosition<N>) -> NodeKind {
        position.kind()
    }

    fn player(&self, position: &OwnPosition<N>) -> Player {
        position.player()
    }

    fn terminal_score(&self, position: &OwnPosition<N>) -> Score {
        self.0.score(position.player(), position.node.terminal_value)
    }

    fn hash(&self, position: &OwnPosition<N>) -> PositionHash {
        PositionHash { high: position.node.hash[0], low: position.node.hash[1] }
    }

    fn moves(&self, position: &OwnPosition<N>, push: impl FnMut(u32)) {
        let Functions { table, user, .. } = &*self.0;
        let fill = |moves: &mut [u32]| {
            let (list, capacity) = (moves.as_mut_ptr(), moves.len());
            // SAFETY: what the table asks of the function; there is as much room as it is told.
            called(table.moves, |f| unsafe { f(*user, position.bytes(), list, capacity) })
        };
        self.0.listed("moves", fill, push);
    }

    fn play(&self, position: &OwnPosition<N>, mv: u32) -> OwnPosition<N> {
        let Functions { table, user, .. } = &*self.0;
        let make = |after| {
            // SAFETY: what the table asks of the function; `after` has as many bytes as a position.
            called(table.play, |f| unsafe { f(*user, position.bytes(), mv, after) })
        };
        or_end(self.0.after("play", make))
    }

    fn reward(&self, before: &OwnPosition<N>, step: Step<u32, u32>, after: &OwnPosition<N>) -> Score {
        let (Step::Move(step) | Step::Outcome(step)) = step;
        for_player(before.player(), self.0.reward_steps(before, step, after))
    }

    fn plies(&self, before: &OwnPosition<N>, step: Step<u32, u32>, after: &OwnPosition<N>) -> u8 {
        let (Step::Move(step) | Step::Outcome(step)) = step;
        self.0.plies_of(before, step, after)
    }

    fn outcomes(&self, position: &OwnPosition<N>, mut push: impl FnMut(u32, u32)) {
        let Functions { table, user, .. } = &*self.0;
        let fill = |outcomes: &mut [starsplit_outcome]| {
            let (list, capacity) = (outcomes.as_mut_ptr(), outcomes.len());
            // SAFETY: what the table asks of the function; there is as much room as it is told.
            called(table.outcomes, |f| unsafe { f(*user, position.bytes(), list, capacity) })
        };
        self.0.listed("outcomes", fill, |starsplit_outcome { outcome, weight }| push(outcome, weight));
    }

    fn resolve(&self, position: &OwnPosition<N>, outcome: u32) -> OwnPosition<N> {
        let Functions { table, user, .. } = &*self.0;
        let make = |after| {
            // SAFETY: what the table asks of the function; `after` has as many bytes as a position.
            called(table.resolve, |f| unsafe { f(*user, position.bytes(), outcome, after) })
        };
        or_end(self.0.after("resolve", make))
    }

    fn move_slot(&self, mv: u32) -> usize {
        // A number beyond them is a hint gone astray, and nothing worse.
        mv as usize % (self.0.table.move_slots as usize).max(1)
    }

    fn full_depth(&self, position: &OwnPosition<N>) -> Option<u32> {
        match (position.kind(), position.node.full_depth) {
            (NodeKind::Terminal, _) => Some(0),
            (_, 0) => None,
            (_, depth) => Some(depth),
        }
    }
}

impl<const N: usize, const RICH: bool> Texts for OwnGame<N, RICH> {}

/// The evaluation that the functions are.
#[derive(Clone)]
pub(crate) struct OwnEvaluator(pub(crate) Arc<Functions>);

impl fmt::Debug for OwnEvaluator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("OwnEvaluator").field(&self.0.name).finish()
    }
}

impl<const N: usize, const RICH: bool> Evaluator<OwnGame<N, RICH>> for OwnEvaluator {
    type State = ();
    const ABILITIES: Abilities = Abilities::NONE.with_batches(true).ignoring_some_outcomes();

    fn facts(&self, _: &OwnGame<N, RICH>) -> EvaluatorFacts {
        EvaluatorFacts::new(mix64(self.0.table.evaluator_identity ^ 0x6f77_6e65_7661_6c31)).with_cost({
            let starsplit_game_functions { evaluation_fixed_ns, evaluation_each_ns, .. } = self.0.table;
            let usual = if evaluation_fixed_ns > 0 { 30 } else { 0 };
            let each_ns = if evaluation_each_ns == 0 { usual } else { evaluation_each_ns };
            EvaluationCost { fixed_ns: evaluation_fixed_ns, each_ns }
        })
    }

    fn state(&self, _: &OwnGame<N, RICH>, _: &OwnPosition<N>, _: Option<Before<'_, OwnGame<N, RICH>, ()>>) {}

    fn ignores_outcome(&self, _: &OwnGame<N, RICH>, _: &OwnPosition<N>) -> bool {
        self.0.table.evaluation_ignores_outcomes != 0
    }

    fn evaluate(&self, _: &OwnGame<N, RICH>, position: &OwnPosition<N>, (): &()) -> Score {
        let mut value = [f64::NAN];
        or_end(self.0.evaluate(&[position.bytes()], &mut value));
        self.0.score(position.player(), value[0])
    }

    fn evaluate_many(
        &self,
        _: &OwnGame<N, RICH>,
        nodes: &[(&OwnPosition<N>, &())],
        scores: &mut [Score],
    ) -> Result<(), EvaluationError> {
        let positions: Vec<_> = nodes.iter().map(|(position, ())| position.bytes()).collect();
        let mut values = vec![f64::NAN; nodes.len()];
        let done = self.0.evaluate(&positions, &mut values);
        done.map_err(|failure| EvaluationError::new(failure.carried()))?;
        for ((score, &(position, ())), value) in scores.iter_mut().zip(nodes).zip(values) {
            *score = self.0.score(position.player(), value);
        }
        Ok(())
    }
}
