"""The examples of OpenVINO's operator pages, which all have the shape
[6, 12, 10, 24]; values checked where arithmetic is exact.
"""

import unittest

import numpy as np

import server
import tensors
from reductor.v1 import reductor_pb2 as pb

SHAPE = (6, 12, 10, 24)

# Of small whole numbers, and booleans, numpy's results are exact.
NUMPY = {
    "ReduceL1": lambda x, axes: np.abs(x).sum(axes, x.dtype),
    "ReduceMax": np.max,
    "ReduceMin": np.min,
    "ReduceSum": lambda x, axes: x.sum(axes, x.dtype),
    "ReduceLogicalAnd": np.all,
    "ReduceLogicalOr": np.any,
}


class OpenvinoExamplesTest(server.ServerTestCase):
    def test_keeps_two_reduced_axes(self):
        self._check(axes=[2, 3], keep_dims=True, shape=(6, 12, 1, 1))

    def test_drops_two_reduced_axes(self):
        self._check(axes=[2, 3], keep_dims=False, shape=(6, 12))

    def test_drops_reduced_axes_when_not_asked_to_keep_them(self):
        self._check(axes=[2, 3], keep_dims=None, shape=(6, 12))

    def test_drops_one_axis(self):
        self._check(axes=[1], keep_dims=False, shape=(6, 10, 24))

    def test_drops_an_axis_counted_from_the_back(self):
        self._check(axes=[-2], keep_dims=False, shape=(6, 12, 24))

    def test_answers_the_tensor_itself_without_axes(self):
        for operator, data in self._examples():
            answer = self._reduce(operator, data, axes=[], keep_dims=False)
            np.testing.assert_array_equal(answer, data, strict=True)

    def _check(self, axes, keep_dims, shape):
        for operator, data in self._examples():
            with self.subTest(operator, dtype=data.dtype):
                expected = NUMPY[operator](data, tuple(axes)).reshape(shape)
                answer = self._reduce(operator, data, axes, keep_dims)
                np.testing.assert_array_equal(answer, expected, strict=True)

    def _examples(self):
        for operator in NUMPY:
            is_logical = operator.startswith("ReduceLogical")
            for dtype in ("bool",) if is_logical else ("float32", "int32"):
                yield operator, self._data(dtype)

    def _reduce(self, operator, data, axes, keep_dims):
        reduction = pb.Reduction(
            operator=tensors.operator_of(operator),
            openvino_opset=4,
            axes=axes,
            keep_dims=keep_dims,
        )
        request = pb.ReduceRequest(
            reductions=[reduction], tensor=tensors.to_tensor(data)
        )
        (result,) = self.stub.Reduce(request).results
        return tensors.to_array(result)

    def _data(self, dtype):
        return (np.arange(np.prod(SHAPE)) % 17 - 8).astype(dtype).reshape(SHAPE)


if __name__ == "__main__":
    unittest.main()
