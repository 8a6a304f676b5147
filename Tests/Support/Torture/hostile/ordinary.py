"""Ordinary clients: a process of its own in which people use a promise together, each request due at a fixed moment.

Started by the attacks with the server's port. Each line of its input, a number of seconds, makes it measure for so long
and write, as one line of JSON, what reads and commits waited in seconds, and what went wrong.
"""

import contextlib
import json
import os
import subprocess
import sys
import threading
import time

from promised.client import Closed, Peer
from promised.people import fix, instant, make_promise

STEP = 0.2  # seconds between two requests of one client
COUNT = 12  # clients, all of one promise
COMMITS = {"updateMe"}  # of the turns below, those that are answered when they are on disk


class Ordinary:
    """The process, seen by those who start it."""

    def __init__(self, port):
        self.process = subprocess.Popen([sys.executable, "-m", "hostile.ordinary", str(port)], text=True,
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        if self.process.stdout.readline() != "ready\n":
            raise RuntimeError("the ordinary clients did not get in")

    def measure(self, seconds):
        """Begins to measure; `result` waits for the end."""
        print(seconds, file=self.process.stdin, flush=True)

    def result(self):
        return json.loads(self.process.stdout.readline())

    def stop(self):
        self.process.stdin.close()
        self.process.wait(timeout=30)
        self.process.stdout.close()


def turn_of(turn, seq, promise):
    """The request of a turn, and its fields."""
    return (
        ("report", {"promiseId": promise, "fixes": [fix(seq, 1_000 - turn)], "sentAt": instant(0)}),
        ("syncClock", {}),
        ("updateMe", {"locale": ("en-GB", "de-DE")[turn // 5 % 2]}),
        ("getMe", {}),
        ("getPromise", {"promiseId": promise}),
    )[turn % 5]


def live(peer, number, promise, seconds, seq):
    """Runs one client; returns its waits, by whether they are commits, its error, and its last number."""
    waits, error, begin = {"reads": [], "commits": []}, None, time.monotonic() + STEP * number / COUNT
    try:
        for turn in range(int(seconds / STEP)):
            due = begin + turn * STEP
            time.sleep(max(0, due - time.monotonic()))
            # Not all commit in the same moment.
            request, fields = turn_of(turn + number, seq + 1, promise)
            seq += request == "report"
            reply = peer.ask(request, **fields)
            waits["commits" if request in COMMITS else "reads"].append(time.monotonic() - due)
            if "error" in reply:
                raise RuntimeError(f"{request}: {reply['error']}")
    except (Closed, OSError, RuntimeError) as problem:
        error = f"ordinary client: {problem or type(problem).__name__}"
    return waits, error, seq


def main(port):
    with contextlib.suppress(OSError, PermissionError):
        os.nice(-5)  # what is measured is the server's delay, not ours
    tokens = []
    for number in range(COUNT):
        # One after the other: a sign-up may take a third of a second, or much longer on a busy machine.
        peer = Peer(port, f"192.0.2.{number + 1}")
        tokens.append(peer.sign_up(f"ordinary{number}")["accessToken"])
        peer.close()
    # Only then they come to stay, as nobody would answer the server's pings meanwhile.
    peers = [Peer(port, f"192.0.2.{number + 1}") for number in range(COUNT)]
    for peer, token in zip(peers, tokens):
        peer.must("hello", token=token)
    promise = make_promise(peers[0], peers[1:], "ordinary")
    for peer in peers:
        peer.must("subscribe", promiseId=promise)
    time.sleep(3)
    print("ready", flush=True)
    seqs = [0] * COUNT
    for line in sys.stdin:
        found = {"reads": [], "commits": [], "errors": []}

        def run(number):
            waits, error, seqs[number] = live(peers[number], number, promise, float(line), seqs[number])
            with lock:
                for kind, values in waits.items():
                    found[kind] += values
                if error:
                    found["errors"].append(error)

        lock = threading.Lock()
        threads = [threading.Thread(target=run, args=(number,)) for number in range(COUNT)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        print(json.dumps(found), flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]))
