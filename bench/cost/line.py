"""A connection in either encoding."""

import base64
import os
import select
import socket
import struct
import threading

SUBPROTOCOLS = {"json": "promised.v1.json", "protobuf": "promised.v1.protobuf"}


class Ended(Exception):
    """The server closed the connection."""


class Line:
    """One connection that waits for each answer; events between them are dropped."""

    def __init__(self, schema, port, encoding="json", address=None):
        self.schema, self.encoding, self.number, self.buffer = schema, encoding, 0, bytearray()
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=60)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        key = base64.b64encode(os.urandom(16)).decode()
        forwarded = f"X-Forwarded-For: {address}\r\n" if address else ""
        self.socket.sendall(
            (f"GET /ws HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n{forwarded}"
             f"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Protocol: {SUBPROTOCOLS[encoding]}\r\n"
             f"Sec-WebSocket-Key: {key}\r\n\r\n").encode())
        while b"\r\n\r\n" not in self.buffer:
            self._more()
        head, _, rest = bytes(self.buffer).partition(b"\r\n\r\n")
        self.buffer = bytearray(rest)
        if b" 101 " not in head.split(b"\r\n", 1)[0]:
            raise Ended(head.split(b"\r\n", 1)[0].decode())

    def _more(self):
        data = self.socket.recv(1 << 18)
        if not data:
            raise Ended("closed")
        self.buffer += data

    def _frame(self):
        while True:
            if len(self.buffer) >= 2:
                size, start = self.buffer[1] & 127, 2
                if size >= 126:
                    start = 4 if size == 126 else 10
                    size = int.from_bytes(self.buffer[2:start], "big") if len(self.buffer) >= start else 1 << 62
                if len(self.buffer) >= start + size:
                    kind, payload = self.buffer[0] & 15, bytes(self.buffer[start:start + size])
                    del self.buffer[:start + size]
                    return kind, payload
            self._more()

    def send(self, payload, kind=None):
        """Sends a frame. Its mask is zero, which is a mask and costs nothing."""
        size, kind = len(payload), kind or (1 if self.encoding == "json" else 2)
        if size < 126:
            head = struct.pack("!BB", 0x80 | kind, 0x80 | size)
        elif size < 65_536:
            head = struct.pack("!BBH", 0x80 | kind, 0xFE, size)
        else:
            head = struct.pack("!BBQ", 0x80 | kind, 0xFF, size)
        self.socket.sendall(head + b"\0\0\0\0" + payload)

    def exchange(self, payload, number):
        """Sends a request; returns the reply's size and the reply. What comes before it is dropped."""
        self.send(payload)
        while True:
            kind, answer = self._frame()
            if kind == 9:
                self.send(answer, 10)
            elif kind == 8:
                raise Ended(int.from_bytes(answer[:2], "big"))
            elif kind in (1, 2):
                head = answer[:24]
                marker = b'"id":%d,' % number if self.encoding == "json" else b"\x08"
                if head.startswith(b"{" + marker) if self.encoding == "json" else head.startswith(marker):
                    return len(answer), self.schema.decoded(answer, self.encoding)

    def next_number(self):
        self.number += 1
        return self.number

    def ask(self, request, **fields):
        """The reply's content; an error as {"error": …}."""
        number = self.next_number()
        return self.exchange(self.schema.encoded({"id": number, request: fields}, self.encoding), number)[1]

    def must(self, request, **fields):
        """The reply's content by its kind. Raises for an error."""
        reply = self.ask(request, **fields)
        if "error" in reply:
            raise RuntimeError(f"{request} was refused: {reply['error']}")
        return next((value for name, value in reply.items() if name != "id"), {})

    def close(self):
        self.socket.close()


class Drain:
    """Reads what comes on many connections and drops it."""

    def __init__(self):
        self.poll, self.sockets, self.is_over = select.poll(), {}, False
        threading.Thread(target=self._run, daemon=True).start()

    def add(self, line):
        self.sockets[line.socket.fileno()] = line.socket
        self.poll.register(line.socket, select.POLLIN)

    def _run(self):
        while not self.is_over:
            for number, _ in self.poll.poll(500):
                try:
                    if not self.sockets[number].recv(1 << 20):
                        self.poll.unregister(number)
                except OSError:
                    pass
