"""Looks for what makes the values of a game written in Python wrong in silence."""

import functools
import math
import random
from typing import Any

from ._native import key_hash
from .own import _Adapter, python_game
from .telling import shown

#: A play is given up after so many plies.
LONGEST = 1_000


def check_game(game: Any, state: Any, *, plays: int = 200, seed: int = 0) -> int:
    """Plays a `PythonGame` at random from a state; how many states it has looked at. A ValueError tells the first fault:

    * states of one key that differ in kind, player, value, evaluation, `full_depth`, or in what follows them: the keys of
      their successors with weights and rewards. Then the key leaves something out.
    * a state of which the game says something else when it is asked again
    * a `full_depth` that is less than the plies that follow

    What it does not find may be there all the same: more `plays` find more. A fault shows where states of one key are met.

    >>> from starsplit import PythonGame
    >>> class Steps(PythonGame):
    ...     '''From 3 down to 0 by steps of 1 or 2; the number of steps is the value.'''
    ...     low, high = 0, 3
    ...     def kind(self, state): return "decision" if state[0] > 0 else "terminal"
    ...     def moves(self, state): return [1, 2]
    ...     def play(self, state, move): return (max(0, state[0] - move), state[1] + 1)
    ...     def value(self, state): return state[1]
    >>> check_game(Steps(), (3, 0)) > 5
    True
    >>> class Forgetful(Steps):
    ...     def key(self, state): return state[0]
    >>> check_game(Forgetful(), (3, 0))
    Traceback (most recent call last):
    ValueError: states (0, 2) and (0, 3): expected keys that differ, not 0, as they have other value, 2.0 and 3.0
    """
    python_game(game)  # which refuses what is no game
    looker, chance = _Looker(game), random.Random(seed)
    for _ in range(plays):
        looker.play(state, chance)
    return looker.count


class _Looker:
    def __init__(self, game):
        self._adapter, self._plies = _Adapter(game), tuple(game.plies)
        self._has_rewards = game.reward is not None
        #: Of each key the first state that had it.
        self._first = {}

    @property
    def count(self):
        return len(self._first)

    def play(self, state, chance):
        """A play from a state, by moves and outcomes at random."""
        # The ply at which the play is over at the latest, as the state says that is named.
        spent, last, says = 0, math.inf, None
        for _ in range(LONGEST):
            told, after = self._look(state)
            depth = told["full_depth"]
            if depth is not None and spent + depth < last:
                last, says = spent + depth, f"full_depth {depth} of state {shown(state)}"
            if spent > last:
                raise ValueError(f"{says}: expected at least {spent - last} more, as {shown(state)} follows")
            if not after:
                return
            state = chance.choice(after)
            spent += self._plies[told["kind"]]

    def _look(self, state):
        """What is said of a state, and its successors, after it and they have been compared with those of their keys."""
        told, after = self._told_of(state)
        again, _ = self._told_of(state)
        if again != told:
            raise ValueError(f"state {shown(state)}: expected the same when asked again, not {_difference(told, again)}")
        for met in (state, *after):
            self._compare(met)
        return told, after

    def _told_of(self, state):
        """What is said of a state and of what follows it, by name; and its successors."""
        ((kind, player, value, full_depth),) = self._adapter.described([state])
        told = {"kind": kind, "value": value, "full_depth": full_depth}
        if kind == 2:
            return told, []
        steps, weights, after = self._adapter.successors(state, kind == 1)
        weights = [1] * len(after) if weights is None else weights
        rewards = [0.0] * len(after)
        if self._has_rewards:
            given = self._adapter.rewards(state, steps, after)
            rewards = self._adapter.finite("reward", given, [state] * len(after))
        (told["evaluation"],) = self._adapter.finite("evaluate", self._adapter.evaluate([state]), [state])
        told["successors"] = sorted(zip(map(self._key, after), weights, rewards))
        if kind == 0:
            told["player"] = player
        return told, after

    def _key(self, state):
        (key,) = self._adapter.keys([state])
        return _Key(key_hash(state, key), key)

    def _compare(self, state):
        key = self._key(state)
        first = self._first.setdefault(key, state)
        # Equal states have nothing that a key could leave out.
        if first is state or _are_equal(first, state):
            return
        known, told = self._told_of(first)[0], self._told_of(state)[0]
        if known != told:
            raise ValueError(f"states {shown(first)} and {shown(state)}: expected keys that differ, not {key}, as they have "
                             f"other {_difference(known, told)}")


@functools.total_ordering
class _Key:
    """A key of a state's, which may be anything, by the hash of what it tells."""

    def __init__(self, digest, key):
        self._digest, self._key = digest, key

    def __eq__(self, other):
        return self._digest == other._digest

    def __lt__(self, other):
        return self._digest < other._digest

    def __hash__(self):
        return hash(self._digest)

    def __repr__(self):
        return shown(self._key)


def _are_equal(one, other):
    """Whether states say that they are equal. Arrays give no one answer, nor do tuples of them."""
    try:
        return (one == other) is True
    except Exception:
        return False


def _difference(one, other):
    """What differs first, of two that do."""
    name = next(name for name in {**one, **other} if one.get(name) != other.get(name))
    return f"{name}, {shown(one.get(name))} and {shown(other.get(name))}"
