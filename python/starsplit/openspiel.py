"""Games of OpenSpiel, searched exactly.

>>> import pyspiel  # doctest: +SKIP
>>> state = pyspiel.load_game("pig(winscore=20)").new_initial_state()  # doctest: +SKIP
>>> search(state, depth=4).value  # doctest: +SKIP
"""

import numbers
from collections.abc import Callable
from fractions import Fraction
from typing import Any, Literal

from ._native import Searcher, SearchResult
from .own import PythonGame, python_game
from .telling import of_state, shown
from .weights import GREATEST_DENOMINATOR, near_fraction


class OpenSpielGame(PythonGame):
    """A sequential game for one player, or for two whose gains are the other's losses."""

    # Moves count as plies, chance does not, as in OpenSpiel's own searches.
    plies = (1, 0)

    def __init__(self, game, evaluate=None, key=None, value_range=None):
        """`evaluate` is a function of a state, its value for player 0.

        `key` is a function of a state. It gives what tells all that the game's further course and its returns depend on, to
        which are added who acts, the returns so far, and the legal actions or chance outcomes: two states that have all of
        this in common are taken for one. Many a state's text leaves something out (a die, a counter), and values are wrong in
        silence then: `check_game(OpenSpielGame(game, key=key), state)` looks for that. Without `key`, or where it gives
        None, states are told apart by their history.

        `value_range` is for games whose own least and greatest utility are not those of all states."""
        import pyspiel

        kind = game.get_type()
        refused = _refusal(game, kind, pyspiel)
        if refused:
            raise ValueError(f"game {kind.short_name}: {refused}")
        self.name = kind.short_name
        self.low, self.high = value_range or _range(game)
        self._evaluate = evaluate
        self._key = key
        self._longest = game.max_game_length()

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
        return [(action, _fraction(probability, state)) for action, probability in outcomes]

    def resolve(self, state, outcome):
        return state.child(outcome)

    def value(self, state):
        return self._within(state.returns()[0], state)

    def evaluate(self, states):
        evaluate = self._evaluate
        return [self._within(0.0 if evaluate is None else evaluate(state), state) for state in states]

    def _within(self, value, state):
        if isinstance(value, numbers.Real) and not self.low <= value <= self.high:
            expected = f"expected {self.low} to {self.high}, or a value_range that it is in"
            raise ValueError(f"value {value}: {expected}{of_state(state)}")
        return value

    def full_depth(self, state):
        return 0 if state.is_terminal() else self._longest

    def key(self, state):
        own = None if self._key is None else self._key(state)
        if own is None:
            # Where games begin in various states the history does not tell in which.
            return state.history_str(), str(state)
        steps = state.chance_outcomes() if state.is_chance_node() else state.legal_actions()
        return own, state.returns(), steps

    def text(self, state, move):
        return state.action_to_string(state.current_player(), move)


def search(
    state: Any,
    depth: int | Literal["full"] | None = None,
    *,
    nodes: int | None = None,
    seconds: float | None = None,
    evaluate: Callable[[Any], float] | None = None,
    key: Callable[[Any], Any] | None = None,
    value_range: tuple[float, float] | None = None,
    **settings: Any,
) -> SearchResult:
    """Searches a `pyspiel.State` to a depth of so many decisions; chance counts as none, as in OpenSpiel's
    `expectiminimax`. `depth`, `nodes` and `seconds` are limits as those of `Searcher.search`, `settings` those of `Searcher`.
    `evaluate` is OpenSpiel's value function: of a state that is not finished, for player 0 (without one all are worth 0).
    `key` tells which states are one: `OpenSpielGame` explains it, and `check_game` looks for what it leaves out. The
    result's `value` is player 0's, within a millionth of the game's range.

    **When it pays.** Each state is made in Python: where states are told apart by their history, a search takes about three
    to fifteen times the processor time of OpenSpiel's own searches. It pays with a `key` by which many lines meet, the
    deeper the search the more (Pig, Nim, 2048); where few do (tic-tac-toe, Breakthrough), theirs stay faster.
    `benches/openspiel.py` compares them.
    """
    if not hasattr(state, "get_game"):
        raise TypeError(f"state {shown(state)}: expected a pyspiel.State")
    game = python_game(OpenSpielGame(state.get_game(), evaluate, key, value_range))
    searcher = Searcher(game, **settings)
    return searcher.search(game.state(state.clone()), depth=depth, nodes=nodes, seconds=seconds)


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


def _fraction(probability, *states):
    """The small fraction that a probability is, that of a state if there is one."""
    fraction = near_fraction(probability)
    if fraction is None:
        expected = f"expected a fraction of at most {GREATEST_DENOMINATOR} parts"
        raise ValueError(f"probability {probability!r}: {expected}{''.join(map(of_state, states))}")
    return fraction
