"""Everybody who uses a server, over all of its lives, and what they find wrong."""

import os
import pathlib
import re
import threading

from crashes.following import Follower
from crashes.life import DEATH, Person, until
from crashes.meetups import Guest, Host, Walker
from crashes.promises import Member, Owner
from crashes.writers import Courses, Favourites, Friends, Photos, Profile, Uploads, Visits

# The names that a data directory may have inside while its server runs.
OWN = {"promised.sqlite", "promised.sqlite-wal", "promised.sqlite-shm", "lock", "signing.key", "admin.token", "files"}
FILE = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}(\.part|\.new)?")


class Crew:
    """The clients of one data directory, who add what they find wrong to a list."""

    def __init__(self, life, violations, loses_power):
        names = ("ada", "bea", "cem", "dee", "eva", "fay", "gus", "hal", "ida", "joe", "kim", "lea", "max", "ned", "ora")
        people = [Person(life, name) for name in names]
        # Only participants may follow a promise, so the devices that do belong to those who make it.
        self.followers = [Follower(person.on("tablet")) for person in people[:2]]
        owner, host = Owner(people[0], self.followers[0]), Host(people[1], self.followers[1])
        guests, members = [Guest(each, host) for each in people[2:5]], [Member(each, owner) for each in people[5:7]]
        others = [kind(person) for kind, person in zip((Profile, Favourites, Visits, Courses), people[7:11])]
        self.writers = [*self.followers, owner, host, *guests, *members, *others, Uploads(people[11], loses_power),
                        Walker(people[12], host), Friends(people[13], people[0]), Photos(people[14], loses_power)]
        self.violations = violations

    @property
    def acknowledged(self):
        """How many writes were acknowledged, and how many durable events received."""
        events = sum(follower.ledger.acknowledged_count for follower in self.followers)
        return sum(writer.ledger.acknowledged_count for writer in self.writers) - events, events


class Shift:
    """The crew in one life of the server: each member checks the data and then writes until the server dies."""

    def __init__(self, crew, life, whole=False):
        self.crew, self.life, self.whole = crew, life, whole
        self.changed, self.checked, self.ended = threading.Condition(), 0, 0
        self.threads = [threading.Thread(target=self._work, args=(writer,)) for writer in crew.writers]
        for thread in self.threads:
            thread.start()

    def _work(self, writer):
        peer = None
        try:
            peer = self.life.peer(writer.person)
            for sentence in writer.check(peer, self.whole):
                self.crew.violations.append(sentence)
            self._note("checked")
            while not self.whole:
                writer.write(peer)
                with self.changed:
                    self.changed.notify_all()
        except DEATH as problem:
            if not until(lambda: self.life.has_ended, 10):
                self.crew.violations.append(f"{writer.what}: a living server ended the connection ({problem})")
        except (RuntimeError, LookupError) as problem:
            self.crew.violations.append(f"{writer.what}: {type(problem).__name__} {problem}")
        finally:
            if peer:
                peer.close()
            self._note("ended")

    def _note(self, counter):
        with self.changed:
            setattr(self, counter, getattr(self, counter) + 1)
            self.changed.notify_all()

    def wait_until_checked(self):
        with self.changed:
            everybody = len(self.threads)
            self.changed.wait_for(lambda: self.checked == everybody or self.ended > 0, timeout=60)

    def wait_for_writes(self, count):
        """Waits until so many more writes are acknowledged, or one has ended."""
        with self.changed:
            target = self.crew.acknowledged[0] + count
            self.changed.wait_for(lambda: self.crew.acknowledged[0] >= target or self.ended > 0, timeout=30)

    def join(self):
        for thread in self.threads:
            thread.join()


def leftovers(data):
    """The names in a data directory that do not belong there."""
    folder = pathlib.Path(data)
    files = os.listdir(folder / "files") if (folder / "files").exists() else []
    return sorted({*os.listdir(folder)} - OWN) + [f"files/{name}" for name in files if not FILE.fullmatch(name)]
