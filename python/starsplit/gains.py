"""Speedups from records of experiments: as curves, and of two records beside each other."""

import math
from collections.abc import Collection
from typing import Any

from ._native import median_interval

#: What tells one question from another: times of two that differ in any of these are never set beside each other.
SETTINGS = ("game", "depth", "algorithm", "variant", "table_use", "history", "simulated.model")

#: What tells those apart who search the same.
CONTENDERS = ("method", "ordering", "threads")

#: What tells the runs of one contender at one position apart.
RUNS = ("repeat", "simulated.seed")

#: What has to be in a line of a search.
NEEDED = ("index", "method", "threads", "repeat", "wall_ns")

#: From so many nodes of the baseline on reports call a position large.
LARGE = 1_000_000


def speedup(frame: Any, baseline: str = "serial", *, min_nodes: int = 0) -> Any:
    """Speedups by method, number of threads and whatever else varies: game, depth, algorithm, variant, what uses the table,
    history, cost model, ordering. Within each position and repeat, the time of the serial search of the same settings over
    the other's; a frame with their median, quartiles and number. Of several serial searches that differ in their ordering
    the baseline is the one whose times sum to the least. Searches that were stopped or have an error do not count. (The
    reports make theirs from rates; see METHODOLOGY.md.)

    With `min_nodes` only positions count of which the baseline takes so many nodes, in the median over its searches. From
    `LARGE`, a million, on reports call them large.

    A ValueError says in a line why there are none, or what two searches differ in that nothing tells apart."""
    joined, varying = _joined(frame, baseline, min_nodes)
    gains = joined["gain"].groupby([joined[name] for name in (*varying, "method", "threads")])
    quartiles = gains.quantile([0.25, 0.5, 0.75]).unstack()
    quartiles.columns = ["lower", "median", "upper"]
    curve = quartiles.assign(count=gains.size()).reset_index()
    curve.attrs["varying"] = varying
    return curve


def _joined(frame, baseline, min_nodes=0):
    """The searches of other methods than the baseline, each with its `gain`, and with the `serial_nodes` and the
    `serial_ns` of the baseline; and which of the settings vary."""
    times = _searches(frame)
    settings = [name for name in SETTINGS if name in times]
    serial = _fastest(times[times["method"] == baseline], settings)
    other = times[times["method"] != baseline]
    if other.empty:
        raise ValueError(f"records: expected searches of another method than {baseline!r}")
    if serial.empty:
        raise ValueError(f"records: expected searches of method {baseline!r}")
    keys = [*settings, "index"]
    if min_nodes > 0:
        serial = _of_nodes(serial, keys, min_nodes)
    # In virtual time a serial search has one schedule, whatever the others' seeds.
    keys += [] if "simulated.model" in times else ["repeat"]
    costs = [name for name in ("wall_ns", "nodes") if name in serial]
    serial = serial.set_index(keys)[costs].rename(columns={"wall_ns": "serial_ns", "nodes": "serial_nodes"})
    joined = other.join(serial, on=keys, how="inner")
    if joined.empty:
        raise ValueError(f"records: expected searches of method {baseline!r} of the same {', '.join(keys)} as the others'")
    varying = [name for name in (*settings, "ordering") if name in joined and joined[name].nunique() > 1]
    return joined.assign(gain=joined["serial_ns"] / joined["wall_ns"]), varying


def _of_nodes(serial, keys, least):
    """The serial searches of positions that take them so many nodes."""
    if "nodes" not in serial:
        raise ValueError("records: expected searches with their nodes; these lines have no nodes")
    large = serial[serial.groupby(keys)["nodes"].transform("median") >= least]
    if large.empty:
        method = serial["method"].iloc[0]
        raise ValueError(f"records: expected positions that take method {method!r} at least {least} nodes; none does")
    return large


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


def compare(
    one: Any, other: Any, *, baseline: str = "serial", min_nodes: int = LARGE, across: Collection[str] = ()
) -> Any:
    """Two frames side by side, at the positions that are in both, as the command `compare-records` has them: a row for each
    method, number of threads and whatever else varies.

    `a` and `b` are the medians over these `positions` of the speedups in the one and in the other, at each position the
    median over its rounds; `ratio` is the median of `b` over `a` at each, with its 95% percentile-bootstrap interval over
    the positions from `low` to `high`, which are not a number where there are fewer than six. Where no position takes the
    baseline of either `min_nodes` nodes, all count. What is named in `across`, such as `["ordering"]`, may be one thing in
    the one and another in the other.

    A ValueError as that of `speedup`, or where they have nothing in common."""
    sides = [_of_positions(frame, baseline) for frame in (one, other)]
    keys = [*SETTINGS, *CONTENDERS, "position", "place"]
    names = [name for name in keys if name not in across and all(name in side for side in sides)]
    for side in sides:
        if side.duplicated(names).any():
            named = " and one ".join(across) or "setting"
            raise ValueError(f"records: expected one {named} in each record, not several")
    both = sides[0].merge(sides[1], on=names, suffixes=("_a", "_b"))
    large = both[["nodes_a", "nodes_b"]].max(axis=1) >= min_nodes
    both = both[large] if large.any() else both
    if both.empty:
        raise ValueError(f"records: expected two with searches of the same {', '.join(names)}{_apart(sides, names)}")
    both = both.assign(ratio=both["gain_b"] / both["gain_a"])
    # A row for all that differs but the position.
    settings = [name for name in names if name not in ("position", "place")]
    own = [name for name in settings if name in ("method", "threads") or both[name].nunique() > 1]
    rows = both.groupby(own).agg(
        positions=("ratio", "size"), a=("gain_a", "median"), b=("gain_b", "median"), ratio=("ratio", "median"),
        interval=("ratio", lambda ratios: median_interval(list(ratios)) or (math.nan, math.nan)),
    ).reset_index()
    rows[["low", "high"]] = rows.pop("interval").to_list()
    return rows


def _apart(sides, names):
    """The first thing in which all of two frames differ, in words, and what to do about it."""
    for name in names:
        values = [sorted(set(side[name])) for side in sides]
        if set.intersection(*map(set, values)):
            continue
        if name == "position":
            return "; no position is in both"
        one, other = (", ".join(map(str, found))[:80] for found in values)
        return f"; {name} is {one} and not {other}, where it is not in across"
    return ""


def _of_positions(frame, baseline):
    """The median gain of each contender at each position, with the baseline's nodes."""
    joined, _ = _joined(frame, baseline)
    nodes = joined["serial_nodes"] if "serial_nodes" in joined else math.inf
    if "position" not in joined:
        joined = joined.assign(position=joined["index"])
    # A suite may have a position twice: each counts once.
    place = joined.groupby("position")["index"].rank("dense")
    names = [name for name in (*SETTINGS, *CONTENDERS) if name in joined]
    at = joined.assign(place=place, nodes=nodes).groupby([*names, "position", "place"])
    return at.agg(gain=("gain", "median"), nodes=("nodes", "median")).reset_index()


def draw_speedup(frame: Any, axes: Any = None, *, min_nodes: int = 0) -> Any:
    """Draws the curves of `speedup(frame, min_nodes=...)` with their quartiles (with matplotlib), beside the line of threads;
    the axes. One for each method, and for each of whatever else varies.

    A ValueError as that of `speedup` where there is nothing to draw."""
    curve = speedup(frame, min_nodes=min_nodes)
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
