//! The functions of the interface for C, called one after another with whatever bytes say: handles of any
//! game, texts that are none, sizes of other versions, and nulls where the header allows them.
//!
//! What is not done is what the header forbids, since nobody could tell what happens then; and nothing that
//! takes long: many threads, great tables, searches without a limit.
#![allow(unsafe_code, reason = "functions are called as C calls them; `Calls` has what they ask for")]

use crate::Target;
use crate::bytes::Bytes;
use crate::refusals::one_line;
use starsplit::evaluator::mix64;
use starsplit_c::game::{
    starsplit_game, starsplit_game_count, starsplit_game_define, starsplit_game_free, starsplit_game_name,
    starsplit_game_open, starsplit_game_range,
};
use starsplit_c::own::{starsplit_game_functions, starsplit_node, starsplit_outcome};
use starsplit_c::position::{
    starsplit_position, starsplit_position_drawing, starsplit_position_free, starsplit_position_initial,
    starsplit_position_kind, starsplit_position_of_bytes, starsplit_position_parse, starsplit_position_play,
    starsplit_position_player, starsplit_position_resolve, starsplit_position_step,
    starsplit_position_step_count, starsplit_position_text, starsplit_position_value,
};
use starsplit_c::result::{
    starsplit_ranked_move, starsplit_result, starsplit_result_best_move, starsplit_result_free,
    starsplit_result_move, starsplit_result_step, starsplit_result_summary, starsplit_summary,
};
use starsplit_c::searcher::{
    starsplit_limits, starsplit_searcher, starsplit_searcher_clear_stop, starsplit_searcher_free,
    starsplit_searcher_new, starsplit_searcher_new_game, starsplit_searcher_search, starsplit_searcher_set,
    starsplit_searcher_stop, starsplit_settings,
};
use starsplit_c::status::{STARSPLIT_MESSAGE_SIZE, starsplit_error, starsplit_status};
use starsplit_c::{STARSPLIT_ABI_VERSION, starsplit_abi_version, starsplit_version};
use starsplit_doors_all::GAMES;
use starsplit_options::DECLARED;
use starsplit_status::{STARSPLIT_ERROR_PANIC, STARSPLIT_OK};
use std::ffi::{CStr, CString, c_char, c_void};
use std::ptr::{null, null_mut};
use std::rc::Rc;

pub(super) const TARGET: Target = Target {
    name: "c_api",
    about: "calls of the interface for C: a byte for each function, and its arguments after it, texts with a \
            line feed at their end",
    run,
    seeds,
    words: || {
        let games = GAMES.infos().flat_map(|game| [game.name, game.default_rules]);
        let options = DECLARED.iter().map(|declared| declared.flag);
        let own =
            ["rank-root-moves\non\n", "threads\n2\n", "lanes\n2\n", "ordering\nstatic\n", "network", "slow"];
        let texts = games.chain(options).chain(own).map(|text| [text.as_bytes(), b"\n"].concat());
        texts.chain([vec![NONE], vec![11, 0, 0, 3, 100, 0, 0], vec![12, 0, 0, 0], vec![0xff, 0xfe]]).collect()
    },
    mutations: 1_500,
    longest: 400,
};

/// Where a text begins so, it is null.
const NONE: u8 = 0xff;

/// The most calls of one input.
const CALLS: usize = 40;

/// The most handles of a kind.
const HANDLES: usize = 8;

fn run(bytes: &[u8]) {
    let mut bytes = Bytes::new(bytes);
    let mut calls = Calls::default();
    for _ in 0..CALLS {
        if bytes.is_empty() {
            break;
        }
        calls.call(&mut bytes);
    }
}

/// An error to be written to, of some size, and what has to hold of it.
struct Said(starsplit_error);

impl Said {
    fn new(bytes: &mut Bytes<'_>) -> Self {
        let whole = size_of::<starsplit_error>();
        let size = [whole, whole, whole, 0, 8, 12, 17, whole + 8][bytes.below(8)];
        Said(starsplit_error {
            size,
            status: STARSPLIT_OK,
            callback_code: 0,
            message: [0; STARSPLIT_MESSAGE_SIZE],
        })
    }

    /// Whether it went well; else the message is a line, and the fault is not the library's.
    fn judge(&self, status: starsplit_status) -> bool {
        assert_ne!(status, STARSPLIT_ERROR_PANIC, "{}", self.text());
        if status != STARSPLIT_OK && self.0.size >= size_of::<starsplit_error>() {
            assert_eq!(self.0.status, status, "{}", self.text());
            assert!(!one_line(&self.text()).is_empty());
        }
        status == STARSPLIT_OK
    }

    fn text(&self) -> String {
        let bytes: Vec<u8> = self.0.message.iter().map(|&byte| byte as u8).collect();
        let text = CStr::from_bytes_until_nul(&bytes).expect("messages end with a zero");
        text.to_str().expect("messages are UTF-8").to_owned()
    }
}

/// What calls have left. Freed in the end.
#[derive(Default)]
struct Calls {
    games: Vec<*mut starsplit_game>,
    positions: Vec<*mut starsplit_position>,
    searchers: Vec<*mut starsplit_searcher>,
    results: Vec<*mut starsplit_result>,
    /// What the functions of games of one's own are given; they live as long as anything here.
    users: Vec<Rc<Own>>,
}

/// One of the handles, or null.
fn pick<T>(handles: &[*mut T], bytes: &mut Bytes<'_>) -> *mut T {
    handles.get(bytes.below(handles.len() + 1)).copied().unwrap_or(null_mut())
}

/// Keeps what a call has left, which is something where, and only where, it went well.
fn keep<T>(handles: &mut Vec<*mut T>, is_ok: bool, handle: *mut T, free: unsafe extern "C" fn(*mut T)) {
    assert_eq!(is_ok, !handle.is_null(), "a handle is left where a call goes well, and nowhere else");
    if handles.len() == HANDLES {
        // SAFETY: it came from the library, and is forgotten here.
        unsafe { free(handles.remove(0)) };
    }
    handles.extend((!handle.is_null()).then_some(handle));
}

/// A text for the library, or null.
fn argument(bytes: &mut Bytes<'_>) -> Option<CString> {
    let text = bytes.until(b'\n');
    let kept: Vec<u8> = text.iter().copied().filter(|&byte| byte != 0).collect();
    (text.first() != Some(&NONE)).then(|| CString::new(kept).expect("no zeros"))
}

fn pointer(text: &Option<CString>) -> *const c_char {
    text.as_ref().map_or(null(), |text| text.as_ptr())
}

/// What the library says in a text, which must be one where there is any.
fn read(text: *const c_char) -> Option<String> {
    // SAFETY: the library's texts end with a zero, and live as long as what they are of.
    (!text.is_null()).then(|| unsafe { CStr::from_ptr(text) }.to_str().expect("UTF-8").to_owned())
}

/// A structure in more room than it takes, with a size of its own choice.
#[repr(C)]
struct Sized_<T> {
    value: T,
    beyond: [u64; 4],
}

impl<T> Sized_<T> {
    fn new(value: T, bytes: &mut Bytes<'_>, set: impl FnOnce(&mut T, usize)) -> Self {
        let whole = size_of::<T>();
        let size = match bytes.below(11) {
            place @ 0..=7 => [whole, whole, whole, whole, 0, 7, 8, 12][place],
            8 => bytes.below(whole),
            9 => whole + 8,
            _ => whole + 32,
        };
        let mut sized = Sized_ { value, beyond: [0; 4] };
        sized.beyond[0] = u64::from(bytes.below(4) == 3);
        set(&mut sized.value, size);
        sized
    }
}

impl Calls {
    fn call(&mut self, bytes: &mut Bytes<'_>) {
        match bytes.below(16) {
            0 => self.open(bytes),
            1 => self.define(bytes),
            2 => self.game(bytes),
            3 => self.initial(bytes),
            4 => self.parse(bytes),
            5 => self.of_bytes(bytes),
            6 => self.position(bytes),
            7 => self.play(bytes),
            8 => self.resolve(bytes),
            9 => self.searcher(bytes),
            10 => self.set(bytes),
            11 => self.search(bytes),
            12 => self.result(bytes),
            13 => self.control(bytes),
            14 => self.free(bytes),
            _ => self.nulls(bytes),
        }
    }

    fn open(&mut self, bytes: &mut Bytes<'_>) {
        let (name, rules, mut said, mut game) =
            (argument(bytes), argument(bytes), Said::new(bytes), null_mut());
        // SAFETY: texts or nulls, and places.
        let status =
            unsafe { starsplit_game_open(pointer(&name), pointer(&rules), &raw mut game, &raw mut said.0) };
        keep(&mut self.games, said.judge(status), game, starsplit_game_free);
    }

    fn define(&mut self, bytes: &mut Bytes<'_>) {
        let name = argument(bytes);
        let own = Rc::new(Own::new(bytes));
        let functions = own.functions(pointer(&name), bytes);
        let functions = Sized_::new(functions, bytes, |functions, size| functions.size = size / 8 * 8);
        let (mut said, mut game) = (Said::new(bytes), null_mut());
        let user = Rc::as_ptr(&own).cast_mut().cast();
        // SAFETY: as much room as any size says; functions of positions, and of a user that lives.
        let status = unsafe {
            starsplit_game_define((&raw const functions).cast(), user, &raw mut game, &raw mut said.0)
        };
        self.users.push(own);
        keep(&mut self.games, said.judge(status), game, starsplit_game_free);
    }

    fn game(&mut self, bytes: &mut Bytes<'_>) {
        let (game, mut said) = (pick(&self.games, bytes), Said::new(bytes));
        let (mut low, mut high) = (0.0_f64, 0.0_f64);
        // SAFETY: a game or null, and places.
        unsafe {
            assert_eq!(read(starsplit_game_name(game)).is_some(), !game.is_null());
            let status = starsplit_game_range(game, &raw mut low, &raw mut high, &raw mut said.0);
            assert!(!said.judge(status) || low < high, "{low} to {high}");
            said.judge(starsplit_game_range(game, null_mut(), null_mut(), null_mut()));
        }
        assert_eq!(starsplit_game_count(), GAMES.0.len());
        assert_eq!(starsplit_abi_version(), STARSPLIT_ABI_VERSION);
        assert!(read(starsplit_version()).is_some());
    }

    fn initial(&mut self, bytes: &mut Bytes<'_>) {
        let (game, mut said, mut position) = (pick(&self.games, bytes), Said::new(bytes), null_mut());
        // SAFETY: a game or null, and places.
        let status = unsafe { starsplit_position_initial(game, &raw mut position, &raw mut said.0) };
        keep(&mut self.positions, said.judge(status), position, starsplit_position_free);
    }

    fn parse(&mut self, bytes: &mut Bytes<'_>) {
        let (game, text) = (pick(&self.games, bytes), argument(bytes));
        let (mut said, mut position) = (Said::new(bytes), null_mut());
        // SAFETY: a game or null, a text or null, and places.
        let status =
            unsafe { starsplit_position_parse(game, pointer(&text), &raw mut position, &raw mut said.0) };
        keep(&mut self.positions, said.judge(status), position, starsplit_position_free);
    }

    fn of_bytes(&mut self, bytes: &mut Bytes<'_>) {
        let game = pick(&self.games, bytes);
        // As many as a position has at the most.
        let mut room = [0_u8; 512];
        let count = bytes.below(9);
        room.iter_mut().zip(bytes.take(count)).for_each(|(byte, &new)| *byte = new);
        let (mut said, mut position) = (Said::new(bytes), null_mut());
        // SAFETY: a game or null, more bytes than positions have, and places.
        let status = unsafe {
            starsplit_position_of_bytes(game, room.as_ptr().cast(), &raw mut position, &raw mut said.0)
        };
        keep(&mut self.positions, said.judge(status), position, starsplit_position_free);
    }

    fn position(&mut self, bytes: &mut Bytes<'_>) {
        let (position, mut said) = (pick(&self.positions, bytes), Said::new(bytes));
        let (mut count, mut step, mut weight) = (0_usize, null(), 0_u32);
        let place = usize::from(bytes.byte());
        // SAFETY: a position or null, and places.
        unsafe {
            read(starsplit_position_text(position));
            read(starsplit_position_drawing(position));
            starsplit_position_kind(position);
            assert!(starsplit_position_player(position) < 2);
            assert!(starsplit_position_value(position).is_finite());
            let status = starsplit_position_step_count(position, &raw mut count, &raw mut said.0);
            let is_counted = said.judge(status);
            let error = &raw mut said.0;
            let status = starsplit_position_step(position, place, &raw mut step, &raw mut weight, error);
            let is_there = said.judge(status);
            assert!(!is_counted || is_there == (place < count), "place {place} of {count}");
            assert!(!is_there || (weight > 0 && read(step).is_some()));
            said.judge(starsplit_position_step(position, place, null_mut(), null_mut(), null_mut()));
        }
    }

    fn play(&mut self, bytes: &mut Bytes<'_>) {
        let (position, mut text) = (pick(&self.positions, bytes), argument(bytes));
        let (mut said, mut after, mut reward) = (Said::new(bytes), null_mut(), 0.0_f64);
        let mut step = null();
        // SAFETY: a position or null, texts or nulls, and places.
        unsafe {
            if text.as_ref().is_some_and(|text| text.is_empty()) {
                // One of its own moves.
                let place = bytes.byte().into();
                let status = starsplit_position_step(position, place, &raw mut step, null_mut(), null_mut());
                text = (status == STARSPLIT_OK).then(|| CStr::from_ptr(step).to_owned());
            }
            let (reward, error) = (&raw mut reward, &raw mut said.0);
            let status = starsplit_position_play(position, pointer(&text), reward, &raw mut after, error);
            keep(&mut self.positions, said.judge(status), after, starsplit_position_free);
        }
        assert!(reward.is_finite());
    }

    fn resolve(&mut self, bytes: &mut Bytes<'_>) {
        let (position, place, mut said) =
            (pick(&self.positions, bytes), bytes.u16().into(), Said::new(bytes));
        let mut after = null_mut();
        let error = &raw mut said.0;
        // SAFETY: a position or null, and places.
        let status =
            unsafe { starsplit_position_resolve(position, place, null_mut(), &raw mut after, error) };
        keep(&mut self.positions, said.judge(status), after, starsplit_position_free);
    }

    fn searcher(&mut self, bytes: &mut Bytes<'_>) {
        let (game, evaluator) = (pick(&self.games, bytes), argument(bytes));
        let settings = starsplit_settings {
            size: 0,
            evaluator: pointer(&evaluator),
            seed: bytes.byte().into(),
            table_mib: [1, 1, 1, u64::MAX, 1 << 50][bytes.below(5)],
            threads: [0, 1, 2, 3, 1025, u32::MAX][bytes.below(6)],
        };
        let settings = Sized_::new(settings, bytes, |settings, size| settings.size = size / 8 * 8);
        let (mut said, mut searcher) = (Said::new(bytes), null_mut());
        let error = &raw mut said.0;
        // SAFETY: a game or null, as much room as any size says, and places.
        let status =
            unsafe { starsplit_searcher_new(game, (&raw const settings).cast(), &raw mut searcher, error) };
        keep(&mut self.searchers, said.judge(status), searcher, starsplit_searcher_free);
    }

    fn set(&mut self, bytes: &mut Bytes<'_>) {
        let (searcher, option, value) = (pick(&self.searchers, bytes), argument(bytes), argument(bytes));
        let number = value.as_ref().and_then(|value| value.to_str().ok()?.parse::<u64>().ok());
        let has_cost = [c"threads", c"lanes", c"batch", c"timeline"].map(Some).contains(&option.as_deref());
        if has_cost && number.is_some_and(|number| (4..100_000).contains(&number)) {
            return;
        }
        let mut said = Said::new(bytes);
        // SAFETY: a searcher or null, texts or nulls, and a place.
        let status =
            unsafe { starsplit_searcher_set(searcher, pointer(&option), pointer(&value), &raw mut said.0) };
        said.judge(status);
    }

    fn search(&mut self, bytes: &mut Bytes<'_>) {
        let (searcher, position) = (pick(&self.searchers, bytes), pick(&self.positions, bytes));
        let (depth, nodes) = ([0, 1, 2, 3, 254, 255][bytes.below(6)], 1 + 4 * u64::from(bytes.byte()));
        let limits = starsplit_limits { size: 0, depth, nodes, time_us: u64::from(bytes.u16()) };
        let mut limits = Sized_::new(limits, bytes, |limits, size| limits.size = size);
        if (8..24).contains(&limits.value.size) {
            // A program so old says no nodes: it may go a ply deep.
            limits.value.depth = 1;
            limits.value.size = limits.value.size.max(12);
        }
        let mut code = [0, 0, 0, 7][bytes.below(4)];
        let (mut said, mut result) = (Said::new(bytes), null_mut());
        let (code, error) = ((&raw mut code).cast(), &raw mut said.0);
        // SAFETY: handles or nulls, as much room as any size says, a function for what it is given, places.
        let status = unsafe {
            let limits = (&raw const limits).cast();
            starsplit_searcher_search(
                searcher,
                position,
                limits,
                Some(iteration),
                code,
                &raw mut result,
                error,
            )
        };
        keep(&mut self.results, said.judge(status), result, starsplit_result_free);
    }

    fn result(&mut self, bytes: &mut Bytes<'_>) {
        let (result, mut said) = (pick(&self.results, bytes), Said::new(bytes));
        look(result, &mut said, bytes.byte().into());
        // SAFETY: zeros are a summary.
        let summary: starsplit_summary = unsafe { std::mem::zeroed() };
        let mut summary = Sized_::new(summary, bytes, |summary, size| summary.size = size);
        let beyond = summary.beyond;
        // SAFETY: a result or null, as much room as any size says, and a place.
        let status = unsafe { starsplit_result_summary(result, (&raw mut summary).cast(), &raw mut said.0) };
        said.judge(status);
        assert_eq!(summary.beyond, beyond, "written beyond what there is");
    }

    fn control(&mut self, bytes: &mut Bytes<'_>) {
        let (searcher, mut said) = (pick(&self.searchers, bytes), Said::new(bytes));
        // SAFETY: a searcher or null, and a place.
        unsafe {
            match bytes.below(4) {
                0 => starsplit_searcher_stop(searcher),
                1 => {
                    let status = starsplit_searcher_new_game(searcher, &raw mut said.0);
                    assert_eq!(said.judge(status), !searcher.is_null());
                }
                _ => starsplit_searcher_clear_stop(searcher),
            }
        }
    }

    /// What is made of a game lives on when that is freed.
    fn free(&mut self, bytes: &mut Bytes<'_>) {
        // SAFETY: they came from the library, and are forgotten here.
        unsafe {
            match bytes.below(4) {
                0 => self.games.pop().into_iter().for_each(|game| starsplit_game_free(game)),
                1 => self.positions.pop().into_iter().for_each(|position| starsplit_position_free(position)),
                2 => self.searchers.pop().into_iter().for_each(|searcher| starsplit_searcher_free(searcher)),
                _ => self.results.pop().into_iter().for_each(|result| starsplit_result_free(result)),
            }
        }
    }

    /// Nulls for places, which are refused, and for handles that may be null.
    fn nulls(&mut self, bytes: &mut Bytes<'_>) {
        let (game, position) = (pick(&self.games, bytes), pick(&self.positions, bytes));
        let (searcher, result, mut said) =
            (pick(&self.searchers, bytes), pick(&self.results, bytes), Said::new(bytes));
        let error = &raw mut said.0;
        // SAFETY: handles or nulls, and nulls where the functions say what is missing.
        let statuses = unsafe {
            starsplit_game_free(null_mut());
            starsplit_position_free(null_mut());
            starsplit_searcher_free(null_mut());
            starsplit_result_free(null_mut());
            [
                starsplit_game_open(null(), null(), null_mut(), error),
                starsplit_game_define(null(), null_mut(), null_mut(), error),
                starsplit_position_initial(game, null_mut(), error),
                starsplit_position_parse(game, null(), null_mut(), error),
                starsplit_position_of_bytes(game, null(), null_mut(), error),
                starsplit_position_step_count(position, null_mut(), error),
                starsplit_position_play(position, null(), null_mut(), null_mut(), error),
                starsplit_position_resolve(position, 0, null_mut(), null_mut(), error),
                starsplit_searcher_new(game, null(), null_mut(), error),
                starsplit_searcher_set(searcher, null(), null(), error),
                starsplit_searcher_search(searcher, position, null(), None, null_mut(), null_mut(), error),
                starsplit_result_move(result, usize::MAX, null_mut(), error),
                starsplit_result_step(result, usize::MAX, null_mut(), null_mut(), error),
            ]
        };
        for status in statuses {
            assert!(status != STARSPLIT_OK && status != STARSPLIT_ERROR_PANIC, "{status:?}: {}", said.text());
        }
    }
}

impl Drop for Calls {
    fn drop(&mut self) {
        // SAFETY: they came from the library, and nobody has them any more; users are dropped after them.
        unsafe {
            self.results.drain(..).for_each(|result| starsplit_result_free(result));
            self.searchers.drain(..).for_each(|searcher| starsplit_searcher_free(searcher));
            self.positions.drain(..).for_each(|position| starsplit_position_free(position));
            self.games.drain(..).for_each(|game| starsplit_game_free(game));
        }
    }
}

/// Everything that a result says makes sense.
fn look(result: *const starsplit_result, said: &mut Said, place: usize) {
    let error = &raw mut said.0;
    // SAFETY: a result or null, and places; zeros are structures of theirs.
    unsafe {
        let (mut summary, mut ranked): (starsplit_summary, starsplit_ranked_move) =
            (std::mem::zeroed(), std::mem::zeroed());
        (summary.size, ranked.size) = (size_of_val(&summary), size_of_val(&ranked));
        if !said.judge(starsplit_result_summary(result, &raw mut summary, error)) {
            return assert!(result.is_null());
        }
        assert!(summary.lower_score <= summary.upper_score && summary.lower <= summary.upper);
        let is_within = summary.value >= summary.lower && summary.value <= summary.upper;
        assert!(is_within || summary.depth == 0 && summary.value.is_nan());
        assert_eq!(summary.is_exact, summary.depth > 0);
        let is_ranked = said.judge(starsplit_result_move(result, place, &raw mut ranked, error));
        assert_eq!(is_ranked, place < summary.move_count);
        assert!(!is_ranked || (read(ranked.text).is_some() && ranked.value.is_finite()));
        let (mut step, mut is_move) = (null(), false);
        let status = starsplit_result_step(result, place, &raw mut step, &raw mut is_move, error);
        assert_eq!(said.judge(status), place < summary.step_count);
        assert!(place >= summary.step_count || read(step).is_some());
        read(starsplit_result_best_move(result));
    }
}

unsafe extern "C" fn iteration(user: *mut c_void, result: *const starsplit_result) -> i32 {
    let mut said = Said(starsplit_error {
        size: size_of::<starsplit_error>(),
        status: STARSPLIT_OK,
        callback_code: 0,
        message: [0; STARSPLIT_MESSAGE_SIZE],
    });
    look(result, &mut said, 0);
    // SAFETY: the number that the search was given.
    unsafe { *user.cast::<i32>() }
}

/// A game of one's own: what its functions say of a position, by a number that the position's first bytes
/// are.
#[derive(Clone, Copy, Debug)]
struct Own {
    position_size: usize,
    kinds: [u8; 8],
    players: u8,
    counts: [u8; 8],
    weights: [u8; 8],
    /// What `evaluate`, `reward` and the end give, in quarters; 127 for what is no number.
    values: [i8; 8],
    plies: [u8; 8],
    ignores_outcomes: bool,
    /// Which function fails, and at which positions.
    fails: (u8, u8),
}

impl Own {
    fn new(bytes: &mut Bytes<'_>) -> Self {
        fn several(bytes: &mut Bytes<'_>) -> [u8; 8] {
            bytes.u64().to_le_bytes()
        }
        Own {
            position_size: [8, 8, 8, 1, 64, 65, 512, 0, 513][bytes.below(9)],
            kinds: several(bytes),
            players: bytes.byte(),
            counts: several(bytes),
            weights: several(bytes),
            values: several(bytes).map(|byte| byte as i8),
            plies: several(bytes),
            ignores_outcomes: bytes.below(4) == 3,
            fails: (bytes.byte(), bytes.byte()),
        }
    }

    fn functions(&self, name: *const c_char, bytes: &mut Bytes<'_>) -> starsplit_game_functions {
        let extra = bytes.byte();
        let missing = bytes.byte();
        let has = |bit: u8| missing != bit + 1;
        starsplit_game_functions {
            size: 0,
            name,
            rules_identity: 1,
            evaluator_identity: 1,
            position_size: self.position_size,
            low: if extra & 1 == 0 { -32.0 } else { f64::NAN },
            high: 32.0,
            grid_limit: [0, 1, 64, -1, i32::MAX][bytes.below(5)],
            depth_step: [0, 1, 2, 255, 256][bytes.below(5)],
            move_slots: [0, 8, 1 << 20, u32::MAX][bytes.below(4)],
            evaluation_fixed_ns: [0, 100_000][bytes.below(2)],
            evaluation_each_ns: 0,
            evaluation_ignores_outcomes: self.ignores_outcomes.into(),
            outcomes_never_end: 0,
            describe: has(0).then_some(describe),
            moves: has(1).then_some(moves),
            play: has(2).then_some(play),
            outcomes: has(3).then_some(outcomes),
            resolve: has(4).then_some(resolve),
            evaluate: has(5).then_some(evaluate),
            reward: (extra & 2 != 0).then_some(reward),
            plies: (extra & 4 != 0).then_some(plies),
            saturates: u32::from(extra & 8 != 0),
            successor_ns: [0, 1, 5_000, u32::MAX][usize::from(extra >> 4 & 3)],
        }
    }

    /// The game, and the number of a position.
    ///
    /// # Safety
    /// The library has given both.
    unsafe fn at<'u>(user: *mut c_void, position: *const c_void) -> (&'u Own, u64) {
        // SAFETY: the user is a game, and positions have as many bytes as it says.
        unsafe {
            let own = &*user.cast::<Own>();
            let mut number = [0_u8; 8];
            let count = own.position_size.min(8);
            position.cast::<u8>().copy_to_nonoverlapping(number.as_mut_ptr(), count);
            (own, u64::from_le_bytes(number))
        }
    }

    /// Writes the position after this step.
    ///
    /// # Safety
    /// `after` has as many bytes as positions have.
    unsafe fn step(&self, number: u64, step: u32, after: *mut c_void) {
        let next = ((number * 3 + u64::from(step) + 1) % 251).to_le_bytes();
        // SAFETY: within what positions have.
        unsafe { after.cast::<u8>().copy_from_nonoverlapping(next.as_ptr(), self.position_size.min(8)) };
    }

    fn count(&self, number: u64) -> i32 {
        (self.counts[number as usize % 8] % 6).into()
    }

    fn value(&self, number: u64) -> f64 {
        match self.values[number as usize % 8] {
            127 => f64::NAN,
            quarters => f64::from(quarters) / 4.0,
        }
    }

    fn code(&self, function: u8, number: u64) -> i32 {
        let fails = self.fails.0 == function && u64::from(self.fails.1) == number % 8;
        if fails { -42 } else { 0 }
    }
}

unsafe extern "C" fn describe(user: *mut c_void, position: *const c_void, node: *mut starsplit_node) -> i32 {
    // SAFETY: the library has given all of it.
    unsafe {
        let (own, number) = Own::at(user, position);
        *node = starsplit_node {
            kind: match own.kinds[number as usize % 8] {
                255 => 3,
                kind => u32::from(kind) % 3,
            },
            player: u32::from(own.players) >> (number % 8) & 1,
            hash: [mix64(number), mix64(!number)],
            terminal_value: own.value(number),
            full_depth: 0,
        };
        own.code(1, number)
    }
}

unsafe extern "C" fn moves(user: *mut c_void, position: *const c_void, to: *mut u32, capacity: usize) -> i32 {
    // SAFETY: the library has given all of it; within the capacity.
    unsafe {
        let (own, number) = Own::at(user, position);
        (0..own.count(number)).take(capacity).for_each(|mv| to.add(mv as usize).write(mv as u32));
        if own.code(2, number) == 0 { own.count(number) } else { -42 }
    }
}

unsafe extern "C" fn play(user: *mut c_void, position: *const c_void, mv: u32, after: *mut c_void) -> i32 {
    // SAFETY: the library has given all of it.
    unsafe {
        let (own, number) = Own::at(user, position);
        own.step(number, mv, after);
        own.code(3, number)
    }
}

unsafe extern "C" fn outcomes(
    user: *mut c_void,
    position: *const c_void,
    to: *mut starsplit_outcome,
    capacity: usize,
) -> i32 {
    // SAFETY: the library has given all of it; within the capacity.
    unsafe {
        let (own, number) = Own::at(user, position);
        for place in (0..own.count(number)).take(capacity) {
            let weight = match own.weights[place as usize] {
                254 => u32::MAX,
                255 => 0,
                weight => 1 + u32::from(weight),
            };
            to.add(place as usize).write(starsplit_outcome { outcome: place as u32, weight });
        }
        if own.code(4, number) == 0 { own.count(number) } else { -42 }
    }
}

unsafe extern "C" fn resolve(
    user: *mut c_void,
    position: *const c_void,
    outcome: u32,
    after: *mut c_void,
) -> i32 {
    // SAFETY: the library has given all of it.
    unsafe {
        let (own, number) = Own::at(user, position);
        own.step(number, 10 + outcome, after);
        own.code(5, number)
    }
}

unsafe extern "C" fn evaluate(
    user: *mut c_void,
    positions: *const *const c_void,
    count: usize,
    values: *mut f64,
) -> i32 {
    // SAFETY: the library has given all of it; so many positions, and so many values.
    unsafe {
        for place in 0..count {
            let (own, number) = Own::at(user, *positions.add(place));
            values.add(place).write(if own.ignores_outcomes { 0.25 } else { own.value(number) });
            if own.code(6, number) != 0 {
                return -42;
            }
        }
    }
    0
}

unsafe extern "C" fn reward(
    user: *mut c_void,
    position: *const c_void,
    step: u32,
    _: *const c_void,
    to: *mut f64,
) -> i32 {
    // SAFETY: the library has given all of it.
    unsafe {
        let (own, number) = Own::at(user, position);
        to.write(own.value(number + u64::from(step)));
        own.code(7, number)
    }
}

unsafe extern "C" fn plies(
    user: *mut c_void,
    position: *const c_void,
    step: u32,
    _: *const c_void,
    to: *mut u32,
) -> i32 {
    // SAFETY: the library has given all of it.
    unsafe {
        let (own, number) = Own::at(user, position);
        to.write(u32::from(own.plies[(number as usize + step as usize) % 8]) % 4);
        own.code(8, number)
    }
}

/// What programs in C do: open a game, play, search, look at the result; of every game, and of one's own.
fn seeds() -> Vec<(String, Vec<u8>)> {
    let mut found = Vec::new();
    for info in GAMES.infos() {
        let mut calls = [b"\x00".as_slice(), info.name.as_bytes(), b"\n\xff\n\x00"].concat();
        calls.extend([3, 0, 0, 6, 0, 0, 0, 9, 0, NONE, b'\n', 1, 0, 1, 0, 0, 0]);
        calls.extend(b"\x0a\x00rank-root-moves\non\n\x00");
        calls.extend([11, 0, 0, 2, 100, 0, 0, 0, 0, 0, 0, 12, 0, 0, 0, 0, 0, 8, 0, 1, 0, 0, 6, 1, 0, 2]);
        calls.extend(b"\x07\x01\n\x00\x00");
        calls.extend([11, 0, 1, 3, 50, 0, 0, 0, 0, 0, 0, 14, 0, 12, 1, 0, 1, 0, 0, 13, 0, 0, 0]);
        found.push((info.name.to_owned(), calls));
    }
    let own = |extra: u8, fails: [u8; 2]| {
        let mut calls = b"\x01own\n\x00".to_vec();
        calls.extend([0, 1, 0, 1, 0, 0, 1, 2, 5]); // kinds, players
        calls.extend([3, 2, 4, 2, 5, 3, 2, 2]); // counts
        calls.extend([0, 1, 2, 3, 0, 1, 2, 3]); // weights
        calls.extend([4, 252, 9, 100, 0, 8, 240, 16]); // values
        calls.extend([1, 1, 2, 1, 0, 1, 1, 1]); // plies
        calls.extend([0, fails[0], fails[1], extra, 0, 0, 0, 1, 0, 0, 0, 0]);
        calls.extend([5, 0, 4, 1, 0, 0, 0, 0, 6, 0, 0, 0, 9, 0, NONE, b'\n', 1, 0, 2, 0, 0, 0]);
        calls.extend([11, 0, 0, 3, 200, 0, 0, 0, 0, 0, 0, 12, 0, 0, 0, 0, 0]);
        calls
    };
    found.push(("own".to_owned(), own(0, [0, 0])));
    found.push(("own-rich".to_owned(), own(6, [0, 0])));
    found.push(("own-fails".to_owned(), own(2, [6, 3])));
    found.push(("nulls".to_owned(), vec![15, 0, 0, 0, 0, 0]));
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How many calls of an input fail in the caller's functions, or leave a result.
    fn results(bytes: &[u8]) -> usize {
        let (mut bytes, mut calls) = (Bytes::new(bytes), Calls::default());
        while !bytes.is_empty() {
            calls.call(&mut bytes);
        }
        calls.results.len()
    }

    #[test]
    fn the_first_inputs_search() {
        for (name, bytes) in seeds().iter().filter(|(name, _)| name != "own-fails") {
            assert_eq!(results(bytes) == 0, name == "nulls", "{name}");
        }
    }
}
