"""Devices that follow the durable events of promises, over all lives of a server."""

import collections
import threading

from crashes.ledger import Ledger
from promised.client import frame


class Stream:
    """The durable events of one promise, as one device has received them over all lives of the server."""

    def __init__(self, promise):
        self.promise, self.epoch, self.last, self.events = promise, None, 0, []
        # True once this life of the server has answered the subscription.
        self.is_live = False
        # The events that requests must have caused, by kind and user: those of sent requests at most, those of
        # acknowledged ones at least.
        self.sent, self.acknowledged = collections.Counter(), collections.Counter()
        # Those that were acknowledged when it subscribed. Later ones may be told after the reply.
        self.due = collections.Counter()

    @property
    def is_over(self):
        """True if it has no further events."""
        return bool(self.events) and subject(self.events[-1])[0] in ("resultFinal", "cancelled")

    def position(self):
        return {"promiseId": self.promise, **({"epoch": self.epoch, "lastSeq": self.last} if self.epoch else {})}

    def resume(self, reply):
        """Yields a sentence for each violation in the reply to `subscribe`."""
        self.is_live = True
        if self.epoch is None:
            self.epoch, self.last = reply["epoch"], reply.get("seq", 0)
            return
        if reply["epoch"] != self.epoch or "snapshot" in reply:
            yield f"{self.promise} cannot be resumed after event {self.last}"
            self.epoch, self.last = reply["epoch"], reply.get("seq", 0)
            return
        for event in reply.get("missed", []):
            yield from self.take(event)
        if reply.get("seq", 0) != self.last:
            yield f"{self.promise}: event {self.last} is the last one, and not {reply.get('seq', 0)}"
        told = collections.Counter(map(subject, self.events))
        for key, count in list(self.sent.items()):
            if not self.due[key] <= told[key] <= count:
                yield (f"{self.promise}: {told[key]} events {key} after {count} requests, of which "
                       f"{self.due[key]} were acknowledged")

    def take(self, event):
        """Yields a sentence if it is not the next one."""
        if event["seq"] != self.last + 1:
            yield f"{self.promise}: event {event['seq']} follows {self.last}"
        self.last = event["seq"]
        self.events.append(event)


def subject(event):
    """The kind of an event, and the user in it."""
    kind = next(name for name in event if name not in ("promiseId", "seq", "at"))
    return kind, event[kind].get("user", event[kind].get("arrival", {})).get("userId", "")


def content(event):
    """The content of an event that is the same whenever it is told: `edited` shows the promise as it is at the time."""
    return {**event, "edited": {}} if "edited" in event else event


class Follower:
    """A device that follows promises. One thread reads what comes for it; any may ask it to follow another one."""

    what = "events"

    def __init__(self, person):
        self.person, self.streams, self.lock = person, {}, threading.Lock()
        self.ledger, self.peer, self.asked = Ledger(self.what), None, {}

    def follow(self, peer, promise):
        """Follows a promise from now on: it has its epoch when this returns. Asks the server with `peer` meanwhile."""
        with self.lock:
            stream = self.streams.setdefault(promise, Stream(promise))
            if stream.epoch is None and self.peer:
                self._subscribe(self.peer, stream)
        while stream.epoch is None:
            peer.must("syncClock")

    def _subscribe(self, peer, stream):
        peer.next_id += 1
        self.asked[peer.next_id] = stream
        stream.due = collections.Counter(stream.acknowledged)
        peer.send_frame(frame({"id": peer.next_id, "subscribe": stream.position()}))

    def check(self, peer, whole):
        """Resumes everything; what the server refuses is a violation."""
        with self.lock:
            self.asked, self.peer = {}, None
            for stream in self.streams.values():
                stream.is_live = False
                if whole or not stream.is_over:
                    self._subscribe(peer, stream)
            first, self.peer = set(self.asked), peer
            expected = len(first)
        while expected > 0:
            message = peer.receive()
            expected -= message.get("id") in first
            yield from self._take(message)
        if whole:
            yield from self.compare(peer)

    def write(self, peer):
        """Takes the next message."""
        for sentence in self._take(peer.receive()):
            raise RuntimeError(sentence)

    def _take(self, message):
        if "id" in message:
            stream = self.asked.pop(message["id"])
            if "error" in message:
                yield f"{stream.promise}: {message['error']}"
            else:
                yield from stream.resume(message["subscribed"])
        elif message["event"].get("seq"):
            # Some kinds come to every device of a participant, also before it is subscribed: those are in the reply.
            stream = self.streams.get(message["event"]["promiseId"])
            if stream and stream.is_live:
                self.ledger.acknowledged_count += 1
                yield from stream.take(message["event"])

    def compare(self, peer):
        """All events from the first one on are those that were received."""
        for stream in list(self.streams.values()):
            reply = yield from self._reply(peer, {"promiseId": stream.promise, "epoch": stream.epoch, "lastSeq": 0})
            known = {event["seq"]: event for event in stream.events}
            for event in reply.get("missed", []):
                if event["seq"] in known and content(event) != content(known[event["seq"]]):
                    yield f"{stream.promise}: event {event} is now another one than before: {known[event['seq']]}"

    def _reply(self, peer, position):
        peer.next_id += 1
        number = peer.next_id
        peer.send_frame(frame({"id": number, "subscribe": position}))
        while (message := peer.receive()).get("id") != number:
            yield from self._take(message)
        return message["subscribed"]
