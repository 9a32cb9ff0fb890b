"""Compares the server's answers to random questions with exact arithmetic, then
with every oracle that can be trusted with them.
"""

import argparse
import collections
import random
import sys
import time

import check
import divergences
import samples
import server
import tensors
import tolerances
import trust
from reductor.v1 import reductor_pb2 as pb

RANKS = range(9)


class Differential:
    """Counts what agrees; keeps what does not.

    `plugin_share`: of what OpenVINO's CPU plugin can be asked, how much is; it
    compiles each question, which takes longer than all the rest.
    """

    def __init__(self, stub, seed, plugin_share=1.0):
        answer = stub.ListOperators(pb.ListOperatorsRequest())
        self._stub = stub
        self._generator = samples.Generator(answer, seed)
        self._random = random.Random(seed)
        self._plugin_share = plugin_share
        self.agreed = collections.Counter()  # By oracle, "exact" among them.
        self.diverged = collections.Counter()  # By row of the table.
        self.faults = []

    def round(self):
        """Asks about a tensor of every type and rank."""
        for dtype in tensors.DTYPES:
            for rank in RANKS:
                sample = self._generator.sample(dtype, rank)
                answers = check.answers(self._stub, sample)
                for pair in zip(sample.questions, answers, strict=True):
                    self._compare(*pair)

    def report(self):
        lines = [f"{n} agree with {oracle}" for oracle, n in self.agreed.items()]
        for (oracle, name), count in sorted(self.diverged.items()):
            lines.append(f"{count} known divergences of {oracle}: {name}")
        return "\n".join(lines)

    def _compare(self, question, answer):
        fault = check.fault_of(question, answer)
        if fault:
            self.faults.append(f"{question}: {fault}")
            return
        self.agreed["exact arithmetic"] += 1
        for oracle in trust.ORACLES:
            is_spared = (
                oracle == "openvino_cpu"
                and self._random.random() >= self._plugin_share
            )
            if trust.is_asked(oracle, question) and not is_spared:
                self._ask(oracle, question, answer)

    def _ask(self, oracle, question, answer):
        try:
            other = trust.ORACLES[oracle](question)
        except Exception as error:  # Each refuses with types of its own.
            said = f"refuses: {error}"
        else:
            if tolerances.agree(question, answer, other):
                self.agreed[oracle] += 1
                return
            said = f"says {other.dtype}{list(other.shape)} {_start_of(other)}"
        known = divergences.find(oracle, question)
        if known:
            self.diverged[oracle, known.name] += 1
            return
        self.faults.append(
            f"{question}: {oracle} {said},"
            f" not {_start_of(answer)}, for {_start_of(question.data)}"
        )


def _start_of(array):
    return array.ravel()[:32].tolist()


def main():
    parser = argparse.ArgumentParser(prog="differential", description=__doc__)
    parser.add_argument("--minutes", type=float, required=True)
    parser.add_argument("--seed", type=int, default=random.getrandbits(32))
    arguments = parser.parse_args()
    print(f"seed {arguments.seed}", flush=True)
    end = time.monotonic() + 60 * arguments.minutes
    with server.Server() as running:
        differential = Differential(running.stub, arguments.seed)
        while time.monotonic() < end and not differential.faults:
            differential.round()
    print(differential.report())
    # An empty text would be a failure, too.
    sys.exit("\n".join(differential.faults) or None)


if __name__ == "__main__":
    main()
