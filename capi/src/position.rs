//! Positions, and playing them.
#![allow(unsafe_code, reason = "handles are pointers")]

use crate::game::{Rules, starsplit_game};
use crate::own::{
    Functions, OwnPosition, STARSPLIT_LARGEST_POSITION, STARSPLIT_SMALL_POSITION, starsplit_kind,
};
use crate::pointers::{c_text, free, hand_over, leave, present, reference, text};
use crate::status::{Failure, guard, starsplit_error, starsplit_status};
use starsplit::game::{NodeKind, Player};
use starsplit_doors::Entry;
use starsplit_doors::door::Door;
use starsplit_doors::games::played;
use starsplit_doors::play::{AnyPlay, Turn};
use std::ffi::{CString, c_char, c_void};
use std::sync::{Arc, OnceLock};

/// A position of a game. It does not change.
#[derive(Debug)]
pub struct starsplit_position {
    pub(crate) rules: Rules,
    pub(crate) entry: Entry,
    kind: NodeKind,
    pub(crate) player: Player,
    /// Of a terminal position, as player 0 sees it.
    terminal_value: f64,
    text: CString,
    drawn: OnceLock<CString>,
    steps: OnceLock<Vec<Step>>,
}

/// A move, or an outcome with its weight.
#[derive(Debug)]
struct Step {
    text: CString,
    weight: u32,
}

impl starsplit_position {
    fn new(rules: Rules, entry: Entry, kind: NodeKind, player: Player, terminal_value: f64) -> Self {
        let text = c_text(&entry.text);
        let (drawn, steps) = (OnceLock::new(), OnceLock::new());
        starsplit_position { rules, entry, kind, player, terminal_value, text, drawn, steps }
    }

    fn built_in(rules: &Rules, entry: Entry) -> Result<Self, Failure> {
        let play = play_of(rules)?;
        let (kind, player) = (play.kind(&entry).map_err(fault)?, play.player(&entry).map_err(fault)?);
        let value = match kind {
            NodeKind::Terminal => play.grid().value(play.terminal_score(&entry).map_err(fault)?),
            NodeKind::Decision | NodeKind::Chance => 0.0,
        };
        Ok(Self::new(rules.clone(), entry, kind, player, value))
    }

    fn own<const N: usize>(functions: &Arc<Functions>, position: OwnPosition<N>) -> Self {
        let (kind, player, value) = (position.kind(), position.player(), position.terminal_value());
        let entry = Entry::new(format!("a position of {}", functions.name), position);
        Self::new(Rules::Own(Arc::clone(functions)), entry, kind, player, value)
    }

    /// A leaf of a search, which has no text yet.
    pub(crate) fn of_leaf(rules: &Rules, leaf: Entry) -> Result<Self, Failure> {
        match (rules, leaf.position(), leaf.position()) {
            (Rules::Own(functions), Some(small), _) => {
                Ok(Self::own::<STARSPLIT_SMALL_POSITION>(functions, *small))
            }
            (Rules::Own(functions), None, Some(large)) => {
                Ok(Self::own::<STARSPLIT_LARGEST_POSITION>(functions, *large))
            }
            _ => Self::built_in(rules, play_of(rules)?.written(&leaf).map_err(fault)?),
        }
    }

    /// The bytes of a position of a game of one's own.
    fn bytes(&self) -> Option<*const c_void> {
        let small = self.entry.position().map(OwnPosition::<STARSPLIT_SMALL_POSITION>::bytes);
        small.or_else(|| self.entry.position().map(OwnPosition::<STARSPLIT_LARGEST_POSITION>::bytes))
    }

    /// The moves of a decision node, the outcomes of a chance node.
    fn steps(&self) -> Result<&[Step], Failure> {
        if let Some(steps) = self.steps.get() {
            return Ok(steps);
        }
        let play = play_of(&self.rules)?;
        let step = |text: &str, weight| Step { text: c_text(text), weight };
        let steps = match self.kind {
            NodeKind::Terminal => Vec::new(),
            NodeKind::Decision => {
                let moves = play.moves(&self.entry).map_err(fault)?;
                moves.iter().map(|text| step(text, 1)).collect()
            }
            NodeKind::Chance => {
                let outcomes = play.outcomes(&self.entry).map_err(fault)?;
                outcomes.iter().map(|(text, weight)| step(text, *weight)).collect()
            }
        };
        Ok(self.steps.get_or_init(|| steps))
    }

    /// One of them.
    fn step(&self, place: usize) -> Result<&Step, Failure> {
        let steps = self.steps()?;
        steps.get(place).ok_or_else(|| Failure::beyond(place, steps.len()))
    }

    fn require(&self, kind: NodeKind, what: &str) -> Result<(), Failure> {
        if self.kind == kind {
            return Ok(());
        }
        Err(Failure::argument(format_args!("position {}: expected {what}", self.entry.text)))
    }
}

fn door_of(rules: &Rules) -> Result<&dyn Door, Failure> {
    match rules {
        Rules::BuiltIn(door) => Ok(&**door),
        Rules::Own(functions) => Err(Failure::argument(format_args!(
            "game {:.80?}: expected one of the library's",
            functions.name
        ))),
    }
}

fn play_of(rules: &Rules) -> Result<&dyn AnyPlay, Failure> {
    played(door_of(rules)?).map_err(Failure::argument)
}

/// What cannot be with positions of the right game.
fn fault(error: anyhow::Error) -> Failure {
    Failure::argument(format_args!("{error:#}"))
}

/// The position in which a game of the library's begins.
///
/// # Safety
/// `game` is a game, `position` may be written, `error` is NULL or has its size.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn starsplit_position_initial(
    game: *const starsplit_game,
    position: *mut *mut starsplit_position,
    error: *mut starsplit_error,
) -> starsplit_status {
    // SAFETY: the caller's promises are those that these ask for.
    unsafe {
        guard(error, || {
            let rules = &reference("game", game)?.rules;
            let entry = door_of(rules)?.initial();
            hand_over("position", position, starsplit_position::built_in(rules, entry)?)
        })
    }
}

/// The position of a game of the library's that a text describes, in the game's own notation or in another
/// that it reads. What an XGID or a match ID says of cube, score and match is not used.
///
/// # Safety
/// `game` is a game, `notation` ends with a zero, `position` may be written, `error` is NULL or has its size.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn starsplit_position_parse(
    game: *const starsplit_game,
    notation: *const c_char,
    position: *mut *mut starsplit_position,
    error: *mut starsplit_error,
) -> starsplit_status {
    // SAFETY: the caller's promises are those that these ask for.
    unsafe {
        guard(error, || {
            let rules = &reference("game", game)?.rules;
            let entry = door_of(rules)?.position(text("notation", notation)?).map_err(Failure::argument)?;
            hand_over("position", position, starsplit_position::built_in(rules, entry)?)
        })
    }
}

/// The position of this place, from 0 on, in a match of a game of the library's, as other programs write it:
/// backgammon reads .mat and .sgf. The positions are those in which a player was to move, in their order;
/// decisions about the stakes are left out. `count`, which may be NULL, is told how many there are. The text
/// is read anew in each call.
///
/// # Safety
/// `game` is a game, `match_text` ends with a zero, `count` is NULL or may be written, `position` may be
/// written, `error` is NULL or has its size.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn starsplit_position_of_match(
    game: *const starsplit_game,
    match_text: *const c_char,
    place: usize,
    count: *mut usize,
    position: *mut *mut starsplit_position,
    error: *mut starsplit_error,
) -> starsplit_status {
    // SAFETY: the caller's promises are those that these ask for.
    unsafe {
        guard(error, || {
            let rules = &reference("game", game)?.rules;
            let found = play_of(rules)?
                .match_positions(text("match_text", match_text)?)
                .map_err(Failure::argument)?;
            leave(count, found.len());
            let entry = found.get(place).ok_or_else(|| Failure::beyond(place, found.len()))?;
            hand_over("position", position, starsplit_position::built_in(rules, entry.clone())?)
        })
    }
}

/// A position of a game of one's own: its bytes, which are copied, described by the game.
///
/// # Safety
/// `game` is a game, `bytes` are as many as its positions have, `position` may be written, `error` is NULL or
/// has its size.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn starsplit_position_of_bytes(
    game: *const starsplit_game,
    bytes: *const c_void,
    position: *mut *mut starsplit_position,
    error: *mut starsplit_error,
) -> starsplit_status {
    // SAFETY: the caller's promises are those that these ask for.
    unsafe {
        guard(error, || {
            let game = reference("game", game)?;
            present("bytes", bytes)?;
            let Rules::Own(functions) = &game.rules else {
                return Err(Failure::argument("game: expected one of one's own, by starsplit_game_define"));
            };
            let made = if functions.is_rich() {
                starsplit_position::own(functions, functions.position::<STARSPLIT_LARGEST_POSITION>(bytes)?)
            } else {
                starsplit_position::own(functions, functions.position::<STARSPLIT_SMALL_POSITION>(bytes)?)
            };
            hand_over("position", position, made)
        })
    }
}

/// The position in the game's notation.
///
/// # Safety
/// `position` is NULL or a position.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn starsplit_position_text(position: *const starsplit_position) -> *const c_char {
    // SAFETY: the caller's promise.
    unsafe { reference("position", position) }.map_or(std::ptr::null(), |position| position.text.as_ptr())
}

/// The bytes of a position of a game of one's own, which live as long as the position; NULL for a game of the
/// library's.
///
/// # Safety
/// `position` is NULL or a position.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn starsplit_position_bytes(position: *const starsplit_position) -> *const c_void {
    // SAFETY: the caller's promise.
    let position = unsafe { reference("position", position) };
    position.ok().and_then(starsplit_position::bytes).unwrap_or(std::ptr::null())
}

/// The position as a person wants to see it, in several lines; NULL for a game of one's own.
///
/// # Safety
/// `position` is NULL or a position.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn starsplit_position_drawing(position: *const starsplit_position) -> *const c_char {
    // SAFETY: the caller's promise.
    let Ok(position) = (unsafe { reference("position", position) }) else { return std::ptr::null() };
    let draw = || play_of(&position.rules).ok().and_then(|play| play.draw(&position.entry).ok());
    let drawn = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        position.drawn.get_or_init(|| draw().map_or_else(CString::default, |text| c_text(&text)))
    }));
    drawn.ok().filter(|text| !text.is_empty()).map_or(std::ptr::null(), |text| text.as_ptr())
}

/// What happens next at the position; NULL counts as a finished game.
///
/// # Safety
/// `position` is NULL or a position.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn starsplit_position_kind(position: *const starsplit_position) -> starsplit_kind {
    // SAFETY: the caller's promise.
    match unsafe { reference("position", position) }.map_or(NodeKind::Terminal, |position| position.kind) {
        NodeKind::Decision => starsplit_kind::STARSPLIT_DECISION,
        NodeKind::Chance => starsplit_kind::STARSPLIT_CHANCE,
        NodeKind::Terminal => starsplit_kind::STARSPLIT_TERMINAL,
    }
}

/// Who moves, at a decision node: 0 or 1.
///
/// # Safety
/// `position` is NULL or a position.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn starsplit_position_player(position: *const starsplit_position) -> u32 {
    // SAFETY: the caller's promise.
    unsafe { reference("position", position) }.map_or(0, |position| match position.player {
        Player::Max => 0,
        Player::Min => 1,
    })
}

/// The value of a finished game for player 0, without the rewards on the way; 0 while it goes on.
///
/// # Safety
/// `position` is NULL or a position.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn starsplit_position_value(position: *const starsplit_position) -> f64 {
    // SAFETY: the caller's promise.
    unsafe { reference("position", position) }.map_or(0.0, |position| position.terminal_value)
}

/// How many moves, or outcomes at a chance node, a position of a game of the library's has.
///
/// # Safety
/// `position` is a position, `count` may be written, `error` is NULL or has its size.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn starsplit_position_step_count(
    position: *const starsplit_position,
    count: *mut usize,
    error: *mut starsplit_error,
) -> starsplit_status {
    // SAFETY: the caller's promises are those that these ask for.
    unsafe {
        guard(error, || {
            let found = reference("position", position)?.steps()?.len();
            present("count", count)?;
            leave(count, found);
            Ok(())
        })
    }
}

/// The move or outcome of this place, from 0 on, in the game's words, which belong to the position; and its
/// weight, which is 1 for moves.
///
/// # Safety
/// `position` is a position, `step` and `weight` are NULL or may be written, `error` is NULL or has its size.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn starsplit_position_step(
    position: *const starsplit_position,
    place: usize,
    step: *mut *const c_char,
    weight: *mut u32,
    error: *mut starsplit_error,
) -> starsplit_status {
    // SAFETY: the caller's promises are those that these ask for.
    unsafe {
        guard(error, || {
            let found = reference("position", position)?.step(place)?;
            leave(step, found.text.as_ptr());
            leave(weight, found.weight);
            Ok(())
        })
    }
}

/// The position after a move of a game of the library's, in the game's words; `reward` is what it pays player
/// 0.
///
/// # Safety
/// `position` is a position, `mv` ends with a zero, `after` may be written, `reward` is NULL or may be,
/// `error` is NULL or has its size.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn starsplit_position_play(
    position: *const starsplit_position,
    mv: *const c_char,
    reward: *mut f64,
    after: *mut *mut starsplit_position,
    error: *mut starsplit_error,
) -> starsplit_status {
    // SAFETY: the caller's promises are those that these ask for.
    unsafe {
        guard(error, || {
            let position = reference("position", position)?;
            let play = play_of(&position.rules)?;
            position.require(NodeKind::Decision, "one at which a player moves")?;
            let turn = play.move_by_text(&position.entry, text("mv", mv)?).map_err(fault)?;
            made(position, play, turn, reward, after)
        })
    }
}

/// The position after the outcome of this place, from 0 on, at a chance node of a game of the library's.
///
/// # Safety
/// `position` is a position, `after` may be written, `reward` is NULL or may be, `error` is NULL or has its
/// size.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn starsplit_position_resolve(
    position: *const starsplit_position,
    place: usize,
    reward: *mut f64,
    after: *mut *mut starsplit_position,
    error: *mut starsplit_error,
) -> starsplit_status {
    // SAFETY: the caller's promises are those that these ask for.
    unsafe {
        guard(error, || {
            let position = reference("position", position)?;
            let play = play_of(&position.rules)?;
            position.require(NodeKind::Chance, "a chance node")?;
            position.step(place)?;
            let turn = play.resolve(&position.entry, place).map_err(fault)?;
            made(position, play, turn, reward, after)
        })
    }
}

/// Leaves what a turn led to.
///
/// # Safety
/// As of the functions above.
unsafe fn made(
    before: &starsplit_position,
    play: &dyn AnyPlay,
    turn: Turn,
    reward: *mut f64,
    after: *mut *mut starsplit_position,
) -> Result<(), Failure> {
    let found = starsplit_position::built_in(&before.rules, turn.after)?;
    // SAFETY: the caller's promises.
    unsafe {
        hand_over("after", after, found)?;
        leave(reward, play.grid().difference(turn.reward));
    }
    Ok(())
}

/// Frees a position.
///
/// # Safety
/// `position` is NULL or a position that is used no more.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn starsplit_position_free(position: *mut starsplit_position) {
    // SAFETY: the caller's promise.
    unsafe { free(position) };
}
