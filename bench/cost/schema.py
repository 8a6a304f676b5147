"""The requests of the protocol, with the limits of their fields, as the descriptors of proto/ have them."""

import dataclasses
import pathlib
import subprocess
import tempfile

from google.protobuf import descriptor_pb2, descriptor_pool, json_format
from google.protobuf.message_factory import MessageFactory

PROTO = pathlib.Path(__file__).parents[2] / "proto"
LARGEST_FRAME = 16_384  # bytes of a frame whose request declares no other number
REQUEST, ALLOWED = "promised.options.request", "promised.options.allows"


@dataclasses.dataclass
class Request:
    """A request: its name as the table shows it, the path of branches to it, and what options say of it."""

    name: str
    path: tuple
    message: object
    largest: int
    senders: set


class Schema:
    """All messages, read anew from the sources."""

    def __init__(self):
        with tempfile.NamedTemporaryFile(suffix=".pb") as file:
            subprocess.run([
                "protoc", f"--proto_path={PROTO}", f"--descriptor_set_out={file.name}", "--include_imports",
                *(str(each) for each in sorted(PROTO.rglob("*.proto")))
            ], check=True)
            found = descriptor_pb2.FileDescriptorSet.FromString(pathlib.Path(file.name).read_bytes())
        self.pool = descriptor_pool.DescriptorPool()
        for each in found.file:
            self.pool.Add(each)
        factory = MessageFactory(self.pool)
        # Custom options are unknown fields to the library's own class of options; to that of the pool they are not.
        self._options = factory.GetPrototype(self.pool.FindMessageTypeByName("google.protobuf.FieldOptions"))
        self._extensions = {name: self.pool.FindExtensionByName(name) for name in (REQUEST, ALLOWED)}
        self.client_frame = factory.GetPrototype(self.pool.FindMessageTypeByName("promised.v1.ClientFrame"))
        self.server_frame = factory.GetPrototype(self.pool.FindMessageTypeByName("promised.v1.ServerFrame"))
        self._allowed = {}

    def option(self, field, name):
        """An option of a field."""
        options = self._options.FromString(field.GetOptions().SerializeToString())
        return options.Extensions[self._extensions[name]]

    def allowed(self, field):
        """The values that are allowed in a field."""
        if field.full_name not in self._allowed:
            self._allowed[field.full_name] = self.option(field, ALLOWED)
        return self._allowed[field.full_name]

    def requests(self):
        """All requests; those of administrators, which share a branch, one by one."""
        for field in self.client_frame.DESCRIPTOR.oneofs_by_name["request"].fields:
            option = self.option(field, REQUEST)
            senders = {
                self.pool.FindEnumTypeByName("promised.options.Sender").values_by_number[each].name
                for each in getattr(option, "from")
            }
            largest = option.largest_frame or LARGEST_FRAME
            if field.json_name == "admin":
                for branch in field.message_type.oneofs_by_name["request"].fields:
                    yield Request(f"admin {branch.json_name}", ("admin", branch.json_name), branch.message_type,
                                  largest, senders)
            else:
                found = Request(field.json_name, (field.json_name,), field.message_type, largest, senders)
                yield found
                # The same request with a text is a search; with a distance from the ends it works out a way.
                more = {"listVisits": "a text", "getTrack": "hidden ends"}.get(field.json_name)
                if more:
                    yield dataclasses.replace(found, name=f"{field.json_name} with {more}")

    def encoded(self, message, encoding, padding=b""):
        """The payload of a frame. `padding`: unknown fields in the same encoding."""
        if encoding == "json":
            text = json_format.json.dumps(message, ensure_ascii=False).encode()
            return text[:-1] + padding + b"}" if padding else text
        return json_format.ParseDict(message, self.client_frame()).SerializeToString() + padding

    def decoded(self, payload, encoding):
        """A frame of the server as a dictionary with the names of JSON."""
        if encoding == "json":
            return json_format.json.loads(payload)
        return json_format.MessageToDict(self.server_frame.FromString(payload))
