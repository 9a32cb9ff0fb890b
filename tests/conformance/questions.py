"""A question: one reduction of one array, as a family and an opset define it.

Whoever answers it finds here which elements fold into each result, so that no
oracle has to work out axes unless that is what it is asked about.
"""

import dataclasses
import functools
import math

import numpy as np

import tensors
from reductor.v1 import reductor_pb2 as pb

# Operators that answer a position, along exactly one axis.
POSITIONS = ("ArgMax", "ArgMin")


@dataclasses.dataclass(frozen=True, eq=False)
class Question:
    operator: str  # The official name: "ReduceL1".
    family: int  # pb.FAMILY_ONNX or pb.FAMILY_OPENVINO.
    opset: int
    data: np.ndarray
    axes: tuple = ()  # As sent: negative ones, in any order.
    keep_dims: bool = False
    noop: bool = False
    select_last: bool = False

    def __str__(self):
        family = pb.Family.Name(self.family).removeprefix("FAMILY_")
        flags = "".join(
            f" {name}"
            for name in ("keep_dims", "noop", "select_last")
            if getattr(self, name)
        )
        return (
            f"{family} {self.opset} {self.operator}"
            f" {self.dtype}{list(self.data.shape)} axes={list(self.axes)}{flags}"
        )

    @property
    def dtype(self):
        return self.data.dtype.name

    @property
    def is_float(self):
        return self.dtype in tensors.FLOATS

    @property
    def is_identity(self):
        """Whether the answer is the tensor itself: OpenVINO's empty axes."""
        return self.family == pb.FAMILY_OPENVINO and not self.axes

    @property
    def result_dtype(self):
        return "int64" if self.operator in POSITIONS else self.dtype

    @functools.cached_property
    def reduced(self):
        """The reduced axes, ascending: () where each element stands alone."""
        rank = self.data.ndim
        if self.axes:
            return tuple(sorted(axis % rank for axis in self.axes))
        if self.operator in POSITIONS:
            return (0,) if rank else ()
        if self.noop or self.is_identity:
            return ()
        return tuple(range(rank))

    @property
    def result_shape(self):
        return tuple(
            1 if axis in self.reduced else extent
            for axis, extent in enumerate(self.data.shape)
            if self.keep_dims or axis not in self.reduced
        )

    @functools.cached_property
    def rows(self):
        """An array with a row for each result, in the results' order: the
        elements that fold into it, in row-major order.
        """
        kept = [a for a in range(self.data.ndim) if a not in self.reduced]
        count = math.prod(self.data.shape[a] for a in kept)
        length = math.prod(self.data.shape[a] for a in self.reduced)
        return self.data.transpose(*kept, *self.reduced).reshape(count, length)

    def wide_row(self, i):
        """A row as Python's own numbers: int, and float, which holds every
        value of the four floating-point types.
        """
        row = self.rows[i]
        return (row.astype(np.float64) if self.is_float else row).tolist()

    @property
    def reduction(self):
        """The question on the wire. False flags stay out: they are defaults,
        except for keep_dims.
        """
        reduction = pb.Reduction(
            operator=tensors.operator_of(self.operator),
            axes=self.axes,
            keep_dims=self.keep_dims,
        )
        if self.family == pb.FAMILY_ONNX:
            reduction.onnx_opset = self.opset
        else:
            reduction.openvino_opset = self.opset
        if self.noop:
            reduction.noop_with_empty_axes = True
        if self.select_last:
            reduction.select_last_index = True
        return reduction
