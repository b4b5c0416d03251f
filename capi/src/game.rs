//! Games: those that the library has, by name, and those that are the caller's functions.
#![allow(unsafe_code, reason = "handles are pointers")]

use crate::own::{
    Functions, OwnEvaluator, OwnGame, STARSPLIT_LARGEST_POSITION, STARSPLIT_SMALL_POSITION,
    starsplit_game_functions,
};
use crate::pointers::{c_text, free, hand_over, leave, optional_text, present, read_sized, reference, text};
use crate::status::{Failure, guard, starsplit_error, starsplit_status};
use starsplit::score::Grid;
use starsplit_doors::door::{Door, SearcherMaker};
use starsplit_doors::typed::Typed;
use starsplit_doors_all::GAMES;
use std::ffi::{CString, c_char, c_void};
use std::sync::Arc;

/// A game under its rules.
#[derive(Debug)]
pub struct starsplit_game {
    pub(crate) rules: Rules,
    name: CString,
}

/// Whose rules.
#[derive(Clone)]
pub(crate) enum Rules {
    /// The library's.
    BuiltIn(Arc<dyn Door>),
    /// The caller's.
    Own(Arc<Functions>),
}

impl std::fmt::Debug for Rules {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

/// A game of one's own of small positions, without rewards and plies; and one with all there is.
pub(crate) type Plain = OwnGame<STARSPLIT_SMALL_POSITION, false>;
pub(crate) type Rich = OwnGame<STARSPLIT_LARGEST_POSITION, true>;

impl Rules {
    pub(crate) fn name(&self) -> &str {
        match self {
            Rules::BuiltIn(door) => door.game(),
            Rules::Own(functions) => &functions.name,
        }
    }

    /// Whether positions of the one are positions of the other.
    pub(crate) fn is(&self, other: &Rules) -> bool {
        match (self, other) {
            (Rules::BuiltIn(one), Rules::BuiltIn(two)) => {
                Arc::ptr_eq(one, two) || (one.game(), one.rules()) == (two.game(), two.rules())
            }
            (Rules::Own(one), Rules::Own(two)) => Arc::ptr_eq(one, two),
            _ => false,
        }
    }

    /// The grid of the game's values; a built-in game that cannot be played has none to tell.
    pub(crate) fn grid(&self) -> Option<Grid> {
        match self {
            Rules::BuiltIn(door) => door.play().map(|play| play.grid()),
            Rules::Own(functions) => Some(functions.grid()),
        }
    }

    /// What makes searchers of the game with the evaluator of that name; games of one's own have one alone.
    pub(crate) fn maker(
        &self,
        evaluator: Option<&str>,
        seed: u64,
    ) -> Result<Box<dyn SearcherMaker>, Failure> {
        match self {
            Rules::BuiltIn(door) => {
                let name = evaluator.unwrap_or_else(|| door.default_evaluator());
                door.evaluator(name, seed).map_err(Failure::argument)
            }
            Rules::Own(functions) => {
                if let Some(name) = evaluator {
                    let complaint =
                        format_args!("evaluator {name:.80?}: expected NULL for a game of one's own");
                    return Err(Failure::argument(complaint));
                }
                let evaluator = OwnEvaluator(Arc::clone(functions));
                let game = Arc::clone(functions);
                Ok(if functions.is_rich() {
                    Box::new(Typed::<_, _, false> {
                        game: OwnGame(game) as Rich,
                        evaluator,
                        caller_stack: None,
                    })
                } else {
                    Box::new(Typed::<_, _, false> {
                        game: OwnGame(game) as Plain,
                        evaluator,
                        caller_stack: None,
                    })
                })
            }
        }
    }
}

impl starsplit_game {
    fn new(rules: Rules) -> Self {
        let name = c_text(rules.name());
        starsplit_game { rules, name }
    }
}

/// How many games the library has.
#[unsafe(no_mangle)]
pub extern "C" fn starsplit_game_count() -> usize {
    GAMES.0.len()
}

/// Opens a game that the library has: "dice", "pig", "einstein", "backgammon", "hyper-backgammon", "2048",
/// "abalone". `rules` are in the game's own words, such as "size=5,stones=6"; NULL for its usual ones.
///
/// # Safety
/// The texts end with a zero, `game` may be written, `error` is NULL or has its size.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn starsplit_game_open(
    name: *const c_char,
    rules: *const c_char,
    game: *mut *mut starsplit_game,
    error: *mut starsplit_error,
) -> starsplit_status {
    // SAFETY: the caller's promises are those that these ask for.
    unsafe {
        guard(error, || {
            let info = GAMES.named(text("name", name)?).map_err(Failure::argument)?;
            let door = GAMES.open(info, optional_text("rules", rules)?).map_err(Failure::argument)?;
            hand_over("game", game, starsplit_game::new(Rules::BuiltIn(door)))
        })
    }
}

/// Makes a game of the caller's functions, which have to live as long as the game and what is made of it.
/// `user` is handed to each of them.
///
/// # Safety
/// The functions do what `starsplit_game_functions` asks of them, `game` may be written, `error` is NULL or
/// has its size.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn starsplit_game_define(
    functions: *const starsplit_game_functions,
    user: *mut c_void,
    game: *mut *mut starsplit_game,
    error: *mut starsplit_error,
) -> starsplit_status {
    // SAFETY: the caller's promises are those that these ask for.
    unsafe {
        guard(error, || {
            present("functions", functions)?;
            let table = read_sized("functions", functions)?;
            let name =
                optional_text("functions.name", table.name)?.unwrap_or("a game of one's own").to_owned();
            let functions = Functions::new(table, name, user)?;
            hand_over("game", game, starsplit_game::new(Rules::Own(Arc::new(functions))))
        })
    }
}

/// The game's name.
///
/// # Safety
/// `game` is a game.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn starsplit_game_name(game: *const starsplit_game) -> *const c_char {
    // SAFETY: the caller's promise.
    unsafe { reference("game", game) }.map_or(std::ptr::null(), |game| game.name.as_ptr())
}

/// The least and the greatest value of the game, for player 0.
///
/// # Safety
/// `game` is a game, `low` and `high` are NULL or may be written, `error` is NULL or has its size.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn starsplit_game_range(
    game: *const starsplit_game,
    low: *mut f64,
    high: *mut f64,
    error: *mut starsplit_error,
) -> starsplit_status {
    // SAFETY: the caller's promises are those that these ask for.
    unsafe {
        guard(error, || {
            let game = reference("game", game)?;
            let grid = game
                .rules
                .grid()
                .ok_or_else(|| Failure::argument("game: expected one that can be played"))?;
            let range = grid.range();
            leave(low, range.0);
            leave(high, range.1);
            Ok(())
        })
    }
}

/// Frees a game. Positions and searchers of it live on.
///
/// # Safety
/// `game` is NULL or a game that is used no more.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn starsplit_game_free(game: *mut starsplit_game) {
    // SAFETY: the caller's promise.
    unsafe { free(game) };
}
