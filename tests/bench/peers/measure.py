"""Engines in turn on the same elements, each with the same three methods.

prepare(case) says whether it has the reduction; run(times) gives the seconds of
one of so many runs; result() gives what the last one answered, as an array.
"""

import os
import random
import statistics
import time

# One measurement of a fast reduction is as many runs as take this long.
_SHORTEST_SECONDS = 2e-3

# What takes so many times as long as the fastest, and longer than a measurement,
# is not asked again: it is nobody's choice, and a reduction of 256 MiB takes some
# engines five seconds. One of a microsecond passes for slow by any interrupt.
_HOPELESS = 20

# Nor is what takes so long.
_ASKED_ONCE_SECONDS = 1

# So long the threads of some engines look for more work, on the CPUs of the next
# one (the largest of 8 MiB by two threads of ours: 65 to 90 GB/s beside ONNX
# Runtime and PyTorch, 130 after a pause).
_SETTLING_SECONDS = 10e-3
# ONNX Runtime's threads are this process's, and look for 35 ms after some kernels;
# Linux gives their CPUs to nobody else meanwhile (any int64 sum of 8 MiB by two
# threads of ours: 30 GB/s beside them, 55 after them). They sleep once this process
# takes less than a tenth of a CPU. At most so long is waited.
_MOST_SETTLING_SECONDS = 200e-3


def share_cpu(threads):
    """Has all engines with one thread run on one CPU, those of their own process
    too if it is begun later: the CPUs of a shared machine are not equally fast.
    """
    if threads == 1:
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})


def _once(engine):
    """The seconds of a run that is not the first, which is slower, and may fall
    into a pause of the whole machine, so that its engine would pass for hopeless;
    but one of seconds is not asked again.
    """
    first = engine.run(1)
    return first if first > _ASKED_ONCE_SECONDS else max(engine.run(1), 1e-9)


def _settle(engine, once):
    """Waits for the threads of others to sleep, and wakes those of this one."""
    for _ in range(round(_MOST_SETTLING_SECONDS / _SETTLING_SECONDS)):
        worked = time.process_time()
        time.sleep(_SETTLING_SECONDS)
        if time.process_time() - worked < _SETTLING_SECONDS / 10:
            break
    if once < _SHORTEST_SECONDS:
        engine.run(1)


def seconds_of(engines, rounds, threads):
    """The median seconds of each of them, which are prepared, by its name. Each
    round asks all but the hopeless, in an order of its own.
    """
    once = {engine.name: _once(engine) for engine in engines}
    hopeless = max(_SHORTEST_SECONDS, _HOPELESS * min(once.values()))
    for engine in engines:
        if hopeless <= once[engine.name] < _ASKED_ONCE_SECONDS:
            # That may have been a pause of the machine.
            again = max(engine.run(1), 1e-9)
            once[engine.name] = min(once[engine.name], again)
    asked = [engine for engine in engines if once[engine.name] < hopeless]
    # Once more: whoever came first has found the elements in no cache, and would
    # be asked for half as many runs as the others, each time from colder caches
    # (8 MiB by four processes of ours: the first 4 to 8 % behind the last, so
    # 2 %).
    once |= {engine.name: min(once[engine.name], _once(engine)) for engine in asked}
    seconds = {name: [] if s < hopeless else [s] for name, s in once.items()}
    for _ in range(rounds):
        for engine in random.sample(asked, len(asked)):
            if threads > 1:
                _settle(engine, once[engine.name])
            times = max(1, min(1000, round(_SHORTEST_SECONDS / once[engine.name])))
            seconds[engine.name].append(engine.run(times))
    return {name: statistics.median(s) for name, s in seconds.items()}
