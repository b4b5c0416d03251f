"""Perft counts and depth-limited values of backgammon as OpenSpiel plays it.

    pip install open_spiel==2.0.2
    python games/oracles/open_spiel_backgammon.py > games/oracles/backgammon.json

A move and an outcome are a ply each. What leads from one position to the same position is one move or
outcome: OpenSpiel's 36 ordered rolls are 21, and the two decisions that it makes of a double are one whole
move. A line that ended earlier counts nothing. Values are player 0's (x), with winloss scoring.
"""

import base64
import json
import random
import re
from importlib.metadata import version

import pyspiel

HOME, BAR = 6, 100
GAMES = ("backgammon", "hyper-backgammon")


def load(game):
    hyper = "true" if game == "hyper-backgammon" else "false"
    return pyspiel.load_game(f"backgammon(scoring_type=winloss_scoring,hyper_backgammon={hyper})")


def counts(state):
    """The checkers of both players on the points 1 to 24 as each numbers them, and on the bar."""
    first = [state.board(0, 24 - point) for point in range(1, 25)]
    second = [state.board(1, point - 1) for point in range(1, 25)]
    return tuple(first + [state.board(0, BAR)]), tuple(second + [state.board(1, BAR)])


def rolls(state):
    """The distinct outcomes of a chance node: action, probability, dice, player 0 begins or not (or None)."""
    found = {}
    outcomes = state.chance_outcomes()
    for action, probability in outcomes:
        dice = re.search(r"roll: (\d)(\d)", state.action_to_string(action)).groups()
        name = "".join(sorted(dice, reverse=True))
        if len(outcomes) == 30:
            name += str(state.child(action).current_player())
        first, sum_before = found.get(name, (action, 0.0))
        found[name] = (first, sum_before + probability)
    return [(action, probability, name[:2]) for name, (action, probability) in found.items()]


ROLLS = {}


def outcomes(state):
    """The same, worked out once for the opening and once for all other chance nodes."""
    kind = len(state.chance_outcomes())
    if kind not in ROLLS:
        ROLLS[kind] = rolls(state)
    return ROLLS[kind]


class Node:
    """A position: an OpenSpiel state between whole moves, who acts, and what was rolled."""

    def __init__(self, state, player, dice):
        self.state, self.player, self.dice = state, player, dice
        # The picture tells all that matters here: checkers, player, dice, and who moved last.
        self.key = str(state)

    def is_terminal(self):
        return self.state.is_terminal()

    def is_chance(self):
        return self.state.is_chance_node()

    def successors(self):
        """Every distinct position after a move or an outcome, with its probability."""
        if self.is_terminal():
            return []
        if self.is_chance():
            return self.after_rolls()
        found = {}
        self.add_moves(self.state, found)
        return [(node, 1.0) for node in found.values() if node is not None]

    def after_rolls(self):
        found = []
        for action, probability, dice in outcomes(self.state):
            child = self.state.child(action)
            assert self.player is None or child.current_player() == self.player
            found.append((Node(child, child.current_player(), dice), probability))
        return found

    def add_moves(self, state, found):
        """Adds what `state` leads to, and None for what is but half a double."""
        for action in state.legal_actions():
            child = state.child(action)
            key = str(child)
            if key in found:
                continue
            if child.is_terminal() or child.is_chance_node():
                found[key] = Node(child, 1 - self.player, None)
            else:
                assert child.current_player() == self.player, "the second half of a double"
                found[key] = None
                self.add_moves(child, found)


def start(game):
    return Node(load(game).new_initial_state(), None, None)


def gnu_id(first, second):
    """GNU Backgammon's position ID: the player who is not on roll comes first."""
    bits = [bit for side in (first, second) for count in side for bit in [1] * count + [0]]
    number = sum(bit << place for place, bit in enumerate(bits))
    return base64.b64encode(number.to_bytes(10, "little")).decode().rstrip("=")


def notation(node):
    if node.player is None:
        return "start"
    sides = counts(node.state)
    text = gnu_id(sides[1 - node.player], sides[node.player])
    return f"{text} {'xo'[node.player]} {node.dice or '-'}"


def perft(node, plies):
    """How many lines of exactly 1, 2, ... `plies` plies there are; `plies` is at least 2."""
    found, layer = [], {node.key: (node, 1)}
    for _ in range(plies - 2):
        lines, after = 0, {}
        for here, times in layer.values():
            for successor, _ in here.successors():
                lines += times
                before = after.get(successor.key, (successor, 0))[1]
                after[successor.key] = (successor, before + times)
        found.append(lines)
        layer = after
    # The last two layers are too large to keep.
    found += [0, 0]
    for here, times in layer.values():
        for successor, _ in here.successors():
            found[-2] += times
            found[-1] += times * count(successor)
    return found


def count(node):
    """How many moves or outcomes there are."""
    if node.is_chance() and not node.is_terminal():
        return len(outcomes(node.state))
    return len(node.successors())


def pips(side):
    return sum(count * point for point, count in enumerate(side, 1))


def pip_lead(node):
    """How far player 0 is ahead, a pip counting 1/64, but for the ends."""
    first, second = map(pips, counts(node.state))
    return max(-63, min(63, second - first)) / 64


def value(node, depth, evaluate, known):
    """Player 0's value of a node searched to `depth` plies: plain expectimax, equal nodes worked out once."""
    if node.is_terminal():
        return node.state.returns()[0]
    if depth == 0:
        return evaluate(node)
    if (node.key, depth) not in known:
        results = [(value(after, depth - 1, evaluate, known), p) for after, p in node.successors()]
        if node.is_chance():
            known[node.key, depth] = sum(p * result for result, p in results)
        else:
            best = max if node.player == 0 else min
            known[node.key, depth] = best(result for result, _ in results)
    return known[node.key, depth]


def is_home(side):
    return sum(side) == sum(side[:HOME])


def has_contact(node):
    first, second = counts(node.state)
    highest = [max(point for point, count in enumerate(side, 1) if count) for side in (first, second)]
    return sum(highest) > 24


def is_nearly_off(node, _):
    return all(is_home(side) and 6 <= pips(side) <= 15 for side in counts(node.state))


KINDS = {
    "contact": lambda node, turn: turn == 12 and has_contact(node),
    "many moves": lambda node, turn: turn > 15 and sum(count(after) for after, _ in node.successors()) > 1500,
    "bar": lambda node, turn: turn > 15 and counts(node.state)[node.player][24] > 0,
    "both on the bar": lambda node, turn: all(side[24] > 0 for side in counts(node.state)),
    "bearing off in contact": lambda node, turn: any(map(is_home, counts(node.state))) and has_contact(node),
    "race": lambda node, turn: not has_contact(node) and not any(map(is_home, counts(node.state))),
    "bearing off": lambda node, turn: all(map(is_home, counts(node.state))),
}
NEARLY_OFF = "nearly off"


def sample(game, kind, seed, is_chance=True):
    """The first position of that kind in seeded play."""
    chance = random.Random(seed)
    fits = is_nearly_off if kind == NEARLY_OFF else KINDS[kind]
    while True:
        node, turn = start(game), 0
        while not node.is_terminal():
            if node.player is not None and node.is_chance() == is_chance and fits(node, turn):
                return node
            nodes, weights = zip(*node.successors())
            node = chance.choices(nodes, weights)[0]
            turn += node.is_chance()


def perft_of(game):
    # How deep before a roll, for the numbers to be worth their time; a ply less before a move.
    depths = {
        "backgammon": {"contact": 5, "bar": 5, "both on the bar": 5, "bearing off in contact": 5, "race": 5,
                       "bearing off": 5, "many moves": 5},
        "hyper-backgammon": {"contact": 6, "bar": 6, "both on the bar": 5, "bearing off in contact": 6,
                             "race": 6, "bearing off": 6},
    }[game]
    first = start(game)
    lines = perft(first, 5 if game == "backgammon" else 7)
    found = [{"position": notation(first), "kind": "start", "lines": lines}]
    for kind, plies in depths.items():
        for is_chance in (True, False):
            if is_chance or kind != "many moves":
                node = sample(game, kind, 2 - is_chance, is_chance)
                lines = perft(node, plies if is_chance else plies - 1)
                found.append({"position": notation(node), "kind": kind, "lines": lines})
    return found


def values():
    game, found = "backgammon", []

    def add(node, kind, depth):
        for name, evaluate in (("constant", lambda _: 0.0), ("pips", pip_lead)):
            found.append({
                "position": notation(node), "kind": kind, "evaluator": name, "depth": depth,
                "value": value(node, depth, evaluate, {}),
            })

    for depth in (1, 2):
        add(start(game), "start", depth)
    for kind in KINDS:
        for depth in (1, 2, 3):
            add(sample(game, kind, seed=10 + depth), kind, depth)
        if kind != "many moves":
            for depth in (1, 2):
                add(sample(game, kind, seed=20 + depth, is_chance=False), kind, depth)
    for seed in range(6):
        # A turn takes a pip off at least, and there are no more than 15.
        add(sample(game, NEARLY_OFF, seed=30 + seed), "to the end", 60)
    return found


def main():
    numbers = {
        "made by": f"games/oracles/open_spiel_backgammon.py with open_spiel {version('open_spiel')}",
        "perft": {game: perft_of(game) for game in GAMES},
        "values": values(),
    }
    print(json.dumps(numbers, indent=1))


if __name__ == "__main__":
    main()
