"""What is measured: operator x type x layout x size, and the elements."""

import dataclasses
import math
import random

import numpy as np

OPERATORS = [
    "ReduceL1", "ReduceProd", "ReduceSum", "ReduceMean", "ReduceMax", "ReduceMin",
    "ReduceL2", "ReduceSumSquare", "ReduceLogSum", "ReduceLogSumExp", "ArgMax",
    "ArgMin",
]  # fmt: skip
CORE_OPERATORS = ["ReduceL1", "ReduceSum", "ReduceMax", "ArgMax"]
DTYPES = ["float32", "float64", "float16", "int32", "int64", "uint8", "int8"]

# By their names in kernel_bench: -1 is as many as the size allows.
LAYOUTS = {
    "R": ([-1], (0,)),
    "KR2": ([-1, 2], (1,)),
    "KR3": ([-1, 3], (1,)),
    "KR8": ([-1, 8], (1,)),
    "KR17": ([-1, 17], (1,)),
    "KR64": ([-1, 64], (1,)),
    "KR1000": ([-1, 1000], (1,)),
    "KR16384": ([-1, 16384], (1,)),
    "RK3": ([-1, 3], (0,)),
    "RK16": ([-1, 16], (0,)),
    "RK100": ([-1, 100], (0,)),
    "RK1024": ([-1, 1024], (0,)),
    "RK4096": ([-1, 4096], (0,)),
    "RK65536": ([-1, 65536], (0,)),
    "KRK256x4096": ([-1, 256, 4096], (1,)),
    "KRK64x256": ([-1, 64, 256], (1,)),
    "KRK8x8": ([-1, 8, 8], (1,)),
    "RKR": ([-1, 64, 256], (0, 2)),
}
SIZES = {"512KiB": 512 << 10, "8MiB": 8 << 20, "256MiB": 256 << 20}


@dataclasses.dataclass(frozen=True)
class Cell:
    operator: str
    dtype: str
    layout: str
    size: str

    def __str__(self):
        return f"{self.operator}/{self.dtype}/{self.layout}/{self.size}"


@dataclasses.dataclass
class Case:
    """A cell with its elements, which the file `path` holds too."""

    operator: str
    dtype: str
    shape: list
    axes: tuple
    data: np.ndarray
    path: str


def cells(full, sample, seed):
    """All, or every layout and size of the core operators in float32, and a
    sample of the rest.
    """
    every = [
        Cell(operator, dtype, layout, size)
        for operator in OPERATORS
        for dtype in DTYPES
        for layout in LAYOUTS
        for size in SIZES
        if not (operator.startswith("Arg") and layout == "RKR")
    ]
    if full:
        return every
    core = [
        each
        for each in every
        if each.operator in CORE_OPERATORS and each.dtype == "float32"
    ]
    rest = [each for each in every if each not in set(core) and each.size != "256MiB"]
    return core + random.Random(seed).sample(rest, sample)


def case_of(cell, folder):
    shape, axes = LAYOUTS[cell.layout]
    dtype = np.dtype(cell.dtype)
    fixed = math.prod(each for each in shape if each > 0)
    free = max(1, SIZES[cell.size] // dtype.itemsize // fixed)
    shape = [free if each < 0 else each for each in shape]
    path = f"{folder}/elements"
    data = _elements(dtype, math.prod(shape))
    data.tofile(path)
    # The same pages for all engines, as all of them are in the page cache.
    mapped = np.memmap(path, dtype, "c", shape=tuple(shape))
    return Case(cell.operator, cell.dtype, shape, axes, np.asarray(mapped), path)


def _elements(dtype, count):
    """Integers any; floats uniform in magnitude within [0.5, 2), either sign."""
    rng = np.random.default_rng(1)
    if dtype.kind in "iu":
        return np.frombuffer(rng.bytes(count * dtype.itemsize), dtype)
    block = min(count, 1 << 20)
    values = rng.uniform(0.5, 2, block) * rng.choice([-1, 1], block)
    return np.resize(values.astype(dtype), count)
