"""PyTorch, under the Python that Debian built it for: speaks the protocol of
ours.cc. The argument is the number of threads.
"""

import mmap
import sys
import time

import torch

_DTYPES = {
    "bool": torch.bool,
    "bfloat16": torch.bfloat16,
    "float16": torch.float16,
    "float32": torch.float32,
    "float64": torch.float64,
    "int8": torch.int8,
    "int16": torch.int16,
    "int32": torch.int32,
    "int64": torch.int64,
    "uint8": torch.uint8,
}

_norm = torch.linalg.vector_norm


def _logical(function, x, axes):
    """Of one axis, or of all."""
    if len(axes) == x.ndim:
        return function(x)
    return function(x, axes[0]) if len(axes) == 1 else None


_OPERATORS = {
    "ReduceL1": lambda x, axes: (
        _norm(x, 1, axes) if x.is_floating_point() else x.abs().sum(axes)
    ),
    "ReduceL2": lambda x, axes: _norm(x, 2, axes),
    "ReduceSum": lambda x, axes: torch.sum(x, axes),
    "ReduceSumSquare": lambda x, axes: torch.sum(x * x, axes),
    "ReduceMean": lambda x, axes: torch.mean(x, axes),
    "ReduceProd": lambda x, axes: torch.prod(x, axes[0]) if len(axes) == 1 else None,
    "ReduceMax": lambda x, axes: torch.amax(x, axes),
    "ReduceMin": lambda x, axes: torch.amin(x, axes),
    "ReduceLogSum": lambda x, axes: torch.log(torch.sum(x, axes)),
    "ReduceLogSumExp": lambda x, axes: torch.logsumexp(x, axes),
    "ReduceLogicalAnd": lambda x, axes: _logical(torch.all, x, axes),
    "ReduceLogicalOr": lambda x, axes: _logical(torch.any, x, axes),
    "ArgMax": lambda x, axes: torch.argmax(x, axes[0]),
    "ArgMin": lambda x, axes: torch.argmin(x, axes[0]),
}


class Session:
    def set_case(self, operator, dtype, path, result_path, *numbers):
        self.operator = operator
        self.result_path = result_path
        numbers = [int(each) for each in numbers]
        shape, axes = numbers[1 : 1 + numbers[0]], numbers[2 + numbers[0] :]
        if dtype not in _DTYPES or operator not in _OPERATORS:
            return "no"
        with open(path, "r+b") as file:
            elements = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_COPY)
        self.x = torch.frombuffer(elements, dtype=_DTYPES[dtype]).reshape(shape)
        self.reduce = lambda: _OPERATORS[operator](self.x, axes)
        try:
            self.result = self.reduce()
        except RuntimeError:
            return "no"
        return "no" if self.result is None else "ok"

    def run(self, times):
        start = time.perf_counter()
        for _ in range(int(times)):
            self.result = self.reduce()
        return (time.perf_counter() - start) / int(times)

    def save(self):
        result = self.result.reshape(-1).contiguous()
        if not self.operator.startswith("Arg"):
            # It sums integers in int64, and takes their roots as float32.
            result = result.to(self.x.dtype)
        if result.dtype in (torch.float16, torch.bfloat16):
            result = result.view(torch.int16)
        with open(self.result_path, "wb") as file:
            file.write(bytes(result.numpy().data))
        return "ok"


def main():
    torch.set_num_threads(int(sys.argv[1]))
    session = Session()
    commands = {"case": session.set_case, "run": session.run, "save": session.save}
    for line in sys.stdin:
        command, *arguments = line.split()
        print(commands[command](*arguments), flush=True)


main()
