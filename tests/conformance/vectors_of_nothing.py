"""Reductions that have nothing to reduce: of no elements, and along no axes.
Written by hand.
"""

from vectors import INF, MAX32, MIN32, NAN, Vector, openvino

NO_ELEMENTS = [
    Vector(operator, dtype, [], result)
    for operator, results in {
        "ReduceSum": {"float32": 0, "int32": 0, "uint32": 0},
        "ReduceL1": {"float32": 0, "int32": 0, "uint32": 0},
        "ReduceL2": {"float32": 0, "int32": 0, "uint32": 0},
        "ReduceSumSquare": {"float32": 0, "int32": 0, "uint32": 0},
        "ReduceProd": {"float32": 1, "int32": 1, "uint32": 1},
        "ReduceMean": {"float32": NAN, "int32": 0, "uint32": 0},
        "ReduceLogSum": {"float32": -INF, "int32": MIN32, "uint32": 0},
        "ReduceLogSumExp": {"float32": -INF, "int32": MIN32, "uint32": 0},
        "ReduceMax": {
            "float32": -INF, "int32": MIN32, "uint32": 0, "bool": False
        },
        "ReduceMin": {
            "float32": INF, "int32": MAX32, "uint32": 2**32 - 1, "bool": True
        },
    }.items()
    for dtype, result in results.items()
] + [
    openvino("ReduceLogicalAnd", "bool", [], True, axes=(0,)),
    openvino("ReduceLogicalOr", "bool", [], False, axes=(0,)),
    openvino("ReduceMax", "float32", [], -INF, axes=(0,)),
    openvino("ReduceMean", "float32", [], NAN, axes=(0,)),
]

# The reduction is skipped, the elementwise step is not; the shape stays,
# whatever keep_dims says.
NOOP = [
    Vector(operator, dtype, data, result, keep_dims=keep_dims, noop=True)
    for operator, dtype, data, result in [
        ("ReduceL1", "float32", [[-1.5, 2]], [[1.5, 2]]),
        ("ReduceL2", "float32", [[-1.5, 2]], [[1.5, 2]]),
        ("ReduceLogSum", "float32", [[-1, 1]], [[NAN, 0]]),
        ("ReduceLogSumExp", "float32", [[-1.5, 1000]], [[-1.5, 1000]]),
        ("ReduceMax", "float32", [[-1.5, NAN]], [[-1.5, NAN]]),
        ("ReduceMean", "float32", [[-1.5, 2]], [[-1.5, 2]]),
        ("ReduceMin", "float32", [[-1.5, INF]], [[-1.5, INF]]),
        ("ReduceProd", "float32", [[-1.5, 2]], [[-1.5, 2]]),
        ("ReduceSum", "float32", [[-1.5, 2]], [[-1.5, 2]]),
        ("ReduceSumSquare", "float32", [[-1.5, 2]], [[2.25, 4]]),
        ("ReduceL1", "int32", [MIN32, -7], [MIN32, 7]),
        ("ReduceL2", "int32", [MIN32, -7], [MAX32, 7]),
        ("ReduceLogSum", "int32", [20, 0], [2, MIN32]),
        ("ReduceLogSumExp", "uint32", [2, 3], [2, 3]),
        ("ReduceSumSquare", "int32", [65536, -3], [0, 9]),
        ("ReduceL1", "float32", -2.5, 2.5),
    ]
    for keep_dims in (False, True)
]

# OpenVINO without axes answers the tensor itself, bit for bit.
_ANY = [[-1.5, -0.0], [1e30, NAN]]
IDENTITY = [
    openvino(operator, "float32", _ANY, _ANY)
    for operator in (
        "ReduceL1",
        "ReduceL2",
        "ReduceMax",
        "ReduceMean",
        "ReduceMin",
        "ReduceProd",
        "ReduceSum",
    )
] + [
    openvino("ReduceLogicalAnd", "bool", [True, False], [True, False]),
    openvino("ReduceLogicalOr", "bool", [True, False], [True, False]),
    openvino("ReduceL1", "int32", [MIN32, -1], [MIN32, -1]),
]
