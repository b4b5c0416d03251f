"""What is said of a game in Python that is wrong, and of arguments that are: one line that names the thing, what was given,
what was expected, and the state where there is one."""

import re
import sys

import numpy
import pytest

import starsplit
from starsplit import Handle, PythonGame, Searcher, python_game


class Toss(PythonGame):
    """A coin is tossed after a choice."""

    def kind(self, state):
        return {"start": "decision", "toss": "chance"}.get(state, "terminal")

    def moves(self, state):
        return ["toss"]

    def play(self, state, move):
        return move

    def outcomes(self, state):
        return [("heads", 1), ("tails", 1)]

    def resolve(self, state, outcome):
        return outcome

    def value(self, state):
        return 1 if state == "heads" else 0

    def evaluate(self, states):
        return [0.5 for _ in states]


def reward(of):
    return lambda self, state, step, after: of


WRONG = {
    "kind None: expected 'decision', 'chance' or 'terminal' (state 'start')": {"kind": lambda self, state: None},
    "kind ['decision']: expected 'decision', 'chance' or 'terminal' (state 'start')": {"kind": lambda self, state: ["decision"]},
    "player None: expected 0 or 1 (state 'start')": {"player": lambda self, state: None},
    "player -1: expected 0 or 1 (state 'start')": {"player": lambda self, state: -1},
    "player array([0, 1]): expected 0 or 1 (state 'start')": {"player": lambda self, state: numpy.array([0, 1])},
    "moves None: expected a list of moves (state 'start')": {"moves": lambda self, state: None},
    "moves 'toss': expected a list of moves (state 'start')": {"moves": lambda self, state: "toss"},
    "moves []: expected at least one, or the kind 'terminal' (state 'start')": {"moves": lambda self, state: []},
    "play None: expected the state after 'toss' (state 'start')": {"play": lambda self, state, move: None},
    "outcomes None: expected pairs of an outcome and its weight (state 'toss')": {"outcomes": lambda self, state: None},
    "outcomes {'heads': 1}: expected pairs of an outcome and its weight, as items() gives them (state 'toss')": {
        "outcomes": lambda self, state: {"heads": 1}
    },
    "outcome (1, 1, 1): expected a pair of an outcome and its weight (state 'toss')": {
        "outcomes": lambda self, state: [(1, 1), (1, 1, 1)]
    },
    "outcome 5: expected a pair of an outcome and its weight (state 'toss')": {"outcomes": lambda self, state: [5]},
    "resolve None: expected the state after 'heads' (state 'toss')": {"resolve": lambda self, state, outcome: None},
    "value None: expected a number (state 'heads')": {"value": lambda self, state: None},
    "value '1': expected a number (state 'heads')": {"value": lambda self, state: "1"},
    "value nan: expected a finite number (state 'heads')": {"value": lambda self, state: float("nan")},
    "a terminal score for Max of 5: expected -1 to 1, or a declaration that values saturate (state 'heads')": {
        "value": lambda self, state: 5
    },
    "evaluate 0.5: expected a list of numbers, one for each state (state 'toss')": {"evaluate": lambda self, states: 0.5},
    "evaluate array([0.5]): expected a number (state 'toss')": {"evaluate": lambda self, states: numpy.full((len(states), 1), 0.5)},
    "evaluate: 2 numbers, expected 1, one for each state (state 'toss')": {"evaluate": lambda self, states: [0.5, 0.5]},
    "an evaluation for Max of 5: expected -1 to 1, or a declaration that values saturate (state 'toss')": {
        "evaluate": lambda self, states: [5] * len(states)
    },
    "reward None: expected a number (state 'start')": {"reward": reward(None)},
    "reward inf: expected a finite number (state 'start')": {"reward": reward(float("inf"))},
    "a reward of 5: expected no more than values from -1 to 1 differ by, or a declaration that values saturate (state 'start')": {
        "reward": reward(5)
    },
    "full_depth -1: expected a whole number from 0 on, or None (state 'start')": {"full_depth": lambda self, state: -1},
    "full_depth 2.5: expected a whole number from 0 on, or None (state 'start')": {"full_depth": lambda self, state: 2.5},
}


@pytest.mark.parametrize("text", WRONG)
def test_a_wrong_answer_is_named_with_its_state(text):
    wrong = type("Wrong", (Toss,), WRONG[text])
    for settings in ({}, {"threads": 2}):
        with pytest.raises((ValueError, TypeError, starsplit.SearchError)) as raised:
            starsplit.search(python_game(wrong()).state("start"), depth=3, table_mib=1, **settings)
        assert str(raised.value) == text


@pytest.mark.skipif(sys.version_info < (3, 11), reason="exceptions have no notes")
@pytest.mark.parametrize("method", ["kind", "player", "moves", "play", "outcomes", "resolve", "value", "evaluate", "key", "text"])
def test_what_a_method_raises_has_its_state_noted(method):
    def failing(*_):
        raise KeyError("board")

    wrong = type("Wrong", (Toss,), {method: failing})
    with pytest.raises(KeyError) as raised:
        starsplit.search(python_game(wrong()).state("start"), depth=3, table_mib=1)
    (note,) = raised.value.__notes__
    assert re.fullmatch(r"of the state '(start|toss|heads)'(, the first of a list of \d)?", note)


@pytest.mark.parametrize(
    ("attributes", "text"),
    [
        ({"low": "a"}, "low 'a': expected a number"),
        ({"high": float("inf")}, "high inf: expected a finite number"),
        ({"low": None}, "low None: expected a number"),
        ({"plies": 1}, "plies 1: expected two from 0 to 255"),
        ({"plies": (1, -1)}, r"plies \(1, -1\): expected two from 0 to 255"),
        ({"plies": (0, 0)}, r"plies \(0, 0\): expected two from 0 to 255, not both 0"),
        ({"costs": (1, None)}, r"costs \(1, None\): expected two from 0 to 4294967295"),
        ({"depth_step": "2"}, "depth_step '2': expected a whole number from 0 to 255"),
        ({"successor_cost": -1}, "successor_cost -1: expected a whole number from 0 to 4294967295"),
    ],
)
def test_what_a_game_says_of_itself_is_named(attributes, text):
    with pytest.raises((ValueError, TypeError), match=f"^{text}$"):
        python_game(type("Wrong", (Toss,), attributes)())


EINSTEIN = starsplit.Game("einstein")
STATE = EINSTEIN.parse("x1x2x3..../x4x5....../x6......o6/......o5o4/....o3o2o1 x 3")
SEARCHER = Searcher(EINSTEIN, table_mib=1)


@pytest.mark.parametrize(
    ("call", "text"),
    [
        (lambda: SEARCHER.search("start", depth=1), "state 'start': expected a State, as the methods of a Game make it"),
        (lambda: SEARCHER.search(None, depth=1), "state None: expected a State, as the methods of a Game make it"),
        (lambda: SEARCHER.outcomes(5), "state 5: expected a State"),
        (lambda: SEARCHER.expectation(5, 1, list), "state 5: expected a State"),
        (lambda: SEARCHER.plan(5, 1), "state 5: expected a State"),
        (lambda: SEARCHER.work(5, "task"), "state 5: expected a State"),
        (lambda: starsplit.search("start"), "state 'start': expected a State"),
        (lambda: Searcher(Toss()), "game <.*Toss object.*>: expected a Game; python_game makes one of a PythonGame"),
        (lambda: Searcher("pig"), "game 'pig': expected a Game"),
        (lambda: Searcher(EINSTEIN, evaluator=5), "evaluator 5: expected a text"),
        (lambda: Searcher(EINSTEIN, threads="2"), "threads '2': expected a whole number from 0 to 2.*"),
        (lambda: Searcher(EINSTEIN, seed=-1), "seed -1: expected a whole number from 0 to 2.*"),
        (lambda: Searcher(EINSTEIN, table_mib=0.5), "table_mib 0.5: expected a whole number from 0 to 2.*"),
        (lambda: SEARCHER.set(5, 5), "option 5: expected a text"),
        (lambda: SEARCHER.search(STATE, depth=0.5), 'depth 0.5: expected 1 to 254, or "full"'),
        (lambda: SEARCHER.search(STATE, depth="ful"), 'depth "ful": expected 1 to 254, or "full"'),
        (lambda: SEARCHER.search(STATE, nodes=0.5), "nodes 0.5: expected a whole number from 0 to 2.*"),
        (lambda: SEARCHER.search(STATE, seconds="1"), "seconds '1': expected a number from 0 on"),
        (lambda: SEARCHER.search(STATE, seconds=float("nan")), "seconds nan: expected a number from 0 on"),
        (lambda: SEARCHER.outcomes(STATE, seconds=[]), r"seconds \[\]: expected a number from 0 on"),
        (lambda: SEARCHER.search(STATE, depth=1, handle=5), "handle 5: expected a Handle"),
        (lambda: SEARCHER.search(STATE, depth=1, on_iteration=5), "on_iteration 5: expected a function"),
        (lambda: SEARCHER.expectation(STATE, 1, 5, depth=1), "payload 5: expected a function"),
        (lambda: SEARCHER.search(STATE, depth=1, root_moves="a1"), "root_moves 'a1': expected moves of the state, as a list.*"),
        (lambda: SEARCHER.search(STATE, depth=1, root_moves=[1]), r"root_moves \[1\]: expected moves of the state, as a list.*"),
        (lambda: SEARCHER.search(STATE, depth=1, root_moves=5), "root_moves 5: expected moves of the state, as a list.*"),
        (lambda: starsplit.Game(5), "name 5: expected a text"),
        (lambda: starsplit.Game("pig", 5), "rules 5: expected a text"),
        (lambda: EINSTEIN.parse(None), "text None: expected a text"),
        (lambda: EINSTEIN.match_positions(5), "text 5: expected a text"),
        (lambda: STATE.string_to_action(5), "text 5: expected a text"),
        (lambda: STATE.child("a"), "action 'a': expected a whole number from 0 to 2.*"),
        (lambda: SEARCHER.plan(STATE, 3).hand_out("a"), "limit 'a': expected a whole number from 0 to 2.*"),
        (lambda: SEARCHER.plan(STATE, 3).answer(5), "line 5: expected a text"),
        (lambda: Handle().end_within("a"), "seconds 'a': expected a number from 0 on"),
    ],
)
def test_an_argument_is_named_in_a_line(call, text):
    with pytest.raises((ValueError, TypeError), match=f"^{text}") as raised:
        call()
    assert "\n" not in str(raised.value) and not getattr(raised.value, "__notes__", [])


@pytest.mark.parametrize("given", [None, [1, 2], ["a"], "ab", 5])
def test_what_a_payload_or_an_evaluation_gives_is_named(given):
    for game, state, told in ((EINSTEIN, STATE, ".*/.*"), (own := python_game(Toss()), own.state("start"), "'(toss|heads|tails)'")):
        text = rf"^payload {re.escape(repr(given))}: expected a list of numbers, 1 as size says \(state {told}\)$"
        with pytest.raises(ValueError, match=text):
            Searcher(game, table_mib=1).expectation(state, 1, lambda _: given, depth=1)
    with pytest.raises((ValueError, TypeError, starsplit.SearchError), match="^evaluate.*: .*one for each row$"):
        starsplit.evaluating_searcher(EINSTEIN, lambda features: given, table_mib=1).search(STATE, depth=2)


def test_states_of_another_game_are_told():
    one, other = python_game(Toss()), python_game(Toss())
    with pytest.raises(TypeError, match="state of Toss: expected one of the searcher's game, which another call of python_game"):
        Searcher(one).search(other.state("start"), depth=1)


def test_a_search_within_too_many_searches_is_an_error():
    class Within(Toss):
        def evaluate(self, states):
            searcher.search(game.state("start"), depth=1)
            return [0.5] * len(states)

    game = python_game(Within())
    searcher = Searcher(game, table_mib=1)
    with pytest.raises(RecursionError, match="a search within 16 others: expected fewer"):
        searcher.search(game.state("start"), depth=1)


def test_a_state_whose_repr_fails_or_has_lines_is_shown_in_one():
    class Shy(str):
        def __repr__(self):
            raise LookupError

    class Lines(str):
        def __repr__(self):
            return "a\n  b" + "c" * 100

    for state, shown in ((Shy("start"), "<Shy>"), (Lines("start"), "a b" + "c" * 77)):
        with pytest.raises(TypeError) as raised:
            python_game(type("Wrong", (Toss,), {"moves": lambda self, state: None})()).state(state).legal_actions()
        assert str(raised.value) == f"moves None: expected a list of moves (state {shown})"
