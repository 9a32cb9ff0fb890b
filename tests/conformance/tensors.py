"""numpy's arrays and types on the wire, and back; operators by name."""

import re

import ml_dtypes  # Makes "bfloat16" a dtype that numpy knows by name.
import numpy as np

from reductor.v1 import reductor_pb2 as pb

_PREFIX = "DATA_TYPE_"

# The names of all element types; numpy calls them the same.
DTYPES = [
    name.removeprefix(_PREFIX).lower()
    for name, number in pb.DataType.items()
    if number != pb.DATA_TYPE_UNSPECIFIED
]

FLOATS = ["float16", "bfloat16", "float32", "float64"]


def data_type_of(name):
    """The wire's number of a type that numpy calls `name`."""
    return pb.DataType.Value(_PREFIX + name.upper())


def dtype_of(data_type):
    """numpy's name for a type of the wire."""
    return pb.DataType.Name(data_type).removeprefix(_PREFIX).lower()


def operator_of(name):
    """The wire's number of an operator: "ReduceL1" -> OPERATOR_REDUCE_L1."""
    words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name)
    return pb.Operator.Value(f"OPERATOR_{words.upper()}")


def to_tensor(array):
    return pb.Tensor(
        data_type=data_type_of(array.dtype.name),
        shape=array.shape,
        data=np.ascontiguousarray(array).tobytes(),
    )


def to_array(tensor):
    flat = np.frombuffer(tensor.data, dtype=np.dtype(dtype_of(tensor.data_type)))
    return flat.reshape(tuple(tensor.shape))
