"""Perft counts and values of EinStein wuerfelt nicht by OpenSpiel's rules: prints einstein.json.

    pip install open_spiel==2.0.2
    python games/oracles/open_spiel_einstein.py > games/oracles/einstein.json

OpenSpiel's black, at the top left, is x here; its white, who moves first there, is o.
"""

import importlib.metadata
import json
import platform
import random
import re

import pyspiel

RULES = "size=5,stones=6"

MEANING = {
    "perft": "lines of exactly `depth` plies, a move and an outcome being a ply each; a line that ended "
    "earlier counts nothing",
    "values": "what x expects at `depth` plies, a move and an outcome being a ply each: +1 for a win, -1 for "
    "a loss; at depth 0 the evaluator's value: 0 (constant), or material: for who is to act, 4 for each "
    "stone fewer, 12 for each move that the foremost stone is nearer to the far corner, and 6, at most 63 "
    "either way, in 64ths",
}


class Node:
    """A state with what OpenSpiel keeps to itself: who is to act, and the roll."""

    def __init__(self, state, to_act, roll=None):
        self.state, self.to_act, self.roll = state, to_act, roll
        self.board = str(state)

    def key(self):
        return self.board, self.to_act, self.roll

    def is_set_up(self):
        return "w" in self.board or self.state.is_terminal()

    def cells(self):
        """The cells in rows from the top, as .., x1 to x6 and o1 to o6."""
        signs = re.findall(r"\|(..)\|", self.board)
        return [sign.replace("__", "..").replace("b", "x").replace("w", "o") for sign in signs]

    def notation(self):
        cells = self.cells()
        rows = ["".join(cells[row : row + 5]) for row in range(0, 25, 5)]
        player = "xo"[self.to_act] if self.is_set_up() else "x"
        return f"{'/'.join(rows)} {player} {self.roll or '-'}"

    def child(self, action):
        after = self.state.child(action)
        if not self.state.is_chance_node():
            return Node(after, 1 - self.to_act)
        if not self.is_set_up():
            return Node(after, self.to_act)
        return Node(after, self.to_act, action + 1)

    def successors(self):
        return [self.child(action) for action in self.state.legal_actions()]


def start():
    return Node(pyspiel.load_game("einstein_wurfelt_nicht").new_initial_state(), to_act=1)


def perft(node, depth):
    """Counts by layers: how many lines lead to each state."""
    layer = {node.key(): (node, 1)}
    for _ in range(depth):
        after = {}
        for node, lines in layer.values():
            for successor in node.successors():
                key = successor.key()
                after[key] = (successor, lines + after.get(key, (None, 0))[1])
        layer = after
    return sum(lines for _, lines in layer.values())


def perft_of_the_start(depth):
    """The start's counts. After both set-ups, which are independent, all are alike: one stands for each."""
    first = start()
    if depth == 0:
        return 1
    firsts = first.state.legal_actions()
    if depth == 1:
        return len(firsts)
    second = first.child(firsts[0])
    seconds = second.state.legal_actions()
    if depth == 2:
        return len(firsts) * len(seconds)
    return len(firsts) * sum(perft(second.child(action), depth - 2) for action in seconds)


def material(node):
    cells = [(sign, index // 5, index % 5) for index, sign in enumerate(node.cells()) if sign != ".."]
    to_go = {
        "x": [max(4 - row, 4 - column) for sign, row, column in cells if sign[0] == "x"],
        "o": [max(row, column) for sign, row, column in cells if sign[0] == "o"],
    }
    own, other = ("xo", "ox")[node.to_act]
    stones = len(to_go[own]) - len(to_go[other])
    lead = -4 * stones + 12 * (min(to_go[other]) - min(to_go[own])) + 6
    lead = max(-63, min(63, lead)) / 64
    return lead if own == "x" else -lead


def value(node, depth, evaluator, known):
    if node.state.is_terminal():
        return node.state.returns()[0]
    if depth == 0:
        return 0.0 if evaluator == "constant" else material(node)
    key = (node.key(), depth)
    if key not in known:
        if node.state.is_chance_node():
            outcomes = node.state.chance_outcomes()
            known[key] = sum(
                chance * value(node.child(outcome), depth - 1, evaluator, known)
                for outcome, chance in outcomes
            )
        else:
            best = max if node.state.current_player() == 0 else min
            known[key] = best(value(after, depth - 1, evaluator, known) for after in node.successors())
    return known[key]


def played(plies, seed):
    """The state after the set-ups and a random play of so many more plies that does not end."""
    draw = random.Random(seed)
    while True:
        node = start()
        for _ in range(2 + plies):
            if not node.state.is_terminal():
                node = node.child(draw.choice(node.state.legal_actions()))
        if not node.state.is_terminal():
            return node


def main():
    perfts, values = [], []
    for depth in (1, 2, 3, 4, 5):
        lines = perft_of_the_start(depth)
        perfts.append(dict(rules=RULES, position=start().notation(), depth=depth, lines=lines))
    for plies, depths in [
        (0, (1, 2, 4)),
        (5, (2, 4, 5)),
        (10, (2, 3, 5)),
        (15, (3, 4, 6)),
        (20, (3, 5, 8)),
        (25, (2, 5, 7)),
        (30, (3, 6, 10)),
        (35, (4, 7, 9)),
        (40, (5, 8)),
    ]:
        node = played(plies, seed=plies)
        for depth in depths:
            lines = perft(node, depth)
            perfts.append(dict(rules=RULES, position=node.notation(), depth=depth, lines=lines))
    for plies, depths in [
        (0, (2, 3)),
        (5, (1, 4)),
        (10, (3, 4)),
        (15, (2, 5)),
        (20, (4, 5)),
        (25, (3, 5)),
        (28, (4, 5)),
        (30, (4, 6)),
        (35, (5, 6)),
        (38, (6, 7)),
        (41, (5, 8)),
    ]:
        node = played(plies, seed=plies + 1)
        for depth in depths:
            for evaluator in ("constant", "material"):
                found = value(node, depth, evaluator, {})
                entry = dict(rules=RULES, position=node.notation(), depth=depth, evaluator=evaluator)
                values.append(entry | dict(value=found))
    versions = dict(open_spiel=importlib.metadata.version("open_spiel"), python=platform.python_version())
    tables = dict(perft=perfts, values=values)
    head = json.dumps(dict(made_by="open_spiel_einstein.py", versions=versions, meaning=MEANING), indent=1)
    print(head[:-2] + ",")
    parts = []
    for name, entries in tables.items():
        lines = ",\n".join("  " + json.dumps(entry) for entry in entries)
        parts.append(f' "{name}": [\n{lines}\n ]')
    print(",\n".join(parts) + "\n}")


if __name__ == "__main__":
    main()
