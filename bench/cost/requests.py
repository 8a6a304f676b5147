"""The requests of the protocol, as the schema has them."""

import dataclasses

from promised.schema import FRAME

LARGEST_FRAME = 16_384  # bytes of a frame whose request declares no other number


@dataclasses.dataclass
class Request:
    """A request: its name as the table shows it, the path of branches to it, and what options say of it."""

    name: str
    path: tuple
    message: object
    largest: int
    senders: set


def requests(schema):
    """All requests; those of administrators, which share a branch, one by one."""
    for field in schema.messages[FRAME[0]].fields:
        if (option := field.option("request")) is None:
            continue
        senders, largest = set(option["from"]), option.one("largest_frame", LARGEST_FRAME)
        if field.json_name == "admin":
            for branch in field.message.fields:
                yield Request(f"admin {branch.json_name}", ("admin", branch.json_name), branch.message, largest, senders)
            continue
        found = Request(field.json_name, (field.json_name,), field.message, largest, senders)
        yield found
        # The same request with a text is a search; with a distance from the ends it works out a way.
        if more := {"listVisits": "a text", "getTrack": "hidden ends"}.get(field.json_name):
            yield dataclasses.replace(found, name=f"{field.json_name} with {more}")
