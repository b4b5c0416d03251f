"""Records of experiments as data frames (with pandas), and speedup curves drawn from them."""

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

#: What tells one question from another: times of two that differ in any of these are never set beside each other.
SETTINGS = ("game", "depth", "algorithm", "variant", "table_use", "history", "simulated.model")

#: What tells those apart who search the same.
CONTENDERS = ("method", "ordering", "threads")

#: What tells the runs of one contender at one position apart.
RUNS = ("repeat", "simulated.seed")

#: What has to be in a line of a search.
NEEDED = ("index", "method", "threads", "repeat", "wall_ns")

#: What keeps the records of a folder and its parts that are sealed.
ARCHIVE = "records.tar.xz"

#: The experiments whose every contender searches every position of the suite, so that settings.positions tells how many.
WHOLE_SUITES = ("scaling", "compare", "study", "paper_tables")


def load(folder: str | PathLike[str]) -> Any:
    """The searches in a folder of records, one a row: its `samples.jsonl`, sealed or not, or those that an archive has of it.
    Counts within others have names with dots, such as `table.hits`. With pandas.

    `frame.attrs["lacks"]` says what of the planned searches is not there, such as "5 of 50 positions, 20 of 600 lines", and
    is None where nothing is known to be missing; if something is, there is a warning.

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
    runs = _meta(folder).get("settings", {}).get("runs")
    runs = runs or sorted(file.parent.name for file in folder.glob("*/samples.jsonl*"))
    inner = f"; its runs are {', '.join(runs)}" if runs else ""
    raise FileNotFoundError(f"records {str(folder)!r}: expected samples.jsonl, samples.jsonl.gz or {ARCHIVE} in it{inner}")


def _packed(folder, name):
    """What the archive of a folder, or of the one above it, has of a file in it, if anything."""
    for home, inner in ((folder, name), (folder.parent, f"{folder.name}/{name}")):
        archive = home / ARCHIVE
        if archive.is_file():
            about = archive.stat()
            found = _members(archive, about.st_mtime_ns, about.st_size).get(inner)
            if found is not None:
                return found
    return None


@functools.lru_cache(maxsize=1)
def _members(archive, _changed, _size):
    """The files in an archive by their names. Its checksum is looked at when all is unpacked."""
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


def speedup(frame: Any, baseline: str = "serial") -> Any:
    """Speedups by method, number of threads and whatever else varies: game, depth, algorithm, variant, what uses the table,
    history, cost model, ordering. Within each position and repeat, the time of the serial search of the same settings over
    the other's; a frame with their median, quartiles and number. Of several serial searches that differ in their ordering
    the baseline is the one whose times sum to the least. Searches that were stopped or have an error do not count. (The
    reports make theirs from rates; see METHODOLOGY.md.)

    A ValueError says in a line why there are none, or what two searches differ in that nothing tells apart."""
    times = _searches(frame)
    settings = [name for name in SETTINGS if name in times]
    serial = _fastest(times[times["method"] == baseline], settings)
    other = times[times["method"] != baseline]
    if other.empty:
        raise ValueError(f"records: expected searches of another method than {baseline!r}")
    if serial.empty:
        raise ValueError(f"records: expected searches of method {baseline!r}")
    keys = [*settings, "index"]
    # In virtual time a serial search has one schedule, whatever the others' seeds.
    keys += [] if "simulated.model" in times else ["repeat"]
    serial = serial.set_index(keys)["wall_ns"].rename("serial_ns")
    joined = other.join(serial, on=keys, how="inner")
    if joined.empty:
        raise ValueError(f"records: expected searches of method {baseline!r} of the same {', '.join(keys)} as the others'")
    varying = [name for name in (*settings, "ordering") if name in joined and joined[name].nunique() > 1]
    gains = (joined["serial_ns"] / joined["wall_ns"]).groupby([joined[name] for name in (*varying, "method", "threads")])
    quartiles = gains.quantile([0.25, 0.5, 0.75]).unstack()
    quartiles.columns = ["lower", "median", "upper"]
    curve = quartiles.assign(count=gains.size()).reset_index()
    curve.attrs["varying"] = varying
    return curve


def _searches(frame):
    """The sound searches of a frame, with no two that nothing tells apart."""
    missing = [name for name in NEEDED if name not in frame]
    if missing:
        raise ValueError(f"records: expected searches of a suite's positions; these lines have no {', '.join(missing)}")
    times = frame
    for name in ("stopped", "error", "copy"):
        if name in times:
            is_there = times[name].eq(True) if name == "stopped" else times[name].notna()
            times = times[~is_there]
    # Some pandas leave out rows whose key is missing, and a real search has no cost model.
    named = [name for name in SETTINGS if name in times]
    # Lines say what history there was only as long as there was a choice.
    usual = lambda name: "live" if name == "history" else "none"
    times = times.assign(**{name: times[name].fillna(usual(name)) for name in named if times[name].isna().any()})
    keys = [name for name in (*SETTINGS, "index", *CONTENDERS, *RUNS) if name in times]
    twice = times[times.duplicated(keys, keep=False)]
    if not twice.empty:
        first = twice[(twice[keys].fillna(-1) == twice[keys].fillna(-1).iloc[0]).all(axis=1)]
        costs = [name for name in times if name.startswith("simulated.costs.")]
        differ = [name for name in ("schema", "position", "lanes", *costs) if name in first and first[name].nunique() > 1]
        told = f" that differ in {', '.join(differ)}" if differ else "; of two records make two frames"
        raise ValueError(f"records: expected one search of each {', '.join(keys)}, not several{told}")
    return times


def _fastest(serial, settings):
    """Of the serial searches of each of the settings those under the ordering whose times sum to the least."""
    if serial.empty or "ordering" not in serial:
        return serial
    settings = settings or ["method"]
    sums = serial.groupby([*settings, "ordering"])["wall_ns"].agg(["sum", "size"]).reset_index()
    # An ordering that was not searched everywhere has a smaller sum for that alone.
    whole = sums[sums["size"] == sums.groupby(settings)["size"].transform("max")]
    best = whole.sort_values("sum", kind="stable").drop_duplicates(settings)
    return serial.merge(best[[*settings, "ordering"]], on=[*settings, "ordering"])


def draw_speedup(frame: Any, axes: Any = None) -> Any:
    """Draws the curves of `speedup(frame)` with their quartiles (with matplotlib), beside the line of threads; the axes.
    One for each method, and for each of whatever else varies.

    A ValueError as that of `speedup` where there is nothing to draw."""
    curve = speedup(frame)
    names = [*curve.attrs["varying"], "method"]
    if axes is None:
        import matplotlib.pyplot

        axes = matplotlib.pyplot.figure().subplots()
    for key, rows in curve.groupby(names):
        rows = rows.sort_values("threads")
        errors = [rows["median"] - rows["lower"], rows["upper"] - rows["median"]]
        label = ", ".join(map(str, key if isinstance(key, tuple) else [key]))
        axes.errorbar(rows["threads"], rows["median"], yerr=errors, marker="o", capsize=3, label=label)
    most = curve["threads"].max()
    axes.plot([1, most], [1, most], linestyle=":", color="grey", label="threads")
    xlabel = "virtual processors" if "simulated.model" in frame else "threads"
    axes.set(xlabel=xlabel, ylabel="times as fast as the serial search")
    axes.legend()
    return axes
