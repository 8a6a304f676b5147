"""Attacks a server from its limits while ordinary clients use it, and measures how long those wait.

Called by scripts/test-hostile; needs nothing but Python's standard library. Each attack stays within what one account,
or one address without an account, may send. The attackers' frames are prepared before the clock runs, so that the
attacker spends as little of the two cores as it can.
"""

import argparse
import base64
import contextlib
import json
import multiprocessing
import os
import pathlib
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time

def marks(size):
    """A letter and so many bytes of marks that a normal form must put in another order."""
    return "a" + "\u0345" * (size // 4) + "\u0334" * (size // 4)


PASSWORD = "correct horse battery"
PLACE = {"name": "Square", "latitude": 51.5, "longitude": -0.12}
STEP = 0.2  # seconds between two requests of one ordinary client
ORDINARY = 12  # ordinary clients, all of one promise


# --- A WebSocket client ----------------------------------------------------------------------------------------------


def masked(payload):
    """A text frame from a client. The mask is zero, which is a mask and costs nothing."""
    size = len(payload)
    if size < 126:
        head = struct.pack("!BB", 0x81, 0x80 | size)
    elif size < 65_536:
        head = struct.pack("!BBH", 0x81, 0xFE, size)
    else:
        head = struct.pack("!BBQ", 0x81, 0xFF, size)
    return head + b"\0\0\0\0" + payload


def frame(message):
    return masked(json.dumps(message, ensure_ascii=False).encode())


class Closed(Exception):
    """The server ended the connection."""

    def __init__(self, code=None):
        super().__init__(f"closed {code}")
        self.code = code


class Peer:
    """One connection."""

    def __init__(self, port, address=None, timeout=30):
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=timeout)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.buffer = b""
        self.next_id = 0
        key = base64.b64encode(os.urandom(16)).decode()
        forwarded = f"X-Forwarded-For: {address}\r\n" if address else ""
        self.socket.sendall(
            f"GET /ws HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Protocol: promised.v1.json\r\n{forwarded}"
            f"Sec-WebSocket-Key: {key}\r\n\r\n".encode())
        while b"\r\n\r\n" not in self.buffer:
            self._more()
        head, self.buffer = self.buffer.split(b"\r\n\r\n", 1)
        if b" 101 " not in head.split(b"\r\n", 1)[0]:
            raise Closed(head.split(b"\r\n", 1)[0].decode())

    def _more(self):
        data = self.socket.recv(262_144)
        if not data:
            raise Closed()
        self.buffer += data

    def receive(self):
        """The next message."""
        while True:
            while len(self.buffer) < 2:
                self._more()
            code, size, start = self.buffer[0] & 15, self.buffer[1] & 127, 2
            if size >= 126:
                start = 4 if size == 126 else 10
                while len(self.buffer) < start:
                    self._more()
                size = int.from_bytes(self.buffer[2:start], "big")
            while len(self.buffer) < start + size:
                self._more()
            payload, self.buffer = self.buffer[start:start + size], self.buffer[start + size:]
            if code == 8:
                raise Closed(int.from_bytes(payload[:2], "big"))
            if code == 9:
                self.socket.sendall(struct.pack("!BB", 0x8A, 0x80 | len(payload)) + b"\0\0\0\0" + payload)
            elif code in (1, 2):
                return json.loads(payload)

    def send(self, message):
        self.socket.sendall(frame(message))

    def ask(self, request, **fields):
        """Sends a request and returns its reply; the error's object under "error" where it is refused."""
        self.next_id += 1
        self.send({"id": self.next_id, request: fields})
        while True:
            message = self.receive()
            if message.get("id") == self.next_id:
                return message

    def sign_up(self, name):
        return self.must("signUp", email=f"{name}@example.org", password=PASSWORD, nickname=name)["session"]

    def must(self, request, **fields):
        reply = self.ask(request, **fields)
        if "error" in reply:
            raise RuntimeError(f"{request}: {reply['error']}")
        return reply

    def swallow(self, seconds):
        """Reads and discards what comes for a time."""
        end = time.monotonic() + seconds
        with contextlib.suppress(socket.timeout, Closed, OSError):
            while (left := end - time.monotonic()) > 0:
                self.socket.settimeout(left)
                if not self.socket.recv(262_144):
                    return

    def close(self):
        with contextlib.suppress(OSError):
            self.socket.close()


# --- The server and the world in it ----------------------------------------------------------------------------------


class Server:
    """A server of its own on a temporary folder; ends with the block."""

    def __init__(self, binary, *settings):
        self.binary, self.settings = binary, settings

    def __enter__(self):
        self.folder = tempfile.TemporaryDirectory(prefix="promised-hostile-")
        command = [self.binary, "serve", "--data", f"{self.folder.name}/data", "--listen", "127.0.0.1:0"]
        for setting in ("listen.trusted-proxies=127.0.0.1/32", "window.before=1m", "throttle.sign-ups=10000",
                        "throttle.handshakes=10000", "log.level=warning", *self.settings):
            command += ["--set", setting]
        self.log = open(f"{self.folder.name}/log", "wb")
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=self.log, text=True)
        line = self.process.stdout.readline()
        if not line.startswith("listening on "):
            raise RuntimeError(f"the server did not start: {pathlib.Path(self.log.name).read_text()}")
        self.port = int(line.rsplit(":", 1)[1])
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            self.process.wait(timeout=30)
        self.process.stdout.close()
        self.log.close()
        self.folder.cleanup()

    def cpu(self):
        """Processor seconds it has used."""
        fields = pathlib.Path(f"/proc/{self.process.pid}/stat").read_text().rsplit(") ", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def memory(self):
        """Resident memory, in bytes."""
        pages = int(pathlib.Path(f"/proc/{self.process.pid}/statm").read_text().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE")


def instant(seconds):
    moment = time.time() + seconds
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(moment)) + f".{int(moment * 1000) % 1000:03d}Z"


def make_promise(owner, members, key):
    """A promise of the owner that the members joined by code; its window opens within two seconds."""
    promise = owner.must("createPromise", key=key, title="Attack", place=PLACE, meetsAt=instant(62))["promise"]["promise"]
    code = owner.must("createInvite", promiseId=promise["promiseId"])["invite"]["code"]
    for member in members:
        member.must("joinByCode", code=code)
    return promise["promiseId"]


def fix(seq, meters=0.0, age=0.0):
    return {"seq": seq, "latitude": 51.51 + meters / 111_195, "longitude": -0.12, "accuracyMetres": 8,
            "recordedAt": instant(-age)}


# --- Ordinary clients ------------------------------------------------------------------------------------------------


class Ordinary:
    """A process in which people sign in and use a promise together, each request due at a fixed moment."""

    def __init__(self, port):
        self.pipe, other = multiprocessing.Pipe()
        self.process = multiprocessing.get_context("fork").Process(target=self._run, args=(port, other), daemon=True)
        self.process.start()
        other.close()  # or its end would not be seen here
        self.pipe.recv()

    def measure(self, seconds):
        """Begins to measure; `result` waits for the end."""
        self.pipe.send(seconds)

    def result(self):
        return self.pipe.recv()

    def stop(self):
        self.pipe.send(None)
        self.process.join(timeout=30)

    @staticmethod
    def _run(port, pipe):
        with contextlib.suppress(OSError, PermissionError):
            os.nice(-5)  # what is measured is the server's delay, not ours
        peers = []
        for number in range(ORDINARY):
            # One after the other: a sign-up may take a third of a second, and a connection has ten for it.
            peers.append(Peer(port, f"192.0.2.{number + 1}"))
            peers[-1].sign_up(f"ordinary{number}")
        promise = make_promise(peers[0], peers[1:], "ordinary")
        for peer in peers:
            peer.must("subscribe", promiseId=promise)
        seqs = [0] * ORDINARY
        time.sleep(3)
        pipe.send("ready")
        while (seconds := pipe.recv()) is not None:
            waits, errors, lock = [], [], threading.Lock()

            def live(number):
                peer, mine, begin = peers[number], [], time.monotonic() + STEP * number / ORDINARY
                try:
                    for turn in range(int(seconds / STEP)):
                        due = begin + turn * STEP
                        time.sleep(max(0, due - time.monotonic()))
                        if turn % 4 == 0:
                            seqs[number] += 1
                            reply = peer.ask("report", promiseId=promise, fixes=[fix(seqs[number], turn)], sentAt=instant(0))
                        else:
                            request = ("syncClock", "getMe", "getPromise")[turn % 4 - 1]
                            reply = peer.ask(request, **({"promiseId": promise} if request == "getPromise" else {}))
                        mine.append(time.monotonic() - due)
                        if "error" in reply:
                            raise RuntimeError(str(reply["error"]))
                except (Closed, OSError, RuntimeError) as error:
                    with lock:
                        errors.append(str(error))
                with lock:
                    waits.extend(mine)

            threads = [threading.Thread(target=live, args=(number,)) for number in range(ORDINARY)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            pipe.send((sorted(waits), errors))


# --- Attacks ---------------------------------------------------------------------------------------------------------


def flood(peers, make, seconds, rate):
    """Each peer sends what `make(peer's number, turn)` gives, so many times a second; replies are discarded.

    A connection that the server closes is not opened again. Returns how many frames were sent.
    """
    sent = [0] * len(peers)

    def attack(number):
        peer, begin = peers[number], time.monotonic()
        reader = threading.Thread(target=peer.swallow, args=(seconds,))
        reader.start()
        with contextlib.suppress(OSError):
            for turn in range(int(seconds * rate)):
                time.sleep(max(0, begin + turn / rate - time.monotonic()))
                peer.socket.sendall(make(number, turn))
                sent[number] += 1
        reader.join()

    threads = [threading.Thread(target=attack, args=(number,)) for number in range(len(peers))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return sum(sent)


def account(port, name, connections=5, address="198.51.100.7"):
    """As many connections as one account may have."""
    first = Peer(port, address)
    token = first.sign_up(name)["accessToken"]
    others = [Peer(port, address) for _ in range(connections - 1)]
    for number, peer in enumerate(others):
        peer.must("hello", token=token, deviceId=f"phone {number}", bootId="1")
    return [first, *others]


def marks_in_status(port, seconds):
    peers = account(port, "marks")
    promise = make_promise(peers[0], [], "marks")
    bad = [frame({"setStatus": {"promiseId": promise, "text": marks(size)}}) for size in (63_600, 16_000, 1_200)]
    bad += [frame({"updatePromise": {"promiseId": promise, "version": 1, name: marks(size)}})
            for name, size in (("title", 63_600), ("note", 63_600), ("note", 7_900))]
    return flood(peers, lambda number, turn: bad[(number + turn) % len(bad)], seconds, 20)


def marks_before_sign_in(port, seconds):
    """Connections without an account, five requests each, opened anew as they end."""
    text, short = marks(3_900), marks(1_000)
    bad = [frame({"id": 1, name: fields}) for name, fields in (
        ("signIn", {"email": text, "password": "x" * 8}), ("signIn", {"email": short, "password": "x" * 8}),
        ("hello", {"token": text}), ("signUp", {"email": "a@b.co", "password": marks(2_000), "nickname": short}),
        ("exchangeCode", {"code": text}), ("watchByLink", {"code": text}), ("refresh", {"refreshToken": text}))]
    sent, end = 0, time.monotonic() + seconds
    while time.monotonic() < end:
        peers = []
        for _ in range(8):
            with contextlib.suppress(Closed, OSError):
                peers.append(Peer(port, "198.51.100.8"))
        for peer in peers:
            with contextlib.suppress(OSError):
                for _ in range(5):
                    peer.socket.sendall(bad[sent % len(bad)])
                    sent += 1
        for peer in peers:
            peer.swallow(0.02)
            peer.close()
    return sent


def marks_as_ids(port, seconds):
    """Texts where ids and cursors are due."""
    peers = account(port, "ids")
    bad = [frame({name: {field: marks(size)}}) for size in (16_000, 1_000) for name, field in (
        ("getPromise", "promiseId"), ("listFriends", "cursor"), ("findUser", "nickname"), ("joinByCode", "code"),
        ("updateMe", "locale"), ("updateMe", "timeZone"), ("updateMe", "avatar"), ("hello", "token"),
        ("hello", "deviceId"), ("requestFriend", "nickname"), ("changePassword", "newPassword"))]
    return flood(peers, lambda number, turn: bad[(number + turn) % len(bad)], seconds, 20)


def marks_in_headers(port, seconds):
    """Plain requests and upgrades whose path and headers are full of marks."""
    text = marks(1_800)
    path = "".join(f"%{byte:02X}" for byte in marks(1_000).encode())
    bad = [f"GET /{path} HTTP/1.1\r\nHost: x\r\n\r\n".encode()]
    for header in ("Origin", "Host", "Authorization: Bearer", "X-Forwarded-For", "Sec-WebSocket-Protocol"):
        line = header + ("" if ":" in header else ":")
        host = "" if header == "Host" else "Host: x\r\n"
        bad.append(f"GET /ws HTTP/1.1\r\n{host}Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
                   f"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n{line} {text}\r\n\r\n".encode())
    sent, begin = 0, time.monotonic()
    for turn in range(int(seconds * 100)):
        time.sleep(max(0, begin + turn / 100 - time.monotonic()))
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=5) as peer:
            peer.sendall(bad[turn % len(bad)])
            peer.recv(4_096)
            sent += 1
    return sent


def fixes(port, seconds):
    """200 fixes a report, 20 reports a second, five phones."""
    peers = account(port, "fixes")
    promise = make_promise(peers[0], [], "fixes")
    time.sleep(2)

    def report(_, turn):
        first = turn * 200 + 1
        return frame({"report": {"promiseId": promise, "sentAt": instant(0), "fixes": [
            fix(first + index, index % 20, age=(200 - index) * 0.01) for index in range(200)]}})

    ready = [report(0, turn) for turn in range(int(seconds * 20))]
    return flood(peers, lambda number, turn: ready[turn], seconds, 20)


def old_fixes(port, seconds):
    """Reports dated two minutes back, each of which asks for what was stored."""
    peers = account(port, "recalls")
    promise = make_promise(peers[0], [], "recalls")
    time.sleep(2)
    begin = time.time()

    def report(number, turn):
        age = 122 if turn % 2 else 0
        return frame({"report": {"promiseId": promise, "sentAt": instant(0), "fixes": [
            fix(turn + 1, turn % 20, age=min(age, time.time() - begin))]}})

    return flood(peers, report, seconds, 20)


def explanations(port, seconds):
    """Asks why somebody with many fixes arrived."""
    peers = account(port, "explain")
    promise = make_promise(peers[0], [], "explain")
    time.sleep(2)
    user = peers[0].must("getMe")["me"]["user"]["userId"]
    for turn in range(30):
        peers[0].ask("report", promiseId=promise, sentAt=instant(0), fixes=[
            fix(turn * 200 + index + 1, index % 20, age=(200 - index) * 0.01) for index in range(200)])
        time.sleep(0.05)
    bad = frame({"id": 9, "explainArrival": {"promiseId": promise, "userId": user}})
    return flood(peers, lambda *_: bad, seconds, 20)


def refreshes(port, seconds):
    """One session refreshed as often as it goes, for a time that counts."""
    peer = Peer(port, "198.51.100.9")
    token, sent, end = peer.sign_up("refreshes")["refreshToken"], 0, time.monotonic() + seconds
    while time.monotonic() < end:
        reply = peer.ask("refresh", refreshToken=token)
        sent += 1
        if "session" in reply:
            token = reply["session"]["refreshToken"]
        time.sleep(0.05)
    return sent


def guessers(port, seconds):
    """Ninety addresses that try passwords of accounts of all kinds, while somebody who knows theirs signs in, ten times."""
    victim = Peer(port, "203.0.113.200")
    victim.sign_up("victim")
    stop = time.monotonic() + seconds
    sent = [0]

    def guess(number):
        while time.monotonic() < stop:
            with contextlib.suppress(Closed, OSError):
                peer = Peer(port, f"198.{18 + number % 2}.{number}.{number + 1}")
                for _ in range(5):
                    peer.ask("signIn", email=f"nobody{number}@example.org", password=f"wrong password {number}")
                    sent[0] += 1
                peer.close()
            time.sleep(0.05)

    threads = [threading.Thread(target=guess, args=(number,)) for number in range(90)]
    for thread in threads:
        thread.start()
    got, slowest = 0, 0.0
    time.sleep(1)
    for attempt in range(10):
        began = time.monotonic()
        with contextlib.suppress(Closed, OSError):
            peer = Peer(port, f"203.0.113.{attempt + 1}")
            reply = peer.ask("signIn", email="victim@example.org", password=PASSWORD)
            if "session" in reply:
                got += 1
                slowest = max(slowest, time.monotonic() - began)
            peer.close()
    for thread in threads:
        thread.join()
    guessers.note = f"the right password got in {got} of 10 times, at most {slowest:.1f} s"
    guessers.failed = got < 10
    return sent[0]


def idle_sockets(port, seconds):
    """A thousand sockets of one address that say nothing."""
    peers, refused, end = [], 0, time.monotonic() + seconds
    for _ in range(1_000):
        try:
            peers.append(Peer(port, "198.51.100.10", timeout=5))
        except (Closed, OSError):
            refused += 1
    time.sleep(max(0, end - time.monotonic()))
    for peer in peers:
        peer.close()
    idle_sockets.note = f"{len(peers)} were let in, {refused} refused"
    return len(peers) + refused


def long_names(port, seconds):
    """Strangers with the longest avatars the server takes, who all ask one person to be friends."""
    friend = Peer(port, "198.51.100.11")
    friend.sign_up("wanted")
    for number in range(60):
        peer = Peer(port, f"198.51.101.{number + 1}")
        peer.sign_up(f"stranger{number}")
        for size in (8_000, 400, 200, 100, 60):
            # A letter and marks that composition leaves alone, 64 times.
            if "error" not in peer.ask("updateMe", avatar=("a" + "\u0334" * ((size // 64 - 1) // 2)) * 64):
                break
        peer.must("requestFriend", nickname="wanted")
        peer.close()
    return flood([friend], lambda *_: frame({"id": 5, "listFriendRequests": {}}), seconds, 20)


ATTACKS = [marks_in_status, marks_before_sign_in, marks_as_ids, marks_in_headers, fixes, old_fixes, explanations, refreshes, guessers,
           idle_sockets, long_names]


# --- Running ---------------------------------------------------------------------------------------------------------


def share(values, part):
    return values[min(len(values) - 1, int(len(values) * part))] * 1000 if values else float("nan")


def run(binary, attack, seconds):
    """One row: what the ordinary clients waited during an attack."""
    cheap = () if attack is guessers else ("passwords.scrypt-log2-n=10",)
    with Server(binary, *cheap) as server:
        ordinary = Ordinary(server.port)
        cpu, memory = server.cpu(), server.memory()
        result = {}
        attacker = threading.Thread(target=lambda: result.update(sent=attack(server.port, seconds)))
        if attack is None:
            ordinary.measure(seconds)
            result["sent"] = 0
        else:
            # Accounts and promises are made first; by then the measuring runs, and goes on to the end of the attack.
            ordinary.measure(seconds + 4)
            attacker.start()
        waits, errors = ordinary.result()
        if attack is not None:
            attacker.join()
        alive = server.process.poll() is None
        row = {"attack": attack.__name__ if attack else "none", "frames": result.get("sent"), "p50": share(waits, 0.5),
               "p99": share(waits, 0.99), "max": share(waits, 1), "cpu": server.cpu() - cpu,
               "memory": (server.memory() - memory) / 2**20, "errors": errors, "alive": alive,
               "note": getattr(attack, "note", ""), "failed": getattr(attack, "failed", False)}
        if alive:
            ordinary.stop()
        return row


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--promised", required=True, help="the server's binary")
    parser.add_argument("--seconds", type=float, default=10, help="how long each attack lasts")
    parser.add_argument("--only", action="append", help="one attack by its name; may be repeated")
    parser.add_argument("--bound", type=float, default=50, help="the p99 in ms that ordinary clients must keep")
    arguments = parser.parse_args()
    names = [attack.__name__ for attack in ATTACKS]
    for name in arguments.only or []:
        if name not in names:
            parser.error(f"unknown attack {name}; there are {', '.join(names)}")
    chosen = [attack for attack in ATTACKS if not arguments.only or attack.__name__ in arguments.only]
    failed = 0
    print(f"{'attack':22} {'frames':>7} {'p50 ms':>7} {'p99 ms':>8} {'max ms':>8} {'CPU s':>6} {'MB':>7}")
    for attack in [None, *chosen]:
        row = run(arguments.promised, attack, arguments.seconds)
        bad = not row["alive"] or row["errors"] or row["failed"] or not row["p99"] <= arguments.bound
        failed += bool(bad)
        print(f"{row['attack']:22} {row['frames'] or 0:7} {row['p50']:7.1f} {row['p99']:8.1f} {row['max']:8.1f} "
              f"{row['cpu']:6.1f} {row['memory']:7.1f}  {'FAILED ' if bad else ''}{row['note']}"
              f"{'; '.join(row['errors'][:2])}", flush=True)
    print(f"{len(chosen) + 1 - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
