"""The server that is attacked, the people in it, and what an attack found."""

import contextlib
import json
import pathlib
import signal
import socket
import sqlite3
import subprocess
import tempfile
import threading
import time
import urllib.request

from hostile.peer import Peer, Readers

PLACE = {"name": "Square", "latitude": 51.5, "longitude": -0.12}
# The settings of each server. Attackers come from any address, so the one proxy that names them is trusted; the world
# is set up quickly, so limits on handshakes and sign-ups are lifted, and passwords cost little unless an attack is on
# them.
SETTINGS = ("listen.trusted-proxies=127.0.0.1/32", "window.before=1m", "throttle.sign-ups=10000",
            "throttle.handshakes=10000", "log.level=warning")
CHEAP_PASSWORDS = "passwords.scrypt-log2-n=10"
# Requests a connection may send each second, and in one moment.
RATE, BURST = 20, 40


class Server:
    """One life of a server on a folder."""

    def __init__(self, binary, folder, *settings, port=0):
        command = [binary, "serve", "--data", f"{folder}/data", "--listen", f"127.0.0.1:{port}"]
        for setting in (*SETTINGS, *settings):
            command += ["--set", setting]
        self.data = pathlib.Path(folder, "data")
        self.log = open(f"{folder}/log", "ab")
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=self.log, text=True)
        line = self.process.stdout.readline()
        if not line.startswith("listening on "):
            raise RuntimeError(f"the server did not start: {pathlib.Path(self.log.name).read_text()}")
        self.port = int(line.rsplit(":", 1)[1])

    def stop(self):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            self.process.wait(timeout=60)
        self.process.stdout.close()
        self.log.close()

    @property
    def is_alive(self):
        return self.process.poll() is None

    def memory(self):
        """Resident memory now and at most, in bytes."""
        status = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
        fields = dict(line.split(":", 1) for line in status.splitlines())
        return tuple(int(fields[name].split()[0]) * 1024 for name in ("VmRSS", "VmHWM"))

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


def together(work, items):
    """Does it for all items at once, each in a thread."""
    threads = [threading.Thread(target=work, args=(item,)) for item in items]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


# --- The people ------------------------------------------------------------------------------------------------------


def instant(seconds):
    moment = time.time() + seconds
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(moment)) + f".{int(moment * 1000) % 1000:03d}Z"


def account(port, name, connections=5, address="198.51.100.7", is_new=True):
    """As many connections as one account may have, each as a phone of its own."""
    first = Peer(port, address)
    if is_new:
        token = first.sign_up(name)["accessToken"]
    else:
        token = first.sign_in(name)["accessToken"]
    first.must("hello", token=token, deviceId="phone 0", bootId="1")
    others = [Peer(port, address) for _ in range(connections - 1)]
    for number, peer in enumerate(others):
        peer.must("hello", token=token, deviceId=f"phone {number + 1}", bootId="1")
    return [first, *others]


def user_id(peer):
    return peer.must("getMe")["me"]["user"]["userId"]


def make_promise(owner, members, key, ago=0, **fields):
    """A promise of the owner that the members joined by code; its window opens within two seconds.

    `ago`: how far the server's clock is behind.
    """
    content = {"title": "Attack", "place": PLACE, "meetsAt": instant(62 - ago), **fields}
    promise = owner.must("createPromise", key=key, **content)["promise"]["promise"]
    code = owner.must("createInvite", promiseId=promise["promiseId"])["invite"]["code"]
    for member in members:
        member.must("joinByCode", code=code)
    return promise["promiseId"]


def fix(seq, metres=1_000.0, age=0.0):
    """A position so far north of the place."""
    return {"seq": seq, "latitude": PLACE["latitude"] + metres / 111_195, "longitude": PLACE["longitude"],
            "accuracyMetres": 8, "recordedAt": instant(-age)}


def report(promise, fixes, after=0):
    """A report that is sent so many seconds from now."""
    return {"id": 1, "report": {"promiseId": promise, "sentAt": instant(after), "fixes": fixes}}


def explained(server, promise, user):
    """All that an explanation says of somebody, by all its pages: the fixes, and the revisions."""
    peer, cursor, fixes, revisions = server.administrator(), "", [], []
    while True:
        fields = {"promiseId": promise, "userId": user, **({"cursor": cursor} if cursor else {})}
        page = peer.must("admin", explainArrival=fields)["admin"]["explanation"]
        fixes += page.get("fixes", [])
        revisions += page.get("revisions", [])
        cursor = page.get("cursor", "")
        if not cursor:
            peer.close()
            return fixes, revisions
        # No faster than a user may ask for long: 20 requests a second.
        time.sleep(0.055)


def decoded(payloads, kind):
    """The values under the kind in messages that readers kept."""
    return [json.loads(payload)[kind] for payload in payloads]
