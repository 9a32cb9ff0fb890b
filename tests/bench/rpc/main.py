"""Measures the cases that are asked for and prints their table as it grows."""

import argparse
import datetime
import os
import pathlib
import platform
import shlex
import sys

import cases
import measures
import processes
import report

BENCH = pathlib.Path(__file__).resolve().parents[1]
BEGIN = "<!-- tests/bench/rpc_bench -->\n"
END = "<!-- end of tests/bench/rpc_bench -->\n"


def main():
    # The launcher names the programs, people the rest.
    options = sys.argv[3:]
    arguments = parse()
    quick = arguments.quick
    settings = measures.Settings(
        programs=arguments.programs,
        rounds=3 if quick else 11,
        seconds=0.2 if quick else 0.6,
        servers=1 if quick else 3,
    )
    chosen = [
        case
        for case in cases.CASES
        if not arguments.only or case.id in arguments.only
    ]
    busy_before = os.getloadavg()[0]
    print(report.HEADER, report.RULE, sep="\n", flush=True)
    results = []
    for case in chosen:
        results.append((case, measure(case, settings)))
        print(report.row(*results[-1]), flush=True)
    introduction = conditions(options, busy_before)
    print(f"\n{introduction}")
    if arguments.record:
        record(introduction, results)


def parse():
    parser = argparse.ArgumentParser(prog="tests/bench/rpc_bench")
    parser.add_argument("--programs", type=pathlib.Path, help=argparse.SUPPRESS)
    parser.add_argument(
        "--quick", action="store_true", help="fewer and shorter rounds"
    )
    parser.add_argument(
        "--only",
        type=lambda text: text.split(","),
        help="the goals to measure, such as R1,R3",
    )
    parser.add_argument(
        "--record", action="store_true", help="write the results to RESULTS.md"
    )
    arguments = parser.parse_args()
    unknown = set(arguments.only or []) - {case.id for case in cases.CASES}
    if unknown:
        parser.error(f"no such goal: {', '.join(sorted(unknown))}")
    if arguments.only and arguments.record:
        parser.error("RESULTS.md holds all goals, not some")
    return arguments


def measure(case, settings):
    try:
        return getattr(measures, case.measure)(case, settings)
    except processes.Refused as refused:
        return str(refused)


def conditions(options, busy_before):
    """Where and how this was measured, and how busy the machine was."""
    model = platform.machine()
    for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            model = line.split(":")[1].strip()
            break
    return (
        f"{datetime.date.today()}, {model}, {os.cpu_count()} cores shared by"
        f" server and client, load average {busy_before:.1f} before and"
        f" {os.getloadavg()[0]:.1f} after. `{shlex.join(['tests/bench/rpc_bench', *options])}`"
    )


def record(introduction, results):
    (BENCH / "rpc.svg").write_text(report.plot(results))
    table = [report.HEADER, report.RULE, *(report.row(*x) for x in results)]
    section = "\n".join([introduction, "", *table, "", "![](rpc.svg)", ""])
    path = BENCH / "RESULTS.md"
    before, rest = path.read_text().split(BEGIN)
    _, after = rest.split(END)
    path.write_text(f"{before}{BEGIN}{section}{END}{after}")


if __name__ == "__main__":
    main()
