"""Records of experiments as data frames (with pandas)."""

import functools
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

#: The schemas from which on lines have checksums, and every `meta.json` has one.
CHECKSUMS_SINCE = 5
META_CHECKSUMS_SINCE = 6

#: The experiments whose every contender searches every position of the suite, so that settings.positions tells how many.
WHOLE_SUITES = ("scaling", "compare", "study", "paper_tables")


def load(folder: str | PathLike[str]) -> Any:
    """The searches in a folder of records, one a row: its `samples.jsonl`, or those that an archive has of it.
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
    file, is_archived = _samples(folder)
    with file:
        for number, line in enumerate(file, 1):
            try:
                found = json.loads(line, object_pairs_hook=_once)
                _check_line(line, found, is_archived)
            except ValueError as error:
                raise ValueError(f"records {str(folder)!r}, line {number}: {error}") from None
            # Older lines are not numbered.
            if (own := found.pop("line", number)) != number:
                raise ValueError(f"records {str(folder)!r}: expected line {number}, not line {own}")
            yield found


def _once(pairs):
    """The object of these keys and values. Readers disagree about which counts of a key that stands twice."""
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"expected every key once, {twice!r} stands twice")
    return found


def _check_line(line, found, is_archived):
    """Takes the checksum from a line, and looks whether it is right: the last key, of all that stands before it. In an
    archive, which has one for all, it is empty."""
    crc = found.pop("crc32", None)
    if crc is None and found.get("schema", 0) >= CHECKSUMS_SINCE:
        raise ValueError("expected a checksum at its end")
    if crc == "" and not is_archived:
        raise ValueError(f"its checksum is empty, as only those of lines in {ARCHIVE} may be")
    if crc and crc != _sum(line[: line.rindex(b',"crc32":')]):
        raise ValueError("expected what its checksum says: it was changed after it was written")


def _sum(text):
    """The checksum of a text, as records have it."""
    return f"{zlib.crc32(text):08x}"


def _samples(folder):
    """The file of a folder's samples, open, and whether it is from an archive."""
    plain = folder / "samples.jsonl"
    if plain.exists():
        return open(plain, "rb"), False
    if (packed := _packed(folder, plain.name)) is not None:
        return io.BytesIO(packed), True
    runs = _runs(folder)
    inner = f"; its runs are {', '.join(runs)}" if runs else ""
    raise FileNotFoundError(f"records {str(folder)!r}: expected samples.jsonl or {ARCHIVE} in it{inner}")


def _runs(folder):
    """The names of the runs in a folder, or in its archive."""
    within = {str(file.parent.relative_to(folder)) for file in folder.glob("**/samples.jsonl")}
    if (folder / ARCHIVE).is_file():
        within |= {str(Path(name).parent) for name in _unpacked(folder) if Path(name).name == "samples.jsonl"}
    # In the order of the experiment, where that is known; it may be of another program.
    try:
        named = _meta(folder).get("settings", {}).get("runs") or []
    except ValueError:
        named = []
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
        text = (folder / "meta.json").read_text(encoding="utf-8")
    except (FileNotFoundError, NotADirectoryError):
        text = _packed(folder, "meta.json") or "{}"
    try:
        return read_meta(text)
    except ValueError as error:
        raise ValueError(f"records {str(folder)!r}, meta.json: {error}") from None


def read_meta(text: str | bytes) -> dict[str, Any]:
    """What the text of a `meta.json` says. A ValueError where it is no JSON, has a key twice, or is not what its checksum
    says."""
    found = json.loads(text, object_pairs_hook=_once)
    crc = found.get("crc32")
    if crc is None and found.get("schema", 0) < META_CHECKSUMS_SINCE:
        return found
    # Numbers are written as they stand: others write some of them in another way.
    begin, end = "\ue000", "\ue001"
    as_written = json.loads(text, parse_float=lambda number: f"{begin}{number}{end}")
    as_written.pop("crc32", None)
    whole = json.dumps(as_written, ensure_ascii=False, separators=(",", ":"), sort_keys=True)
    whole = whole.replace(f'"{begin}', "").replace(f'{end}"', "")
    if crc != _sum(whole.encode()):
        raise ValueError("expected what its checksum, crc32, says: it was changed after it was written")
    return found


def _lacks(meta, found):
    """What is missing of what was planned, in words; None where nothing is known to be."""
    planned = dict(meta.get("planned") or {})
    if meta.get("experiment") in WHOLE_SUITES:
        planned.setdefault("positions", meta.get("settings", {}).get("positions"))
    there = {"positions": len({line["index"] for line in found if "index" in line}), "lines": len(found)}
    lacking = [(number, planned.get(name), name) for name, number in there.items()]
    return ", ".join(f"{own} of {all} {name}" for own, all, name in lacking if all and own < all) or None
