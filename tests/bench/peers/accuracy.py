"""How far an answer is from exact arithmetic."""

import ml_dtypes
import numpy as np

_SAMPLED = 16


def error_of(case, result):
    """The largest relative error among a few outputs, and 1 for a wrong integer
    or position where only one is right; None for products that leave the type.
    """
    kept = [d for d in range(len(case.shape)) if d not in case.axes]
    columns = case.data.transpose([*kept, *case.axes])
    kept_shape = [case.shape[d] for d in kept]
    outputs = int(np.prod(kept_shape, dtype=np.int64))
    errors = []
    for at in np.unique(np.linspace(0, outputs - 1, _SAMPLED).astype(np.int64)):
        index = np.unravel_index(at, kept_shape) if kept_shape else ()
        elements = columns[index].reshape(-1)
        error_here = _error_of_integer if elements.dtype.kind in "biu" else _error
        errors.append(error_here(case.operator, elements, result[at]))
    # Not max(), which may pass over a NaN.
    return None if None in errors else float(np.max(errors))


_WRAPS = {
    "ReduceSum": lambda x: x.sum(dtype=x.dtype),
    "ReduceL1": lambda x: np.abs(x).sum(dtype=x.dtype),
    "ReduceSumSquare": lambda x: (x * x).sum(dtype=x.dtype),
    "ReduceProd": lambda x: x.prod(dtype=x.dtype),
    "ReduceMax": np.max,
    "ReduceMin": np.min,
    "ReduceLogicalAnd": np.all,
    "ReduceLogicalOr": np.any,
    "ArgMax": np.argmax,
    "ArgMin": np.argmin,
}


def _error_of_integer(operator, elements, got):
    if operator in _WRAPS:
        return float(got != _WRAPS[operator](elements))
    # The others never wrap: 80-bit floats have the digits of any integer.
    limits = np.iinfo(elements.dtype)
    want = _exact(operator, elements)
    # The logarithm of a negative sum is the least there is, as that of 0.
    want = -np.inf if np.isnan(want) else want
    want = np.trunc(np.clip(want, limits.min, limits.max))
    return float(abs(np.longdouble(got) - want) / max(1, abs(want)))


def _error(operator, elements, got):
    if operator in ("ArgMax", "ArgMin"):
        want = elements.argmax() if operator == "ArgMax" else elements.argmin()
        return float(got != want)
    if operator in ("ReduceMax", "ReduceMin"):
        want = elements.max() if operator == "ReduceMax" else elements.min()
        return float(not _are_same(got, want))
    want = _exact(operator, elements)
    limits = ml_dtypes.finfo(elements.dtype)
    if operator == "ReduceProd" and not limits.tiny <= abs(want) <= limits.max:
        return None
    if np.isnan(want) or abs(want) > limits.max:
        return float(not _are_same(got, np.sign(want) * np.inf))
    # Of what cannot cancel, so small that few digits are left.
    is_positive = operator in ("ReduceL1", "ReduceL2", "ReduceSumSquare")
    if is_positive and want < limits.tiny:
        return float(abs(np.longdouble(got) - want) > limits.smallest_subnormal)
    if got == want:
        return 0.0
    # Sums of both signs cancel: their error counts against the absolute sum.
    scale = abs(want)
    if operator in ("ReduceSum", "ReduceMean"):
        scale = _exact("ReduceL1", elements)
        scale /= len(elements) if operator == "ReduceMean" else 1
    return float(abs(np.longdouble(got) - want) / scale)


def _are_same(got, want):
    return got == want or (np.isnan(got) and np.isnan(want))


def _exact(operator, elements):
    """In 80-bit floats, block by block, as they take four times the memory."""
    blocks = np.array_split(elements, max(1, elements.size >> 20))
    lift = {"ReduceL1": np.abs, "ReduceL2": np.square, "ReduceSumSquare": np.square}
    if operator == "ReduceProd":
        return np.prod(elements.astype(np.longdouble))
    if operator == "ReduceLogSumExp":
        largest = np.longdouble(elements.max())
        if not np.isfinite(largest):
            return largest
        exps = sum(np.exp(b.astype(np.longdouble) - largest).sum() for b in blocks)
        return largest + np.log(exps)
    lifted = lift.get(operator, lambda x: x)
    total = sum(lifted(b.astype(np.longdouble)).sum() for b in blocks)
    with np.errstate(all="ignore"):
        return {
            "ReduceL2": np.sqrt,
            "ReduceLogSum": np.log,
            "ReduceMean": lambda x: x / elements.size,
        }.get(operator, lambda x: x)(total)
