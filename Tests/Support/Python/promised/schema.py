"""The schema of the protocol as protoc reads it from proto/, and frames in both encodings by it."""

import base64
import datetime
import json
import pathlib
import struct
import subprocess
import tempfile

from promised import protobuf

PROTO = pathlib.Path(__file__).resolve().parents[4] / "proto"
FRAME = ".promised.v1.ClientFrame", ".promised.v1.ServerFrame"
TIMESTAMP = ".google.protobuf.Timestamp"
# The numbers of types in google/protobuf/descriptor.proto. The schema has no others.
DOUBLE, INT64, UINT64, INT32, BOOL, STRING, MESSAGE, BYTES, UINT32, ENUM = 1, 3, 4, 5, 8, 9, 11, 12, 13, 14
RANGES = {INT32: (-1 << 31, (1 << 31) - 1), INT64: (-1 << 63, (1 << 63) - 1), UINT32: (0, (1 << 32) - 1),
          UINT64: (0, (1 << 64) - 1)}
SIGNED = (INT32, INT64, ENUM)
# Those whose lists are packed.
NUMBERS = (DOUBLE, BOOL, ENUM, *RANGES)
EPOCH = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)


class Values(dict):
    """A message as lists of values by the names of fields; those of options are in brackets."""

    def one(self, name, default=None):
        """The value of a field that occurs once at most."""
        return self[name][0] if name in self else default


class Field:
    """A field of a message."""

    def __init__(self, schema, owner, content):
        parts = dict(protobuf.fields(content))
        self.schema, self.owner = schema, owner
        self.name, self.number = parts[1].decode(), parts[3]
        self.json_name = parts.get(10, parts[1]).decode()
        self.kind, self.type_name = parts[5], parts.get(6, b"").decode()
        self.is_list, self.is_optional = parts.get(4) == 3, bool(parts.get(17))
        self.extended = parts.get(2, b"").decode()
        self._oneof = None if self.is_optional else parts.get(9)
        self._options, self._read_options = parts.get(8, b""), None

    @property
    def full_name(self):
        return f"{self.owner.full_name[1:]}.{self.name}"

    @property
    def message(self):
        """The message that it holds; None for other types."""
        return self.schema.messages[self.type_name] if self.kind == MESSAGE else None

    @property
    def enum(self):
        """The numbers of its values by their names; None for other types."""
        return self.schema.enums[self.type_name] if self.kind == ENUM else None

    @property
    def alternatives(self):
        """The fields of which only one may be there, itself among them; empty if there are no others."""
        return [each for each in self.owner.fields if each._oneof == self._oneof] if self._oneof is not None else []

    @property
    def has_presence(self):
        """Whether absence is a value of its own."""
        return not self.is_list and (self.is_optional or self.kind == MESSAGE or self._oneof is not None)

    def option(self, name):
        """The value of an option of ours; None without it."""
        if self._read_options is None:
            self._read_options = self.schema.values(".google.protobuf.FieldOptions", self._options)
        return self._read_options.one(f"[promised.options.{name}]")


class Message:
    """A message, with its fields in their order."""

    def __init__(self, schema, full_name, parts):
        self.full_name, self.name = full_name, full_name.rpartition(".")[2]
        self.fields = [Field(schema, self, content) for number, content in parts if number == 2]
        self.by_number = {field.number: field for field in self.fields}
        self.by_json_name = {field.json_name: field for field in self.fields}


class Schema:
    """All messages below proto/ and those that they import, by their full names, which begin with a dot."""

    def __init__(self, proto=PROTO):
        self.messages, self.enums, self.extensions = {}, {}, {}
        with tempfile.NamedTemporaryFile(suffix=".pb") as file:
            subprocess.run(["protoc", f"--proto_path={proto}", f"--descriptor_set_out={file.name}", "--include_imports",
                            "--include_source_info", *map(str, sorted(proto.rglob("*.proto")))], check=True)
            self.descriptors = pathlib.Path(file.name).read_bytes()
        for _, content in protobuf.fields(self.descriptors):
            parts = protobuf.fields(content)
            package = "." + dict(parts)[2].decode()
            self._add(parts, package, messages=4, enums=5)
            for number, content in parts:
                if number == 7:
                    field = Field(self, None, content)
                    field.name = f"[{package[1:]}.{field.name}]"
                    self.extensions[field.extended, field.number] = field

    def _add(self, parts, prefix, messages, enums):
        for number, content in parts:
            if number == messages:
                inner = protobuf.fields(content)
                name = f"{prefix}.{dict(inner)[1].decode()}"
                self.messages[name] = Message(self, name, inner)
                self._add(inner, name, messages=3, enums=4)
            elif number == enums:
                inner = protobuf.fields(content)
                values = [dict(protobuf.fields(each)) for other, each in inner if other == 2]
                self.enums[f"{prefix}.{dict(inner)[1].decode()}"] = {
                    value[1].decode(): signed(value.get(2, 0)) for value in values}

    # --- As values ----------------------------------------------------------------------------------------------------

    def files(self):
        """The descriptors of the files as a message google.protobuf.FileDescriptorSet."""
        return self.values(".google.protobuf.FileDescriptorSet", self.descriptors)

    def values(self, message, data):
        """The values of a message by the names of its fields; those of enumerations are names."""
        found = Values()
        for field, value in self._read(message, data):
            if field.kind == MESSAGE:
                value = self.values(field.type_name, value)
            found.setdefault(field.name, []).append(value)
        return found

    def _read(self, message, data):
        """The known fields in the data, each with a value: bytes for a message."""
        known = self.messages[message].by_number
        for number, content in protobuf.fields(data):
            field = known.get(number) or self.extensions.get((message, number))
            if field is None:
                continue
            if field.kind == DOUBLE:
                contents = [number for number, in struct.iter_unpack("<d", content)]
            elif field.kind in NUMBERS and isinstance(content, bytes):
                contents = protobuf.unpacked(content)
            else:
                contents = [content]
            for each in contents:
                yield field, self._value(field, each)

    def _value(self, field, content):
        if field.kind == STRING:
            return content.decode()
        if field.kind == ENUM:
            number = signed(content)
            return next((name for name, each in field.enum.items() if each == number), number)
        if field.kind == BOOL:
            return bool(content)
        return signed(content) if field.kind in SIGNED else content

    # --- As JSON ------------------------------------------------------------------------------------------------------

    def encoded(self, frame, encoding="protobuf", padding=b""):
        """The payload of a client's frame. `padding`: unknown fields in the same encoding.

        Raises ValueError if the frame does not fit the schema; in JSON anything fits.
        """
        if encoding == "json":
            text = json.dumps(frame, ensure_ascii=False).encode()
            return text[:-1] + padding + b"}" if padding else text
        return self.encoded_message(FRAME[0], frame) + padding

    def decoded(self, payload, encoding="protobuf"):
        """A frame of the server as a dictionary with the names of JSON."""
        return json.loads(payload) if encoding == "json" else self.decoded_message(FRAME[1], payload)

    def encoded_message(self, message, value):
        """A message as bytes."""
        if message == TIMESTAMP:
            return timestamp(value)
        if not isinstance(value, dict):
            raise ValueError(f"{message} is an object")
        known, found = self.messages[message].by_json_name, []
        for name, content in value.items():
            if name not in known:
                raise ValueError(f"{message} has no field {name}")
            field = known[name]
            if content is not None and (field.has_presence or content not in ("", 0, False, [])):
                found.append((field.number, self._encoded_field(field, content)))
        return b"".join(each for _, each in sorted(found))

    def _encoded_field(self, field, content):
        if not field.is_list:
            return self._encoded_one(field, content)
        if not isinstance(content, list):
            raise ValueError(f"{field.name} is a list")
        if field.kind not in NUMBERS:
            return b"".join(self._encoded_one(field, each) for each in content)
        return protobuf.part(field.number, b"".join(scalar(field, each) for each in content))

    def _encoded_one(self, field, value):
        if field.kind == MESSAGE:
            return protobuf.part(field.number, self.encoded_message(field.type_name, value))
        if field.kind in (STRING, BYTES):
            if not isinstance(value, str):
                raise ValueError(f"{field.name} is a text")
            return protobuf.part(field.number, value if field.kind == STRING else base64.b64decode(value, validate=True))
        wire = protobuf.FIXED64 if field.kind == DOUBLE else protobuf.VARINT
        return protobuf.tag(field.number, wire) + scalar(field, value)

    def decoded_message(self, message, data):
        """A message as a dictionary with the names of JSON."""
        found = {}
        if message == TIMESTAMP:
            parts = dict(protobuf.fields(data))
            moment = EPOCH + datetime.timedelta(seconds=signed(parts.get(1, 0)), microseconds=parts.get(2, 0) // 1_000)
            return moment.strftime("%Y-%m-%dT%H:%M:%S.%fZ")
        for field, value in self._read(message, data):
            if field.kind == MESSAGE:
                value = self.decoded_message(field.type_name, value)
            elif field.kind == BYTES:
                value = base64.b64encode(value).decode()
            if field.is_list:
                found.setdefault(field.json_name, []).append(value)
            else:
                found[field.json_name] = value
        return found


def signed(value):
    """The number of 64 bits in two's complement."""
    return value - (1 << 64) if value >= 1 << 63 else value


def scalar(field, value):
    """The bytes of a number, a truth or a value of an enumeration."""
    if field.kind == DOUBLE:
        return struct.pack("<d", value)
    if field.kind == BOOL:
        if not isinstance(value, bool):
            raise ValueError(f"{field.name} is true or false")
        return protobuf.varint(value)
    if field.kind == ENUM:
        if value not in field.enum:
            raise ValueError(f"{field.name} is not {value}")
        return protobuf.packed([field.enum[value]])
    least, most = RANGES[field.kind]
    if isinstance(value, bool) or int(value) != value or not least <= value <= most:
        raise ValueError(f"{field.name} is a whole number from {least} to {most}")
    return protobuf.packed([int(value)])


def timestamp(text):
    """The bytes of an instant, from its text in JSON."""
    if not isinstance(text, str) or not text.endswith("Z"):
        raise ValueError(f"{text} is no instant")
    passed = datetime.datetime.fromisoformat(text) - EPOCH
    fields = (passed.days * 86_400 + passed.seconds, passed.microseconds * 1_000)
    return b"".join(protobuf.number(number, value) for number, value in enumerate(fields, 1) if value)
