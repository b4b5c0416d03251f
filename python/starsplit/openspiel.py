"""Games of OpenSpiel, searched exactly.

>>> import pyspiel  # doctest: +SKIP
>>> state = pyspiel.load_game("pig(winscore=20)").new_initial_state()  # doctest: +SKIP
>>> search(state, depth=4).value  # doctest: +SKIP
"""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from ._native import SearchResult
from .own import PythonGame, python_game

#: The greatest denominator that a probability is taken for.
GREATEST_DENOMINATOR = 10_000


class OpenSpielGame(PythonGame):
    """A sequential game for one player, or for two whose gains are the other's losses."""

    # Moves count as plies, chance does not, as in OpenSpiel's own searches.
    plies = (1, 0)

    def __init__(self, game, evaluate=None, key=None, value_range=None):
        """`evaluate` is a function of a state, its value for player 0; `key` a function of a state that gives text which
        tells all that the game's further course and its returns depend on. Without it states are told apart by their
        history. `value_range` is for games whose own least and greatest utility are not those of all states."""
        import pyspiel

        kind = game.get_type()
        refused = _refusal(game, kind, pyspiel)
        if refused:
            raise ValueError(f"game {kind.short_name}: {refused}")
        self.name = kind.short_name
        self.low, self.high = value_range or _range(game)
        self._evaluate = evaluate
        self._key = key

    def kind(self, state):
        return "terminal" if state.is_terminal() else "chance" if state.is_chance_node() else "decision"

    def player(self, state):
        return 1 if state.current_player() == 1 else 0

    def moves(self, state):
        return state.legal_actions()

    def play(self, state, move):
        return state.child(move)

    def outcomes(self, state):
        outcomes = sorted(state.chance_outcomes(), key=lambda pair: -pair[1])
        return [(action, _fraction(probability)) for action, probability in outcomes]

    def resolve(self, state, outcome):
        return state.child(outcome)

    def value(self, state):
        return self._within(state.returns()[0])

    def evaluate(self, states):
        return [0.0 if self._evaluate is None else self._within(self._evaluate(state)) for state in states]

    def _within(self, value):
        if not self.low <= value <= self.high:
            raise ValueError(f"value {value}: expected {self.low} to {self.high}, or a value_range that it is in")
        return value

    def key(self, state):
        return str(state.history()) if self._key is None else self._key(state)

    def text(self, state, move):
        return state.action_to_string(state.current_player(), move)


def search(
    state: Any,
    depth: int,
    *,
    evaluate: Callable[[Any], float] | None = None,
    key: Callable[[Any], Any] | None = None,
    value_range: tuple[float, float] | None = None,
    **settings: Any,
) -> SearchResult:
    """Searches a `pyspiel.State` to a depth of so many decisions; chance counts as none, as in OpenSpiel's
    `expectiminimax`. `evaluate` is its value function: of a state that is not finished, for player 0 (without one all
    are worth 0). The result's `value` is player 0's, within a millionth of the game's range.

    Slow beside the library's own games, each node being made in Python, and exact.
    """
    game = python_game(OpenSpielGame(state.get_game(), evaluate, key, value_range))
    from ._native import Searcher

    return Searcher(game, **settings).search(game.state(state.clone()), depth=depth)


def _refusal(game, kind, pyspiel):
    """Why a game cannot be searched; None where it can."""
    types = pyspiel.GameType
    if kind.dynamics != types.Dynamics.SEQUENTIAL:
        return "expected a sequential game"
    if kind.information != types.Information.PERFECT_INFORMATION:
        return "expected a game of perfect information"
    if kind.chance_mode == types.ChanceMode.SAMPLED_STOCHASTIC:
        return "expected a game that tells its chance outcomes"
    if game.num_players() not in (1, 2):
        return f"{game.num_players()} players, expected one or two"
    opposed = (types.Utility.ZERO_SUM, types.Utility.CONSTANT_SUM)
    if game.num_players() == 2 and kind.utility not in opposed:
        return "expected two players with opposed interests"
    return None


def _range(game):
    """The least and the greatest value; never of one value alone."""
    low, high = game.min_utility(), game.max_utility()
    return (low, high) if low < high else (low - 1.0, high + 1.0)


def _fraction(probability):
    """The small fraction that a probability is."""
    fraction = Fraction(probability).limit_denominator(GREATEST_DENOMINATOR)
    if abs(float(fraction) - probability) > 1e-12:
        raise ValueError(
            f"probability {probability!r}: expected a fraction of at most {GREATEST_DENOMINATOR} parts"
        )
    return fraction
