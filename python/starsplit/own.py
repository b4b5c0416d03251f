"""Games that are written in Python."""

import math
import operator
from collections.abc import Iterable
from fractions import Fraction
from math import lcm
from typing import Any

from ._native import Game

#: The most that the weights of one chance node may sum to.
GREATEST_SUM = 2**32 - 1


class PythonGame:
    """A game: a class to derive from. States and moves are whatever you like, and never change.

    Values are those of player 0, who maximises them; player 1 minimises.

    A coin is tossed. Player 0 may stop, or have it tossed once more; the last toss counts.

    >>> class Coin(PythonGame):
    ...     low, high = 0, 1
    ...     def kind(self, state): return {"toss": "chance", "choose": "decision", "end": "terminal"}[state[0]]
    ...     def moves(self, state): return ["stop", "toss"]
    ...     def play(self, state, move): return ("end", state[1]) if move == "stop" else ("toss", "the last")
    ...     def outcomes(self, state): return [("tails", 1), ("heads", 1)]
    ...     def resolve(self, state, outcome): return ("end" if state[1] == "the last" else "choose", outcome)
    ...     def value(self, state): return 1 if state[1] == "heads" else 0
    >>> coin = python_game(Coin())
    >>> from starsplit import search
    >>> round(search(coin.state(("toss", "the first")), depth=3).value, 6)
    0.75

    `kind`, `moves`, `play` and `value` have to be written, and `outcomes` and `resolve` where there is chance. The rest
    has defaults: `player` 0, `evaluate` 0 for every state (which `low` and `high` have to contain), `key` the state itself,
    `text` the move's, `full_depth` None.

    A `key` that leaves something out makes values wrong in silence: `check_game` looks for that. Where the state tells
    all, leave it.

    Values lie on a grid of 2**24 steps, so that they are the same to the last bit on any number of threads.

    Threads of a search take turns in Python, which runs one at a time. More than one gain what the search itself takes,
    and what `evaluate` does without Python (NumPy, a device).

    Attributes, each with its default:

    * `low`, `high` (-1.0, 1.0): the least and the greatest value of the game. With rewards a value is what is still to
      come.
    * `saturates` (False): whether values, evaluations and rewards beyond `low` and `high` are meant as these ends, also
      what a reward makes of the value that follows it. Else a search that meets one ends with an error that names it.
    * `depth_step` (1): by how many plies iterations deepen. 2 where moves and outcomes take turns: then all iterations end
      on the same kind of state, and prepare for each other.
    * `plies` ((1, 1)): how many plies a move takes, and how many an outcome; not both 0.
    * `costs` ((1000, 1000)): what a call of `evaluate` costs and what each state of it, in nanoseconds. Only time depends
      on it. Time a call with one state and one with a hundred: a state costs a 99th of the difference, a call what is left.
    * `successor_cost` (3000): what a successor costs, with its share of `moves` or `outcomes`, in nanoseconds; such a
      hint, too. Each state is asked for its successors once.
    * `name` (the class's): for messages.
    * `reward` (None): a method `reward(self, state, step, after)`, where steps pay player 0 at once: what the move or
      outcome `step` from `state` to `after` pays.
    """

    low: float = -1.0
    high: float = 1.0
    saturates: bool = False
    depth_step: int = 1
    plies: tuple[int, int] = (1, 1)
    costs: tuple[int, int] = (1_000, 1_000)
    successor_cost: int = 3_000
    name: str | None = None
    reward: Any = None

    def kind(self, state: Any) -> str:
        """"decision", "chance" or "terminal"."""
        raise _missing(self, "kind")

    def player(self, state: Any) -> int:
        """Who moves, 0 or 1; at chance nodes and at the end either will do."""
        return 0

    def moves(self, state: Any) -> Iterable[Any]:
        """The moves of a decision node, at least one."""
        raise _missing(self, "moves")

    def play(self, state: Any, move: Any) -> Any:
        """The state after a move."""
        raise _missing(self, "play")

    def outcomes(self, state: Any) -> Iterable[tuple[Any, Any]]:
        """The outcomes of a chance node with their weights: pairs, weights whole numbers or fractions, the likeliest first."""
        raise _missing(self, "outcomes")

    def resolve(self, state: Any, outcome: Any) -> Any:
        """The state after an outcome."""
        raise _missing(self, "resolve")

    def value(self, state: Any) -> float:
        """The value of a terminal state for player 0."""
        raise _missing(self, "value")

    def evaluate(self, states: list[Any]) -> Iterable[float]:
        """The estimated values of many states for player 0, one for each, whatever the others are."""
        return [0.0] * len(states)

    def full_depth(self, state: Any) -> int | None:
        """How many plies can follow at the most, 0 at the end; None where nobody knows. `depth="full"` needs it."""
        return None

    def key(self, state: Any) -> Any:
        """What tells states apart: two of one key are taken for the same. Text, bytes or anything whose `repr` tells all."""
        return state

    def text(self, state: Any, move: Any) -> str:
        """A move or an outcome as a person writes it."""
        return str(move)


def _missing(game, method):
    return NotImplementedError(f"game {type(game).__name__}: expected a method {method}")


def python_game(game: Any) -> Game:
    """Makes a game to be searched of a `PythonGame`: `python_game(Coin()).state(start)`."""
    if isinstance(game, type):
        raise TypeError(f"game {game!r:.80}: expected an object of it, {game.__name__}()")
    for method in ("kind", "moves", "play", "value", "evaluate", "key"):
        if not callable(getattr(game, method, None)):
            raise TypeError(f"game {game!r:.80}: expected a method {method}, as PythonGame has it")
    if len(tuple(game.plies)) != 2 or not all(0 <= plies <= 255 for plies in game.plies) or not any(game.plies):
        raise ValueError(f"plies {game.plies!r:.80}: expected two from 0 to 255, not both 0")
    name = game.name or type(game).__name__
    evaluates = not _has_default(game, "evaluate")
    traits = {
        "depth_step": game.depth_step,
        "plies": tuple(game.plies),
        "has_rewards": game.reward is not None,
        "has_keys": not _has_default(game, "key"),
        "evaluates": evaluates,
        "costs": tuple(game.costs) if evaluates else (0, 0),
        "successor_ns": int(getattr(game, "successor_cost", PythonGame.successor_cost)),
        "saturates": bool(getattr(game, "saturates", False)),
    }
    return Game._of(_Adapter(game), name, (float(game.low), float(game.high)), traits)


_KINDS = {"decision": 0, "chance": 1, "terminal": 2}


def _has_default(game, method):
    """Whether a method is the one that every game has."""
    found = getattr(game, method, None)
    return found is None or getattr(found, "__func__", None) is getattr(PythonGame, method)


class _Adapter:
    """The few calls that are made from Rust, which asks once of every state what it is, and once for its successors."""

    def __init__(self, game):
        self._game = game
        self._bounds_length = not _has_default(game, "full_depth")

    def described(self, state):
        """The kind and player of a state, its value where it is the last, and the plies that can follow."""
        game = self._game
        kind = _KINDS.get(game.kind(state))
        if kind is None:
            raise ValueError(f"kind {game.kind(state)!r:.80}: expected 'decision', 'chance' or 'terminal'")
        player = game.player(state)
        if player not in (0, 1):
            raise ValueError(f"player {player!r:.80}: expected 0 or 1")
        value = _finite("value", game.value(state)) if kind == 2 else 0.0
        return kind, player, value, self._full_depth(state)

    def _full_depth(self, state):
        """The plies that can follow; None where the game does not say."""
        if not self._bounds_length:
            return None
        depth = self._game.full_depth(state)
        if depth is None:
            return None
        try:
            whole = operator.index(depth)
        except TypeError:
            whole = -1
        if not 0 <= whole < 2**32:
            raise ValueError(f"full_depth {depth!r:.80}: expected a whole number from 0 on, or None")
        return whole

    def successors(self, state, is_chance):
        """The steps from a state, their weights, the states after them, and what they pay.

        None for weights that are all 1, and for rewards that are all 0.
        """
        game = self._game
        if is_chance:
            outcomes = _list("outcomes", game.outcomes(state), "pairs of an outcome and its weight")
            steps, weights = [outcome for outcome, _ in outcomes], _whole([weight for _, weight in outcomes])
            states = [game.resolve(state, outcome) for outcome in steps]
        else:
            steps = _list("moves", game.moves(state), "a list of moves")
            weights, states = None, [game.play(state, move) for move in steps]
        reward, rewards = game.reward, None
        if reward is not None:
            rewards = [reward(state, step, after) for step, after in zip(steps, states)]
            rewards = None if rewards.count(0) == len(rewards) else rewards
        # As tuples of plain parts they are none of the garbage collector's business.
        return tuple(steps), weights, states, rewards

    def keys(self, states):
        """The keys of states."""
        key = self._game.key
        return [key(state) for state in states]

    def told(self, key):
        """The text of a key, or of a part of it, whose type is none that every key may have."""
        return _told(key)

    def evaluate(self, states):
        found = _list("evaluate", self._game.evaluate(states), "a list of numbers, one for each state")
        values = [_finite("evaluate", value) for value in found]
        if len(values) != len(states):
            raise ValueError(f"evaluate: {len(values)} numbers, expected {len(states)}, one for each state")
        return values

    def texts(self, state, steps):
        texts, seen = [], set()
        for place, step in enumerate(steps):
            text = str(self._game.text(state, step))
            # A text names one move.
            while text in seen:
                text = f"{text}#{place}"
            seen.add(text)
            texts.append(text)
        return texts


def _list(name, found, expected):
    """What a method of the game gave, as a list."""
    try:
        return list(found)
    except TypeError:
        raise TypeError(f"{name} {found!r:.80}: expected {expected}") from None


def _finite(name, value):
    try:
        value = float(value)
    except (TypeError, ValueError):
        raise TypeError(f"{name} {value!r:.80}: expected a number") from None
    if not math.isfinite(value):
        raise ValueError(f"{name} {value}: expected a finite number")
    return value


def _told(key):
    """A text that tells all of a key; one that names an address or leaves something out does not."""
    text = repr(key)
    if not isinstance(key, str) and (" at 0x" in text or ("array(" in text and "..." in text)):
        raise TypeError(f"key {text[:80]!r}: expected text, bytes or what has a repr that tells all of it; define key")
    return text


def _fraction(number):
    """A number as a fraction, one of numpy's too."""
    ratio = getattr(number, "as_integer_ratio", None)
    return Fraction(number) if ratio is None else Fraction(*ratio())


def _whole(weights):
    """Weights as whole numbers without a common factor, in the same proportions."""
    whole = weights
    if set(map(type, weights)) != {int}:
        fractions = [_fraction(weight) for weight in weights]
        common = lcm(*(fraction.denominator for fraction in fractions))
        whole = [int(fraction * common) for fraction in fractions]
    if not whole or min(whole) <= 0:
        raise ValueError(f"weights {weights!r:.80}: expected at least one, each more than 0")
    if sum(whole) > GREATEST_SUM:
        raise ValueError(f"weights {weights!r:.80}: expected small fractions, that sum to less than 2**32 when whole")
    return whole
