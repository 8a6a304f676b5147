"""One case of the table: the bytes a client sends, and the outcomes that are right.

An outcome is a short text. Over a WebSocket it counts the answers and names the end: `open` (a last ping was answered),
`close 1002` (a close frame with that code, then the end of the connection), `cut` (an end without a close frame),
`silent` (neither within the time). `1 message, open` and `2 pongs, close 1000` count complete messages and pongs before
that. Over HTTP it lists the statuses and says how the connection stands: `200 closed`, `200 200 open`, `closed` (an end
without an answer), `silent`; `101, …` goes on as a WebSocket.

Expectations are such texts with `*`, `?` and `[…]` as in file names; ` | ` separates alternatives.
"""

import dataclasses
import fnmatch
import re

JSON, PROTOBUF = "promised.v1.json", "promised.v1.protobuf"
# A connection that fails as RFC 6455 §7.1.7 asks: with the code of its fault, or without a word.
FAILED = "*close 1002 | *cut"
# A plain request that is answered, and one that is refused by a status or an end without a word.
FINE = "200 closed | 200 open"
REFUSED = "4?? * | 5?? * | closed"
# Reasons that several families share.
HOST = "RFC 9112 §3.2: 400 for a request of HTTP/1.1 with no host, or with several"
SMALL_LETTERS = "libwebsockets 4.1.6 takes methods in small letters (RFC 9110 §9.1 tells them apart)"
FIRST_PING = ("libwebsockets 4.1.6 answers the first of several pings that arrive together (decision 0029); RFC 6455 §5.5.3 allows "
              "the last alone")

COLON = ("libwebsockets 4.1.6 takes a name with white space before its colon for an unknown header (RFC 9112 §5.1 asks for 400); "
         "the answer ends the connection, so nothing is hidden behind it")


@dataclasses.dataclass(frozen=True)
class Slowly:
    """Bytes sent in pieces of `size`, with a pause in seconds between two."""

    data: bytes
    size: int = 1
    pause: float = 0


@dataclasses.dataclass(frozen=True)
class Pause:
    """Waits some seconds."""

    seconds: float


@dataclasses.dataclass(frozen=True)
class Answer:
    """Waits for one complete HTTP answer."""


@dataclasses.dataclass(frozen=True)
class Pong:
    """Waits for a pong."""


@dataclasses.dataclass(frozen=True)
class Finish:
    """Ends the sending half of the connection."""


@dataclasses.dataclass(frozen=True)
class Case:
    """One row of the table."""

    # The Autobahn number where there is one, otherwise words with dots.
    id: str
    # A sentence about the input.
    title: str
    # Bytes and the steps above, in order.
    steps: tuple
    # The outcome that RFC 6455 or RFC 9112 requires of any server.
    must: str
    # The outcome of promised, where it is narrower or different; empty: the same.
    ours: str = ""
    # The reason, where promised's outcome is not among those that any server must show.
    why: str = ""
    # The clause that stands where no independent server keeps it.
    clause: str = ""
    # The subprotocol of the connection; None for a case that begins with raw bytes instead of a WebSocket.
    protocol: str | None = JSON
    # `True` if the client signs in first, which only promised knows.
    signs_in: bool = False
    # `True` if the client sends a ping at the end and waits for its pong.
    probes: bool = True
    # `True` for the cases of a promised with short deadlines; other servers do not run them.
    hurries: bool = False
    # `True` for a rule of promised itself that other servers do not know.
    is_ours_alone: bool = False
    # `False` for a client that answers no pings.
    answers_pings: bool = True
    # How long the client waits for an outcome, in seconds.
    patience: float = 5

    @property
    def family(self):
        """The first part of the id."""
        return self.id.split(".")[0]

    def expected(self, is_promised):
        """The expectation for a server."""
        return self.ours or self.must if is_promised else self.must


def asked(id, title, data, must, ours="", why="", **more):
    """A case that begins with a request."""
    steps = data if isinstance(data, tuple) else (data,)
    return Case(id, title, steps, must, ours, why, protocol=None, **more)


def matches(outcome, expectation):
    """`True` if an outcome is one of the alternatives."""
    return any(fnmatch.fnmatchcase(outcome, each.strip()) for each in expectation.split(" | "))


def counted(expectation, word):
    """How many messages or pongs the first alternative names."""
    found = re.search(rf"(\d+) {word}", expectation.split(" | ")[0])
    return int(found.group(1)) if found else 0


def number(count, word):
    """`1 message`, `2 messages`."""
    return f"{count} {word}" + ("" if count == 1 else "s")
