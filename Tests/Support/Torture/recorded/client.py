"""A server whose clock runs fast, and the connections of a recording."""

import datetime
import time

from promised import server
from promised.client import Peer

RATE = 20
SETTINGS = ("window.before=1m", "window.after=1m", "window.settle=20s", f"clock.rate={RATE}",
            "passwords.scrypt-log2-n=4", "limits.request-rate=10000", "limits.request-burst=100000", "log.level=error",
            "files.keep-free=16MiB")


class Server(server.Server):
    def __init__(self, binary, folder):
        self.begun = datetime.datetime.now(datetime.timezone.utc)
        super().__init__(server.serve(binary, f"{folder}/data", *SETTINGS), f"{folder}/log")


class Client:
    """A connection of one person, and what it has received."""

    def __init__(self, port, frames):
        self.frames, self.peer, self.received = frames, Peer(port, subprotocol=frames.subprotocol), []

    def send(self, recorded, bindings):
        self.peer.send(self.frames.bytes(recorded, bindings), self.frames.kind)

    def until(self, found):
        """The first received frame for which `found` is true; waits for it."""
        seen = 0
        while True:
            for frame in self.received[seen:]:
                if found(frame):
                    self.received.remove(frame)
                    return frame
            seen = len(self.received)
            self.received.append(self.frames.read(self.peer.next_message()[1]))


def server_time(running):
    """The server's clock, from which requests name instants: exact enough for the limits of a minute."""
    began, real = running.begun, time.monotonic()
    return lambda: began + datetime.timedelta(seconds=(time.monotonic() - real) * RATE)
