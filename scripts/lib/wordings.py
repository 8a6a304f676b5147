"""Finds banned wordings in documents, in comments and in texts of programs (docs/writing.md).

usage: wordings.py ROOT [PATH…]

The patterns are the lines of wordings.txt beside this script. It searches the prose of every Markdown document, without
code and generated parts, and the comments and string literals of the Swift and proto files below each PATH. It prints a finding as `path:line: words`.

exit codes: 0 no findings, 1 findings, 2 the list is missing or a pattern is invalid
"""

import pathlib
import re
import sys

PATTERNS, RULES = "scripts/lib/wordings.txt", "docs/writing.md"
BLOCK = re.compile(r"^ *```.*?^ *``` *$", re.DOTALL | re.MULTILINE)
# The tests of PromisedWire write these parts from comments and codes.
GENERATED = re.compile(r"<!-- generated: (\w+) -->.*?<!-- end: \1 -->", re.DOTALL)
INLINE = re.compile(r"`[^`\n]*`")
COMMENT = re.compile(r"^\s*//+ ?(.*)$")
# An interpolation counts as a word; one with parentheses of its own may hold one more pair.
INTERPOLATION = r"\\\((?:[^()]|\([^()]*\))*\)"
LITERAL = re.compile(rf'"((?:{INTERPOLATION}|\\[^(]|[^"\\])+)"')
# A line break within a paragraph or a comment counts as a space; an empty line, a row or an item ends a sentence.
BREAK = re.compile(r"(?<=[^\n])\n(?=[^\n|#>-])[ \t]*")


def patterns(root: pathlib.Path) -> list[re.Pattern[str]]:
    """The banned wordings."""
    lines = (root / PATTERNS).read_text(encoding="utf-8").splitlines()
    return [re.compile(line, re.IGNORECASE | re.MULTILINE) for line in lines if line]


def prose(path: pathlib.Path) -> str:
    """The prose of a file, on its lines."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".md":
        for part in (GENERATED, BLOCK):
            text = part.sub(lambda match: "\n" * match.group().count("\n"), text)
        return INLINE.sub("x", text)
    return "\n".join(INLINE.sub("x", line) for line in words(text.splitlines()))


def words(lines: list[str]) -> list[str]:
    """Each line's comment or string literals, without the code around them."""
    found, is_text = [], False
    for line in lines:
        comment = COMMENT.match(line)
        if is_text or line.count('"""') == 1:
            is_text = is_text != ('"""' in line)
            found.append(re.sub(INTERPOLATION, "x", line.strip()).removesuffix("\\").strip('" '))
        elif comment:
            found.append(comment.group(1))
        else:
            # The full stop keeps texts of one line and of neighbouring lines apart.
            found.append(" ".join(re.sub(INTERPOLATION, "x", text) + "." for text in LITERAL.findall(line)))
    return found


def files(root: pathlib.Path, folders: list[str]) -> list[pathlib.Path]:
    """The documents and the sources below the folders, without hidden folders and generated code."""
    found = list(root.rglob("*.md"))
    for folder in folders:
        found += [*(root / folder).rglob("*.swift"), *(root / folder).rglob("*.proto")]
    return sorted(
        path
        for path in set(found)
        if not any(part.startswith(".") for part in path.relative_to(root).parts)
        and not path.name.endswith(".pb.swift")
        and path != root / RULES
    )


def main() -> int:
    root = pathlib.Path(sys.argv[1])
    try:
        banned = patterns(root)
    except (OSError, re.error) as error:
        print(error, file=sys.stderr)
        return 2
    findings = []
    for path in files(root, sys.argv[2:]):
        flowing = BREAK.sub("\r", prose(path))
        for pattern in banned:
            for match in pattern.finditer(flowing.replace("\r", " ")):
                line = len(re.findall("[\r\n]", flowing[: match.start()])) + 1
                findings.append((str(path.relative_to(root)), line, match.group().strip()))
    for name, line, words in sorted(set(findings)):
        print(f"{name}:{line}: {words}")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
