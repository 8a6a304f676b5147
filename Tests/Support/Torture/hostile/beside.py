"""Runs one attack against a server that somebody else has started, has other clients and may die at any time.

Called by scripts/torture soak. Writes one line of JSON: how much was sent, and what the attack did not expect. An
attack that expects to be alone, or undisturbed, is disappointed often; the ordinary clients say whether the server was
wrong.
"""

import contextlib
import json
import os
import pathlib
import sys

from hostile import connections, contents, crowds, disguises, guesses, sizes, sockets, texts, positions
from hostile.trial import Server, Trial
from promised.client import Closed

# Those that need no database, no clock and no settings of their own.
ATTACKS = {attack.__name__: attack for attack in (
    *texts.ATTACKS, positions.fixes, sizes.long_names, sizes.large_promises, sockets.guessers, sockets.idle_sockets,
    sockets.slow_readers, *connections.ATTACKS, *guesses.ATTACKS, *disguises.ATTACKS, *contents.ATTACKS, *crowds.ATTACKS)}


class Running(Server):
    """A server that others started and end."""

    def __init__(self, port, data, pid):
        self.port, self.data, self.pid = port, pathlib.Path(data), pid

    def stop(self):
        """It is not ours."""

    @property
    def is_alive(self):
        return os.path.exists(f"/proc/{self.pid}")


class Beside(Trial):
    """An attack on it."""

    def __init__(self, server, seconds):
        super().__init__(None, seconds)
        self.server = server
        # It needs no folder, and may be killed before it could remove it.
        self.folder.cleanup()

    def start(self, *_, **__):
        return self.server

    @contextlib.contextmanager
    def earlier(self, *_):
        yield self.server


def main(name, port, data, pid, seconds):
    trial, end = Beside(Running(int(port), data, pid), float(seconds)), ""
    try:
        for _ in ATTACKS[name](trial):
            pass
    except (Closed, OSError, RuntimeError, LookupError) as problem:
        end = f"{type(problem).__name__}: {problem}"
    failures = [] if end else trial.verdict()
    trial.end()
    print(json.dumps({"frames": trial.frames, "end": end, "failures": failures}), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
