"""Draws the modules of the product and their imports, as Package.swift declares them, into README.md.

usage: modules.py ROOT [--check]

The map stands between two comments. An arrow that follows from others is left out. Instruments of tests, which no
program of the product links, are not shown.

exit codes: 0 success, 1 the map differs (--check) or has an arrow that it must not have, 2 the page or the manifest cannot
be read
"""

import pathlib
import re
import sys

PROGRAMS = ("promised", "promisectl", "promise-load")
# The modules that one must not import, directly or by others: promises run without places and journal.
EXCLUDED = {"PromisedEngine": {"PromisedPlaces", "PromisedJournal"}}
BEGIN, END = "<!-- generated: modules -->", "<!-- end: modules -->"


def without_comments(text: str) -> str:
    return re.sub(r"^\s*//.*$", "", text, flags=re.MULTILINE)


def calls(text: str, names: str) -> list[str]:
    """The arguments of each call of one of these members, with balanced parentheses."""
    found = []
    for match in re.finditer(rf"\.(?:{names})\(", text):
        depth, end = 1, match.end()
        while depth:
            depth += {"(": 1, ")": -1}.get(text[end], 0)
            end += 1
        found.append(text[match.end():end - 1])
    return found


def imports(manifest: str, client: str) -> dict[str, set[str]]:
    """The modules of both packages, each with those that it imports."""
    text, below = without_comments(manifest), without_comments(client)
    products = dict(re.findall(r'let (\w+) = Target\.Dependency\.product\(name: "(\w+)", package: "promised-client"\)', text))
    found = {}
    for source, members in ((text, "target|executableTarget|systemLibrary"), (below, "target")):
        for arguments in calls(source[source.index("targets: ["):], members):
            name = re.search(r'name: "([\w-]+)"', arguments)[1]
            listed = re.search(r"dependencies: \[(.*?)\]", arguments, re.DOTALL)
            words = re.findall(r'"([\w-]+)"|\b([a-z]\w*)\b', re.sub(r"\.\w+\([^()]*\)", "", listed[1]) if listed else "")
            found[name] = {quoted or products.get(word, "") for quoted, word in words}
    return {name: needed & found.keys() for name, needed in found.items()}


def reachable(graph: dict[str, set[str]], name: str) -> set[str]:
    """Everything that a module imports, directly or by others."""
    found, waiting = set(), list(graph[name])
    while waiting:
        module = waiting.pop()
        if module not in found:
            found.add(module)
            waiting += graph[module]
    return found


def excess(graph: dict[str, set[str]]) -> list[str]:
    """A sentence for each module that imports an excluded one."""
    return [
        f"{name} imports {module}, directly or by others: see EXCLUDED in scripts/lib/modules.py"
        for name, excluded in EXCLUDED.items()
        for module in sorted(excluded & reachable(graph, name))
    ]


def drawn(graph: dict[str, set[str]]) -> str:
    """A line for each module, those that import most first."""
    below = {name: reachable(graph, name) for name in graph}
    shown = set(PROGRAMS).union(*(below[name] for name in PROGRAMS))
    depth = {}
    for name in sorted(shown, key=lambda name: len(below[name])):
        depth[name] = 1 + max((depth[other] for other in graph[name]), default=0)
    width = max(map(len, shown))
    lines = []
    for name in sorted(shown, key=lambda name: (-depth[name], name)):
        direct = sorted(other for other in graph[name] if not any(other in below[via] for via in graph[name]))
        lines.append(f"{name:{width}}  ──▶ {' · '.join(direct)}" if direct else name)
    return "\n".join(lines)


def main() -> int:
    root = pathlib.Path(sys.argv[1])
    page = root / "README.md"
    text = page.read_text(encoding="utf-8")
    graph = imports((root / "Package.swift").read_text(encoding="utf-8"),
                    (root / "Clients" / "Swift" / "Package.swift").read_text(encoding="utf-8"))
    before, begin, rest = text.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        print(f"README.md lacks the lines {BEGIN} and {END}", file=sys.stderr)
        return 2
    new = f"{before}{BEGIN}\n\n```text\n{drawn(graph)}\n```\n\n{END}{after}"
    if faults := excess(graph):
        print("\n".join(faults), file=sys.stderr)
        return 1
    if "--check" not in sys.argv:
        page.write_text(new, encoding="utf-8")
    elif new != text:
        print("the map of modules in README.md differs from Package.swift: run scripts/lib/modules.py .", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
