"""Writes the measured parts of docs/reliability.md, between its markers."""

import collections
import re

PEERS = {"promised": "promised", "websockets": "Python `websockets`", "node-ws": "Node `ws`"}
# A row of the report names at most this many cases.
NAMED = 3


def write(path, found, clients):
    """Replaces the parts of the document that these results have."""
    with open(path, encoding="utf-8") as file:
        text = file.read()
    parts = {"conformance": totals(found, clients), "deviations": deviations(found)}
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


def totals(found, clients):
    """How many cases each server has, and how many of them end as any server must; the same of the client."""
    lines = heading("server", "cases", "as any server must")
    lines += [row(PEERS[name], len(results), sum(result.is_right for result in results)) for name, results in found.items()]
    survived = sum(result.is_expected for result in clients)
    return [*lines, row("servers that break the protocol, met by `promisectl`", len(clients), survived)]


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
    return lines
