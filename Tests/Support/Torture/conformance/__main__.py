"""Runs the table of cases against servers, and promisectl against hostile ones.

Called by scripts/torture conformance.
"""

import argparse
import concurrent.futures
import contextlib
import dataclasses
import json
import os
import pathlib
import sys
import tempfile
import time

from conformance import clients, player, report, servers, table
from conformance.case import matches

NAMES = ["promised", "websockets", "node-ws"]
# Connections at once.
WIDTH = 24
DOCUMENT = pathlib.Path(__file__).resolve().parents[4] / "docs/reliability.md"
# The programs inherit these: glibc then checks their memory.
MALLOC_DEBUG = {"LD_PRELOAD": "libc_malloc_debug.so.0",
                "GLIBC_TUNABLES": "glibc.malloc.check=3:glibc.malloc.perturb=165"}


@dataclasses.dataclass(frozen=True)
class Result:
    """A case on a server."""

    case: object
    outcome: str
    # `True` if the outcome is the one that the table has for this server.
    is_expected: bool
    # `True` if it is one that any server may show.
    is_right: bool


def run(name, cases, binary):
    """The results of the cases on one server, in their order; raises servers.Absent."""
    with tempfile.TemporaryDirectory(prefix="promised-conformance-") as folder:
        server = servers.start(name, binary, folder)
        try:
            server.prepare(player.Line)
            chosen = [case for case in cases if server.is_promised or not case.is_ours_alone]
            with concurrent.futures.ThreadPoolExecutor(WIDTH) as pool:
                outcomes = list(pool.map(lambda case: player.play(case, server), chosen))
            if not server.is_alive:
                raise RuntimeError(f"{name} died")
            if server.is_promised:
                print(f"promised: at most {server.memory():.0f} MB of memory", file=sys.stderr)
        finally:
            server.stop()
    return [Result(case, outcome, matches(outcome, case.expected(server.is_promised)), matches(outcome, case.must))
            for case, outcome in zip(chosen, outcomes)]


def told(name, results, seconds):
    """Prints what was not expected, and a summary."""
    for result in results:
        if not result.is_expected:
            expectation = result.case.expected(name == "promised")
            print(f"  {result.case.id}: {result.outcome}, expected {expectation} ({result.case.title})")
        elif not result.is_right and not result.case.why:
            print(f"  {result.case.id}: {result.outcome} differs from {result.case.must}, and the table has no reason")
    good = sum(result.is_expected for result in results)
    print(f"{name}: {good} of {len(results)} cases as expected, in {seconds:.0f} s", flush=True)


def run_servers(names, cases, binary):
    """The results by server; a server that is absent is skipped and named."""
    found = {}
    for name in names:
        begin = time.monotonic()
        try:
            found[name] = run(name, cases, binary)
        except servers.Absent as problem:
            print(f"{name}: skipped: {problem}", flush=True)
            continue
        told(name, found[name], time.monotonic() - begin)
    return found


def disputed(found):
    """Ids of the cases in which all independent servers contradict the expectation."""
    peers = [{result.case.id: result.is_expected for result in results}
             for name, results in found.items() if name != "promised"]
    if len(peers) < 2:
        return []
    clauses = {result.case.id for results in found.values() for result in results if result.case.clause}
    return [id for id in peers[0] if id not in clauses and not any(peer.get(id, True) for peer in peers)]


def listed(cases):
    for case in cases:
        ours = f" [promised: {case.ours}{'; ' + case.why if case.why else ''}]" if case.ours else ""
        print(f"{case.id}: {case.title} -> {case.must}{ours}")
    print(f"{len(cases)} cases")


def as_json(found, client_results):
    rows = [{"server": name, "case": result.case.id, "title": result.case.title, "outcome": result.outcome,
             "expected": result.is_expected} for name, results in found.items() for result in results]
    rows += [{"client": "promisectl", **dataclasses.asdict(result)} for result in client_results]
    print(json.dumps(rows, indent=1, ensure_ascii=False))


def options():
    parser = argparse.ArgumentParser(prog="conformance", description=__doc__)
    parser.add_argument("--binaries", type=pathlib.Path, required=True)
    parser.add_argument("--server", action="append", choices=[*NAMES, "all", "none"])
    parser.add_argument("--case", action="append", default=[])
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--report", action="store_true")
    parser.add_argument("--malloc-debug", action="store_true")
    parser.add_argument("--no-clients", action="store_true")
    parser.add_argument("--any-memory", action="store_true")
    return parser, parser.parse_args()


def chosen(parser, arguments, cases):
    """The cases that were asked for: by id, or by the beginning of ids up to a dot."""
    if not arguments.case:
        return cases
    found = [case for case in cases if any(case.id == id or case.id.startswith(id + ".") for id in arguments.case)]
    if not found and not clients.chosen(arguments.case):
        parser.error(f"no case {', '.join(arguments.case)}; --list shows them all")
    return found


def main():
    parser, arguments = options()
    cases = chosen(parser, arguments, table.all_cases())
    hostile = [] if arguments.no_clients else clients.chosen(arguments.case)
    if arguments.list:
        listed(cases)
        clients.listed(hostile)
        return 0
    if arguments.malloc_debug:
        os.environ.update(MALLOC_DEBUG)
    names = arguments.server or ["promised"]
    names = NAMES if "all" in names or arguments.report else [name for name in names if name != "none"]
    # The document for machines stands alone on standard output.
    with contextlib.redirect_stdout(sys.stderr if arguments.json else sys.stdout):
        found = run_servers(names if cases else [], cases, arguments.binaries / "promised")
        client_results = clients.run(hostile, arguments.binaries / "promisectl", arguments.any_memory) if hostile else []
        wrong = disputed(found)
        for id in wrong:
            print(f"  {id}: no independent server does what the table asks")
    if arguments.json:
        as_json(found, client_results)
    if arguments.report:
        report.write(DOCUMENT, found, client_results)
    is_good = all(result.is_expected and (result.is_right or result.case.why) for result in found.get("promised", []))
    return 0 if is_good and not wrong and all(result.is_expected for result in client_results) else 1


if __name__ == "__main__":
    sys.exit(main())
