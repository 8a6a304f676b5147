"""Plays one case against a server and tells the outcome."""

import re
import select
import socket
import time

from conformance import payloads
from conformance.case import Answer, Case, Finish, Pause, Pong, Slowly, counted, number
from promised import frames

ACCEPT = frames.accept(frames.KEY).encode()
# After the last pong the client waits this long for a message too many, in seconds.
LINGER = 0.03
# A connection that should end may take this long before it is probed, in seconds.
ENDING = 1.5
# After both close frames the server ends the connection within this time, in seconds. libwebsockets waits up to 5 s for a
# close frame that it does not recognise behind a faulty frame.
CUTTING = 8
# An HTTP connection without further bytes for this long stays open, in seconds.
QUIET = 0.7


class Line:
    """A connection, and the bytes of the server that nobody has taken yet."""

    def __init__(self, port):
        self.port = port
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=10)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.buffer = bytearray()
        self.has_ended = False

    def send(self, data):
        """Sends; a server that has ended the connection is noticed by reading."""
        try:
            self.socket.sendall(data)
        except OSError:
            pass

    def more(self, deadline):
        """Reads once; `False` at the end of the connection and after the deadline."""
        left = deadline - time.monotonic()
        if self.has_ended or left <= 0 or not select.select([self.socket], [], [], left)[0]:
            return False
        try:
            data = self.socket.recv(262_144)
        except OSError:
            data = b""
        self.has_ended = not data
        self.buffer += data
        return bool(data)

    def until(self, mark, deadline):
        """The bytes up to and including a mark; None if it does not come."""
        while mark not in self.buffer:
            if not self.more(deadline):
                return None
        end = self.buffer.index(mark) + len(mark)
        return self.take(end)

    def take(self, count):
        """The next bytes of the buffer."""
        found = bytes(self.buffer[:count])
        del self.buffer[:count]
        return found

    def frame(self, deadline):
        """The next frame as (is final, opcode, payload); None if none comes. A masked frame has the opcode -1."""
        while (found := frames.read(self.buffer)) is None:
            if not self.more(deadline):
                return None
        first, key, payload = found
        return first >= 128, first & 127 if key is None else -1, payload

    def close(self):
        self.socket.close()


class Game:
    """One case on one connection."""

    def __init__(self, case: Case, server):
        self.case, self.server = case, server
        self.expectation = case.expected(server.is_promised)
        self.deadline = time.monotonic() + case.patience
        self.messages = self.pongs = 0
        self.end = None
        self.line = Line(server.port_for(case))

    def play(self):
        """The outcome."""
        try:
            return self.over_http() if self.case.protocol is None else self.over_websocket()
        finally:
            self.line.close()

    # MARK: - Steps

    def take_steps(self):
        for step in self.case.steps:
            if isinstance(step, bytes):
                self.line.send(step)
            elif isinstance(step, Slowly):
                self.send_slowly(step)
            elif isinstance(step, Pause):
                self.wait(step.seconds)
            elif isinstance(step, Pong):
                wanted = self.pongs + 1
                self.read(lambda: self.pongs >= wanted)
            elif isinstance(step, Answer):
                self.statuses += self.answer()
            elif isinstance(step, Finish):
                self.line.socket.shutdown(socket.SHUT_WR)

    def wait(self, seconds):
        """Waits; a WebSocket is read meanwhile, so that pings are answered."""
        if self.case.protocol is None:
            time.sleep(seconds)
            return
        deadline = self.deadline
        self.read_for(seconds)
        self.deadline = deadline

    def send_slowly(self, step):
        for piece in payloads.cut(step.data, step.size):
            # A server that has ended the connection is not sent the rest.
            if select.select([self.line.socket], [], [], step.pause)[0] and self.server_is_gone():
                return
            self.line.send(piece)

    def server_is_gone(self):
        try:
            return self.line.socket.recv(1, socket.MSG_PEEK) == b""
        except OSError:
            return True

    # MARK: - WebSocket

    def over_websocket(self):
        self.line.send(frames.upgrade(changes={"Sec-WebSocket-Protocol": self.case.protocol}))
        head = self.line.until(b"\r\n\r\n", self.deadline) or b""
        if not head.startswith(b"HTTP/1.1 101") or ACCEPT not in head:
            return "not opened"
        if self.case.signs_in:
            self.server.sign_in(self.line, self.case.protocol, self.deadline)
        self.take_steps()
        return self.observe()

    def observe(self):
        """Counts the answers, then probes the connection."""
        messages, pongs = counted(self.expectation, "message"), counted(self.expectation, "pong")
        self.read(lambda: self.messages >= messages and self.pongs >= pongs)
        if "open" not in self.expectation:
            # An end that the server decides on later than it would answer a ping.
            self.read_for(ENDING if self.case.probes else self.case.patience)
        if self.end is None and self.case.probes:
            self.line.send(frames.ping(payloads.ALIVE))
            self.read_for(self.case.patience)
        if self.end == "open" and messages:
            self.end = None
            self.read_for(LINGER)
            self.end = self.end or "open"
        return self.outcome()

    def read_for(self, seconds):
        """Reads what comes within some seconds."""
        self.deadline = time.monotonic() + seconds
        self.read(lambda: False)

    def outcome(self):
        counts = [number(count, word) for count, word in [(self.messages, "message"), (self.pongs, "pong")] if count]
        return ", ".join([*counts, self.end or "silent"])

    def read(self, is_enough):
        """Reads frames until that is enough, or until the connection's end is known."""
        while self.end is None and not is_enough():
            found = self.line.frame(self.deadline)
            if found is None:
                self.end = "cut" if self.line.has_ended else None
                return
            self.receive(*found)

    def receive(self, is_final, kind, payload):
        if kind in (frames.CONTINUATION, frames.TEXT, frames.BINARY):
            self.messages += is_final
        elif kind == frames.PING:
            if self.case.answers_pings:
                self.line.send(frames.frame(frames.PONG, payload))
        elif kind == frames.PONG and payload == payloads.ALIVE:
            self.end = "open"
        elif kind == frames.PONG:
            self.pongs += 1
        elif kind == frames.CLOSE:
            self.end = self.closing(payload)
        else:
            self.end = "an invalid frame"

    def closing(self, payload):
        """Answers a close frame, and waits until the server ends the connection."""
        code = frames.close_code(payload)
        self.line.send(frames.close(code))
        while self.line.more(time.monotonic() + CUTTING):
            pass
        return ("close" if code is None else f"close {code}") + ("" if self.line.has_ended else ", held")

    # MARK: - HTTP

    def over_http(self):
        self.statuses = []
        self.take_steps()
        while self.statuses[-1:] != ["101"]:
            found = self.answer(QUIET if self.statuses else None)
            if not found:
                end = "closed" if self.line.has_ended else "open" if self.statuses else "silent"
                return " ".join([*self.statuses, end])
            self.statuses += found
        return " ".join(self.statuses) + ", " + self.observe()

    def answer(self, quiet=None):
        """The status of the next answer, in a list; an empty one if none comes."""
        deadline = self.deadline if quiet is None else time.monotonic() + quiet
        head = self.line.until(b"\r\n\r\n", deadline)
        if head is None:
            return ["garbage"] if self.line.buffer and self.line.take(len(self.line.buffer)) else []
        status = re.match(rb"HTTP/1\.[01] (\d{3})[ \r]", head)
        if not status:
            return ["garbage"]
        self.skip_body(head, int(status.group(1)))
        return [status.group(1).decode()]

    def skip_body(self, head, status):
        is_head = bytes(self.case.steps[0][:5] if isinstance(self.case.steps[0], bytes) else b"") == b"HEAD "
        if status < 200 or status in (204, 304) or (is_head and not self.statuses):
            return
        length = re.search(rb"\r\ncontent-length: *(\d+)", head, re.IGNORECASE)
        deadline = time.monotonic() + 5
        while (not length or len(self.line.buffer) < int(length.group(1))) and self.line.more(deadline):
            pass
        self.line.take(int(length.group(1)) if length else len(self.line.buffer))


def play(case, server):
    """The outcome of a case; a failure of the client itself is told as an outcome that nobody expects."""
    try:
        return Game(case, server).play()
    except (OSError, ValueError) as problem:
        return f"{type(problem).__name__}: {problem}"
