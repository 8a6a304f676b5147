"""Plays recorded conversations to a server: a client that was written then must still work.

Called by scripts/torture recorded. Each line of a recording is a step: who, a request or null, and the frame that must
come, its reply or an event. A recording is never changed.
"""

import argparse
import json
import os
import pathlib
import sys
import tempfile
import threading

from recorded import record
from recorded.client import Client, Server, server_time
from recorded.wire import Bindings, JSONFrames, Mismatch, ProtobufFrames

RECORDINGS = pathlib.Path(__file__).resolve().parents[3] / "Recorded"
ENCODINGS = {"json": JSONFrames, "protobuf": ProtobufFrames}


def play(path, binary):
    """Plays one recording; returns the number of its steps."""
    frames = ENCODINGS[path.stem]
    with tempfile.TemporaryDirectory(prefix="promised-recorded-") as folder:
        server = Server(binary, folder)
        try:
            bindings, clients, count = Bindings(), {}, 0
            bindings.now = server_time(server)
            for count, line in enumerate(path.read_text().splitlines(), 1):
                who, request, expected = json.loads(line)
                try:
                    client = clients.get(who) or clients.setdefault(who, Client(server.port, frames))
                    step(client, request, expected, bindings)
                except (Mismatch, OSError, RuntimeError, LookupError, ValueError) as problem:
                    raise Mismatch(f"line {count}: {type(problem).__name__} {problem}") from problem
            return count
        finally:
            server.stop()


def step(client, request, expected, bindings):
    frames = client.frames
    if request is not None:
        client.send(request, bindings)
        number = frames.number(expected_of(frames, expected))
        frames.match(expected, client.until(lambda frame: frames.number(frame) == number), bindings)
        return
    last = None

    def fits(frame):
        nonlocal last
        trial = Bindings()
        trial.values = dict(bindings.values)
        try:
            frames.match(expected, frame, trial)
        except Mismatch as problem:
            # Of all that does not fit, the nearest explains most.
            last = max(last, str(problem), key=lambda text: len(text.split(" ")[0])) if last else str(problem)
            return False
        bindings.values = trial.values
        return True

    try:
        client.until(fits)
    except OSError as problem:
        raise Mismatch(f"no such event; nearest: {last}") from problem


def expected_of(frames, expected):
    """The recorded reply as a received frame, to read its number."""
    return expected if frames is JSONFrames else [(number, value) for number, _, value in expected]


def main():
    parser = argparse.ArgumentParser(prog="recorded", description=__doc__.splitlines()[0])
    parser.add_argument("--binaries", type=os.path.abspath, required=True, help="folder of the server's binary")
    parser.add_argument("--record", metavar="FOLDER", help="makes a recording in a new folder instead")
    chosen = parser.parse_args()
    binary = f"{chosen.binaries}/promised"
    if chosen.record:
        record.main(binary, RECORDINGS / chosen.record)
        return 0
    paths, verdicts = sorted(RECORDINGS.glob("*/*.txt")), {}

    def run(path):
        try:
            verdicts[path] = f"passed: {play(path, binary)} steps"
        except Mismatch as problem:
            verdicts[path] = f"FAILED: {problem}"

    threads = [threading.Thread(target=run, args=(path,)) for path in paths]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for path in paths:
        print(f"{path.parent.name} {path.stem:8} {verdicts.get(path, 'FAILED: broke off')}")
    failed = sum(not verdicts.get(path, "").startswith("passed") for path in paths)
    print(f"{len(paths) - failed} passed, {failed} failed")
    return 1 if failed or not paths else 0


if __name__ == "__main__":
    sys.exit(main())
