"""Writes into a server's database what a client could have brought there, to measure and to attack a server that holds
as much as it may. Only while no server runs on it."""

import sqlite3
import uuid

from promised.protobuf import varint

# Positions as the store keeps them (PromisedStore/Fixes/FixChunk.swift, FixCoding.swift).


def signed(value):
    return varint(value << 1 if value >= 0 else (-value << 1) - 1)


def text(value):
    return varint(len(value.encode())) + value.encode()


def chunk(user, device, boot, fixes):
    """Fixes of one device: each its number, its time in milliseconds, and its degrees in steps of 10^-7."""
    body, last = b"", (0, 0, 0, 0)
    for fix in fixes:
        seq, at, north, east = (now - before for now, before in zip(fix, last))
        body += b"\0" + signed(seq) + signed(at) + signed(200) + signed(north) + signed(east) + varint(902) + varint(142)
        last = fix
    source = user[:8][::-1] + user[8:][::-1] + text(device) + text(boot)
    return b"\1" + varint(1) + source + varint(len(body)) + body


def fixes(count, begin, end, latitude, longitude):
    """So many positions some metres from one another, spread over a time in milliseconds."""
    step = (end - begin) / count
    north, east = round(latitude * 1e7), round(longitude * 1e7)
    return [(index + 1, int(begin + index * step), north + index % 5_000, east) for index in range(count)]


def add_fixes(database, promise, user, device, boot, some, late=False):
    """Keeps positions of a participant's device, twenty to a chunk.

    `late`: the oldest come last, so that all must be judged a second time.
    """
    chunks = [some[start:start + 20] for start in range(0, len(some), 20)]
    if late:
        chunks.append(chunks.pop(0))
    database.executemany(
        "INSERT INTO fix (promise_id, count, chunk) VALUES (?, ?, ?)",
        [(promise, len(part), chunk(user, device, boot, part)) for part in chunks])


def repeat_event(database, promise, kind, count):
    """Numbers so many copies of the last event of a kind after the last event of a promise."""
    at, body, last = database.execute(
        "SELECT at, body, last_seq FROM promise_event JOIN promise ON id = promise_id"
        " WHERE promise_id = ? AND kind = ? ORDER BY seq DESC LIMIT 1", (promise, kind)).fetchone()
    database.executemany(
        "INSERT INTO promise_event (promise_id, seq, at, kind, body) VALUES (?, ?, ?, ?, ?)",
        [(promise, last + 1 + index, at, kind, body) for index in range(count)])
    database.execute("UPDATE promise SET last_seq = last_seq + ? WHERE id = ?", (count, promise))


def stored_id(value):
    """An id as the store keeps it."""
    return uuid.UUID(value).bytes


def open_database(data):
    return sqlite3.connect(f"{data}/promised.sqlite")
