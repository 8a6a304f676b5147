"""A server with three people who are on their way to a meetup, for faults that do not end it."""

import signal

from crashes.life import Life, Person, until, verify
from crashes.writers import PLACE, Favourites
from promised.people import instant

# Seconds in which /readyz must tell of a fault and of its end: the server checks its storage every ten.
NOTICE = 15


class Unexpected(Exception):
    """A case has not gone as it must."""


def expect(holds, sentence):
    if not holds:
        raise Unexpected(sentence)


class Town:
    """One life of such a server."""

    def __init__(self, binary, data, disk=None, **options):
        self.binary, self.data = binary, data
        if disk:
            disk.start()
        self.life = Life(binary, data, disk=disk, **options).listening()
        self.people = [Person(self.life, name) for name in ("ada", "bea", "cem")]
        self.ada, self.bea, self.cem = (self.life.peer(person) for person in self.people)
        self.writer, self.seq = Favourites(self.people[2]), 0
        self.promise = self._meet()

    def _meet(self):
        """A promise of all three; returns its id once its window is open."""
        promise = self.ada.must("createPromise", key="1", title="Dinner", place=PLACE,
                                meetsAt=instant(62))["promise"]["promise"]["promiseId"]
        code = self.ada.must("createInvite", promiseId=promise)["invite"]["code"]
        for peer in (self.bea, self.cem):
            peer.must("joinByCode", code=code)
        self.ada.must("subscribe", promiseId=promise)
        self.bea.must("subscribe", promiseId=promise)
        while "trackingStarted" not in self.ada.receive().get("event", {}):
            pass
        return promise

    # --- What the people do ------------------------------------------------------------------------------------------

    def write(self, count=1):
        """Writes so often; returns the codes of the refusals."""
        codes = []
        for _ in range(count):
            try:
                self.writer.write(self.cem)
            except RuntimeError as problem:
                codes.append(next(code for code in (*CODES, "another code") if f"'{code}'" in str(problem)
                                  or code == "another code"))
        return codes

    def expect_flow(self, when):
        """Three reports, each of which must reach the other."""
        for _ in range(3):
            self.seq += 1
            fix = {"seq": self.seq, "latitude": PLACE["latitude"] + 0.01, "longitude": PLACE["longitude"],
                   "accuracyMetres": 8, "recordedAt": instant(0)}
            self.ada.must("report", promiseId=self.promise, fixes=[fix], sentAt=instant(0))
            while not any(each["seq"] == self.seq for each in self._next_positions(when)):
                pass

    def _next_positions(self, when):
        try:
            return self.bea.receive().get("event", {}).get("positions", {}).get("positions", [])
        except TimeoutError:
            raise Unexpected(f"no position comes {when}") from None

    def expect_refusal(self):
        """A write is refused with the right code, and /readyz says so; positions flow."""
        codes = until(self.write, 10)
        expect(codes == ["server.unavailable"], f"a write is answered with {codes or 'its effect'}")
        self.expect_flow("while the store refuses")
        expect(until(lambda: not self.life.is_ready(), NOTICE), "/readyz does not tell that the store refuses")
        expect(self.life.says("Storage is not writable"), "the log does not say that the store refuses")
        code = self.ada.ask("checkIn", promiseId=self.promise).get("error", {}).get("code")
        expect(code is not None, "an arrival is acknowledged while the store refuses")
        self.expect_flow("at the end of the fault")

    def expect_recovery(self):
        """Writes are taken, and /readyz says so; what was acknowledged is there; the same process has lived through it."""
        expect(until(lambda: not self.write(), 10), "writes are refused after the end of the fault")
        expect(until(self.life.is_ready, NOTICE), "/readyz does not tell that the store works")
        self.expect_flow("after the fault")
        expect(not self.life.has_ended, "the server has ended")
        self.expect_everything(self.life)
        expect(not (found := self.life.violations()), f"promisectl verify: {found}")

    def expect_everything(self, life):
        """All acknowledged data is there."""
        peer = life.peer(self.people[2])
        found = list(self.writer.check(peer, True))
        peer.close()
        expect(not found, "; ".join(found))

    def expect_sound_end(self, how=signal.SIGTERM):
        """The server ends, and another one finds everything that was acknowledged."""
        code = self.life.end(how)
        expect(code == (0 if how == signal.SIGTERM else -how), f"the server ended with {code}")
        expect(not (found := verify(self.binary, self.data)), f"promised verify: {found}")
        life = Life(self.binary, self.data)
        try:
            self.expect_everything(life.listening())
        finally:
            life.end()

    def end(self):
        for peer in (self.ada, self.bea, self.cem):
            peer.close()
        if not self.life.process.stdout.closed:
            self.life.end()


CODES = ("server.unavailable", "server.internal", "limit.rate")
