"""Searches of the library's games whose evaluations are made in Python, in batches."""

from collections.abc import Callable
from typing import Any

from ._native import Game, Searcher
from .telling import shown


def evaluating_searcher(
    game: Game,
    evaluate: Callable[[Any], Any],
    *,
    batch: int = 64,
    lanes: int = 16,
    padded: bool = True,
    fixed_ns: int | None = None,
    each_ns: int | None = None,
    saturates: bool = False,
    **settings: Any,
) -> Searcher:
    """A searcher that evaluates by a function of arrays.

    `evaluate` is given an array of 32-bit floats, a row for each state and a column for each of `game.feature_count`
    features (the inputs of the game's own network), and gives an array of values, one a row: what the state is worth to
    whoever's turn it is, in the game's units. A row's value must not depend on the other rows; where the library behind
    it gives a row other bits in other company, calls of one size help, which `padded` makes.

    Values beyond the game's range end a search with an error, unless `saturates` says that they are meant as its ends;
    what is no number does in either case.

    Calls are made on a thread of their own, for up to `batch` states at once, which `lanes` workers a thread look for.
    `fixed_ns` is what a call takes (where it is not given, 30,000), and `each_ns` what each of its rows takes besides
    (1,000). The more of a call is the former,
    the more states are evaluated together, and the more of them in vain.

    >>> import numpy
    >>> from starsplit import Game
    >>> game = Game("einstein")
    >>> weights = numpy.linspace(-0.01, 0.01, game.feature_count)
    >>> searcher = evaluating_searcher(game, lambda features: numpy.tanh(features @ weights))
    >>> result = searcher.search(game.parse("x1x2x3..../x4x5....../x6......o6/......o5o4/....o3o2o1 x 3"), depth=5)
    >>> result.is_exact, result.batches[0] > 0
    (True, True)
    """
    import numpy

    if not callable(evaluate):
        raise TypeError(f"evaluate {shown(evaluate)}: expected a function")
    width = game.feature_count

    def call(features, rows):
        array = numpy.frombuffer(features, dtype=numpy.float32).reshape(rows, width)
        given = evaluate(array)
        try:
            values = numpy.asarray(given, dtype=numpy.float64).reshape(-1)
        except (TypeError, ValueError):
            raise TypeError(f"evaluate {shown(given)}: expected an array of numbers, one for each row") from None
        if len(values) != rows:
            raise ValueError(f"evaluate: {len(values)} values, expected {rows}, one for each row")
        return values.tobytes()

    return Searcher(
        game,
        _call=call,
        _padded=batch if padded else None,
        _costs=(fixed_ns, each_ns),
        _saturates=saturates,
        lanes=lanes,
        batch=batch,
        device=lanes > 1,
        **settings,
    )
