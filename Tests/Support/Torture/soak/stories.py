"""The acts of the ordinary clients: meetups of a few minutes, affairs of their own, and friends who fall out."""

import contextlib
import threading
import time
from datetime import datetime

from hostile.contents import TRACK, begin, send
from promised.people import PLACE, instant
from soak.person import Lost

# Settings of the server: the window of a meetup opens after 25 s, and its result is final three minutes later.
SETTINGS = ("window.before=1m", "window.after=2m", "window.settle=5s")


def moment(text):
    return datetime.fromisoformat(text.replace("Z", "+00:00")).timestamp()


class Meetup(threading.Thread):
    """One promise from its creation to its result, with everything that may happen meanwhile."""

    def __init__(self, world, number, random):
        super().__init__(daemon=True, name=f"meetup {number}")
        self.world, self.number, self.random = world, number, random
        self.expect = world.ledger.expect
        people = random.sample(world.people, 8)
        self.owner, self.members, self.outsiders = people[0], people[1:6], people[6:]
        self.promise, self.note, self.statuses = None, "", {}

    def run(self):
        try:
            self._begin()
            while time.time() < self.closes_at and not self.world.is_ending:
                time.sleep(self.random.uniform(0.5, 3))
                self.random.choice([self._edit, self._edit, self._say, self._say, self._pause, self._block, self._remove,
                                    self._leave, self._snoop, self._snoop, self._check_in, self._look])()
            self._look()
            if not self.world.is_ending:
                self._end()
        except Lost:
            pass
        except (RuntimeError, LookupError) as problem:
            self.expect(False, "client", f"{self.name}: {type(problem).__name__} {problem}")

    @property
    def everybody(self):
        return [self.owner, *self.members]

    def _begin(self):
        fields = {"title": f"Meetup {self.number}", "place": PLACE, "meetsAt": instant(85)}
        # The time is part of what the key stands for, so all attempts have the same one.
        reply = self.owner.insist("createPromise", key=f"{self.number} {self.world.seed}", **fields)
        if reply.get("error", {}).get("code") == "promise.too-soon":
            raise Lost
        promise = reply["promise"]["promise"]
        self.promise, self.closes_at = promise["promiseId"], moment(promise["closesAt"])
        self.world.witness.let_in(self.promise, self.owner.name)
        self.world.promises[self.promise] = self
        code = self.owner.insist("createInvite", promiseId=self.promise)["invite"]["code"]
        for member in list(self.members):
            self.world.witness.let_in(self.promise, member.name)
            if "error" in (reply := member.insist("joinByCode", code=code)):
                # Somebody whom the owner blocks just now, in another meetup, finds no promise.
                self.expect(reply["error"]["code"] == "code.invalid", "join", f"{member.name}: {reply['error']}")
                self.members.remove(member)
        for person in self.everybody:
            person.follow(self.promise)

    def _write(self, person, check, request, **fields):
        """Sends a change once; where the connection is lost, `check` tells whether it was made. Returns whether it was."""
        begun = time.monotonic()
        while True:
            try:
                reply = person.call(request, **fields)
            except Lost:
                return check()
            self.world.ledger.took(time.monotonic() - begun, True)
            code = reply.get("error", {}).get("code")
            if code not in ("limit.rate", "server.unavailable"):
                return not code or check()
            time.sleep(0.3)

    def _version(self):
        return self.owner.insist("getPromise", promiseId=self.promise)["promise"]["promise"]

    def _edit(self):
        """The owner changes the note; acknowledged or not, it is one of the two, and then stays."""
        old, new = self.note, f"note {self.random.random()}"
        shown = self._version()
        self.expect(shown.get("note", "") == old, "write", f"the note of {self.promise} is {shown.get('note')}, not {old}")
        self._write(self.owner, lambda: self._version().get("note") == new, "updatePromise", promiseId=self.promise,
                    version=shown["version"], note=new)
        self.note = self._version().get("note", "")
        self.expect(self.note in (old, new), "write", f"the note of {self.promise} is {self.note}")

    def _say(self):
        person, text = self.random.choice(self.everybody), f"status {self.random.random()}"
        begun = time.monotonic()
        reply = person.insist("setStatus", promiseId=self.promise, text=text)
        self.world.ledger.took(time.monotonic() - begun, True)
        if "error" not in reply:
            self.statuses[person.name] = text

    def _look(self):
        """Everything that was acknowledged shows to somebody."""
        shown = self.random.choice(self.everybody)
        begun = time.monotonic()
        reply = shown.insist("getPromise", promiseId=self.promise)
        self.world.ledger.took(time.monotonic() - begun, False)
        if "error" in reply:
            self.expect(False, "write", f"{shown.name} no longer sees {self.promise}: {reply['error']['code']}")
            return
        promise = reply["promise"]["promise"]
        self.expect(promise.get("note", "") == self.note, "write", f"the note of {self.promise} is {promise.get('note')}")
        found = {each["user"]["nickname"]: each.get("statusText", "") for each in promise["participants"]}
        hidden = self.world.blocked(shown.name, begun)
        for name, text in self.statuses.items():
            if name in found and name not in hidden:
                self.expect(found[name] == text, "write", f"the status of {name} is {found[name]}, not {text}")
        names = {person.name for person in self.everybody}
        self.expect(names <= set(found), "write", f"{names - set(found)} are no longer in {self.promise}")

    def _pause(self):
        person, witness = self.random.choice(self.members or [self.owner]), self.world.witness
        person.insist("setSharing", promiseId=self.promise, on=False)
        witness.ban(None, person.name, self.promise, person.seq + 1)
        time.sleep(self.random.uniform(2, 8))
        witness.lift(None, person.name, self.promise)
        person.insist("setSharing", promiseId=self.promise, on=True)

    def _block(self):
        if len(self.members) < 2:
            return
        one, other = self.random.sample(self.members, 2)
        with self.world.blocking(one.name, other.name) as is_free:
            if not is_free:
                return
            witness = self.world.witness
            one.insist("blockUser", userId=other.user)
            witness.ban(one.name, other.name, None, other.seq + 1)
            witness.ban(other.name, one.name, None, one.seq + 1)
            time.sleep(self.random.uniform(2, 10))
            witness.lift(one.name, other.name, None)
            witness.lift(other.name, one.name, None)
            one.insist("unblockUser", userId=other.user)

    def _remove(self):
        """The owner removes somebody, at most two."""
        if len(self.members) < 4:
            return
        person, shown = self.random.choice(self.members), self._version()

        def is_gone():
            return person.name not in {each["user"]["nickname"] for each in self._version()["participants"]}

        if self._write(self.owner, is_gone, "updatePromise", promiseId=self.promise, version=shown["version"],
                       remove=[person.user]):
            self._shut_out(person)

    def _leave(self):
        if len(self.members) < 4:
            return
        person = self.random.choice(self.members)
        reply = person.insist("leavePromise", promiseId=self.promise)
        # Repeated after a lost answer, the promise is one of others.
        if reply.get("error", {}).get("code") in (None, "promise.not-found", "promise.not-accepted", "promise.closed"):
            if "error" not in reply or reply["error"]["code"] != "promise.closed":
                self._shut_out(person)

    def _shut_out(self, person):
        self.members.remove(person)
        self.statuses.pop(person.name, None)
        self.world.witness.shut_out(self.promise, person.name, person.seq + 1)
        self.outsiders.append(person)

    def _snoop(self):
        """Somebody who is not in the promise, or no longer, asks for it."""
        person = self.random.choice(self.outsiders)
        name, fields = self.random.choice([("subscribe", {}), ("getPromise", {}), ("getResult", {}), ("getCheckInCode", {}),
                                           ("explainArrival", {"userId": self.owner.user})])
        with contextlib.suppress(Lost):
            reply = person.call(name, promiseId=self.promise, **fields)
            code = reply.get("error", {}).get("code")
            allowed = ("promise.not-found", "limit.rate", "server.unavailable")
            # Somebody who left during the window is in the result, and sees the promise without live data.
            if person.name in {each.name for each in self.world.once_in(self.promise)}:
                allowed += ("promise.not-accepted", "promise.not-owner", "result.not-final")
                allowed += (None,) if name == "getPromise" else ()
            self.expect(code in allowed, "secret", f"{name} of {person.name}: {code}")

    def _check_in(self):
        with contextlib.suppress(Lost):
            self.random.choice(self.everybody).call("checkIn", promiseId=self.promise)

    def _end(self):
        """The result comes to all, once, and is the same for all."""
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline and not self.world.is_ending:
            if all(any(kind == "resultFinal" for _, kind in person.follows[self.promise].log) for person in self.everybody):
                break
            time.sleep(0.5)
        if self.world.is_ending:
            return
        for person in self.everybody:
            kinds = [kind for _, kind in person.follows[self.promise].log]
            self.expect(kinds.count("resultFinal") == 1, "event",
                        f"{person.name} heard the result of {self.promise} {kinds.count('resultFinal')} times")
            self.world.remember_result(self.promise, result_of(person, self.promise))


def result_of(person, promise):
    """The rows of a result without the cards, which change."""
    rows = person.insist("getResult", promiseId=promise)["result"]["rows"]
    return sorted((row["user"]["userId"], row.get("outcome"), row.get("creditedAt"), row.get("rank", 0)) for row in rows)


class Affairs(threading.Thread):
    """The belongings of one person: visits, a folder, an avatar, files. Each is read back, now and at the end."""

    def __init__(self, world, person, random):
        super().__init__(daemon=True, name=f"affairs of {person.name}")
        self.world, self.person, self.random = world, person, random
        self.expect = world.ledger.expect
        # By id: version and title; None where it was deleted.
        self.visits, self.avatar, self.files, self.number = {}, "", {}, 0

    def run(self):
        try:
            while not self.world.is_ending:
                time.sleep(self.random.uniform(0.5, 3))
                self.random.choice([self._create, self._change, self._change, self._delete, self._dress, self._upload,
                                    self._read, self._read])()
        except Lost:
            pass
        except (RuntimeError, LookupError) as problem:
            self.expect(False, "client", f"{self.name}: {type(problem).__name__} {problem}")

    def _timed(self, request, **fields):
        begun = time.monotonic()
        lives = self.person.lives
        reply = self.person.insist(request, **fields)
        if self.person.lives == lives:
            self.world.ledger.took(time.monotonic() - begun, request not in ("getVisit", "getMe"))
        return reply

    def _create(self):
        self.number += 1
        title = f"visit {self.number}"
        if sum(1 for found in self.visits.values() if found) < 40:
            visit = self._timed("createVisit", key=f"visit {self.number}", place=PLACE, visitedAt="2026-11-01T10:00:00Z",
                                title=title)["visit"]
            self.visits[visit["visitId"]] = visit["version"], title

    def _some(self):
        kept = [visit for visit, found in self.visits.items() if found]
        return self.random.choice(kept) if kept else None

    def _change(self):
        if not (visit := self._some()):
            return
        version, old = self.visits[visit]
        new = f"changed {self.random.random()}"
        try:
            self.person.call("updateVisit", visitId=visit, version=version, title=new)
            # Acknowledged or refused as too fast: which, the reading shows below.
        except Lost:
            pass
        shown = self._timed("getVisit", visitId=visit)["visit"]
        self.expect(shown["title"] in (old, new), "write", f"a visit of {self.person.name} is called {shown['title']}")
        self.visits[visit] = shown["version"], shown["title"]

    def _delete(self):
        if len(self.visits) > 5 and (visit := self._some()):
            reply = self._timed("deleteVisit", visitId=visit)
            self.expect(reply.get("error", {}).get("code") in (None, "visit.not-found"), "write", f"deleting: {reply}")
            self.visits[visit] = None

    def _dress(self):
        avatar = f"avatar{self.random.randrange(10**6)}"
        if "me" in self._timed("updateMe", avatar=avatar):
            self.avatar = avatar

    def _upload(self):
        if len(self.files) >= 10:
            return
        data, person = TRACK.replace(b"-0.12", f"-0.{self.random.randrange(100, 999)}".encode()), Asking(self.person)
        with contextlib.suppress(Lost):
            reply = begin(person, "TRACK", data, f"track {self.number} {len(self.files)}")
            if "upload" in reply:
                file = send(person, reply["upload"], data).get("upload", {}).get("file")
                if file:
                    self.files[file["fileId"]] = file["sha256"]

    def _read(self):
        self.check(self.random.sample(list(self.visits), min(3, len(self.visits))))

    def check(self, visits=None):
        """Compares what the server has with what it acknowledged."""
        for visit in self.visits if visits is None else visits:
            reply, found = self._timed("getVisit", visitId=visit), self.visits[visit]
            shown = (reply["visit"]["version"], reply["visit"]["title"]) if "visit" in reply else None
            self.expect(shown == found, "write", f"a visit of {self.person.name} is {shown}, not {found}")
        shown = self._timed("getMe")["me"]["user"].get("avatar", "")
        self.expect(shown == self.avatar, "write", f"the avatar of {self.person.name} is {shown}, not {self.avatar}")
        for file, digest in self.files.items():
            code = self.person.insist("readFile", fileId=file, limit=100).get("error", {}).get("code")
            self.expect(code is None, "write", f"a file of {self.person.name} ({digest[:8]}) is {code}")


class Asking:
    """A person as the functions for uploads see a connection."""

    def __init__(self, person):
        self.ask = person.call


class Fallings(threading.Thread):
    """Two friends of whom one shows the other a visit and a way, ends the friendship, and begins it again."""

    def __init__(self, world, one, other, random):
        super().__init__(daemon=True, name=f"{one.name} and {other.name}")
        self.world, self.one, self.other, self.random = world, one, other, random
        self.visit = self.course = None

    def run(self):
        try:
            self._begin()
            while not self.world.is_ending:
                self._befriend()
                self._look(True)
                time.sleep(self.random.uniform(1, 5))
                end = self.random.choice(["removeFriend", "blockUser"])
                self.one.insist(end, userId=self.other.user)
                time.sleep(self.random.uniform(0, 2))
                self._look(False)
                if end == "blockUser":
                    self.one.insist("unblockUser", userId=self.other.user)
        except Lost:
            pass
        except (RuntimeError, LookupError) as problem:
            self.world.ledger.expect(False, "client", f"{self.name}: {type(problem).__name__} {problem}")

    def _begin(self):
        self.visit = self.one.insist("createVisit", key="shared visit", place=PLACE, visitedAt="2026-11-01T10:00:00Z",
                                     title="Shared", audience="FRIENDS")["visit"]["visitId"]
        while not self.course:
            with contextlib.suppress(Lost):
                reply = begin(Asking(self.one), "TRACK", TRACK, "shared track")
                # An upload that was complete before the answer was lost has its file.
                if "upload" in reply and "file" not in reply["upload"]:
                    reply = send(Asking(self.one), reply["upload"], TRACK)
                if "upload" not in reply:
                    raise RuntimeError(f"upload: {reply}")
                file = reply["upload"]["file"]["fileId"]
                found = self.one.insist("importCourse", key="shared course", fileId=file)["courses"]["courses"]
                self.course = found[0]["courseId"]
        self.one.insist("shareCourse", courseId=self.course, audience="FRIENDS", hideMetres=0)

    def _befriend(self):
        self.one.insist("requestFriend", userId=self.other.user)
        reply = self.other.insist("acceptFriend", userId=self.one.user)
        code = reply.get("error", {}).get("code")
        self.world.ledger.expect(code in (None, "friend.already", "friend.no-request"), "friend", f"{self.name}: {code}")

    def _look(self, is_friend):
        for request, field, value in (("getVisit", "visitId", self.visit), ("getCourse", "courseId", self.course),
                                      ("getTrack", "courseId", self.course)):
            code = self.other.insist(request, **{field: value}).get("error", {}).get("code")
            expected = None if is_friend else "course.not-found" if "Course" in request or "Track" in request else \
                "visit.not-found"
            self.world.ledger.expect(code == expected, "friend", f"{request} of {self.name}, friends {is_friend}: {code}")
