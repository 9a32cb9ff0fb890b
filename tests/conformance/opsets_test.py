"""Which version an opset selects shows in what it takes and refuses: every
operator, opset, type and attribute.
"""

import itertools
import unittest

import grpc
import numpy as np

import definitions
import refusals
import server
import tensors
from reductor.v1 import reductor_pb2 as pb

ATTRIBUTES = ["keep_dims", "noop_with_empty_axes", "select_last_index"]


def allowed_by(family, name, opset):
    """(types, attributes) of the version that an opset selects, None if the
    operator is not in it.
    """
    if family == "onnx_opset":
        schema = definitions.onnx_schema(name, opset)
        return definitions.types_of(schema), definitions.attributes_of(schema)
    since_version, types = definitions.OPENVINO_OPERATORS[name]
    attributes = definitions.OPENVINO_ATTRIBUTES
    return (types, attributes) if since_version <= opset else None


# (field of the rules, opset, name of an operator): all there are.
EVERY_OPSET = [
    *itertools.product(
        ["onnx_opset"],
        range(1, definitions.NEWEST_ONNX_OPSET + 1),
        definitions.ONNX_OPERATORS,
    ),
    *itertools.product(
        ["openvino_opset"],
        range(1, definitions.NEWEST_OPENVINO_OPSET + 1),
        definitions.OPENVINO_OPERATORS,
    ),
]


def refused(reason, field):
    return grpc.StatusCode.INVALID_ARGUMENT, reason, [field]


class OpsetsTest(server.ServerTestCase):
    def test_opsets_allow_the_types_of_their_version(self):
        for (family, opset, name), dtype in itertools.product(
            EVERY_OPSET, tensors.DTYPES
        ):
            types, _ = allowed_by(family, name, opset) or (None, None)
            if types is None:
                continue
            with self.subTest(family=family, opset=opset, name=name, dtype=dtype):
                expected = refused("DATA_TYPE_NOT_ALLOWED", "tensor.data_type")
                self.assertEqual(
                    self._refusal(name, dtype, **{family: opset}),
                    None if dtype in types else expected,
                )

    def test_opsets_have_the_attributes_of_their_version(self):
        for (family, opset, name), attribute, value in itertools.product(
            EVERY_OPSET, ATTRIBUTES, (True, False)
        ):
            types, attributes = allowed_by(family, name, opset) or (None, None)
            if types is None:
                continue
            with self.subTest(family=family, opset=opset, name=name):
                expected = refused(
                    "ATTRIBUTE_NOT_ALLOWED", f"reductions[0].{attribute}"
                )
                self.assertEqual(
                    self._refusal(
                        name, types[0], **{family: opset, attribute: value}
                    ),
                    None if attribute in attributes else expected,
                )

    def test_refuses_operators_before_their_first_opset(self):
        absent = refused("OPERATOR_NOT_IN_OPSET", "reductions[0].operator")
        for family, opset, name in EVERY_OPSET:
            if allowed_by(family, name, opset) is None:
                self.assertEqual(self._refusal(name, **{family: opset}), absent)

    def test_refuses_operators_that_a_family_does_not_have(self):
        absent = refused("OPERATOR_NOT_IN_OPSET", "reductions[0].operator")
        onnx, openvino = definitions.ONNX_OPERATORS, definitions.OPENVINO_OPERATORS
        for name in set(onnx) - set(openvino):
            self.assertEqual(self._refusal(name, openvino_opset=16), absent)
        for name in set(openvino) - set(onnx):
            self.assertEqual(self._refusal(name, onnx_opset=28), absent)

    def test_the_newest_onnx_opset_applies_when_no_rules_are_given(self):
        expected = refused("DATA_TYPE_NOT_ALLOWED", "tensor.data_type")
        for name, dtype in itertools.product(
            definitions.ONNX_OPERATORS, tensors.DTYPES
        ):
            types, _ = allowed_by("onnx_opset", name, definitions.NEWEST_ONNX_OPSET)
            self.assertEqual(
                self._refusal(name, dtype), None if dtype in types else expected
            )

    def test_refuses_opsets_that_do_not_exist(self):
        for family, newest in (
            ("onnx_opset", definitions.NEWEST_ONNX_OPSET),
            ("openvino_opset", definitions.NEWEST_OPENVINO_OPSET),
        ):
            for opset in (-1, 0, newest + 1, 99):
                self.assertEqual(
                    self._refusal("ReduceL1", **{family: opset}),
                    refused("OPSET_UNKNOWN", f"reductions[0].{family}"),
                )

    def _refusal(self, name, dtype="float32", **fields):
        """How the server refuses a tensor of one zero; None if it does not."""
        request = pb.ReduceRequest(
            reductions=[pb.Reduction(operator=tensors.operator_of(name), **fields)],
            tensor=tensors.to_tensor(np.zeros(1, dtype)),
        )
        return refusals.refusal_of(lambda: self.stub.Reduce(request))


if __name__ == "__main__":
    unittest.main()
