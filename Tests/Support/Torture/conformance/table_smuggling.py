"""Requests with bodies, and the forms of request smuggling."""

from conformance.case import COLON, FINE, REFUSED, Pause, asked
from conformance.payloads import get
from promised.frames import upgrade

# One answer, whatever it is; never a second one for the request hidden in the body of the first.
ONE_ANSWER = "??? closed | ??? open | closed"
EMPTY = "libwebsockets 4.1.6 hides empty headers; the answer ends the connection, so nothing is hidden behind it"
HIDDEN = b"GET /nowhere HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"


def cases():
    yield from bodies()
    yield from smuggling()


def bodies():
    """GET with a body: RFC 9110 §9.3.1 gives it no meaning; promised refuses it."""
    for name, lines, body in [("length", ["Content-Length: 2"], b"hi"), ("large", ["Content-Length: 1000000"], b"x" * 100_000),
                              ("chunked", ["Transfer-Encoding: chunked"], b"2\r\nhi\r\n0\r\n\r\n"),
                              ("missing", ["Content-Length: 2"], b"")]:
        yield asked(f"http.body.GET-{name}", f"GET with a body: {name}", get("GET /healthz HTTP/1.1", *lines) + body,
                    f"{FINE} | {REFUSED} | silent", "400 closed")
        for method in ["POST", "PUT"]:
            yield asked(f"http.body.{method}-{name}", f"{method} with a body: {name}",
                        get(f"{method} /healthz HTTP/1.1", *lines) + body, f"{FINE} | {REFUSED} | silent", "405 closed")
    yield asked("http.body.zero", "GET with a body of zero bytes", get("GET /healthz HTTP/1.1", "Content-Length: 0"), FINE,
                "200 closed")
    yield asked("http.body.expect", "POST that waits for 100", (get("POST / HTTP/1.1", "Content-Length: 2", "Expect: 100-continue"),
                Pause(0.1)), f"{REFUSED} | 100 * | silent", "405 closed")


def smuggling():
    """Lengths that two readers may understand differently, with a second request hidden behind the first."""
    chunks = b"0\r\n\r\n"
    lengths = {
        "two": ["Content-Length: 0", "Content-Length: 5"], "two-reversed": ["Content-Length: 5", "Content-Length: 0"],
        "list": ["Content-Length: 0, 5"], "negative": ["Content-Length: -1"], "plus": ["Content-Length: +5"],
        "hex": ["Content-Length: 0x5"], "exponent": ["Content-Length: 5e0"], "point": ["Content-Length: 5.0"],
        "words": ["Content-Length: five"], "spaces": ["Content-Length: 0 5"],
        "huge": ["Content-Length: 99999999999999999999"], "2^31": ["Content-Length: 2147483648"],
        "2^32": ["Content-Length: 4294967296"], "2^64": ["Content-Length: 18446744073709551616"],
        "zeros": ["Content-Length: 000000"], "nul": ["Content-Length: 5\0"], "tab": ["Content-Length:\t5"],
        "folded": ["Content-Length:", " 5"], "underscore": ["Content_Length: 5"],
        "lf": ["Test: b\nContent-Length: 5"], "cr": ["Test: b\rContent-Length: 5"],
    }
    for name, lines in lengths.items():
        # No answer to the hidden request may come unless the whole input has two requests by RFC 9112; then it may.
        is_plain = name in ("underscore", "zeros", "cr", "lf")
        must = ONE_ANSWER + (" | 200 404 *" if is_plain else " | 200 400 *" if name == "tab" else "") + " | silent"
        yield asked(f"smuggle.length.{name}", f"Content-Length: {name}", get("GET /healthz HTTP/1.1", *lines) + HIDDEN, must,
                    "400 closed | 200 closed | 403 closed | closed")
    yield asked("smuggle.length.empty", "an empty Content-Length", get("GET /healthz HTTP/1.1", "Content-Length:") + HIDDEN, REFUSED,
                "200 closed", EMPTY)
    yield from before_colons(chunks)
    yield from codings(chunks)
    yield from chunk_sizes(chunks)
    websocket = upgrade()
    yield asked("smuggle.upgrade.body", "GET whose body is an upgrade",
                get("GET /healthz HTTP/1.1", f"Content-Length: {len(websocket)}") + websocket, ONE_ANSWER, "400 closed")
    yield asked("smuggle.upgrade.refused", "an upgrade with a bad version, and a request behind it",
                upgrade(changes={"Sec-WebSocket-Version": "777"}) + HIDDEN, "4?? closed | 4?? 404 * | closed", "426 closed")


def codings(chunks):
    """Forms of Transfer-Encoding."""
    forms = {
        "xchunked": ["Transfer-Encoding: xchunked"],
        "tab-value": ["Transfer-Encoding:\tchunked"], "vertical-tab": ["Transfer-Encoding: \x0bchunked"],
        "quoted": ['Transfer-Encoding: "chunked"'], "capitals": ["Transfer-Encoding: CHUNKED"],
        "list": ["Transfer-Encoding: gzip, chunked"], "list-reversed": ["Transfer-Encoding: chunked, gzip"],
        "twice": ["Transfer-Encoding: chunked", "Transfer-Encoding: identity"],
        "identity": ["Transfer-Encoding: identity"], "folded": ["Transfer-Encoding:", " chunked"],
        "underscore": ["Transfer_Encoding: chunked"], "lf": ["Test: b\nTransfer-Encoding: chunked"],
        "nul": ["Transfer-Encoding: chunked\0"], "trailing-comma": ["Transfer-Encoding: chunked,"],
        "te-cl": ["Transfer-Encoding: chunked", "Content-Length: 5"], "cl-te": ["Content-Length: 5", "Transfer-Encoding: chunked"],
        "cl-zero-te": ["Content-Length: 0", "Transfer-Encoding: chunked"],
    }
    for name, lines in forms.items():
        # A whole chunked body may be followed by another request.
        yield asked(f"smuggle.coding.{name}", f"Transfer-Encoding: {name}",
                    get("GET /healthz HTTP/1.1", *lines) + chunks + HIDDEN, ONE_ANSWER + " | 200 404 * | 200 400 * | silent",
                    "400 closed | 200 closed | 403 closed | closed")
        yield asked(f"smuggle.post.{name}", f"POST with Transfer-Encoding: {name}",
                    get("POST /healthz HTTP/1.1", *lines) + chunks + HIDDEN,
                    ONE_ANSWER + " | 405 404 * | 405 400 * | 404 400 * | silent", "400 closed | 405 closed | 403 closed | closed")


def chunk_sizes(chunks):
    """Sizes of chunks, in requests whose bodies promised does not read."""
    sizes = {"negative": b"-1", "plus": b"+5", "hex": b"0x5", "spaces": b"5 ", "words": b"five", "huge": b"f" * 17,
             "overflow": b"1" + b"0" * 16, "extension": b"5;a=b", "empty": b"", "lf": b"5\n"}
    for name, size in sizes.items():
        body = size + b"\r\nhello\r\n" + chunks
        yield asked(f"smuggle.chunk.{name}", f"a chunk whose size is {name}",
                    get("POST /healthz HTTP/1.1", "Transfer-Encoding: chunked") + body + HIDDEN,
                    ONE_ANSWER + " | 40? 404 * | 40? 400 * | silent", "405 closed")


def before_colons(chunks):
    """White space before the colon of a header that gives a length."""
    for name, line in [("length", "Content-Length : 5"), ("coding", "Transfer-Encoding : chunked")]:
        body = chunks if name == "coding" else b""
        yield asked(f"smuggle.{name}.space-before-colon", f"GET with {line}", get("GET /healthz HTTP/1.1", line) + body + HIDDEN,
                    REFUSED, "200 closed", COLON)
        yield asked(f"smuggle.post.{name}-space-before-colon", f"POST with {line}",
                    get("POST /healthz HTTP/1.1", line) + body + HIDDEN, REFUSED, "405 closed")
