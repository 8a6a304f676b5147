"""The client against servers that answer, end or send too much."""

import contextlib
import json
import socket
import threading
import unittest

from promised import frames
from promised.client import LARGEST_FRAME, Closed, Peer, Readers


@contextlib.contextmanager
def listening(serve, answer=b"HTTP/1.1 101 Switching Protocols\r\n\r\n"):
    """The port of a server that answers the upgrade and then does `serve(connection)`, once for each connection."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        def run():
            with contextlib.suppress(OSError):
                while True:
                    connection, _ = listener.accept()
                    head = b""
                    while not head.endswith(b"\r\n\r\n"):
                        head += connection.recv(1)
                    connection.sendall(answer)
                    serve(connection)
                    connection.close()

        threading.Thread(target=run, daemon=True).start()
        yield listener.getsockname()[1]
        listener.shutdown(socket.SHUT_RDWR)


def request(connection, buffer):
    """The next frame of the client."""
    while (found := frames.read(buffer)) is None:
        buffer += connection.recv(4_096)
    return found[0] & 15, found[2]


def told(message):
    return frames.frame(frames.TEXT, json.dumps(message).encode(), key=None)


class PeerTests(unittest.TestCase):
    def peer(self, port):
        found = Peer(port)
        self.addCleanup(found.close)
        return found

    def test_a_reply_is_found_behind_events_and_pings_are_answered(self):
        pongs = []

        def serve(connection):
            buffer = bytearray()
            _, payload = request(connection, buffer)
            number = json.loads(payload)["id"]
            answer = told({"event": {}}) + frames.frame(frames.PING, b"?", key=None) + told({"id": number, "done": {}})
            # In pieces, the last of which comes once the ping has been answered.
            connection.sendall(answer[:20])
            connection.sendall(answer[20:-5])
            pongs.append(request(connection, buffer))
            connection.sendall(answer[-5:])

        with listening(serve) as port:
            self.assertEqual(self.peer(port).must("getMe"), {"id": 1, "done": {}})
        self.assertEqual(pongs, [(frames.PONG, b"?")])

    def test_a_refusal_is_an_error(self):
        with listening(lambda each: each.sendall(told({"id": 1, "error": {"code": "auth.needed"}}))) as port:
            with self.assertRaisesRegex(RuntimeError, "auth.needed"):
                self.peer(port).must("getMe")

    def test_a_close_frame_and_an_end_without_a_word_are_told_apart(self):
        for data, code in ((frames.close(4_003, key=None), 4_003), (frames.close(key=None), 0), (b"", None)):
            with listening(lambda each, data=data: each.sendall(data)) as port, self.assertRaises(Closed) as found:
                self.peer(port).receive()
            self.assertEqual(found.exception.code, code)

    def test_a_refused_upgrade_is_an_end(self):
        with listening(lambda each: None, b"HTTP/1.1 503 Service Unavailable\r\n\r\n") as port:
            with self.assertRaisesRegex(Closed, "503"):
                Peer(port)

    def test_a_frame_that_is_too_large_is_a_failure(self):
        large = frames.frame(frames.TEXT, key=None, announced=LARGEST_FRAME + 1)
        with listening(lambda each: each.sendall(large)) as port, self.assertRaises(frames.TooLarge):
            self.peer(port).receive()


class ReadersTests(unittest.TestCase):
    def test_replies_codes_and_ends_are_counted(self):
        def serve(connection):
            for text in (b'{"id":1,"done":{}}', b'{"id":2,"error":{"code":"limit.rate"}}', b'{"event":{}}'):
                connection.sendall(frames.frame(frames.TEXT, text, key=None))
            connection.sendall(frames.close(4_005, key=None))
            # The reader ends the connection once it has counted.
            connection.recv(1)
            ended.release()

        ended, readers = threading.Semaphore(0), Readers(keep=["event"])
        with listening(serve) as port:
            for _ in range(2):
                readers.add(Peer(port))
                self.assertTrue(ended.acquire(timeout=10))
        readers.stop()
        self.assertEqual((readers.kinds, readers.codes, readers.closes, readers.replies),
                         ({"done": 2, "error": 2, "event": 2}, {"limit.rate": 2}, {4_005: 2}, 4))
        self.assertEqual(readers.kept["event"], [b'{"event":{}}'] * 2)
        self.assertEqual(readers.failures, [])


if __name__ == "__main__":
    unittest.main()
