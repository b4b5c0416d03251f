"""Counts lines of play of Abalone with abalone-boai and writes them to abalone.json.

    pip install abalone-boai==1.0.0
    python abalone_boai.py

A count is of the lines of exactly that many plies; a line that ended earlier counts nothing. The
package knows the moves but not the end of the game: here a player who has eight marbles left has
lost. Lines that meet in one position are counted together, layer by layer.
"""

import functools
import json
import random
import sys
from importlib.metadata import version
from pathlib import Path

import abalone.game
import abalone.utils
from abalone.enums import InitialPosition, Marble, Player
from abalone.game import Game

PACKAGE = "abalone-boai"
SIGNS = {Marble.BLACK: "b", Marble.WHITE: "w", Marble.BLANK: "."}
MARBLES = {sign: marble for marble, sign in SIGNS.items()}
LOST_AT = 8
# Positions of play, by the seed, that are counted further than the others.
DEEPER = {4: 4, 11: 4}

# The geometry of the board is asked for again and again; what the package answers is remembered.
for name in ("neighbor", "line_to_edge", "line_from_to"):
    remembered = functools.cache(getattr(abalone.utils, name))
    setattr(abalone.utils, name, remembered)
    setattr(abalone.game, name, remembered)
abalone.game._space_to_board_indices = functools.cache(abalone.game._space_to_board_indices)


class QuickGame(Game):
    """The package's game with a cheaper copy, which its list of moves makes for every try."""

    def __init__(self, board, turn):
        self.board = board
        self.turn = turn

    def __deepcopy__(self, _memo):
        return QuickGame([row[:] for row in self.board], self.turn)


abalone.game.deepcopy = lambda game: game.__deepcopy__(None)


def text(game):
    rows = "/".join("".join(SIGNS[marble] for marble in row) for row in game.board)
    return f"{rows} {'b' if game.turn is Player.BLACK else 'w'}"


def game_of(position):
    rows, turn = position.split()
    board = [[MARBLES[sign] for sign in row] for row in rows.split("/")]
    return QuickGame(board, Player.BLACK if turn == "b" else Player.WHITE)


def start(initial):
    return QuickGame([row[:] for row in initial.value], Player.BLACK)


def is_over(position):
    return any(position.split()[0].count(sign) <= LOST_AT for sign in "bw")


def successors(position):
    """The positions after each legal move, in the package's order."""
    if is_over(position):
        return []
    game = game_of(position)
    after = []
    for marbles, direction in game.generate_legal_moves():
        moved = game.__deepcopy__(None)
        moved.move(marbles, direction)
        moved.switch_player()
        after.append(text(moved))
    return after


def counts(position, depth):
    """How many lines of 1, 2, ... `depth` plies there are."""
    layer, found = {position: 1}, []
    for ply in range(1, depth + 1):
        lines, next_layer = 0, {}
        for at, ways in layer.items():
            if ply == depth:
                lines += ways * (0 if is_over(at) else sum(1 for _ in game_of(at).generate_legal_moves()))
                continue
            for key in successors(at):
                lines += ways
                next_layer[key] = next_layer.get(key, 0) + ways
        found.append(lines)
        layer = next_layer
    return found


def position_of_play(initial, seed, plies):
    """A position after random moves, of which those that take a marble are preferred."""
    chooser = random.Random(seed)
    position = text(start(initial))
    for _ in range(plies):
        after = successors(position)
        taking = [key for key in after if key.count(".") > position.count(".")]
        following = chooser.choice(taking if taking and chooser.random() < 0.7 else after)
        if is_over(following):
            break
        position = following
    return position


def main():
    starts = {
        "standard": (InitialPosition.DEFAULT, 3),
        "belgian": (InitialPosition.BELGIAN_DAISY, 3),
        "german": (InitialPosition.GERMAN_DAISY, 3),
    }
    perft = []
    for name, (initial, depth) in starts.items():
        position = text(start(initial))
        perft.append({"start": name, "position": position, "counts": counts(position, depth)})
        print(perft[-1], file=sys.stderr, flush=True)
    for seed in range(12):
        name = list(starts)[seed % 3]
        position = position_of_play(starts[name][0], seed, 40 + 25 * seed)
        depth = DEEPER.get(seed, 3)
        perft.append({"start": name, "position": position, "counts": counts(position, depth)})
        print(perft[-1], file=sys.stderr, flush=True)
    made_with = {PACKAGE: version(PACKAGE), "python": sys.version.split()[0]}
    text_of_all = json.dumps({"made_with": made_with, "perft": perft}, indent=1)
    Path(__file__).with_name("abalone.json").write_text(text_of_all + "\n")


if __name__ == "__main__":
    main()
