"""Fills a database with as much as users may bring there: each kind of row is a copy of one that requests made.

Only while no server runs on it.
"""

import hashlib
import json
import pathlib
import random
import sqlite3
import time
import uuid

from promised import stored
from promised.protobuf import varint

# One character of eight bytes that no normal form shortens.
WIDE = "\U0001D400" + "\u0334" * 2
DAY = 86_400_000


def new_id(rows):
    """An id as the store keeps it: of now, and random."""
    head = int(time.time() * 1_000).to_bytes(6, "big")
    tail = bytearray(rows.randbytes(10))
    tail[0], tail[2] = tail[0] & 0x0F | 0x70, tail[2] & 0x3F | 0x80
    return head + bytes(tail)


def text_id(value):
    return str(uuid.UUID(bytes=value))


class Filler:
    """Copies rows of one database."""

    def __init__(self, data, seed):
        self.data, self.random = pathlib.Path(data), random.Random(seed)
        self.database = sqlite3.connect(self.data / "promised.sqlite", isolation_level=None)
        self.database.execute("PRAGMA synchronous = OFF")
        self.database.execute("PRAGMA foreign_keys = OFF")
        self.database.execute("BEGIN")
        self.database.row_factory = sqlite3.Row

    def close(self):
        self.database.execute("COMMIT")
        self.database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        self.database.close()

    def id(self):
        return new_id(self.random)

    def row(self, sql, *values):
        found = self.database.execute(sql, values).fetchone()
        if found is None:
            raise LookupError(sql)
        return dict(found)

    def column(self, sql, *values):
        return [row[0] for row in self.database.execute(sql, values)]

    def copies(self, table, model, changes):
        """Adds rows that differ from a model."""
        generated = {row["name"] for row in self.database.execute(f"PRAGMA table_xinfo({table})") if row["hidden"]}
        names = [name for name in model if name not in generated]
        marks = ", ".join(f":{name}" for name in names)
        self.database.executemany(f"INSERT INTO {table} ({', '.join(names)}) VALUES ({marks})",
                                  ({**model, **change} for change in changes))

    def run(self, sql, *values):
        self.database.execute(sql, values)

    # --- People -------------------------------------------------------------------------------------------------------

    def avatars(self):
        self.run("UPDATE user SET avatar = ? WHERE deleted_at IS NULL", WIDE * 64)

    def friendships(self, user, others, state, requester=None):
        now = int(time.time() * 1_000)
        self.database.executemany(
            "INSERT OR REPLACE INTO friendship (first, second, state, requester, since, first_blocks, second_blocks)"
            " VALUES (?, ?, ?, ?, ?, 0, 0)", [(min(user, each), max(user, each), state,
                                               (user if requester == "user" else each) if requester else None, now)
                                              for each in others if each != user])

    def sessions(self, user, count=50):
        model = self.row("SELECT * FROM auth_session WHERE user_id = ? LIMIT 1", user)
        token = self.row("SELECT * FROM refresh_token WHERE session_id = ? LIMIT 1", model["id"])
        have = self.row("SELECT count(*) AS n FROM auth_session WHERE user_id = ?", user)["n"]
        ids = [self.id() for _ in range(count - have)]
        self.copies("auth_session", model, ({"id": each} for each in ids))
        self.copies("refresh_token", token,
                    ({"hash": self.random.randbytes(32), "session_id": each, "family": None} for each in ids))

    def notifications(self, user, model, count=200):
        self.run("DELETE FROM notification WHERE user_id = ?", user)
        self.copies("notification", model,
                    ({"user_id": user, "at": model["at"] - number, "id": self.id()} for number in range(count)))

    # --- Promises -----------------------------------------------------------------------------------------------------

    def promises(self, model, owners, people, changes=(), membership="accepted", **fields):
        """Promises like a model, one for each owner, with these people beside the owner; returns their ids."""
        participant = self.row("SELECT * FROM participant WHERE promise_id = ? AND membership = 'accepted' LIMIT 1",
                               model["id"])
        event = self.row("SELECT * FROM promise_event WHERE promise_id = ? LIMIT 1", model["id"])
        found, rows, members, events = [], [], [], []
        for owner in owners:
            promise = self.id()
            found.append(promise)
            rows.append({"id": promise, "owner_id": owner, "epoch": text_id(self.id()), "last_seq": 1, **fields})
            meets = fields.get("meets_at", model["meets_at"])
            settles = meets + model["span_after"] + model["span_settle"]
            for number, user in enumerate([owner, *(each for each in people if each != owner)]):
                members.append({
                    "promise_id": promise, "user_id": user, "number": number, "meets_at": meets, "settles_at": settles,
                    "membership": "accepted" if user == owner else membership,
                    "accepted_at": participant["accepted_at"] if membership == "accepted" or user == owner else None,
                    "status_text": WIDE * 80 if membership == "accepted" else "", "emoji": ""
                })
            events.append({"promise_id": promise, "seq": 1})
        self.copies("promise", model, rows)
        self.copies("participant", participant, members)
        self.copies("promise_event", event, events)
        return found

    def finals(self, model, owners, people, meets_at):
        """Promises whose result is final, with rows for the owner and these people."""
        found = self.promises(model, owners, people, meets_at=meets_at, mark=5, title=WIDE * 60, note=WIDE * 500,
                              created_at=meets_at - 7 * DAY)
        results, rows = [], []
        for promise, owner in zip(found, owners):
            results.append((promise, meets_at, meets_at + model["span_after"] + model["span_settle"], 5_000, "EUR"))
            users = [owner, *(each for each in people if each != owner)]
            rows += [(promise, user, number + 1, "noShow", None, 0, 0, None, 5_000, "")
                     for number, user in enumerate(users)]
        self.database.executemany(
            "UPDATE promise SET penalty_amount = 5000, penalty_currency = 'EUR', last_seq = 0 WHERE id = ?",
            [(each,) for each in found])
        self.database.executemany("DELETE FROM promise_event WHERE promise_id = ?", [(each,) for each in found])
        self.database.executemany("INSERT INTO result VALUES (?, ?, ?, ?, ?)", results)
        self.database.executemany(
            "INSERT INTO result_row (promise_id, user_id, number, outcome, credited_at, seconds_from_meeting, rank,"
            " source, penalty_owed, excused_reason) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", rows)
        return found

    # --- Visits and files ---------------------------------------------------------------------------------------------

    def visits(self, user, model, count, memo, companions, places):
        """Visits with ten photos and twenty companions each; returns their ids."""
        photo = self.row("SELECT * FROM file WHERE kind = 'photo' LIMIT 1")
        ids = [self.id() for _ in range(count)]
        self.copies("visit", model, ({
            "id": each, "user_id": user, "at": model["at"] - number * 3_600_000, "local_date": model["local_date"] -
            number // 24, "title": WIDE * 100, "memo": memo, "place_name": WIDE * 100, "place_address": WIDE * 200,
            "audience": "friends", "place_id": places[number % len(places)] if places and number % 2 else None,
            "category": ("cafe", "bookshop/used", "library")[number % 3],
            "region": ("KR-11/r1", "KR-26", "JP-13")[number % 3]
        } for number, each in enumerate(ids)))
        files = [(each, position, self.id()) for each in ids for position in range(1, 11)]
        self.files(user, photo, "visit", files)
        self.database.executemany("INSERT INTO visit_photo VALUES (?, ?, ?, ?)",
                                  ((*each, WIDE * 100 if number < 5_000 else "") for number, each in enumerate(files)))
        self.database.executemany("INSERT INTO companion VALUES (?, ?, ?, NULL)",
                                  ((each, position + 1, companions[position]) for each in ids
                                   for position in range(20)))
        return ids

    def files(self, user, model, kind, files):
        self.copies("file", model, ({
            "id": file, "user_id": user, "item_kind": kind, "item_id": item, "used_at": model["created_at"], "bytes": 70
        } for item, _, file in files))

    # --- Courses ------------------------------------------------------------------------------------------------------

    def folders(self, user, count):
        model = self.row("SELECT * FROM folder LIMIT 1")
        have = self.column("SELECT id FROM folder WHERE user_id = ?", user)
        ids = [self.id() for _ in range(count - len(have))]
        self.copies(
            "folder", model,
            ({"id": each, "user_id": user, "title": f"{WIDE * 50} {number}", "title_key": f"{WIDE * 50} {number}"}
             for number, each in enumerate(ids)))
        return have + ids

    def track(self, points):
        """A segment of so many points, some ten metres from one another."""
        step = b"\0" + stored.signed(900) + stored.signed(700)
        return b"\1" + b"\0" + stored.signed(375_000_000) + stored.signed(1_270_000_000) + step * (points - 1)

    def courses(self, user, model, folders, points, memo, people):
        """Courses of so many points each, with ten photos and fifty people; returns their ids."""
        photo = self.row("SELECT * FROM file WHERE kind = 'photo' LIMIT 1")
        way = self.row("SELECT * FROM waypoint LIMIT 1")
        ids = [self.id() for _ in points]
        self.copies("course", model, ({
            "id": each, "user_id": user, "folder_id": folders[number % len(folders)],
            "changed_at": model["changed_at"] + number, "title": f"{WIDE * 50} {number}",
            "title_key": f"{WIDE * 50} {number}", "memo": memo, "audience": "people", "points": points[number],
            "counted": points[number], "dropped": 0
        } for number, each in enumerate(ids)))
        tracks = {}
        self.database.executemany("INSERT INTO course_track VALUES (?, 0, ?, ?)",
                                  ((each, count, tracks.setdefault(count, self.track(count)))
                                   for each, count in zip(ids, points)))
        files = [(each, position, self.id()) for each in ids for position in range(1, 11)]
        self.files(user, photo, "course", files)
        self.database.executemany("INSERT INTO course_photo VALUES (?, ?, ?, ?)", ((*each, "") for each in files))
        self.database.executemany("INSERT INTO course_person VALUES (?, ?, ?)",
                                  ((each, other, position + 1) for each in ids
                                   for position, other in enumerate(people)))
        self.copies("waypoint", way, ({"course_id": each, "position": position + 1, "name": WIDE * 100}
                                      for each in ids[-200:] for position in range(50)))
        return ids

    def recording(self, model, user, points, ranges=1):
        """An open recording of so many points, in chunks of two hundred. The first have every other number, so that the
        numbers form so many ranges."""
        gaps = ranges - 1
        numbers = [1 + 2 * number for number in range(gaps)] + list(range(1 + 2 * gaps, 1 + points + gaps))
        ranges = [(each, each) for each in numbers[:gaps]] + [(numbers[gaps], numbers[-1])]
        body, last = bytearray(), 0
        for low, high in ranges:
            body += varint(low - last) + varint(high - low)
            last = high
        devices = b"\1" + varint(1) + stored.text("phone") + varint(last) + varint(
            len(ranges)) + bytes(body) + b"\0"
        each = self.id()
        self.copies("recording", model, [{"id": each, "user_id": user, "points": points, "devices": devices}])
        rows = []
        for start in range(0, points, 200):
            part, body, last, place = numbers[start:start + 200], b"", 0, (375_000_000, 1_270_000_000)
            for number in part:
                body += stored.signed(number - last) + stored.signed(0) + b"\0" + stored.signed(
                    place[0]) + stored.signed(place[1])
                last, place = number, (900, 700)
            rows.append((each, len(part), b"\1" + stored.text("phone") + body))
        self.database.executemany("INSERT INTO recording_chunk (recording_id, count, points) VALUES (?, ?, ?)", rows)
        return each

    # --- Places -------------------------------------------------------------------------------------------------------

    def places(self, count):
        """Places like the one that is there, around towns; returns some of their ids."""
        import places as invented
        model = self.row("SELECT * FROM place LIMIT 1")
        first = self.row("SELECT max(number) AS n FROM place")["n"] + 1
        some = []

        def rows():
            for number, (ref, name, latitude, longitude, address, category,
                         hours) in enumerate(invented.places(count, 1)):
                each = self.id()
                if number % max(1, count // 200) == 0:
                    some.append(each)
                yield {
                    "number": first + number, "id": each, "ref": ref, "name": name, "latitude": latitude,
                    "longitude": longitude, "address": address, "categories": category, "hours": hours,
                    "region": ("KR-11/r1", "KR-26", "JP-13")[number % 3]
                }

        self.copies("place", model, rows())
        self.run(
            "UPDATE place_source SET places = (SELECT count(*) FROM place WHERE source_id = place_source.id"
            " AND removed_at IS NULL)"
        )
        return some

    def favourites(self, user, model, count, places):
        self.copies("favourite", model, ({
            "id": self.id(), "user_id": user, "label": WIDE * 40, "place_name": WIDE * 100, "place_address": WIDE * 200,
            "created_at": model["created_at"] - number, "place_id": places[number] if number < len(places) else None
        } for number in range(count)))


def digest(data):
    return hashlib.sha256(data).hexdigest()


def note(path, found):
    pathlib.Path(path).write_text(json.dumps(found))
