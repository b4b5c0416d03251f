"""What tells states of games in Python apart."""

import collections
import dataclasses
import decimal
import enum
import fractions
import functools
import itertools
import types

import numpy
import pytest

import starsplit
from starsplit import PythonGame, check_game, python_game
from starsplit._native import key_hash


class Board(tuple):
    """Text that leaves the roll out."""

    def __repr__(self):
        return f"Board({self[0]})"


class Pawn:
    """An object whose text is for people."""

    def __init__(self, parts):
        self.place, self.player, self.roll = parts

    def __getitem__(self, at):
        return (self.place, self.player, self.roll)[at]

    def __iter__(self):
        return iter((self.place, self.player, self.roll))

    def __repr__(self):
        return f"a pawn on {self.place}"


class Walk(PythonGame):
    """A pawn goes on by one place, or two, or stays where it is, and whoever has the turn is paid at the end.

    A state: place, who is to move, the roll or None. It ends from place 4 on.
    """

    low, high = -9, 9

    def kind(self, state):
        place, _, roll = state
        return "terminal" if place >= 4 else "chance" if roll is None else "decision"

    def player(self, state):
        return state[1]

    def moves(self, state):
        return ["go", "stay"] if state[0] else ["go"]

    def play(self, state, move):
        place, player, roll = state
        return type(state)((place + (1 + roll if move == "go" else 0), 1 - player, None))

    def outcomes(self, state):
        return [(0, 2), (1, 1)]

    def resolve(self, state, outcome):
        return type(state)((state[0], state[1], outcome))

    def value(self, state):
        return state[0] * (1 if state[1] == 0 else -1)

    def evaluate(self, states):
        return [(state[0] + (state[2] or 0)) * (1 if state[1] == 0 else -0.5) for state in states]


def expected(game, state, depth):
    kind = game.kind(state)
    if kind == "terminal":
        return game.value(state)
    if depth == 0:
        return game.evaluate([state])[0]
    if kind == "chance":
        return sum(weight * expected(game, game.resolve(state, roll), depth - 1) for roll, weight in game.outcomes(state)) / 3
    values = [expected(game, game.play(state, move), depth - 1) for move in game.moves(state)]
    return max(values) if game.player(state) == 0 else min(values)


START = (0, 0, None)


@pytest.mark.parametrize("depth", range(1, 9))
@pytest.mark.parametrize(
    ("start", "key"),
    [
        (START, None),
        (Board(START), None),  # by what it contains, not by its text
        (Pawn(START), None),
        (START, lambda self, state: None),  # as whoever forgets `return` writes it
        (START, lambda self, state: (state[0], state[2])),  # without the player
        (START, lambda self, state: (state[0], state[1], state[2] or 0)),  # without the kind, of a roll of 0
        (START, lambda self, state: list(state)),
    ],
)
def test_kind_and_player_are_in_every_key(start, key, depth):
    game = type("Game", (Walk,), {"key": key} if key else {})()
    result = starsplit.search(python_game(game).state(start), depth=depth, table_mib=1)
    assert result.value == pytest.approx(expected(game, start, depth), abs=1e-5)
    assert result.contradictions == 0


def test_ends_of_other_values_are_told_apart():
    class Ends(Walk):
        def key(self, state):
            return None if self.kind(state) != "terminal" else "the end"

    result = starsplit.search(python_game(Ends()).state(START), depth=8, table_mib=1)
    assert result.value == pytest.approx(expected(Ends(), START, 8), abs=1e-5)


class Last(PythonGame):
    """One decision between states that a key has to tell apart; the last is worth 1, the others 0."""

    low, high = 0, 1

    def __init__(self, states):
        self.states = states

    def kind(self, state):
        return "decision" if state == () else "chance"

    def moves(self, state):
        return range(len(self.states))

    def play(self, state, move):
        return [self.states[move]]

    def outcomes(self, state):
        return [("any", 1)]

    def resolve(self, state, outcome):
        return state

    def evaluate(self, states):
        return [float(state[0] is self.states[-1]) for state in states]


@dataclasses.dataclass
class Point:
    x: float
    hidden: int = dataclasses.field(default=0, repr=False)
    cache: dict = dataclasses.field(default_factory=dict, compare=False)

    def __repr__(self):
        return "a point"


class Longer(Point):
    def __init__(self, x, length):
        super().__init__(x)
        self.length = length


class Colour(enum.Enum):
    RED = 1
    BLUE = 2


class Named(dict):
    def __init__(self, name):
        super().__init__(a=1)
        self.name = name


class Slots(list):
    __slots__ = ("extra",)

    def __init__(self, extra):
        super().__init__([1])
        self.extra = extra


class Shown:
    """Its text has an array in it."""

    def __init__(self, *numbers):
        self.numbers = numpy.array(numbers)

    def __repr__(self):
        return f"Shown({self.numbers!r})"


Pair = collections.namedtuple("Pair", "left right")
NEAR = 0.1, 0.1 + 1e-10


def nearly(make):
    """Values of a number and of one that NumPy's texts round to the same."""
    return [make(number) for number in NEAR]


#: Values that are not the same, though their texts are, or are alike.
DIFFERENT = {
    "arrays": nearly(lambda x: numpy.array([0.1, x])),
    "arrays in tuples": nearly(lambda x: (1, (numpy.array([x]),))),
    "arrays in lists": nearly(lambda x: [1, [numpy.array([x])]]),
    "arrays in dictionaries": nearly(lambda x: {"a": {"b": numpy.array([x])}}),
    "arrays in data classes": nearly(lambda x: Point(numpy.array([x]))),
    "arrays in named tuples": nearly(lambda x: Pair(numpy.array([x]), 1)),
    "arrays in queues": nearly(lambda x: collections.deque([numpy.array([x])])),
    "arrays of objects": nearly(lambda x: numpy.array([x, None], dtype=object)),
    "arrays in a repr": nearly(lambda x: Shown(0.1, x)),
    "arrays in a namespace": nearly(lambda x: types.SimpleNamespace(a=numpy.array([x]))),
    "long arrays": [numpy.zeros(5000), numpy.eye(1, 5000, 2500)[0]],
    "long arrays in a repr": [Shown(*numpy.zeros(5000)), Shown(*numpy.eye(1, 5000, 2500)[0])],
    "types of arrays": [numpy.zeros(2, dtype) for dtype in ("int8", "int16", "float32", "float64", ">i2", "M8[s]", "M8[D]")],
    "shapes": [numpy.zeros(shape) for shape in (4, (2, 2), (4, 1), (1, 4))],
    "fields": [numpy.zeros(1, [(name, "i4")]) for name in "ab"],
    "numbers of NumPy": [numpy.float32(1), numpy.float64(1), 1.0, 1, numpy.int64(1), numpy.bool_(True), numpy.array(1.0)],
    "fields without a text": [Point(1.0, hidden) for hidden in (1, 2)],
    "attributes beside fields": [Longer(1.0, length) for length in (1, 2)],
    "attributes of a dictionary": [Named("a"), Named("b")],
    "slots": [Slots(1), Slots(2)],
    "members": [Colour.RED, Colour.BLUE, 1],
    "sets": [{1, 2}, {1, 3}, frozenset({1, 2}), {(1, 2)}, {1, "2"}, set(), {frozenset({1}), 2}],
    "containers": [[1, 2], (1, 2), {1: 2}, Pair(1, 2), collections.deque([1, 2]), bytearray([1, 2]), b"\x01\x02"],
    "texts": ["a", b"a", bytearray(b"a"), numpy.str_("a"), "a ", ["a"]],
    "large numbers": [2**70, 2**70 + 1, 10**5000, 10**5000 + 1],
    "nested": [functools.reduce(lambda inner, _: (0, inner), range(30_000), end) for end in ("a", "b")],
    "nested lists": [functools.reduce(lambda inner, _: [0, inner], range(30_000), end) for end in ("a", "b")],
}



class Shy:
    """Its text says nothing of the roll."""

    def __init__(self, roll):
        self.roll = roll

    def __repr__(self):
        return "Shy()"


#: Rolls beside a text that leaves them out, by kinds of values.
ROLLS = {
    "numbers": (1, 2),
    "fractions": (fractions.Fraction(1, 2), fractions.Fraction(1, 3)),
    "decimals": (decimal.Decimal("1.0"), decimal.Decimal("1.00")),
    "complex numbers": (1 + 2j, 2 + 1j),
    "numbers of NumPy": (numpy.int64(1), numpy.int64(2)),
    "truths of NumPy": (numpy.bool_(True), numpy.bool_(False)),
    "arrays": (numpy.array([3, 4]), numpy.array([4, 3])),
    "pairs": ((3, 4), (4, 4)),
    "lists": ([3, [4]], [3, [5]]),
    "sets": ({3, 4}, {3, 5}),
    "dictionaries": ({"die": 3}, {"die": 4}),
    "queues": (collections.deque([3]), collections.deque([4])),
    "members": (Colour.RED, Colour.BLUE),
    "bytes": (bytearray(b"a"), bytearray(b"b")),
}
DIFFERENT |= {f"{kind} beside a text": list(map(Shy, rolls)) for kind, rolls in ROLLS.items()}


@pytest.mark.parametrize("name", DIFFERENT)
def test_what_differs_has_another_key(name):
    values = DIFFERENT[name]
    assert len({key_hash(None, value) for value in values}) == len(values)
    assert len({key_hash(value, None) for value in values}) == len(values)
    for one, other in itertools.permutations(values[:2]):
        assert starsplit.search(python_game(Last([one, other])).state(()), depth=1).value == pytest.approx(1, abs=1e-6)


SAME = {
    "orders of sets": [set(order) for order in itertools.permutations((1, 9, 17, "a"))],
    "views": [numpy.arange(8)[::2], numpy.array([0, 2, 4, 6])],
    "orders in memory": [numpy.asfortranarray(numpy.eye(3, 2)), numpy.ascontiguousarray(numpy.eye(3, 2))],
    "what data classes do not compare": [Point(1.0, 2, {"a": 1}), Point(1.0, 2)],
    "nested": [functools.reduce(lambda inner, _: (0, inner), range(1_000), ()) for _ in range(2)],
}


def test_an_attribute_that_leads_to_others_is_left_to_the_text():
    one, other = Shy(1), Shy(1)
    one.before, other.before = Itself(), [Shy(2)]
    one.own, other.own = one, other
    assert key_hash(one, None) == key_hash(other, None)


@pytest.mark.parametrize("name", SAME)
def test_what_is_the_same_has_one_key(name):
    assert len({key_hash(value, None) for value in SAME[name]}) == 1


class Itself:
    """Without a text of its own."""


class Tensor:
    def __repr__(self):
        return "tensor([0.1000])"


class Frame:
    def __array__(self, dtype=None, copy=None):
        return numpy.zeros(1)

    def __repr__(self):
        return "..."


def cyclic():
    found = []
    found.append(found)
    return found


@pytest.mark.parametrize("make", [Itself, Tensor, Frame, cyclic, lambda: [1, {"a": Itself()}], lambda: {1, Itself()}])
def test_what_does_not_tell_all_is_refused_in_a_line(make):
    game = python_game(Last([make()]))
    with pytest.raises(TypeError, match=r"^key .*: expected .*; define key \(state .*\)$"):
        starsplit.search(game.state(()), depth=1)
    deep = functools.reduce(lambda inner, _: frozenset([inner]), range(100), 1)
    with pytest.raises(TypeError, match="sets in one another"):
        key_hash(deep, None)


def test_arrays_in_states_are_checked():
    class Rounded(Walk):
        def play(self, state, move):
            return super().play(state, move)

        def key(self, state):
            return str(numpy.array(state[0] * 1e-9 + 1, dtype=numpy.float64).round(8))

    class Arrays(Walk):
        """The place is an array in a tuple."""

        def play(self, state, move):
            return (numpy.array([int(state[0][0]) + (1 + state[2] if move == "go" else 0), 7]), 1 - state[1], None)

        def kind(self, state):
            return super().kind((int(state[0][0]), *state[1:]))

        def moves(self, state):
            return super().moves((int(state[0][0]), *state[1:]))

        def value(self, state):
            return super().value((int(state[0][0]), *state[1:]))

        def evaluate(self, states):
            return super().evaluate([(int(state[0][0]), *state[1:]) for state in states])

    start = (numpy.array([0, 7]), 0, None)
    assert check_game(Arrays(), start, plays=20) > 5
    with pytest.raises(ValueError, match="expected keys that differ"):
        check_game(Rounded(), START, plays=20)
