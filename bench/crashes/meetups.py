"""People who make promises, edit, join, leave and arrive, and the devices that follow the durable events."""

import collections
import threading
import time

from crashes.ledger import Ledger
from crashes.writers import PLACE, Writer, pages
from hostile.peer import frame
from hostile.trial import instant

# Seconds from the creation of a meetup to its meeting time; its window opens a minute before.
AHEAD = 66


class Stream:
    """The durable events of one promise, as one device has received them over all lives of the server."""

    def __init__(self, promise):
        self.promise, self.epoch, self.last, self.events = promise, None, 0, []
        # True once this life of the server has answered the subscription.
        self.is_live = False
        # What requests must have told, by the kind of the event and the user in it: those that were sent at most, those
        # that were acknowledged at least.
        self.sent, self.acknowledged = collections.Counter(), collections.Counter()

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
        for key, count in self.sent.items():
            if not self.acknowledged[key] <= told[key] <= count:
                yield (f"{self.promise}: {told[key]} events {key} after {count} requests, of which "
                       f"{self.acknowledged[key]} were acknowledged")

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


class Owner(Writer):
    """Makes promises, edits each so often, and cancels it."""

    what = "promise"
    EDITS = 60

    def __init__(self, person, follower):
        super().__init__(person)
        self.follower = follower
        self.current = self.code = None  # the key of the one that is edited, and the code that lets others join
        self.meets_at, self.edits = instant(86_400), 0

    def write(self, peer):
        if self.current is None:
            key = self.next_key()
            promise = self.make(peer, key)
            code = peer.must("createInvite", promiseId=promise["promiseId"])["invite"]["code"]
            self.follower.follow(peer, promise["promiseId"])
            self.current, self.code, self.edits = key, code, 0
            return
        promise = self.ids[self.current]
        if self.edits == self.EDITS:
            self.code = None
            self.change(peer, "CANCELLED", ("cancelled", ""), "cancelPromise", reason="Enough")
            self.current = None
            return
        self.edits += 1
        title = f"{self.current} edit {self.edits}"
        version = peer.must("getPromise", promiseId=promise)["promise"]["promise"]["version"]
        self.change(peer, title, ("edited", ""), "updatePromise", version=version, title=title)

    def change(self, peer, state, event, request, **fields):
        promise = self.ids[self.current]
        stream = self.follower.streams[promise]
        self.ledger.ask(self.current, state)
        stream.sent[event] += 1
        peer.must(request, promiseId=promise, **fields)
        stream.acknowledged[event] += 1
        self.ledger.acknowledge(self.current)

    def make(self, peer, key):
        self.ledger.ask(key, self.ledger.known.get(key, key))
        promise = peer.must("createPromise", key=key, title=key, place=PLACE, meetsAt=self.meets_at)["promise"]["promise"]
        self.ids[key] = promise["promiseId"]
        self.ledger.acknowledge(key)
        return promise

    def check(self, peer, whole):
        found = [(each["title"].split(" edit ")[0], each["title"], each["promiseId"])
                 for each in pages(peer, "listPromises", "promises", list="UPCOMING")]
        self.ids.update((key, promise) for key, _, promise in found)
        gone = [(key, "CANCELLED") for key in {*self.ledger.known, *self.ledger.asked} - {key for key, _, _ in found}
                if key in self.ids and self.status(peer, self.ids[key]) == "CANCELLED"]
        yield from self.ledger.settle([*((key, title) for key, title, _ in found), *gone])
        if self.current is not None:
            # An edit or its end had no reply; only the creation is asked for again.
            self.ledger.unanswered.clear()
        for key, state in list(self.ledger.known.items()):
            if state == "CANCELLED":
                self.current = None if key == self.current else self.current
                del self.ledger.known[key]

    @staticmethod
    def status(peer, promise):
        return peer.must("getPromise", promiseId=promise)["promise"]["promise"]["status"]


class Member(Writer):
    """Joins the owner's promise, leaves it, and joins again."""

    what = "membership of"

    def __init__(self, person, owner):
        super().__init__(person)
        self.owner, self.promise = owner, None

    def write(self, peer):
        code = self.owner.code
        if code is None or self.owner.current is None:
            peer.must("getMe")
            return
        self.promise = promise = self.owner.ids[self.owner.current]
        joins = self.ledger.known.get(promise) is None
        self.ledger.ask(promise, "ACCEPTED" if joins else None)
        request = {"code": code} if joins else {"promiseId": promise}
        stream, event = self.owner.follower.streams[promise], ("joined" if joins else "left", self.person.id)
        stream.sent[event] += 1
        reply = peer.ask("joinByCode" if joins else "leavePromise", **request)
        if "error" in reply:
            # The owner may just have cancelled it.
            if reply["error"]["code"] not in ("promise.closed", "code.invalid", "promise.not-found"):
                raise RuntimeError(f"{'join' if joins else 'leave'}: {reply['error']}")
            stream.sent[event] -= 1
            self.ledger.forget(promise)
            return
        stream.acknowledged[event] += 1
        self.ledger.acknowledge(promise)

    def check(self, peer, whole):
        if self.promise is None:
            return
        reply = peer.ask("getPromise", promiseId=self.promise)
        membership = None
        if "error" not in reply:
            mine = [each for each in reply["promise"]["promise"]["participants"]
                    if each["user"]["userId"] == self.person.id]
            membership = mine[0]["membership"] if mine and mine[0]["membership"] == "ACCEPTED" else None
        yield from self.ledger.settle([(self.promise, membership)], only=[self.promise])


class Host(Writer):
    """Makes a meetup every few seconds."""

    what = "meetup"
    EVERY = 4.0

    def __init__(self, person, follower):
        super().__init__(person)
        self.follower, self.meetups, self.next = follower, [], 0.0
        self.times = {}  # the meeting times that were asked for, by key

    def write(self, peer):
        if time.monotonic() < self.next:
            peer.must("syncClock")
            return
        self.next = time.monotonic() + self.EVERY
        key = self.next_key()
        meets_at = self.times.setdefault(key, time.time() + AHEAD)
        if meets_at < time.time() + 61:
            return  # too late to ask for it again
        self.ledger.ask(key, True)
        promise = peer.must("createPromise", key=key, title=key, place=PLACE,
                            meetsAt=instant(meets_at - time.time()))["promise"]["promise"]
        self.ledger.acknowledge(key)
        code = peer.must("createInvite", promiseId=promise["promiseId"])["invite"]["code"]
        self.follower.follow(peer, promise["promiseId"])
        self.meetups.append(Meetup(promise["promiseId"], code, meets_at))

    def check(self, peer, whole):
        # One may begin or end between two of the lists, and so be in both.
        found = {each["promiseId"]: each["title"] for list in ("UPCOMING", "TRACKING", "PAST")
                 for each in pages(peer, "listPromises", "promises", list=list)}
        yield from self.ledger.settle([(title, True) for title in found.values()])


class Meetup:
    """A meetup that guests can come to."""

    def __init__(self, promise, code, meets_at):
        self.promise, self.code, self.meets_at = promise, code, meets_at

    @property
    def is_open(self):
        """True while the window is open, but for its last seconds."""
        return self.meets_at - 59.5 < time.time() < self.meets_at + 50

    @property
    def is_final(self):
        """True once there must be a result."""
        return time.time() > self.meets_at + 85


class Guest(Writer):
    """Joins each meetup, reports positions, and checks in."""

    what = "arrival at"

    def __init__(self, person, host):
        super().__init__(person)
        self.host, self.memberships, self.seq, self.index = host, Ledger("membership of"), 0, 0

    def write(self, peer):
        if self.index < len(self.host.meetups):
            meetup = self.host.meetups[self.index]
            if meetup.promise not in self.memberships.known:
                self.join(peer, meetup)
                return
            if meetup.is_open and meetup.promise not in self.ledger.known:
                self.arrive(peer, meetup)
            if meetup.is_open or time.time() > meetup.meets_at:
                self.index += 1
                return
        peer.must("syncClock")

    def join(self, peer, meetup):
        if time.time() > meetup.meets_at:
            self.index += 1
            return
        self.memberships.ask(meetup.promise, "ACCEPTED")
        self.tell(peer, meetup, "joined", "joinByCode", code=meetup.code)
        self.memberships.acknowledge(meetup.promise)
        self.ledger.acknowledged_count += 1

    def arrive(self, peer, meetup):
        self.seq += 1
        here = {"seq": self.seq, "latitude": PLACE["latitude"], "longitude": PLACE["longitude"], "accuracyMetres": 5,
                "recordedAt": instant(0)}
        peer.must("report", promiseId=meetup.promise, fixes=[here], sentAt=instant(0))
        self.ledger.ask(meetup.promise, True)
        self.tell(peer, meetup, "arrived", "checkIn", promiseId=meetup.promise)
        self.ledger.acknowledge(meetup.promise)

    def tell(self, peer, meetup, kind, request, **fields):
        """A request after which there is one event in any case, however often it is made."""
        stream, event = self.host.follower.streams[meetup.promise], (kind, self.person.id)
        stream.sent[event] = 1
        peer.must(request, **fields)
        stream.acknowledged[event] = 1

    def check(self, peer, whole):
        kept = [each.promise for each in self.host.meetups if whole or not each.is_final]
        participants = {promise: self.part(peer, promise) for promise in kept}
        yield from self.memberships.settle(
            [(promise, part["membership"]) for promise, part in participants.items() if part], only=kept)
        yield from self.ledger.settle(
            [(promise, True) for promise, part in participants.items() if part and "arrival" in part], only=kept)
        if whole:
            yield from self.check_results(peer)

    def part(self, peer, promise):
        """Its part in a promise; None if it has none."""
        reply = peer.ask("getPromise", promiseId=promise)
        people = reply["promise"]["promise"]["participants"] if "error" not in reply else []
        return next((each for each in people if each["user"]["userId"] == self.person.id), None)

    def check_results(self, peer):
        """Each final meetup to which it came has one row of it in the result, and made one visit."""
        visits = collections.Counter(each.get("promiseId") for each in pages(peer, "listVisits", "visits"))
        final = [each.promise for each in self.host.meetups if each.is_final and each.promise in self.ledger.known]
        for promise in final:
            rows = peer.must("getResult", promiseId=promise)["result"]["rows"]
            mine = [row for row in rows if row["user"]["userId"] == self.person.id]
            if len(mine) != 1 or mine[0]["outcome"] not in ("EARLY", "ON_TIME"):
                yield f"the result of {promise} has {mine} instead of one arrival"
            if visits[promise] != 1:
                yield f"{promise} has made {visits[promise]} visits"


class Walker(Writer):
    """Reports positions as fast as they are taken, and writes nothing that lasts."""

    what = "position"

    def __init__(self, person, host):
        super().__init__(person)
        self.host, self.joined, self.seq, self.next = host, set(), 0, 0.0

    def write(self, peer):
        meetup = next((each for each in reversed(self.host.meetups) if each.is_open), None)
        if meetup is None or time.monotonic() < self.next:
            peer.must("syncClock")
            return
        self.next = time.monotonic() + 0.1
        if meetup.promise not in self.joined:
            peer.must("joinByCode", code=meetup.code)
            self.joined.add(meetup.promise)
        self.seq += 1
        fix = {"seq": self.seq, "latitude": PLACE["latitude"] + 0.01 + self.seq % 50 * 1e-6, "longitude": 127.0,
               "accuracyMetres": 8, "recordedAt": instant(0)}
        peer.must("report", promiseId=meetup.promise, fixes=[fix], sentAt=instant(0))

    def check(self, peer, whole):
        return ()
