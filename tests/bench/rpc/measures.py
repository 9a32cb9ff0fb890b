"""How a case is measured. What is compared runs in turn, on servers of its own,
so that whatever else the machine does meets both; medians are judged.
"""

import contextlib
import dataclasses
import statistics

import cases
import processes


@dataclasses.dataclass(frozen=True)
class Settings:
    programs: object  # The folder of the built programs.
    rounds: int
    seconds: float  # Of one batch of calls.
    servers: int  # Started for one peak of memory.


@dataclasses.dataclass(frozen=True)
class Result:
    ours: float
    theirs: float
    ratio: float  # The median of the rounds' own.


def cpu(case, settings):
    """CPU seconds of the server for a call."""
    return _in_turn(case, settings, _cpu_of_a_call)


def throughput(case, settings):
    """Bytes of tensors in a second, by the clock on the wall."""
    return _in_turn(case, settings, _bytes_in_a_second)


def memory(case, settings):
    """The peak of a server that has served nothing but this load, once; the
    highest of some servers, for it goes with how far the client is ahead.
    """

    def highest(server):
        return max(
            _peak_bytes(case.load, settings, server)
            for _ in range(settings.servers)
        )

    ours = highest("reductord")
    if case.peer == "limit":
        theirs = _limit_bytes(case.load)
    else:
        theirs = highest(case.peer)
    return Result(ours, theirs, ours / theirs)


def _in_turn(case, settings, measure):
    with contextlib.ExitStack() as stack:
        sides = [
            _Side(settings, name, stack) for name in ("reductord", case.peer)
        ]
        for side in sides:  # Connections, allocators, caches.
            side.run(case.load, settings.seconds)
        rounds = []
        for i in range(settings.rounds):
            order = (0, 1) if i % 2 == 0 else (1, 0)
            values = {}
            for which in order:
                values[which] = measure(
                    sides[which], case.load, settings.seconds
                )
            rounds.append((values[0], values[1]))
    return Result(
        ours=statistics.median(ours for ours, _ in rounds),
        theirs=statistics.median(theirs for _, theirs in rounds),
        ratio=statistics.median(ours / theirs for ours, theirs in rounds),
    )


class _Side:
    """A server and the client that its protocol needs."""

    def __init__(self, settings, name, stack):
        client = name if name in ("flight", "tcp") else "grpc"
        self.server = stack.enter_context(
            processes.Server(settings.programs, name)
        )
        self._client = stack.enter_context(
            processes.Client(settings.programs, client)
        )

    def run(self, load, seconds):
        return self._client.run(self.server.address, load, seconds)


def _cpu_of_a_call(side, load, seconds):
    before = side.server.cpu_seconds()
    calls, _ = side.run(load, seconds)
    return (side.server.cpu_seconds() - before) / calls


def _bytes_in_a_second(side, load, seconds):
    calls, took = side.run(load, seconds)
    return calls * load.bytes / took


def _peak_bytes(load, settings, name):
    with contextlib.ExitStack() as stack:
        side = _Side(settings, name, stack)
        side.run(load, 0)
        return side.server.peak_bytes()


def _limit_bytes(load):
    if load.kind == "stream":
        return 64 * cases.MIB
    return 40 * cases.MIB + 1.1 * load.bytes * load.in_flight
