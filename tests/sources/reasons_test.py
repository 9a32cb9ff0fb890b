"""The contract names every reason that an error may have, and no other."""

import pathlib
import re
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]

# Those of one word: most other quoted capitals in the sources are no reasons.
SHORT = {"BUSY", "DRAINING", "INTERNAL"}

# Callers never see it: gRPC answers in our place.
LOGGED_ONLY = {"REFUSED_BY_GRPC"}

LONG = r"[A-Z]+(?:_[A-Z]+)+"


def documented():
    """Those at the head of the contract."""
    text = (ROOT / "proto/reductor/v1/reductor.proto").read_text()
    table = re.search(r"INVALID_ARGUMENT with a BadRequest:.*?\n//\n", text, re.S)[0]
    codes = {"INVALID_ARGUMENT", "RESOURCE_EXHAUSTED"}
    words = set(re.findall(rf"\b(?:{LONG}|{'|'.join(SHORT)})\b", table))
    return words - codes


def answered():
    """Those that the sources quote."""
    reasons = set()
    for folder in ("core", "service"):
        for path in (ROOT / folder).glob("*.cc"):
            reasons.update(re.findall(rf'"({LONG}|{"|".join(SHORT)})"', path.read_text()))
    return reasons - LOGGED_ONLY


class Reasons(unittest.TestCase):
    def test_are_those_of_the_contract(self):
        self.assertGreater(len(answered()), 20)
        self.assertEqual(documented(), answered())


if __name__ == "__main__":
    unittest.main()
