"""GNU Backgammon's networks as a player for `match`, by the line protocol of docs/experiments.md.

    pip install gnubg-nn==1.1.0a11
    cargo run --release --bin starsplit -- match --game backgammon --games 10000 --one depth=1 \\
        --two "depth=1,command=python experiments/outside/gnubg_player.py"

Plays money games without the cube: the move after which the networks' own evaluation is best, without looking
further (0-ply), whatever level it is asked for.
"""

import sys

import gnubg_nn

GAME = "game backgammon scoring=points"


def move_text(steps):
    names = {0: "off", 25: "bar"}
    name = lambda point: names.get(point, str(point))
    return " ".join(f"{name(start)}/{name(end)}" for start, end in steps) or "pass"


def best_move(position):
    identifier, _, roll = position.split()
    board = gnubg_nn.board_from_position_id(identifier)
    return move_text(gnubg_nn.best_move(board, int(roll[0]), int(roll[1]), 0))


def answer(request, position):
    if request.startswith("game "):
        return "ok" if request == GAME else f"error {request}: expected {GAME}"
    if request == "new" or request.startswith("position "):
        return "ok"
    if request == "go" or request.startswith("go "):
        return f"move {best_move(position)}" if position else "error go: expected a position before it"
    return f"error {request}: expected game, new, position, go or quit"


def main():
    position = None
    for line in sys.stdin:
        request = line.strip()
        if request == "quit":
            return
        if request.startswith("position "):
            position = request.removeprefix("position ")
        try:
            print(answer(request, position), flush=True)
        except (ValueError, IndexError) as error:
            print(f"error {position}: {error}", flush=True)


if __name__ == "__main__":
    main()
