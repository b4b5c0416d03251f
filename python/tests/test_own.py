"""Games that are written in Python, and evaluations that are."""

import gc
import operator
import pickle
import random
import threading
import weakref
from fractions import Fraction

import numpy
import pytest

import starsplit
from starsplit.own import PythonGame, python_game


class Tree(PythonGame):
    """A random game: a state is a path, and what it is follows from its text alone."""

    low, high = -10, 10

    def __init__(self, seed, rewards=False):
        self.seed = seed
        if rewards:
            self.reward = self._reward

    def _drawn(self, state, what):
        return random.Random(f"{self.seed} {state} {what}")

    def kind(self, state):
        if len(state) and self._drawn(state, "kind").random() < 0.1:
            return "terminal"
        return "decision" if len(state) % 2 == 0 else "chance"

    def player(self, state):
        return len(state) // 2 % 2

    def moves(self, state):
        return list(range(self._drawn(state, "moves").randint(1, 3)))

    def play(self, state, move):
        return (*state, move)

    def outcomes(self, state):
        drawn = self._drawn(state, "outcomes")
        return [(n, Fraction(drawn.randint(1, 5), 7)) for n in range(drawn.randint(1, 3))]

    def resolve(self, state, outcome):
        return (*state, outcome)

    def value(self, state):
        return self._drawn(state, "value").randint(-3, 3)

    def evaluate(self, states):
        return [self.value(state) for state in states]

    def _reward(self, state, step, after):
        return self._drawn(after, "reward").randint(-1, 1)


def expected(game, state, depth):
    """The value by its definition, in exact fractions."""
    kind = game.kind(state)
    if kind == "terminal" or depth == 0:
        return Fraction(game.value(state))

    def worth(step, after):
        return (game.reward(state, step, after) if game.reward else 0) + expected(game, after, depth - 1)

    if kind == "chance":
        outcomes = game.outcomes(state)
        total = sum(weight for _, weight in outcomes)
        return sum(weight * worth(step, game.resolve(state, step)) for step, weight in outcomes) / total
    values = [worth(move, game.play(state, move)) for move in game.moves(state)]
    return max(values) if game.player(state) == 0 else min(values)


@pytest.mark.parametrize("rewards", [False, True])
def test_a_game_in_python_has_its_value(rewards):
    for seed in range(12):
        tree = Tree(seed, rewards)
        game = python_game(tree)
        state = game.state(())
        exact = float(expected(tree, (), 6))
        for settings in ({}, {"threads": 2}, {"lanes": 4, "batch": 8}, {"lanes": 4, "device": True}):
            result = starsplit.search(state, depth=6, table_mib=1, **settings)
            # Half a step of the grid for each chance layer, and each evaluation's and reward's own.
            assert abs(result.value - exact) <= 8 * 10 / (2**23 - 1), (seed, settings)
        worths = [float(expected(tree, (move,), 5)) for move in tree.moves(())]
        rewards_of = [tree.reward((), move, (move,)) if rewards else 0 for move in tree.moves(())]
        best = worths[result.best_action] + rewards_of[result.best_action]
        assert abs(best - exact) <= 1e-4


def test_what_a_game_raises_is_raised():
    class Broken(Tree):
        def evaluate(self, states):
            raise LookupError("no such states")

    game = python_game(Broken(1))
    for settings in ({}, {"threads": 2}, {"lanes": 4}):
        with pytest.raises(LookupError, match="no such states"):
            starsplit.search(game.state(()), depth=4, table_mib=1, **settings)


@pytest.mark.parametrize(
    ("method", "given", "text"),
    [
        ("kind", lambda self, state: "unkind", "kind"),
        ("player", lambda self, state: 2, "player 2"),
        ("outcomes", lambda self, state: [], "weights"),
        ("outcomes", lambda self, state: [(0, 0)], "weights"),
        ("outcomes", lambda self, state: [(0, 2**32), (1, 1)], "weights|whole"),
        ("evaluate", lambda self, states: [0.0] * (len(states) + 1), "evaluate"),
        ("evaluate", lambda self, states: [float("nan")] * len(states), "evaluate"),
    ],
)
def test_what_cannot_be_is_named(method, given, text):
    broken = type("Broken", (Tree,), {method: given})
    for seed in range(5):
        with pytest.raises(ValueError, match=text):
            game = python_game(broken(seed))
            starsplit.search(game.state(()), depth=5, table_mib=1)


class Gamble(PythonGame):
    """A safe move is worth 0.5; the other pays 10 or -1 evenly, by rewards or at the end."""

    paid = {"won": 10, "lost": -1, "safe": 0.5}

    def __init__(self, rewards, saturates):
        self.saturates = saturates
        if rewards:
            self.reward = lambda state, step, after: self.paid.get(step, 0)

    def kind(self, state):
        return {"start": "decision", "risk": "chance"}.get(state, "terminal")

    def moves(self, state):
        return ["risk", "safe"]

    def play(self, state, move):
        return move

    def outcomes(self, state):
        return [("won", 1), ("lost", 1)]

    def resolve(self, state, outcome):
        return outcome

    def value(self, state):
        return 0 if self.reward else self.paid[state]


@pytest.mark.parametrize("rewards", [False, True])
def test_values_beyond_the_range_are_errors_unless_declared(rewards):
    for settings in ({}, {"threads": 2}, {"lanes": 4, "batch": 8}):
        what = "a reward of 10: .*-1 to 1" if rewards else "a terminal score .* 10: .*-1 to 1, .*state 'won'"
        searcher = starsplit.Searcher(python_game(Gamble(rewards, False)), table_mib=1, **settings)
        for _ in range(2):
            with pytest.raises(starsplit.SearchError, match=what):
                searcher.search(searcher.game.state("start"), depth=2)
        game = python_game(Gamble(rewards, True))
        result = starsplit.search(game.state("start"), depth=2, table_mib=1, **settings)
        assert (result.best_move, result.is_exact, result.contradictions) == ("safe", True, 0)
        assert result.value == pytest.approx(0.5, abs=1e-6)
        assert result.to_dict()["contradictions"] == 0


def test_evaluations_beyond_the_range_are_errors_unless_declared():
    game = starsplit.Game("einstein")
    state = game.parse("x1x2x3..../x4x5....../x6......o6/......o5o4/....o3o2o1 x 3")

    def ten(features):
        return [10.0] * len(features)

    for lanes in (1, 8):
        with pytest.raises(starsplit.SearchError, match="an evaluation for Max of -?10: expected -1 to 1"):
            starsplit.evaluating_searcher(game, ten, lanes=lanes).search(state, depth=3)
        result = starsplit.evaluating_searcher(game, ten, lanes=lanes, saturates=True).search(state, depth=3)
        assert result.is_exact and abs(result.value) == pytest.approx(1, abs=1e-6)


class Toss(PythonGame):
    """A coin is tossed once."""

    def kind(self, state):
        return "terminal" if state else "chance"

    def outcomes(self, state):
        return [("heads", 1), ("tails", 1)]

    def resolve(self, state, outcome):
        return outcome

    def value(self, state):
        return 1.0


@pytest.mark.parametrize(
    "methods, expected",
    [
        ({"value": PythonGame.value}, "game Wrong: expected a method value"),
        ({"resolve": PythonGame.resolve}, "game Wrong: expected a method resolve"),
        ({"value": lambda self, state: None}, "value None: expected a number"),
        ({"value": lambda self, state: "won"}, "value 'won': expected a number"),
        ({"outcomes": lambda self, state: None}, "outcomes None: expected pairs of an outcome and its weight"),
        ({"kind": lambda self, state: "decision"}, "game Wrong: expected a method moves"),
        ({"kind": lambda self, state: "chance", "outcomes": PythonGame.outcomes}, "game Wrong: expected a method outcomes"),
    ],
)
def test_what_a_method_lacks_is_named(methods, expected):
    wrong = type("Wrong", (Toss,), methods)
    with pytest.raises((NotImplementedError, TypeError), match=expected):
        starsplit.search(python_game(wrong()).state(""), depth=2)


def test_evaluations_that_are_no_list_are_named():
    silent = type("Silent", (Tree,), {"evaluate": lambda self, states: None})
    with pytest.raises(TypeError, match="evaluate None: expected a list of numbers, one for each state"):
        starsplit.search(python_game(silent(1)).state(()), depth=2)


def test_a_class_in_the_place_of_a_game_is_refused():
    with pytest.raises(TypeError, match=r"expected an object of it, Toss\(\)"):
        python_game(Toss)


def test_options_are_set_together_in_whatever_order():
    game = starsplit.Game("einstein")
    for options in ({"table_use": "none", "algorithm": "expectimax"}, {"algorithm": "expectimax", "table_use": "none"}):
        assert starsplit.Searcher(game, **options).search(game.new_initial_state(), depth=2).is_exact
    with pytest.raises(ValueError, match="star2-tt looks up chance nodes"):
        starsplit.Searcher(game, table_use="none")


def test_rewards_and_values_that_are_no_numbers_are_named():
    for method in ("value", "_reward"):
        broken = type("Broken", (Tree,), {method: lambda self, *_: float("inf"), "evaluate": lambda self, s: [0.0] * len(s)})
        raised = 0
        for seed in range(10):
            try:
                starsplit.search(python_game(broken(seed, rewards=True)).state(()), depth=5, table_mib=1)
            except ValueError as error:
                raised += "finite" in str(error)
        assert raised > 5, method


def test_keys_that_do_not_tell_all_are_refused():
    class Plain:
        pass

    class Hidden(Tree):
        def key(self, state):
            return Plain()

    with pytest.raises(TypeError, match="key"):
        python_game(Hidden(1)).state(())

    class Long(Tree):
        def key(self, state):
            return (1, numpy.eye(1, 5000, len(state)))

    game = python_game(Long(1))
    assert game.state(()) != game.state((0,)) and game.state((0,)) == game.state((1,))


def test_a_best_action_is_the_move_whatever_texts_collide():
    class Colliding(Tree):
        def kind(self, state):
            return "decision" if not state else "terminal"

        def moves(self, state):
            return ["a", "b", "a", "c"]

        def play(self, state, move):
            return (move,)

        def text(self, state, move):
            return {"a": "x", "b": "x#2", "c": "x"}[move]

        def value(self, state):
            return {"a": 0, "b": 1, "c": 5}[state[0]]

    calls = []
    game = Colliding(1)
    game.text = lambda state, move: calls.append(move) or Colliding.text(game, state, move)
    result = starsplit.search(python_game(game).state(()), depth=1, rank_root_moves=True)
    assert (result.best_action, result.value) == (3, pytest.approx(5, abs=1e-5))
    assert len({text for text, _ in result.ranked_moves}) == 4
    assert len(calls) == 4


def test_what_is_raised_anywhere_is_raised_by_the_search():
    """While moves are put into words, in the first expansion, in a plan."""
    for method in ("text", "play", "moves", "outcomes", "value", "evaluate", "resolve"):
        raised = 0
        for at in (1, 2, 3, 5, 9, 17):
            calls = 0
            tree = Tree(5)
            inner = getattr(tree, method)

            def failing(*arguments, inner=inner):
                nonlocal calls
                calls += 1
                if calls == at:
                    raise LookupError(method)
                return inner(*arguments)

            setattr(tree, method, failing)
            try:
                state = python_game(tree).state(())
                starsplit.search(state, depth=6, table_mib=1, rank_root_moves=True)
                starsplit.Searcher(state.game, table_mib=1).plan(state, 6)
            except LookupError as error:
                assert error.args == (method,)
                raised += 1
        assert raised > 0, method


def test_searches_of_one_game_raise_each_its_own():
    class Telling(Tree):
        def evaluate(self, states):
            raise LookupError(states[0][:1])

    game = python_game(Telling(1))
    wrong = []

    def search_often(own):
        for _ in range(50):
            try:
                starsplit.Searcher(game, table_mib=1).search(game.state((own,)), depth=4)
            except LookupError as error:
                if error.args != ((own,),):
                    wrong.append(error)
            except Exception as error:  # noqa: BLE001
                wrong.append(error)

    threads = [threading.Thread(target=search_often, args=(own,)) for own in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_a_search_within_a_search_ends():
    game = starsplit.Game("einstein")
    state = game.parse("x1x2x3..../x4x5....../x6......o6/......o5o4/....o3o2o1 x 3")
    searcher = starsplit.Searcher(game, threads=2)
    inner = []
    result = searcher.search(state, depth=5, on_iteration=lambda _: inner.append(searcher.search(state, depth=3)))
    assert result.is_exact and len(inner) == 3 and len({each.score for each in inner}) == 1


def features_of(game):
    weights = numpy.random.default_rng(1).normal(0, 0.02, game.feature_count).astype(numpy.float32)

    def evaluate(features):
        # A sum over whole numbers times weights, in an order of its own for each row: the same bits in any company.
        return numpy.tanh([float(numpy.dot(row, weights)) for row in features])

    return evaluate


@pytest.mark.parametrize("name", ["dice", "einstein", "backgammon", "hyper-backgammon"])
def test_evaluations_in_batches_of_any_size_give_one_value(name):
    game = starsplit.Game(name)
    state = game.new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.legal_actions()[0])
    scores = set()
    for batch, lanes, threads in ((1, 1, 1), (16, 8, 1), (64, 16, 2), (256, 32, 1)):
        searcher = starsplit.evaluating_searcher(
            game, features_of(game), batch=batch, lanes=lanes, threads=threads, table_mib=4, padded=lanes % 16 == 0
        )
        result = searcher.search(state, depth=2)
        assert result.is_exact
        scores.add(result.score)
    assert len(scores) == 1


def test_a_function_that_fails_or_gives_too_little_ends_the_search():
    game = starsplit.Game("einstein")
    state = game.parse("x1x2x3..../x4x5....../x6......o6/......o5o4/....o3o2o1 x 3")

    def fail(features):
        raise ZeroDivisionError("at last")

    for lanes in (1, 8):
        with pytest.raises(ZeroDivisionError, match="at last"):
            starsplit.evaluating_searcher(game, fail, lanes=lanes).search(state, depth=3)
        with pytest.raises(ValueError, match="evaluate: 1 values"):
            starsplit.evaluating_searcher(game, lambda features: [0.0], lanes=lanes).search(state, depth=3)
        with pytest.raises(starsplit.SearchError, match="finite"):
            starsplit.evaluating_searcher(game, lambda f: [float("nan")] * len(f), lanes=lanes).search(state, depth=3)


class Counting(Tree):
    """Counts what it is asked."""

    def __init__(self, seed):
        super().__init__(seed)
        self.asked = {}

    def _count(self, what, state):
        self.asked[what, state] = self.asked.get((what, state), 0) + 1

    def moves(self, state):
        self._count("moves", state)
        return super().moves(state)

    def outcomes(self, state):
        self._count("outcomes", state)
        return super().outcomes(state)

    def evaluate(self, states):
        for state in states:
            self._count("evaluate", state)
        return super().evaluate(states)


def test_a_state_is_asked_once_until_a_new_game():
    tree = Counting(5)
    game = python_game(tree)
    searcher = starsplit.Searcher(game, table_mib=1)
    one = searcher.search(game.state(()), depth=7)
    assert len(tree.asked) > 30 and set(tree.asked.values()) == {1}
    searcher.search(game.state(()), depth=7)
    assert set(tree.asked.values()) == {1}
    searcher.new_game()
    again = searcher.search(game.state(()), depth=7)
    assert max(tree.asked.values()) == 2
    # Also by a state that is older than what is forgotten.
    state, tree.asked = game.state(()), {}
    for times in range(1, 5):
        searcher.new_game()
        searcher.search(state, depth=7)
        assert set(tree.asked.values()) == {times}
    assert (one.value, one.nodes) == (again.value, again.nodes)
    assert abs(one.value - expected(tree, (), 7)) < 1e-6


#: States that a dictionary, or their texts, take for one another, or nearly.
ALIKE = [1, True, 1.0, "1", b"1", (1,), (True,), ((1,),), [1], None, "None", 0, False, -0.0, 0.0, 2**70, float(2**70), "", b"", ()]


def test_keys_that_are_alike_are_told_apart():
    class Alike(PythonGame):
        low, high = 0, len(ALIKE)

        def kind(self, state):
            return "chance" if state == "root" else "terminal"

        def outcomes(self, state):
            return [(place, 1) for place in range(len(ALIKE))]

        def resolve(self, state, outcome):
            return (outcome, ALIKE[outcome])

        def key(self, state):
            return state if state == "root" else state[1]

        def value(self, state):
            return state[0]

    game = python_game(Alike())
    mean = (len(ALIKE) - 1) / 2
    assert abs(starsplit.search(game.state("root"), depth=1).value - mean) < 1e-6


def test_more_states_than_are_kept_are_asked_again():
    class Wide(PythonGame):
        low, high = 0, 1

        def kind(self, state):
            return "chance"

        def outcomes(self, state):
            return [(step, 1) for step in range(700)]

        def resolve(self, state, outcome):
            return (*state, outcome)

        def evaluate(self, states):
            return [(sum(state) % 3) / 2 for state in states]

    game = python_game(Wide())
    found = starsplit.search(game.state(()), depth=2, table_mib=4)
    counts = [0, 0, 0]
    for one in range(700):
        for other in range(700):
            counts[(one + other) % 3] += 1
    assert abs(found.value - (counts[1] / 2 + counts[2]) / 700**2) < 1e-6


def test_a_game_whose_states_lead_to_one_another_is_given_back():
    class State:
        def __init__(self, place):
            self.place = place

    class Circle(PythonGame):
        def kind(self, state):
            return "decision" if state.place % 2 else "chance"

        def moves(self, state):
            return [1, 2]

        def play(self, state, move):
            return State((state.place + move) % 6)

        def outcomes(self, state):
            return [(1, 1), (3, 2)]

        def resolve(self, state, outcome):
            return State((state.place + outcome) % 6)

        def key(self, state):
            return state.place

        def evaluate(self, states):
            states_seen.update(states)
            return [state.place / 6 for state in states]

    states_seen = weakref.WeakSet()
    game = python_game(Circle())
    starsplit.search(game.state(State(0)), depth=9)
    assert states_seen
    del game
    gc.collect()
    assert not states_seen


@pytest.mark.parametrize("rewards", [False, True])
def test_a_game_of_ones_own_is_played(rewards):
    for seed in range(20):
        functions = Tree(seed, rewards)
        game = python_game(functions)
        state, paid = game.state(()), 0.0
        for turn in range(8):
            path = state.object
            if state.is_terminal():
                assert state.legal_actions() == []
                assert state.returns()[0] == pytest.approx(functions.value(path) + paid, abs=1e-4)  # steps of the grid
                break
            actions, before = state.legal_actions(), state.clone()
            if state.is_chance_node():
                weights = [weight for _, weight in functions.outcomes(path)]
                found = [probability for _, probability in state.chance_outcomes()]
                assert found == pytest.approx([float(weight / sum(weights)) for weight in weights])
            else:
                assert state.current_player() == functions.player(path)
                assert [state.action_to_string(action) for action in actions] == [
                    str(move) for move in functions.moves(path)
                ]
                assert state.string_to_action(state.action_to_string(actions[-1])) == actions[-1]
            action = actions[turn * 7 % len(actions)]
            state.apply_action(action)
            assert state.object == (*path, action) and before.object == path and before.child(action) == state
            paid += functions._reward(path, action, state.object) if rewards else 0
            assert hash(before.child(action)) == hash(state) and before != state
        with pytest.raises(IndexError, match="action 99"):
            game.state(()).child(99)
        searched = starsplit.search(game.state(()), depth=4)
        assert searched.best_action in game.state(()).legal_actions()
    with pytest.raises(TypeError, match="written in Python"):
        pickle.dumps(game)
    with pytest.raises(TypeError, match="written in Python"):
        pickle.dumps(game.state(()))


class Countdown(PythonGame):
    """A heap of which a player takes one or two, and chance none or one."""

    def kind(self, state):
        left, is_chance = state
        return "terminal" if left == 0 else "chance" if is_chance else "decision"

    def moves(self, state):
        return [1, 2][: state[0]]

    def play(self, state, move):
        return state[0] - move, True

    def outcomes(self, state):
        return [(0, 2), (1, 1)]

    def resolve(self, state, outcome):
        return state[0] - outcome, False

    def value(self, state):
        return 1.0 if state[1] else 0.0

    def full_depth(self, state):
        left, is_chance = state
        return 2 * left - (not is_chance and left > 0)


def test_a_game_of_two_hundred_plies_is_searched_to_its_end():
    # Whoever moves last, and not chance, is wanted: the chances by recursion, from small heaps up.
    moves, rolls = [0.0], [1.0]
    for left in range(1, 121):
        moves.append(max(rolls[max(left - 2, 0) : left]))
        rolls.append((2 * moves[left] + (0.0 if left == 1 else moves[left - 1])) / 3)
    state = python_game(Countdown()).state((120, False))
    result = starsplit.search(state, depth="full", threads=2)
    assert abs(result.value - moves[120]) < 1e-4
    assert result.is_exact and result.depth == 239


def test_numbers_of_numpy_are_numbers():
    for kind in (numpy.int64, numpy.uint8, numpy.float32, numpy.float64):

        class Coin(Countdown):
            low, high = numpy.float32(0), numpy.int64(2)
            plies = numpy.int64(1), numpy.uint8(1)

            def outcomes(self, state):
                return [(numpy.int64(0), kind(2)), (numpy.int64(1), kind(1))]

            def player(self, state):
                return numpy.int64(0)

            def value(self, state):
                return numpy.float32(super().value(state))

            def full_depth(self, state):
                return numpy.int64(super().full_depth(state))

            def key(self, state):
                return int(state[0]), state[1]

        assert starsplit.search(python_game(Coin()).state((2, False)), depth="full").value == 1.0


class Plain:
    """A game with what is required only, which derives from nothing."""

    low, high, plies, depth_step, costs, name, reward = 0, 2, (1, 1), 1, (1_000, 1_000), None, None
    kind, moves, play, outcomes = Countdown.kind, Countdown.moves, Countdown.play, Countdown.outcomes
    resolve, value, key, text = Countdown.resolve, Countdown.value, Countdown.key, Countdown.text

    def player(self, state):
        return 0

    def evaluate(self, states):
        return [0.0] * len(states)


def test_a_game_without_an_evaluation_has_that_of_zeros():
    for depth in range(1, 12):
        found = [starsplit.search(python_game(game).state((20, False)), depth=depth) for game in (Countdown(), Plain())]
        assert found[0].value == found[1].value
    with pytest.raises(starsplit.SearchError, match="full_depth is None"):
        starsplit.search(python_game(Plain()).state((20, False)), depth="full")


def test_an_evaluation_of_zero_beyond_the_range_is_an_error():
    class High(Countdown):
        low, high = 1, 2

    with pytest.raises(starsplit.SearchError, match=r"an evaluation for Max of 0: expected 1 to 2, .*state \(1?\d, "):
        starsplit.search(python_game(High()).state((20, False)), depth=3)


def test_what_makes_values_wrong_in_silence_is_looked_for():
    class Forgetful(Countdown):
        def key(self, state):
            return state[0]

    class Short(Countdown):
        def full_depth(self, state):
            return super().full_depth(state) // 2

    class Unsteady(Countdown):
        calls = 0

        def moves(self, state):
            self.calls += 1
            return [1] if self.calls % 5 == 0 else [1, 2][: state[0]]

    assert starsplit.check_game(Countdown(), (12, False), plays=50) == 25
    assert starsplit.check_game(Tree(7, True), (), plays=20) > 20
    for game, text in (
        (Forgetful(), r"states \(.*\) and \(.*\): expected keys that differ, not \d+, as they have other kind, "),
        (Short(), r"full_depth \d+ of state \(.*\): expected at least 1 more, as \(.*\) follows"),
        (Unsteady(), r"state \(.*\): expected the same when asked again, not successors, "),
    ):
        with pytest.raises(ValueError, match=text) as raised:
            starsplit.check_game(game, (12, False), plays=50)
        assert "\n" not in str(raised.value)


class RandomGraph(PythonGame):
    """Numbered states drawn by a seed; every step leads to a greater number, pays, and takes its plies."""

    low, high = -100.0, 100.0

    def __init__(self, seed, plies):
        drawn = random.Random(seed)
        self.plies = plies
        self.states = []
        size = 40
        for number in range(size):
            kind = drawn.choices(["decision", "chance", "terminal"], [4, 4, 1])[0]
            later = range(number + 1, min(number + 8, size))
            if kind == "terminal" or len(later) < 3:
                kind, after = "terminal", []
            else:
                after = sorted(drawn.sample(later, drawn.randint(1, 3)))
            steps = [(to, drawn.randint(1, 4), drawn.choice([0, 0, -2.5, 1.25])) for to in after]
            self.states.append((kind, drawn.randrange(2), steps, drawn.randint(-20, 20)))

    def kind(self, state):
        return self.states[state][0]

    def player(self, state):
        return self.states[state][1]

    def moves(self, state):
        return [to for to, _, _ in self.states[state][2]]

    def play(self, state, step):
        return step

    def outcomes(self, state):
        return [(to, weight) for to, weight, _ in self.states[state][2]]

    def resolve(self, state, step):
        return step

    def value(self, state):
        return self.states[state][3]

    def evaluate(self, states):
        return [self.states[state][3] for state in states]

    def reward(self, state, step, after):
        return next(paid for to, _, paid in self.states[state][2] if to == step)

    def worth(self, state, depth):
        """What a plain search finds."""
        kind, player, steps, value = self.states[state]
        if kind == "terminal" or depth <= 0:
            return value
        taken = self.plies[kind == "chance"]
        values = [paid + self.worth(to, depth - taken) for to, _, paid in steps]
        if kind == "decision":
            return min(values) if player else max(values)
        weights = [weight for _, weight, _ in steps]
        return sum(map(operator.mul, values, weights)) / sum(weights)


PLIES = [(of_moves, of_outcomes) for of_moves in range(7) for of_outcomes in range(7) if of_moves + of_outcomes]


@pytest.mark.parametrize("plies", PLIES)
def test_random_games_with_rewards_and_plies_have_the_values_of_a_plain_search(plies):
    for seed in range(3):
        own = RandomGraph(seed, plies)
        game = python_game(own)
        for depth in (1, 3, 6):
            for settings in ({}, {"threads": 2}, {"algorithm": "star1"}, {"algorithm": "expectimax"}):
                found = starsplit.search(game.state(0), depth=depth, table_mib=1, **settings)
                assert found.is_exact and found.contradictions == 0
                assert found.value == pytest.approx(own.worth(0, depth), abs=1e-3), (seed, depth, settings)
