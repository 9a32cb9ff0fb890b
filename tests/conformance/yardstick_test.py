"""What the server is measured with, measured: exact arithmetic tells a right
answer from its neighbours, and no oracle's tolerance hides a wrong one.
"""

import math
import unittest
from fractions import Fraction

import numpy as np

import divergences
import exact
import questions
import tolerances
from reductor.v1 import reductor_pb2 as pb


def question(operator, data, dtype, **rest):
    array = np.array(data, dtype)
    return questions.Question(operator, pb.FAMILY_ONNX, 18, array, **rest)


class ExactTest(unittest.TestCase):
    def test_rounds_once_and_to_even_when_halfway(self):
        half = Fraction(1, 2**24)
        for x, dtype, rounded in (
            (1 + half, "float32", 1.0),
            (1 + half + Fraction(1, 2**80), "float32", 1 + 2.0**-23),
            (Fraction(65519), "float16", 65504.0),
            (Fraction(65520), "float16", math.inf),
            (Fraction(-65520), "float16", -math.inf),
            (Fraction(257), "bfloat16", 256.0),
            (Fraction(1, 2**149), "float32", 2.0**-149),
            (Fraction(1, 2**150), "float32", 0.0),
        ):
            self.assertEqual(exact.round_to(x, dtype), rounded, (x, dtype))

    def test_refuses_the_neighbours_of_a_right_answer(self):
        for operator, data, right in (
            ("ReduceSum", [0.1, 0.2], 0.3),
            ("ReduceMean", [1, 1, 2], 4 / 3),
            ("ReduceL2", [1, 1], math.sqrt(2)),
            ("ReduceProd", [3, 1 / 3], 1),
            ("ReduceLogSum", [1, 1], math.log(2)),
            ("ReduceLogSumExp", [0, 0], math.log(2)),
            ("ReduceMax", [1, 2], 2),
        ):
            for dtype in ("float16", "bfloat16", "float32"):
                asked = question(operator, data, dtype)
                row = asked.wide_row(0)
                low = np.array(right, dtype)
                near = [np.nextafter(low, low.dtype.type(x)) for x in (-9, 9)]
                accepted = [
                    x for x in (near[0], low, near[1])
                    if exact.is_right(asked, row, float(x))
                ]
                self.assertEqual(len(accepted), 1, (operator, dtype))

    def test_lets_float64_be_off_by_its_few_roundings_only(self):
        for operator, data, right in (
            ("ReduceSum", [0.1, 0.2], 0.3),
            ("ReduceL1", [0.1, -0.2], 0.3),
            ("ReduceMean", [1, 1, 2], 4 / 3),
            ("ReduceSumSquare", [0.1, 0.2], 0.05),
            ("ReduceLogSum", [1.1, 1.2], math.log(2.3)),
            ("ReduceLogSumExp", [0.1, 0.2], math.log(math.exp(0.1) + math.exp(0.2))),
        ):
            asked = question(operator, data, "float64")
            row = asked.wide_row(0)
            for side in (-math.inf, math.inf):
                x = right
                for _ in range(12):
                    x = math.nextafter(x, side)
                self.assertFalse(exact.is_right(asked, row, x), (operator, side))
            self.assertTrue(exact.is_right(asked, row, right), operator)

    def test_tells_zeros_and_nan_apart_in_extremes(self):
        zeros = question("ReduceMax", [0.0, -0.0], "float32")
        self.assertTrue(exact.is_right(zeros, [0.0, -0.0], 0.0))
        self.assertFalse(exact.is_right(zeros, [0.0, -0.0], -0.0))
        self.assertFalse(exact.is_right(zeros, [1.0, math.nan], 1.0))
        self.assertTrue(exact.is_right(zeros, [1.0, math.nan], math.nan))

    def test_integers_are_right_or_wrong(self):
        mean = question("ReduceMean", [-7, 0], "int32")
        self.assertTrue(exact.is_right(mean, [-7, 0], -3))
        self.assertFalse(exact.is_right(mean, [-7, 0], -4))


class TolerancesTest(unittest.TestCase):
    def test_lets_an_oracle_be_off_by_its_own_error_only(self):
        asked = question("ReduceSum", [1, 2, 4], "float32")
        answer = np.array(7, np.float32).reshape(())
        for other, is_near in ((7.000001, True), (7.00001, False), (math.nan, False)):
            other = np.array(other, np.float32)
            self.assertEqual(tolerances.agree(asked, answer, other), is_near)

    def test_tells_infinities_from_numbers(self):
        for operator, data, answer, other in (
            ("ReduceSum", [math.inf, 1], 7, math.inf),
            ("ReduceSum", [math.inf, 1], math.inf, 7),
            ("ReduceL2", [3, 4], math.inf, 5),
            ("ReduceLogSum", [1], -math.inf, 0),
        ):
            asked = question(operator, data, "float32")
            answer, other = np.array(answer, np.float32), np.array(other, np.float32)
            self.assertFalse(tolerances.agree(asked, answer, other), operator)
            self.assertTrue(tolerances.agree(asked, other, other), operator)

    def test_wants_the_same_shape_and_type(self):
        asked = question("ReduceSum", [1, 2, 4], "int32")
        answer = np.array(7, np.int32)
        self.assertTrue(tolerances.agree(asked, answer, np.array(7, np.int32)))
        self.assertFalse(tolerances.agree(asked, answer, np.array([7], np.int32)))
        self.assertFalse(tolerances.agree(asked, answer, np.array(7, np.int64)))


class DivergencesTest(unittest.TestCase):
    def test_excuses_what_is_known_and_nothing_else(self):
        nan = question("ReduceMax", [1, math.nan, 2], "float32")
        self.assertEqual(
            divergences.find("onnxruntime", nan).name, "NaN among others"
        )
        self.assertIsNone(divergences.find("numpy", nan))
        calm = question("ReduceMax", [1, 2], "float32")
        self.assertIsNone(divergences.find("onnxruntime", calm))

    def test_names_every_row_apart(self):
        names = [row.name for row in divergences.DIVERGENCES]
        self.assertEqual(len(set(names)), len(names))


if __name__ == "__main__":
    unittest.main()
