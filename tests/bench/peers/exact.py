"""How far an answer is from exact arithmetic."""

import numpy as np

_SAMPLED = 16


def error_of(case, result):
    """The largest relative error among a few outputs, and 1 for a wrong integer
    or position; None where the exact answer is not known (products, which leave
    every type, and operators of integers on which the engines disagree).
    """
    if case.operator == "ReduceProd" or (
        case.data.dtype.kind != "f"
        and case.operator not in ("ReduceMax", "ReduceMin", "ArgMax", "ArgMin")
    ):
        return None
    kept = [d for d in range(len(case.shape)) if d not in case.axes]
    columns = case.data.transpose([*kept, *case.axes])
    kept_shape = [case.shape[d] for d in kept]
    outputs = int(np.prod(kept_shape, dtype=np.int64))
    worst = 0.0
    for at in np.unique(np.linspace(0, outputs - 1, _SAMPLED).astype(np.int64)):
        index = np.unravel_index(at, kept_shape) if kept_shape else ()
        elements = columns[index].reshape(-1)
        worst = max(worst, _error(case.operator, elements, result[at]))
    return worst


def _error(operator, elements, got):
    if operator in ("ArgMax", "ArgMin"):
        want = elements.argmax() if operator == "ArgMax" else elements.argmin()
        return float(got != want)
    if operator in ("ReduceMax", "ReduceMin"):
        want = elements.max() if operator == "ReduceMax" else elements.min()
        return float(got != want)
    want = _exact(operator, elements)
    if not np.isfinite(want):
        return 0.0 if np.isnan(want) == np.isnan(got) else 1.0
    # Sums of both signs cancel: their error counts against the absolute sum.
    scale = abs(want)
    if operator in ("ReduceSum", "ReduceMean"):
        scale = _exact("ReduceL1", elements)
        scale /= len(elements) if operator == "ReduceMean" else 1
    return float(abs(np.longdouble(got) - want) / scale)


def _exact(operator, elements):
    """In 80-bit floats, block by block, as they take four times the memory."""
    blocks = np.array_split(elements, max(1, elements.size >> 20))
    lift = {"ReduceL1": np.abs, "ReduceL2": np.square, "ReduceSumSquare": np.square}
    if operator == "ReduceLogSumExp":
        largest = np.longdouble(elements.max())
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
