"""What searches give, as objects."""

import copy
import json
import os
import pickle
import subprocess
import sys
import weakref

import pytest

import starsplit
from starsplit import Game, Handle, Searcher
from starsplit.distributed import DistributedResult

EINSTEIN = Game("einstein")
STATE = EINSTEIN.parse("x1x2x3..../x4x5....../x6......o6/......o5o4/....o3o2o1 x 3")


def results():
    """Two of each kind, which differ."""
    searcher = Searcher(EINSTEIN, table_mib=4, rank_root_moves=3)
    handle = Handle()
    yield [searcher.search(STATE, depth=depth, handle=handle if depth == 3 else None) for depth in (3, 4)]
    yield [handle.iteration, searcher.search(STATE, depth=2)]
    yield searcher.outcomes(EINSTEIN.new_initial_state(), depth=3)[:2]
    yield [searcher.expectation(STATE, 1, lambda leaf: [leaf.returns()[0]], depth=depth) for depth in (2, 3)]
    yield [DistributedResult(depth, 0.5, (1, 1), "a", 1, 2, 0.5, 0) for depth in (1, 2)]


KINDS = ["result", "iteration", "outcome", "expectation", "together"]


@pytest.mark.parametrize("kind", KINDS)
def test_results_are_pickled_copied_and_compared(kind):
    one, other = list(results())[KINDS.index(kind)]
    assert one != other and one != 5 and not one == other
    copies = [copy.copy(one), copy.deepcopy(one)]
    copies += [pickle.loads(pickle.dumps(one, protocol)) for protocol in range(pickle.HIGHEST_PROTOCOL + 1)]
    for found in copies:
        assert found == one and hash(found) == hash(one) and repr(found) == repr(one)
        assert type(found) is type(one)
    assert len({one, other, *copies}) == 2
    if kind != "together":
        assert copies[-1].to_dict() == one.to_dict()
        json.dumps(one.to_dict())
        names = {name for name in dir(one) if not name.startswith("_")} - {"to_dict"}
        assert names == one.to_dict().keys() and all(getattr(one, name) == value for name, value in one.to_dict().items())


def test_a_result_is_read_by_another_process(tmp_path):
    result = Searcher(EINSTEIN, table_mib=4, rank_root_moves=True).search(STATE, depth=3)
    (tmp_path / "result").write_bytes(pickle.dumps([result, result]))
    program = "import pickle, sys; one, other = pickle.load(open(sys.argv[1], 'rb')); print(one == other, one.ranked_moves)"
    found = subprocess.run([sys.executable, "-c", program, tmp_path / "result"], capture_output=True, text=True, check=True)
    assert found.stdout == f"True {result.ranked_moves}\n"


def test_a_search_is_shown_as_a_tree(tmp_path):
    one, two = (
        starsplit.SearchTree(Searcher(EINSTEIN, table_mib=4).search(STATE, depth=3, tree_nodes=5000, algorithm=algorithm))
        for algorithm in ("star1", "star2-tt")
    )
    assert one.header["algorithm"] == "star1" and one.header["game"] == "einstein"
    root, *others = one.nodes
    assert root["parent"] is None and others and all(node["step"] for node in others)
    assert two.page().count("starsplit_tree") == 1 and two.page(one).count('"starsplit_tree"') == 2
    assert one._repr_html_().startswith("<iframe") and "<script" not in one._repr_html_()
    one.save(tmp_path / "tree.html", two)
    one.save(tmp_path / "tree.jsonl")
    assert (tmp_path / "tree.html").read_text() == one.page(two)
    for file in ("tree.txt", "tree"):
        with pytest.raises(ValueError, match=r"expected a name that ends in \.html or \.jsonl"):
            one.save(tmp_path / file)
    with pytest.raises(ValueError, match="tree_nodes"):
        starsplit.SearchTree(Searcher(EINSTEIN, table_mib=4).search(STATE, depth=2))
    with pytest.raises(TypeError, match="expected a SearchResult"):
        starsplit.SearchTree("a tree")


def test_games_are_copied_as_they_are():
    class Coin(starsplit.PythonGame):
        pass

    for game in (EINSTEIN, starsplit.python_game(Coin())):
        assert copy.copy(game) == game and copy.deepcopy([game])[0] == game


def test_objects_may_be_referred_to_weakly():
    for make in (lambda: Game("pig"), STATE.clone, lambda: Searcher(EINSTEIN, table_mib=1), Handle):
        thing = make()
        seen = weakref.ref(thing)
        assert seen() is thing
        del thing
        assert seen() is None


class Plain(starsplit.PythonGame):
    """Numbers that grow by one or two."""

    def kind(self, state):
        return "decision"

    def moves(self, state):
        return [1, 2]

    def play(self, state, move):
        return state + move

    def evaluate(self, states):
        return [(state % 7) / 7 for state in states]


def test_prices_that_nobody_declared_are_told():
    def assumed(**own):
        game = starsplit.python_game(type("Own", (Plain,), own)())
        return starsplit.search(game.state(0), depth=3, table_mib=1).assumed

    assert assumed() == ["costs", "successor_cost"]
    assert assumed(costs=(5_000, 500)) == ["successor_cost"]
    assert assumed(successor_cost=2_000) == ["costs"]
    assert assumed(costs=(5_000, 500), successor_cost=2_000) == []
    assert assumed(costs=(5_000, 500), successor_cost=0) == ["successor_cost"]
    assert starsplit.search(starsplit.Game("pig").new_initial_state(), depth=3).assumed == []


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
@pytest.mark.parametrize("method", ["both", "fork-join", "root-split"])
def test_a_kept_searcher_searches_in_a_forked_process(method):
    """Where its threads are not; also while another thread searches with it."""
    program = f"""
import os, threading, starsplit
searcher = starsplit.Searcher(starsplit.Game("pig"), threads=2, method="{method}", helpers_after_us=0)
start = starsplit.Game("pig").new_initial_state()
expected = searcher.search(start, depth=8).value
for busy in (False, True):
    other = threading.Thread(target=lambda: searcher.search(start, seconds=0.5))
    if busy:
        other.start()
    child = os.fork()
    if child == 0:
        os._exit(0 if searcher.search(start, depth=8).value == expected else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    if busy:
        other.join()
print(searcher.search(start, depth=8).value == expected)
"""
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", program], capture_output=True, text=True, timeout=60)
    assert done.stdout == "True\n", done.stderr


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
def test_a_process_that_is_forked_while_threads_are_made_has_its_own():
    program = """
import os, threading, time, starsplit
game = starsplit.Game("pig")
start = game.new_initial_state()
expected = starsplit.search(start, depth=4).value
for wait in range(5):
    searcher = starsplit.Searcher(game, threads=100, table_mib=1)
    other = threading.Thread(target=lambda: searcher.search(start, depth=4))
    other.start()
    time.sleep(wait / 1000)
    child = os.fork()
    if child == 0:
        os._exit(0 if searcher.search(start, depth=4).value == expected else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    other.join()
"""
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", program], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
