"""The official ONNX node tests of reductions, from where they are published,
and their models as requests.
"""

import pathlib
import re
import subprocess
import warnings

import onnx
from onnx import numpy_helper
from onnx.backend.test.case import node

import tensors
from reductor.v1 import reductor_pb2 as pb


class Case:
    """One data set of one node test: arrays go in, arrays should come out."""

    def __init__(self, name, model, inputs, outputs):
        self.name = name
        self.model = model
        self.inputs = inputs
        self.outputs = outputs


# The names of the reductions' tests. The "_expanded" models are graphs of other
# operators.
NAME_PATTERN = r"^test_(reduce|argmax|argmin)_(?!.*_expanded)"


def _is_reduction(name):
    return re.match(NAME_PATTERN, name) is not None


def cases_of_package():
    """The version of the Python package onnx, and the cases that it makes."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # Other operators' data overflows.
        # Called once, for everything: what it collects piles up in a global.
        tests = node.collect_testcases(None)
    cases = [
        Case(test.name, test.model, inputs, outputs)
        for test in tests
        if _is_reduction(test.name)
        for inputs, outputs in test.data_sets
    ]
    return onnx.__version__, cases


def cases_of_debian():
    """The version of Debian's libonnx-testdata, and the cases that it ships."""
    version = subprocess.run(
        ["dpkg-query", "-W", "-f", "${source:Upstream-Version}", "libonnx-testdata"],
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    root = pathlib.Path("/usr/share/libonnx-testdata/data/node")
    cases = [
        Case(
            data_set.parent.name,
            onnx.load(data_set.parent / "model.onnx"),
            _read_tensors(data_set, "input"),
            _read_tensors(data_set, "output"),
        )
        for data_set in sorted(root.glob("test_*/test_data_set_*"))
        if _is_reduction(data_set.parent.name)
    ]
    return version, cases


def _read_tensors(folder, kind):
    count = len(list(folder.glob(f"{kind}_*.pb")))
    return [
        numpy_helper.to_array(onnx.load_tensor(folder / f"{kind}_{i}.pb"))
        for i in range(count)
    ]


def reduction_of(model, inputs):
    """The reduction that a model of one node describes, given its inputs. What
    the model leaves out stays out.
    """
    (opset,) = [o.version for o in model.opset_import if o.domain == ""]
    (node_proto,) = model.graph.node
    reduction = pb.Reduction(
        operator=tensors.operator_of(node_proto.op_type), onnx_opset=opset
    )
    for attribute in node_proto.attribute:
        value = onnx.helper.get_attribute_value(attribute)
        if attribute.name == "axes":
            reduction.axes.extend(value)
        elif attribute.name == "axis":
            reduction.axes.append(value)
        else:
            name = {"keepdims": "keep_dims"}.get(attribute.name, attribute.name)
            setattr(reduction, name, {0: False, 1: True}[value])
    if len(inputs) > 1:
        reduction.axes.extend(inputs[1].tolist())
    return reduction
