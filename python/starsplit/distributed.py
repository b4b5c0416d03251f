"""One search shared among processes or machines, over any `concurrent.futures.Executor`.

The one that is tested and documented is Dask's, which goes on when workers are lost:

    from dask.distributed import Client
    from starsplit.distributed import search
    with Client("scheduler:8786") as client:
        print(search("backgammon", None, 7, client.get_executor()))

The value is the one of a search in one process, to the last bit, whatever is lost, late or done twice.
"""

import pickle
import threading
import time
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, CancelledError, Executor, wait
from dataclasses import dataclass, field
from typing import Any

from ._native import Bench, Game, Plan, SearchError, Searcher, State

#: How often a worker looks whether its task still matters, in seconds.
LOOK = 0.2

#: Since when a task is under way that is waited for no more.
_GIVEN_UP = float("inf")

#: How often in a row tasks may fail before the search gives up.
MOST_FAILURES = 20


@dataclass(frozen=True)
class DistributedResult:
    """What a distributed search found: `value` for player 0, `score` in steps of the grid, and what it took.

    Unless `contradictions` is 0 the hash, the game or the evaluator breaks its contract, and the value may be wrong.
    """

    depth: int
    value: float
    score: tuple
    best_move: str | None
    answers: int
    nodes: int
    seconds: float
    failures: int = field(default=0)
    contradictions: int = field(default=0)


@dataclass(frozen=True)
class _Settings:
    """All that a worker needs beside a task: it keeps a searcher for each."""

    game: str
    rules: str | None
    position: str
    #: What makes the state instead, pickled: of equal bytes it is the same.
    factory: bytes | None
    evaluator: str | None
    seed: int
    table_mib: int
    threads: int
    options: tuple


def search(
    game: str | Game | Callable[[], State],
    position: str | State | None,
    depth: int,
    executor: Executor,
    *,
    rules: str | None = None,
    evaluator: str | None = None,
    seed: int = 0,
    table_mib: int = 64,
    threads: int = 1,
    tasks: int | None = None,
    patience: float | None = None,
    split_above: int | None = None,
    parts: int | None = None,
    on_progress: Callable[[int, tuple[float, float]], Any] | None = None,
    **options: Any,
) -> DistributedResult:
    """Searches a position to a depth; a `DistributedResult`.

    `game` is a name or a `Game`, `position` a text in its notation, a `State`, or None for where the game begins. For a game
    written in Python, `game` is a function that makes the `State`: each worker calls it, so it has to be one that pickles,
    such as a function of a module, and make the same game everywhere. Each
    worker process keeps a table of `table_mib` and searches with `threads`. `tasks` are under way at a time: by default
    twice as many as the executor tells to have workers, which not all do. Where one is not answered after `patience`
    seconds, it is given to another worker as well. `on_progress` is told the depth and the bounds of the iteration under way after each answer.

    >>> from concurrent.futures import ProcessPoolExecutor  # doctest: +SKIP
    >>> with ProcessPoolExecutor(2) as pool:  # doctest: +SKIP
    ...     search("einstein", "x1x2x3..../x4x5....../x6......o6/......o5o4/....o3o2o1 x 3", 9, pool).value
    """
    for name, value in (("tasks", tasks), ("patience", patience)):
        if value is not None and not value > 0:
            raise ValueError(f"{name} {value!r:.80}: expected more than 0")
    state, factory = position, None
    if callable(game):
        if (position, rules) != (None, None):
            raise ValueError("position or rules: expected none beside a function that makes the state")
        state, factory = game(), pickle.dumps(game)
        if not isinstance(state, State):
            raise TypeError(f"state {state!r:.80}: expected a State of the function that makes it")
        game = state.game
    elif not isinstance(game, Game):
        game = Game(game, rules)
    elif rules is not None and rules != game.rules:
        raise ValueError(f"rules {rules!r:.80}: expected none beside a Game, which has {game.rules}")
    if game.rules is None and factory is None:
        raise ValueError(f"game {game.name}: expected one of the library's, or a function that makes the state")
    state = game.new_initial_state() if state is None else state
    state = game.parse(state) if isinstance(state, str) else state
    told = tuple(sorted((name, str(value)) for name, value in options.items()))
    # A plan needs no table to speak of.
    searcher = Searcher(game, evaluator=evaluator, seed=seed, table_mib=1)
    # The searcher's own name for a state tells whether a worker has made the same.
    position = str(state) if factory is None else _key(searcher, state)
    settings = _Settings(game.name, game.rules, position, factory, evaluator, seed, table_mib, threads, told)
    plan = searcher.plan(state, depth, split_above=split_above, parts=parts)
    return _Run(plan, settings, executor, tasks, patience, on_progress).result()


class _Run:
    """One search: what is under way."""

    def __init__(self, plan, settings, executor, tasks, patience, on_progress):
        self._plan, self._settings, self._executor = plan, settings, executor
        self._tasks, self._patience, self._on_progress = tasks, patience, on_progress
        self._board = _board(executor)
        # What is open, by name, and what is under way: a future's task and when it was given.
        self._open, self._given = {}, {}
        self._failures = self._failed_in_a_row = 0

    def result(self):
        begun = time.monotonic()
        try:
            while not self._plan.has_ended:
                self._hand_out()
                self._wait()
        finally:
            for future in self._given:
                future.cancel()
            self._board.close(list(self._given))
        depth, value, score, best_move, answers, nodes, contradictions = self._plan.found
        seconds = time.monotonic() - begun
        return DistributedResult(
            depth, value, score, best_move, answers, nodes, seconds, self._failures, contradictions
        )

    def _hand_out(self):
        # Workers may come and go meanwhile.
        most = self._tasks or 2 * _workers(self._executor)
        # What was given up on takes no room.
        waited_for = sum(since != _GIVEN_UP for _, since in self._given.values())
        for task in self._plan.hand_out(max(0, most - waited_for)):
            self._open[self._plan.name_of(task)] = task
            # Before anybody looks.
            self._board.write(self._open)
            future = self._executor.submit(work, self._settings, task, self._board.name)
            self._given[future] = (task, time.monotonic())
        self._board.write(self._open)

    def _wait(self):
        longest = min(self._patience or 1.0, 1.0)
        done, _ = wait(list(self._given), timeout=longest, return_when=FIRST_COMPLETED)
        for future in done:
            task, _ = self._given.pop(future)
            self._take(future, task)
        if self._patience:
            for future, (task, since) in list(self._given.items()):
                if time.monotonic() - since > self._patience:
                    self._plan.lost(self._plan.name_of(task))
                    # It counts when it comes all the same; it is waited for no more.
                    self._given[future] = (task, _GIVEN_UP)

    def _take(self, future, task):
        try:
            answer = future.result()
        except (BrokenExecutor, SearchError, ValueError, TypeError, ImportError):
            # Of these another try would not be better.
            raise
        except (Exception, CancelledError) as error:
            self._failures += 1
            self._failed_in_a_row += 1
            if self._failed_in_a_row > MOST_FAILURES:
                raise SearchError(f"tasks: {self._failed_in_a_row} failed one after another, the last with: {error!r:.200}") from error
            self._plan.lost(self._plan.name_of(task))
            return
        self._failed_in_a_row = 0
        closed, narrowed, _ = self._plan.answer(answer)
        for name in (self._plan.name_of(task), *closed):
            self._open.pop(name, None)
        self._open.update(narrowed)
        if self._on_progress is not None:
            self._on_progress(*self._plan.progress)


def work(settings, task, board=None):
    """What a worker does: the answer to a task, as far as it has come where the task matters no more."""
    if getattr(_own, "settings", None) != settings:
        # One search at a time: a table has its memory, and what is over takes none.
        _own.searcher = _own.settings = None
        if settings.factory is None:
            game = Game(settings.game, settings.rules)
            _own.state = game.parse(settings.position)
        else:
            _own.state = pickle.loads(settings.factory)()
            game = _own.state.game
        _own.searcher = Searcher(
            game,
            evaluator=settings.evaluator,
            seed=settings.seed,
            table_mib=settings.table_mib,
            threads=settings.threads,
            **dict(settings.options),
        )
        if settings.factory is not None and _key(_own.searcher, _own.state) != settings.position:
            raise ValueError(f"state of {settings.game}: expected the same of the function that makes it in each process")
        _own.settings = settings
    searcher, state = _own.searcher, _own.state
    look = _looker(board)
    while True:
        watch = _Watch(searcher, task, look)
        with watch:
            answer = searcher.work(state, task)
        if watch.narrower is None:
            return answer
        # What is searched again is in the table.
        task = watch.narrower


def _key(searcher, state):
    """What tells a state of a game written in Python from others."""
    return Bench(searcher).key_and_sign(state)[0]


#: A worker's searcher, with its settings and the state that it begins from: each thread has its own.
_own = threading.local()


class _Watch:
    """Stops a search from a thread beside it when its task is closed, or has become narrower."""

    def __init__(self, searcher, task, look):
        self._searcher, self._task, self._look = searcher, task, look
        self._is_over = threading.Event()
        self._thread = None
        self.narrower = None

    def __enter__(self):
        self._searcher.clear_stop()
        if self._look is not None:
            self._thread = threading.Thread(target=self._go, daemon=True)
            self._thread.start()

    def __exit__(self, *_):
        self._is_over.set()
        if self._thread is not None:
            self._thread.join()

    def _go(self):
        name = Plan.name_of(self._task)
        while not self._is_over.wait(LOOK):
            try:
                tasks = self._look()
            except Exception:  # noqa: BLE001: whoever would tell is gone; the search goes on.
                return
            if tasks is None:
                continue
            now = tasks.get(name)
            if now == self._task:
                continue
            if now is not None:
                self.narrower = now
            self._searcher.stop()
            return


def _workers(executor):
    """How many workers an executor has, as far as it tells."""
    client = getattr(executor, "_client", None)
    if client is not None:
        return max(1, sum(client.nthreads().values()))
    return max(1, getattr(executor, "_max_workers", None) or getattr(executor, "num_workers", None) or 1)


def _board(executor):
    """Where open tasks are told to the workers: Dask has a place for it, others have none."""
    client = getattr(executor, "_client", None)
    return _NoBoard() if client is None else _DaskBoard(client)


class _NoBoard:
    name = None

    def write(self, tasks):
        """Nobody reads it."""

    def close(self, futures):
        """Nothing is there."""


class _DaskBoard:
    """A variable of the scheduler's: the open tasks by name. What is not there is closed, so a task is there before it is
    given to anybody; what has gone or become narrower is told ten times a second."""

    def __init__(self, client):
        import uuid

        from distributed import Variable

        self.name = f"starsplit-{uuid.uuid4()}"
        self._variable = Variable(self.name, client=client)
        self._written, self._at = {}, 0.0

    def write(self, tasks):
        is_late = time.monotonic() - self._at > 0.1
        if tasks.keys() - self._written.keys() or (is_late and tasks != self._written):
            self._written, self._at = dict(tasks), time.monotonic()
            self._variable.set(self._written)

    def close(self, futures):
        # What the search itself may have raised counts more than that nobody can be told.
        try:
            self._variable.set({})
            # Those still at work see that nothing is open any more.
            wait(futures, timeout=4 * LOOK)
            self._variable.delete()
        except Exception:  # noqa: BLE001
            return


def _looker(board):
    """What reads the board in a worker; None where there is none."""
    if board is None:
        return None
    from distributed import Variable, get_client

    variable = Variable(board, client=get_client())
    return lambda: variable.get(timeout="5s")
