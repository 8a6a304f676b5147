"""A WebSocket client that is cheap to send with, and a reader of many of them that forgets nothing of note."""

import base64
import collections
import contextlib
import json
import os
import re
import selectors
import socket
import threading
import time

from promised import frames

PASSWORD = "correct horse battery"
# Ends the names of accounts, so that several runs can share a server (scripts/torture soak).
SUFFIX = os.environ.get("HOSTILE_SUFFIX", "")
# The largest frame a server may send (docs/protocol.md#connecting).
LARGEST_FRAME = 262_144
JSON, PROTOBUF = "promised.v1.json", "promised.v1.protobuf"


def frame(message):
    """A frame with a message in JSON."""
    return packet(frames.TEXT, json.dumps(message, ensure_ascii=False).encode())


def packet(opcode, payload=b""):
    """A frame whose mask costs nothing."""
    return frames.frame(opcode, payload, key=frames.ZERO_MASK)


def email(name):
    return f"{name}{SUFFIX}@example.org"


def nickname(name):
    return name + SUFFIX


def upgrade(port, address=None, headers="", subprotocol=JSON):
    """The head of a request that opens a WebSocket; `headers` are whole lines."""
    head = frames.upgrade(changes={
        "Host": f"127.0.0.1:{port}", "Sec-WebSocket-Key": base64.b64encode(os.urandom(16)).decode(),
        "Sec-WebSocket-Protocol": subprotocol, "X-Forwarded-For": address,
    })
    return head[:-2] + headers.encode() + b"\r\n"


class Closed(Exception):
    """The server ended the connection."""

    def __init__(self, code=None):
        super().__init__(f"closed {code}")
        self.code = code


def ask_when_allowed(peer, request, **fields):
    """The reply of peer.ask(); a request that is beyond a rate is sent again when it may be."""
    while True:
        reply = peer.ask(request, **fields)
        error = reply.get("error", {})
        if error.get("code") != "limit.rate":
            return reply
        # Not sent again at once: forty refusals in ten seconds end the connection.
        time.sleep(max(0.5, error.get("retryAfterMs", 0) / 1000))


class Peer:
    """One connection.

    It is read either by itself (`ask`, `receive`) or, once it was handed over, by a `Readers`.
    """

    def __init__(self, port, address=None, timeout=30, receive_buffer=None, headers="", subprotocol=JSON):
        self.socket = socket.socket()
        self.socket.settimeout(timeout)
        if receive_buffer:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.sending = threading.Lock()
        self.buffer = bytearray()
        self.next_id = 0
        try:
            self.socket.connect(("127.0.0.1", port))
            self.socket.sendall(upgrade(port, address, headers, subprotocol))
            while b"\r\n\r\n" not in self.buffer:
                self._more()
            head, _, rest = bytes(self.buffer).partition(b"\r\n\r\n")
            self.buffer = bytearray(rest)
            if b" 101 " not in head.split(b"\r\n", 1)[0]:
                raise Closed(head.split(b"\r\n", 1)[0].decode())
        except BaseException:
            self.close()
            raise

    def _more(self):
        data = self.socket.recv(262_144)
        if not data:
            raise Closed()
        self.buffer += data

    def next_frame(self):
        """Kind and payload of the next whole frame in the buffer; None while there is none."""
        found = frames.read(self.buffer, LARGEST_FRAME)
        return found and (found[0] & 15, found[2])

    def next_message(self):
        """Kind and payload of the next message; pings before it are answered."""
        while True:
            while (found := self.next_frame()) is None:
                self._more()
            kind, payload = found
            if kind == frames.CLOSE:
                raise Closed(frames.close_code(payload) or 0)
            if kind == frames.PING:
                self.send(payload, frames.PONG)
            elif kind in (frames.TEXT, frames.BINARY):
                return kind, payload

    def receive(self):
        """The next message in JSON."""
        return json.loads(self.next_message()[1])

    def send(self, payload, kind=frames.TEXT):
        self.send_frame(packet(kind, payload))

    def send_frame(self, data):
        with self.sending:
            self.socket.sendall(data)

    def ask(self, request, **fields):
        """Sends a request and returns its reply; the error's object under "error" where it is refused."""
        self.next_id += 1
        self.send_frame(frame({"id": self.next_id, request: fields}))
        while True:
            message = self.receive()
            if message.get("id") == self.next_id:
                return message

    def must(self, request, **fields):
        """The reply to a request that is not refused, sent when it is allowed."""
        reply = ask_when_allowed(self, request, **fields)
        if "error" in reply:
            raise RuntimeError(f"{request}: {reply['error']}")
        return reply

    def sign_up(self, name):
        return self.must("signUp", email=email(name), password=PASSWORD, nickname=nickname(name))["session"]

    def sign_in(self, name):
        return self.must("signIn", email=email(name), password=PASSWORD)["session"]

    def close(self):
        with contextlib.suppress(OSError):
            self.socket.close()


class Readers:
    """One thread that reads what comes on many connections.

    It answers pings, and counts replies by their kind, errors by their code and connections the server ended by the
    close code (None: without a word). A frame that is larger than allowed is among the failures.
    """

    KIND = re.compile(rb'^\{(?:"id":\d+,)?"(\w+)"')
    CODE = re.compile(rb'"code":"([a-z.-]+)"')

    def __init__(self, keep=()):
        self.keep = {kind.encode() for kind in keep}
        self.kinds, self.codes, self.closes = collections.Counter(), collections.Counter(), collections.Counter()
        self.kept = collections.defaultdict(list)
        self.largest, self.pongs = 0, 0
        self.failures = []
        self._selector = selectors.DefaultSelector()
        self._asleep, self._alarm = socket.socketpair()
        self._selector.register(self._asleep, selectors.EVENT_READ)
        self._coming, self._lock, self._ends = [], threading.Lock(), False
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def add(self, *peers):
        """From now on these are read here."""
        with self._lock:
            self._coming += peers
        self._alarm.send(b"x")

    def stop(self):
        self._ends = True
        self._alarm.send(b"x")
        self._thread.join()
        self._selector.close()
        self._asleep.close()
        self._alarm.close()

    @property
    def replies(self):
        return sum(count for kind, count in self.kinds.items() if kind != "event")

    def _run(self):
        while not self._ends:
            for key, _ in self._selector.select():
                if key.data is None:
                    self._asleep.recv(4_096)
                else:
                    self._read(key.data)
            with self._lock:
                coming, self._coming = self._coming, []
            for peer in coming:
                # KeyError: it is read here already. ValueError: it is closed.
                with contextlib.suppress(OSError, KeyError, ValueError):
                    self._selector.register(peer.socket, selectors.EVENT_READ, peer)
                    self._take(peer)

    def _read(self, peer):
        try:
            data = peer.socket.recv(262_144)
        except (OSError, ValueError):
            data = b""
        if not data:
            self._leave(peer, None)
            return
        peer.buffer += data
        self._take(peer)

    def _take(self, peer):
        try:
            while (found := peer.next_frame()) is not None:
                kind, payload = found
                if kind == frames.CLOSE:
                    self._leave(peer, frames.close_code(payload) or 0)
                    return
                if kind == frames.PING:
                    peer.send(payload, frames.PONG)
                elif kind == frames.PONG:
                    self.pongs += 1
                else:
                    self._count(payload)
        except OSError:
            self._leave(peer, None)
        except RuntimeError as error:
            self.failures.append(str(error))
            self._leave(peer, "too large")

    def _leave(self, peer, code):
        with contextlib.suppress(KeyError, ValueError):
            self._selector.unregister(peer.socket)
            self.closes[code] += 1
        peer.close()

    def _count(self, payload):
        self.largest = max(self.largest, len(payload))
        found = self.KIND.match(payload)
        kind = found.group(1) if found else b"?"
        self.kinds[kind.decode()] += 1
        if kind == b"error":
            code = self.CODE.search(payload)
            self.codes[code.group(1).decode() if code else "?"] += 1
        if kind in self.keep:
            self.kept[kind.decode()].append(payload)
