"""What defines the operators: the schemas of the ONNX package, and OpenVINO's
operator pages in a table written by hand.
"""

import onnx

import tensors

NEWEST_ONNX_OPSET = 28
NEWEST_OPENVINO_OPSET = 16

ONNX_OPERATORS = [
    "ArgMax",
    "ArgMin",
    "ReduceL1",
    "ReduceL2",
    "ReduceLogSum",
    "ReduceLogSumExp",
    "ReduceMax",
    "ReduceMean",
    "ReduceMin",
    "ReduceProd",
    "ReduceSum",
    "ReduceSumSquare",
]

_NUMBERS = [dtype for dtype in tensors.DTYPES if dtype != "bool"]

# name: (since_version, types). No operation has more than one version.
OPENVINO_OPERATORS = {
    "ReduceL1": (4, _NUMBERS),
    "ReduceL2": (4, _NUMBERS),
    "ReduceLogicalAnd": (1, ["bool"]),
    "ReduceLogicalOr": (1, ["bool"]),
    "ReduceMax": (1, _NUMBERS),
    "ReduceMean": (1, _NUMBERS),
    "ReduceMin": (1, _NUMBERS),
    "ReduceProd": (1, _NUMBERS),
    "ReduceSum": (1, _NUMBERS),
}

OPENVINO_ATTRIBUTES = {"keep_dims": "false"}


def onnx_versions():
    """The schemas of every version of every reduction."""
    return [
        schema
        for schema in onnx.defs.get_all_schemas_with_history()
        if schema.domain == "" and schema.name in ONNX_OPERATORS
    ]


def onnx_schema(name, opset):
    """The schema of the version that an opset selects."""
    return onnx.defs.get_schema(name, opset, "")


def types_of(schema):
    """The types that an ONNX schema allows for the data, in the wire's order."""
    (constraint,) = [
        c for c in schema.type_constraints if c.type_param_str == "T"
    ]
    names = {"tensor(float)": "float32", "tensor(double)": "float64"}
    allowed = {
        names.get(t, t.removeprefix("tensor(").removesuffix(")"))
        for t in constraint.allowed_type_strs
    }
    return [dtype for dtype in tensors.DTYPES if dtype in allowed]


def attributes_of(schema):
    """The attributes of an ONNX schema, as fields of a Reduction, with their
    defaults. Every version has axes, in one form or another.
    """
    fields = {"keepdims": "keep_dims"}
    return {
        fields.get(name, name): str(attribute.default_value.i == 1).lower()
        for name, attribute in schema.attributes.items()
        if name not in ("axes", "axis")
    }
