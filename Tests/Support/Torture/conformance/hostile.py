"""Servers that break the protocol in front of a client: one row for each behaviour.

A row is a list of steps that the server takes on a connection. At their end it waits until the client closes.
"""

import dataclasses
import struct

from promised import frames, protobuf
from promised.frames import BINARY, CLOSE, CONTINUATION, PING, PONG, TEXT


@dataclasses.dataclass(frozen=True)
class Flood:
    """Sends the same bytes until the client has gone, or this many seconds have passed."""

    data: bytes
    seconds: float = 30
    pause: float = 0


@dataclasses.dataclass(frozen=True)
class Upgrade:
    """Accepts the upgrade; `changes` replace headers by name, None leaves one out."""

    changes: dict = dataclasses.field(default_factory=dict)
    status: str = "HTTP/1.1 101 Switching Protocols"
    more: bytes = b""


# Reads the client's request; reads its next message; ends the connection; ends it with a reset; keeps it, even if the
# client closes.
HEAD, MESSAGE, DROP, RESET, HOLD = "head", "message", "drop", "reset", "hold"


@dataclasses.dataclass(frozen=True)
class Behaviour:
    """One row."""

    id: str
    title: str
    steps: tuple
    # How long the client may take, in seconds: 5 s to connect and sign in, 15 s for a request, 4 s to close; and to spare.
    seconds: float = 14
    # The exit codes that are right.
    codes: tuple = (1, 3, 4)


def frame(opcode, payload=b"", **parts):
    """A frame from a server, which has no mask."""
    return frames.frame(opcode, payload, **{"key": None, **parts})


def reply(number, content, id=1):
    """A server's frame with a reply, whose field has the number, to the request with the id."""
    return frame(BINARY, protobuf.number(1, id) + protobuf.part(number, content))


# A greeting that names no user, as for an administrator.
WELCOME = reply(8, protobuf.part(3, b"c1") + b"\x20\xa0\x9c\x01\x28\x88\x27")
GREETED = (HEAD, Upgrade(), MESSAGE)
SIGNED_IN = (*GREETED, WELCOME, MESSAGE)


def behaviours():
    yield from connections()
    yield from handshakes()
    yield from frames_of_server()
    yield from closes()
    yield from floods()
    yield from messages()


def connections():
    """Servers that say nothing or go away."""
    yield Behaviour("connect.silent", "accepts and says nothing", ())
    yield Behaviour("connect.drop", "closes at once", (DROP,))
    yield Behaviour("connect.reset", "resets at once", (RESET,))
    yield Behaviour("connect.drop-after-request", "closes after the request", (HEAD, DROP))
    yield Behaviour("connect.reset-after-request", "resets after the request", (HEAD, RESET))
    yield Behaviour("connect.half-line", "sends half a status line, then nothing", (HEAD, b"HTTP/1.1 10"))
    yield Behaviour("connect.half-line-drop", "sends half a status line and closes", (HEAD, b"HTTP/1.1 10", DROP))
    yield Behaviour("connect.half-head-reset", "resets in the middle of the headers",
                    (HEAD, b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: webs", RESET))
    yield Behaviour("connect.drip", "sends an octet of headers every 0.2 s",
                    (HEAD, b"HTTP/1.1 101 Switching Protocols\r\nX-A: ", Flood(b"a", 30, 0.2)))
    yield Behaviour("connect.banner", "greets like a mail server", (b"220 example.org ESMTP\r\n",))
    yield Behaviour("connect.tls", "answers with a TLS alert", (HEAD, b"\x15\x03\x03\x00\x02\x02\x28", DROP))
    yield Behaviour("connect.frame", "sends a frame instead of an answer", (HEAD, frame(TEXT, b"hello")))
    yield Behaviour("connect.zeros", "sends zeros", (HEAD, Flood(bytes(4_096), 30, 0.001)))
    yield Behaviour("connect.noise", "sends bytes without an end", (HEAD, Flood(bytes(range(256)) * 16, 30, 0.001)))


def handshakes():
    """Answers to the upgrade that are not what RFC 6455 §4.1 asks for."""
    for status in ["200 OK", "204 No Content", "400 Bad Request", "401 Unauthorized", "403 Forbidden", "404 Not Found",
                   "426 Upgrade Required", "429 Too Many Requests", "500 Internal Server Error", "503 Service Unavailable",
                   "999 Unknown"]:
        answer = f"HTTP/1.1 {status}\r\nContent-Length: 0\r\n\r\n".encode()
        yield Behaviour(f"answer.{status[:3]}", f"answers {status}", (HEAD, answer, DROP))
    for name, place in [("other", "http://127.0.0.1:1/ws"), ("file", "file:///etc/passwd"), ("nothing", ""),
                        ("long", "http://" + "a" * 5_000)]:
        answer = f"HTTP/1.1 301 Moved\r\nLocation: {place}\r\nContent-Length: 0\r\n\r\n".encode()
        yield Behaviour(f"answer.redirect-{name}", "redirects the client", (HEAD, answer, DROP))
    wrong = {
        "accept-none": {"Sec-WebSocket-Accept": None}, "accept-empty": {"Sec-WebSocket-Accept": ""},
        "accept-wrong": {"Sec-WebSocket-Accept": "s3pPLMBiTxaQ9kYGzzhZRbK+xOo="},
        "accept-short": {"Sec-WebSocket-Accept": "AAAA"}, "accept-long": {"Sec-WebSocket-Accept": "A" * 2_000},
        "upgrade-none": {"Upgrade": None}, "upgrade-h2c": {"Upgrade": "h2c"}, "connection-none": {"Connection": None},
        "connection-close": {"Connection": "close"}, "protocol-other": {"Sec-WebSocket-Protocol": "chat"},
        "protocol-none": {"Sec-WebSocket-Protocol": None}, "protocol-two": {"Sec-WebSocket-Protocol": "chat, superchat"},
        "protocol-json": {"Sec-WebSocket-Protocol": "promised.v1.json"},
        "extension": {"Sec-WebSocket-Extensions": "permessage-deflate"},
        "extension-unknown": {"Sec-WebSocket-Extensions": "unknown"},
    }
    for name, changes in wrong.items():
        yield Behaviour(f"upgrade.{name}", f"accepts with a fault: {name}", (HEAD, Upgrade(changes), MESSAGE, DROP))
    for name, line in [("1.0", "HTTP/1.0 101 Switching Protocols"), ("2.0", "HTTP/2.0 101 Switching Protocols"),
                       ("no-phrase", "HTTP/1.1 101"), ("junk", "JUNK"), ("negative", "HTTP/1.1 -101 No"),
                       ("long", "HTTP/1.1 101 " + "a" * 20_000)]:
        yield Behaviour(f"upgrade.status-{name}", f"accepts with the status line {line[:30]}",
                        (HEAD, Upgrade(status=line), MESSAGE, DROP))
    large = [("header", b"X-A: " + b"a" * 100_000 + b"\r\n"), ("headers", b"X-A: a\r\n" * 20_000),
             ("known", b"Set-Cookie: " + b"a" * 20_000 + b"\r\n"), ("nul", b"X-A: \0\0\0\r\n"), ("no-colon", b"XXXX\r\n")]
    for name, lines in large:
        yield Behaviour(f"upgrade.large-{name}", f"accepts with headers that are large or malformed: {name}",
                        (HEAD, Upgrade(more=lines), MESSAGE, DROP))
    yield Behaviour("upgrade.endless-header", "sends a header without an end",
                    (HEAD, b"HTTP/1.1 101 Switching Protocols\r\nX-A: ", Flood(b"a" * 4_096, 30, 0.001)))
    yield Behaviour("upgrade.endless-headers", "sends headers without an end",
                    (HEAD, b"HTTP/1.1 101 Switching Protocols\r\n", Flood(b"X-A: a\r\n" * 500, 30, 0.001)))
    yield Behaviour("upgrade.endless-body", "answers 200 with a body without an end",
                    (HEAD, b"HTTP/1.1 200 OK\r\nContent-Length: 9999999999\r\n\r\n", Flood(b"a" * 4_096, 30, 0.001)))


def frames_of_server():
    """Frames that break RFC 6455, in answer to the sign-in."""
    hello = b"\x08\x01"
    faults = {
        "masked": frame(BINARY, hello, key=bytes(4)), "masked-ping": frame(PING, b"x", key=bytes(4)),
        "open-ping": frame(PING, b"x", is_final=False), "long-ping": frame(PING, bytes(126)),
        "long-close": frame(CLOSE, b"\x03\xe8" + bytes(200)), "loose-continuation": frame(CONTINUATION, hello),
        "message-in-message": frame(BINARY, hello, is_final=False) + frame(BINARY, hello),
        "text": frame(TEXT, b'{"id":1,"welcome":{}}'), "text-not-utf8": frame(TEXT, b"\xff\xfe"),
        "text-half-character": frame(TEXT, b"\xc3"), "empty": frame(BINARY), "empty-text": frame(TEXT),
    }
    for rsv in (1, 2, 4, 7):
        faults[f"rsv-{rsv}"] = frame(BINARY, hello, rsv=rsv)
    for opcode in (3, 4, 7, 11, 15):
        faults[f"opcode-{opcode}"] = frame(opcode, b"x")
    for name, size in [("1MiB+1", (1 << 20) + 1), ("4GiB", 1 << 32), ("2^62", 1 << 62), ("2^63", 1 << 63),
                       ("2^64-1", (1 << 64) - 1)]:
        faults[f"announces-{name}"] = frame(BINARY, bytes(100), announced=size)
    for name, data in faults.items():
        yield Behaviour(f"frame.{name}", f"answers the sign-in with a faulty frame: {name}", (*GREETED, data))
    yield Behaviour("frame.2MiB", "sends a message of 2 MiB", (*GREETED, frame(BINARY, bytes(2 << 20))))
    pieces = frame(BINARY, bytes(65_536), is_final=False) + frame(CONTINUATION, bytes(65_536), is_final=False) * 40
    yield Behaviour("frame.2MiB-in-fragments", "sends fragments of 2.6 MiB together", (*GREETED, pieces))
    yield Behaviour("frame.half", "sends half a frame, then nothing", (*GREETED, WELCOME[:5]))
    yield Behaviour("frame.half-drop", "sends half a frame and closes", (*GREETED, WELCOME[:5], DROP))
    yield Behaviour("frame.half-reset", "sends half a frame and resets", (*GREETED, WELCOME[:5], RESET))
    yield Behaviour("frame.half-header", "sends an octet of a frame, then nothing", (*GREETED, b"\x82"))
    yield Behaviour("frame.early", "sends frames before the answer to the upgrade", (HEAD, WELCOME, Upgrade()))
    yield Behaviour("frame.with-handshake", "sends noise behind the answer to the upgrade",
                    (HEAD, Upgrade(), b"\xff" * 500))


def closes():
    """Close frames with every kind of code, and without an end."""
    for code in [0, 1, 999, 1000, 1001, 1002, 1003, 1004, 1005, 1006, 1007, 1008, 1009, 1011, 1012, 1015, 2999, 3000, 4000, 4001,
                 4004, 4499, 4500, 4501, 4502, 4503, 4504, 4505, 4506, 4999, 5000, 65_535]:
        yield Behaviour(f"close.{code}", f"closes with {code}", (*GREETED, frame(CLOSE, struct.pack("!H", code)), DROP))
    reasons = {"empty": b"", "one-byte": b"\x03", "not-utf8": b"\x0f\xa0\xff\xfe", "half-character": b"\x0f\xa0\xc3",
               "escape": b"\x11\x94\x1b[2J\x1b]0;owned\x07", "lines": b"\x11\x94one\r\ntwo\nthree",
               "longest": b"\x11\x94" + b"x" * 123, "direction": b"\x11\x94" + "\u202eabc\u200f".encode()}
    for name, payload in reasons.items():
        yield Behaviour(f"close.reason-{name}", f"closes with a reason: {name}", (*GREETED, frame(CLOSE, payload), DROP))
    yield Behaviour("close.held", "closes and keeps the connection", (*GREETED, frame(CLOSE, b"\x03\xe8"), HOLD))
    yield Behaviour("close.unanswered", "refuses the token and answers no close frame",
                    (*GREETED, reply(3, protobuf.part(1, b"auth.token-invalid") + protobuf.part(2, b"No.")), HOLD))
    yield Behaviour("close.then-frames", "closes and goes on sending",
                    (*GREETED, frame(CLOSE, b"\x03\xe8"), Flood(WELCOME, 30, 0.01)))
    yield Behaviour("close.before-hello", "closes before the sign-in", (HEAD, Upgrade(), frame(CLOSE, b"\x03\xe8"), DROP))


def floods():
    """Frames without an end: the client's memory and time stay bounded."""
    yield Behaviour("flood.pings", "sends pings without an end", (*GREETED, Flood(frame(PING, b"x" * 125) * 100, 30, 0.001)))
    yield Behaviour("flood.pongs", "sends pongs without an end", (*GREETED, Flood(frame(PONG, b"x" * 125) * 100, 30, 0.001)))
    start = frame(BINARY, b"", is_final=False)
    for name, size in [("empty", 0), ("octets", 1), ("large", 4_096)]:
        piece = frame(CONTINUATION, bytes(size), is_final=False)
        yield Behaviour(f"flood.fragments-{name}", f"sends fragments of {size} bytes without an end",
                        (*GREETED, start, Flood(piece * max(1, 8_192 // len(piece)), 30, 0.001)))
    yield Behaviour("flood.replies", "sends replies to requests that were never made",
                    (*GREETED, Flood(reply(4, b"", id=99) * 100, 30, 0.001)))
    yield Behaviour("flood.events", "sends events without an end, and no reply",
                    (*GREETED, Flood(frame(BINARY, protobuf.part(2, b"")) * 100, 30, 0.001)))
    big = frame(BINARY, protobuf.part(2, protobuf.part(2_000, bytes(200_000))))
    yield Behaviour("flood.large-events", "sends large events without an end, and no reply", (*GREETED, Flood(big, 30, 0.01)))
    drip = [Flood(bytes([octet]), 0.6, 0.6) for octet in WELCOME]
    yield Behaviour("flood.drip", "sends the greeting an octet every 0.6 s", (*GREETED, *drip))
    yield Behaviour("flood.after-welcome", "greets, then sends events without an end, and no reply",
                    (*SIGNED_IN, Flood(frame(BINARY, protobuf.part(2, b"")) * 20, 40, 0.005)), seconds=28)


def messages():
    """Messages that are no messages of the protocol, or answer another question."""
    deep = b""
    for _ in range(3_000):
        deep = protobuf.part(24, deep)[:60_000]
    bad = {
        "noise": frame(BINARY, bytes(range(256))), "varint": frame(BINARY, b"\xff" * 11), "group": frame(BINARY, b"\x0b\x0c"),
        "huge-length": frame(BINARY, b"\x42\xff\xff\xff\xff\x0f"), "negative-length": frame(BINARY, b"\x42" + b"\xff" * 9 + b"\x01"),
        "nested": frame(BINARY, deep), "not-utf8": reply(8, protobuf.part(3, b"\xff\xfe")), "wrong-id": reply(8, b"", id=77),
        "two-contents": frame(BINARY, b"\x08\x01" + protobuf.part(4, b"") + protobuf.part(8, b"")), "wrong-kind": reply(5, b""),
        "no-content": frame(BINARY, b"\x08\x01"), "unknown-content": reply(1_900, b"x"),
        "error": reply(3, protobuf.part(1, b"auth.token-invalid") + protobuf.part(2, b"No.")),
        "error-unknown": reply(3, protobuf.part(1, b"strange.new-code") + protobuf.part(2, b"Something new.")),
        "error-empty": reply(3, b""), "error-enum": reply(3, protobuf.part(1, b"auth.forbidden") + b"\x18\xff\x7f"),
        "error-escape": reply(3, protobuf.part(1, b"auth.forbidden") + protobuf.part(2, b"\x1b[2J\x1b]0;owned\x07\r\nfake: line")),
        "error-large": reply(3, protobuf.part(1, b"auth.forbidden") + protobuf.part(2, b"x" * 200_000)),
    }
    for name, data in bad.items():
        # Of two contents the last one counts, so that the client signs in and asks.
        seconds = 28 if name == "two-contents" else 14
        yield Behaviour(f"message.{name}", f"answers the sign-in with: {name}", (*GREETED, data), seconds=seconds)
        # The same in answer to the request with the id 2.
        answer = data.replace(b"\x08\x01", b"\x08\x02", 1) if b"\x08\x01" in data[:14] else data
        yield Behaviour(f"reply.{name}", f"greets, then answers the request with: {name}", (*SIGNED_IN, answer), seconds=28)
    yield Behaviour("reply.silent", "greets, then says nothing", SIGNED_IN, seconds=28)
    yield Behaviour("reply.drop", "greets, then closes", (*SIGNED_IN, DROP))
    yield Behaviour("reply.reset", "greets, then resets", (*SIGNED_IN, RESET))
    yield Behaviour("reply.twice-welcome", "greets twice, then closes", (*GREETED, WELCOME * 2, MESSAGE, DROP))
    yield Behaviour("reply.half", "greets, then sends half a reply and closes", (*SIGNED_IN, reply(24, bytes(100), 2)[:20], DROP))
