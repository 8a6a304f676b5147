"""Abuses and crashes a server for an hour beside ordinary clients, and checks all that they were promised.

Called by scripts/torture soak; needs nothing but Python's standard library. Thirty clients live meetups of a few
minutes, keep visits, files and avatars, and fall out with friends. Beside them attacks of scripts/torture hostile run
in random order, and the server is killed at random moments, but for one long life in the middle, during which its
memory is watched.
"""

import argparse
import collections
import contextlib
import json
import math
import os
import pathlib
import random
import shutil
import signal
import socket
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import threading
import time

from hostile.beside import ATTACKS
from hostile.trial import CHEAP_PASSWORDS, Server
from promised.client import Peer
from soak.ledger import Ledger, Witness
from soak.person import Person
from soak.stories import SETTINGS, Affairs, Fallings, Meetup, result_of

PEOPLE, FRIENDS, MEETUPS = 20, 6, 3
# How much more a quiet server may use at the end than at the beginning: a share, and bytes or files beside it.
MEMORY, FILES = (1.25, 12 * 2**20), (1.0, 12)


def free_port():
    with socket.socket() as some:
        some.bind(("127.0.0.1", 0))
        return some.getsockname()[1]


class Life(Server):
    """A life of the server on the port that all its lives have."""

    def __init__(self, binary, folder, port):
        self.begun = time.monotonic()
        super().__init__(binary, folder, *SETTINGS, CHEAP_PASSWORDS, "files.keep-free=64MiB", port=port)
        self.took = time.monotonic() - self.begun

    def crash(self):
        self.process.kill()
        self.process.wait()
        self.stop()

    def sample(self):
        """Seconds of its life, resident bytes, open files, and anonymous bytes.

        Pages of files, mostly the program, grow with the code that was used, and go when others need room.
        """
        process = pathlib.Path(f"/proc/{self.process.pid}")
        status = dict(line.split(":", 1) for line in (process / "status").read_text().splitlines())
        files = len(os.listdir(process / "fd"))
        return time.monotonic() - self.begun, self.memory()[0], files, int(status["RssAnon"].split()[0]) * 1024


class World:
    """The server, the people, and what the clients remember together."""

    def __init__(self, binary, folder, seed, loses_writes=False):
        self.binary, self.folder, self.seed, self.loses_writes = binary, folder, seed, loses_writes
        self.port, self.random = free_port(), random.Random(seed)
        self.ledger = Ledger()
        self.witness = Witness(self.ledger)
        self.promises, self.results, self.kinds, self.ends = {}, {}, {}, []
        self.is_ending, self.lives, self._pairs, self._lock = False, [], {}, threading.Lock()
        self.life = self._begin()
        names = [f"person{number}" for number in range(PEOPLE + FRIENDS)]
        everybody = [Person(self, name, f"203.{number}.113.1") for number, name in enumerate(names)]
        for person in everybody:
            peer = Peer(self.port, person.address)
            session = peer.sign_up(person.name)
            person.user = session["user"]["userId"]
            peer.close()
        self.people, self.friends = everybody[:PEOPLE], everybody[PEOPLE:]
        self.names = {person.user: person.name for person in everybody}
        for person in everybody:
            person.start()
        self.affairs = [Affairs(self, person, random.Random(f"{seed} {person.name}")) for person in self.people]

    def _begin(self):
        life = Life(self.binary, self.folder, self.port)
        self.lives.append({"took": life.took, "samples": []})
        return life

    def crash(self, is_gentle):
        """Ends the server, by a signal that it may answer or by one that it may not, and begins another life."""
        if is_gentle:
            self.life.stop()
        else:
            self.life.crash()
        if self.loses_writes:
            self._go_back()
        self.life = self._begin()

    def _go_back(self):
        """Puts the data of the end before in the place of the data: all that was written since is lost."""
        data, copy, older = (f"{self.folder}/{name}" for name in ("data", "copy", "older"))
        if os.path.exists(copy):
            os.rename(copy, older)
        shutil.copytree(data, copy)
        if os.path.exists(older):
            shutil.rmtree(data)
            os.rename(older, data)

    # --- What the people ask -----------------------------------------------------------------------------------------

    def name_of(self, user):
        return self.names.get(user, user)

    def once_in(self, promise):
        return [person for person in self.promises[promise].outsiders[2:]]

    @contextlib.contextmanager
    def blocking(self, one, other):
        """Yields whether nobody else makes these two block each other."""
        pair = frozenset((one, other))
        with self._lock:
            is_free = self._pairs.get(pair) != math.inf
            self._pairs[pair] = math.inf
        try:
            yield is_free
        finally:
            if is_free:
                with self._lock:
                    self._pairs[pair] = time.monotonic()

    def blocked(self, name, since):
        """The people whom a block has separated from somebody at any time since a moment of the monotonic clock."""
        with self._lock:
            return {each for pair, end in self._pairs.items() if name in pair and end >= since for each in pair}

    def unanswered(self, person, request, begun):
        """A request had no answer for long: a fault unless the server has begun a life meanwhile."""
        self.ledger.expect(self.life.begun > begun, "answer", f"{request} of {person.name} had no answer")

    def ended(self, follow, code):
        self.ends.append((follow, code))

    def told(self, follow, kind, event):
        """A durable event is the same for all, also after a crash."""
        key = follow.promise, event["seq"]
        with self._lock:
            first = self.kinds.setdefault(key, (kind, event["at"]))
        self.ledger.expect(first == (kind, event["at"]), "event", f"{key} was {first} and is {kind} {event['at']}")

    def remember_result(self, promise, rows):
        with self._lock:
            first = self.results.setdefault(promise, rows)
        self.ledger.expect(first == rows, "result", f"{promise} was {first} and is {rows}")


class Mob(threading.Thread):
    """Attacks in random order, one or two at once, with a pause after each, in which the server is quiet."""

    def __init__(self, world, seed):
        super().__init__(daemon=True, name="mob")
        self.world, self.random = world, random.Random(f"{seed} mob")
        self.quiet_since, self.counts, self.frames, self.broken = time.monotonic(), collections.Counter(), 0, 0

    def run(self):
        order = []
        while not self.world.is_ending:
            if not order:
                order = list(ATTACKS)
                self.random.shuffle(order)
            some = [order.pop() for _ in range(min(len(order), self.random.choice([1, 1, 2])))]
            threads = [threading.Thread(target=self._attack, args=(name,)) for name in some]
            self.quiet_since = None
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            self.quiet_since = time.monotonic()
            time.sleep(self.random.uniform(4, 6))

    def _attack(self, name):
        suffix = "".join(self.random.choice("abcdefghjkmnpqrstuvwxyz") for _ in range(4))
        life, seconds = self.world.life, self.random.uniform(4, 9)
        process = subprocess.Popen(
            [sys.executable, "-m", "hostile.beside", name, str(self.world.port), str(life.data), str(life.process.pid),
             str(seconds)], env={**os.environ, "HOSTILE_SUFFIX": suffix}, stdout=subprocess.PIPE, text=True,
            stderr=subprocess.DEVNULL, preexec_fn=lambda: os.nice(3))
        deadline = time.monotonic() + 90
        while process.poll() is None and time.monotonic() < deadline:
            time.sleep(0.2)
            # Its server is gone, and it may wait for an answer for long.
            if self.world.life is not life:
                deadline = min(deadline, time.monotonic() + 3)
        if process.poll() is None:
            process.kill()
        text, _ = process.communicate()
        self.counts[name] += 1
        found = json.loads(text) if text.strip() else {"frames": 0, "end": "killed", "failures": []}
        self.frames += found["frames"]
        self.broken += bool(found["end"])


def sample(world, mob):
    """A look at the server each second of quiet, from three seconds on."""
    while not world.is_ending:
        time.sleep(1)
        quiet, life = mob.quiet_since, world.life
        if quiet and time.monotonic() - max(quiet, life.begun) > 3:
            with contextlib.suppress(OSError, KeyError):
                world.lives[-1]["samples"].append(life.sample())


def walk(world):
    while not world.is_ending:
        time.sleep(1)
        for person in world.people:
            person.report()


def meet(world, number):
    """One meetup after the other."""
    turn = number
    while not world.is_ending:
        meetup = Meetup(world, turn, random.Random(f"{world.seed} meetup {turn}"))
        meetup.start()
        meetup.join()
        turn += MEETUPS


def flat(ledger, kind, values, limit):
    """Compares the medians of the first and the last quarter, if there are enough; returns them."""
    if len(values) < 8:
        print(f"{kind}: {len(values)} samples are too few to compare")
        return float("nan"), float("nan")
    quarter = len(values) // 4
    first, last = statistics.median(values[:quarter]), statistics.median(values[-quarter:])
    ledger.expect(last <= first * limit[0] + limit[1], kind, f"{first:,.0f} at first, {last:,.0f} at last")
    return first, last


def quarters(samples, column):
    """The medians of the quarters of a life, in MiB."""
    part = max(1, len(samples) // 4)
    return ", ".join(f"{statistics.median(each[column] for each in samples[at:at + part]) / 2**20:.1f}"
                     for at in range(0, len(samples) - part + 1, part))


def check_database(world):
    """Checks the files without a server: integrity, gapless events, and those that were told."""
    database = sqlite3.connect(f"{world.folder}/data/promised.sqlite")
    expect = world.ledger.expect
    expect(database.execute("PRAGMA integrity_check").fetchone() == ("ok",), "database", "is damaged")
    for promise, meetup in world.promises.items():
        stored = bytes.fromhex(promise.replace("-", ""))
        rows = database.execute(
            "SELECT seq, kind FROM promise_event WHERE promise_id = ? ORDER BY seq", (stored,)).fetchall()
        expect([seq for seq, _ in rows] == list(range(1, len(rows) + 1)), "database", f"events of {promise} have a gap")
        kinds = dict(rows)
        for person in world.people:
            if follow := person.follows.get(promise):
                wrong = [each for each in follow.log if kinds.get(each[0]) != each[1]]
                expect(not wrong, "event", f"{person.name} was told {wrong} of {promise}, the server has others")
                expect(follow.last <= len(rows), "event", f"{person.name} has {follow.last} of {len(rows)} of {promise}")
    results = database.execute("SELECT promise_id, count(*) FROM result GROUP BY promise_id HAVING count(*) > 1").fetchall()
    expect(not results, "result", f"{len(results)} promises have two")
    database.close()


def check_all(world):
    """At the end everything that was acknowledged is read once more."""
    for affairs in world.affairs:
        affairs.check()
    for promise, rows in world.results.items():
        owner = world.promises[promise].owner
        world.ledger.expect(result_of(owner, promise) == rows, "result", f"that of {promise} has changed")
    for promise, meetup in world.promises.items():
        note = meetup.owner.insist("getPromise", promiseId=promise)["promise"]["promise"].get("note", "")
        world.ledger.expect(note == meetup.note, "write", f"the note of {promise} is {note}, not {meetup.note}")
    for person in world.people:
        for follow in person.follows.values():
            if follow.epoch and not follow.is_over:
                # The reply has the number of the last event, which is the last one that was told.
                person.insist("subscribe", **follow.resume())
    for follow, code in world.ends:
        gone = {person.name for person in world.once_in(follow.promise)}
        world.ledger.expect(follow.person in gone, "resume", f"{follow.person} lost {follow.promise}: {code}")
    administrator = world.life.administrator()
    breaches = administrator.must("admin", verify={})["admin"]["verification"].get("breaches", [])
    world.ledger.expect(not breaches, "database", f"verify finds {breaches[:3]}")
    administrator.close()


def live(world, mob, seconds):
    """Crashes at random moments in the first and last third; the server lives through the one between."""
    begin, long_one = time.monotonic(), None
    while (past := time.monotonic() - begin) < seconds:
        gap = min(3 + world.random.expovariate(1 / 25), 90)
        if seconds / 3 <= past < seconds * 2 / 3 and long_one is None:
            long_one, gap = len(world.lives) - 1, seconds / 3
        time.sleep(min(gap, max(0, seconds - past)))
        if not world.life.is_alive:
            world.ledger.expect(False, "server", f"it died by itself with {world.life.process.returncode}")
        if time.monotonic() - begin < seconds:
            world.crash(is_gentle=world.random.random() < 0.2)
    return long_one


def quantile(values, part):
    return sorted(values)[int(len(values) * part)] * 1_000 if values else float("nan")


def main():
    parser = argparse.ArgumentParser(prog="soak", description=__doc__.splitlines()[0])
    parser.add_argument("--binaries", type=os.path.abspath, required=True, help="folder of the programs")
    parser.add_argument("--minutes", type=float, default=60, help="how long it lasts")
    parser.add_argument("--seed", type=int, default=random.randrange(10**6), help="the order of attacks and acts")
    parser.add_argument("--lose-writes", action="store_true", help="puts older data in place at each crash, to be found")
    arguments = parser.parse_args()
    print(f"seed {arguments.seed}, {arguments.minutes:g} minutes", flush=True)
    # Also where it is ended from outside, the server is stopped and the folder removed.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    with tempfile.TemporaryDirectory(prefix="promised-soak-") as folder:
        return soak(arguments, folder)


def soak(arguments, folder):
    world = World(f"{arguments.binaries}/promised", folder, arguments.seed, arguments.lose_writes)
    expect, mob = world.ledger.expect, Mob(world, arguments.seed)
    friends = [Fallings(world, *world.friends[at:at + 2], random.Random(f"{arguments.seed} friends {at}"))
               for at in range(0, FRIENDS, 2)]
    acts = [threading.Thread(target=meet, args=(world, number), daemon=True) for number in range(MEETUPS)]
    others = [threading.Thread(target=target, args=args, daemon=True) for target, args in (
        (sample, (world, mob)), (walk, (world,)))]
    for thread in (*acts, *world.affairs, *friends, *others, mob):
        thread.start()
    try:
        long_one = live(world, mob, arguments.minutes * 60)
        world.is_ending = True
        for thread in (*acts, *world.affairs, *friends, *others, mob):
            thread.join(timeout=150)
            expect(not thread.is_alive(), "client", f"{thread.name} does not end")
        # Everybody hears what there still is to hear.
        time.sleep(5)
        check_all(world)
    finally:
        world.is_ending = True
        for person in (*world.people, *world.friends):
            person.stop()
        world.life.stop()
    check_database(world)
    return report(world, mob, long_one)


def report(world, mob, long_one):
    """Prints what was tried and found; 1 if anything was violated."""
    ledger = world.ledger
    steady = [each for each in world.lives[long_one]["samples"] if each[0] > 15] if long_one is not None else []
    flat(ledger, "memory of a life", [each[1] for each in steady], MEMORY)
    flat(ledger, "anonymous memory of a life", [each[3] for each in steady], MEMORY)
    files = flat(ledger, "files of a life", [each[2] for each in steady], FILES)
    young = [next((each for each in life["samples"]), None) for index, life in enumerate(world.lives) if index != long_one]
    over = flat(ledger, "memory over lives", [each[1] for each in young if each], MEMORY) if sum(
        map(bool, young)) >= 8 else None
    took = [life["took"] for life in world.lives]
    print(f"lives {len(world.lives)}; a start took {statistics.median(took):.2f} s, at most {max(took):.2f} s")
    print(f"attacks {sum(mob.counts.values())} of {len(mob.counts)} kinds, {mob.frames:,} frames;"
          f" {mob.broken} were cut off by a crash or by their own limits")
    print(f"promises {len(world.promises)}, results {len(world.results)}; looks: "
          + ", ".join(f"{count:,} {kind}" for kind, count in sorted(ledger.counts.items())))
    print(f"ordinary clients: reads p50 {quantile(ledger.reads, 0.5):.1f} ms, p99 {quantile(ledger.reads, 0.99):.0f} ms;"
          f" writes p50 {quantile(ledger.writes, 0.5):.1f} ms, p99 {quantile(ledger.writes, 0.99):.0f} ms")
    print(f"memory in the long life, by quarters: {quarters(steady, 1)} MiB, of which {quarters(steady, 3)} MiB are not pages"
          f" of files; open files {files[0]:.0f} in the first, {files[1]:.0f} in the last")
    print("memory over lives: " + (f"{over[0] / 2**20:.1f} MiB in the first quarter, {over[1] / 2**20:.1f} in the last"
                                   if over else "too few lives to compare"))
    for text, count in collections.Counter(ledger.violations).most_common(30):
        print(f"VIOLATION ({count}): {text}")
    print(f"{len(ledger.violations)} violations")
    return 1 if ledger.violations else 0


if __name__ == "__main__":
    sys.exit(main())
