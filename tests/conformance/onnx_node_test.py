"""The official ONNX node tests, answered by the running server."""

import collections
import unittest

import numpy as np

import onnx_cases
import server
import tensors
from reductor.v1 import reductor_pb2 as pb

# How many cases each publication holds, by operator. A version that is not
# here fails: count its cases and add a row.
EXPECTED_COUNTS = {
    "onnx 1.23.2": {
        "ArgMax": 16,
        "ArgMin": 16,
        "ReduceL1": 9,
        "ReduceL2": 9,
        "ReduceLogSum": 5,
        "ReduceLogSumExp": 9,
        "ReduceMax": 11,
        "ReduceMean": 8,
        "ReduceMin": 10,
        "ReduceProd": 9,
        "ReduceSum": 12,
        "ReduceSumSquare": 9,
    },
    "libonnx-testdata 1.12.0": {
        "ArgMax": 16,
        "ArgMin": 16,
        "ReduceL1": 8,
        "ReduceL2": 8,
        "ReduceLogSum": 5,
        "ReduceLogSumExp": 8,
        "ReduceMax": 8,
        "ReduceMean": 8,
        "ReduceMin": 8,
        "ReduceProd": 8,
        "ReduceSum": 10,
        "ReduceSumSquare": 8,
    },
    "libonnx-testdata 1.17.0": {
        "ArgMax": 16,
        "ArgMin": 16,
        "ReduceL1": 9,
        "ReduceL2": 9,
        "ReduceLogSum": 5,
        "ReduceLogSumExp": 9,
        "ReduceMax": 10,
        "ReduceMean": 8,
        "ReduceMin": 10,
        "ReduceProd": 9,
        "ReduceSum": 12,
        "ReduceSumSquare": 9,
    },
}


class OnnxNodeTest(server.ServerTestCase):
    def test_answers_the_cases_of_the_python_package(self):
        version, cases = onnx_cases.cases_of_package()
        self._check_all(f"onnx {version}", cases)

    def test_answers_the_cases_of_debian(self):
        version, cases = onnx_cases.cases_of_debian()
        self._check_all(f"libonnx-testdata {version}", cases)

    def _check_all(self, source, cases):
        self.assertIn(source, EXPECTED_COUNTS)
        counts = collections.Counter()
        for case in cases:
            counts[case.model.graph.node[0].op_type] += 1
            with self.subTest(case.name):
                self._check(case)
        self.assertEqual(counts, EXPECTED_COUNTS[source])

    def _check(self, case):
        request = pb.ReduceRequest(
            reductions=[onnx_cases.reduction_of(case.model, case.inputs)],
            tensor=tensors.to_tensor(case.inputs[0]),
        )
        (result,) = self.stub.Reduce(request).results
        answer = tensors.to_array(result)
        (expected,) = case.outputs
        self.assertEqual(answer.dtype, expected.dtype)
        self.assertEqual(answer.shape, expected.shape)
        # The tolerances of ONNX's own test runner.
        np.testing.assert_allclose(answer, expected, rtol=1e-3, atol=1e-7)


if __name__ == "__main__":
    unittest.main()
