"""Searches the dearest input of each request over generated inputs and states, and prints what it costs.

Called by scripts/bench cost; needs protoc.
"""

import argparse
import json
import os
import pathlib
import statistics
import sys
import tempfile
import time

from cost.inputs import Inputs
from cost.line import Line
from cost.meter import measured
from cost.requests import requests
from cost.steps import FULL_FIRST, Steps
from cost.world import World
from promised.client import Closed
from promised.schema import Schema

BOUNDS = {"cpu": 20.0, "service": 5.0, "memory": 1_048_576}
KEPT, REPEATS = 6, 7
# These take something away that others need.
LAST = ("deleteAccount", "deleteFolder", "admin disableUser", "admin deleteUser", "admin removeSource", "admin backUp",
        "admin verify")
PAGES = ("/healthz", "/readyz", "/version", "/metrics", "/", "/assets/app.js", "/nothing")


class Search:
    """The search for the dearest input of one request in one encoding."""

    def __init__(self, world, steps, inputs, request, encoding):
        self.world, self.steps, self.inputs, self.request, self.encoding = world, steps, inputs, request, encoding
        self.step = steps.of(request.name)
        self.callers = self.step.callers or (["admin"] if request.path[0] == "admin" else
                                             FULL_FIRST if "USER" in request.senders else ["stranger"])
        self.found, self.tried, self.outcomes, self.lost = [], 0, {}, 0

    def run(self, seconds):
        """The dearest inputs, dearest first, each with its cost."""
        deadline, best = time.monotonic() + seconds, []
        least = 4 if self.step.slow else 12
        while time.monotonic() < deadline or self.tried < least:
            if time.monotonic() > deadline + 12 * seconds or self.lost > 200:
                break
            parent = self.inputs.random.choice(best)[1] if best and self.inputs.random.random() < 0.75 else None
            make = self.inputs.changed if parent else self.inputs.make
            made = make(self.request, self.encoding, self.callers, *([parent] if parent else []))
            cost = self.cost_of(made)
            if cost:
                best = sorted([*best, (self.weight(cost), made, cost)], key=lambda each: -each[0])[:KEPT]
        return best

    @staticmethod
    def weight(cost):
        """How much of its bounds it uses."""
        return max(cost.cpu * 1e3 / BOUNDS["cpu"], cost.service * 1e3 / BOUNDS["service"],
                   cost.memory / BOUNDS["memory"] * 0.5) + cost.cpu

    def cost_of(self, made):
        """Sends an input and measures it; None if it is not within the limits of a frame."""
        try:
            return self._cost_of(made)
        except (Closed, OSError) as problem:
            self.lost += 1
            self.outcomes[f"closed {problem}"] = self.outcomes.get(f"closed {problem}", 0) + 1
            for key in [key for key in self.world.lines if key[0] == made["caller"]]:
                self.world.forget(*key)
        except RuntimeError as problem:
            self.lost += 1
            self.outcomes[str(problem)[:120]] = self.outcomes.get(str(problem)[:120], 0) + 1
        return None

    def _cost_of(self, made):
        caller = made["caller"]
        if self.step.before:
            made["fields"] = {**made["fields"], **self.step.before(made, self.encoding)}
        line = self._line(caller)
        number = line.next_number()
        payload, fields = self.inputs.payload(self.request, self.encoding, made, number)
        if payload is None:
            self.lost += 1
            return None
        reply = {}

        def work():
            size, answer = line.exchange(payload, number)
            reply.update(answer)
            return size, answer.get("error", {}).get("code", "done")

        cost = measured(self.world.server, work, self.step.tail, self.step.begins_job)
        self.tried += 1
        self.outcomes[cost.outcome] = self.outcomes.get(cost.outcome, 0) + 1
        if self.step.after:
            self.step.after(made, fields, reply)
        if self.request.name == "subscribe" and cost.outcome == "done":
            line.ask("unsubscribe", promiseId=fields["promiseId"])
        if caller in ("stranger", "fresh"):
            line.close()
        return cost

    def _line(self, caller):
        if caller == "stranger":
            return Line(self.world.schema, self.world.server.port, self.encoding, "198.51.100.250")
        if caller == "fresh" or self.steps.fresh:
            line, self.steps.fresh = self.steps.fresh, None
            return line
        return self.world.line(caller, self.encoding)

    def row(self, seconds):
        """The dearest input with the median of its repeats."""
        begin = time.monotonic()
        best = self.run(seconds)
        self.steps.confirms = True
        chosen = None
        tops, times = (1, 3) if self.step.slow else (3, REPEATS)
        for _, made, first in best[:tops]:
            repeats = [each for each in (self.cost_of(made) for _ in range(times)) if each] or [first]
            if self.step.slow:
                repeats = [max(repeats, key=lambda each: each.cpu)]
            cost = {
                name: statistics.median(getattr(each, name) for each in repeats)
                for name in ("cpu", "service", "memory", "reply")
            }
            share = max(cost["cpu"] * 1e3 / BOUNDS["cpu"], cost["service"] * 1e3 / BOUNDS["service"],
                        cost["memory"] / BOUNDS["memory"])
            if chosen is None or share > chosen["share"]:
                chosen = {
                    **cost, "share": share, "caller": str(made["caller"]), "input": self.inputs.words(made),
                    "outcome": repeats[0].outcome, "first": first.cpu
                }
        self.steps.confirms = False
        chosen = chosen or {
            "cpu": 0, "service": 0, "memory": 0, "reply": 0, "share": 0, "caller": "", "input": "",
            "outcome": "never answered", "first": 0
        }
        return {
            "request": self.request.name, "encoding": self.encoding, **chosen, "tried": self.tried,
            "seconds": time.monotonic() - begin, "outcomes": self.outcomes, "excepted": self.step.excepted
        }


def pages(world):
    """The pages of HTTP, each with short headers and with headers as long as they may be."""
    for path in PAGES:
        found = []
        for header in ({}, {"X-Long": "a" * 1_500}):
            costs = []
            for _ in range(REPEATS):

                def work():
                    status, body = world.server.page(path, header)
                    return len(body), str(status)

                costs.append(measured(world.server, work))
            found.append({
                name: statistics.median(getattr(each, name) for each in costs)
                for name in ("cpu", "service", "memory", "reply")
            }
                         | {"outcome": costs[0].outcome, "input": "long headers" if header else ""})
        worst = max(found, key=lambda each: each["cpu"])
        yield {
            "request": f"GET {path}", "encoding": "http", **worst, "caller": "stranger", "tried": 2 * REPEATS,
            "excepted": None, "share": max(worst["cpu"] * 1e3 / BOUNDS["cpu"],
                                           worst["service"] * 1e3 / BOUNDS["service"],
                                           worst["memory"] / BOUNDS["memory"])
        }


def verdict(row):
    if row["excepted"]:
        return f"own ({row['excepted']})" if row["service"] * 1e3 <= BOUNDS["service"] else "no"
    return "yes" if row["share"] <= 1 else "no"


def shown(rows):
    """The line of a request: its figures in each encoding, and the input of the dearer one."""
    worst = max(rows, key=lambda row: row["share"])

    def figures(name, scale, digits):
        return " / ".join(f"{row[name] * scale:,.{digits}f}" for row in rows)

    words = "; ".join(part for part in (worst["caller"], worst["input"][:200],
                                        worst["outcome"] if worst["outcome"] != "done" else "") if part)
    verdicts = {verdict(row) for row in rows}
    return (
        f"| `{worst['request']}` | {words} | {figures('cpu', 1e3, 2)} | {figures('service', 1e3, 2)} | "
        f"{figures('memory', 1 / 1024, 0)} | "
        f"{figures('reply', 1 / 1024, 1)} | {figures('tried', 1, 0)} | {'no' if 'no' in verdicts else verdicts.pop()} |"
    )


HEAD = ("| request | dearest input | CPU ms | service thread ms | memory KiB | reply KiB | tried | within |\n"
        "|---|---|---|---|---|---|---|---|")


def main():
    parser = argparse.ArgumentParser(prog="scripts/bench cost", description=__doc__.splitlines()[0])
    parser.add_argument("--binaries", type=os.path.abspath, required=True, help="folder of the programs")
    parser.add_argument("--only", action="append", help="one request by its name; may be repeated")
    parser.add_argument("--seconds-per-request", type=float, default=3,
                        help="how long inputs are searched, in each encoding")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--encoding", choices=("json", "protobuf", "both"), default="both")
    parser.add_argument("--places", type=int, default=1_000_000, help="places of the directory")
    parser.add_argument("--world", help="folder that keeps the filled world for the next run")
    parser.add_argument("--json", help="file for the rows")
    chosen = parser.parse_args()
    schema = Schema()
    every = list(requests(schema))
    names = [each.name for each in every] + ["pages"]
    for name in chosen.only or []:
        if name not in names:
            parser.error(f"unknown request {name}; there are {', '.join(names)}")
    with tempfile.TemporaryDirectory(prefix="promised-cost-") as temporary:
        return search(chosen, schema, every, pathlib.Path(chosen.world or temporary))


def search(chosen, schema, every, folder):

    def say(text):
        print(text, file=sys.stderr, flush=True)

    world = World(schema, f"{chosen.binaries}/promised", folder, chosen.places, chosen.seed)
    try:
        if (folder / "world.json").exists():
            world.load()
        else:
            folder.mkdir(parents=True, exist_ok=True)
            world.build(say)
            world.save()
        world.live()
        say(f"idle: {world.server.measure_idle() * 1e3:.2f} ms of processor time a second; "
            f"{world.server.allocated()[0] / 1e6:.0f} MB allocated"
            )
        steps, inputs = Steps(world), Inputs(schema, world, chosen.seed)
        encodings = ["json", "protobuf"] if chosen.encoding == "both" else [chosen.encoding]
        print(HEAD, flush=True)
        rows = []

        def note(found):
            rows.extend(found)
            print(shown(found), flush=True)
            if chosen.json:
                pathlib.Path(chosen.json).write_text(json.dumps(rows, indent=1))

        for request in sorted(every, key=lambda each: (each.path[0] == "admin", each.name in LAST)):
            if not chosen.only or request.name in chosen.only:
                note([
                    Search(world, steps, inputs, request, encoding).row(chosen.seconds_per_request)
                    for encoding in encodings
                ])
        if not chosen.only or "pages" in chosen.only:
            for row in pages(world):
                note([row])
    finally:
        if world.server:
            world.stop()
    bad = [row for row in rows if verdict(row) == "no"]
    print(f"{len(rows) - len(bad)} passed, {len(bad)} failed")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
