"""The operators on floats, in exact arithmetic.

A fold takes the elements of one result, as Python's floats, and `unit`: the
error that the server may make, relative to the sum of the absolute values of
what it adds. It answers the lowest and the highest number that may then be
rounded, once, to the type of the result: Fractions, or floats where these are
infinite or NaN.
"""

import decimal
import math
from fractions import Fraction

# Roots, logarithms and exponentials, correctly rounded to so many digits.
decimal.getcontext().prec = 50

# Half a unit in the last place of float64.
U = Fraction(1, 2**53)

# What an exponential may be off by, relative to itself.
_EXPONENTIAL_ERROR = 4 * U


def _decimal(x):
    return decimal.Decimal(x.numerator) / decimal.Decimal(x.denominator)


def _log(x):
    return Fraction(_decimal(x).ln()) if x else -math.inf


def _sum(steps, unit):
    """The interval around a sum of floats or Fractions."""
    specials = [
        x for x in steps if isinstance(x, float) and not math.isfinite(x)
    ]
    if specials:
        return sum(specials), sum(specials)
    steps = [Fraction(x) for x in steps]
    total = Fraction(sum(steps))
    largest = sum(map(abs, steps))
    # Multiples of one power of two that add up to less than 2^53 of it are added
    # without an error in any order.
    multiples = largest * max((x.denominator for x in steps), default=1)
    error = 0 if multiples < 2**53 else unit * largest
    return total - error, total + error


def _squares(row):
    return [Fraction(x) ** 2 if math.isfinite(x) else abs(x) for x in row]


def reduce_sum(row, unit):
    return _sum(row, unit)


def reduce_l1(row, unit):
    return _sum([abs(x) for x in row], unit)


def reduce_sum_square(row, unit):
    return _sum(_squares(row), unit)


def reduce_mean(row, unit):
    if not row:
        return math.nan, math.nan
    low, high = _sum(row, unit)
    return low / len(row), high / len(row)


def reduce_l2(row, unit):
    low, high = _sum(_squares(row), unit)
    if not isinstance(low, Fraction):
        return low, high
    return Fraction(_decimal(low).sqrt()), Fraction(_decimal(high).sqrt())


def reduce_prod(row, unit):
    if not all(map(math.isfinite, row)):
        special = math.prod(row)
        return special, special
    factors = [Fraction(x) for x in row]
    product = Fraction(math.prod(factors))
    # Denominators are powers of two, which round nothing.
    digits = math.prod(abs(x.numerator) for x in factors)
    error = 0 if digits < 2**53 else abs(product) * len(row) * U
    return product - error, product + error


def reduce_log_sum(row, unit):
    low, high = _sum(row, unit)
    if not isinstance(low, Fraction):
        special = math.inf if low == math.inf else math.nan
        return special, special
    if high < 0:
        return math.nan, math.nan
    # A sum that may be negative may have no logarithm; then anything goes that
    # is not too large.
    low = _log(low) if low >= 0 else math.nan
    return _widened(low, _log(high))


def reduce_log_sum_exp(row, unit):
    if any(map(math.isnan, row)):
        return math.nan, math.nan
    largest = max(row, default=-math.inf)
    if math.isinf(largest):
        return largest, largest
    largest = Fraction(largest)
    below = [_decimal(Fraction(x) - largest) for x in row if x > -math.inf]
    # What is left out is below the digits that count.
    total = sum(x.exp() for x in below if x > -200)
    if total == 1:
        return largest, largest
    result = largest + Fraction(total.ln())
    error = unit + _EXPONENTIAL_ERROR
    return _widened(result - error, result + error)


def _widened(low, high):
    """An interval of logarithms, with room for the logarithm's own error."""
    return low - _log_error(low), high + _log_error(high)


def _log_error(x):
    return 2 * U * max(1, abs(x)) if isinstance(x, Fraction) else 0
