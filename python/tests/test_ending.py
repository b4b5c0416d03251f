"""How a process ends that ends while something searches: by itself, and not by a signal."""

import os
import subprocess
import sys
import textwrap
from concurrent.futures import ThreadPoolExecutor

import pytest

BEGIN = """
import atexit, os, random, sys, threading, time, starsplit
game = starsplit.Game("einstein")
state = game.parse("x1x2x3..../x4x5....../x6......o6/......o5o4/....o3o2o1 x 3")
searcher = starsplit.Searcher(game, threads=2, table_mib=1)


class Late:
    # It has the interpreter go slowly, and lets others have it meanwhile, so that faults show.
    def __del__(self, sleep=time.sleep): sleep(0.1)


late = Late()


class Slow(starsplit.PythonGame):
    low, high = 0, 1
    def kind(self, state): return "chance" if len(state) % 2 else "decision"
    def moves(self, state): return [0, 1, 2]
    def play(self, state, move): return (*state, move)
    def outcomes(self, state): return [(0, 1), (1, 2)]
    def resolve(self, state, outcome): return (*state, outcome)
    def evaluate(self, states): return [hash(state) % 97 / 97 for state in states]


class Hung(Slow):
    def evaluate(self, states):
        while True: pass


own, hung = starsplit.python_game(Slow()), starsplit.python_game(Hung())


def forever(search):
    def over_and_over():
        while True:
            search()
    threading.Thread(target=over_and_over, daemon=True).start()


def of_own(game=own, **settings):
    return starsplit.Searcher(game, table_mib=1, **settings).search(game.state(()), depth=60)


def wrong():
    for call in (lambda: searcher.search(Slow()), lambda: searcher.search(state, nodes="a"), lambda: own.state(object())):
        try: call()
        except (TypeError, ValueError): pass


def children():
    state = own.state(())
    for _ in range(8): state = state.child(0)


"""
END = "time.sleep(random.uniform(0.05, 0.15))\n"

#: What goes on when the program ends, and the exit code.
FORMS = {
    "a long search": ("forever(lambda: searcher.search(state, depth=60))", 0),
    "short searches": ("forever(lambda: searcher.search(state, depth=3))", 0),
    "new searchers": ("forever(lambda: starsplit.Searcher(game, threads=2, table_mib=1).search(state, depth=2))", 0),
    "callbacks": ("forever(lambda: searcher.search(state, depth=3, on_iteration=lambda _: sum(range(10_000))))", 0),
    "plans, outcomes": ("forever(lambda: (searcher.plan(state, 4).hand_out(), searcher.outcomes(state.child(0), depth=2)))", 0),
    "a game in Python": ("forever(of_own)", 0),
    "a game in Python on threads": ("for _ in range(3): forever(lambda: of_own(threads=4))", 0),
    "wrong arguments": ("for _ in range(3): forever(wrong)", 0),
    "checks": ("for _ in range(3): forever(lambda: starsplit.check_game(Slow(), (), plays=1))", 0),
    "states": ("for _ in range(3): forever(children)", 0),
    "an evaluation that hangs": ("forever(lambda: of_own(hung, threads=2))", 0),
    "an error": ("forever(lambda: of_own(threads=2)); time.sleep(0.1); raise ValueError('mine')", 1),
    "exit in a callback": ("searcher.search(state, depth=8, on_iteration=lambda _: sys.exit(7))", 7),
    "a thread that is waited for": (
        "threading.Thread(target=lambda: (searcher.search(state, seconds=0.3), os.write(1, b'done'))).start(); sys.exit(3)",
        3,
    ),
    "searches at the end": (
        "atexit.register(lambda: searcher.search(state, depth=3)); forever(lambda: of_own(threads=2))",
        0,
    ),
    "searches after the end": (
        """
atexit.unregister(starsplit.end_searches)
atexit.register(lambda: os.write(1, b"%d" % starsplit.search(state, depth=3, threads=2).depth))
atexit.register(starsplit.end_searches)
forever(lambda: of_own(threads=2))
""",
        0,
    ),
    "a child process": (
        """
forever(lambda: of_own(threads=2))
time.sleep(0.1)
child = os.fork()
if child: sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
# It has none of the threads that search in its parent.
os.write(1, b"%d" % starsplit.end_searches())
""",
        0,
    ),
}
SAYS = {"a thread that is waited for": "done", "searches after the end": "3", "a child process": "1"}

#: How often each ends: a fault shows in one of twenty or fewer.
TIMES = int(os.environ.get("STARSPLIT_ENDS", 8))


def ended(form):
    body, code = FORMS[form]
    done = subprocess.run([sys.executable, "-c", BEGIN + textwrap.dedent(body) + "\n" + END], capture_output=True, timeout=60)
    return done.returncode == code and done.stdout.decode() == SAYS.get(form, "") and (code == 1) == bool(done.stderr), done


@pytest.mark.parametrize("form", FORMS)
def test_a_program_ends_by_itself(form):
    if form == "a child process" and not hasattr(os, "fork"):
        pytest.skip("no fork")
    times = min(TIMES, 2) if "hangs" in form else TIMES
    with ThreadPoolExecutor(2) as pool:
        for is_right, done in pool.map(ended, [form] * times):
            assert is_right, done
