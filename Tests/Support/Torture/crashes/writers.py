"""Clients that write as fast as they are answered, and know what was acknowledged.

Each has an account of its own. `write` makes one step, and may break off anywhere because the server dies; `check` looks
at everything that the client has, and yields a sentence for each violation. Whatever a step has begun and not finished is
asked again with the same key, as a phone would do.
"""

import base64
import hashlib

from crashes.ledger import Ledger
from promised.people import instant
from promised.pictures import stuffed

PLACE = {"name": "Pier", "latitude": 37.5, "longitude": 127.0}


def pages(peer, request, field, **fields):
    """All items of a list, over all its pages."""
    cursor, items = "", []
    while True:
        page = peer.must(request, limit=50, **fields, **({"cursor": cursor} if cursor else {}))[field]
        items += page.get(field, [])
        cursor = page.get("cursor", "")
        if not cursor:
            return items


class Writer:
    """A client of one person."""

    # The requests whose effects it checks.
    what = ""
    # The state of a new thing.
    first = True
    # From so many things on it removes the oldest before it makes the next.
    kept = 40

    def __init__(self, person):
        self.person, self.ledger, self.turn = person, Ledger(self.what), 0
        self.ids = {}  # of the things, by their keys

    def next_key(self):
        """The key of the next thing: that of a request without a reply, or a new one."""
        if self.ledger.unanswered:
            return self.ledger.unanswered.pop()
        self.turn += 1
        return f"{self.what} {self.turn}"

    @property
    def oldest(self):
        """The key of the thing to remove now; None while there are few."""
        known = self.ledger.known
        return min(known, key=lambda key: int(key.rsplit(" ", 1)[1])) if len(known) >= self.kept else None

    def made(self, peer, key, request, field, **fields):
        """Makes a thing of a key, and returns it. Of an earlier request with this key, it may be there."""
        self.ledger.ask(key, self.ledger.known.get(key, self.first))
        thing = peer.must(request, key=key, **fields)[field]
        self.ids[key] = thing[f"{field}Id"]
        self.ledger.acknowledge(key)
        return thing

    def removed(self, peer, key, request, name):
        self.ledger.ask(key, None)
        peer.must(request, **{name: self.ids[key]})
        self.ledger.acknowledge(key)


class Profile(Writer):
    """Changes an avatar."""

    what = "avatar"

    def write(self, peer):
        self.turn += 1
        self.ledger.ask("avatar", f"face {self.turn}")
        peer.must("updateMe", avatar=f"face {self.turn}")
        self.ledger.acknowledge("avatar")

    def check(self, peer, whole):
        yield from self.ledger.settle([("avatar", peer.must("getMe")["me"]["user"].get("avatar"))])


class Favourites(Writer):
    """Adds and removes favourites."""

    what = "favourite"

    def write(self, peer):
        if key := self.oldest:
            self.removed(peer, key, "removeFavourite", "favouriteId")
        else:
            key = self.next_key()
            self.made(peer, key, "addFavourite", "favourite", place=PLACE, label=key)

    def check(self, peer, whole):
        found = pages(peer, "listFavourites", "favourites")
        self.ids.update((each["label"], each["favouriteId"]) for each in found)
        yield from self.ledger.settle([(each["label"], True) for each in found])


class Visits(Writer):
    """Makes visits by hand, changes and deletes them."""

    what = "visit"
    first = ""  # the memo

    def __init__(self, person):
        super().__init__(person)
        self.visited_at = instant(-3_600)

    def write(self, peer):
        if key := self.oldest:
            self.removed(peer, key, "deleteVisit", "visitId")
            return
        key = self.next_key()
        visit = self.made(peer, key, "createVisit", "visit", place=PLACE, title=key, visitedAt=self.visited_at)
        self.ledger.ask(key, f"memo of {key}")
        peer.must("updateVisit", visitId=visit["visitId"], version=visit["version"], memo=f"memo of {key}")
        self.ledger.acknowledge(key)

    def check(self, peer, whole):
        found = pages(peer, "listVisits", "visits")
        self.ids.update((each["title"], each["visitId"]) for each in found)
        yield from self.ledger.settle([(each["title"], each.get("memo", "")) for each in found])


class Courses(Writer):
    """Records a way, point by point, and makes a course of it."""

    what = "course"
    kept = 12
    BATCH, BATCHES = 20, 3

    def __init__(self, person):
        super().__init__(person)
        self.points = Ledger("the number of points of recording")
        self.open = None  # the key of the recording under way

    def write(self, peer):
        if key := self.oldest:
            self.removed(peer, key, "deleteCourse", "courseId")
            return
        if self.open is None:
            self.open = self.next_key()
        recording = peer.must("startRecording", key=self.open, activity="WALK", title=self.open)["recording"]
        for batch in range(recording.get("points", 0) // self.BATCH, self.BATCHES):
            self.points.ask(self.open, (batch + 1) * self.BATCH)
            peer.must("appendRecording", recordingId=recording["recordingId"], points=self.batch(batch), sentAt=instant(0))
            self.points.acknowledge(self.open)
        self.ledger.ask(self.open, self.BATCH * self.BATCHES)
        course = peer.must("finishRecording", recordingId=recording["recordingId"])["course"]
        self.ids[self.open] = course["courseId"]
        self.ledger.acknowledge(self.open)
        self.begin_anew()

    def begin_anew(self):
        self.open, self.points = None, Ledger(self.points.what)

    def batch(self, number):
        """Points on the way north, 7 m and 5 s from one another; the last one is now."""
        last = self.BATCH * self.BATCHES
        return [{"seq": seq, "latitude": 37.5 + seq * 7 / 111_195, "longitude": 127.0, "accuracyMetres": 5,
                 "recordedAt": instant((seq - last) * 5)}
                for seq in range(number * self.BATCH + 1, (number + 1) * self.BATCH + 1)]

    def check(self, peer, whole):
        courses = pages(peer, "listCourses", "courses", list="MINE")
        recordings = peer.must("listRecordings")["recordings"].get("recordings", [])
        self.ids.update((each["title"], each["courseId"]) for each in courses)
        yield from self.ledger.settle([(each["title"], each["statistics"]["points"]) for each in courses])
        if self.open in self.ledger.known:
            self.begin_anew()
        # The open one is asked for again in any case.
        self.ledger.unanswered.clear()
        yield from self.points.settle([(each["title"], each["points"]) for each in recordings if each.get("points")])


class Uploads(Writer):
    """Uploads tracks of three chunks."""

    what = "track"
    kind = "TRACK"
    CHUNK = 2_000

    def __init__(self, person, loses_power=False):
        super().__init__(person)
        # Chunks are not synced, so that an upload may start over once after a loss of power.
        self.loses_power = loses_power

    def write(self, peer):
        key = self.next_key()
        self.ledger.ask(key, hashlib.sha256(self.content(key)).hexdigest())
        self.ids[key] = self.uploaded(peer, key)
        self.ledger.acknowledge(key)

    def uploaded(self, peer, key):
        """The id of the file of a key."""
        try:
            return self.attempt(peer, key)
        except RuntimeError as problem:
            if not self.loses_power or "file.mismatch" not in str(problem):
                raise
            return self.attempt(peer, key)

    def attempt(self, peer, key):
        """Uploads what the server has not; returns the id of the file."""
        data = self.content(key)
        upload = peer.must("beginUpload", key=key, kind=self.kind, bytes=len(data),
                           sha256=hashlib.sha256(data).hexdigest())["upload"]
        while "file" not in upload:
            offset = int(upload.get("offset", 0))
            upload = peer.must("putChunk", uploadId=upload["uploadId"], offset=offset,
                               data=base64.b64encode(data[offset:offset + self.CHUNK]).decode())["upload"]
        return upload["file"]["fileId"]

    def next_key(self):
        # No list tells of uploads: one without a reply is asked for until it has become a file.
        return next(iter(self.ledger.asked), None) or super().next_key()

    def content(self, key):
        text = f"<gpx><!-- {key} {'.' * 20} -->"
        return (text + "x" * (self.CHUNK * 3 - 100 - len(text)) + "</gpx>").encode()

    def check(self, peer, whole):
        keys = [key for key in self.ledger.known if whole or int(key.rsplit(" ", 1)[1]) > self.turn - 20]
        found = [(key, digest(peer, self.ids[key])) for key in keys]
        yield from self.ledger.settle(found, only=keys)


class Photos(Uploads):
    """Makes visits with a photo each, and deletes them."""

    what = "photo"
    kind = "PHOTO"
    kept = 20

    def __init__(self, person, loses_power=False):
        super().__init__(person, loses_power)
        self.visited_at = instant(-3_600)

    def write(self, peer):
        if key := self.oldest:
            self.removed(peer, key, "deleteVisit", "visitId")
            return
        key = self.next_key()
        self.ledger.ask(key, hashlib.sha256(self.content(key)).hexdigest())
        visit = peer.must("createVisit", key=f"visit of {key}", place=PLACE, title=key, visitedAt=self.visited_at,
                          photos=[{"fileId": self.uploaded(peer, key), "caption": key}])["visit"]
        self.ids[key] = visit["visitId"]
        self.ledger.acknowledge(key)

    def next_key(self):
        return Writer.next_key(self)

    def content(self, key):
        # Nothing of it is metadata, which the server would remove.
        return stuffed(self.CHUNK * 3 - 100, hashlib.sha256(key.encode()).digest().replace(b"\xff", b"\0"))

    def check(self, peer, whole):
        found = pages(peer, "listVisits", "visits")
        self.ids.update((each["title"], each["visitId"]) for each in found)
        yield from self.ledger.settle([(each["title"], digest(peer, each["photos"][0]["photoId"])) for each in found])


def digest(peer, file):
    """The digest of the bytes of a file; a sentence if it cannot be read."""
    try:
        chunk = peer.must("readFile", fileId=file, limit=65_536)["fileChunk"]
    except RuntimeError as problem:
        return str(problem)
    return hashlib.sha256(base64.b64decode(chunk["data"])).hexdigest()


class Friends(Writer):
    """Asks somebody for friendship, and withdraws it."""

    what = "friend request"

    def __init__(self, person, other):
        super().__init__(person)
        self.other = other

    def write(self, peer):
        state = None if self.ledger.known.get(self.other.id) else True
        self.ledger.ask(self.other.id, state)
        peer.must("requestFriend" if state else "cancelFriendRequest", userId=self.other.id)
        self.ledger.acknowledge(self.other.id)

    def check(self, peer, whole):
        requests = peer.must("listFriendRequests")["friendRequests"].get("outgoing", [])
        yield from self.ledger.settle([(each["userId"], True) for each in requests])


