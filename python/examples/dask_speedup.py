"""What a second worker gains on this machine, by Dask, beside what the machine gives two processes at all.

    python python/examples/dask_speedup.py [--game backgammon] [--depth 5] [--repeat 3] [--kill]

Each round searches one position by one worker and by two, in turn; times one search in this process, and two at once in
two. The ceiling is what two get done in the time of one; what is lost beside it is searched twice, since tables are apart,
or waited for. With --kill a worker is killed in the middle of a search by two, and what that cost is told.
"""

import argparse
import os
import signal
import statistics
import threading
import time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import distributed

import starsplit
from starsplit.distributed import search


def alone(name, position, depth):
    """The seconds and the nodes of one search in one process."""
    game = starsplit.Game(name)
    begun = time.monotonic()
    result = starsplit.Searcher(game).search(game.parse(position), depth=depth)
    return time.monotonic() - begun, result.nodes, result.score


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--game", default="backgammon")
    parser.add_argument("--position", help="in the game's notation; else the first one at which a player moves")
    parser.add_argument("--depth", type=int, default=5)
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--split-above", type=int, default=300_000)
    parser.add_argument("--kill", action="store_true")
    asked = parser.parse_args()
    state = starsplit.Game(asked.game).new_initial_state() if asked.position is None else None
    while state is not None and state.is_chance_node():
        state.apply_action(state.legal_actions()[0])
    position = asked.position or str(state)

    def cluster(workers):
        return distributed.LocalCluster(
            n_workers=workers, threads_per_worker=1, host="127.0.0.1", dashboard_address=None, memory_limit=0
        )

    def shared(client):
        client.run(forget)
        executor = client.get_executor(retries=3)
        return search(asked.game, position, asked.depth, executor, split_above=asked.split_above)

    with cluster(1) as one, cluster(2) as two, distributed.Client(one) as by_one, distributed.Client(two) as by_two:
        pool = ProcessPoolExecutor(2, mp_context=get_context("spawn"))
        list(pool.map(alone, *zip(*[(asked.game, position, 1)] * 2)))
        rounds = []
        for _ in range(asked.repeat):
            seconds, nodes, score = alone(asked.game, position, asked.depth)
            both = [pool.submit(alone, asked.game, position, asked.depth) for _ in range(2)]
            ceiling = sum(seconds / future.result()[0] for future in both)
            first, second = shared(by_one), shared(by_two)
            assert first.score == second.score == score, "another value"
            rounds.append((first.seconds / second.seconds, ceiling, second.nodes / first.nodes, seconds / first.seconds))
            print(
                f"one search {seconds:.1f} s, {nodes:,} nodes; one worker {first.seconds:.1f} s, {first.nodes:,}; "
                f"two {second.seconds:.1f} s, {second.nodes:,}, {second.answers} tasks; ceiling {ceiling:.2f}"
            )
        gain, ceiling, again, planned = (statistics.median(each) for each in zip(*rounds))
        print(
            f"two workers {gain:.2f} times as fast as one, {gain / ceiling:.2f} of the ceiling of {ceiling:.2f}, "
            f"with {again:.2f} times the nodes; one worker with a plan {planned:.2f} times as fast as without"
        )
        if asked.kill:
            usual = shared(by_two)
            pids = list(by_two.run(os.getpid).values())
            killer = threading.Timer(usual.seconds / 2, os.kill, (pids[0], signal.SIGKILL))
            killer.start()
            killed = shared(by_two)
            killer.join()
            assert killed.score == usual.score, "another value"
            print(f"with a worker killed after {usual.seconds / 2:.1f} s: {killed.seconds:.1f} s instead of {usual.seconds:.1f}, the same value")


def forget():
    """Lets the worker's only thread begin anew."""
    from starsplit import distributed as own

    own._own = threading.local()


if __name__ == "__main__":
    main()
