"""A connection in either encoding."""

import select
import threading

from promised import frames
from promised.client import JSON, PROTOBUF, Peer


class Line(Peer):
    """One connection that waits for each answer; events between them are dropped."""

    def __init__(self, schema, port, encoding="json", address=None):
        super().__init__(port, address, timeout=60, subprotocol=JSON if encoding == "json" else PROTOBUF)
        self.schema, self.encoding = schema, encoding
        self.kind = frames.TEXT if encoding == "json" else frames.BINARY

    def exchange(self, payload, number):
        """Sends a request; returns the reply's size and the reply. What comes before it is dropped."""
        self.send(payload, self.kind)
        marker = b'{"id":%d,' % number if self.encoding == "json" else b"\x08"
        while True:
            _, answer = self.next_message()
            if answer.startswith(marker):
                return len(answer), self.schema.decoded(answer, self.encoding)

    def next_number(self):
        self.next_id += 1
        return self.next_id

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
