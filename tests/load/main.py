"""Runs the profiles that are asked for; exits with 1 if any is not as it should
be.
"""

import argparse
import dataclasses
import json
import os
import pathlib
import subprocess
import sys
import tempfile

import profiles
import server
from google.protobuf.internal import encoder


def main():
    arguments = parse()
    wanted = set(arguments.profile) - {"short"}
    short = "short" in arguments.profile
    print(f"{'profile':10}{'calls':>8}{'calls/s':>10}{'p50 ms':>10}{'p99 ms':>10}")
    failures = []
    for profile in profiles.PROFILES:
        if wanted and profile.name not in wanted:
            continue
        if short:
            profile = dataclasses.replace(
                profile,
                calls=profile.calls // 10,
                checks=profile.checks // 10,
                tail=None,
            )
        report, wrong = load(arguments.ghz, profile)
        print(row(profile, report), flush=True)
        failures += [
            f"{profile.name}: {fault}"
            for fault in [*faults(profile, report), *wrong]
        ]
    for failure in failures:
        print(failure)
    return 1 if failures else 0


def parse():
    names = ["short", *(profile.name for profile in profiles.PROFILES)]
    parser = argparse.ArgumentParser(prog="tests/load/run")
    parser.add_argument("--ghz", help=argparse.SUPPRESS)
    parser.add_argument("profile", nargs="*", metavar="|".join(names))
    arguments = parser.parse_args()
    for name in arguments.profile:
        if name not in names:
            parser.error(f"no profile {name}")
    return arguments


def load(ghz, profile):
    """What ghz reports of the profile, run against a server of its own, and what
    `reductor check` found to be wrong meanwhile.
    """
    with (
        tempfile.NamedTemporaryFile() as data,
        server.Server(*profile.flags) as target,
    ):
        for message in profile.messages:
            data.write(delimited(message))
        data.flush()
        with subprocess.Popen(
            command(ghz, profile, data.name, target.address),
            stdout=subprocess.PIPE,
        ) as caller:
            wrong = check(target.address, profile.checks)
            output, _ = caller.communicate()
    if caller.returncode != 0:
        raise RuntimeError(f"ghz ended with {caller.returncode}")
    return json.loads(output), wrong


def check(address, count):
    """What is wrong with the answers to so many random requests."""
    if count == 0:
        return []
    program = pathlib.Path(os.environ["REDUCTORD"]).with_name("reductor")
    checked = subprocess.run(
        [program, "check", "--server", address, "--count", str(count)],
        capture_output=True,
        text=True,
    )
    return [] if checked.returncode == 0 else [checked.stdout + checked.stderr]


def delimited(message):
    """The message behind its length: ghz reads a file as such first, and would
    take the beginning of a message for a length where it happens to fit.
    """
    data = message.SerializeToString()
    return encoder._VarintBytes(len(data)) + data


def command(ghz, profile, data, address):
    return [
        ghz,
        "--insecure",
        f"--call=reductor.v1.ReductionService.{profile.method}",
        f"--binary-file={data}",
        f"--total={profile.calls}",
        f"--concurrency={profile.concurrency}",
        f"--connections={profile.connections}",
        "--timeout=60s",
        # Else percentiles leave out what failed.
        "--count-errors",
        # Else each call would look for templates in its megabytes.
        "--disable-template-functions",
        "--disable-template-data",
        "--format=json",
        address,
    ]


def row(profile, report):
    statuses = ", ".join(
        f"{count} {status}"
        for status, count in sorted(report["statusCodeDistribution"].items())
    )
    return (
        f"{profile.name:10}{report['count']:8}{report['rps']:10.0f}"
        f"{percentile(report, 50):10.2f}{percentile(report, 99):10.2f}"
        f"  {statuses}"
    )


def percentile(report, percentage):
    """In milliseconds; ghz counts nanoseconds."""
    (found,) = [
        entry["latency"]
        for entry in report["latencyDistribution"]
        if entry["percentage"] == percentage
    ]
    return found / 1e6


def faults(profile, report):
    """What is not as it should be, in words."""
    statuses = report["statusCodeDistribution"]
    if sum(statuses.values()) != profile.calls:
        yield f"{sum(statuses.values())} statuses of {profile.calls} calls"
    errors = report.get("errorDistribution") or {}
    if statuses.keys() != profile.statuses:
        expected = ", ".join(sorted(profile.statuses))
        texts = "".join(f"\n  {text}" for text in errors)
        yield f"expected {expected}, got {statuses}{texts}"
    for text, count in errors.items():
        # gRPC's memory quota does so, with a status like that of a refusal.
        if "RST_STREAM" in text:
            yield f"{count} calls were cut off, not refused: {text}"
    tail = percentile(report, 99) / percentile(report, 50)
    if profile.tail is not None and tail > profile.tail:
        yield f"p99 is {tail:.0f} times the median, more than {profile.tail}"


if __name__ == "__main__":
    sys.exit(main())
