"""How far an oracle's answer may be from the server's: the oracle's own error,
as the server's is below one unit in the last place.
"""

import ml_dtypes
import numpy as np

# Wide enough that no square or sum of squares of any type leaves it.
_WIDE = np.longdouble

# What an operator adds up.
_STEPS = {
    "ReduceSum": np.abs,
    "ReduceL1": np.abs,
    "ReduceMean": np.abs,
    "ReduceLogSum": np.abs,
    "ReduceSumSquare": np.square,
    "ReduceL2": np.square,
}


def steps_of(question):
    """The absolute values of what is added up for each result, wide; of the
    elements themselves where an operator adds nothing up.
    """
    return _STEPS.get(question.operator, np.abs)(question.rows.astype(_WIDE))


def agree(question, answer, other):
    """Whether an oracle's answer says the same as the server's."""
    if (other.dtype, other.shape) != (answer.dtype, answer.shape):
        return False
    if not question.is_float or answer.dtype == np.int64:
        return bool(np.array_equal(other, answer))
    with np.errstate(all="ignore"):
        got = answer.ravel().astype(_WIDE)
        want = other.ravel().astype(_WIDE)
        # A bound beside an infinity is one, too, and would let anything pass.
        is_close = np.isfinite(want) & (np.abs(got - want) <= _bound(question, got))
        is_close &= np.isfinite(got)
        is_same = (got == want) | (np.isnan(got) & np.isnan(want))
    return bool(np.all(is_close | is_same))


def _bound(question, got):
    if question.operator in ("ReduceMax", "ReduceMin") or question.is_identity:
        return 0
    # ONNX Runtime and OpenVINO compute the 16-bit types in float32.
    is_narrow = question.dtype in ("float16", "bfloat16")
    eps = _WIDE(np.finfo("float32" if is_narrow else question.dtype).eps)
    bound = eps * _relative_to(question, np.abs(got))
    return bound + _unit_of(question.dtype, got) if is_narrow else bound


def _relative_to(question, got):
    """What the error is in proportion to, times its factor."""
    count = question.rows.shape[1]
    factor = 2 + count / 8
    total = np.sum(steps_of(question), axis=1)
    match question.operator:
        case "ReduceProd":
            return (2 + count / 2) * got
        case "ReduceMean":
            return factor * total / max(count, 1)
        case "ReduceL2":
            return factor * got
        case "ReduceLogSum":
            signed = np.sum(question.rows.astype(_WIDE), axis=1)
            return factor * np.maximum(got, total / np.abs(signed))
        case "ReduceLogSumExp":
            return factor * np.maximum(1, got)
    return factor * total


def _unit_of(dtype, x):
    """The distance of a 16-bit type's neighbouring numbers around x."""
    info = ml_dtypes.finfo(dtype)
    _, exponents = np.frexp(x)
    return np.ldexp(_WIDE(1), np.maximum(exponents - 1, info.minexp) - info.nmant)
