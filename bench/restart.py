"""Kills a server under load and measures how soon everything is as before.

Called by bench.py; needs nothing but Python's standard library.
"""

import json
import pathlib
import signal
import socket
import sqlite3
import subprocess
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

    def __init__(self, promised, data, port):
        self.began = time.monotonic()
        self.listens = self.restored = None
        self.process = subprocess.Popen(
            [promised, "serve", "--data", str(data), "--listen", f"127.0.0.1:{port}", "--set", "log.level=info"],
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
