//! Searches.
#![allow(unsafe_code, reason = "handles are pointers")]

use crate::game::{Rules, starsplit_game};
use crate::own::succeeded;
use crate::pointers::{Sized_, free, hand_over, optional_text, present, read_sized, reference, text};
use crate::position::starsplit_position;
use crate::result::{for_max, starsplit_result};
use crate::status::{Failure, guard, or_end, starsplit_error, starsplit_status};
use starsplit::game::Player;
use starsplit::score::{Bounds, Grid};
use starsplit::search::{Expectation, Iteration, Limits, Options, RootOutcome, SearchDepth, SearchError};
use starsplit_doors::door::{Answer, Asked, Invalid, LeafPayload};
use starsplit_doors::session::{DEFAULT_TABLE_MIB, Session};
use std::ffi::{c_char, c_void};
use std::time::Duration;

/// Of what a searcher is made. Set what is to stay as it is to 0 or NULL.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct starsplit_settings {
    /// `sizeof(starsplit_settings)`.
    pub size: usize,
    /// The name of an evaluator that the game has, such as "network"; NULL for its usual one, and for a game
    /// of one's own, which has one alone.
    pub evaluator: *const c_char,
    /// For evaluators that draw at random.
    pub seed: u64,
    /// The size of the transposition table in MiB; 0 for 64.
    pub table_mib: u64,
    /// How many threads search, 1 to 1,024; 0 for 1.
    pub threads: u32,
}

// SAFETY: `repr(C)`, the size first; numbers and a pointer that may be null.
unsafe impl Sized_ for starsplit_settings {}

/// The depth of a search to the end of the game, for games that bound their length: evaluations only order
/// moves, and a result's depth is the plies that are left at the most.
pub const STARSPLIT_TO_THE_END: u32 = 0xffff_ffff;

/// How far a search may go; whatever ends first ends it. With all at 0 it takes a second.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct starsplit_limits {
    /// `sizeof(starsplit_limits)`.
    pub size: usize,
    /// Plies, 1 to 254, or `STARSPLIT_TO_THE_END`; 0 for no limit.
    pub depth: u32,
    /// Nodes; 0 for no limit.
    pub nodes: u64,
    /// Microseconds; 0 for no limit.
    pub time_us: u64,
}

// SAFETY: `repr(C)`, the size first; numbers.
unsafe impl Sized_ for starsplit_limits {}

/// Told each iteration of a search as it is completed, on the thread that called the search. The result
/// belongs to the search and ends with the call. 0 to go on; any other number ends the search with
/// `STARSPLIT_ERROR_CALLBACK`.
pub type starsplit_on_iteration =
    Option<unsafe extern "C" fn(user: *mut c_void, iteration: *const starsplit_result) -> i32>;

/// A game with an evaluator, a transposition table, options and threads. What a search learns stays in the
/// table for the next.
#[derive(Debug)]
pub struct starsplit_searcher {
    rules: Rules,
    session: Session,
}

impl starsplit_searcher {
    fn new(rules: &Rules, evaluator: Option<&str>, settings: &starsplit_settings) -> Result<Self, Failure> {
        let maker = rules.maker(evaluator, settings.seed)?;
        let mib = if settings.table_mib == 0 { DEFAULT_TABLE_MIB } else { settings.table_mib };
        let session =
            Session::new(maker, mib, settings.threads.max(1) as usize).map_err(Failure::argument)?;
        Ok(starsplit_searcher { rules: rules.clone(), session })
    }

    /// The options of searches that begin now.
    pub(crate) fn options(&self) -> Options {
        self.session.options()
    }

    /// The grid of the game's scores.
    pub(crate) fn grid(&self) -> Grid {
        self.session.grid()
    }

    /// Refuses positions of other games.
    fn require_own(&self, position: &starsplit_position) -> Result<(), Failure> {
        if !self.rules.is(&position.rules) {
            let (found, expected) = (position.rules.name(), self.rules.name());
            let complaint = format_args!(
                "position of {found:.80?}: expected one of the searcher's game, {expected:.80?}"
            );
            return Err(Failure::argument(complaint));
        }
        Ok(())
    }

    /// Searches a position with these options.
    pub(crate) fn ask(
        &self,
        position: &starsplit_position,
        options: Options,
        asked: Asked<'_>,
        watch: &mut dyn FnMut(&starsplit_result),
    ) -> Result<starsplit_result, Failure> {
        self.require_own(position)?;
        let (grid, viewer) = (self.session.grid(), position.player);
        let mut watch = |iteration: &Iteration<String, String>| {
            watch(&starsplit_result::of_iteration(grid, viewer, iteration));
        };
        let timed = self.session.search(&position.entry, options, asked, &mut watch).map_err(refusal)?;
        Ok(starsplit_result::of_answer(grid, viewer, &timed.answer))
    }

    /// The outcomes of a chance node.
    pub(crate) fn outcomes(
        &self,
        position: &starsplit_position,
        limits: Limits,
    ) -> Result<Vec<RootOutcome<String, String>>, Failure> {
        self.require_own(position)?;
        self.session.outcomes(&position.entry, limits).map_err(refusal)
    }

    /// What the best play leads to, with the answer of the search before.
    pub(crate) fn expectation(
        &self,
        position: &starsplit_position,
        limits: Limits,
        payload: (usize, &mut LeafPayload<'_>),
    ) -> Result<(Answer, Option<Expectation>), Failure> {
        self.require_own(position)?;
        self.session.expectation(&position.entry, limits, payload).map_err(refusal)
    }

    /// The value of exact bounds of this player's, as player 0 sees it.
    pub(crate) fn value(&self, player: Player, bounds: Bounds) -> f64 {
        self.grid().value(for_max(player, bounds).lower)
    }
}

pub(crate) fn asked(&starsplit_limits { depth, nodes, time_us, .. }: &starsplit_limits) -> Limits {
    if (depth, nodes, time_us) == (0, 0, 0) {
        return Limits::default();
    }
    let mut limits = Limits::unbounded();
    if depth > 0 {
        limits.depth = if depth == STARSPLIT_TO_THE_END { SearchDepth::ToTheEnd } else { depth.into() };
    }
    limits.nodes = (nodes > 0).then_some(nodes);
    limits.time = (time_us > 0).then_some(Duration::from_micros(time_us));
    limits
}

/// Tells the caller an iteration; any code but 0 ends the search.
///
/// # Safety
/// `on_iteration` may be called with `user`, and returns.
pub(crate) unsafe fn tell(
    on_iteration: starsplit_on_iteration,
    user: *mut c_void,
    iteration: &starsplit_result,
) {
    // SAFETY: the caller's promise.
    let code = on_iteration.map_or(0, |call| unsafe { call(user, iteration) });
    or_end(succeeded("on_iteration", code));
}

/// Why there was no answer: a function of the caller's, a depth or options, or the search.
fn refusal(error: anyhow::Error) -> Failure {
    match error.downcast_ref::<SearchError>() {
        Some(SearchError::Panicked { message }) => {
            Failure::carried_by(message).unwrap_or_else(|| Failure::search(format_args!("{error:#}")))
        }
        Some(SearchError::Evaluation(of)) => {
            Failure::carried_by(&of.to_string()).unwrap_or_else(|| Failure::search(format_args!("{error:#}")))
        }
        Some(SearchError::Depth { .. } | SearchError::Options(_)) => Failure::argument(error),
        None if error.downcast_ref::<Invalid>().is_some() => Failure::argument(error),
        _ => Failure::search(format_args!("{error:#}")),
    }
}

/// Makes a searcher of a game; `settings` may be NULL.
///
/// # Safety
/// `game` is a game, `settings` is NULL or has its size, `searcher` may be written, `error` is NULL or has
/// its size.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn starsplit_searcher_new(
    game: *const starsplit_game,
    settings: *const starsplit_settings,
    searcher: *mut *mut starsplit_searcher,
    error: *mut starsplit_error,
) -> starsplit_status {
    // SAFETY: the caller's promises are those that these ask for.
    unsafe {
        guard(error, || {
            let game = reference("game", game)?;
            let settings = read_sized("settings", settings)?;
            let evaluator = optional_text("settings.evaluator", settings.evaluator)?;
            hand_over("searcher", searcher, starsplit_searcher::new(&game.rules, evaluator, &settings)?)
        })
    }
}

/// Sets an option of later searches, named and written as the library's programs have it on their command
/// lines: "threads" "2", "rank-root-moves" "on", "lanes" "16", "batch" "64", "ordering" "static".
///
/// # Safety
/// `searcher` is a searcher, the texts end with a zero, `error` is NULL or has its size.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn starsplit_searcher_set(
    searcher: *const starsplit_searcher,
    option: *const c_char,
    value: *const c_char,
    error: *mut starsplit_error,
) -> starsplit_status {
    // SAFETY: the caller's promises are those that these ask for.
    unsafe {
        guard(error, || {
            let session = &reference("searcher", searcher)?.session;
            session.set(text("option", option)?, text("value", value)?).map_err(Failure::argument)
        })
    }
}

/// Forgets what the table has learnt.
///
/// # Safety
/// `searcher` is a searcher, `error` is NULL or has its size.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn starsplit_searcher_new_game(
    searcher: *const starsplit_searcher,
    error: *mut starsplit_error,
) -> starsplit_status {
    // SAFETY: the caller's promises are those that these ask for.
    unsafe {
        guard(error, || {
            reference("searcher", searcher)?.session.new_game();
            Ok(())
        })
    }
}

/// Searches a position of the searcher's game. `limits` may be NULL, for a second; `on_iteration` may be
/// NULL, and is given `user`.
///
/// Two searches of one searcher at once share its table, and its threads in turn; one that begins in a
/// function that another has called does without further threads.
///
/// # Safety
/// The handles are what they are called, `limits` and `error` are NULL or have their sizes, `result` may be
/// written, `on_iteration` returns.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn starsplit_searcher_search(
    searcher: *const starsplit_searcher,
    position: *const starsplit_position,
    limits: *const starsplit_limits,
    on_iteration: starsplit_on_iteration,
    user: *mut c_void,
    result: *mut *mut starsplit_result,
    error: *mut starsplit_error,
) -> starsplit_status {
    // SAFETY: the caller's promises are those that these ask for.
    unsafe {
        guard(error, || {
            let (searcher, position) = (reference("searcher", searcher)?, reference("position", position)?);
            let limits = read_sized("limits", limits)?;
            let mut watch = |iteration: &starsplit_result| {
                tell(on_iteration, user, iteration);
            };
            present("result", result)?;
            let limits = asked(&limits);
            let all = Asked::from(&limits);
            hand_over("result", result, searcher.ask(position, searcher.options(), all, &mut watch)?)
        })
    }
}

/// Ends the searches of this searcher, from whatever thread: each as soon as it notices, with its last
/// completed iteration. Later searches end before they begin until `starsplit_searcher_clear_stop` is called,
/// so that a stop a moment before a search begins is not lost. Safe in a signal handler. Nothing for NULL.
///
/// # Safety
/// `searcher` is NULL or a searcher.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn starsplit_searcher_stop(searcher: *const starsplit_searcher) {
    // SAFETY: the caller's promise.
    if let Some(searcher) = unsafe { searcher.as_ref() } {
        searcher.session.stop_flag().stop();
    }
}

/// Lets searches begin again after a stop. Nothing for NULL.
///
/// # Safety
/// `searcher` is NULL or a searcher.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn starsplit_searcher_clear_stop(searcher: *const starsplit_searcher) {
    // SAFETY: the caller's promise.
    if let Some(searcher) = unsafe { searcher.as_ref() } {
        searcher.session.stop_flag().clear();
    }
}

/// Frees a searcher.
///
/// # Safety
/// `searcher` is NULL or a searcher that is used no more.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn starsplit_searcher_free(searcher: *mut starsplit_searcher) {
    // SAFETY: the caller's promise.
    unsafe { free(searcher) };
}
