"""Whether an answer is right: in exact arithmetic, and rounded once."""

import math
from fractions import Fraction

import ml_dtypes
import numpy as np

import exact_floats
import exact_integers

_INTEGERS = {
    "ReduceSum": exact_integers.reduce_sum,
    "ReduceL1": exact_integers.reduce_l1,
    "ReduceSumSquare": exact_integers.reduce_sum_square,
    "ReduceProd": exact_integers.reduce_prod,
    "ReduceMean": exact_integers.reduce_mean,
    "ReduceL2": exact_integers.reduce_l2,
    "ReduceLogSum": exact_integers.reduce_log_sum,
    "ReduceLogSumExp": exact_integers.reduce_log_sum_exp,
    "ReduceMax": exact_integers.reduce_max,
    "ReduceMin": exact_integers.reduce_min,
    "ReduceLogicalAnd": exact_integers.reduce_min,
    "ReduceLogicalOr": exact_integers.reduce_max,
}

_FLOATS = {
    "ReduceSum": exact_floats.reduce_sum,
    "ReduceL1": exact_floats.reduce_l1,
    "ReduceSumSquare": exact_floats.reduce_sum_square,
    "ReduceProd": exact_floats.reduce_prod,
    "ReduceMean": exact_floats.reduce_mean,
    "ReduceL2": exact_floats.reduce_l2,
    "ReduceLogSum": exact_floats.reduce_log_sum,
    "ReduceLogSumExp": exact_floats.reduce_log_sum_exp,
}


def is_right(question, row, got):
    """Whether `got`, a Python number, is the answer for the elements of `row`."""
    operator = question.operator
    if operator in ("ArgMax", "ArgMin"):
        return got == _position(row, operator, question.select_last)
    if not question.is_float:
        info = _limits(question.dtype)
        return got == _INTEGERS[operator](row, *info)
    if operator in ("ReduceMax", "ReduceMin"):
        return _same(got, _extreme(row, operator))
    low, high = _FLOATS[operator](row, _unit(question.dtype, len(row)))
    return _is_between(got, low, high, question.dtype)


def round_to(x, dtype):
    """A Fraction, rounded to a floating-point type, to even when halfway."""
    if not x:
        return 0.0
    info = ml_dtypes.finfo(dtype)
    exponent = x.numerator.bit_length() - x.denominator.bit_length()
    if abs(x) < Fraction(2) ** exponent:
        exponent -= 1
    step = Fraction(2) ** (max(exponent, int(info.minexp)) - info.nmant)
    rounded = round(x / step) * step
    if abs(rounded) > Fraction(float(info.max)):
        return math.inf if x > 0 else -math.inf
    return float(rounded)


def _limits(dtype):
    if dtype == "bool":
        return False, True
    info = np.iinfo(dtype)
    return int(info.min), int(info.max)


def _unit(dtype, count):
    """What the server's additions may be off by, relative to the sum of the
    absolute values: other types than float64 are added in it.
    """
    if dtype != "float64":
        return Fraction(1, 2**48)
    # One for each addition and for what is done before or after; of many
    # elements chains of at most 128 additions, joined by a tree.
    longest = 127 + math.ceil(math.log2(max(count, 1)))
    return min(count + 1, longest) * exact_floats.U


def _is_between(got, low, high, dtype):
    if isinstance(low, Fraction):
        low = round_to(low, dtype)
    if isinstance(high, Fraction):
        high = round_to(high, dtype)
    if math.isnan(got):
        return math.isnan(low)
    # A NaN below sets no limit; there are none above, except as the answer.
    return (math.isnan(low) and not math.isnan(high) or got >= low) and got <= high


def _extreme(row, operator):
    """The largest or smallest; +0 is larger than -0, and any NaN wins."""
    if any(map(math.isnan, row)):
        return math.nan

    def key(x):
        return x, math.copysign(1, x)

    if operator == "ReduceMax":
        return max(row, key=key, default=-math.inf)
    return min(row, key=key, default=math.inf)


def _position(row, operator, select_last):
    """Where the largest or smallest stands; a NaN beats every value."""
    nans = [i for i, x in enumerate(row) if x != x]
    best = (max if operator == "ArgMax" else min)(row)
    positions = nans or [i for i, x in enumerate(row) if x == best]
    return positions[-1 if select_last else 0]


def _same(x, y):
    if math.isnan(x) or math.isnan(y):
        return math.isnan(x) and math.isnan(y)
    return (x, math.copysign(1, x)) == (y, math.copysign(1, y))
