//! Questions to a searcher: root moves, options and limits of one search, what is seen of it while it runs,
//! and the outcomes of a chance node.
#![allow(unsafe_code, reason = "handles are pointers")]

use crate::pointers::{
    Sized_, c_text, free, hand_over, leave, present, read_sized, reference, text, write_sized,
};
use crate::position::starsplit_position;
use crate::result::{for_max, leave_step, starsplit_result, step};
use crate::searcher::{asked, starsplit_limits, starsplit_on_iteration, starsplit_searcher, tell};
use crate::status::{Failure, guard, starsplit_error, starsplit_status};
use starsplit::Handle;
use starsplit::game::Player;
use starsplit::score::{Bounds, Grid};
use starsplit::search::RootOutcome;
use starsplit_doors::door::Asked;
use starsplit_doors::session::with;
use std::ffi::{CString, c_char, c_void};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// An option of one search, named and written as for `starsplit_searcher_set`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct starsplit_option {
    /// Its name, such as "rank-root-moves".
    pub name: *const c_char,
    /// Its value, such as "3".
    pub value: *const c_char,
}

/// What a search is asked. Set what is not asked to 0 or NULL.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct starsplit_question {
    /// `sizeof(starsplit_question)`.
    pub size: usize,
    /// How far it may go; NULL for a second.
    pub limits: *const starsplit_limits,
    /// The root moves that are searched, as if there were no others, in the game's words (of a game of one's
    /// own their numbers, written out); NULL for all.
    pub root_moves: *const *const c_char,
    /// How many they are.
    pub root_move_count: usize,
    /// Options of this search alone.
    pub options: *const starsplit_option,
    /// How many they are.
    pub option_count: usize,
    /// What shows the search to other threads. It is for one search.
    pub handle: *const starsplit_handle,
    /// Told each iteration.
    pub on_iteration: starsplit_on_iteration,
    /// What `on_iteration` is given.
    pub user: *mut c_void,
}

// SAFETY: `repr(C)`, the size first; numbers, pointers that may be null and a function that may be missing.
unsafe impl Sized_ for starsplit_question {}

/// What a question asks, read.
struct Read<'a> {
    question: starsplit_question,
    limits: starsplit_limits,
    root_moves: Vec<String>,
    options: Vec<(&'a str, &'a str)>,
    handle: Option<&'a starsplit_handle>,
}

impl Read<'_> {
    /// # Safety
    /// As [`starsplit_searcher_ask`].
    unsafe fn new(question: *const starsplit_question) -> Result<Self, Failure> {
        // SAFETY: the caller's promises are those that these ask for.
        unsafe {
            let question = read_sized("question", question)?;
            let limits = read_sized("question.limits", question.limits)?;
            let (mut root_moves, mut options) = (Vec::new(), Vec::new());
            for place in 0..counted("root_moves", question.root_moves, question.root_move_count)? {
                root_moves.push(text("root_moves", question.root_moves.add(place).read())?.to_owned());
            }
            for place in 0..counted("options", question.options, question.option_count)? {
                let starsplit_option { name, value } = question.options.add(place).read();
                options.push((text("options.name", name)?, text("options.value", value)?));
            }
            if !question.root_moves.is_null() && root_moves.is_empty() {
                return Err(Failure::argument("root_moves of 0: expected moves of the position, or NULL"));
            }
            Ok(Read { question, limits, root_moves, options, handle: question.handle.as_ref() })
        }
    }
}

/// How many there are, none where there is no pointer.
fn counted<T>(name: &str, pointer: *const T, count: usize) -> Result<usize, Failure> {
    if count > 0 {
        present(name, pointer)?
    }
    Ok(count)
}

/// Searches a position of the searcher's game as it is asked; `question` may be NULL, for a second. Otherwise
/// as `starsplit_searcher_search`.
///
/// # Safety
/// The handles are what they are called, `question` and `error` are NULL or have their sizes, what the
/// question leads to lives, `result` may be written, `on_iteration` returns.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn starsplit_searcher_ask(
    searcher: *const starsplit_searcher,
    position: *const starsplit_position,
    question: *const starsplit_question,
    result: *mut *mut starsplit_result,
    error: *mut starsplit_error,
) -> starsplit_status {
    // SAFETY: the caller's promises are those that these ask for.
    unsafe {
        guard(error, || {
            let (searcher, position) = (reference("searcher", searcher)?, reference("position", position)?);
            let Read { question, limits, root_moves, options, handle } = Read::new(question)?;
            let mut changed = searcher.options();
            for (name, value) in options {
                changed = with(&changed, name, value).map_err(Failure::argument)?;
            }
            let mut watch = |iteration: &starsplit_result| {
                if let Some(handle) = handle {
                    handle.view(searcher.grid(), position.player);
                }
                tell(question.on_iteration, question.user, iteration);
            };
            present("result", result)?;
            let limits = asked(&limits);
            let shown = handle.map(|handle| &handle.shown);
            let asked = Asked { root_moves: &root_moves, handle: shown, ..Asked::from(&limits) };
            hand_over("result", result, searcher.ask(position, changed, asked, &mut watch)?)
        })
    }
}

/// A search under way, as other threads see it.
#[derive(Debug)]
pub struct starsplit_handle {
    shown: Handle<String, String>,
    /// The grid and the player of its search.
    viewed: Mutex<Option<(Grid, Player)>>,
}

impl starsplit_handle {
    /// Its search has completed an iteration, and sees values so.
    fn view(&self, grid: Grid, viewer: Player) {
        let mut viewed = self.viewed.lock().unwrap_or_else(PoisonError::into_inner);
        viewed.get_or_insert((grid, viewer));
    }
}

/// Makes a handle for one search to come: a `starsplit_question` takes it. The functions of a handle may be
/// called from any thread while the search runs.
///
/// # Safety
/// `handle` may be written, `error` is NULL or has its size.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn starsplit_handle_new(
    handle: *mut *mut starsplit_handle,
    error: *mut starsplit_error,
) -> starsplit_status {
    let made = || starsplit_handle { shown: Handle::new(), viewed: Mutex::new(None) };
    // SAFETY: the caller's promises are those that this asks for.
    unsafe { guard(error, || hand_over("handle", handle, made())) }
}

/// The nodes that all threads of the search have visited so far; 0 for NULL.
///
/// # Safety
/// `handle` is NULL or a handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn starsplit_handle_nodes(handle: *const starsplit_handle) -> u64 {
    // SAFETY: the caller's promise.
    unsafe { handle.as_ref() }.map_or(0, |handle| handle.shown.nodes())
}

/// The depth of the iteration that goes on; 0 before the first, and for NULL.
///
/// # Safety
/// `handle` is NULL or a handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn starsplit_handle_depth(handle: *const starsplit_handle) -> u32 {
    // SAFETY: the caller's promise.
    unsafe { handle.as_ref() }.map_or(0, |handle| handle.shown.depth())
}

/// Gives the last completed iteration as a result of its own, to be freed; NULL before the first.
///
/// # Safety
/// `handle` is a handle, `result` may be written, `error` is NULL or has its size.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn starsplit_handle_iteration(
    handle: *const starsplit_handle,
    result: *mut *mut starsplit_result,
    error: *mut starsplit_error,
) -> starsplit_status {
    // SAFETY: the caller's promises are those that these ask for.
    unsafe {
        guard(error, || {
            let handle = reference("handle", handle)?;
            present("result", result)?;
            let viewed = *handle.viewed.lock().unwrap_or_else(PoisonError::into_inner);
            match handle.shown.iteration().zip(viewed) {
                Some((iteration, (grid, viewer))) => {
                    let found = starsplit_result::of_iteration(grid, viewer, &iteration);
                    hand_over("result", result, found)?;
                }
                None => leave(result, std::ptr::null_mut()),
            }
            Ok(())
        })
    }
}

/// Has the search end when so many more microseconds have passed, whatever its time limit was; a negative
/// number takes the limit away. Before the search begins, the time counts from now as well. Nothing for NULL.
///
/// # Safety
/// `handle` is NULL or a handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn starsplit_handle_end_within(handle: *const starsplit_handle, time_us: i64) {
    // SAFETY: the caller's promise.
    if let Some(handle) = unsafe { handle.as_ref() } {
        handle.shown.end_within(u64::try_from(time_us).ok().map(Duration::from_micros));
    }
}

/// Stops the search, or has it end before it begins. Safe in a signal handler. Nothing for NULL.
///
/// # Safety
/// `handle` is NULL or a handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn starsplit_handle_stop(handle: *const starsplit_handle) {
    // SAFETY: the caller's promise.
    if let Some(handle) = unsafe { handle.as_ref() } {
        handle.shown.stop();
    }
}

/// Frees a handle whose search is over, or that had none.
///
/// # Safety
/// `handle` is NULL or a handle that is used no more.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn starsplit_handle_free(handle: *mut starsplit_handle) {
    // SAFETY: the caller's promise.
    unsafe { free(handle) };
}

/// An outcome of a chance node with its own value, as player 0 sees it.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct starsplit_valued_outcome {
    /// `sizeof(starsplit_valued_outcome)`, to be set by the caller.
    pub size: usize,
    /// In the game's words, which belong to the outcomes; of a game of one's own its number, written out.
    pub text: *const c_char,
    /// Its weight. Its probability is this by the sum of all.
    pub weight: u32,
    /// Whether the value is known exactly: a limit may have ended the search before the first depth.
    pub is_exact: bool,
    /// The value, reward included; not a number where it is not exact.
    pub value: f64,
    /// The position's depth at which this is its value, the same for all outcomes.
    pub depth: u32,
    /// The lower bound in steps of the grid.
    pub lower_score: i32,
    /// The upper bound in steps of the grid.
    pub upper_score: i32,
    /// How many moves and outcomes the best play after it has: `starsplit_outcomes_step` gives them.
    pub step_count: usize,
}

/// The outcomes of a chance node, in the game's order.
#[derive(Debug)]
pub struct starsplit_outcomes {
    all: Vec<Outcome>,
}

#[derive(Debug)]
struct Outcome {
    text: CString,
    weight: u32,
    depth: u32,
    bounds: Bounds,
    value: f64,
    steps: Vec<(CString, bool)>,
}

impl starsplit_outcomes {
    fn new(viewer: Player, found: Vec<RootOutcome<String, String>>) -> Self {
        let told = |found: RootOutcome<String, String>| {
            let RootOutcome { outcome, weight, depth, bounds, value, pv, .. } = found;
            Outcome {
                text: c_text(&outcome),
                weight,
                depth,
                bounds: for_max(viewer, bounds),
                value,
                steps: pv.iter().map(step).collect(),
            }
        };
        starsplit_outcomes { all: found.into_iter().map(told).collect() }
    }
}

/// Gives the outcomes of a position where chance is next, each with its value and the best play after it, at
/// the last depth that all were searched to. The mean of the values, by weight, is the position's value.
/// After a search of the position itself this takes few nodes. `limits` may be NULL, for a second; they are
/// those of all outcomes together.
///
/// # Safety
/// The handles are what they are called, `limits` and `error` are NULL or have their sizes, `outcomes` may be
/// written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn starsplit_searcher_outcomes(
    searcher: *const starsplit_searcher,
    position: *const starsplit_position,
    limits: *const starsplit_limits,
    outcomes: *mut *mut starsplit_outcomes,
    error: *mut starsplit_error,
) -> starsplit_status {
    // SAFETY: the caller's promises are those that these ask for.
    unsafe {
        guard(error, || {
            let (searcher, position) = (reference("searcher", searcher)?, reference("position", position)?);
            let limits = read_sized("limits", limits)?;
            present("outcomes", outcomes)?;
            let found = searcher.outcomes(position, asked(&limits))?;
            hand_over("outcomes", outcomes, starsplit_outcomes::new(position.player, found))
        })
    }
}

/// How many outcomes there are; 0 for NULL.
///
/// # Safety
/// `outcomes` is NULL or outcomes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn starsplit_outcomes_count(outcomes: *const starsplit_outcomes) -> usize {
    // SAFETY: the caller's promise.
    unsafe { outcomes.as_ref() }.map_or(0, |outcomes| outcomes.all.len())
}

/// Writes the outcome of this place, from 0 on.
///
/// # Safety
/// `outcomes` are outcomes, `outcome` and `error` are NULL or have their sizes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn starsplit_outcomes_at(
    outcomes: *const starsplit_outcomes,
    place: usize,
    outcome: *mut starsplit_valued_outcome,
    error: *mut starsplit_error,
) -> starsplit_status {
    // SAFETY: the caller's promises are those that these ask for.
    unsafe {
        guard(error, || {
            let all = &reference("outcomes", outcomes)?.all;
            present("outcome", outcome)?;
            let Outcome { text, weight, depth, bounds, value, steps } =
                all.get(place).ok_or_else(|| Failure::beyond(place, all.len()))?;
            let told = starsplit_valued_outcome {
                size: size_of::<starsplit_valued_outcome>(),
                text: text.as_ptr(),
                weight: *weight,
                is_exact: bounds.is_exact(),
                value: *value,
                depth: *depth,
                lower_score: bounds.lower,
                upper_score: bounds.upper,
                step_count: steps.len(),
            };
            write_sized(outcome, told);
            Ok(())
        })
    }
}

/// The step of this place, from 0 on, of the best play after the outcome of place `outcome`, in the game's
/// words, which belong to the outcomes, and whether it is a move.
///
/// # Safety
/// `outcomes` are outcomes, `step` and `is_move` are NULL or may be written, `error` is NULL or has its size.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn starsplit_outcomes_step(
    outcomes: *const starsplit_outcomes,
    outcome: usize,
    place: usize,
    step: *mut *const c_char,
    is_move: *mut bool,
    error: *mut starsplit_error,
) -> starsplit_status {
    // SAFETY: the caller's promises are those that these ask for.
    unsafe {
        guard(error, || {
            let all = &reference("outcomes", outcomes)?.all;
            let steps = &all.get(outcome).ok_or_else(|| Failure::beyond(outcome, all.len()))?.steps;
            leave_step(steps, place, step, is_move)
        })
    }
}

/// Frees outcomes.
///
/// # Safety
/// `outcomes` is NULL or outcomes that are used no more.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn starsplit_outcomes_free(outcomes: *mut starsplit_outcomes) {
    // SAFETY: the caller's promise.
    unsafe { free(outcomes) };
}
