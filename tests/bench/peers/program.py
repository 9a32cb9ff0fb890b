"""Engines that run in a process of their own; methods as measure.py says."""

import os
import subprocess

import numpy as np


class Program:
    """One that speaks as ours.cc says."""

    def __init__(self, name, command, threads, *options):
        self.name = name
        # OpenMP's threads stay where they start, one a core.
        pinned = {"OMP_PROC_BIND": "true", "OMP_PLACES": "cores"}
        self.process = subprocess.Popen(
            [*command, str(threads), *options],
            env=os.environ | (pinned if threads > 1 else {}),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def prepare(self, case):
        self.case = case
        self.result_path = case.path + "." + self.name
        words = [case.operator, case.dtype, case.path, self.result_path]
        numbers = [len(case.shape), *case.shape, len(case.axes), *case.axes]
        return self._ask("case", *words, *numbers) == "ok"

    def run(self, times):
        return float(self._ask("run", times))

    def result(self):
        self._ask("save")
        answer = "int64" if self.case.operator.startswith("Arg") else self.case.data.dtype
        result = np.fromfile(self.result_path, answer)
        os.remove(self.result_path)
        return result

    def close(self):
        self.process.stdin.close()
        self.process.wait()

    def _ask(self, *words):
        print(*words, file=self.process.stdin, flush=True)
        answer = self.process.stdout.readline().strip()
        if not answer:
            raise RuntimeError(f"{self.name} ended at {words}")
        return answer
