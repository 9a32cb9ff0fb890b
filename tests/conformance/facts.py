"""What a question's elements are like, as far as oracles stumble over it."""

import numpy as np

import tolerances


def always(question):
    return True


def has_nan(question):
    return bool(np.isnan(question.rows.astype(np.float64)).any())


def has_infinity(question):
    return bool(np.isinf(question.rows.astype(np.float64)).any())


def has_nan_and_infinity(question):
    return has_nan(question) and has_infinity(question)


def has_subnormal(question):
    magnitudes = np.abs(question.rows.astype(np.float64))
    # Of the types with 8 bits of exponent.
    return bool(((magnitudes > 0) & (magnitudes < 2.0**-126)).any())


def is_scalar(question):
    return question.data.ndim == 0


def folds_nothing(question):
    return question.rows.shape[1] == 0


def counts_axes_of_nothing_from_the_back(question):
    return question.data.size == 0 and min(question.axes, default=0) < 0


def has_many_axes(question):
    return question.data.ndim > 5


def folds_nothing_of_many_axes(question):
    return folds_nothing(question) and has_many_axes(question)


def largest_integer(question):
    """A bound of every partial result of integers."""
    if question.operator == "ReduceProd":
        above, _ = _bits_of_products(question)
        with np.errstate(over="ignore"):
            return np.exp2(above)
    return np.sum(tolerances.steps_of(question), axis=1).max(initial=0)


def exceeds(bits):
    """Whether some partial result needs more bits, or more than its type has."""

    def when(question):
        own_bits = np.iinfo(question.dtype).max.bit_length()
        return largest_integer(question) >= 2 ** min(bits, own_bits)

    return when


def leaves_the_range(question):
    """Whether an intermediate overflows or loses digits where it is computed:
    in float32, or float64 for that.
    """
    info = np.finfo(np.float64 if question.dtype == "float64" else np.float32)
    if question.operator == "ReduceProd":
        above, below = _bits_of_products(question)
        return above >= info.maxexp or below <= info.minexp
    steps = tolerances.steps_of(question)
    is_lost = (steps > 0) & (steps < info.tiny)
    return bool(is_lost.any() or (np.sum(steps, axis=1) > info.max).any())


def has_single_large_elements(question):
    """Whether each result is of one element, and e to one of them overflows or
    vanishes in a float64.
    """
    return question.rows.shape[1] == 1 and bool(
        (np.abs(question.rows.astype(np.float64)) > 700).any()
    )


def _bits_of_products(question):
    """Bounds of the binary exponents of products of any of the elements."""
    with np.errstate(divide="ignore"):
        bits = np.log2(np.abs(question.rows.astype(np.float64)))
    bits = np.where(np.isfinite(bits), bits, 0)
    above = np.sum(np.maximum(bits, 0), axis=1).max(initial=0)
    below = np.sum(np.minimum(bits, 0), axis=1).min(initial=0)
    return above, below
