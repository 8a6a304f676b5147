"""The servers of the table: promised, and two independent ones that repeat each message."""

import json
import pathlib
import shutil
import subprocess
import time

from conformance.case import JSON
from promised import frames, protobuf
from promised.server import Server, serve

HERE = pathlib.Path(__file__).resolve().parent
# The cases come from one address, many at a time; nothing else of the limits is changed.
SETTINGS = ("throttle.handshakes=100000", "limits.connections-before-sign-in=100000", "limits.connections-per-user=100",
            "limits.request-rate=10000", "limits.request-burst=100000", "limits.requests-before-sign-in=100",
            "passwords.scrypt-log2-n=10", "connection.handshake=2s", "connection.sign-in=2m", "log.level=warning")
# A second promised with short deadlines, for the cases that wait for one.
HURRY = ("connection.sign-in=3s", "connection.ping=500ms", "connection.silence=1500ms")


class Absent(Exception):
    """A server that this machine does not have; the text names the package to install."""


def reply_on(line, deadline):
    """The next message, without the pings before it; raises ValueError if none comes."""
    while found := line.frame(deadline):
        if found[1] == frames.PING:
            line.send(frames.frame(frames.PONG, found[2]))
        elif found[1] in (frames.TEXT, frames.BINARY):
            return found[2]
        else:
            break
    raise ValueError(f"no reply, but {found}")


class Promised:
    """Two lives of promised on folders of their own: one for most cases, one with short deadlines."""

    name, is_promised = "promised", True

    def __init__(self, binary, folder):
        self.patient = self._start(binary, folder, "patient")
        self.hurried = self._start(binary, folder, "hurried", *HURRY)

    def _start(self, binary, folder, name, *more):
        return Server(serve(binary, f"{folder}/{name}", *SETTINGS, *more), f"{folder}/{name}.log")

    def port_for(self, case):
        return (self.hurried if case.hurries else self.patient).port

    def prepare(self, play_line):
        """Makes the accounts that cases sign in with."""
        self.tokens = {server.port: self._sign_up(play_line(server.port)) for server in (self.patient, self.hurried)}

    def _sign_up(self, line):
        deadline = time.monotonic() + 10
        line.send(frames.upgrade())
        line.until(b"\r\n\r\n", deadline)
        account = {"email": "case@example.org", "password": "correct horse battery", "nickname": "Case"}
        line.send(frames.frame(frames.TEXT, json.dumps({"id": 1, "signUp": account}).encode()))
        reply = reply_on(line, deadline)
        line.close()
        return json.loads(reply)["session"]["accessToken"]

    def sign_in(self, line, protocol, deadline):
        token = self.tokens[line.port].encode()
        if protocol == JSON:
            line.send(frames.frame(frames.TEXT, b'{"id":1,"hello":{"token":"%s"}}' % token))
        else:
            # Field 1 of the frame is its id, field 6 the greeting, whose field 1 is the token.
            whole = protobuf.number(1, 1) + protobuf.part(6, protobuf.part(1, token))
            line.send(frames.frame(frames.BINARY, whole))
        reply = reply_on(line, deadline)
        if b"auth." in reply:
            raise ValueError(f"the sign-in failed: {reply}")

    @property
    def is_alive(self):
        return self.patient.is_alive and self.hurried.is_alive

    def memory(self):
        """The most resident memory so far, in MB."""
        return self.patient.memory()[1] / 1e6

    def stop(self):
        self.patient.stop()
        self.hurried.stop()


class Echo:
    """A server that repeats each message."""

    is_promised = False

    def __init__(self, name, command, folder):
        self.name = name
        self.process = Server(command, f"{folder}/{name}.log")

    def port_for(self, case):
        return self.process.port

    def prepare(self, play_line):
        pass

    def sign_in(self, line, protocol, deadline):
        pass

    @property
    def is_alive(self):
        return self.process.is_alive

    def stop(self):
        self.process.stop()


def start(name, binary, folder):
    """Starts a server by its name.

    Raises Absent if this machine does not have it.
    """
    if name == "promised":
        return Promised(binary, folder)
    if name == "websockets":
        if subprocess.run(["/usr/bin/python3", "-c", "import websockets"], capture_output=True).returncode:
            raise Absent("Python's websockets is not installed (Debian: python3-websockets)")
        return Echo(name, ["/usr/bin/python3", "-B", str(HERE / "echo_websockets.py")], folder)
    if not shutil.which("node") or not pathlib.Path("/usr/share/nodejs/ws").is_dir():
        raise Absent("node-ws is not installed (Debian: nodejs and node-ws)")
    return Echo(name, ["node", str(HERE / "echo_ws.js")], folder)
