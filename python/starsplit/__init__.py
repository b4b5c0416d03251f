"""Exact, parallel search of game trees with chance nodes.

>>> import starsplit
>>> game = starsplit.Game("einstein")
>>> state = game.parse("x1x2x3..../x4x5....../x6......o6/......o5o4/....o3o2o1 x 3")
>>> result = starsplit.search(state, depth=5)
>>> result.is_exact, result.best_move in [state.action_to_string(a) for a in state.legal_actions()]
(True, True)
"""

import atexit
import os
from typing import Any, Literal

from ._native import (
    Game,
    Handle,
    Expectation,
    Outcome,
    Plan,
    SearchError,
    SearchResult,
    Searcher,
    State,
    __version__,
    end_searches,
    forget_searches,
    games,
    options,
)
from .checking import check_game
from .evaluating import evaluating_searcher
from .interrupting import is_main_interpreter
from .measuring import scaling
from .own import PythonGame, python_game
from .speedups import Scaling
from .telling import shown
from .trees import SearchTree

__all__ = [
    "Game",
    "Handle",
    "Expectation",
    "Outcome",
    "Plan",
    "PythonGame",
    "Scaling",
    "SearchError",
    "SearchResult",
    "SearchTree",
    "Searcher",
    "State",
    "__version__",
    "check_game",
    "evaluating_searcher",
    "games",
    "options",
    "python_game",
    "scaling",
    "search",
]

# A search that goes on when the interpreter goes would end the process. (Where one of several interpreters goes,
# searches of the others go on.)
if is_main_interpreter():
    atexit.register(end_searches)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=forget_searches)


def _restored_state(game, text, so_far, action):
    """A state as `pickle` has kept it."""
    return State._restored(game, text, so_far, action)


def search(
    state: State,
    *,
    depth: int | Literal["full"] | None = None,
    nodes: int | None = None,
    seconds: float | None = None,
    **settings: Any,
) -> SearchResult:
    """Searches a state once, with a searcher of its own; `settings` are those of `Searcher`.

    To search more than one state of a game, keep a `Searcher`: its table remembers.

    >>> state = Game("pig").new_initial_state()
    >>> search(state, depth=4).depth
    4
    """
    if not isinstance(state, State):
        raise TypeError(f"state {shown(state)}: expected a State, as the methods of a Game make it")
    searcher = Searcher(state.game, **settings)
    return searcher.search(state, depth=depth, nodes=nodes, seconds=seconds)
