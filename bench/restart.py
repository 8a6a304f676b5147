"""Kills a server under load and measures how soon everything is as before.

Called by bench.py; needs nothing but Python's standard library. Run by itself (scripts/measure-restart) it fills one
participant with as many positions as may be kept, and measures what a restart takes then.
"""

import argparse
import datetime
import json
import pathlib
import signal
import socket
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time

RESTORED = "What was running is restored"


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Server:
    """One life of a server."""

    def __init__(self, promised, data, port, *options):
        self.began = time.monotonic()
        self.listens = self.restored = None
        self.process = subprocess.Popen(
            [promised, "serve", "--data", str(data), "--listen", f"127.0.0.1:{port}", "--set", "log.level=info",
             *options],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.readers = [threading.Thread(target=self.read_output), threading.Thread(target=self.read_log)]
        for reader in self.readers:
            reader.start()

    def read_output(self):
        for line in self.process.stdout:
            if line.startswith("listening on "):
                self.listens = time.monotonic() - self.began

    def read_log(self):
        for line in self.process.stderr:
            if RESTORED in line:
                self.restored = time.monotonic() - self.began

    def memory(self):
        """Resident memory now and at most, in bytes."""
        status = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
        fields = dict(line.split(":", 1) for line in status.splitlines())
        return tuple(int(fields[name].split()[0]) * 1024 for name in ("VmRSS", "VmHWM"))

    def end(self, how):
        self.process.send_signal(how)
        status = self.process.wait()
        for reader in self.readers:
            reader.join()
        return status


def wait_for(what, seconds):
    """What `what` returns once it is not None; None after so many seconds."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        found = what()
        if found is not None:
            return found
        time.sleep(0.02)
    return None


def measure(load, connections):
    """What is found: seconds to listen and to have restored all, and what the phones and the files say afterwards."""
    promised = str(pathlib.Path(load).parent / "promised")
    with tempfile.TemporaryDirectory() as folder:
        data, tokens, port = f"{folder}/data", f"{folder}/tokens", free_port()
        subprocess.run([promised, "seed", "--data", data, "--users", str(connections), "--tokens", tokens], check=True)
        before = Server(promised, data, port)
        try:
            if wait_for(lambda: before.restored, 120) is None:
                raise RuntimeError("the server did not start")
            phones = subprocess.Popen(
                [load, "--json", "--server", f"ws://127.0.0.1:{port}/ws", "--tokens", tokens, "--warm-up", "10s",
                 "--connections", str(connections), "--duration", "50s", "--arrive-per-second", "5"],
                stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            for line in phones.stderr:
                if line.startswith("20 s:"):
                    break
        finally:
            before.end(signal.SIGKILL)
        after = Server(promised, data, port)
        try:
            wait_for(lambda: after.restored, 120)
            output, _ = phones.communicate()
        finally:
            status = after.end(signal.SIGTERM)
        verified = subprocess.run([promised, "verify", "--data", data], stdout=subprocess.DEVNULL).returncode
        database = sqlite3.connect(f"{data}/promised.sqlite")
        kept = database.execute("SELECT count(*) FROM arrival").fetchone()[0]
        database.close()
        found = json.loads(output)
        return {
            "listensSeconds": after.listens, "restoredSeconds": after.restored, "stopped": status,
            "verified": verified == 0, "arrivalsTold": found["arrivals"], "arrivalsKept": kept,
            "resumed": found["connected"], "violations": found["violations"], "errorCodes": found["errorCodes"],
        }


# Positions as the store keeps them (PromisedStore/Fixes/FixChunk.swift, FixCoding.swift).


def number(value):
    found = bytearray()
    while value > 0x7F:
        found.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes(found + bytes([value]))


def signed(value):
    return number(value << 1 if value >= 0 else (-value << 1) - 1)


def chunk(user, device, fixes):
    """Fixes of one device: each its number, its time in milliseconds, and its degrees in steps of 10^-7."""
    body, last = b"", (0, 0, 0, 0)
    for fix in fixes:
        seq, at, north, east = (now - before for now, before in zip(fix, last))
        body += b"\0" + signed(seq) + signed(at) + signed(200) + signed(north) + signed(east) + number(902) + number(142)
        last = fix
    name = device.encode()
    source = user[:8][::-1] + user[8:][::-1] + number(len(name)) + name + number(0)
    return b"\1" + number(1) + source + number(len(body)) + body


def fill(data, count, late):
    """Gives each participant of the only promise so many fixes, spread over its window, twenty to a chunk."""
    database = sqlite3.connect(f"{data}/promised.sqlite")
    promise, opens, closes = database.execute("SELECT id, opens_at, closes_at FROM promise").fetchone()
    for (user,) in database.execute("SELECT user_id FROM participant").fetchall():
        step = (closes - opens) / count
        fixes = [(index + 1, int(opens + index * step), 375_000_000 + index % 5_000, 1_270_100_000)
                 for index in range(count)]
        chunks = [fixes[start:start + 20] for start in range(0, count, 20)]
        if late:
            # The oldest comes last, so that all must be judged a second time.
            chunks.append(chunks.pop(0))
        database.executemany(
            "INSERT INTO fix (promise_id, count, chunk) VALUES (?, ?, ?)",
            [(promise, len(part), chunk(user, "phone", part)) for part in chunks])
    database.commit()
    size = database.execute("SELECT sum(length(chunk)) FROM fix").fetchone()[0]
    database.close()
    return size


def life(promised, data, port, *options):
    """What one start takes: seconds to restore everything, memory afterwards and at most."""
    server = Server(promised, data, port, *options)
    try:
        if wait_for(lambda: server.restored, 300) is None:
            raise RuntimeError("the server did not restore what was running")
        now, most = server.memory()
    finally:
        server.end(signal.SIGTERM)
    return {"restoredSeconds": round(server.restored, 3), "memoryBytes": now, "mostMemoryBytes": most}


def promise(promised, data, port, options):
    """Makes a user and a promise of theirs whose window is open, by the operator's tool."""
    tool = str(pathlib.Path(promised).parent / "promisectl")
    server = Server(promised, data, port, *options)
    try:
        if wait_for(lambda: server.listens, 120) is None:
            raise RuntimeError("the server did not start")
        common = ["--url", f"ws://127.0.0.1:{port}/ws", "--token-file", f"{data}/admin.token", "--yes"]
        subprocess.run(
            [tool, "user", "create", "--nickname", "anna", "--email", "anna@example.org", "--password-stdin", *common],
            input="correct horse battery", stdout=subprocess.DEVNULL, text=True, check=True)
        at = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(seconds=61)
        subprocess.run(
            [tool, "promise", "create", "--owner", "anna", "--title", "Restart", "--place", "37.5,127",
             "--place-name", "Here", "--at", at.strftime("%Y-%m-%dT%H:%M:%SZ"), *common],
            stdout=subprocess.DEVNULL, check=True)
    finally:
        server.end(signal.SIGTERM)


def main():
    parser = argparse.ArgumentParser(description="Measures a restart with as many positions as may be kept.")
    parser.add_argument("promised", help="the server's executable; promisectl lies beside it")
    parser.add_argument("--fixes", type=int, default=30_000, help="positions of the participant (30000)")
    parser.add_argument("--late", action="store_true", help="the oldest come last, so that all are judged twice")
    chosen = parser.parse_args()
    options = ["--set", "window.before=1m", "--set", "passwords.scrypt-log2-n=4"]
    with tempfile.TemporaryDirectory() as folder:
        data, port = f"{folder}/data", free_port()
        promise(chosen.promised, data, port, options)
        empty = life(chosen.promised, data, port, *options)
        size = fill(data, chosen.fixes, chosen.late)
        full = life(chosen.promised, data, port, *options)
        verified = subprocess.run([chosen.promised, "verify", "--data", data], stdout=subprocess.DEVNULL).returncode
    print(json.dumps({"fixes": chosen.fixes, "late": chosen.late, "storedBytes": size, "verified": verified == 0,
                      "empty": empty, "full": full}, indent=2))
    return 0 if verified == 0 else 1


if __name__ == "__main__":
    sys.exit(main())
