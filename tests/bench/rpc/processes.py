"""The servers and clients of the bench: processes of its own on free ports of
this machine, ended with it.
"""

import json
import os
import pathlib
import subprocess
import tempfile
import time


# Ours, by the flags that each adds.
REDUCTORDS = {"reductord": [], "one_thread": ["--threads=1"]}


class Server:
    """A server, in a `with`: one of REDUCTORDS, "sink", "stock", "flight" or
    "tcp".
    """

    def __init__(self, programs, name):
        self._log = tempfile.TemporaryFile()
        if name in REDUCTORDS:
            # Its log goes to a file, as under most supervisors.
            self._process = subprocess.Popen(
                [
                    programs / "reductord",
                    "--listen=127.0.0.1:0",
                    "--log-level=info",
                    *REDUCTORDS[name],
                ],
                # Without what would be flags of it.
                env={
                    name: value
                    for name, value in os.environ.items()
                    if not name.startswith("REDUCTOR_")
                },
                stderr=self._log,
            )
            self.address = self._await_address()
        else:
            self._process = subprocess.Popen(
                [programs / f"bench_{name}_server"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
            )
            self.address = self._process.stdout.readline().strip()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._process.kill()
        self._process.wait()
        self._log.close()

    def cpu_seconds(self):
        """The time that all its threads have run, ended ones included.

        The clock of clock_getcpuclockid(3), which counts nanoseconds where
        /proc/PID/stat counts ticks of 10 ms.
        """
        return time.clock_gettime((~self._process.pid << 3) | 2)

    def peak_bytes(self):
        """The most memory that it has held."""
        status = pathlib.Path(f"/proc/{self._process.pid}/status").read_text()
        (line,) = [x for x in status.splitlines() if x.startswith("VmHWM:")]
        return int(line.split()[1]) * 1024

    def _await_address(self):
        while self._process.poll() is None:
            for line in pathlib.Path(
                f"/proc/self/fd/{self._log.fileno()}"
            ).read_text().splitlines():
                if '"listening"' in line:
                    return json.loads(line)["addresses"][0]
            time.sleep(0.01)
        raise RuntimeError("reductord did not start")


class Client:
    """A client, in a `with`: "grpc", "flight" or "tcp"."""

    def __init__(self, programs, name):
        self._process = subprocess.Popen(
            [programs / f"bench_{name}_client"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._process.kill()
        self._process.wait()

    def run(self, address, load, seconds):
        """Runs the load for so long; (calls, seconds). Raises Refused."""
        print(
            load.kind,
            address,
            load.bytes,
            load.in_flight,
            load.connections,
            seconds,
            file=self._process.stdin,
            flush=True,
        )
        answer = self._process.stdout.readline()
        if not answer or answer.startswith("error "):
            raise Refused(answer.removeprefix("error ").strip())
        calls, took = answer.split()
        return int(calls), float(took)


class Refused(Exception):
    """The server did not serve the load; the text says why."""
