"""The searches of which `scaling` makes speedups: contenders that take turns, and their records."""

import statistics
import sys
import time
import warnings
from pathlib import Path

from . import _native
from ._native import SearchError
from .recording import SCHEMA, Recording

#: How deep the searches are that let threads run before anything is measured.
WARM_UP_DEPTH = 3


class Position:
    """A position of the list: its place from 1, its text, what tells it from others, and by what values for
    its player are those for player 0."""

    def __init__(self, index, state, text, identity, sign):
        self.index, self.state, self.text, self.identity, self.sign = index, state, text, identity, sign
        #: What the first search has found, as an integer on the game's grid.
        self.score = None


class Asked:
    """What all searches have in common."""

    def __init__(self, game, bench, positions, depth, of_searcher):
        self.game, self.bench, self.positions, self.depth = game, bench, positions, depth
        words = bench.options_in_words()
        identities = "\n".join(position.identity for position in positions)
        self.settings = {
            "suite": "positions",
            "suite_fnv1a": _native.fingerprint(identities.encode()),
            "rules": game.rules or "",
            "positions": len(positions),
            "depth": depth,
            **of_searcher,
            "tuning": words["tuning"],
            "explain": False,
            **{name: words[name] for name in ("algorithm", "table_use", "ordering", "method")},
        }


class Part:
    """The searches of one kind, and their records. A contender is a number of processors, None for the serial
    search. A run is a position, a contender and a number: the round, or the seed."""

    def __init__(self, asked, contenders, folder, experiment, settings):
        self.asked = asked
        self.contenders = [None, *contenders]
        place = None if folder is None else Path(folder) / self.folder
        self.recording = Recording(place, experiment, asked.game.name, {**asked.settings, **settings})
        for number, line in enumerate(self.recording.lines, 1):
            position = asked.positions[line["index"] - 1]
            if fault := line["error"] or self.fault(position, line):
                who = self.who(position, line)
                raise SearchError(f"folder {str(place)!r}, line {number}, {who}: {fault}")

    def who(self, position, line):
        """The position and the contender of a line in words."""
        is_serial = self.contender_of(line) is None
        contender = "serial" if is_serial else f"{line['method']} on {line['threads']} {self.means}"
        return f"position {position.index} ({position.text:.80}), {contender}"

    def fault(self, position, line):
        """What is wrong with a line, if anything. All have to find what a position's first search has."""
        score = line["score"]
        if score is None:
            return f"score between {line['lower']} and {line['upper']}, expected an exact one"
        if position.score is None:
            position.score = score
        if score != position.score:
            expected = f"{position.score} as the first search found"
            return f"score {score} (value {line['value']}), expected {expected}"
        return None

    def record(self, position, contender, repeat, measured):
        """Adds the line of a search, and raises what is wrong with it."""
        settings = self.asked.settings
        line = {
            "schema": SCHEMA,
            "game": self.asked.game.name,
            "index": position.index,
            "position": position.text,
            "algorithm": settings["algorithm"],
            "method": "serial" if contender is None else settings["method"],
            "table_use": settings["table_use"],
            "ordering": settings["ordering"],
            "threads": contender or 1,
            "repeat": repeat,
            "depth": self.asked.depth,
            "expected": position.score,
            "error": None,
            **measured,
        }
        line["error"] = self.fault(position, line)
        self.recording.add(line)
        if line["error"]:
            raise SearchError(f"{self.who(position, line)}: {line['error']}")

    def rows(self):
        """A row for each contender at each position: see `Scaling.speedups`."""
        found = {}
        for line in self.recording.lines:
            found.setdefault((line["index"], self.contender_of(line)), {})[self.number_of(line)] = line
        return [
            self.row(position, found[position.index, contender], found[position.index, None])
            for position in self.asked.positions
            for contender in self.contenders
        ]

    def row(self, position, lines, serial):
        """The row of a contender whose lines, and those of the serial search, are known by their numbers."""
        # In virtual time a serial search has one schedule, whatever the others' seeds.
        baselines = [serial.get(number, serial.get(None)) for number in lines]
        lines = list(lines.values())
        gains = [baseline["wall_ns"] / line["wall_ns"] for baseline, line in zip(baselines, lines)]
        lower, median, upper = quartiles(gains)
        return {
            "position": position.text,
            "index": position.index,
            "kind": self.kind,
            "method": lines[0]["method"],
            "processors": lines[0]["threads"],
            "nodes": statistics.median_low(line["nodes"] for line in lines),
            **self.times(statistics.median(line["wall_ns"] for line in lines)),
            "speedup": median,
            "lower": lower,
            "upper": upper,
            "rounds": len(lines),
            "value": lines[0]["value"] * position.sign,
        }

    @staticmethod
    def contender_of(line):
        """Whose line it is."""
        return None if line["method"] == "serial" else line["threads"]


class Real(Part):
    """Searches on threads, in real time."""

    kind, means, folder, label = "real", "threads", "real", "real threads"

    def __init__(self, asked, threads, repeats, folder):
        self.repeats = repeats
        settings = {"pinned": False, "thread_counts": threads}
        super().__init__(asked, threads, folder, "scaling", settings)
        self.keep_whole_rounds()

    def keep_whole_rounds(self):
        """Drops the begun round of a position, whose searches would be set beside those of another hour."""
        lines, size = self.recording.lines, len(self.contenders)
        whole = len(lines) - len(lines) % size
        for first in range(0, whole, size):
            rounds = {(line["index"], line["repeat"]) for line in lines[first : first + size]}
            if len(rounds) > 1:
                place = f"folder {str(self.recording.folder)!r}, line {first + 1}"
                raise ValueError(f"{place}: expected {size} searches of one round of a position")
        self.recording.keep(whole)

    def runs(self):
        """The runs that are not recorded."""
        done = {(line["index"], line["repeat"]) for line in self.recording.lines}
        for repeat in range(1, self.repeats + 1):
            for position in self.asked.positions:
                if (position.index, repeat) in done:
                    continue
                # The rounds of a position have orders that follow one another.
                number = (position.index - 1) * self.repeats + repeat - 1
                for place in in_turn(len(self.contenders), number):
                    yield position, self.contenders[place], repeat

    def search(self, position, contender, repeat):
        """Does a run."""
        measured = self.asked.bench.measure(position.state, self.asked.depth, contender)
        self.record(position, contender, repeat, measured)

    def warm_up(self):
        """Lets all threads run, and what is called for the first time be called."""
        depth = min(self.asked.depth, WARM_UP_DEPTH)
        for contender in self.contenders:
            self.asked.bench.measure(self.asked.positions[0].state, depth, contender)

    @staticmethod
    def times(took):
        """What a row says of a time in nanoseconds."""
        return {"seconds": took / 1e9, "virtual": None}

    @staticmethod
    def number_of(line):
        """The round of a line."""
        return line["repeat"]


class Simulated(Part):
    """Searches on virtual processors, in virtual time."""

    kind, means, folder = "SIMULATED", "SIMULATED processors", "simulated"

    def __init__(self, asked, processors, seeds, models, folder):
        self.seeds = seeds
        self.model, self.costs = models
        self.label = f"SIMULATED processors (costs: {self.model})"
        self.serial_nodes = {}
        super().__init__(asked, processors, folder, "simulate", {"costs": self.costs})

    def runs(self):
        """The runs that are not recorded."""
        lines = self.recording.lines
        done = {(line["index"], self.contender_of(line), self.number_of(line)) for line in lines}
        for position in self.asked.positions:
            for contender in self.contenders:
                for seed in [None] if contender is None else self.seeds:
                    if (position.index, contender, seed) not in done:
                        yield position, contender, seed

    def search(self, position, contender, seed):
        """Does a run."""
        costs = self.costs["busy" if (contender or 1) > 1 else "alone"]
        asked = self.asked
        found = asked.bench.simulate(position.state, asked.depth, contender, costs, seed or 0)
        part = {"model": self.model, "costs": costs, "seed": seed, **found.pop("simulated")}
        self.record(position, contender, 1, {**found, "simulated": part})

    def warm_up(self):
        """Virtual time needs nothing."""

    def fault(self, position, line):
        """On one processor the nodes are those of the serial search, too."""
        if self.contender_of(line) is None:
            self.serial_nodes[position.index] = line["nodes"]
        expected = self.serial_nodes.get(position.index, line["nodes"])
        if line["threads"] == 1 and line["nodes"] != expected:
            return f"{line['nodes']} nodes, expected {expected} as in the serial search"
        return super().fault(position, line)

    @staticmethod
    def times(took):
        """What a row says of a time in units of the costs."""
        return {"seconds": None, "virtual": took}

    @staticmethod
    def number_of(line):
        """The seed of a line."""
        return line["simulated"]["seed"]


def run(asked, parts):
    """Does the runs that are not recorded."""
    plans = [(part, list(part.runs())) for part in parts]
    progress = Progress(sum(len(runs) for _, runs in plans))
    try:
        for part, runs in plans:
            part.recording.plan(len(asked.positions), len(part.recording.lines) + len(runs))
            if runs:
                part.warm_up()
            for position, contender, number in runs:
                who = "serial" if contender is None else f"{contender} {part.means}"
                progress.tell(f"{part.kind}, position {position.index} of {len(asked.positions)}, {who}")
                part.search(position, contender, number)
    finally:
        progress.clear()
    lines = [line for part in parts for line in part.recording.lines]
    if count := sum(line["table"].get("contradictions", 0) for line in lines):
        reason = "keys, rules or evaluations break the contract"
        warnings.warn(f"scaling: {count} proofs contradicted each other: {reason}", stacklevel=3)


class Progress:
    """How far it is, in a line on stderr where that is a terminal."""

    def __init__(self, planned):
        self.planned, self.begun = planned, 0
        self.start = time.monotonic()
        self.is_shown = planned > 0 and sys.stderr.isatty()

    def tell(self, what):
        """Says which search begins."""
        self.begun += 1
        passed = time.monotonic() - self.start
        self.show(f"scaling: search {self.begun} of {self.planned} ({what}), {passed:.0f} s")

    def clear(self):
        """Leaves nothing behind."""
        self.show("")

    def show(self, text):
        """Writes over the line."""
        if self.is_shown:
            print(f"\r\033[K{text}", end="", file=sys.stderr, flush=True)


def in_turn(count, number):
    """The order of so many contenders in a round: a Williams design, as that of the lab."""
    shift, is_backwards = divmod(number % (count if count % 2 == 0 else 2 * count), 2)
    zigzag = [place // 2 + 1 if place % 2 else count - place // 2 for place in range(count)]
    return [(place + shift) % count for place in (reversed(zigzag) if is_backwards else zigzag)]


def quartiles(numbers):
    """The lower quartile, the median and the upper one."""
    return list(numbers) * 3 if len(numbers) == 1 else statistics.quantiles(numbers, n=4, method="inclusive")
