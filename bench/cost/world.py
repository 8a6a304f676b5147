"""The world in which requests are measured: one user with all that the limits allow, one with nothing, and others."""

import base64
import concurrent.futures
import hashlib
import json
import pathlib
import shutil
import subprocess
import time
import uuid

from cost.fill import DAY, WIDE, Filler, text_id
from cost.inputs import Leaf
from cost.line import Drain, Line
from cost.meter import Server
from promised.client import PASSWORD
from promised.people import instant
from promised.pictures import picture, png

PLACE = {"name": WIDE * 100, "address": WIDE * 200, "latitude": 37.5665, "longitude": 126.978}


class World:
    """A folder with a filled database, a server on it, people and ids."""

    def __init__(self, schema, binary, folder, places=1_000_000, seed=1):
        self.schema, self.binary, self.folder, self.places, self.seed = schema, binary, pathlib.Path(
            folder), places, seed
        self.data, self.log = self.folder / "data", self.folder / "log"
        self.server, self.lines, self.drain = None, {}, Drain()
        self.password = PASSWORD
        self.seqs = {}

    # --- Making it ----------------------------------------------------------------------------------------------------

    def build(self, say):
        self.model(say)
        say("filling the database")
        self._fill()
        say("verifying it")
        checked = subprocess.run([str(self.binary), "verify", "--data", self.data], capture_output=True, text=True)
        # Photos have no file on the disk, or that of another row: they are only counted, listed and deleted.
        allowed = ("file-missing", "file-damaged")
        breaches = [line for line in (checked.stdout + checked.stderr).splitlines() if not line.startswith(allowed)]
        if breaches:
            raise RuntimeError(f"the filled database is not one that requests could make: {breaches[:5]}")

    def model(self, say):
        """Users, and one thing of each kind."""
        promised = str(self.binary)
        say("seeding users")
        subprocess.run([
            promised, "seed", "--data", self.data, "--users", "1550", "--members", "50", "--meets-in", "30m", "--set",
            "window.before=3h", "--lifetime", "20h", "--tokens", self.folder / "tokens"
        ], check=True, stdout=subprocess.DEVNULL)
        lines = [
            line.split("\t") for line in (self.folder / "tokens").read_text().splitlines() if line.count("\t") >= 5
        ]
        self.users = [line[0] for line in lines]
        self.tokens = [line[-1] for line in lines]
        say("making one thing of each kind")
        self.start()
        self._models()
        self.stop()

    def start(self, *settings):
        self.server = Server(str(self.binary), self.data, self.log, *settings)
        self.lines = {}

    def stop(self):
        for line in self.lines.values():
            line.close()
        self.lines = {}
        self.server.stop()

    def line(self, caller, encoding="json"):
        """The connection of a caller in an encoding."""
        key = (caller, encoding)
        if key not in self.lines:
            line = Line(self.schema, self.server.port, encoding)
            if caller == "admin":
                line.must("hello", token=(self.data / "admin.token").read_text().strip())
            else:
                line.must("hello", token=self.token(caller), deviceId="phone" if encoding == "json" else "other phone",
                          bootId="1")
            self.lines[key] = line
        return self.lines[key]

    def forget(self, caller, encoding):
        """The connection is gone; the next use makes another."""
        line = self.lines.pop((caller, encoding), None)
        if line:
            line.close()

    CALLERS = {"full": 0, "member": 1, "owner": 50, "many": 100, "asker": 1_400}

    def token(self, caller):
        if caller == "empty":
            return self.empty["accessToken"]
        return self.tokens[self.CALLERS.get(caller) if isinstance(caller, str) else caller]

    def signed_up(self, name):
        line = Line(self.schema, self.server.port)
        session = line.must("signUp", email=f"{name}@example.org", password=PASSWORD, nickname=name)
        return line, session

    def _models(self):
        full, admin = self.line("full"), self.line("admin")
        for name in ("empty", "sessions", "passwords", "doomed1", "doomed2", "doomed3"):
            line, session = self.signed_up(name)
            line.close()
            setattr(self, name, session)
        self.doomed = [getattr(self, f"doomed{number}")["user"]["userId"] for number in (1, 2, 3)]
        made = admin.must(
            "admin", beginImport={
                "source": {
                    "name": "bench", "title": "Bench", "publisher": "Bench", "licence": "CC0", "url": "", "date": "2026"
                }, "timeZone": "Asia/Seoul"
            })
        row = {
            "ref": "first", "place": {"name": "First", "address": "", "latitude": 37.5, "longitude": 127.0},
            "categories": ["cafe"], "region": "KR-11", "hours": "Mo-Fr 09:00-18:00"
        }
        admin.must("admin", putPlaces={"importId": made["placeImport"]["importId"], "rows": [row]})
        admin.must("admin", finishImport={"importId": made["placeImport"]["importId"]})
        full.must("addFavourite", key="f", place=PLACE, label=WIDE * 40)
        photos = [self.uploaded(full, png()) for _ in range(3)]
        recording = full.must("startRecording", key="r", activity="WALK")["recordingId"]
        points = [{
            "seq": number + 1, "latitude": 37.5 + number * 0.000_09, "longitude": 127.0,
            "altitudeMetres": 30 + number % 7, "accuracyMetres": 5, "recordedAt": instant(-2_000 + number * 8)
        } for number in range(200)]
        full.must("appendRecording", recordingId=recording, points=points, sentAt=instant(0))
        self.course = full.must("finishRecording", recordingId=recording, title="Model",
                                photos=[{"fileId": photos[0], "caption": ""}])["courseId"]
        version = full.must("getCourse", courseId=self.course)["version"]
        full.must(
            "updateCourse", courseId=self.course, version=version, waypoints=[{
                "name": "w", "place": {"latitude": 37.5 + number * 0.000_3, "longitude": 127.0}, "kind": "NOTE"
            } for number in range(50)])
        full.must("startRecording", key="r2", activity="WALK")
        self.visit = full.must("createVisit", key="v", place=PLACE, visitedAt=instant(-86_400), title="t", memo="m",
                               photos=[{"fileId": photos[1],
                                        "caption": ""}], companions=[{"user": {"userId": self.users[2]}}])["visitId"]
        made = full.must("createPromise", key="p", title=WIDE * 60, note=WIDE * 500, place=PLACE,
                         meetsAt=instant(86_400 * 30), inviteeIds=self.users[1:50])
        self.scheduled = made["promise"]["promiseId"]
        # Those who were invited have a notification.
        self.line("member").must("respond", promiseId=self.scheduled, accept=True)
        self.tracking = self.line("full").must("listPromises", list="TRACKING")["promises"][0]["promiseId"]
        self.link = full.must("createViewLink", promiseId=self.tracking)["code"]
        full.must("createInvite", promiseId=self.scheduled)

    def uploaded(self, line, data, kind="PHOTO", most=45_000):
        """The id of a file; the last chunk is sent as well."""
        upload = line.must("beginUpload", key=uuid.uuid4().hex, kind=kind, bytes=len(data),
                           sha256=hashlib.sha256(data).hexdigest())
        for start in range(0, len(data), most):
            answer = line.must("putChunk", uploadId=upload["uploadId"], offset=start,
                               data=base64.b64encode(data[start:start + most]).decode())
        return answer["file"]["fileId"]

    def _fill(self):
        filler = Filler(self.data, self.seed)
        try:
            ids = [uuid.UUID(each).bytes for each in self.users]
            doomed = [uuid.UUID(each).bytes for each in self.doomed]
            full = ids[0]
            filler.avatars()
            filler.friendships(full, ids[51:1_000], "friends")
            filler.friendships(full, ids[1_001:1_200], "requested", "user")
            filler.friendships(full, ids[1_200:1_399], "requested", "other")
            for user in doomed:
                filler.friendships(user, ids[1_000:1_400], "friends")
            for user in (full, *doomed, uuid.UUID(self.sessions["user"]["userId"]).bytes,
                         uuid.UUID(self.passwords["user"]["userId"]).bytes):
                filler.sessions(user)
            model = filler.row("SELECT * FROM notification WHERE user_id = ? AND kind = 'invited' LIMIT 1", ids[2])
            for user in (full, *doomed):
                filler.notifications(user, model)
            some = filler.places(self.places)
            self.place_ids = [text_id(each) for each in some]
            favourite = filler.row("SELECT * FROM favourite LIMIT 1")
            for user in (full, *doomed):
                filler.favourites(user, favourite, 498, some)
            # Visits: the one with everything has the longest memos.
            visit = filler.row("SELECT * FROM visit WHERE id = ?", uuid.UUID(self.visit).bytes)
            self.visit_ids = [
                text_id(each) for each in filler.visits(full, visit, 9_998, WIDE * 2_000, ids[60:80], some)
            ]
            # Courses: 5,000 with 5,000,000 points, some with as many as a course may have.
            course = filler.row("SELECT * FROM course WHERE id = ?", uuid.UUID(self.course).bytes)
            folders = filler.folders(full, 199)
            points = [100_000] * 45 + [80] * 4_945
            courses = filler.courses(full, course, folders, points, WIDE * 2_000, ids[51:101])
            self.course_ids, self.folder_ids = [text_id(each) for each in courses], [text_id(each) for each in folders]
            recording = filler.row("SELECT * FROM recording WHERE user_id = ? AND state = 'recording' LIMIT 1", full)
            self.recordings = {
                "with 100,000 points in 10,000 ranges": text_id(filler.recording(recording, full, 99_000, 10_000)),
                "with 100,000 points": text_id(filler.recording(recording, full, 99_000))
            }
            for number, user in enumerate(doomed):
                filler.visits(user, visit, 10_000, "", ids[60:80], some)
                theirs = filler.folders(user, 1)
                filler.courses(user, course, theirs, [1_000] * 5_000, "", ids[1_001:1_051])
                filler.recording(recording, user, 100_000, 10_000)
                if number == 0:
                    self._write_files(filler, user)
            self.doomed_folders = [
                text_id(filler.row("SELECT id FROM folder WHERE user_id = ?", user)["id"]) for user in doomed
            ]
            self._fill_promises(filler, ids, full, doomed)
        finally:
            filler.close()

    def _write_files(self, filler, user):
        """Gives the files of a user bytes on the disk."""
        for each in filler.column("SELECT id FROM file WHERE user_id = ?", user):
            (self.data / "files" / text_id(each)).write_bytes(png())

    def _fill_promises(self, filler, ids, full, doomed):
        from promised import stored
        scheduled = filler.row("SELECT * FROM promise WHERE id = ?", uuid.UUID(self.scheduled).bytes)
        tracking = filler.row("SELECT * FROM promise WHERE id = ?", uuid.UUID(self.tracking).bytes)
        filler.run(
            "UPDATE participant SET membership = 'accepted', accepted_at = invited_at, status_text = ?"
            " WHERE promise_id = ?",
            WIDE * 80, scheduled["id"])
        filler.run("UPDATE participant SET status_text = ? WHERE promise_id = ?", WIDE * 80, tracking["id"])
        self.scheduled_ids = [text_id(each) for each in self._spread(filler, scheduled, [full] * 97, ids[:50])]
        # Users who are deleted own as many, each with fifty people.
        for number, user in enumerate(doomed):
            filler.promises(tracking, [user] * 12, ids[1_050 + 50 * number:1_099 + 50 * number])
        # Promises of friends in which the full user takes part.
        friends = [ids[51 + number % 900] for number in range(90)]
        others = self._spread(filler, scheduled, friends, [full])
        self.invited_ids = [
            text_id(each)
            for each in filler.promises(scheduled, [ids[51 + number % 900]
                                                    for number in range(500)], [full], membership="invited")
        ]
        self.other_ids = [text_id(each) for each in others[:20]]
        # One user is in twelve promises under way, which is the most at once.
        self.many_ids = [
            text_id(each)
            for each in filler.promises(tracking, [ids[1_000 + number] for number in range(12)], [ids[100]])
        ]
        past = int(time.time() * 1_000) - 5 * DAY
        self.final_ids = [text_id(each) for each in filler.finals(scheduled, [full], ids[:50], past)]
        finals = filler.finals(scheduled, [ids[51 + number % 900] for number in range(10_000)], [full], past - DAY)
        self.final_ids += [text_id(each) for each in finals[:20]]
        # Positions and events of the one under way.
        opens = tracking["meets_at"] - tracking["span_before"]
        now = int(time.time() * 1_000) - 60_000
        for number, user in enumerate(ids[:50]):
            count = 29_000 if number < 5 else 600
            stored.add_fixes(filler.database, tracking["id"], user, "phone", "1",
                             stored.fixes(count, opens + 60_000, now, 37.6, 126.978))
        stored.repeat_event(filler.database, tracking["id"], "joined", 9_000)

    @staticmethod
    def _spread(filler, model, owners, people):
        """Promises of which five meet at a time, because nobody takes part in more than twelve at once."""
        found = []
        for start in range(0, len(owners), 5):
            meets_at = model["meets_at"] + (1 + start // 5) * DAY // 4
            found += filler.promises(model, owners[start:start + 5], people, meets_at=meets_at)
        return found

    # --- Living in it -------------------------------------------------------------------------------------------------

    def live(self):
        """Starts the server on the filled database; fifty people and eighty viewers watch the promise under way."""
        self.start()
        self.watchers = []
        self.link = self.line("full").must("createViewLink", promiseId=self.tracking)["code"]
        for number in range(50):
            line = Line(self.schema, self.server.port)
            line.must("hello", token=self.tokens[number], deviceId="watch", bootId="1")
            line.must("subscribe", promiseId=self.tracking)
            self.drain.add(line)
            self.watchers.append(line)
        for number in range(80):
            line = Line(self.schema, self.server.port, address=f"198.51.100.{number}")
            line.must("watchByLink", code=self.link)
            self.drain.add(line)
            self.watchers.append(line)
        self.big_photo = self.uploaded(self.line("full"), picture(1_140))
        self.cursors = self._cursors()
        self.server.find_service_threads()

    def _cursors(self):
        full = self.line("full")
        asked = {
            "listVisits": {"limit": 10}, "listFriends": {}, "listPromises": {"list": "PAST", "limit": 10},
            "listNotifications": {"limit": 50}, "listCourses": {"list": "MINE"}, "listFavourites": {},
            "searchPlaces": {"text": "시장"},
            "nearbyPlaces": {"latitude": 37.5665, "longitude": 126.978,
                             "radiusMetres": 50_000}, "getTrack": {"courseId": self.course_ids[0]},
            "explainArrival": {"promiseId": self.tracking, "userId": self.users[0]}
        }
        return {name: full.ask(name, **fields) for name, fields in asked.items()}

    def save(self):
        names = ("users", "tokens", "empty", "sessions", "passwords", "doomed", "course", "visit", "scheduled",
                 "tracking", "link", "place_ids", "visit_ids", "course_ids", "folder_ids", "recordings",
                 "doomed_folders", "scheduled_ids", "invited_ids", "other_ids", "many_ids", "final_ids", "password")
        (self.folder / "world.json").write_text(json.dumps({name: getattr(self, name) for name in names}))

    def load(self):
        self.__dict__.update(json.loads((self.folder / "world.json").read_text()))

    # --- What inputs ask of it ----------------------------------------------------------------------------------------

    def one_of(self, name, path, random):
        """An id for a field, with the words for it."""

        def of(words, ids):
            return words, random.choice(ids)

        if name in ("promiseId", "subjectId"):
            return random.choice([("under way, fifty people, 29,000 positions of some", self.tracking),
                                  ("scheduled, fifty people", self.scheduled),
                                  of("scheduled, fifty people", self.scheduled_ids),
                                  ("final, fifty people", self.final_ids[0]),
                                  of("final", self.final_ids[1:]),
                                  of("of a friend", self.other_ids),
                                  of("invited to", self.invited_ids),
                                  of("one of twelve under way", self.many_ids)])
        if name in ("userId", "otherId", "ownerId", "userIds", "inviteeIds", "invite", "remove"):
            return random.choice([("a user with all that fits", self.users[0]),
                                  of("a friend", self.users[1:50]),
                                  of("a friend", self.users[51:1_000]),
                                  of("another user", self.users[1_000:1_400]),
                                  ("a user without anything", self.empty["user"]["userId"])])
        if name == "courseId":
            return random.choice([
                of("of 100,000 points", self.course_ids[:45]),
                of("of 80 points", self.course_ids[45:3_000]),
                of("of 80 points with fifty way-points", self.course_ids[-200:])
            ])
        pools = {
            "visitId": self.visit_ids[:5_000], "folderId": self.folder_ids[:50], "placeId": self.place_ids,
            "fileId": [self.big_photo], "recordingId": list(self.recordings.values())
        }
        if name == "recordingId":
            return random.choice(list(self.recordings.items()))
        if name in pools:
            return "", random.choice(pools[name])
        return "", str(uuid.UUID(int=random.getrandbits(128), version=4))

    def secret(self, name):
        if name == "token":
            return self.tokens[0]
        return {"email": "sessions@example.org", "code": self.link}.get(name, PASSWORD)

    def cursor(self, random):
        found = [(name,
                  next((part["cursor"]
                        for part in reply.values() if isinstance(part, dict) and part.get("cursor")), None))
                 for name, reply in self.cursors.items()]
        name, value = random.choice([each for each in found if each[1]] or [("", "AAAA")])
        return Leaf(value, f"cursor of {name}") if random.random() < 0.8 else Leaf("A" * 2_048,
                                                                                   "a wrong cursor of 2,048 bytes")

    def value(self, field, path, inputs):
        """The value of a field, whatever its limits say; "absent": none; None: any value."""
        rows, name = inputs.random, field.json_name
        if name in ("placeId", "courseId") and path.startswith(
            ("createPromise", "updatePromise", "createVisit", "updateVisit")) and rows.random() < 0.6:
            return "absent"
        if name == "cursor":
            if rows.random() < 0.4:
                return "absent"
            own = self.cursors.get(path.split(".")[0].removeprefix("admin "), {})
            value = next((part["cursor"] for part in own.values() if isinstance(part, dict) and part.get("cursor")),
                         None)
            return Leaf(value, "a further page") if value and rows.random() < 0.8 else None
        if field.full_name.endswith(("UpdatePromise.invite", "UpdatePromise.remove")) and rows.random() < 0.7:
            return "absent"
        if name == "folderId" and path.startswith(
            ("importCourse", "copyCourse", "finishRecording", "saveCourse")) and rows.random() < 0.8:
            return "absent"
        if name == "meetsAt":
            seconds = rows.choice([3_700, 86_400 * 30, 86_400 * 300])
            return Leaf(lambda: instant(seconds), "")
        if name == "visitedAt":
            return Leaf(lambda: instant(-3_000), "")
        if name == "nextReportMs":
            return "absent"
        if field.full_name.endswith("ListVisits.text"):
            return "absent"
        if field.full_name.endswith(("Subscribe.epoch", "Subscribe.lastSeq")):
            epoch = self.epoch() if rows.random() < 0.8 else "x" * 1_024
            return Leaf(epoch, "its epoch") if name == "epoch" else Leaf(rows.choice([0, 1, 8_600, 8_900, 9_090]))
        if name == "cause" and path == "reportTrouble":
            return Leaf(rows.choice(["NONE", "NO_FIX", "PERMISSION", "LOW_BATTERY"]))
        return None

    def epoch(self):
        if not hasattr(self, "_epoch"):
            self._epoch = self.line("full").must("subscribe", promiseId=self.tracking)["epoch"]
            self.line("full").must("unsubscribe", promiseId=self.tracking)
        return self._epoch

    def whole(self, message, inputs):
        """A message whose fields depend on one another; None: any."""
        rows = inputs.random
        if message == "Box":
            kind = rows.choice(
                ["the world", "a country", "a town", "a street", "over the meridian of 180°", "all of one town"])
            south, west, north, east = {
                "the world": (-90, -180, 90, 180), "a country": (33, 124, 39, 132),
                "a town": (37.4, 126.8, 37.7, 127.2), "a street": (37.56, 126.97, 37.57, 126.98),
                "over the meridian of 180°": (-60, 1, 60, -1), "all of one town": (36.5, 126, 38.5, 128)
            }[kind]
            return {"south": Leaf(south, kind), "west": Leaf(west), "north": Leaf(north), "east": Leaf(east)}
        if message == "Companion":
            if rows.random() < 0.5:
                return {"user": {"userId": Leaf(rows.choice(self.users[1:50]))}}
            return {"name": inputs.long_text(1, 40, 640, 320)}
        if message == "Point":
            return {"latitude": Leaf(37.566 + rows.gauss(0, 0.05)), "longitude": Leaf(126.978 + rows.gauss(0, 0.05))}
        if message == "NamedPoint":
            return {"latitude": Leaf(37.5 + rows.random() * 0.02), "longitude": Leaf(127.0)}
        if message == "Fix":
            away, late = rows.choice([0.0, 0.0004, 0.01, 0.2, 3]), rows.choice([0, 0, 1, 60, 1_000, 5_000])
            return {
                "seq": Leaf(lambda: self.next_seq("fix")), "latitude": Leaf(37.5 + away * rows.random()),
                "longitude": Leaf(127 + away * rows.random()), "accuracyMetres": Leaf(rows.choice([0, 5, 200])),
                "recordedAt": Leaf(lambda: instant(-late - rows.random() * 10), f"{late:,} s old" if late > 1 else "")
            }
        if message == "RecordedPoint":
            step = rows.choice([1, 2, 100])
            return {
                "seq": Leaf(lambda: self.next_seq("point", step),
                            f"numbers {step} apart"), "latitude": Leaf(37.5 + rows.random() * 0.1),
                "longitude": Leaf(127 + rows.random() * 0.1), "altitudeMetres": Leaf(rows.random() * 100),
                "recordedAt": Leaf(lambda: instant(-rows.random() * 100),
                                   ""), "segment": Leaf(rows.choice([0, 0, 0, rows.randrange(1_000_000)]))
            }
        return None

    def next_seq(self, kind, step=1):
        self.seqs[kind] = self.seqs.get(kind, 20_000_000) + step
        return self.seqs[kind]


def free(folder):
    shutil.rmtree(folder, ignore_errors=True)


def together(work, items, width=8):
    with concurrent.futures.ThreadPoolExecutor(width) as pool:
        return list(pool.map(work, items))
