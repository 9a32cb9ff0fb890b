"""What the README shows is true: its commands, its Python and its table of
operators, run against the server.
"""

import contextlib
import io
import os
import pathlib
import re
import shlex
import subprocess
import unittest

import server

ROOT = pathlib.Path(__file__).parents[2]
README = (ROOT / "README.md").read_text()


def blocks(language):
    """The README's fenced blocks of a language."""
    return re.findall(rf"^```{language}\n(.*?)^```$", README, re.DOTALL | re.MULTILINE)


class ReadmeTest(server.ServerTestCase):
    def test_shows_what_the_commands_print(self):
        for block in blocks("console"):
            for example in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
                command, _, expected = example.partition("\n")
                with self.subTest(command):
                    self.assertEqual(self._run(command), expected)

    def test_shows_what_its_python_prints(self):
        (code,) = blocks("python")
        expected = re.findall(r"^# (.*)$", code, re.MULTILINE)
        output = io.StringIO()
        with contextlib.redirect_stdout(output):
            exec(code.replace("127.0.0.1:50051", self.server.address), {})
        self.assertEqual(output.getvalue().splitlines(), expected)

    def test_shows_the_table_of_operators(self):
        command = "reductor operators --markdown"
        _, _, rest = README.partition(f"<!-- {command} -->\n")
        shown, _, _ = rest.partition("<!-- end -->\n")
        self.assertEqual(shown, self._run(command), f"paste the output of {command}")

    def _run(self, command):
        """What a command line of `reductor` prints, errors included."""
        program, *arguments = shlex.split(command)
        self.assertEqual(program, "reductor")
        return subprocess.run(
            [os.environ["REDUCTOR"], *arguments],
            cwd=ROOT,
            env=dict(os.environ, REDUCTOR_SERVER=self.server.address),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        ).stdout


if __name__ == "__main__":
    unittest.main()
