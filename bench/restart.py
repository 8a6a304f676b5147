"""Kills a server under load and measures how soon everything is as before.

Called by bench.py; needs nothing but Python's standard library. Run by itself (scripts/bench restart) it fills a
server with as many positions, or as much of other things, as may be kept, and measures what a restart takes then.
"""

import argparse
import json
import os
import pathlib
import signal
import socket
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time

from promised import stored
from promised.client import PASSWORD, Peer
from promised.people import PLACE, instant, together

RESTORED = "Live sessions were restored"


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

    def cpu(self):
        """Processor seconds it has used."""
        fields = pathlib.Path(f"/proc/{self.process.pid}/stat").read_text().rsplit(") ", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def end(self, how):
        self.process.send_signal(how)
        status = self.process.wait()
        for reader in self.readers:
            reader.join()
        return status


def wait_for(what, seconds):
    """The first result of `what` that is not None; None after `seconds`."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        found = what()
        if found is not None:
            return found
        time.sleep(0.02)
    return None


def measure(load, connections):
    """The results: seconds to listen and to restore all, and the results of the phones and the files afterwards."""
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


def fill(data, fixes, late, events):
    """Gives each participant of each promise so many positions, spread over its window, and each promise so many events."""
    database = stored.open_database(data)
    promises = database.execute("SELECT id, opens_at, closes_at, last_seq FROM promise").fetchall()
    for promise, opens, closes, last in promises:
        users = database.execute("SELECT user_id FROM participant WHERE promise_id = ?", (promise,)).fetchall()
        if fixes:
            some = stored.fixes(fixes, opens, closes, 37.5, 127.01)
            for (user,) in users:
                stored.add_fixes(database, promise, user, "phone", "", some, late)
        if events > last:
            stored.repeat_event(database, promise, "joined", events - last)
    database.commit()
    found = {
        "storedBytes": database.execute("SELECT coalesce(sum(length(chunk)), 0) FROM fix").fetchone()[0],
        "storedFixes": database.execute("SELECT coalesce(sum(count), 0) FROM fix").fetchone()[0],
        "storedEvents": database.execute("SELECT count(*) FROM promise_event").fetchone()[0],
        "storedSessions": database.execute("SELECT count(*) FROM auth_session").fetchone()[0],
        "storedParticipants": database.execute("SELECT count(*) FROM participant").fetchone()[0],
    }
    database.close()
    return found


def life(promised, data, port, *options):
    """The cost of one start: seconds to restore all, of the clock and of the processors; memory afterwards and at
    most."""
    server = Server(promised, data, port, *options)
    try:
        if wait_for(lambda: server.restored, 300) is None:
            raise RuntimeError("the server did not restore what was running")
        cpu, (now, most) = server.cpu(), server.memory()
    finally:
        server.end(signal.SIGTERM)
    return {"restoredSeconds": round(server.restored, 3), "cpuSeconds": round(cpu, 2), "memoryBytes": now, "mostMemoryBytes": most}


def populate(promised, data, port, options, participants, promises, sessions):
    """Makes accounts with so many sign-in sessions, and promises of the first of them that all of them are in, whose
    windows open a quarter of a minute later."""
    server = Server(promised, data, port, *options)
    try:
        if wait_for(lambda: server.listens, 120) is None:
            raise RuntimeError("the server did not start")
        people = [Peer(port) for _ in range(participants)]
        for number, peer in enumerate(people):
            peer.sign_up(f"person{number}")
        codes = []
        for number in range(promises):
            made = people[0].must("createPromise", key=f"{number}", title="Restart", place={**PLACE, "name": "Here"},
                                  meetsAt=instant(75 + promises / 2))["promise"]["promise"]
            codes.append(people[0].must("createInvite", promiseId=made["promiseId"])["invite"]["code"])

            time.sleep(0.2)  # two requests, of which a connection may send twenty a second

        def join(peer):
            for code in codes:
                peer.must("joinByCode", code=code)
                time.sleep(0.1)
            for _ in range(sessions - 1):
                peer.must("signIn", email=f"person{people.index(peer)}@example.org", password=PASSWORD)
                time.sleep(0.1)

        together(join, people[1:])
        for _ in range(sessions - 1):
            people[0].must("signIn", email="person0@example.org", password=PASSWORD)
            time.sleep(0.1)
        for peer in people:
            peer.close()
    finally:
        server.end(signal.SIGTERM)


def main():
    parser = argparse.ArgumentParser(description="Measures a restart with as much as may be kept.")
    parser.add_argument("--binaries", type=os.path.abspath, required=True, help="folder of the programs")
    parser.add_argument("--fixes", type=int, default=30_000, help="positions of each participant in each promise (30000)")
    parser.add_argument("--late", action="store_true", help="the oldest come last, so that all are judged twice")
    parser.add_argument("--participants", type=int, default=1, help="people of each promise (1, at most 50)")
    parser.add_argument("--promises", type=int, default=1, help="promises of one owner (1, at most 100)")
    parser.add_argument("--events", type=int, default=0, help="durable events of each promise (those it has)")
    parser.add_argument("--sessions", type=int, default=1, help="sign-in sessions of each account (1)")
    chosen = parser.parse_args()
    if chosen.events and chosen.participants == 1:
        parser.error("--events needs --participants of at least 2, for it repeats the event of one who joined")
    promised = f"{chosen.binaries}/promised"
    options = ["--set", "window.before=1m", "--set", "passwords.scrypt-log2-n=4"]
    with tempfile.TemporaryDirectory() as folder:
        data, port = f"{folder}/data", free_port()
        populate(promised, data, port, options, chosen.participants, chosen.promises, chosen.sessions)
        time.sleep(15 + chosen.promises / 2)  # until all windows are open
        empty = life(promised, data, port, *options)
        found = fill(data, chosen.fixes, chosen.late, chosen.events)
        full = life(promised, data, port, *options)
        verified = subprocess.run([promised, "verify", "--data", data], stdout=subprocess.DEVNULL).returncode
    asked = {name: value for name, value in vars(chosen).items() if name != "binaries"}
    print(json.dumps({**asked, **found, "verified": verified == 0, "empty": empty, "full": full}, indent=2))
    return 0 if verified == 0 else 1


if __name__ == "__main__":
    sys.exit(main())
