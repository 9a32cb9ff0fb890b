"""A reductord of a test's own: on a free port of this machine, stopped and
checked at the end.
"""

import json
import os
import signal
import subprocess
import threading
import unittest

import grpc

from reductor.v1 import reductor_pb2_grpc


class Server:
    """Runs the program that the environment's REDUCTORD names, in a `with`,
    with these flags beside its address.

    Leaving the `with` asks it to stop and raises if it does not end well.
    """

    def __init__(self, *flags):
        self._flags = flags

    def __enter__(self):
        self._process = subprocess.Popen(
            [os.environ["REDUCTORD"], "--listen=127.0.0.1:0", *self._flags],
            env=_environment(),
            stderr=subprocess.PIPE,
            text=True,
        )
        self._log = []
        self.address = self._await_address()
        # Somebody has to read on, or the server blocks once the pipe is full;
        # a daemon, or a test that dies on its way to the end would not end.
        self._reader = threading.Thread(target=self._read_log, daemon=True)
        self._reader.start()
        # The largest tensors here are beyond gRPC's default of 4 MiB.
        self._channel = grpc.insecure_channel(
            self.address,
            options=[
                ("grpc.max_receive_message_length", -1),
                ("grpc.max_send_message_length", -1),
            ],
        )
        self.stub = reductor_pb2_grpc.ReductionServiceStub(self._channel)
        return self

    def __exit__(self, *_):
        self._channel.close()
        self._process.send_signal(signal.SIGTERM)
        exit_code = self._process.wait()
        self._reader.join()
        if exit_code != 0:
            raise RuntimeError(
                f"reductord ended with {exit_code}:\n{''.join(self._log)}"
            )

    def _await_address(self):
        for line in self._process.stderr:
            self._log.append(line)
            # A sanitizer's report is no JSON.
            if '"listening"' in line:
                return json.loads(line)["addresses"][0]
        raise RuntimeError(f"reductord did not start:\n{''.join(self._log)}")

    def _read_log(self):
        self._log.extend(self._process.stderr)
        self._process.stderr.close()


def _environment():
    """This process's, without what would be flags of the server."""
    return {k: v for k, v in os.environ.items() if not k.startswith("REDUCTOR_")}


class ServerTestCase(unittest.TestCase):
    """A test case whose tests share one server."""

    @classmethod
    def setUpClass(cls):
        cls.server = cls.enterClassContext(Server())
        cls.stub = cls.server.stub
