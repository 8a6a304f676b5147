"""Attacks by appearance: pages of other origins, injected headers, names that look like others, and ids of others."""

import collections
import contextlib
import itertools
import json
import re
import socket
import time

from hostile.contents import TRACK, upload
from promised.client import Closed, Peer, email, frame, nickname, upgrade
from promised.people import PLACE, account, instant, make_promise, user_id
from promised.schema import FRAME, Schema

UNKNOWN = "01940000-0000-7000-8000-000000000001"


def exchange(port, data):
    """The beginning of what the server answers to these bytes, as text; empty where it ends without a word."""
    with contextlib.suppress(ConnectionError, TimeoutError), socket.create_connection(("127.0.0.1", port), 5) as peer:
        peer.sendall(data)
        return peer.recv(8_192).decode("latin-1")
    return ""


def paced(trial, rate):
    """The turns of an attack of so many a second."""
    begin = time.monotonic()
    for turn in range(int(trial.seconds * rate)):
        time.sleep(max(0, begin + turn / rate - time.monotonic()))
        trial.frames += 1
        yield turn


# defends: cross-origin
def cross_origin(trial):
    """Upgrades from pages of other origins, many of which look like the server's own."""
    port = trial.start().port
    host = f"127.0.0.1:{port}"
    origins = [
        "https://evil.example", "null", "file://", f"http://{host}.evil.example", f"http://evil.example/{host}",
        f"http://{host}@evil.example", f"http://evil.example#{host}", f"http://127.0.0.1:{port + 1}", "http://127.0.0.1",
        f"http://127.0.0.1.:{port}", f"http://127.1:{port}", f"http://2130706433:{port}", f"http://localhost:{port}",
        f"http://{host}, http://evil.example", f"http://evil.example http://{host}", f"ftp://{host}", host, f"//{host}",
        f"http://[::ffff:127.0.0.1]:{port}", f"http://{host}\t.evil.example", f"http://{host}\u3002evil.example",
    ]
    lines = [f"Origin: {origin}\r\n" for origin in origins]
    # Two headers, in either order: one of them is another's.
    lines += [f"Origin: http://{host}\r\nOrigin: https://evil.example\r\n",
              f"Origin: https://evil.example\r\nOrigin: http://{host}\r\n"]
    ours = Peer(port, "198.51.100.31", headers=f"Origin: http://{host}\r\n")
    ours.close()
    statuses, entered = collections.Counter(), set()
    yield
    for turn in paced(trial, 100):
        line = lines[turn % len(lines)]
        status = exchange(port, upgrade(port, "198.51.100.31", line))[9:12] or "end"
        statuses[status] += 1
        if status == "101":
            entered.add(line.strip())
    trial.expect(not entered, f"let in: {sorted(entered)}")
    trial.notes.append("statuses " + ", ".join(f"{status} × {count}" for status, count in statuses.most_common()))


# defends: header-injection, forged-forwarding
def header_injection(trial):
    """Line breaks and false addresses in paths and headers: none comes back, and none hides where a guesser is."""
    port = trial.start().port
    breaks = ("%0d%0aInjected:%20yes", "\rInjected: yes", "%E5%98%8A%E5%98%8DInjected:%20yes", "\x00Injected: yes")
    bad = [f"GET /{text} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode() for text in breaks]
    for name, value in itertools.product(
            ("Host", "Origin", "X-Forwarded-For", "Sec-WebSocket-Protocol", "Sec-WebSocket-Key", "Cookie"),
            ("a\rInjected: yes", "a\x00Injected: yes", "a\r\n Injected: yes", "a\nInjected: yes", "\x7f\x1b[2J")):
        bad.append(upgrade(port, headers=f"{name}: {value}\r\n"))
    answers, statuses = 0, collections.Counter()
    guessed = collections.Counter()
    # A proxy of ours appends the address it sees; what stands left of it the guesser has written.
    lies = ("127.0.0.1", "203.0.113.9, 10.0.0.1", "unknown", "", ",,,", "::1", "2001:db8::1, 127.0.0.1", "x" * 900)
    yield
    for turn in paced(trial, 100):
        if turn % 2:
            answer = exchange(port, bad[turn // 2 % len(bad)])
            statuses[answer[9:12] or "end"] += 1
            head = answer.partition("\r\n\r\n")[0]
            answers += any(line.lower().startswith("injected") for line in re.split("[\r\n]", head))
        else:
            with contextlib.suppress(Closed):
                peer = Peer(port, f"{lies[turn // 2 % len(lies)]}, 198.51.100.32")
                for part in range(3):
                    reply = peer.ask("signIn", email=email(f"nobody{turn * 3 + part}"), password="wrong password")
                    guessed[reply["error"]["code"]] += 1
                peer.close()
    trial.expect(answers == 0, f"{answers} answers have an injected header")
    trial.expect(not set(statuses) & {"500", "503"}, f"statuses: {dict(statuses)}")
    trial.expect(guessed["auth.invalid-credentials"] <= 30, f"{guessed['auth.invalid-credentials']} guesses of one address")
    trial.expect(guessed["limit.attempts"] > 0, f"the guesser was never stopped: {dict(guessed)}")
    found = ", ".join(f"{status} × {count}" for status, count in statuses.most_common())
    trial.notes.append(f"statuses {found}; guesses: {dict(guessed)}")


# Look-alikes of the letters of a name; each alone makes a name that looks the same.
LOOKALIKES = {"p": "рρ𝗉ｐ", "a": "аɑα𝖺ａ", "u": "υս𝗎ｕ", "l": "I1|𝗅ｌ", "i": "іӏıⅰｉ", "n": "ո𝗇ｎ", "e": "еｅ𝖾"}


# defends: look-alike-names
def look_alike_names(trial):
    """Names that look like that of somebody, made of letters of other scripts, as new names and as changes."""
    port = trial.start().port
    name = nickname("paul_ina")
    Peer(port, "198.51.100.33").sign_up("paul_ina")
    peers = account(port, "mimic")
    alike = [name.replace(letter, other, count) for letter, others in LOOKALIKES.items() for other in others
             for count in (1, 2)]
    alike += [name.upper(), name.title(), name.replace("ul", "uI"), name.replace("a", "а").replace("p", "р")]
    alike = list(dict.fromkeys(each for each in alike if each != name))
    codes, taken = collections.Counter(), set()
    yield
    for turn in paced(trial, 40):
        new = alike[turn % len(alike)]
        if turn // len(alike) % 2:
            reply = peers[turn % 5].ask("updateMe", nickname=new)
        else:
            peer = Peer(port, f"198.51.{turn // 200 % 200}.{turn % 200 + 1}")
            reply = peer.ask("signUp", email=email(f"mimic{turn}"), password="correct horse battery", nickname=new)
            peer.close()
        code = reply.get("error", {}).get("code", "taken")
        codes[code] += 1
        if code == "taken":
            taken.add(new)
    # A name of characters that no name may have is invalid.
    allowed = {"user.nickname-taken", "request.invalid", "limit.rate", "limit.attempts"}
    trial.expect(set(codes) <= allowed, f"codes: {dict(codes)}; taken: {sorted(taken)}")
    trial.expect(codes["user.nickname-taken"] > 0, "no name is taken")
    trial.notes.append(f"{len(alike)} names: {dict(codes)}")


# --- Ids of others ---------------------------------------------------------------------------------------------------


def id_fields():
    """Each field of a request that names something by its id, as `request.field`, by the schema."""
    schema = Schema()
    return {
        f"{request.json_name}.{field.json_name}"
        for request in schema.messages[FRAME[0]].fields if request.message and request.json_name != "admin"
        for field in request.message.fields
        if field.json_name in ("invite", "remove") or field.type_name.endswith(".PhotoChoice")
        or re.search(r"(?<!device)(?<!boot)Ids?$", field.json_name)
    }


# Users and places of the directory are no secret: anybody finds a user by name, and asks them to be a friend.
PUBLIC = {f"{request}.{field}" for request, field in (
    *((name, "userId") for name in (
        "requestFriend", "cancelFriendRequest", "acceptFriend", "rejectFriend", "blockUser", "unblockUser", "removeFriend")),
    ("createPromise", "inviteeIds"), ("updatePromise", "invite"),
    *((name, "placeId") for name in ("getPlace", "addFavourite", "getOutlook", "getShareText", "listVisits")))}
# Requests that name a thing of somebody else and are answered as if there were none: empty lists, or nothing to do.
SILENT = {"listVisits.userId", "listCourses.userId", "listCourses.folderId", "readNotifications.notificationIds",
          "setFocus.promiseId", "unsubscribe.promiseId", "shareCourse.userIds", "updatePromise.remove",
          # The sender's own promise is not over.
          "saveCourse.folderId"}


class Things:
    """One of everything that somebody may keep, by its id."""

    def __init__(self, peer, name):
        self.user = user_id(peer)
        self.promise = make_promise(peer, [], f"things of {name}")
        self.file = upload(peer, "TRACK", TRACK, f"track of {name}")["fileId"]
        self.upload = peer.must("beginUpload", key="open", kind="TRACK", bytes=100, sha256="0" * 64)["upload"]["uploadId"]
        self.folder = peer.must("createFolder", key="folder", title="Ways")["folder"]["folderId"]
        self.recording = peer.must("startRecording", key="way", activity="WALK")["recording"]["recordingId"]
        points = [{"seq": number + 1, "latitude": 51.5 + number / 10_000, "longitude": 0, "recordedAt": instant(number - 90)}
                  for number in range(60)]
        peer.must("appendRecording", recordingId=self.recording, points=points, sentAt=instant(0))
        way = upload(peer, "TRACK", TRACK, f"way of {name}")["fileId"]
        courses = peer.must("importCourse", key="course", fileId=way, folderId=self.folder)["courses"]["courses"]
        self.course = courses[0]["courseId"]
        visit = peer.must("createVisit", key="visit", place=PLACE, visitedAt=instant(-60), title="Here")["visit"]
        self.visit = visit["visitId"]
        self.favourite = peer.must("addFavourite", key="favourite", place=PLACE)["favourite"]["favouriteId"]
        self.notification = UNKNOWN

    @classmethod
    def nothing(cls):
        found = cls.__new__(cls)
        vars(found).update(dict.fromkeys(("user", "promise", "file", "upload", "folder", "recording", "course", "visit",
                                          "favourite", "notification"), UNKNOWN))
        return found


def requests_about(some, own):
    """A request for each field with an id, which names `some` there and the sender's own things elsewhere."""
    promise, course, visit = {"promiseId": some.promise}, {"courseId": some.course}, {"visitId": some.visit}
    photos = {"photos": [{"fileId": some.file}]}
    mine = {"promiseId": own.promise}
    found = {f"{name}.promiseId": (name, {**promise, **more}) for name, more in {
        "report": {"fixes": [{"seq": 1, "latitude": 51.5, "longitude": 0}]}, "subscribe": {}, "unsubscribe": {},
        "updatePromise": {"version": 1, "title": "Mine"}, "cancelPromise": {}, "leavePromise": {},
        "handOver": {"userId": own.user}, "respond": {"accept": True}, "createInvite": {}, "revokeInvite": {},
        "getPromise": {}, "reportTrouble": {"cause": "NO_FIX"}, "setSharing": {}, "setStatus": {"text": "Hello"},
        "checkIn": {}, "getCheckInCode": {}, "nudge": {"userId": own.user}, "getResult": {},
        "explainArrival": {"userId": own.user}, "excuse": {"userId": own.user, "reason": "Ill"}, "createViewLink": {},
        "revokeViewLink": {}, "setLinkSharing": {"on": True}, "getOutlook": {}, "getShareText": {},
        "setFocus": {"screen": "MEETUP", "active": True}, "saveCourse": {"key": "saved"}}.items()}
    found |= {f"{name}.userId": (name, {**mine, "userId": some.user, **more}) for name, more in {
        "handOver": {}, "nudge": {}, "explainArrival": {}, "excuse": {"reason": "Ill"}}.items()}
    found |= {f"{name}.courseId": (name, {**course, **more}) for name, more in {
        "getShareText": {}, "getCourse": {}, "getTrack": {}, "updateCourse": {"version": 1, "title": "Mine"},
        "deleteCourse": {}, "copyCourse": {"key": "copied"}, "shareCourse": {"audience": "FRIENDS"},
        "exportCourse": {"format": "GPX"}}.items()}
    meeting = {"key": "with a course", "title": "Walk", "place": PLACE, "meetsAt": instant(9_000)}
    found |= {
        "getProfile.userId": ("getProfile", {"userId": some.user}),
        "getStatistics.userId": ("getStatistics", {"userId": some.user}),
        "updatePromise.remove": ("updatePromise", {**mine, "version": 1, "remove": [some.user]}),
        "createPromise.courseId": ("createPromise", {**meeting, **course}),
        "updatePromise.courseId": ("updatePromise", {**mine, "version": 1, **course}),
        "removeFavourite.favouriteId": ("removeFavourite", {"favouriteId": some.favourite}),
        "readNotifications.notificationIds": ("readNotifications", {"notificationIds": [some.notification]}),
        "putChunk.uploadId": ("putChunk", {"uploadId": some.upload, "data": "AA=="}),
        "readFile.fileId": ("readFile", {"fileId": some.file}),
        "createVisit.photos": ("createVisit", {"key": "v", "place": PLACE, "visitedAt": instant(-60), **photos}),
        "updateVisit.visitId": ("updateVisit", {**visit, "version": 1, "title": "Mine"}),
        "updateVisit.photos": ("updateVisit", {"visitId": own.visit, "version": 1, **photos}),
        "getVisit.visitId": ("getVisit", visit), "deleteVisit.visitId": ("deleteVisit", visit),
        "listVisits.userId": ("listVisits", {"userId": some.user}),
        "updateFolder.folderId": ("updateFolder", {"folderId": some.folder, "version": 1, "title": "Mine"}),
        "deleteFolder.folderId": ("deleteFolder", {"folderId": some.folder, "withCourses": True}),
        "appendRecording.recordingId": ("appendRecording", {"recordingId": some.recording, "points": [
            {"seq": 1, "latitude": 51.5, "longitude": 0, "recordedAt": instant(-1)}], "sentAt": instant(0)}),
        "finishRecording.recordingId": ("finishRecording", {"recordingId": some.recording}),
        "finishRecording.folderId": ("finishRecording", {"recordingId": own.recording, "folderId": some.folder}),
        "finishRecording.photos": ("finishRecording", {"recordingId": own.recording, **photos}),
        "discardRecording.recordingId": ("discardRecording", {"recordingId": some.recording}),
        "saveCourse.folderId": ("saveCourse", {"key": "saved", **mine, "folderId": some.folder}),
        "importCourse.fileId": ("importCourse", {"key": "imported", "fileId": some.file}),
        "importCourse.folderId": ("importCourse", {"key": "imported", "fileId": own.file, "folderId": some.folder}),
        "listCourses.folderId": ("listCourses", {"list": "MINE", "folderId": some.folder}),
        "listCourses.userId": ("listCourses", {"list": "SHARED", "userId": some.user}),
        "updateCourse.folderId": ("updateCourse", {"courseId": own.course, "version": 1, "folderId": some.folder}),
        "updateCourse.photos": ("updateCourse", {"courseId": own.course, "version": 1, **photos}),
        "copyCourse.folderId": ("copyCourse", {"key": "copied", "courseId": own.course, "folderId": some.folder}),
        "shareCourse.userIds": ("shareCourse", {"courseId": own.course, "audience": "PEOPLE", "userIds": [some.user]}),
    }
    return found


# defends: guessed-ids
def ids_of_others(trial):
    """Names things of somebody else in each field of each request: the answer is that of an id that never was."""
    port = trial.start().port
    victim = account(port, "keeper", 1, "198.51.100.34")[0]
    peers = account(port, "snoop")
    theirs, own = Things(victim, "keeper"), Things(peers[0], "snoop")
    asked = requests_about(theirs, own)
    missing = id_fields() - PUBLIC - set(asked)
    trial.expect(not missing, f"no request for {', '.join(sorted(missing))}")
    nobodys = requests_about(Things.nothing(), own)
    names, told = list(asked), {}
    yield
    for turn in paced(trial, 40):
        name, peer = names[turn % len(names)], peers[turn % 5]
        answers = []
        for request, fields in (asked[name], nobodys[name]):
            peer.send_frame(frame({"id": 1, request: fields}))
            while (message := peer.receive()).get("id") != 1:
                pass
            answers.append(json.dumps(message))
        if "limit.rate" in answers[0] + answers[1]:
            continue
        told[name] = answers
        # An answer may name the id it was asked for.
        trial.expect(answers[0] == answers[1], f"{name}: {answers[0][:120]} and {answers[1][:120]}")
        trial.expect(name in SILENT or ".not-found" in answers[0], f"{name}: {answers[0][:120]}")
    trial.expect(len(told) == len(names), f"not asked: {sorted(set(names) - set(told))}")
    trial.expect(victim.must("getVisit", visitId=theirs.visit)["visit"]["version"] == 1, "a visit was changed")
    trial.notes.append(f"{len(told)} fields of {len({name.partition('.')[0] for name in told})} requests tell nothing")


ATTACKS = [cross_origin, header_injection, look_alike_names, ids_of_others]
