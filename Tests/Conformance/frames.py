"""Frames of a client and requests for an upgrade, right or wrong in any part."""

import struct

CONTINUATION, TEXT, BINARY, CLOSE, PING, PONG = 0, 1, 2, 8, 9, 10
MASK = b"\x37\xfa\x21\x3d"
KEY = "dGhlIHNhbXBsZSBub25jZQ=="
# The payload of the ping that ends a case.
ALIVE = b"alive?"


def masked(payload, key):
    """The payload under a mask of four bytes."""
    if key == bytes(4):
        return payload
    whole = key * (len(payload) // 4 + 1)
    size = len(payload)
    return (int.from_bytes(payload, "big") ^ int.from_bytes(whole[:size], "big")).to_bytes(size, "big")


def frame(opcode, payload=b"", is_final=True, rsv=0, key=MASK, form=None, announced=None):
    """A frame from a client.

    `key` None leaves it unmasked, `form` takes 7, 16 or 64 bits for the length instead of the fewest, and `announced` is
    the length in the header if it is not that of the payload.
    """
    size = len(payload) if announced is None else announced
    form = form or (7 if size < 126 else 16 if size < 65_536 else 64)
    mask = 0 if key is None else 0x80
    first = is_final << 7 | rsv << 4 | opcode
    if form == 7:
        head = struct.pack("!BB", first, mask | size)
    elif form == 16:
        head = struct.pack("!BBH", first, mask | 126, size)
    else:
        head = struct.pack("!BBQ", first, mask | 127, size)
    return head + (payload if key is None else key + masked(payload, key))


def ping(payload=b"", **parts):
    return frame(PING, payload, **parts)


def close(code=None, reason=b"", **parts):
    """A close frame; without a code it is empty."""
    return frame(CLOSE, b"" if code is None else struct.pack("!H", code) + reason, **parts)


def fragments(opcode, pieces):
    """A message in one frame for each piece."""
    last = len(pieces) - 1
    return [frame(CONTINUATION if index else opcode, piece, is_final=index == last)
            for index, piece in enumerate(pieces)]


def cut(data, size):
    """The data in pieces of a size."""
    return [data[start:start + size] for start in range(0, len(data), size)] or [b""]


def text(size=None, content=""):
    """A text that promised answers with an error of its own and an echo server repeats.

    It is a JSON object with an unknown member, filled with spaces up to the size.
    """
    whole = ('{"x":"%s"}' % content if content else "{}").encode()
    return whole + b" " * ((size or 0) - len(whole))


def binary(size):
    """A message of Protocol Buffers with one unknown field, number 2047; it has 0 or at least 3 bytes."""
    if size == 0:
        return b""
    for digits in (1, 2, 3, 4):
        count = size - 2 - digits
        if count >= 0 and len(varint(count)) == digits:
            return b"\xfa\x7f" + varint(count) + bytes(index % 251 for index in range(count))
    # No length has the digits that it would need: a field with the number 0 takes three bytes.
    return binary(size - 3) + b"\xf8\x7f\x00"


def varint(value):
    """A number of Protocol Buffers."""
    found = bytearray()
    while value > 127:
        found.append(value & 127 | 128)
        value >>= 7
    return bytes(found) + bytes([value])


def request(line, headers, end=b"\r\n\r\n"):
    """A request from its first line and its header lines."""
    return "\r\n".join([line, *headers]).encode("latin-1") + end


def get(line="GET /healthz HTTP/1.1", *headers, host="Host: 127.0.0.1"):
    """A plain request."""
    return request(line, [host, *headers] if host else list(headers))


# The headers of an upgrade.
UPGRADE = {"Host": "127.0.0.1", "Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Version": "13",
           "Sec-WebSocket-Key": KEY, "Sec-WebSocket-Protocol": "promised.v1.json"}


def upgrade(line="GET /ws HTTP/1.1", changes=None, more=()):
    """A request for an upgrade.

    `changes` replaces headers by name: None leaves one out, a list has it several times. `more` are further lines.
    """
    lines = []
    for name, value in {**UPGRADE, **(changes or {})}.items():
        values = value if isinstance(value, list) else [] if value is None else [value]
        lines += [f"{name}: {each}" for each in values]
    return request(line, [*lines, *more])
