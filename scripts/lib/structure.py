"""How the Swift sources are arranged: what uses what, and how large things are.

The graph is one of names: a file uses another of its module when it mentions a type, a function or a constant that the
other declares at its top level. Members and extensions are not looked at, so the graph shows less than the compiler
knows, never more, except where a nested type has the name of a top-level one.
"""

import argparse
import collections
import pathlib
import re
import statistics
import sys

# Bounds that were reached (docs/decisions/0037-use-cases-without-wire.md): what is wider, or shows more of its state, is
# a fault.
MEDIAN_FILE, LONGEST_FUNCTIONS, MOST_PROPERTIES = (70, 110), 20, 12
# Files that use a type × its visible members: of a type with state, and of a value.
WIDEST_STATE, WIDEST_VALUE = 3_111, 4_158
# The private part of the stored properties of types with state that are spread over more than two files.
LEAST_PRIVATE = 0.28

# Libraries that only some folders may import: the driver, and the database in memory of the simulated world.
IMPORTED_BELOW = {
    "GRDB": ("PromisedStore/SQLite", "PromisedWorld/Store"),
    "GRDBSQLite": ("PromisedStore/SQLite",),
}

# Modules that a module may not import: a way in knows neither what carries its connections nor how data is stored.
BARRED = {
    "PromisedGateway": {
        "CWebSockets", "GRDB", "GRDBSQLite", "PromisedServer", "PromisedStore", "PromisedTransport",
        "PromisedWebSocketTransport",
    },
}

IMPORT = re.compile(
    r"^\s*(?:@\w+\s+)*(?:\w+\s+)?import\s+(?:(?:class|enum|func|let|protocol|struct|typealias|var)\s+)?(\w+)",
    re.MULTILINE,
)
IDENTIFIER = re.compile(r"(?<![\w.])([A-Za-z_]\w*)")
TYPE = re.compile(r"\b(?:struct|class|enum|actor|protocol|typealias)\s+`?([A-Za-z_]\w*)")
VALUE = re.compile(r"\b(?:func|let|var)\s+([A-Za-z_]\w*)")
PRIVATE = re.compile(r"\b(?:fileprivate|private)\b(?!\(set\))")
FUNCTION = re.compile(r"^\s*(?:@\w+(?:\([^)]*\))?\s+)*(?:[a-z]+(?:\(\w+\))?\s+)*(?:func\b|init[?(<]|deinit\b)")
OPENING = re.compile(r"\b(struct|class|enum|actor|protocol|extension)\s+`?([A-Za-z_]\w*)")
MEMBER = re.compile(
    r"^\s*(?:@\w+(?:\([^)]*\))?\s+)*(?:[a-z]+(?:\(\w+\))?\s+)*?(func|init|subscript|let|var)\b"
)
PROPERTY = re.compile(
    r"^\s*(?:@\w+(?:\([^)]*\))?\s+)*(?:(?:package|public|private|fileprivate|internal|nonisolated|final|lazy|weak|unowned)"
    r"(?:\(\w+\))?\s+)*(?:let|var)\s+[\w(]"
)


def without_texts(source: str) -> str:
    """The source with comments and the content of string literals taken out, its lines kept."""
    out: list[str] = []
    i = 0
    while i < len(source):
        if source.startswith("//", i):
            end = source.find("\n", i)
            i = len(source) if end < 0 else end
        elif source.startswith("/*", i):
            end = source.find("*/", i)
            end = len(source) if end < 0 else end + 2
            out.append("\n" * source.count("\n", i, end))
            i = end
        elif opening := re.compile(r'(#*)("""|")').match(source, i):
            i = skip_literal(source, opening, out)
        else:
            out.append(source[i])
            i += 1
    return "".join(out)


def skip_literal(source: str, opening: "re.Match[str]", out: list[str]) -> int:
    """Passes over a string literal; what is interpolated stays. Returns where it ends."""
    hashes, quotes = opening.groups()
    i = opening.end()
    out.append('""')
    while i < len(source) and not source.startswith(quotes + hashes, i):
        if source.startswith("\\" + hashes + "(", i):
            start = i = i + 2 + len(hashes)
            depth = 1
            while i < len(source) and depth:
                depth += {"(": 1, ")": -1}.get(source[i], 0)
                i += 1
            out.append(" " + source[start : i - 1] + " ")
        elif source[i] == "\\" and not hashes:
            i += 2
        else:
            if source[i] == "\n":
                out.append("\n")
            i += 1
    return i + len(quotes + hashes)


def declared(code: str) -> set[str]:
    """The visible declarations at a file's top level."""
    names = set()
    depth = 0
    for line in code.split("\n"):
        if depth == 0 and not PRIVATE.search(line) and not re.search(r"\bextension\b", line):
            found = TYPE.search(line) or VALUE.search(line)
            if found:
                names.add(found.group(1))
        depth += line.count("{") - line.count("}")
    return names


def circles(graph: dict[str, set[str]]) -> list[list[str]]:
    """The strongly connected parts of more than one member, the largest first (Tarjan)."""
    index: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    found: list[list[str]] = []

    def visit(node: str) -> None:
        index[node] = low[node] = len(index)
        stack.append(node)
        for other in graph.get(node, ()):
            if other not in index:
                visit(other)
                low[node] = min(low[node], low[other])
            elif other in stack:
                low[node] = min(low[node], index[other])
        if low[node] == index[node]:
            part = stack[stack.index(node) :]
            del stack[stack.index(node) :]
            if len(part) > 1:
                found.append(sorted(part))

    for node in sorted(graph):
        if node not in index:
            visit(node)
    return sorted(found, key=len, reverse=True)


class Type:
    """A type that is declared at the top level, with its extensions in the same module."""

    def __init__(self, name: str, has_state: bool) -> None:
        # The stored properties of values are theirs to show; those of the others are state.
        self.name, self.has_state = name, has_state
        self.files: set[str] = set()
        self.visible = self.stored = self.hidden = 0

    def add(self, file: str, body: list[str]) -> None:
        """Counts the members in the lines of a body, which begin at its own depth."""
        self.files.add(file)
        depth = 0
        for line in body:
            if depth == 0 and (found := MEMBER.match(line)):
                is_private = PRIVATE.search(line) is not None
                self.visible += not is_private
                if found.group(1) in ("let", "var") and is_stored(line):
                    self.stored += 1
                    self.hidden += is_private
            depth += line.count("{") - line.count("}")


def is_stored(line: str) -> bool:
    if not PROPERTY.match(line) or re.search(r"\bstatic\b", line):
        return False
    return "{" not in line or re.search(r"\{\s*(didSet|willSet)", line) is not None or "=" in line.split("{")[0]


def types(files: dict[str, str]) -> dict[str, Type]:
    """The types that the files of a module declare, by their names."""
    found: dict[str, Type] = {}
    bodies: list[tuple[str, str, list[str]]] = []
    for file, code in files.items():
        depth, name = 0, None
        for line in code.split("\n"):
            if depth == 0 and (opening := OPENING.search(line)):
                kind, name = opening.groups()
                if kind != "extension" and not PRIVATE.search(line):
                    is_machine = kind in ("class", "actor") or name.endswith("Machine")
                    found.setdefault(name, Type(name, is_machine))
                bodies.append((file, name, []))
            elif depth > 0 and name:
                bodies[-1][2].append(line)
            depth += line.count("{") - line.count("}")
            if depth == 0 and "{" in line or line.startswith("}"):
                name = None
    for file, name, body in bodies:
        if name in found:
            found[name].add(file, body)
    return found


class Module:
    """The files of one module, and what they use of one another."""

    def __init__(self, folder: pathlib.Path) -> None:
        self.name = folder.name
        self.code = {
            str(path.relative_to(folder)): without_texts(path.read_text())
            for path in sorted(folder.rglob("*.swift"))
            if not path.name.endswith((".pb.swift", ".generated.swift"))
        }
        home: dict[str, str] = {}
        for file, code in self.code.items():
            for name in declared(code):
                home.setdefault(name, file)
        self.types = types(self.code)
        self.names = {file: set(IDENTIFIER.findall(code)) for file, code in self.code.items()}
        self.uses: dict[str, dict[str, set[str]]] = {file: collections.defaultdict(set) for file in self.code}
        for file in self.code:
            for name in self.names[file]:
                if home.get(name, file) != file:
                    self.uses[file][home[name]].add(name)

    def file_circles(self) -> list[list[str]]:
        return circles({file: set(used) for file, used in self.uses.items()})

    def folders(self) -> dict[str, dict[str, set[str]]]:
        """The names that each folder mentions of each other, with the files that mention them."""
        graph: dict[str, dict[str, set[str]]] = collections.defaultdict(lambda: collections.defaultdict(set))
        for file, used in self.uses.items():
            here = str(pathlib.PurePath(file).parent)
            graph[here]
            for other, names in used.items():
                there = str(pathlib.PurePath(other).parent)
                if there != here:
                    graph[here][there] |= {f"{name} ({pathlib.PurePath(file).name})" for name in names}
        return graph

    def folder_circles(self) -> list[list[str]]:
        return circles({folder: set(used) for folder, used in self.folders().items()})

    def lengths(self) -> list[int]:
        return [code.count("\n") for code in self.code.values()]


def function_lengths(code: str) -> list[int]:
    """The lines of each function from its first to its closing brace."""
    lengths = []
    lines = code.split("\n")
    for start, line in enumerate(lines):
        if not FUNCTION.match(line):
            continue
        depth = 0
        for end in range(start, len(lines)):
            depth += lines[end].count("{") - lines[end].count("}")
            if "{" in "".join(lines[start : end + 1]) and depth <= 0:
                lengths.append(end - start + 1)
                break
            if end > start and not lines[end].strip():
                if "{" not in "".join(lines[start : end + 1]):
                    break
    return lengths


def stored_properties(code: str) -> dict[str, int]:
    """How many stored properties each class, actor and machine at the top level has."""
    counts: dict[str, int] = {}
    current = None
    depth = 0
    for line in code.split("\n"):
        if depth == 0 and (found := re.search(r"\b(class|actor|struct)\s+(\w+)", line)) and "{" in line:
            is_machine = found.group(1) != "struct" or found.group(2).endswith("Machine")
            current = found.group(2) if is_machine else None
        elif depth == 1 and current and is_stored(line):
            counts[current] = counts.get(current, 0) + 1
        depth += line.count("{") - line.count("}")
    return counts


def barred_imports(module: Module) -> list[str]:
    """The imports that the module may not have, a line for each file."""
    barred = BARRED.get(module.name, set())
    return [
        f"{module.name}/{file} imports {name}, which {module.name} may not know"
        for file, code in module.code.items()
        for name in sorted(barred & set(IMPORT.findall(code)))
    ]


def explain(module: Module, circle: list[str]) -> list[str]:
    """The names that make a circle of folders, a line for each arrow."""
    graph = module.folders()
    return [
        f"    {here} -> {there}: " + ", ".join(sorted(graph[here][there]))
        for here in circle
        for there in sorted(graph[here])
        if there in circle
    ]


def check(modules: list[Module]) -> list[str]:
    """Measures beyond their bounds (docs/decisions/0037-use-cases-without-wire.md)."""
    faults = []
    median, longest_functions = middle_length(modules), nine_tenths(modules)
    least, most = MEDIAN_FILE
    if not least <= median <= most:
        faults.append(f"half of the files have more than {median:.0f} lines, half fewer: {least} to {most} are wanted")
    if longest_functions > LONGEST_FUNCTIONS:
        faults.append(f"nine in ten functions have at most {longest_functions} lines: {LONGEST_FUNCTIONS} are wanted")
    for name, count in properties(modules).most_common():
        if count > MOST_PROPERTIES:
            faults.append(f"{name} has {count} stored properties: at most {MOST_PROPERTIES} are allowed")
    for kind, bound in (True, WIDEST_STATE), (False, WIDEST_VALUE):
        for type, users in widest(modules, kind):
            if users * type.visible > bound:
                faults.append(f"{width(type, users)} = {users * type.visible}: at most {bound} are allowed")
    if (share := private_share(modules)) < LEAST_PRIVATE:
        faults.append(f"of the state of types in more than two files {share:.0%} is private, not {LEAST_PRIVATE:.0%}")
    for module in modules:
        faults += barred_imports(module)
        faults += misplaced_imports(module)
        for circle in module.folder_circles():
            faults.append(f"{module.name}: folders use one another in a circle: " + ", ".join(circle))
            faults += explain(module, circle)
        for circle in module.file_circles():
            if len(circle) > 2:
                faults.append(f"{module.name}: {len(circle)} files use one another in a circle: " + ", ".join(circle))
    return faults


def misplaced_imports(module: Module) -> list[str]:
    """The imports of libraries that belong to another folder."""
    return [
        f"{module.name}/{file} imports {library}: only files below {' and '.join(homes)} may"
        for file, code in module.code.items()
        for library in IMPORT.findall(code)
        if (homes := IMPORTED_BELOW.get(library))
        and not f"{module.name}/{file}".startswith(tuple(home + "/" for home in homes))
    ]


def widest(modules: list[Module], has_state: bool) -> list[tuple[Type, int]]:
    """The types with or without state and the number of files that use each, the widest first.

    A name means the type of its own module, or else that of each module that has one.
    """
    homes: dict[str, list[Module]] = collections.defaultdict(list)
    for module in modules:
        for name in module.types:
            homes[name].append(module)
    users: collections.Counter[Type] = collections.Counter()
    for module in modules:
        for file, names in module.names.items():
            for name in names & homes.keys():
                for home in [module] if name in module.types else homes[name]:
                    if home is not module or file not in home.types[name].files:
                        users[home.types[name]] += 1
    found = [(type, count) for type, count in users.items() if type.has_state == has_state]
    return sorted(found, key=lambda each: (-each[1] * each[0].visible, each[0].name))


def width(type: Type, users: int) -> str:
    return f"{type.name} {users} files × {type.visible} members"


def spread(modules: list[Module]) -> list[Type]:
    """The types with state whose code is in more than two files."""
    return [type for module in modules for type in module.types.values() if type.has_state and len(type.files) > 2]


def private_share(modules: list[Module]) -> float:
    stored = sum(type.stored for type in spread(modules))
    return sum(type.hidden for type in spread(modules)) / stored if stored else 1


def middle_length(modules: list[Module]) -> float:
    return statistics.median(length for module in modules for length in module.lengths())


def nine_tenths(modules: list[Module]) -> int:
    lengths = sorted(length for module in modules for code in module.code.values() for length in function_lengths(code))
    return lengths[len(lengths) * 9 // 10]


def properties(modules: list[Module]) -> "collections.Counter[str]":
    counts: collections.Counter[str] = collections.Counter()
    for module in modules:
        for code in module.code.values():
            counts.update(stored_properties(code))
    return counts


def show(modules: list[Module]) -> None:
    print(f"{'module':22} {'files':>5} {'lines':>6} {'folders in circles':>18} {'longest circle of files':>23}")
    for module in modules:
        folders = sum(len(circle) for circle in module.folder_circles())
        files = max((len(circle) for circle in module.file_circles()), default=1)
        print(f"{module.name:22} {len(module.code):5} {sum(module.lengths()):6} {folders:18} {files:23}")
    lengths = [length for module in modules for length in module.lengths()]
    functions = sum(len(function_lengths(code)) for module in modules for code in module.code.values())
    print(f"\nfiles {len(lengths)}, lines {sum(lengths)}, median length {middle_length(modules):.0f}")
    print(f"functions {functions}, nine in ten have at most {nine_tenths(modules)} lines")
    largest = ", ".join(f"{name} {count}" for name, count in properties(modules).most_common(6))
    print(f"most stored properties: {largest}")
    for has_state, kind in (True, "types with state"), (False, "values"):
        print(f"widest {kind}: " + ", ".join(width(*each) for each in widest(modules, has_state)[:4]))
    parts = ", ".join(f"{type.name} {type.hidden} of {type.stored}" for type in spread(modules))
    print(f"private state of types in more than two files: {private_share(modules):.0%} ({parts})")


def main() -> int:
    parser = argparse.ArgumentParser(prog="scripts/structure", description="Counts how the Swift sources are arranged.")
    parser.add_argument("--check", action="store_true", help="fail where something has grown beyond its bound")
    parser.add_argument("root", type=pathlib.Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    sources = [options.root / "Sources", options.root / "Tests/Support", *options.root.glob("Clients/*/Sources")]
    modules = [
        module
        for folder in sources
        for path in sorted(folder.iterdir())
        if (module := Module(path)).code
    ]
    if not options.check:
        show(modules)
        return 0
    faults = check(modules)
    for fault in faults:
        print(fault, file=sys.stderr)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
