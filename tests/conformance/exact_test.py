"""Every operator and type against exact arithmetic: all axes of small tensors,
and some of large ones.

EXACT_TEST_SEED=N repeats the run that printed N.
"""

import itertools
import os
import random
import unittest

import numpy as np

import check
import elements
import questions
import samples
import server
import tensors
from reductor.v1 import reductor_pb2 as pb

# Of every rank up to 4, with extents of 1 and 0 among them.
SHAPES = [(), (7,), (0,), (3, 5), (2, 0), (4, 1, 3), (2, 0, 3), (2, 3, 1, 4)]

# So large that the server shares several reductions of it among its threads.
LARGE_SHAPE = (60, 70, 131)

# Positions have one axis; products of more would leave float64's normal range.
ONE_AXIS = (*questions.POSITIONS, "ReduceProd")

# How many reductions the server takes at once.
MOST_REDUCTIONS = 64


class ExactTest(server.ServerTestCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.seed = int(os.environ.get("EXACT_TEST_SEED", random.getrandbits(32)))
        print(f"EXACT_TEST_SEED={cls.seed}", flush=True)
        answer = cls.stub.ListOperators(pb.ListOperatorsRequest())
        cls.generator = samples.Generator(answer, cls.seed)
        cls.rng = np.random.default_rng(cls.seed)

    def test_all_axes_of_small_tensors(self):
        for dtype, shape in itertools.product(tensors.DTYPES, SHAPES):
            for kind in elements.kinds_of(dtype):
                data = elements.random_array(self.rng, dtype, shape, kind)
                self._check(data, self._all_questions(data, kind))

    def test_some_axes_of_large_tensors(self):
        for dtype in tensors.DTYPES:
            kind = "calm" if dtype in tensors.FLOATS else "few"
            data = elements.random_array(self.rng, dtype, LARGE_SHAPE, kind)
            for axes, results in (((1,), range(0, 60 * 131, 997)), ((0, 2), [33])):
                asked = [
                    questions.Question(operator, family, opset, data, axes)
                    for operator, family, opset, _ in self._newest(dtype)
                    if len(axes) == 1 or operator not in ONE_AXIS
                ]
                self._check(data, asked, results)

    def _newest(self, dtype):
        """(operator, family, opset, attributes): the newest that allow a type."""
        for operator, family in self.generator.operators_of(dtype):
            opsets = self.generator.opsets_of(operator, family, dtype)
            yield operator, family, *opsets[-1]

    def _all_questions(self, data, kind):
        """Every operator, axes and attributes."""
        for operator, family, opset, attributes in self._newest(data.dtype.name):
            if not elements.suits(kind, operator, data.dtype.name):
                continue
            flags = [
                (False, True) if name in attributes else (False,)
                for name in ("noop_with_empty_axes", "select_last_index")
            ]
            for axes in self._all_axes(operator, data.shape):
                for values in itertools.product((False, True), *flags):
                    yield questions.Question(
                        operator, family, opset, data, axes, *values
                    )

    def _all_axes(self, operator, shape):
        """All axes that the newest version of an operator takes."""
        if operator in questions.POSITIONS:
            return [(axis,) for axis, extent in enumerate(shape) if extent]
        return [
            axes
            for count in range(len(shape) + 1)
            for axes in itertools.combinations(range(len(shape)), count)
        ]

    def _check(self, data, asked, results=None):
        tensor = elements.wire_tensor(self.rng, data)
        asked = iter(asked)
        while batch := list(itertools.islice(asked, MOST_REDUCTIONS)):
            sample = samples.Sample(tensor, batch)
            for question, answer in zip(
                batch, check.answers(self.stub, sample), strict=True
            ):
                fault = check.fault_of(question, answer, results)
                if fault:
                    self.fail(f"seed {self.seed}: {question}: {fault}")


if __name__ == "__main__":
    unittest.main()
