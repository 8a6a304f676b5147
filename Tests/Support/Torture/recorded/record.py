"""Makes a recording of today's conversation, in both encodings."""

import base64
import hashlib
import json
import re
import tempfile

from promised import schema as types
from recorded.client import Client, Server, server_time
from recorded.wire import Bindings, JSONFrames

PLACE = {"name": "The pier", "address": "Riverside 1", "latitude": 37.5, "longitude": 127}
IDENTITY = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}")
TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z")
SECRETS = {"accessToken", "refreshToken", "epoch", "connectionId", "code"}
VOLATILE = {"nextReportMs", "secondsFromMeeting", "meanLatenessSeconds", "receivedAt", "uptimeMs", "offset"}
TRACK = b"<gpx>" + b"<!-- a way -->" * 20 + b"</gpx>"


class Recorder:
    """Speaks to a server and keeps what was said."""

    def __init__(self, server):
        self.server, self.lines, self.clients, self.numbers = server, [], {}, {}
        self.bindings, self.names = Bindings(), {}
        self.bindings.now = server_time(server)

    def ask(self, who, request, **fields):
        """Asks, and returns the reply's only content."""
        if who not in self.clients:
            self.clients[who] = Client(self.server.port, JSONFrames)
        client = self.clients[who]
        number = self.numbers[who] = self.numbers.get(who, 0) + 1
        frame = {"id": number, request: self.refer(fields)}
        client.send(frame, self.bindings)
        reply = client.until(lambda each: each.get("id") == number)
        self.lines.append([who, frame, self.blank(reply)])
        return next(value for name, value in reply.items() if name != "id")

    def hear(self, who, kind):
        """Waits for an event."""
        event = self.clients[who].until(lambda each: kind in each.get("event", {}))
        self.lines.append([who, None, self.blank(event)])
        return event["event"]

    def refer(self, value):
        """A value with placeholders for what replies have told."""
        if isinstance(value, dict):
            return {name: self.refer(each) for name, each in value.items()}
        if isinstance(value, list):
            return [self.refer(each) for each in value]
        return self.names.get(value, value) if isinstance(value, str) else value

    def blank(self, value, key=""):
        """A received value with placeholders for what differs each time."""
        if isinstance(value, dict):
            return {name: self.blank(each, name) for name, each in value.items()}
        if isinstance(value, list):
            return [self.blank(each, key) for each in value]
        if isinstance(value, str):
            if TIME.fullmatch(value):
                return "<time>"
            if key == "localDate":
                return "<localDate>"
            # The code of an error is a word with a dot, and no secret.
            is_secret = key in SECRETS and not (key == "code" and "." in value)
            if IDENTITY.fullmatch(value) or is_secret or value in self.names:
                name = self.names.setdefault(value, f"<{key}-{len(self.names) + 1}>")
                self.bindings.values[name] = value
                return name
        return "<number>" if key in VOLATILE and isinstance(value, (int, float)) else value


def people(record):
    record.ask("ada", "getMe")
    for name in ("ada", "bea", "cem"):
        session = record.ask(name, "signUp", email=f"{name}@example.org", password="correct horse battery", nickname=name)
        record.ask(name, "hello", token=session["accessToken"], deviceId=f"phone of {name}", bootId="1",
                   client={"name": "recorded", "version": "1", "platform": "test"})
    record.ask("bea", "updateMe", avatar="fox", locale="de-AT", timeZone="Europe/Vienna")
    bea = record.ask("ada", "findUser", nickname="BEA")["userId"]
    record.ask("ada", "requestFriend", nickname="bea")
    ada = record.hear("bea", "friendRequested")["friendRequested"]["user"]["userId"]
    record.ask("bea", "listFriendRequests")
    record.ask("bea", "acceptFriend", userId=ada)
    record.hear("ada", "friendAdded")
    record.ask("ada", "listFriends")
    record.ask("ada", "getProfile", userId=bea)
    record.ask("cem", "requestFriend", userId=bea)
    record.ask("cem", "cancelFriendRequest", userId=bea)
    record.ask("bea", "blockUser", userId=record.ask("bea", "findUser", nickname="cem")["userId"])
    record.ask("bea", "unblockUser", userId=record.ask("bea", "findUser", nickname="cem")["userId"])
    return ada, bea


def meeting(record, ada, bea):
    made = record.ask("ada", "createPromise", key="dinner", title="Dinner", place=PLACE, meetsAt="<time+75>",
                      radiusMetres=60, penalty={"amount": 500, "currency": "EUR"}, inviteeIds=[bea])["promise"]
    promise = made["promiseId"]
    record.hear("bea", "invited")
    record.ask("bea", "getPromise", promiseId=promise)
    record.ask("bea", "respond", promiseId=promise, accept=True)
    code = record.ask("ada", "createInvite", promiseId=promise)["code"]
    record.ask("cem", "joinByCode", code=code)
    for name in ("ada", "bea", "cem"):
        record.ask(name, "subscribe", promiseId=promise)
    for name in ("ada", "bea", "cem"):
        record.hear(name, "trackingStarted")
    inside = {"seq": 1, "latitude": 37.5001, "longitude": 127, "accuracyMetres": 5, "batteryPercent": 80}
    record.ask("bea", "setStatus", promiseId=promise, text="On my way", emoji="🚲")
    record.ask("bea", "reportTrouble", promiseId=promise, cause="LOW_BATTERY", batteryPercent=9)
    record.ask("ada", "nudge", promiseId=promise, userId=bea)
    record.hear("bea", "nudged")
    record.ask("ada", "report", promiseId=promise, fixes=[inside])
    record.ask("ada", "checkIn", promiseId=promise)
    for name in ("ada", "bea", "cem"):
        record.hear(name, "arrived")
        record.hear(name, "arrivalConfirmed")
    word = record.ask("ada", "getCheckInCode", promiseId=promise)["code"]
    record.ask("bea", "checkIn", promiseId=promise, code=word)
    record.hear("cem", "arrived")
    record.ask("bea", "setSharing", promiseId=promise, on=False)
    return promise


def keepsakes(record):
    """Records the things that a user keeps, on a connection that hears nothing of the meeting."""
    place = record.ask("ada", "addFavourite", key="pier", place=PLACE, label="river")["favouriteId"]
    record.ask("ada", "listFavourites")
    record.ask("ada", "removeFavourite", favouriteId=place)
    visit = record.ask("ada", "createVisit", key="walk", place=PLACE, visitedAt="<time+0>", title="A walk")
    record.ask("ada", "updateVisit", visitId=visit["visitId"], version=1, memo="Windy", audience="FRIENDS")
    record.ask("ada", "updateVisit", visitId=visit["visitId"], version=1, memo="Calm")
    record.ask("ada", "getVisit", visitId=visit["visitId"])
    folder = record.ask("ada", "createFolder", key="walks", title="Walks", emoji="🚶")["folderId"]
    record.ask("ada", "updateFolder", folderId=folder, version=1, title="Long walks")
    way = record.ask("ada", "startRecording", key="way", activity="WALK", title="Along the river")["recordingId"]
    points = [{"seq": seq, "latitude": 37.5 + seq / 10_000, "longitude": 127, "accuracyMetres": 5, "uptimeMs": seq * 10_000}
              for seq in range(1, 21)]
    record.ask("ada", "appendRecording", recordingId=way, points=points, uptimeMs=200_000)
    record.ask("ada", "listRecordings")
    course = record.ask("ada", "finishRecording", recordingId=way, folderId=folder)["courseId"]
    record.ask("ada", "updateCourse", courseId=course, version=1, memo="Windy")
    record.ask("ada", "deleteCourse", courseId=course)
    record.ask("ada", "deleteFolder", folderId=folder, withCourses=False)
    upload = record.ask("ada", "beginUpload", key="track", kind="TRACK", bytes=len(TRACK),
                        sha256=hashlib.sha256(TRACK).hexdigest())["uploadId"]
    file = record.ask("ada", "putChunk", uploadId=upload, offset=0,
                      data=base64.b64encode(TRACK).decode())["file"]["fileId"]
    record.ask("ada", "readFile", fileId=file, limit=1_000)
    record.ask("ada", "getNotificationSettings")
    record.ask("ada", "updateNotificationSettings", off=["NUDGED"], quietFrom="22:00", quietTo="07:00")
    record.ask("ada", "setFocus", screen="HOME", active=True)


def later(record, ada, bea):
    """A promise of next week, changed in every way."""
    promise = record.ask("ada", "createPromise", key="concert", title="Concert", place=PLACE, meetsAt="<time+600000>",
                         inviteeIds=[bea])["promise"]["promiseId"]
    record.ask("ada", "updatePromise", promiseId=promise, version=1, title="Opera", note="Bring the tickets")
    record.ask("ada", "updatePromise", promiseId=promise, version=1, title="Theatre")
    record.ask("bea", "respond", promiseId=promise, accept=False)
    record.ask("ada", "updatePromise", promiseId=promise, version=2, invite=[bea])
    record.ask("bea", "respond", promiseId=promise, accept=True)
    record.ask("ada", "handOver", promiseId=promise, userId=bea)
    record.ask("ada", "leavePromise", promiseId=promise)
    record.ask("bea", "cancelPromise", promiseId=promise, reason="Rain")
    record.ask("bea", "getPromise", promiseId=promise)
    record.ask("bea", "listPromises", list="PAST")


def end(record, promise, ada, bea):
    for kind in ("meetingTime", "late", "trackingEnded", "resultFinal"):
        record.hear("cem", kind)
    record.ask("ada", "getResult", promiseId=promise)
    cem = record.ask("cem", "getMe")["user"]["userId"]
    record.ask("ada", "excuse", promiseId=promise, userId=cem, reason="The train stood still")
    record.hear("cem", "excused")
    record.ask("bea", "getStatistics", userId=ada)
    epoch = record.ask("cem", "subscribe", promiseId=promise)["epoch"]
    record.ask("cem", "subscribe", promiseId=promise, epoch=epoch, lastSeq=5)
    record.ask("cem", "unsubscribe", promiseId=promise)
    record.ask("ada", "nudge", promiseId=promise, userId=bea)
    record.ask("ada", "removeFriend", userId=bea)
    record.ask("cem", "deleteAccount", password="wrong")
    record.ask("cem", "deleteAccount", password="correct horse battery")


def without_schema(schema, message, value):
    """A frame in JSON as fields that need no schema (wire.py)."""
    found = []
    for name, content in value.items():
        field = schema.messages[message].by_json_name[name]
        contents = content if field.is_list else [content]
        if field.is_list and field.kind in types.NUMBERS:
            found.append([field.number, "packed", [without_names(schema, field, each)[1] for each in contents]])
        else:
            found += [[field.number, *without_names(schema, field, each)] for each in contents]
    return sorted(found, key=lambda each: each[0])


def without_names(schema, field, value):
    """The type and the value of a field as recordings keep them."""
    if field.type_name == types.TIMESTAMP:
        return "time", value
    if field.kind == types.MESSAGE:
        return "message", without_schema(schema, field.type_name, value)
    if field.kind == types.STRING:
        return ("sentence" if field.name == "message" else "text"), value
    if field.kind == types.BYTES:
        return "bytes", base64.b64decode(value).hex()
    if field.kind == types.ENUM:
        return "int", field.enum[value]
    if field.kind == types.DOUBLE or value == "<number>":
        return "double", value
    return "int", int(value)


def main(binary, folder):
    with tempfile.TemporaryDirectory() as data:
        server = Server(binary, data)
        try:
            record = Recorder(server)
            ada, bea = people(record)
            promise = meeting(record, ada, bea)
            keepsakes(record)
            later(record, ada, bea)
            end(record, promise, ada, bea)
        finally:
            server.stop()
    schema = types.Schema()
    folder.mkdir(parents=True)

    def write(name, lines):
        text = "".join(json.dumps(line, ensure_ascii=False, separators=(",", ":")) + "\n" for line in lines)
        (folder / name).write_text(text)

    write("json.txt", record.lines)
    write("protobuf.txt", [
        [who, request and without_schema(schema, types.FRAME[0], request),
         without_schema(schema, types.FRAME[1], expected)]
        for who, request, expected in record.lines])
    print(f"{len(record.lines)} steps")
