#!/usr/bin/env python3
"""Recomputes, from the raw records under results, the figures of the tables that `report` has made of them.

    python3 results/recompute.py              what was looked at, and whatever differs; exit code 0 if all agrees
    python3 results/recompute.py --selftest   changes figures, lines and checksums in memory; each has to be seen

It needs Python 3.11 and its standard library alone, has none of the project's code, and only reads.

First the records are looked at: checksums, lines that are missing or there twice, one value for one question, revisions. Then
each figure of their tables (figures.csv, growth.csv) is computed again from the samples, but for a few that no document may
quote, and for intervals, which take long: documents.py, which makes what documents say, asks for those that are quoted.

METHODOLOGY.md says what a figure means. Ratios are taken within a round; their median over the rounds counts. The baseline is
the serial search whose median times sum to the least. Intervals are of the percentile bootstrap with the draws that all
reports share (PCG XSL RR 128/64, MCG, seed 0x5eed, of rounds 0xdd5eed).
"""

import argparse
import collections
import csv
import functools
import gzip
import io
import json
import lzma
import math
import re
import statistics
import struct
import subprocess
import sys
import tarfile
import zlib
from pathlib import Path
from statistics import fmean as mean, geometric_mean

ROOT = Path(__file__).resolve().parent.parent
HOUSE = ROOT / "results"
LARGE = 1_000_000
# Revision 99069b43: evaluations of backgammon keep within what the rules still allow, and so have other values than before.
BACKGAMMON_CHANGED = "2026-11-26T21:37"


# --- reading ---------------------------------------------------------------------------------------------------------


ARCHIVE = "records.tar.xz"


@functools.lru_cache(maxsize=4)
def members(archive):
    """The files in an archive by their names. It has a checksum of its own, which is looked at as it is unpacked."""
    try:
        with lzma.open(archive) as packed, tarfile.open(fileobj=packed, mode="r|") as tar:
            found = {one.name: tar.extractfile(one).read() for one in tar}
            while packed.read(1 << 20):
                pass
    except (AttributeError, EOFError, lzma.LZMAError, tarfile.TarError) as error:
        sys.exit(f"{archive}: expected an archive of records as it was packed ({error})")
    return found


@functools.cache
def places():
    """All files of records by their names below results, each with the archive it is in, if it is."""
    files = [path for path in sorted((HOUSE / "current").rglob("*")) if path.is_file()]
    name = lambda path: path.relative_to(HOUSE).as_posix()
    packed = {f"{name(path.parent)}/{inner}": path for path in files if path.name == ARCHIVE for inner in members(path)}
    # What lies in a folder counts before what is in an archive.
    return packed | {name(path): None for path in files}


def parsed(text, where):
    """JSON whose objects have every key once: of two, others may take the other."""
    def once(pairs):
        found = dict(pairs)
        if len(found) < len(pairs):
            raise ValueError(f"expected every key once, {collections.Counter(key for key, _ in pairs).most_common(1)[0][0]!r} stands twice")
        return found

    try:
        return json.loads(text, object_pairs_hook=once)
    except ValueError as error:
        sys.exit(f"{where}: {error}")


class Records:
    """Whatever lies below results, and the documents. The self-test puts changed texts in between."""

    def __init__(self, change=None):
        self.change = change or (lambda _name, text: text)

    def named(self, last):
        """The folders with a file of this name."""
        return sorted(name.removesuffix(f"/{last}") for name in places() if name.endswith(f"/{last}"))

    def folders(self):
        """All folders with samples that count today."""
        return self.named("samples.jsonl")

    def text(self, name):
        """A file below results, seen from there, or in an archive; one that ends in .gz is unpacked."""
        archive = places().get(name)
        inner = archive and name.removeprefix(f"{archive.parent.relative_to(HOUSE).as_posix()}/")
        raw = members(archive)[inner] if archive else (HOUSE / name).read_bytes()
        return self.change(name, (gzip.decompress(raw) if name.endswith(".gz") else raw).decode())

    @functools.lru_cache(maxsize=6)
    def texts(self, folder):
        """The lines of a folder as they are written."""
        return self.text(f"{folder}/samples.jsonl").splitlines()

    def meta(self, folder):
        return self.json(f"{folder}/meta.json")

    def json(self, name):
        """What a file of JSON holds."""
        return parsed(self.text(name), name)

    @functools.lru_cache(maxsize=6)
    def all_lines(self, folder):
        return [parsed(text, f"{folder}, line {number}") for number, text in enumerate(self.texts(folder), 1)]

    def lines(self, folder):
        """The lines of a folder that count: those with an error do not."""
        return [line for line in self.all_lines(folder) if not line.get("error")]

    @functools.cache
    def table(self, folder, name):
        """The rows of a table that `report` has made."""
        return list(csv.DictReader(io.StringIO(self.text(f"{folder}/{name}.csv"))))


RECORDS = Records()


def use(records):
    """From here on these records count."""
    global RECORDS
    RECORDS = records


def kept(function):
    """Remembers what a function found in the records that count."""
    cached = functools.lru_cache(maxsize=100_000)(lambda _, *arguments: function(*arguments))
    return lambda *arguments: cached(RECORDS, *arguments)


# --- arithmetic ------------------------------------------------------------------------------------------------------


def over(one, other):
    """One over the other, where nothing over nothing is no number."""
    return one / other if other else math.inf if one else math.nan


def median(samples):
    """Of the samples that are numbers."""
    return statistics.median([sample for sample in samples if not math.isnan(sample)] or [math.nan])


def quartiles(samples):
    """Lower quartile, median and upper quartile, by linear interpolation between neighbours."""
    return statistics.quantiles(samples, n=4, method="inclusive") if len(samples) > 1 else list(samples) * 3


def deviation(samples):
    """With n - 1 below the line; 0 of one sample."""
    return statistics.stdev(samples) if len(samples) > 1 else 0.0


@functools.cache
def student(freedom):
    """The 97.5% quantile of Student's t, by bisection of its density's integral (Simpson's rule)."""
    constant = math.exp(math.lgamma((freedom + 1) / 2) - math.lgamma(freedom / 2)) / math.sqrt(freedom * math.pi)

    def within(t, steps=400):
        density = [constant * (1 + (t * i / steps) ** 2 / freedom) ** (-(freedom + 1) / 2) for i in range(steps + 1)]
        return 2 * t / steps / 3 * (density[0] + density[-1] + 4 * sum(density[1:-1:2]) + 2 * sum(density[2:-1:2]))

    low, high = 0.0, 16.0
    for _ in range(40):
        middle = (low + high) / 2
        low, high = (middle, high) if within(middle) < 0.95 else (low, middle)
    return low


def estimate(samples):
    """The mean and its 95% interval by Student's t."""
    half = student(len(samples) - 1) * deviation(samples) / math.sqrt(len(samples))
    return mean(samples), mean(samples) - half, mean(samples) + half


@functools.cache
def draws(count, seed=0x5EED):
    """Ten thousand times as many places below `count`, drawn with repetition."""
    state, mask, found = seed | 1, (1 << 128) - 1, []
    for _ in range(10_000):
        row = []
        for _ in range(count):
            state = state * 0x2360ED051FC65DA44385DF649FCCF645 & mask
            turn, folded = state >> 122, (state >> 64 ^ state) & (1 << 64) - 1
            row.append(((folded >> turn | folded << (64 - turn) & (1 << 64) - 1) * count) >> 64)
        found.append(row)
    return found


def middle_95(figures):
    figures = sorted(figures)
    return figures[round((len(figures) - 1) * 0.025)], figures[round((len(figures) - 1) * 0.975)]


def median_interval(samples):
    """The 95% interval of the median, by the percentile bootstrap."""
    ordered = sorted(sample for sample in samples if not math.isnan(sample))
    lower, upper = (len(ordered) - 1) // 2, len(ordered) // 2
    rows = map(sorted, draws(len(ordered)))
    return middle_95((ordered[row[lower]] + ordered[row[upper]]) / 2 for row in rows)


def sums_interval(pairs):
    """The same of the ratio of two sums over positions, in each of which are the pairs of all rounds."""
    ones, others = ([[position[r][side] for position in pairs] for r in range(min(map(len, pairs)))] for side in (0, 1))
    figures = []
    for row in draws(len(pairs)):
        ratios = [sum(map(one.__getitem__, row)) / sum(map(other.__getitem__, row)) for one, other in zip(ones, others)]
        figures.append(median(ratios))
    return middle_95(figures)


def two_stage_interval(positions):
    """That of a median over positions, at each of which are the figures of all rounds: rounds are drawn first, the same for all."""
    rounds = len(positions[0])
    figures = []
    for chosen, places in zip(draws(rounds, 0x0DD5EED), draws(len(positions))):
        medians = {place: median([positions[place][number] for number in chosen]) for place in set(places)}
        figures.append(median([medians[place] for place in places]))
    return middle_95(figures)


# --- curves ----------------------------------------------------------------------------------------------------------

Run = collections.namedtuple("Run", "nodes seconds busy unbusy aborted")


def run_of(method, lines):
    """What the copies of a search took: of those at once the mean of the nodes and the harmonic mean of the times; of those that
    end with the first of them, the nodes of all and the time that they took at the sum of their rates."""
    first = lines[0]
    nodes, seconds = mean(line["nodes"] for line in lines), 1e-9 / mean(1 / line["wall_ns"] for line in lines)
    if method == "matched-ceiling":
        nodes = sum(line["nodes"] for line in lines)
        seconds = 1e-9 * nodes / sum(line["nodes"] / line["wall_ns"] for line in lines)
    busy, *unbusy = (first.get(name) or 0 for name in ("busy_ns", "idle_ns", "stealing_ns", "parked_ns"))
    return Run(nodes, seconds, busy, sum(unbusy), (first.get("split") or {}).get("aborted_nodes", 0))


class Curves:
    """Contenders of a folder (method, ordering, threads), at the positions and in the rounds that all of them have. A round of a
    simulation is a seed; its serial searches have none and count for each."""

    def __init__(self, folder, model):
        found = collections.defaultdict(lambda: collections.defaultdict(lambda: collections.defaultdict(list)))
        lines = list(RECORDS.lines(folder))
        # One processor is charged alike under costs that are others on several alone (+table=x2): it is searched once.
        serial = {line["simulated"]["model"] for line in lines if line.get("simulated") and line["threads"] == 1}
        of_one = model if model in serial else (model or "").split("+")[0]
        for line in lines:
            simulated = line.get("simulated")
            if not simulated or simulated["model"] == (of_one if line["threads"] == 1 else model):
                contender = (line["method"], line["ordering"], line["threads"])
                found[contender][line["index"]][simulated["seed"] if simulated else line["repeat"]].append(line)
        self.serial = {ordering: ("serial", ordering, threads) for method, ordering, threads in found if method == "serial"}
        self.table = {
            key: {index: {n: run_of(key[0], lines) for n, lines in rounds.items()} for index, rounds in positions.items()}
            for key, positions in found.items() if key[1] in self.serial
        }
        self.numbers = sorted({n for of in self.table.values() for rounds in of.values() for n in rounds} - {None}) or [None]
        common = set.intersection(*map(set, self.table.values()))
        self.rounds = {index: rounds for index in sorted(common) if (rounds := self._shared(index))}
        self.shared = sorted(set.intersection(*map(set, self.rounds.values())), key=lambda n: n or 0)
        median_seconds = lambda key: sum(median(self.run(key, i, n).seconds for n in ns) for i, ns in self.rounds.items())
        self.baseline = min(self.serial.values(), key=median_seconds)
        nodes = [median(self.run(self.baseline, i, n).nodes for n in ns) for i, ns in self.rounds.items()]
        self.large = [place for place, own in enumerate(nodes) if own >= LARGE]
        self.cores = RECORDS.meta(folder)["machine"]["cores"]

    def _shared(self, index):
        own = [set(positions[index]) for positions in self.table.values()]
        return sorted(set.intersection(*({*self.numbers} if None in one else one for one in own)), key=lambda n: n or 0)

    def run(self, key, index, number):
        rounds = self.table[key][index]
        return rounds[number] if number in rounds else rounds[None]

    @functools.cache
    def sums(self, key, number):
        return Run(*map(sum, zip(*(self.run(key, index, number) for index in self.rounds))))

    @functools.cache
    def figure(self, method, ordering, processors, name):
        """A figure of the sums, and at each position."""
        one, speedup = (self._ratio((method, ordering, processors), of) for of in (name, "speedup"))
        is_of_one_round = name in OF_ONE_ROUND

        def over_rounds(runs):
            """The median over the rounds; of what has to multiply up, the round whose speedup is in the middle, of two the lower."""
            if is_of_one_round:
                runs = sorted(runs, key=speedup)
                return one(runs[(len(runs) - 1) // 2])
            return median(map(one, runs))

        total = over_rounds([lambda key, n=n: self.sums(key, n) for n in self.shared])
        return total, list(map(over_rounds, self._runs()))

    def _runs(self):
        """At each position the runs of each round."""
        return [[lambda key, i=i, n=n: self.run(key, i, n) for n in numbers] for i, numbers in self.rounds.items()]

    def rounds_of(self, method, ordering, processors, name):
        """A figure in each round of the large positions, or of all where none is large."""
        each = [list(map(self._ratio((method, ordering, processors), name), runs)) for runs in self._runs()]
        return [each[place] for place in self.large] or each

    def _ratio(self, own, name):
        """What makes the figure of the runs that are asked for by contender."""
        method, ordering, processors = own
        base, alone = self.baseline, self.serial[ordering]
        speedup = lambda run: run(base).seconds / run(own).seconds
        if name == "speedup":
            return speedup
        if name == "search_overhead":
            return lambda run: run(own).nodes / run(alone).nodes - 1
        if name in ("ceiling", "ceiling_share", "matched_share"):
            return self._of_ceiling(own, name, speedup)
        idle = lambda run: run(own).unbusy / (run(own).busy + run(own).unbusy)
        rate = lambda run: run(own).nodes / (run(own).busy / 1e9) / (run(alone).nodes / run(alone).seconds)
        return {"idle": idle, "node_rate_ratio": rate, "aborted": lambda run: run(own).aborted / run(alone).nodes}[name]

    def _of_ceiling(self, own, name, speedup):
        _, ordering, processors = own
        copies = processors if name == "ceiling" else min(processors, self.cores)
        many = ("matched-ceiling" if name == "matched_share" else "ceiling", ordering, copies)
        alone = self.serial[ordering]
        if copies == 1 and name != "ceiling":
            return speedup
        rate = lambda run, key: run(key).nodes / run(key).seconds
        if name == "matched_share":
            return lambda run: speedup(run) / (rate(run, many) / rate(run, alone))
        ceiling = lambda run: copies * run(alone).seconds / run(many).seconds
        return ceiling if name == "ceiling" else lambda run: speedup(run) / ceiling(run)


OF_ONE_ROUND = ("node_rate_ratio", "idle", "aborted")
PARTS = ("total", "all_lower_quartile", "all_median", "all_upper_quartile", "large_lower_quartile", "large_median", "large_upper_quartile")


@kept
def curves(folder, model):
    return Curves(folder, model)


def curve_cell(folder, row, column):
    found = curves(folder, None if row["costs"] == "real" else row["costs"])
    counts = {"positions": len(found.rounds), "large_positions": len(found.large)}
    if column in counts:
        return counts[column]
    of = lambda name: found.figure(row["method"], row["ordering"], int(row["processors"]), name)
    if column == "slower_positions":
        return sum(speedup < 1 for speedup in of("speedup")[1])
    if column.endswith("_over_rounds"):
        name = "ceiling_share" if "share" in column else "speedup"
        return two_stage_interval(found.rounds_of(row["method"], row["ordering"], int(row["processors"]), name))["high" in column]
    if column.startswith("drawn_"):
        each = of("speedup")[1]
        drawn = [each[place] for place in found.large] or each
        return {"drawn_median_low": lambda: median_interval(drawn)[0], "drawn_median_high": lambda: median_interval(drawn)[1],
                "drawn_geometric_mean": lambda: geometric_mean(drawn), "drawn_arithmetic_mean": lambda: mean(drawn)}[column]()
    part = next(part for part in PARTS if column.endswith("_" + part))
    total, each = of(column.removesuffix("_" + part))
    if part == "total":
        return total
    return quartiles([each[place] for place in found.large] if "large" in part else each)[PARTS.index(part) % 3 - 1]


# --- studies ---------------------------------------------------------------------------------------------------------


class Study:
    """Variants of a study, by position and round. Ratios are within a round, to the first variant."""

    COSTS = {"nodes": 1, "evaluations": 1, "seconds": 1e-9}

    def __init__(self, folder):
        self.runs = {}
        for line in RECORDS.lines(folder):
            self.runs.setdefault(line["variant"], {}).setdefault(line["index"], {})[line["repeat"]] = line
        variants = RECORDS.meta(folder)["settings"].get("variants") or []
        stated = list(variants) if isinstance(variants, dict) else [one["name"] for one in variants]
        self.first = next((name for name in stated if name in self.runs), next(iter(self.runs)))
        common = set.intersection(*map(set, self.runs.values()))
        shared = {index: set.intersection(*(set(of[index]) for of in self.runs.values())) for index in sorted(common)}
        self.rounds = {index: sorted(rounds) for index, rounds in shared.items() if rounds}

    def values(self, name, cost, index):
        part = "wall_ns" if cost == "seconds" else cost
        return [self.runs[name][index][number][part] * self.COSTS[cost] for number in self.rounds[index]]

    def total(self, name, cost):
        """The sum over the positions of the medians over the rounds."""
        return sum(median(self.values(name, cost, index)) for index in self.rounds)

    def ratio(self, name, cost):
        """Of the sums: the median over the rounds that all positions have."""
        by_round = lambda of: [dict(zip(rounds, self.values(of, cost, index))) for index, rounds in self.rounds.items()]
        own, first = by_round(name), by_round(self.first)
        shared = set.intersection(*map(set, self.rounds.values()))
        return median(over(sum(one[n] for one in own), sum(one[n] for one in first)) for n in shared)

    def each(self, name, cost):
        """The ratio at each position: the median over its rounds."""
        both = [zip(self.values(name, cost, i), self.values(self.first, cost, i)) for i in self.rounds]
        return [median(over(own, other) for own, other in rounds) for rounds in both]

    def other_values(self, name):
        score = lambda variant, index: next(iter(self.runs[variant][index].values()))["score"]
        return sum(score(name, index) is None or score(name, index) != score(self.first, index) for index in self.rounds)

    @functools.cache
    def to_depth(self, name, index):
        """By depth: nodes and seconds until it was complete, the medians over the runs."""
        steps = collections.defaultdict(list)
        for run in self.runs[name][index].values():
            for step in run["iterations"]:
                steps[step["depth"]].append((step["nodes"], step["wall_ns"] / 1e9))
        return {depth: tuple(map(median, zip(*steps[depth]))) for depth in sorted(steps)}

    def branching(self, name, depth):
        """How many times as many nodes a ply costs, over the last two plies: the median over the positions."""
        found = []
        for index in self.rounds:
            own, before = {}, 0
            for at, (nodes, _) in self.to_depth(name, index).items():
                if nodes > before:
                    own[at] = nodes - before
                before = max(before, nodes)
            if depth in own and depth - 2 in own:
                found.append(math.sqrt(own[depth] / own[depth - 2]))
        return median(found)


@kept
def study(folder):
    return Study(folder)


def study_cell(folder, row, column):
    found, name = study(folder), row["variant"]
    if column in ("positions", "other_values"):
        return len(found.rounds) if column == "positions" else found.other_values(name)
    cost, _, part = column.partition("_")
    return {
        "total": lambda: found.total(name, cost), "ratio": lambda: found.ratio(name, cost),
        "median_ratio": lambda: median(found.each(name, cost)),
        "low": lambda: median_interval(found.each(name, cost))[0], "high": lambda: median_interval(found.each(name, cost))[1],
    }[part]()


def study_growth(folder, row, column):
    found, name, depth = study(folder), row["variant"], int(row["depth"])
    if column == "branching":
        return found.branching(name, depth)
    steps = [steps[depth] for index in found.rounds if depth in (steps := found.to_depth(name, index))]
    return len(steps) if column == "positions" else geometric_mean(step[column == "seconds"] for step in steps)


# --- the paper -------------------------------------------------------------------------------------------------------


PAPER_NODES = ("0.02 0.01 0.01 0.01", "13.93 3.99 3.24 1.79", "273.8 136.7 31.69 22.81", "37.78 14.76 6.12 3.85", "54.67 24.38 7.01 4.70")
PAPER_SECONDS = ("0.44 0.27 0.31 0.27", "211 62.25 45.14 28.26", "4669 2326 487.8 374.1", "609.1 238.1 88.55 60.83", "913.5 408.3 104.6 75.9")
PAPER_NAMES = ("expectimax", "star1", "star2", "star2_tt")
STATISTICS = (min, median, max, mean, deviation)
OVER = {"star1_over_expectimax": (1, 0), "star2_over_expectimax": (2, 0), "star2_over_star1": (2, 1), "star2_tt_over_star2": (3, 2)}


def printed(text):
    """What a printed figure may have been before it was rounded."""
    half = 0.5 * 10.0 ** -len(text.partition(".")[2])
    return float(text) - half, float(text) + half


def off(figure, low, high):
    """The logarithm of a figure over the nearer end of what it should be within; 0 there."""
    return math.log(figure / min(max(figure, low), high))


def distance(line, which):
    """How far a line of readings is from the paper's figures: Expectimax's column of Table I, and of both tables the ratios of
    each algorithm over the one before, in each of their five rows."""
    rows = lambda part: [[of(line[name][part]) for name in PAPER_NAMES] for of in STATISTICS]
    nodes, evaluations = rows("nodes"), rows("evaluations")
    levels = [off(ours[0] / 1e6, *printed(row.split()[0])) for ours, row in zip(nodes, PAPER_NODES)]

    def steps(ours, table):
        for own, row in zip(ours, table):
            ranges = [printed(text) for text in row.split()]
            for one, other in ((1, 0), (2, 1), (3, 2)):
                yield off(own[one] / own[other], ranges[one][0] / ranges[other][1], ranges[one][1] / ranges[other][0])

    of_nodes, of_time = list(steps(nodes, PAPER_NODES)), list(steps(evaluations, PAPER_SECONDS))
    parts = {"all": levels + of_nodes + of_time, "nodes": of_nodes, "time": of_time, "levels": levels}[which]
    return math.sqrt(mean(part * part for part in parts))


def readings_cell(folder, row, column):
    lines = [line for line in RECORDS.lines(folder) if line["reading"] == row["reading"]]
    is_chosen = lambda line: (line["set"], line["network"]) == (1, "library")
    own = [line for line in lines if is_chosen(line) == (row["judged"] == "chosen on")]
    more = lambda name: sum(a > b for line in own for a, b in zip(line[name]["nodes"], line["star1"]["nodes"]))
    counts = {
        "combinations": lambda: len(own), "positions": lambda: sum(line["positions"] for line in own),
        "star2_beyond_star1": lambda: more("star2"), "star2_tt_beyond_star1": lambda: more("star2_tt"),
        "other_values": lambda: sum(max(line[name]["other_values"] for name in PAPER_NAMES[1:]) for line in lines),
    }
    if column in counts:
        return counts[column]()
    name, _, end = column.rpartition("_")
    return {"median": median, "least": min, "greatest": max}[end]([reading_figure(line, name) for line in own])


def reading_figure(line, name):
    if name == "wall_time":
        return line["star2_tt"]["wall_ns"] / line["star2"]["wall_ns"]
    part, _, pair = name.partition("_")
    if part != "distance":
        one, other = (sum(line[PAPER_NAMES[place]][part]) for place in OVER[pair])
        return one / other
    return distance(line, pair)


# --- other experiments -----------------------------------------------------------------------------------------------


@kept
def heats(folder, threads, cost):
    """The default beside the best fixed setting: by position and round what either took, as far as both were sound."""
    found = collections.defaultdict(dict)
    for line in RECORDS.lines(folder):
        if (line["phase"], line["threads"]) == ("comparison", threads):
            sound = [s for s in line["searches"] if not s["error"] and not s["stopped"]]
            if len(sound) == 2:
                default, best = sorted(sound, key=lambda search: search["setting"] != "default")
                found[line["index"]][line["repeat"]] = default[cost], best[cost]
    rounds = sorted(set.intersection(*map(set, found.values())))
    return [[found[index][number] for number in rounds] for index in sorted(found)]


def tuning_cell(folder, row, column):
    threads = int(row["threads"])
    searched = [line for line in RECORDS.lines(folder) if (line["phase"], line["threads"]) == ("search", threads)]
    counts = {
        "settings": lambda: max(len(line["searches"]) - 1 for line in searched),
        "searches": lambda: sum(len(line["searches"]) for line in searched),
        "positions": lambda: len(heats(folder, threads, "nodes")), "rounds": lambda: len(heats(folder, threads, "nodes")[0]),
        "default_ms": lambda: median(median(d for d, _ in rounds) for rounds in heats(folder, threads, "wall_ns")) / 1e6,
        "best_ms": lambda: median(median(b for _, b in rounds) for rounds in heats(folder, threads, "wall_ns")) / 1e6,
    }
    if column in counts:
        return counts[column]()
    cost, _, part = column.partition("_")
    own = heats(folder, threads, "wall_ns" if cost == "time" else cost)
    if part == "ratio":
        return median(sum(d for d, _ in positions) / sum(b for _, b in positions) for positions in zip(*own))
    return sums_interval(own)[part == "high"]


@kept
def match(folder):
    """By figure, setting and result: value, and the ends of its interval. Points are the mean over the pairs of games, which are
    independent; where only one player plays, a pair's points are what the first setting's score is more than the second's."""
    lines = {line["number"]: line for line in RECORDS.lines(folder)}
    is_alone = all((line["two"] if number % 2 else line["one"])["moves"] == 0 for number, line in lines.items())
    both = [(lines[number], lines[number + 1]) for number in lines if number % 2 and number + 1 in lines]
    points = estimate([(one["points"] + two["points"]) / (1 if is_alone else 2) for one, two in both])
    games = [line["points"] for pair in both for line in pair]
    found = {("games", "", ""): (len(lines),), ("pairs", "", ""): (len(both),), ("points", "one", ""): points,
             ("unfinished", "", ""): (sum(not line["finished"] for line in lines.values()),),
             ("plies", "", ""): (mean(line["plies"] for line in lines.values()),)}
    if not is_alone and set(games) <= {1, 0, -1}:
        found["win_rate", "one", ""] = [min(max((end + 1) / 2, 0), 1) for end in points]
        found |= {(name, "one", ""): (games.count(worth),) for name, worth in (("won", 1), ("drawn", 0), ("lost", -1))}
    for who in ("one", "two"):
        own = [line[who] for line in lines.values()]
        asked = sum(side["asked"] for side in own)
        found |= {("moves", who, ""): (sum(side["moves"] for side in own),), ("asked", who, ""): (asked,)}
        for name, part, unit in (("mean_depth", "depths", 1), ("nodes_a_move", "nodes", 1), ("ms_a_move", "time_ns", 1e-6)):
            if asked:
                found[name, who, ""] = (sum(side.get(part, 0) for side in own) * unit / asked,)
        # A setting has the first player's side in every other game, and its own score where nobody else plays.
        games = [line for number, line in lines.items() if (number % 2 == 1) == (who == "one")]
        results = collections.Counter(line["result"] for line in games)
        found |= {("ended", who, line["result"]): (results[line["result"]],) for line in lines.values()}
        if is_alone:
            scores = [line["points"] if who == "one" else -line["points"] for line in games]
            for name, of in (("mean", mean), ("median", median), ("least", min), ("greatest", max)):
                found["score_" + name, who, ""] = (of(scores),)
    return found


def match_cell(folder, row, column):
    return match(folder)[row["figure"], row["setting"], row["result"]][("value", "low", "high").index(column)]


# --- retired experiments ---------------------------------------------------------------------------------------------


def device_cell(folder, row, _):
    """How much faster searches with one device are than one lane on one thread. SIMULATED."""
    def spent(*key):
        own = [line for line in RECORDS.lines(folder) if (line["batch"], line["threads"], line["lanes"]) == key]
        return sum(line["virtual_ns"] for line in own)

    batch, threads, lanes = (int(row[name]) for name in ("batch", "threads", "lanes"))
    return spent(batch, 1, 1) / spent(batch, threads, lanes)


def cluster_cell(folder, row, column):
    """Machines with a table each, beside one processor. SIMULATED."""
    plan = lambda line: (line["cluster"] or {}).get
    key = lambda line: (plan(line)("machines"), line["processors"], plan(line)("latency_ns"), plan(line)("shares_bounds"))
    number = lambda name, unit=1: float(row[name]) * unit if row[name] else None
    wanted = number("machines"), number("processors"), number("latency_us", 1e3), {"true": True, "false": False}.get(row["shares_bounds"])
    own, alone = ([line for line in RECORDS.lines(folder) if key(line) == one] for one in (wanted, (None, 1, None, None)))
    of = lambda lines, name: sum(line[name] for line in lines)
    lost = lambda name: sum(plan(line)(name, 0) for line in own)
    return {
        "speedup": lambda: of(alone, "virtual_ns") / of(own, "virtual_ns"), "more_nodes": lambda: of(own, "nodes") / of(alone, "nodes") - 1,
        "without_task": lambda: (lost("idle_ns") - lost("in_transit_ns")) / of(own, "virtual_ns") / (number("machines") or 1),
    }[column]()


def window_cell(folder, row, column):
    """Searches of the root in other windows, beside the full windows of the same engine or the library's search."""
    def each(way, part):
        found = {line["index"]: search[part] for line in RECORDS.lines(folder) for search in line["searches"] if search["way"] == way}
        return [found[index] for index in sorted(found)]

    part, _, of = column.partition("_")
    if column in ("nodes", "evaluations", "passes"):
        return sum(each(row["way"], column))
    own, other = each(row["way"], part), each("library:search" if of == "over_search" else row["beside"], part)
    ratios = [one / beside for one, beside in zip(own, other) if beside]
    ends = {"median": lambda: median(ratios), "low": lambda: median_interval(ratios)[0], "high": lambda: median_interval(ratios)[1]}
    return ends[of]() if of in ends else sum(own) / sum(other)


def smaller_cell(folder, row, column):
    """Games with fewer outcomes or moves, beside the full game."""
    of = [(line["full"], search) for line in RECORDS.lines(folder) for search in line["searches"] if search["setting"] == row["setting"]]
    nodes = lambda side: sum(both[side]["nodes"] for both in of)
    return {"searches": lambda: len(of), "nodes_ratio": lambda: nodes(1) / nodes(0),
            "other_moves": lambda: mean(search["best_move"] != full["best_move"] for full, search in of)}[column]()


# --- tables ----------------------------------------------------------------------------------------------------------

# By a column that only this table has: what computes a cell of it from the record's samples, the columns that say of what a
# row is, and those that no document quotes and nobody recomputes here.
FIGURES = {
    "drawn_median_low": (curve_cell, ("costs", "method", "ordering", "processors"), "(bound|residual)_.*"),
    "nodes_median_ratio": (study_cell, ("variant", "options"), ".*_over_rounds"),
    "branching": (study_growth, ("variant", "depth"), ""),
    "algorithm": (None, (), ".*"),  # the paper's tables: documents quote samples
    "distance_all_median": (readings_cell, ("reading", "judged", "rank"), "distance_(headline|within)_.*"),
    "time_ratio": (tuning_cell, ("game", "evaluator", "depth", "threads", "best"), ""),
    "figure": (match_cell, ("figure", "setting", "result"), ""),
    "lanes": (device_cell, ("batch", "threads", "lanes"), "(?!speedup).*"),
    "machines": (cluster_cell, ("machines", "processors", "latency_us", "shares_bounds"), "(?!speedup|more_nodes|without_task).*"),
    "way": (window_cell, ("way", "beside"), "(look_ups|narrowed|re_searches).*"),
    "other_moves": (smaller_cell, ("setting",), "(?!searches|nodes_ratio|other_moves).*"),
}
SLOW = re.compile(r".*_(low|high)(_over_rounds)?")


def kind_of(row):
    return next(kind for column, kind in FIGURES.items() if column in row)


def is_recomputed(row, column):
    """Whether a column of a table with such rows is; what says of what a row is has nothing to be recomputed from."""
    _, names, others = kind_of(row)
    return column not in names and not re.fullmatch(others, column)


@kept
def cell(folder, table, number, column):
    """A figure of a table, recomputed."""
    row = RECORDS.table(folder, table)[number]
    return kind_of(row)[0](folder, row, column)


def is_same(text, figure):
    """Whether a figure is what stands in a table, whose figures have nine digits behind the point."""
    return abs(float(text) - figure) <= 2e-9 + 1e-9 * abs(figure)


def differing(folder, table, number, column):
    """What is wrong with a cell; nothing where it agrees or is empty."""
    text = RECORDS.table(folder, table)[number][column]
    if not text:
        return None
    try:
        figure = cell(folder, table, number, column)
    except (ArithmeticError, LookupError, TypeError, ValueError) as error:
        return f"{folder}/{table}.csv, row {number + 1}: {column} is {text}, and not to be recomputed ({type(error).__name__}: {error})"
    return None if is_same(text, figure) else f"{folder}/{table}.csv, row {number + 1}: {column} is {text}, not {figure:.9f}"


def of_tables(folder):
    """What differs in the tables of a folder, and how many figures were looked at. Slow ones are left to documents.py."""
    faults, count = [], 0
    for table in ("figures", "growth"):
        rows = RECORDS.table(folder, table) if f"{folder}/{table}.csv" in places() else []
        for number, row in enumerate(rows):
            columns = [column for column in row if is_recomputed(row, column) and not SLOW.fullmatch(column)]
            count += len(columns)
            faults += [differing(folder, table, number, column) for column in columns]
    return list(filter(None, faults)), count


def of_times(folder):
    """Faults of a match whose decisions were timed: times.jsonl.gz, a line a game, against the samples, times.json against it."""
    names, *rows = map(json.loads, RECORDS.text(f"{folder}/times.jsonl.gz").splitlines())
    games = {row[0]: dict(zip(names, row)) for row in rows}
    lines = {line["number"]: line["one"] for line in RECORDS.lines(folder)}
    if games.keys() != lines.keys():
        return [f"{folder}: other games have times"]
    faults = [f"{folder}: the time of game {number}" for number, side in lines.items()
              if abs(games[number]["used_us"] - side["time_ns"] / 1e3) > 1 + side["asked"] / 2]
    total = {name: sum(game[name] for game in games.values()) for name in names}
    asked = sum(side["asked"] for side in lines.values())
    found = {"given_ms_mean": total["given_us"] / 1e3 / asked, "used_ms_mean": total["used_us"] / 1e3 / asked,
             "used_by_given": total["used_us"] / total["given_us"], "as_deep": total["as_deep"] / asked, "deeper": total["deeper"] / asked}
    if "same_move" in total:
        found |= {"same_move": total["same_move"] / asked, "share_of_time_to_depth": total["us_to_depth"] / total["given_as_deep_us"],
                  "same_move_as_deep": total["same_move_as_deep"] / total["as_deep"]}
    told = RECORDS.json(f"{folder}/times.json")
    return faults + [f"{folder}: {name} {told[name]} for {value}" for name, value in found.items() if abs(told[name] - value) > 1e-6]


# --- the records themselves ------------------------------------------------------------------------------------------


class Audit:
    """What is looked at in every line of every record, before any figure."""

    def __init__(self):
        self.counts = collections.Counter()
        self.faults = collections.defaultdict(list)
        self.values = {}

    def fault(self, kind, where):
        self.faults[kind].append(where)

    def checksum(self, text, schema, is_packed, where):
        """The last key is the CRC-32 of all that stands before it; it is empty in an archive, which has its own. Lines of schema 4
        and before have none."""
        found = re.fullmatch(r'(.*),"crc32":"([0-9a-f]{8})?"}', text, re.DOTALL)
        if found and not found[2] and is_packed:
            self.counts["checksums of archives"] += 1
        elif found and found[2] and zlib.crc32(found[1].encode()) == int(found[2], 16):
            self.counts["checksums"] += 1
        elif found or schema >= 5:
            self.fault("checksums", where)
        else:
            self.counts["without checksum"] += 1

    def meta(self, meta, where):
        """The checksum is that of all other keys, sorted, without spaces; files of schema 5 and before may have none."""
        own = json.dumps({key: meta[key] for key in meta if key != "crc32"}, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        expected = f"{zlib.crc32(own.encode()):08x}"
        if meta.get("crc32", expected if meta.get("schema", 0) < 6 else None) != expected:
            self.fault("checksums", where)

    def number(self, line, number, where):
        """Lines are numbered from 1 on without a gap; those of schema 5 and before are not."""
        if line.get("line", None if line.get("schema", 0) >= 6 else number) != number:
            self.fault("missing", where)

    def lacks(self, folder, meta, lines):
        """As many lines as were planned; where that is not said, each contender's at every position in every repeat."""
        searches = [line for line in lines if None not in (line.get("index"), line.get("method"), line.get("repeat"))]
        names = ("variant", "algorithm", "method", "table_use", "ordering", "history", "threads", "copy")
        schedule = lambda line: [(line.get("simulated") or {}).get(name) for name in ("model", "seed")]
        each = {(*(line.get(name) for name in names), *schedule(line)) for line in searches}
        positions, repeats = ({line[name] for line in searches} for name in ("index", "repeat"))
        planned = meta.get("planned") or {}
        whole = meta["settings"].get("positions") if meta["experiment"] in ("scaling", "compare", "study", "paper_tables") else None
        of = planned.get("positions", whole)
        there = len({line["index"] for line in lines if "index" in line})
        if of is not None and there < of:
            self.fault("missing", f"{folder}: {there} of {of} positions")
        wanted = planned.get("lines", len(each) * (of or len(positions)) * len(repeats))
        if len(lines) < wanted:
            self.fault("missing", f"{folder}: {len(lines)} of {wanted} lines")

    def value(self, question, score, value, where):
        """All that search one question find one score, and the same bits where they tell the value."""
        self.counts["values"] += 1
        bits = None if value is None else struct.pack("<d", value)
        known, *_ = self.values.setdefault(question, (score, where))
        if known != score:
            self.fault("values", f"{where}: {score}, not {known}")
        if bits is not None and self.values.setdefault((question, "bits"), (bits, where))[0] != bits:
            self.fault("values", f"{where}: other bits")

    def folder(self, folder):
        meta = RECORDS.meta(folder)
        settings = meta["settings"]
        known = [settings.get(name) for name in ("rules", "evaluator", "weights_fnv1a")]
        is_since = meta["started"] >= BACKGAMMON_CHANGED
        self.counts["folders"] += 1
        self.meta(meta, f"{folder}/meta.json")
        turns, lines, is_packed = set(), RECORDS.all_lines(folder), bool(places().get(f"{folder}/samples.jsonl"))
        for number, (text, line) in enumerate(zip(RECORDS.texts(folder), lines), 1):
            where = f"{folder}, line {number}"
            self.counts["lines"] += 1
            self.checksum(text, line.get("schema", 0), is_packed, where)
            if line.get("schema", 0) != meta.get("schema", 0):
                self.fault("checksums", f"{where} is of another schema than its meta.json")
            self.number(line, number, where)
            if line.get("error"):
                self.fault("errors", where)
            if (turn := turn_of(line)) in turns:
                self.fault("twice", where)
            turns.add(turn)
            for search, at_most, exact in searches(line, meta):
                game = line.get("game", "dice")
                question = (game, "backgammon" in game and is_since, *known, line.get("depth", settings.get("depth")), line["position"])
                self.search(question, line, search, at_most, exact, where)
        self.lacks(folder, meta, lines)

    def search(self, question, line, search, cut, exact, where):
        if search.get("error"):
            self.fault("errors", where)
        if not exact:
            self.counts["of other games or bounds"] += 1
        elif search.get("stopped") and cut:
            self.counts["cut short, no results"] += 1
        elif search.get("stopped") or search.get("lower") != search.get("upper") or search.get("score") is None:
            self.fault("inexact", where)
        elif search.get("completed_depth", line.get("depth")) != line.get("depth"):
            self.fault("inexact", where)
        elif (expected := search.get("expected", line.get("expected"))) is not None and expected != search["score"]:
            self.fault("values", f"{where}: {search['score']}, not {expected} as expected")
        else:
            self.value(question, search["score"], search.get("value"), where)


def turn_of(line):
    """Which search of which position a line is of: what may be there only once."""
    simulated, plan = line.get("simulated") or {}, line.get("cluster") or {}
    several = line.get("searches") if "phase" in line else []
    names = ("number", "index", "position", "variant", "algorithm", "method", "ordering", "threads", "copy", "repeat", "phase", "rung",
             "lanes", "batch", "processors", "positions", "reading", "set", "network", "seed", "way", "round", "seconds")
    parts = [(line, names), (simulated, ("model", "seed")), (plan, ("machines", "latency_ns", "shares_bounds"))]
    return (*(part.get(name) for part, wanted in parts for name in wanted), *(search["setting"] for search in several))


def searches(line, meta):
    """The searches of a line, each with whether it may be cut short without being a result, and whether it has to be exact."""
    if line.get("position") is None or meta["experiment"] in ("calibrate", "match", "stress", "graphs"):
        return
    if "scores" in line:
        for search in line["searches"]:
            yield search, False, True
    elif "full" in line:
        yield line["full"], False, True
        for search in line["searches"]:
            yield search, False, search["setting"] == "all"
    elif "phase" in line:
        for search in line["searches"]:
            yield search, line["phase"] == "search", True
    else:
        yield line, line.get("method") == "matched-ceiling", line.get("variant") != "at-least"


def audit():
    """The headlines of the records: name, what was found, whether that is as it has to be."""
    found = Audit()
    counts, faults = found.counts, found.faults
    for folder in RECORDS.folders():
        found.folder(folder)
        # While its samples are at hand.
        differ, looked_at = of_tables(folder)
        faults["figures"] += differ
        faults["figures"] += of_times(folder) if (HOUSE / folder / "times.jsonl.gz").exists() else []
        counts["figures"] += looked_at
    told = lambda kind: "; ".join(faults[kind][:3]) or "none"
    questions = sum(1 for key in found.values if key[-1] != "bits")
    yield "lines and meta.json whose checksum is wrong or missing", (
        f"{len(faults['checksums'])} of {counts['lines']:,} in {counts['folders']} folders ({told('checksums')}); "
        f"{counts['checksums of archives']:,} have that of their archive, {counts['checksums']:,} one of their own, "
        f"{counts['without checksum']:,} are of schemas before there were any"
    ), not faults["checksums"]
    yield "lines that are missing", f"{len(faults['missing'])} ({told('missing')})", not faults["missing"]
    yield "searches whose value is not that of all others of the same game, rules, evaluator, depth and position", (
        f"{len(faults['values'])} of {counts['values']:,} of {questions:,} questions ({told('values')})"
    ), not faults["values"]
    yield "searches that are there twice", f"{len(faults['twice'])} ({told('twice')})", not faults["twice"]
    yield "rows with an error", f"{len(faults['errors'])} ({told('errors')})", not faults["errors"]
    yield "results that are inexact, stopped or less deep", (
        f"{len(faults['inexact'])} ({told('inexact')}); {counts['of other games or bounds']:,} searches of smaller games or "
        f"with bounds of other depths need not be exact, {counts['cut short, no results']:,} were cut short and are no results"
    ), not faults["inexact"]
    yield "figures of tables that do not follow from them", (
        f"{len(faults['figures'])} of {counts['figures']:,}" + "".join(f"\n    {fault}" for fault in faults["figures"])
    ), not faults["figures"]


def git(*words):
    return subprocess.run(["git", "-C", str(ROOT), *words], capture_output=True, text=True, check=False)


def revisions(extra=()):
    """The headlines of revisions, as far as there is a history to ask."""
    named, changed = collections.Counter(extra), collections.Counter()
    folders = RECORDS.named("meta.json")
    for folder in folders:
        meta = RECORDS.meta(folder)
        program = built_from(meta.get("program"))
        own = {meta.get("revision"), program.get("revision")} - {None}
        own |= {revision for part in meta.get("resumed") or [] if (revision := resumed_revision(part))}
        named.update(own)
        if program.get("dirty"):
            changed["/".join(folder.split("/")[1:3])] += 1
        if len({meta.get("revision"), program.get("revision")} - {None}) > 1:
            named["two in " + folder] += 1
    yield "runs by sources with changes that were not committed", (
        f"{sum(changed.values())} of {len(folders)} meta.json: {dict(changed) or 'none'}"
    ), not changed
    shallow = git("rev-parse", "--is-shallow-repository").stdout.strip()
    if shallow != "false":
        yield "revisions that the history does not have", "not looked at: there is no whole history here", True
        return
    missing = {name: count for name, count in named.items() if git("cat-file", "-e", name + "^{commit}").returncode}
    yield "revisions that the history does not have", f"{len(missing)} of {len(named)}: {missing or 'none'}", not missing


def built_from(program):
    """What a program was built from; before schema 6 what lay where it ran stands for that."""
    return (program or {}).get("built_from") or (program or {}).get("git") or {}


def resumed_revision(part):
    return built_from(part.get("program")).get("revision") or part.get("revision")


# --- the test of the tester ------------------------------------------------------------------------------------------


def signed(line):
    """A line with its checksum, if it has any, also where an archive has left it empty."""
    own, found, _ = line.partition(',"crc32":"')
    return f'{own}{found}{zlib.crc32(own.encode()):08x}"}}' if found else line


def scaled(own, key, new, only=""):
    """Records of which one file's lines have another number under a key, with checksums to match where there are any."""
    pattern = re.compile(rf'(?<="{key}":)(-?[\d.]+)')

    def change(name, text):
        if not name.startswith(f"{own}/samples.jsonl"):
            return text
        return "\n".join(signed(pattern.sub(new, line)) if only in line else line for line in text.splitlines())

    return Records(change)


def is_seen(folder):
    """Whether something differs in a folder's tables."""
    return bool(of_tables(folder)[0])


def of_figures():
    """Samples and tables with other figures."""
    more = lambda found: str(round(float(found[1]) * 1.5) + 1)
    for folder, key, only in (
        ("compare/epyc-m2-2", "wall_ns", '"threads":2'), ("compare/epyc-m2-2", "nodes", '"threads":2'),
        ("tables/epyc-m49-2/pig-14", "wall_ns", '"chains"'),
        ("tuning/epyc-m2-2/dice-network-11", 'setting":"default","wall_ns', '"comparison"'),
        ("play/epyc-m17-2/2048-3-1", "points", ""), ("readings/xeon-m167-2", "other_values", ""),
        ("clusters/epyc-m2-2/dice", "virtual_ns", '"machines":64'), ("devices/epyc-m2-2/pig", "virtual_ns", '"lanes":16'),
    ):
        use(scaled(f"current/{folder}", key, more, only))
        yield f"{key} of {folder}", is_seen(f"current/{folder}")
    use(Records())
    for folder, table, column in (("compare/epyc-m2-2", "figures", "speedup_total"), ("growth/epyc-m2-2/board-5", "growth", "nodes")):
        old = RECORDS.table(f"current/{folder}", table)[0][column]
        new = f"{float(old) * 1.000001:.9f}"
        use(Records(lambda name, text, old=old, new=new: text.replace(old, new, 1) if name.endswith(".csv") else text))
        yield f"the sixth digit of {column} of {folder}", is_seen(f"current/{folder}")


# A folder whose lines are changed to see whether that is found, beside that of `compare`.
CHANGED = "lanes/epyc-m2-2/pig-slow"


def of_records():
    """Lines of records with other numbers: values, errors and checksums have to differ."""
    for folder, key, new, kind, only in (
        ("compare/epyc-m2-2", "score", "7", "values", ""), (CHANGED, "value", "0.125", "values", '"alone"'),
        ("compare/epyc-m2-2", "upper", "8388607", "inexact", ""), ("compare/epyc-m2-2", "completed_depth", "9", "inexact", ""),
    ):
        use(scaled(f"current/{folder}", key, new, only))
        yield f"{key} of {folder} is {new}", kind in faults_of(f"current/{folder}")
    renumbered = lambda text: text.replace('"line":3,', '"line":4,', 1)
    for name, folder, kind, change in (
        ("an error", "compare/epyc-m2-2", "errors", lambda text: text.replace('"error":null', '"error":"no"', 1)),
        ("a digit of a line", CHANGED, "checksums", lambda text: text.replace('"nodes":', '"nodes":1', 1)),
        ("a digit of a checksum", CHANGED, "checksums",
         lambda text: re.sub(r'"crc32":"(.)', lambda f: f'"crc32":"{"1" if f[1] == "0" else "0"}', text, count=1)),
        ("a checksum that is missing", CHANGED, "checksums",
         lambda text: re.sub(r',"crc32":"[0-9a-f]{8}"', "", text, count=1)),
        ("a line's schema that is missing", CHANGED, "checksums", lambda text: text.replace('"schema":6,', "", 1)),
        ("a line that is missing", "compare/epyc-m2-2", "missing", lambda text: "\n".join(text.splitlines()[:70] + text.splitlines()[71:])),
        ("another number", "compare/epyc-m2-2", "missing", renumbered),
        ("a line that is there twice", "compare/epyc-m2-2", "twice", lambda text: text + text.splitlines()[-1] + "\n"),
    ):
        whole = lambda text: "".join(f"{signed(line)}\n" for line in text.splitlines())
        use(Records(lambda own, text, change=change: change(whole(text)) if "/samples.jsonl" in own else text))
        yield name, kind in faults_of(f"current/{folder}")
    for name, file, change in (
        ("a key that stands twice in a line", f"{CHANGED}/samples.jsonl", lambda text: text.replace('"nodes":', '"nodes":7,"nodes":', 1)),
        ("a key that stands twice in a meta.json", f"{CHANGED}/meta.json", lambda text: text.replace('"cores":', '"cores": 7, "cores":', 1)),
    ):
        use(Records(lambda own, text, file=file, change=change: change(text) if own.endswith(file) else text))
        yield name, is_refused(lambda: faults_of(f"current/{CHANGED}"))
    for name, change in (
        ("a word of a meta.json", lambda text: text.replace('"cores": 2', '"cores": 3', 1)),
        ("a checksum of a meta.json that is missing", lambda text: re.sub(r',\s*"crc32": "[0-9a-f]{8}"', "", text, count=1)),
        ("a checksum of a meta.json that is empty", lambda text: re.sub(r'"crc32": "[0-9a-f]{8}"', '"crc32": ""', text, count=1)),
    ):
        use(Records(lambda own, text, change=change: change(text) if own.endswith(f"{CHANGED}/meta.json") else text))
        yield name, "checksums" in faults_of(f"current/{CHANGED}")
    use(Records())
    yield from of_archives()
    yield "none of all this where nothing is changed", not faults_of(f"current/{CHANGED}")
    shallow = git("rev-parse", "--is-shallow-repository").stdout.strip() != "false"
    yield "a revision that the history does not have", shallow or not list(revisions(["0" * 40]))[-1][2]


def of_archives():
    """Archives with another bit, and one that ends early."""
    whole = (HOUSE / "current/compare/epyc-m2-2" / ARCHIVE).read_bytes()
    for what, changed in (
        *((f"a bit of an archive's byte {n}", whole[:n] + bytes([whole[n] ^ 1]) + whole[n + 1:]) for n in (8, len(whole) // 2, len(whole) - 3)),
        ("an archive that ends early", whole[: len(whole) // 2]),
    ):
        yield what, is_refused(lambda: members.__wrapped__(io.BytesIO(changed)))


def is_refused(read):
    """Whether what is read ends the program with a complaint."""
    try:
        read()
    except SystemExit:
        return True
    return False


def faults_of(folder):
    found = Audit()
    found.folder(folder)
    return set(found.faults)


# --- the command -----------------------------------------------------------------------------------------------------


def selftest():
    """Whether every change is seen."""
    fine = True
    for what, seen in (*of_figures(), *of_records()):
        fine &= seen
        print(f"{'seen    ' if seen else 'NOT SEEN'} {what}", flush=True)
    return 0 if fine else 1


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--selftest", action="store_true", help="whether every change is seen")
    if options.parse_args().selftest:
        return selftest()
    fine = True
    for what, found, right in (*audit(), *revisions()):
        fine &= right
        print(f"{'agrees ' if right else 'differs'} records: {what}: {found}", flush=True)
    return 0 if fine else 1


if __name__ == "__main__":
    sys.exit(main())
