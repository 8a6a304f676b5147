"""Plain HTTP: methods, targets, headers large and slow, pipelining."""

from conformance.case import COLON, FINE, HOST, REFUSED, SMALL_LETTERS, Answer, Finish, Slowly, asked
from conformance.payloads import get
from promised.frames import upgrade

BEGINNING = "libwebsockets 4.1.6 misses the end of a request whose last header has the beginning of a name that it knows"


def cases():
    yield from methods()
    yield from targets()
    yield from first_lines()
    yield from header_forms()
    yield from large_headers()
    yield from slow_headers()
    yield from pipelines()


def methods():
    """GET and HEAD are served; protocol, HTTP: others get 405, or an end where the library does not know them."""
    yield asked("http.method.GET", "GET", get(), FINE, "200 closed")
    yield asked("http.method.HEAD", "HEAD", get("HEAD /healthz HTTP/1.1"), FINE, "200 closed")
    for method in ["POST", "PUT", "DELETE", "OPTIONS", "PATCH"]:
        yield asked(f"http.method.{method}", method, get(f"{method} /healthz HTTP/1.1"), "4?? * | 501 * | 200 *", "405 closed")
        yield asked(f"http.method-elsewhere.{method}", f"{method} of nothing", get(f"{method} /nowhere HTTP/1.1"),
                    "4?? * | 501 * | 200 *", "405 closed")
    for method in ["TRACE", "CONNECT", "PROPFIND", "MKCOL", "LINK", "BREW", "M-SEARCH", "SUBSCRIBE", "GETT",
                   "GE", "G", "A" * 100, "A" * 5_000]:
        name = method if len(method) < 20 else f"{len(method)}-letters"
        yield asked(f"http.method.{name}", f"the method {name}", get(f"{method} /healthz HTTP/1.1"), REFUSED)
    for method in ["get", "Get"]:
        yield asked(f"http.method.{method}", f"the method {method}", get(f"{method} /healthz HTTP/1.1"), REFUSED, "200 closed",
                    SMALL_LETTERS)
    for name, line in [("space-before", " GET /healthz HTTP/1.1"), ("tab", "GET\t/healthz\tHTTP/1.1"),
                       ("two-spaces", "GET  /healthz HTTP/1.1"), ("nul", "G\0T /healthz HTTP/1.1"),
                       ("bytes", "G\xc9T /healthz HTTP/1.1"), ("brackets", "<GET> /healthz HTTP/1.1"), ("none", "/healthz HTTP/1.1")]:
        yield asked(f"http.method.{name}", f"a first line with {name}", get(line), f"{REFUSED} | {FINE}")


def targets():
    """Paths that exist, that do not, and that try to leave."""
    for path in ["/", "/healthz", "/readyz", "/version", "/metrics"]:
        yield asked(f"http.path.{path}", path, get(f"GET {path} HTTP/1.1"), "??? *", "200 closed")
        yield asked(f"http.head.{path}", f"HEAD {path}", get(f"HEAD {path} HTTP/1.1"), "??? *", "200 closed")
    for path in ["/nowhere", "/healthz/", "/healthz/x", "/HEALTHZ", "/assets", "/assets/", "/assets/none.js",
                 "/assets/../../etc/passwd", "/assets/%2e%2e/%2e%2e/etc/passwd", "/assets/..%2f..%2fetc",
                 "/assets/....//etc", "/../../../../etc/passwd", "/assets//etc/passwd", "/assets/%00", "/a%0d%0aSet-Cookie:x",
                 "/favicon.ico/x", "/%", "/%zz", "/%2", "/" + "a/" * 500, "/" + "a" * 3_000]:
        name = path if len(path) < 50 else f"{path[:6]}…{len(path)}"
        yield asked(f"http.nothing.{name}", f"{name}, which does not exist", get(f"GET {path} HTTP/1.1"), REFUSED,
                    "40[034] closed | closed")
    for method in ["GET", "HEAD"]:
        yield asked(f"http.no-upgrade.{method}", f"{method} of the address of WebSockets", get(f"{method} /ws HTTP/1.1"),
                    "404 * | 426 * | 400 *", "426 closed")
    for path in ["/assets/../version", "/..", "/x/../healthz", "/./healthz", "//healthz", "/ws/..", "/" + "../" * 300, "/%00"]:
        name = path if len(path) < 50 else f"/../…{len(path)}"
        # RFC 3986 §6.2.2.3 lets a server resolve dots.
        yield asked(f"http.dots.{name}", f"{name}, which leads to a page", get(f"GET {path} HTTP/1.1"),
                    f"{FINE} | {REFUSED}", "200 closed")
    for path in ["/healthz?", "/healthz?a=b", "/%68ealthz"]:
        yield asked(f"http.query.{path}", path, get(f"GET {path} HTTP/1.1"), f"{FINE} | 404 *", "200 closed")
    for name, query in [("nul", "a=%00"), ("200-arguments", "a=b&" * 200)]:
        yield asked(f"http.query.{name}", f"a query: {name}", get(f"GET /healthz?{query} HTTP/1.1"), f"{FINE} | {REFUSED}",
                    "closed")
    for path in ["/healthz#x", "/healthz;a=b", "/health\xff", "/healthz\x01"]:
        name = path.encode("unicode_escape").decode()
        yield asked(f"http.odd.{name}", name, get(f"GET {path} HTTP/1.1"), f"{FINE} | {REFUSED}")
    yield asked("http.absolute", "an absolute URI", get("GET http://127.0.0.1/healthz HTTP/1.1"), f"{FINE} | 404 *",
                "403 closed", "libwebsockets 4.1.6 refuses absolute URIs, which RFC 9112 §3.2.2 asks servers to take")
    yield asked("http.absolute-other", "an absolute URI of another host", get("GET http://evil.example/ HTTP/1.1"),
                "??? * | closed")
    yield asked("http.star", "OPTIONS *", get("OPTIONS * HTTP/1.1"), "200 * | 204 * | " + REFUSED)
    yield asked("http.relative", "a path without a slash", get("GET healthz HTTP/1.1"), REFUSED)
    for size in [1_000, 4_000, 7_000, 8_192, 20_000, 100_000]:
        yield asked(f"http.length.{size}", f"a path of {size} bytes", get(f"GET /{'a' * size} HTTP/1.1"), REFUSED, patience=6)


def first_lines():
    """Versions and line ends."""
    yield asked("http.version.1.0", "HTTP/1.0 without a host", get("GET /healthz HTTP/1.0", host=None), FINE, "200 closed")
    yield asked("http.version.1.0-keep", "HTTP/1.0 with keep-alive",
                get("GET /healthz HTTP/1.0", "Connection: keep-alive", host=None), FINE, "200 closed")
    yield asked("http.version.0.9", "a request of HTTP/0.9", b"GET /healthz\r\n", f"{REFUSED} | garbage * | silent")
    for version in ["HTTP/2.0", "HTTP/3.0", "HTTP/9.9", "HTTP/1", "HTTP/1.1.1", "HTTPS/1.1", "http/1.1", "HTTP 1.1", "ICY/1.1", ""]:
        yield asked(f"http.version.{version or 'none'}", f"the version {version!r}", get(f"GET /healthz {version}"), REFUSED,
                    "400 closed")
    # RFC 9110 §2.5: a server should serve a later minor version as 1.1.
    yield asked("http.version.1.2", "HTTP/1.2", get("GET /healthz HTTP/1.2"), f"{FINE} | 505 * | 400 *", "200 closed")
    yield asked("http.host.none", "HTTP/1.1 without a host", get(host=None), "400 *", clause=HOST)
    yield asked("http.host.two", "two hosts", get("GET /healthz HTTP/1.1", "Host: evil.example"), "400 *", clause=HOST)
    yield asked("http.host.same-twice", "the same host twice", get("GET /healthz HTTP/1.1", "Host: 127.0.0.1"), "400 *",
                clause=HOST)
    yield asked("http.host.two-1.0", "two hosts in HTTP/1.0", get("GET /healthz HTTP/1.0", "Host: evil.example"),
                f"{FINE} | {REFUSED}", "400 closed")
    yield asked("http.host.empty", "an empty host", get(host="Host:"), f"{FINE} | 400 *")
    for name, host in [("space", "a b"), ("slash", "a/b"), ("user", "a@b"), ("bytes", "\xff"), ("comma", "a, b")]:
        # RFC 9112 §3.2 asks for 400; the host of a plain request decides nothing here.
        yield asked(f"http.host.{name}", f"a host with a {name}", get(host=f"Host: {host}"), f"400 * | {FINE}")
    whole = get()
    yield asked("http.line.lf", "lines that end with LF alone", whole.replace(b"\r\n", b"\n"), f"{FINE} | {REFUSED} | silent")
    yield asked("http.line.cr", "lines that end with CR alone", whole.replace(b"\r\n", b"\r"), f"{REFUSED} | silent",
                patience=4)
    for count in [1, 2, 10]:
        yield asked(f"http.line.empty-{count}", f"{count} empty lines before the request", b"\r\n" * count + whole,
                    f"{FINE} | {REFUSED}")
    for name, data in [("tls", b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(100)), ("zeros", bytes(200)),
                       ("ones", b"\xff" * 200), ("ssh", b"SSH-2.0-OpenSSH_9.2\r\n"), ("smtp", b"EHLO example.org\r\n"),
                       ("redis", b"*1\r\n$4\r\nPING\r\n"), ("frame", b"\x81\x85\x37\xfa\x21\x3d\x7f\x9f\x4d\x51\x58"),
                       ("lines", b"\r\n" * 2_000), ("spaces", b" " * 2_000),
                       ("foreign-line", b"EHLO example.org\r\n" + whole)]:
        yield asked(f"http.noise.{name}", f"not HTTP: {name}", data, f"{REFUSED} | silent", patience=4)

    # The line of a proxy that speaks HAProxy's protocol, which a server that does not know it must not read over.
    yield asked("http.noise.proxy", "the line of a proxy before the request", b"PROXY TCP4 1.2.3.4 1.2.3.4 1 2\r\n" + whole,
                REFUSED, "200 closed", "libwebsockets 4.1.6 takes PROXY for a method and then the next line for the request")
    yield asked("http.noise.second-line", "a second request line among the headers",
                get("POST /healthz HTTP/1.1", "GET /metrics HTTP/1.1"), REFUSED)


def header_forms():
    """Headers that are malformed or unusual."""
    def with_line(*lines):
        return get("GET /healthz HTTP/1.1", *lines)
    either = f"{FINE} | {REFUSED}"
    # RFC 9112 §5.1: no white space before the colon; RFC 9112 §5.2: a folded line is refused or joined.
    forms = {
        "no-colon": ["Test"], "no-name": [": b"],
        "space-first": [" Test: b"], "folded": ["Test: b", " c"], "folded-tab": ["Test: b", "\tc"], "nul": ["Test: b\0c"],
        "nul-name": ["Te\0st: b"], "cr": ["Test: b\rc"], "lf": ["Test: b\nc"], "bytes": ["Test: \xff\xfe"],
        "bytes-name": ["X-\xff: b"], "space-name": ["Te st: b"], "brackets-name": ["Te(st): b"], "control": ["Test: \x01\x7f"],
    }
    for name, lines in forms.items():
        yield asked(f"http.header.{name}", f"a header with {name}", with_line(*lines), either)
    for name, line in [("space", "Test : b"), ("tab", "Test\t: b")]:
        yield asked(f"http.header.{name}-before-colon", f"a header with a {name} before the colon", with_line(line), REFUSED,
                    "200 closed", COLON)
    fine = {
        "empty": ["Test:"], "no-space": ["Test:b"], "spaces": ["Test:    b   "], "tabs": ["Test:\tb\t"], "lower": ["test: b"],
        "capitals": ["ACCEPT: */*"], "twice": ["Test: b", "Test: c"], "symbols": ["X!#$%&'*+.^_`|~1: b"], "cookie": ["Cookie: a=b"],
        "accept": ["Accept: text/html;q=0.9, */*;q=0.1"], "date": ["If-Modified-Since: Sat, 29 Oct 1994 19:43:31 GMT"],
        "range": ["Range: bytes=0-1"], "te": ["TE: trailers"], "forwarded": ["Forwarded: for=192.0.2.1"],
        "bearer": ["Authorization: Bearer x"], "expect-nothing": ["X-Expect: 100-continue"],
    }
    for name, lines in fine.items():
        yield asked(f"http.header.{name}", f"a header: {name}", with_line(*lines), FINE, "200 closed")
    # The end of a request is missed if its last header has a name with which the name of a known one begins.
    for name in ["X", "F", "X-F", "X-Real", "Sec-WebSocket"]:
        yield asked(f"http.header.beginning.{name}", f"the last header is {name}, the beginning of a known name",
                    with_line(f"{name}: b"), FINE, "closed", BEGINNING)
        yield asked(f"http.header.beginning-first.{name}", f"a header {name}, then another one",
                    with_line(f"{name}: b", "Test: b"), FINE, "200 closed")
    yield asked("http.header.expect", "Expect: 100-continue", with_line("Expect: 100-continue"), f"{FINE} | 417 * | 100 200 *")


def large_headers():
    """promised takes 8 KiB of headers in all; how much others take is theirs to say."""
    for size in [100, 1_000, 2_000, 4_000, 6_000]:
        yield asked(f"http.large.one-{size}", f"a header of {size} bytes",
                    get("GET /healthz HTTP/1.1", f"Test: {'a' * size}"), FINE, "200 closed")
        yield asked(f"http.large.upgrade-{size}", f"an upgrade with a token of {size} bytes",
                    upgrade(more=[f"Authorization: Bearer {'a' * size}"]), "101, open")
    for size in [9_000, 16_384, 65_536, 262_144, 1_048_576]:
        yield asked(f"http.large.upgrade-{size}", f"an upgrade with a token of {size} bytes",
                    upgrade(more=[f"Authorization: Bearer {'a' * size}"]), f"101, open | {REFUSED}", REFUSED)
        # The library skips a header that it does not know, whatever its size; the connection has its deadline.
        yield asked(f"http.large.one-{size}", f"a header of {size} bytes",
                    get("GET /healthz HTTP/1.1", f"Test: {'a' * size}"), f"{FINE} | {REFUSED}")
        yield asked(f"http.large.known-{size}", f"a header that the library keeps, of {size} bytes",
                    get("GET /healthz HTTP/1.1", f"Authorization: {'a' * size}"), f"{FINE} | {REFUSED}", REFUSED)
        yield asked(f"http.large.name-{size}", f"a header whose name has {size} bytes",
                    get("GET /healthz HTTP/1.1", f"{'X' * size}: a"), f"{FINE} | {REFUSED}")
        yield asked(f"http.large.endless-{size}", f"{size} bytes of headers without an end",
                    b"GET /healthz HTTP/1.1\r\nHost: x\r\nTest: " + b"a" * size, f"{REFUSED} | silent", REFUSED)
    for count in [10, 50, 100]:
        yield asked(f"http.large.lines-{count}", f"{count} headers",
                    get("GET /healthz HTTP/1.1", *[f"X-{index}: {index}" for index in range(count)]), FINE, "200 closed")
    for count in [200, 500, 1_000, 5_000, 20_000]:
        yield asked(f"http.large.lines-{count}", f"{count} headers",
                    get("GET /healthz HTTP/1.1", *[f"X-{index}: {index}" for index in range(count)]), f"{FINE} | {REFUSED}")
    yield asked("http.large.same-name", "600 headers that the library keeps, with one name",
                get("GET /healthz HTTP/1.1", *["Cookie: a=b"] * 600), f"{FINE} | {REFUSED}")
    yield asked("http.large.many-known", "2,000 headers that the library keeps",
                get("GET /healthz HTTP/1.1", *["Accept: */*"] * 2_000), f"{FINE} | {REFUSED}", REFUSED)


def slow_headers():
    """Requests in pieces: in time they are answered, later the connection ends at the handshake's deadline (here 2 s)."""
    for size, pause in [(1, 0), (1, 0.005), (5, 0.02), (20, 0.2)]:
        yield asked(f"http.slow.{size}-bytes-{pause}", f"a request in pieces of {size} bytes with pauses of {pause} s",
                    Slowly(get(), size, pause), FINE, "200 closed")
    endings = {"nothing": b"", "letter": b"G", "method": b"GET ", "line": b"GET /healthz HTTP/1.1\r\n",
               "half-header": b"GET /healthz HTTP/1.1\r\nHo", "header": b"GET /healthz HTTP/1.1\r\nHost: x\r\n",
               "half-end": b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r", "upgrade": upgrade()[:-2], "post": b"POST / HTTP/1.1\r\n"}
    for name, data in endings.items():
        yield asked(f"http.stopped.{name}", f"a request that stops: {name}", data, f"{REFUSED} | silent", "closed | 4?? closed")
    for name, data, pause in [("drip", get() + get(), 0.15), ("line-drip", get("GET /healthz HTTP/1.1", *["Test: b"] * 40), 0.2)]:
        yield asked(f"http.stopped.{name}", "a request that goes on beyond the deadline, octet by octet",
                    Slowly(data[:-2], 2 if name == "drip" else 9, pause), "* | silent", "closed | 4?? closed", patience=12)
    yield asked("http.stopped.half-close", "half a request, then the end of the sending half",
                (b"GET /healthz HTTP/1.1\r\nHost", Finish()), f"{REFUSED} | silent", "closed")
    yield asked("http.half-close", "a request, then the end of the sending half", (get(), Finish()), f"{FINE} | closed")


def pipelines():
    """RFC 9112 §9.3.2: answers in the order of the requests; after an answer that closes no more are given."""
    plain = get("GET /healthz HTTP/1.1", "Connection: keep-alive")
    for count in [2, 3, 10, 100]:
        every = " ".join(["200"] * count)
        yield asked(f"http.pipeline.{count}", f"{count} requests at once", plain * count,
                    f"{every} open | {every} closed | 200 closed", "200 closed")
    last = get("GET /nowhere HTTP/1.1", "Connection: close")
    yield asked("http.pipeline.mixed", "a request and one of nothing at once", plain + last,
                "200 404 closed | 200 closed", "200 closed")
    yield asked("http.pipeline.after", "a second request after the first answer", (plain, Answer(), last),
                "200 404 closed | 200 closed", "200 closed")
    yield asked("http.pipeline.bad-second", "a request and noise at once", plain + b"\xff\xfe\r\n\r\n",
                "200 400 closed | 200 closed", "200 closed")
    yield asked("http.pipeline.bad-first", "noise and a request at once", b"\xff\xfe\r\n\r\n" + plain, "400 closed | 403 closed | closed")
    yield asked("http.pipeline.close-first", "two requests at once, the first with Connection: close",
                get("GET /healthz HTTP/1.1", "Connection: close") + plain, "200 closed")
    yield asked("http.pipeline.head", "HEAD and GET at once", get("HEAD /healthz HTTP/1.1") + get(),
                "200 200 open | 200 200 closed | 200 closed", "200 closed")
    yield asked("http.pipeline.post-first", "POST with a body and GET at once",
                get("POST /healthz HTTP/1.1", "Content-Length: 2") + b"hi" + get(),
                "4?? closed | 405 200 open | 405 200 closed | 501 *", "405 closed")
    yield asked("http.pipeline.large", "200 requests of nothing with long paths", get(f"GET /{'x' * 500} HTTP/1.1") * 200,
                "404 * | closed", "404 closed")
