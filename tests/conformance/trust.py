"""Whom to ask what: the operators and types that each oracle computes as the
standards say, as long as the elements are none of its known divergences.
"""

import oracle_numpy
import oracle_onnxruntime
import oracle_openvino
import oracle_reference

ORACLES = {
    "numpy": oracle_numpy.answer,
    "reference": oracle_reference.answer,
    "onnxruntime": oracle_onnxruntime.answer,
    "openvino_cpu": oracle_openvino.answer_of_cpu,
    "openvino_core": oracle_openvino.answer_of_core,
}

_LOGS = {"ReduceLogSum", "ReduceLogSumExp"}
_LOGICAL = {"ReduceLogicalAnd", "ReduceLogicalOr"}
_EXTREMES = {"ReduceMax", "ReduceMin"}
_CHOICES = _EXTREMES | {"ArgMax", "ArgMin"}
_SUMS = {"ReduceSum", "ReduceProd", "ReduceMean"}
_OPENVINO = _SUMS | _EXTREMES | {"ReduceL1", "ReduceL2"}
_INTEGERS = _OPENVINO | _CHOICES | {"ReduceSumSquare"}
_ALL = _INTEGERS | _LOGS

# What is not here is refused by the oracle, or computed in another way: numpy
# adds the 16-bit floats in 16 bits; OpenVINO's plugin computes float64 in
# float32 and lets 8-bit sums saturate, its core truncates bfloat16; ONNX
# Runtime truncates each exponential of integers.
TRUSTED = {
    "numpy": {
        "float32 float64": _ALL,
        "float16 bfloat16": _CHOICES,
        "int8 int16 int32 int64 uint8 uint16 uint32 uint64": _INTEGERS,
        "bool": _EXTREMES | _LOGICAL,
    },
    "reference": {
        "float32 float64": _ALL,
        "float16 bfloat16 int8 int16 uint8 uint16": _CHOICES,
        "int32 int64 uint32 uint64": _INTEGERS,
        "bool": _EXTREMES,
    },
    "onnxruntime": {
        "float32 float64 float16": _ALL,
        "int32 int64": _INTEGERS | {"ReduceLogSum"},
        "int8 uint8": _CHOICES,
        "bool": _EXTREMES,
    },
    "openvino_cpu": {
        "float32 float16 bfloat16 int32 int64 uint32 uint64": _OPENVINO,
        "int16 uint16": _OPENVINO - {"ReduceL2"},
        "int8 uint8": _EXTREMES,
        "bool": _LOGICAL,
    },
    "openvino_core": {
        "float32 float16": _OPENVINO,
        "int32 int64": _OPENVINO - {"ReduceL2"},
        "uint32 uint64": _SUMS | _EXTREMES,
        "bfloat16 int8 uint8": _EXTREMES,
        "bool": _LOGICAL,
    },
}


def is_asked(oracle, question):
    """Whether an oracle's answer to a question counts."""
    if oracle.startswith("openvino") and not question.reduced:
        # It refuses empty axes or computes an elementwise step, where its own
        # operator pages promise the tensor itself.
        return False
    if oracle in ("reference", "onnxruntime") and question.is_identity:
        return False
    return any(
        question.dtype in dtypes.split() and question.operator in operators
        for dtypes, operators in TRUSTED[oracle].items()
    )
