"""Crashes and faults of the disk against the built server, beside ordinary clients that write.

Called by scripts/torture crashes; needs Python's standard library, a C compiler and SQLite's headers.
"""

import argparse
import os
import sys
import tempfile
import time

from crashes import disk, faults, files, power
from crashes.kills import Run
from crashes.life import DEATH, NotStarted
from crashes.stage import Skipped, Stage
from crashes.town import Unexpected


def kills(stage, count, seed):
    """`kill -9` at random moments under load."""
    return finish(Run(stage.binary, stage.folder, seed), count)


def cuts(stage, count, seed):
    """A loss of power at random writes and syncs under load."""
    return finish(Run(stage.binary, stage.folder, seed, stage.disk), count)


def finish(run, count):
    if run.crash(count):
        run.finish()
    violations = run.violations
    if violations:
        raise Unexpected(f"{len(violations)} violations: {'; '.join(each[:300] for each in violations[:5])} "
                         f"({run.summary()})")
    return run.summary()


CASES = [*power.CASES, *faults.CASES, *files.CASES]


def outcome(case, *arguments, binary, library):
    """The verdict on a case: passed, skipped or FAILED, with a sentence."""
    with tempfile.TemporaryDirectory(prefix="promised-crashes-") as folder:
        try:
            return "passed", case(Stage(binary, folder, library), *arguments)
        except Skipped as reason:
            return "skipped", str(reason)
        except Unexpected as problem:
            return "FAILED", str(problem)
        except (NotStarted, RuntimeError, LookupError, *DEATH) as problem:
            return "FAILED", f"the case broke off: {type(problem).__name__} {problem}"


def main():
    parser = argparse.ArgumentParser(prog="crashes", description=__doc__.splitlines()[0])
    parser.add_argument("--binaries", type=os.path.abspath, required=True, help="folder of the programs")
    parser.add_argument("--kills", type=int, default=500, help="how often it is killed")
    parser.add_argument("--cuts", type=int, default=100, help="how often it loses power")
    parser.add_argument("--seed", type=int, default=1, help="decides the moments, and the sectors that survive")
    parser.add_argument("--only", action="append", help="one case by its name; may be repeated")
    chosen = parser.parse_args()
    cases = {"kills": (kills, chosen.kills, chosen.seed), "cuts": (cuts, chosen.cuts, chosen.seed),
             **{case.__name__: (case,) for case in CASES}}
    for name in chosen.only or []:
        if name not in cases:
            parser.error(f"unknown case {name}; there are {', '.join(cases)}")
    failed = 0
    with tempfile.TemporaryDirectory(prefix="promised-disk-") as folder:
        library = disk.build(folder)
        for name, (case, *arguments) in cases.items():
            if chosen.only and name not in chosen.only:
                continue
            began = time.monotonic()
            verdict, sentence = outcome(case, *arguments, binary=f"{chosen.binaries}/promised", library=library)
            failed += verdict == "FAILED"
            print(f"{name:16} {time.monotonic() - began:6.1f} s  {verdict}: {sentence}", flush=True)
    print("all passed" if failed == 0 else f"{failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
