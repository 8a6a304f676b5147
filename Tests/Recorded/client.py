"""A server whose clock runs fast, and the connections of a recording."""

import datetime
import os
import pathlib
import signal
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "bench"))
from hostile import peer as peers  # noqa: E402

RATE = 20
SETTINGS = ("window.before=1m", "window.after=1m", "window.settle=20s", f"clock.rate={RATE}",
            "passwords.scrypt-log2-n=4", "limits.request-rate=10000", "limits.request-burst=100000", "log.level=error",
            "files.keep-free=16MiB")


class Server:
    def __init__(self, binary, folder):
        command = [binary, "serve", "--data", f"{folder}/data", "--listen", "127.0.0.1:0"]
        for setting in SETTINGS:
            command += ["--set", setting]
        self.begun = datetime.datetime.now(datetime.timezone.utc)
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        line = self.process.stdout.readline()
        if not line.startswith("listening on "):
            raise RuntimeError("the server did not start")
        self.port = int(line.rsplit(":", 1)[1])

    def end(self):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(timeout=30)
        self.process.stdout.close()


class Client:
    """A connection of one person, and what it has received."""

    def __init__(self, port, frames):
        self.frames = frames
        os.environ.setdefault("PYTHONDONTWRITEBYTECODE", "1")
        self.peer = peers.Peer(port, subprotocol=frames.subprotocol)
        self.received = []

    def send(self, recorded, bindings):
        payload = self.frames.bytes(recorded, bindings)
        data = bytearray(peers.masked(payload))
        data[0] = 0x80 | self.frames.kind
        self.peer.send_frame(bytes(data))

    def until(self, found):
        """The first received frame for which `found` is true; waits for it."""
        seen = 0
        while True:
            for frame in self.received[seen:]:
                if found(frame):
                    self.received.remove(frame)
                    return frame
            seen = len(self.received)
            self.received.append(self._next())

    def _next(self):
        while True:
            while (frame := self.peer.next_frame()) is None:
                self.peer._more()
            kind, payload = frame
            if kind == 8:
                raise peers.Closed(int.from_bytes(payload[:2], "big"))
            if kind == 9:
                self.peer.send_frame(peers.pong(payload))
            else:
                return self.frames.read(payload)


def server_time(server):
    """The server's clock, from which requests name instants: exact enough for the limits of a minute."""
    began, real = server.begun, time.monotonic()
    return lambda: began + datetime.timedelta(seconds=(time.monotonic() - real) * RATE)
