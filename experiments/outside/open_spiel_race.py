"""OpenSpiel's expectiminimax beside the program search, at equal depth and value: prints one JSON object.

    pip install open_spiel==2.0.2
    cargo build --release --bin starsplit
    python experiments/outside/open_spiel_race.py > race.json

Progress and a table go to standard error. It ends with 1 where a value differs, and with 2 and a line where
something is missing. The states, the notations and what evaluators say come from games/oracles. With a C++
compiler (c++, or $CXX) OpenSpiel's compiled expectiminimax is in the race, too, where it can be.
"""

import argparse
import ctypes
import importlib.metadata
import json
import math
import os
import pathlib
import platform
import shlex
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]

# The grid of search's scores: these many steps from 0 to a certain win.
LIMIT = (1 << 23) - 1

# Runs of search in a turn, of which the median counts: they are short.
OWN_RUNS = 5

# The first is what search does where nothing is said.
ALGORITHMS = ("star2-tt", "expectimax")

# The deepest that a row is made, and the most nodes of OpenSpiel's that it may come to have by that.
DEEPEST, MOST_NODES = 30, 20_000_000

MEANING = {
    "depth": "plies, a move and an outcome being a ply each, for both",
    "open_spiel": "open_spiel.python.algorithms.minimax.expectiminimax, as it is, on its own states. In "
    "einstein, where moves and rolls alternate, its depth in moves is the same tree. In pig, where holding "
    "is a move without a roll, it is given a number that counts rolls, too (the class Plies), in place of an "
    "int",
    "counting": "seconds with Plies / seconds with an int, for the same tree in einstein: what counting adds "
    "to OpenSpiel's times in pig",
    "star2-tt, expectimax": "search --algorithm of that name on one thread, all else by default (which is "
    "star2-tt): its own `seconds`, all iterations of its deepening included; the median of "
    f"{OWN_RUNS} runs a turn",
    "evaluators": "constant costs OpenSpiel a call of a function that returns 0; banked and material cost "
    "the state's text and a look-up of it, for what they said of a text before is remembered",
    "nodes": "of OpenSpiel: calls; of search: its own count, all iterations included",
    "ratio": "OpenSpiel's seconds / ours, of one turn; median, min and max over the turns",
    "median_ratio": "medians over rows of the rows' medians",
    "value": "what the first player expects, as OpenSpiel finds it. It is compared to the last bit with a "
    "recursion over OpenSpiel's states; the same recursion with values rounded to search's grid at every "
    "roll has to give search's score exactly",
    "compiled": "OpenSpiel's C++ ExpectiminimaxSearch. Its Python module has it compiled in but does not "
    "offer it: a few lines of C++ call it, with a function that returns 0. Only in einstein, since its depth "
    "has to be an int, and only for constant, so that evaluators cost it nothing",
}


CALLER = """
#include "open_spiel/algorithms/minimax.h"
#include "open_spiel/spiel.h"

extern "C" double expectiminimax(const char* name, const long long* actions, int count, int depth) {
  auto game = open_spiel::LoadGame(name);
  auto state = game->NewInitialState();
  for (int i = 0; i < count; ++i) state->ApplyAction(actions[i]);
  auto even = [](const open_spiel::State&) { return 0.0; };
  return open_spiel::algorithms::ExpectiminimaxSearch(*game, state.get(), even, depth, 0).first;
}
"""


class Plies:
    """A depth for expectiminimax that counts outcomes. At a chance node that function hands on the depth that
    it was given. Every node asks its depth once whether it is 0, so all but the first who ask the same one
    are below a chance node, and have a ply less.
    """

    __slots__ = ("left", "asked")

    def __init__(self, left):
        self.left, self.asked = left, 0

    def __eq__(self, zero):
        self.asked += 1
        if self.asked == 2:
            self.left -= 1
        return self.left == zero

    def __sub__(self, one):
        return Plies(self.left - one)


class Unusable(Exception):
    """Something that the race needs is missing or wrong."""


class PigRow:
    game = "pig"

    def __init__(self, banked, to_act, evaluator, depth):
        import open_spiel_pig

        self.pig = open_spiel_pig.Pig(100, 6)
        self.state = self.reached(*banked, to_act)
        self.rules, self.position = self.pig.rules, self.pig.notation(self.state)
        self.to_act, self.evaluator, self.depth = to_act, evaluator, depth
        self.known = {}

    def reached(self, first, second, to_act):
        """A turn for each of them, in which they bank so much; then it is the turn of `to_act`."""
        state = self.pig.start()
        roll, hold = 0, 1
        for points in (first, second):
            while points > 0:
                # No roll of 1, which ends the turn, and no 1 left over.
                pips = 5 if points == 7 else min(6, points)
                state.apply_action(roll)
                state.apply_action(pips - 1)
                points -= pips
            state.apply_action(hold)
        if to_act == 1:
            state.apply_action(hold)
        assert self.pig.fields(state) == (first, second, 0, to_act, False)
        return state

    def open_spiel_depth(self):
        return Plies(self.depth)

    def evaluate(self, state):
        text = str(state)
        if text not in self.known:
            self.known[text] = self.pig.evaluate(state, self.evaluator)
        return self.known[text]

    def root(self):
        return self.state

    def key(self, state):
        return self.pig.fields(state)

    def open_spiel_state(self, state):
        return state

    def child(self, state, action):
        return state.child(action)

    def told(self, state):
        return self.pig.evaluate(state, self.evaluator)


class EinsteinRow:
    game = "einstein"

    def __init__(self, plies, seed, evaluator, depth):
        import open_spiel_einstein

        self.einstein = open_spiel_einstein
        self.node = open_spiel_einstein.played(plies, seed)
        self.state, self.to_act = self.node.state, self.node.to_act
        self.rules, self.position = open_spiel_einstein.RULES, self.node.notation()
        self.evaluator, self.depth = evaluator, depth
        self.known = {}

    def moves(self):
        return (self.depth + 1) // 2

    def open_spiel_depth(self):
        # The tree ends before a roll: that is as deep by moves as by plies.
        assert (self.depth + self.state.is_chance_node()) % 2 == 1
        return self.moves()

    def evaluate(self, state):
        text = str(state)
        if text not in self.known:
            # OpenSpiel does not tell who is to act, but the number of moves to every leaf is the same.
            leaf = self.einstein.Node(state, (self.to_act + self.moves()) % 2)
            self.known[text] = self.einstein.material(leaf)
        return self.known[text]

    def root(self):
        return self.node

    def key(self, node):
        return node.key()

    def open_spiel_state(self, node):
        return node.state

    def child(self, node, action):
        return node.child(action)

    def told(self, node):
        return 0.0 if self.evaluator == "constant" else self.einstein.material(node)


def rows(games):
    """Nothing that all of a tree's leaves say alike: constant only where games end within the depth."""
    if "pig" in games:
        for banked, to_act, evaluator, depth in [
            ((0, 0), 0, "banked", 13),
            ((34, 41), 1, "banked", 13),
            ((77, 81), 0, "banked", 13),
            ((80, 72), 1, "constant", 13),
            ((91, 88), 0, "constant", 13),
        ]:
            yield PigRow(banked, to_act, evaluator, depth)
    if "einstein" in games:
        for plies, seed, evaluator, depth in [
            (0, 1, "material", 10),
            (6, 2, "material", 10),
            (12, 3, "material", 10),
            (20, 5, "constant", 10),
            (24, 6, "constant", 10),
        ]:
            yield EinsteinRow(plies, seed, evaluator, depth)


def nearest(numerator, denominator):
    """The integer nearest to the quotient; of two equally near, the one further from 0."""
    size = (2 * abs(numerator) + denominator) // (2 * denominator)
    return size if numerator >= 0 else -size


def expected(row):
    """By a recursion that remembers what it found: calls of expectiminimax, its value, and search's score."""
    known = {}

    def visit(node, depth):
        state = row.open_spiel_state(node)
        if state.is_terminal():
            value = state.returns()[0]
            return 1, value, round(value) * LIMIT
        if depth == 0:
            value = row.told(node)
            scaled = value * LIMIT
            return 1, value, int(math.copysign(math.floor(abs(scaled) + 0.5), scaled))
        key = (row.key(node), depth)
        if key in known:
            return known[key]
        if state.is_chance_node():
            calls, value, total, outcomes = 1, 0, 0, state.chance_outcomes()
            for outcome, chance in outcomes:
                below = visit(row.child(node, outcome), depth - 1)
                assert abs(chance * len(outcomes) - 1) < 1e-12
                calls, value, total = calls + below[0], value + chance * below[1], total + below[2]
            found = calls, value, nearest(total, len(outcomes))
        else:
            below = [visit(row.child(node, action), depth - 1) for action in state.legal_actions()]
            best = max if state.current_player() == 0 else min
            found = 1 + sum(b[0] for b in below), best(b[1] for b in below), best(b[2] for b in below)
        known[key] = found
        return found

    return visit(row.root(), row.depth)


def open_spiel_turn(row, depth):
    """Seconds and value of OpenSpiel's search."""
    from open_spiel.python.algorithms.minimax import expectiminimax

    evaluate = (lambda state: 0.0) if row.evaluator == "constant" else row.evaluate
    begin = time.perf_counter()
    value, _ = expectiminimax(row.state, depth, evaluate, 0)
    return time.perf_counter() - begin, value


def compiled():
    """OpenSpiel's compiled search as a function, and nothing or why there is none."""
    import pyspiel

    packages = pathlib.Path(pyspiel.__file__).resolve().parent
    sources = packages / "open_spiel"
    folders = [packages, sources, sources / "abseil-cpp", sources / "json/include"]
    included = [f"-I{folder}" for folder in folders]
    compiler = shlex.split(os.environ.get("CXX", "")) or ["c++"]
    with tempfile.TemporaryDirectory() as folder:
        source, library = pathlib.Path(folder, "caller.cc"), pathlib.Path(folder, "caller.so")
        source.write_text(CALLER)
        command = [*compiler, "-std=c++17", "-O2", "-w", "-shared", "-fPIC", *included]
        try:
            files = ["-o", str(library), str(source)]
            made = subprocess.run([*command, *files], capture_output=True, text=True, check=False)
            if made.returncode != 0:
                return None, (made.stderr.strip().splitlines() or ["no message"])[0]
            # The caller finds in it what it calls.
            ctypes.CDLL(pyspiel.__file__, mode=ctypes.RTLD_GLOBAL)
            search = ctypes.CDLL(str(library)).expectiminimax
        except OSError as error:
            return None, str(error)
    search.restype = ctypes.c_double
    search.argtypes = [ctypes.c_char_p, ctypes.POINTER(ctypes.c_longlong), ctypes.c_int, ctypes.c_int]
    return search, None


def compiled_turn(search, row):
    """Seconds and value of OpenSpiel's compiled search; the way to the root is a trifle of them."""
    actions = row.state.history()
    array = (ctypes.c_longlong * len(actions))(*actions)
    begin = time.perf_counter()
    value = search(b"einstein_wurfelt_nicht", array, len(actions), row.open_spiel_depth())
    return time.perf_counter() - begin, value


def own_run(search, row, algorithm):
    asked = ["--game", row.game, "--rules", row.rules, "--position", row.position, "--depth", str(row.depth)]
    how = ["--evaluator", row.evaluator, "--algorithm", algorithm, "--threads", "1", "--json"]
    try:
        done = subprocess.run([search, "search", *asked, *how], capture_output=True, text=True, check=False)
    except OSError as error:
        raise Unusable(f"{search}: {error.strerror}") from None
    try:
        found = json.loads(done.stdout)
        found["score"], found["seconds"], found["nodes"]
    except (ValueError, KeyError):
        complaint = (done.stderr.strip().splitlines() or ["no JSON object"])[-1]
        raise Unusable(f"{search}: {complaint}") from None
    return found


def own_turn(search, row, algorithm):
    """The median of the seconds of some runs, and what the last of them found."""
    runs = [own_run(search, row, algorithm) for _ in range(OWN_RUNS)]
    return statistics.median(run["seconds"] for run in runs), runs[-1]


def summary(samples):
    return dict(median=statistics.median(samples), min=min(samples), max=max(samples), samples=samples)


def deepened(search, row, least):
    """Makes the row deeper until search takes long enough to be timed; tells what is to be found there."""
    found = expected(row)
    while own_turn(search, row, ALGORITHMS[0])[0] < least:
        row.depth += 2
        before, found = found, expected(row)
        if row.depth > DEEPEST or found[0] > MOST_NODES:
            # Some positions are too easy for us; they stay as they were, and their rows say so.
            row.depth, found = row.depth - 2, before
            break
    row.known.clear()
    return found


def raced(search, in_cpp, row, repeats, least):
    calls, value, score = deepened(search, row, least)
    own_score = score if row.to_act == 0 else -score
    faults = []

    def check(who, found, right):
        if found != right:
            faults.append(f"{who} finds {found!r}, expected {right!r}")

    # Not timed as the others are: it fills what the evaluators remember.
    warm_up, found = open_spiel_turn(row, Plies(row.depth))
    check("open_spiel, counting outcomes", found, value)
    theirs = ["open_spiel"]
    if in_cpp and row.game == "einstein" and row.evaluator == "constant":
        theirs.append("compiled")
    seconds, nodes = {who: [] for who in (*theirs, *ALGORITHMS)}, {who: calls for who in theirs}
    for repeat in range(repeats):
        # The order turns round, so that nobody is always the first.
        for who in list(seconds)[:: -1 if repeat % 2 else 1]:
            if who == "open_spiel":
                taken, found = open_spiel_turn(row, row.open_spiel_depth())
                check(who, found, value)
            elif who == "compiled":
                taken, found = compiled_turn(in_cpp, row)
                check(who, found, value)
            else:
                taken, run = own_turn(search, row, who)
                check(who, (run["score"], run["exact"]), (own_score, True))
                nodes[who] = run["nodes"]
            seconds[who].append(taken)
    told = dict(game=row.game, rules=row.rules, position=row.position, evaluator=row.evaluator)
    told |= dict(depth=row.depth, value=value, score=own_score, nodes=nodes)
    told["seconds"] = {who: summary(samples) for who, samples in seconds.items()}
    told["ratio"] = {
        who: {
            name: summary([slow / own for slow, own in zip(seconds[who], seconds[name])])
            for name in ALGORITHMS
        }
        for who in theirs
    }
    told["too_short"] = told["seconds"][ALGORITHMS[0]]["median"] < least
    if row.game == "einstein" and row.evaluator == "constant":
        # There was nothing to remember in the first turn, so that only the counting differs.
        told["counting"] = warm_up / told["seconds"]["open_spiel"]["median"]
    return told, faults


def medians(told):
    """The medians over rows, all of them and by game and evaluator."""
    groups = {"all": told}
    for row in told:
        for name in (row["game"], f"{row['game']}, {row['evaluator']}"):
            groups.setdefault(name, []).append(row)
    found = {}
    for who in ("open_spiel", "compiled"):
        for group, some in groups.items():
            ratios = [row["ratio"][who] for row in some if who in row["ratio"]]
            # A group of which the compiled search has a part only would tell nothing new.
            if ratios and (who == "open_spiel" or len(ratios) == len(some)):
                of = {name: statistics.median(r[name]["median"] for r in ratios) for name in ALGORITHMS}
                found.setdefault(who, {})[group] = of
    return found


def processor():
    try:
        for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()


def version_of(search):
    try:
        done = subprocess.run([search, "search", "--version"], capture_output=True, text=True, check=False)
    except OSError as error:
        raise Unusable(f"{search}: {error.strerror} (cargo build --release --bin starsplit)") from None
    if done.returncode != 0 or not done.stdout.strip():
        raise Unusable(f"{search}: does not tell its version")
    return done.stdout.strip()


class Arguments(argparse.ArgumentParser):
    def error(self, message):
        raise Unusable(message)


def at_least(kind, least):
    def read(text):
        try:
            number = kind(text)
        except ValueError:
            number = math.nan
        if not least <= number < math.inf:
            raise argparse.ArgumentTypeError(f"{text!r}: expected a number of {least} or more")
        return number

    return read


def arguments():
    parser = Arguments(description=__doc__.splitlines()[0])
    parser.add_argument("--game", choices=["pig", "einstein", "both"], default="both")
    parser.add_argument("--repeats", type=at_least(int, 3), default=3, help="turns of each side (3 or more)")
    parser.add_argument("--least-ms", type=at_least(float, 0), default=1.0, metavar="MS",
                        help="a row is made deeper where our search takes less (1)")
    parser.add_argument("--search", default=str(ROOT / "target/release/starsplit"), metavar="PATH",
                        help="the program with the command search (target/release/starsplit)")
    return parser.parse_args()


def show(text=""):
    print(text, file=sys.stderr, flush=True)


def table(told):
    head = ["game", "position", "evaluator", "depth", "nodes", "OpenSpiel s", "compiled s", *ALGORITHMS]
    lines = [[*head, "times"]]
    for row in told:
        seconds = {who: figures["median"] for who, figures in row["seconds"].items()}
        own = [f"{seconds[name] * 1e3:.2f} ms" for name in ALGORITHMS]
        ratio = row["ratio"]["open_spiel"][ALGORITHMS[0]]
        times = f"{ratio['median']:.0f} ({ratio['min']:.0f} to {ratio['max']:.0f})"
        times += " too short" if row["too_short"] else ""
        others = [f"{seconds[who]:.2f}" if who in seconds else "-" for who in ("open_spiel", "compiled")]
        cells = [row["game"], row["position"], row["evaluator"], str(row["depth"])]
        lines.append([*cells, str(row["nodes"]["open_spiel"]), *others, *own, times])
    widths = [max(map(len, column)) for column in zip(*lines)]
    for line in lines:
        show("  ".join(cell.ljust(width) for cell, width in zip(line, widths)).rstrip())


def main():
    asked = arguments()
    search = asked.search
    versions = dict(search=version_of(search), python=platform.python_version())
    sys.path.insert(0, str(ROOT / "games/oracles"))
    # What is imported from there leaves nothing behind in the tree.
    sys.dont_write_bytecode = True
    try:
        versions["open_spiel"] = importlib.metadata.version("open_spiel")
        import open_spiel_pig  # noqa: F401
    except ImportError as error:
        raise Unusable(f"{error} (pip install open_spiel==2.0.2)") from None
    in_cpp, why_not = compiled()
    if why_not:
        show(f"without OpenSpiel's compiled search: {why_not}")
    load = os.getloadavg()
    told, faults = [], []
    games = ["pig", "einstein"] if asked.game == "both" else [asked.game]
    for row in rows(games):
        where = f"{row.game} {row.position}, {row.evaluator}"
        show(f"{where}, from depth {row.depth}")
        found, wrong = raced(search, in_cpp, row, asked.repeats, asked.least_ms / 1e3)
        told.append(found)
        faults += [f"{where}, depth {row.depth}: {fault}" for fault in dict.fromkeys(wrong)]
    show()
    table(told)
    ratios = medians(told)
    show()
    for who, groups in ratios.items():
        for group, figures in groups.items():
            told_of = ", ".join(f"{figure:.0f} times ({by})" for by, figure in figures.items())
            show(f"{who}, {group}: {told_of}")
    counting = [row["counting"] for row in told if "counting" in row]
    machine = dict(processor=processor(), cores=os.cpu_count())
    machine["system"] = f"{platform.system()} {platform.machine()}"
    machine["load_before"], machine["load_after"] = load[0], os.getloadavg()[0]
    answer = dict(made_by="open_spiel_race.py", command=shlex.join(["python", *sys.argv]))
    answer |= dict(versions=versions, machine=machine, meaning=MEANING, repeats=asked.repeats)
    answer |= dict(counting=statistics.median(counting) if counting else None)
    answer |= dict(compiled_missing=why_not, median_ratio=ratios)
    answer |= dict(values_equal=not faults, faults=faults, rows=told)
    print(json.dumps(answer, indent=1))
    for fault in faults:
        show(fault)
    return 1 if faults else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Unusable as complaint:
        show(f"open_spiel_race.py: {complaint}")
        sys.exit(2)
    except KeyboardInterrupt:
        sys.exit(130)
