"""Frames: lengths, masks, reserved bits and opcodes (Autobahn 1, 3, 4, 9, 10)."""

from conformance import payloads
from conformance.case import FAILED, JSON, PROTOBUF, Case, Slowly
from promised import frames
from promised.frames import BINARY, CLOSE, CONTINUATION, PING, PONG, TEXT, frame

NOT_JSON = "an empty text is not JSON (protocol, frames)"
EARLY = "before the sign-in a message has at most 4 KiB (protocol, limits of a connection)"
UNMASKED = "libwebsockets 4.1.6 cannot be told to refuse unmasked frames (decision 0003)"
NAMES = {CONTINUATION: "continuation", TEXT: "text", BINARY: "binary", CLOSE: "close", PING: "ping", PONG: "pong"}
ONE = "1 message, open"
LARGE = "close 1009 | cut"


def cases():
    yield from sizes()
    yield from lengths()
    yield from masks()
    yield from reserved_bits()
    yield from reserved_opcodes()
    yield from masses()


# MARK: - Sizes of messages


def sizes():
    """Autobahn 1.1 and 1.2, with messages that promised can read, and the sizes beside each limit."""
    for number, size in enumerate([0, 125, 126, 127, 128, 65_535, 65_536], start=1):
        ours, why = ("close 4502", NOT_JSON) if size == 0 else ("", "")
        content = payloads.text(size) if size else b""
        yield Case(f"1.1.{number}", f"a text of {size} bytes", (frame(TEXT, content),), ONE, ours, why, signs_in=True)
        yield Case(f"1.2.{number}", f"a binary message of {size} bytes", (frame(BINARY, payloads.binary(size)),), ONE,
                   protocol=PROTOBUF, signs_in=True)
    chops = [Slowly(frame(TEXT, payloads.text(65_536)), 997), Slowly(frame(BINARY, payloads.binary(65_536)), 997)]
    yield Case("1.1.8", "a text of 65,536 bytes in pieces of 997", (chops[0],), ONE, signs_in=True)
    yield Case("1.2.8", "a binary message of 65,536 bytes in pieces of 997", (chops[1],), ONE, protocol=PROTOBUF,
               signs_in=True)
    for size in [2, 3, 124, 129, 1_023, 1_024, 1_025, 2_047, 2_048, 2_049, 4_095, 4_096]:
        yield Case(f"size.text.{size}", f"a text of {size} bytes", (frame(TEXT, payloads.text(size)),), ONE)
    for size in [3, 124, 129, 1_023, 1_025, 4_095, 4_096]:
        yield Case(f"size.binary.{size}", f"a binary message of {size} bytes", (frame(BINARY, payloads.binary(size)),),
                   ONE, protocol=PROTOBUF)
    yield from limits()


def limits():
    """One below, at and one above the limits before and after the sign-in."""
    for size in [4_097, 8_192, 65_536]:
        yield Case(f"limit.early.{size}", f"a text of {size} bytes before the sign-in", (frame(TEXT, payloads.text(size)),),
                   ONE, "close 1009", EARLY)
    for size in [65_537, 100_000, 1_048_576]:
        for kind, make, protocol in [(TEXT, payloads.text, JSON), (BINARY, payloads.binary, PROTOBUF)]:
            yield Case(f"limit.{NAMES[kind]}.{size}", f"a message of {size} bytes", (frame(kind, make(size)),), LARGE,
                       "close 1009", protocol=protocol, signs_in=True)
    for count in [65_536, 65_537]:
        half = payloads.text(count)
        pieces = payloads.fragments(TEXT, [half[:32_768], half[32_768:]])
        yield Case(f"limit.fragments.{count}", f"two fragments of {count} bytes together", tuple(pieces),
                   ONE if count == 65_536 else LARGE, "" if count == 65_536 else "close 1009", signs_in=True)
    for count in [4_096, 4_097]:
        half = payloads.text(count)
        pieces = payloads.fragments(TEXT, [half[:2_048], half[2_048:]])
        early = count > 4_096
        yield Case(f"limit.early-fragments.{count}", f"two fragments of {count} bytes together before the sign-in",
                   tuple(pieces), ONE, "close 1009" if early else "",
                   EARLY if early else "")


# MARK: - Lengths


def lengths():
    """Lengths in more bytes than needed, beyond the limits, and without the payload that they announce."""
    for size, form in [(2, 16), (125, 16), (2, 64), (125, 64), (126, 64), (65_535, 64)]:
        # RFC 6455 §5.2 binds the sender; a receiver may take it.
        yield Case(f"length.overlong.{size}-in-{form}", f"a text of {size} bytes whose length has {form} bits",
                   (frame(TEXT, payloads.text(size), form=form),), f"{ONE} | {FAILED}", signs_in=True)
    for size in [0, 1, 125]:
        for form in [16, 64]:
            yield Case(f"length.ping.{size}-in-{form}", f"a ping of {size} bytes whose length has {form} bits",
                       (frame(PING, bytes(size), form=form),), FAILED + " | *1 pong, open")
    for name, announced in [("64KiB+1", 65_537), ("16MiB", 1 << 24), ("2GiB-1", (1 << 31) - 1), ("2GiB", 1 << 31),
                            ("4GiB-1", (1 << 32) - 1), ("4GiB", 1 << 32), ("2^53", 1 << 53), ("2^62", 1 << 62),
                            ("2^63-1", (1 << 63) - 1)]:
        for kind in [TEXT, CONTINUATION]:
            start = (frame(TEXT, b"{", is_final=False),) if kind == CONTINUATION else ()
            yield Case(f"length.announced.{name}-{NAMES[kind]}", f"a {NAMES[kind]} that announces {announced} bytes",
                       (*start, frame(kind, b"{}      ", form=64, announced=announced)), "*close 1009 | *close 1002 | *cut",
                       "close 1009", signs_in=True)
    for name, announced in [("2^63", 1 << 63), ("2^63+1", (1 << 63) + 1), ("2^64-1", (1 << 64) - 1)]:
        yield Case(f"length.announced.{name}", f"a text that announces {announced} bytes, the highest bit set",
                   (frame(TEXT, b"{}      ", form=64, announced=announced),), "*close 1009 | *close 1002 | *cut")
    for kind in [CLOSE, PING, PONG]:
        for size in [126, 127, 128, 1_000, 65_535, 65_536]:
            yield Case(f"length.control.{NAMES[kind]}-{size}", f"a {NAMES[kind]} of {size} bytes, more than 125",
                       (frame(kind, b"\x03\xe8" + bytes(size - 2)),), FAILED)


# MARK: - Masks


def masks():
    """Frames without a mask, and masks of every kind."""
    unmasked = [
        ("text", (frame(TEXT, payloads.text(2), key=None),), "1 message, open"),
        ("text-125", (frame(TEXT, payloads.text(125), key=None),), "1 message, open"),
        ("text-126", (frame(TEXT, payloads.text(126), key=None),), "1 message, open"),
        ("text-4096", (frame(TEXT, payloads.text(4_096), key=None),), "1 message, open"),
        ("ping", (frame(PING, b"x", key=None),), "1 pong, open"),
        ("ping-empty", (frame(PING, b"", key=None),), "1 pong, open"),
        ("pong", (frame(PONG, b"x", key=None),), "open"),
        ("pong-empty", (frame(PONG, b"", key=None),), "open"),
        ("close", (frame(CLOSE, b"\x03\xe8", key=None),), "close 1000"),
        ("fragment", (frame(TEXT, b"{", is_final=False), frame(CONTINUATION, b"}", key=None)), "1 message, open"),
        ("first-fragment", (frame(TEXT, b"{", is_final=False, key=None), frame(CONTINUATION, b"}")), "1 message, open"),
        ("after-a-masked-one", (frame(TEXT, b"{}"), frame(TEXT, b"{}", key=None)), "2 messages, open"),
    ]
    for name, steps, ours in unmasked:
        yield Case(f"mask.none.{name}", f"unmasked: {name}", steps, FAILED, ours, UNMASKED)
    for name, key in [("zero", bytes(4)), ("ones", b"\xff" * 4), ("first", b"\x80\0\0\0"), ("last", b"\0\0\0\x80"),
                      ("ascii", b"mask"), ("head", b"\x81\xfe\x00\x7e")]:
        for size in [2, 125, 126, 4_001]:
            yield Case(f"mask.{name}.{size}", f"a text of {size} bytes under the mask {key.hex()}",
                       (frame(TEXT, payloads.text(size), key=key),), ONE)
    for chop in range(1, 10):
        message = frame(TEXT, payloads.text(37)) + frame(TEXT, payloads.text(130))
        yield Case(f"mask.chop.{chop}", f"two texts in pieces of {chop} bytes, so that masks are cut everywhere",
                   (Slowly(message, chop, 0.001),), "2 messages, open")


# MARK: - Reserved bits and opcodes


def reserved_bits():
    """Autobahn 3, then each combination of bits with each opcode."""
    text, ping = frame(TEXT, payloads.text(9)), frames.ping()
    wrong = frame(TEXT, payloads.text(9), rsv=2)
    yield Case("3.1", "a text with RSV 1", (frame(TEXT, payloads.text(9), rsv=1),), FAILED)
    yield Case("3.2", "a text, then one with RSV 2, then a ping", (text, wrong, ping), FAILED)
    yield Case("3.3", "the same frames in one piece each", (text, Slowly(frame(TEXT, payloads.text(9), rsv=3) + ping, 50)),
               FAILED)
    yield Case("3.4", "the same octet by octet", (text, Slowly(frame(TEXT, payloads.text(9), rsv=4) + ping, 1)), FAILED)
    yield Case("3.5", "a binary message with RSV 5", (frame(BINARY, payloads.binary(9), rsv=5),), FAILED,
               protocol=PROTOBUF)
    yield Case("3.6", "a ping with RSV 6", (frame(PING, b"x", rsv=6),), FAILED)
    yield Case("3.7", "a close frame with RSV 7", (frame(CLOSE, b"\x03\xe8", rsv=7),), FAILED)
    for rsv in range(1, 8):
        for kind, name in NAMES.items():
            start = (frame(TEXT, b"{", is_final=False),) if kind == CONTINUATION else ()
            content = {CLOSE: b"\x03\xe8", TEXT: b"{}", CONTINUATION: b"}"}.get(kind, b"")
            yield Case(f"rsv.{rsv}.{name}", f"a {name} frame with RSV {rsv}", (*start, frame(kind, content, rsv=rsv)),
                       FAILED, protocol=PROTOBUF if kind == BINARY else JSON)


def reserved_opcodes():
    """Autobahn 4, then each reserved opcode in other places."""
    text = frame(TEXT, payloads.text(9))
    for first, group in [(3, "4.1"), (11, "4.2")]:
        for step in range(5):
            code = first + step
            chopped = step in (3, 4)
            bad = frame(code, b"reserved" if step else b"") + frames.ping()
            steps = (text, Slowly(bad, 1 if chopped else len(bad))) if step >= 2 else (bad,)
            yield Case(f"{group}.{step + 1}", f"the reserved opcode {code}", steps, FAILED)
    for code in [3, 4, 5, 6, 7, 11, 12, 13, 14, 15]:
        places = {
            "empty": (frame(code),),
            "long": (frame(code, bytes(126)),),
            "open": (frame(code, b"x", is_final=False),),
            "within-a-message": (frame(TEXT, b"{", is_final=False), frame(code, b"x"), frame(CONTINUATION, b"}")),
            "rsv": (frame(code, b"x", rsv=4),),
        }
        for place, steps in places.items():
            yield Case(f"opcode.{code}.{place}", f"the reserved opcode {code}: {place}", steps, FAILED)


# MARK: - Many and large


def masses():
    """Autobahn 9 and 10 on the scale of promised's limits: 64 KiB instead of 64 KiB to 16 MiB."""
    for number, size in enumerate([65_536, 262_144, 1_048_576, 4_194_304], start=1):
        for group, kind, make, protocol in [("9.1", TEXT, payloads.text, JSON), ("9.2", BINARY, payloads.binary, PROTOBUF)]:
            fits = size <= 65_536
            yield Case(f"{group}.{number}", f"a message of {size} bytes", (frame(kind, make(size)),),
                       ONE if fits else LARGE, "" if fits else "close 1009", protocol=protocol, signs_in=True)
    for number, piece in enumerate([64, 256, 1_024, 4_096, 16_384, 65_536], start=1):
        for group, kind, make, protocol in [("9.3", TEXT, payloads.text, JSON), ("9.4", BINARY, payloads.binary, PROTOBUF)]:
            pieces = b"".join(payloads.fragments(kind, payloads.cut(make(65_536), piece)))
            yield Case(f"{group}.{number}", f"65,536 bytes in fragments of {piece}", (pieces,), ONE, protocol=protocol,
                       signs_in=True)
        for group, kind, make, protocol in [("9.5", TEXT, payloads.text, JSON), ("9.6", BINARY, payloads.binary, PROTOBUF)]:
            chops = Slowly(frame(kind, make(65_536)), [64, 128, 256, 512, 1_024, 2_048][number - 1])
            yield Case(f"{group}.{number}", f"65,536 bytes in pieces of {chops.size}", (chops,), ONE, protocol=protocol,
                       signs_in=True)
    for number, size in enumerate([3, 16, 64, 256, 1_024, 4_096], start=1):
        for group, kind, make, protocol in [("9.7", TEXT, payloads.text, JSON), ("9.8", BINARY, payloads.binary, PROTOBUF)]:
            yield Case(f"{group}.{number}", f"100 messages of {size} bytes at once", (frame(kind, make(size)) * 100,),
                       "100 messages, open", protocol=protocol, signs_in=True)
    pieces = b"".join(payloads.fragments(TEXT, payloads.cut(payloads.text(65_536), 1_300)))
    yield Case("10.1.1", "65,536 bytes in fragments of 1,300", (pieces,), ONE, signs_in=True)
