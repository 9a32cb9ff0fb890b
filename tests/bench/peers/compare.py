"""Two builds of core on random shapes: what a change of the kernels gains and
what it costs elsewhere, and whether a bit of an answer changed.

    git worktree add OTHER COMMIT
    (cd OTHER && cmake --preset release -DREDUCTOR_TESTS=ON &&
      cmake --build --preset release --target peers_ours)
    cmake --build --preset release --target peers_ours
    $(tests/python) tests/bench/peers/compare.py OTHER/build/release/bin/peers_ours build/release/bin/peers_ours

Prints a line for each cell whose time went down by a seventh, up by a
fourteenth, or whose bytes differ; then the geometric mean of old over new.
"""

import argparse
import os
import re
import tempfile

import cases
import measure
import program
import report


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("old", help="the program before the change")
    parser.add_argument("new", help="the program after it")
    parser.add_argument("--shapes", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--isa", default="auto", help="as reductord --isa")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--only", default="", help="cells that match this regex")
    arguments = parser.parse_args()
    if os.path.samefile(arguments.old, arguments.new):
        parser.error("both are one program")
    threads = arguments.threads
    measure.share_cpu(threads)
    # A program of before there was the option takes none.
    isa = [arguments.isa] if arguments.isa != "auto" else []
    old = program.Program("old", [arguments.old], threads, *isa)
    new = program.Program("new", [arguments.new], threads, *isa)
    ratios = []
    # Memory, as a disk's pages would be written back meanwhile.
    with tempfile.TemporaryDirectory(dir="/dev/shm") as folder:
        for cell in cases.random_cells(arguments.shapes, arguments.seed):
            if not re.search(arguments.only, str(cell)):
                continue
            case = cases.case_of(cell, folder)
            if not (old.prepare(case) and new.prepare(case)):
                continue
            seconds = measure.seconds_of([old, new], arguments.rounds, threads)
            is_same = old.result().tobytes() == new.result().tobytes()
            ratio = seconds["old"] / seconds["new"]
            ratios.append(ratio)
            if not 0.93 < ratio < 1.15 or not is_same:
                speeds = [case.data.nbytes / seconds[n] / 1e9 for n in ("old", "new")]
                print(f"{cell} {ratio:.2f}: {speeds[0]:.1f} -> {speeds[1]:.1f} GB/s"
                      f"{'' if is_same else ', DIFFERENT'}", flush=True)  # fmt: skip
    old.close()
    new.close()
    if not ratios:
        parser.error(f"no cell matches --only={arguments.only}")
    print(f"{len(ratios)} cells, geometric mean {report.geometric_mean(ratios):.3f}")


main()
