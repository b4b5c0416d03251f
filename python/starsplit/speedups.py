"""Speedups that were measured, as rows and as a figure."""

import itertools
from os import PathLike
from pathlib import Path
from typing import Any

from .rounds import quartiles


class Scaling:
    """What `scaling` has measured."""

    def __init__(self, asked, parts):
        self._asked = asked
        self._parts = parts

    def speedups(self) -> list[dict[str, Any]]:
        """A dictionary for each contender at each position, those in real time first. `pandas.DataFrame`
        takes the list.

        * `position`, `index`: its text, and its place from 1.
        * `kind`: "real" or "SIMULATED".
        * `method`: "serial" for the baseline. `processors`: how many threads or virtual processors.
        * `nodes`: of one search; the lower median over the rounds.
        * `seconds` of a real search, `virtual` of a SIMULATED one in units of its costs: the median.
        * `speedup`, `lower`, `upper`: the median over the rounds, or seeds, with the quartiles; `rounds`, how
          many there were.
        * `value`: in the game's units, for player 0.
        """
        return [row for part in self._parts for row in part.rows()]

    def curves(self) -> list[dict[str, Any]]:
        """A dictionary for each `kind` and number of `processors`: `speedup` with `lower` and `upper`, the
        median and the quartiles over the positions, or where there is one, over its rounds; and how many
        `positions`."""
        rows = [row for row in self.speedups() if row["method"] != "serial"]
        # SIMULATED rows stay after the others.
        rows.sort(key=lambda row: (row["kind"].isupper(), row["processors"]))
        groups = itertools.groupby(rows, key=lambda row: (row["kind"], row["processors"]))
        return [self._point(kind, processors, list(group)) for (kind, processors), group in groups]

    @staticmethod
    def _point(kind, processors, rows):
        lower, median, upper = quartiles([row["speedup"] for row in rows])
        if len(rows) == 1:
            lower, upper = rows[0]["lower"], rows[0]["upper"]
        place = {"kind": kind, "processors": processors}
        return {**place, "speedup": median, "lower": lower, "upper": upper, "positions": len(rows)}

    def plot(self, file: str | PathLike[str]) -> None:
        """Draws the curves with their quartiles beside the ideal line, into a file whose name ends in .svg or
        .png. With matplotlib."""
        ending = Path(file).suffix.lower()
        if ending not in (".svg", ".png"):
            raise ValueError(f"file {str(file)!r}: expected a name that ends in .svg or .png")
        try:
            import matplotlib
            from matplotlib.figure import Figure
        except ImportError:
            raise ImportError("plot: expected matplotlib, which `pip install matplotlib` installs") from None
        figure = Figure(layout="constrained")
        self._draw(figure.subplots())
        # Texts stay texts, so that they can be searched for, and the same curves make the same file.
        with matplotlib.rc_context({"svg.fonttype": "none", "svg.hashsalt": "starsplit"}):
            figure.savefig(file, dpi=150, metadata={"Date": None} if ending == ".svg" else None)

    def _draw(self, axes):
        curves, asked = self.curves(), self._asked
        for part in self._parts:
            rows = [row for row in curves if row["kind"] == part.kind]
            below = [row["speedup"] - row["lower"] for row in rows]
            above = [row["upper"] - row["speedup"] for row in rows]
            across, medians = [row["processors"] for row in rows], [row["speedup"] for row in rows]
            axes.errorbar(across, medians, yerr=[below, above], marker="o", capsize=3, label=part.label)
        numbers = sorted({row["processors"] for row in curves})
        axes.plot([1, numbers[-1]], [1, numbers[-1]], linestyle=":", color="grey", label="ideal")
        axes.set_xscale("log", base=2)
        axes.set_yscale("log", base=2)
        for axis in (axes.xaxis, axes.yaxis):
            axis.set_major_formatter("{x:g}")
        axes.set_xticks(numbers)
        title = f"{asked.game.name} to depth {asked.depth}, positions: {len(asked.positions)}"
        axes.set(xlabel="processors", ylabel="speedup", title=title)
        axes.legend()

    def __repr__(self):
        curves = [f"{row['kind']} {row['processors']}: {row['speedup']:.2f}" for row in self.curves()]
        return f"<speedups of {self._asked.game.name} to depth {self._asked.depth}: {', '.join(curves)}>"
