"""One search shared among processes or machines, over any `concurrent.futures.Executor`.

The one that is tested and documented is Dask's, which goes on when workers are lost:

    from dask.distributed import Client
    from starsplit.distributed import search
    with Client("scheduler:8786") as client:
        print(search("backgammon", None, 7, client.get_executor()))

The value is the one of a search in one process, to the last bit, whatever is lost, late or done twice.
"""

import threading
import time
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, CancelledError, wait
from dataclasses import dataclass, field

from ._native import Game, SearchError, Searcher

#: How often a worker looks whether its task still matters, in seconds.
LOOK = 0.2

#: How often in a row tasks may fail before the search gives up.
MOST_FAILURES = 20


@dataclass(frozen=True)
class DistributedResult:
    """What a distributed search found: `value` for player 0, `score` in steps of the grid, and what it took."""

    depth: int
    value: float
    score: tuple
    best_move: str | None
    answers: int
    nodes: int
    seconds: float
    failures: int = field(default=0)


@dataclass(frozen=True)
class _Settings:
    """All that a worker needs beside a task: it keeps a searcher for each."""

    game: str
    rules: str | None
    position: str
    evaluator: str | None
    table_mib: int
    threads: int
    options: tuple


def search(
    game,
    position,
    depth,
    executor,
    *,
    rules=None,
    evaluator=None,
    table_mib=64,
    threads=1,
    tasks=None,
    patience=None,
    split_above=None,
    parts=None,
    on_progress=None,
    **options,
):
    """Searches a position of one of the library's games to a depth; a `DistributedResult`.

    `game` is a name or a `Game`, `position` a text in its notation, a `State`, or None for where the game begins. Each
    worker process keeps a table of `table_mib` and searches with `threads`. `tasks` are under way at a time: by default
    twice as many as the executor has workers. Where one is not answered after `patience` seconds, it is given to another
    worker as well. `on_progress` is told the depth and the bounds of the iteration under way after each answer.

    >>> from concurrent.futures import ProcessPoolExecutor  # doctest: +SKIP
    >>> with ProcessPoolExecutor(2) as pool:  # doctest: +SKIP
    ...     search("einstein", "x1x2x3..../x4x5....../x6......o6/......o5o4/....o3o2o1 x 3", 9, pool).value
    """
    if not isinstance(game, Game):
        game = Game(game, rules)
    if game.rules is None:
        raise ValueError(f"game {game.name}: expected one of the library's, which workers know by name")
    state = game.new_initial_state() if position is None else position
    state = game.parse(state) if isinstance(state, str) else state
    settings = _Settings(
        game.name, game.rules, str(state), evaluator, table_mib, threads, tuple(sorted(options.items()))
    )
    # A plan needs no table to speak of.
    searcher = Searcher(game, evaluator=evaluator, table_mib=1)
    plan = searcher.plan(state, depth, split_above=split_above, parts=parts)
    return _Run(plan, settings, executor, tasks or 2 * _workers(executor), patience, on_progress).result()


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
            self._open.clear()
            self._tell()
            for future in self._given:
                future.cancel()
            self._board.close()
        depth, value, score, best_move, answers, nodes = self._plan.found
        seconds = time.monotonic() - begun
        return DistributedResult(depth, value, score, best_move, answers, nodes, seconds, self._failures)

    def _hand_out(self):
        for task in self._plan.hand_out(max(0, self._tasks - len(self._given))):
            self._open[self._plan.name_of(task)] = task
            future = self._executor.submit(work, self._settings, task, self._board.name)
            self._given[future] = (task, time.monotonic())
        self._tell()

    def _wait(self):
        done, _ = wait(list(self._given), timeout=self._patience or 1.0, return_when=FIRST_COMPLETED)
        for future in done:
            task, _ = self._given.pop(future)
            self._take(future, task)
        if self._patience:
            for future, (task, since) in list(self._given.items()):
                if time.monotonic() - since > self._patience:
                    self._plan.lost(self._plan.name_of(task))
                    # It counts when it comes all the same; it is waited for no more.
                    self._given[future] = (task, float("inf"))

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

    def _tell(self):
        self._board.write(dict(self._open))


def work(settings, task, board=None):
    """What a worker does: the answer to a task, as far as it has come where the task matters no more."""
    key = (settings, threading.get_ident())
    if key not in _searchers:
        # One search at a time: a table has its memory, and what is over takes none.
        for old in [each for each in _searchers if each[1] == key[1]]:
            del _searchers[old]
        game = Game(settings.game, settings.rules)
        made = Searcher(
            game,
            evaluator=settings.evaluator,
            table_mib=settings.table_mib,
            threads=settings.threads,
            **dict(settings.options),
        )
        _searchers[key] = (made, game.parse(settings.position))
    searcher, state = _searchers[key]
    look = _looker(board)
    while True:
        watch = _Watch(searcher, task, look)
        with watch:
            answer = searcher.work(state, task)
        if watch.narrower is None:
            return answer
        # What is searched again is in the table.
        task = watch.narrower


#: Searchers by settings and thread, in a worker's process, with the state that they begin from.
_searchers = {}


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
        name = _name_of(self._task)
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


def _name_of(task):
    return task.removeprefix("task 1 ").split(" window ")[0]


def _workers(executor):
    """How many workers an executor has, as far as it tells."""
    client = getattr(executor, "_client", None)
    if client is not None:
        return max(1, sum(client.nthreads().values()))
    return max(1, getattr(executor, "_max_workers", None) or 1)


def _board(executor):
    """Where open tasks are told to the workers: Dask has a place for it, others have none."""
    client = getattr(executor, "_client", None)
    return _NoBoard() if client is None else _DaskBoard(client)


class _NoBoard:
    name = None

    def write(self, tasks):
        """Nobody reads it."""

    def close(self):
        """Nothing is there."""


class _DaskBoard:
    """A variable of the scheduler's, written at most ten times a second."""

    def __init__(self, client):
        import uuid

        from distributed import Variable

        self.name = f"starsplit-{uuid.uuid4()}"
        self._variable = Variable(self.name, client=client)
        self._written, self._at = None, 0.0

    def write(self, tasks):
        if tasks != self._written and time.monotonic() - self._at > 0.1:
            self._variable.set(tasks)
            self._written, self._at = tasks, time.monotonic()

    def close(self):
        # Whoever is still at work sees that nothing is open any more, and then that nothing is told.
        self._variable.set({})


def _looker(board):
    """What reads the board in a worker; None where there is none."""
    if board is None:
        return None
    from distributed import Variable, get_client

    variable = Variable(board, client=get_client())
    return lambda: variable.get(timeout="5s")
