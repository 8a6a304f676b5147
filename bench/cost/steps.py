"""Steps that some requests need before and after them: an input is always sent into the same state."""

import base64
import hashlib
import random
import uuid

from cost.inputs import Leaf
from cost.line import Line
from cost.world import PLACE
from promised.client import PASSWORD
from promised.people import instant
from promised.pictures import dear_files, png

FULL_FIRST = ["full", "full", "full", "member", "many", "empty"]


def plain(made, name):
    """The value of a field of an input."""
    leaf = made["fields"].get(name)
    return leaf.value if isinstance(leaf, Leaf) and not callable(leaf.value) else None


class Step:
    """The callers of a request; fields it must have; what is done before and after it, which is not measured."""

    def __init__(self, callers=None, before=None, after=None, tail=0.0, excepted=None, slow=False, begins_job=False):
        self.callers, self.before, self.after, self.tail = callers, before, after, tail
        # The bound of its own that it has, where the common one does not hold.
        self.excepted = excepted
        # Dear to prepare: few inputs are tried.
        self.slow = slow
        # It begins a job that goes on after the reply and has a bound of its own.
        self.begins_job = begins_job


class Steps:
    """The steps of all requests in a world."""

    def __init__(self, world):
        self.world, self.random = world, random.Random(7)
        self.confirms = False
        self.pool = {
            name: list(getattr(world, name)[start:])
            for name, start in (("visit_ids", 5_000), ("folder_ids", 50), ("doomed", 0), ("doomed_folders", 0))
        }
        self.courses = world.course_ids[3_000:-200]
        self.incoming, self.outgoing = list(world.users[1_200:1_399]), list(world.users[1_001:1_200])
        self.fresh = None
        self.table = self._table()

    def of(self, name):
        return self.table.get(name, Step())

    def control(self, caller="full"):
        return self.world.line(caller)

    def key(self):
        return uuid.uuid4().hex

    # --- Connections of their own -------------------------------------------------------------------------------------

    def signed_in(self, encoding, name):
        """A new connection that has signed in."""
        line = Line(self.world.schema, self.world.server.port, encoding)
        session = line.must("signIn", email=f"{name}@example.org",
                            password=self.world.password if name == "passwords" else PASSWORD)
        self.fresh = line
        return session

    def _sign_out(self, made, encoding):
        self.signed_in(encoding, "sessions")
        return {}

    def _refresh(self, made, encoding):
        line = Line(self.world.schema, self.world.server.port)
        token = line.must("signIn", email="sessions@example.org", password=PASSWORD)["refreshToken"]
        line.close()
        return {"refreshToken": Leaf(token)} if self.random.random() < 0.8 else {}

    def _sign_in(self, made, encoding):
        return {"email": Leaf("sessions@example.org"), "password": Leaf(PASSWORD)} if self.random.random() < 0.7 else {}

    def _change_password(self, made, encoding):
        self.signed_in(encoding, "passwords")
        return {"oldPassword": Leaf(self.world.password), "newPassword": Leaf("another horse battery")}

    def _changed_password(self, made, fields, reply):
        if "error" not in reply:
            self.world.password = fields["newPassword"]

    def _delete_account(self, made, encoding):
        if self.confirms and self.pool["doomed"]:
            number = len(self.world.doomed) - len(self.pool["doomed"]) + 1
            self.pool["doomed"].pop(0)
            self.signed_in(encoding, f"doomed{number}")
        else:
            line, _ = self.world.signed_up("t" + self.key()[:18])
            line.close()
            name = "t" + self.key()[:18]
            line = Line(self.world.schema, self.world.server.port, encoding)
            line.must("signUp", email=f"{name}@example.org", password=PASSWORD, nickname=name)
            self.fresh = line
        return {"password": Leaf(PASSWORD)}

    def _admin_delete(self, made, encoding):
        if self.confirms and self.pool["doomed"]:
            return {"userId": Leaf(self.pool["doomed"].pop(0), "a user with all that fits")}
        line, session = self.world.signed_up("t" + self.key()[:18])
        line.close()
        return {"userId": Leaf(session["user"]["userId"])}

    # --- People -------------------------------------------------------------------------------------------------------

    def _befriend(self, made, fields, reply):
        other = fields.get("userId")
        if "error" not in reply and other:
            self.control("admin").ask("admin", addFriends={"userId": self.world.users[0], "otherId": other})

    def _incoming(self, made, encoding):
        return {"userId": Leaf(self.incoming.pop(), "")} if self.incoming else {}

    def _end_friendship(self, made, fields, reply):
        if "error" not in reply:
            self.control().ask("removeFriend", userId=fields["userId"])

    def _requested(self, made, fields, reply):
        user = next((each.get("user", {}).get("userId") for each in reply.values() if isinstance(each, dict)), None)
        if "error" not in reply and user:
            self.control().ask("cancelFriendRequest", userId=user)

    def _request(self, made, encoding):
        self.control().ask("requestFriend", userId=self.world.users[1_399])
        return {"userId": Leaf(self.world.users[1_399])}

    def _unblock(self, made, fields, reply):
        if "error" not in reply and fields.get("userId"):
            self.control().ask("unblockUser", userId=fields["userId"])
            self._befriend(made, fields, reply)

    def _block(self, made, encoding):
        self.control().ask("blockUser", userId=self.world.users[1_450])
        return {"userId": Leaf(self.world.users[1_450])}

    # --- Promises -----------------------------------------------------------------------------------------------------

    def promise(self, owner="owner"):
        users = self.world.users
        return self.control(owner).must("createPromise", key=self.key(), title="t", place=PLACE, meetsAt=instant(
            86_400 * 30), inviteeIds=users[51:100] if owner == "owner" else users[1:50])["promise"]["promiseId"]

    def _cancel_created(self, made, fields, reply):
        if "error" not in reply:
            self.control(made["caller"]).ask("cancelPromise", promiseId=reply["promise"]["promise"]["promiseId"])

    def _created(self, made, encoding):
        return {"promiseId": Leaf(self.promise(), "fifty people")}

    def _current_promise(self, made, encoding):
        chosen = self.random.choice([self.world.tracking, *self.world.scheduled_ids[40:50]])
        found = self.control().must("getPromise", promiseId=chosen)["promise"]
        words = "under way, fifty people" if chosen == self.world.tracking else "scheduled, fifty people"
        return {"promiseId": Leaf(chosen, words), "version": Leaf(found["version"])}

    def _handed_over(self, made, fields, reply):
        if "error" not in reply:
            number = self.world.users.index(fields["userId"])
            self.world.line(number).ask("handOver", promiseId=fields["promiseId"], userId=self.world.users[0])
            self.world.forget(number, "json")

    def _hand_over(self, made, encoding):
        return {
            "promiseId": Leaf(self.world.scheduled, "scheduled, fifty people"),
            "userId": Leaf(self.world.users[self.random.randrange(1, 50)])
        }

    def _invite(self):
        return self.control().must("createInvite", promiseId=self.world.scheduled)["code"]

    def _left(self, made, fields, reply):
        self.control("member").ask("joinByCode", code=self._invite())

    def _leave(self, made, encoding):
        return {"promiseId": Leaf(self.world.scheduled, "scheduled, fifty people")}

    def _join(self, made, encoding):
        self.control("member").ask("leavePromise", promiseId=self.world.scheduled)
        return {"code": Leaf(self._invite(), "fifty people")} if self.random.random() < 0.8 else {}

    def _respond(self, made, encoding):
        self._left(made, {}, {})
        return {"promiseId": Leaf(self.world.scheduled, "scheduled, fifty people")}

    def _watch(self, made, encoding):
        found = self.control().must("createViewLink", promiseId=self.world.scheduled)
        return {"code": Leaf(found["code"], "fifty people")} if self.random.random() < 0.8 else {}

    def _view_link(self, made, encoding):
        self.control().ask("createViewLink", promiseId=self.world.scheduled)
        return {"promiseId": Leaf(self.world.scheduled)}

    # --- Places, files, visits ----------------------------------------------------------------------------------------

    def _unkept(self, made, fields, reply):
        if "error" not in reply:
            self.control(made["caller"]).ask("removeFavourite", favouriteId=reply["favourite"]["favouriteId"])

    def _keep(self, made, encoding):
        found = self.control().must("addFavourite", key=self.key(), place=PLACE)
        return {"favouriteId": Leaf(found["favouriteId"])}

    def _begin_upload(self, made, encoding):
        size = self.random.choice([1, 70, 45_000])
        return {"bytes": Leaf(size, f"{size:,} bytes")} if self.random.random() < 0.9 else {}

    def _begun_upload(self, made, fields, reply):
        if "error" not in reply and fields["bytes"] <= 45_000:
            data = base64.b64encode(b"x" * int(fields["bytes"])).decode()
            self.control(made["caller"]).ask("putChunk", uploadId=reply["upload"]["uploadId"], offset=0, data=data)

    def _chunk(self, made, encoding):
        words, kind, data, step = self.random.choice(self.files())
        line = self.control(made["caller"])
        upload = line.must("beginUpload", key=self.key(), kind=kind, bytes=len(data),
                           sha256=hashlib.sha256(data).hexdigest())
        last = (len(data) - 1) // step * step
        for start in range(0, last, step):
            line.must("putChunk", uploadId=upload["uploadId"], offset=start,
                      data=base64.b64encode(data[start:start + step]).decode())
        return {
            "uploadId": Leaf(upload["uploadId"], f"the last chunk of {words}"), "offset": Leaf(last),
            "data": Leaf(base64.b64encode(data[last:]).decode())
        }

    def files(self):
        if not hasattr(self, "_files"):
            self._files = dear_files()
        return self._files

    def photos(self, count, caller="full"):
        return [{
            "fileId": Leaf(self.world.uploaded(self.control(caller), png()), ""),
            "caption": Leaf("\U0001D400\u0334\u0334" * 100)
        } for _ in range(count)]

    def _create_visit(self, made, encoding):
        photos = self.random.choice([0, 0, 10])
        return {"photos": self.photos(photos, made["caller"]) if photos else [], "memo": Leaf("m")
                } if not photos else {"photos": self.photos(photos, made["caller"])}

    def _created_visit(self, made, fields, reply):
        if "error" not in reply:
            self.control(made["caller"]).ask("deleteVisit", visitId=reply["visit"]["visitId"])

    def _search_visits(self, made, encoding):
        word = self.random.choice(["zzzz", "a", "\U0001D400\u0334\u0334" * 60, "e" + "\u0301" * 400, "시장"])
        return {"text": made["fields"].get("text") or Leaf(word, f"{len(word)} code points")}

    def _evict(self, made, encoding):
        for course in self.world.course_ids[-2:]:
            self.control().ask("getTrack", courseId=course)
        made["fields"].pop("hideMetres", None)
        return {}

    def _hide(self, made, encoding):
        return {"hideMetres": Leaf(self.random.choice([0, 1, 100, 500, 1_000]), "another distance")}

    def _update_visit(self, made, encoding):
        visit = self.random.choice(self.world.visit_ids[:5_000])
        found = self.control().ask("getVisit", visitId=visit)
        return {
            "visitId": Leaf(visit, "ten photos, twenty companions"),
            "version": Leaf(found.get("visit", {}).get("version", 1)), "photos": []
        }

    def _delete_visit(self, made, encoding):
        return {"visitId": Leaf(self.pool["visit_ids"].pop(), "ten photos, twenty companions")}

    # --- Courses ------------------------------------------------------------------------------------------------------

    def _folder_made(self, made, fields, reply):
        if "error" not in reply:
            self.control(made["caller"]).ask("deleteFolder", folderId=reply["folder"]["folderId"], withCourses=True)

    def _update_folder(self, made, encoding):
        found = self.control().must("listFolders")["folders"][self.random.randrange(50)]
        return {"folderId": Leaf(found["folderId"], "25 courses"), "version": Leaf(found["version"])}

    def _delete_folder(self, made, encoding):
        if self.confirms and self.pool["doomed_folders"] and len(self.pool["doomed_folders"]) == len(
                self.pool["doomed"]):
            number = len(self.world.doomed) - len(self.pool["doomed"]) + 1
            self.pool["doomed"].pop(0)
            self.signed_in(encoding, f"doomed{number}")
            return {
                "folderId": Leaf(self.pool["doomed_folders"].pop(0),
                                 "5,000 courses with 5,000,000 points and 50,000 photos"), "withCourses": Leaf(True)
            }
        return {"folderId": Leaf(self.pool["folder_ids"].pop(), "25 courses"), "withCourses": Leaf(True)
                } if self.pool["folder_ids"] else {}

    def _start_recording(self, made, fields, reply):
        if "error" not in reply:
            self.control(made["caller"]).ask("discardRecording", recordingId=reply["recording"]["recordingId"])

    def recording(self, points=200):
        line = self.control("member")
        for open_one in line.must("listRecordings").get("recordings", []):
            line.ask("discardRecording", recordingId=open_one["recordingId"])
        found = line.must("startRecording", key=self.key(), activity="WALK")["recordingId"]
        for start in range(0, points, 200):
            line.must(
                "appendRecording", recordingId=found, sentAt=instant(0), points=[{
                    "seq": number + 1, "latitude": 37.5 + number % 1_000 * 0.000_09, "longitude": 127.0,
                    "recordedAt": instant(number - points)
                } for number in range(start, start + 200)])
        return found

    def _finish_recording(self, made, encoding):
        return {"recordingId": Leaf(self.recording(), "200 points"), "photos": []}

    def _discard_recording(self, made, encoding):
        points = 20_000 if self.random.random() < 0.1 else 200
        return {"recordingId": Leaf(self.recording(points), f"{points:,} points")}

    def _finished(self, made, fields, reply):
        if "error" not in reply:
            self.control("member").ask("deleteCourse", courseId=reply["course"]["courseId"])

    def _course_version(self, made, encoding):
        course = plain(made, "courseId") or self.world.course_ids[0]
        found = self.control().ask("getCourse", courseId=course).get("course", {})
        fields = {"version": Leaf(found.get("version", 1))} if "version" in made["fields"] else {}
        return fields | ({"photos": []} if "photos" in made["fields"] else {})

    def _friends(self, made, encoding):
        count = self.random.choice([1, 50])
        return {
            "userIds": [Leaf(each)
                        for each in self.random.sample(self.world.users[51:1_000], count)], "audience": Leaf("PEOPLE")
        } if self.random.random() < 0.7 else {}

    def _delete_course(self, made, encoding):
        if made["caller"] == "full":
            return {"courseId": Leaf(self.courses.pop(), "100 points, ten photos, fifty people")} if self.courses else {}
        copy = self.control(made["caller"]).must("copyCourse", key=self.key(), courseId=self.world.course_ids[0])
        return {"courseId": Leaf(copy["courseId"], "of 100,000 points")}

    def _copied(self, made, fields, reply):
        for course in [reply.get("course")] + reply.get("courses", {}).get("courses",
                                                                           []) if "error" not in reply else []:
            if course:
                self.control(made["caller"]).ask("deleteCourse", courseId=course["courseId"])

    def _import_course(self, made, encoding):
        points = "".join(f'<trkpt lat="{37.5 + number * 0.0001:.6f}" lon="127.0"/>' for number in range(700))
        data = f'<gpx version="1.1" creator="x"><trk><trkseg>{points}</trkseg></trk></gpx>'.encode()
        return {
            "fileId": Leaf(self.world.uploaded(self.control(made["caller"]), data, "TRACK"),
                           f"a GPX file of {len(data):,} bytes")
        }

    # --- Administrators -----------------------------------------------------------------------------------------------

    def _enable(self, made, fields, reply):
        if "error" not in reply:
            self.control("admin").ask("admin", enableUser={"userId": fields["userId"]})

    def _kick(self, made, encoding):
        # The others need their sessions.
        return {"signOut": Leaf(True), "userId": Leaf(self.random.choice(self.world.users[1_100:1_390]))
                } if self.random.random() < 0.5 else {"signOut": Leaf(False)}

    def _reset(self, made, encoding):
        return {"userId": Leaf(self.random.choice([self.world.users[1_398], self.world.empty["user"]["userId"]]))}

    def _import(self, made, encoding):
        # One that was begun for an input that could not be sent.
        self._end_import(made, {}, {})
        source = {"name": "bench", "title": "Bench", "publisher": "B", "licence": "CC0", "url": "", "date": "2026"}
        found = self.control("admin").must("admin", beginImport={"source": source, "dryRun": True})
        self.importing = found["placeImport"]["importId"]
        return {"importId": Leaf(self.importing)}

    def _end_import(self, made, fields, reply):
        found = reply.get("admin", {}).get("placeImport", {}).get("importId") or getattr(self, "importing", None)
        if found:
            self.control("admin").ask("admin", cancelImport={"importId": found})

    def _back_up(self, made, encoding):
        return {"path": Leaf(str(self.world.folder / f"copy-{self.key()}.sqlite"))}

    def _backed_up(self, made, fields, reply):
        for each in self.world.folder.glob("copy-*"):
            each.unlink()

    def _remove_place(self, made, encoding):
        row = {
            "ref": self.key(), "place": {"name": "x", "address": "", "latitude": 37.5, "longitude": 127},
            "categories": ["cafe"]
        }
        found = self.control("admin").must("admin", createPlace={"row": row})
        return {"placeId": Leaf(found["place"]["placeId"])}

    def _table(self):
        stranger, full, member = ["stranger"], ["full"], ["member"]
        return {
            "report": Step(["full", "member", "many"], tail=1.3),
            "reportTrouble": Step(["full", "member", "many"]),
            "subscribe": Step(["full", "full", "member", "many"]),
            "hello": Step(["stranger", "full"]),
            "signUp": Step(stranger, excepted="hashing"),
            "signIn": Step(stranger, self._sign_in, excepted="hashing"),
            "refresh": Step(stranger, self._refresh),
            "signOut": Step(["fresh"], self._sign_out),
            "changePassword": Step(["fresh"], self._change_password, self._changed_password, excepted="hashing"),
            "deleteAccount": Step(["fresh"], self._delete_account, slow=True, begins_job=True),
            "requestFriend": Step(full, None, self._requested),
            "cancelFriendRequest": Step(full, self._request),
            "acceptFriend": Step(full, self._incoming, self._end_friendship),
            "rejectFriend": Step(full, self._incoming),
            "removeFriend": Step(full, None, self._befriend),
            "blockUser": Step(full, None, self._unblock),
            "unblockUser": Step(full, self._block),
            "createPromise": Step(["owner", "full"], None, self._cancel_created),
            "updatePromise": Step(full, self._current_promise),
            "cancelPromise": Step(["owner"], self._created),
            "leavePromise": Step(member, self._leave, self._left),
            "handOver": Step(full, self._hand_over, self._handed_over),
            "respond": Step(member, self._respond),
            "joinByCode": Step(member, self._join),
            "revokeViewLink": Step(full, self._view_link),
            "watchByLink": Step(stranger, self._watch),
            "exchangeCode": Step(stranger),
            "searchPlaces": Step(excepted="text search"),
            "addFavourite": Step(["full", "member"], None, self._unkept),
            "removeFavourite": Step(full, self._keep),
            "beginUpload": Step(["full", "full", *range(10, 40)], self._begin_upload, self._begun_upload),
            "putChunk": Step(member, self._chunk, slow=True),
            "createVisit": Step(["full", "member"], self._create_visit, self._created_visit),
            "listVisits with a text": Step(["full", "full", "member"], self._search_visits, excepted="text search"),
            "getTrack": Step(["full", 51], self._evict, slow=True),
            "getTrack with hidden ends": Step(["full"], self._hide, excepted="courses", slow=True),
            "updateVisit": Step(full, self._update_visit),
            "deleteVisit": Step(full, self._delete_visit),
            "createFolder": Step(["full", "member"], None, self._folder_made),
            "updateFolder": Step(full, self._update_folder),
            "deleteFolder": Step(full, self._delete_folder, slow=True, begins_job=True),
            "startRecording": Step(member, None, self._start_recording),
            "appendRecording": Step(["full"]),
            "finishRecording": Step(member, self._finish_recording, self._finished, excepted="courses"),
            "discardRecording": Step(member, self._discard_recording),
            "saveCourse": Step(["member", "full"], None, self._copied, excepted="courses"),
            "importCourse": Step(["member"], self._import_course, self._copied, excepted="courses"),
            "copyCourse": Step(["full", 51], None, self._copied, excepted="courses"),
            "exportCourse": Step(full, excepted="courses", slow=True),
            "updateCourse": Step(full, self._course_version, excepted="courses"),
            "shareCourse": Step(full, self._friends, excepted="courses"),
            "deleteCourse": Step(["full", "full", 51], self._delete_course),
            "exportMyData": Step(["member", "empty"], excepted="export"),
            "nudge": Step([*range(0, 50)]),
            "admin findPlaces": Step(["admin"], excepted="text search"),
            "admin createUser": Step(["admin"], excepted="hashing"),
            "admin disableUser": Step(["admin"], None, self._enable),
            "admin kickUser": Step(["admin"], self._kick),
            "admin resetPassword": Step(["admin"], self._reset, excepted="hashing"),
            "admin deleteUser": Step(["admin"], self._admin_delete, slow=True, begins_job=True),
            "admin backUp": Step(["admin"], self._back_up, self._backed_up, slow=True),
            "admin verify": Step(["admin"], slow=True),
            "admin beginImport": Step(["admin"], None, self._end_import),
            "admin putPlaces": Step(["admin"], self._import, self._end_import, excepted="imports"),
            "admin finishImport": Step(["admin"], self._import, self._end_import, excepted="imports"),
            "admin cancelImport": Step(["admin"], self._import),
            "admin removeSource": Step(["admin"], excepted="imports"),
            "admin removePlace": Step(["admin"], self._remove_place),
        }
