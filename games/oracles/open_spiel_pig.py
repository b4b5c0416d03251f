"""Perft counts and values of Pig, by OpenSpiel's rules: prints pig.json.

    pip install open_spiel==2.0.2
    python games/oracles/open_spiel_pig.py > games/oracles/pig.json
"""

import importlib.metadata
import json
import platform
import random
import re

import pyspiel
from open_spiel.python.algorithms.minimax import expectiminimax

# OpenSpiel ends a game after so many moves; nothing here comes near.
HORIZON = 1_000_000_000

MEANING = {
    "perft": "lines of exactly `depth` plies, a move and an outcome being a ply each; a line that ended "
    "earlier counts nothing",
    "values": "what the first player expects at `depth` plies, a move and an outcome being a ply each: +1 "
    "for a win, -1 for a loss; at depth 0 the evaluator's value: 0 (constant), or the lead in banked points "
    "divided by the target (banked)",
    "decision_depth_values": "the same, but an outcome takes no ply, as in OpenSpiel's expectiminimax, which "
    "found them; at depth 0 chance nodes are evaluated, too; `leaves` counts evaluations",
}


class Pig:
    def __init__(self, target, die):
        self.target, self.rules = target, f"target={target},die={die}"
        parameters = {"winscore": target, "diceoutcomes": die, "horizon": HORIZON}
        self.game = pyspiel.load_game("pig", parameters)

    def start(self):
        return self.game.new_initial_state()

    def fields(self, state):
        """The banked points of both, the turn's total, the player, and whether the die is rolling."""
        match = re.fullmatch(
            r"Scores: (\d+) (\d+), Turn total: (\d+)\nCurrent player: ([01])( \(rolling\))?\n", str(state)
        )
        return (*map(int, match.groups()[:4]), match[5] is not None)

    def notation(self, state):
        first, second, total, player, rolls = self.fields(state)
        return f"{first} {second} {total} {'xo'[player]}{' roll' if rolls else ''}"

    def evaluate(self, state, evaluator):
        first, second = self.fields(state)[:2]
        return 0.0 if evaluator == "constant" else (first - second) / self.target


def successors(state):
    return [state.child(action) for action in state.legal_actions()]


def perft(pig, state, depth):
    """Counts by layers: how many lines lead to each state."""
    layer = {pig.fields(state): (state, 1)}
    for _ in range(depth):
        after = {}
        for state, lines in layer.values():
            for successor in successors(state):
                key = pig.fields(successor)
                after[key] = (successor, lines + after.get(key, (None, 0))[1])
        layer = after
    return sum(lines for _, lines in layer.values())


def value(pig, state, depth, evaluator, known):
    if state.is_terminal():
        return state.returns()[0]
    if depth == 0:
        return pig.evaluate(state, evaluator)
    key = (pig.fields(state), depth)
    if key not in known:
        if state.is_chance_node():
            found = sum(
                chance * value(pig, state.child(outcome), depth - 1, evaluator, known)
                for outcome, chance in state.chance_outcomes()
            )
        else:
            best = max if state.current_player() == 0 else min
            found = best(value(pig, after, depth - 1, evaluator, known) for after in successors(state))
        known[key] = found
    return known[key]


def value_by_decisions(pig, depth, evaluator):
    """The start's value by OpenSpiel's own search, and the number of evaluations."""
    leaves = 0

    def evaluate(state):
        nonlocal leaves
        leaves += 1
        return pig.evaluate(state, evaluator)

    found, _ = expectiminimax(pig.start(), depth, evaluate, 0)
    return found, leaves


def played(pig, plies, seed):
    """The state after a random play of so many plies that does not end."""
    draw = random.Random(seed)
    while True:
        state = pig.start()
        for _ in range(plies):
            if not state.is_terminal():
                state.apply_action(draw.choice(state.legal_actions()))
        if not state.is_terminal():
            return state


def main():
    perfts, values, by_decisions = [], [], []
    for target, die, plies, depths in [
        (10, 6, 0, (1, 2, 3, 6, 9, 12)),
        (25, 6, 0, (4, 8, 12, 15)),
        (100, 6, 0, (5, 10, 14)),
        (100, 3, 0, (3, 9, 15, 18)),
        (20, 2, 0, (7, 14, 22)),
        (30, 100, 0, (2, 4, 6)),
        (10, 6, 9, (2, 7, 12)),
        (25, 6, 12, (5, 9, 14)),
        (25, 6, 21, (3, 8, 13)),
        (10000, 100, 15, (2, 4, 7)),
    ]:
        pig = Pig(target, die)
        state = played(pig, plies, seed=plies)
        for depth in depths:
            lines = perft(pig, state, depth)
            perfts.append(dict(rules=pig.rules, position=pig.notation(state), depth=depth, lines=lines))
    for target, die, plies, depths in [
        (10, 6, 0, (1, 2, 5, 8, 11)),
        (25, 6, 0, (3, 9)),
        (100, 3, 0, (3, 8, 13)),
        (100, 6, 30, (4, 9)),
        (10, 6, 9, (6, 10)),
        (25, 6, 12, (5, 10)),
        (25, 6, 21, (7, 11)),
        (30, 100, 8, (2, 5)),
        (20, 2, 25, (11, 16)),
    ]:
        pig = Pig(target, die)
        state = played(pig, plies, seed=plies)
        for depth in depths:
            for evaluator in ("constant", "banked"):
                found = value(pig, state, depth, evaluator, {})
                entry = dict(rules=pig.rules, position=pig.notation(state), depth=depth, evaluator=evaluator)
                values.append(entry | dict(value=found))
    for target, die, depth, evaluator in [
        (10, 6, 6, "constant"),
        (10, 6, 5, "banked"),
        (100, 3, 2, "banked"),
    ]:
        pig = Pig(target, die)
        found, leaves = value_by_decisions(pig, depth, evaluator)
        entry = dict(rules=pig.rules, position=pig.notation(pig.start()), depth=depth, evaluator=evaluator)
        by_decisions.append(entry | dict(value=found, leaves=leaves))
    versions = dict(open_spiel=importlib.metadata.version("open_spiel"), python=platform.python_version())
    tables = dict(perft=perfts, values=values, decision_depth_values=by_decisions)
    head = json.dumps(dict(made_by="open_spiel_pig.py", versions=versions, meaning=MEANING), indent=1)
    print(head[:-2] + ",")
    parts = []
    for name, entries in tables.items():
        lines = ",\n".join("  " + json.dumps(entry) for entry in entries)
        parts.append(f' "{name}": [\n{lines}\n ]')
    print(",\n".join(parts) + "\n}")


if __name__ == "__main__":
    main()
