"""People who make meetups, come to them, and report positions on the way."""

import collections
import time

from crashes.ledger import Ledger
from crashes.writers import PLACE, Writer, pages
from promised.people import instant

# Seconds from the creation of a meetup to its meeting time; its window opens a minute before.
AHEAD = 66


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
