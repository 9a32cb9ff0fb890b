"""The server's table of operators, row by row, type by type and attribute by
attribute against what defines them.
"""

import unittest

import onnx

import definitions
import server
import tensors
from reductor.v1 import reductor_pb2 as pb


class ListOperatorsTest(server.ServerTestCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.answer = cls.stub.ListOperators(pb.ListOperatorsRequest())

    def test_lists_every_version_of_the_onnx_operators(self):
        expected = {
            (schema.name, schema.since_version): (
                definitions.types_of(schema),
                definitions.attributes_of(schema),
            )
            for schema in definitions.onnx_versions()
        }
        self.assertEqual(len(expected), 53)
        self.assertEqual(self._rows_of(pb.FAMILY_ONNX), expected)

    def test_lists_the_openvino_operators(self):
        expected = {
            (name, since_version): (types, definitions.OPENVINO_ATTRIBUTES)
            for name, (since_version, types) in (
                definitions.OPENVINO_OPERATORS.items()
            )
        }
        self.assertEqual(self._rows_of(pb.FAMILY_OPENVINO), expected)

    def test_lists_each_version_once(self):
        rows = self.answer.operators
        keys = {(row.name, row.family, row.since_version) for row in rows}
        self.assertEqual(len(keys), len(rows))

    def test_lists_rows_by_operator_then_family_then_version(self):
        rows = self.answer.operators
        order = [(row.operator, row.family, row.since_version) for row in rows]
        self.assertEqual(order, sorted(order))

    def test_names_operators_as_the_wire_does(self):
        for row in self.answer.operators:
            self.assertEqual(row.operator, tensors.operator_of(row.name))

    def test_documents_every_row(self):
        for row in self.answer.operators:
            self.assertNotEqual(row.documentation, "", row.name)

    def test_knows_the_newest_opsets(self):
        self.assertEqual(
            onnx.defs.onnx_opset_version(), definitions.NEWEST_ONNX_OPSET
        )
        self.assertEqual(
            self.answer.newest_onnx_opset, definitions.NEWEST_ONNX_OPSET
        )
        self.assertEqual(
            self.answer.newest_openvino_opset, definitions.NEWEST_OPENVINO_OPSET
        )

    def _rows_of(self, family):
        return {
            (row.name, row.since_version): (
                [tensors.dtype_of(t) for t in row.data_types],
                {a.name: a.default_value for a in row.attributes},
            )
            for row in self.answer.operators
            if row.family == family
        }


if __name__ == "__main__":
    unittest.main()
