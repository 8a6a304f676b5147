"""Pings, pongs, close frames (Autobahn 2 and 7) and deadlines."""

import struct

from conformance import payloads
from conformance.case import FAILED, FIRST_PING, PROTOBUF, Case, Finish, Pause, Pong, Slowly
from promised.frames import BINARY, CLOSE, CONTINUATION, PING, PONG, TEXT, close, frame, ping


def cases():
    yield from pings()
    yield from pongs()
    yield from closes()
    yield from close_codes()
    yield from reasons()
    yield from deadlines()


def pings():
    """Autobahn 2.1 to 2.6, 2.10 and 2.11, then sizes and places."""
    one, beyond = "1 pong, open", FAILED
    yield Case("2.1", "a ping without payload", (ping(),), one)
    yield Case("2.2", "a ping with text", (ping(b"Hello, world!"),), one)
    yield Case("2.3", "a ping with bytes that are not UTF-8", (ping(b"\x00\xff\xfe\xfd\xfc\xfb\x00\xff"),), one)
    yield Case("2.4", "a ping of 125 bytes", (ping(b"\xfe" * 125),), one)
    yield Case("2.5", "a ping of 126 bytes", (ping(b"\xfe" * 126),), beyond)
    yield Case("2.6", "a ping of 125 bytes octet by octet", (Slowly(ping(b"\xfe" * 125)),), one)
    ten = b"".join(ping(b"payload-%d" % index) for index in range(10))
    yield Case("2.10", "ten pings at once", (ten, Pong(), Pause(0.2)), "10 pongs, open", "1 pong, open", FIRST_PING, patience=1)
    yield Case("2.11", "ten pings at once, octet by octet", (Slowly(ten), Pong(), Pause(0.2)), "10 pongs, open",
               "[1-9]* pong*, open", FIRST_PING)
    for size in [1, 2, 3, 4, 16, 64, 124, 125]:
        yield Case(f"ping.size.{size}", f"a ping of {size} bytes", (ping(bytes(range(size))),), one)
    for count in [2, 20, 60]:
        yield Case(f"ping.paced.{count}", f"{count} pings, each after the pong before", (ping(b"p"), Pong()) * count,
                   f"{count} pongs, open")
    yield Case("ping.flood", "2,000 pings at once", (ping(b"flood") * 2_000, Pong(), Pause(0.5)),
               "2000 pongs, open", "[1-9]* pong*, open", FIRST_PING)
    for chop in [2, 3, 5, 7]:
        yield Case(f"ping.chop.{chop}", f"a ping in pieces of {chop} bytes", (Slowly(ping(b"chopped"), chop, 0.001),), one)
    yield Case("ping.binary", "a ping on a connection with binary messages", (ping(b"x"),), one, protocol=PROTOBUF)
    yield Case("ping.signed-in", "a ping after the sign-in", (ping(b"x"),), one, signs_in=True)
    yield Case("ping.open", "a ping that is not final", (frame(PING, b"x", is_final=False),), beyond)
    yield Case("ping.open-empty", "an empty ping that is not final", (frame(PING, is_final=False),), beyond)
    yield Case("ping.fragmented", "a ping in two frames",
               (frame(PING, b"x", is_final=False), frame(CONTINUATION, b"y")), beyond)
    for size in [0, 1, 124, 125]:
        steps = (frame(TEXT, b"{", is_final=False), ping(bytes(size)), frame(CONTINUATION, b"}"))
        yield Case(f"ping.within.{size}", f"a ping of {size} bytes between two fragments", steps, "1 message, 1 pong, open")


def pongs():
    """Autobahn 2.7 to 2.9: pongs that nobody asked for."""
    yield Case("2.7", "a pong that nobody asked for, without payload", (frame(PONG),), "open")
    yield Case("2.8", "a pong that nobody asked for, with payload", (frame(PONG, b"unsolicited"),), "open")
    yield Case("2.9", "such a pong, then a ping", (frame(PONG, b"unsolicited"), ping(b"ping")), "1 pong, open")
    for size in [1, 2, 124, 125]:
        yield Case(f"pong.size.{size}", f"a pong of {size} bytes", (frame(PONG, bytes(size)),), "open")
    yield Case("pong.flood", "2,000 pongs at once", (frame(PONG, b"flood") * 2_000,), "open")
    yield Case("pong.open", "a pong that is not final", (frame(PONG, b"x", is_final=False),), FAILED)
    yield Case("pong.within", "a pong between two fragments",
               (frame(TEXT, b"{", is_final=False), frame(PONG, b"x"), frame(CONTINUATION, b"}")), "1 message, open")


def closes():
    """Autobahn 7.1 and 7.3."""
    text, code = frame(TEXT, b"{}"), close(1000)
    after = "*close 1000"
    yield Case("7.1.1", "a text, then a close frame", (text, code), after)
    yield Case("7.1.2", "two close frames", (code, code), after)
    yield Case("7.1.3", "a close frame, then a ping", (code, ping()), "close 1000", probes=False)
    yield Case("7.1.4", "a close frame, then a text", (code, text), "close 1000")
    yield Case("7.1.5", "a fragment, a close frame, the other fragment",
               (frame(TEXT, b"{", is_final=False), code, frame(CONTINUATION, b"}")), "close 1000")
    yield Case("7.1.6", "64 KiB of text, a close frame, a ping", (frame(TEXT, payloads.text(65_536)), code, ping()), after,
               signs_in=True)
    yield Case("7.3.1", "a close frame without payload", (close(),), "close | close 1000")
    yield Case("7.3.2", "a close frame with a payload of one byte", (frame(CLOSE, b"\x03"),), FAILED)
    yield Case("7.3.3", "a close frame with a code", (code,), "close 1000")
    yield Case("7.3.4", "a close frame with code and reason", (close(1000, b"Hello World!"),), "close 1000")
    yield Case("7.3.5", "a close frame with a reason of 123 bytes", (close(1000, b"*" * 123),), "close 1000")
    yield Case("7.3.6", "a close frame with a reason of 124 bytes", (close(1000, b"*" * 124),), FAILED)
    yield Case("close.octets", "a close frame octet by octet", (Slowly(close(1000, b"bye")),), "close 1000")
    yield Case("close.open", "a close frame that is not final", (close(1000, is_final=False),), FAILED)
    yield Case("close.half-way", "a connection whose client ends its sending half", (Finish(),), "cut | close *",
               probes=False)
    yield Case("close.mid-frame", "half a frame, then the end of the sending half",
               (frame(TEXT, b"{}")[:5], Finish()), "cut | close *", probes=False)
    yield Case("close.mid-message", "a fragment, then the end of the sending half",
               (frame(TEXT, b"{", is_final=False), Finish()), "cut | close *", probes=False)
    yield Case("close.signed-in", "a close frame after the sign-in", (code,), "close 1000", signs_in=True)
    yield Case("close.binary", "a close frame on a connection with binary messages", (code,), "close 1000",
               protocol=PROTOBUF)
    yield Case("close.after-pause", "a close frame, a pause, a text", (code, Pause(0.2), text), "close 1000")


def close_codes():
    """Autobahn 7.7, 7.9 and 7.13, then the codes beside each border of RFC 6455 §7.4."""
    valid = [1000, 1001, 1002, 1003, 1007, 1008, 1009, 1010, 1011, 3000, 3999, 4000, 4999]
    for number, code in enumerate(valid, start=1):
        yield Case(f"7.7.{number}", f"the close code {code}", (close(code),), f"close {code} | close 1000")
    # Codes that no endpoint may send; the answer is that of a failed connection.
    for number, code in enumerate([0, 999, 1004, 1005, 1006, 1016, 1100, 2000, 2999], start=1):
        yield Case(f"7.9.{number}", f"the close code {code}, which no client may send", (close(code),), FAILED)
    for number, code in enumerate([5000, 65_535], start=1):
        yield Case(f"7.13.{number}", f"the close code {code}, beyond all ranges", (close(code),),
                   f"{FAILED} | close {code} | close 1000")
    for code in [1, 2, 125, 256, 500, 998, 1015, 1017, 1500, 2998]:
        yield Case(f"close.code.{code}", f"the close code {code}, which no client may send", (close(code),), FAILED)
    # IANA has registered these since RFC 6455; a server may know them or not.
    for code in [1012, 1013, 1014]:
        yield Case(f"close.code.{code}", f"the close code {code}, registered after RFC 6455", (close(code),),
                   f"{FAILED} | close {code} | close 1000")
    for code in [3001, 3500, 3998, 4001, 4499, 4500, 4502, 4998]:
        yield Case(f"close.code.{code}", f"the close code {code}", (close(code),), f"close {code} | close 1000")
    for code in [5001, 10_000, 32_767, 32_768, 65_534]:
        yield Case(f"close.code.{code}", f"the close code {code}, beyond all ranges", (close(code),),
                   f"{FAILED} | close {code} | close 1000")


def reasons():
    """Autobahn 7.5: reasons that are UTF-8 and some that are not."""
    bad = "*close 1007 | " + FAILED
    yield Case("7.5.1", "a close reason that is not UTF-8",
               (close(1000, b"\xce\xba\xe1\xbd\xb9\xcf\x83\xce\xbc\xce\xb5\xed\xa0\x80edited"),), bad)
    for name, reason in [("ascii", b"bye"), ("two", "é".encode()), ("three", "€".encode()), ("four", "𝄞".encode()),
                         ("nul", b"\0"), ("longest", "é".encode() * 61)]:
        yield Case(f"close.reason.{name}", f"a close reason: {name}", (close(1000, reason),), "close 1000")
    for name, reason in [("ff", b"\xff"), ("half", b"\xc3"), ("overlong", b"\xc0\x80"), ("surrogate", b"\xed\xa0\x80"),
                         ("beyond", b"\xf4\x90\x80\x80")]:
        yield Case(f"close.reason.{name}", f"a close reason that is not UTF-8: {name}", (close(4000, reason),), bad)
    whole = struct.pack("!H", 1000) + b"x" * 10
    yield Case("close.reason.cut", "a close frame that announces more than it has, then the end",
               (frame(CLOSE, whole, announced=20), Finish()), "cut | close *", probes=False)
    yield Case("close.binary-opcode", "a binary message that looks like a close frame",
               (frame(BINARY, payloads.binary(12)),), "1 message, open", protocol=PROTOBUF)


def deadlines():
    """promised with short deadlines: a ping after 0.5 s, silence after 1.5 s, sign-in within 3 s."""
    def waits(id, title, steps, ours, **more):
        return Case(id, title, steps, "*", ours, hurries=True, is_ours_alone=True, **more)
    yield waits("time.no-sign-in", "a client that answers pings and does not sign in", (), "close 4004", probes=False)
    for name, data in [("header", b"\x81"), ("frame", b"\x81\x85\x37\xfa\x21\x3d\x7f"), ("message", b"\x01\x81\0\0\0\0{")]:
        yield waits(f"time.half-{name}", f"half a {name}, and silence", (data,), "close 4003", probes=False,
                    answers_pings=False)
    yield waits("time.no-pongs", "a client that answers no ping and sends nothing after the sign-in", (), "close 4003",
                probes=False, signs_in=True, answers_pings=False)
    yield waits("time.pongs", "a client that answers pings and sends nothing else", (Pause(3),), "open", signs_in=True)
