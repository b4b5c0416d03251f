"""Backgammon searched with a network in NumPy: how many evaluations a second it makes one a call, and in batches.

    python python/examples/backgammon_mlp.py [--depth 3] [--seconds 3]
"""

import argparse
import json
import os
import struct
import time
from pathlib import Path

# Products so small are no faster on several threads, which would take the search's.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy

import starsplit

WEIGHTS = Path(__file__).parents[2] / "games" / "weights" / "backgammon-mlp.safetensors"
GROUPS = ("meeting_checkers", "meeting_counts", "racing_checkers", "racing_counts")


class Network:
    """The library's perceptron of 190,000 weights for backgammon, from its file."""

    def __init__(self, path=WEIGHTS):
        data = path.read_bytes()
        length = struct.unpack("<Q", data[:8])[0]
        tensors = {}
        for name, about in json.loads(data[8 : 8 + length]).items():
            if name != "__metadata__":
                start, end = about["data_offsets"]
                numbers = numpy.frombuffer(data[8 + length + start : 8 + length + end], numpy.float32)
                tensors[name] = numbers.reshape(about["shape"])
        first = numpy.concatenate([tensors[group].reshape(-1, 256) for group in GROUPS])
        self.layers = [
            (first, tensors["first_bias"]),
            (tensors["second"], tensors["second_bias"]),
            (tensors["third"], tensors["third_bias"]),
        ]
        self.output, self.output_bias = tensors["output"], tensors["output_bias"]
        self.calls = self.rows = 0

    def __call__(self, features):
        """What each row is worth to whoever's turn it is, in points."""
        self.calls, self.rows = self.calls + 1, self.rows + len(features)
        for weights, bias in self.layers:
            features = features @ weights + bias
            features /= 1 + numpy.abs(features)
        # A share of a lost backgammon's three points.
        return 3 * (features @ self.output + self.output_bias)[:, 0]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--depth", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=3.0, help="at most, for each way")
    asked = parser.parse_args()
    game = starsplit.Game("backgammon")
    state = game.new_initial_state()
    state.apply_action(state.legal_actions()[0])
    alone = None
    scores = set()
    for batch, lanes, padded in ((1, 1, False), (64, 16, True), (256, 32, True), (64, 16, False), (256, 32, False)):
        network = Network()
        searcher = starsplit.evaluating_searcher(game, network, batch=batch, lanes=lanes, padded=padded)
        # Fewer requests by more lanes: each asks for the rest of a node's moves.
        searcher.set("sibling_batch", "rest" if lanes > 1 else "none")
        begun = time.perf_counter()
        result = searcher.search(state, depth=asked.depth, seconds=asked.seconds)
        rate = result.evaluations / (time.perf_counter() - begun)
        alone = alone or rate
        print(
            f"calls of {batch:3}{' padded' if padded else '':7}: {rate:9,.0f} evaluations a second, {rate / alone:4.1f} times; "
            f"{result.evaluations:,} in {network.calls:,} calls, depth {result.depth}, value {result.value:.7f}"
        )
        if result.depth == asked.depth and padded:
            scores.add(result.score)
    print("padded calls of either size gave", "one value" if len(scores) == 1 else f"the values {scores}")


if __name__ == "__main__":
    main()
