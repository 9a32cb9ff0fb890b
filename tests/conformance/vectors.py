"""What no published test data has: elements and what they reduce to, all
written by hand.
"""

import dataclasses
import math

from reductor.v1 import reductor_pb2 as pb

INF, NAN = math.inf, math.nan
MIN32, MAX32 = -(2**31), 2**31 - 1
MIN64, MAX64 = -(2**63), 2**63 - 1


@dataclasses.dataclass(frozen=True)
class Vector:
    """A reduction, by the newest opset that is right for the type unless told,
    and the result; both nested lists, whose nesting is their shape.
    """

    operator: str
    dtype: str
    data: list
    result: object
    opset: int = 27
    family: int = pb.FAMILY_ONNX
    axes: tuple = ()
    keep_dims: bool = False
    noop: bool = False


def openvino(operator, dtype, data, result, **rest):
    family = pb.FAMILY_OPENVINO
    return Vector(operator, dtype, data, result, opset=4, family=family, **rest)


INTEGERS = [
    # Sums wrap, and the smallest integer has no absolute value but itself.
    Vector("ReduceL1", "int32", [MIN32], MIN32),
    Vector("ReduceL1", "int32", [MIN32, MIN32], 0),
    Vector("ReduceSum", "int32", [MAX32, 1], MIN32),
    Vector("ReduceSum", "int64", [2**53 + 1, 0], 2**53 + 1),
    Vector("ReduceSum", "int64", [MAX64, MIN64], -1),
    Vector("ReduceSumSquare", "int32", [65536, 1], 1),
    Vector("ReduceProd", "int32", [MAX32, 3], MAX32 - 2),
    openvino("ReduceSum", "int8", [127, 1], -128, axes=(0,)),
    openvino("ReduceProd", "uint8", [255, 255], 1, axes=(0,)),
    # Means are truncated and never wrap.
    Vector("ReduceMean", "int32", [-7, 0], -3),
    Vector("ReduceMean", "int32", [MAX32, MAX32], MAX32),
    Vector("ReduceMean", "int64", [2**53 + 1, 2], 4503599627370497),
    Vector("ReduceMean", "uint64", [2**64 - 1, 2**64 - 1], 2**64 - 1),
    # Roots are truncated and clamped.
    Vector("ReduceL2", "int32", [3, 3], 4),
    Vector("ReduceL2", "int32", [65536, 65536], 92681),
    Vector("ReduceL2", "int32", [46341, 0], 46341),
    Vector("ReduceL2", "int32", [MIN32], MAX32),
    Vector("ReduceL2", "int64", [5149438430121834735], 5149438430121834735),
    # So are logarithms.
    Vector("ReduceLogSum", "int32", [12, 8], 2),
    Vector("ReduceLogSum", "int32", [MAX32, MAX32], 22),
    Vector("ReduceLogSum", "int32", [0, 0], MIN32),
    Vector("ReduceLogSum", "int32", [-5], MIN32),
    Vector("ReduceLogSum", "uint32", [0], 0),
    Vector("ReduceLogSumExp", "int32", [0, 0, -1, -1], 1),
    Vector("ReduceLogSumExp", "int32", [1, 1], 1),
    Vector("ReduceLogSumExp", "int32", [-5, -5], -4),
    Vector("ReduceLogSumExp", "int32", [1, 1, 1, 1], 2),
    Vector("ReduceLogSumExp", "int32", [MAX32, MAX32], MAX32),
    Vector("ReduceLogSumExp", "int32", [-56, -46], -45),
    # No detour through float.
    Vector("ReduceMax", "int32", [MAX32, 1], MAX32),
    Vector("ReduceMax", "uint32", [2**32 - 1, 1], 2**32 - 1),
    Vector("ArgMax", "int64", [2**60, 2**60 + 1], 1, axes=(0,)),
]

# log(e^x + e^y + ...), which is the same in both types.
LOG_SUM_EXP = [
    Vector("ReduceLogSumExp", dtype, data, result)
    for dtype in ("float32", "float64")
    for data, result in [
        ([1000, 1000], 1000.6931471805599),
        ([-1000, -1000], -999.3068528194401),
        ([-INF, 1], 1),
        ([-INF, -INF], -INF),
        ([INF, 1], INF),
        ([INF, INF], INF),
        ([INF, -INF], INF),
        ([NAN, 1], NAN),
        ([NAN, INF], NAN),
        ([-INF, NAN], NAN),
        (7.5, 7.5),
        (INF, INF),
        (-INF, -INF),
    ]
]

FLOATS = [
    *LOG_SUM_EXP,
    Vector("ReduceLogSumExp", "float16", [800, 800], 800.5),
    Vector("ReduceLogSum", "float32", [1, -1], -INF),
    Vector("ReduceLogSum", "float32", [-1], NAN),
    # Intermediates do not overflow or vanish, and one rounding is all.
    Vector("ReduceL2", "float16", [300, 400], 500),
    Vector("ReduceSumSquare", "float16", [300, 400], INF),
    Vector("ReduceMean", "float16", [20] * 5000, 20),
    Vector("ReduceProd", "float16", [8] * 50 + [0], 0),
    Vector("ReduceSum", "bfloat16", [256, 1.5], 258),
    Vector("ReduceSum", "bfloat16", [1] * 5000, 4992),
    Vector("ReduceL2", "float32", [3 * 2.0**100, 4 * 2.0**100], 5 * 2.0**100),
    Vector("ReduceL2", "float32", [3 * 2.0**-100, 4 * 2.0**-100], 5 * 2.0**-100),
    Vector("ReduceL2", "float64", [3 * 2.0**700, 4 * 2.0**700], 5 * 2.0**700),
    Vector("ReduceL2", "float64", [3 * 2.0**-700, 4 * 2.0**-700], 5 * 2.0**-700),
    Vector("ReduceMean", "float32", [3e38, 3e38], 3e38),
    Vector("ReduceMean", "float64", [1.5e308, 1.5e308], 1.5e308),
    Vector("ReduceProd", "float32", [2.0**100, 2.0**100, 2.0**-100], 2.0**100),
    Vector("ReduceL1", "float16", [-1.5, 2], 3.5, opset=1),
    # Zeros have an order for extremes, and none for positions.
    Vector("ReduceMax", "float32", [0.0, -0.0], 0.0),
    Vector("ReduceMax", "float32", [-0.0, 0.0], 0.0),
    Vector("ReduceMin", "float32", [0.0, -0.0], -0.0),
    Vector("ReduceMin", "float32", [-0.0, 0.0], -0.0),
    Vector("ArgMax", "float32", [-0.0, 0.0], 0, axes=(0,)),
    # Any NaN wins.
    Vector("ReduceMax", "float32", [*range(15), NAN], NAN),
    Vector("ReduceMin", "float32", [*range(15), NAN], NAN),
    Vector("ReduceMax", "float32", [NAN] * 16, NAN),
    Vector("ReduceMin", "float32", [NAN] * 16, NAN),
    Vector("ArgMax", "float32", [8, NAN, 3, 1, NAN], 1, axes=(0,)),
    Vector("ArgMin", "float32", [8, NAN, 3, 1, NAN], 1, axes=(0,)),
]

# Of each type for which no runtime is an oracle, every operator.
_SMALL = {
    "ReduceSum": (7, 7),
    "ReduceL1": (7, 7),
    "ReduceProd": (8, 8),
    "ReduceSumSquare": (21, 21),
    "ReduceMean": (2, 2.328125),
    "ReduceMax": (4, 4),
    "ReduceMin": (1, 1),
    "ReduceL2": (4, 4.59375),
    "ReduceLogSum": (1, 1.9453125),
    "ReduceLogSumExp": (4, 4.15625),
    "ArgMax": (2, 2),
    "ArgMin": (0, 0),
}
SMALL = [
    Vector(operator, dtype, [1, 2, 4], of_integers, axes=(0,))
    for operator, (of_integers, _) in _SMALL.items()
    for dtype in ("uint32", "uint64")
] + [
    Vector(operator, "bfloat16", [1, 2, 4], of_floats, axes=(0,))
    for operator, (_, of_floats) in _SMALL.items()
]
