"""The library's games: their states, searches, limits and errors."""

import copy
import json
import pickle
import subprocess
import sys
import threading
import time
import warnings

import pytest

import starsplit

NOTATION = "x1x2x3..../x4x5....../x6......o6/......o5o4/....o3o2o1 x 3"


@pytest.mark.parametrize("name", starsplit.games())
def test_a_game_is_played_to_its_end(name):
    game = starsplit.Game(name)
    state = game.new_initial_state()
    low, high = game.value_range
    for turn in range(2000):
        if state.is_terminal():
            break
        actions = state.legal_actions()
        if state.is_chance_node():
            assert state.current_player() == -1
            assert sum(probability for _, probability in state.chance_outcomes()) == pytest.approx(1)
        else:
            assert state.current_player() in (0, 1)
        action = actions[turn * 7919 % len(actions)]
        assert state.string_to_action(state.action_to_string(action)) in actions
        before = str(state)
        state.child(action)
        assert str(state) == before
        state.apply_action(action)
        if not state.is_terminal():
            assert str(game.parse(str(state))) == str(state)
    value = state.returns()[0]
    assert value == -state.returns()[1]
    assert low <= value <= high or name == "2048"


@pytest.mark.parametrize("name", starsplit.games())
def test_states_are_values(name):
    game = starsplit.Game(name)
    state = game.new_initial_state()
    seen = {state}
    for turn in range(60):
        if state.is_terminal():
            break
        actions = state.legal_actions()
        before, action = state.clone(), actions[turn * 7919 % len(actions)]
        state.apply_action(action)
        assert before != state and before.child(action) == state and hash(before.child(action)) == hash(state)
        seen.add(state.clone())
        restored = pickle.loads(pickle.dumps(state))
        assert restored == state and copy.deepcopy(state) == state
        assert (str(restored), restored.returns()) == (str(state), state.returns())
        if not state.is_terminal():
            assert restored.legal_actions() == state.legal_actions()
    assert len(seen) > 5 and all(one in seen for one in list(seen))
    assert pickle.loads(pickle.dumps(game)) == game == starsplit.Game(name) and game != "game"
    assert len({game, starsplit.Game(name)}) == 1


def test_states_whose_past_matters_are_told_apart_by_it():
    game = starsplit.Game("abalone", "repetition=draw")
    state = game.new_initial_state()
    there = {state.action_to_string(action): state.child(action) for action in state.legal_actions()}
    after = next(iter(there.values()))
    assert after != game.parse(str(after)) and after == state.child(state.legal_actions()[0])
    assert state == game.new_initial_state() and hash(state) == hash(game.new_initial_state())
    with pytest.raises(TypeError, match="depends on the states before"):
        pickle.dumps(after)


def test_states_are_read_and_written_as_other_programs_write_them():
    game = starsplit.Game("backgammon")
    xgid = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10"
    state = game.parse(xgid)
    assert str(state) == "4HPwATDgc/ABMA x 31" and state.formats()["xgid"] == xgid
    assert game.parse(state.formats()["gnubg"]) == state
    board = starsplit.Game("2048").parse("2 4 8 16 0 0 0 0 0 0 0 0 0 0 0 2 tile")
    assert board.formats()["number"] == "0x1000000000004321 tile"
    assert starsplit.Game("pig").new_initial_state().formats() == {}


def test_what_a_text_says_beyond_its_state_is_warned_of():
    game, board = starsplit.Game("backgammon"), "-b----E-C---eE---c-e----B-"
    with pytest.warns(UserWarning, match="position: not used: cube 2 of o, score 3-2 of x and o, match to 7"):
        state = game.parse(f"xgid={board}:1:-1:1:31:3:2:0:7:10")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert game.parse(f"{board}:0:0:1:31:0:0:0:0:10") == game.parse("4HPwATDgc/ABMA x 3-1") == state
        with pytest.raises(UserWarning):
            game.parse(f"{board}:1:-1:1:31")
    with pytest.raises(ValueError, match="XGID's cube x: expected a number from 0 to 30"):
        game.parse(f"{board}:x:0:1:31")


def test_actions_are_found_as_a_person_writes_them():
    dice = starsplit.Game("dice", "size=3,run=3").parse(".../.../... x r3")
    assert dice.action_to_string(2) == "c3"
    assert [dice.string_to_action(text) for text in ("c3", " C3", "r3c3")] == [2, 2, 2]
    rolled = dice.child(2)
    assert [rolled.string_to_action(text) for text in ("column b", "column 2", "b")] == [1, 1, 1]
    opening = starsplit.Game("backgammon").new_initial_state()
    assert opening.action_to_string(opening.string_to_action("1-3")) == "o begins, 31"
    moving = opening.child(opening.string_to_action("3-1"))
    assert moving.action_to_string(moving.string_to_action("6/5 8/5")) == "8/5 6/5"
    for state in (dice, rolled, opening, moving):
        with pytest.raises(ValueError, match="action r9c9: expected one of|action \"r9c9\": expected one of"):
            state.string_to_action("r9c9")


def test_the_states_of_a_match_are_read():
    game = starsplit.Game("backgammon")
    rows = [" 1)                   31: 8/5 6/5", " 2)  Doubles => 2     Takes", " 3) 41: 24/23 13/9"]
    states = game.match_positions("\n".join([" Game 1", " A : 0          B : 0", *rows]))
    assert str(states[0]) == "4HPwATDgc/ABMA o 31"
    assert [state.current_player() for state in states] == [1, 0]
    assert states == game.match_positions("(;GM[6];B[31qtst];W[double];B[take];W[41xwmi])")
    with pytest.raises(ValueError, match="game 1, move 1: x's move 8/2: expected one of 16 legal moves"):
        game.match_positions("Game 1\n 1) 31: 8/2")
    with pytest.raises(ValueError, match="expected a game of which matches are read"):
        starsplit.Game("pig").match_positions("Game 1")


def test_states_have_the_features_that_evaluators_are_given():
    game = starsplit.Game("einstein")
    state, rows = game.parse(NOTATION), []
    searcher = starsplit.evaluating_searcher(
        game, lambda features: rows.extend(features.tolist()) or [0.0] * len(features), padded=False, lanes=1
    )
    searcher.search(state, depth=1)
    after = {tuple(state.child(action).features()) for action in state.legal_actions()}
    assert len(state.features()) == game.feature_count and {tuple(row) for row in rows} <= after and rows
    with pytest.raises(ValueError, match="game pig"):
        starsplit.Game("pig").new_initial_state().features()


def test_one_value_on_threads_and_in_lanes():
    game = starsplit.Game("einstein")
    state = game.parse(NOTATION)
    settings = ({}, {"threads": 2}, {"lanes": 8}, {"threads": 2, "lanes": 8, "device": True}, {"ordering": "static"})
    scores = {starsplit.search(state, depth=7, evaluator="material", **each).score for each in settings}
    assert len(scores) == 1
    lower, upper = scores.pop()
    assert lower == upper


def test_ranked_moves_lines_and_iterations():
    game = starsplit.Game("einstein")
    state = game.parse(NOTATION)
    told = []
    searcher = starsplit.Searcher(game, rank_root_moves=True)
    result = searcher.search(state, depth=5, on_iteration=told.append)
    assert [iteration.depth for iteration in told] == [1, 3, 5]
    assert told[-1].score == result.score and told[-1].stopped_by is None and result.stopped_by == "depth"
    assert len(result.ranked_moves) == len(state.legal_actions())
    assert result.ranked_moves[0] == (result.best_move, result.value)
    assert result.line[0] == result.best_move == state.action_to_string(result.best_action)
    assert result.to_dict()["nodes"] == result.nodes > 0


def test_a_question_has_root_moves_and_options_of_its_own():
    game = starsplit.Game("einstein")
    state = game.parse(NOTATION)
    searcher = starsplit.Searcher(game)
    ranked = searcher.search(state, depth=5, rank_root_moves=True, threads=2)
    (best, value), (second, less) = ranked.ranked_moves[:2]
    assert best == ranked.best_move and value == ranked.value
    alone = searcher.search(state, depth=5, root_moves=[second])
    assert (alone.best_move, alone.value, alone.ranked_moves) == (second, less, [])
    assert searcher.search(state, depth=5, root_moves=[second, best]).score == ranked.score
    # Options are taken together, in whatever order.
    assert searcher.search(state, depth=5, table_use="decision", algorithm="star1").score == ranked.score
    for wrong, begins in (
        ({"root_moves": ["z9"]}, "root move z9: expected a move of the position"),
        ({"root_moves": []}, "root_moves []: expected moves of the state"),
        ({"ordring": "static"}, "option ordring"),
        ({"threads": 0}, "threads 0"),
        ({"table_use": "decision"}, "table use decision"),
    ):
        with pytest.raises(ValueError) as raised:
            searcher.search(state, depth=3, **wrong)
        assert str(raised.value).startswith(begins) and "\n" not in str(raised.value), raised.value


def test_a_running_search_is_seen_and_its_end_moved():
    game = starsplit.Game("einstein")
    state = game.parse(NOTATION)
    searcher = starsplit.Searcher(game, threads=2)
    handle, found = starsplit.Handle(), []
    assert (handle.nodes, handle.depth, handle.iteration) == (0, 0, None)
    search = threading.Thread(target=lambda: found.append(searcher.search(state, seconds=600, handle=handle)))
    search.start()
    while handle.iteration is None or handle.iteration.depth < 5:
        time.sleep(0.001)
    assert handle.nodes > 0 and handle.depth >= 5 and handle.iteration.best_move in map(
        state.action_to_string, state.legal_actions()
    )
    handle.end_within(0.05)
    search.join(60)
    assert found[0].stopped_by == "time" and found[0].depth == handle.iteration.depth
    with pytest.raises(ValueError, match="handle of another search"):
        searcher.search(state, depth=3, handle=handle)
    # What was refused leaves nothing with a handle.
    other, opponent = starsplit.Handle(), game.parse(NOTATION.replace(" x ", " o "))
    with pytest.raises(ValueError):
        searcher.search(state, depth=3, handle=other, root_moves=["z9"])
    result = searcher.search(opponent, depth=3, handle=other)
    assert (other.iteration.value, other.iteration.best_action) == (result.value, result.best_action)
    stopped = starsplit.Handle()
    stopped.stop()
    assert searcher.search(state, depth=3, handle=stopped).stopped_by == "stop"
    with pytest.raises(ValueError, match="seconds -1"):
        stopped.end_within(-1.0)
    patient = starsplit.Handle()
    patient.end_within(None)
    assert searcher.search(state, depth=5, seconds=0.0, handle=patient).stopped_by == "depth"


def test_a_chance_node_has_outcomes_with_values():
    game = starsplit.Game("einstein")
    state = game.parse(NOTATION)
    state.apply_action(state.legal_actions()[0])
    searcher = starsplit.Searcher(game)
    result = searcher.search(state, depth=6)
    outcomes = searcher.outcomes(state, depth=6)
    assert [outcome.outcome for outcome in outcomes] == ["1", "2", "3", "4", "5", "6"]
    assert all(outcome.is_exact and outcome.line and outcome.depth == 6 for outcome in outcomes)
    timed = searcher.outcomes(state, seconds=0.2)
    assert len({outcome.depth for outcome in timed}) == 1 and timed[0].depth >= 6
    mean = sum(outcome.probability * outcome.value for outcome in outcomes)
    assert mean == pytest.approx(result.value, abs=1e-6)
    with pytest.raises(ValueError, match="expected a chance node"):
        searcher.outcomes(game.parse(NOTATION), depth=3)


@pytest.mark.parametrize("threads", [1, 2])
def test_best_play_leads_to_shares_of_its_ends(threads):
    game = starsplit.Game("einstein")
    searcher = starsplit.Searcher(game, threads=threads)
    state = game.parse(NOTATION)

    def payload(leaf):
        ended = leaf.is_terminal()
        return [float(ended and leaf.returns()[0] > 0), float(ended and leaf.returns()[0] < 0), float(not ended)]

    found = searcher.expectation(state, 3, payload, depth=5)
    assert sum(found.means) == pytest.approx(1) and found.depth == 5 and found.states > 50
    assert found.value == searcher.search(state, depth=5).value and found.rewards == 0
    assert searcher.expectation(state, 3, payload, depth=5).means == found.means
    with pytest.raises(ValueError, match=r"payload \[.*\]: expected a list of numbers, 3 as size says"):
        searcher.expectation(state, 3, lambda leaf: [0, 1], depth=5)
    with pytest.raises(ZeroDivisionError):
        searcher.expectation(state, 1, lambda leaf: [1 / 0], depth=5)
    searcher.stop()
    assert searcher.expectation(state, 3, payload, depth=5) is None


def test_limits_and_stops():
    game = starsplit.Game("backgammon")
    state = game.new_initial_state()
    searcher = starsplit.Searcher(game)
    assert searcher.search(state, nodes=20_000).stopped_by == "nodes"
    assert searcher.search(state, seconds=0.1).stopped_by == "time"
    threading.Timer(0.1, searcher.stop).start()
    assert searcher.search(state, depth=50).stopped_by == "stop"
    assert searcher.search(state, depth=50).stopped_by == "stop"
    searcher.clear_stop()
    assert searcher.search(state, depth=1).stopped_by == "depth"


def test_a_search_lets_other_threads_run():
    game = starsplit.Game("backgammon")
    searcher = starsplit.Searcher(game)
    search = threading.Thread(target=lambda: searcher.search(game.new_initial_state(), seconds=1.0))
    search.start()
    counted, until = 0, time.monotonic() + 0.5
    while time.monotonic() < until:
        counted += 1
    search.join()
    assert counted > 1000


def pig():
    return starsplit.Game("pig")


@pytest.mark.parametrize(
    ("call", "error", "begins"),
    [
        (lambda: starsplit.Game("no such"), ValueError, "game"),
        (lambda: starsplit.Game("pig", "x=1"), ValueError, "rule"),
        (lambda: starsplit.Game("einstein").parse("nonsense"), ValueError, "position"),
        (lambda: starsplit.Game("einstein").parse("\x1b" * 100_000), ValueError, "position"),
        (lambda: starsplit.Searcher(pig(), threads=0), ValueError, "threads"),
        (lambda: starsplit.Searcher(pig(), evaluator="x"), ValueError, "evaluator"),
        (lambda: starsplit.Searcher(pig(), no_such=1), ValueError, "option"),
        (
            lambda: starsplit.Searcher(pig(), probe_hints="cuts"),
            ValueError,
            "option probe_hints: retired, revision 21018ab5 had it last",
        ),
        (lambda: pig().new_initial_state().child(99), IndexError, "action 99"),
        (lambda: starsplit.search(pig().new_initial_state(), depth=0), ValueError, "depth 0: expected 1 to 254, or \"full\""),
        (lambda: starsplit.search(pig().new_initial_state(), seconds=-1), ValueError, "seconds"),
        (lambda: pig().feature_count, ValueError, "game pig"),
        (
            lambda: starsplit.Searcher(pig()).search(starsplit.Game("dice").new_initial_state()),
            TypeError,
            "state of dice",
        ),
    ],
)
def test_bad_input_is_named_in_one_line(call, error, begins):
    with pytest.raises(error) as raised:
        call()
    text = str(raised.value)
    assert text.startswith(begins) and "\n" not in text and len(text) < 600, text


def test_what_a_callback_raises_ends_the_search():
    def complain(iteration):
        raise KeyError(iteration.depth)

    state = starsplit.Game("einstein").parse(NOTATION)
    with pytest.raises(KeyError):
        starsplit.Searcher(state.game).search(state, depth=5, on_iteration=complain)


def test_the_command_prints_one_object():
    command = [sys.executable, "-m", "starsplit", "search", "--game", "einstein", "--depth", "5", "--json"]
    # Where the game begins a million set-ups are before the first roll.
    done = subprocess.run([*command, "--position", NOTATION], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    printed = json.loads(done.stdout)
    assert printed["is_exact"] and printed["depth"] == 5 and printed["game"] == "einstein"
    bad = subprocess.run([*command[:5], "x", "--json"], capture_output=True, text=True, timeout=60)
    assert bad.returncode == 2 and bad.stderr.startswith("error: game x") and bad.stderr.count("\n") == 1


def test_ctrl_c_ends_a_search():
    program = (
        "import signal, starsplit, _thread, threading\n"
        # What is started in the background ignores it.
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "game = starsplit.Game('backgammon')\n"
        "threading.Timer(0.3, _thread.interrupt_main).start()\n"
        "try:\n"
        "    starsplit.search(game.new_initial_state(), depth=60)\n"
        "except KeyboardInterrupt:\n"
        "    print('interrupted')\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)
    assert done.stdout == "interrupted\n", done.stderr


def test_a_callback_that_hangs_is_left_by_a_second_ctrl_c():
    program = (
        "import signal, starsplit, _thread, threading\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "class Hanging(starsplit.PythonGame):\n"
        "    def kind(self, state): return 'decision'\n"
        "    def moves(self, state): return [1, 2]\n"
        "    def play(self, state, move): return 2 * state + move\n"
        "    def evaluate(self, states):\n"
        "        while True: pass\n"
        "state = starsplit.python_game(Hanging()).state(1)\n"
        "for after in (1.0, 2.0): threading.Timer(after, _thread.interrupt_main).start()\n"
        "try:\n"
        "    starsplit.search(state, depth=3, threads={threads})\n"
        "except KeyboardInterrupt:\n"
        "    print('interrupted')\n"
        # What it was in has ended, and the next search is as any other.
        "print(starsplit.search(starsplit.Game('pig').new_initial_state(), depth=2).depth)\n"
    )
    for threads in ("1", "2"):
        command = [sys.executable, "-c", program.replace("{threads}", threads)]
        done = subprocess.run(command, capture_output=True, text=True, timeout=60)
        assert done.stdout == "interrupted\n2\n", done.stderr


def test_to_the_end_of_the_game():
    dice = starsplit.Game("dice", "size=3,run=2").new_initial_state()
    result = starsplit.search(dice, depth="full", threads=2)
    assert result.is_exact and abs(result.value - 53 / 81) < 1e-6 and result.depth > 10
    assert len(result.line) > 0
    with pytest.raises(starsplit.SearchError, match="to the end: full_depth is None, so play may never end"):
        starsplit.search(starsplit.Game("pig").new_initial_state(), depth="full")
    with pytest.raises(ValueError, match='depth "deep": expected 1 to 254, or "full"'):
        starsplit.search(dice, depth="deep")


@pytest.mark.parametrize(
    ("asked", "text"),
    [
        ({"depth": -1}, 'depth -1: expected 1 to 254, or "full"'),
        ({"depth": 1.5}, 'depth 1.5: expected 1 to 254, or "full"'),
        ({"depth": 2, "nodes": -5}, "nodes -5: expected a whole number from 0 to 2**64 - 1"),
        ({"depth": 2, "nodes": 0.5}, "nodes 0.5: expected a whole number"),
        ({"seconds": -1}, "seconds -1: expected a number from 0 on"),
        ({"depth": 2, "threads": -1}, "threads -1: expected a whole number"),
        ({"depth": 2, "table_mib": 2**70}, f"table_mib {2**70}: expected a whole number"),
        ({"depth": 2, "seed": "x"}, "seed 'x': expected a whole number"),
    ],
)
def test_numbers_that_are_none_are_named(asked, text):
    state = starsplit.Game("dice", "size=3,run=2").new_initial_state()
    with pytest.raises(ValueError) as raised:
        starsplit.search(state, **asked)
    assert str(raised.value).startswith(text)


def test_actions_that_are_none_are_named():
    state = starsplit.Game("pig").new_initial_state()
    with pytest.raises(ValueError, match="action -1: expected a whole number"):
        state.child(-1)
    with pytest.raises(ValueError, match="size -1: expected a whole number"):
        starsplit.Searcher(state.game).expectation(state, -1, lambda leaf: [1.0], depth=2)


def test_a_leaf_that_cannot_be_read_again_is_not_pickled():
    game, leaves = starsplit.Game("dice", "size=3,run=2"), []

    def payload(leaf):
        leaves.append(leaf)
        return [1.0]

    starsplit.Searcher(game).expectation(game.new_initial_state(), 1, payload, depth="full")
    assert leaves[0].is_terminal()
    with pytest.raises(TypeError, match="expected an unfinished game; pickle the state before it and the action"):
        pickle.dumps(leaves[0])


def test_as_many_moves_are_ranked_as_are_asked_for():
    state = starsplit.Game("dice", "size=3,run=2").new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.legal_actions()[0])
    whole = starsplit.search(state, depth="full", rank_root_moves=True).ranked_moves
    for count in range(1, len(whole)):
        ranked = starsplit.search(state, depth="full", rank_root_moves=count).ranked_moves
        assert [value for _, value in ranked] == [value for _, value in whole[:count]]


def test_a_state_of_ones_own_is_no_state_of_a_game():
    with pytest.raises(TypeError, match=r"state \(1, 2\): expected a State, as the methods of a Game make it"):
        starsplit.search((1, 2), depth=2)
