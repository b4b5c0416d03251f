"""Games of OpenSpiel through the adapter, beside OpenSpiel's own searches."""

import zlib

import pytest

import starsplit
from starsplit import python_game

pyspiel = pytest.importorskip("pyspiel")

from starsplit import openspiel  # noqa: E402


def reference(state, depth, evaluate):
    """Expectiminimax as OpenSpiel has it: depth counts decisions."""
    if state.is_terminal():
        return state.returns()[0]
    if depth == 0:
        return evaluate(state)
    if state.is_chance_node():
        return sum(
            probability * reference(state.child(action), depth, evaluate)
            for action, probability in state.chance_outcomes()
        )
    values = [reference(state.child(action), depth - 1, evaluate) for action in state.legal_actions()]
    return max(values) if state.current_player() == 0 else min(values)


GAMES = [
    ("tic_tac_toe", 9, 4),
    ("connect_four(rows=4,columns=4)", 5, 3),
    ("breakthrough(rows=4,columns=3)", 4, 2),
    ("pig(winscore=12,diceoutcomes=3)", 5, 1),
    ("2048(max_tile=16)", 2, 2),
    ("first_sealed", 0, 0),
    ("einstein_wurfelt_nicht", 1, 2),
    ("nim", 6, 1),
    ("backgammon", 1, 1),
    ("catch(rows=5,columns=3)", 5, 1),
    ("deep_sea(size=4)", 4, 0),
]


def started(game):
    """The first state after chance, where that begins, or the first."""
    state = game.new_initial_state()
    while state.is_chance_node() and len(state.chance_outcomes()) > 36:
        state.apply_action(state.chance_outcomes()[0][0])
    return state


@pytest.mark.parametrize(("name", "depth", "moves"), GAMES)
def test_values_are_openspiels(name, depth, moves):
    try:
        game = pyspiel.load_game(name)
    except pyspiel.SpielError as error:
        pytest.skip(str(error))
    try:
        openspiel.OpenSpielGame(game)
    except ValueError:
        pytest.skip("refused: see below")
    state = started(game)

    def evaluate(of):
        return len(of.history()) % 7 * (game.max_utility() - game.min_utility()) / 14 + game.min_utility()

    result = openspiel.search(state, depth, evaluate=evaluate, table_mib=4)
    expected = reference(state, depth, evaluate)
    assert result.is_exact
    assert abs(result.value - expected) <= 1e-5 * (game.max_utility() - game.min_utility())


def test_values_beyond_what_a_game_says_are_told():
    state = pyspiel.load_game("cliff_walking(horizon=6)").new_initial_state()
    with pytest.raises(ValueError, match=r"value -?[0-9.]+: expected .* or a value_range that it is in \(state .*\)$"):
        openspiel.search(state, 6)
    assert openspiel.search(state, 6, value_range=(-700, 0)).value == pytest.approx(-6, abs=1e-3)


def test_six_games_at_least_are_compared():
    taken = 0
    for name, _, _ in GAMES:
        try:
            openspiel.OpenSpielGame(pyspiel.load_game(name))
            taken += 1
        except (ValueError, pyspiel.SpielError):
            pass
    assert taken >= 6


def test_a_key_joins_states():
    state = pyspiel.load_game("tic_tac_toe").new_initial_state()
    by_history = openspiel.search(state, 9)
    by_board = openspiel.search(state, 9, key=str)
    assert by_history.value == by_board.value == 0
    assert by_board.nodes < by_history.nodes


#: Games whose text leaves out whose turn it is, the die, or what has been paid.
FORGETFUL = [
    ("2048", 2, 2),
    ("2048(max_tile=16)", 3, 2),
    ("einstein_wurfelt_nicht", 2, 2),
    ("pig(winscore=12,diceoutcomes=3)", 5, 1),
    ("tic_tac_toe", 4, 1),
    ("breakthrough(rows=4,columns=3)", 4, 2),
    ("catch(rows=5,columns=3)", 4, 1),
]


@pytest.mark.parametrize(("name", "depth", "moves"), FORGETFUL)
@pytest.mark.parametrize("key", [str, lambda state: None, lambda state: [str(state)]])
def test_a_text_as_a_key_forgets_neither_turn_nor_die(name, depth, moves, key):
    try:
        game = pyspiel.load_game(name)
    except pyspiel.SpielError as error:
        pytest.skip(str(error))
    state = started(game)
    for _ in range(moves):
        state.apply_action(state.legal_actions()[-1])
    low, high = game.min_utility(), game.max_utility()

    def evaluate(of):
        return low + (high - low) * (zlib.crc32(str(of).encode()) % 97) / 97

    result = openspiel.search(state, depth, evaluate=evaluate, key=key, table_mib=4)
    assert result.value == pytest.approx(reference(state, depth, evaluate), abs=1e-5 * (high - low))


def test_what_has_been_paid_is_worth_the_same_by_any_key():
    state = started(pyspiel.load_game("2048"))
    values = {openspiel.search(state, 2, evaluate=lambda of: of.returns()[0], key=key).value for key in (None, str)}
    assert len(values) == 1


def test_states_of_one_history_from_other_starts_are_told_apart():
    chess = pyspiel.load_game("chess")
    texts = ["7k/8/8/8/8/8/8/K6R w - - 0 1", "7k/8/8/8/8/8/8/K6Q w - - 0 1"]
    states = [chess.new_initial_state(text) for text in texts]
    game = python_game(openspiel.OpenSpielGame(chess))
    assert states[0].history() == states[1].history() == []
    assert game.state(states[0]) != game.state(states[1])


class Paid:
    """A state, after other returns."""

    def __init__(self, state, paid):
        self._state, self._paid = state, paid

    def __getattr__(self, name):
        return getattr(self._state, name)

    def __str__(self):
        return str(self._state)

    def returns(self):
        return [self._paid]


def test_states_after_other_returns_are_told_apart():
    game = pyspiel.load_game("2048")
    own = openspiel.OpenSpielGame(game, key=str)
    states = [Paid(started(game), paid) for paid in (0.0, 4.0, 4.0)]
    assert own.key(states[0]) != own.key(states[1]) == own.key(states[2])


def test_limits_are_those_of_a_searcher():
    state = pyspiel.load_game("tic_tac_toe").new_initial_state()
    assert openspiel.search(state, nodes=50, key=str).stopped_by == "nodes"
    assert openspiel.search(state, seconds=0.05).stopped_by == "time"
    full = openspiel.search(state, "full", key=str)
    assert (full.value, full.is_exact, full.stopped_by) == (0, True, "depth")
    assert openspiel.search(state, depth=2, nodes=10**9, seconds=100).depth == 2
    with pytest.raises(ValueError, match='^depth "ful": expected 1 to 254'):
        openspiel.search(state, "ful")
    with pytest.raises(ValueError, match="^nodes 0.5: expected a whole number"):
        openspiel.search(state, 2, nodes=0.5)


def test_check_game_takes_games_of_openspiel():
    game = pyspiel.load_game("pig(winscore=12,diceoutcomes=3)")
    state = started(game)
    assert starsplit.check_game(openspiel.OpenSpielGame(game), state, plays=5) > 5
    assert starsplit.check_game(openspiel.OpenSpielGame(game, key=str), state, plays=5) > 5
    with pytest.raises(ValueError, match="expected keys that differ"):
        starsplit.check_game(openspiel.OpenSpielGame(game, key=lambda state: 0), state, plays=20)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("matrix_pd", "sequential"),
        ("kuhn_poker", "perfect information"),
        ("chinese_checkers(players=3)", "players"),
    ],
)
def test_what_cannot_be_searched_is_refused_by_name(name, text):
    game = pyspiel.load_game(name)
    with pytest.raises(ValueError, match=text):
        openspiel.search(game.new_initial_state(), 1)


def test_probabilities_are_small_fractions_or_refused():
    assert openspiel._fraction(1 / 36).denominator == 36
    with pytest.raises(ValueError, match="probability"):
        openspiel._fraction(0.123456789)
