"""The vectors that no published test data has, through the running server."""

import unittest

import grpc
import numpy as np

import questions
import refusals
import server
import tensors
import vectors
import vectors_of_nothing
from reductor.v1 import reductor_pb2 as pb


class VectorsTest(server.ServerTestCase):
    def test_integers(self):
        self._check_all(vectors.INTEGERS)

    def test_floats(self):
        self._check_all(vectors.FLOATS)

    def test_every_operator_of_types_without_a_runtime(self):
        self._check_all(vectors.SMALL)

    def test_no_elements(self):
        self._check_all(vectors_of_nothing.NO_ELEMENTS)

    def test_no_axes_with_noop(self):
        self._check_all(vectors_of_nothing.NOOP)

    def test_no_axes_of_openvino(self):
        self._check_all(vectors_of_nothing.IDENTITY)

    def test_sums_more_ones_than_float32_can_count(self):
        ones = np.ones((17_000_000, 2), np.float32)
        total = self._reduce(ones, "ReduceSum", axes=[0], keep_dims=False)
        self.assertEqual(total.tolist(), [17e6, 17e6])

    def test_a_nan_at_any_place_along_any_axis_is_the_extreme(self):
        for shape, axis in (((34, 3), 0), ((3, 34), 1), ((2, 34, 3), 1)):
            for i in range(34):
                data = np.ones(shape, np.float32)
                np.moveaxis(data, axis, 0)[i] = np.nan
                for name in ("ReduceMax", "ReduceMin"):
                    result = self._reduce(data, name, axes=[axis])
                    self.assertTrue(np.isnan(result).all(), f"{name} {shape} {i}")

    def test_counts_axes_of_extent_0_from_the_back(self):
        result = self._reduce(np.ones((2, 0, 4), np.float32), "ReduceL1", axes=[-2])
        np.testing.assert_array_equal(
            result, np.zeros((2, 1, 4), np.float32), strict=True
        )

    def test_drops_axes_by_default_as_openvino_does(self):
        data = np.array([[1, -2], [3, -4]], np.float32)
        result = self._reduce(data, "ReduceL1", axes=[1], openvino_opset=4)
        self.assertEqual(result.tolist(), [3, 7])

    def test_any_byte_but_0_is_true(self):
        tensor = pb.Tensor(
            data_type=pb.DATA_TYPE_BOOL, shape=[2, 2], data=bytes([2, 1, 0, 255])
        )
        for name, rules, results in (
            ("ReduceMax", {"onnx_opset": 20, "axes": [1]}, b"\1\1"),
            ("ReduceMin", {"onnx_opset": 20, "axes": [1]}, b"\1\0"),
            ("ReduceLogicalOr", {"openvino_opset": 1, "axes": [1]}, b"\1\1"),
            ("ReduceLogicalAnd", {"openvino_opset": 1, "axes": [1]}, b"\1\0"),
            ("ReduceLogicalAnd", {"openvino_opset": 1}, b"\1\1\0\1"),
        ):
            self.assertEqual(self._send(tensor, name, **rules).data, results)

    def test_versions_begin_where_they_should(self):
        for name, dtype, opset, is_allowed in (
            ("ReduceMax", "uint8", 11, False),
            ("ReduceMax", "uint8", 12, True),
            ("ReduceMax", "bfloat16", 12, False),
            ("ReduceMax", "bfloat16", 13, True),
            ("ReduceMax", "bool", 18, False),
            ("ReduceMax", "bool", 19, False),
            ("ReduceMax", "bool", 20, True),
            ("ReduceLogSum", "int32", 27, True),
            ("ReduceLogSum", "int32", 28, False),
        ):
            data = np.ones(1, dtype)
            refusal = self._refusal(data, name, onnx_opset=opset)
            expected = None if is_allowed else "DATA_TYPE_NOT_ALLOWED"
            self.assertEqual(refusal, expected, f"{name} {dtype} {opset}")

    def test_select_last_index_begins_with_version_12(self):
        ties = np.array([5, 5], np.float32)
        last = {"onnx_opset": 12, "select_last_index": True}
        self.assertEqual(self._reduce(ties, "ArgMax", **last).tolist(), [1])
        last["onnx_opset"] = 11
        refusal = self._refusal(ties, "ArgMax", **last)
        self.assertEqual(refusal, "ATTRIBUTE_NOT_ALLOWED")

    def test_refuses_positions_among_nothing(self):
        for shape in ((0,), (0, 0), (0, 2)):
            refusal = self._refusal(np.ones(shape, np.float32), "ArgMax", axes=[0])
            self.assertEqual(refusal, "EMPTY_AXIS")

    def test_positions_of_a_scalar_have_an_axis_up_to_opset_10(self):
        scalar = np.array(3, np.float32)
        self.assertEqual(self._reduce(scalar, "ArgMax", onnx_opset=10).tolist(), 0)
        refusal = self._refusal(scalar, "ArgMax", onnx_opset=11)
        self.assertEqual(refusal, "AXIS_OUT_OF_RANGE")

    def _check_all(self, table):
        for vector in table:
            with self.subTest(vector):
                self._check(vector)

    def _check(self, vector):
        question = questions.Question(
            vector.operator,
            vector.family,
            vector.opset,
            np.array(vector.data, vector.dtype),
            vector.axes,
            vector.keep_dims,
            vector.noop,
        )
        expected = np.array(vector.result, question.result_dtype)
        request = pb.ReduceRequest(
            reductions=[question.reduction],
            tensor=tensors.to_tensor(question.data),
        )
        result = tensors.to_array(self.stub.Reduce(request).results[0])
        np.testing.assert_array_equal(result, expected, strict=True)
        if question.is_float:
            is_number = ~np.isnan(expected)
            np.testing.assert_array_equal(
                np.signbit(result[is_number]), np.signbit(expected[is_number])
            )

    def _reduce(self, data, name, **fields):
        return tensors.to_array(self._send(tensors.to_tensor(data), name, **fields))

    def _refusal(self, data, name, **fields):
        """The reason for which the server refuses; None if it does not."""
        tensor = tensors.to_tensor(data)
        refusal = refusals.refusal_of(lambda: self._send(tensor, name, **fields))
        if refusal is None:
            return None
        code, reason, _ = refusal
        self.assertEqual(code, grpc.StatusCode.INVALID_ARGUMENT)
        return reason

    def _send(self, tensor, name, **fields):
        reduction = pb.Reduction(operator=tensors.operator_of(name), **fields)
        request = pb.ReduceRequest(reductions=[reduction], tensor=tensor)
        (result,) = self.stub.Reduce(request).results
        return result


if __name__ == "__main__":
    unittest.main()
