"""WebSocket frames and requests for an upgrade, right or wrong in any part."""

import base64
import hashlib
import struct

CONTINUATION, TEXT, BINARY, CLOSE, PING, PONG = 0, 1, 2, 8, 9, 10
MASK = b"\x37\xfa\x21\x3d"
# A mask like any other, which costs nothing.
ZERO_MASK = bytes(4)
KEY = "dGhlIHNhbXBsZSBub25jZQ=="


class TooLarge(RuntimeError):
    """A frame is longer than it may be."""


def masked(payload, key):
    """The payload under a mask of four bytes."""
    if key == ZERO_MASK:
        return payload
    whole = key * (len(payload) // 4 + 1)
    size = len(payload)
    return (int.from_bytes(payload, "big") ^ int.from_bytes(whole[:size], "big")).to_bytes(size, "big")


def frame(opcode, payload=b"", is_final=True, rsv=0, key=MASK, form=None, announced=None):
    """A frame.

    `key` is the mask of a client; None leaves it unmasked, as servers do. `form` takes 7, 16 or 64 bits for the length
    instead of the fewest, and `announced` is the length in the header if it is not that of the payload.
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


def close_code(payload):
    """The code of a close frame; None without one."""
    return int.from_bytes(payload[:2], "big") if payload else None


def read(buffer, largest=None):
    """Takes the first frame from a bytearray: its first byte, its mask or None, its payload. None while it is not whole.

    Raises TooLarge for a frame that announces more than the largest size.
    """
    if len(buffer) < 2:
        return None
    size, start = buffer[1] & 127, 2
    if size > 125:
        start = 4 if size == 126 else 10
        if len(buffer) < start:
            return None
        size = int.from_bytes(buffer[2:start], "big")
    if largest is not None and size > largest:
        raise TooLarge(f"a frame of {size} bytes from the server")
    is_masked = buffer[1] >= 128
    end = start + 4 * is_masked + size
    if len(buffer) < end:
        return None
    key = bytes(buffer[start:start + 4]) if is_masked else None
    first, payload = buffer[0], bytes(buffer[end - size:end])
    del buffer[:end]
    return first, key, masked(payload, key) if is_masked else payload


def accept(key):
    """The answer of a server to the key of a client's upgrade."""
    return base64.b64encode(hashlib.sha1(key.encode() + b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11").digest()).decode()


def request(line, headers, end=b"\r\n\r\n"):
    """An HTTP request from its first line and its header lines."""
    return "\r\n".join([line, *headers]).encode("latin-1") + end


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
