"""Where an oracle is known to answer something else than the standards say, or
nothing: the one table in which a disagreement must be found.

To add a row, find out by hand who is right, and narrow its condition until it
holds for nothing else. The names of rows that were seen before keep.
"""

import collections

import facts
import tensors

Divergence = collections.namedtuple(
    "Divergence", "name oracles operators dtypes when reason"
)

_FLOATS = " ".join(tensors.FLOATS)
_INTEGERS = "int8 int16 int32 int64 uint8 uint16 uint32 uint64"
_OPENVINO = "openvino_cpu openvino_core"
_EVERY_ORACLE = f"numpy reference onnxruntime {_OPENVINO}"
_EXTREMES = "ReduceMax ReduceMin"
_POSITIONS = "ArgMax ArgMin"
_SUMS = "ReduceSum ReduceL1 ReduceSumSquare ReduceProd"
_MEANS = "ReduceMean ReduceL2"
_LOGS = "ReduceLogSum ReduceLogSumExp"

DIVERGENCES = [
    Divergence(
        "range of intermediates",
        _EVERY_ORACLE,
        f"{_SUMS} {_MEANS} ReduceLogSum",
        _FLOATS,
        facts.leaves_the_range,
        "they add and multiply in the type itself, or float32, where an"
        " intermediate overflows or vanishes though the result does not",
    ),
    Divergence(
        "type of squares",
        "reference",
        "ReduceSumSquare",
        "int32 uint32",
        facts.always,
        "answers int64 and uint64",
    ),
    Divergence(
        "infinite exponents",
        "reference",
        "ReduceLogSumExp",
        _FLOATS,
        facts.has_infinity,
        "subtracts infinity from infinity",
    ),
    Divergence(
        "exponents of a scalar",
        "reference",
        "ReduceLogSumExp",
        _FLOATS,
        facts.is_scalar,
        "raises a TypeError",
    ),
    Divergence(
        "sum of a mean",
        "numpy reference onnxruntime openvino_core",
        "ReduceMean",
        _INTEGERS,
        facts.exceeds(53),
        "the sum wraps, or is divided as a float64",
    ),
    Divergence(
        "squares of a root",
        "numpy reference onnxruntime",
        "ReduceL2",
        _INTEGERS,
        facts.exceeds(53),
        "the sum of squares wraps, or is rounded to float64",
    ),
    Divergence(
        "mean of nothing",
        f"reference onnxruntime {_OPENVINO}",
        "ReduceMean",
        f"{_FLOATS} {_INTEGERS}",
        facts.folds_nothing,
        "0 for floats, or what NaN becomes as an integer",
    ),
    Divergence(
        "saturation",
        "onnxruntime",
        _SUMS,
        _INTEGERS,
        facts.exceeds(53),
        "computes in float64 and saturates where integers wrap",
    ),
    Divergence(
        "NaN among others",
        f"onnxruntime {_OPENVINO}",
        f"{_EXTREMES} {_POSITIONS}",
        _FLOATS,
        facts.has_nan,
        "ignores a NaN, depending on where it stands",
    ),
    Divergence(
        "NaN among infinities",
        "onnxruntime",
        "ReduceLogSumExp",
        _FLOATS,
        facts.has_nan_and_infinity,
        "finds the largest as ReduceMax does, and answers it if infinite",
    ),
    Divergence(
        "exponents of single elements",
        "onnxruntime",
        "ReduceLogSumExp",
        _FLOATS,
        facts.has_single_large_elements,
        "takes no largest one away before it raises e to each of them",
    ),
    Divergence(
        "negative axes of nothing",
        "onnxruntime",
        f"{_SUMS} {_MEANS} {_LOGS} {_EXTREMES} {_POSITIONS}",
        f"{_FLOATS} {_INTEGERS} bool",
        facts.counts_axes_of_nothing_from_the_back,
        "reduces the other axes only",
    ),
    Divergence(
        "booleans of nothing",
        "onnxruntime",
        _EXTREMES,
        "bool",
        facts.folds_nothing,
        "refuses",
    ),
    Divergence(
        "integers as float32",
        "openvino_cpu",
        f"{_SUMS} {_MEANS} {_EXTREMES}",
        _INTEGERS,
        facts.exceeds(24),
        "computes in float32, and 64-bit integers modulo 2^32",
    ),
    Divergence(
        "infinity alone",
        _OPENVINO,
        _EXTREMES,
        _FLOATS,
        facts.has_infinity,
        "starts from the largest finite number",
    ),
    Divergence(
        "extremes of nothing",
        _OPENVINO,
        _EXTREMES,
        f"{_FLOATS} {_INTEGERS}",
        facts.folds_nothing,
        "starts from the largest finite number; 64-bit integers from 32 bits",
    ),
    Divergence(
        "integers of many axes",
        "openvino_cpu",
        _MEANS,
        _INTEGERS,
        facts.has_many_axes,
        "rounds to the nearest integer",
    ),
    Divergence(
        "nothing of many axes",
        "openvino_cpu",
        "ReduceProd ReduceLogicalAnd",
        f"{_INTEGERS} bool",
        facts.folds_nothing_of_many_axes,
        "0 instead of 1",
    ),
    Divergence(
        "subnormal bfloat16",
        "openvino_cpu",
        f"{_SUMS} {_MEANS} {_EXTREMES}",
        "bfloat16",
        facts.has_subnormal,
        "takes them for 0",
    ),
]


def find(oracle, question):
    """The row that a disagreement falls under, None if there is none."""
    for row in DIVERGENCES:
        if (
            oracle in row.oracles.split()
            and question.operator in row.operators.split()
            and question.dtype in row.dtypes.split()
            and row.when(question)
        ):
            return row
    return None
