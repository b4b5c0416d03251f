"""A search as a tree, to read and to look at."""

import html
import json
from os import PathLike
from pathlib import Path
from typing import Any

from ._native import SearchResult, tree_page


class SearchTree:
    """The nodes that the last iteration of a search entered, of a result with the option `tree_nodes`. A notebook shows it
    as a page.

    >>> import starsplit
    >>> result = starsplit.search(starsplit.Game("pig").new_initial_state(), depth=4, tree_nodes=20000)
    >>> tree = starsplit.SearchTree(result)
    >>> tree.nodes[0]["parent"], tree.nodes[0]["end"]
    (None, 'exact')
    """

    def __init__(self, result: SearchResult):
        if not isinstance(result, SearchResult):
            raise TypeError(f"result {result!r}: expected a SearchResult")
        if result.tree is None:
            raise ValueError("result: expected one of a search with the option tree_nodes, such as tree_nodes=20000")
        self._lines = result.tree

    @property
    def header(self) -> dict[str, Any]:
        """What was searched, and how."""
        return json.loads(self._lines.split("\n", 1)[0])

    @property
    def nodes(self) -> list[dict[str, Any]]:
        """A dictionary for each node, parents first: `parent`, its index; `step`, what led there; `window` and `bounds`,
        scores for the player whose turn it is; `phase`; `end`, why it ended; `worker`; `began` and `ended`, in
        nanoseconds. `pandas.DataFrame` takes the list."""
        return [json.loads(line) for line in self._lines.splitlines()[1:]]

    def page(self, *beside: "SearchTree") -> str:
        """A page in HTML that needs nothing else, with other trees beside."""
        return tree_page([self._lines, *(tree._lines for tree in beside)])

    def save(self, file: str | PathLike[str], *beside: "SearchTree") -> None:
        """Writes the page into a file whose name ends in .html, or the lines into one that ends in .jsonl."""
        ending = Path(file).suffix.lower()
        if ending not in (".html", ".jsonl") or (beside and ending == ".jsonl"):
            expected = ".html" if beside else ".html or .jsonl"
            raise ValueError(f"file {str(file)!r}: expected a name that ends in {expected}")
        Path(file).write_text(self.page(*beside) if ending == ".html" else self._lines, encoding="utf-8")

    def _repr_html_(self) -> str:
        return f'<iframe srcdoc="{html.escape(self.page())}" style="width: 100%; height: 48rem; border: 0"></iframe>'
