"""Compares reductor's core with what users would call instead, on the same
elements and as many threads; see run.
"""

import argparse
import json
import os
import pathlib
import platform
import random
import re
import statistics
import tempfile

import cases
import engines
import exact
import report

RESULTS = pathlib.Path(__file__).parents[1] / "RESULTS.md"
MARKS = ("<!-- tests/bench/peers/run -->", "<!-- end of tests/bench/peers/run -->")

# One measurement of a fast reduction is as many runs as take this long.
_SHORTEST_SECONDS = 2e-3


def measure(case, all_engines, rounds):
    """The median seconds and the error of each engine that has the reduction.
    Each round asks all of them, in an order of its own.
    """
    ready = [each for each in all_engines if each.prepare(case)]
    times, seconds, errors = {}, {}, {}
    for engine in ready:
        engine.run(1)
        once = max(engine.run(1), 1e-9)
        times[engine.name] = max(1, min(1000, round(_SHORTEST_SECONDS / once)))
        seconds[engine.name] = []
    for _ in range(rounds):
        for engine in random.sample(ready, len(ready)):
            seconds[engine.name].append(engine.run(times[engine.name]))
    for engine in ready:
        errors[engine.name] = exact.error_of(case, engine.result())
    return {name: statistics.median(s) for name, s in seconds.items()}, errors


def record(arguments, text, rows):
    cpu = re.search(r"model name\s*: (.*)", pathlib.Path("/proc/cpuinfo").read_text())
    where = f"{cpu[1]}, {len(os.sched_getaffinity(0))} CPUs, {platform.libc_ver()[1]}"
    command = f"tests/bench/peers/run {' '.join(arguments)}".strip()
    picture = "peers.svg"
    (RESULTS.parent / picture).write_text(report.heat_map_of(rows))
    body = f"`{command}` on {where}.\n\n![]({picture})\n\n{text}\n"
    old = RESULTS.read_text()
    before, after = old.split(MARKS[0])[0], old.split(MARKS[1])[1]
    RESULTS.write_text(f"{before}{MARKS[0]}\n{body}{MARKS[1]}{after}")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--programs", required=True, help="the build directory")
    parser.add_argument("--full", action="store_true", help="every cell: hours")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--sample", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", help="cells that match this regex")
    parser.add_argument("--record", action="store_true", help="into RESULTS.md")
    parser.add_argument("--json", help="write the rows to this file")
    arguments = parser.parse_args()
    build = arguments.programs
    torch = pathlib.Path(__file__).with_name("torch_engine.py")
    threads = arguments.threads
    programs = [
        engines.Program("ours", [f"{build}/bin/peers_ours"], threads),
        engines.Program("torch", ["/usr/bin/python3", "-B", str(torch)], threads),
    ]
    all_engines = [
        *programs,
        engines.Eigen(threads, f"{build}/lib/libpeers_eigen.so"),
        engines.Numpy(threads),
        engines.OnnxRuntime(threads),
        engines.OpenVino(threads),
    ]
    rows = []
    # Memory, as a disk's pages would be written back meanwhile.
    with tempfile.TemporaryDirectory(dir="/dev/shm") as folder:
        for cell in cases.cells(arguments.full, arguments.sample, arguments.seed):
            if not re.search(arguments.only, str(cell)):
                continue
            case = cases.case_of(cell, folder)
            seconds, errors = measure(case, all_engines, arguments.rounds)
            if "ours" not in seconds:
                continue
            row = {"cell": str(cell), "bytes": case.data.nbytes, "seconds": seconds,
                   "errors": errors}  # fmt: skip
            rows.append(row)
            print(report.table_of([row]).splitlines()[-1], flush=True)
    for program in programs:
        program.close()
    if arguments.json:
        pathlib.Path(arguments.json).write_text(json.dumps(rows))
    text = f"{report.summary_of(rows)}.\n\n{report.table_of(rows)}"
    print(text)
    if arguments.record:
        shown = [f"--threads={threads}"] if threads != 1 else []
        record(shown + (["--full"] if arguments.full else []), text, rows)


main()
