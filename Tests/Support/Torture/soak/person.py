"""An ordinary client: one connection that comes back, resumes, and remembers what it was told."""

import contextlib
import queue
import threading
import time

from promised.client import PASSWORD, Closed, Peer, email, frame
from promised.people import fix, instant
from soak.ledger import Follow

# A server that is alive answers within these seconds, also beside attacks.
PATIENCE = 20
# How long a token is used before the next sign-in, in seconds; it is valid for a quarter of an hour.
TOKEN = 600
# Ends of connections that a crash, a stop or an old token explains.
EXPLAINED = {None, 4001, 4002, 4003, 4500}


class Lost(Exception):
    """The connection ended before the answer came."""


def positions_in(message, promise=None):
    """Each position in a message, with the promise it belongs to."""
    if isinstance(message, dict):
        promise = message.get("promiseId", promise)
        if {"userId", "seq", "latitude"} <= message.keys():
            yield promise, message
        for value in message.values():
            yield from positions_in(value, promise)
    elif isinstance(message, list):
        for value in message:
            yield from positions_in(value, promise)


class Person:
    """Its thread reads; other threads send requests through `call` and `insist`."""

    def __init__(self, world, name, address):
        self.world, self.name, self.address = world, name, address
        self.user, self.seq, self.follows, self.lives = None, 0, {}, 0
        self.tracks, self.token, self.token_at = False, None, 0
        self._peer, self._waiting, self._next = None, {}, 100
        self._lock, self._ready, self._ends = threading.RLock(), threading.Event(), False
        self._thread = threading.Thread(target=self._run, daemon=True)

    def start(self):
        self._thread.start()

    def stop(self):
        self._ends = True
        if peer := self._peer:
            # The reader is woken up.
            with contextlib.suppress(OSError):
                peer.socket.shutdown(2)
        self._thread.join(timeout=30)

    # --- Requests ----------------------------------------------------------------------------------------------------

    def call(self, request, **fields):
        """The reply, an error among them; Lost if the connection ends before it comes."""
        if not self._ready.wait(PATIENCE * 3):
            raise Lost
        answer, begun = queue.Queue(), time.monotonic()
        with self._lock:
            if not self._ready.is_set():
                raise Lost
            self._next += 1
            number, peer = self._next, self._peer
            follow = self.follows.get(fields.get("promiseId")) if request == "subscribe" else None
            self._waiting[number] = answer, begun, follow
        try:
            peer.send_frame(frame({"id": number, request: fields}))
        except OSError as problem:
            raise Lost from problem
        try:
            found = answer.get(timeout=PATIENCE)
        except queue.Empty:
            with self._lock:
                self._waiting.pop(number, None)
            # Whether the server was there all the time, the world knows.
            self.world.unanswered(self, request, begun)
            raise Lost from None
        if found is None:
            raise Lost
        return found

    def insist(self, request, **fields):
        """The reply to a request that may be repeated, however often it takes."""
        while True:
            with contextlib.suppress(Lost):
                reply = self.call(request, **fields)
                error = reply.get("error", {})
                if error.get("code") not in ("limit.rate", "server.unavailable"):
                    return reply
                # After two seconds the whole burst is allowed again; a refusal each time would end the connection.
                time.sleep(2 if error["code"] == "limit.rate" else error.get("retryAfterMs", 200) / 1_000)
            if self._ends:
                raise Lost

    def follow(self, promise):
        """Subscribes, now and after each lost connection."""
        with self._lock:
            found = self.follows.setdefault(promise, Follow(self.name, promise, self.world.ledger))
        while found.epoch is None and not self._ends:
            with contextlib.suppress(Lost):
                # The reader takes it, in the order of the events.
                if "error" in (reply := self.call("subscribe", **found.resume())):
                    raise RuntimeError(f"{self.name} cannot subscribe: {reply['error']}")

    def report(self):
        """Tells all promises where it is, without asking for a reply."""
        with self._lock:
            if not self._ready.is_set():
                return
            self.seq += 1
            # From a kilometre and a half to the place within two minutes, each in another second; then again.
            way = (time.monotonic() + hash(self.name) % 120) % 150
            message = {"report": {"fixes": [fix(self.seq, max(5, 1_500 - way * 12))], "sentAt": instant(0)}}
            with contextlib.suppress(OSError):
                self._peer.send_frame(frame(message))

    # --- The connection ----------------------------------------------------------------------------------------------

    def _run(self):
        while not self._ends:
            code = None
            try:
                self._connect()
                while True:
                    self._take(self._peer.receive())
            except Closed as end:
                code = end.code if isinstance(end.code, int) else None
            except OSError:
                pass
            except (RuntimeError, LookupError) as problem:
                self.world.ledger.expect(False, "client", f"{self.name}: {type(problem).__name__} {problem}")
            self._lose()
            if not self._ends:
                self.world.ledger.expect(code in EXPLAINED, "close", f"{self.name} was closed with {code}")
            time.sleep(0.2 + hash((self.name, self.lives)) % 5 / 10)

    def _lose(self):
        with self._lock:
            self._ready.clear()
            waiting, self._waiting = self._waiting, {}
            if self._peer:
                self._peer.close()
        for answer, *_ in waiting.values():
            answer.put(None)

    def _connect(self):
        peer = Peer(self.world.port, self.address, timeout=60)
        self._peer = peer
        if time.monotonic() - self.token_at > TOKEN:
            session = self._sign_in(peer)
            self.token, self.token_at = session["accessToken"], time.monotonic()
            self.user = session["user"]["userId"]
        self._ask(peer, 1, "hello", token=self.token, deviceId=f"phone of {self.name}", bootId="1")
        for number, found in enumerate(list(self.follows.values())):
            if found.epoch and not found.is_over:
                reply = self._ask(peer, 2 + number, "subscribe", **found.resume())
                if "error" in reply:
                    # Whose end it is to be, the story knows.
                    found.is_over = True
                    self.world.ended(found, reply["error"]["code"])
                else:
                    found.resumed(reply["subscribed"], peer)
        with self._lock:
            self.lives += 1
            self._ready.set()

    def _sign_in(self, peer):
        """A session; where too many passwords wait, as after a crash, it comes again later."""
        reply = peer.ask("signIn", email=email(self.name), password=PASSWORD)
        if reply.get("error", {}).get("code") in ("limit.attempts", "server.unavailable"):
            time.sleep(reply["error"].get("retryAfterMs", 1_000) / 1_000)
            raise ConnectionError("too many passwords wait")
        return reply["session"]

    def _ask(self, peer, number, request, **fields):
        """A request of the reader itself; events that come meanwhile are taken."""
        asked = time.monotonic()
        peer.send_frame(frame({"id": number, request: fields}))
        while (message := peer.receive()).get("id") != number:
            self._take(message)
        if message.get("error", {}).get("code") == "limit.rate":
            time.sleep(0.1)
            return self._ask(peer, number, request, **fields)
        self._look(message, asked)
        return message

    def _take(self, message):
        number = message.get("id")
        if number is None:
            self._look(message, None)
            event = message.get("event", {})
            found = self.follows.get(event.get("promiseId"))
            # Some events come without a subscription, too; those before it has its reply are in that reply.
            if event.get("seq") and found and found.connection is self._peer:
                kind = found.take(event)
                self.world.told(found, kind, event)
            return
        with self._lock:
            answer, begun, follow = self._waiting.pop(number, (None, None, None))
        if answer:
            self._look(message, begun)
            if follow and "subscribed" in message:
                follow.resumed(message["subscribed"], self._peer)
            answer.put(message)

    def _look(self, message, asked):
        for promise, position in positions_in(message):
            subject = self.world.name_of(position["userId"])
            self.world.witness.seen(self.name, subject, promise, position["seq"], asked)
