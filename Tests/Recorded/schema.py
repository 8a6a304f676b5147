"""The present schema, only to make a recording: turns a frame in JSON into one that needs no schema (wire.py)."""

import base64
import pathlib
import re
import subprocess
import tempfile

from wire import ProtobufFrames

ROOT = pathlib.Path(__file__).parents[2]
DOUBLE, FLOAT, BOOL, STRING, MESSAGE, BYTES, ENUM = 1, 2, 8, 9, 11, 12, 14


def texts(fields, number):
    return [value.decode() for other, value in fields if other == number]


class Schema:
    """The messages by their full names: their fields by their names in JSON, each a number, a type and a type's name."""

    def __init__(self):
        self.messages, self.enumerations = {}, {}
        with tempfile.NamedTemporaryFile() as file:
            subprocess.run(["protoc", f"--proto_path={ROOT}/proto", f"--descriptor_set_out={file.name}",
                            *map(str, (ROOT / "proto/promised/v1").glob("*.proto"))], check=True)
            data = pathlib.Path(file.name).read_bytes()
        for number, content in ProtobufFrames.read(data):
            if number == 1:
                fields = ProtobufFrames.read(content)
                self._take(fields, "." + texts(fields, 2)[0], message=4, enumeration=5)

    def _take(self, fields, prefix, message, enumeration):
        for number, content in fields:
            if number == message:
                inner = ProtobufFrames.read(content)
                name = f"{prefix}.{texts(inner, 1)[0]}"
                self.messages[name] = dict(self._field(each) for other, each in inner if other == 2)
                self._take(inner, name, message=3, enumeration=4)
            elif number == enumeration:
                inner = ProtobufFrames.read(content)
                values = [ProtobufFrames.read(each) for other, each in inner if other == 2]
                self.enumerations[f"{prefix}.{texts(inner, 1)[0]}"] = {
                    texts(value, 1)[0]: next((each for other, each in value if other == 2), 0) for value in values}

    @staticmethod
    def _field(content):
        fields = ProtobufFrames.read(content)
        kinds = {other: value for other, value in fields if isinstance(value, int)}
        name = re.sub(r"_([a-z])", lambda found: found[1].upper(), texts(fields, 1)[0])
        return name, (kinds[3], kinds[5], (texts(fields, 6) or [""])[0])

    def frame(self, value, message):
        """A frame in JSON as fields of a message."""
        found = []
        for name, content in value.items():
            number, kind, type_name = self.messages[f".promised.v1.{message}" if "." not in message else message][name]
            if isinstance(content, list) and kind not in (STRING, BYTES, MESSAGE):
                found.append([number, "packed", [self._value(each, kind, type_name, name)[1] for each in content]])
                continue
            for each in content if isinstance(content, list) else [content]:
                found.append([number, *self._value(each, kind, type_name, name)])
        return sorted(found, key=lambda field: field[0])

    def _value(self, value, kind, type_name, name):
        if type_name == ".google.protobuf.Timestamp":
            return "time", value
        if kind == MESSAGE:
            return "message", self.frame(value, type_name)
        if kind == STRING:
            return ("sentence" if name == "message" else "text"), value
        if kind == BYTES:
            return "bytes", base64.b64decode(value).hex()
        if kind == ENUM:
            return "int", self.enumerations[type_name][value]
        if kind in (DOUBLE, FLOAT) or value == "<number>":
            return "double", value
        return "int", (int(value) if kind != BOOL else int(bool(value)))
