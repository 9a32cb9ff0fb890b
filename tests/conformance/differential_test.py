"""A short run of the differential comparison: a tensor of every type and rank.

DIFFERENTIAL_TEST_SEED=N repeats the run that printed N; tests/conformance/
differential runs longer.
"""

import os
import random
import unittest

import differential
import server
import trust


class DifferentialTest(server.ServerTestCase):
    def test_the_server_agrees_with_exact_arithmetic_and_every_oracle(self):
        seed = os.environ.get("DIFFERENTIAL_TEST_SEED", random.getrandbits(32))
        print(f"DIFFERENTIAL_TEST_SEED={seed}", flush=True)
        comparison = differential.Differential(
            self.stub, int(seed), plugin_share=0.25
        )
        comparison.round()
        print(comparison.report())
        self.assertEqual(comparison.faults, [])
        for oracle in trust.ORACLES:
            self.assertGreater(comparison.agreed[oracle], 0, oracle)


if __name__ == "__main__":
    unittest.main()
