"""Cubeless equities of bear-offs, up to three checkers a side on six points, as GNU Backgammon has them.

    apt-get install gnubg
    python games/oracles/gnubg_bearoff.py > games/oracles/gnubg_bearoff.json

An equity is that of the player on roll, before the roll; a file of the database has 16 bits for it.
"""

import json
import random
import re
import subprocess
import tempfile
from pathlib import Path

POSITIONS, SAMPLE, SEED = 84 * 84, 200, 1


def run(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def main():
    found = []
    with tempfile.TemporaryDirectory() as folder:
        database = str(Path(folder) / "bearoff.bd")
        run("makebearoff", "-t", "6x3", "-f", database)
        # Number 84 * k + j has k for one side and j for the other; 0 is a side without checkers.
        playable = [number for number in range(POSITIONS) if number % 84 and number // 84]
        for number in sorted(random.Random(SEED).sample(playable, SAMPLE)):
            text = run("bearoffdump", "-n", str(number), database)
            found.append({
                "id": re.search(r"Position ID: (\S+)", text).group(1),
                "equity": float(re.search(r"Cubeless equity\s*: (\S+)", text).group(1)),
            })
    made_by = "games/oracles/gnubg_bearoff.py with " + run("gnubg", "--version").splitlines()[0]
    print(json.dumps({"made by": made_by, "positions": found}, indent=1))


if __name__ == "__main__":
    main()
