"""The server that is attacked, the people in it, and what an attack found."""

import contextlib
import pathlib
import socket
import sqlite3
import tempfile
import time
import urllib.request

from promised import server
from promised.client import Peer, Readers
from promised.people import instant, together

# The settings of each server. Attackers come from any address, so the one proxy that names them is trusted; the world
# is set up quickly, so limits on handshakes and sign-ups are lifted, and passwords cost little unless an attack is on
# them.
SETTINGS = ("listen.trusted-proxies=127.0.0.1/32", "window.before=1m", "throttle.sign-ups=10000",
            "throttle.handshakes=10000", "log.level=warning")
CHEAP_PASSWORDS = "passwords.scrypt-log2-n=10"
# Requests a connection may send each second, and in one moment.
RATE, BURST = 20, 40


class Server(server.Server):
    """One life of a server on a folder."""

    def __init__(self, binary, folder, *settings, port=0):
        self.data = pathlib.Path(folder, "data")
        super().__init__(server.serve(binary, self.data, *SETTINGS, *settings, port=port), f"{folder}/log")

    def forget_peak(self):
        """From now on the most memory is counted anew."""
        with contextlib.suppress(OSError):
            pathlib.Path(f"/proc/{self.process.pid}/clear_refs").write_text("5")

    def metric(self, name):
        """The sum of a counter over all its labels."""
        with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/metrics", timeout=10) as page:
            lines = page.read().decode().splitlines()
        return sum(float(line.rsplit(" ", 1)[1]) for line in lines
                   if line.startswith((name + " ", name + "{")))

    def administrator(self):
        peer = Peer(self.port)
        peer.must("hello", token=(self.data / "admin.token").read_text().strip())
        return peer


class Trial:
    """One attack: an attack is a function of it that sets the world up, yields, attacks, and says what it expects."""

    def __init__(self, binary, seconds):
        self.binary, self.seconds = binary, seconds
        self.folder = tempfile.TemporaryDirectory(prefix="promised-hostile-")
        self.server = None
        self.readers = Readers()
        self.frames = 0
        self.notes, self.failures = [], []
        # Codes the server may close a connection of the attackers with; None stands for an end without a word.
        self.may_close = set()

    def start(self, *settings, passwords=CHEAP_PASSWORDS):
        """The server that is attacked."""
        self.server = Server(self.binary, self.folder.name, *settings, *([passwords] if passwords else []))
        return self.server

    @contextlib.contextmanager
    def earlier(self, seconds, *settings):
        """A life of the server before that, whose clock is so far behind: promises made in it are under way later."""
        start = f"clock.start={instant(-seconds)}"
        server = Server(self.binary, self.folder.name, start, CHEAP_PASSWORDS, *settings)
        try:
            yield server
        finally:
            server.stop()

    @property
    def outside(self):
        """An address of this machine that no limit exempts; None, as for loopback, where it has no other."""
        with contextlib.suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
            # Nothing is sent: the kernel names the address it would send from.
            probe.connect(("198.51.100.1", 9))
            return probe.getsockname()[0]
        return None

    def database(self):
        return sqlite3.connect(f"{self.folder.name}/data/promised.sqlite", timeout=30)

    def end(self):
        self.readers.stop()
        if self.server:
            self.server.stop()
        self.folder.cleanup()

    def expect(self, holds, message):
        if not holds:
            self.failures.append(message)

    def expect_codes(self, *codes):
        """The errors that were read have these codes and no others, and each of them was seen."""
        seen = set(self.readers.codes)
        self.expect(seen <= set(codes), f"unexpected errors: {dict(self.readers.codes)}")
        self.expect(set(codes) <= seen, f"no error {', '.join(sorted(set(codes) - seen))}")

    def expect_answers(self, count=None):
        """Each frame that was sent is answered, or nearly at once."""
        count, deadline = self.frames if count is None else count, time.monotonic() + 15
        while self.readers.replies < count and time.monotonic() < deadline and not self.readers.closes:
            time.sleep(0.05)
        self.expect(self.readers.replies >= count, f"{self.readers.replies} answers to {count} frames")

    def verdict(self):
        """The failures; empty if there are none."""
        asked = {code for code in self.readers.closes if code in self.may_close}
        unasked = {code: count for code, count in self.readers.closes.items() if code not in asked}
        if unasked:
            self.failures.append("closed " + ", ".join(f"{code} ({count} times)" for code, count in unasked.items()))
        return self.failures + self.readers.failures

    # --- Attacking ----------------------------------------------------------------------------------------------------

    def flood(self, peers, make, rate=RATE, burst=BURST, seconds=None):
        """Each peer sends what `make(peer's number, turn)` gives: `burst` frames at once, as often as keeps the rate.

        Ends after the seconds of an attack, or where there is nothing to send. What comes is read by the readers.
        """
        self.readers.add(*peers)
        seconds = seconds or self.seconds
        sent = [0] * len(peers)

        def attack(number):
            peer, begin = peers[number], time.monotonic()
            with contextlib.suppress(OSError):
                for turn in range(int(seconds * rate)):
                    # The first burst is what the bucket holds; the next ones what has flowed in meanwhile.
                    due = begin + turn // burst * burst / rate * 1.02
                    time.sleep(max(0, due - time.monotonic()))
                    if (data := make(number, turn)) is None:
                        return
                    peer.send_frame(data)
                    sent[number] += 1

        together(attack, range(len(peers)))
        self.frames += sum(sent)
