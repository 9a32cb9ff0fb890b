"""Random tensors, and of each one question per operator that takes its type:
axes in any order, counted from either end, and any opset that allows them.
"""

import dataclasses
import math

import numpy as np

import elements
import questions
import tensors
from reductor.v1 import reductor_pb2 as pb

# Extents and how often each occurs. At most LARGEST elements altogether, as
# the exact answers are worked out in plain Python.
EXTENTS = {0: 0.03, 1: 0.2, 2: 0.25, 3: 0.2, 5: 0.12, 9: 0.1, 17: 0.05, 40: 0.05}
LARGEST = 600


@dataclasses.dataclass(frozen=True, eq=False)
class Sample:
    tensor: pb.Tensor
    questions: list


class Generator:
    """Makes samples of what ListOperators says that the server computes."""

    def __init__(self, answer, seed):
        self._rows = answer.operators
        self._newest = {
            pb.FAMILY_ONNX: answer.newest_onnx_opset,
            pb.FAMILY_OPENVINO: answer.newest_openvino_opset,
        }
        self._rng = np.random.default_rng(seed)

    def sample(self, dtype, rank):
        """A random tensor with a question for every operator that takes it."""
        kind = self._rng.choice(elements.kinds_of(dtype))
        data = elements.random_array(self._rng, dtype, self._shape(rank), kind)
        asked = [
            self._question(operator, family, data)
            for operator, family in self.operators_of(dtype)
            if elements.suits(kind, operator, dtype)
        ]
        tensor = elements.wire_tensor(self._rng, data)
        return Sample(tensor, [question for question in asked if question])

    def operators_of(self, dtype):
        """(name, family) of every operator that has a version for a type."""
        data_type = tensors.data_type_of(dtype)
        return sorted(
            {(r.name, r.family) for r in self._rows if data_type in r.data_types}
        )

    def opsets_of(self, operator, family, dtype):
        """Every opset that allows a type: [(opset, names of attributes)]."""
        data_type = tensors.data_type_of(dtype)
        rows = [
            r for r in self._rows if (r.name, r.family) == (operator, family)
        ]
        ends = [r.since_version for r in rows[1:]] + [self._newest[family] + 1]
        return [
            (opset, [a.name for a in row.attributes])
            for row, end in zip(rows, ends, strict=True)
            if data_type in row.data_types
            for opset in range(row.since_version, end)
        ]

    def _shape(self, rank):
        shape = []
        odds = list(EXTENTS.values())
        for extent in self._rng.choice(list(EXTENTS), rank, p=odds).tolist():
            # Without the extents of 0, as an answer may be.
            size = math.prod(filter(None, shape)) * extent
            shape.append(extent if size <= LARGEST else 1)
        return tuple(self._rng.permutation(shape).astype(int).tolist())

    def _question(self, operator, family, data):
        """None if the server refuses whatever could be asked, as a position
        among nothing is.
        """
        is_position = operator in questions.POSITIONS
        opsets = self.opsets_of(operator, family, data.dtype.name)
        if is_position and data.ndim == 0:
            # Later versions have no axis 0 to fall back on.
            opsets = [o for o in opsets if o[0] < 11]
        if not opsets:
            return None
        opset, attributes = opsets[self._rng.integers(len(opsets))]
        noop = "noop_with_empty_axes" in attributes and self._happens(0.4)
        last = "select_last_index" in attributes and self._happens(0.5)
        most = min(1, data.ndim) if is_position else data.ndim
        question = questions.Question(
            operator,
            family,
            opset,
            data,
            axes=() if noop and self._happens(0.5) else self._axes(data.ndim, most),
            keep_dims=self._happens(0.5),
            noop=noop,
            select_last=last,
        )
        if is_position and 0 in (data.shape[a] for a in question.reduced):
            return None
        return question

    def _axes(self, rank, most):
        count = self._rng.integers(0, most + 1)
        chosen = self._rng.permutation(rank)[:count].tolist()
        return tuple(a - (rank if self._happens(0.5) else 0) for a in chosen)

    def _happens(self, probability):
        return bool(self._rng.random() < probability)
