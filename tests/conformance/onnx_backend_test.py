"""ONNX's own backend test runner, with the server as the backend; restricted
to the reductions.
"""

import unittest
import warnings

import onnx.backend.test
from onnx.backend.base import Backend, BackendRep

import onnx_cases
import server
import tensors
from reductor.v1 import reductor_pb2 as pb

# Each node test of onnx 1.23.2; the runner counts them again for CUDA.
EXPECTED_COUNT = 123


class PreparedModel(BackendRep):
    """A model of one reduction, which the server computes."""

    def __init__(self, model, stub):
        self._model = model
        self._stub = stub

    def run(self, inputs, **kwargs):
        request = pb.ReduceRequest(
            reductions=[onnx_cases.reduction_of(self._model, inputs)],
            tensor=tensors.to_tensor(inputs[0]),
        )
        return tuple(map(tensors.to_array, self._stub.Reduce(request).results))


class ReductorBackend(Backend):
    """What the runner tests. It calls class methods, so the class holds what
    it asks: `stub`.
    """

    stub = None

    @classmethod
    def prepare(cls, model, device="CPU", **kwargs):
        super().prepare(model, device, **kwargs)  # Checks the model.
        return PreparedModel(model, cls.stub)

    @classmethod
    def supports_device(cls, device):
        return device == "CPU"


class OnnxBackendTest(unittest.TestCase):
    def test_passes_the_official_tests_of_reductions(self):
        ReductorBackend.stub = self.enterContext(server.Server()).stub
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # Other operators' data overflows.
            runner = onnx.backend.test.BackendTest(ReductorBackend, __name__)
        runner.include(onnx_cases.NAME_PATTERN)
        result = unittest.TestResult()
        runner.test_suite.run(result)
        for test, trace in result.failures + result.errors:
            with self.subTest(test.id()):
                self.fail(trace)
        self.assertEqual(result.testsRun - len(result.skipped), EXPECTED_COUNT)


if __name__ == "__main__":
    unittest.main()
