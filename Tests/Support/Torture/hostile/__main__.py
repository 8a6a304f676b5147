"""Attacks a server from its limits while ordinary clients use it, and measures how long those wait.

Called by scripts/torture hostile; needs nothing but Python's standard library. Each attack stays within what the people
in it, or an address without an account, may send, and says itself what it expects: which errors, how much is taken,
that the server closes no connection but those it should, and sends no frame that is too large. The attackers' frames
are prepared before the clock runs, so that the attacker spends as little of the processors as it can.
"""

import argparse
import os
import pathlib
import statistics
import sys
import threading

from hostile import connections, contents, crowds, disguises, guesses, positions, sizes, sockets, texts
from hostile.ordinary import Ordinary
from hostile.trial import Trial
from promised.client import Closed


def none(trial):
    """Nobody attacks: what the ordinary clients wait by themselves."""
    trial.start()
    yield


ATTACKS = [none, *texts.ATTACKS, *positions.ATTACKS, *sizes.ATTACKS, *sockets.ATTACKS, *connections.ATTACKS,
           *guesses.ATTACKS, *disguises.ATTACKS, *contents.ATTACKS, *crowds.ATTACKS]


def share(values, part):
    """The value, in ms, that this part of the values does not exceed."""
    return sorted(values)[min(len(values) - 1, int(len(values) * part))] * 1_000 if values else float("nan")


def seconds_of(pid):
    """Processor seconds a process has used."""
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(") ", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def busy_seconds():
    """Processor seconds of the whole machine that were not idle."""
    user, nice, system, _, _, irq, soft, *_ = map(int, pathlib.Path("/proc/stat").read_text().split("\n")[0].split()[1:])
    return (user + nice + system + irq + soft) / os.sysconf("SC_CLK_TCK")


class Measurement:
    """The waits of the ordinary clients and the server's usage, from now on for some seconds."""

    def __init__(self, server, ordinary, seconds):
        self.server, self.ordinary, self.seconds, self.row = server, ordinary, seconds, {}
        server.forget_peak()
        self.memory = server.memory()[0]
        self.cpu, self.ours, self.busy = self._used()
        ordinary.measure(seconds)
        self.thread = threading.Thread(target=self._wait)
        self.thread.start()

    def _used(self):
        cpu = seconds_of(self.server.process.pid)
        return cpu, cpu + seconds_of(os.getpid()) + seconds_of(self.ordinary.process.pid), busy_seconds()

    def _wait(self):
        found = self.ordinary.result()
        waits = found["reads"] + found["commits"]
        self.row.update(p50=share(waits, 0.5), p99=share(waits, 0.99), max=share(waits, 1),
                        commit=share(found["commits"], 0.99), errors=found["errors"])
        if self.server.is_alive:
            cpu, ours, busy = self._used()
            others = (busy - self.busy - (ours - self.ours)) / self.seconds / os.cpu_count()
            self.row.update(cpu=cpu - self.cpu, others=max(0, others) * 100,
                            memory=(self.server.memory()[1] - self.memory) / 2**20)

    def result(self):
        self.thread.join()
        return self.row


def run(binary, attack, seconds):
    """One row: what the ordinary clients waited during an attack, and what went wrong."""
    trial = Trial(binary, seconds)
    row = {"errors": []}
    try:
        steps = attack(trial)
        next(steps)
        ordinary = Ordinary(trial.server.port)
        measurement = Measurement(trial.server, ordinary, seconds)
        try:
            next(steps, None)
        finally:
            row = measurement.result()
            ordinary.stop()
    except (Closed, OSError, RuntimeError, LookupError) as problem:
        trial.failures.append(f"the attack broke off: {type(problem).__name__}: {problem}")
    finally:
        is_alive = trial.server is not None and trial.server.is_alive
        trial.end()
    row.update(frames=trial.frames, note="; ".join(trial.notes))
    row["errors"] = row["errors"][:2] + list(dict.fromkeys(trial.verdict()))[:4]
    if not is_alive:
        row["errors"].append("the server died")
    return row


COLUMNS = {"p50": "p50 ms", "p99": "p99 ms", "max": "max ms", "commit": "commits ms", "cpu": "CPU s", "memory": "MB",
           "others": "others %"}


def main():
    parser = argparse.ArgumentParser(
        prog="hostile", description=__doc__.splitlines()[0],
        epilog="attacks: " + "; ".join(f"{each.__name__}: {each.__doc__.splitlines()[0].rstrip('.')}" for each in ATTACKS))
    parser.add_argument("--binaries", type=os.path.abspath, required=True, help="folder of the programs")
    parser.add_argument("--seconds", type=float, default=10, help="how long each attack lasts")
    parser.add_argument("--only", action="append", help="one attack by its name; may be repeated")
    parser.add_argument("--bound", type=float, default=50,
                        help="the p99 in ms that ordinary clients must keep; a crowd has its own")
    parser.add_argument("--runs", type=int, default=1, help="how often each is run; the rows are medians")
    arguments = parser.parse_args()
    names = [attack.__name__ for attack in ATTACKS]
    for name in arguments.only or []:
        if name not in names:
            parser.error(f"unknown attack {name}; there are {', '.join(names)}")
    chosen = [attack for attack in ATTACKS if not arguments.only or attack.__name__ in arguments.only + ["none"]]
    failed = 0
    print(" ".join([f"{'attack':20} {'frames':>7}", *(f"{title:>10}" for title in COLUMNS.values())]))
    for attack in chosen:
        rows = [run(f"{arguments.binaries}/promised", attack, arguments.seconds) for _ in range(arguments.runs)]
        row = {name: statistics.median(each.get(name, float("nan")) for each in rows) for name in COLUMNS}
        errors = list(dict.fromkeys(error for each in rows for error in each["errors"]))
        is_bad = errors or not row["p99"] <= getattr(attack, "bound", arguments.bound)
        failed += bool(is_bad)
        print(" ".join([f"{attack.__name__:20} {rows[-1]['frames']:7}", *(f"{row[name]:10.1f}" for name in COLUMNS), "",
                        "FAILED:" if is_bad else "passed:", "; ".join(errors) or rows[-1]["note"]]), flush=True)
    print(f"{len(chosen) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
