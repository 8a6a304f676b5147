"""Writes the measured parts of docs/conformance.md, between its markers."""

import collections
import re

import table

PEERS = {"promised": "promised", "websockets": "Python `websockets`", "node-ws": "Node `ws`"}
# A row of the report names at most this many cases.
NAMED = 6


def write(path, found, clients):
    """Replaces the parts of the document that these results have."""
    with open(path, encoding="utf-8") as file:
        text = file.read()
    parts = {"families": families(found), "deviations": deviations(found), "peers": peers(found),
             "clients": client_table(clients)}
    for name, lines in parts.items():
        marker = re.compile(rf"(<!-- generated: {name} -->\n\n).*?(\n\n<!-- end: {name} -->)", re.DOTALL)
        if not marker.search(text):
            raise ValueError(f"{path} has no part {name}")
        text = marker.sub(lambda match: match.group(1) + "\n".join(lines) + match.group(2), text)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def row(*cells):
    return "| " + " | ".join(str(cell).replace("|", "\\|") for cell in cells) + " |"


def heading(*cells):
    return [row(*cells), "|" + "---|" * len(cells)]


def code(text):
    return f"`{text}`"


def named(ids):
    """The ids, or the first of them and their number."""
    first = ", ".join(code(id) for id in ids[:NAMED])
    return first if len(ids) <= NAMED else f"{first} and {len(ids) - NAMED} more"


def families(found):
    """How many cases of each family are as any server must be; in brackets those that are not."""
    lines = heading("ids", "cases about", "cases", *[PEERS[name] for name in found])
    totals = collections.Counter()
    for family, title in table.FAMILIES.items():
        cells = []
        for name, results in found.items():
            mine = [result for result in results if result.case.family == family]
            right = sum(result.is_right for result in mine)
            totals[name, "right"] += right
            totals[name, "all"] += len(mine)
            cells.append(share(right, len(mine)))
        count = max(sum(result.case.family == family for result in results) for results in found.values())
        lines.append(row(code(f"{family}.*"), title, count, *cells))
    count = max(len(results) for results in found.values())
    return [*lines, row("", "all", count, *[share(totals[name, "right"], totals[name, "all"]) for name in found])]


def share(right, count):
    if not count:
        return "–"
    return "all" if right == count else f"{right} of {count}"


def deviations(found):
    """The reasons for which promised does what other servers must not, each with its cases."""
    reasons = collections.defaultdict(list)
    for result in found["promised"]:
        if not result.is_right:
            reasons[result.case.why].append(result)
    lines = heading("reason", "cases", "outcomes")
    for reason, results in reasons.items():
        outcomes = list(dict.fromkeys(result.outcome for result in results))
        lines.append(row(reason, named([result.case.id for result in results]), ", ".join(map(code, outcomes[:NAMED]))))
    return lines


def peers(found):
    """The cases in which an independent server differs from the table."""
    lines = heading("server", "case", "outcome", "any server must")
    for name, results in found.items():
        if name != "promised":
            lines += [row(PEERS[name], code(result.case.id), code(result.outcome), code(result.case.must))
                      for result in results if not result.is_right]
    return lines


def client_table(results):
    """How promisectl ended, by the kind of server."""
    groups = collections.defaultdict(list)
    for result in results:
        groups[result.id.split(".")[0]].append(result)
    lines = heading("ids", "servers", "survived", "exit codes", "longest", "most memory")
    for group, mine in groups.items():
        exits = collections.Counter(result.outcome for result in mine)
        lines.append(row(code(f"client.{group}.*"), len(mine), sum(result.is_expected for result in mine),
                         ", ".join(f"{outcome.removeprefix('exit ')} × {count}" for outcome, count in sorted(exits.items())),
                         f"{max(result.seconds for result in mine):.1f} s", f"{max(result.memory for result in mine):.0f} MB"))
    return lines
