"""Games that are written in Python."""

import math
import numbers
import operator
from collections.abc import Iterable
from typing import Any

from ._native import Game
from .misspelt import SILENT, meant_as, nearest
from .telling import noted, of_state, shown
from .weights import whole


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

    States are one where they have one `key`, kind and player (at the end one value, with `full_depth` one). A `key` that
    leaves anything else out makes values wrong in silence: `check_game` looks for that. Where the state tells all, leave
    it.

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
        """The outcomes of a chance node with their weights: pairs, the likeliest first.

        Weights are whole numbers or `Fraction`s, of whatever sum. A float is taken for the fraction of at most 10,000 parts
        that differs from it by at most 10**-12 of itself, else as it is; where that makes no small whole numbers, it is an
        error."""
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
        """What tells states apart: two of one key, kind and player are taken for the same. None for the state itself.

        Numbers, texts, tuples, lists, dictionaries, sets, data classes (the fields that they compare) and arrays of NumPy
        tell all of themselves; anything else does by its `repr`, if that names no address, and its attributes that are numbers,
        texts, and arrays or containers of them. What its other attributes hold has to be in its `repr`."""
        return state

    def text(self, state: Any, move: Any) -> str:
        """A move or an outcome as a person writes it."""
        return str(move)


def _missing(game, method):
    found = nearest(game, PythonGame, method)
    instead = f", and found {found}" if found else ""
    return NotImplementedError(f"game {type(game).__name__}: expected a method {method}{instead}")


def python_game(game: Any) -> Game:
    """Makes a game to be searched of a `PythonGame`: `python_game(Coin()).state(start)`."""
    if isinstance(game, type):
        raise TypeError(f"game {shown(game)}: expected an object of it, {game.__name__}()")
    for method in ("kind", "moves", "play", "value", "evaluate", "key"):
        if not callable(getattr(game, method, None)):
            raise TypeError(f"game {shown(game)}: expected a method {method}, as PythonGame has it")
    for method in SILENT:
        found = meant_as(game, PythonGame, method) if _has_default(game, method) else None
        if found:
            raise TypeError(f"game {type(game).__name__}: expected a method {method}, or _{found}, not {found}")
    name = game.name or type(game).__name__
    low, high = _finite("low", game.low), _finite("high", game.high)
    return Game._of(_Adapter(game), str(name), (low, high), _traits(game))


def _traits(game):
    """What holds for all states of a game."""
    plies = _two("plies", game.plies, 255)
    if not any(plies):
        raise ValueError(f"plies {shown(game.plies)}: expected two from 0 to 255, not both 0")
    evaluates = not _has_default(game, "evaluate")
    cost = getattr(game, "successor_cost", PythonGame.successor_cost)
    return {
        "depth_step": _number("depth_step", game.depth_step, 255),
        "plies": plies,
        "has_rewards": game.reward is not None,
        "has_keys": not _has_default(game, "key"),
        "evaluates": evaluates,
        "costs": _two("costs", game.costs, 2**32 - 1) if evaluates else (0, 1),
        "declares_costs": _declares(game, "costs"),
        "successor_ns": _number("successor_cost", cost, 2**32 - 1),
        "declares_successor_cost": _declares(game, "successor_cost"),
        "saturates": bool(getattr(game, "saturates", False)),
    }


def _declares(game, name):
    """Whether a game has a value of its own."""
    return getattr(game, name, None) is not getattr(PythonGame, name)


def _number(name, value, most):
    """A whole number; a cost may have been measured as another."""
    number = int(value) if isinstance(value, float) and math.isfinite(value) else value
    try:
        number = operator.index(number)
    except TypeError:
        number = -1
    if not 0 <= number <= most:
        raise ValueError(f"{name} {shown(value)}: expected a whole number from 0 to {most}")
    return number


def _two(name, values, most):
    try:
        one, other = values
        return _number(name, one, most), _number(name, other, most)
    except (TypeError, ValueError):
        raise ValueError(f"{name} {shown(values)}: expected two from 0 to {most}") from None


_KINDS = {"decision": 0, "chance": 1, "terminal": 2}


def _has_default(game, method):
    """Whether a method is the one that every game has, or none."""
    found = getattr(game, method, None)
    return found is None or getattr(found, "__func__", None) is getattr(PythonGame, method)


class _Adapter:
    """The few calls that are made from Rust, which asks once of every state for its successors."""

    def __init__(self, game):
        self._game = game
        self._bounds_length = not _has_default(game, "full_depth")

    def described(self, states):
        """Of each state the kind and player, its value where it is the last, and the plies that can follow."""
        game, found, state = self._game, [], None
        try:
            for state in states:
                told, player = game.kind(state), game.player(state)
                kind = _KINDS.get(told) if isinstance(told, str) else None
                if kind is None:
                    raise ValueError(f"kind {shown(told)}: expected 'decision', 'chance' or 'terminal'{of_state(state)}")
                if type(player) is not int or player not in (0, 1):
                    player = _player(player, state)
                value = _finite("value", game.value(state), state) if kind == 2 else 0.0
                found.append((kind, player, value, self._full_depth(state) if self._bounds_length else None))
        except Exception as error:
            noted(error, state)
            raise
        return found

    def keys(self, states):
        """The keys of states."""
        key, found, state = self._game.key, [], None
        try:
            for state in states:
                found.append(key(state))
        except Exception as error:
            noted(error, state)
            raise
        return found

    def successors(self, state, is_chance):
        """The steps from a state, their weights, None where these are all 1, and the states after them."""
        try:
            steps, weights, states = self._chances(state) if is_chance else self._choices(state)
        except Exception as error:
            noted(error, state)
            raise
        # As tuples of plain parts they are none of the garbage collector's business.
        return tuple(steps), weights, states

    def rewards(self, state, steps, states):
        """What the steps from a state pay."""
        reward = self._game.reward
        try:
            return [reward(state, step, after) for step, after in zip(steps, states)]
        except Exception as error:
            noted(error, state)
            raise

    @staticmethod
    def finite(name, values, states):
        """Finite numbers, each of its state."""
        return [_finite(name, value, state) for value, state in zip(values, states)]

    def _full_depth(self, state):
        """The plies that can follow; None where the game does not say."""
        depth = self._game.full_depth(state)
        if depth is None:
            return None
        try:
            number = operator.index(depth)
        except TypeError:
            number = -1
        if not 0 <= number < 2**32:
            expected = "expected a whole number from 0 on, or None"
            raise ValueError(f"full_depth {shown(depth)}: {expected}{of_state(state)}")
        return number

    def _chances(self, state):
        """The outcomes of a state, their weights, and the states after them."""
        given, expected = self._game.outcomes(state), "pairs of an outcome and its weight"
        if isinstance(given, dict):
            raise TypeError(f"outcomes {shown(given)}: expected {expected}, as items() gives them{of_state(state)}")
        pairs = _list("outcomes", given, expected, state)
        try:
            steps, weights = [outcome for outcome, _ in pairs], [weight for _, weight in pairs]
        except (TypeError, ValueError):
            wrong = next(pair for pair in pairs if not _is_pair(pair))
            expected = "expected a pair of an outcome and its weight"
            raise TypeError(f"outcome {shown(wrong)}: {expected}{of_state(state)}") from None
        resolve = self._game.resolve
        return steps, whole(weights, state), [resolve(state, step) for step in steps]

    def _choices(self, state):
        """The moves of a state, no weights, and the states after them."""
        steps, play = _list("moves", self._game.moves(state), "a list of moves", state), self._game.play
        if not steps:
            raise ValueError(f"moves []: expected at least one, or the kind 'terminal'{of_state(state)}")
        return steps, None, [play(state, step) for step in steps]

    def evaluate(self, states):
        try:
            found = _list("evaluate", self._game.evaluate(states), "a list of numbers, one for each state", states[0])
            if len(found) != len(states):
                expected = f"evaluate: {len(found)} numbers, expected {len(states)}, one for each state"
                raise ValueError(f"{expected}{of_state(states[0])}")
            return found
        except Exception as error:
            noted(error, states[0], f", the first of a list of {len(states)}")
            raise

    def texts(self, state, steps):
        texts, seen = [], set()
        for place, step in enumerate(steps):
            try:
                text = str(self._game.text(state, step))
            except Exception as error:
                noted(error, state)
                raise
            # A text names one move.
            while text in seen:
                text = f"{text}#{place}"
            seen.add(text)
            texts.append(text)
        return texts


def _player(who, state):
    try:
        player = operator.index(who)
    except TypeError:
        player = -1
    if player not in (0, 1):
        raise ValueError(f"player {shown(who)}: expected 0 or 1{of_state(state)}")
    return player


def _is_pair(pair):
    try:
        _, _ = pair
    except (TypeError, ValueError):
        return False
    return True


def _list(name, found, expected, state):
    """What a method of the game gave, as a list. A text is none: it would be taken for its letters."""
    if isinstance(found, (list, tuple)):
        return list(found)
    try:
        items = None if isinstance(found, (str, bytes)) else iter(found)
    except TypeError:
        items = None
    if items is None:
        raise TypeError(f"{name} {shown(found)}: expected {expected}{of_state(state)}")
    return list(items)


def _finite(name, value, *states):
    """A finite number, that of a state if there is one."""
    try:
        number = math.nan if isinstance(value, (str, bytes)) else float(value)
    except (TypeError, ValueError):
        number = math.nan
    if math.isfinite(number):
        return number
    expected = "a finite number" if isinstance(value, numbers.Real) else "a number"
    error = ValueError if isinstance(value, numbers.Real) else TypeError
    raise error(f"{name} {shown(value)}: expected {expected}{''.join(map(of_state, states))}")
