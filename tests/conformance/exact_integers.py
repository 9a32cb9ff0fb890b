"""The operators on integers and booleans, in exact arithmetic.

A fold takes the elements of one result, as Python's integers, and the smallest
and largest value of the type. Sums and products wrap modulo 2^bits; means,
roots and logarithms never do: they are truncated toward zero and clamped.
"""

import math


def _wrap(x, low, high):
    return low + (x - low) % (high - low + 1)


def _clamp(x, low, high):
    return min(max(x, low), high)


def reduce_sum(row, low, high):
    return _wrap(sum(row), low, high)


def reduce_l1(row, low, high):
    return _wrap(sum(map(abs, row)), low, high)


def reduce_sum_square(row, low, high):
    return _wrap(sum(x * x for x in row), low, high)


def reduce_prod(row, low, high):
    return _wrap(math.prod(row), low, high)


def reduce_mean(row, low, high):
    if not row:
        return 0
    total = sum(row)
    quotient = abs(total) // len(row)
    return quotient if total >= 0 else -quotient


def reduce_l2(row, low, high):
    return _clamp(math.isqrt(sum(x * x for x in row)), low, high)


def reduce_log_sum(row, low, high):
    total = sum(row)
    return math.trunc(math.log(total)) if total > 0 else low


def reduce_log_sum_exp(row, low, high):
    if not row:
        return low
    # The largest stays an integer; the logarithm to add is not negative.
    largest = max(row)
    log = math.log(math.fsum(math.exp(x - largest) for x in row))
    result = largest + math.floor(log)
    if result < 0 and not log.is_integer():
        result += 1
    return _clamp(result, low, high)


def reduce_max(row, low, high):
    return max(row, default=low)


def reduce_min(row, low, high):
    return min(row, default=high)
