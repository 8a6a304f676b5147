"""The ordinary clients' knowledge, and hence the data that the server must keep, tell and hide."""

import collections
import threading
import time

# Positions that were sent before somebody was shut out may still be on their way for so long, in seconds.
ON_ITS_WAY = 5


class Ledger:
    """Violations by kind, and counts of what was looked at."""

    def __init__(self):
        self.violations, self.counts = [], collections.Counter()
        self.reads, self.writes = [], []
        self._lock = threading.Lock()

    def expect(self, holds, kind, text):
        """Counts a look of this kind, and notes a violation unless it holds."""
        with self._lock:
            self.counts[kind] += 1
            if not holds:
                self.violations.append(f"{kind}: {text}")
                print(f"VIOLATION {self.violations[-1]}", flush=True)

    def took(self, seconds, is_write):
        with self._lock:
            (self.writes if is_write else self.reads).append(seconds)


class Witness:
    """The permissions to see positions, by viewer, subject and promise."""

    def __init__(self, ledger):
        self.ledger = ledger
        self._lock = threading.Lock()
        self._members = collections.defaultdict(set)
        # (viewer or None for all others, subject, promise or None for all): the first number of a position that the
        # viewer must not see, and since when.
        self._bans = {}

    def let_in(self, promise, name):
        """From now on somebody may be a participant; told before they ask to be one."""
        with self._lock:
            self._members[promise].add(name)

    def ban(self, viewer, subject, promise, first):
        """The server has acknowledged that the viewer sees nothing of the subject; `first` was not yet reported then."""
        with self._lock:
            self._bans[viewer, subject, promise] = first, time.monotonic()

    def lift(self, viewer, subject, promise):
        """Told before the server is asked to show positions again."""
        with self._lock:
            self._bans.pop((viewer, subject, promise), None)

    def shut_out(self, promise, name, first):
        """The server has acknowledged that somebody is in a promise no longer."""
        self.ban(name, None, promise, 0)
        self.ban(None, name, promise, first)

    def seen(self, viewer, subject, promise, number, asked=None):
        """A viewer has received a position; `asked`: when they sent the request that it answers."""
        with self._lock:
            is_member = viewer in self._members[promise]
            keys = [(one, two, where) for one in (viewer, None) for two in (subject, None) for where in (promise, None)]
            found = [self._bans[key] for key in keys if key in self._bans] if viewer != subject else []
            if viewer == subject and (viewer, None, promise) in self._bans:
                found = [self._bans[viewer, None, promise]]
        now = time.monotonic()
        # A position that was reported after the ban, or is in an answer to a later request, or comes much too late.
        broken = any((number >= first and first) or (asked or now - ON_ITS_WAY) > since for first, since in found)
        self.ledger.expect(is_member and not broken, "position", f"{viewer} received number {number} of {subject}")


class Follow:
    """The durable events of a promise as one subscriber receives them, over all connections."""

    def __init__(self, person, promise, ledger):
        self.person, self.promise, self.ledger = person, promise, ledger
        self.epoch, self.last, self.log, self.is_over = None, 0, [], False
        # The connection whose subscription is confirmed.
        self.connection = None

    def resume(self):
        known = {"epoch": self.epoch, "lastSeq": self.last} if self.epoch else {}
        return {"promiseId": self.promise, **known}

    def resumed(self, reply, connection):
        """The reply to a subscription: the events missed, or at first a snapshot."""
        self.connection = connection
        where = f"{self.person} in {self.promise}"
        if self.epoch is None:
            self.epoch, self.last = reply["epoch"], reply["seq"]
            return
        self.ledger.expect(reply["epoch"] == self.epoch, "resume", f"another numbering for {where}")
        self.ledger.expect("snapshot" not in reply, "resume", f"a snapshot in place of events for {where}")
        for event in reply.get("missed", []):
            self.take(event)
        self.ledger.expect(reply["seq"] == self.last, "resume", f"{where} is at {self.last}, the server at {reply['seq']}")

    def take(self, event):
        seq, kind = event["seq"], next(key for key in event if key not in ("promiseId", "seq", "at"))
        if self.is_over and kind == "resultFinal":
            # Those who left during the window are in the result, and hear it.
            return kind
        self.ledger.expect(seq == self.last + 1 and not self.is_over, "event",
                           f"{self.person} in {self.promise} got {kind} {seq} after {self.last}")
        self.last = max(seq, self.last)
        self.log.append((seq, kind))
        gone = event[kind].get("user", {}).get("nickname") if kind in ("left", "removed") else None
        self.is_over = self.is_over or gone == self.person
        return kind
