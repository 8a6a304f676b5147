"""Fragments and UTF-8 (Autobahn 5 and 6)."""

from conformance import payloads
from conformance.case import FAILED, FIRST_PING, PROTOBUF, Case, Pause, Slowly
from conformance.payloads import fragments
from promised.frames import BINARY, CONTINUATION, PING, PONG, TEXT, frame, ping

ONE, TWO = "1 message, open", "2 messages, open"
NOT_UTF8 = "*close 1007 | *cut"
# A Greek word of eleven bytes, whose second letter has three.
KOSME = "\u03ba\u1f79\u03c3\u03bc\u03b5".encode()
NOT_JSON = "an empty text is not JSON (protocol, frames)"


def cases():
    yield from autobahn_fragments()
    yield from more_fragments()
    yield from texts()
    yield from early_ends()
    yield from sequences()
    yield from cut_characters()


# MARK: - Fragments


def autobahn_fragments():
    """Autobahn 5."""
    first, last = frame(TEXT, b'{"x":', is_final=False), frame(CONTINUATION, b"1}")
    middle = frame(CONTINUATION, b"", is_final=False)
    two, both = (first, last), first + last
    yield Case("5.1", "a ping in two fragments", (frame(PING, b"a", is_final=False), last), FAILED)
    yield Case("5.2", "a pong in two fragments", (frame(PONG, b"a", is_final=False), last), FAILED)
    yield Case("5.3", "a text in two fragments", two, ONE)
    yield Case("5.4", "the same in one piece", (both,), ONE)
    yield Case("5.5", "the same octet by octet", (Slowly(both),), ONE)
    inner = (first, ping(b"between"), last)
    yield Case("5.6", "a ping between two fragments", inner, "1 message, 1 pong, open")
    yield Case("5.7", "the same in one piece", (b"".join(inner),), "1 message, 1 pong, open")
    yield Case("5.8", "the same octet by octet", (Slowly(b"".join(inner)),), "1 message, 1 pong, open")
    bad = (frame(CONTINUATION, b"non-continuation"), frame(TEXT, b"{}"))
    yield Case("5.9", "a continuation of nothing, then a text", bad, FAILED)
    yield Case("5.10", "the same in one piece", (b"".join(bad),), FAILED)
    yield Case("5.11", "the same octet by octet", (Slowly(b"".join(bad)),), FAILED)
    open_ended = (frame(CONTINUATION, b"non-continuation", is_final=False), frame(TEXT, b"{}"))
    yield Case("5.12", "a continuation of nothing that is not final, then a text", open_ended, FAILED)
    yield Case("5.13", "the same in one piece", (b"".join(open_ended),), FAILED)
    yield Case("5.14", "the same octet by octet", (Slowly(b"".join(open_ended)),), FAILED)
    yield Case("5.15", "a message in two fragments, then a continuation of nothing, then a text", (*two, *open_ended), FAILED)
    for number, gap in [(16, b""), (17, b"gap")]:
        loose = frame(CONTINUATION, gap, is_final=number == 17)
        yield Case(f"5.{number}", f"twice a continuation of nothing, final: {number == 17}, with a message after each",
                   (loose, *two, loose, *two), FAILED)
    yield Case("5.18", "a text within a text", (first, frame(TEXT, b"{}")), FAILED)
    pause = (first, middle, ping(b"1"), frame(CONTINUATION, b"1", is_final=False), ping(b"2"), frame(CONTINUATION, b"}"))
    yield Case("5.19", "five fragments with pings and a pause between them", (*pause[:3], Pause(0.3), *pause[3:]),
               "1 message, 2 pongs, open")
    yield Case("5.20", "the same without the pause", (*pause, Pause(0.2)), "1 message, 2 pongs, open",
               "1 message, [12] pong*, open", FIRST_PING)


def more_fragments():
    """Messages cut into any number of fragments, empty ones and faults in the middle."""
    for count in [3, 4, 5, 8, 16, 64, 256, 1_000]:
        size = max(count, 8)
        pieces = payloads.cut(payloads.text(size), max(1, size // count))[:count]
        yield Case(f"fragment.text.{count}", f"a text in {len(pieces)} fragments", (b"".join(fragments(TEXT, pieces)),), ONE)
    for count in [2, 3, 16, 64]:
        pieces = payloads.cut(payloads.binary(128), 128 // count)
        yield Case(f"fragment.binary.{count}", f"a binary message in {len(pieces)} fragments",
                   (b"".join(fragments(BINARY, pieces)),), ONE, protocol=PROTOBUF)
    empty = {"first": [b"", b"{}"], "last": [b"{}", b""], "middle": [b"{", b"", b"}"], "many": [b"{", *[b""] * 100, b"}"]}
    for name, pieces in empty.items():
        yield Case(f"fragment.empty-{name}", f"an empty fragment: {name}", tuple(fragments(TEXT, pieces)), ONE)
    yield Case("fragment.two-messages", "two messages in two fragments each", tuple(fragments(TEXT, [b"{", b"}"]) * 2), TWO)
    open_text = frame(TEXT, b"{", is_final=False)
    faults = {
        "binary": frame(BINARY, b"x"), "open-text": open_text, "open-binary": frame(BINARY, b"x", is_final=False),
        "empty-text": frame(TEXT), "reserved": frame(5, b"x"), "open-ping": frame(PING, b"x", is_final=False),
        "long-ping": frame(PING, bytes(126)), "rsv": frame(CONTINUATION, b"}", rsv=1),
    }
    for name, fault in faults.items():
        yield Case(f"fragment.fault-{name}", f"within a message: {name}", (open_text, fault), FAILED)
    yield Case("fragment.loose", "a final continuation of nothing", (frame(CONTINUATION, b"}"),), FAILED)
    yield Case("fragment.loose-empty", "an empty continuation of nothing", (frame(CONTINUATION),), FAILED)
    yield Case("fragment.loose-after", "a text, then a continuation of nothing", (frame(TEXT, b"{}"), frame(CONTINUATION)),
               FAILED)
    for chop in [1, 2, 3, 5, 11, 13]:
        whole = b"".join(fragments(TEXT, [b"{", b'"x":', b"1", b"}"])) + ping(b"p")
        yield Case(f"fragment.chop.{chop}", f"four fragments and a ping in pieces of {chop} bytes", (Slowly(whole, chop),),
                   "1 message, 1 pong, open")


# MARK: - UTF-8


def wrapped(content):
    """The content inside a JSON text, so that promised answers it."""
    return b'{"x":"' + content + b'"}'


def texts():
    """Autobahn 6.1 to 6.3."""
    yield Case("6.1.1", "an empty text", (frame(TEXT),), ONE, "close 4502", NOT_JSON)
    yield Case("6.1.2", "three empty fragments", tuple(fragments(TEXT, [b"", b"", b""])), ONE, "close 4502", NOT_JSON)
    yield Case("6.1.3", "three fragments, the one in the middle not empty", tuple(fragments(TEXT, [b"", b"{}", b""])), ONE)
    hello = "Hello-µ@ßöäüàá-UTF-8!!".encode()
    whole = wrapped(hello)
    at = whole.index("ö".encode())
    yield Case("6.2.1", "a valid text", (frame(TEXT, whole),), ONE)
    yield Case("6.2.2", "the same in two fragments, cut between characters", tuple(fragments(TEXT, [whole[:at], whole[at:]])),
               ONE)
    yield Case("6.2.3", "the same in fragments of one octet", tuple(fragments(TEXT, payloads.cut(whole, 1))), ONE)
    yield Case("6.2.4", "a Greek word in fragments of one octet", tuple(fragments(TEXT, payloads.cut(wrapped(KOSME), 1))), ONE)
    wrong = wrapped(KOSME + b"\xed\xa0\x80edited")
    yield Case("6.3.1", "a text with a surrogate", (frame(TEXT, wrong),), NOT_UTF8)
    yield Case("6.3.2", "the same in fragments of one octet", tuple(fragments(TEXT, payloads.cut(wrong, 1))), NOT_UTF8)


def early_ends():
    """Autobahn 6.4: a fault is found before the message ends; the rest is never sent."""
    good, bad = b'{"x":"' + KOSME, b"\xf4\x90\x80\x80"
    # A server may check only whole messages; then it waits, and answers the ping.
    late = f"{NOT_UTF8} | open"
    start = frame(TEXT, good, is_final=False)
    yield Case("6.4.1", "a valid fragment, then an invalid one, without an end",
               (start, frame(CONTINUATION, bad, is_final=False)), late, "close 1007")
    yield Case("6.4.2", "the same, cut within the invalid character",
               (start, frame(CONTINUATION, bad[:1], is_final=False), frame(CONTINUATION, bad[1:], is_final=False)), late,
               "close 1007")
    # RFC 6455 §5.6 names the whole message, so nothing may happen before the frame has come.
    whole = frame(TEXT, good + bad + b'edited"}')
    yield Case("6.4.3", "a frame whose rest follows after a pause", (whole[:24], Pause(0.2), whole[24:]), NOT_UTF8)
    yield Case("6.4.4", "the same, cut within the invalid character", (whole[:26], Pause(0.2), whole[26:]), NOT_UTF8)


VALID, INVALID = True, False


def groups():
    """The sequences of Autobahn 6.5 to 6.23, which are those of Markus Kuhn's stress test: (valid, bytes)."""
    decodes = [2, 5, 7, 9, 11]
    yield 5, [(VALID, text) for text in [KOSME, b"hello\x24world", b"hello\xc2\xa2world", b"hello\xe2\x82\xacworld",
                                         b"hello\xf0\xa4\xad\xa2world"]]
    yield 6, [(size in decodes, KOSME[:size]) for size in range(1, 12)]
    yield 7, [(VALID, each) for each in [b"\x00", b"\xc2\x80", b"\xe0\xa0\x80", b"\xf0\x90\x80\x80"]]
    yield 8, [(INVALID, each) for each in [b"\xf8\x88\x80\x80\x80", b"\xfc\x84\x80\x80\x80\x80"]]
    yield 9, [(VALID, each) for each in [b"\x7f", b"\xdf\xbf", b"\xef\xbf\xbf", b"\xf4\x8f\xbf\xbf"]]
    yield 10, [(INVALID, first + b"\xbf" * count) for first, count in [(b"\xf7", 3), (b"\xfb", 4), (b"\xfd", 5)]]
    yield 11, [(VALID, b"\xed\x9f\xbf"), (VALID, b"\xee\x80\x80"), (VALID, b"\xef\xbf\xbd"),
               (VALID, b"\xf4\x8f\xbf\xbf"), (INVALID, b"\xf4\x90\x80\x80")]
    yield 12, [(INVALID, each) for each in [b"\x80", b"\xbf", *[(b"\x80\xbf" * 3)[:size] for size in range(2, 7)],
                                            bytes(range(0x80, 0xC0))]]
    lonely = [(0xC0, 32), (0xE0, 16), (0xF0, 8), (0xF8, 4), (0xFC, 2)]
    yield 13, [(INVALID, b"".join(bytes([first + index]) + b" " for index in range(count))) for first, count in lonely]
    short = [b"\xc0", b"\xe0\x80", b"\xf0\x80\x80", b"\xf8\x80\x80\x80", b"\xfc\x80\x80\x80\x80",
             b"\xdf", b"\xef\xbf", b"\xf7\xbf\xbf", b"\xfb\xbf\xbf\xbf", b"\xfd\xbf\xbf\xbf\xbf"]
    yield 14, [(INVALID, each) for each in short]
    yield 15, [(INVALID, b"".join(short))]
    yield 16, [(INVALID, each) for each in [b"\xfe", b"\xff", b"\xfe\xfe\xff\xff"]]
    starts = [(b"\xc0", 1), (b"\xe0\x80", 1), (b"\xf0\x80\x80", 1), (b"\xf8\x80\x80\x80", 1), (b"\xfc\x80\x80\x80\x80", 1)]
    yield 17, [(INVALID, first + b"\xaf") for first, _ in starts]
    yield 18, [(INVALID, each) for each in [b"\xc1\xbf", b"\xe0\x9f\xbf", b"\xf0\x8f\xbf\xbf", b"\xf8\x87\xbf\xbf\xbf",
                                            b"\xfc\x83\xbf\xbf\xbf\xbf"]]
    yield 19, [(INVALID, first + b"\x80") for first, _ in starts]
    high, low = [b"\xed\xa0\x80", b"\xed\xad\xbf", b"\xed\xae\x80", b"\xed\xaf\xbf"], [b"\xed\xb0\x80", b"\xed\xbf\xbf"]
    yield 20, [(INVALID, each) for each in [*high, low[0], b"\xed\xbe\x80", low[1]]]
    yield 21, [(INVALID, first + second) for first in high for second in low]
    yield 22, [(VALID, chr(plane << 16 | 0xFFFE | bit).encode()) for plane in range(17) for bit in (0, 1)]
    yield 23, [(VALID, chr(code).encode()) for code in range(0xFFF9, 0x10000)]


def sequences():
    """Autobahn 6.5 to 6.23, each inside a JSON text."""
    for group, members in groups():
        for number, (is_valid, content) in enumerate(members, start=1):
            title = f"{'valid' if is_valid else 'invalid'} UTF-8: {content[:12].hex(' ')}"
            yield Case(f"6.{group}.{number}", title, (frame(TEXT, wrapped(content)),), ONE if is_valid else NOT_UTF8)


def cut_characters():
    """Characters cut at each place, over frames and over pieces of one frame, and ends in the middle of one."""
    for name, character in [("two", "é"), ("three", "€"), ("four", "𝄞")]:
        whole = wrapped(character.encode())
        for at in range(7, 6 + len(character.encode())):
            yield Case(f"utf8.cut.{name}-{at - 6}", f"a character of {name} bytes cut over two fragments",
                       tuple(fragments(TEXT, [whole[:at], whole[at:]])), ONE)
            sent = frame(TEXT, whole)
            yield Case(f"utf8.piece.{name}-{at - 6}", f"a character of {name} bytes cut over two pieces of a frame",
                       (sent[:6 + at], Pause(0.02), sent[6 + at:]), ONE)
        half = character.encode()[:-1]
        yield Case(f"utf8.half.{name}", f"a text that ends within a character of {name} bytes", (frame(TEXT, b"{}" + half),),
                   NOT_UTF8)
        yield Case(f"utf8.half.{name}-empty-end", "the same, with an empty last fragment",
                   tuple(fragments(TEXT, [b"{}" + half, b""])), NOT_UTF8)
        yield Case(f"utf8.half.{name}-next", "the same, with the missing byte in the next message",
                   (frame(TEXT, b"{}" + half), frame(TEXT, character.encode()[-1:])), NOT_UTF8)
    binary = b"\xfa\x7f\x04\xff\xfe\xc0\x80"
    yield Case("utf8.binary", "a binary message that is not UTF-8", (frame(BINARY, binary),), ONE, protocol=PROTOBUF)
    yield Case("utf8.long", "4,000 bytes of Korean in pieces of 1,000",
               (Slowly(frame(TEXT, wrapped("가".encode() * 1_300)), 1_000, 0.01),), ONE)
    yield Case("utf8.late", "4,000 valid bytes, then an invalid one", (frame(TEXT, wrapped(b"x" * 4_000 + b"\xff")),), NOT_UTF8)
    yield Case("utf8.bom", "a text that begins with a byte order mark inside its value",
               (frame(TEXT, wrapped(b"\xef\xbb\xbfx")),), ONE)
