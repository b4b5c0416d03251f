"""Records of experiments as data frames (with pandas), and speedup curves drawn from them."""

import gzip
import json
import zlib
from pathlib import Path


def load(folder):
    """The searches in a folder of records, one a row: `samples.jsonl`, sealed or not. Counts within others have names with
    dots, such as `table.hits`. With pandas.

    >>> frame = load("../results/current/quick/xeon-m207-2/real")  # doctest: +SKIP
    """
    import pandas

    return pandas.json_normalize(list(lines(folder)))


def lines(folder):
    """The same as dictionaries, one after another; without pandas."""
    folder = Path(folder)
    plain, sealed = folder / "samples.jsonl", folder / "samples.jsonl.gz"
    if not plain.exists() and not sealed.exists():
        raise FileNotFoundError(f"records {str(folder)!r}: expected samples.jsonl or samples.jsonl.gz in it")
    with open(plain, "rb") if plain.exists() else gzip.open(sealed) as file:
        for number, line in enumerate(file, 1):
            try:
                found = json.loads(line)
            except ValueError as error:
                raise ValueError(f"records {str(folder)!r}, line {number}: expected JSON ({error})") from None
            # The checksum is the last key, of all that stands before it; records that are sealed have one for all.
            crc = found.pop("crc32", None)
            if crc is not None and int(crc, 16) != zlib.crc32(line[: line.rindex(b',"crc32":')]):
                raise ValueError(f"records {str(folder)!r}, line {number}: expected what its checksum says")
            yield found


def speedup(frame, baseline="serial"):
    """Speedups by method and number of threads: within each position and repeat, the serial search's time over the
    other's; a frame with their median, quartiles and number. (The reports make theirs from rates; see METHODOLOGY.md.)"""
    times = frame[~frame["stopped"].astype(bool)]
    if "copy" in times:
        times = times[times["copy"].isna()]
    keys = ["index", "repeat", "depth"]
    serial = times[times["method"] == baseline].groupby(keys)["wall_ns"].median().rename("serial_ns")
    if serial.empty:
        raise ValueError(f"records: expected searches of method {baseline!r}")
    other = times[times["method"] != baseline].join(serial, on=keys, how="inner")
    gains = (other["serial_ns"] / other["wall_ns"]).groupby([other["method"], other["threads"]])
    quartiles = gains.quantile([0.25, 0.5, 0.75]).unstack()
    quartiles.columns = ["lower", "median", "upper"]
    return quartiles.assign(count=gains.size()).reset_index()


def draw_speedup(frame, axes=None):
    """Draws the curve of `speedup(frame)` with its quartiles (with matplotlib), beside the line of threads; the axes."""
    if axes is None:
        import matplotlib.pyplot

        axes = matplotlib.pyplot.figure().subplots()
    curve = speedup(frame)
    for method, rows in curve.groupby("method"):
        rows = rows.sort_values("threads")
        errors = [rows["median"] - rows["lower"], rows["upper"] - rows["median"]]
        axes.errorbar(rows["threads"], rows["median"], yerr=errors, marker="o", capsize=3, label=method)
    most = curve["threads"].max()
    axes.plot([1, most], [1, most], linestyle=":", color="grey", label="threads")
    axes.set(xlabel="threads", ylabel="times as fast as the serial search")
    axes.legend()
    return axes
