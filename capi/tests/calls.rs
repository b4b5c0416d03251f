//! What calls give where something is missing, of another size, of another game, or failing.
#![allow(unsafe_code, reason = "the functions are called as C calls them")]

#[path = "calls/graphs.rs"]
mod graphs;

use starsplit_c::game::{
    starsplit_game, starsplit_game_define, starsplit_game_free, starsplit_game_open, starsplit_game_range,
};
use starsplit_c::own::{starsplit_game_functions, starsplit_node, starsplit_outcome};
use starsplit_c::position::{
    starsplit_position, starsplit_position_free, starsplit_position_initial, starsplit_position_of_bytes,
    starsplit_position_of_match, starsplit_position_parse, starsplit_position_play,
    starsplit_position_resolve, starsplit_position_step, starsplit_position_text,
};
use starsplit_c::question::{
    starsplit_handle_depth, starsplit_handle_end_within, starsplit_handle_free, starsplit_handle_iteration,
    starsplit_handle_new, starsplit_handle_nodes, starsplit_handle_stop, starsplit_option,
    starsplit_outcomes_at, starsplit_outcomes_count, starsplit_outcomes_free, starsplit_outcomes_step,
    starsplit_question, starsplit_searcher_ask, starsplit_searcher_outcomes, starsplit_valued_outcome,
};
use starsplit_c::result::{
    starsplit_ending, starsplit_result, starsplit_result_best_move, starsplit_result_free,
    starsplit_result_move, starsplit_result_summary, starsplit_summary,
};
use starsplit_c::searcher::{
    starsplit_limits, starsplit_searcher, starsplit_searcher_clear_stop, starsplit_searcher_free,
    starsplit_searcher_new, starsplit_searcher_search, starsplit_searcher_set, starsplit_searcher_stop,
};
use starsplit_c::status::{STARSPLIT_MESSAGE_SIZE, starsplit_error, starsplit_status};
use starsplit_status::{
    STARSPLIT_ERROR_ARGUMENT, STARSPLIT_ERROR_CALLBACK, STARSPLIT_ERROR_SEARCH, STARSPLIT_OK,
};
use std::ffi::{CStr, CString, c_void};
use std::mem::offset_of;
use std::ptr::{null, null_mut};

/// An error to be written to, and what it says.
struct Said(starsplit_error);

impl Said {
    fn nothing() -> Self {
        let message = [0; STARSPLIT_MESSAGE_SIZE];
        Said(starsplit_error {
            size: size_of::<starsplit_error>(),
            status: STARSPLIT_OK,
            callback_code: 0,
            message,
        })
    }

    fn text(&self) -> &str {
        // SAFETY: messages end with a zero.
        unsafe { CStr::from_ptr(self.0.message.as_ptr()) }.to_str().expect("UTF-8")
    }
}

/// What a call must give, and what its message must begin with.
#[track_caller]
fn fails(status: starsplit_status, expected: starsplit_status, said: &Said, begins: &str) {
    assert_eq!((status, said.0.status), (expected, expected), "{}", said.text());
    assert!(said.text().starts_with(begins), "{:?}, expected {begins:?}", said.text());
}

fn open(name: &str, rules: Option<&str>) -> *mut starsplit_game {
    let (name, rules) = (text(name), rules.map(text));
    let rules = rules.as_ref().map_or(null(), |rules| rules.as_ptr());
    let (mut game, mut said) = (null_mut(), Said::nothing());
    // SAFETY: texts and places that live.
    let status = unsafe { starsplit_game_open(name.as_ptr(), rules, &raw mut game, &raw mut said.0) };
    assert_eq!(status, STARSPLIT_OK, "{}", said.text());
    game
}

fn text(text: &str) -> CString {
    CString::new(text).expect("no zeros")
}

fn initial(game: *const starsplit_game) -> *mut starsplit_position {
    let mut position = null_mut();
    // SAFETY: a game that lives, and a place.
    assert_eq!(unsafe { starsplit_position_initial(game, &raw mut position, null_mut()) }, STARSPLIT_OK);
    position
}

fn searcher_of(game: *const starsplit_game) -> *mut starsplit_searcher {
    let mut searcher = null_mut();
    // SAFETY: a game that lives, and a place.
    assert_eq!(unsafe { starsplit_searcher_new(game, null(), &raw mut searcher, null_mut()) }, STARSPLIT_OK);
    searcher
}

fn depth(depth: u32) -> starsplit_limits {
    starsplit_limits { size: size_of::<starsplit_limits>(), depth, nodes: 0, time_us: 0 }
}

fn summary_of(result: *const starsplit_result) -> starsplit_summary {
    // SAFETY: zeros are a summary, and a result that lives.
    unsafe {
        let mut summary: starsplit_summary = std::mem::zeroed();
        summary.size = size_of::<starsplit_summary>();
        assert_eq!(starsplit_result_summary(result, &raw mut summary, null_mut()), STARSPLIT_OK);
        summary
    }
}

#[test]
fn what_is_missing_is_named() {
    let mut said = Said::nothing();
    let error = &raw mut said.0;
    // SAFETY: nulls, of which all functions say what they make.
    unsafe {
        let status = starsplit_game_open(null(), null(), null_mut(), error);
        fails(status, STARSPLIT_ERROR_ARGUMENT, &said, "name: NULL, expected a pointer");
        let name = text("pig");
        let status = starsplit_game_open(name.as_ptr(), null(), null_mut(), error);
        fails(status, STARSPLIT_ERROR_ARGUMENT, &said, "game: NULL");
        let status = starsplit_position_initial(null(), null_mut(), error);
        fails(status, STARSPLIT_ERROR_ARGUMENT, &said, "game: NULL");
        let status = starsplit_searcher_search(null(), null(), null(), None, null_mut(), null_mut(), error);
        fails(status, STARSPLIT_ERROR_ARGUMENT, &said, "searcher: NULL");
        let status = starsplit_game_define(null(), null_mut(), null_mut(), error);
        fails(status, STARSPLIT_ERROR_ARGUMENT, &said, "functions: NULL");
        // Nobody has to want to know.
        assert_eq!(starsplit_game_open(null(), null(), null_mut(), null_mut()), STARSPLIT_ERROR_ARGUMENT);
        assert!(starsplit_result_best_move(null()).is_null());
        starsplit_game_free(null_mut());
        starsplit_position_free(null_mut());
        starsplit_searcher_free(null_mut());
        starsplit_result_free(null_mut());
        starsplit_searcher_stop(null());
        starsplit_searcher_clear_stop(null());
    }
}

#[test]
fn bad_texts_are_named_in_one_line() {
    let mut said = Said::nothing();
    let error = &raw mut said.0;
    let (game, mut other, mut position) = (open("einstein", None), null_mut(), null_mut());
    let searcher = searcher_of(game);
    let long = text(&format!("\u{1b}[31m\n{}", "x".repeat(100_000)));
    // SAFETY: texts, handles and places that live.
    unsafe {
        let status = starsplit_game_open(long.as_ptr(), null(), &raw mut other, error);
        fails(status, STARSPLIT_ERROR_ARGUMENT, &said, "game ");
        assert!(said.text().chars().all(|letter| !letter.is_control()) && other.is_null());
        let status = starsplit_game_open(c"\xff".as_ptr(), null(), &raw mut other, error);
        fails(status, STARSPLIT_ERROR_ARGUMENT, &said, "name: expected UTF-8");
        let status = starsplit_game_open(c"pig".as_ptr(), c"score=".as_ptr(), &raw mut other, error);
        fails(status, STARSPLIT_ERROR_ARGUMENT, &said, "rule score=");
        let status = starsplit_position_parse(game, long.as_ptr(), &raw mut position, error);
        fails(status, STARSPLIT_ERROR_ARGUMENT, &said, "position");
        for (name, value, begins) in [
            (c"threads", c"0", "--threads 0"),
            (c"threads", c"two", "--threads two"),
            (c"no-such", c"1", "option no-such"),
            (c"ordering", c"no-such", "move ordering"),
        ] {
            let status = starsplit_searcher_set(searcher, name.as_ptr(), value.as_ptr(), error);
            assert_eq!(status, STARSPLIT_ERROR_ARGUMENT, "{name:?} {value:?}");
            assert!(!said.text().is_empty(), "{begins}");
        }
        let status = starsplit_searcher_set(searcher, c"history".as_ptr(), c"live".as_ptr(), error);
        let retired = "option history: retired, revision 21018ab5 had it last; expected one that";
        fails(status, STARSPLIT_ERROR_ARGUMENT, &said, retired);
        starsplit_searcher_free(searcher);
        starsplit_game_free(game);
    }
}

#[test]
fn positions_of_other_games_and_rules_are_refused() {
    let mut said = Said::nothing();
    let error = &raw mut said.0;
    let (game, small, pig) =
        (open("einstein", None), open("einstein", Some("size=3,stones=3")), open("pig", None));
    let searcher = searcher_of(game);
    let mut result = null_mut();
    // SAFETY: handles and places that live.
    unsafe {
        for of in [small, pig] {
            let position = initial(of);
            let status = starsplit_searcher_search(
                searcher,
                position,
                &depth(3),
                None,
                null_mut(),
                &raw mut result,
                error,
            );
            fails(status, STARSPLIT_ERROR_ARGUMENT, &said, "position of ");
            assert!(result.is_null());
            starsplit_position_free(position);
        }
        let (again, position) = (open("einstein", None), initial(game));
        let of_again = initial(again);
        let status = starsplit_searcher_search(
            searcher,
            of_again,
            &depth(3),
            None,
            null_mut(),
            &raw mut result,
            error,
        );
        assert_eq!(status, STARSPLIT_OK, "{}", said.text());
        starsplit_result_free(result);
        let mut after = null_mut();
        let status = starsplit_position_play(position, c"1-a1".as_ptr(), null_mut(), &raw mut after, error);
        fails(status, STARSPLIT_ERROR_ARGUMENT, &said, "position ");
        let status = starsplit_position_resolve(position, 720, null_mut(), &raw mut after, error);
        fails(status, STARSPLIT_ERROR_ARGUMENT, &said, "place 720: expected less than 720");
        for handle in [position, of_again] {
            starsplit_position_free(handle);
        }
        starsplit_searcher_free(searcher);
        for handle in [again, pig, small, game] {
            starsplit_game_free(handle);
        }
    }
}

#[test]
fn a_search_has_limits_a_stop_and_ranked_moves() {
    let mut said = Said::nothing();
    let error = &raw mut said.0;
    let (game, mut position, mut result) = (open("einstein", None), null_mut(), null_mut());
    let searcher = searcher_of(game);
    // SAFETY: handles, texts and places that live.
    unsafe {
        let notation = c"x1x2x3..../x4x5....../x6......o6/......o5o4/....o3o2o1 x 3";
        let status = starsplit_position_parse(game, notation.as_ptr(), &raw mut position, error);
        assert_eq!(status, STARSPLIT_OK, "{}", said.text());
        let search = |limits: &starsplit_limits, result: &mut *mut starsplit_result| {
            starsplit_result_free(*result);
            *result = null_mut();
            starsplit_searcher_search(searcher, position, limits, None, null_mut(), result, error)
        };
        let status = search(&depth(255), &mut result);
        fails(status, STARSPLIT_ERROR_ARGUMENT, &said, "depth 255: expected 1 to 254");
        for (option, value) in [(c"rank-root-moves", c"on"), (c"threads", c"2")] {
            let status = starsplit_searcher_set(searcher, option.as_ptr(), value.as_ptr(), error);
            assert_eq!(status, STARSPLIT_OK, "{}", said.text());
        }
        assert_eq!(search(&depth(5), &mut result), STARSPLIT_OK);
        let summary = summary_of(result);
        assert!(
            summary.is_exact && summary.depth == 5 && summary.ending == starsplit_ending::STARSPLIT_BY_DEPTH
        );
        assert!(summary.move_count > 1 && summary.step_count > 0 && summary.nodes > 0);
        let mut ranked: starsplit_c::result::starsplit_ranked_move = std::mem::zeroed();
        ranked.size = size_of_val(&ranked);
        assert_eq!(starsplit_result_move(result, 0, &raw mut ranked, error), STARSPLIT_OK);
        assert_eq!(ranked.score, summary.lower_score);
        assert_eq!(CStr::from_ptr(ranked.text), CStr::from_ptr(starsplit_result_best_move(result)));
        let status = starsplit_result_move(result, summary.move_count, &raw mut ranked, error);
        fails(status, STARSPLIT_ERROR_ARGUMENT, &said, "place ");

        starsplit_searcher_stop(searcher);
        assert_eq!(search(&depth(9), &mut result), STARSPLIT_OK);
        let stopped = summary_of(result);
        assert_eq!((stopped.depth, stopped.ending), (0, starsplit_ending::STARSPLIT_BY_STOP));
        starsplit_searcher_clear_stop(searcher);
        let limits = starsplit_limits { nodes: 5_000, ..depth(0) };
        assert_eq!(search(&limits, &mut result), STARSPLIT_OK);
        assert_eq!(summary_of(result).ending, starsplit_ending::STARSPLIT_BY_NODES);
        starsplit_result_free(result);
        starsplit_searcher_free(searcher);
        starsplit_position_free(position);
        starsplit_game_free(game);
    }
}

#[test]
fn a_match_has_positions_by_place() {
    const MATCH: &str = include_str!("../../games/tests/matches/match.mat");
    let (mut said, written) = (Said::nothing(), CString::new(MATCH).expect("no zero in it"));
    let (game, other) = (open("backgammon", None), open("pig", None));
    // What the place leaves: the status, the number of positions, and the text of this one.
    let mut at = |game: *const starsplit_game, text: &CStr, place: usize| {
        let (mut count, mut position) = (0, null_mut());
        // SAFETY: a game and a text that live, and places.
        unsafe {
            let status = starsplit_position_of_match(
                game,
                text.as_ptr(),
                place,
                &raw mut count,
                &raw mut position,
                &raw mut said.0,
            );
            let text = starsplit_position_text(position);
            let text = (!text.is_null()).then(|| CStr::from_ptr(text).to_str().expect("UTF-8").to_owned());
            starsplit_position_free(position);
            (status, count, text, said.text().to_owned())
        }
    };
    let (status, count, first, _) = at(game, &written, 0);
    assert_eq!((status, count, first.as_deref()), (STARSPLIT_OK, 189, Some("4HPwATDgc/ABMA o 41")));
    let (_, _, last, _) = at(game, &written, 188);
    assert_eq!(last.as_deref(), Some("2M0CwA43AgAAAA x 44"));
    let (status, count, none, told) = at(game, &written, 189);
    assert_eq!((status, count, none), (STARSPLIT_ERROR_ARGUMENT, 189, None));
    assert_eq!(told, "place 189: expected less than 189");
    for (game, text) in [(game, c"no match"), (other, &*written)] {
        let (status, count, none, told) = at(game, text, 0);
        assert_eq!((status, count, none), (STARSPLIT_ERROR_ARGUMENT, 0, None));
        assert!(told.contains("expected"), "{told}");
    }
    // SAFETY: used no more.
    unsafe {
        starsplit_game_free(game);
        starsplit_game_free(other);
    }
}

/// A position of EinStein where a move is next, and one of its moves in the game's words.
fn einstein() -> (*mut starsplit_game, *mut starsplit_position) {
    let (game, mut position, mut said) = (open("einstein", None), null_mut(), Said::nothing());
    let notation = c"x1x2x3..../x4x5....../x6......o6/......o5o4/....o3o2o1 x 3";
    // SAFETY: a game and a text that live, and places.
    let status =
        unsafe { starsplit_position_parse(game, notation.as_ptr(), &raw mut position, &raw mut said.0) };
    assert_eq!(status, STARSPLIT_OK, "{}", said.text());
    (game, position)
}

/// A question to this depth that asks for nothing else.
fn question(limits: &starsplit_limits) -> starsplit_question {
    starsplit_question {
        size: size_of::<starsplit_question>(),
        limits,
        root_moves: null(),
        root_move_count: 0,
        options: null(),
        option_count: 0,
        handle: null(),
        on_iteration: None,
        user: null_mut(),
    }
}

#[test]
fn a_question_has_root_moves_options_and_a_handle_of_its_own() {
    let mut said = Said::nothing();
    let error = &raw mut said.0;
    let ((game, position), mut handle) = (einstein(), null_mut());
    let searcher = searcher_of(game);
    let limits = depth(5);
    // SAFETY: handles, texts and places that live.
    unsafe {
        let ask = |question: &starsplit_question| {
            let mut result = null_mut();
            (starsplit_searcher_ask(searcher, position, question, &raw mut result, error), result)
        };
        let options = [starsplit_option { name: c"rank-root-moves".as_ptr(), value: c"on".as_ptr() }];
        let ranking = starsplit_question { options: options.as_ptr(), option_count: 1, ..question(&limits) };
        let (status, ranked) = ask(&ranking);
        assert_eq!(status, STARSPLIT_OK, "{}", said.text());
        let mut second: starsplit_c::result::starsplit_ranked_move = std::mem::zeroed();
        second.size = size_of_val(&second);
        assert_eq!(starsplit_result_move(ranked, 1, &raw mut second, error), STARSPLIT_OK);

        // The second best move alone, seen by a handle.
        assert_eq!(starsplit_handle_new(&raw mut handle, error), STARSPLIT_OK);
        let moves = [second.text];
        let named = starsplit_question {
            root_moves: moves.as_ptr(),
            root_move_count: 1,
            handle,
            ..question(&limits)
        };
        let (status, alone) = ask(&named);
        assert_eq!(status, STARSPLIT_OK, "{}", said.text());
        assert_eq!(summary_of(alone).lower_score, second.score);
        assert_eq!(summary_of(alone).move_count, 0, "the options were those of one search");
        assert_eq!(CStr::from_ptr(starsplit_result_best_move(alone)), CStr::from_ptr(second.text));
        let mut last = null_mut();
        assert_eq!(starsplit_handle_iteration(handle, &raw mut last, error), STARSPLIT_OK);
        assert_eq!((summary_of(last).depth, summary_of(last).value), (5, summary_of(alone).value));
        let nodes = starsplit_handle_nodes(handle);
        assert!(nodes > 0 && nodes <= summary_of(alone).nodes && starsplit_handle_depth(handle) == 5);
        fails(ask(&named).0, STARSPLIT_ERROR_ARGUMENT, &said, "handle of another search");
        starsplit_handle_free(handle);

        // A wish from before the search.
        for (time, ending) in
            [(0, starsplit_ending::STARSPLIT_BY_TIME), (-1, starsplit_ending::STARSPLIT_BY_DEPTH)]
        {
            assert_eq!(starsplit_handle_new(&raw mut handle, error), STARSPLIT_OK);
            starsplit_handle_end_within(handle, time);
            let limits = starsplit_limits { time_us: 1, ..depth(6) };
            let (status, hurried) = ask(&starsplit_question { handle, ..question(&limits) });
            assert_eq!((status, summary_of(hurried).ending), (STARSPLIT_OK, ending), "{}", said.text());
            starsplit_handle_stop(handle);
            starsplit_handle_free(handle);
            starsplit_result_free(hurried);
        }
        let moves = [c"z9".as_ptr()];
        let wrong =
            starsplit_question { root_moves: moves.as_ptr(), root_move_count: 1, ..question(&limits) };
        fails(ask(&wrong).0, STARSPLIT_ERROR_ARGUMENT, &said, "root move z9: expected a move");
        let wrong = starsplit_question { root_moves: moves.as_ptr(), ..question(&limits) };
        fails(ask(&wrong).0, STARSPLIT_ERROR_ARGUMENT, &said, "root_moves of 0: expected");
        let options = [starsplit_option { name: c"rank-root-move".as_ptr(), value: c"on".as_ptr() }];
        let wrong = starsplit_question { options: options.as_ptr(), option_count: 1, ..question(&limits) };
        let begins = "option rank-root-move: expected one that the library has, such as rank-root-moves";
        fails(ask(&wrong).0, STARSPLIT_ERROR_ARGUMENT, &said, begins);
        let wrong = starsplit_question { option_count: 1, ..question(&limits) };
        fails(ask(&wrong).0, STARSPLIT_ERROR_ARGUMENT, &said, "options: NULL");
        [ranked, alone, last].into_iter().for_each(|result| starsplit_result_free(result));
        starsplit_searcher_free(searcher);
        starsplit_position_free(position);
        starsplit_game_free(game);
    }
}

#[test]
fn the_outcomes_of_a_chance_node_make_its_value() {
    let mut said = Said::nothing();
    let error = &raw mut said.0;
    let ((game, position), mut rolled, mut outcomes, mut result) =
        (einstein(), null_mut(), null_mut(), null_mut());
    let searcher = searcher_of(game);
    let limits = depth(5);
    // SAFETY: handles, texts and places that live.
    unsafe {
        let status = starsplit_searcher_outcomes(searcher, position, &limits, &raw mut outcomes, error);
        fails(status, STARSPLIT_ERROR_ARGUMENT, &said, "outcomes of a Decision node: expected a chance node");
        let mut first = null();
        assert_eq!(starsplit_position_step(position, 0, &raw mut first, null_mut(), error), STARSPLIT_OK);
        let status = starsplit_position_play(position, first, null_mut(), &raw mut rolled, error);
        assert_eq!(status, STARSPLIT_OK, "{}", said.text());
        let status =
            starsplit_searcher_search(searcher, rolled, &limits, None, null_mut(), &raw mut result, error);
        assert_eq!(status, STARSPLIT_OK, "{}", said.text());
        let status = starsplit_searcher_outcomes(searcher, rolled, &limits, &raw mut outcomes, error);
        assert_eq!((status, starsplit_outcomes_count(outcomes)), (STARSPLIT_OK, 6), "{}", said.text());
        let (mut one, mut sum): (starsplit_valued_outcome, f64) = (std::mem::zeroed(), 0.0);
        one.size = size_of_val(&one);
        for place in 0..6 {
            assert_eq!(starsplit_outcomes_at(outcomes, place, &raw mut one, error), STARSPLIT_OK);
            assert!(
                one.is_exact
                    && one.depth == 5
                    && one.weight == 1
                    && one.step_count > 0
                    && one.lower_score == one.upper_score
            );
            assert_eq!(CStr::from_ptr(one.text).to_str(), Ok(&*(place + 1).to_string()));
            let (mut step, mut is_move) = (null(), false);
            let status = starsplit_outcomes_step(outcomes, place, 0, &raw mut step, &raw mut is_move, error);
            assert!(status == STARSPLIT_OK && is_move && !step.is_null());
            sum += one.value;
        }
        assert!((sum / 6.0 - summary_of(result).value).abs() < 1e-6, "{sum}");
        fails(
            starsplit_outcomes_at(outcomes, 6, &raw mut one, error),
            STARSPLIT_ERROR_ARGUMENT,
            &said,
            "place 6",
        );
        let status = starsplit_outcomes_step(outcomes, 0, 99, null_mut(), null_mut(), error);
        fails(status, STARSPLIT_ERROR_ARGUMENT, &said, "place 99");
        starsplit_outcomes_free(outcomes);
        starsplit_result_free(result);
        starsplit_searcher_free(searcher);
        starsplit_position_free(position);
        starsplit_position_free(rolled);
        starsplit_game_free(game);
    }
}

#[test]
fn structures_of_other_sizes_are_read_as_far_as_they_go() {
    let mut said = Said::nothing();
    let error = &raw mut said.0;
    let game = open("pig", None);
    let (searcher, position) = (searcher_of(game), initial(game));
    // Limits of a program that is newer than the library: with a field more.
    #[repr(C)]
    struct Newer {
        limits: starsplit_limits,
        more: u64,
    }
    let search = |limits: *const starsplit_limits| {
        let mut result = null_mut();
        // SAFETY: handles and places that live.
        unsafe {
            let status = starsplit_searcher_search(
                searcher,
                position,
                limits,
                None,
                null_mut(),
                &raw mut result,
                error,
            );
            starsplit_result_free(result);
            status
        }
    };
    let (own, more, older) =
        (size_of::<starsplit_limits>(), size_of::<Newer>(), offset_of!(starsplit_limits, nodes));
    let newer = |more| Newer { limits: starsplit_limits { size: size_of::<Newer>(), ..depth(2) }, more };
    let (known, unknown) = (newer(0), newer(1));
    assert_eq!(search((&raw const known).cast()), STARSPLIT_OK);
    fails(
        search((&raw const unknown).cast()),
        STARSPLIT_ERROR_ARGUMENT,
        &said,
        &format!("limits.size {more}: expected at most {own}"),
    );
    // One that is older, and ends after the depth.
    assert_eq!(search(&starsplit_limits { size: older, nodes: u64::MAX, ..depth(2) }), STARSPLIT_OK);
    // What no header makes: nothing, and an end within a field.
    for size in [0, older - 2, older + 2] {
        let status = search(&starsplit_limits { size, ..depth(2) });
        let told = format!("limits.size {size}: expected sizeof, which is {own}");
        fails(status, STARSPLIT_ERROR_ARGUMENT, &said, &told);
    }
    // A summary that ends after the depth is written so far and no farther.
    // SAFETY: handles and places that live; zeros are a summary.
    unsafe {
        let mut result = null_mut();
        let status = starsplit_searcher_search(
            searcher,
            position,
            &depth(2),
            None,
            null_mut(),
            &raw mut result,
            error,
        );
        assert_eq!(status, STARSPLIT_OK);
        let mut summary: starsplit_summary = std::mem::zeroed();
        let size = offset_of!(starsplit_summary, depth) + size_of_val(&summary.depth);
        summary.size = size;
        summary.nodes = 7;
        assert_eq!(starsplit_result_summary(result, &raw mut summary, error), STARSPLIT_OK);
        assert_eq!((summary.size, summary.depth, summary.nodes), (size, 2, 7));
        starsplit_result_free(result);
        starsplit_searcher_free(searcher);
        starsplit_position_free(position);
        starsplit_game_free(game);
    }
}

/// A coin that is tossed for ever, worth what was won: a position is how often, and how much.
mod coin {
    use super::*;

    pub(super) unsafe extern "C" fn describe(
        user: *mut c_void,
        at: *const c_void,
        node: *mut starsplit_node,
    ) -> i32 {
        // SAFETY: positions are two numbers, the user a number.
        unsafe {
            let [tosses, won] = *at.cast::<[i32; 2]>();
            let kind = u32::from(tosses % 2 == 1);
            let hash = [tosses as u64, won as u64];
            *node = starsplit_node { kind, player: 0, hash, terminal_value: 0.0, full_depth: 0 };
            if tosses == *user.cast::<i32>() { 41 } else { 0 }
        }
    }

    pub(super) unsafe extern "C" fn moves(
        _: *mut c_void,
        _: *const c_void,
        moves: *mut u32,
        capacity: usize,
    ) -> i32 {
        // More than the usual room, so that it is asked again.
        (0..300).filter(|&mv| mv < capacity).for_each(|mv| {
            // SAFETY: within the capacity.
            unsafe { *moves.add(mv) = mv as u32 };
        });
        300
    }

    pub(super) unsafe extern "C" fn play(
        _: *mut c_void,
        at: *const c_void,
        mv: u32,
        after: *mut c_void,
    ) -> i32 {
        // SAFETY: positions are two numbers.
        unsafe {
            let [tosses, won] = *at.cast::<[i32; 2]>();
            *after.cast::<[i32; 2]>() = [tosses + 1, won + i32::from(mv == 299)];
        }
        0
    }

    pub(super) unsafe extern "C" fn outcomes(
        _: *mut c_void,
        _: *const c_void,
        outcomes: *mut starsplit_outcome,
        capacity: usize,
    ) -> i32 {
        assert!(capacity >= 2);
        for place in 0..2 {
            // SAFETY: within the capacity.
            unsafe {
                *outcomes.add(place) = starsplit_outcome { outcome: place as u32, weight: 1 + place as u32 }
            };
        }
        2
    }

    pub(super) unsafe extern "C" fn resolve(
        _: *mut c_void,
        at: *const c_void,
        outcome: u32,
        after: *mut c_void,
    ) -> i32 {
        // SAFETY: positions are two numbers.
        unsafe {
            let [tosses, won] = *at.cast::<[i32; 2]>();
            *after.cast::<[i32; 2]>() = [tosses + 1, won + 3 * outcome as i32];
        }
        0
    }

    pub(super) unsafe extern "C" fn evaluate(
        _: *mut c_void,
        positions: *const *const c_void,
        count: usize,
        values: *mut f64,
    ) -> i32 {
        for place in 0..count {
            // SAFETY: so many positions, each two numbers, and so many values.
            unsafe {
                let [_, won] = *(*positions.add(place)).cast::<[i32; 2]>();
                *values.add(place) = f64::from(won);
            }
        }
        0
    }

    pub(super) unsafe extern "C" fn reward(
        _: *mut c_void,
        _: *const c_void,
        _: u32,
        _: *const c_void,
        reward: *mut f64,
    ) -> i32 {
        // SAFETY: a number.
        unsafe { *reward = 2.0 };
        0
    }

    pub(super) fn functions() -> starsplit_game_functions {
        starsplit_game_functions {
            size: size_of::<starsplit_game_functions>(),
            name: c"coin".as_ptr(),
            rules_identity: 1,
            evaluator_identity: 1,
            position_size: 8,
            low: -64.0,
            high: 64.0,
            grid_limit: 64 * 3,
            depth_step: 0,
            move_slots: 0,
            evaluation_fixed_ns: 0,
            evaluation_each_ns: 0,
            evaluation_ignores_outcomes: 0,
            outcomes_never_end: 0,
            describe: Some(describe),
            moves: Some(moves),
            play: Some(play),
            outcomes: Some(outcomes),
            resolve: Some(resolve),
            evaluate: Some(evaluate),
            reward: None,
            plies: None,
            saturates: 0,
            successor_ns: 0,
        }
    }
}

/// Between -1 and 1: a safe move is worth 0.5, the other pays 10 or -1 evenly, by rewards or at the end.
mod gamble {
    use super::*;

    const START: u64 = 0;
    const ROLL: u64 = 1;
    const WON: u64 = 2;
    const SAFE: u64 = 4;

    /// What is paid at a place.
    fn paid(place: u64) -> f64 {
        [0.0, 0.0, 10.0, -1.0, 0.5][place as usize]
    }

    /// `user`: whether the end pays.
    unsafe extern "C" fn describe(user: *mut c_void, at: *const c_void, node: *mut starsplit_node) -> i32 {
        // SAFETY: positions are numbers, the user a truth.
        unsafe {
            let place = *at.cast::<u64>();
            let kind = [0, 1, 2, 2, 2][place as usize];
            let terminal_value = if *user.cast::<bool>() { paid(place) } else { 0.0 };
            *node = starsplit_node { kind, player: 0, hash: [place, place], terminal_value, full_depth: 0 };
        }
        0
    }

    unsafe extern "C" fn moves(_: *mut c_void, _: *const c_void, moves: *mut u32, _: usize) -> i32 {
        // SAFETY: there is room for more.
        unsafe { *moves.cast::<[u32; 2]>() = [ROLL as u32, SAFE as u32] };
        2
    }

    unsafe extern "C" fn outcomes(
        _: *mut c_void,
        _: *const c_void,
        outcomes: *mut starsplit_outcome,
        _: usize,
    ) -> i32 {
        for place in 0..2 {
            let outcome = WON as u32 + place as u32;
            // SAFETY: there is room for more.
            unsafe { *outcomes.add(place) = starsplit_outcome { outcome, weight: 1 } };
        }
        2
    }

    unsafe extern "C" fn after(_: *mut c_void, _: *const c_void, step: u32, after: *mut c_void) -> i32 {
        // SAFETY: positions are numbers.
        unsafe { *after.cast::<u64>() = step.into() };
        0
    }

    unsafe extern "C" fn evaluate(
        _: *mut c_void,
        _: *const *const c_void,
        count: usize,
        values: *mut f64,
    ) -> i32 {
        // SAFETY: so many values.
        (0..count).for_each(|place| unsafe { *values.add(place) = 0.0 });
        0
    }

    unsafe extern "C" fn reward(
        _: *mut c_void,
        _: *const c_void,
        step: u32,
        _: *const c_void,
        reward: *mut f64,
    ) -> i32 {
        // SAFETY: a number.
        unsafe { *reward = paid(step.into()) };
        0
    }

    /// What a search of it comes to, by rewards or at the end.
    pub(super) fn search(
        by_rewards: bool,
        saturates: bool,
        threads: &CStr,
    ) -> (starsplit_status, String, Option<(starsplit_summary, CString)>) {
        let functions = starsplit_game_functions {
            name: c"gamble".as_ptr(),
            low: -1.0,
            high: 1.0,
            grid_limit: 0,
            describe: Some(describe),
            moves: Some(moves),
            play: Some(after),
            outcomes: Some(outcomes),
            resolve: Some(after),
            evaluate: Some(evaluate),
            reward: if by_rewards { Some(reward) } else { None },
            saturates: saturates.into(),
            ..coin::functions()
        };
        let (mut game, mut position, mut result) = (null_mut(), null_mut(), null_mut());
        let (mut ends_pay, start, mut said) = (!by_rewards, START, Said::nothing());
        let error = &raw mut said.0;
        // SAFETY: handles, texts and places that live.
        unsafe {
            let user = (&raw mut ends_pay).cast();
            let status = starsplit_game_define(&functions, user, &raw mut game, error);
            assert_eq!(status, STARSPLIT_OK, "{}", said.text());
            let status =
                starsplit_position_of_bytes(game, (&raw const start).cast(), &raw mut position, error);
            assert_eq!(status, STARSPLIT_OK, "{}", said.text());
            let searcher = searcher_of(game);
            let status = starsplit_searcher_set(searcher, c"threads".as_ptr(), threads.as_ptr(), error);
            assert_eq!(status, STARSPLIT_OK, "{}", said.text());
            let (limits, none) = (depth(2), null_mut());
            let status =
                starsplit_searcher_search(searcher, position, &limits, None, none, &raw mut result, error);
            let found = (!result.is_null()).then(|| {
                let best = CStr::from_ptr(starsplit_result_best_move(result)).to_owned();
                (summary_of(result), best)
            });
            starsplit_result_free(result);
            starsplit_searcher_free(searcher);
            starsplit_position_free(position);
            starsplit_game_free(game);
            (status, said.text().to_owned(), found)
        }
    }
}

/// Else the clamped game's value would pass for this one's, which is 4.5.
#[test]
fn values_beyond_the_range_are_errors_unless_declared() {
    for threads in [c"1", c"2"] {
        for by_rewards in [false, true] {
            let (status, text, found) = gamble::search(by_rewards, false, threads);
            assert_eq!((status, found.is_none()), (STARSPLIT_ERROR_SEARCH, true), "{text}");
            let begins = if by_rewards { "a reward of 10: " } else { "a terminal score for Max of 10: " };
            assert!(text.starts_with(begins) && text.contains("-1 to 1"), "{text}");
            let (status, text, found) = gamble::search(by_rewards, true, threads);
            assert_eq!(status, STARSPLIT_OK, "{text}");
            let (summary, best) = found.expect("a result");
            assert_eq!((summary.is_exact, best.to_str()), (true, Ok("4")));
            assert!((summary.value - 0.5).abs() < 1e-6, "{}", summary.value);
            assert_eq!(summary.contradictions, 0);
        }
    }
}

/// The value of a search of the coin to a depth, on threads and in lanes.
fn coin_value(functions: &starsplit_game_functions, plies: u32, options: &[(&CStr, &CStr)]) -> (f64, u64) {
    let mut never = -1_i32;
    let (mut game, mut position, mut result) = (null_mut(), null_mut(), null_mut());
    let mut said = Said::nothing();
    let error = &raw mut said.0;
    // SAFETY: handles, texts and places that live.
    unsafe {
        let user = (&raw mut never).cast();
        assert_eq!(
            starsplit_game_define(functions, user, &raw mut game, error),
            STARSPLIT_OK,
            "{}",
            said.text()
        );
        let bytes = [0_i32, 0];
        let status = starsplit_position_of_bytes(game, bytes.as_ptr().cast(), &raw mut position, error);
        assert_eq!(status, STARSPLIT_OK, "{}", said.text());
        let searcher = searcher_of(game);
        for (option, value) in options {
            let status = starsplit_searcher_set(searcher, option.as_ptr(), value.as_ptr(), error);
            assert_eq!(status, STARSPLIT_OK, "{}", said.text());
        }
        let status = starsplit_searcher_search(
            searcher,
            position,
            &depth(plies),
            None,
            null_mut(),
            &raw mut result,
            error,
        );
        assert_eq!(status, STARSPLIT_OK, "{}", said.text());
        assert_eq!(CStr::from_ptr(starsplit_result_best_move(result)), c"299");
        let summary = summary_of(result);
        assert!(summary.is_exact);
        starsplit_result_free(result);
        starsplit_searcher_free(searcher);
        starsplit_position_free(position);
        starsplit_game_free(game);
        (summary.value, summary.batches)
    }
}

#[test]
fn a_game_of_functions_has_its_value() {
    // The best move wins 1, a toss 2 in the mean, with a weight of 2 for its 3.
    let functions = coin::functions();
    for plies in 1..=3 {
        let expected = [0.0, 1.0, 3.0, 4.0][plies as usize];
        for threads in [c"1", c"2"] {
            assert_eq!(coin_value(&functions, plies, &[(c"threads", threads)]).0, expected, "depth {plies}");
        }
        let (value, batches) = coin_value(&functions, plies, &[(c"lanes", c"4"), (c"batch", c"8")]);
        assert_eq!(value, expected, "depth {plies}, in lanes");
        assert!(batches > 0, "depth {plies}");
        // Two for each move and each toss.
        let rewarded = starsplit_game_functions { reward: Some(coin::reward), ..functions };
        assert_eq!(coin_value(&rewarded, plies, &[]).0, expected + 2.0 * f64::from(plies), "depth {plies}");
        // What is promised is so.
        let never = starsplit_game_functions { outcomes_never_end: 1, ..functions };
        assert_eq!(coin_value(&never, plies, &[]).0, expected, "depth {plies}");
        // Positions of more bytes, of which the rest stays zero.
        let large = starsplit_game_functions { position_size: 400, ..functions };
        assert_eq!(coin_of_size_400(&large, plies), expected, "depth {plies}");
    }
}

/// As [`coin_value`], from a position of so many bytes.
fn coin_of_size_400(functions: &starsplit_game_functions, plies: u32) -> f64 {
    let mut never = -1_i32;
    let (mut game, mut position, mut result) = (null_mut(), null_mut(), null_mut());
    // SAFETY: handles and places that live.
    unsafe {
        let user = (&raw mut never).cast();
        assert_eq!(starsplit_game_define(functions, user, &raw mut game, null_mut()), STARSPLIT_OK);
        let bytes = [0_u64; 50];
        let status = starsplit_position_of_bytes(game, bytes.as_ptr().cast(), &raw mut position, null_mut());
        assert_eq!(status, STARSPLIT_OK);
        let searcher = searcher_of(game);
        let limits = depth(plies);
        let status = starsplit_searcher_search(
            searcher,
            position,
            &limits,
            None,
            null_mut(),
            &raw mut result,
            null_mut(),
        );
        assert_eq!(status, STARSPLIT_OK);
        let value = summary_of(result).value;
        starsplit_result_free(result);
        starsplit_searcher_free(searcher);
        starsplit_position_free(position);
        starsplit_game_free(game);
        value
    }
}

unsafe extern "C" fn stops_at_two(user: *mut c_void, iteration: *const starsplit_result) -> i32 {
    // SAFETY: a number, and a result that lives through the call.
    unsafe { *user.cast::<u32>() += 1 };
    if summary_of(iteration).depth == 2 { 42 } else { 0 }
}

#[test]
fn a_function_that_fails_ends_the_search_with_its_number() {
    let functions = coin::functions();
    let (mut game, mut position, mut result) = (null_mut(), null_mut(), null_mut());
    let mut said = Said::nothing();
    let error = &raw mut said.0;
    let mut fails_at = 2_i32;
    // SAFETY: handles, texts and places that live.
    unsafe {
        let never = &raw mut fails_at;
        let user = never.cast();
        assert_eq!(starsplit_game_define(&functions, user, &raw mut game, error), STARSPLIT_OK);
        let bytes = [2_i32, 0];
        let status = starsplit_position_of_bytes(game, bytes.as_ptr().cast(), &raw mut position, error);
        fails(status, STARSPLIT_ERROR_CALLBACK, &said, "function describe: it gave 41");
        let bytes = [0_i32, 0];
        let status = starsplit_position_of_bytes(game, bytes.as_ptr().cast(), &raw mut position, error);
        assert_eq!(status, STARSPLIT_OK);
        let searcher = searcher_of(game);
        for (option, value) in [(c"threads", c"1"), (c"threads", c"2"), (c"lanes", c"4")] {
            assert_eq!(
                starsplit_searcher_set(searcher, option.as_ptr(), value.as_ptr(), error),
                STARSPLIT_OK
            );
            let status = starsplit_searcher_search(
                searcher,
                position,
                &depth(3),
                None,
                null_mut(),
                &raw mut result,
                error,
            );
            fails(status, STARSPLIT_ERROR_CALLBACK, &said, "function describe: it gave 41");
            assert_eq!((said.0.callback_code, result), (41, null_mut()));
        }
        never.write(-1);
        let mut told = 0_u32;
        let user = (&raw mut told).cast();
        let status = starsplit_searcher_search(
            searcher,
            position,
            &depth(3),
            Some(stops_at_two),
            user,
            &raw mut result,
            error,
        );
        fails(status, STARSPLIT_ERROR_CALLBACK, &said, "function on_iteration: it gave 42");
        assert_eq!((said.0.callback_code, told), (42, 2));
        let status = starsplit_searcher_search(
            searcher,
            position,
            &depth(3),
            None,
            null_mut(),
            &raw mut result,
            error,
        );
        assert_eq!((status, summary_of(result).value), (STARSPLIT_OK, 4.0), "as good as before");
        starsplit_result_free(result);
        starsplit_searcher_free(searcher);
        starsplit_position_free(position);
        starsplit_game_free(game);
    }
}

#[test]
fn functions_that_cannot_be_are_refused() {
    let mut said = Said::nothing();
    let error = &raw mut said.0;
    let (mut game, right) = (null_mut(), coin::functions());
    for (functions, begins) in [
        (starsplit_game_functions { moves: None, ..right }, "functions.moves: NULL"),
        (
            starsplit_game_functions { position_size: 0, ..right },
            "functions.position_size 0: expected 1 to 512",
        ),
        (starsplit_game_functions { position_size: 513, ..right }, "functions.position_size 513"),
        (starsplit_game_functions { low: 64.0, ..right }, "value range 64..=64"),
        (starsplit_game_functions { low: f64::NAN, ..right }, "value range NaN"),
        (starsplit_game_functions { grid_limit: -1, ..right }, "grid limit -1"),
        (starsplit_game_functions { depth_step: 256, ..right }, "functions.depth_step 256"),
        (starsplit_game_functions { move_slots: u32::MAX, ..right }, "functions.move_slots 4294967295"),
        (starsplit_game_functions { size: 16, ..right }, "functions."),
    ] {
        // SAFETY: a table and a place that live.
        let status = unsafe { starsplit_game_define(&functions, null_mut(), &raw mut game, error) };
        assert_eq!(status, STARSPLIT_ERROR_ARGUMENT, "{begins}");
        assert!(
            said.text().contains(begins.split(' ').next().expect("a word")),
            "{} for {begins}",
            said.text()
        );
    }
    // SAFETY: a table and places that live.
    unsafe {
        let status = starsplit_game_define(&right, null_mut(), &raw mut game, error);
        assert_eq!(status, STARSPLIT_OK);
        let (mut low, mut high) = (0.0, 0.0);
        assert_eq!(starsplit_game_range(game, &raw mut low, &raw mut high, error), STARSPLIT_OK);
        assert_eq!((low, high), (-64.0, 64.0));
        starsplit_game_free(game);
    }
}
