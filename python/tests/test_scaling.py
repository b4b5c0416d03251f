"""Speedups on threads and on virtual processors, and the records of them."""

import builtins
import json
import os
import re
import shutil
import subprocess
from pathlib import Path

import numpy
import pytest
from test_own import Tree

import starsplit
from starsplit import records
from starsplit.recording import _write_meta
from starsplit.rounds import in_turn

ROOT = Path(__file__).parents[2]

POSITIONS = [
    "x1x2x3..../x4x5....../x6......o6/......o5o4/....o3o2o1 x 3",
    "x1x2x3..../x4x5....../x6......o6/......o5o4/....o3o2o1 o 5",
]

#: What is measured of a library's game.
ASKED = {"depth": 5, "threads": [1, 2], "processors": [1, 4, 16], "repeats": 2, "table_mib": 1}

#: The same of a game written in Python.
OWN = {"depth": 5, "threads": [2], "processors": [1, 3], "repeats": 2, "table_mib": 1}


def measured(folder=None, **other):
    return starsplit.scaling("einstein", POSITIONS, folder=folder, **{**ASKED, **other})


def own(tree, folder=None, **other):
    return starsplit.scaling(tree, [(), (0, 0)], folder=folder, **{**OWN, **other})


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Whole records of a library's game; not to be changed."""
    folder = tmp_path_factory.mktemp("scaling") / "out"
    measured(folder)
    return folder


def lines(folder, kind):
    return list(records.lines(folder / kind))


def check_rows(found, values, asked):
    rows = found.speedups()
    contenders = [("serial", 1), *(("both", number) for number in asked["threads"])]
    virtual = [("serial", 1), *(("both", number) for number in asked["processors"])]
    expected = [("real", *who) for _ in values for who in contenders]
    expected += [("SIMULATED", *who) for _ in values for who in virtual]
    assert [(row["kind"], row["method"], row["processors"]) for row in rows] == expected
    for row in rows:
        assert row["value"] == values[row["index"] - 1]
        assert 0 < row["lower"] <= row["speedup"] <= row["upper"] and row["nodes"] > 0
        assert (row["seconds"] is None) == (row["kind"] != "real") == (row["virtual"] is not None)
        assert row["rounds"] == (asked["repeats"] if row["kind"] == "real" else 1)
        assert row["method"] != "serial" or row["speedup"] == row["lower"] == 1
    serial = {row["index"]: row["nodes"] for row in rows if row["method"] == "serial"}
    assert all(row["nodes"] == serial[row["index"]] for row in rows if row["processors"] == 1)


def test_a_librarys_game_scales_on_threads_and_on_virtual_processors(folder):
    game = starsplit.Game("einstein")
    values = [starsplit.search(game.parse(text), depth=5).value for text in POSITIONS]
    again = measured(folder)
    check_rows(again, values, ASKED)
    assert len(lines(folder, "real")) == 2 * 2 * 3 and len(lines(folder, "simulated")) == 2 * 4
    curves = [(row["kind"], row["processors"], row["positions"]) for row in again.curves()]
    assert curves == [("real", n, 2) for n in (1, 2)] + [("SIMULATED", n, 2) for n in (1, 4, 16)]
    assert "SIMULATED 16: " in repr(again)
    virtual = [[row["virtual"] for row in found.speedups()] for found in (again, measured(threads=[1]))]
    assert virtual[0][6:] == virtual[1][4:], "virtual times are the same every time"


def test_a_game_in_python_scales():
    tree = Tree(3)
    game = starsplit.python_game(tree)
    values = [starsplit.search(game.state(state), depth=5, table_mib=1).value for state in ((), (0, 0))]
    check_rows(own(tree), values, OWN)
    check_rows(starsplit.scaling(game, [game.state(()), game.state((0, 0))], **OWN), values, OWN)


def test_an_evaluation_in_python_scales():
    game = starsplit.Game("einstein")
    weights = numpy.linspace(-0.01, 0.01, game.feature_count)

    def evaluate(features):
        return numpy.tanh(features @ weights)

    value = starsplit.evaluating_searcher(game, evaluate).search(game.parse(POSITIONS[0]), depth=3).value
    asked = {**ASKED, "depth": 3}
    found = starsplit.scaling(game, POSITIONS[:1], evaluator=evaluate, **asked)
    check_rows(found, [value], asked)


def test_several_seeds_are_several_schedules(tmp_path):
    found = measured(tmp_path, threads=(), seeds=3)
    assert [row["rounds"] for row in found.speedups()][:4] == [1, 3, 3, 3]
    assert {line["simulated"]["seed"] for line in lines(tmp_path, "simulated")} == {None, 1, 2, 3}
    assert not (tmp_path / "real").exists()


def test_costs_are_the_users_own():
    node = {"node": 4, "evaluation": 30, "table": 9, "poll": 0, "split": 200, "steal": 90, "failed_steal": 20}
    dear = {**node, "busy": {**node, "node": 8}}
    late = {**node, "wake": 5_000, "wake_latency": 30_000}
    rows = [measured(threads=(), costs=costs).speedups() for costs in (node, dear, late)]
    virtual = [{row["processors"]: row["virtual"] for row in found} for found in rows]
    assert virtual[0][1] == virtual[1][1] == virtual[2][1]
    # The search is over before helpers come that have to be woken.
    assert virtual[0][4] < virtual[1][4] and virtual[0][4] != virtual[2][4] == virtual[2][16]


@pytest.mark.parametrize("count", range(1, 8))
def test_an_order_of_turns_favours_nobody(count):
    rounds = count if count % 2 == 0 else 2 * count
    orders = [in_turn(count, number) for number in range(rounds)]
    assert all(sorted(order) == list(range(count)) for order in orders)
    after = [pair for order in orders for pair in zip(order, order[1:])]
    assert len({after.count((one, two)) for one in range(count) for two in range(count) if one != two}) <= 1
    assert orders[1] == orders[0][::-1]


class Stopped(Tree):
    """A game in whose searches somebody presses Ctrl-C as soon as a folder has so many lines."""

    def __init__(self, folder, most):
        super().__init__(3)
        self.file, self.most = folder / "samples.jsonl", most

    def evaluate(self, states):
        if self.file.exists() and len(self.file.read_bytes().splitlines()) >= self.most:
            raise KeyboardInterrupt
        return super().evaluate(states)


def test_a_stopped_run_goes_on_where_it_was(tmp_path):
    # In a round, at the end of one, and among the simulated searches.
    for kind, most in (("real", 3), ("real", 6), ("simulated", 2)):
        with pytest.raises(KeyboardInterrupt):
            own(Stopped(tmp_path / kind, most), tmp_path)
        assert len(lines(tmp_path, kind)) == most
    before = (tmp_path / "real" / "samples.jsonl").read_bytes()
    with open(tmp_path / "simulated" / "samples.jsonl", "ab") as file:
        file.write(b'{"schema":6,"half')
    found = own(Stopped(tmp_path, 1), tmp_path)
    assert (tmp_path / "real" / "samples.jsonl").read_bytes() == before
    assert [row["rounds"] for row in found.speedups()] == [2] * 4 + [1] * 6
    meta = json.loads((tmp_path / "simulated" / "meta.json").read_text())
    assert len(meta["resumed"]) == 1 and meta["planned"] == {"positions": 2, "lines": 6}
    # Nothing of a whole record is searched again, and more rounds are added.
    own(Stopped(tmp_path / "real", 1), tmp_path)
    assert own(Stopped(tmp_path, 1), tmp_path, repeats=3).speedups()[0]["rounds"] == 3
    assert (tmp_path / "real" / "samples.jsonl").read_bytes().startswith(before)


def test_a_begun_round_is_measured_anew(folder, tmp_path):
    out = shutil.copytree(folder, tmp_path / "out")
    samples = out / "real" / "samples.jsonl"
    whole = samples.read_text().splitlines(keepends=True)
    samples.write_text("".join(whole[:7]))
    assert measured(out).speedups()[0]["rounds"] == 2
    now = samples.read_text().splitlines(keepends=True)
    assert len(now) == len(whole) and now[:6] == whole[:6] and now[6] != whole[6]


@pytest.mark.parametrize(
    ("other", "words"),
    [
        ({"depth": 6}, "of the same settings to go on with: its depth is 5, not 6"),
        ({"threads": [1]}, "its thread_counts is [1, 2], not [1]"),
        ({"table_mib": 2}, "its table_mb is 1, not 2"),
        ({"evaluator": "zero"}, "its evaluator is"),
        ({"ordering": "static"}, 'its ordering is "auto", not "static"'),
        ({"costs": "free"}, "its costs is"),
    ],
)
def test_records_of_other_searches_are_refused(folder, other, words):
    if "evaluator" in other:
        other = {"evaluator": starsplit.Game("einstein").evaluators[1]}
    with pytest.raises(ValueError) as raised:
        measured(folder, **other)
    assert words in str(raised.value) and str(folder) in str(raised.value) and "\n" not in str(raised.value)


def test_records_of_another_build_or_machine_are_refused(folder, tmp_path):
    for part, path in (("build", ("program", "build_fnv1a")), ("machine", ("machine", "arch"))):
        out = shutil.copytree(folder, tmp_path / part)
        meta = json.loads((out / "real" / "meta.json").read_text())
        meta[path[0]][path[1]] = "other"
        (out / "real" / "meta.json").write_text(json.dumps(meta))
        with pytest.raises(ValueError, match="its meta.json as it was written"):
            measured(out)
        _write_meta(out / "real" / "meta.json", meta)
        with pytest.raises(ValueError, match=f"of the same {part} to go on with"):
            measured(out)


def test_records_that_cannot_be_gone_on_with_are_refused(folder, tmp_path):
    out = shutil.copytree(folder, tmp_path / "out")
    samples, meta = out / "real" / "samples.jsonl", out / "real" / "meta.json"
    lines = samples.read_text()
    samples.write_text(re.sub('"crc32":"[^"]*"', '"crc32":""', lines))
    with pytest.raises(ValueError, match="line 1: its checksum is empty"):
        measured(out)
    samples.write_text(lines)
    meta.write_text("{")
    with pytest.raises(ValueError, match="expected its meta.json as it was written"):
        measured(out)
    meta.unlink()
    with pytest.raises(ValueError, match="expected a meta.json beside its samples.jsonl"):
        measured(out)
    samples.rename(samples.with_name(records.ARCHIVE))
    with pytest.raises(ValueError, match="expected records that are not sealed"):
        measured(out)


def test_what_is_being_written_is_refused(folder):
    fcntl = pytest.importorskip("fcntl")
    with open(folder / "real" / "samples.jsonl", "ab") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        with pytest.raises(ValueError, match="no other run is writing to"):
            measured(folder)


def test_another_value_is_an_error_that_names_position_and_contender(tmp_path):
    tree = Tree(3)
    own(tree, tmp_path, repeats=1)
    tree.evaluate = lambda states: [1.0] * len(states)
    who = r"position 2 \(\(0, 0\)\), (serial|both on 2 threads)"
    fault = "score .*, expected .* as the first search found"
    with pytest.raises(starsplit.SearchError, match=f"^{who}: {fault}"):
        own(tree, tmp_path)
    assert lines(tmp_path, "real")[-1]["error"].startswith("score ")
    with pytest.raises(starsplit.SearchError, match=f"line 7, {who}: score"):
        own(Tree(3), tmp_path)


@pytest.mark.parametrize(
    ("other", "words"),
    [
        ({"positions": []}, "positions []: expected at least one"),
        ({"positions": POSITIONS[0]}, "expected a list of them"),
        ({"positions": ["nowhere"]}, "nowhere"),
        ({"threads": [0]}, "threads 0: expected a whole number from 1 to 1024"),
        ({"threads": 2}, "threads 2: expected a list of numbers, such as [1, 2]"),
        ({"processors": [4096]}, "processors 4096: expected a whole number from 1 to 1024"),
        ({"threads": [], "processors": []}, "expected at least one number of threads, or of processors"),
        ({"evaluator": "guess"}, "guess"),
        ({"depth": 0}, "depth 0: expected a whole number from 1 to 254"),
        ({"depth": True}, "depth True: expected a whole number"),
        ({"repeats": 0}, "repeats 0: expected a whole number"),
        ({"seeds": 0}, "seeds 0: expected a whole number"),
        ({"costs": "dear"}, "costs 'dear': expected unit or free or a dictionary"),
        ({"costs": {"node": 0}}, "costs node 0: expected a whole number from 1 to"),
        ({"costs": {"node": 1}}, "costs evaluation None: expected a whole number from 0 to"),
        ({"lanes": 4}, "lanes 4: expected none, where threads are compared"),
        ({"method": "fork-join"}, "method 'fork-join': expected one that can be simulated"),
        ({"depht": 3}, "depht"),
        ({"game": "chess"}, "chess"),
    ],
)
def test_what_makes_no_sense_is_named(other, words):
    asked = {"game": "einstein", "positions": POSITIONS, **ASKED, **other}
    with pytest.raises(ValueError) as raised:
        starsplit.scaling(**asked)
    assert words in str(raised.value) and "\n" not in str(raised.value)


def test_a_game_that_is_over_is_refused():
    tree = Tree(3)
    ended = next((n, 0) for n in range(1000) if tree.kind((n, 0)) == "terminal")
    with pytest.raises(ValueError, match="position 2 .*: expected one at which the game is not over"):
        starsplit.scaling(tree, [(), ended], **OWN)


def test_a_folder_of_somebody_else_is_left_alone(tmp_path):
    (tmp_path / "letter.txt").write_text("dear")
    with pytest.raises(ValueError, match="expected an empty one, or one that scaling has written"):
        measured(tmp_path)
    with pytest.raises(ValueError, match="expected a folder"):
        measured(tmp_path / "letter.txt")
    assert [file.name for file in tmp_path.iterdir()] == ["letter.txt"]


def complaints(schema, root, value, place):
    """What of a value is not as a JSON Schema says, as far as the records' own schemas go."""
    if "$ref" in schema:
        return complaints(root["$defs"][schema["$ref"].rsplit("/", 1)[1]], root, value, place)
    if "anyOf" in schema:
        all_found = [complaints(one, root, value, place) for one in schema["anyOf"]]
        return [] if [] in all_found else min(all_found, key=len)
    types = {"object": dict, "array": list, "string": str, "integer": int, "number": (int, float)}
    types.update({"boolean": bool, "null": type(None)})
    allowed = schema.get("type", [])
    allowed = [allowed] if isinstance(allowed, str) else allowed
    if allowed and not isinstance(value, tuple(types[name] for name in allowed)):
        return [f"{place}: {value!r:.40} is no {allowed}"]
    found = []
    if isinstance(value, dict):
        properties = schema.get("properties", {})
        found += [f"{place}.{name} is missing" for name in schema.get("required", []) if name not in value]
        if schema.get("additionalProperties") is False:
            found += [f"{place}.{name} is unknown" for name in value if name not in properties]
        for name, inner in value.items():
            found += complaints(properties.get(name, {}), root, inner, f"{place}.{name}")
    if isinstance(value, list):
        for inner in value:
            found += complaints(schema.get("items", {}), root, inner, f"{place}[]")
    return found


def test_records_are_as_the_schema_says(folder):
    files = {name: ROOT / "experiments" / "schema" / f"{name}.json" for name in ("line", "meta")}
    schemas = {name: json.loads(file.read_text()) for name, file in files.items()}
    of_line = schemas["line"]["$defs"]["Line"]
    for kind in ("real", "simulated"):
        for text in (folder / kind / "samples.jsonl").read_text().splitlines():
            assert complaints(of_line, schemas["line"], json.loads(text), "line") == []
        meta = json.loads((folder / kind / "meta.json").read_text())
        assert complaints(schemas["meta"], schemas["meta"], meta, "meta") == []
        settings = schemas["meta"]["$defs"]["Settings"]
        assert complaints(settings, schemas["meta"], meta["settings"], "settings") == []
    assert complaints(of_line, schemas["line"], {"index": "x"}, "line"), "the check itself"


def test_records_load_as_data_frames(folder):
    pytest.importorskip("pandas")
    found = {row["processors"]: row for row in measured(folder).speedups() if row["index"] == 1}
    for kind, numbers in (("real", [1, 2]), ("simulated", [1, 4, 16])):
        frame = records.load(folder / kind)
        assert frame.attrs["lacks"] is None
        assert list(records.speedup(frame)["threads"]) == numbers
    one = records.speedup(frame[frame["index"] == 1])
    assert list(one["median"]) == [found[number]["speedup"] for number in (1, 4, 16)]
    with pytest.raises(FileNotFoundError, match="its runs are real, simulated"):
        records.load(folder)


def report_program():
    """The lab's program, where it was built."""
    target = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
    found = [target / profile / "report" for profile in ("debug", "release", "quick")]
    return next((program for program in found if program.exists()), None)


@pytest.mark.skipif(report_program() is None, reason="the lab is not built: cargo build --bin report")
def test_the_lab_reports_on_them(folder, tmp_path):
    out = shutil.copytree(folder, tmp_path / "out")
    of_own = tmp_path / "own"
    own(Tree(3), of_own)
    folders = [where / kind for where in (out, of_own) for kind in ("real", "simulated")]
    done = subprocess.run([report_program(), *folders], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    for where in folders:
        page = (where / "README.md").read_text()
        assert "All values are equal." in page and "INCOMPLETE" not in page and "MIXED" not in page
        assert ("SIMULATED" in page) == (where.name == "simulated")
        assert list(where.glob("speedup*.svg"))


@pytest.mark.parametrize(("ending", "begin"), [("svg", b"<?xml"), ("png", b"\x89PNG")])
def test_a_figure_says_what_is_simulated(folder, tmp_path, ending, begin):
    pytest.importorskip("matplotlib")
    file = tmp_path / f"speedup.{ending}"
    found = measured(folder)
    found.plot(file)
    first = file.read_bytes()
    assert first.startswith(begin)
    if ending == "svg":
        text = first.decode()
        assert all(f">{words}<" in text for words in ("processors", "speedup", "ideal", "real threads"))
        assert ">SIMULATED processors (costs: unit)<" in text
        assert ">einstein to depth 5, positions: 2<" in text
        found.plot(file)
        assert file.read_bytes() == first
    starsplit.scaling("einstein", POSITIONS[:1], **{**ASKED, "threads": [1], "processors": ()}).plot(file)


def test_a_figure_that_cannot_be_is_refused_in_a_line(folder, tmp_path, monkeypatch):
    found = measured(folder)
    with pytest.raises(ValueError, match="expected a name that ends in .svg or .png"):
        found.plot(tmp_path / "speedup.txt")

    def without(name, *rest):
        if name.startswith("matplotlib"):
            raise ImportError(name)
        return imported(name, *rest)

    imported = builtins.__import__
    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(ImportError, match="expected matplotlib, which `pip install matplotlib` installs"):
        found.plot(tmp_path / "speedup.svg")
