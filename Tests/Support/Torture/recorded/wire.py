"""Frames as recordings keep them, in both encodings, and how they are sent, read and compared without a schema.

A frame in JSON is its value. A frame in Protocol Buffers is a list of fields, each a list of its number, its type and
its value: "int" for varints, "packed" for a list of them, "double", "text", "bytes" in hexadecimal, "time", "sentence"
for what only people read, and "message" with a list of fields. So a recording does not depend on the present schema.

A text in angle brackets stands for a value that differs each time: the first one that it meets binds it. "<time>" and
"<number>" match all, and "<time+66>" in a request is that many seconds after the server's time.
"""

import datetime
import json
import re
import struct

from promised import frames, protobuf
from promised.client import JSON, PROTOBUF

PLACEHOLDER = re.compile(r"<[^<>]+>")
MOMENT = re.compile(r"<time\+(\d+)>")


class Mismatch(Exception):
    """The frame received differs from the recorded one."""


class Bindings:
    """The values of the placeholders, and the server's time."""

    def __init__(self):
        self.values, self.now = {}, None

    def text(self, recorded):
        """The text to send."""
        return PLACEHOLDER.sub(lambda found: self.values[found[0]], recorded)

    def moment(self, recorded):
        """The instant to send; None if the text is none."""
        found = MOMENT.fullmatch(recorded)
        return self.now() + datetime.timedelta(seconds=int(found[1])) if found else None

    def match(self, recorded, received):
        if not PLACEHOLDER.fullmatch(recorded):
            return recorded == received
        return self.values.setdefault(recorded, received) == received


class JSONFrames:
    subprotocol, kind = JSON, frames.TEXT

    @staticmethod
    def bytes(recorded, bindings):
        def filled(value):
            if isinstance(value, dict):
                return {key: filled(each) for key, each in value.items()}
            if isinstance(value, list):
                return [filled(each) for each in value]
            if not isinstance(value, str):
                return value
            moment = bindings.moment(value)
            return moment.strftime("%Y-%m-%dT%H:%M:%S.%fZ") if moment else bindings.text(value)

        return json.dumps(filled(recorded)).encode()

    read = staticmethod(json.loads)

    @staticmethod
    def number(frame):
        """The id of the request that it answers; 0 for an event."""
        return frame.get("id", 0)

    @classmethod
    def match(cls, recorded, received, bindings, path=""):
        """Everything recorded is there; there may be more."""
        if recorded in ("<time>", "<number>"):
            return
        if isinstance(recorded, dict) and isinstance(received, dict):
            for key, value in recorded.items():
                # Sentences for people may change.
                if key != "message":
                    cls.match(value, received.get(key), bindings, f"{path}/{key}")
        elif isinstance(recorded, list) and isinstance(received, list) and len(recorded) == len(received):
            for index, (left, right) in enumerate(zip(recorded, received)):
                cls.match(left, right, bindings, f"{path}/{index}")
        elif isinstance(recorded, str) and isinstance(received, str) and bindings.match(recorded, received):
            pass
        elif recorded != received or isinstance(recorded, (dict, list, str)):
            raise Mismatch(f"{path} is {json.dumps(received)} instead of {json.dumps(recorded)}")


class ProtobufFrames:
    subprotocol, kind = PROTOBUF, frames.BINARY

    @classmethod
    def bytes(cls, recorded, bindings):
        return b"".join(cls._field(number, kind, value, bindings) for number, kind, value in recorded)

    @classmethod
    def _field(cls, number, kind, value, bindings):
        if kind == "int":
            return protobuf.number(number, value)
        if kind == "double":
            return protobuf.tag(number, protobuf.FIXED64) + struct.pack("<d", value)
        if kind == "time":
            microseconds = int(bindings.moment(value).timestamp() * 1_000_000)
            content = protobuf.number(1, microseconds // 1_000_000)
            content += protobuf.number(2, microseconds % 1_000_000 // 1_000 * 1_000_000)
        elif kind == "message":
            content = cls.bytes(value, bindings)
        elif kind == "packed":
            content = protobuf.packed(value)
        else:
            content = bytes.fromhex(value) if kind == "bytes" else bindings.text(value)
        return protobuf.part(number, content)

    read = staticmethod(protobuf.fields)

    @staticmethod
    def number(frame):
        return next((value for number, value in frame if number == 1 and isinstance(value, int)), 0)

    @classmethod
    def match(cls, recorded, received, bindings, path=""):
        for number in {field[0] for field in recorded}:
            expected = [field for field in recorded if field[0] == number]
            found = [value for other, value in received if other == number]
            if len(expected) != len(found):
                raise Mismatch(f"{path}/{number} is there {len(found)} times instead of {len(expected)}")
            for (_, kind, value), other in zip(expected, found):
                cls._match(kind, value, other, bindings, f"{path}/{number}")

    @classmethod
    def _match(cls, kind, recorded, received, bindings, path):
        if kind in ("time", "sentence") or recorded == "<number>":
            return
        if kind == "message":
            cls.match(recorded, cls.read(received), bindings, path)
            return
        is_equal = {
            "int": lambda: recorded % (1 << 64) == received,
            "packed": lambda: protobuf.packed(recorded) == received,
            "double": lambda: struct.pack("<d", recorded) == received,
            "bytes": lambda: bytes.fromhex(recorded) == received,
            "text": lambda: bindings.match(recorded, received.decode()),
        }[kind]
        if not is_equal():
            raise Mismatch(f"{path} is {received!r} instead of {recorded!r}")
