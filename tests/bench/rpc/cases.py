"""What is measured: a goal is a row here."""

import dataclasses

KIB = 1 << 10
MIB = 1 << 20
GIB = 1 << 30

# A small tensor: 24 elements.
SMALL = 96


@dataclasses.dataclass(frozen=True)
class Load:
    """What a client sends; command.h has the meaning of each."""

    bytes: int
    in_flight: int = 1
    connections: int = 1
    kind: str = "unary"


@dataclasses.dataclass(frozen=True)
class Case:
    """One row of the table: `ours` over `theirs` has to be within the goal."""

    id: str
    measure: str  # A function of measures.py.
    load: Load
    peer: str  # A server, or "limit": what R5 allows.
    goal: float | None  # None: nothing is asked.
    at_least: bool = False  # Else at most.


def stream(length):
    return Load(bytes=length, kind="stream")


def concurrently(calls, length):
    """Each over its own connection, as different clients send."""
    return Load(bytes=length, in_flight=calls, connections=calls)


# On both sides of the size from which threads share a tensor (core/reduce.cc),
# each alone and where there are more calls than cores.
THREADED = [
    Load(size, in_flight=calls)
    for calls in (1, 16)
    for size in (1 * MIB, 8 * MIB, 32 * MIB)
]

CASES = [
    Case("R1", "cpu", Load(64 * KIB), "sink", 1.10),
    Case("R1", "cpu", Load(1 * MIB), "sink", 1.10),
    Case("R1", "cpu", Load(16 * MIB), "sink", 1.15),
    Case("R1", "cpu", Load(64 * MIB), "sink", 1.30),
    Case("R1", "cpu", stream(256 * MIB), "sink", 1.10),
    Case("R2", "cpu", Load(SMALL), "sink", 1.30),
    Case("R2", "cpu", Load(SMALL, in_flight=16), "sink", 1.30),
    Case("R3", "cpu", Load(1 * MIB), "stock", 0.50),
    Case("R3", "cpu", Load(16 * MIB), "stock", 0.40),
    Case("R3", "cpu", Load(64 * MIB), "stock", 0.18),
    Case("R3", "cpu", Load(1 * MIB), "flight", 0.40),
    Case("R3", "cpu", Load(16 * MIB), "flight", 0.55),
    Case("R3", "cpu", Load(64 * MIB), "flight", 0.25),
    Case("R3", "cpu", Load(SMALL, in_flight=16), "flight", 0.15),
    Case("R4", "throughput", stream(1 * GIB), "tcp", 0.85, at_least=True),
    Case("R5", "memory", concurrently(1, 64 * MIB), "limit", 1),
    Case("R5", "memory", concurrently(8, 16 * MIB), "limit", 1),
    Case("R5", "memory", concurrently(64, 1 * MIB), "limit", 1),
    Case("R5", "memory", stream(1 * GIB), "limit", 1),
    Case("R6", "throughput", stream(4 * GIB), "flight", 3, at_least=True),
    Case("R6", "memory", stream(4 * GIB), "limit", 1),
    Case("R6", "memory", stream(4 * GIB), "flight", None),
    *(
        Case("K3", "throughput", load, "one_thread", 0.95, at_least=True)
        for load in THREADED
    ),
]
