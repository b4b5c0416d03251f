"""Ten thousand searches with limits, stops, callbacks that raise and evaluations in Python: does memory grow, and for how
long is another thread held up while a search runs?

    python python/examples/stress.py [--searches 10000]
"""

import argparse
import gc
import random
import resource
import threading
import time

import starsplit

NOTATION = "x1x2x3..../x4x5....../x6......o6/......o5o4/....o3o2o1 x 3"


def resident():
    """Resident memory in MiB."""
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * resource.getpagesize() / 2**20


class Planned(Exception):
    """Raised on purpose."""


def one_search(searchers, state, drawn):
    """A search of some kind; how it ended."""
    searcher = drawn.choice(searchers)
    is_stopped = drawn.random() < 0.1

    def watch(iteration):
        if iteration.depth == 3 and raises:
            raise Planned
        if is_stopped and iteration.depth == 3:
            searcher.stop()

    raises = drawn.random() < 0.2
    if drawn.random() < 0.2:
        searcher.new_game()
    try:
        return searcher.search(state, depth=5, nodes=drawn.choice((None, 100, 1000)), on_iteration=watch).stopped_by
    except Planned:
        return "raised"
    finally:
        searcher.clear_stop()


def longest_gap(state):
    """The longest time, in milliseconds, for which a thread that does nothing but look at the clock does not come to it,
    while searches run in another one, and while none does."""
    gaps = []
    for is_searching in (False, True):
        searcher = starsplit.Searcher(state.game)
        search = threading.Thread(target=lambda: searcher.search(state, seconds=3.0))
        if is_searching:
            search.start()
        last, longest, until = time.perf_counter(), 0.0, time.perf_counter() + 2.5
        while last < until:
            now = time.perf_counter()
            longest, last = max(longest, now - last), now
        gaps.append(1000 * longest)
        if is_searching:
            search.join()
    return gaps


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--searches", type=int, default=10_000)
    asked = parser.parse_args()
    game = starsplit.Game("einstein")
    state = game.parse(NOTATION)
    searchers = [
        starsplit.Searcher(game, table_mib=1),
        starsplit.Searcher(game, table_mib=1, threads=2),
        starsplit.evaluating_searcher(game, lambda features: features.sum(axis=1) / 1000, table_mib=1, lanes=4, batch=8),
    ]
    drawn, ends, memory = random.Random(1), {}, []
    for number in range(asked.searches):
        end = one_search(searchers, state, drawn)
        ends[end] = ends.get(end, 0) + 1
        if number % (asked.searches // 10) == asked.searches // 10 - 1:
            gc.collect()
            memory.append(resident())
    print("ends:", ", ".join(f"{count} by {end}" for end, count in sorted(ends.items())))
    print("MiB after each tenth:", " ".join(f"{each:.1f}" for each in memory))
    quiet, searching = longest_gap(starsplit.Game("backgammon").new_initial_state())
    print(f"another thread is held up for at most {searching:.1f} ms while a search runs, {quiet:.1f} without")


if __name__ == "__main__":
    main()
