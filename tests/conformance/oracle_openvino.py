"""OpenVINO as two oracles: its CPU plugin, and the core reference that folds
constants. Both know the nine operations that OpenVINO names.
"""

import functools
import sys

import numpy as np

# It would report its use to its makers; without this module it does not.
sys.modules["openvino_telemetry"] = None

import openvino
from openvino import opset13

_CORE = openvino.Core()
# The defaults depend on the machine.
_SETTINGS = {
    "INFERENCE_PRECISION_HINT": openvino.Type.f32,
    "INFERENCE_NUM_THREADS": 1,
}

NODES = {
    "ReduceL1": opset13.reduce_l1,
    "ReduceL2": opset13.reduce_l2,
    "ReduceLogicalAnd": opset13.reduce_logical_and,
    "ReduceLogicalOr": opset13.reduce_logical_or,
    "ReduceMax": opset13.reduce_max,
    "ReduceMean": opset13.reduce_mean,
    "ReduceMin": opset13.reduce_min,
    "ReduceProd": opset13.reduce_prod,
    "ReduceSum": opset13.reduce_sum,
}

OPERATORS = frozenset(NODES)


def answer_of_cpu(question):
    request = _request(
        question.operator,
        question.dtype,
        question.data.ndim,
        question.reduced,
        question.keep_dims,
    )
    data = _tensor_of(question.data)
    request.set_input_tensor(0, data)
    request.infer()
    return array_of(request.get_output_tensor(0), question.dtype)


def answer_of_core(question):
    model = _model(
        question.operator,
        question.dtype,
        question.data.shape,
        question.reduced,
        question.keep_dims,
    )
    shape = openvino.Shape(question.result_shape)
    result = openvino.Tensor(type_of(question.dtype), shape)
    if not model.evaluate([result], [_tensor_of(question.data)]):
        raise RuntimeError("evaluation failed")
    return array_of(result, question.dtype)


@functools.lru_cache(maxsize=256)
def _request(operator, dtype, rank, axes, keep_dims):
    # Compiling takes a thousand times as long as running. Each has a thread.
    model = _model(operator, dtype, (-1,) * rank, axes, keep_dims)
    return _CORE.compile_model(model, "CPU", _SETTINGS).create_infer_request()


@functools.lru_cache(maxsize=1024)
def _model(operator, dtype, shape, axes, keep_dims):
    parameter = opset13.parameter(list(shape), type_of(dtype))
    constant = opset13.constant(np.array(axes, np.int64))
    node = NODES[operator](parameter, constant, keep_dims=keep_dims)
    return openvino.Model([node], [parameter], "question")


def type_of(dtype):
    if dtype == "bfloat16":
        return openvino.Type.bf16
    return openvino.Type(np.dtype(dtype))


def _tensor_of(array):
    """The tensor of an array, of its own memory."""
    tensor = openvino.Tensor(type_of(array.dtype.name), openvino.Shape(array.shape))
    if array.dtype.name == "bfloat16":
        tensor.data.view(np.uint16)[...] = array.view(np.uint16)
    else:
        tensor.data[...] = array
    return tensor


def array_of(tensor, dtype):
    array = tensor.data.copy()
    return array.view(np.uint16).view(dtype) if dtype == "bfloat16" else array
