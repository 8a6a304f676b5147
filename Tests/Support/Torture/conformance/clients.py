"""Runs promisectl against servers that break the protocol."""

import concurrent.futures
import dataclasses
import math
import os
import re
import select
import socket
import struct
import subprocess
import tempfile
import threading
import time

from conformance import hostile
from conformance.hostile import DROP, HEAD, HOLD, MESSAGE, RESET, Flood, Upgrade
from promised import frames

# Programs at once.
WIDTH = 24
# The memory that a client may need above one that no server answers, in MB.
EXTRA_MEMORY = 24
# After this many seconds a client counts as one that hangs, and is ended.
LONGEST = 60


@dataclasses.dataclass(frozen=True)
class ClientResult:
    """How promisectl ended against one server."""

    id: str
    title: str
    outcome: str
    message: str
    seconds: float
    memory: float
    is_expected: bool


class HostileServer:
    """Takes the steps of one behaviour on each connection of a port of its own."""

    def __init__(self, behaviour):
        self.steps = behaviour.steps
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.ends = False
        self.thread = threading.Thread(target=self._accept, daemon=True)
        self.thread.start()

    def stop(self):
        self.ends = True
        # Wakes the thread that accepts.
        socket.create_connection(("127.0.0.1", self.port)).close()
        self.thread.join()
        self.listener.close()

    def _accept(self):
        while True:
            connection, _ = self.listener.accept()
            if self.ends:
                connection.close()
                return
            threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection):
        connection.settimeout(LONGEST)
        try:
            visit = Visit(connection, self)
            for step in self.steps:
                visit.take(step)
            visit.wait()
        except OSError:
            pass
        finally:
            connection.close()


class Gone(OSError):
    """The client has ended the connection, or this end has."""


class Visit:
    """One connection to a hostile server."""

    def __init__(self, connection, server):
        self.connection, self.server = connection, server
        self.buffer = bytearray()
        self.key = b""

    def take(self, step):
        if isinstance(step, bytes):
            self.connection.sendall(step)
        elif isinstance(step, Upgrade):
            self.connection.sendall(self.answer(step))
        elif isinstance(step, Flood):
            self.flood(step)
        elif step == HEAD:
            self.read_head()
        elif step == MESSAGE:
            self.read_message()
        elif step == RESET:
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            raise Gone
        elif step == DROP:
            raise Gone
        elif step == HOLD:
            self.hold()

    def more(self):
        data = self.connection.recv(65_536)
        if not data:
            raise Gone
        self.buffer += data

    def read_head(self):
        while b"\r\n\r\n" not in self.buffer:
            self.more()
        head, _, self.buffer = self.buffer.partition(b"\r\n\r\n")
        found = re.search(rb"sec-websocket-key: *(\S+)", head, re.IGNORECASE)
        self.key = found.group(1) if found else b""

    def read_message(self):
        """Reads one frame of the client, and tells its first byte."""
        while (found := frames.read(self.buffer)) is None:
            self.more()
        return found[0]

    def answer(self, step):
        headers = {"Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Accept": frames.accept(self.key.decode("latin-1")),
                   "Sec-WebSocket-Protocol": "promised.v1.protobuf", **step.changes}
        lines = [step.status, *[f"{name}: {value}" for name, value in headers.items() if value is not None]]
        return "\r\n".join(lines).encode() + b"\r\n" + step.more + b"\r\n"

    def flood(self, step):
        deadline = time.monotonic() + step.seconds
        while not self.server.ends:
            self.connection.sendall(step.data)
            time.sleep(step.pause)
            if time.monotonic() >= deadline:
                return

    def hold(self):
        """Reads and answers nothing until the client has gone."""
        while not self.server.ends:
            if select.select([self.connection], [], [], 0.2)[0]:
                self.more()

    def wait(self):
        """Reads until the client's close frame."""
        while self.read_message() != 0x88:
            pass


# MARK: - The client


def ended(process, deadline):
    """The exit code, the most memory in MB; the process is ended if it does not end by itself."""
    timer = threading.Timer(deadline, process.kill)
    timer.start()
    _, status, usage = os.wait4(process.pid, 0)
    timer.cancel()
    process.returncode = os.waitstatus_to_exitcode(status)
    return process.returncode, usage.ru_maxrss / 1000


def visited(binary, token, port):
    """How promisectl ends that asks for the statistics of a server on a port: code, message, seconds, MB."""
    command = [binary, "stats", "--url", f"ws://127.0.0.1:{port}/ws", "--token-file", token]
    begin = time.monotonic()
    with tempfile.TemporaryFile() as errors:
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=errors)
        code, memory = ended(process, LONGEST)
        errors.seek(0)
        message = errors.read().decode(errors="replace")
    return code, message, time.monotonic() - begin, memory


def faults(behaviour, code, message, seconds, memory, least):
    """The faults of a client's end; empty if there are none."""
    found = []
    if code not in behaviour.codes:
        found.append(f"exit code {code}")
    if not message.startswith("promisectl: ") or len(message) > 1_000:
        found.append("no clear message")
    if any(ord(character) < 32 and character != "\n" or character in "\x7f\u202e" for character in message):
        found.append("control characters")
    if seconds > behaviour.seconds:
        found.append(f"{seconds:.1f} s")
    if memory > least + EXTRA_MEMORY:
        found.append(f"{memory:.0f} MB")
    return found


def tried(behaviour, binary, token, least):
    server = HostileServer(behaviour)
    try:
        code, message, seconds, memory = visited(binary, token, server.port)
    finally:
        server.stop()
    found = faults(behaviour, code, message, seconds, memory, least)
    return ClientResult(behaviour.id, behaviour.title, ", ".join(found) or f"exit {code}", message.strip()[:300],
                        round(seconds, 1), round(memory, 1), not found)


# MARK: - Called by the program


def chosen(ids):
    """The behaviours that were asked for: all without ids, `client` for all of them."""
    every = list(hostile.behaviours())
    if not ids or "client" in ids:
        return every
    return [each for each in every if any(f"client.{each.id}".startswith(id) for id in ids if id.startswith("client."))]


def listed(behaviours):
    for each in behaviours:
        print(f"client.{each.id}: the server {each.title}")
    print(f"{len(behaviours)} behaviours of servers")


def run(behaviours, binary, any_memory):
    """The results of promisectl against each server, in their order; it may use any memory, or little."""
    begin = time.monotonic()
    with tempfile.NamedTemporaryFile("w", prefix="promised-token-") as token:
        token.write("secret\n")
        token.flush()
        least = math.inf if any_memory else visited(binary, token.name, 1)[3]
        with concurrent.futures.ThreadPoolExecutor(WIDTH) as pool:
            # Those that may take long begin first.
            order = sorted(behaviours, key=lambda each: -each.seconds)
            results = list(pool.map(lambda each: tried(each, binary, token.name, least), order))
    for result in results:
        if not result.is_expected:
            print(f"  client.{result.id}: {result.outcome}: {result.message!r} ({result.title})")
    good = sum(result.is_expected for result in results)
    without = "" if any_memory else f" ({least:.0f} MB without a server)"
    print(f"promisectl: {good} of {len(results)} servers survived, in {time.monotonic() - begin:.0f} s, at most "
          f"{max(result.memory for result in results):.0f} MB of memory{without}", flush=True)
    return results
