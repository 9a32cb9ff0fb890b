"""What the server is loaded with. To add a profile: a row here."""

import dataclasses

import numpy as np

from reductor.v1 import reductor_pb2 as pb

KIB = 1 << 10
MIB = 1 << 20


@dataclasses.dataclass(frozen=True)
class Profile:
    """Calls of one method, and what may come of them."""

    name: str
    messages: list  # Unary: taken in turn. A stream sends all of them.
    calls: int
    concurrency: int
    connections: int
    method: str = "Reduce"
    flags: tuple = ()  # Of the server, beside its defaults.
    statuses: frozenset = frozenset({"OK"})  # Each occurs; no other does.
    # So many random requests of `reductor check` meanwhile, whose answers are
    # compared with its own: a status tells nothing of an answer.
    checks: int = 0
    # The most that the 99th percentile may be of the median; None: it is not
    # judged. Generous: server and client share the machine with whatever runs.
    tail: float | None = 20


def _elements(size):
    return (np.arange(size // 4) % 1000 - 300).astype("<f4")


def _reductions(axes):
    return [
        pb.Reduction(operator=pb.OPERATOR_REDUCE_L1, axes=axes),
        pb.Reduction(operator=pb.OPERATOR_REDUCE_MAX, axes=axes),
    ]


def request(size):
    """Two reductions of a matrix of so many bytes, along its columns.

    The answers stay within HTTP/2's first window, 64 KiB. When grpc-go, on
    which ghz stands, widens its windows, it can forget the wider one for a call
    that opens at that moment, and then cuts it off for an answer that is within
    what it had announced (INTERNAL "unexpected EOF"; 1.45 and 1.56 do so).
    """
    return pb.ReduceRequest(
        reductions=_reductions([0]),
        tensor=pb.Tensor(
            data_type=pb.DATA_TYPE_FLOAT32,
            shape=[size // 32, 8],
            data=_elements(size).tobytes(),
        ),
    )


def stream(size, piece):
    """The same of a tensor that comes in pieces, reduced to two numbers."""
    header = pb.ReduceStreamHeader(
        reductions=_reductions([]),
        data_type=pb.DATA_TYPE_FLOAT32,
        shape=[size // 4],
    )
    data = pb.ReduceStreamRequest(data=_elements(piece).tobytes())
    return [pb.ReduceStreamRequest(header=header)] + [data] * (size // piece)


PROFILES = [
    Profile("small", [request(96)], calls=40000, concurrency=32, connections=4),
    Profile("1mib", [request(MIB)], calls=2000, concurrency=8, connections=4),
    Profile(
        "mixed",
        [request(size) for size in (96, 4 * KIB, 64 * KIB, MIB, 4 * MIB)],
        calls=2000,
        concurrency=16,
        connections=8,
        checks=1000,
        tail=None,  # Of one size, not of five.
    ),
    Profile(
        "stream",
        stream(16 * MIB, MIB),
        calls=200,
        concurrency=4,
        connections=4,
        method="ReduceStream",
    ),
    # Room for a few of many: the others are refused, and nothing else happens.
    Profile(
        "overload",
        [request(MIB)],
        calls=2000,
        concurrency=64,
        connections=8,
        flags=("--memory-budget=67108864", "--admission-wait=1ms"),
        statuses=frozenset({"OK", "ResourceExhausted"}),
        tail=None,  # Refusals are quick, waiting is not.
    ),
]
