"""Messages and requests of the cases."""

from promised import frames, protobuf

# The payload of the ping that ends a case.
ALIVE = b"alive?"


def fragments(opcode, pieces):
    """A message in one frame for each piece."""
    last = len(pieces) - 1
    return [frames.frame(frames.CONTINUATION if index else opcode, piece, is_final=index == last)
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
        if count >= 0 and len(protobuf.varint(count)) == digits:
            return b"\xfa\x7f" + protobuf.varint(count) + bytes(index % 251 for index in range(count))
    # No length has the digits that it would need: a field with the number 0 takes three bytes.
    return binary(size - 3) + b"\xf8\x7f\x00"


def get(line="GET /healthz HTTP/1.1", *headers, host="Host: 127.0.0.1"):
    """A plain request."""
    return frames.request(line, [host, *headers] if host else list(headers))
