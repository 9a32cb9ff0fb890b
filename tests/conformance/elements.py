"""Random elements of every type, by what they look like.

"few": small whole numbers, with ties. "calm": magnitudes near 1, so that no
product of them leaves float64's normal range. "edges": calm ones among zeros,
infinities and NaN. "wide": every magnitude that the type has.
"""

import math

import ml_dtypes
import numpy as np

import tensors

# In float64, which has no wider type, these may overflow on the way to a
# result that does not; products of wide elements do in any type.
_SUMS = ("ReduceSum", "ReduceL1", "ReduceSumSquare", "ReduceLogSum")


def kinds_of(dtype):
    if dtype == "bool":
        return ("few",)
    if dtype in tensors.FLOATS:
        return ("few", "calm", "edges", "wide")
    return ("few", "wide")


def suits(kind, operator, dtype):
    """Whether an operator's result is defined for such elements whatever the
    order in which they fold.
    """
    if kind != "wide" or dtype not in tensors.FLOATS:
        return True
    return operator != "ReduceProd" and (
        dtype != "float64" or operator not in _SUMS
    )


def random_array(rng, dtype, shape, kind):
    count = math.prod(shape)
    if dtype == "bool":
        values = rng.random(count) < 0.7
    elif dtype in tensors.FLOATS:
        values = _FLOATS[kind](rng, dtype, count)
    else:
        values = _integers(rng, dtype, count, kind)
    # Beyond float16's largest number lies infinity.
    with np.errstate(over="ignore"):
        return values.astype(dtype).reshape(shape)


def wire_tensor(rng, array):
    """The tensor of an array. Any byte but 0 is a true one."""
    tensor = tensors.to_tensor(array)
    if array.dtype == bool:
        true_bytes = rng.integers(1, 256, array.size, np.uint8)
        tensor.data = (array.ravel() * true_bytes).tobytes()
    return tensor


def _integers(rng, dtype, count, kind):
    info = np.iinfo(dtype)
    if kind == "few":
        return rng.integers(max(info.min, -5), 6, count)
    values = rng.integers(info.min, info.max, count, dtype, endpoint=True)
    return _mixed(rng, values, [0, 1, info.min, info.max])


def _few(rng, dtype, count):
    return rng.integers(-3, 4, count).astype(np.float64)


def _calm(rng, dtype, count):
    return _signs(rng, count) * rng.uniform(0.5, 2.0, count)


def _edges(rng, dtype, count):
    edges = [0.0, -0.0, math.inf, -math.inf, math.nan]
    # Not always all of them, or a NaN would hide the rest.
    chosen = rng.permutation(edges)[: rng.integers(1, 4)]
    return _mixed(rng, _calm(rng, dtype, count), chosen)


def _wide(rng, dtype, count):
    info = ml_dtypes.finfo(dtype)
    lowest = info.minexp - info.nmant
    exponents = rng.integers(lowest, info.maxexp, count)
    return _signs(rng, count) * np.ldexp(rng.uniform(1, 1.99, count), exponents)


_FLOATS = {"few": _few, "calm": _calm, "edges": _edges, "wide": _wide}


def _signs(rng, count):
    return np.where(rng.random(count) < 0.4, -1.0, 1.0)


def _mixed(rng, values, others):
    """The values, one in eight replaced."""
    replaced = rng.random(len(values)) < 0.125
    values[replaced] = rng.choice(
        np.array(others, values.dtype), np.count_nonzero(replaced)
    )
    return values
