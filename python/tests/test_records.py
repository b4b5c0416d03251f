"""Records as data frames."""

import io
import json
import tarfile
import warnings
import zlib
from pathlib import Path

import pytest

from starsplit import records

pandas = pytest.importorskip("pandas")


def line(index, method, threads, wall_ns, **more):
    plain = {"index": index, "method": method, "threads": threads, "repeat": 1, "depth": 5, "wall_ns": wall_ns}
    return json.dumps({**plain, "stopped": False, "table": {"hits": 3}, **more})


LINES = [line(0, "serial", 1, 100), line(0, "both", 2, 50), line(1, "serial", 1, 300), line(1, "both", 2, 200)]


#: Searches of one position under two cost models, serial ones under two orderings.
MODELS = [
    line(0, method, threads, wall_ns, ordering=ordering, simulated={"model": model, "seed": None if threads == 1 else 1})
    for model, scale in (("free", 1), ("dear", 100))
    for method, ordering, threads, wall_ns in (
        ("serial", "paper", 1, 120 * scale),
        ("serial", "hybrid", 1, 80 * scale),
        ("both", "hybrid", 4, 20 * scale),
    )
]

RESULTS = Path(__file__).parents[2] / "results"


class Axes:
    """What is drawn of, without a picture."""

    def __init__(self):
        self.labels = []

    def errorbar(self, *_, label, **__):
        self.labels.append(label)

    def plot(self, *_, **__):
        pass

    set = legend = plot


def frame_of(found):
    return pandas.json_normalize(list(map(json.loads, found)))


def with_checksum(text):
    """As lines are written."""
    return f'{text[:-1]},"crc32":"{zlib.crc32(text[:-1].encode()):08x}"}}'


def packed(home, **texts):
    """An archive with these samples of the folder's parts, without digits in their checksums."""
    with tarfile.open(home / records.ARCHIVE, "w:xz") as tar:
        for part, found in texts.items():
            text = "".join(f'{each[:-1]},"crc32":""}}\n' for each in found).encode()
            about = tarfile.TarInfo(f"{part}/samples.jsonl" if part else "samples.jsonl")
            about.size = len(text)
            tar.addfile(about, io.BytesIO(text))


@pytest.mark.parametrize("sealed", [False, "packed", "part"])
def test_lines_become_rows(tmp_path, sealed):
    if sealed == "packed":
        packed(tmp_path, **{"": LINES})
    elif sealed == "part":
        packed(tmp_path, other=LINES[:1], own=LINES)
        tmp_path /= "own"
    else:
        (tmp_path / "samples.jsonl").write_text("".join(f"{with_checksum(each)}\n" for each in LINES))
    frame = records.load(tmp_path)
    assert list(frame["wall_ns"]) == [100, 50, 300, 200] and list(frame["table.hits"]) == [3] * 4
    curve = records.speedup(frame)
    assert curve.to_dict("records") == [
        {"method": "both", "threads": 2, "lower": 1.625, "median": 1.75, "upper": 1.875, "count": 2}
    ]


def test_what_is_no_record_is_named(tmp_path):
    with pytest.raises(FileNotFoundError, match="samples.jsonl"):
        records.load(tmp_path)
    (tmp_path / "samples.jsonl").write_text(with_checksum(LINES[0]).replace("100", "101") + "\n")
    with pytest.raises(ValueError, match="line 1: expected what its checksum says"):
        records.load(tmp_path)
    (tmp_path / "samples.jsonl").write_text("{\n")
    with pytest.raises(ValueError, match="line 1"):
        records.load(tmp_path)


def test_a_live_line_has_a_checksum_and_each_key_once(tmp_path):
    numbered = f'{LINES[0][:-1]},"line":1}}'
    twice = numbered.replace('"wall_ns"', '"wall_ns": 3, "wall_ns"', 1)
    bare = with_checksum(numbered).partition(',"crc32"')[0] + "}"
    emptied = with_checksum(numbered).partition(',"crc32"')[0] + ',"crc32":""}'
    later = numbered.replace('"wall_ns"', '"schema": 6, "wall_ns"', 1)
    for text, words in (
        (emptied, "line 1: its checksum is empty, as only those of lines in records.tar.xz may be"),
        (with_checksum(twice), "line 1: expected every key once, 'wall_ns' stands twice"),
        (later, "line 1: expected a checksum at its end"),
    ):
        (tmp_path / "samples.jsonl").write_text(f"{text}\n")
        with pytest.raises(ValueError, match=words):
            records.load(tmp_path)
    (tmp_path / "samples.jsonl").write_text(f"{bare}\n")
    assert len(records.load(tmp_path)) == 1, "older lines have none"


def test_what_a_folder_says_of_itself_is_as_it_was_written(tmp_path):
    written(tmp_path, LINES, {"schema": 5})
    assert len(records.load(tmp_path)) == 4
    whole = {"a": {"c": 1.5e-7, "b": "\u00f6"}, "schema": 6}
    crc = zlib.crc32('{"a":{"b":"\u00f6","c":1.5e-7},"schema":6}'.encode())
    text = json.dumps({**whole, "crc32": f"{crc:08x}"}, indent=2).replace("1.5e-07", "1.5e-7")
    assert records.read_meta(text)["a"] == whole["a"]
    for changed in (text.replace("1.5e-7", "1.6e-7"), text.replace(f"{crc:08x}", ""), json.dumps(whole)):
        (tmp_path / "meta.json").write_text(changed)
        with pytest.raises(ValueError, match="meta.json: expected what its checksum, crc32, says"):
            records.load(tmp_path)


def test_a_damaged_archive_is_noticed(tmp_path):
    packed(tmp_path, own=LINES)
    whole = (tmp_path / records.ARCHIVE).read_bytes()
    flipped = (whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :] for place in range(0, len(whole), 7))
    for changed in (whole[:-40], *flipped):
        (tmp_path / records.ARCHIVE).write_bytes(changed)
        try:
            assert list(records.load(tmp_path / "own")["wall_ns"]) == [100, 50, 300, 200]
        except (FileNotFoundError, ValueError) as error:
            assert "expected" in str(error) and "\n" not in str(error)


def test_speedups_are_taken_apart_by_what_varies():
    curve = records.speedup(frame_of(MODELS))
    assert [(row["simulated.model"], row["median"], row["count"]) for row in curve.to_dict("records")] == [
        ("dear", 4.0, 1),
        ("free", 4.0, 1),
    ], "over the faster serial search, under the same costs"
    axes = Axes()
    records.draw_speedup(frame_of(MODELS), axes)
    assert axes.labels == ["dear, both", "free, both"]


def test_lines_that_name_no_history_had_the_live_one():
    found = [line(0, "serial", 1, 100, history="live"), line(0, "both", 2, 50)]
    assert list(records.speedup(frame_of(found))["median"]) == [2.0]


@pytest.mark.parametrize(
    "found, words",
    [
        (MODELS[:2], "another method than 'serial'"),
        (LINES[1:2], "expected searches of method 'serial'"),
        (LINES[:1] + LINES[3:], "of method 'serial' of the same depth, index, repeat"),
        (LINES * 2, "of two records make two frames"),
        (LINES + [line(1, "both", 2, 40, schema=6)], "several"),
        ([json.dumps({"position": "x", "round": 1})], "these lines have no index, method, threads, repeat, wall_ns"),
        (MODELS + [each.replace('"seed"', '"costs": {"node": 9}, "seed"') for each in MODELS], "differ in simulated.costs.node"),
    ],
)
def test_what_makes_no_curve_is_said_in_a_line(found, words):
    if "differ in" in words:
        found = [each if "costs" in each else each.replace('"seed"', '"costs": {"node": 1}, "seed"') for each in found]
    with pytest.raises(ValueError) as raised:
        records.draw_speedup(frame_of(found), Axes())
    assert words in str(raised.value) and "\n" not in str(raised.value)


def written(folder, found, meta=None):
    """Numbered lines with checksums, and a meta.json."""
    numbered = [f'{each[:-1]},"line":{number}}}' for number, each in enumerate(found, 1)]
    (folder / "samples.jsonl").write_text("".join(f"{with_checksum(each)}\n" for each in numbered))
    (folder / "meta.json").write_text(json.dumps(meta or {}))
    return (folder / "samples.jsonl").read_text().splitlines(keepends=True)


@pytest.mark.parametrize(
    "meta, words",
    [
        ({"planned": {"positions": 50, "lines": 600}}, "2 of 50 positions, 4 of 600 lines"),
        ({"planned": {"positions": 2, "lines": 5}}, "4 of 5 lines"),
        ({"experiment": "scaling", "settings": {"positions": 50}}, "2 of 50 positions"),
        ({"planned": {"positions": 2, "lines": 4}}, None),
        ({"experiment": "simulate", "settings": {"positions": 50}}, None),
    ],
)
def test_a_frame_knows_what_it_lacks(tmp_path, meta, words):
    written(tmp_path, LINES, meta)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        assert records.load(tmp_path).attrs["lacks"] == words
    assert [words in str(warning.message) for warning in caught] == ([True] if words else [])


def test_a_missing_line_is_noticed_as_a_changed_one_is(tmp_path):
    text = written(tmp_path, LINES)
    assert len(records.load(tmp_path)) == 4 and "line" not in records.load(tmp_path)
    (tmp_path / "samples.jsonl").write_text("".join(text[:1] + text[2:]))
    with pytest.raises(ValueError, match="expected line 2, not line 3"):
        records.load(tmp_path)


@pytest.mark.parametrize("given", ["folder", "archive"])
def test_the_runs_of_an_archive_are_named(tmp_path, given):
    packed(tmp_path, reroll=LINES, own=LINES[:1])
    folder = tmp_path / records.ARCHIVE if given == "archive" else tmp_path
    for settings, runs in (({}, "own, reroll"), ({"settings": {"runs": ["reroll", "own"]}}, "reroll, own")):
        (tmp_path / "meta.json").write_text(json.dumps(settings))
        with pytest.raises(FileNotFoundError, match=f"in it; its runs are {runs}$"):
            records.load(folder)
    assert len(records.load(tmp_path / "reroll")) == 4
    packed(tmp_path, **{"": LINES})
    assert len(records.load(folder)) == 4


def sized(nodes, wall_ns=100, both_ns=50, **more):
    """Searches of positions of so many nodes, in three rounds, the second of which is slow."""
    return [
        line(index, method, threads, scale * ns * (index + 1 if method == "both" else 1), nodes=count, repeat=repeat, **more)
        for index, count in enumerate(nodes)
        for repeat, scale in ((1, 1), (2, 7), (3, 1))
        for method, threads, ns in (("serial", 1, wall_ns), ("both", 2, both_ns))
    ]


def test_large_positions_count_alone_where_they_are_asked_for():
    frame = frame_of(sized([10, records.LARGE, records.LARGE - 1]))
    curves = [records.speedup(frame, min_nodes=nodes).to_dict("records")[0] for nodes in (0, 10, records.LARGE)]
    assert [(row["median"], row["count"]) for row in curves] == [(1.0, 9), (1.0, 9), (1.0, 3)]
    assert [row["upper"] for row in curves] == [2.0, 2.0, 1.0]
    axes = Axes()
    records.draw_speedup(frame, axes, min_nodes=records.LARGE)
    assert axes.labels == ["both"]
    with pytest.raises(ValueError, match="^records: expected positions that take method 'serial' at least 1000001 nodes; none"):
        records.speedup(frame, min_nodes=records.LARGE + 1)
    with pytest.raises(ValueError, match="^records: expected searches with their nodes; these lines have no nodes$"):
        records.speedup(frame_of(LINES), min_nodes=1)


def test_two_records_are_compared_with_the_interval_of_the_reports():
    large = [records.LARGE] * 8
    one, other = frame_of(sized([*large, 5])), frame_of(sized([*large, 5], both_ns=40))
    (row,) = records.compare(one, other).to_dict("records")
    # At position n the speedups are 2 / n and 2.5 / n, for n from 1 to 8: the last one is small.
    assert row == {
        "method": "both", "threads": 2, "positions": 8, "a": pytest.approx((2 / 4 + 2 / 5) / 2),
        "b": pytest.approx((2.5 / 4 + 2.5 / 5) / 2), "ratio": 1.25, "low": 1.25, "high": 1.25,
    }
    (few,) = records.compare(frame_of(sized(large[:5])), frame_of(sized(large))).to_dict("records")
    assert few["positions"] == 5 and few["ratio"] == 1 and few["low"] != few["low"] and few["high"] != few["high"]
    (small,) = records.compare(one, other, min_nodes=2 * records.LARGE).to_dict("records")
    assert small["positions"] == 9
    # The same position under another number, and twice.
    named = [json.dumps({**json.loads(each), "position": "abcdefgha"[json.loads(each)["index"]]}) for each in sized(large + [9])]
    turned = [json.dumps({**json.loads(each), "index": 8 - json.loads(each)["index"]}) for each in named]
    (row,) = records.compare(frame_of(named), frame_of(turned), min_nodes=0).to_dict("records")
    assert row["positions"] == 9 and row["low"] <= row["ratio"] <= row["high"]
    with pytest.raises(ValueError, match="^records: expected two with searches of the same .*; no position is in both$"):
        records.compare(one, other.assign(index=other["index"] + 100))
    auto, hybrid = one.assign(ordering="auto"), other.assign(ordering="hybrid")
    with pytest.raises(ValueError, match="; ordering is auto and not hybrid, where it is not in across$"):
        records.compare(auto, hybrid)
    assert records.compare(auto, hybrid, across=["ordering"]).equals(records.compare(one, other))
    both = pandas.concat([auto, hybrid])
    with pytest.raises(ValueError, match="^records: expected one ordering in each record, not several$"):
        records.compare(both, hybrid, across=["ordering"])


def test_intervals_are_those_of_the_reports():
    # As the library of the reports tests them: about the 40th to the 60th of 1 to 99.
    low, high = records.median_interval(list(range(1, 100)))
    assert abs(low - 40) <= 2 and abs(high - 60) <= 2
    assert records.median_interval([2.5] * 5) is None and records.median_interval([2.5] * 6) == (2.5, 2.5)


def of_all():
    """The names of all records that are kept."""
    for archive in sorted(RESULTS.rglob(records.ARCHIVE)):
        with tarfile.open(archive) as tar:
            names = [one for one in tar.getnames() if one.endswith("samples.jsonl")]
        yield from (str((archive.parent / one).parent.relative_to(RESULTS)) for one in names)


def test_every_folder_of_records_loads_and_draws_or_says_why_not():
    drawn = {}
    for meta in sorted(RESULTS.rglob("meta.json")):
        if not any((meta.parent / name).exists() for name in (records.ARCHIVE, "samples.jsonl")):
            with pytest.raises(FileNotFoundError, match="expected samples.jsonl"):
                records.load(meta.parent)
    for name in of_all():
        folder, axes = RESULTS / name, Axes()
        frame = records.load(folder)
        try:
            records.draw_speedup(frame, axes)
        except ValueError as error:
            assert str(error).startswith("records: expected ") and "\n" not in str(error), (name, error)
        drawn[name] = axes.labels
        experiment = records._meta(folder)["experiment"]
        assert experiment not in ("scaling", "compare") or axes.labels, name
    with pytest.raises(FileNotFoundError, match="its runs are "):
        records.load(RESULTS / "current/reuse/epyc-m2-2")
    # As docs/report.md has it, from rates in the median over rounds: 1.83 at 12 of 50 positions.
    frame = records.load(RESULTS / "current/scaling/epyc-m2-2/paper")
    (row,) = (row for row in records.speedup(frame, min_nodes=records.LARGE).to_dict("records")
              if (row["method"], row["threads"]) == ("both", 2))
    assert row["count"] == 120 and row["median"] == pytest.approx(1.83, abs=0.01)
    models = {label.split(", ")[0] for label in drawn["current/simulate/epyc-m2-2/paper"]}
    assert len(models) > 1, "one curve for each cost model"
