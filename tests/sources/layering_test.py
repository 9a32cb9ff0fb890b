"""The layers know only what they may: by what they include, by what their
programs link, and by what they read outside of the repository: nothing.

Run with the build directory as its argument.
"""

import pathlib
import re
import subprocess
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]

GRPC = r"grpc(pp)?/"
PROTOBUF = r"google/|.*\.pb\.h"
TBB = r"tbb/|oneapi/"
HIGHWAY = r"hwy/"

# Which files may include what a pattern matches: the pattern, and the paths
# that may (a folder ends in a slash). Nobody else may.
ALLOWED = [
    (TBB, ["core/parallel.h", "core/parallel.cc"]),
    (HIGHWAY, ["core/", "tests/core/"]),
    (
        GRPC,
        ["service/", "client/", "tests/service/", "tests/client/", "tests/bench/rpc/"],
    ),
    (
        PROTOBUF,
        [
            "service/codec.",
            "service/health.",
            "service/library_log.",
            "service/reduction_service.",
            "service/reflection.",
            "service/short_call.",
            "service/status.",
            "service/wire",
            "client/",
            "tests/service/",
            "tests/client/",
            "tests/bench/rpc/",
        ],
    ),
    (r"CLI/", ["client/", "tests/client/"]),
    (r"spdlog/", ["service/async_log.", "service/log.cc"]),
    (r"nlohmann/", ["service/", "tests/service/"]),
    # Core is measured with memory as the server takes it.
    (r"service/allocator\.h", ["service/", "tests/service/", "tests/bench/"]),
    (
        r"service/(?!allocator\.h)",
        ["service/", "tests/service/", "tests/bench/rpc/"],
    ),
    (r"client/", ["client/", "tests/client/", "tests/bench/"]),
    # The lists of types and operators are headers alone: the client shares
    # them without linking core.
    (r"core/(dtype|operators)\.h", ["core/", "service/", "client/", "tests/"]),
    (
        r"core/(?!(dtype|operators)\.h)",
        ["core/", "service/", "tests/core/", "tests/service/", "tests/bench/"],
    ),
]

# What kernels and reducers may include of core: a kernel never sees a shape, a
# plan or a range.
KNOWN = {
    "core/kernels/": (
        r"core/((cpu|dtype|kernels|operators|order|ordered|reducers)\.h|kernels/|reducers/)"
    ),
    "core/reducers/": r"core/((dtype|elementary|ordered)\.h|reducers/)",
}


def sources():
    """The C++ files of the repository, as paths relative to its root."""
    for folder in ("core", "service", "client", "tests"):
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix in (".h", ".cc"):
                yield path.relative_to(ROOT).as_posix()


def includes_of(source):
    text = (ROOT / source).read_text()
    return re.findall(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]', text, re.MULTILINE)


def may_include(source, included):
    return all(
        source.startswith(tuple(places))
        for pattern, places in ALLOWED
        if re.match(pattern, included)
    )


class IncludesTest(unittest.TestCase):
    def test_every_include_is_allowed_in_its_layer(self):
        checked = 0
        for source in sources():
            for included in includes_of(source):
                checked += 1
                with self.subTest(source=source, included=included):
                    self.assertTrue(may_include(source, included))
        self.assertGreater(checked, 0)

    def test_kernels_and_reducers_include_only_what_they_may_know_of_core(self):
        for folder, known in KNOWN.items():
            inside = [source for source in sources() if source.startswith(folder)]
            self.assertTrue(inside)
            for source in inside:
                for included in includes_of(source):
                    if included.startswith("core/"):
                        with self.subTest(source=source, included=included):
                            self.assertRegex(included, known)

    def test_includes_start_at_the_root_of_the_repository(self):
        for source in sources():
            for included in includes_of(source):
                with self.subTest(source=source, included=included):
                    self.assertNotIn("..", pathlib.PurePath(included).parts)


class LinkingTest(unittest.TestCase):
    def test_the_client_does_not_link_core(self):
        self.assertNotIn("libreductor_core", self._inputs_of("bin/reductor"))

    def test_core_does_not_link_grpc_or_protobuf(self):
        inputs = self._inputs_of("bin/plan_test")
        self.assertIn("libreductor_core", inputs)
        for library in ("libgrpc", "libprotobuf", "libreductor_proto"):
            self.assertNotIn(library, inputs)

    def _inputs_of(self, program):
        """What a program of the build directory is linked from."""
        return subprocess.run(
            ["ninja", "-C", BUILD, "-t", "query", program],
            check=True,
            capture_output=True,
            text=True,
        ).stdout


class IndependenceTest(unittest.TestCase):
    def test_builds_and_tests_read_nothing_outside_of_the_repository(self):
        builders = [
            path.relative_to(ROOT).as_posix()
            for pattern in ("", "*/", "tests/**/")
            for path in ROOT.glob(pattern + "CMakeLists.txt")
        ]
        for name in [*builders, *sources()]:
            with self.subTest(name):
                self.assertNotIn("../", (ROOT / name).read_text())


if __name__ == "__main__":
    BUILD = sys.argv.pop(1)
    unittest.main()
