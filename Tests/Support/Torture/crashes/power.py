"""Losses of power: of the server, of a small program that proves the disk able to lose something, and of an upgrade."""

import os
import pathlib
import random
import shutil
import sqlite3
import subprocess
import sys

from crashes.crew import leftovers
from crashes.disk import FOLDER_SYNCS, SQLITE_SYNCS, Disk
from crashes.kills import Run
from crashes.life import DEATH, Life, NotStarted, Person, verify
from crashes.town import expect
from crashes.writers import Uploads

# A program that commits a number at a time, and tells of each: with every commit synced, or none.
PROGRAM = """
import sqlite3, sys
database = sqlite3.connect(sys.argv[1], isolation_level=None)
database.execute("PRAGMA journal_mode = WAL")
database.execute(f"PRAGMA synchronous = {sys.argv[2]}")
database.execute("PRAGMA wal_autocheckpoint = 8")
database.execute("CREATE TABLE IF NOT EXISTS kept (number INTEGER PRIMARY KEY, text TEXT, other TEXT)")
database.execute("CREATE INDEX IF NOT EXISTS kept_by_other ON kept (other)")
for number in range(1, 200):
    text = f"{number * 7919 % 1000:04d}" * 50
    database.execute("INSERT INTO kept VALUES (?, ?, ?)", (number, text, text[::-1]))
    print(number, flush=True)
"""

# A program that writes files, renames them and tells of each, with some of the three syncs that this needs.
FILES_PROGRAM = """
import os, sys
parent, folder, syncs = sys.argv[1], sys.argv[1] + "/files", sys.argv[2].split()
def sync(name, path):
    if name in syncs:
        number = os.open(path, os.O_RDONLY)
        os.fsync(number)
        os.close(number)
os.mkdir(folder)
sync("parent", parent)
for number in range(1, 100):
    path = f"{folder}/{number}"
    file = os.open(path + ".new", os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    os.pwrite(file, b"%04d" % number * 500, 0)
    if "file" in syncs:
        os.fsync(file)
    os.close(file)
    os.rename(path + ".new", path)
    sync("folder", folder)
    print(number, flush=True)
"""
SYNCS = ("file", "folder", "parent")


def cut_program(stage, seed, after, program, *arguments):
    """Runs a program until the power fails after so many operations; returns how many numbers it has told."""
    stage.disk.start(seed)
    stage.disk.cut_power(after)
    run = subprocess.run([sys.executable, "-c", program, *arguments], capture_output=True, text=True,
                         env={**os.environ, **stage.disk.environment})
    expect(run.returncode == -9, f"the program ended with {run.returncode}: {run.stderr}")
    return len(run.stdout.split())


def control(stage, synchronous, seeds):
    """How many of so many cuts lose an acknowledged commit, and how many leave a file that is not intact."""
    lost = broken = 0
    for seed in range(seeds):
        path = f"{stage.folder}/{synchronous}-{seed}.sqlite"
        after = 40 + random.Random(seed).randrange(400)
        acknowledged = cut_program(stage, seed, after, PROGRAM, path, synchronous)
        try:
            database = sqlite3.connect(path)
            kept = {number for number, in database.execute("SELECT number FROM kept")}
            is_intact = database.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
            database.close()
        except sqlite3.DatabaseError:
            kept, is_intact = set(), False
        lost += not set(range(1, acknowledged + 1)) <= kept
        broken += not is_intact
    return lost, broken


def power_control(stage):
    """A small program on the same disk: with `synchronous = OFF` it loses data, with `FULL` it does not."""
    seeds = 40
    lost, broken = control(stage, "OFF", seeds)
    expect(lost > 0 and broken > 0, f"without syncs {lost} cuts have lost a commit and {broken} broken the file")
    safe = control(stage, "FULL", seeds)
    expect(safe == (0, 0), f"with syncs {safe[0]} cuts have lost a commit and {safe[1]} broken the file")
    return f"OFF: {lost} of {seeds} cuts lose commits, {broken} break the file; FULL: none"


def files_control(stage):
    """A small program that keeps files on the same disk: without one of its three kinds of syncs it loses some."""
    seeds, lost = 40, {}
    for missing in (None, *SYNCS):
        lost[missing] = 0
        for seed in range(seeds):
            folder = pathlib.Path(stage.folder, f"{missing}-{seed}")
            folder.mkdir()
            syncs = " ".join(name for name in SYNCS if name != missing)
            after = 10 + random.Random(seed).randrange(200)
            acknowledged = cut_program(stage, seed, after, FILES_PROGRAM, folder, syncs)
            lost[missing] += not all(is_kept(folder, number) for number in range(1, acknowledged + 1))
    safe = lost.pop(None)
    expect(safe == 0, f"with all syncs {safe} cuts have lost a file")
    expect(all(lost.values()), f"of {seeds} cuts without a kind of syncs so many have lost a file: {lost}")
    counts = ", ".join(f"{name} {count}" for name, count in lost.items())
    return f"of {seeds} cuts without one kind of syncs so many lose files: {counts}; with all: none"


def is_kept(folder, number):
    path = folder / "files" / str(number)
    return path.exists() and path.read_bytes() == b"%04d" % number * 500


def noticed(stage, syncs):
    """The server on a disk that ignores these syncs before each cut: the crew must notice the losses."""

    class LyingDisk(Disk):
        def cut_power(self, after):
            self.control.ignores_syncs = syncs
            super().cut_power(after)

    disk = LyingDisk(stage.disk.environment["LD_PRELOAD"], stage.folder)
    run = Run(stage.binary, stage.folder, seed=1, disk=disk)
    started = run.crash(15, is_enough=bool)
    expect(run.violations or not started, "15 losses of power without syncs are not noticed")
    found = run.violations[0] if run.violations else "the server does not start"
    return f"noticed after {run.crashes} cuts: {found[:100]}"


def lying_disk(stage):
    """No sync of SQLite's files keeps anything."""
    return noticed(stage, SQLITE_SYNCS)


def lying_folder(stage):
    """No sync of `files`, or of a file in it, keeps anything, while those of SQLite do."""
    return noticed(stage, FOLDER_SYNCS)


def first_files(stage):
    """The power fails soon after the first upload to a new server: the folder of files is as new as they are."""
    seeds, kept = 20, 0
    for seed in range(seeds):
        shutil.rmtree(stage.data, ignore_errors=True)
        stage.disk.start(seed)
        life = Life(stage.binary, stage.data, disk=stage.disk)
        try:
            writer = Uploads(Person(life.listening(), "ada"), loses_power=True)
            write_until_cut(stage, writer, life.peer(writer.person), after=1 + seed)
        finally:
            code = life.end()
        expect(code == -9, f"the server ended with {code}")
        kept += len(writer.ledger.known)
        again = Life(stage.binary, stage.data)
        try:
            peer = again.listening().peer(writer.person)
            found = list(writer.check(peer, True))
            peer.close()
        finally:
            again.end()
        expect(not found, f"after cut {seed + 1}: {'; '.join(found)}")
    return f"{kept} files are there after {seeds} cuts"


def write_until_cut(stage, writer, peer, after):
    """Writes once, and then until the power fails at the operation that is so many away."""
    try:
        writer.write(peer)
        stage.disk.cut_power(after)
        while True:
            writer.write(peer)
    except DEATH:
        peer.close()


def upgrade(stage):
    """The power fails at each step of an upgrade: the old schema is whole, or the new one."""
    old, new = outdated(stage)
    steps, wholes = 0, []
    while True:
        steps += 1
        shutil.rmtree(stage.data)
        shutil.copytree(old, stage.data)
        stage.disk.start(seed=steps)
        stage.disk.cut_power(steps)
        life = Life(stage.binary, stage.data, disk=stage.disk)
        try:
            life.listening()
        except NotStarted as problem:
            expect(problem.code == -9, f"the upgrade fails with {problem}")
        finally:
            if not life.process.stdout.closed:
                life.end()
        found = schema(f"{stage.data}/promised.sqlite")
        expect(found in (schema(f"{old}/promised.sqlite"), new),
               f"the schema is neither the old one nor the new one after step {steps}: {sorted(found ^ new)[:3]}")
        wholes.append(found == new)
        if stage.disk.control.operations < steps:
            break
        if steps % 10:
            continue
        again = Life(stage.binary, stage.data)
        try:
            again.listening()
            expect(not (names := [name for name in leftovers(stage.data) if ".before-" not in name or "draft" in name]),
                   f"there are leftovers: {', '.join(names)}")
        finally:
            again.end()
        expect(not (found := verify(stage.binary, stage.data)), f"promised verify: {found}")
    return f"{steps} steps: {wholes.count(False)} times the old schema, {wholes.count(True)} times the new one"


def outdated(stage):
    """A folder with a database of an earlier version, and the present schema."""
    Life(stage.binary, stage.data).listening().end(15)
    path = f"{stage.data}/promised.sqlite"
    new = schema(path)
    database = sqlite3.connect(path)
    database.executescript("""
        DROP INDEX companion_by_user;
        DROP INDEX visit_by_time;
        ALTER TABLE visit DROP COLUMN is_together;
        CREATE INDEX visit_by_time ON visit (user_id, at, id);
        CREATE INDEX visit_shared ON visit (user_id, at, id) WHERE audience <> 'private';
        DELETE FROM grdb_migrations WHERE identifier = '0026-visit-columns';
    """)
    database.close()
    old = f"{stage.folder}/old"
    shutil.copytree(stage.data, old)
    return old, new


def schema(path):
    """The objects of a database and the migrations that it has seen, read from a copy: opening the file would repair it."""
    copy = f"{path}.copy"
    for ending in ("", "-wal"):
        if os.path.exists(path + ending):
            shutil.copy(path + ending, copy + ending)
    database = sqlite3.connect(copy)
    objects = {row for row in database.execute("SELECT type, name, sql FROM sqlite_schema")}
    objects |= set(database.execute("SELECT 'migration', identifier, '' FROM grdb_migrations"))
    database.close()
    for ending in ("", "-wal", "-shm"):
        if os.path.exists(copy + ending):
            os.remove(copy + ending)
    return objects


CASES = [power_control, files_control, lying_disk, lying_folder, first_files, upgrade]
