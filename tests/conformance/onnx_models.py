"""A question as an ONNX model of one node, for the runtimes that take models."""

import functools

import numpy as np
from onnx import TensorProto, helper, numpy_helper

from reductor.v1 import reductor_pb2 as pb

_TYPES = {
    "float32": TensorProto.FLOAT,
    "float64": TensorProto.DOUBLE,
}

# Where a question is not ONNX's: this opset's rules differ in axes that are
# empty, which are never asked then.
_OPSET_OF_OTHERS = 20


def opset_of(question):
    is_onnx = question.family == pb.FAMILY_ONNX
    return question.opset if is_onnx else _OPSET_OF_OTHERS


def model_of(question, opset):
    """The model of a question about any tensor of its type and rank: what else
    differs between two questions is in the key.
    """
    return _model(
        question.operator,
        opset,
        question.dtype,
        question.data.ndim,
        question.axes,
        question.keep_dims,
        question.noop,
        question.select_last,
    )


@functools.lru_cache(maxsize=1024)
def _model(operator, opset, dtype, rank, axes, keep_dims, noop, select_last):
    attributes = {"keepdims": int(keep_dims)}
    inputs, constants = ["x"], []
    if operator.startswith("Arg"):
        attributes["axis"] = axes[0] if axes else 0
    elif opset >= (13 if operator == "ReduceSum" else 18):
        inputs.append("axes")
        constants.append(numpy_helper.from_array(np.array(axes, np.int64), "axes"))
    elif axes:
        attributes["axes"] = axes
    if noop:
        attributes["noop_with_empty_axes"] = 1
    if select_last:
        attributes["select_last_index"] = 1
    data_type = _TYPES.get(dtype) or TensorProto.DataType.Value(dtype.upper())
    result = TensorProto.INT64 if operator.startswith("Arg") else data_type
    graph = helper.make_graph(
        [helper.make_node(operator, inputs, ["y"], **attributes)],
        "question",
        [helper.make_tensor_value_info("x", data_type, [None] * rank)],
        [helper.make_tensor_value_info("y", result, None)],
        constants,
    )
    # The newest version of the format that ONNX Runtime reads.
    return helper.make_model(
        graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=8
    )
