"""Many crashes of one server under load, by `kill -9` or by a loss of power, on the same data directory."""

import pathlib
import random
import signal
import statistics
import threading

from crashes.crew import Crew, Shift, leftovers
from crashes.life import Life, NotStarted, until, verify

# Seconds after which a server must have restored everything (docs/performance.md has the target for its full load).
READY = 2.0
# Of so many crashes, one happens while the server starts.
EARLY = 8


class Run:
    """Crashes of a server in a folder."""

    def __init__(self, binary, folder, seed, disk=None):
        self.binary, self.data, self.disk = binary, f"{folder}/data", disk
        self.random = random.Random(seed)
        self.crew, self.violations, self.ready, self.early, self.crashes = None, [], [], 0, 0
        self.unsynced = self.survived = 0

    def start(self):
        if self.disk:
            self.disk.start(seed=self.random.getrandbits(63))
        return Life(self.binary, self.data, disk=self.disk)

    def crash(self, count, is_enough=lambda violations: len(violations) > 20):
        """Crashes so often, or until there are violations enough. False if the server did not start, a violation too."""
        reported = 0
        for number in range(count):
            for sentence in self.violations[reported:]:
                print(f"    violation: {sentence[:300]}", flush=True)
            reported = len(self.violations)
            try:
                if self.ready and self.random.randrange(EARLY) == 0:
                    self.crash_early()
                else:
                    self.crash_at_work()
            except NotStarted as problem:
                self.violations.append(f"the server did not start: {problem}")
                return False
            self.crashes += 1
            if is_enough(self.violations):
                break
            if (number + 1) % 50 == 0:
                print(f"    {number + 1} crashes, {self.crew.acknowledged[0]} acknowledged writes, "
                      f"{len(self.violations)} violations", flush=True)
        return True

    def crash_early(self):
        """A crash at a random moment of the start."""
        life = self.start()
        if self.disk:
            self.disk.cut_power(self.random.randrange(1, 200))
        moment = self.random.uniform(0, 1.5 * statistics.median(self.ready))
        life.wait(lambda: False, moment)
        self.early += 1
        self.end(life)

    def crash_at_work(self):
        life = self.start()
        try:
            life.listening()
            shift = self.begin(life)
            shift.wait_until_checked()
            writes = self.random.randrange(1, 200)
            if self.disk:
                self.disk.cut_power(self.random.randrange(1, 600))
                shift.wait_for_writes(2_000)
            else:
                shift.wait_for_writes(writes)
                # The moment is between two writes or within one.
                threading.Event().wait(self.random.uniform(0, 0.01))
        finally:
            self.end(life)
        shift.join()

    def begin(self, life, whole=False):
        if self.crew is None:
            self.crew = Crew(life, self.violations, loses_power=self.disk is not None)
        else:
            self.ready.append(life.restored)
            if not life.is_ready():
                self.violations.append("/readyz does not say that the server is ready")
            if names := leftovers(self.data):
                self.violations.append(f"there are leftovers: {', '.join(names)}")
        return Shift(self.crew, life, whole)

    def end(self, life):
        code = life.end()
        if code != -signal.SIGKILL:
            self.violations.append(f"the server ended by itself with {code}: {''.join(life.log[-5:])}")
        if self.disk:
            self.unsynced += self.disk.control.unsynced
            self.survived += self.disk.control.survived

    def finish(self):
        """Looks at everything once more, and verifies the database twice."""
        life = self.start()
        code = None
        try:
            life.listening()
            shift = self.begin(life, whole=True)
            shift.join()
            if found := life.violations():
                self.violations.append(f"promisectl verify: {found}")
            if not until(lambda: not strays(self.data), 15):
                self.violations.append(f"uploads of nobody stay: {strays(self.data)}")
        except NotStarted as problem:
            self.violations.append(f"the server did not start: {problem}")
        finally:
            code = life.end(signal.SIGTERM)
        if code != 0:
            self.violations.append(f"the server stopped with {code}")
        if found := verify(self.binary, self.data):
            self.violations.append(f"promised verify: {found}")
        if self.ready and max(self.ready) > READY:
            self.violations.append(f"the server was ready only after {max(self.ready):.2f} s")
        return self.violations

    def summary(self):
        writes, events = self.crew.acknowledged if self.crew else (0, 0)
        ready = f"ready after {statistics.median(self.ready):.2f} s (at most {max(self.ready):.2f})" if self.ready else ""
        lost = f", {self.unsynced - self.survived} of {self.unsynced} unsynced sectors lost" if self.disk else ""
        return (f"{self.crashes} crashes, {self.early} of them during the start; {writes} acknowledged writes, "
                f"{events} durable events; {ready}{lost}")


def strays(data):
    """Parts of uploads, if there are more than one user may have open."""
    names = [path.name for path in pathlib.Path(data, "files").glob("*.part")]
    return names if len(names) > 3 else []
