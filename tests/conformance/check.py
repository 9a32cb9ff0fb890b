"""Asks the server a sample's questions, all in one request, and says what is
wrong with an answer by exact arithmetic.
"""

import exact
import tensors
from reductor.v1 import reductor_pb2 as pb


def answers(stub, sample):
    """The arrays that the server answers, one for each question."""
    request = pb.ReduceRequest(
        reductions=[question.reduction for question in sample.questions],
        tensor=sample.tensor,
    )
    return [tensors.to_array(result) for result in stub.Reduce(request).results]


def fault_of(question, answer, results=None):
    """What is wrong with an answer, None if nothing is. `results`: which of
    them to check, by number; all if not told.
    """
    if answer.dtype.name != question.result_dtype:
        return f"its type is {answer.dtype}"
    if answer.shape != question.result_shape:
        return f"its shape is {answer.shape}, not {question.result_shape}"
    if question.is_identity:
        is_unchanged = answer.tobytes() == question.data.tobytes()
        return None if is_unchanged else "the tensor has changed"
    if answer.dtype.name == "bool" and answer.view("uint8").max(initial=0) > 1:
        return "a boolean is neither 0 nor 1"
    got = answer.ravel().tolist()
    for i in range(len(got)) if results is None else results:
        row = question.wide_row(i)
        if not exact.is_right(question, row, got[i]):
            return f"of {row[:32]} it is not {got[i]}"
    return None
