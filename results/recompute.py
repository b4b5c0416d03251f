#!/usr/bin/env python3
"""Recomputes the figures that the documents quote, from the raw records under results/current.

    python3 results/recompute.py              one line a headline; exit code 0 if all agree
    python3 results/recompute.py --selftest   changes figures, lines and checksums in memory; each has to be seen

It needs Python 3.10 and its standard library alone, has none of the project's code, and only reads. What a figure means is
said in METHODOLOGY.md: ratios are taken within a round, and their median over the rounds counts, at a position or of the
sums over the positions; a position is large from a million nodes of the baseline on; the baseline is the serial search
whose median times sum to the least; a ceiling is the sum of the rates of independent searches at once; one like
for like (matched) the sum of their nodes a second until the first ended, over those of the search alone. Intervals are of
the percentile bootstrap with the draws that all reports share (PCG XSL RR 128/64, MCG, seed 0x5eed).

A claim is the words of a document with each figure in braces, the record, and what recomputes the figures. The figures are
taken from the words, and a recomputed one agrees if it rounds to as many digits; so a document, a record or a claim that is
changed alone is seen. Words that stand nowhere in their document differ, too.

Before the claims come headlines of the records themselves: checksums, values, rows that are no results, and revisions.
To add a claim, add a `claim(...)` to the function of its document below.
"""

import argparse
import collections
import functools
import gzip
import itertools
import json
import math
import re
import struct
import subprocess
import sys
import zlib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CURRENT = ROOT / "results" / "current"
LARGE = 1_000_000
CLUSTERS = "clusters/epyc-m2-2"
WINDOWS = "windows/epyc-m2-2"
SLACK = "windows-slack/epyc-m2-2"


# --- reading ---------------------------------------------------------------------------------------------------------


class Records:
    """The raw records: lines and meta.json of folders below results/current. The self-test puts changed ones in between."""

    def __init__(self, change=None):
        self.change = change or (lambda _folder, text: text)

    def folders(self):
        """All folders with samples, by name below results/current."""
        found = {path.parent for name in ("samples.jsonl", "samples.jsonl.gz") for path in CURRENT.rglob(name)}
        return sorted(path.relative_to(CURRENT).as_posix() for path in found)

    def texts(self, folder):
        """The lines of a folder as they are written."""
        place = CURRENT / folder
        packed = place / "samples.jsonl.gz"
        raw = gzip.decompress(packed.read_bytes()) if packed.exists() else (place / "samples.jsonl").read_bytes()
        return self.change(folder, raw.decode()).splitlines()

    def meta(self, folder):
        return json.loads((CURRENT / folder / "meta.json").read_text())

    @functools.lru_cache(maxsize=6)
    def lines(self, folder):
        """The lines of a folder that count: those with an error do not."""
        found = [json.loads(text) for text in self.texts(folder)]
        return [line for line in found if not line.get("error")]


RECORDS = Records()
CACHES = []


def kept(function):
    """Remembers what a function found; the self-test forgets it."""
    cached = functools.cache(function)
    CACHES.append(cached)
    return cached


def use(records):
    """From here on these records count."""
    global RECORDS
    RECORDS = records
    for cached in CACHES:
        cached.cache_clear()


def meta_files():
    return sorted(CURRENT.rglob("meta.json"))


# --- arithmetic ------------------------------------------------------------------------------------------------------


def median(samples):
    ordered = sorted(samples)
    if not ordered:
        return math.nan
    return (ordered[len(ordered) // 2] + ordered[(len(ordered) - 1) // 2]) / 2


def quartiles(samples):
    """Lower and upper quartile, by linear interpolation between neighbours."""
    ordered = sorted(samples)

    def at(share):
        place = (len(ordered) - 1) * share
        below = math.floor(place)
        above = min(below + 1, len(ordered) - 1)
        return ordered[below] + (ordered[above] - ordered[below]) * (place - below)

    return at(0.25), at(0.75)


def spread(samples):
    """Median, lower and upper quartile."""
    return median(samples), *quartiles(samples)


def mean(samples):
    samples = list(samples)
    return sum(samples) / len(samples)


def deviation(samples):
    middle = mean(samples)
    return math.sqrt(sum((sample - middle) ** 2 for sample in samples) / (len(samples) - 1))


def geometric_mean(samples):
    samples = list(samples)
    return math.exp(sum(map(math.log, samples)) / len(samples))


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
    ordered, upper = sorted(samples), len(samples) // 2
    lower = (len(samples) - 1) // 2
    figures = []
    for row in draws(len(ordered)):
        row = sorted(row)
        figures.append((ordered[row[lower]] + ordered[row[upper]]) / 2)
    return middle_95(figures)


def sums_interval(pairs):
    """The same of the ratio of two sums over positions, in each of which are the pairs of all rounds."""
    rounds = range(min(map(len, pairs)))
    ones = [[position[r][0] for position in pairs] for r in rounds]
    others = [[position[r][1] for position in pairs] for r in rounds]
    figures = []
    for row in draws(len(pairs)):
        ratios = [sum(map(one.__getitem__, row)) / sum(map(other.__getitem__, row)) for one, other in zip(ones, others)]
        figures.append(median(ratios))
    return middle_95(figures)


def two_stage_interval(positions):
    """The 95% interval of the median over positions of medians over rounds, where rounds and positions are drawn: the rounds
    with a seed of their own, as many, the same for all positions."""
    count = len(positions[0])
    of_rounds = lambda chosen: [median(rounds[number] for number in chosen) for rounds in positions]
    of_rounds = functools.lru_cache(maxsize=None)(of_rounds)
    figures = []
    for chosen, row in zip(draws(count, 0x0DD5EED), draws(len(positions))):
        medians = of_rounds(tuple(sorted(chosen)))
        figures.append(median(medians[place] for place in row))
    return middle_95(figures)


def percent(share):
    return 100 * share


def percents(shares):
    return [100 * share for share in shares]


def millions(number):
    return number / 1e6


# --- speedups --------------------------------------------------------------------------------------------------------


@kept
def runs(folder, model=None):
    """By contender (variant, algorithm, method, ordering, threads), position and round: (nodes, seconds, line). A round of
    a simulation is a seed; its serial searches have none and count for each. Of copies at once the mean of the nodes and the
    harmonic mean of the times; of those that end with the first of them, the nodes of all and the time that they took at the
    sum of their rates."""
    found = collections.defaultdict(lambda: collections.defaultdict(lambda: collections.defaultdict(list)))
    for line in RECORDS.lines(folder):
        simulated = line.get("simulated")
        if model and simulated["model"] != model:
            continue
        contender = tuple(line.get(key) for key in ("variant", "algorithm", "method", "ordering", "threads"))
        found[contender][line["index"]][simulated["seed"] if simulated else line["repeat"]].append(line)
    table = {}
    for contender, positions in found.items():
        for index, rounds in positions.items():
            for number, lines in rounds.items():
                rate = mean(1 / line["wall_ns"] for line in lines)
                cost = (mean(line["nodes"] for line in lines), 1e-9 / rate, lines[0])
                if contender[2] == "matched-ceiling":
                    nodes = sum(line["nodes"] for line in lines)
                    cost = (nodes, 1e-9 * nodes / sum(line["nodes"] / line["wall_ns"] for line in lines), lines[0])
                table.setdefault(contender, {}).setdefault(index, {})[number] = cost
    return table


class Pairs:
    """Contenders of a folder, at the positions and in the rounds that all of them have."""

    def __init__(self, folder, model=None):
        self.table = runs(folder, model)
        seeds = {seed for positions in self.table.values() for rounds in positions.values() for seed in rounds}
        self.numbers = sorted(seeds - {None}) or [None]
        common = set.intersection(*(set(positions) for positions in self.table.values()))
        self.rounds = {index: self._shared(index) for index in sorted(common)}
        self.rounds = {index: rounds for index, rounds in self.rounds.items() if rounds}
        self.serial = {key: key for key in self.table if key[2] == "serial"}
        self.baseline = min(self.serial, key=lambda key: sum(self.medians(key, 1)), default=None)

    def _shared(self, index):
        own = [set(positions[index]) for positions in self.table.values()]
        return sorted(set.intersection(*({*self.numbers} if None in one else one for one in own)), key=lambda n: n or 0)

    def run(self, key, index, number):
        rounds = self.table[key][index]
        return rounds[number] if number in rounds else rounds[None]

    def positions(self, large=False):
        """All, or those of so many nodes of the baseline."""
        if not large:
            return list(self.rounds)
        least = LARGE if large is True else large
        return [index for index, nodes in zip(self.rounds, self.medians(self.baseline, 0)) if nodes >= least]

    def medians(self, key, part):
        """At each position the median over the rounds of nodes (0) or seconds (1)."""
        return [median(self.run(key, index, number)[part] for number in rounds) for index, rounds in self.rounds.items()]

    def figure(self, of, index):
        """What `of` makes of a position and a round, the median over the rounds."""
        return median(of(index, number) for number in self.rounds[index])

    def ratio(self, one, other, part):
        """Of sums: the median over the rounds that all positions have."""
        shared = set.intersection(*map(set, self.rounds.values()))
        return median(self.sums(one, number)[part] / self.sums(other, number)[part] for number in shared)

    def sums(self, key, number):
        found = [self.run(key, index, number) for index in self.rounds]
        return sum(run[0] for run in found), sum(run[1] for run in found)

    def find(self, method, threads=None, ordering=None, variant=None):
        """The one contender that is so."""
        wanted = (variant, None, method, ordering, threads)
        found = [key for key in self.table if all(w is None or w == own for w, own in zip(wanted, key))]
        if len(found) > 1:
            found = [key for key in found if key[3] == self.baseline[3]]
        (key,) = found
        return key


@kept
def pairs(folder, model=None):
    return Pairs(folder, model)


class Speedup:
    """A method on some threads or processors beside the baseline and the machine's ceiling."""

    def __init__(self, folder, method, threads, ordering=None, model=None):
        self.pairs = pairs(folder, model)
        self.threads = threads
        self.key = self.pairs.find(method, threads, ordering)
        own = [key for key in self.pairs.serial if key[3] == self.key[3]]
        self.alone = own[0]
        ceilings = [key for key in self.pairs.table if key[2] == "ceiling" and key[3:] == (self.key[3], threads)]
        self.copies = ceilings[0] if ceilings else None
        matched = [key for key in self.pairs.table if key[2] == "matched-ceiling" and key[3:] == (self.key[3], threads)]
        self.matched = matched[0] if matched else None

    def seconds(self, key, index, number):
        return self.pairs.run(key, index, number)[1]

    def total(self):
        return self.pairs.ratio(self.pairs.baseline, self.key, 1)

    def _speedup(self, index, number):
        return self.seconds(self.pairs.baseline, index, number) / self.seconds(self.key, index, number)

    def _ceiling(self, index, number):
        return self.threads * self.seconds(self.alone, index, number) / self.seconds(self.copies, index, number)

    def _matched(self, index, number):
        rate = lambda key: self.pairs.run(key, index, number)[0] / self.pairs.run(key, index, number)[1]
        return rate(self.matched) / rate(self.alone)

    def large_matched_ceiling(self):
        return median(self.pairs.figure(self._matched, index) for index in self.pairs.positions(True))

    def large_matched_share(self):
        one = lambda index, number: self._speedup(index, number) / self._matched(index, number)
        return median(self.pairs.figure(one, index) for index in self.pairs.positions(True))

    def large_two_stage(self):
        """The interval of the median speedup at large positions, over rounds and positions."""
        rounds = self.pairs.rounds
        return two_stage_interval([[self._speedup(index, n) for n in rounds[index]] for index in self.pairs.positions(True)])

    def each(self, large=True):
        return [self.pairs.figure(self._speedup, index) for index in self.pairs.positions(large)]

    def large(self):
        return median(self.each())

    def all(self):
        return median(self.each(large=False))

    def ceiling(self):
        return self.threads * self.pairs.ratio(self.alone, self.copies, 1)

    def large_ceiling(self):
        return median(self.pairs.figure(self._ceiling, index) for index in self.pairs.positions(True))

    def share(self):
        """Of the sums, within rounds."""
        sums = self.pairs.sums
        shared = set.intersection(*map(set, self.pairs.rounds.values()))

        def one(number):
            speedup = sums(self.pairs.baseline, number)[1] / sums(self.key, number)[1]
            return speedup / (self.threads * sums(self.alone, number)[1] / sums(self.copies, number)[1])

        return median(map(one, shared))

    def large_shares(self, least=True):
        def one(index, number):
            return self._speedup(index, number) / self._ceiling(index, number)

        return [self.pairs.figure(one, index) for index in self.pairs.positions(least)]

    def large_share(self, least=True):
        return median(self.large_shares(least))

    def overhead(self):
        """Of the sums, in percent."""
        return percent(self.pairs.ratio(self.key, self.alone, 0) - 1)

    def large_overheads(self):
        def one(index, number):
            return self.pairs.run(self.key, index, number)[0] / self.pairs.run(self.alone, index, number)[0] - 1

        return [percent(self.pairs.figure(one, index)) for index in self.pairs.positions(True)]

    def large_overhead(self):
        return median(self.large_overheads())

    def _middle(self, ratios):
        """The number of the round whose speedup is in the middle, of two there the lower."""
        ordered = sorted(ratios)
        return ordered[(len(ordered) - 1) // 2][1]

    def _idle(self, lines):
        clocks = [sum(line[name] or 0 for line in lines) for name in ("busy_ns", "idle_ns", "stealing_ns", "parked_ns")]
        return percent(sum(clocks[1:]) / sum(clocks))

    def idle(self):
        """Of the sums, in the round whose speedup is in the middle, in percent."""
        rounds = set.intersection(*map(set, self.pairs.rounds.values()))
        ratio = lambda n: self.pairs.sums(self.pairs.baseline, n)[1] / self.pairs.sums(self.key, n)[1]
        number = self._middle([(ratio(n), n) for n in rounds])
        return self._idle([self.pairs.run(self.key, index, number)[2] for index in self.pairs.rounds])

    def large_idle(self):
        def one(index):
            number = self._middle([(self._speedup(index, n), n) for n in self.pairs.rounds[index]])
            return self._idle([self.pairs.run(self.key, index, number)[2]])

        return median(map(one, self.pairs.positions(True)))

    def large_node_rate(self):
        """Nodes in a second of busy time over those of the serial search, at large positions."""

        def one(index):
            number = self._middle([(self._speedup(index, n), n) for n in self.pairs.rounds[index]])
            line, alone = self.pairs.run(self.key, index, number)[2], self.pairs.run(self.alone, index, number)
            return line["nodes"] / (line["busy_ns"] / 1e9) / (alone[0] / alone[1])

        return median(map(one, self.pairs.positions(True)))


@kept
def speedup(folder, method, threads, ordering=None, model=None):
    return Speedup(folder, method, threads, ordering, model)


def chosen(folder):
    """What the search's own ordering is called in a record: by earlier versions what it chose on Dice."""
    return "auto" if "epyc-m2-2" in folder else "hybrid"


def totals(folder, method, processors, ordering=None, model=None):
    return [speedup(folder, method, count, ordering, model).total() for count in processors]


def larges(folder, method, processors, ordering=None, model=None):
    return [speedup(folder, method, count, ordering, model).large() for count in processors]


def large_interval(folder, method, threads, ordering=None, model=None):
    return median_interval(speedup(folder, method, threads, ordering, model).each())


def baseline_nodes(folder, model=None):
    found = pairs(folder, model)
    return found.medians(found.baseline, 0)


# --- studies ---------------------------------------------------------------------------------------------------------


class Study:
    """Variants of a study, by position and round. Ratios are within a round, to another variant, the first if none is said."""

    PARTS = ("nodes", "evaluations", "wall_ns")

    def __init__(self, folder):
        self.runs, names = {}, []
        for line in RECORDS.lines(folder):
            name = line["variant"]
            if name not in names:
                names.append(name)
            self.runs.setdefault(name, {}).setdefault(line["index"], {})[line["repeat"]] = line
        variants = RECORDS.meta(folder)["settings"].get("variants") or []
        stated = list(variants) if isinstance(variants, dict) else [one["name"] for one in variants]
        self.first = next((name for name in stated if name in names), names[0])
        common = set.intersection(*(set(of) for of in self.runs.values()))
        shared = {index: set.intersection(*(set(of[index]) for of in self.runs.values())) for index in sorted(common)}
        self.rounds = {index: sorted(rounds) for index, rounds in shared.items() if rounds}

    def values(self, name, part, index):
        return [self.runs[name][index][number][part] for number in self.rounds[index]]

    def total(self, name, part):
        """The sum over the positions of the medians over the rounds."""
        return sum(median(self.values(name, part, index)) for index in self.rounds)

    def seconds(self, name):
        return self.total(name, "wall_ns") / 1e9

    def ratio(self, name, part, over=None):
        """Of the sums: the median over the rounds."""
        rounds = set.intersection(*map(set, self.rounds.values()))
        return median(self.sum(name, part, number) / self.sum(over or self.first, part, number) for number in rounds)

    def sum(self, name, part, number):
        return sum(self.runs[name][index][number][part] for index in self.rounds)

    def each(self, name, part, over=None):
        """At each position: the median over the rounds."""
        both = [zip(self.values(name, part, i), self.values(over or self.first, part, i)) for i in self.rounds]
        return [median(own / other for own, other in rounds) for rounds in both]

    def middle(self, name, part, over=None):
        return median(self.each(name, part, over))

    def ratios(self, name, over=None):
        """Of the sums: nodes, evaluations, time."""
        return [self.ratio(name, part, over) for part in self.PARTS]

    def interval(self, name, part="wall_ns", over=None):
        return median_interval(self.each(name, part, over))

    def to_depth(self, name, depth, part):
        """Until a depth was complete, at each position that came to it: the median over the rounds."""
        found = []
        for index in self.rounds:
            steps = [step[part] for run in self.runs[name][index].values() for step in run["iterations"] if step["depth"] == depth]
            if steps:
                found.append(median(steps))
        return found

    def branching(self, name, depth):
        """How many times as many nodes a ply costs, over the last two plies: the median over the positions."""
        found = []
        for index in self.rounds:
            until = collections.defaultdict(list)
            for run in self.runs[name][index].values():
                for step in run["iterations"]:
                    until[step["depth"]].append(step["nodes"])
            own, before = {}, 0
            for at in sorted(until):
                nodes = median(until[at])
                if nodes > before:
                    own[at] = nodes - before
                before = max(before, nodes)
            if depth in own and depth - 2 in own:
                found.append(math.sqrt(own[depth] / own[depth - 2]))
        return median(found)

    def other_values(self, name):
        score = lambda variant, index: next(iter(self.runs[variant][index].values()))["score"]
        return sum(score(name, index) is None or score(name, index) != score(self.first, index) for index in self.rounds)

    def fill(self, name):
        """How full calls are, of those that were made: the mean over the positions, of the first round."""
        first = [self.runs[name][index][rounds[0]]["calls"] for index, rounds in self.rounds.items()]
        return mean(calls["evaluations"] / (calls["calls"] * calls["cap"]) for calls in first)


@kept
def study(folder):
    return Study(folder)


# --- other experiments -----------------------------------------------------------------------------------------------


def simulated_ms(folder, method, processors, ordering):
    """Virtual milliseconds of all searches."""
    found = pairs(folder)
    key = found.find(method, processors, ordering)
    return sum(found.medians(key, 1)) * 1e3


def over_seeds(folder, method, processors):
    """The speedup of the sums under each seed."""
    found = pairs(folder)
    key = found.find(method, processors)
    return [found.sums(found.baseline, seed)[1] / found.sums(key, seed)[1] for seed in found.numbers]


def causes(folder, method, processors):
    """The overhead of the sums and what of it is aborted, duplicate and the rest, in percent."""
    found = pairs(folder)
    key = found.find(method, processors)
    lines = [found.run(key, index, found.numbers[0])[2] for index in found.rounds]
    alone = sum(found.medians(found.baseline, 0))
    overhead = sum(line["nodes"] for line in lines) / alone - 1
    aborted = sum(line["split"]["aborted_nodes"] for line in lines) / alone
    duplicate = sum(line["split"]["duplicate_nodes"] for line in lines) / alone
    return percents([overhead, aborted, duplicate, overhead - aborted - duplicate])


def residuals(folder, model, real, threads=2, of_share=False, method="chance-split"):
    """How much faster large positions are on virtual processors than in real runs, or than the share of the ceiling, each
    position by its own baseline, in percent: median and quartiles."""
    virtual, measured = speedup(folder, method, threads, model=model), speedup(real, method, threads)
    by_place = dict(zip(virtual.pairs.positions(), virtual.each(large=False)))
    places = measured.pairs.positions(True)
    each = [threads * share for share in measured.large_shares()] if of_share else measured.each()
    return spread([percent(by_place[place] / own - 1) for place, own in zip(places, each)])


@kept
def paper_costs(folder, algorithm, ordering, part):
    """At each position, the median over its runs."""
    found = collections.defaultdict(list)
    for line in RECORDS.lines(folder):
        if (line["algorithm"], line["ordering"]) == (algorithm, ordering):
            found[line["index"]].append(line[part])
    return [median(found[index]) for index in sorted(found)]


@kept
def paper_depth(folder, algorithm, depth):
    """Mean nodes until a depth is complete, ordering `paper`, over the positions that come to it."""
    found = collections.defaultdict(list)
    for line in RECORDS.lines(folder):
        if (line["algorithm"], line["ordering"]) == (algorithm, "paper"):
            found[line["index"]] += [step["nodes"] for step in line["iterations"] if step["depth"] == depth]
    return mean(median(nodes) for nodes in found.values() if nodes)


@kept
def graphs(size):
    """Of random games of so many positions: nodes in all with bounds of greater depths over those without, the same in the
    median with its interval, in how many the value is another or open, and by what share of the range of scores in the median
    and at most."""
    lines = [line for line in RECORDS.lines("graphs/epyc-m2-2") if line["positions"] == size]
    total = sum(line["at_least"]["nodes"] for line in lines) / sum(line["exact"]["nodes"] for line in lines)
    each = [line["at_least"]["nodes"] / line["exact"]["nodes"] for line in lines]
    bounds = lambda found: (found["lower"], found["upper"])
    other = [line for line in lines if bounds(line["exact"]) != bounds(line["at_least"])]
    reach = 2 * (2**23 - 1)
    away = [max(abs(line["at_least"][b] - line["exact"][b]) for b in ("lower", "upper")) / reach for line in other]
    return total, median(each), *median_interval(each), len(other), percent(median(away)), percent(max(away))


@kept
def match(folder):
    """Points of the first setting: the mean with its interval over the pairs of games, which are independent; where only one
    player plays, a pair's points are what the first setting's score is more than the second's."""
    lines = {line["number"]: line for line in RECORDS.lines(folder)}
    alone = all((line["two"] if number % 2 else line["one"])["moves"] == 0 for number, line in lines.items())
    both = [(lines[number], lines[number + 1]) for number in lines if number % 2 and number + 1 in lines]
    return estimate([(one["points"] + two["points"]) / (1 if alone else 2) for one, two in both])


def match_games(folder):
    return len(RECORDS.lines(folder))


def wins(folder):
    """The share of points of games worth 1, 0 or -1 each, in percent, with its interval."""
    return [percent((points + 1) / 2) for points in match(folder)]


def side(folder, first):
    """Games, mean score and milliseconds a move of one of the settings, where one player plays."""
    lines = [line for line in RECORDS.lines(folder) if line["number"] % 2 == first]
    own = [line["one" if first else "two"] for line in lines]
    spent = sum(line["time_ns"] for line in own) / sum(line["asked"] for line in own) / 1e6
    results = collections.Counter(line["result"] for line in lines)
    score = mean(line["points"] if first else -line["points"] for line in lines)
    return {"games": len(lines), "score": score, "ms": spent, "results": results}


@kept
def smaller(folder, setting):
    """Beside the full game: nodes over its, and the share of searches that chose another move, both in percent; positions."""
    lines = RECORDS.lines(folder)
    nodes, other = 0, []
    for line in lines:
        own = [search for search in line["searches"] if search["setting"] == setting]
        nodes += mean(search["nodes"] for search in own)
        other += [search["best_move"] != line["full"]["best_move"] for search in own]
    return percent(nodes / sum(line["full"]["nodes"] for line in lines)), percent(mean(other)), len(lines)


def windows_of(game):
    """Where the searches of a game in other windows are."""
    return f"{WINDOWS if game in ('dice', 'hyper-backgammon', '2048') else SLACK}/{game}"


@kept
def windowed(game, way, part):
    """What a way to choose windows took, by position."""
    found = {}
    for line in RECORDS.lines(windows_of(game)):
        found[line["index"]] = next(search[part] for search in line["searches"] if search["way"] == way)
    return [found[index] for index in sorted(found)]


def window_ratio(game, way, part="nodes", beside=None):
    """Over the full windows of the same engine, or over another way, of the sums."""
    beside = beside or f"{way.split(':')[0]}:full"
    return sum(windowed(game, way, part)) / sum(windowed(game, beside, part))


@kept
def window_median(game, way, part="nodes"):
    """The same by position: the median with its interval."""
    beside = windowed(game, f"{way.split(':')[0]}:full", part)
    each = [one / other for one, other in zip(windowed(game, way, part), beside) if other]
    return median(each), *median_interval(each)


def window_passes(game, way):
    """Searches of the root by iteration."""
    iterations = sum(len(line["depths"]) for line in RECORDS.lines(windows_of(game)))
    return sum(windowed(game, way, "passes")) / iterations


@kept
def device(game, threads):
    """By lanes: the virtual time of all positions, in the largest calls."""
    found = collections.Counter()
    for line in RECORDS.lines(f"devices/epyc-m2-2/{game}"):
        if line["threads"] == threads and line["batch"] == 256:
            found[line["lanes"]] += line["virtual_ns"]
    return found


def device_best(game):
    """How many lanes of one thread take least time, and how many times as fast that is as one lane."""
    found = device(game, 1)
    lanes = min(found, key=found.get)
    return lanes, found[1] / found[lanes]


@kept
def tuned(folder, threads):
    """The default beside the best fixed setting: by position and round what either took, as far as both were sound."""
    found = collections.defaultdict(dict)
    for line in RECORDS.lines(folder):
        if line["phase"] != "comparison" or line["threads"] != threads:
            continue
        sound = [s for s in line["searches"] if not s["error"] and not s["stopped"]]
        if len(sound) == 2:
            default, best = sorted(sound, key=lambda search: search["setting"] != "default")
            found[line["index"]][line["repeat"]] = default["wall_ns"], best["wall_ns"]
    rounds = sorted(set.intersection(*map(set, found.values())))
    return [[found[index][number] for number in rounds] for index in sorted(found)]


@kept
def tuned_ratio(folder, threads):
    rounds = zip(*tuned(folder, threads))
    return median(sum(d for d, _ in positions) / sum(b for _, b in positions) for positions in rounds)


def tuned_folders(game=None):
    found = [folder for folder in RECORDS.folders() if folder.startswith("tuning/")]
    return [folder for folder in found if game in (None, RECORDS.meta(folder)["game"])]


def tuned_all(game=None, threads=(1, 2)):
    return [tuned_ratio(folder, count) for folder in tuned_folders(game) for count in threads]


@kept
def tuned_worst(game=None, threads=(1, 2)):
    """The greatest lower end of the 95% intervals. One whose ratio is below that of another's lower end is left out."""
    cells = sorted(((tuned_ratio(f, t), f, t) for f in tuned_folders(game) for t in threads), reverse=True)
    worst = 0.0
    for ratio, folder, count in cells:
        if ratio > worst:
            worst = max(worst, sums_interval(tuned(folder, count))[0])
    return worst


@kept
def tuned_missed(most):
    """In how many cells the lower end of the 95% interval is above this; it is nowhere above the ratio itself."""
    cells = [(f, t) for f in tuned_folders() for t in (1, 2) if tuned_ratio(f, t) > most]
    return sum(sums_interval(tuned(folder, count))[0] > most for folder, count in cells)


GAMES = ("dice", "pig", "einstein", "backgammon", "hyper-backgammon", "2048", "abalone")


@kept
def scheme(size, variant, over="buckets"):
    """Nodes and time over those of `buckets` on one thread, geometric means over the games."""
    studies = [study(f"tables/epyc-m49-2/{game}-{size}") for game in GAMES]
    return [geometric_mean(one.ratio(variant, part, over) for one in studies) for part in ("nodes", "wall_ns")]


def over_games(name, variant, part, over):
    """By game."""
    return {game: study(f"tables/epyc-m49-2/{name}-{game}").ratio(variant, part, over) for game in GAMES}


def table_kept(folder, variant):
    """Of look-ups of what was stored before the share that found it, the mean over the positions."""
    own = [line["kept"] for line in RECORDS.lines(f"tables/epyc-m49-2/{folder}") if line["variant"] == variant]
    return mean(one["found_again"] / one["asked_again"] for one in own if one["asked_again"])


@kept
def cluster(folder):
    """Virtual time and nodes of all positions, by machines (none: one, without a planner), processors, latency, shared."""
    found = {}
    for line in RECORDS.lines(f"{CLUSTERS}/{folder}"):
        plan = line["cluster"]
        key = (plan["machines"], plan["latency_ns"], plan["shares_bounds"]) if plan else line["processors"]
        spent, nodes = found.get(key, (0, 0))
        found[key] = spent + line["virtual_ns"], nodes + line["nodes"]
    return found


def cluster_speedup(folder, *key):
    found = cluster(folder)
    return found[1][0] / found[key if len(key) > 1 else key[0]][0]


def cluster_ends(folder, machines, latency=50_000):
    """With bounds shared and not, where both were asked, the lesser first."""
    keys = [key for key in cluster(folder) if key != 1 and isinstance(key, tuple) and key[:2] == (machines, latency)]
    return sorted(cluster_speedup(folder, *key) for key in keys)


def cluster_nodes(folder, machines):
    found = cluster(folder)
    keys = [key for key in found if isinstance(key, tuple) and key[:2] == (machines, 50_000)]
    return sorted(found[key][1] / found[1][1] for key in keys)


def race(kind, game, evaluator=None, ours="star2-tt"):
    """Of race.json, which has every time: OpenSpiel's seconds over ours of one turn, the median over a position's turns, and
    the median of these over the positions."""
    rows = json.loads((CURRENT / "open-spiel/epyc-m17-2/race.json").read_text())["rows"]
    rows = [row["seconds"] for row in rows if row["game"] == game and evaluator in (None, row["evaluator"])]
    turns = [zip(row[kind]["samples"], row[ours]["samples"]) for row in rows if kind in row]
    return median(median(theirs / own for theirs, own in both) for both in turns)


def logged(folder, name="log.txt"):
    return (CURRENT / folder / name).read_text()


def one_value():
    """By game: how many searches found one value, and whether all lines say so."""
    found = collections.Counter()
    for line in logged("one-value/epyc-m17-2").splitlines():
        told = re.fullmatch(r"(\S+): (\d+) searches by .*: one value; .*", line)
        if told:
            found[told[1]] += int(told[2])
    return found


def printed_p99(what, threads):
    """Of what the bench `latency` printed, which is all that is kept of it: the 99th percentile in microseconds."""
    return float(re.search(rf"^{what} +{threads} +\d+ +\S+ +\S+ +(\S+)", logged("latency/epyc-m17-2", "README.md"), re.MULTILINE)[1])


def told_stops():
    """The least and the greatest of the 99th percentiles on the other machine, in milliseconds."""
    numbers = r"stops on 64 threads took up to ([\d,]+), ([\d,]+), ([\d,]+) and ([\d,]+) micro"
    found = [float(one.replace(",", "")) / 1e3 for one in re.search(numbers, logged("latency/epyc-m17-2", "README.md")).groups()]
    return min(found), max(found)


def costs(folder):
    """What `calibrate` wrote; the fit itself is not made again."""
    return json.loads((CURRENT / folder / "costs.json").read_text())


# --- the records themselves ------------------------------------------------------------------------------------------


class Audit:
    """What is looked at in every line of every record, before any claim."""

    def __init__(self):
        self.counts = collections.Counter()
        self.faults = collections.defaultdict(list)
        self.values = {}
        self.names = collections.Counter()

    def fault(self, kind, where):
        self.faults[kind].append(where)

    def checksum(self, text, schema, where):
        """The last key is the CRC-32 of all that stands before it; lines of schema 4 and before have none."""
        found = re.fullmatch(r'(.*),"crc32":"([0-9a-f]{8})"}', text, re.DOTALL)
        if found and zlib.crc32(found[1].encode()) == int(found[2], 16):
            self.counts["checksums"] += 1
        elif found or schema >= 5:
            self.fault("checksums", where)
        else:
            self.counts["without checksum"] += 1

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
        self.counts["folders"] += 1
        turns, lines = set(), []
        for number, text in enumerate(RECORDS.texts(folder), 1):
            where = f"{folder}, line {number}"
            line = json.loads(text)
            self.counts["lines"] += 1
            lines.append(line)
            self.checksum(text, line.get("schema", 0), where)
            self.number(line, number, where)
            if line.get("error"):
                self.fault("errors", where)
            if (turn := turn_of(line)) in turns:
                self.fault("twice", where)
            turns.add(turn)
            for search, at_most, exact in searches(line, meta):
                game = line.get("game", "dice")
                question = (game, *known, line.get("depth", settings.get("depth")), line["position"])
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
    for folder in RECORDS.folders():
        found.folder(folder)
    counts, faults = found.counts, found.faults
    told = lambda kind: "; ".join(faults[kind][:3]) or "none"
    questions = sum(1 for key in found.values if key[-1] != "bits")
    yield "lines whose checksum is wrong or missing", (
        f"{len(faults['checksums'])} of {counts['lines']:,} in {counts['folders']} folders ({told('checksums')}); "
        f"{counts['checksums']:,} have one, {counts['without checksum']:,} are of schemas before there were any"
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


def git(*words):
    return subprocess.run(["git", "-C", str(ROOT), *words], capture_output=True, text=True, check=False)


def revisions(extra=()):
    """The headlines of revisions, as far as there is a history to ask."""
    named, changed = collections.Counter(extra), collections.Counter()
    for path in meta_files():
        meta = json.loads(path.read_text())
        program = built_from(meta.get("program"))
        own = {meta.get("revision"), program.get("revision")} - {None}
        own |= {revision for part in meta.get("resumed") or [] if (revision := resumed_revision(part))}
        named.update(own)
        if program.get("dirty"):
            changed["/".join(path.relative_to(CURRENT).parts[:2])] += 1
        if len({meta.get("revision"), program.get("revision")} - {None}) > 1:
            named["two in " + path.parent.relative_to(CURRENT).as_posix()] += 1
    yield "runs by sources with changes that were not committed", (
        f"{sum(changed.values())} of {len(meta_files())} meta.json: {dict(changed) or 'none'}"
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


# --- claims ----------------------------------------------------------------------------------------------------------


class Under(float):
    """A figure of which the words give a bound above: rounded up it has to be theirs."""


class Over(float):
    """The same of a bound below."""


class Every(tuple):
    """Figures that all have to round to the same."""


WORDS = {"a third": (1 / 3, 0.04), "a tenth": (0.1, 0.02), "half": (0.5, 0.05), "a fifth": (0.2, 0.03), "a quarter": (0.25, 0.03)}
NUMBERS = dict(zip("no one two three four five six seven eight nine ten eleven twelve thirteen fourteen".split(), range(15)))


def agrees(quoted, found):
    """Whether a figure rounds to what is quoted."""
    if isinstance(found, Every):
        return all(agrees(quoted, one) for one in found)
    if isinstance(found, bool):
        return found
    if quoted in WORDS:
        value, reach = WORDS[quoted]
        return abs(found - value) <= reach
    text = str(NUMBERS.get(quoted, quoted)).replace(",", "").lstrip("+")
    unit = 10.0 ** -len(text.partition(".")[2])
    low, high = {Under: (0, 1), Over: (-1, 0)}.get(type(found), (-0.5, 0.5))
    off = (float(text) - found) / unit
    return low - 1e-6 <= off <= high + 1e-6


NUMBER = r"[-+]?(?:\d[\d,]*(?:\.\d+)?)"
FIGURE = "|".join((NUMBER, *(r"\b" + word.replace(" ", r"\s+") + r"\b" for word in (*WORDS, *NUMBERS))))


class Claim:
    """The words of documents, with a pair of braces for each figure, which is read where they stand; words in braces that are no
    figure stand there as they are, and are true or not."""

    def __init__(self, documents, folder, words, figures):
        self.documents, self.folder, self.words, self.figures = documents, folder, " ".join(words.split()), figures

    @functools.cached_property
    def pattern(self):
        """What finds the words, however their lines are broken, and takes out what is in braces."""
        def part(text):
            if not text.startswith("{"):
                return r"\s+".join(map(re.escape, re.split(r"\s+", text)))
            inner = text[1:-1]
            return f"({FIGURE})" if not inner or re.fullmatch(FIGURE, inner) else "(" + r"\s+".join(map(re.escape, inner.split())) + ")"

        return re.compile(r"(?<![\d.,])" + "".join(map(part, re.split(r"(\{[^}]*\})", self.words))) + r"(?!\d)")

    def places(self, text):
        return list(self.pattern.finditer(text))

    def found(self):
        figures = self.figures()
        figures = list(figures) if isinstance(figures, (list, tuple)) and not isinstance(figures, Every) else [figures]
        if len(figures) != self.pattern.groups:
            raise ValueError(f"{self.pattern.groups} figures in the words, {len(figures)} recomputed")
        return figures

    @staticmethod
    def verdicts(quoted, found):
        return [agrees(" ".join(one.split()), other) for one, other in zip(quoted, found)]

    def best(self, text, found):
        """What the words say at the place where most of it agrees, and the verdicts; nothing where they do not stand at all."""
        places = [(one, self.verdicts(one.groups(), found)) for one in self.places(text)]
        return max(places, key=lambda place: sum(place[1]), default=None)


CLAIMS = []


def claim(documents, folder, words, figures):
    documents = (documents,) if isinstance(documents, str) else documents
    CLAIMS.append(Claim(documents, folder, words, figures))


MANIFEST = ("results/README.md",)  # made from results/manifest.toml
ANSWERS = ("README.md", *MANIFEST)


def show(figure):
    if isinstance(figure, bool):
        return "true" if figure else "not true"
    if isinstance(figure, Every):
        return "/".join(map(show, figure))
    return f"{figure:.5g}" if abs(figure) < 1e5 else f"{figure:,.0f}"


def claims_of_speedups():
    """README.md's answers and what records show, of threads and virtual processors."""
    compare, quick = "compare/epyc-m2-2", "quick/epyc-m2-2"
    two = lambda: speedup(compare, "both", 2)
    claim("README.md", compare, "`compare` searches {} positions of Dice", lambda: len(pairs(compare).rounds))
    claim("README.md", compare, "two threads are {} times as fast with {}% more nodes", lambda: [two().total(), two().overhead()])
    claim(MANIFEST, compare, "on two threads at depth 11 {} times in all", lambda: two().total())
    claim(MANIFEST, compare, "8 rounds: {} in all, {} in the median, overhead {}%",
          lambda: [two().total(), two().all(), two().overhead()])

    real = lambda: speedup(quick + "/real", "both", 2)
    claim(ANSWERS, quick, "on two threads {} of the machine's {} times as fast, on 64 virtual processors {} times",
          lambda: [real().total(), real().ceiling(), *totals(quick + "/virtual", "both", [64])])
    claim(MANIFEST, quick, "2 threads {} of a ceiling of {}, SIMULATED 16 and 64 processors {} and {} by `both`",
          lambda: [real().total(), real().ceiling(), *totals(quick + "/virtual", "both", [16, 64])])

    former, current = "scaling/epyc-m17-2/paper", "scaling/epyc-m2-2/paper"
    on = lambda folder, method="chance-split", threads=2: speedup(folder, method, threads, chosen(folder))
    claim(ANSWERS, current, "on two, {} times at the positions of a million nodes and more, {} of what the machine gives",
          lambda: [on(current, "both").large(), on(current, "both").large_share()])
    claim(ANSWERS, former, "an earlier version on another machine {} times, {} of it",
          lambda: [on(former, "both").large(), on(former, "both").large_share()])
    claim(MANIFEST, former, "`chance-split` {} [{} .. {}] and `both` {} in the median of the large positions, shares of "
          "the ceiling {} and {}, overhead {}%; one thread {}",
          lambda: [*spread(on(former).each()), on(former, "both").large(), on(former).large_share(), on(former, "both").large_share(),
                   Every((on(former).overhead(), on(former, "both").overhead())), on(former, threads=1).large()])
    claim(MANIFEST, current, "`chance-split` {} [{} .. {}] and `both` {} [{} .. {}] in the median of the large "
          "positions, shares of the ceiling {} and {}, overhead {}%; one thread {}; over all positions {} "
          "and {} in all",
          lambda: [*spread(on(current).each()), *spread(on(current, "both").each()), on(current).large_share(),
                   on(current, "both").large_share(), Every((on(current).overhead(), on(current, "both").overhead())),
                   on(current, threads=1).large(), on(current).total(), on(current, "both").total()])

    methods = "scaling-methods/epyc-m2-2"
    names = ("both", "chance-split", "shared-table", "abdada", "root-split", "decision-split", "fork-join")
    large = lambda: [on(methods, name).large() for name in names]
    claim(MANIFEST, methods, "and ABDADA {} to {} of a ceiling of {}, the others {} to {}",
          lambda: [min(large()[:4]), max(large()[:4]), on(methods, "both").large_ceiling(), min(large()[4:]), max(large()[4:])])
    claim(MANIFEST, methods, "the present search: `both` {}, `chance-split` {}, shared table {}, ABDADA {}, root split {}, decision split {}, "
          "fork and join {} of a ceiling of {}", lambda: [*large(), on(methods, "both").large_ceiling()])
    huge = "scaling-large/epyc-m17-2"
    claim(MANIFEST, huge, "{} in all, {} of the ceiling", lambda: [on(huge).total(), on(huge).share()])
    claim(MANIFEST, huge, "({} to {} million nodes), {} rounds: `chance-split` {} in all, {} [{} .. {}] in the "
          "median, `both` {} and {}, of a ceiling of {} and {}; overhead {}%",
          lambda: [*map(millions, (min(baseline_nodes(huge)), max(baseline_nodes(huge)))), len(pairs(huge).rounds[1]),
                   on(huge).total(), *spread(on(huge).each()), on(huge, "both").total(), on(huge, "both").large(),
                   on(huge).ceiling(), on(huge).large_ceiling(), on(huge).overhead()])
    claim(ANSWERS, quick, "{} times, and {yes}", lambda: [*totals(quick + "/virtual", "both", [64]),
          all(one_score(f"{quick}/{part}") for part in ("real", "virtual"))])
    claims_of_algorithms()
    claims_of_simulations()


def claims_of_algorithms():
    algorithms = "algorithms/epyc-m2-2"
    each = ("expectimax", "star1", "star2", "star2-tt")
    real_one = lambda name: speedup(f"{algorithms}/real-{name}", "chance-split", 2)
    virtual = lambda name: speedup(f"{algorithms}/virtual-{name}", "chance-split", 64)
    shares = lambda: [real_one(name).large_share() for name in each]
    claim(ANSWERS, algorithms, "on two threads {}, {}, {} and {} times ({} to {} of the ceiling); SIMULATED, "
          "64 processors, of the sums, {}, {}, {} and {} times, with {}, {}, {} and {}% redundant nodes",
          lambda: [*(real_one(name).large() for name in each), min(shares()), max(shares()),
                   *(virtual(name).total() for name in each), *(virtual(name).overhead() for name in each)])


def claims_of_simulations():
    paper, large, former = "simulate/epyc-m2-2/paper", "simulate-large/epyc-m17-2", "../archive/2026-11-23-simulate-large"
    size = lambda folder, places=None: [millions(of(baseline_nodes(folder))) for of in (min, max)]
    claim(ANSWERS, paper, "searches of {} to {} million by `unit` {}, {} and {} on 16, 64 and 256",
          lambda: [*large_size(paper), *larges(paper, "both", [16, 64, 256])])
    claims_of_calibrated_processors()
    claims_of_the_largest()
    claims_of_games_on_many()
    claims_of_seeds()
    claim(MANIFEST, paper, "({} to {} million nodes): `both` {}, {}, {} and {} on 16, 64, 256 and 1,024, "
          "`chance-split` {}, {}, {} and {}", lambda: [*large_size(paper),
          *larges(paper, "both", [16, 64, 256, 1024]), *larges(paper, "chance-split", [16, 64, 256, 1024])])
    claim(MANIFEST, large, "{}, {}, {} and {} times on 16, 64, 256 and 1,024 by `both` under `unit`",
          lambda: larges(large, "both", [16, 64, 256, 1024]))
    claim(MANIFEST, former, "{} on 1,024)", lambda: larges(former, "both", [1024]))
    for folder, words in (
        (large, "{} to {} million nodes: `both` {}, {}, {} and {}, `chance-split` {}, {}, {} and {} on"),
        (former, "{} to {} million nodes: `both` {}, {}, {} and {}, `chance-split` {}, {}, {} and {} on"),
    ):
        claim(MANIFEST, folder, words, lambda folder=folder: [*size(folder), *larges(folder, "both", [16, 64, 256, 1024]),
              *larges(folder, "chance-split", [16, 64, 256, 1024])])
    methods = "simulate-methods/epyc-m2-2"
    names = ("both", "chance-split", "abdada", "shared-table", "root-split", "decision-split")
    on = lambda name, model: speedup(methods, name, 256, None, model).total()
    dear = lambda name: on(name, calibrated(methods))
    claim(MANIFEST, methods, "`both` {} times on 256, chance split {}, the others {} to {}; by `unit` `both` {}", lambda: [
          dear("both"), dear("chance-split"), *(of(map(dear, names[2:])) for of in (min, max)), on("both", "unit")])
    claim(MANIFEST, methods, "`both` {} and {} times (calibrated costs, `unit`), chance split {} and {}, ABDADA {}, shared table {}, "
          "root {}, decision split {}", lambda: [dear("both"), on("both", "unit"), dear("chance-split"), on("chance-split", "unit"),
          *map(dear, names[2:])])
    claim(MANIFEST, methods, "four searches of {} to {} million nodes", lambda: node_range(methods))
    seeds = "simulate-seeds/epyc-m2-2"
    ends = lambda count: [of(over_seeds(seeds, "both", count)) for of in (min, max)]
    claim(MANIFEST, seeds, "{} seeds, eight positions: of the sums {} to {}, {} to {} and {} to {} on 16, 64 "
          "and 1,024 processors (`both`)", lambda: [len(pairs(seeds).numbers), *ends(16), *ends(64), *ends(1024)])
    claim(MANIFEST, seeds, "the spread of {} seeds is {}% of the sums of eight positions on 16, 64 and 1,024 processors",
          lambda: [len(pairs(seeds).numbers), Every(seed_reach(seeds, count) for count in (16, 64, 1024))])
    scaling = "ablation-scaling/epyc-m2-2"
    without = ("without-hybrid-ordering", "without-leaf-collapse", "without-static-bounds", "without-table-from-depth-3")
    claim(ANSWERS, scaling, "on 64 processors the default gains {}, without one of them {} to {}",
          lambda: [*totals(scaling + "/default", "both", [64]),
                   *(of(totals(f"{scaling}/{name}", "both", [64])[0] for name in without) for of in (min, max))])
    claim(ANSWERS[1], "simulate-two/epyc-m2-2", "+{} to +{}%, least by the root split and most by ABDADA", errors)
    claims_of_sharing()


def claims_of_sharing():
    guess = "guess/epyc-m2-2/virtual"
    on = lambda method, count: speedup(guess, method, count)
    claim(ANSWERS, guess, "{less at the speedup that decision nodes end at}, {more at equal numbers of processors}; decision nodes have too little to share", lambda: [
          on("chance-split", 4).large() > on("decision-split", 16).large()
          and on("chance-split", 4).large_overhead() < on("decision-split", 16).large_overhead(),
          all(on("chance-split", count).overhead() > on("decision-split", count).overhead() for count in (4, 16, 64))])
    split = "split-depth/epyc-m2-2"
    lost = lambda run: 1 - totals(f"{split}/{run}", "both", [256])[0] / totals(f"{split}/depth-7", "both", [256])[0]
    claim(MANIFEST, split, "half the depth or ten times the size costs {} to {}% on 256 processors",
          lambda: [percent(lost("depth-3")), percent(lost("size-10000"))])
    two = "two-threads-games/epyc-m2-2"
    gains = lambda: {game: speedup(f"{two}/{game}", "both", 2) for game in GAMES}
    others = lambda: [gains()[game].share() for game in GAMES if game not in ("2048", "pig")]
    claim(ANSWERS, two, "{} to {} times, {} (2048), {} (Pig) and {} to {} (the others) of the ceiling",
          lambda: [*(of(one.total() for one in gains().values()) for of in (min, max)), gains()["2048"].share(),
                   gains()["pig"].share(), min(others()), max(others())])


def one_score(folder):
    """Whether all searches of a position in a folder that were not stopped have one score."""
    found = collections.defaultdict(set)
    for line in RECORDS.lines(folder):
        if not line["stopped"]:
            found[line["position"]].add(line["score"])
    return all(len(scores) == 1 for scores in found.values())


def large_size(folder):
    """The least and the greatest number of nodes of large positions, in millions."""
    nodes = [nodes for nodes in baseline_nodes(folder) if nodes >= LARGE]
    return millions(min(nodes)), millions(max(nodes))


def claims_of_studies():
    """README.md's answers and what records show, of variants on one thread."""
    whole = lambda: study("ablation/epyc-m2-2/techniques")
    claim(ANSWERS, "ablation/epyc-m2-2", "the default takes {}% of the nodes and {}% of the time of the paper's Star2-TT, "
          "without leaf collapse {} times the nodes and {}% of the time",
          lambda: [percent(whole().ratio("default", "nodes")), percent(whole().ratio("default", "wall_ns")),
                   whole().ratio("default - leaf collapse", "nodes"), percent(whole().ratio("default - leaf collapse", "wall_ns"))])
    factor = lambda: study("probing-factor/epyc-m2-2/default")
    claim(ANSWERS, "probing-factor/epyc-m2-2", "one; none takes {} times the nodes, two {} times",
          lambda: [factor().ratio("k=0", "nodes"), factor().ratio("k=2", "nodes")])
    successor = lambda: study("successor-probing/epyc-m2-2/depths")
    claim(MANIFEST, "successor-probing/epyc-m2-2", "from {} on; it saves {} to {}% of the time and hardly a node",
          lambda: [float(successor().first), *sorted(percent(successor().middle(name, "wall_ns") - 1) for name in ("254", "2"))])
    claim(MANIFEST, "successor-probing/epyc-m2-2", "4 saves {} to {}% of the time and {}% of the nodes",
          lambda: [*sorted(percent(successor().middle(name, "wall_ns") - 1) for name in ("254", "2")),
                   percent(successor().ratio("254", "nodes") - 1)])
    size = lambda: study("table-size/epyc-m2-2/sizes")
    claim(ANSWERS, "table-size/epyc-m2-2", "{}% more nodes with 1 MiB, none from {} MiB on",
          lambda: [percent(size().ratio("1 MiB", "nodes") - 1), least_size()])
    claim(MANIFEST, "reuse/epyc-m2-2", "at {} of {} positions the value",
          lambda: [study("reuse/epyc-m2-2/pass").other_values("at-least"), len(study("reuse/epyc-m2-2/pass").rounds)])
    claim(MANIFEST, "reuse/epyc-m2-2", "change the value at {} of {} positions where positions recur",
          lambda: [study("reuse/epyc-m2-2/pass").other_values("at-least"), len(study("reuse/epyc-m2-2/pass").rounds)])
    growth = lambda side: study(f"growth/epyc-m2-2/board-{side}").branching("default", 11)
    claim(ANSWERS, "growth/epyc-m2-2", "by {} a ply at the end on 3 by 3, {} on 5 by 5, {} on 7 by 7",
          lambda: [growth(3), growth(5), growth(7)])
    deeper = lambda: study("deeper/epyc-m2-2/default")
    mean_nodes = lambda depth: geometric_mean(deeper().to_depth("default", depth, "nodes"))
    claim(MANIFEST, "deeper/epyc-m2-2", "by {} for the two plies to depth 11, {} to 17; {} s for the paper's {} positions to 17",
          lambda: [mean_nodes(11) / mean_nodes(9), mean_nodes(17) / mean_nodes(15), deeper().seconds("default"), len(deeper().rounds)])
    claims_of_games()


def claims_of_games():
    games = "games/epyc-m17-2"
    names = ("dice", "pig", "einstein", "backgammon", "hyper-backgammon", "2048")
    over = lambda variant, part, which: [percent(study(f"{games}/{game}").ratio(variant, part)) for game in which]
    claim(ANSWERS, games, "the default takes {} to {}% of Expectimax's nodes and {} to {}% of its time, in 2048 {} and {}%, "
          "where the paper's Star2-TT takes {} and {}%",
          lambda: [*(of(over("default", part, names[:-1])) for part in ("nodes", "wall_ns") for of in (min, max)),
                   *(over(v, part, ["2048"])[0] for v in ("default", "star2-tt") for part in ("nodes", "wall_ns"))])
    abalone = lambda folder, name: [percent(1 - study(f"abalone-table/epyc-m17-2/{folder}").ratio(name, part, without(name)))
                                    for part in ("nodes", "wall_ns")]
    without = lambda name: f"{name} without table"
    claim(ANSWERS, "abalone-table/epyc-m17-2", "with the paper's ordering, {}% of the nodes to depth 5 and {}% to depth 6, and {half} "
          "the time there; the default, from depth 3 on, {} and {}%",
          lambda: [abalone("play", "paper")[0], abalone("play-deeper", "paper")[0], abalone("play-deeper", "paper")[1] / 100,
                   abalone("play", "default")[0], abalone("play-deeper", "default")[0]])
    claim(ANSWERS, "tuning/epyc-m2-2", "it takes {} of the time of the best of {} in the median of {} games, evaluators, depths "
          "and numbers of threads, and, by the lower end of the 95% interval, at most {} of it in each",
          lambda: [median(tuned_all()), tuned_settings(), len(tuned_all()), tuned_worst()])
    former = [f for f in RECORDS.folders() if f.startswith("ablation-games/")]
    claim(ANSWERS, "ablation-games/epyc-m2-2", "the former default takes {} to {} times as long",
          lambda: [of(study(folder).ratio("former default", "wall_ns") for folder in former) for of in (min, max)])
    claims_of_play()
    claims_of_lanes()


def tuned_settings():
    """How many fixed settings the best was searched for among, on one thread."""
    choices = RECORDS.meta(tuned_folders()[0])["settings"]["choices"]
    return math.prod(map(len, choices))


def claims_of_play():
    play, ai = "play/epyc-m17-2", "2048-ai/epyc-m2-2"
    tops = lambda folder, first: side(folder, first)["results"]["4096"]
    claim(ANSWERS, play, "in EinStein {}, {} and {}% against two plies less (depth 3, 5, 7); 2048 makes 4096 in {}, {} and "
          "{} of {} games", lambda: [*(wins(f"{play}/einstein-{pair}")[0] for pair in ("3-1", "5-3", "7-5")),
          *(tops(f"{play}/2048-{pair}", True) for pair in ("3-1", "5-3", "7-5")), side(f"{play}/2048-3-1", True)["games"]])
    gnubg = "gnubg/epyc-m17-2"
    lost = lambda folder: [-match(f"{gnubg}/{folder}")[0], (match(f"{gnubg}/{folder}")[2] - match(f"{gnubg}/{folder}")[1]) / 2]
    claim(ANSWERS, gnubg, "it loses {} +- {} points a game to theirs without looking ahead; to depth 3 {} +- {}",
          lambda: lost("network") + lost("search"))
    claim(MANIFEST, gnubg, "{} without search, {} with exact search to depth 3",
          lambda: [match_games(f"{gnubg}/network"), match_games(f"{gnubg}/search")])
    depths = ("depth-3", "depth-5", "depth-7")
    claim(MANIFEST, ai, "{}, {} and {} of {}, {} and {} games reach 4096 to depth 3, 5 and 7, of its {}, {} and {}",
          lambda: [*(tops(f"{ai}/{d}", True) for d in depths), *(side(f"{ai}/{d}", True)["games"] for d in depths),
                   *(tops(f"{ai}/{d}", False) for d in depths)])
    claim(MANIFEST, ai, "takes {} to {} times its time a move",
          lambda: [of(side(f"{ai}/{d}", True)["ms"] / side(f"{ai}/{d}", False)["ms"] for d in depths) for of in (min, max)])
    claim(ANSWERS, "smaller/epyc-m2-2", "the 8 best moves within 0.16: {}% of the nodes and {no} other move at {} positions; 4 outcomes "
          "drawn: {}%, and another move at {}%", lambda: [*smaller("smaller/epyc-m2-2/backgammon-5", "top-moves=8+within=0.16"),
          *smaller("smaller/epyc-m2-2/backgammon-5", "sampled=4")[:2]])
    points = lambda run: match(f"smaller/epyc-m2-2/{run}")
    claim(ANSWERS, "smaller/epyc-m2-2", "At 20 ms a move the 8 best moves play {as well as all}, drawn outcomes {far worse}", lambda: [
          all(points(f"{game}-top-moves")[1] < 0 < points(f"{game}-top-moves")[2] for game in ("backgammon", "einstein")),
          all(points(f"{game}-sampled")[2] < -0.1 for game in ("backgammon", "einstein"))])
    claim(MANIFEST, "open-spiel/epyc-m17-2", "{} times on Pig, {} on EinStein ({} with the dearer evaluator), {} times its "
          "compiled one", lambda: [race("open_spiel", "pig"), race("open_spiel", "einstein"),
          race("open_spiel", "einstein", "material"), race("compiled", "einstein", "constant")])
    claim(MANIFEST, "one-value/epyc-m17-2", "yes, in {} searches each on the whole suites of all {seven} games",
          lambda: [Every(one_value().values()), len(one_value())])
    latency = "latency/epyc-m17-2"
    claim(MANIFEST, latency, "a stop returns within {} ms in 99 of 100 cases on 64 threads and two cores, aborts on two threads within {} "
          "microseconds; on another machine within {} to {} ms and {} microseconds", lambda: [printed_p99("stop", 64) / 1e3,
          printed_p99("abort", 2), *told_stops(), float(re.search(r"Aborts on two threads: 99 of 100 within ([\d.]+)\.",
          logged(latency, "README.md"))[1])])
    claim("docs/parallel.md", "calibrate", "fits a split with {} and {} ns on two machines", lambda: [
          costs(f"calibrate/{machine}")["split"] for machine in ("epyc-m2-2", "epyc-m17-2")])
    claim("docs/parallel.md", "lanes/epyc-m49-2", "{}% more evaluations with 16 lanes in backgammon", lambda: percent(
          study("lanes/epyc-m49-2/backgammon-slow").ratio("16/64 rest", "evaluations") - 1))
    soak = "soak/epyc-m2-2"
    last = lambda: RECORDS.lines(soak)[-1]
    claim(MANIFEST, soak, "no, in {} searches of {} games", lambda: [last()["searches"], last()["games"]])
    claim(MANIFEST, soak, "{} searches of {} cases, seven games and random graphs, {} of them stopped, {} in lanes, {} tables saved and taken up "
          "again", lambda: [last()[name] for name in ("searches", "games", "stopped", "searches_in_lanes", "saved_tables")])
    claim(MANIFEST, soak, "{}, {} and {} million splits in the probing phase, the Star1 phase and at decision nodes, {} million steals, {} million "
          "aborts: {no} difference, no hang",
          lambda: [*(millions(last()[name]) for name in ("probing_splits", "star1_splits", "decision_splits", "steals", "aborts")),
                   last()["differences"]])


def claims_of_lanes():
    lanes = "lanes/epyc-m49-2"
    on = lambda game: study(f"{lanes}/{game}-slow").ratio("default", "wall_ns")
    mlp = lambda: study(f"{lanes}/backgammon-mlp")
    claim(ANSWERS, lanes, "take {} of the time of one evaluation after another in backgammon, {} in Dice and {} in Pig; with "
          "`mlp` on the same core {}", lambda: [*map(on, ("backgammon", "dice", "pig")), mlp().ratio("default", "wall_ns")])
    first, second = ("backgammon", "hyper-backgammon", "einstein"), ("pig", "2048", "abalone")
    best = lambda games: [Every(device_best(game)[0] for game in games)]
    ends = lambda games: [of(device_best(game)[1] for game in games) for of in (min, max)]
    claim(ANSWERS, "devices/epyc-m2-2", "for one thread least with {} lanes in backgammon, hyper-backgammon and EinStein, and within "
          "{}% of it in Dice, {} to {} times as fast as with one, and with {} in Pig, 2048 and Abalone, {} to {} times",
          lambda: [best(first)[0], Under(percent(device("dice", 1)[64] / min(device("dice", 1).values()) - 1)), *ends(first + ("dice",)),
                   *best(second), *ends(second)])
    one = ("always", "keep-first", "deepest", "reference-bit", "deep", "big1", "bigall")
    times = lambda names: [scheme(size, name)[1] for size in (10, 14, 18) for name in names]
    claim(ANSWERS, "tables/epyc-m49-2", "one entry {} to {} of it, two {} to {}, chains {} to {} although they save {}% "
          "of the nodes with 2^18 entries", lambda: [min(times(one)), max(times(one)), *(of(times(("twodeep", "twobig1"))) for of in (min, max)), min(times(["chains"])),
          max(times(["chains"])), percent(1 - scheme(18, "chains")[0])])
    claims_of_clusters()


def claims_of_clusters():
    """Half of linear is left out, which is an extrapolation. `claims_of_plans` has those of docs/planner.md."""
    record = CLUSTERS
    plans = lambda folder: [cluster_ends(folder, machines) for machines in (1, 4, 16, 64)]
    claim(ANSWERS, record, "{} times as fast in Dice and {} in 2048 on one machine without a planner; by a planner at 50 us a message "
          "{}, {}, {} to {} and {} to {} times on 1, 4, 16 and 64 machines in Dice, {}, {}, {} and {} in 2048",
          lambda: [*(cluster_speedup(folder, 64) for folder in ("dice", "2048")), *map(Every, plans("dice")[:2]), *plans("dice")[2],
                   *plans("dice")[3], *(only for only, in plans("2048"))])


TWO_METHODS = {"chance-split": "chance split", "decision-split": "decision split", "both": "both", "root-split": "root split",
               "shared-table": "shared table", "abdada": "ABDADA"}


def errors():
    """The residuals of six methods, least and greatest."""
    found = [residuals("simulate-two/epyc-m2-2", None, "scaling-methods/epyc-m2-2", method=method)[0] for method in TWO_METHODS]
    return [min(found), max(found)]


def claims_of_methodology():
    name = "METHODOLOGY.md"
    two, real = "simulate-two/epyc-m2-2", "scaling-methods/epyc-m2-2"
    for method, label in TWO_METHODS.items():
        claim(name, two, f"| {label} | " + "{} | {} | +{}% | +{}% |", lambda method=method: [
              speedup(real, method, 2).large(), speedup(two, method, 2).large(), residuals(two, None, real, method=method)[0],
              residuals(two, None, real, of_share=True, method=method)[0]])
    nodes_of = lambda folder: [costs(folder)[event] / costs(folder)["node"] for event in ("evaluation", "table", "split", "steal")]
    for folder, words in (
        ("calibrate/epyc-m2-2", "a node takes {} ns, an evaluation {} times as long, a look-up or store {}, a split {} and a steal "
         "{} times"),
        ("calibrate/epyc-m17-2", "a node {} ns and the others {}, {}, {} and {} times"),
    ):
        claim(name, folder, words, lambda folder=folder: [costs(folder)["node"], *nodes_of(folder)])


def calibrated(folder):
    """The name of the model that is not `unit`."""
    (name,) = {line["simulated"]["model"] for line in RECORDS.lines(folder)} - {"unit"}
    return name


def claims_of_paper_tables():
    name, folder = "paper-notes.md", "paper/epyc-m2-2"
    each = ("expectimax", "star1", "star2", "star2-tt")
    of = {"min": min, "median": median, "max": max, "mean": mean, "std": deviation}
    nodes = {
        "min": "{} | {} | {} | {}", "median": "{} | {} | {} | {}",
        "max": "{} | {} | {} | {}", "mean": "{} | {} | {} | {}",
        "std": "{} | {} | {} | {}"}
    seconds = {
        "min": "{} | {} | {} | {}", "median": "{} | {} | {} | {}",
        "max": "{} | {} | {} | {}", "mean": "{} | {} | {} | {}",
        "std": "{} | {} | {} | {}"}
    for row in of:
        claim(name, folder, f"| {row} | {nodes[row]} |",
              lambda row=row: [millions(of[row](paper_costs(folder, a, "paper", "nodes"))) for a in each])
        claim(name, folder, f"| {row} | {seconds[row]} |",
              lambda row=row: [of[row](paper_costs(folder, a, "paper", "wall_ns")) / 1e9 for a in each])
    for depth, words in (
        (5, "{} | {} | {} | {}"), (7, "{} | {} | {} | {}"),
        (9, "{} | {} | {} | {}"), (11, "{} | {} | {} | {}"),
        (13, "{} | {} | {} | {}"),
    ):
        claim(name, folder, f"| {depth} | {words} |", lambda depth=depth: [paper_depth(folder, a, depth) for a in each])
    claims_of_paper_ratios()
    claims_of_turns()
    claims_of_readings()
    leaves = lambda: sum(paper_costs(folder, "star2-tt", "paper", "leaves"))
    ablated = lambda: study("ablation/epyc-m2-2/techniques")
    claim("docs/performance.md", folder, "without either each of its {} million leaves would be one", lambda: millions(leaves()))
    claim("docs/performance.md", folder, "*Evaluations* of the default are {}% of the leaves of the paper's Star2-TT, but {} times what that evaluates",
          lambda: [percent(ablated().total("default", "evaluations") / leaves()), ablated().ratio("default", "evaluations")])


@kept
def paper_ratio(one, other, part="nodes", ordering="paper"):
    """Of the sums over the positions, of each of which the median over its runs."""
    both = [sum(paper_costs("paper/epyc-m2-2", name, ordering, part)) for name in (one, other)]
    return both[0] / both[1]


@kept
def paper_ratios(one, other, part="nodes", ordering="paper"):
    """At each position."""
    return [a / b for a, b in zip(*(paper_costs("paper/epyc-m2-2", name, ordering, part) for name in (one, other)))]


def paper_more(one, other, part="nodes", ordering="paper"):
    """At how many positions one visits more, or takes longer, than the other."""
    return sum(ratio > 1 for ratio in paper_ratios(one, other, part, ordering))


def paper_table(algorithm, *names):
    """What the table of an algorithm was asked and said, under ordering `paper`, in millions."""
    lines = [line for line in RECORDS.lines("paper/epyc-m2-2") if (line["algorithm"], line["ordering"]) == (algorithm, "paper")]
    return [millions(sum(line["table"].get(name, line.get(name)) for line in lines)) for name in names]


PAPER_PAIRS = (("star1", "expectimax"), ("star2", "expectimax"), ("star2", "star1"), ("star2-tt", "star2"))


def claims_of_paper_ratios():
    name, folder = "paper-notes.md", "paper/epyc-m2-2"
    claim(ANSWERS, folder, "of the sums of nodes Star1 visits {} of Expectimax's (the paper: 0.39), Star2 {} of Star1's (0.41), and more "
          "than Star1 at {} of {} positions (none), Star2-TT {} of Star2's (0.63), for which it takes {} times the time (0.69)",
          lambda: [paper_ratio("star1", "expectimax"), paper_ratio("star2", "star1"), paper_more("star2", "star1"),
                   len(paper_ratios("star2", "star1")), paper_ratio("star2-tt", "star2"), paper_ratio("star2-tt", "star2", "wall_ns")])
    for part, rows in (
        ("nodes", {"paper": "{} | {} | {} | {}", "static": "{} | {} | {} | {}",
                   "hybrid": "{} | {} | {} | {}", None: "{} | {} | {} | {}"}),
        ("wall_ns", {"paper": "{} | {} | {} | {}", "static": "{} | {} | {} | {}",
                     "hybrid": "{} | {} | {} | {}", None: "{} | {} | {} | {}"}),
    ):
        for ordering, words in rows.items():
            if ordering:
                claim(name, folder, f"| ordering `{ordering}`, sums | {words} |", lambda part=part, ordering=ordering: [
                      paper_ratio(one, other, part, ordering) for one, other in PAPER_PAIRS])
            else:
                claim(name, folder, f"| ordering `paper`, median of the positions | {words} |", lambda part=part: [
                      median(paper_ratios(one, other, part)) for one, other in PAPER_PAIRS])
    claim(name, folder, "Star2-TT looks up {} million successors, and {} chance node is cut by what they say, where {} million are cut by "
          "their own entries", lambda: [*paper_table("star2-tt", "successor_probes"), 1e6 * paper_table("star2-tt", "successor_cutoffs")[0],
          *paper_table("star2-tt", "chance_cutoffs")])


def paper_turn(ordering, ratio=1, measured=False):
    """The nanoseconds of an evaluation from which on Star2-TT takes less than `ratio` of Star2's time: everything else by the
    calibrated costs of a node and of a look-up or store, or what the measured time leaves without the calibrated evaluations."""
    sums = lambda algorithm, *parts: sum(line["table"].get(part, line.get(part)) for line in RECORDS.lines("paper/epyc-m2-2")
                                         if (line["algorithm"], line["ordering"]) == (algorithm, ordering) for part in parts)
    price = costs("calibrate/epyc-m2-2")
    def rest(algorithm):
        if measured:
            return sums(algorithm, "wall_ns") - price["evaluation"] * sums(algorithm, "evaluations")
        return price["node"] * sums(algorithm, "nodes") + price["table"] * sums(algorithm, "probes", "stores")
    spared = ratio * sums("star2", "evaluations") - sums("star2-tt", "evaluations")
    return (rest("star2-tt") - ratio * rest("star2")) / spared


FIRST, SECOND, THIRD = "readings/xeon-m167-2", "readings-second/xeon-m167-2", "readings-third/xeon-m167-2"
HELD_OUT, TIMED = "readings-held-out/xeon-m167-2", "readings-time/xeon-m167-2"
PAPER_NAMES = ("expectimax", "star1", "star2", "star2_tt")
# The paper's Tables I and II as printed: least, median, greatest, mean, deviation; the algorithms as above.
PAPER_NODES = ("0.02 0.01 0.01 0.01", "13.93 3.99 3.24 1.79", "273.8 136.7 31.69 22.81", "37.78 14.76 6.12 3.85", "54.67 24.38 7.01 4.70")
PAPER_SECONDS = ("0.44 0.27 0.31 0.27", "211 62.25 45.14 28.26", "4669 2326 487.8 374.1", "609.1 238.1 88.55 60.83", "913.5 408.3 104.6 75.9")
PAPER_STATISTICS = (min, median, max, mean, deviation)


def reading_line(folder, name):
    """The line of a reading on the first set with the library's network."""
    (line,) = (line for line in RECORDS.lines(folder) if (line["reading"], line["set"], line["network"]) == (name, 1, "library"))
    return line


def reading_others(name):
    return [line for line in RECORDS.lines(HELD_OUT) if line["reading"] == name and (line["set"], line["network"]) != (1, "library")]


def reading_names(folder):
    return list(dict.fromkeys(line["reading"] for line in RECORDS.lines(folder)))


def reading_ratios(line, part="nodes"):
    """Of the sums, in the order of PAPER_PAIRS."""
    of = lambda algorithm: sum(line[algorithm.replace("-", "_")][part])
    return [of(one) / of(other) for one, other in PAPER_PAIRS]


def printed(text):
    """What a printed figure may have been before it was rounded."""
    half = 0.5 * 10.0 ** -len(text.partition(".")[2])
    return float(text) - half, float(text) + half


def off(figure, low, high):
    return math.log(figure / min(max(figure, low), high))


def root_mean_square(parts):
    return math.sqrt(mean([part * part for part in parts]))


@kept
def reading_distance(folder, number, of_nodes=False):
    """The distance of a line from the paper's figures: of all 35, or of the 15 ratios of Table I alone."""
    line = RECORDS.lines(folder)[number]
    rows = lambda part: [[of(line[name][part]) for name in PAPER_NAMES] for of in PAPER_STATISTICS]
    levels = [off(ours[0] / 1e6, *printed(row.split()[0])) for ours, row in zip(rows("nodes"), PAPER_NODES)]
    parts = [] if of_nodes else levels
    for part, table in (("nodes", PAPER_NODES), ("evaluations", PAPER_SECONDS))[:1 if of_nodes else 2]:
        for ours, row in zip(rows(part), table):
            ranges = [printed(text) for text in row.split()]
            parts += [off(ours[one] / ours[other], ranges[one][0] / ranges[other][1], ranges[one][1] / ranges[other][0])
                      for one, other in ((1, 0), (2, 1), (3, 2))]
    return root_mean_square(parts)


def distance_of(folder, line):
    return reading_distance(folder, RECORDS.lines(folder).index(line))


def star2_beyond(line):
    return sum(a > b for a, b in zip(line["star2"]["nodes"], line["star1"]["nodes"]))


def readings_by_distance():
    """All that were searched on the first set with the library's network, the nearest first, each with its folder."""
    every = [(folder, name) for folder in (FIRST, SECOND, THIRD) for name in reading_names(folder)]
    return sorted(every, key=lambda one: distance_of(one[0], reading_line(*one)))


def claims_of_turns():
    name, folder = "paper-notes.md", "paper/epyc-m2-2, calibrate/xeon-m207-2"
    ratio = lambda: paper_ratio("star2-tt", "star2", "evaluations")
    claim((name, REPORT), folder, "from {} ns an evaluation on by calibrated costs, and from {} ns by the measured times", lambda: [
          paper_turn("paper"), paper_turn("paper", measured=True)])
    claim((name, REPORT), folder, "The paper's 0.69 is reached at {} and {} us", lambda: [
          paper_turn("paper", 0.69) / 1e3, paper_turn("paper", 0.69, True) / 1e3])
    claim((name, REPORT), folder, "makes {} of Star2's evaluations", ratio)


def claims_of_readings():
    name, slow = "paper-notes.md", "paper-slow/epyc-m2-2"
    every = {one: folder for folder in (FIRST, SECOND, THIRD) for one in reading_names(folder)}
    row = lambda folder, one, line: [*reading_ratios(line), reading_ratios(line, "evaluations")[3], distance_of(folder, line)]
    for one in ("cuts", "hints", "off", "cuts-7", "d7c5", "cuts-2^12-deep", "hints-keep", "pass-cuts-7-keep", "hints-skip", "hints-5-skip",
                "hints-7-skip", "hints-9-skip", "d9c7-skip"):
        line = lambda one=one: reading_line(every[one], one)
        claim(name, every[one], f"| `{one}` | {{}} | {{}} | {{}} | {{}} | {{}} | {{}} | {{}} | {{}} of {{}} |", lambda one=one, line=line: [
              *row(every[one], one, line()), reading_distance(every[one], RECORDS.lines(every[one]).index(line()), True),
              star2_beyond(line()), line()["positions"]])
    nearest = [one for _, one in readings_by_distance()[:5]]
    for one in ("hints-7-skip", "d9c7-skip", *nearest):
        claim(name, HELD_OUT, f"| `{one}` |" + " {} [{} .. {}] |" * 6, lambda one=one: [
              of(figures) for figures in zip(*(row(HELD_OUT, one, line) for line in reading_others(one))) for of in (median, min, max)])
    claim(REPORT, THIRD, "| `hints-7-skip`, what chose it | {} | {} | {} | {} |", lambda: reading_ratios(reading_line(THIRD, "hints-7-skip")))
    claim(REPORT, HELD_OUT, "| `hints-7-skip`, what did not | {} to {} | {} to {} | {} to {} | {} to {} |", lambda: [
          of(figures) for figures in zip(*map(reading_ratios, reading_others("hints-7-skip"))) for of in (min, max)])
    claim(MANIFEST, THIRD, "`hints-7-skip` gives {}, {}, {}, {} beside the paper's", lambda: reading_ratios(reading_line(THIRD, "hints-7-skip")))
    claim(MANIFEST, SECOND, "`hints-5-keep` {}, {}, {}, {}", lambda: reading_ratios(reading_line(SECOND, "hints-5-keep")))
    claim(MANIFEST, FIRST, "`d7c5` and its like: {}, {}, {}, {} beside", lambda: reading_ratios(reading_line(FIRST, "d7c5")))
    claim(MANIFEST, HELD_OUT, "`hints-7-skip` gives {}, {}, {}, {} there in the median", lambda: [
          median(figures) for figures in zip(*map(reading_ratios, reading_others("hints-7-skip")))])
    timed = lambda one: reading_line(TIMED, one)
    took = lambda one: [timed(one)["star2_tt"]["wall_ns"] / timed(one)["star2"]["wall_ns"], reading_ratios(timed(one), "evaluations")[3]]
    claim(name, TIMED, "| `hints-7-skip`, 16 us an evaluation, to depth 9 | {} | {} |", lambda: took("hints-7-skip"))
    for one in ("hints-7-skip", "d9c7-skip"):
        claim(name, THIRD, f"| `{one}`, to depth 13 | | {{}} |", lambda one=one: reading_ratios(reading_line(THIRD, one), "evaluations")[3])
    claim(MANIFEST, TIMED, "Star2-TT takes {} of Star2's time with {} of its evaluations", lambda: took("hints-7-skip"))
    of_slow = lambda: [study(slow).ratio("star2-tt", part) for part in ("wall_ns", "evaluations")]
    claim(name, slow, "| the library, 5 us an evaluation, to depth 9 | {} | {} |", of_slow)
    claim((name, REPORT, *MANIFEST), slow, "{} of Star2's time with {} of its evaluations", of_slow)


XEON = "scaling/epyc-m2-2/paper"


def claims_of_open_questions():
    name = "paper-notes.md"
    factor = lambda folder: study(f"probing-factor/epyc-m2-2/{folder}")
    claim(name, "probing-factor/epyc-m2-2", "None takes {} times the nodes in all and {} in the median, two {} and {}, "
          "three {} and {}", lambda: [of(k, "nodes") for k in ("k=0", "k=2", "k=3") for of in (
          factor("default").ratio, factor("default").middle)])
    claim(name, "probing-factor/epyc-m2-2", "own options none takes {} times the nodes and two {}",
          lambda: [factor("paper").ratio(k, "nodes") for k in ("k=0", "k=2")])
    successor = lambda: study("successor-probing/epyc-m2-2/depths")
    more = lambda of, k, part="wall_ns": percent(of(k, part) - 1)
    claim(name, "successor-probing/epyc-m2-2", "doing it never takes {}% more than from depth {} on",
          lambda: [more(successor().ratio, "254", "nodes"), float(successor().first)])
    claim(name, "successor-probing/epyc-m2-2", "both are worse, by {}% [{} .. {}] and {}% [{} .. {}] in the median",
          lambda: [one for k in ("254", "2") for one in (more(successor().middle, k), *(percent(end - 1) for end in successor().interval(k)))])
    internal = lambda: study("internal-deepening/epyc-m2-2/depths")
    claim(name, "internal-deepening/epyc-m2-2", "from depth 5 on takes {}% more nodes and {}% more time in all, from depth 4 on {}% and "
          "{}%", lambda: [more(internal().ratio, start, part) for start in ("from 5", "from 4") for part in ("nodes", "wall_ns")])
    size = lambda: study("table-size/epyc-m2-2/sizes")
    grown = lambda mib: percent(size().ratio(f"{mib} MiB", "nodes") - 1)
    slow = lambda mib: size().middle(f"{mib} MiB", "wall_ns")
    claim(name, "table-size/epyc-m2-2", "Nodes grow by {}% at 1 MiB and {}% at 8 MiB against 128 MiB", lambda: [grown(1), grown(8)])
    claim(name, "table-size/epyc-m2-2", "2 to 64 MiB take {} to {} of the time of 128 MiB in the median, and 1,024 MiB {}",
          lambda: [*(of(map(slow, (2, 4, 8, 16, 32, 64))) for of in (min, max)), slow(1024)])
    reuse = lambda: study("reuse/epyc-m2-2/pass")
    claim(name, "reuse/epyc-m2-2", "`Reuse::AtLeast` visits {}% more nodes and changes the value at {} of {} positions. Under the "
          "paper's rules it changes nothing", lambda: [more(reuse().ratio, "at-least", "nodes"), reuse().other_values("at-least"),
          len(reuse().rounds)])
    claim(name, "graphs/epyc-m2-2", "with 20 positions it visits {} times as many nodes and changes the value, or leaves it open, in {} of "
          "{} games, with 100 positions {} times as many and {} games, with 10,000 {} times as many and {} games",
          lambda: [graphs(20)[0], graphs(20)[4], len(RECORDS.lines("graphs/epyc-m2-2")) / 4, graphs(100)[0], graphs(100)[4],
                   graphs(10000)[0], graphs(10000)[4]])
    claims_of_growth()
    claims_of_schedules()


def least_size():
    """From which size on the nodes are those of 128 MiB to a millionth."""
    found = study("table-size/epyc-m2-2/sizes")
    sizes = [mib for mib in (1, 2, 4, 8, 16, 32, 64, 128) if found.ratio(f"{mib} MiB", "nodes") < 1 + 1e-6]
    return min(sizes)


def claims_of_growth():
    name = "paper-notes.md"
    deeper = lambda: study("deeper/epyc-m2-2/default")
    depths = (9, 11, 13, 15, 17)
    to = lambda depth, part="nodes": geometric_mean(deeper().to_depth("default", depth, part))
    claim(name, "deeper/epyc-m2-2", "{} nodes to depth 9, {} to 11, {} to 13, {} to 15 and {} to 17, in "
          "{}, {}, {}, {} and {} ms; two plies cost {}, {}, {} and {} times as many",
          lambda: [*map(to, depths), *(to(depth, "wall_ns") / 1e6 for depth in depths), *(to(d + 2) / to(d) for d in depths[:-1])])
    board = lambda side: study(f"growth/epyc-m2-2/board-{side}")
    claim(name, "growth/epyc-m2-2", "A ply costs {}, {}, {}, {} and {} times as many nodes at the end",
          lambda: [board(side).branching("default", 11) for side in range(3, 8)])
    claim(name, "growth/epyc-m2-2", "their Star2-TT visits {}, {}, {}, {} and {} times as many nodes in the median",
          lambda: [board(side).middle("paper's star2-tt", "nodes") for side in range(3, 8)])


def claims_of_schedules():
    name, folder = "paper-notes.md", "history/epyc-m2-2"
    took = lambda history, ordering="hybrid", on=(1, 2, 16, 64): [simulated_ms(f"{folder}/{history}", "both", p, ordering) for p in on]
    kinds = {"live": "{}, {}, {}, {}", "table": "{}, {}, {}, {}", "frozen":
             "{}, {}, {}, {}", "none": "{}, {}, {}, {}", "subtree": "{}, {}, {}, {}"}
    under = {"live": "{}", "table": "{}", "frozen": "{}", "none": "{}", "subtree": "{}"}
    for kind, words in kinds.items():
        first = "live, the default" if kind == "live" else kind
        claim("docs/performance.md", folder, f"| {first} | {words} | {under[kind]} |", lambda kind=kind: took(kind) + took(kind, "paper", [64]))
    more = lambda history, ordering: speedup(f"{folder}/{history}", "both", 64, ordering).overhead()
    claim(name, folder, "64 processors visit {}% more nodes under the default ordering, as many as with history, and {}% under the paper's",
          lambda: [more("none", "hybrid"), more("none", "paper")])
    claim("docs/performance.md", folder, "live history costs {}% more nodes on 64 processors", lambda: more("live", "paper"))
    split = "split-depth/epyc-m2-2"
    gains = lambda run: totals(f"{split}/{run}", "both", [2, 16, 64, 256])
    for run, words in (
        ("depth-3", "least depth 3 gives {}, {}, {} and {}"), ("depth-7", "7, the default, {}, {}, {} and {}"),
        ("depth-11", "11 {}, {}, {} and {}"), ("size-0", "Least size 0 gives {}, {}, {} and {}"),
        ("size-10000", "10,000 {}, {}, {} and {}"),
    ):
        claim(name, split, words, lambda run=run: gains(run))
    claim(name, split, "depths 3 and 11 take {} and {} times as long as 7 in the median",
          lambda: [study(f"{split}/real").middle(depth, "wall_ns") for depth in ("3", "11")])
    claims_of_ablation()


def claims_of_ablation():
    name, folder = "paper-notes.md", "ablation/epyc-m2-2"
    scaling = "ablation-scaling/epyc-m2-2"
    runs_of = lambda run: totals(f"{scaling}/{run}", "both", [16, 64])
    others = lambda: [*zip(*map(runs_of, ("without-table-from-depth-3", "without-leaf-collapse", "without-static-bounds")))]
    for run, words in (
        ("default", "the default gains {} and {}"), ("without-hybrid-ordering", "without hybrid ordering {} and {}"),
        ("paper", "the paper's Star2-TT {} and {}"),
    ):
        claim(name, scaling, words, lambda run=run: runs_of(run))
    claim(name, scaling, "without one of its other techniques {} to {} and {} to {}",
          lambda: [of(found) for found in others() for of in (min, max)])
    claim(name, folder, "the default gains {} and {} (`ablation`)", lambda: totals(folder + "/virtual-deeper", "both", [16, 64]))


def claims_of_guess():
    name, real, virtual = "paper-notes.md", "guess/epyc-m2-2/real", "guess/epyc-m2-2/virtual"
    on = lambda method: speedup(real, method, 2)
    claim(name, real, "the machine gave {}, at the {} positions of a million nodes or more: chance nodes {} [{} .. {}], overhead "
          "{}%; decision nodes {}, {}%, {}% of the time idle; both {}, {}%",
          lambda: [on("chance-split").large_ceiling(), len(on("chance-split").each()), *spread(on("chance-split").each()),
                   on("chance-split").overhead(), on("decision-split").large(), on("decision-split").overhead(), on("decision-split").idle(),
                   on("both").large(), on("both").overhead()])
    lists = lambda method: [one for counts in ([4, 16, 64],) for one in (
        *larges(virtual, method, counts), *(speedup(virtual, method, count).overhead() for count in counts))]
    claim(name, virtual, "chance nodes {}, {} and {} with overheads of {}, {} and {}%; decision nodes {}, {} and {} "
          "with {}, {} and {}%; both {}, {} and {} with {}, {} and {}%",
          lambda: lists("chance-split") + lists("decision-split") + lists("both"))
    algorithms = "algorithms/epyc-m2-2"
    for label, key, words in (
        ("Expectimax", "expectimax", "{} million | {} [{} .. {}] | {} | {}% | {} | {} [{} .. {}] | {}% | {}%"),
        ("Star1", "star1", "{} million | {} [{} .. {}] | {} | +{}% | {} | {} [{} .. {}] | +{}% | {}%"),
        ("Star2", "star2", "{} million | {} [{} .. {}] | {} | +{}% | {} | {} [{} .. {}] | +{}% | {}%"),
        ("Star2-TT", "star2-tt", "{} million | {} [{} .. {}] | {} | +{}% | {} | {} [{} .. {}] | +{}% | {}%"),
    ):
        depth = 11 if key == "expectimax" else 13
        claim(name, algorithms, f"| {label} | {depth} | {words} |", lambda key=key: algorithm_row(key))
    claim(name, algorithms, "takes {}% of Star2's nodes away", lambda: percent(
          1 - sum(baseline_nodes(f"{algorithms}/real-star2-tt")) / sum(baseline_nodes(f"{algorithms}/real-star2"))))
    claims_of_methods()


def algorithm_row(key):
    real, virtual = f"algorithms/epyc-m2-2/real-{key}", f"algorithms/epyc-m2-2/virtual-{key}"
    two, many = speedup(real, "chance-split", 2), speedup(virtual, "chance-split", 64)
    return [millions(sum(baseline_nodes(real))), *spread(two.each()), two.large_share(), two.overhead(), many.total(), *spread(many.each()),
            many.overhead(), many.idle()]


def claims_of_methods():
    name, folder = "paper-notes.md", "simulate-methods/epyc-m2-2"
    claim(name, folder, "{} to {} million nodes each to depth 13",
          lambda: node_range(folder))
    for label, method in (("chance nodes", "chance-split"), ("both", "both"), ("decision nodes", "decision-split"),
                          ("the root alone", "root-split"), ("deferral (ABDADA)", "abdada"), ("shared table alone", "shared-table")):
        claim(name, folder, f"| {label} | " + "{} (+{}%, {}%) | {} (+{}%, {}%) | {} (+{}%, {}%) |", lambda method=method: [
              one for count in (16, 64, 256) for one in (lambda found: (found.total(), found.overhead(), found.idle()))(
              speedup(folder, method, count, None, calibrated(folder)))])
    large = "simulate-large/epyc-m17-2"
    on = lambda count: speedup(large, "chance-split", count)
    claim(name, large, "({} to {} million nodes, `results/current/simulate-large/epyc-m17-2`) come to the same overheads on about four times as "
          "many processors: +{}% at 16, +{}% at 64, +{}% at 256 and +{}%, where {}% of the time is idle, at 1,024",
          lambda: [*(millions(of(baseline_nodes(large))) for of in (min, max)), *(on(count).overhead() for count in (16, 64, 256, 1024)),
                   on(1024).idle()])


SEEDS = "simulate-large-seeds/epyc-m2-2"


def claims_of_seeds():
    def gains(machine):
        lines = [line for line in RECORDS.lines(SEEDS) if line["simulated"]["model"] == model_of(machine)]
        alone = max(line["wall_ns"] for line in lines if line["method"] == "serial")
        found = [alone / line["wall_ns"] for line in lines if line["method"] == "both"]
        return [min(found), max(found)] if len(found) == 5 else []

    claim(MANIFEST, SEEDS, "a search of {} million nodes under five schedules: {} to {} times by what events cost on one machine, {} to {} by "
          "another's", lambda: [node_range(SEEDS, model_of("epyc-m2-2"))[1],
          *gains("epyc-m17-2"), *gains("epyc-m2-2")])


CALIBRATED = "simulate-large/epyc-m2-2"


def model_of(machine):
    """The cost model that was calibrated on a machine; `unit` is of none."""
    return machine if machine == "unit" else f"results/current/calibrate/{machine}/costs.json"


def node_range(folder, model="unit"):
    """The least and the greatest number of nodes of the baseline, in millions."""
    return [millions(of(baseline_nodes(folder, model))) for of in (min, max)]


def by_costs(of, counts=(16, 64, 256, 1024)):
    """Median speedups of large searches by the costs of a machine, or `unit`."""
    return larges(CALIBRATED, "both", counts, model=model_of(of))


def claims_of_calibrated_processors():
    machines = ("epyc-m17-2", "epyc-m2-2", "unit")
    size = lambda: node_range(CALIBRATED)
    every = lambda: [one for of in machines for one in by_costs(of)]
    claim(ANSWERS, CALIBRATED, "searches of {} to {} million nodes {}, {}, {} and {} times on 16 to 1,024 virtual processors, and {}, {}, {} "
          "and {}; by the kinder costs `unit` {}, {}, {} and {}", lambda: size() + every())
    claim(MANIFEST, CALIBRATED, "{} to {} million nodes: `both` on 16, 64, 256 and 1,024 processors in the median {}, {}, {} and {} by the "
          "costs of `epyc-m17-2`, {}, {}, {} and {} by those of `epyc-m2-2`, {}, {}, {} and {} by `unit`", lambda: size() + every())
    name = "docs/performance.md"
    claim(name, CALIBRATED, "suite `large` to depth 17, {} to {} million nodes", size)
    half = lambda count, of: (lambda own: [*spread(own.each()), own.overhead(), own.idle()])(speedup(
        CALIBRATED, "both", count, model=model_of(of)))
    for count in (16, 64, 256, 1024):
        claim(name, CALIBRATED, f"| {count:,} | " + "{} [{} .. {}] | +{}%, {}% | {} [{} .. {}] | +{}%, {}% | {} [{} .. {}] | +{}%, {}% |",
              lambda count=count: [one for of in machines for one in half(count, of)])


LARGEST = "simulate-largest/epyc-m2-2"


def claims_of_the_largest():
    size = lambda: node_range(LARGEST, model_of("epyc-m2-2"))
    every = lambda: [one for of in ("epyc-m17-2", "epyc-m2-2")
                     for one in larges(LARGEST, "both", (16, 64, 256, 1024), model=model_of(of))]
    claim(MANIFEST, LARGEST, "SIMULATED, {} to {} million nodes: {}, {}, {} and {} times on 16, 64, 256 and 1,024 processors by what events "
          "cost on one machine, {}, {}, {} and {} by another's", lambda: size() + every())
    claim("docs/performance.md", LARGEST, "Four of them two plies deeper, {} to {} million nodes, gain {}, {}, {} and {} by the costs of "
          "`epyc-m17-2`, {}, {}, {} and {} by those of `epyc-m2-2`", lambda: size() + every())
    claim(REPORT, LARGEST, "at {} to {} million {}, {}, {} and {} by the costs of `epyc-m17-2`", lambda: size() + every()[:4])


SEVEN = ("dice", "pig", "einstein", "backgammon", "hyper-backgammon", "2048", "abalone")


def claims_of_games_on_many():
    folder = "simulate-games/epyc-m2-2"

    def ends(of):
        for count in (16, 64, 1024):
            found = [speedup(f"{folder}/{game}", "both", count, model=model_of(of)).total() for game in SEVEN]
            yield from (min(found), max(found))

    def first(of):
        """Whether these games have the least and the greatest speedups, by the costs of a machine."""
        gains = [{game: speedup(f"{folder}/{game}", "both", count, model=model_of(of)).total() for game in SEVEN} for count in (16, 64, 1024)]
        return all(min(own, key=own.get) == "2048" and max(own, key=own.get) == "hyper-backgammon" for own in gains)

    claim(MANIFEST, folder, "of the sums: {} to {} times on 16 processors, {} to {} on 64, {} to {} on 1,024 by what events cost on a machine, "
          "{} to {}, {} to {} and {} to {} by `unit`", lambda: [*ends("epyc-m2-2"), *ends("unit")])
    claim(MANIFEST, folder, "{least in 2048, most in hyper-backgammon}", lambda: [first("epyc-m2-2")])


def seed_reach(folder, processors):
    """How far speedups of the sums under several seeds lie to either side of their middle, in percent: half of the greatest
    less the least, of `both`."""
    found = over_seeds(folder, "both", processors)
    return percent((max(found) - min(found)) / 2 / median(found))


def claims_of_threads():
    name = "docs/performance.md"
    methods, guess = "scaling-methods/epyc-m2-2", "guess/epyc-m2-2/real"
    on = lambda folder, method="chance-split", threads=2: speedup(folder, method, threads, chosen(folder))
    claim(name, methods, "| two independent searches | {} | | {} | |",
          lambda: [on(folder).large_ceiling() for folder in (methods, guess)])
    for label, method, words in (
        ("splitting at chance nodes", "chance-split", "{} | {} | {} | {}"),
        ("splitting at chance and decision nodes, the default", "both", "{} | {} | {} | {}"),
        ("ABDADA", "abdada", "{} | {} | {} | {}"),
        ("a shared table alone", "shared-table", "{} | {} | {} | {}"),
        ("fork and join", "fork-join", "{} | {} | {} | {}"),
        ("decision nodes alone", "decision-split", "{} | {} | {} | {}"),
        ("the root alone", "root-split", "{} | {} | {} | {}"),
    ):
        claim(name, methods, f"| {label} | {words} |", lambda method=method: [
              one for folder in (methods, guess) for one in (on(folder, method).large(), on(folder, method).large_share())])
    first, third = "scaling/epyc-m17-2/paper", "scaling/epyc-m2-2/paper"
    huge = "scaling-large/epyc-m17-2"
    told = lambda folder: (lambda found: [found.total(), found.large(), found.ceiling(), found.large_ceiling(), found.share(),
                           found.large_share(), found.overhead()])(on(folder))
    alone = lambda folder: [on(folder, threads=1).total(), on(folder, threads=1).large()]
    for folder, label, words in (
        (first, "`results/current/scaling/epyc-m17-2` (10 rounds)", "{}, {} | {}, {} | {}, {} | +{}% | {}, {} |"),
        (methods, "`results/current/scaling-methods/epyc-m2-2` (4 rounds)", "{}, {} | {}, {} | {}, {} | +{}% | |"),
        (huge, "`results/current/scaling-large/epyc-m17-2` (suite `large`, to depth 19, 3 rounds)",
         "{}, {} | {}, {} | {}, {} | +{}% | |"),
        (third, "`results/current/scaling/epyc-m2-2` (10 rounds)", "{}, {} | {}, {} | {}, {} | +{}% | {}, {} |"),
        (guess, "`results/current/guess/epyc-m2-2` (4 rounds)", "{}, {} | {}, {} | {}, {} | +{}% | |"),
    ):
        claim(name, folder, f"| {label} | {words}", lambda folder=folder: told(folder) + (alone(folder) if "paper" in folder else []))
    took = lambda method, ordering: sum(line["wall_ns"] for line in RECORDS.lines(third) if (
        line["method"], line["ordering"], line["threads"]) == (method, ordering, 1))
    claim(name, third, "takes longer than the fastest serial search by {}%, for it has to find its ordering, and by {}% for the code for "
          "teams", lambda: [percent(took("serial", "auto") / took("serial", "hybrid") - 1), percent(took("both", "auto") / took("serial", "auto") - 1)])
    five = (first, methods, huge, third, guess)
    claim(name, "scaling, scaling-methods, scaling-large, guess", "idle time (medians of {} to {}%) nor search overhead (at most {}%, {}% in "
          "suite `large`) but node rate: medians of {} to {} of the serial one",
          lambda: [*(of(on(folder).large_idle() for folder in five) for of in (min, max)),
                   max(on(folder).overhead() for folder in five if folder != huge), on(huge).overhead(),
                   *(of(on(folder).large_node_rate() for folder in five) for of in (min, max))])
    claims_of_threads_in_games()


def claims_of_threads_in_games():
    name, folder = "docs/performance.md", "two-threads-games/epyc-m2-2"
    on = lambda game: speedup(f"{folder}/{game}", "both", 2)
    for label, game, words in (
        ("Dice, 13", "dice", "{} | {} | +{}% | {}, {} |"),
        ("Pig, 18", "pig", "{} | {} | +{}% | {}, {} |"),
        ("EinStein, 12", "einstein", "{} | {} | +{}% | {}, {} |"),
        ("backgammon, 5", "backgammon", "{} | {} | {}% | {}, {} |"),
        ("hyper-backgammon, 7", "hyper-backgammon", "{} | {} | {}% | {}, {} |"),
        ("2048, 10", "2048", "{} | {} | +{}% | {}, {} |"),
        ("Abalone, 6", "abalone", "{} | {} | +{}% | {}, {} |"),
    ):
        claim(name, folder, f"| {label} | {words}", lambda game=game: [on(game).total(), on(game).share(), on(game).overhead(),
              on(f"{game}-8").total(), on(f"{game}-8").share()])
    claim(name, folder, "(in the median of the positions of a million nodes and more {}, {} and {})",
          lambda: [on(game).large_share() for game in ("abalone", "dice", "einstein")])
    order = ("backgammon", "hyper-backgammon", "abalone", "dice", "einstein", "pig", "2048")
    claim("docs/tables.md", folder, "{}, {}, {}, {}, {}, {} and {} of their ceiling with 8 MiB, and {}, "
          "{}, {}, {}, {}, {} and {} with 128",
          lambda: [on(game + size).share() for size in ("-8", "") for game in order])


def claims_of_many_processors():
    name, large, former = "docs/performance.md", "simulate-large/epyc-m17-2", "../archive/2026-11-23-simulate-large"
    on = lambda method, count, folder=large: speedup(folder, method, count)
    half = lambda method, count: [*spread(on(method, count).each()), on(method, count).overhead(), on(method, count).idle()]
    for count, words in (
        (16, "| 16 | {} [{} .. {}] | +{}%, {}% | {} [{} .. {}] | +{}%, {}% |"),
        (64, "| 64 | {} [{} .. {}] | +{}%, {}% | {} [{} .. {}] | +{}%, {}% |"),
        (256, "| 256 | {} [{} .. {}] | +{}%, {}% | {} [{} .. {}] | +{}%, {}% |"),
        (1024, "| 1,024 | {} [{} .. {}] | +{}%, {}% | {} [{} .. {}] | +{}%, {}% |"),
    ):
        claim(name, large, words, lambda count=count: half("both", count) + half("chance-split", count))
    claim(name, former, "{} to {} million nodes, it is {} and {} on 1,024", lambda: [millions(min(baseline_nodes(former))),
          millions(max(baseline_nodes(former))), on("both", 1024, former).large(), on("chance-split", 1024, former).large()])
    counts = (16, 64, 256, 1024)
    least = lambda method: [min(on(method, count).each()) for count in counts]
    middle = lambda method: [on(method, count).large() for count in counts]
    claim("docs/journal.md", large, "`both` {} ({}), {} ({}), {} ({}) and {} ({}), chance split {} ({}), "
          "{} ({}), {} ({}) and {} ({}) on 16, 64, 256 and 1,024",
          lambda: [one for method in ("both", "chance-split") for both in zip(middle(method), least(method)) for one in both])
    explain = "simulate-explain/epyc-m2-2"
    claim(name, explain, "of the {} points of `both` at 64 processors {} are duplicates and {} aborted; of the {} at 1,024, {} and {}, and "
          "{} were searched to their ends", lambda: (lambda some, many: [some[0], some[2], some[1], many[0], many[2], many[1], many[3]])(
          causes(explain, "both", 64), causes(explain, "both", 1024)))
    claims_of_processors_in_games()
    claims_of_variance()
    claims_of_splits()


SPLIT_GAMES = {"dice": "Dice, 13", "pig": "Pig, 16", "einstein": "EinStein, 11", "backgammon": "backgammon, 5",
               "hyper-backgammon": "hyper-backgammon, 7", "2048": "2048, 9", "abalone": "Abalone, 5"}


def claims_of_splits():
    folder, methods = "splits/epyc-m2-2", ("chance-split", "decision-split", "both")
    told = lambda of: [of.total(), of.overhead(), of.idle()]
    cell = "{} ({}%, {}%)"
    for game, label in SPLIT_GAMES.items():
        claim("paper-notes.md", folder, f"| {label} | " + " | ".join([cell] * 3) + " |", lambda game=game: [
              one for method in methods for one in told(speedup(f"{folder}/{game}-real", method, 2))])
        virtual = lambda game, method, count: speedup(f"{folder}/{game}", method, count, model=calibrated(f"{folder}/{game}"))
        claim("paper-notes.md", folder, f"| {label} | " + " | ".join([cell] * 6) + " |", lambda game=game: [
              one for count in (16, 256) for method in methods for one in told(virtual(game, method, count))])


def claims_of_variance():
    folder = "variance/epyc-m2-2"

    def row(name):
        two, of = speedup(f"{folder}/scaling-{name}", "both", 2), study(f"{folder}/study-{name}")
        nodes = {key: of.total(key, "nodes") for key in ("paper's star1", "paper's star2", "paper's star2-tt", "default")}
        star1, star2, star2_tt, default = nodes.values()
        return [two.total(), two.share(), *totals(f"{folder}/simulate-{name}", "both", [16, 64]), star2 / star1, star2_tt / star2,
                default / star2_tt]

    every = {(network, places): f"network-{network}-set-{places}" for network, places in itertools.product((1, 2, 3), repeat=2)}
    ends = lambda of: [end(map(of, every.values())) for end in (min, max)]
    claim(REPORT, folder, "{} to {} on two threads and {} to {} on 64 processors", lambda: [
          *ends(lambda name: speedup(f"{folder}/scaling-{name}", "both", 2).total()),
          *ends(lambda name: totals(f"{folder}/simulate-{name}", "both", [64])[0])])
    for (network, places), name in every.items():
        claim("docs/performance.md", folder, f"| {network}, {places} | " + "{}, {} | {}, {} | {} | {} | {} |",
              lambda name=name: row(name))


def claims_of_processors_in_games():
    name, folder = "docs/performance.md", "splits/epyc-m2-2"
    counts = (16, 64, 256, 1024)
    cell = lambda game, method, model: totals(f"{folder}/{game}", method, counts, model=model)
    row = lambda game, dear: [*cell(game, "both", dear), *cell(game, "both", "unit"), *cell(game, "chance-split", dear)]
    for game, label in SPLIT_GAMES.items():
        claim(name, folder, "| " + label + " | {}, {}, {}, {} | {}, {}, {}, {} | {}, {}, {}, {} |",
              lambda game=game: row(game, calibrated(f"{folder}/{game}")))


def claims_of_techniques():
    name, folder = "docs/performance.md", "ablation/epyc-m2-2"
    whole = lambda: study(folder + "/techniques")

    def row(variant):
        sums = [whole().total(variant, part) for part in Study.PARTS]
        shares = [percent(whole().ratio(variant, part)) for part in Study.PARTS]
        return [sums[0] / 1e6, shares[0], sums[1] / 1e6, shares[1], sums[2] / 1e9, shares[2],
                percent(whole().middle(variant, "wall_ns")), *percents(whole().interval(variant))]

    for label, variant in (
        ("the paper's Star2-TT", "paper's star2-tt"),
        ("the paper's Star2", "paper's star2"),
        ("Star2-TT + hybrid ordering", "paper's + chosen ordering"),
        ("Star2-TT + table from depth 3", "paper's + chosen table"),
        ("Star2-TT + leaf collapse", "paper's + leaf collapse"),
        ("Star2-TT + static bounds", "paper's + static bounds"),
        ("Star2-TT + move probing from depth 4", "paper's + move probing"),
        ("the default - chosen ordering", "default - chosen ordering"),
        ("the default - chosen table", "default - chosen table"),
        ("the default - leaf collapse", "default - leaf collapse"),
        ("the default - static bounds", "default - static bounds"),
        ("the default + move probing from depth 4", "default + move probing"),
    ):
        claim(name, folder, "| " + label + " | {} | {}% | {} | {}% | {} | {}% | {}% [{} .. {}] |", lambda variant=variant: row(variant))
    claim(name, folder, "| **the default** | **{}** | **{}%** | {} | {}% | {} | {}% | {}% [{} .. {}] |",
          lambda: row("default"))
    claim(name, folder, "visits {}% of the nodes of the paper's Star2-TT and {}% of those of its Star2", lambda: [
          percent(whole().ratio("default", "nodes", over)) for over in ("paper's star2-tt", "paper's star2")])
    claim(name, folder, "the search evaluates {}% of what the paper's does", lambda: percent(
          whole().ratio("default - chosen table", "evaluations")))
    claim(name, folder, "{} s for the {} positions to depth 13; with it at every node {} s", lambda: [
          whole().seconds("default"), len(whole().rounds), whole().seconds("default - chosen table")])
    claim(name, folder, "on Dice, depth 13: {} s (`hybrid`) against {} s (`paper`)",
          lambda: [whole().seconds("default"), whole().seconds("default - chosen ordering")])
    rate = lambda variant: whole().total(variant, "wall_ns") / whole().total(variant, "nodes")
    for label, variant, words in (
        ("Star2, the paper's options", "paper's star2", "{}"), ("Star2-TT, defaults, `paper` ordering", "default - chosen ordering", "{}"),
        ("Star2-TT, the paper's options (every node uses the table)", "paper's star2-tt", "{}"),
        ("Star2-TT, defaults, `hybrid` ordering", "default", "{}"),
    ):
        claim(name, folder, f"| {label} | {words} |", lambda variant=variant: rate(variant))
    claim(name, "successor-probing/epyc-m2-2", "it saves {} to {}% of the time and hardly a node", lambda: sorted(
          percent(study("successor-probing/epyc-m2-2/depths").middle(one, "wall_ns") - 1) for one in ("254", "2")))
    claim(name, "probing-factor/epyc-m2-2", "no probing phase takes {} times the nodes, two moves {} times", lambda: [
          study("probing-factor/epyc-m2-2/default").ratio(one, "nodes") for one in ("k=0", "k=2")])
    claims_of_costs()


def claims_of_costs():
    name, folder = "docs/performance.md", "calibrate/epyc-m2-2"
    events = ("node", "evaluation", "table")
    claim(name, folder, "fits {} ns to a node, {} to an evaluation with the move that led to it, and {} to a look-up or a store "
          "(`results/current/calibrate/epyc-m2-2`, times explained to {}%)",
          lambda: [*(costs(folder)[one] for one in events), percent(costs(folder)["residual"])])
    claim(MANIFEST, folder, "a node {} ns, an evaluation {}, a look-up or store {}, a split {}, a steal {} on one; a node {}, an "
          "evaluation {}, a table {}, a split {}, a steal {} on another", lambda: [costs(record)[one]
          for record in (folder, "calibrate/epyc-m17-2") for one in (*events, "split", "steal")])
    claim(MANIFEST, folder, "a node {}, an evaluation {}, a look-up or store {}, a poll nothing, a split {}, a steal {}, a look in vain "
          "{}; times explained to {}%; two searches at once took {} of the time of one alone",
          lambda: [*(costs(folder)[one] for one in (*events, "split", "steal", "failed_steal")), percent(costs(folder)["residual"]),
                   costs(folder)["slowdown"]])

    def spent(variant):
        lines = [runs[1] for runs in study("ablation/epyc-m2-2/techniques").runs[variant].values()]
        looks = sum(line["table"]["probes"] + line["table"]["stores"] for line in lines)
        return [sum(line["nodes"] for line in lines), sum(line["evaluations"] for line in lines), looks]

    def shares(variant):
        times = [count * costs(folder)[one] / 1e9 for count, one in zip(spent(variant), events)]
        return times, [percent(one / sum(times)) for one in times]

    claim(name, folder, "has {} million nodes, {} million evaluations and {} million look-ups and stores: {}, {} and {} s, so "
          "{}%, {}% and {}% of its time", lambda: [*map(millions, spent("default")), *shares("default")[0], *shares("default")[1]])
    claim(name, folder, "The paper's form has {}, {} and {} million: {}%, {}% and {}%",
          lambda: [*map(millions, spent("paper's star2-tt")), *shares("paper's star2-tt")[1]])


def claims_of_choices():
    name, folder = "docs/performance.md", "tuning/epyc-m2-2"
    cells = lambda game: [len(tuned_folders(game))] + [one for t in (1, 2) for one in (
        median(tuned_all(game, (t,))), min(tuned_all(game, (t,))), tuned_worst(game, (t,)))]
    for label, game, words in (
        ("Dice", "dice", "{} | {} | {} | {} | {} | {} | {} |"),
        ("Pig", "pig", "{} | {} | {} | {} | {} | {} | {} |"),
        ("EinStein", "einstein", "{} | {} | {} | {} | {} | {} | {} |"),
        ("backgammon", "backgammon", "{} | {} | {} | {} | {} | {} | {} |"),
        ("hyper-backgammon", "hyper-backgammon", "{} | {} | {} | {} | {} | {} | {} |"),
        ("2048", "2048", "{} | {} | {} | {} | {} | {} | {} |"),
        ("Abalone", "abalone", "{} | {} | {} | {} | {} | {} | {} |"),
    ):
        claim(name, folder, f"| {label} | {words}", lambda game=game: cells(game))
    claim(name, folder, "{} games, evaluators and depths, on one thread and on two", lambda: len(tuned_folders()))
    claim(name, folder, "Over all {} it is {} in the median, {} are below 1 and {} at most 1.10, and none, by the lower end, above {}, {} above 1.25",
          lambda: [len(tuned_all()), median(tuned_all()), sum(one < 1 for one in tuned_all()), sum(one <= 1.1 for one in tuned_all()),
                   tuned_worst(), tuned_missed(1.25)])
    former = "ablation-games/epyc-m2-2"
    parts = ("- ordering", "- table depth", "- probes", "- remembered", "- leaf collapse", "- bounds", "former default")
    row = lambda run: [study(f"{former}/{run}").total("default", "nodes") / 1e3, study(f"{former}/{run}").seconds("default"), *(
        study(f"{former}/{run}").ratio(variant, part) for variant in parts for part in ("nodes", "wall_ns"))]
    for run, label in ABLATION_ROWS:
        claim(name, former, "| " + label + " | {}, {} | {}, {} | {}, {} | {}, {} | {}, {} | {}, {} | {}, {} | {}, {} |", lambda run=run: row(run))
    claim(name, former, "In 2048 to 6 plies the former default takes {} times as long, in hyper-backgammon to 6 {}, in Dice to 10 {}; nowhere "
          "less than {}", lambda: [*(row(run)[-1] for run in ("2048-6", "hyper-backgammon-6", "dice-10")),
          min(row(run)[-1] for run, *_ in ABLATION_ROWS)])
    bounds = lambda run: study(f"{former}/{run}").ratio("- bounds", "nodes")
    claim(name, former, "visits {} times as many nodes without such bounds in 2048 to 6 plies, and {} times as many to 7",
          lambda: [bounds("2048-6"), bounds("2048-7")])


ABLATION_ROWS = [
    ("dice-9", "Dice, 9"),
    ("dice-10", "Dice, 10"),
    ("pig-12", "Pig, 12"),
    ("einstein-8", "EinStein, 8"),
    ("einstein-9", "EinStein, 9"),
    ("backgammon-4", "backgammon, 4"),
    ("backgammon-5", "backgammon, 5"),
    ("hyper-backgammon-5", "hyper-backgammon, 5"),
    ("hyper-backgammon-6", "hyper-backgammon, 6"),
    ("2048-6", "2048, 6"),
    ("2048-7", "2048, 7"),
    ("abalone-3", "Abalone, 3"),
    ("abalone-4", "Abalone, 4"),
    ("dice-slow", "Dice, 7, `slow`"),
    ("backgammon-slow", "backgammon, 3, `slow`"),
    ("2048-slow", "2048, 5, `slow`"),
]


def claims_of_other_games():
    name, folder = "docs/performance.md", "games/epyc-m17-2"
    of = lambda game: study(f"{folder}/{game}")
    two = ("nodes", "wall_ns")
    row = lambda game: [millions(of(game).total("expectimax", "nodes")), of(game).seconds("expectimax"),
                        *(of(game).ratio(variant, part) for variant in ("star1", "star2", "star2-tt") for part in two),
                        *of(game).ratios("default")]
    for game, label, words in (
        ("dice", "dice, 11", "{} million, {} | {}, {} | {}, {} | {}, {} | {}, {}, {}"),
        ("pig", "pig, 13", "{} million, {} | {}, {} | {}, {} | {}, {} | {}, {}, {}"),
        ("einstein", "einstein, 11", "{} million, {} | {}, {} | {}, {} | {}, {} | {}, {}, {}"),
        ("backgammon", "backgammon, 5", "{} million, {} | {}, {} | {}, {} | {}, {} | {}, {}, {}"),
        ("hyper-backgammon", "hyper-backgammon, 7", "{} million, {} | {}, {} | {}, {} | {}, {} | {}, {}, {}"),
        ("2048", "2048, 7", "{} million, {} | {}, {} | {}, {} | {}, {} | {}, {}, {}"),
    ):
        claim(name, folder, f"| {label} | {words} |", lambda game=game: row(game))
    saved = lambda run, variant: [percent(1 - study(f"abalone-table/epyc-m17-2/{run}").ratio(variant, part, f"{variant} without table"))
                                  for part in two]
    claim(name, "abalone-table/epyc-m17-2", "saves {}% of the nodes and {}% of the time to depth 5, {}% and {}% to depth 6; from the three starts "
          "to depth 6 {}% and {}%. From depth 3 on, which was the default, {}% and {}% to depth 5, {}% and {}% to depth 6",
          lambda: [*saved("play", "paper"), *saved("play-deeper", "paper"), *saved("starts", "paper"), *saved("play", "default"),
                   *saved("play-deeper", "default")])
    claim(name, "open-spiel/epyc-m17-2", "ours is {} times as fast as its expectiminimax in Python on Pig, {} times on EinStein ({} with "
          "`constant`, {} with the dearer `material`), and {} times as fast as the compiled one", lambda: [race("open_spiel", "pig"),
          race("open_spiel", "einstein"), race("open_spiel", "einstein", "constant"), race("open_spiel", "einstein", "material"),
          race("compiled", "einstein", "constant")])
    claim(name, "open-spiel/epyc-m17-2", "without pruning {}, {} and {} times", lambda: [race("open_spiel", "pig", ours="expectimax"),
          race("open_spiel", "einstein", ours="expectimax"), race("compiled", "einstein", "constant", "expectimax")])
    claims_of_matches()


def claims_of_matches():
    name, gnubg, play, ai = "docs/performance.md", "gnubg/epyc-m17-2", "play/epyc-m17-2", "2048-ai/epyc-m2-2"
    lost = lambda run: [-match(f"{gnubg}/{run}")[0], *sorted(-end for end in match(f"{gnubg}/{run}")[1:])]
    claim(name, gnubg, "loses {} points a game (95%: {} to {}, {} games)", lambda: [*lost("network"), match_games(f"{gnubg}/network")])
    claim(name, gnubg, "against the same {} ({} to {}, {} games)", lambda: [*lost("search"), match_games(f"{gnubg}/search")])
    on = lambda pair: wins(f"{play}/einstein-{pair}")
    claim(name, play, "wins {}% ({} to {}) of {} games against depth 1, depth 5 {}% ({} to {}) against 3, depth 7 {}% "
          "({} to {}) of {} against 5", lambda: [*on("3-1"), match_games(f"{play}/einstein-3-1"), *on("5-3"), *on("7-5"),
          match_games(f"{play}/einstein-7-5")])

    def row(run, first):
        found = side(f"{play}/2048-{run}", first)
        top, second = found["results"]["4096"], found["results"]["2048"]
        return [found["score"], top, second, found["games"] - top - second, found["ms"]]

    for run, first, words in (
        ("3-1", False, "| 1 | {} | {} | {} | {} | {} |"), ("3-1", True, "| 3 | {} | {} | {} | {} | {} |"),
        ("7-5", False, "| 5 | {} | {} | {} | {} | {} |"), ("7-5", True, "| 7 | {} | {} | {} | {} | {} |"),
    ):
        claim(name, play, words, lambda run=run, first=first: row(run, first))
    more = lambda depth: match(f"{ai}/depth-{depth}")
    claim(name, ai, "scores {} points more to depth 3 (95%: {} to {}), {} less to depth 5 ({} to {}) and {} more to depth 7 "
          "({} to {}; {} games each)", lambda: [*more(3), -more(5)[0], *sorted(-end for end in more(5)[1:]), *more(7),
          side(f"{ai}/depth-7", True)["games"]])
    spent = lambda first: [side(f"{ai}/depth-{depth}", first)["ms"] for depth in (3, 5, 7)]
    claim(name, ai, "takes {}, {} and {} ms a move, ours {}, {} and {}", lambda: spent(False) + spent(True))


def claims_of_schemes():
    name, folder = "docs/tables.md", "tables/epyc-m49-2"
    beside = lambda variant: scheme(14, f"{variant}, 2 threads")[1]
    row = lambda variant: [*scheme(10, variant), *scheme(14, variant), *scheme(18, variant), beside(variant)]
    for variant in (
        "always", "keep-first", "deepest", "reference-bit", "deep", "big1", "bigall", "twodeep",
        "twobig1", "chains", "chains-by-counts", "striped", "atomic128",
    ):
        claim(name, folder, "| `" + variant + "` | {}, {} | {}, {} | {}, {} | {} |", lambda variant=variant: row(variant))
    claim(name, folder, "| `buckets` | 1, 1 | 1, 1 | 1, 1 | {} |", lambda: beside("buckets"))
    claim(name, folder, "| no table | {}, {} | {}, {} | {}, {} |",
          lambda: [one for size in (10, 14, 18) for one in scheme(size, "without table")])
    one = ("always", "keep-first", "deepest", "reference-bit", "deep", "big1", "bigall")
    pig = lambda: [study(f"{folder}/pig-{size}").ratio(variant, "nodes") for size in (10, 14, 18) for variant in one]
    claim(name, folder, "is Pig ({} to {} times the nodes)", lambda: [min(pig()), max(pig())])
    claim(name, folder, "with 2^10 entries 2048 too ({} with `always`, {} with `twobig1`)",
          lambda: [study(f"{folder}/2048-10").ratio(variant, "nodes") for variant in ("always", "twobig1")])
    slots = one + ("twodeep", "twobig1")
    worst = lambda variants, sizes, games=("dice", "backgammon", "einstein", "abalone"): max(
        study(f"{folder}/{game}-{size}").ratio(variant, "nodes") for game in games for size in sizes for variant in variants)
    claim(name, folder, "one or two entries take at most {} times the nodes, and with 2^18 entries {}; chains at most {}", lambda: [worst(slots, (10, 14, 18)), worst(slots, (18,)), worst(("chains", "chains-by-counts"), (10, 14, 18))])
    beside_best = lambda size: max(study(f"{folder}/pig-{size}").ratio("chains", "wall_ns", variant) for variant in one)
    claim(name, folder, "({}, {} and {} of the time of the best of one entry with 2^10, 2^14 and 2^18 entries); in Abalone chains take "
          "{} to {} of the time of `buckets`, at {eight} sizes", lambda: [*map(beside_best, (10, 14, 18)), *(of(
          study(f"{folder}/abalone-{size}").ratio("chains", "wall_ns") for size in range(10, 25, 2)) for of in (min, max)),
          len(range(10, 25, 2))])
    single = lambda part: [study(f"{folder}/{game}-{size}").ratio("buckets, three types", part) for game in GAMES for size in (10, 14, 18)]
    claim(name, folder, "one value takes {} to {} of the nodes of two bounds and {} to {} of the time, {} over all", lambda: [
          *(of(single(part)) for part in ("nodes", "wall_ns") for of in (min, max)), geometric_mean(single("wall_ns"))])
    chosen = lambda variant: geometric_mean(over_games("chosen-depths", variant, "wall_ns", "buckets").values())
    claim(name, folder, "`always` takes {} of the time, `deep` {}, `twobig1` {}, `chains` {}",
          lambda: list(map(chosen, ("always", "deep", "twobig1", "chains"))))
    claims_of_lectures()
    claims_of_windows()


def claims_of_lectures():
    name, folder = "docs/tables.md", "tables/epyc-m49-2"
    by = lambda variant, part="wall_ns": over_games("lectures", variant, part, "default")
    all_games = lambda variant, part="wall_ns": geometric_mean(by(variant, part).values())
    near = "table near the root, 20"
    claim(name, folder, "from 20 nodes on {} ({} in Pig and Abalone, {} in EinStein), from 200 on {}, from 2,000 on {}, everywhere "
          "{} for {}% fewer nodes", lambda: [all_games(near), Every((by(near)["pig"], by(near)["abalone"])), by(near)["einstein"],
          all_games("table near the root, 200"), all_games("table near the root, 2000"), all_games("table from depth 1"),
          percent(1 - all_games("table from depth 1", "nodes"))])
    etc = lambda which: percent(all_games(which) - 1)
    saves = lambda: [percent(1 - one) for one in by("ETC everywhere", "nodes").values()]
    claim(name, folder, "save {} to {}% of the nodes and cost {}% of the time everywhere, {}% from 20 nodes on, {}% from 2,000 on",
          lambda: [min(saves()), max(saves()), etc("ETC everywhere"), etc("ETC near the root, 20"), etc("ETC near the root, 2000")])
    without = lambda part: [by("without table", part)[game] for game in (
        "2048", "pig", "einstein", "dice", "abalone", "hyper-backgammon", "backgammon")]
    claim(name, folder, "{} times in 2048, {} in Pig, {} in EinStein, {} in Dice, {} in Abalone, {} in hyper-backgammon and {} in "
          "backgammon; {}, {}, {}, {}, {}, {} and {} times the time", lambda: without("nodes") + without("wall_ns"))
    claim(ANSWERS, folder, "saves {} of {} nodes in 2048, {} of {} in Pig, {}% in backgammon", lambda: [without("nodes")[0] - 1,
          without("nodes")[0], without("nodes")[1] - 1, without("nodes")[1], percent(1 - 1 / without("nodes")[-1])])
    claim(name, folder, "1 MiB takes {} of the time of 128 MiB, 8 MiB {}, 512 MiB {}",
          lambda: [all_games("1 MiB"), all_games("8 MiB"), all_games("512 MiB")])
    ends = lambda variant: [of(table_kept(f"kept-{game}", variant) for game in GAMES) for of in (min, max)]
    claim(name, folder, "it is {} to {} with `buckets`, {} to {} with `always`, {} to {} with `keep-first`, {} to "
          "{} with `chains`", lambda: [one for variant in ("buckets", "always", "keep-first", "chains") for one in ends(variant)])
    starts = lambda variant: [table_kept(f"kept-abalone-starts-{size}", variant) for size in (14, 18, 22)]
    claim(name, folder, "chains {}, {}, {}, a reference bit {}, {}, {}, `buckets` {}, {}, {}",
          lambda: starts("chains") + starts("reference-bit") + starts("buckets"))


def claims_of_plans():
    name, record = "docs/planner.md", CLUSTERS
    claim(name, record, "64 machines of 64 processors are {} to {} times as fast as one processor, where one machine of 1,024 with one table is "
          "{} times", lambda: [*cluster_ends("dice", 64), cluster_speedup("dice", 1024)])
    claim(name, record, "they visit {} times the nodes and are {} times as fast",
          lambda: [cluster_nodes("2048", 64)[0], cluster_ends("2048", 64)[0]])


WIDTHS = {"dice": ("0.03", "0.1", "0.3"), "hyper-backgammon": ("0.03", "0.1", "0.3"), "2048": ("10", "30", "100")}


def window_row(way):
    """Of the sums, in each game; A and C are the least and the greatest width."""
    found = []
    for game, (least, _, most) in WIDTHS.items():
        own = way.replace("=A", "=" + least).replace("=C", "=" + most)
        found.append(window_ratio(game, own))
    return found


def window_ends(name):
    """The least and the greatest ratio of nodes over games and widths."""
    found = [window_ratio(game, f"{name}={width}") for game, widths in WIDTHS.items() for width in widths]
    return [min(found), max(found)]


def claims_of_windows():
    name, record, slack = "paper-notes.md", WINDOWS, SLACK
    high = "own:slack-null=high"
    for label, way, words in (
        ("aspiration, the narrowest of three widths", "library:aspiration=A", "{} | {} | {} |"),
        ("MTD(f) by one point of the grid", "library:mtdf=1", "{} | {} | {} |"),
        ("MTD(f) by steps that double from 30,000, then by halves", "library:gallop=30000", "{} | {} | {} |"),
        ("bisection", "library:bisection", "{} | {} | {} |"),
        ("null windows at decision nodes", "own:null-moves", "{} | {} | {} |"),
        ("slack shared for alpha, null windows", "own:slack-null=low", "{} | {} | {} |"),
        ("slack shared for beta, null windows", high, "{} | {} | {} |"),
        ("around the last iteration's bounds, the widest of three", "own:last=C", "{} | {} | {} |"),
    ):
        claim(name, record, f"| {label} | {words}", lambda way=way: window_row(way))
    over = lambda game, way=high, part="nodes": window_ratio(game, way, part)
    claim(name, slack, "In backgammon to depth 5 it takes {} of the nodes and {} of the evaluations of the same search without "
          "it ({} [{} .. {}] of the nodes in the median of {} positions", lambda: [
              over("backgammon"), over("backgammon", part="evaluations"), *window_median("backgammon", high),
              len(windowed("backgammon", high, "nodes"))])
    claim(name, slack, "in EinStein {} of the nodes, in Pig {}", lambda: [over("einstein"), over("pig")])
    beside = lambda game: window_ratio(game, "own:full", "nodes", "library:search")
    claim(name, slack, "takes {} of the library's nodes there", lambda: [beside("backgammon")])
    claim(name, record, "Aspiration takes {} to {} of the nodes whatever its width", lambda: window_ends("library:aspiration"))
    claim(name, record, "takes {}, {} and {} searches an iteration, by steps that double {}, {} and {}",
          lambda: [window_passes(game, way) for way in ("library:mtdf=1", "library:gallop=30000") for game in WIDTHS])
    mtdf = lambda: [min(over(game, "library:gallop=30000") for game in WIDTHS), max(over(game, "library:mtdf=1") for game in WIDTHS)]
    claim(REPORT, record, "aspiration at the root takes {} to {} of the nodes of full windows", lambda: window_ends("library:aspiration"))
    claim(REPORT, record, "MTD(f) {} to {}", mtdf)
    claim(REPORT, record, "take {} of the nodes in backgammon to depth 5 where they ask for beta, and {} in hyper-backgammon, {} in "
          "Dice and {} in Pig", lambda: [over(game) for game in ("backgammon", "hyper-backgammon", "dice", "pig")])
    claim(REPORT, record, "and cost {}% in 2048", lambda: [percent(over("2048", "own:slack-null=low") - 1)])
    claim(MANIFEST, record, "aspiration takes {} to {} of the nodes, MTD(f) {} to {}; slack shared for beta {} in hyper-backgammon and "
          "{} in backgammon", lambda: [*window_ends("library:aspiration"), *mtdf(), over("hyper-backgammon"), over("backgammon")])
    claim(MANIFEST, slack, "in backgammon, {} of the nodes and {} of the evaluations; EinStein {} of the nodes, Pig {}", lambda: [
        over("backgammon"), over("backgammon", part="evaluations"), over("einstein"), over("pig")])
    journal = "docs/journal.md"
    claim(journal, record, "cost {}% in the plain search", lambda: [percent(over("dice", "own:slack-narrow=low") - 1)])
    claim(journal, record, "even depth 8, it takes {} times as many", lambda: [beside("2048")])
    claim(journal, record, "what they cost ({}% of the nodes with that", lambda: [percent(over("2048", "own:slack-null=low") - 1)])


def claims_of_report():
    """docs/report.md: every headline of it, from the records that it names."""
    claims_of_report_on_threads()
    claims_of_report_on_processors()
    claims_of_report_on_games()
    claims_of_report_on_the_rest()


REPORT = "docs/report.md"


def claims_of_report_on_threads():
    name, paper = REPORT, "paper/epyc-m2-2"
    epyc, huge, guess = "scaling/epyc-m17-2/paper", "scaling-large/epyc-m17-2", "guess/epyc-m2-2/real"
    on = lambda folder, method="chance-split": speedup(folder, method, 2, chosen(folder))
    claim(name, XEON, "searches of a million nodes and more {} and {} times as fast on two machines, which is {} and {} of what two "
          "independent searches gain there", lambda: [*(on(folder).large() for folder in (XEON, epyc)), on(XEON).large_share(),
          on(epyc).large_share()])
    for folder, label, words in (
        (XEON, "`results/current/scaling/epyc-m2-2`, 10 rounds", "{} large of {} | {} | {} to {} | {} | {}"),
        (epyc, "`results/current/scaling/epyc-m17-2`, 10 rounds", "{} large of {} | {} | {} to {} | {} | {}"),
        (huge, "`results/current/scaling-large/epyc-m17-2`, 3 rounds", "{}, to depth 19 | {} | {} to {} | {} | {}"),
    ):
        claim(name, folder, f"| {label} | {words} |", lambda folder=folder: [len(on(folder).each()), *([len(on(folder).pairs.rounds)] * (
              folder != huge)), on(folder).large(), *median_interval(on(folder).each()), on(folder).large_ceiling(), on(folder).large_share()])
    claim(name, XEON, "Over all {} positions the speedups of the sums are {} and {}, search overhead is at most {}%",
          lambda: [len(pairs(XEON).rounds), *sorted(on(folder).total() for folder in (XEON, epyc)),
                   max(on(folder).overhead() for folder in (XEON, epyc))])
    games = "two-threads-games/epyc-m2-2"
    claim(name, games, "reach {} of the ceiling with a table of 8 MiB and {} with 128",
          lambda: [speedup(f"{games}/dice{size}", "both", 2).share() for size in ("-8", "")])
    claim(name, guess, "where the machine gave {} (`results/current/guess/epyc-m2-2`, `run guess`): chance nodes {}, {} of the ceiling; "
          "both {}, ABDADA {}, the shared table {}, fork and join {}, decision nodes {} with {}% of the time idle, the root "
          "{}", lambda: [on(guess).large_ceiling(), on(guess).large(), on(guess).large_share(), *(on(guess, method).large() for method in (
          "both", "abdada", "shared-table", "fork-join", "decision-split")), on(guess, "decision-split").idle(), on(guess, "root-split").large()])
    last = lambda: RECORDS.lines("soak/epyc-m2-2")[-1]
    claim(name, "one-value/epyc-m17-2", "neither on the whole suites of all {seven} games", lambda: len(one_value()))
    claim(name, "soak/epyc-m2-2", "{nor} in {} searches of {} positions and random games against their oracle",
          lambda: [last()["differences"] == 0, last()["searches"], last()["games"]])
    for part, words in (("nodes", "{} | {} | {} | {}"), ("wall_ns", "{} | {} | {} | {}")):
        claim(name, paper, f"| {'time' if part == 'wall_ns' else part}, here | {words} |",
              lambda part=part: [paper_ratio(one, other, part) for one, other in PAPER_PAIRS])
    claim(name, paper, "At {} of {} positions Star2 visits more nodes than Star1, by up to {}%", lambda: [
          paper_more("star2", "star1"), len(paper_ratios("star2", "star1")), percent(max(paper_ratios("star2", "star1")) - 1)])
    time = lambda ordering: paper_ratio("star2-tt", "star2", "wall_ns", ordering)
    claim(name, paper, "visits fewer nodes than Star2 at {every} position and is the slower one at {}. Under ordering `static` it takes {} of Star2's "
          "time, under `hybrid` {}", lambda: [paper_more("star2-tt", "star2") == 0, paper_more("star2-tt", "star2", "wall_ns"),
          time("static"), time("hybrid")])
    claim(name, paper, "ends {} of {} million look-ups of Star1", lambda: paper_table("star1", "decision_cutoffs", "probes"))
    claim(name, paper, "of {} million cuts by the table at chance nodes {} is of successors", lambda: [
          *paper_table("star2-tt", "chance_cutoffs"), 1e6 * paper_table("star2-tt", "successor_cutoffs")[0]])
    claim(name, paper, "Star2 does at {} of {} positions, Star2-TT at {}", lambda: [
          paper_more("star2", "star1"), len(paper_ratios("star2", "star1")), paper_more("star2-tt", "star1")])
    claim(name, paper, "of the sums {} of it under its own ordering, {} under `static`", lambda: [time("paper"), time("static")])
    claim(name, paper, "it settles {} node in all {} searches", lambda: [
          1e6 * paper_table("star2-tt", "successor_cutoffs")[0], len(paper_ratios("star2-tt", "star2"))])
    priced = lambda *events: [costs("calibrate/epyc-m2-2")[event] for event in events]
    claim(name, "calibrate/epyc-m2-2", "on one a node takes {} ns, an evaluation {}, a look-up or store {}, a split {} and a steal {}",
          lambda: priced("node", "evaluation", "table", "split", "steal"))
    claim(name, "calibrate/epyc-m2-2", "An evaluation is cheap here ({} ns) and a look-up is not ({} ns)", lambda: priced("evaluation", "table"))


def claims_of_report_on_processors():
    name, middle = REPORT, "simulate/epyc-m2-2/paper"
    counts = (16, 64, 256, 1024)
    first, second = "epyc-m17-2", "epyc-m2-2"
    now = lambda: node_range(CALIBRATED)
    claim(name, CALIBRATED, "{seven} searches of Dice of {} to {} million nodes gain {} and {} times on 64 processors and {} and {} on 1,024 by "
          "what events cost on two machines, {} and {} by the kinder costs `unit`", lambda: [len(baseline_nodes(CALIBRATED, "unit")) == 7, *now(),
          *(by_costs(of, [count])[0] for count in (64, 1024) for of in (first, second)), *by_costs("unit", (64, 1024))])
    over = lambda count: speedup(CALIBRATED, "both", count, model=model_of(first)).overhead()
    claim(name, CALIBRATED, "of {} to {} million nodes: {}, {}, {} and {} on 16, 64, 256 and 1,024 processors by the costs of `epyc-m17-2`, {}, "
          "{}, {} and {} by those of `epyc-m2-2`, {}, {}, {} and {} by `unit`; overheads of {}% on 64 and {}% on 1,024", lambda: [
          *now(), *(one for of in (first, second, "unit") for one in by_costs(of)), over(64), over(1024)])
    more = lambda count, of: by_costs("unit", [count])[0] / by_costs(of, [count])[0]
    claim(name, CALIBRATED, "So `unit` gives {} to {} times as much on 64 processors, {} to {} times on 1,024", lambda: [
          more(count, of) for count in (64, 1024) for of in (first, second)])
    claim(name, middle, "at {} to {} million nodes to depth 13 it is {}, {}, {} and {}",
          lambda: [*large_size(middle), *larges(middle, "both", counts)])
    methods = "simulate-methods/epyc-m2-2"
    last = lambda method: speedup(methods, method, 256, None, calibrated(methods)).total()
    claim(name, methods, "On searches of {} to {} million nodes `both` gains {} on 256 processors, chance nodes alone {}, ABDADA {}, the shared "
          "table {}, the root {} and decision nodes alone {}", lambda: [*node_range(methods), *map(last, (
          "both", "chance-split", "abdada", "shared-table", "root-split", "decision-split"))])
    guess = "guess/epyc-m2-2/virtual"
    told = lambda method: [*larges(guess, method, [4, 16, 64]), *(speedup(guess, method, count).overhead() for count in (4, 16, 64))]
    claim(name, guess, "chance nodes gain {}, {} and {} with overheads of {}, {} and {}%, decision nodes {}, {} and {} with {}, "
          "{} and {}%", lambda: told("chance-split") + told("decision-split"))
    algorithms = "algorithms/epyc-m2-2"
    real = lambda key: speedup(f"{algorithms}/real-{key}", "chance-split", 2)
    virtual = lambda key: speedup(f"{algorithms}/virtual-{key}", "chance-split", 64)
    for label, key, words in (
        ("Expectimax, depth 11", "expectimax", "{} | {} | {} | {}%"), ("Star1", "star1", "{} | {} | {} | {}%"),
        ("Star2", "star2", "{} | {} | {} | {}%"), ("Star2-TT", "star2-tt", "{} | {} | {} | {}%"),
    ):
        claim(name, algorithms, f"| {label} | {words} |", lambda key=key: [real(key).large(), real(key).large_share(), virtual(key).total(),
              virtual(key).overhead()])
    claim(name, algorithms, "Star2 without it has {}% where Star2-TT has {}%", lambda: [virtual(key).overhead() for key in ("star2", "star2-tt")])
    claim(name, "simulate-two/epyc-m2-2", "calibrated costs are {} to {}% too fast by six methods", errors)


def claims_of_report_on_games():
    name, two, many = REPORT, "two-threads-games/epyc-m2-2", "splits/epyc-m2-2"
    real = lambda game: speedup(f"{two}/{game}", "both", 2)
    virtual = lambda game, count: [totals(f"{many}/{game}", "both", [count], model=model)[0] for model in (calibrated(f"{many}/{game}"), "unit")]
    for label, game, words in (
        ("Dice", "dice", "{} | {} | +{}% | {}, {} | {}, {}"),
        ("Pig", "pig", "{} | {} | +{}% | {}, {} | {}, {}"),
        ("EinStein", "einstein", "{} | {} | +{}% | {}, {} | {}, {}"),
        ("backgammon", "backgammon", "{} | {} | {}% | {}, {} | {}, {}"),
        ("hyper-backgammon", "hyper-backgammon", "{} | {} | {}% | {}, {} | {}, {}"),
        ("2048", "2048", "{} | {} | +{}% | {}, {} | {}, {}"),
        ("Abalone", "abalone", "{} | {} | +{}% | {}, {} | {}, {}"),
    ):
        claim(name, f"{two}, {many}", f"| {label} | {words} |", lambda game=game: [
              real(game).total(), real(game).share(), real(game).overhead(), *virtual(game, 64), *virtual(game, 1024)])
    claim(name, many, "2048 visits {}% more nodes on 64 processors under calibrated costs",
          lambda: speedup(f"{many}/2048", "both", 64, model=calibrated(f"{many}/2048")).overhead())
    claim(name, two, "it does in {} of {}", lambda: [sum(real(game).share() >= 0.95 for game in GAMES), len(GAMES)])


def claims_of_report_on_the_rest():
    name, folder = REPORT, "ablation/epyc-m2-2"
    whole = lambda: study(folder + "/techniques")
    ratio = lambda variant, part: whole().ratio(variant, part)
    claim(name, folder, "takes {}% of the nodes and {}% of the time ({} [{} .. {}] in the median of the positions)", lambda: [
          percent(ratio("default", "nodes")), percent(ratio("default", "wall_ns")), whole().middle("default", "wall_ns"), *whole().interval("default")])
    claim(name, folder, "alone takes {} times the nodes and {} of the time, and evaluating once what leaves below a chance node share, in one node, "
          "{} of the nodes and {} of the time", lambda: [ratio(f"paper's + {one}", part) for one in ("chosen table", "leaf collapse")
          for part in ("nodes", "wall_ns")])
    saves = lambda one: [percent(1 - ratio(f"paper's + {one}", part)) for part in ("nodes", "wall_ns")]
    claim(name, folder, "The chosen ordering and static bounds are worth {} to {}% of the time each. Enhanced transposition cutoffs save {}% of the nodes and cost {}% of "
          "the time", lambda: [*(of((saves("chosen ordering")[1], saves("static bounds")[1])) for of in (min, max)), saves("move probing")[0],
          -saves("move probing")[1]])
    scaling = "ablation-scaling/epyc-m2-2"
    without = ("without-hybrid-ordering", "without-leaf-collapse", "without-static-bounds", "without-table-from-depth-3")
    claim(name, scaling, "the default gains {} on 64 processors under `unit`, and without one of its techniques {} to {}", lambda: [
          *totals(scaling + "/default", "both", [64]), *(of(totals(f"{scaling}/{one}", "both", [64])[0] for one in without) for of in (min, max))])
    claim(name, "tuning/epyc-m2-2", "in each of {} games, evaluators and depths, it takes {} of the time in the median of {} comparisons and, by the "
          "lower end of the interval, at most {} of it", lambda: [len(tuned_folders()), median(tuned_all()), len(tuned_all()), tuned_worst()])
    one = ("always", "keep-first", "deepest", "reference-bit", "deep", "big1", "bigall")
    times = lambda names: [scheme(size, variant)[1] for size in (10, 14, 18) for variant in names]
    tables = "tables/epyc-m49-2"
    without_table = lambda game: study(f"{tables}/lectures-{game}").ratio("without table", "nodes")
    claim(name, tables, "schemes of one entry take {} to {} times as long, of two {} to {}, chains {} to {} although they save {}% of the nodes",
          lambda: [*(of(times(names)) for names in (one, ("twodeep", "twobig1"), ["chains"]) for of in (min, max)), percent(1 - scheme(18, "chains")[0])])
    claim(name, tables, "saves {} of {} nodes in 2048, {} of {} in Pig and {}% in backgammon", lambda: [
          without_table("2048") - 1, without_table("2048"), without_table("pig") - 1, without_table("pig"), percent(1 - 1 / without_table("backgammon"))])
    lanes = "lanes/epyc-m49-2"
    slow = lambda game: study(f"{lanes}/{game}-slow").ratio("default", "wall_ns")
    claim(name, lanes, "lanes take {} of the time in backgammon, {} in Dice and {} in Pig; with a network on the same core {}", lambda: [
          *map(slow, ("backgammon", "dice", "pig")), study(f"{lanes}/backgammon-mlp").ratio("default", "wall_ns")])
    first, second = ("backgammon", "hyper-backgammon", "einstein"), ("pig", "2048", "abalone")
    gains = lambda: [device_best(game)[1] for game in first + second]
    claim(name, "devices/epyc-m2-2", "{} lanes are best in three games and {} in three others, {} to {} times as fast as one", lambda: [
          *(Every(device_best(game)[0] for game in games) for games in (first, second)), min(gains()), max(gains())])
    ends = lambda machines: cluster_ends("dice", machines)
    claim(name, CLUSTERS, "three positions of Dice: {}, {}, {} to {} and {} to {} times on 1, 4, 16 and 64 machines, where one machine of 64 without "
          "messages gains {} and one of 1,024 with one table {}", lambda: [Every(ends(1)), Every(ends(4)), *ends(16), *ends(64),
          cluster_speedup("dice", 64), cluster_speedup("dice", 1024)])
    claim(name, CLUSTERS, "cluster of 4 machines is {slower} than one machine of 64 processors without a planner",
          lambda: max(ends(4)) < cluster_speedup("dice", 64))
    claim(name, CLUSTERS, "{} times at best, on {} processors", lambda: [max(ends(64)), float(64 * 64)])
    single = lambda: [study(f"{tables}/{game}-{size}").ratio("buckets, three types", "nodes") for game in GAMES for size in (10, 14, 18)]
    claim(name, tables, "one value takes {} to {} of the nodes", lambda: [min(single()), max(single())])
    claim(name, "successor-probing/epyc-m2-2", "doing it never costs {}% more nodes than doing it from depth {} on", lambda: (lambda found: [
          percent(found.ratio("254", "nodes") - 1), float(found.first)])(study("successor-probing/epyc-m2-2/depths")))
    reuse = lambda: study("reuse/epyc-m2-2/pass")
    claim(name, "reuse/epyc-m2-2", "{}% more, and at {} of {} positions another value", lambda: [
          percent(reuse().ratio("at-least", "nodes") - 1), reuse().other_values("at-least"), len(reuse().rounds)])


# --- the command -----------------------------------------------------------------------------------------------------


def all_claims():
    CLAIMS.clear()
    claims_of_speedups()
    claims_of_studies()
    claims_of_methodology()
    claims_of_paper_tables()
    claims_of_open_questions()
    claims_of_guess()
    claims_of_threads()
    claims_of_many_processors()
    claims_of_techniques()
    claims_of_choices()
    claims_of_other_games()
    claims_of_schemes()
    claims_of_plans()
    claims_of_report()
    return CLAIMS


@functools.cache
def document(name):
    """A document without the marks of its blocks of figures, which `report` fills."""
    return re.sub(r"<!-- (figures [a-z0-9-]+|end) -->", "", (ROOT / name).read_text())


def lines_of(one, text_of=document):
    """A claim's headlines, one for each document, and whether it agrees; a record that is not there, or is another, agrees with nothing."""
    try:
        found = one.found()
    except (ArithmeticError, LookupError, OSError, TypeError, ValueError) as error:
        yield from ((f"{name}: {one.words} | {one.folder}: {type(error).__name__}: {error}", False) for name in one.documents)
        return
    for name in one.documents:
        text = text_of(name)
        best = one.best(text, found)
        if not best:
            yield f"{name} (not there): {one.words} | {one.folder}: {', '.join(map(show, found))}", False
            continue
        place, verdicts = best
        told = ", ".join(show(figure) + ("" if right else " (!)") for figure, right in zip(found, verdicts))
        line = text.count(chr(10), 0, place.start()) + 1
        yield f"{name}:{line}: {' '.join(place[0].split())} | {one.folder}: {told}", all(verdicts)


def holds(one):
    return all(right for _, right in lines_of(one))


# --- the test of the tester ------------------------------------------------------------------------------------------


class Scaled(Records):
    """Records of which one folder's lines have another number under a key, with checksums to match where there are any."""

    def __init__(self, folder, key, new, only=""):
        super().__init__(self.scaled)
        self.own, self.key, self.new, self.only = folder, key, new, only

    def scaled(self, folder, text):
        if folder != self.own:
            return text
        pattern = re.compile(rf'(?<="{self.key}":)(-?[\d.]+)')
        return "\n".join(self.signed(pattern.sub(self.new, line)) if self.only in line else line for line in text.splitlines())

    @staticmethod
    def signed(line):
        own, found, _ = line.partition(',"crc32":"')
        return f'{own}{found}{zlib.crc32(own.encode()):08x}"}}' if found else line


def altered(quoted, found):
    """What is quoted, with each of its figures in turn changed by one in its last digit, away from what is found: in the middle
    between two roundings either is right. What is true or not has none."""
    for number, (own, figure) in enumerate(zip(quoted, found)):
        if isinstance(figure, bool):
            continue
        own = " ".join(own.split())
        digits = str(NUMBERS.get(own, own)) if own not in WORDS else "0.9"
        last = max(place for place, digit in enumerate(digits) if digit.isdigit())
        is_below = isinstance(figure, (int, float)) and figure > float(digits.replace(",", ""))
        changed = digits[:last] + str((int(digits[last]) + (-1 if is_below else 1)) % 10) + digits[last + 1 :]
        yield number, [*quoted[:number], changed, *quoted[number + 1 :]]


def of_claims():
    """Every figure of every claim, changed in its document, and words that are not there."""
    figures = missed = 0
    for one in (one for one in all_claims() if holds(one)):
        found = one.found()
        place, _ = one.best(document(one.documents[0]), found)
        for number, changed in altered(place.groups(), found):
            figures += 1
            missed += one.verdicts(changed, found)[number]
    yield f"{figures:,} figures, each changed by one in its last digit", missed == 0
    one = all_claims()[0]
    yield "a document that has other words", not any(right for _, right in lines_of(one, lambda _: "nothing of it"))


def of_records():
    """Lines of records with other numbers: figures, values, errors and checksums have to differ."""
    by = lambda factor: lambda found: str(round(float(found[1]) * factor))
    for folder, key, only in (
        ("compare/epyc-m2-2", "wall_ns", '"threads":2'), ("compare/epyc-m2-2", "nodes", '"threads":2'),
        ("tables/epyc-m49-2/pig-14", "wall_ns", '"chains"'),
        ("tuning/epyc-m2-2/dice-network-11", 'setting":"default","wall_ns', '"comparison"'),
        ("play/epyc-m17-2/2048-3-1", "points", ""),
        (CLUSTERS + "/dice", "virtual_ns", '"machines":64'), ("devices/epyc-m2-2/pig", "virtual_ns", '"lanes":16'),
    ):
        use(Scaled(folder, key, by(1.5) if key != "nodes" else by(1.1), only))
        own = [one for one in all_claims() if folder.startswith(one.folder) or one.folder.startswith(folder)]
        yield f"{key} of {folder}", not all(map(holds, own))
    moved = lambda folder, text: text.replace('"best_move":"', '"best_move":"no ', 1) if folder.startswith("smaller/") else text
    use(Records(moved))
    yield "a best move", not all(holds(one) for one in all_claims() if one.folder.startswith("smaller/"))
    for folder, key, new, kind, only in (
        ("compare/epyc-m2-2", "score", "7", "values", ""), ("lanes/epyc-m49-2/pig-slow", "value", "0.125", "values", '"alone"'),
        ("compare/epyc-m2-2", "upper", "8388607", "inexact", ""), ("compare/epyc-m2-2", "completed_depth", "9", "inexact", ""),
    ):
        use(Scaled(folder, key, new, only))
        yield f"{key} of {folder} is {new}", kind in faults_of(folder)
    broken = lambda _, text: text.replace('"error":null', '"error":"no"', 1)
    use(Records(broken))
    yield "an error", "errors" in faults_of("compare/epyc-m2-2")
    for name, change in (
        ("a digit of a line", lambda text: text.replace('"nodes":', '"nodes":1', 1)),
        ("a digit of a checksum", lambda text: re.sub(r'"crc32":"(.)', lambda f: f'"crc32":"{"1" if f[1] == "0" else "0"}', text, count=1)),
        ("a checksum that is missing", lambda text: re.sub(r',"crc32":"[0-9a-f]{8}"', "", text, count=1)),
    ):
        use(Records(lambda _, text, change=change: change(text)))
        yield name, "checksums" in faults_of("lanes/epyc-m49-2/pig-slow")
    use(Records(lambda _, text: "\n".join(text.splitlines()[:70] + text.splitlines()[71:])))
    yield "a line that is missing", "missing" in faults_of("compare/epyc-m2-2")
    renumbered = lambda text: [f'{line[:-1]},"line":{number}}}' for number, line in enumerate(text.splitlines(), 1) if number != 3]
    use(Records(lambda _, text: "\n".join(renumbered(text))))
    yield "a number that is missing", any("line 3" in where for where in found_in("compare/epyc-m2-2").faults["missing"])
    use(Records(lambda _, text: text + text.splitlines()[-1] + "\n"))
    yield "a line that is there twice", "twice" in faults_of("compare/epyc-m2-2")
    use(Records())
    yield "none of all this where nothing is changed", not faults_of("lanes/epyc-m49-2/pig-slow")


def found_in(folder):
    found = Audit()
    found.folder(folder)
    return found


def faults_of(folder):
    return set(found_in(folder).faults)


def of_revisions():
    """A revision that the history does not have."""
    shallow = git("rev-parse", "--is-shallow-repository").stdout.strip() != "false"
    last = lambda *extra: list(revisions(extra))[-1][2]
    yield "a revision that the history does not have", shallow or not last("0" * 40)


def selftest():
    """Whether every change is seen."""
    fine = True
    for what, seen in (*of_claims(), *of_records(), *of_revisions()):
        fine &= seen
        print(f"{'seen    ' if seen else 'NOT SEEN'} {what}")
    return 0 if fine else 1


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--selftest", action="store_true", help="whether every change is seen")
    if options.parse_args().selftest:
        return selftest()
    fine = True
    counts = collections.Counter()
    for what, found, right in (*audit(), *revisions()):
        fine &= right
        print(f"{'agrees ' if right else 'differs'} records: {what}: {found}")
    for one in all_claims():
        for (text, right), name in zip(lines_of(one), one.documents):
            fine &= right
            counts[name] += 1
            counts[name, "figures"] += len(re.findall(r"\{[^}]*\}", one.words))
            print(f"{'agrees ' if right else 'differs'} {text}")
    for name in sorted(name for name in counts if isinstance(name, str)):
        print(f"{name}: {counts[name]} headlines, {counts[name, 'figures']} figures")
    return 0 if fine else 1


if __name__ == "__main__":
    sys.exit(main())
