"""Records as data frames."""

import gzip
import json
import zlib

import pytest

from starsplit import records

pandas = pytest.importorskip("pandas")


def line(index, method, threads, wall_ns, **more):
    plain = {"index": index, "method": method, "threads": threads, "repeat": 1, "depth": 5, "wall_ns": wall_ns}
    return json.dumps({**plain, "stopped": False, "table": {"hits": 3}, **more})


LINES = [line(0, "serial", 1, 100), line(0, "both", 2, 50), line(1, "serial", 1, 300), line(1, "both", 2, 200)]


def with_checksum(text):
    """As lines are written."""
    return f'{text[:-1]},"crc32":"{zlib.crc32(text[:-1].encode()):08x}"}}'


@pytest.mark.parametrize("sealed", [False, True])
def test_lines_become_rows(tmp_path, sealed):
    text = "\n".join(LINES) + "\n"
    if sealed:
        with gzip.open(tmp_path / "samples.jsonl.gz", "wt") as file:
            file.write(text)
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
