"""Games of OpenSpiel, searched by starsplit and by OpenSpiel's own `expectiminimax` (`alpha_beta_search` without chance).

    python benches/openspiel.py [REPEATS]

Processor time to the same depth: by starsplit with states told apart by history, and by a key; ratios to OpenSpiel's, each
taken within its round. All find the same value but for the grid's rounding.
"""

import statistics
import sys
import time
import zlib

import pyspiel
from open_spiel.python.algorithms import minimax

from starsplit.openspiel import search

#: Games with depths at which they are searched.
CASES = [
    ("pig(winscore=30)", (4, 6)),
    ("nim", (4, 6)),
    ("2048", (2, 3)),
    ("einstein_wurfelt_nicht", (3,)),
    ("backgammon", (2,)),
    ("tic_tac_toe", (5, 9)),
    ("connect_four", (5,)),
    ("breakthrough", (3,)),
]

#: What games are worth that say more than they ever are.
RANGES = {"2048": (0, 20_000)}


def timed(body):
    begun = time.process_time()
    found = body()
    return time.process_time() - begun, found


def searches(name, depth):
    """The searches of a game, by name, and its range of values."""
    game = pyspiel.load_game(name)
    state = game.new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.chance_outcomes()[0][0])
    low, high = RANGES.get(name, (game.min_utility(), game.max_utility()))

    def evaluate(state):
        return low + (high - low) * (zlib.crc32(str(state).encode()) % 97) / 97

    def own(key):
        return search(state, depth, evaluate=evaluate, key=key, value_range=(low, high)).value

    def theirs():
        if game.get_type().chance_mode == pyspiel.GameType.ChanceMode.DETERMINISTIC:
            return minimax.alpha_beta_search(game, state.clone(), evaluate, depth, 0)[0]
        return minimax.expectiminimax(state, depth, evaluate, 0)[0]

    return (lambda: own(None), lambda: own(str), theirs), high - low


def main():
    repeats = int(sys.argv[1]) if len(sys.argv) > 1 else 3
    print("| game | depth | OpenSpiel, s | by history | by key |\n|---|---|---|---|---|")
    for name, depths in CASES:
        for depth in depths:
            bodies, width = searches(name, depth)
            rounds = [[timed(body) for body in bodies] for _ in range(repeats)]
            values = [found for times in rounds for _, found in times]
            assert max(values) - min(values) < 1e-5 * width, values
            times = [[spent for spent, _ in one] for one in rounds]
            history, key = (statistics.median(one[own] / one[2] for one in times) for own in (0, 1))
            theirs = statistics.median(one[2] for one in times)
            print(f"| {name} | {depth} | {theirs:.3f} | {history:.2f} | {key:.2f} |", flush=True)


if __name__ == "__main__":
    main()
