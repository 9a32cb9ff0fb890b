"""What is measured: operator x type x layout x size, and the elements."""

import dataclasses
import math
import random
import re

import ml_dtypes  # Makes "bfloat16" a dtype that numpy knows by name.
import numpy as np

OPERATORS = [
    "ReduceL1", "ReduceProd", "ReduceSum", "ReduceMean", "ReduceMax", "ReduceMin",
    "ReduceL2", "ReduceSumSquare", "ReduceLogSum", "ReduceLogSumExp", "ArgMax",
    "ArgMin",
]  # fmt: skip
CORE_OPERATORS = ["ReduceL1", "ReduceSum", "ReduceMax", "ArgMax"]
DTYPES = ["float32", "float64", "float16", "int32", "int64", "uint8", "int8"]
MORE_DTYPES = [*DTYPES, "int16", "uint16", "uint32", "uint64", "bfloat16"]
LOGICAL_OPERATORS = ["ReduceLogicalAnd", "ReduceLogicalOr"]

# As kernel_bench names them.
LAYOUTS = [
    "R", "KR2", "KR3", "KR8", "KR17", "KR64", "KR1000", "KR16384", "RK3", "RK16",
    "RK100", "RK1024", "RK4096", "RK65536", "KRK256x4096", "KRK64x256", "KRK8x8",
    "RKR64x256",
]  # fmt: skip
SIZES = {"512KiB": 512 << 10, "8MiB": 8 << 20, "256MiB": 256 << 20}


def _every(step, special):
    def made(values, dtype):
        values[::step] = special
        return values

    return made


# What floats of a type are, made of those of magnitudes within [0.5, 2) and either
# sign: some CPUs are slower with special values, and so may loops be that want to
# answer them right.
FLOATS = {
    "any": lambda values, dtype: values,
    "relu": lambda values, dtype: np.maximum(values, 0),
    "zeros": lambda values, dtype: 0 * values,
    "infinities": _every(1000, np.inf),
    "nans": _every(1000, np.nan),
    "subnormals": lambda values, dtype: values / 4 * float(ml_dtypes.finfo(dtype).tiny),
}


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
        if not (operator.startswith("Arg") and layout.count("R") > 1)
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


def random_cells(count, seed):
    """Cells of any operator and type, of one to five dims whose extents go from
    2 to 60,000, small ones as likely as large ones.
    """
    draw = random.Random(seed)

    def extent(most):
        return round(math.exp(draw.uniform(math.log(2), math.log(most))))

    def nest(dims):
        extents = [extent(2 * 60000 ** (1 / (len(dims) - 1))) for _ in dims[1:]]
        return dims + "x".join(map(str, extents))

    def layout(operator):
        rows = extent(1000)
        slabs = f"KRK{rows}x{extent(max(3, 60000 // rows))}"
        layouts = ["R", f"KR{extent(60000)}", f"RK{extent(60000)}", slabs, slabs]
        if not operator.startswith("Arg"):
            layouts += map(nest, ["RKR", draw.choice(["RKRK", "KRKR", "KRKRK", "RKRKR"])])
        return draw.choice(layouts)

    def cell():
        operator = draw.choice([*OPERATORS, *LOGICAL_OPERATORS])
        dtypes = [] if operator in LOGICAL_OPERATORS else MORE_DTYPES
        if operator in ["ReduceMax", "ReduceMin", *LOGICAL_OPERATORS]:
            dtypes = [*dtypes, "bool"]
        return Cell(operator, draw.choice(dtypes), layout(operator),
                    draw.choice(["512KiB", "8MiB"]))  # fmt: skip

    return [cell() for _ in range(count)]


def _shape_of(layout):
    """Its dims and axes; the first dim, -1, is as many as the size allows."""
    letters, extents = re.fullmatch(r"([KR]+)([0-9x]*)", layout).groups()
    shape = [-1, *map(int, extents.split("x") if extents else [])]
    return shape, tuple(d for d, letter in enumerate(letters) if letter == "R")


def case_of(cell, folder, floats="any"):
    shape, axes = _shape_of(cell.layout)
    dtype = np.dtype(cell.dtype)
    fixed = math.prod(each for each in shape if each > 0)
    free = max(1, SIZES[cell.size] // dtype.itemsize // fixed)
    shape = [free if each < 0 else each for each in shape]
    path = f"{folder}/elements"
    data = _elements(dtype, math.prod(shape), floats)
    data.tofile(path)
    # The same pages for all engines, as all of them are in the page cache.
    mapped = np.memmap(path, dtype, "c", shape=tuple(shape))
    return Case(cell.operator, cell.dtype, shape, axes, np.asarray(mapped), path)


def _elements(dtype, count, floats):
    """Integers any that are odd, and not the largest of their type, so that none
    ends a reduction; floats uniform in magnitude within [0.5, 2), either sign, or
    what FLOATS makes of these; bools whether such floats are positive.
    """
    rng = np.random.default_rng(1)
    if dtype.kind in "iu":
        values = np.frombuffer(rng.bytes(count * dtype.itemsize), dtype) | 1
        return np.minimum(values, np.iinfo(dtype).max - 2)
    block = min(count, 1 << 20)
    values = rng.uniform(0.5, 2, block) * rng.choice([-1, 1], block)
    if dtype.kind == "b":
        return np.resize(FLOATS[floats](values, np.dtype("float32")) > 0, count)
    return np.resize(FLOATS[floats](values, dtype).astype(dtype), count)
