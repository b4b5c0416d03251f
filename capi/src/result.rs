//! What a search answers.
#![allow(unsafe_code, reason = "handles are pointers")]

use crate::pointers::{c_text, free, leave, present, reference, write_sized};
use crate::status::{Failure, guard, starsplit_error, starsplit_status};
use starsplit::game::{Player, Step};
use starsplit::score::{Bounds, Grid, Score};
use starsplit::search::{Iteration, RootMove, Stats, StopReason};
use starsplit_doors::door::Answer;
use std::ffi::{CString, c_char};
use std::time::Duration;

/// Why a search ended.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum starsplit_ending {
    /// It reached the depth asked for.
    STARSPLIT_BY_DEPTH = 0,
    /// The limit of nodes was reached.
    STARSPLIT_BY_NODES = 1,
    /// The limit of time was reached.
    STARSPLIT_BY_TIME = 2,
    /// It was told to stop.
    STARSPLIT_BY_STOP = 3,
    /// It goes on: this is one of its iterations.
    STARSPLIT_GOES_ON = 4,
}

/// What a search found. Values are in the game's units, scores in steps of the grid, both as player 0 sees
/// them.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct starsplit_summary {
    /// `sizeof(starsplit_summary)`, to be set by the caller.
    pub size: usize,
    /// The depth of the last completed iteration, in plies; 0 where none was completed.
    pub depth: u32,
    /// Why it ended.
    pub ending: starsplit_ending,
    /// Whether the value is known exactly, to the last bit of the grid: it is wherever an iteration was
    /// completed.
    pub is_exact: bool,
    /// The value at that depth; where it is not exact, the middle of the bounds; not a number at depth 0.
    pub value: f64,
    /// What is proven of it.
    pub lower: f64,
    /// What is proven of it.
    pub upper: f64,
    /// The lower bound in steps of the grid: what to compare.
    pub lower_score: i32,
    /// The upper bound in steps of the grid.
    pub upper_score: i32,
    /// How many nodes were visited, over all iterations and threads.
    pub nodes: u64,
    /// How many evaluations were made.
    pub evaluations: u64,
    /// How many times evaluations were made in a batch, where they were.
    pub batches: u64,
    /// Wall time in nanoseconds.
    pub elapsed_ns: u64,
    /// How many moves are ranked: `starsplit_result_move` gives them.
    pub move_count: usize,
    /// How many moves and outcomes the principal line has: `starsplit_result_step` gives them.
    pub step_count: usize,
    /// How many proofs contradicted each other. Unless it is 0 a game's hashes, rules or evaluations break
    /// the contract (or an option had searches reuse what is known of other depths), and the value may be
    /// wrong; 0 proves nothing.
    pub contradictions: u64,
    /// How long another search had the threads when this one wanted them, in nanoseconds; it searched alone
    /// meanwhile.
    pub waited_ns: u64,
    /// Whether other threads were called.
    pub had_helpers: bool,
    /// Whether the search took a price of evaluations for granted, since the game declares none.
    pub evaluation_assumed: bool,
    /// Whether it knew nothing of the price of successors, since the game declares none.
    pub successors_assumed: bool,
}

/// A move of the root with its own value.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct starsplit_ranked_move {
    /// `sizeof(starsplit_ranked_move)`, to be set by the caller.
    pub size: usize,
    /// In the game's words, which belong to the result; of a game of one's own its number, written out.
    pub text: *const c_char,
    /// Its value, reward included, for player 0.
    pub value: f64,
    /// The same in steps of the grid.
    pub score: i32,
}

/// What a search, or one iteration of it, answered.
#[derive(Debug)]
pub struct starsplit_result {
    summary: starsplit_summary,
    best_move: Option<CString>,
    moves: Vec<(CString, f64, Score)>,
    /// The line's steps, and which of them are moves.
    steps: Vec<(CString, bool)>,
}

/// What a result is made of.
struct Found<'a> {
    depth: u32,
    bounds: Bounds,
    best_move: Option<&'a str>,
    pv: &'a [Step<String, String>],
    root_moves: &'a [RootMove<String>],
    nodes: u64,
    stats: &'a Stats,
    batches: u64,
    elapsed: Duration,
    waited: Duration,
    had_helpers: bool,
    /// Of evaluations and of successors, whether their prices were taken for granted.
    assumed: (bool, bool),
    ending: starsplit_ending,
}

impl starsplit_result {
    pub(crate) fn of_answer(grid: Grid, viewer: Player, answer: &Answer) -> Self {
        let ending = match answer.stopped_by {
            StopReason::Depth => starsplit_ending::STARSPLIT_BY_DEPTH,
            StopReason::Nodes => starsplit_ending::STARSPLIT_BY_NODES,
            StopReason::Time => starsplit_ending::STARSPLIT_BY_TIME,
            _ => starsplit_ending::STARSPLIT_BY_STOP,
        };
        let found = Found {
            depth: answer.depth,
            bounds: answer.bounds,
            best_move: answer.best_move.as_deref(),
            pv: &answer.pv,
            root_moves: &answer.root_moves,
            nodes: answer.stats.nodes.total(),
            stats: &answer.stats,
            batches: answer.stats.batches.calls,
            elapsed: answer.elapsed,
            waited: answer.waited,
            had_helpers: answer.had_helpers,
            assumed: (answer.chosen.evaluation_assumed, answer.chosen.successors_assumed),
            ending,
        };
        Self::new(grid, viewer, &found)
    }

    pub(crate) fn of_iteration(grid: Grid, viewer: Player, iteration: &Iteration<String, String>) -> Self {
        let found = Found {
            depth: iteration.depth,
            bounds: iteration.bounds,
            best_move: iteration.best_move.as_deref(),
            pv: &iteration.pv,
            root_moves: &iteration.root_moves,
            nodes: iteration.nodes,
            stats: &iteration.stats,
            batches: 0,
            elapsed: iteration.elapsed,
            waited: Duration::ZERO,
            had_helpers: false,
            assumed: (false, false),
            ending: starsplit_ending::STARSPLIT_GOES_ON,
        };
        Self::new(grid, viewer, &found)
    }

    fn new(grid: Grid, viewer: Player, found: &Found<'_>) -> Self {
        let for_max = |bounds| for_max(viewer, bounds);
        let bounds = for_max(found.bounds);
        let (lower, upper) = (grid.value(bounds.lower), grid.value(bounds.upper));
        let is_exact = found.depth > 0 && bounds.is_exact();
        let value = match found.depth {
            0 => f64::NAN,
            _ if is_exact => lower,
            _ => f64::midpoint(lower, upper),
        };
        let ns = |time: Duration| u64::try_from(time.as_nanos()).unwrap_or(u64::MAX);
        // The others have bounds alone.
        let exact = || found.root_moves.iter().filter(|ranked| ranked.bounds.is_exact());
        let ranked =
            |ranked: &RootMove<String>| (c_text(&ranked.mv), ranked.value, for_max(ranked.bounds).lower);
        let summary = starsplit_summary {
            size: size_of::<starsplit_summary>(),
            depth: found.depth,
            ending: found.ending,
            is_exact,
            value,
            lower,
            upper,
            lower_score: bounds.lower,
            upper_score: bounds.upper,
            nodes: found.nodes,
            evaluations: found.stats.nodes.evaluations,
            batches: found.batches,
            elapsed_ns: ns(found.elapsed),
            move_count: exact().count(),
            step_count: found.pv.len(),
            contradictions: found.stats.table.contradictions,
            waited_ns: ns(found.waited),
            had_helpers: found.had_helpers,
            evaluation_assumed: found.assumed.0,
            successors_assumed: found.assumed.1,
        };
        starsplit_result {
            summary,
            best_move: found.best_move.map(c_text),
            moves: exact().map(ranked).collect(),
            steps: found.pv.iter().map(step).collect(),
        }
    }
}

/// Writes what the search found to `summary`.
///
/// # Safety
/// `result` is a result, `summary` and `error` are NULL or have their sizes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn starsplit_result_summary(
    result: *const starsplit_result,
    summary: *mut starsplit_summary,
    error: *mut starsplit_error,
) -> starsplit_status {
    // SAFETY: the caller's promises are those that these ask for.
    unsafe {
        guard(error, || {
            let result = reference("result", result)?;
            present("summary", summary)?;
            write_sized(summary, result.summary);
            Ok(())
        })
    }
}

/// At a decision root the best move in the game's words (of a game of one's own its number, written out);
/// NULL at other roots. Where no iteration was completed, a legal move of which nothing is promised.
///
/// # Safety
/// `result` is NULL or a result.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn starsplit_result_best_move(result: *const starsplit_result) -> *const c_char {
    // SAFETY: the caller's promise.
    let result = unsafe { reference("result", result) }.ok();
    result.and_then(|result| result.best_move.as_ref()).map_or(std::ptr::null(), |text| text.as_ptr())
}

/// Writes the ranked move of this place, from 0 on, best first, where the option `rank-root-moves` asked for
/// so many.
///
/// # Safety
/// `result` is a result, `ranked` and `error` are NULL or have their sizes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn starsplit_result_move(
    result: *const starsplit_result,
    place: usize,
    ranked: *mut starsplit_ranked_move,
    error: *mut starsplit_error,
) -> starsplit_status {
    // SAFETY: the caller's promises are those that these ask for.
    unsafe {
        guard(error, || {
            let moves = &reference("result", result)?.moves;
            present("ranked", ranked)?;
            let &(ref text, value, score) =
                moves.get(place).ok_or_else(|| Failure::beyond(place, moves.len()))?;
            let size = size_of::<starsplit_ranked_move>();
            write_sized(ranked, starsplit_ranked_move { size, text: text.as_ptr(), value, score });
            Ok(())
        })
    }
}

/// The step of this place, from 0 on, of the principal line, in the game's words, which belong to the result,
/// and whether it is a move: at chance nodes it is the likeliest outcome.
///
/// # Safety
/// `result` is a result, `step` and `is_move` are NULL or may be written, `error` is NULL or has its size.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn starsplit_result_step(
    result: *const starsplit_result,
    place: usize,
    step: *mut *const c_char,
    is_move: *mut bool,
    error: *mut starsplit_error,
) -> starsplit_status {
    // SAFETY: the caller's promises are those that these ask for.
    unsafe { guard(error, || leave_step(&reference("result", result)?.steps, place, step, is_move)) }
}

/// Frees a result.
///
/// # Safety
/// `result` is NULL or a result that is used no more.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn starsplit_result_free(result: *mut starsplit_result) {
    // SAFETY: the caller's promise.
    unsafe { free(result) };
}

/// Bounds of this player's as player 0 sees them.
pub(crate) fn for_max(viewer: Player, bounds: Bounds) -> Bounds {
    match viewer {
        Player::Max => bounds,
        Player::Min => bounds.flipped(),
    }
}

/// Writes the step of this place, and whether it is a move.
///
/// # Safety
/// `step` and `is_move` are null, or may be written.
pub(crate) unsafe fn leave_step(
    steps: &[(CString, bool)],
    place: usize,
    step: *mut *const c_char,
    is_move: *mut bool,
) -> Result<(), Failure> {
    let (text, of_player) = steps.get(place).ok_or_else(|| Failure::beyond(place, steps.len()))?;
    // SAFETY: the caller's promise.
    unsafe {
        leave(step, text.as_ptr());
        leave(is_move, *of_player);
    }
    Ok(())
}

/// A step of a line, and whether it is a move.
pub(crate) fn step(step: &Step<String, String>) -> (CString, bool) {
    match step {
        Step::Move(text) => (c_text(text), true),
        Step::Outcome(text) => (c_text(text), false),
    }
}
