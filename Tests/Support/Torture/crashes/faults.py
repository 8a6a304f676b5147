"""Faults of SQLite's files, each against a server of its own."""

import signal

from crashes import disk as disks
from crashes.life import Life, NotStarted, Person, verify
from crashes.town import expect
from crashes.writers import Favourites


def during_work(stage, kind, code, roles):
    """A fault that lasts for a while."""
    town = stage.town(disk=stage.disk)
    try:
        town.write(20)
        stage.disk.fail(kind, code, roles)
        town.expect_refusal()
        count = stage.disk.heal()
        town.expect_recovery()
        town.expect_sound_end()
    finally:
        town.end()
    return f"{count} operations failed"


def full(stage):
    """SQLITE_FULL at every write to the log."""
    return during_work(stage, disks.WRITE, disks.FULL, disks.LOG)


def write_error(stage):
    """SQLITE_IOERR at every write to the log."""
    return during_work(stage, disks.WRITE, disks.IOERR_WRITE, disks.LOG)


def sync_error(stage):
    """SQLITE_IOERR at every sync of the log."""
    return during_work(stage, disks.SYNC, disks.IOERR_FSYNC, disks.LOG)


def read_error(stage):
    """SQLITE_IOERR at every read of the database and its log."""
    town = stage.town(disk=stage.disk)
    try:
        town.write(20)
        stage.disk.fail(disks.READ, disks.IOERR_READ)
        codes = [town.cem.ask(request).get("error", {}).get("code") for request in ("listVisits", "listFavourites")]
        expect(set(codes) <= {None, "server.unavailable"}, f"reads are answered with {codes}")
        town.expect_flow("while reads fail")
        count = stage.disk.heal()
        town.expect_recovery()
        town.expect_sound_end()
    finally:
        town.end()
    return f"{count} operations failed"


def no_checkpoint(stage):
    """The database file cannot be written: the log grows, writes are taken, and a stop loses nothing."""
    town = stage.town(disk=stage.disk)
    try:
        stage.disk.fail(disks.WRITE | disks.SYNC | disks.TRUNCATE, disks.IOERR_WRITE, disks.DATABASE)
        expect(town.write(50) == [], "a write is refused although the log can be written")
        town.expect_flow("while the database file cannot be written")
        code = town.life.end(signal.SIGTERM)
        count = stage.disk.heal()
        expect(code in (0, 1), f"the server ended with {code}")
        expect(not (found := verify(town.binary, town.data)), f"promised verify: {found}")
        life = Life(town.binary, town.data)
        try:
            town.expect_everything(life.listening())
        finally:
            life.end()
    finally:
        town.end()
    return f"{count} operations failed"


# Kinds of operations that fail once, with the codes that they return.
SINGLE = [(disks.WRITE, disks.FULL), (disks.WRITE, disks.IOERR_WRITE), (disks.SYNC, disks.IOERR_FSYNC),
          (disks.READ, disks.IOERR_READ), (disks.TRUNCATE, disks.IOERR_TRUNCATE)]


def single_faults(stage):
    """One operation fails, each of the first dozen, and the server dies some writes later."""
    failed = refused = 0
    person = writer = None
    for kind, code in SINGLE:
        for number in range(1, 13):
            stage.disk.start()
            life = Life(stage.binary, stage.data, disk=stage.disk).listening()
            try:
                person = person or Person(life, "ada")
                writer = writer or Favourites(person)
                peer = life.peer(person)
                expect(not (found := list(writer.check(peer, True))), "; ".join(found))
                stage.disk.fail(kind, code, first=number, count=1)
                refused += attempts(writer, peer, 12)
                failed += stage.disk.heal()
                expect(not life.has_ended, f"the server ended: {''.join(life.log[-3:])}")
                peer.close()
            finally:
                life.end()
    expect(failed > 30, f"only {failed} operations have failed")
    expect(not (found := verify(stage.binary, stage.data)), f"promised verify: {found}")
    return f"{failed} operations failed, {refused} requests refused"


def attempts(writer, peer, count):
    """Writes so often; returns how many were refused, all with the code for it."""
    refused = 0
    for _ in range(count):
        try:
            writer.write(peer)
        except RuntimeError as problem:
            expect("server.unavailable" in str(problem), f"a write is answered with {problem}")
            refused += 1
    return refused


def failing_start(stage):
    """One operation of a start fails: it starts, or says why and exits with 1; the next start finds everything."""
    town = stage.town()
    town.write(30)
    town.life.end()  # the log is full of what was written
    refusals = starts = 0
    kinds = [*SINGLE, (disks.OPEN, disks.CANTOPEN), (disks.SHARED_MEMORY, disks.IOERR_SHMMAP)]
    for kind, code in kinds:
        for number in (1, 2, 3, 5, 8, 13):
            stage.disk.start()
            stage.disk.fail(kind, code, first=number, count=1)
            life = Life(stage.binary, stage.data, disk=stage.disk)
            try:
                life.listening()
                starts += 1
            except NotStarted as problem:
                refusals += 1
                sentence = "Cannot open the data directory" in problem.log or "cannot be" in problem.log
                expect(problem.code == 1 and sentence, f"the start fails with {problem}")
            finally:
                if not life.process.stdout.closed:
                    life.end()
    town.end()
    life = Life(stage.binary, stage.data)
    try:
        town.expect_everything(life.listening())
    finally:
        life.end()
    expect(not (found := verify(stage.binary, stage.data)), f"promised verify: {found}")
    return f"{starts} starts, {refusals} refusals"


CASES = [full, write_error, sync_error, read_error, no_checkpoint, single_faults, failing_start]
