"""Which tests prove each rule, each row of the protocol, and the defence against each threat.

Rules are rows of docs/coverage.md, threats rows of docs/threat-model.md. The rows of the protocol are requests and
events of the schema, codes of their golden lists, and paths of docs/protocol.md. A mark at a test names the rows that
it proves: in Swift a trait, such as `@Test(.proves("5.4", "subscribe"))` or `@Test(.defends("slow-loris"))`; in other
languages, and where the trait cannot be imported, a comment directly above the test, such as `// proves: 5.4,
subscribe` or `# defends: slow-loris`.
"""

import argparse
import dataclasses
import os
import pathlib
import re
import sys

# Where tests are.
FOLDERS = ("Tests", "Clients", "bench")
RULES, THREATS, PROTOCOL = "docs/coverage.md", "docs/threat-model.md", "docs/protocol.md"
CODES = "Tests/PromisedWireTests/Golden"
# Beside the paths that the protocol lists.
OTHER_REQUESTS = ["any other path", "any other method"]
# The verb of a mark, and the noun for the rows that it names.
NOUNS = {"proves": "row", "defends": "threat"}


class Fault(Exception):
    """Something that cannot be read; the texts are for people."""


@dataclasses.dataclass
class Test:
    """A test as people name it: `Suite/title`, `folder/function` in Python, `file/title` in JavaScript."""

    name: str
    is_swift: bool


@dataclasses.dataclass
class Mark:
    """A test, and the row or threat that a mark at it names."""

    kind: str
    row: str
    test: Test
    place: str


@dataclasses.dataclass
class Row:
    """A rule, an entry of the protocol or a threat, with its tests."""

    name: str
    text: str = ""
    tests: list = dataclasses.field(default_factory=list)


# MARK: - Rows


def tables_of(markdown):
    """The rows of a document by the heading above their table; the first two lines of a table are its head."""
    tables, heading, line_of_table = {}, "", 0
    for line in markdown.splitlines():
        line_of_table = line_of_table + 1 if line.startswith("|") else 0
        if line.startswith("#"):
            heading = line.lstrip("# ")
        elif line_of_table > 2:
            name, *texts = [cell.strip() for cell in line.strip().strip("|").split(" | ")]
            tables.setdefault(heading, []).append(Row(name.strip("`"), ": ".join(texts)))
    return tables


def branches(schema, message, union):
    """The names in JSON of the fields of a message's `oneof`."""
    plain = re.sub(r'//.*|"(?:[^"\\]|\\.)*"', "", schema)
    while plain != (plain := re.sub(r"\[[^\[\]]*\]", "", plain)):
        pass
    found = re.search(rf"^message {message} {{.*?^  oneof {union} {{(.*?)^  }}", plain, re.MULTILINE | re.DOTALL)
    if not found or not re.fullmatch(r"(\s*[\w.]+ \w+ = \d+\s*;)+\s*", found[1]):
        raise Fault(f"proto: the fields of {message}.{union} cannot be read")
    return [re.sub(r"_(\w)", lambda match: match[1].upper(), name) for name in re.findall(r"(\w+) = ", found[1])]


def rows_of_protocol(root):
    """The rows of the protocol, by heading."""
    def read(path):
        return (root / path).read_text(encoding="utf-8")

    names = {
        "Requests": branches(read("proto/promised/v1/frames.proto"), "ClientFrame", "request"),
        "Events": branches(read("proto/promised/v1/events.proto"), "Event", "what"),
        "Error codes": re.findall(r"(?m)^\S+", read(f"{CODES}/error-codes.txt")),
        "Close codes": re.findall(r"(?m)^\S+", read(f"{CODES}/close-codes.txt")),
        "HTTP": [
            path for row in tables_of(read(PROTOCOL)).get("HTTP", []) for path in row.name.split("`, `")
        ] + OTHER_REQUESTS,
    }
    return {heading: [Row(name) for name in rows] for heading, rows in names.items()}


def attacks(root):
    """The attacks that the scripts declare, named like tests."""
    found = []
    for path in sources(root, {".py"}):
        if listed := re.search(r"^ATTACKS = \[([\w, \n]+)\]", path.read_text(encoding="utf-8"), re.MULTILINE):
            found += [f"{path.parent.name}/{name}" for name in re.findall(r"\w+", listed[1])]
    return found


# MARK: - Marks


def sources(root, suffixes):
    """The files below the folders of tests, in a stable order, without those in hidden folders."""
    for top in FOLDERS:
        for folder, folders, files in os.walk(root / top):
            folders[:] = sorted(name for name in folders if not name.startswith("."))
            yield from (path for name in sorted(files) if (path := pathlib.Path(folder, name)).suffix in suffixes)


# A declaration at the beginning of a line, such as `@Suite(.serialized) struct ReplayTests {`.
SUITE = re.compile(r"^(?=\S).*?\b(?:struct|class|enum|actor|extension) (\w+)")
TRAIT = re.compile(r"\.(proves|defends)\(([^)]*)\)")
LITERALS = re.compile(r'\s*("[^"\\]+",?\s*)+')
MARKED_COMMENT = re.compile(r"(?://|#) (proves|defends): (.+)$")


@dataclasses.dataclass
class Language:
    """How tests look, line by line: comments, the beginning of a test, and its name in the second group or the first."""

    comment: str
    beginning: re.Pattern
    name: re.Pattern


LANGUAGES = {
    ".swift": Language("//", re.compile(r"    @Test\b"), re.compile(r"\bfunc (?:(\w+)|`([^`]+)`)")),
    ".py": Language("#", re.compile(r"\s*(?:@|def |async def )"), re.compile(r"\s*(async )?def (\w+)")),
    ".js": Language("//", re.compile(r"test\("), re.compile(r"""test\((['"`])(.+?)\1,""")),
}


class Reader:
    """Collects the marks of one file."""

    def __init__(self, path, place):
        self.path, self.place = path, place
        self.language = LANGUAGES[path.suffix]
        self.marks, self.faults = [], []
        # Pairs of kind and row, from marks whose test has not been read yet.
        self.pending = []
        self.suite, self.line = "", 0

    def read(self):
        """Reads the file. The marks of a test are in comments directly above it and, in Swift, in its attribute."""
        declaration = None
        for self.line, line in enumerate(self.path.read_text(encoding="utf-8").splitlines(), start=1):
            if declaration is None and self.language.beginning.match(line):
                declaration = ""
            if declaration is None:
                self.read_outside(line)
                continue
            self.read_comment(line)
            declaration += line + "\n"
            if name := self.language.name.search(line):
                self.take_traits(declaration[: declaration.rindex(name[0])])
                self.note(name[2] or name[1])
                declaration = None
        self.expect_nothing_pending()

    def read_outside(self, line):
        """Reads a line that belongs to no test: between a mark and its test there are only comments."""
        if line.strip().startswith(self.language.comment):
            self.read_comment(line)
            return
        self.expect_nothing_pending()
        if self.path.suffix == ".swift":
            if declared := SUITE.match(line):
                self.suite = declared[1]
            if re.search(r"\.(proves|defends)\(", line):
                self.fail("a mark outside the @Test of a suite")

    def read_comment(self, line):
        if found := MARKED_COMMENT.match(line.strip()):
            self.take(found[1], [name.strip() for name in found[2].split(",")])

    def take_traits(self, declaration):
        for kind, arguments in TRAIT.findall(declaration):
            if LITERALS.fullmatch(arguments):
                self.take(kind, re.findall(r'"([^"]+)"', arguments))
            else:
                self.fail(f"expected literals in a mark, found {arguments.strip()}")

    def take(self, kind, names):
        for name in names:
            if numbers := re.fullmatch(r"(\d+)\.(\d+)-(\d+)\.(\d+)", name):
                section, first, other, last = map(int, numbers.groups())
                if section != other or first >= last:
                    self.fail(f"{name} is no range of rules")
                self.pending += [(kind, f"{section}.{number}") for number in range(first, last + 1)]
            else:
                self.pending.append((kind, name))

    def note(self, name):
        """Ends the declaration of a test."""
        is_swift = self.path.suffix == ".swift"
        group = self.suite if is_swift else self.path.parent.name if self.path.suffix == ".py" else self.path.name
        test = Test(f"{group}/{name}", is_swift)
        if len(set(self.pending)) < len(self.pending):
            self.fail(f"'{test.name}' names a row twice")
        self.marks += [Mark(kind, row, test, f"{self.place}:{self.line}") for kind, row in dict.fromkeys(self.pending)]
        self.pending = []

    def expect_nothing_pending(self):
        if self.pending:
            self.fail(f"no test directly below the mark of {', '.join(row for _, row in self.pending)}")
            self.pending = []

    def fail(self, problem):
        self.faults.append(f"{self.place}:{self.line}: {problem}")


# MARK: - Both together


class Coverage:
    """The tables with the tests of each row, and the faults of the repository."""

    def __init__(self, root):
        self.root, self.faults = root, []
        rules = tables_of((root / RULES).read_text(encoding="utf-8"))
        self.check_numbers(rules)
        self.proven = {**rules, **rows_of_protocol(root)}
        self.threats = tables_of((root / THREATS).read_text(encoding="utf-8"))
        rows = {"proves": self.by_name(self.proven), "defends": self.by_name(self.threats)}
        defending = set()
        for path in sources(root, LANGUAGES):
            reader = Reader(path, path.relative_to(root))
            reader.read()
            self.faults += reader.faults
            for mark in reader.marks:
                if mark.kind == "defends":
                    defending.add(mark.test.name)
                if row := rows[mark.kind].get(mark.row):
                    row.tests.append(mark.test)
                else:
                    unknown = f"{mark.kind} the unknown {NOUNS[mark.kind]} {mark.row}"
                    self.faults.append(f"{mark.place}: '{mark.test.name}' {unknown}")
        for kind, noun in NOUNS.items():
            self.faults += [f"no test {kind} the {noun} {row.name}" for row in rows[kind].values() if not row.tests]
        declared = attacks(root)
        self.faults += [f"no mark says what the attack {name} defends" for name in declared if name not in defending]
        if not declared:
            self.faults.append("no script declares attacks")

    def by_name(self, tables):
        """The rows of tables by their names, which occur once."""
        rows = {}
        for heading, table in tables.items():
            if not table:
                self.faults.append(f"no row below {heading}")
            for row in table:
                if row.name in rows:
                    self.faults.append(f"{row.name} of {heading} is the name of another row")
                rows[row.name] = row
        return rows

    def check_numbers(self, rules):
        """The rules of each section are numbered in order, the sections too."""
        for section, (heading, table) in enumerate(rules.items(), start=2):
            if not heading.startswith(f"{section}. "):
                self.faults.append(f"{RULES}: expected section {section}, found '{heading}'")
            numbers = [f"{section}.{number}" for number in range(1, len(table) + 1)]
            if wrong := [row.name for row, number in zip(table, numbers) if row.name != number]:
                self.faults.append(f"{RULES}: the rules of section {section} are not numbered in order at {wrong[0]}")

    def tests_for_mutations(self):
        """The names of the tests in Swift: by heading of the table, then by row. A threat has no mutation."""
        return {
            heading: {row.name: [test.name for test in row.tests if test.is_swift] for row in table}
            for heading, table in self.proven.items()
        }

    def page(self, chosen=()):
        """The rows with their tests in Markdown, or those that are chosen."""
        lines = []
        for heading, table in [*self.proven.items(), *self.threats.items()]:
            rows = [row for row in table if not chosen or row.name in chosen]
            if rows:
                lines += [f"## {heading}", ""]
            for row in rows:
                lines.append(f"- **{row.name}**" + (f" {row.text}" if row.text else ""))
                lines += [f"  - `{test.name}`" for test in row.tests]
            if rows:
                lines.append("")
        return "\n".join(lines)

    def unknown(self, names):
        """The names that no row has."""
        known = {row.name for tables in (self.proven, self.threats) for table in tables.values() for row in table}
        return [name for name in names if name not in known]


def main():
    parser = argparse.ArgumentParser(prog="scripts/generate coverage")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("rows", nargs="*")
    options = parser.parse_args()
    coverage = Coverage(pathlib.Path(__file__).resolve().parent.parent.parent)
    if unknown := coverage.unknown(options.rows):
        raise Fault("there is no row " + ", ".join(unknown))
    if options.check and coverage.faults:
        raise Fault("\n".join(coverage.faults))
    if options.check:
        tables = [*coverage.proven.values(), *coverage.threats.values()]
        print(f"all {sum(map(len, tables))} rows have tests")
    else:
        print(coverage.page(options.rows), end="")
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Fault as fault:
        print(f"error: {fault}", file=sys.stderr)
        sys.exit(1)
