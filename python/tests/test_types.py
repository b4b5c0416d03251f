"""What mypy says of programs that use the package, and of the stub beside what it is the stub of."""

import subprocess
import sys

import pytest

pytest.importorskip("mypy")

RIGHT = """
import copy

import starsplit
from starsplit import Game, Handle, Outcome, PythonGame, Searcher, openspiel, python_game, records

class Coin(PythonGame):
    low, high = 0, 1

    def kind(self, state: str) -> str:
        return "terminal"


coin = starsplit.search(python_game(Coin()).state("heads"), depth=1, threads=2).value
curve = starsplit.scaling("pig", [Game("pig").new_initial_state()], depth=3, threads=[1, 2])
state = Game("dice", "size=3,run=2").new_initial_state()
searcher = Searcher(state.game, threads=2, rank_root_moves=3)
handle = Handle()
result = searcher.search(state, depth="full", seconds=2.5, handle=handle)
value: float = result.value
same: bool = result == copy.deepcopy(result) and hash(result) > 0
told: list[dict[str, object]] = [outcome.to_dict() for outcome in searcher.outcomes(state, depth="full")]
end = starsplit.search(state, depth="full", nodes=1_000, seconds=1)
spiel: float = openspiel.search(object(), "full", nodes=10, seconds=0.5, key=str, threads=2).value
interval: tuple[float, float] | None = records.median_interval([1.0, 2.0])
moves: list[str] = [searcher.search(state, depth=depth).line[0] for depth in range(1, 4)]
"""

WRONG = {
    'searcher.search(state, depth="deep")': "Argument \"depth\"",
    'starsplit.search(state, depth="ful")': "Argument \"depth\"",
    'openspiel.search(state, depth="ful")': "Argument \"depth\"",
    'openspiel.search(state, nodes=0.5)': "Argument \"nodes\"",
    "searcher.search(state, nodes=0.5)": "Argument \"nodes\"",
    "searcher.search(depth=3)": "Missing positional argument \"state\"",
    "text: str = result.value": "Incompatible types in assignment",
}


def mypy(*arguments, folder):
    command = [sys.executable, "-m", *arguments, "--cache-dir", str(folder / "cache")]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


def test_programs_are_checked(tmp_path):
    (tmp_path / "right.py").write_text(RIGHT)
    wrong = RIGHT + "".join(f"{line}\n" for line in WRONG)
    (tmp_path / "wrong.py").write_text(wrong)
    ignoring = ["--ignore-missing-imports", "--follow-imports=silent"]
    found = mypy("mypy", "--strict", *ignoring, "right.py", folder=tmp_path)
    assert found.returncode == 0, found.stdout
    found = mypy("mypy", *ignoring, "wrong.py", folder=tmp_path)
    errors = [line for line in found.stdout.splitlines() if ": error:" in line]
    assert len(errors) == len(WRONG), found.stdout
    for line, complaint in zip(errors, WRONG.values()):
        assert complaint in line


def test_the_stub_is_what_there_is(tmp_path):
    command = [sys.executable, "-m", "mypy.stubtest", "starsplit._native", "--ignore-disjoint-bases"]
    found = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert found.returncode == 0, found.stdout + found.stderr
