"""One life of a server, from its start to its end, and the questions that one asks it from outside."""

import copy
import http.client
import os
import pathlib
import signal
import socket
import subprocess
import threading
import time

from promised.client import Closed, Peer

# Promises last two minutes, so that some begin and some end while a test runs; nothing is refused for being too often.
SETTINGS = ("window.before=1m", "window.after=1m", "window.settle=20s", "report.interval=1s", "tokens.access=1d",
            "passwords.scrypt-log2-n=4", "passwords.queue-per-address=1000", "throttle.sign-ups=100000",
            "throttle.handshakes=100000", "throttle.promises=100000", "limits.request-rate=10000",
            "limits.request-burst=100000", "files.keep-free=16MiB", "log.level=info")
RESTORED = "Live sessions were restored"


class NotStarted(Exception):
    """The server has ended before it listened: its exit code, and its log."""

    def __init__(self, code, log):
        super().__init__(f"exit code {code}: {log.strip()}")
        self.code, self.log = code, log


def until(holds, seconds, step=0.02):
    """The value of `holds()` once it is true, asked again and again; the last value after so many seconds."""
    deadline = time.monotonic() + seconds
    while not (value := holds()) and time.monotonic() < deadline:
        time.sleep(step)
    return value


class Life:
    """A server on a data directory. It may die at any time; `end` must be called in any case."""

    def __init__(self, binary, data, *settings, disk=None, prefix=(), user=None):
        self.binary, self.data = str(binary), pathlib.Path(data)
        command = [*prefix, self.binary, "serve", "--data", str(data), "--listen", "127.0.0.1:0"]
        for setting in (*SETTINGS, *settings):
            command += ["--set", setting]
        identity = {"user": user, "group": user, "extra_groups": []} if user else {}
        self.began = time.monotonic()
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                        env={**os.environ, **(disk.environment if disk else {})}, **identity)
        self.log, self.port, self.restored, self.is_silent = [], None, None, False
        self.changed = threading.Condition()
        self.readers = [threading.Thread(target=self._read_output), threading.Thread(target=self._read_log)]
        for reader in self.readers:
            reader.start()

    def _read_output(self):
        for line in self.process.stdout:
            if line.startswith("listening on "):
                with self.changed:
                    self.port = int(line.rsplit(":", 1)[1])
                    self.changed.notify_all()
        with self.changed:
            self.is_silent = True
            self.changed.notify_all()

    def _read_log(self):
        for line in self.process.stderr:
            with self.changed:
                self.log.append(line)
                if RESTORED in line and self.restored is None:
                    self.restored = time.monotonic() - self.began
                self.changed.notify_all()

    def wait(self, holds, seconds=30):
        """Waits until `holds()` is true after a line of output or log, or the end of one; returns its last value."""
        with self.changed:
            return self.changed.wait_for(holds, timeout=seconds)

    def listening(self, seconds=30):
        """Returns itself once it accepts connections and has restored its sessions."""
        self.wait(lambda: self.port and self.restored or self.is_silent, seconds)
        if not (self.port and self.restored):
            code = self.end()
            raise NotStarted(code, "".join(self.log))
        return self

    @property
    def has_ended(self):
        return self.process.poll() is not None

    def end(self, how=signal.SIGKILL):
        """Sends a signal unless it has ended; returns the exit code, negative for a signal."""
        if not self.has_ended:
            self.process.send_signal(how)
        try:
            code = self.process.wait(timeout=60)
        except subprocess.TimeoutExpired:
            self.process.kill()
            raise RuntimeError("the server did not end within a minute") from None
        for reader in self.readers:
            reader.join()
        self.process.stdout.close()
        self.process.stderr.close()
        return code

    def says(self, text):
        """True if its log has a line with this text."""
        with self.changed:
            return any(text in line for line in self.log)

    # --- Questions ---------------------------------------------------------------------------------------------------

    def is_ready(self):
        """True if /readyz answers 200."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=10)
        try:
            connection.request("GET", "/readyz")
            return connection.getresponse().status == 200
        finally:
            connection.close()

    def peer(self, person):
        """A connection of somebody who has an account, signed in."""
        peer = Peer(self.port)
        peer.must("hello", token=person.token, deviceId=person.device, bootId="1")
        return peer

    def administrator(self):
        peer = Peer(self.port, timeout=120)
        peer.must("hello", token=(self.data / "admin.token").read_text().strip())
        return peer

    def violations(self):
        """The violations that promisectl's `verify` reports of the running server."""
        tool = pathlib.Path(self.binary).with_name("promisectl")
        command = [tool, "verify", "--url", f"ws://127.0.0.1:{self.port}/ws", "--token-file", self.data / "admin.token"]
        return outcome(command)


def verify(binary, data):
    """The violations that the server's `verify` reports of a data directory."""
    return outcome([binary, "verify", "--data", data])


def outcome(command):
    """The findings of a checking command; empty if there are none."""
    run = subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=300)
    return "" if run.returncode == 0 else f"exit code {run.returncode}: {(run.stdout + run.stderr).strip()}"


class Person:
    """An account, and the device that its owner uses."""

    def __init__(self, life, name):
        self.name, self.device = name, f"phone of {name}"
        peer = Peer(life.port)
        session = peer.sign_up(name)
        self.token, self.id = session["accessToken"], session["user"]["userId"]
        peer.close()

    def on(self, device):
        """The same person with another device."""
        other = copy.copy(self)
        other.device = f"{device} of {self.name}"
        return other


# The errors that a client meets when the server dies.
DEATH = (Closed, OSError, socket.timeout)
