"""Weights of outcomes as the whole numbers that a search computes with."""

import math
from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction
from numbers import Rational, Real
from typing import Any

from .telling import of_state, shown

#: The most that the weights of one chance node may sum to, when they are whole and have no common factor.
GREATEST_SUM = 2**32 - 1

#: The greatest denominator of a fraction that a floating-point number is taken for.
GREATEST_DENOMINATOR = 10_000

#: How far the number may be from that fraction, as a part of it.
NEAR = 1e-12


def near_fraction(number: float) -> Fraction | None:
    """The fraction of a denominator of at most 10,000 that a number is, but for an error of 10**-12 of itself; None where
    there is none."""
    fraction = Fraction(number).limit_denominator(GREATEST_DENOMINATOR)
    return fraction if abs(float(fraction) - number) <= NEAR * abs(number) else None


def whole(weights: Sequence[Any], state: Any) -> Sequence[int]:
    """Weights of a state's outcomes as whole numbers in the same proportions."""
    numbers = weights
    if set(map(type, weights)) != {int}:
        fractions = [_fraction(weight, state) for weight in weights]
        common = math.lcm(*(fraction.denominator for fraction in fractions))
        numbers = [int(fraction * common) for fraction in fractions]
    if not numbers or min(numbers) <= 0:
        raise ValueError(f"weights {shown(weights)}: expected at least one, each more than 0{of_state(state)}")
    if sum(numbers) > GREATEST_SUM:
        factor = math.gcd(*numbers)
        numbers = [number // factor for number in numbers]
        if sum(numbers) > GREATEST_SUM:
            expected = "expected whole numbers that sum to less than 2**32, Fractions that make such, or floats near fractions"
            raise ValueError(f"weights {shown(weights)}: {expected} of at most {GREATEST_DENOMINATOR} parts{of_state(state)}")
    return numbers


def _fraction(weight, state):
    """A weight as a fraction: exactly, but for a floating-point number near a small one."""
    try:
        if isinstance(weight, Rational):  # Whole numbers, NumPy's among them.
            return Fraction(int(weight.numerator), int(weight.denominator))
        if isinstance(weight, Decimal):
            return Fraction(weight)
        if isinstance(weight, Real):
            return near_fraction(float(weight)) or Fraction(float(weight))
    except (ValueError, OverflowError):  # Infinite ones, and what is no number.
        pass
    raise ValueError(f"weight {shown(weight)}: expected a finite number, whole or a Fraction{of_state(state)}")
