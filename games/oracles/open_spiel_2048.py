"""Counts lines of play and computes values of 2048 with OpenSpiel and writes them to 2048.json.

    pip install open_spiel==2.0.2
    python open_spiel_2048.py

A count is of the lines of exactly that many plies, a move and a new tile being a ply each; a line
that ended earlier counts nothing. Lines that meet in one position are counted together, layer by
layer.

OpenSpiel's own list of legal actions leaves out a slide whose only merges are into tiles that came
of the last move's merges, because it still has their marks; applying the action clears the marks
and merges. So that a position's moves do not depend on how it came about, the actions are tried
here instead: legal is what changes the board.

A value is the greatest expected sum of the rewards of so many plies, with the evaluation added
where the game is not over: nothing for `constant`, and for `rows` the sum of shares over rows and
columns as the game's documentation has it, told in points.
"""

import json
import random
import sys
from importlib.metadata import version
from pathlib import Path

import pyspiel

SIDE = 4

# Half of the scale of `rows`, in shares.
HALF = 2**15


def text(state):
    """The position as the library writes it; the empty board is the start."""
    tiles = [int(tile) for tile in str(state).split()]
    board = "".join(f"{tile.bit_length() - 1 if tile else 0:x}" for tile in tiles)
    over = state.is_terminal()
    return f"{board} {'over' if over else 'tile' if state.is_chance_node() else 'move'}"


def successors(state):
    """The states after each legal action, with their probabilities at a chance node."""
    if state.is_terminal():
        return []
    if state.is_chance_node():
        return [(state.child(action), probability) for action, probability in state.chance_outcomes()]
    tried = [state.child(action) for action in range(4)]
    return [(after, None) for after in tried if str(after) != str(state)]


def counts(state, depth):
    """How many lines of 1, 2, ... `depth` plies there are."""
    layer, found = {text(state): [state, 1]}, []
    for ply in range(1, depth + 1):
        lines, next_layer = 0, {}
        for at, ways in layer.values():
            following = successors(at)
            lines += ways * len(following)
            for after, _ in following if ply < depth else []:
                next_layer.setdefault(text(after), [after, 0])[1] += ways
        found.append(lines)
        layer = next_layer
    return found


def shares(state):
    """What `rows` sees in a board, in shares."""
    tiles = [int(tile) for tile in str(state).split()]
    cells = [tile.bit_length() - 1 if tile else 0 for tile in tiles]
    lines = [cells[SIDE * i : SIDE * i + SIDE] for i in range(SIDE)] + [cells[i::SIDE] for i in range(SIDE)]
    total = 0
    for line in lines:
        tiles = [cell for cell in line if cell]
        powers = [cell**4 for cell in line]
        rise = sum(max(0, b - a) for a, b in zip(powers, powers[1:]))
        fall = sum(max(0, a - b) for a, b in zip(powers, powers[1:]))
        equal = sum(a == b for a, b in zip(tiles, tiles[1:]))
        total += 18 * line.count(0) + 47 * equal - 3 * min(rise, fall) - sum(powers) // 4
    return max(-HALF, min(HALF, total))


def points_bound(end):
    """The most points that a game to the tile 2^end can score, as the game's documentation derives it."""
    cells = SIDE * SIDE
    exponents = [min(cells - i + 2, end - 1) for i in range(1, cells + 1)]
    return sum((k - 1) * 2**k for k in exponents) + cells // 2 * 2**end


def evaluation(state, evaluator, end):
    if evaluator == "constant":
        return 0.0
    bound = points_bound(end)
    steps = 1
    while 2 * steps * (bound + bound // 4) < 2**23:
        steps *= 2
    half = bound // 8 * steps
    return (half + shares(state) * (half // HALF)) / steps


def value(state, depth, evaluator, end, known):
    if state.is_terminal():
        return 0.0
    if depth == 0:
        return evaluation(state, evaluator, end)
    key = (text(state), depth)
    if key not in known:
        following = successors(state)
        values = [value(after, depth - 1, evaluator, end, known) for after, _ in following]
        if state.is_chance_node():
            known[key] = sum(p * of_after for (_, p), of_after in zip(following, values))
        else:
            known[key] = max(after.rewards()[0] + of_after for (after, _), of_after in zip(following, values))
    return known[key]


def state_of_play(end, seed, plies):
    """A state after random play, in which the usual bias to the left and the top makes larger tiles."""
    chooser = random.Random(seed)
    state = pyspiel.load_game("2048", {"max_tile": 2**end}).new_initial_state()
    while True:
        if state.is_chance_node():
            actions, weights = zip(*state.chance_outcomes())
            action = chooser.choices(actions, weights)[0]
        else:
            legal = state.legal_actions()
            corner = [action for action in legal if state.action_to_string(0, action) in ("Left", "Up")]
            action = chooser.choice(corner if corner and chooser.random() < 0.9 else legal)
        after = state.child(action)
        if after.is_terminal() or plies == 0:
            return state
        state, plies = after, plies - 1


# The exponent of the tile that ends the game, the seed of play, its plies, and the plies to count and
# to value.
POSITIONS = [
    (11, 1, 0, 6, 0),
    (11, 2, 1, 5, 3),
    (11, 3, 2, 6, 4),
    (11, 4, 60, 5, 4),
    (11, 5, 151, 4, 3),
    (11, 6, 400, 5, 4),
    (11, 7, 10**6, 6, 5),
    (11, 8, 10**6, 6, 5),
    (4, 9, 10, 4, 3),
    (5, 10, 30, 6, 4),
    (6, 11, 61, 4, 5),
    (7, 12, 10**6, 8, 5),
    (15, 13, 300, 4, 4),
]


def main():
    perft, values = [], []
    for end, seed, plies, perft_depth, value_depth in POSITIONS:
        state = state_of_play(end, seed, plies)
        at = {"end": 2**end, "position": text(state)}
        perft.append(at | {"counts": counts(state, perft_depth)})
        print(perft[-1], file=sys.stderr, flush=True)
        for evaluator in ("constant", "rows"):
            for depth in range(max(1, value_depth - 1), value_depth + 1) if value_depth else []:
                found = value(state, depth, evaluator, end, {})
                values.append(at | {"depth": depth, "evaluator": evaluator, "value": found})
        print(values[-4:], file=sys.stderr, flush=True)
    made_with = {"open_spiel": version("open_spiel"), "python": sys.version.split()[0]}
    text_of_all = json.dumps({"made_with": made_with, "perft": perft, "values": values}, indent=1)
    Path(__file__).with_name("2048.json").write_text(text_of_all + "\n")


if __name__ == "__main__":
    main()
