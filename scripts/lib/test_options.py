"""Each script and subcommand describes itself, and says what it does not know."""

import pathlib
import subprocess
import tempfile
import unittest

SCRIPTS = pathlib.Path(__file__).resolve().parents[1]
ROOT = SCRIPTS.parent
# Those that hand arguments they do not know to a program.
OPEN = {"run", "test", "load-test", "torture simulate", "test web"}


def commands():
    """The words of each script and subcommand, with its file."""
    for script in sorted(path for path in SCRIPTS.iterdir() if path.is_file()):
        yield [script.name], script
        for file in sorted((SCRIPTS / "lib" / script.name).glob("*.sh")):
            yield [script.name, file.stem], file


def run(script, *words, folder=ROOT):
    done = subprocess.run([SCRIPTS / script, *words], cwd=folder, capture_output=True, text=True, timeout=60)
    return done.returncode, done.stdout, done.stderr


class OptionTests(unittest.TestCase):
    def test_help_says_how_a_script_is_called_and_how_it_ends(self):
        for words, _ in commands():
            code, out, _ = run(*words, "--help")
            lines = out.split("\n")
            with self.subTest(words):
                self.assertEqual(code, 0)
                self.assertTrue(lines[0].startswith(f"usage: scripts/{' '.join(words)}"), lines[0])
                self.assertIn("exit codes: ", out)
                if len(words) > 1:
                    self.assertTrue(lines[1] == "" and lines[2].endswith("."), lines[2])
                    self.assertLessEqual(len(lines[2]), 110)

    def test_help_of_a_script_lists_its_subcommands(self):
        for words, _ in commands():
            if len(words) > 1:
                self.assertRegex(run(words[0], "--help")[1], rf"(?m)^SUBCOMMANDS:(?s:.*)^  {words[1]} ", words)

    def test_unknown_options_and_subcommands_end_with_2(self):
        for words, _ in commands():
            if " ".join(words) not in OPEN:
                code, _, error = run(*words, "--no-such-option")
                self.assertEqual((code, error.split("\n")[0]), (2, "error: unknown argument: --no-such-option"), words)
                self.assertIn(f"'scripts/{' '.join(words)} --help'", error)
        for word in ("no-such", "../common", "a b"):
            self.assertEqual(run("bench", word)[::2], (
                2, f"error: unknown subcommand: {word}\n       'scripts/bench --help' lists the arguments\n"))

    def test_a_script_that_is_nothing_without_a_subcommand_lists_them(self):
        code, out, error = run("torture")
        self.assertEqual((code, out), (2, ""))
        self.assertIn("SUBCOMMANDS:", error)

    def test_values_are_needed_or_refused(self):
        for words, message in (
                (("torture", "fuzz", "--minutes"), "--minutes needs a value"),
                (("torture", "fuzz", "--list=yes"), "--list takes no value"),
                (("torture", "fuzz", "--minutes=x"), "--minutes needs a positive number, not 'x'"),
                (("torture", "fuzz", "--minutes", "1", "--seed", "x"), "--seed needs a number, not 'x'"),
                (("torture", "recorded", "--binaries", "/no/such"), "no such folder: /no/such"),
                (("package", "test", "a", "b"), "unknown argument: b"),
                (("check", "--no-tests", "--sanitize"), "--no-tests and --sanitize exclude each other"),
                (("client", "export", "1.0.0"), "expected a version and a folder")):
            code, _, error = run(*words)
            self.assertEqual((code, error.split("\n")[0]), (2, f"error: {message}"), words)

    def test_a_script_works_from_any_folder(self):
        with tempfile.TemporaryDirectory() as folder:
            code, out, _ = run("torture", "mutate", "--list", folder=folder)
        self.assertEqual(code, 0)
        self.assertGreater(out.count("\n"), 100)


if __name__ == "__main__":
    unittest.main()
