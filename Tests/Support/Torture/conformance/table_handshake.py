"""Handshakes: versions, keys, upgrades, subprotocols, origins, h2c (Autobahn has no numbers for them)."""

from conformance.case import HOST, REFUSED, SMALL_LETTERS, Answer, Pause, Slowly, asked
from conformance.payloads import get
from promised import frames
from promised.frames import KEY, TEXT, frame, upgrade

OPEN = "101, open"
# RFC 9110 §7.8: a server may ignore an upgrade and answer as if nobody had asked for one.
IGNORED = "2?? * | 4?? * | 5?? * | closed"
WHITE_SPACE = "libwebsockets 4.1.6 keeps tabs, and spaces behind a value (RFC 9112 §5.1 strips both)"
H2_SETTINGS = "HTTP2-Settings: AAMAAABkAAQAAP__"
PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\x00\x00\x00\x04\x00\x00\x00\x00\x00"


def cases():
    yield from versions()
    yield from keys()
    yield from upgrades()
    yield from connections()
    yield from targets()
    yield from subprotocols()
    yield from origins()
    yield from extensions()
    yield from http2()
    yield from pieces()


def versions():
    """RFC 6455 §4.2.1 asks for 13, and RFC 6455 §4.4 for an answer that names it."""
    for value in [None, "", "0", "7", "8", "12", "14", "113", "130", "-13", "1 3", "13, 8", "8, 13", "abc", "13;13", "0x0d"]:
        yield asked(f"version.{'none' if value is None else value or 'empty'}", f"the version {value!r}",
                    upgrade(changes={"Sec-WebSocket-Version": value}), REFUSED, "426 closed")
    for name, value in [("plus", "+13"), ("zeros", "013")]:
        yield asked(f"version.{name}", f"the version {value}, another spelling of 13",
                    upgrade(changes={"Sec-WebSocket-Version": value}), f"{REFUSED} | {OPEN}", "426 closed")
    for name, value in [("spaces", "  13  "), ("tab", "\t13")]:
        yield asked(f"version.{name}", "the version 13 with white space around it",
                    upgrade(changes={"Sec-WebSocket-Version": value}), OPEN, "426 closed", WHITE_SPACE)
    yield asked("version.spaces-before", "the version 13 with spaces before it",
                upgrade(changes={"Sec-WebSocket-Version": "   13"}), OPEN)
    yield asked("version.twice", "the version 13 in two headers", upgrade(changes={"Sec-WebSocket-Version": ["13", "13"]}),
                f"{REFUSED} | {OPEN}", REFUSED)
    yield asked("version.two", "the versions 13 and 8 in two headers",
                upgrade(changes={"Sec-WebSocket-Version": ["13", "8"]}), REFUSED)


def keys():
    """RFC 6455 §4.2.1: Base64 that decodes to 16 bytes."""
    for name, value in [("none", None), ("empty", ""), ("short", "c2hvcnQ="), ("15-bytes", "AAAAAAAAAAAAAAAAAAAA"),
                        ("17-bytes", "AAAAAAAAAAAAAAAAAAAAAAA="), ("23-characters", KEY[1:]), ("25-characters", "A" + KEY),
                        ("long", "A" * 1_000 + "=="), ("no-padding", KEY[:22]), ("three-equals", KEY[:21] + "==="),
                        ("url-alphabet", "dGhlIHNhbXBsZSBub25j-_=="), ("exclamation", "dGhlIHNhbXBsZSBub25jZ!=="),
                        ("space-inside", "dGhlIHNhbXBs SBub25jZQ=="), ("padding-inside", "dGhlIHNhb==sZSBub25jZQ=="),
                        ("plain", "0123456789abcdef")]:
        yield asked(f"key.{name}", f"a key that is not 16 bytes in Base64: {name}",
                    upgrade(changes={"Sec-WebSocket-Key": value}), REFUSED, "400 closed")
    yield asked("key.zeros", "a key of 16 zero bytes", upgrade(changes={"Sec-WebSocket-Key": "AAAAAAAAAAAAAAAAAAAAAA=="}), OPEN)
    yield asked("key.slashes", "a key with the last characters of the alphabet",
                upgrade(changes={"Sec-WebSocket-Key": "+/+/+/+/+/+/+/+/+/+/+w=="}), OPEN)
    yield asked("key.spaces", "white space around the key", upgrade(changes={"Sec-WebSocket-Key": f"  {KEY}  "}), OPEN,
                "400 closed", WHITE_SPACE)
    yield asked("key.loose-bits", "a key whose unused bits are not zero",
                upgrade(changes={"Sec-WebSocket-Key": KEY[:21] + "R=="}), f"{REFUSED} | {OPEN}", OPEN)
    yield asked("key.twice", "the key in two headers", upgrade(changes={"Sec-WebSocket-Key": [KEY, KEY]}), REFUSED)
    yield asked("key.name-in-capitals", "a header's name in capitals",
                upgrade(changes={"Sec-WebSocket-Key": None}, more=[f"SEC-WEBSOCKET-KEY: {KEY}"]), OPEN)


def upgrades():
    """RFC 6455 §4.2.1: an Upgrade with `websocket`. Another one may be refused or ignored, not accepted."""
    for value in ["WebSocket", "WEBSOCKET"]:
        yield asked(f"upgrade.{value}", f"the upgrade {value!r}", upgrade(changes={"Upgrade": value}), OPEN)
    yield asked("upgrade.space-behind", "the upgrade 'websocket '", upgrade(changes={"Upgrade": "websocket "}), OPEN,
                "403 closed", WHITE_SPACE)
    for value in ["h2c", "TLS/1.0", "HTTP/2.0", "IRC/6.9", "unknown", "x", "websocke", "websockets", "web socket",
                  "websocket2", "\xff\xfe", "a" * 127, "a" * 128, "a" * 129, "a" * 4_000]:
        name = value if len(value) < 20 and value.isascii() else f"{len(value)}-characters"
        yield asked(f"upgrade.unknown.{name.replace(' ', '-')}", f"the upgrade {name}", upgrade(changes={"Upgrade": value}),
                    IGNORED, "40[03] closed")
        yield asked(f"upgrade.unknown-elsewhere.{name.replace(' ', '-')}", f"the upgrade {name} on a plain path",
                    get("GET /healthz HTTP/1.1", f"Upgrade: {value}", "Connection: Upgrade"), IGNORED)
        kept = get("GET /healthz HTTP/1.1", "Connection: keep-alive, Upgrade", f"Upgrade: {value}")
        yield asked(f"upgrade.unknown-kept.{name.replace(' ', '-')}",
                    f"twice the upgrade {name} on a kept-alive connection, then a right one (CVE-2025-11677)",
                    kept + kept + upgrade(), IGNORED + f" | * {OPEN}", "40[03] closed")
    for name, value in [("none", None), ("empty", "")]:
        yield asked(f"upgrade.{name}", f"no upgrade: {name}", upgrade(changes={"Upgrade": value}), IGNORED)
    # RFC 9110 §7.8 allows a list of protocols, of which the server chooses.
    for name, value in [("websocket-first", "websocket, h2c"), ("websocket-last", "h2c, websocket"),
                        ("with-version", "websocket/13")]:
        yield asked(f"upgrade.list.{name}", f"the upgrade {value}", upgrade(changes={"Upgrade": value}),
                    f"{IGNORED} | {OPEN}", "40[03] closed")
    yield asked("upgrade.twice", "the upgrade in two headers", upgrade(changes={"Upgrade": ["websocket", "websocket"]}),
                f"{IGNORED} | {OPEN}", IGNORED)


def connections():
    """RFC 6455 §4.2.1: a Connection with the token Upgrade, in any case, alone or in a list."""
    for value in ["upgrade", "UPGRADE", "keep-alive, Upgrade", "Upgrade, keep-alive", "keep-alive,Upgrade", "foo, Upgrade, bar"]:
        yield asked(f"connection.{value.replace(', ', '+').replace(',', '-')}", f"Connection: {value}",
                    upgrade(changes={"Connection": value}), OPEN)
    yield asked("connection.two-headers", "the token in the second of two headers",
                upgrade(changes={"Connection": ["keep-alive", "Upgrade"]}), OPEN)
    for value in [None, "", "keep-alive", "close", "Upgraded", "Up grade", "foo", "u"]:
        yield asked(f"connection.{'none' if value is None else (value or 'empty').replace(' ', '-')}", f"Connection: {value}",
                    upgrade(changes={"Connection": value}), IGNORED)
    yield asked("connection.close+Upgrade", "Connection: close, Upgrade", upgrade(changes={"Connection": "close, Upgrade"}),
                f"{IGNORED} | {OPEN}")


def targets():
    """Methods, versions and paths of an upgrade."""
    for method in ["POST", "PUT", "DELETE", "HEAD", "OPTIONS", "PATCH", "TRACE", "CONNECT"]:
        yield asked(f"target.method.{method}", f"an upgrade by {method}", upgrade(f"{method} /ws HTTP/1.1"), REFUSED)
    yield asked("target.method.get", "an upgrade by get", upgrade("get /ws HTTP/1.1"), REFUSED, OPEN, SMALL_LETTERS)
    for version in ["HTTP/1.0", "HTTP/0.9"]:
        yield asked(f"target.version.{version}", f"an upgrade by {version}", upgrade(f"GET /ws {version}"),
                    f"{IGNORED} | silent", "400 closed")
    for name, line in [("none", "GET /ws"), ("junk", "GET /ws JUNK"), ("two", "GET /ws HTTP/1.1 HTTP/1.1")]:
        yield asked(f"target.version.{name}", f"the first line {line!r}", upgrade(line), REFUSED, "400 closed")
    for version in ["HTTP/2.0", "HTTP/3.0", "http/1.1", "HTTP/1", "HTTP/01.1", "HTTP/1.x"]:
        yield asked(f"target.version.{version}", f"the version {version}", upgrade(f"GET /ws {version}"), REFUSED,
                    "400 closed")
    for path in ["/", "/ws/", "/ws/x", "/WS", "/wsx", "/w", "/healthz", "/assets/ws", "/ws%00", "/ws%2f", "/other"]:
        yield asked(f"target.path.{path}", f"an upgrade of {path}", upgrade(f"GET {path} HTTP/1.1"), f"{IGNORED} | {OPEN}",
                    "404 closed | closed")
    for path in ["/ws?", "/ws?a=b", "/ws?token=secret&a=%20"]:
        yield asked(f"target.path.{path}", f"an upgrade of {path}", upgrade(f"GET {path} HTTP/1.1"), OPEN)
    # An equivalent path may be accepted or not.
    for path in ["//ws", "/./ws", "/x/../ws", "/%77s", "/ws#fragment"]:
        yield asked(f"target.path.{path}", f"an upgrade of {path}", upgrade(f"GET {path} HTTP/1.1"), f"{IGNORED} | {OPEN}")
    yield asked("target.absolute", "an upgrade of an absolute URI", upgrade("GET http://127.0.0.1/ws HTTP/1.1"),
                f"{IGNORED} | {OPEN}")
    yield asked("target.star", "an upgrade of *", upgrade("GET * HTTP/1.1"), REFUSED)
    yield asked("target.relative", "an upgrade of a path without a slash", upgrade("GET ws HTTP/1.1"), REFUSED)
    for name, host in [("none", None), ("empty", "")]:
        yield asked(f"target.host.{name}", f"an upgrade without a host: {name}", upgrade(changes={"Host": host}),
                    REFUSED if host is None else f"{REFUSED} | {OPEN}", "400 closed", clause=HOST)
    yield asked("target.host.two", "an upgrade with two hosts", upgrade(changes={"Host": ["127.0.0.1", "example.org"]}), REFUSED,
                "400 closed", clause=HOST)
    for host in ["127.0.0.1:80", "[::1]:8080", "example.org"]:
        yield asked(f"target.host.{host}", f"the host {host}", upgrade(changes={"Host": host}), OPEN)
    for name, line in [("length", "Content-Length: 5"), ("chunked", "Transfer-Encoding: chunked")]:
        yield asked(f"target.body.{name}", "an upgrade that announces a body", upgrade(more=[line]), f"{IGNORED} | 101, *",
                    "400 closed")
    yield asked("target.body.empty", "an upgrade with a body of zero bytes", upgrade(more=["Content-Length: 0"]),
                f"{IGNORED} | {OPEN}")
    yield asked("target.expect", "an upgrade that expects 100", upgrade(more=["Expect: 100-continue"]),
                f"{IGNORED} | {OPEN} | 100 * | 417 *")


def subprotocols():
    """RFC 6455 §4.2.2: one of those asked for, or none. promised refuses a client that asks for others only."""
    name = "Sec-WebSocket-Protocol"
    json, protobuf = "promised.v1.json", "promised.v1.protobuf"
    for label, value in [("none", None), ("json", json), ("protobuf", protobuf), ("both", f"{json}, {protobuf}"),
                         ("reversed", f"{protobuf}, {json}"), ("tight", f"{json},{protobuf}"),
                         ("unknown-first", f"unknown, {json}"), ("unknown-last", f"{json}, unknown"),
                         ("many", ", ".join([f"p{index}" for index in range(20)] + [json]))]:
        yield asked(f"subprotocol.{label}", f"the subprotocols {label}", upgrade(changes={name: value}), OPEN)
    yield asked("subprotocol.two-headers", "two headers with one subprotocol each", upgrade(changes={name: ["unknown", json]}),
                f"{OPEN} | {REFUSED}")
    for label, value in [("unknown", "unknown"), ("v2", "promised.v2.json"), ("capitals", json.upper()), ("prefix", json[:-1]),
                         ("longer", json + "x"), ("chat", "chat, superchat")]:
        yield asked(f"subprotocol.only.{label}", f"only the subprotocol {value}", upgrade(changes={name: value}),
                    f"{OPEN} | {REFUSED}", "400 closed")
    for label, value in [("comma", ","), ("commas", ",,,"), ("space-inside", "promised .v1.json"), ("quoted", f'"{json}"'),
                         ("bytes", "\xc3\xa9")]:
        yield asked(f"subprotocol.invalid.{label}", f"a list that is no list of tokens: {value}",
                    upgrade(changes={name: value}), f"{OPEN} | {REFUSED}", "400 closed")
    yield asked("subprotocol.invalid.empty", "an empty list", upgrade(changes={name: ""}), f"{OPEN} | {REFUSED}")
    for size in [126, 127, 128, 4_000]:
        rest = size - len(json) - 2
        others = ", ".join(f"p{index:06}" for index in range(rest // 9)) + "p" * (rest % 9 + 2)
        yield asked(f"subprotocol.length.{size}", f"a list of {size} bytes that ends with a known one",
                    upgrade(changes={name: f"{others}, {json}"}), OPEN if size <= 126 else f"{OPEN} | {REFUSED}",
                    "" if size <= 126 else "400 closed")
    yield asked("subprotocol.length.name", "a name of 100 bytes before a known one",
                upgrade(changes={name: f"{'a' * 100}, {json}"}), f"{OPEN} | {REFUSED}", "closed")


def origins():
    """RFC 6455 §10.2: a server may check the origin; promised allows its own host and programs without one."""
    for label, value in [("none", None), ("same", "http://127.0.0.1"), ("same-https", "https://127.0.0.1:443")]:
        yield asked(f"origin.{label}", f"the origin {value}", upgrade(changes={"Origin": value}), f"{OPEN} | 403 *",
                    f"{OPEN} | 403 closed" if label == "same-https" else OPEN)
    for label, value in [("other", "https://evil.example"), ("suffix", "http://127.0.0.1.evil.example"), ("null", "null"),
                         ("port", "http://127.0.0.1:81"), ("path", "http://127.0.0.1/x"), ("user", "http://127.0.0.1@evil.example"),
                         ("file", "file://"), ("bytes", "http://\xff"), ("bare", "127.0.0.1"), ("long", "http://" + "a" * 3_000)]:
        yield asked(f"origin.{label}", f"the origin {label}, of another page", upgrade(changes={"Origin": value}),
                    f"{OPEN} | {REFUSED}", "403 closed")
    yield asked("origin.twice", "two origins, the first one the server's",
                upgrade(changes={"Origin": ["http://127.0.0.1", "https://evil.example"]}), f"{OPEN} | {REFUSED}", "403 closed")


def extensions():
    """RFC 6455 §9.1: a server may decline. promised declines all, permessage-deflate above all (decision 0003)."""
    for label, value in [("deflate", "permessage-deflate"), ("deflate-window", "permessage-deflate; client_max_window_bits"),
                         ("deflate-all", "permessage-deflate; server_no_context_takeover; client_no_context_takeover"),
                         ("deflate-twice", "permessage-deflate, permessage-deflate"), ("old-deflate", "deflate-frame"),
                         ("webkit", "x-webkit-deflate-frame"), ("unknown", "unknown; a=b"), ("mux", "mux; max-channels=4")]:
        yield asked(f"extension.{label}", f"the extension {value}, which the server declines",
                    upgrade(changes={"Sec-WebSocket-Extensions": value}), OPEN)
    compressed = frame(TEXT, b"\xab\xae\x05\x00", rsv=1)
    yield asked("extension.compressed", "a compressed text after an offer that was declined",
                upgrade(changes={"Sec-WebSocket-Extensions": "permessage-deflate"}) + compressed,
                "101, close 1002 | 101, cut")
    for label, value in [("junk", ";;;==,,"), ("long", "x" * 3_000), ("bytes", "\xff\xfe")]:
        yield asked(f"extension.{label}", f"an offer that is no list of extensions: {label}",
                    upgrade(changes={"Sec-WebSocket-Extensions": value}), f"{OPEN} | {REFUSED}")


def http2():
    """Upgrades to HTTP/2 in clear text, which the library would accept by itself (decision 0003)."""
    for path in ["/ws", "/", "/healthz", "/assets/x"]:
        for connection in ["Upgrade, HTTP2-Settings", "keep-alive, Upgrade, HTTP2-Settings", "Upgrade"]:
            request = get(f"GET {path} HTTP/1.1", "Upgrade: h2c", f"Connection: {connection}", H2_SETTINGS)
            yield asked(f"h2c.{path}.{connection.replace(', ', '+')}", f"h2c on {path}, Connection: {connection}", request,
                        IGNORED, "400 closed")
    for name, line in [("no-settings", None), ("bad-settings", "HTTP2-Settings: !!!"), ("long-settings", "HTTP2-Settings: " + "A" * 4_000),
                       ("empty-settings", "HTTP2-Settings:")]:
        request = get("GET / HTTP/1.1", "Upgrade: h2c", "Connection: Upgrade, HTTP2-Settings", *([line] if line else []))
        yield asked(f"h2c.{name}", f"h2c: {name}", request, IGNORED, "400 closed")
    settings = get("GET / HTTP/1.1", "Upgrade: h2c", "Connection: Upgrade, HTTP2-Settings", H2_SETTINGS)
    yield asked("h2c.with-preface", "h2c, and the preface without waiting for an answer", settings + PREFACE,
                IGNORED, "400 closed")
    yield asked("h2c.head", "h2c by HEAD", settings.replace(b"GET", b"HEAD", 1), IGNORED, "400 closed")
    yield asked("h2c.post", "h2c by POST with a body", settings.replace(b"GET", b"POST", 1)[:-2] + b"Content-Length: 2\r\n\r\nhi",
                IGNORED)
    yield asked("h2c.prior-knowledge", "the preface of HTTP/2", PREFACE, REFUSED)
    yield asked("h2c.preface-slowly", "the preface octet by octet", Slowly(PREFACE), REFUSED)
    yield asked("h2c.then-websocket", "h2c, then an upgrade to a WebSocket", (settings, Answer(), upgrade()),
                IGNORED + f" | * {OPEN}", "400 closed")


def pieces():
    """A handshake in pieces, with a frame behind it, and on a connection that was used before."""
    for size in [1, 2, 3, 7, 16, 64, 200]:
        yield asked(f"piece.{size}", f"a handshake in pieces of {size} bytes", Slowly(upgrade(), size), OPEN)
    yield asked("piece.paced", "a handshake in pieces with pauses", Slowly(upgrade(), 40, 0.05), OPEN)
    yield asked("piece.frame", "a handshake and a text at once", upgrade() + frame(TEXT, b"{}"), "101, 1 message, open")
    yield asked("piece.frames", "a handshake and three texts at once", upgrade() + frame(TEXT, b"{}") * 3,
                "101, 3 messages, open")
    yield asked("piece.half-frame", "a handshake and half a text at once, then the other half",
                (upgrade() + frame(TEXT, b"{}")[:4], Pause(0.05), frame(TEXT, b"{}")[4:]), "101, 1 message, open")
    yield asked("piece.close", "a handshake and a close frame at once", upgrade() + frames.close(1000), "101, close 1000")
    plain = get("GET /healthz HTTP/1.1", "Connection: keep-alive")
    again = f"200 {OPEN} | 200 closed"
    yield asked("piece.keep-alive", "a plain request, its answer, then an upgrade", (plain, Answer(), upgrade()), again,
                "200 closed")
    yield asked("piece.pipelined", "a plain request and an upgrade at once", plain + upgrade(), again, "200 closed")
    missing = get("GET /nowhere HTTP/1.1", "Connection: keep-alive")
    yield asked("piece.after-404", "a request of nothing, its answer, then an upgrade", (missing, Answer(), upgrade()),
                f"404 {OPEN} | 404 closed", "404 closed")
    bad = upgrade(changes={"Sec-WebSocket-Version": "7"})
    yield asked("piece.after-426", "a refused upgrade, then a right one", (bad, Answer(), upgrade()),
                f"4?? closed | 4?? {OPEN}", "426 closed")
    yield asked("piece.plain-after", "a handshake, then a plain request instead of frames", (upgrade(), Answer(), plain),
                "101, close 1002 | 101, cut")
