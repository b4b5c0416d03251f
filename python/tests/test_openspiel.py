"""Games of OpenSpiel through the adapter, beside OpenSpiel's own searches."""

import pytest

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
    with pytest.raises(ValueError, match=r"value -?[0-9.]+: expected .* or a value_range"):
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
