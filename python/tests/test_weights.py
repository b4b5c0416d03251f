"""Weights of outcomes."""

from decimal import Decimal
from fractions import Fraction

import numpy
import pytest

import starsplit
from starsplit import PythonGame, python_game
from starsplit.weights import NEAR, near_fraction, whole


class Roll(PythonGame):
    """One roll; its place is the value."""

    low, high = 0, 10

    def __init__(self, weights):
        self.weights = weights

    def kind(self, state):
        return "terminal" if state else "chance"

    def outcomes(self, state):
        return enumerate(self.weights)

    def resolve(self, state, outcome):
        return (outcome,)

    def value(self, state):
        return state[0]


def value(weights):
    return starsplit.search(python_game(Roll(weights)).state(()), depth=1, table_mib=1).value


@pytest.mark.parametrize(
    ("weights", "meant"),
    [
        ([4, 2, 2], [2, 1, 1]),
        ([2**31] * 3, [1, 1, 1]),
        ([2**40, 2**41], [1, 2]),
        ([10**30], [1]),
        ([1 / 6] * 6, [1] * 6),
        ([1 / 3, 2 / 3], [1, 2]),
        ([0.1, 0.2, 0.7], [1, 2, 7]),
        ([0.375, 0.25, 0.25, 0.0625, 0.0625], [6, 4, 4, 1, 1]),
        ([33.3, 66.7], [333, 667]),
        ([1 / 7, 0.375, 1], [8, 21, 56]),
        ([2.0**-20, 1 - 2.0**-20], [1, 2**20 - 1]),
        (list(numpy.ones(6) / 6), [1] * 6),
        (list(numpy.ones(10, dtype=numpy.float32) / 10), [1] * 10),
        ([numpy.int64(2), numpy.uint8(1), 1.0, True], [2, 1, 1, 1]),
        ([Fraction(1, 3), Decimal("0.5"), 1 / 6], [2, 3, 1]),
        ([3 * (0.1 + 0.2), 0.1], [9, 1]),
    ],
)
def test_weights_in_one_proportion_are_one(weights, meant):
    found = whole(weights, ())
    assert [Fraction(weight, sum(found)) for weight in found] == [Fraction(weight, sum(meant)) for weight in meant]
    assert value(weights) == value(meant)
    assert value(meant) == pytest.approx(sum(place * weight for place, weight in enumerate(meant)) / sum(meant), abs=1e-6)


def test_a_float_is_taken_for_a_fraction_only_where_it_is_near():
    for denominator in (1, 2, 3, 7, 36, 216, 6**5, 9_973, 10_000):
        for numerator in {1, 2, denominator // 2 or 1, denominator - 1 or 1, 5 * denominator + 1}:
            number = numerator / denominator
            assert near_fraction(number) == Fraction(numerator, denominator)
            for off in (2 * NEAR, 1e-9):
                assert near_fraction(number * (1 + off)) is None
            assert near_fraction(number * (1 + NEAR / 2)) == Fraction(numerator, denominator)
    assert near_fraction(1 / 10_007) is None


@pytest.mark.parametrize(
    ("weights", "text"),
    [
        ([float("nan"), 1], "weight nan: expected a finite number"),
        ([numpy.float64("nan")], r"weight np.float64\(nan\): expected a finite number"),
        ([1, float("inf")], "weight inf: expected a finite number"),
        ([Decimal("NaN"), 1], r"weight Decimal\('NaN'\): expected a finite number"),
        (["9", 1], "weight '9': expected a finite number, whole or a Fraction"),
        ([None], "weight None: expected a finite number"),
        ([1j], "weight 1j: expected a finite number"),
        ([[1]], r"weight \[1\]: expected a finite number"),
        ([1, 0], r"weights \[1, 0\]: expected at least one, each more than 0"),
        ([1, -1.5], r"weights \[1, -1.5\]: expected at least one, each more than 0"),
        ([], r"weights \[\]: expected at least one, each more than 0"),
        ([2**32, 1], r"weights \[4294967296, 1\]: expected whole numbers that sum to less than 2\*\*32, Fractions"),
        ([0.123456789, 1], r"weights \[0.123456789, 1\]: expected whole numbers .* or floats near fractions of at most 10000"),
        ([1e-5, 1 - 1e-5], r"weights \[1e-05, 0.99999\]: expected whole numbers .* Fractions"),
    ],
)
def test_what_is_no_weight_is_named_with_its_state_and_the_remedy(weights, text):
    with pytest.raises(ValueError, match=rf"^{text}.* \(state \(\)\)$") as raised:
        value(weights)
    assert "\n" not in str(raised.value)
