"""Compares reductor's core with what users would call instead, on the same
elements and as many threads; see run.
"""

import argparse
import datetime
import importlib.metadata
import json
import os
import pathlib
import platform
import re
import shlex
import sys
import tempfile

import accuracy
import cases
import engines
import measure
import program
import report

RESULTS = pathlib.Path(__file__).parents[1] / "RESULTS.md"
MARKS = ("<!-- tests/bench/peers/run -->", "<!-- end of tests/bench/peers/run -->")


def record(arguments, text, rows):
    cpu = re.search(r"model name\s*: (.*)", pathlib.Path("/proc/cpuinfo").read_text())
    versions = ", ".join(
        f"{name} {importlib.metadata.version(name)}"
        for name in ("numpy", "onnxruntime", "openvino")
    )
    where = (
        f"{cpu[1] if cpu else platform.machine()}, {os.cpu_count()} CPUs, "
        f"{datetime.date.today()}; {versions}"
    )
    command = shlex.join(["tests/bench/peers/run", *arguments])
    picture = "peers.svg"
    (RESULTS.parent / picture).write_text(report.heat_map_of(rows))
    body = f"`{command}` on {where}.\n\n![]({picture})\n\n{text}\n"
    old = RESULTS.read_text()
    before, after = old.split(MARKS[0])[0], old.split(MARKS[1])[1]
    RESULTS.write_text(f"{before}{MARKS[0]}\n{body}{MARKS[1]}{after}")


def main():
    parser = argparse.ArgumentParser(prog="tests/bench/peers/run", description=__doc__)
    parser.add_argument("--programs", required=True, help=argparse.SUPPRESS)
    parser.add_argument("--full", action="store_true", help="every cell: hours")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--isa", default="auto", help="as reductord --isa: ours")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--sample", type=int, default=40, help="cells beside the core")
    parser.add_argument("--shapes", type=int, help="so many cells of random shapes")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--floats", choices=cases.FLOATS, default="any",
                        help="what elements of float types are")  # fmt: skip
    parser.add_argument("--only", default="", help="cells that match this regex")
    parser.add_argument("--record", action="store_true", help="into RESULTS.md")
    parser.add_argument("--json", help="write the rows to this file")
    arguments = parser.parse_args()
    if arguments.shapes and arguments.record:
        parser.error("RESULTS.md holds the grid, not random shapes")
    if arguments.floats != "any" and arguments.record:
        parser.error("RESULTS.md holds any floats, not special ones")
    if arguments.only and arguments.record:
        parser.error("RESULTS.md holds the whole grid, not some cells")
    build = arguments.programs
    torch = pathlib.Path(__file__).with_name("torch_engine.py")
    threads, isa = arguments.threads, arguments.isa
    measure.share_cpu(threads)
    programs = [
        program.Program("ours", [f"{build}/bin/peers_ours"], threads, isa),
        program.Program("torch", ["/usr/bin/python3", "-B", str(torch)], threads),
    ]
    all_engines = [
        *programs,
        engines.Eigen(threads, f"{build}/lib/libpeers_eigen.so"),
        engines.Numpy(threads),
        engines.OnnxRuntime(threads),
        engines.OpenVino(threads),
    ]
    if arguments.shapes:
        cells = cases.random_cells(arguments.shapes, arguments.seed)
    else:
        cells = cases.cells(arguments.full, arguments.sample, arguments.seed)
    rows = []
    # Memory, as a disk's pages would be written back meanwhile.
    with tempfile.TemporaryDirectory(dir="/dev/shm") as folder:
        for cell in cells:
            if not re.search(arguments.only, str(cell)):
                continue
            case = cases.case_of(cell, folder, arguments.floats)
            ready = [each for each in all_engines if each.prepare(case)]
            if programs[0] not in ready:
                continue
            seconds = measure.seconds_of(ready, arguments.rounds, threads)
            errors = {each.name: accuracy.error_of(case, each.result()) for each in ready}
            row = {"cell": str(cell), "bytes": case.data.nbytes, "seconds": seconds,
                   "errors": errors}  # fmt: skip
            rows.append(row)
            print(report.table_of([row]).splitlines()[-1], flush=True)
    for each in programs:
        each.close()
    if not rows:
        parser.error(f"no cell matches --only={arguments.only}")
    if arguments.json:
        pathlib.Path(arguments.json).write_text(json.dumps(rows))
    text = f"{report.summary_of(rows)}.\n\n{report.table_of(rows)}"
    print(text)
    if arguments.record:
        shown = ["--full"] if arguments.full else []
        for name in ("threads", "isa", "rounds", "sample", "seed"):
            value = getattr(arguments, name)
            if value != parser.get_default(name):
                shown.append(f"--{name}={value}")
        record(shown, text, rows)
    wrong = [row["cell"] for row in rows if report.is_wrong(row)]
    if wrong:
        sys.exit(f"ours is wrong: {', '.join(wrong)}")


main()
