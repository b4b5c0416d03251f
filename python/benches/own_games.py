"""Games written in Python, searched by starsplit and by a recursion with a dictionary, at equal depth.

    python benches/own_games.py [REPEATS]

Each round times both, one after the other; a ratio is taken within its round. The dictionary remembers the value of
every state at every depth. Both find the same value but for the grid's rounding.
"""

import itertools
import statistics
import sys
import time

from starsplit import PythonGame, python_game, search

#: Categories of Yahtzee by name: what five dice score.
BOXES = [
    ("fives", lambda dice: 5 * dice.count(5)),
    ("full house", lambda dice: 25 if sorted(dice.count(face) for face in set(dice)) == [2, 3] else 0),
    ("large straight", lambda dice: 40 if dice in ((1, 2, 3, 4, 5), (2, 3, 4, 5, 6)) else 0),
    ("chance", sum),
]


def rolls(count):
    """Sorted rolls of some dice with the number of ways to each, the likeliest first."""
    ways = {}
    for roll in itertools.product(range(1, 7), repeat=count):
        roll = tuple(sorted(roll))
        ways[roll] = ways.get(roll, 0) + 1
    return sorted(ways.items(), key=lambda item: -item[1])


ROLLS = [rolls(count) for count in range(6)]


class Yahtzee(PythonGame):
    """Yahtzee for one, with four of its thirteen boxes. A state: open boxes, dice, rolls left, whether to roll."""

    low, high = 0, 130

    def kind(self, state):
        boxes, dice, left, is_rolling = state
        return "chance" if is_rolling else "decision" if boxes else "terminal"

    def moves(self, state):
        boxes, dice, left, _ = state
        if left == 0:
            return list(boxes)
        kept = {kept for count in range(6) for kept in itertools.combinations(dice, count)}
        return sorted(kept, key=lambda kept: (-len(kept), kept))

    def play(self, state, move):
        boxes, dice, left, _ = state
        if left == 0:
            rest = tuple(box for box in boxes if box != move)
            return (rest, (), 2, bool(rest))
        return (boxes, move, left - 1, True)

    def outcomes(self, state):
        return ROLLS[5 - len(state[1])]

    def resolve(self, state, outcome):
        boxes, dice, left, _ = state
        return (boxes, tuple(sorted(dice + outcome)), left, False)

    def reward(self, state, step, after):
        boxes, dice, left, is_rolling = state
        return BOXES[step][1](dice) if not is_rolling and left == 0 else 0

    def value(self, state):
        return 0


def battles():
    """What a roll of some dice against some costs: losses of both with their ways."""
    found = {}
    for attack, defence in itertools.product((1, 2, 3), (1, 2)):
        ways = {}
        for dice in itertools.product(range(1, 7), repeat=attack + defence):
            one, other = sorted(dice[:attack], reverse=True), sorted(dice[attack:], reverse=True)
            lost = sum(a <= b for a, b in zip(one, other))
            key = (lost, min(attack, defence) - lost)
            ways[key] = ways.get(key, 0) + 1
        found[attack, defence] = sorted(ways.items(), key=lambda item: -item[1])
    return found


BATTLES = battles()


class Risk(PythonGame):
    """A chain of three countries is attacked with so many armies; the attacker may stop before any battle."""

    low, high = -80, 80

    def kind(self, state):
        armies, defenders, is_fighting, over = state
        return "chance" if is_fighting else "terminal" if over or not defenders or armies < 2 else "decision"

    def moves(self, state):
        return [*range(min(3, state[0] - 1), 0, -1), 0]

    def play(self, state, move):
        armies, defenders, _, _ = state
        return (armies, defenders, move, False) if move else (armies, defenders, 0, True)

    def outcomes(self, state):
        return BATTLES[state[2], min(2, state[1][0])]

    def resolve(self, state, outcome):
        armies, (first, *rest), dice, _ = state
        armies, first = armies - outcome[0], first - outcome[1]
        # Who takes a country leaves an army in it.
        return (armies, (first, *rest), 0, False) if first else (armies - 1, tuple(rest), 0, False)

    def value(self, state):
        armies, defenders, _, _ = state
        return armies + 10 * (3 - len(defenders)) - sum(defenders)

    def evaluate(self, states):
        return [self.value(state) for state in states]


class Race(PythonGame):
    """Two run to 50 by dice of their choice: the large one stands still on 1 and 2, and falls back on 6."""

    low, high = -50, 50
    dice = {"large": ((4, 3), (0, 2), (-3, 1)), "small": ((1, 1), (2, 1), (3, 1))}

    def kind(self, state):
        places, mover, die = state
        return "terminal" if max(places) >= 50 else "chance" if die else "decision"

    def player(self, state):
        return state[1]

    def moves(self, state):
        return ["large", "small"]

    def play(self, state, move):
        return (state[0], state[1], move)

    def outcomes(self, state):
        return self.dice[state[2]]

    def resolve(self, state, outcome):
        places, mover, _ = state
        places = list(places)
        places[mover] = max(0, places[mover] + outcome)
        return (tuple(places), 1 - mover, "")

    def value(self, state):
        return max(-50, min(50, state[0][0] - state[0][1])) + (0.5 if state[1] == 0 else -0.5) * (max(state[0]) < 50)

    def evaluate(self, states):
        return [self.value(state) for state in states]


def recursion(game, root, depth):
    """The value of a state at a depth, as one writes it in a quarter of an hour."""
    known = {}

    def value(state, depth):
        found = known.get((state, depth))
        if found is not None:
            return found
        kind = game.kind(state)
        if kind == "terminal":
            found = game.value(state)
        elif depth == 0:
            found = game.evaluate([state])[0]
        elif kind == "chance":
            outcomes = game.outcomes(state)
            weights = sum(weight for _, weight in outcomes)
            found = sum(weight * after(state, outcome, game.resolve, depth) for outcome, weight in outcomes) / weights
        else:
            values = (after(state, move, game.play, depth) for move in game.moves(state))
            found = max(values) if game.player(state) == 0 else min(values)
        known[state, depth] = found
        return found

    def after(state, step, take, depth):
        successor = take(state, step)
        found = value(successor, depth - 1)
        return found if game.reward is None else found + game.reward(state, step, successor)

    return value(root, depth)


#: Games with a state and a depth.
CASES = [
    (Yahtzee(), ((0, 1, 2, 3), (), 2, True), 24),
    (Risk(), (40, (12, 9, 14), 0, False), 40),
    (Race(), ((0, 0), 0, ""), 48),
]


def timed(body):
    begun = time.perf_counter()
    found = body()
    return time.perf_counter() - begun, found


def main():
    repeats = int(sys.argv[1]) if len(sys.argv) > 1 else 3
    sys.setrecursionlimit(10_000)
    print("| game | depth | recursion, s | starsplit, s | ratio | two threads over one |\n|---|---|---|---|---|---|")
    for game, root, depth in CASES:
        rounds = []
        for _ in range(repeats):
            plain, expected = timed(lambda: recursion(game, root, depth))
            one, two = (
                timed(lambda: search(python_game(game).state(root), depth=depth, threads=threads)) for threads in (1, 2)
            )
            assert abs(one[1].value - expected) < 1e-3 and one[1].value == two[1].value, (expected, one[1].value)
            rounds.append((plain, one[0], two[0]))
        plain, one = (statistics.median(column) for column in list(zip(*rounds))[:2])
        ratio = statistics.median(own / other for other, own, _ in rounds)
        threads = statistics.median(two / own for _, own, two in rounds)
        print(f"| {type(game).__name__} | {depth} | {plain:.2f} | {one:.2f} | {ratio:.2f} | {threads:.2f} |", flush=True)


if __name__ == "__main__":
    main()
