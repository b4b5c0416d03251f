"""Searches as tasks: by hand, and over executors."""

import os
import random
import signal
import threading
import time
from concurrent.futures import Future, ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context

import pytest

import starsplit
from starsplit.distributed import search

NOTATION = "x1x2x3..../x4x5....../x6......o6/......o5o4/....o3o2o1 x 3"


DEPTHS = {"dice": 7, "pig": 7, "einstein": 7, "backgammon": 3, "hyper-backgammon": 3, "2048": 4, "abalone": 2}


@pytest.mark.parametrize("name", starsplit.games())
def test_answers_in_any_order_lost_and_twice_give_one_value(name):
    game = starsplit.Game(name)
    state = game.new_initial_state() if name != "einstein" else game.parse(NOTATION)
    depth = DEPTHS[name]
    expected = starsplit.search(state, depth=depth)
    lost = twice = 0
    for seed in range(3):
        drawn = random.Random(seed)
        workers = [starsplit.Searcher(game, table_mib=1) for _ in range(3)]
        plan = workers[0].plan(state, depth, split_above=200, parts=32)
        given, taken = [], 0
        while not plan.has_ended:
            given += plan.hand_out(4)
            task = given.pop(drawn.randrange(len(given)))
            if drawn.random() < 0.2:
                plan.lost(plan.name_of(task))
                lost += 1
                continue
            answer = drawn.choice(workers).work(state, task)
            times = drawn.choice((1, 1, 2))
            for _ in range(times):
                plan.answer(answer)
            taken += times
            twice += times - 1
        found_depth, value, score, best_move, answers, nodes, contradictions = plan.found
        assert (found_depth, score, value) == (depth, expected.score, expected.value)
        assert best_move is None or best_move in [state.action_to_string(action) for action in state.legal_actions()]
        assert answers == taken and nodes > 0 and contradictions == 0
    assert lost > 0 and twice > 0


def test_what_is_no_answer_is_named():
    game = starsplit.Game("einstein")
    searcher = starsplit.Searcher(game, table_mib=1)
    state = game.parse(NOTATION)
    plan = searcher.plan(state, 5)
    for line in ("", "answer", "x" * 100_000, searcher.work(state, plan.hand_out(1)[0]).replace("game ", "game 1")):
        with pytest.raises(starsplit.SearchError) as raised:
            plan.answer(line)
        assert "\n" not in str(raised.value) and len(str(raised.value)) < 600
    with pytest.raises(starsplit.SearchError):
        searcher.work(state, "task 1 path 9999 depth 3 window -1 1")


def test_threads_and_processes_give_the_value_of_one():
    state = starsplit.Game("einstein").parse(NOTATION)
    expected = starsplit.search(state, depth=9)
    told = []
    with ThreadPoolExecutor(2) as pool:
        found = search("einstein", NOTATION, 9, pool, table_mib=4, split_above=500, on_progress=lambda *p: told.append(p))
    assert (found.score, found.value, found.depth) == (expected.score, expected.value, 9)
    assert found.answers == len(told) > 5
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        found = search("einstein", state, 9, pool, table_mib=4, split_above=500, patience=60)
    assert found.score == expected.score


def test_a_plan_may_be_asked_by_any_thread():
    from test_own import Tree, python_game

    state = python_game(Tree(3)).state(())
    searcher = starsplit.Searcher(state.game, table_mib=1)
    plan = searcher.plan(state, 6, split_above=1, parts=64)
    asked = threading.Thread(target=lambda: [plan.progress for _ in iter(lambda: plan.has_ended, True)])
    asked.start()
    while not plan.has_ended:
        for task in plan.hand_out(2):
            plan.answer(searcher.work(state, task))
    asked.join(30)
    assert not asked.is_alive()
    assert plan.found[2] == searcher.search(state, depth=6).score


def tree_state():
    from test_own import Tree, python_game

    return python_game(Tree(3)).state(())


def test_a_game_in_python_is_shared_by_the_function_that_makes_it():
    expected = starsplit.search(tree_state(), depth=6)
    with ThreadPoolExecutor(2) as pool:
        found = search(tree_state, None, 6, pool, table_mib=1, split_above=50)
        with pytest.raises(ValueError, match="position or rules: expected none beside a function"):
            search(tree_state, "start", 6, pool)
        with pytest.raises(TypeError, match="state 3: expected a State"):
            search(int("3").__int__, None, 6, pool)
        with pytest.raises(ValueError, match="expected one of the library's, or a function that makes the state"):
            search(tree_state().game, tree_state(), 6, pool)
    assert (found.score, found.value, found.depth) == (expected.score, expected.value, 6) and found.answers > 5
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        assert search(tree_state, None, 6, pool, table_mib=1, split_above=50).score == expected.score


def test_states_of_other_games_are_refused():
    searcher = starsplit.Searcher(starsplit.Game("einstein", "size=4,stones=3"), table_mib=1)
    other = starsplit.Game("einstein").parse(NOTATION)
    for call in (lambda: searcher.plan(other, 3), lambda: searcher.work(other, "task 1 path - depth 1 window -1 1")):
        with pytest.raises(TypeError, match="size=5"):
            call()


class Lossy(ThreadPoolExecutor):
    """An executor that never does its first tasks."""

    lost = 2

    def submit(self, *arguments):
        if self.lost > 0:
            self.lost -= 1
            return Future()
        return super().submit(*arguments)


def test_tasks_that_never_end_are_given_to_others():
    expected = starsplit.search(starsplit.Game("einstein").parse(NOTATION), depth=7)
    with Lossy(2) as pool:
        found = search("einstein", NOTATION, 7, pool, table_mib=4, tasks=1, patience=0.2, split_above=500)
    assert found.score == expected.score


def test_bad_settings_are_named():
    with ThreadPoolExecutor(1) as pool:
        for name in ("tasks", "patience"):
            with pytest.raises(ValueError, match=name):
                search("einstein", NOTATION, 5, pool, **{name: -1})
        with pytest.raises(ValueError, match="rules"):
            search(starsplit.Game("einstein"), NOTATION, 5, pool, rules="size=4,stones=3")


def test_a_drawn_evaluator_has_its_seed():
    state = starsplit.Game("dice").new_initial_state()
    expected = starsplit.search(state, depth=5, evaluator="hash-random", seed=3)
    with ThreadPoolExecutor(2) as pool:
        found = search("dice", state, 5, pool, evaluator="hash-random", seed=3, split_above=50)
    assert found.score == expected.score


def test_what_a_task_raises_ends_the_search():
    with ThreadPoolExecutor(1) as pool, pytest.raises(ValueError, match="option"):
        search("einstein", NOTATION, 5, pool, no_such=1)


def test_workers_of_dask_that_are_killed_change_nothing():
    distributed = pytest.importorskip("distributed")
    state = starsplit.Game("einstein").parse(NOTATION)
    expected = starsplit.search(state, depth=9)
    cluster = distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, host="127.0.0.1", dashboard_address=None, processes=True
    )
    with cluster, distributed.Client(cluster) as client:
        executor = client.get_executor(retries=3)
        found = search("einstein", NOTATION, 9, executor, table_mib=4, split_above=500)
        assert found.score == expected.score and found.answers > 10
        pids = list(client.run(os.getpid).values())
        killed = []

        def kill():
            time.sleep(0.3)
            os.kill(pids[0], signal.SIGKILL)
            killed.append(pids[0])

        killer = threading.Thread(target=kill)
        killer.start()
        again = search("einstein", NOTATION, 11, executor, table_mib=4, split_above=1_000)
        killer.join()
        assert killed
        assert again.score == starsplit.search(state, depth=11).score
