"""Records of experiments as data frames (with pandas)."""

import functools
import gzip
import io
import json
import lzma
import tarfile
import warnings
import zlib
from collections.abc import Iterator
from os import PathLike
from pathlib import Path
from typing import Any

from ._native import median_interval
from .gains import LARGE, compare, draw_speedup, speedup

__all__ = ["ARCHIVE", "LARGE", "compare", "draw_speedup", "lines", "load", "median_interval", "speedup"]

#: What keeps the records of a folder and its parts that are sealed.
ARCHIVE = "records.tar.xz"

#: The experiments whose every contender searches every position of the suite, so that settings.positions tells how many.
WHOLE_SUITES = ("scaling", "compare", "study", "paper_tables")


def load(folder: str | PathLike[str]) -> Any:
    """The searches in a folder of records, one a row: its `samples.jsonl`, sealed or not, or those that an archive has of it.
    Counts within others have names with dots, such as `table.hits`. With pandas.

    `frame.attrs["lacks"]` says what of the planned searches is not there, such as "5 of 50 positions, 20 of 600 lines", and
    is None where nothing is known to be missing; if something is, there is a warning. Where there are several runs, a
    FileNotFoundError names them: load one, as `folder/run`.

    >>> frame = load("../results/current/quick/xeon-m207-2/real")  # doctest: +SKIP
    """
    import pandas

    found = list(lines(folder))
    frame = pandas.json_normalize(found)
    frame.attrs["lacks"] = _lacks(_meta(folder), found)
    if frame.attrs["lacks"]:
        warnings.warn(f"records {str(folder)!r} are incomplete: {frame.attrs['lacks']}", stacklevel=2)
    return frame


def lines(folder: str | PathLike[str]) -> Iterator[dict[str, Any]]:
    """The same as dictionaries, one after another; without pandas."""
    folder = Path(folder)
    folder = folder.parent if folder.name == ARCHIVE else folder
    with _samples(folder) as file:
        for number, line in enumerate(file, 1):
            try:
                found = json.loads(line)
            except ValueError as error:
                raise ValueError(f"records {str(folder)!r}, line {number}: expected JSON ({error})") from None
            # The checksum is the last key, of all that stands before it; empty in an archive, which has one for all.
            crc = found.pop("crc32", None)
            if crc and int(crc, 16) != zlib.crc32(line[: line.rindex(b',"crc32":')]):
                raise ValueError(f"records {str(folder)!r}, line {number}: expected what its checksum says")
            # Older lines are not numbered.
            if (own := found.pop("line", number)) != number:
                raise ValueError(f"records {str(folder)!r}: expected line {number}, not line {own}")
            yield found


def _samples(folder):
    """The file of a folder's samples, open."""
    plain, sealed = folder / "samples.jsonl", folder / "samples.jsonl.gz"
    if plain.exists():
        return open(plain, "rb")
    if sealed.exists():
        return gzip.open(sealed)
    if (packed := _packed(folder, plain.name)) is not None:
        return io.BytesIO(packed)
    runs = _runs(folder)
    inner = f"; its runs are {', '.join(runs)}" if runs else ""
    raise FileNotFoundError(f"records {str(folder)!r}: expected samples.jsonl, samples.jsonl.gz or {ARCHIVE} in it{inner}")


def _runs(folder):
    """The names of the runs in a folder, or in its archive."""
    within = {str(file.parent.relative_to(folder)) for file in folder.glob("**/samples.jsonl*")}
    if (folder / ARCHIVE).is_file():
        within |= {str(Path(name).parent) for name in _unpacked(folder) if Path(name).name == "samples.jsonl"}
    # In the order of the experiment, where that is known.
    named = _meta(folder).get("settings", {}).get("runs") or []
    return [*named, *sorted(within - {*named})]


def _packed(folder, name):
    """What the archive of a folder, or of the one above it, has of a file in it, if anything."""
    for home, inner in ((folder, name), (folder.parent, f"{folder.name}/{name}")):
        if (home / ARCHIVE).is_file() and (found := _unpacked(home).get(inner)) is not None:
            return found
    return None


def _unpacked(home):
    """The files in a folder's archive by their names."""
    archive = home / ARCHIVE
    about = archive.stat()
    return _members(archive, about.st_mtime_ns, about.st_size)


@functools.lru_cache(maxsize=1)
def _members(archive, _changed, _size):
    """The same. Its checksum is looked at when all is unpacked."""
    try:
        with lzma.open(archive) as packed, tarfile.open(fileobj=packed, mode="r|") as tar:
            found = {one.name: tar.extractfile(one).read() for one in tar if one.isfile()}
            while packed.read(1 << 20):
                pass
    except (EOFError, lzma.LZMAError, tarfile.TarError) as error:
        raise ValueError(f"records {str(archive)!r}: expected an archive as it was packed ({error})") from None
    return found


def _meta(folder):
    """What meta.json says, nothing where there is none."""
    folder = Path(folder)
    try:
        return json.loads((folder / "meta.json").read_text())
    except (FileNotFoundError, NotADirectoryError):
        return json.loads(_packed(folder, "meta.json") or "{}")


def _lacks(meta, found):
    """What is missing of what was planned, in words; None where nothing is known to be."""
    planned = dict(meta.get("planned") or {})
    if meta.get("experiment") in WHOLE_SUITES:
        planned.setdefault("positions", meta.get("settings", {}).get("positions"))
    there = {"positions": len({line["index"] for line in found if "index" in line}), "lines": len(found)}
    lacking = [(number, planned.get(name), name) for name, number in there.items()]
    return ", ".join(f"{own} of {all} {name}" for own, all, name in lacking if all and own < all) or None
