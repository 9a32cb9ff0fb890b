"""Asks the server a sample's questions, all in one request, and says what is
wrong with an answer by exact arithmetic.
"""

import random

import exact
import tensors
from reductor.v1 import reductor_pb2 as pb


def answers(stub, sample):
    """The arrays that the server answers, one for each question: of a stream,
    however it is cut, the same ones, or this raises.
    """
    reductions = [question.reduction for question in sample.questions]
    request = pb.ReduceRequest(reductions=reductions, tensor=sample.tensor)
    results = list(stub.Reduce(request).results)
    for question, whole, streamed in zip(
        sample.questions, results, _streamed(stub, request), strict=True
    ):
        if streamed != whole:
            raise AssertionError(f"{question}: by a stream it is another one")
    return [tensors.to_array(result) for result in results]


def _streamed(stub, request):
    """The results of a request that is sent in pieces."""
    results = []
    for response in stub.ReduceStream(_pieces_of(request)):
        if response.WhichOneof("part") == "results":
            results.extend(response.results.results)
        else:
            results[response.piece.reduction].data += response.piece.data
    return results


def _pieces_of(request):
    tensor = request.tensor
    header = pb.ReduceStreamHeader(
        reductions=request.reductions, data_type=tensor.data_type, shape=tensor.shape
    )
    yield pb.ReduceStreamRequest(header=header)
    size = len(tensor.data)
    # The same of the same tensor, so that a failure comes again.
    chance = random.Random(size)
    cuts = sorted(chance.randint(0, size) for _ in range(chance.randint(0, 5)))
    for begin, end in zip([0, *cuts], [*cuts, size]):
        yield pb.ReduceStreamRequest(data=tensor.data[begin:end])


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
