"""People who make promises far ahead, edit and cancel them, and join and leave."""

from crashes.writers import PLACE, Writer, pages
from promised.people import instant


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
