"""What planning costs beside the work that is planned: one search as tasks, done one after another in this process.

    python python/examples/planning.py [--game dice] [--depth 13] [--split-above 1000000]

All the time that the planner takes, to hand out tasks and to take answers, over all the time that the tasks take.
"""

import argparse
import statistics
import time

import starsplit


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--game", default="dice")
    parser.add_argument("--position", help="in the game's notation; else the game's first")
    parser.add_argument("--depth", type=int, default=13)
    parser.add_argument("--split-above", type=int, default=1_000_000)
    asked = parser.parse_args()
    game = starsplit.Game(asked.game)
    state = game.new_initial_state() if asked.position is None else game.parse(asked.position)
    searcher = starsplit.Searcher(game)
    plan = searcher.plan(state, asked.depth, split_above=asked.split_above)
    planning, working = 0.0, []

    def timed(call, *given):
        begun = time.perf_counter()
        result = call(*given)
        return time.perf_counter() - begun, result

    while not plan.has_ended:
        seconds, tasks = timed(plan.hand_out, 1)
        planning += seconds
        seconds, line = timed(searcher.work, state, tasks[0])
        working.append(seconds)
        seconds, _ = timed(plan.answer, line)
        planning += seconds
    large = [seconds for seconds in working if seconds >= 0.1]
    print(
        f"{len(working)} tasks, {len(large)} of 100 ms or more, the median of all {1000 * statistics.median(working):.1f} ms; "
        f"work {sum(working):.2f} s, planning {1000 * planning:.1f} ms: {100 * planning / sum(working):.3f}% of it, "
        f"{1e6 * planning / len(working):.0f} us a task"
    )


if __name__ == "__main__":
    main()
