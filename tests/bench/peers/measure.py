"""Engines in turn on the same elements, each with the same three methods.

prepare(case) says whether it has the reduction; run(times) gives the seconds of
one of so many runs; result() gives what the last one answered, as an array.
"""

import os
import random
import statistics

# One measurement of a fast reduction is as many runs as take this long.
_SHORTEST_SECONDS = 2e-3


def share_cpu(threads):
    """Has all engines with one thread run on one CPU, those of their own process
    too if it is begun later: the CPUs of a shared machine are not equally fast.
    """
    if threads == 1:
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})


def seconds_of(engines, rounds):
    """The median seconds of each of them, which are prepared, by its name. Each
    round asks all of them, in an order of its own.
    """
    times, seconds = {}, {}
    for engine in engines:
        engine.run(1)
        once = max(engine.run(1), 1e-9)
        times[engine.name] = max(1, min(1000, round(_SHORTEST_SECONDS / once)))
        seconds[engine.name] = []
    for _ in range(rounds):
        for engine in random.sample(engines, len(engines)):
            seconds[engine.name].append(engine.run(times[engine.name]))
    return {name: statistics.median(s) for name, s in seconds.items()}
