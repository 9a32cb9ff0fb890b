"""numpy as an oracle: it folds the rows of a question, so it says nothing about
axes, but knows every type of both families.
"""

import numpy as np


def answer(question):
    if question.is_identity:
        return question.data
    rows = question.rows
    with np.errstate(all="ignore"):
        if question.operator in ("ArgMax", "ArgMin"):
            results = _positions(rows, question)
        else:
            results = _FOLDS[question.operator](rows)
        results = results.astype(question.result_dtype)
    return results.reshape(question.result_shape)


def _sum(rows):
    return np.sum(rows, axis=1, dtype=rows.dtype)


def _mean(rows):
    total = _sum(rows)
    if rows.dtype.kind not in "iu":
        return total / rows.shape[1]
    # The count may be more than a small type holds.
    wide = np.uint64 if rows.dtype == np.uint64 else np.int64
    quotient = np.abs(total).astype(wide) // wide(max(rows.shape[1], 1))
    return np.where(total < 0, 0 - quotient, quotient)


def _smallest(dtype):
    return -np.inf if dtype.kind not in "iub" else _limits(dtype)[0]


def _largest(dtype):
    return np.inf if dtype.kind not in "iub" else _limits(dtype)[1]


def _limits(dtype):
    if dtype == bool:
        return False, True
    return np.iinfo(dtype).min, np.iinfo(dtype).max


_FOLDS = {
    "ReduceSum": _sum,
    "ReduceL1": lambda rows: _sum(np.abs(rows)),
    "ReduceSumSquare": lambda rows: _sum(rows * rows),
    "ReduceProd": lambda rows: np.prod(rows, axis=1, dtype=rows.dtype),
    "ReduceMean": _mean,
    "ReduceL2": lambda rows: np.sqrt(_sum(rows * rows)),
    "ReduceLogSum": lambda rows: np.log(_sum(rows)),
    "ReduceLogSumExp": lambda rows: np.logaddexp.reduce(
        rows, axis=1, initial=-np.inf
    ),
    "ReduceMax": lambda rows: np.max(rows, 1, initial=_smallest(rows.dtype)),
    "ReduceMin": lambda rows: np.min(rows, 1, initial=_largest(rows.dtype)),
    "ReduceLogicalAnd": lambda rows: np.all(rows, axis=1),
    "ReduceLogicalOr": lambda rows: np.any(rows, axis=1),
}


def _positions(rows, question):
    find = np.argmax if question.operator == "ArgMax" else np.argmin
    if question.select_last:
        return rows.shape[1] - 1 - find(rows[:, ::-1], axis=1)
    return find(rows, axis=1)
