"""Damaged, read-only and locked files, and a full disk, each against a server of its own."""

import os
import pathlib
import shutil
import signal
import sqlite3
import subprocess

from crashes.life import Life, NotStarted, until
from crashes.stage import Skipped
from crashes.town import NOTICE, Unexpected, expect


def refused_start(stage, sentence, **options):
    """The start must fail, with exit code 1 and a sentence."""
    life = Life(stage.binary, stage.data, **options)
    try:
        life.listening()
        raise Unexpected("the server has started")
    except NotStarted as problem:
        expect(problem.code == 1 and sentence in problem.log, f"the start fails with {problem}")
    finally:
        if not life.process.stdout.closed:
            life.end()


def prepared(stage):
    """A database with writes in the file and in the log, of a server that was killed."""
    town = stage.town()
    town.write(30)
    town.life.end(signal.SIGTERM)
    life = Life(stage.binary, stage.data).listening()
    town.cem = life.peer(town.people[2])
    town.write(10)
    life.end()
    town.end()
    return town


def restarted(stage, town):
    """A start finds everything that was acknowledged."""
    life = Life(stage.binary, stage.data)
    try:
        town.expect_everything(life.listening())
    finally:
        life.end()


def read_only(stage):
    """The database file is read-only."""
    town = prepared(stage)
    path = pathlib.Path(stage.data, "promised.sqlite")
    user = None
    if os.geteuid() == 0:
        # No mode keeps root from writing, so the server runs as another user.
        user = 65_534
        os.chmod(stage.folder, 0o755)
        for name in (stage.data, *(f"{stage.data}/{name}" for name in os.listdir(stage.data))):
            os.chown(name, user, user)
    path.chmod(0o400)
    refused_start(stage, "Cannot open the data directory", user=user)
    path.chmod(0o600)
    life = Life(stage.binary, stage.data, user=user)
    try:
        town.expect_everything(life.listening())
    finally:
        life.end()
    return "the start is refused; afterwards it finds everything"


def corrupt_header(stage):
    """The header of the database file is overwritten, after the log was emptied: it could mend the page."""
    town = stage.town()
    town.write(30)
    town.life.end(signal.SIGTERM)
    town.end()
    path = f"{stage.data}/promised.sqlite"
    shutil.copy(path, f"{stage.folder}/kept")
    overwrite(path, 0, 100)
    refused_start(stage, "Cannot open the data directory")
    shutil.copy(f"{stage.folder}/kept", path)
    restarted(stage, town)
    return "the start is refused"


def corrupt_table(stage):
    """A page of a table is overwritten: what needs it fails, everything else works, and `verify` tells."""
    town = stage.town()
    town.write(30)
    town.life.end(signal.SIGTERM)
    database = sqlite3.connect(f"{stage.data}/promised.sqlite")
    size, = database.execute("PRAGMA page_size").fetchone()
    page, = database.execute("SELECT rootpage FROM sqlite_schema WHERE name = 'favourite'").fetchone()
    database.close()
    overwrite(f"{stage.data}/promised.sqlite", (page - 1) * size, size)
    life = Life(stage.binary, stage.data).listening()
    try:
        town.ada.close()
        town.ada, town.bea, town.cem = (life.peer(person) for person in town.people)
        code = town.cem.ask("listFavourites").get("error", {}).get("code")
        expect(code == "server.internal", f"a damaged table is answered with {code}")
        expect(life.says("the file is damaged"), "the log does not say that the file is damaged")
        town.cem.must("updateMe", avatar="fox")
        town.ada.must("subscribe", promiseId=town.promise)
        town.bea.must("subscribe", promiseId=town.promise)
        town.expect_flow("with a damaged table")
        found = life.violations()
        expect("structure" in found, f"promisectl verify does not find the damage: {found}")
        expect(life.end(signal.SIGTERM) == 0, "the server has died")
    finally:
        town.end()
        if not life.process.stdout.closed:
            life.end()
    return f"reads of it: {code}; verify: {found.splitlines()[0][:60]}"


def corrupt_log(stage):
    """A frame in the middle of the log is overwritten: SQLite ends the log there."""
    town = prepared(stage)
    path = f"{stage.data}/promised.sqlite-wal"
    size = os.path.getsize(path)
    overwrite(path, size // 2, 64)
    life = Life(stage.binary, stage.data).listening()
    try:
        peer = life.peer(town.people[2])
        count = len(peer.must("listFavourites", limit=50)["favourites"]["favourites"])
        expect(count >= 30, f"only {count} favourites are left of 30 in the database file and 10 in the log")
        expect(not (found := life.violations()), f"promisectl verify: {found}")
        peer.close()
    finally:
        life.end()
    return f"{count - 30} of 10 writes in the log are left, and the database is sound"


def overwrite(path, offset, count):
    with open(path, "r+b") as file:
        file.seek(offset)
        file.write(bytes(index * 37 % 251 for index in range(count)))


def locked(stage):
    """Another process holds the lock of the database, while the server starts and while it works."""
    town = prepared(stage)
    other = sqlite3.connect(f"{stage.data}/promised.sqlite", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    life = Life(stage.binary, stage.data).listening()
    try:
        expect(until(lambda: not life.is_ready(), NOTICE), "/readyz does not tell that the store refuses")
        expect(life.says("Storage is not writable"), "the log does not say that the store refuses")
        other.execute("ROLLBACK")
        other.close()
        expect(until(life.is_ready, NOTICE), "/readyz does not tell that the store works")
        town.expect_everything(life)
    finally:
        life.end()
    shutil.rmtree(stage.data)
    town = stage.town()
    try:
        town.write(20)
        refused_start(stage, "another server is using the data directory")
        other = sqlite3.connect(f"{stage.data}/promised.sqlite", isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        town.expect_refusal()
        other.execute("ROLLBACK")
        town.expect_recovery()
        other.close()
        town.expect_sound_end()
    finally:
        town.end()
    return "writes are refused, also after a start; a second server is refused; afterwards everything works"


def full_disk(stage):
    """A file system of 12 MiB that is full."""
    mount = f"{stage.folder}/mount"
    os.mkdir(mount)
    prefix = ["unshare", "--user", "--map-root-user", "--mount", "/bin/sh", "-c",
              'mount -t tmpfs -o size=12m tmpfs "$0" && exec "$@"', mount]
    if not shutil.which("unshare") or subprocess.run([*prefix, "true"], capture_output=True).returncode != 0:
        raise Skipped("this machine does not permit a file system in a namespace")
    stage.data = f"{mount}/data"
    town = stage.town(prefix=prefix)
    try:
        town.write(20)
        inside = pathlib.Path(f"/proc/{town.life.process.pid}/root{mount}")
        town.life.data = inside / "data"
        with open(inside / "filler", "wb", buffering=0) as filler:
            while fill(filler, 65_536) or fill(filler, 512):
                pass
        town.expect_refusal()
        os.remove(inside / "filler")
        town.expect_recovery()
        expect(town.life.end(signal.SIGTERM) == 0, "the server has died")
    finally:
        town.end()
    return "refused until there is space"


def fill(file, count):
    """True if the disk took so many bytes."""
    try:
        return file.write(bytes(count)) == count
    except OSError:
        return False


CASES = [read_only, corrupt_header, corrupt_table, corrupt_log, locked, full_disk]
