"""Breaks each rule of docs/coverage.md and each row of the protocol in a copy, and has the tests that name it find it.

All mutations are built into one copy, each behind a number that the process reads from its environment when it starts:
one build, then a run of the tests of one row for each mutation. README.md beside this file tells how the list is
written.
"""

import argparse
import dataclasses
import json
import os
import pathlib
import re
import selectors
import signal
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path.insert(0, str(ROOT / "scripts/lib"))
import coverage  # noqa: E402

COPY = ROOT / ".build-mutate"
# Where the sources are that a mutation may change.
FOLDERS = ("Sources/", "Clients/Swift/Sources/")
# Variables that a process reads when it starts: the number of its mutation, and the row that it stands for.
SWITCH, ROW_SWITCH = "ACTIVE_MUTATION", "ACTIVE_ROW"
# A run that takes longer than this and some times what it takes without a mutation hangs.
LONGEST_PAUSE = 15
LONGEST_CHECK = 1800
# Files in each module that holds a mutation.
SWITCH_FILE = "ActiveMutation.swift"
SWITCH_SOURCE = f"""\
#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The number of the mutation that this process runs with; 0 without one.
let activeMutation: Int = getenv("{SWITCH}").flatMap {{ Int(String(cString: $0)) }} ?? 0

/// The row of the mutation that this process runs with; empty without one.
let activeRow: String = getenv("{ROW_SWITCH}").map {{ String(cString: $0) }} ?? ""
"""


class Fault(Exception):
    """A fault of the list, the sources or the build; the texts are for people."""


@dataclasses.dataclass
class Change:
    """One place of the code, and what takes its place."""

    find: str
    replacement: str

    @property
    def pattern(self):
        """Matches the code, however it is broken into lines."""
        return re.compile(r"\s+".join(re.escape(word) for word in self.find.split()))

    def code(self, number, found):
        """The code with a switch in it: what was found there while the mutation is not the active one."""
        active = f"(activeMutation == {number})"
        if "MUTATED" in self.replacement or "ROW" in self.replacement:
            return self.replacement.replace("MUTATED", active).replace("ROW", f"({active} ? activeRow : \"\")")
        return f"({active} ? {self.replacement} : {found})"


@dataclasses.dataclass
class Mutation:
    """One entry of the list. One that stands for a whole table breaks the code in another way for each of its rows."""

    rows: list
    why: str
    changes: list
    number: int = 0

    @property
    def name(self):
        """The row, or the first and the last of many."""
        return self.rows[0] if len(self.rows) == 1 else f"{self.rows[0]} … {self.rows[-1]}"


# MARK: - The list and the table


def read_list(tables):
    """All mutations, in the order of the files and of their lines."""
    mutations = []
    for path in sorted(HERE.glob("*.txt")):
        for entry in re.split(r"\n\s*\n", path.read_text(encoding="utf-8")):
            lines = [line for line in entry.splitlines() if line.strip() and not line.startswith("#")]
            if lines:
                mutations.append(parsed(lines, path.name, tables))
    for number, mutation in enumerate(mutations, start=1):
        mutation.number = number
    return mutations


def parsed(lines, origin, tables):
    """One entry: lines `key: value`; a line that is indented goes on with the value before."""
    values = []
    for line in lines:
        if line[0].isspace() and values:
            values[-1][1] += "\n" + line.strip()
            continue
        key, colon, value = line.partition(":")
        if not colon:
            raise Fault(f"{origin}: expected 'key: value', found '{line}'")
        values.append([key, value.strip()])
    keys = [key for key, _ in values]
    changes = [Change(find, replacement) for (_, find), (_, replacement) in zip(values[2::2], values[3::2])]
    if not changes or keys[0] not in ("row", "table") or keys[1:] != ["why"] + ["find", "with"] * len(changes):
        raise Fault(f"{origin}: expected row:, why:, find: and with:, found {', '.join(keys)} in '{lines[0]}'")
    rows = [values[0][1]] if keys[0] == "row" else rows_of_table(values[0][1], tables, origin)
    if unknown := [row for row in rows if not any(row in table for table in tables.values())]:
        raise Fault(f"{origin}: there is no row {', '.join(unknown)}")
    return Mutation(rows, values[1][1], changes)


def rows_of_table(text, tables, origin):
    """The rows of a table by its heading, without those that stand behind 'but'."""
    heading, _, left_out = text.partition(" but ")
    if heading not in tables:
        raise Fault(f"{origin}: there is no table '{heading}'")
    missing = left_out.split(", ") if left_out else []
    return [row for row in tables[heading] if row not in missing]


def read_tables():
    """The tests that name each row: by heading of the table, then by row. Only tests in Swift can find a mutation."""
    tables = coverage.Coverage(ROOT).tests_for_mutations()
    if bare := [row for table in tables.values() for row, tests in table.items() if not tests]:
        raise Fault("no test in Swift proves " + ", ".join(bare))
    return tables


# MARK: - The copy


def copy_sources():
    """The files of the repository, each written only where it differs, so that a second build is quick."""
    listed = subprocess.run(
        ["git", "-C", ROOT, "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        check=True, stdout=subprocess.PIPE,
    )
    contents = {}
    for name in listed.stdout.decode().split("\0"):
        if name and (ROOT / name).is_file():
            contents[name] = (ROOT / name).read_bytes()
    return contents


def mutate(contents, mutations):
    """Puts every mutation into the contents; a pattern that does not match once is an error."""
    texts = {
        name: content.decode() for name, content in contents.items()
        if name.startswith(FOLDERS) and name.endswith(".swift") and not name.endswith(".pb.swift")
    }
    faults = []
    places = {}
    for mutation in mutations:
        for change in mutation.changes:
            found = [(name, match) for name, text in texts.items() for match in change.pattern.finditer(text)]
            if len(found) != 1:
                where = ", ".join(sorted({name for name, _ in found}))
                faults.append(f"{mutation.name}: found {len(found)} times, expected 1: {change.find}  {where}")
                continue
            name, match = found[0]
            # A line inside a text must not begin left of the others.
            margin = re.match(r"\s*", texts[name][texts[name].rfind("\n", 0, match.start()) + 1 :])[0]
            code = change.code(mutation.number, match[0]).replace("\n", "\n" + margin)
            places.setdefault(name, []).append((match.start(), match.end(), mutation.name, code))
    if faults:
        raise Fault("\n".join(["these mutations no longer apply:"] + faults))
    for name, spots in places.items():
        text = texts[name]
        spots.sort(key=lambda spot: spot[0], reverse=True)
        for later, earlier in zip(spots, spots[1:]):
            if earlier[1] > later[0]:
                raise Fault(f"{earlier[2]} and {later[2]} change the same code")
        for start, end, _, code in spots:
            text = text[:start] + code + text[end:]
        contents[name] = text.encode()
        folder = next(folder for folder in FOLDERS if name.startswith(folder))
        module = folder + name.removeprefix(folder).split("/")[0]
        contents[f"{module}/{SWITCH_FILE}"] = SWITCH_SOURCE.encode()


def write_copy(contents):
    """Makes the copy hold these files and no others beside its build folder."""
    for path in COPY.glob("**/*.swift"):
        name = str(path.relative_to(COPY))
        if not name.startswith(".") and name not in contents:
            path.unlink()
    for name, content in contents.items():
        path = COPY / name
        if not path.exists() or path.read_bytes() != content:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
            path.chmod((ROOT / name).stat().st_mode if (ROOT / name).exists() else 0o644)


def build():
    """Builds products and tests of the copy."""
    if subprocess.run(["swift", "build", "--package-path", COPY, "--build-tests"], stdout=sys.stderr).returncode:
        raise Fault("the build of the mutated copy failed")


# MARK: - Runs


@dataclasses.dataclass
class Outcome:
    """How a run ended: the tests that failed, and the seconds that each took which did not."""

    failed: list
    passed: dict
    ending: str = ""


# The runner's name of a test: the module, its suites, the name, the labels of its arguments, and its place.
IDENTIFIER = re.compile(r"([^./]+)/`?([^`]*?)`?\([^()]*\)/[^/]+:\d+:\d+$")


def expression(test):
    """A pattern for `--filter` that matches the one test."""
    suite, name = test.split("/", 1)
    plain = re.sub(r"([.^$*+?()\[\]{}|\\])", r"\\\1", name)
    return rf"[./]{suite}/`?{plain}`?\("


def run(tests, limit, number=0, row="", until_failure=True):
    """Runs these tests with one mutation active, until the first fails or the limit in seconds has passed."""
    reader, writer = os.pipe()
    bundle = next((COPY / ".build/debug").glob("*.xctest"))
    command = [bundle, "--testing-library", "swift-testing", "--no-parallel", "--event-stream-version", "0"]
    command += ["--event-stream-output-path", f"/dev/fd/{writer}"]
    for test in tests:
        command += ["--filter", expression(test)]
    deadline = time.monotonic() + limit
    with subprocess.Popen(
        command, cwd=COPY, env={**os.environ, SWITCH: str(number), ROW_SWITCH: row}, pass_fds=[writer],
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True,
    ) as process:
        os.close(writer)
        outcome, last = heard(lines_of(reader, deadline), until_failure)
        is_late = time.monotonic() >= deadline
        end(process)
    os.close(reader)
    if not outcome.failed and (is_late or process.returncode != 0):
        outcome.failed = [last]
        outcome.ending = "out of time" if is_late else "crash" if process.returncode < 0 else "ended with an error"
    return outcome


def heard(lines, until_failure):
    """The outcome of a run, and the test that began last."""
    outcome, began, last = Outcome([], {}), {}, "the run"
    for line in lines:
        event = json.loads(line)["payload"]
        if event["kind"] == "runEnded":
            break
        identifier = IDENTIFIER.search(event.get("testID", ""))
        if not identifier:
            continue
        test, instant = f"{identifier[1]}/{identifier[2]}", event["instant"]["absolute"]
        if event["kind"] == "testStarted":
            began[test], last = instant, test
        elif event["kind"] == "testSkipped":
            outcome.passed[test] = 0
        elif event["kind"] == "testEnded" and test not in outcome.failed:
            outcome.passed[test] = instant - began[test]
        elif event["kind"] == "issueRecorded" and not event["issue"]["isKnown"] and test not in outcome.failed:
            outcome.failed.append(test)
            if until_failure:
                break
    return outcome, last


def lines_of(descriptor, deadline):
    """The lines that come until the other end is closed or the deadline has passed."""
    rest = b""
    with selectors.DefaultSelector() as selector:
        selector.register(descriptor, selectors.EVENT_READ)
        while selector.select(max(0, deadline - time.monotonic())):
            read = os.read(descriptor, 1 << 16)
            if not read:
                return
            *whole, rest = (rest + read).split(b"\n")
            yield from whole


def end(process):
    """Ends the run, if it goes on, and whatever servers its tests started."""
    try:
        process.wait(timeout=1)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)


def check_without_mutation(tests):
    """How long each test takes, in seconds, while nothing is broken; one that fails is asked once more."""
    print(f"==> {len(tests)} tests without a mutation", file=sys.stderr)
    passed = run(tests, LONGEST_CHECK, until_failure=False).passed
    if again := [test for test in tests if test not in passed]:
        print("    once more: " + "; ".join(again), file=sys.stderr)
        passed |= run(again, LONGEST_CHECK, until_failure=False).passed
    if left := [test for test in tests if test not in passed]:
        raise Fault("these tests do not pass without a mutation: " + "; ".join(left))
    return passed


def try_all(rows, chosen, seconds):
    """Prints a line for each mutation and row; gives the number of those that were not found."""
    missed = 0
    for mutation, row in chosen:
        before = time.monotonic()
        limit = LONGEST_PAUSE + 4 * sum(seconds[test] for test in rows[row])
        outcome = run(rows[row], limit, mutation.number, row)
        verdict = f"found by {outcome.failed[0]}" if outcome.failed else "NOT FOUND"
        if outcome.ending:
            verdict += f" ({outcome.ending})"
        missed += not outcome.failed
        print(f"{row:8} | {mutation.why} | {verdict} | {time.monotonic() - before:.1f} s", flush=True)
    return missed


def main():
    """Parses the options and does what they ask for."""
    parser = argparse.ArgumentParser(prog="scripts/torture mutate")
    parser.add_argument("--row", action="append", default=[])
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--no-build", action="store_true")
    options = parser.parse_args()

    tables = read_tables()
    rows = {row: tests for table in tables.values() for row, tests in table.items()}
    if unknown := set(options.row) - set(rows):
        raise Fault("there is no row " + ", ".join(sorted(unknown)))
    mutations = read_list(tables)
    pairs = [(mutation, row) for mutation in mutations for row in mutation.rows]
    chosen = [(mutation, row) for mutation, row in pairs if not options.row or row in options.row]
    if options.list:
        for mutation, row in chosen:
            print(f"{row:8} | {mutation.why}")
        return 0
    contents = copy_sources()
    mutate(contents, mutations)
    if bare := set(rows) - {row for _, row in pairs}:
        raise Fault("rows without a mutation: " + ", ".join(row for row in rows if row in bare))
    if options.check:
        print(f"all {len(mutations)} mutations apply")
        return 0
    if not options.no_build:
        write_copy(contents)
        build()
    seconds = check_without_mutation(sorted({test for _, row in chosen for test in rows[row]}))
    missed = try_all(rows, chosen, seconds)
    print(f"{len(chosen) - missed} of {len(chosen)} found")
    return 1 if missed else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except (Fault, coverage.Fault) as fault:
        print(f"error: {fault}", file=sys.stderr)
        sys.exit(1)
