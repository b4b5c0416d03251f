"""Games that are written in Python."""

import math
import operator
from fractions import Fraction
from math import lcm

from ._native import Game

#: The most that the weights of one chance node may sum to.
GREATEST_SUM = 2**32 - 1


class PythonGame:
    """A game: a class to derive from. States and moves are whatever you like, and never change.

    Values are those of player 0, who wants much of them; player 1 wants little.

    A coin is tossed twice, and player 0 may stop after the first toss:

    >>> class Coin(PythonGame):
    ...     low, high = 0, 2
    ...     def kind(self, state): return "terminal" if len(state) == 3 else "chance" if len(state) % 2 else "decision"
    ...     def player(self, state): return 0
    ...     def moves(self, state): return ["toss", "stop"]
    ...     def play(self, state, move): return state + (move,) if move == "toss" else state + ("stop", 0, 0)[:3 - len(state)]
    ...     def outcomes(self, state): return [(0, 1), (1, 1)]
    ...     def resolve(self, state, outcome): return state + (outcome,)
    ...     def value(self, state): return sum(step for step in state if step in (0, 1))
    ...     def evaluate(self, states): return [self.value(state) for state in states]
    >>> coin = python_game(Coin())
    >>> from starsplit import search
    >>> round(search(coin.state(()), depth=3).value, 6)
    0.5

    Values lie on a grid of 2**24 steps, so that they are the same to the last bit on any number of threads.
    """

    #: The least value of the game.
    low = -1.0
    #: The greatest value of the game.
    high = 1.0
    #: Whether values, evaluations and rewards beyond `low` and `high` are meant as these ends, also what a reward makes of
    #: the value that follows it. Without this a search that meets one ends with an error that names it.
    saturates = False
    #: By how many plies iterations deepen.
    depth_step = 1
    #: How many plies a move takes, and how many an outcome; not both 0.
    plies = (1, 1)
    #: What a call of `evaluate` costs and what each state of it, in nanoseconds: a hint that nothing but time depends on.
    costs = (1_000, 1_000)
    #: What a successor costs, with its share of `moves` or `outcomes`, in nanoseconds: such a hint, too. Each state is
    #: asked for its successors once.
    successor_cost = 3_000
    #: For messages.
    name = None

    def kind(self, state):
        """"decision", "chance" or "terminal"."""
        raise NotImplementedError

    def player(self, state):
        """Who moves, 0 or 1; at chance nodes and at the end either will do."""
        return 0

    def moves(self, state):
        """The moves of a decision node, at least one."""
        raise NotImplementedError

    def play(self, state, move):
        """The state after a move."""
        raise NotImplementedError

    def outcomes(self, state):
        """The outcomes of a chance node with their weights: pairs, weights whole numbers or fractions, the likeliest first."""
        return []

    def resolve(self, state, outcome):
        """The state after an outcome."""
        raise NotImplementedError

    def value(self, state):
        """The value of a terminal state for player 0."""
        raise NotImplementedError

    def evaluate(self, states):
        """The estimated values of many states for player 0, one for each, whatever the others are."""
        return [0.0] * len(states)

    def full_depth(self, state):
        """How many plies can follow at the most, 0 at the end; None where nobody knows. `depth="full"` needs it."""
        return None

    def key(self, state):
        """What tells states apart: two of one key are taken for the same. Text, bytes or anything whose `repr` tells all."""
        return state

    def text(self, state, move):
        """A move or an outcome as a person writes it."""
        return str(move)

    #: What a step pays player 0 at once: a function of the state, the move or outcome, and the state after it. None
    #: where nothing does.
    reward = None


def python_game(game):
    """The game that an object's methods are, to be searched: `python_game(Coin()).state(start)`."""
    for method in ("kind", "moves", "play", "value", "evaluate", "key"):
        if not callable(getattr(game, method, None)):
            raise TypeError(f"game {game!r:.80}: expected a method {method}, as PythonGame has it")
    if len(tuple(game.plies)) != 2 or not all(0 <= plies <= 255 for plies in game.plies) or not any(game.plies):
        raise ValueError(f"plies {game.plies!r:.80}: expected two from 0 to 255, not both 0")
    name = game.name or type(game).__name__
    traits = {
        "depth_step": game.depth_step,
        "plies": tuple(game.plies),
        "has_rewards": game.reward is not None,
        "costs": tuple(game.costs),
        "successor_ns": int(getattr(game, "successor_cost", PythonGame.successor_cost)),
        "saturates": bool(getattr(game, "saturates", False)),
    }
    return Game._of(_Adapter(game), name, (float(game.low), float(game.high)), traits)


_KINDS = {"decision": 0, "chance": 1, "terminal": 2}

class _Adapter:
    """The few calls that are made from Rust, which asks once of every state what it is, and once for its successors."""

    def __init__(self, game):
        self._game = game

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
        if getattr(type(self._game), "full_depth", PythonGame.full_depth) is PythonGame.full_depth:
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
        """The steps from a state with their weights, the states after them, and what they pay."""
        game = self._game
        if is_chance:
            outcomes = list(game.outcomes(state))
            steps, weights = [outcome for outcome, _ in outcomes], _whole([weight for _, weight in outcomes])
            states = [game.resolve(state, outcome) for outcome in steps]
        else:
            steps = list(game.moves(state))
            weights, states = [1] * len(steps), [game.play(state, move) for move in steps]
        rewards = None
        if game.reward is not None:
            reward = game.reward
            rewards = [reward(state, step, after) for step, after in zip(steps, states)]
        return steps, weights, states, rewards

    def keys(self, states):
        """The keys of states."""
        game = self._game
        return states if getattr(type(game), "key", None) is PythonGame.key else [game.key(state) for state in states]

    def told(self, key):
        """The text of a key, or of a part of it, whose type is none that every key may have."""
        return _told(key)

    def evaluate(self, states):
        values = [_finite("evaluate", value) for value in self._game.evaluate(states)]
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


def _finite(name, value):
    value = float(value)
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
