"""The wire format of Protocol Buffers, without a schema."""

VARINT, FIXED64, LENGTH, FIXED32 = 0, 1, 2, 5


def varint(value):
    """A number from 0 to 2^64 - 1."""
    found = bytearray()
    while value > 127:
        found.append(value & 127 | 128)
        value >>= 7
    return bytes(found) + bytes([value])


def tag(number, wire):
    """The beginning of a field."""
    return varint(number << 3 | wire)


def number(field, value):
    """A field with a number, also a negative one."""
    return tag(field, VARINT) + varint(value % (1 << 64))


def part(field, value):
    """A field with a text, bytes or a message."""
    data = value.encode() if isinstance(value, str) else value
    return tag(field, LENGTH) + varint(len(data)) + data


def packed(values):
    """The content of a field with a list of numbers."""
    return b"".join(varint(value % (1 << 64)) for value in values)


def read_varint(data, position):
    """The number at a position, and the position behind it.

    Raises ValueError if the data end within it.
    """
    value = shift = 0
    while position < len(data) and shift < 70:
        byte = data[position]
        value |= (byte & 127) << shift
        position, shift = position + 1, shift + 7
        if byte < 128:
            return value, position
    raise ValueError("the data end within a number")


def unpacked(data):
    """The numbers in the content of a field with a list of them."""
    position, found = 0, []
    while position < len(data):
        value, position = read_varint(data, position)
        found.append(value)
    return found


def fields(data):
    """The fields of a message, each a number and an integer, or bytes.

    Raises ValueError for what is no message.
    """
    found, position = [], 0
    while position < len(data):
        head, position = read_varint(data, position)
        wire = head & 7
        if wire == VARINT:
            value, position = read_varint(data, position)
        else:
            size = {FIXED64: 8, FIXED32: 4}.get(wire)
            if wire == LENGTH:
                size, position = read_varint(data, position)
            elif size is None:
                raise ValueError(f"a field of the wire type {wire}")
            if position + size > len(data):
                raise ValueError("the data end within a field")
            value, position = data[position:position + size], position + size
        found.append((head >> 3, value))
    return found
