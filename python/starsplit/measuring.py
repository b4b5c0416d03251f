"""How a search scales: on threads in real time, and on SIMULATED processors in virtual time."""

from collections.abc import Callable, Iterable, Mapping
from os import PathLike
from pathlib import Path
from typing import Any

from . import _native, records
from ._native import Game, Searcher, State
from .evaluating import evaluating_searcher
from .own import python_game
from .recording import cores
from .rounds import Asked, Position, Real, Simulated, run
from .speedups import Scaling

#: What is no option of searches that are compared by their threads alone.
NO_OPTIONS = ("lanes", "batch", "device")

#: The most rounds, and the most seeds.
MOST_ROUNDS = 1_000_000


def scaling(
    game: Any,
    positions: Iterable[Any],
    *,
    depth: int,
    threads: Iterable[int] | None = None,
    processors: Iterable[int] = (1, 4, 16, 64),
    repeats: int = 5,
    seeds: int = 1,
    costs: str | Mapping[str, int] = "unit",
    evaluator: str | Callable[[Any], Any] | None = None,
    seed: int = 0,
    table_mib: int = 64,
    folder: str | PathLike[str] | None = None,
    **options: Any,
) -> Scaling:
    """Measures how a search scales on threads and on SIMULATED virtual processors: a `Scaling`, which has the
    speedups and draws a figure of them.

    * `game`: one of the library's or its name, a `PythonGame`, or the game that `python_game` makes of one.
    * `positions`: a list of states, of texts in the notation of a library's game, or of states of your own.
    * `depth`: of every search, in plies.
    * `threads`: numbers of threads; unless given 1, 2, 4, ... and as many as the machine runs at once.
    * `processors`: numbers of virtual processors. Of these and of `threads` one may be `()`, for none.
    * `repeats`: how many rounds there are of real searches.
    * `seeds`: how many schedules there are of each SIMULATED search. A seed decides which of two processors
      comes first whose clocks are the same; the same seed gives the same search on any machine.
    * `costs`: what events cost on a virtual processor: "unit" (a node 1, an evaluation 2, a split 2, a steal
      20, a look for work in vain 10), "free" (nodes alone), or a dictionary with a whole number for each of
      node, evaluation, table, poll, split, steal and failed_steal, perhaps of wake and wake_latency, and
      perhaps another such one as "busy", for more than one processor. The lab's `calibrate` writes such a one, in nanoseconds.
    * `evaluator`: the name of one of the game's, its usual one unless given; or a function of arrays as
      `evaluating_searcher` takes it, which is called for one state at a time.
    * `seed`, `table_mib` and `options`: as of `Searcher`; `lanes`, `batch` and `device` are refused.
    * `folder`: where records are kept, in folders `real` and `simulated` in it; in memory alone unless given.

    The baseline of a real speedup is the serial search under the same options, that of a SIMULATED one the
    serial search in virtual time. In each round every contender searches every position once, those of a
    position right after each other, in an order that changes and favours nobody (a Williams design). A
    speedup is the ratio of two times of one round, and the median over the rounds counts. Before a time is
    taken the table is cleared, and threads have run.

    Every search of a position has to find the same value, bit for bit; else a SearchError names the position
    and who found another one. An argument that makes no sense gets a ValueError that names it.

    Lines are recorded as searches end. After Ctrl-C, or where the process was killed, the same call goes on
    where it was, but for the round of a position that was begun, which is measured anew. With other settings,
    another build or machine it is refused by a ValueError; `repeats`, `processors` and `seeds` may grow. A
    function or a game in Python is known by its name alone: one that has changed needs another folder.

    A game or an evaluation written in Python holds the interpreter's lock whenever it is called, so that real
    threads can hardly be faster than one, and are often slower. Virtual processors know no such lock: they
    show how well the search itself divides the tree. They know nothing of memory and caches, and are
    optimistic.

    >>> position = "x1x2x3..../x4x5....../x6......o6/......o5o4/....o3o2o1 x 3"
    >>> found = scaling("einstein", [position], depth=5, threads=[1], processors=[1, 4], repeats=2)
    >>> for row in found.speedups():
    ...     print(row["kind"], row["method"], row["processors"], row["rounds"])
    real serial 1 2
    real both 1 2
    SIMULATED serial 1 1
    SIMULATED both 1 1
    SIMULATED both 4 1
    """
    for name in NO_OPTIONS:
        if name in options:
            raise ValueError(f"{name} {options[name]!r:.80}: expected none, where threads are compared")
    if not isinstance(game, Game):
        game = Game(game) if isinstance(game, str) else python_game(game)
    threads = _doubling() if threads is None else _numbers("threads", threads)
    processors = _numbers("processors", processors)
    if not threads and not processors:
        raise ValueError("threads []: expected at least one number of threads, or of processors")
    _check_number("depth", depth, _native.MAX_DEPTH)
    _check_number("repeats", repeats, MOST_ROUNDS)
    _check_number("seeds", seeds, MOST_ROUNDS)
    models = _models(costs)
    _check_folder(folder)
    bench = _bench(game, evaluator, seed=seed, table_mib=table_mib, **options)
    if processors and not bench.options_in_words()["can_be_simulated"]:
        method = bench.options_in_words()["method"]
        raise ValueError(f"method {method!r}: expected one that can be simulated, or processors=()")
    of_searcher = {**_evaluator_words(game, evaluator), "table_mb": table_mib, "seed": seed}
    asked = Asked(game, bench, _positions(game, bench, positions), depth, of_searcher)
    parts = []
    try:
        if threads:
            parts.append(Real(asked, threads, repeats, folder))
        if processors:
            parts.append(Simulated(asked, processors, range(1, seeds + 1), models, folder))
        run(asked, parts)
    finally:
        for part in parts:
            part.recording.close()
    return Scaling(asked, parts)


def _bench(game, evaluator, **settings):
    if callable(evaluator):
        return _native.Bench(evaluating_searcher(game, evaluator, lanes=1, batch=1, **settings))
    return _native.Bench(Searcher(game, evaluator=evaluator, **settings))


def _evaluator_words(game, evaluator):
    """What records say of the evaluator; the fingerprint of its weights, where its name names their file."""
    if callable(evaluator):
        name = f"python:{getattr(evaluator, '__qualname__', type(evaluator).__qualname__)}"
    elif game.rules is None:
        name = "own"
    else:
        name = evaluator or game.evaluators[0]
    kind, _, file = name.partition(":")
    has_file = kind in ("network", "mlp") and file
    weights = _native.fingerprint(Path(file).read_bytes()) if has_file else None
    return {"evaluator": name, "weights_fnv1a": weights}


def _positions(game, bench, positions):
    if isinstance(positions, (str, State)):
        raise ValueError(f"positions {positions!r:.80}: expected a list of them")
    found = [_position(game, bench, index, given) for index, given in enumerate(positions, 1)]
    if not found:
        raise ValueError("positions []: expected at least one")
    return found


def _position(game, bench, index, given):
    if isinstance(given, State):
        state = given
    else:
        state = game.state(given) if game.rules is None else game.parse(given)
    key, sign = bench.key_and_sign(state)
    text = str(state) if key is None else _text_of(state.object, key)
    if state.is_terminal():
        raise ValueError(f"position {index} ({text:.80}): expected one at which the game is not over")
    return Position(index, state, text, key or text, sign)


def _text_of(state, key):
    """A state of a game written in Python in words, with its key where these may be those of others, too."""
    text = repr(state)
    return text if len(text) <= 100 and " at 0x" not in text else f"{text:.60}... ({key})"


def _doubling():
    """The numbers 1, 2, 4, ... below that of the machine's processors, and that."""
    most = min(cores(), _native.MAX_THREADS)
    return [*(1 << bits for bits in range((most - 1).bit_length())), most]


def _numbers(name, numbers):
    """Sound numbers of threads or processors, each once, the least first."""
    try:
        numbers = list(numbers)
    except TypeError:
        raise ValueError(f"{name} {numbers!r:.80}: expected a list of numbers, such as [1, 2]") from None
    for number in numbers:
        _check_number(name, number, _native.MAX_THREADS)
    return sorted(set(numbers))


def _check_number(name, number, most, least=1):
    if not isinstance(number, int) or isinstance(number, bool) or not least <= number <= most:
        raise ValueError(f"{name} {number!r:.80}: expected a whole number from {least} to {most}")


def _check_folder(folder):
    """A folder with something else in it is left alone."""
    if folder is None or not Path(folder).exists():
        return
    path = Path(folder)
    if not path.is_dir():
        raise ValueError(f"folder {str(folder)!r}: expected a folder")
    made = (Path(name) / file for name in (Real.folder, Simulated.folder) for file in ("samples.jsonl*", records.ARCHIVE))
    is_ours = any(any(path.glob(str(file))) for file in made)
    if not is_ours and any(path.iterdir()):
        raise ValueError(f"folder {str(folder)!r}: expected an empty one, or one that scaling has written")


def _models(costs):
    """The cost model's name, and what events cost on one processor alone and on several, which are busy."""
    known = _native.cost_models()
    if isinstance(costs, dict):
        alone = _costs(costs, known["unit"])
        return "own", {"alone": alone, "busy": _costs(costs.get("busy", alone), known["unit"])}
    if costs not in known:
        raise ValueError(f"costs {costs!r:.80}: expected {' or '.join(known)} or a dictionary")
    return costs, {"alone": known[costs], "busy": known[costs]}


def _costs(costs, names):
    costs = {"wake": 0, "wake_latency": 0, **costs}
    for name in names:
        _check_number(f"costs {name}", costs.get(name), 2**32 - 1, least=int(name == "node"))
    return {name: costs[name] for name in names}
