"""Measures a start of the server with as much of each thing as clients can bring there.

Called by scripts/bench restart --things. Rows are written into the database; each kind is a copy of one that requests
made.
"""

import argparse
import os
import pathlib
import shutil
import signal
import sys
import tempfile
import time
import urllib.error
import urllib.request
import uuid

import restart
from cost.fill import DAY, WIDE, Filler
from cost.meter import SETTINGS
from cost.world import World
from promised import stored
from promised.schema import Schema


class Base:
    """The models of a world, and what is made of them."""

    def __init__(self, world):
        self.world = world
        self.ids = [uuid.UUID(each).bytes for each in world.users]

    def filler(self, data):
        self.fill = Filler(data, 1)
        self.full = self.ids[0]
        self.scheduled = self.fill.row("SELECT * FROM promise WHERE id = ?", uuid.UUID(self.world.scheduled).bytes)
        self.tracking = self.fill.row("SELECT * FROM promise WHERE id = ?", uuid.UUID(self.world.tracking).bytes)
        return self.fill

    def nothing(self):
        return "one thing of each kind, 1,556 accounts"

    def accounts(self):
        user = self.fill.row("SELECT * FROM user WHERE id = ?", self.ids[3])
        session = self.fill.row("SELECT * FROM auth_session WHERE user_id = ?", self.ids[3])
        token = self.fill.row("SELECT * FROM refresh_token WHERE session_id = ?", session["id"])
        ids = [self.fill.id() for _ in range(1_000_000)]
        self.fill.copies(
            "user", user,
            ({"id": each, "nickname": f"c_{number}", "nickname_key": f"c_{number}", "nickname_skeleton": None}
             for number, each in enumerate(ids)))
        sessions = [self.fill.id() for _ in ids]
        self.fill.copies("auth_session", session, ({"id": own, "user_id": each} for own, each in zip(sessions, ids)))
        self.fill.copies("refresh_token", token,
                         ({"hash": self.fill.random.randbytes(32), "session_id": own} for own in sessions))
        return "1,000,000 with a session each"

    def sessions(self):
        for user in self.ids:
            self.fill.sessions(user)
        return f"50 of each of {len(self.ids):,} accounts"

    def friendships(self):
        for number in range(500):
            self.fill.friendships(self.ids[number], self.ids[number + 1:number + 1_000], "friends")
        return "about 1,000 of each of 500 accounts"

    def requests(self):
        for number in range(1_000):
            self.fill.friendships(self.ids[number], self.ids[number + 100:number + 300], "requested", "user")
        return "200 of each of 1,000 accounts"

    def blocks(self):
        for number in range(1_000):
            self.fill.friendships(self.ids[number], self.ids, "none")
        self.fill.run("UPDATE friendship SET first_blocks = 1")
        return "one for each pair of 1,000 accounts and all others"

    def scheduled_promises(self):
        self.fill.promises(self.scheduled, [self.ids[number % 1_000] for number in range(100_000)], [self.ids[1_500]])
        return "100 of each of 1,000 owners, of two people"

    def participants(self):
        self.fill.promises(self.scheduled, [self.ids[number % 200] for number in range(20_000)], self.ids[:50])
        return "50 of each of 20,000 scheduled promises, with the longest status texts"

    def promises_under_way(self):
        self.fill.promises(self.tracking, [self.ids[1_000 + number % 300] for number in range(5_000)],
                           [self.ids[number] for number in range(9)])
        return "5,000 of ten people"

    def history(self):
        past = int(time.time() * 1_000) - 30 * DAY
        self.fill.finals(self.scheduled, [self.ids[number % 1_000] for number in range(100_000)], self.ids[1_000:1_009],
                         past)
        return "100,000 final promises with ten rows each"

    def events(self):
        for promise in self.fill.promises(self.tracking, [self.ids[1_000 + number] for number in range(100)], []):
            self.fill.run("DELETE FROM promise_event WHERE promise_id = ?", promise)
            self.fill.run("UPDATE promise SET last_seq = 0 WHERE id = ?", promise)
            event = self.fill.row("SELECT * FROM promise_event WHERE kind = 'joined' LIMIT 1")
            self.fill.copies("promise_event", event, ({"promise_id": promise, "seq": seq} for seq in range(1, 10_001)))
            self.fill.run("UPDATE promise SET last_seq = 10000 WHERE id = ?", promise)
        return "10,000 of each of 100 promises under way"

    def positions(self):
        opens = self.tracking["meets_at"] - self.tracking["span_before"]
        some = stored.fixes(30_000, opens + 60_000, int(time.time() * 1_000) - 60_000, 37.6, 126.978)
        for user in self.ids[:50]:
            stored.add_fixes(self.fill.database, self.tracking["id"], user, "phone", "1", some)
        return "30,000 of each of 50 participants of one promise"

    def invites_and_links(self):
        found = self.fill.promises(self.scheduled, [self.ids[number % 1_000] for number in range(100_000)], [])
        invite = self.fill.row("SELECT * FROM invite LIMIT 1")
        self.fill.copies("invite", invite,
                         ({"code": f"{number:010d}", "promise_id": each} for number, each in enumerate(found)))
        link = self.fill.row("SELECT * FROM view_link LIMIT 1")
        self.fill.copies("view_link", link,
                         ({"code_hash": self.fill.random.randbytes(32), "promise_id": each} for each in found))
        return "one of each for 100,000 promises"

    def nudges(self):
        now = int(time.time() * 1_000)
        self.fill.database.executemany(
            "INSERT INTO nudge VALUES (?, ?, ?, ?)",
            ((promise, one, other, now)
             for promise in self.fill.promises(self.tracking, self.ids[1_000:1_050], self.ids[:50])
             for one in self.ids[:50] for other in self.ids[:50] if one != other))
        return "one for each pair of 50 participants, of 50 promises under way"

    def keys(self):
        model = self.fill.row("SELECT * FROM idempotency_key LIMIT 1")
        self.fill.copies("idempotency_key", model,
                         ({"owner_id": user, "key": str(number)} for user in self.ids for number in range(300)))
        return f"300 of each of {len(self.ids):,} accounts"

    def places(self):
        self.fill.places(1_000_000)
        return "1,000,000"

    def favourites(self):
        model = self.fill.row("SELECT * FROM favourite LIMIT 1")
        for user in self.ids:
            self.fill.favourites(user, model, 500, [])
        return f"500 of each of {len(self.ids):,} accounts"

    def visits(self):
        model = self.fill.row("SELECT * FROM visit LIMIT 1")
        for user in self.ids[100:110]:
            self.fill.visits(user, model, 10_000, WIDE * 200, self.ids[200:220], [])
        return "10,000 of each of ten accounts, with ten photos and twenty companions"

    def files(self):
        model = self.fill.row("SELECT * FROM file WHERE kind = 'photo' LIMIT 1")
        visit = self.fill.row("SELECT id FROM visit LIMIT 1")["id"]
        folder = next(self.world.data.glob("files*"), self.world.data / "files")
        files = [(visit, 1, self.fill.id()) for _ in range(150_000)]
        self.fill.files(self.full, model, "visit", files)
        target = self.fill.data / folder.name
        target.mkdir(mode=0o700, exist_ok=True)
        suffix = next((each.name[36:] for each in target.iterdir() if len(each.name) >= 36), "")
        for _, _, file in files:
            (target / (str(uuid.UUID(bytes=file)) + suffix)).write_bytes(b"x" * 70)
        return "150,000, each a file on the disk"

    def uploads(self):
        ids = [(self.fill.id(), user, str(number)) for user in self.ids for number in range(3)]
        now = int(time.time() * 1_000)
        self.fill.database.executemany("INSERT INTO upload VALUES (?, ?, ?, 'photo', 100000, zeroblob(32), 0, ?)",
                                       ((*each, now) for each in ids))
        return f"three of each of {len(self.ids):,} accounts"

    def folders(self):
        for user in self.ids[1:]:
            self.fill.folders(user, 200)
        return f"200 of each of {len(self.ids):,} accounts"

    def courses(self):
        model = self.fill.row("SELECT * FROM course LIMIT 1")
        for user in self.ids[100:104]:
            self.fill.courses(user, model, self.fill.folders(user, 1), [1_000] * 5_000, WIDE * 200, self.ids[200:250])
        return "5,000 of each of four accounts, with 5,000,000 points, 50,000 photos and 250,000 shares each"

    def recordings(self):
        model = self.fill.row("SELECT * FROM recording WHERE state = 'recording' LIMIT 1")
        for user in self.ids[100:120]:
            for _ in range(3):
                self.fill.recording(model, user, 100_000, 10_000)
        return "three of 100,000 points of each of 20 accounts"

    def notifications(self):
        model = self.fill.row("SELECT * FROM notification WHERE kind = 'invited' LIMIT 1")
        for user in self.ids:
            self.fill.notifications(user, model)
        return f"200 of each of {len(self.ids):,} accounts"

    def audit(self):
        now = int(time.time() * 1_000)
        self.fill.database.executemany(
            "INSERT INTO audit (at, actor, action, subject, detail) VALUES (?, 'user', 'excuse', 'x', ?)",
            ((now, "y" * 200) for _ in range(1_000_000)))
        return "1,000,000"


THINGS = ("nothing", "accounts", "sessions", "friendships", "requests", "blocks", "scheduled_promises", "participants",
          "promises_under_way", "history", "events", "positions", "invites_and_links", "nudges", "keys", "places",
          "favourites", "visits", "files", "uploads", "folders", "courses", "recordings", "notifications", "audit")


def ready(port):
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/readyz", timeout=5) as page:
            return True if page.status == 200 else None
    except (urllib.error.URLError, OSError):
        return None


def life(promised, data):
    """Seconds until the server is ready and until it rests, processor seconds, and memory at rest and at most."""
    port = restart.free_port()
    server = restart.Server(
        promised, data, port,
        *(word for setting in SETTINGS if not setting.startswith("log.") for word in ("--set", setting)))
    try:
        if restart.wait_for(lambda: ready(port), 300) is None:
            raise RuntimeError("the server was not ready")
        until, last = time.monotonic() - server.began, server.cpu()
        while True:
            time.sleep(1)
            now = server.cpu()
            if now - last <= 0.03:
                break
            last = now
        memory, most = server.memory()
        return {
            "ready": until, "restored": server.restored or 0, "rest": time.monotonic() - server.began - 1, "cpu": last,
            "memory": memory, "most": most
        }
    finally:
        server.end(signal.SIGTERM)


def main():
    parser = argparse.ArgumentParser(prog="scripts/bench restart --things", description=__doc__.splitlines()[0])
    parser.add_argument("--binaries", type=os.path.abspath, required=True, help="folder of the programs")
    parser.add_argument("--things", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--only", action="append", choices=THINGS, help="one thing; may be repeated")
    chosen = parser.parse_args()
    print(
        "| thing | how many | database | ready | at rest | CPU time | memory | peak |\n"
        "|---|---|---|---|---|---|---|---|",
        flush=True)
    with tempfile.TemporaryDirectory(prefix="promised-restarts-") as folder:
        world = World(Schema(), f"{chosen.binaries}/promised", folder, places=1)
        world.model(lambda text: print(text, file=sys.stderr, flush=True))
        base, failed = Base(world), 0
        for thing in chosen.only or THINGS:
            data = pathlib.Path(folder, thing)
            shutil.copytree(world.data, data)
            filler = base.filler(data)
            try:
                words = getattr(base, thing)()
            finally:
                filler.close()
            size = (data / "promised.sqlite").stat().st_size
            found = life(f"{chosen.binaries}/promised", data)
            print(
                f"| {thing.replace('_', ' ')} | {words} | {size / 1e6:,.1f} MB | {found['ready']:.2f} s | {found['rest']:.1f} s | "
                f"{found['cpu']:.2f} s | "
                f"{found['memory'] / 1e6:.1f} MB | {found['most'] / 1e6:.1f} MB |", flush=True)
            shutil.rmtree(data)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
