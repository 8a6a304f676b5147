"""Files and visits of the fake server."""

import base64
import hashlib
from datetime import datetime, timedelta, timezone

from directory import TOWN_HALL

BADGES = ("first-visit", "visits-10", "visits-30", "visits-100", "places-10", "categories-5", "regions-5", "regions-kr",
          "market-days-5", "together-10", "on-time-10")
SEOUL = timezone(timedelta(hours=9))


def size_of(data):
    """The width and height of a JPEG, from its first frame header."""
    at = 2
    while at < len(data):
        marker, length = data[at + 1], int.from_bytes(data[at + 2:at + 4], "big")
        if marker in (0xC0, 0xC2):
            return int.from_bytes(data[at + 7:at + 9], "big"), int.from_bytes(data[at + 5:at + 7], "big")
        at += 2 + length
    return 0, 0


class FakeVisits:
    """Each method `on_NAME` gives the reply to a request."""

    def __init__(self, *arguments, **more):
        self.files = {}
        self.uploads = {}
        self.visits = {}
        since = "2026-11-20T08:00:00Z"
        self.sessions = [{"sessionId": "s2", "createdAt": since, "client": "tablet-app 2.1 (android)"},
                         {"sessionId": "s1", "createdAt": since, "client": "promised-web 1 (Linux)", "current": True},
                         {"sessionId": "s0", "createdAt": since}]
        self.me = {"user": {"userId": "ada", "nickname": "Ada"}, "email": "ada@example.org", "visitsFromArrivals": True}
        super().__init__(*arguments, **more)

    # Files

    def on_beginUpload(self, fields):
        return {"upload": self.upload(self.uploads.setdefault(fields["key"], {**fields, "uploadId": fields["key"], "data": b""}))}

    def on_putChunk(self, fields):
        upload = self.uploads[fields["uploadId"]]
        if fields.get("offset", 0) != len(upload["data"]):
            return {"error": {"code": "request.invalid", "message": "This is not the next chunk.", "field": "offset"}}
        upload["data"] += base64.b64decode(fields["data"])
        return {"upload": self.upload(upload)}

    def upload(self, upload):
        reply = {"uploadId": upload["uploadId"], "offset": len(upload["data"]), "chunkBytes": 45_000}
        if len(upload["data"]) == upload["bytes"]:
            assert hashlib.sha256(upload["data"]).hexdigest() == upload["sha256"]
            reply["file"] = self.store(upload["data"], upload["kind"])
        return reply

    def store(self, data, kind="PHOTO", content_type="image/jpeg"):
        file_id = f"file-{len(self.files)}"
        width, height = size_of(data) if kind in ("PHOTO", "PICTURE") else (0, 0)
        self.files[file_id] = {"data": data, "file": {
            "fileId": file_id, "kind": kind, "contentType": content_type, "bytes": len(data), "width": width, "height": height,
            "orientation": 1 if kind in ("PHOTO", "PICTURE") else 0}}
        return self.files[file_id]["file"]

    def on_readFile(self, fields):
        if fields["fileId"] not in self.files:
            return {"error": {"code": "file.not-found", "message": "There is no such file."}}
        data, offset = self.files[fields["fileId"]]["data"], fields.get("offset", 0)
        return {"fileChunk": {"fileId": fields["fileId"], "offset": offset, "bytes": len(data), "contentType":
                self.files[fields["fileId"]]["file"]["contentType"], "data": base64.b64encode(data[offset:offset + 131_072]).decode()}}

    # Visits

    def make_visit(self, days_ago=0, **more):
        """A visit; `user` makes it another's."""
        visit_id = f"visit-{len(self.visits)}"
        at = datetime.now(timezone.utc) - timedelta(days=days_ago)
        place = {"name": "Silver Bookshop", "address": "1 Sejong-daero", "latitude": TOWN_HALL[0], "longitude": TOWN_HALL[1], "placeId": "place-0"}
        self.visits[visit_id] = self.dated({
            "visitId": visit_id, "version": 1, "source": "HAND", "place": place, "category": "bookshop/used", "kind": "NOTE", "audience": "PRIVATE",
            "visitedAt": at.isoformat(timespec="milliseconds").replace("+00:00", "Z"), **more})
        return self.visits[visit_id]

    @staticmethod
    def dated(visit):
        at = datetime.fromisoformat(visit["visitedAt"].replace("Z", "+00:00"))
        return {**visit, "localDate": at.astimezone(SEOUL).date().isoformat()}

    def photos(self, fields):
        return [{"photoId": f"photo-{one['fileId']}", "file": self.files[one["fileId"]]["file"], "caption": one.get("caption", "")}
                for one in fields.get("photos", [])]

    def companions(self, fields):
        cards = {user["userId"]: user for user in self.friends}
        return [{"user": cards[one["user"]["userId"]]} if "user" in one else one for one in fields.get("companions", [])]

    def on_createVisit(self, fields):
        place = dict(fields["place"])
        card = self.directory.cards.get(place.get("placeId"))
        content = {key: value for key, value in fields.items() if key != "key"}
        visit = self.make_visit(**{**content, "place": place, "category": card["categories"][0] if card else "",
                                   "photos": self.photos(fields), "companions": self.companions(fields)})
        return {"visit": visit}

    def on_updateVisit(self, fields):
        visit = self.visits.get(fields["visitId"])
        if visit["version"] != fields["version"]:
            return {"error": {"code": "visit.stale-version", "message": "It was changed.", "retry": "NEVER"}}
        changed = {key: value for key, value in fields.items() if key not in ("visitId", "version", "withoutPhotos", "withoutCompanions")}
        if "photos" in fields or fields.get("withoutPhotos"):
            changed["photos"] = self.photos(fields)
        if "companions" in fields or fields.get("withoutCompanions"):
            changed["companions"] = self.companions(fields)
        self.visits[fields["visitId"]] = self.dated({**visit, **changed, "version": visit["version"] + 1})
        return {"visit": self.visits[fields["visitId"]]}

    def on_getVisit(self, fields):
        if fields["visitId"] not in self.visits:
            return {"error": {"code": "visit.not-found", "message": "There is no such visit."}}
        return {"visit": self.visits[fields["visitId"]]}

    def on_deleteVisit(self, fields):
        for photo in self.visits.pop(fields["visitId"]).get("photos", []):
            del self.files[photo["file"]["fileId"]]
        return {"done": {}}

    def on_listVisits(self, fields):
        wanted = fields.get("filter", {})
        text = fields.get("text", "").casefold()
        found = [one for one in self.visits.values() if one.get("user", {}).get("userId") == fields.get("userId")
                 and (not fields.get("kinds") or one["kind"] in fields["kinds"])
                 and (not wanted.get("categories") or one["category"] in wanted["categories"])
                 and (not fields.get("placeId") or one["place"].get("placeId") == fields["placeId"])
                 and text in " ".join([one["place"]["name"], one.get("title", ""), one.get("memo", "")]).casefold()]
        found.sort(key=lambda one: one["visitedAt"], reverse=True)
        start, limit = int(fields.get("cursor", 0)), fields.get("limit", 20)
        return {"visits": {"visits": found[start:start + limit], "cursor": str(start + limit) if len(found) > start + limit else ""}}

    def on_getVisitStatistics(self, _):
        mine = [one for one in self.visits.values() if "user" not in one]
        categories = sorted({one["category"] for one in mine if one["category"]})
        return {"visitStatistics": {
            "visits": len(mine), "counted": len(mine), "places": len({one["place"]["name"] for one in mine}), "level": 3, "toNext": 2,
            "categories": [{"id": one, "counted": sum(visit["category"] == one for visit in mine), "level": 1} for one in categories],
            "regions": [{"code": "KR-11", "counted": len(mine)}, {"code": "KR-49", "counted": 1}, {"code": "JP-13", "counted": 1}],
            "badges": [{"id": one, "goal": int(one.rsplit("-", 1)[1]) if one[-1].isdigit() else 17 if one == "regions-kr" else 1,
                        **({"progress": 1, "earnedAt": "2026-11-01T10:00:00.000Z"} if one == "first-visit" else {"progress": 3})}
                       for one in BADGES]}}

    # Accounts

    def on_getMe(self, _):
        return {"me": self.me}

    def on_updateMe(self, fields):
        of_card = {"nickname": "nickname", "avatar": "avatar", "pictureFileId": "picture"}
        self.me["user"] = {**self.me["user"], **{of_card[key]: value for key, value in fields.items() if key in of_card}}
        self.me.update({key: value for key, value in fields.items() if key not in of_card})
        return {"me": self.me}

    def on_checkNickname(self, fields):
        return {"nickname": {"nickname": fields["nickname"], "free": fields["nickname"].lower() not in ("ben", "carla")}}

    def on_listSessions(self, _):
        return {"sessions": {"sessions": self.sessions}}

    def on_endSession(self, fields):
        self.sessions = [one for one in self.sessions if one.get("current") or fields.get("sessionId") not in (None, one["sessionId"])]
        return {"done": {}}

    def on_changePassword(self, _):
        self.sessions = [one for one in self.sessions if one.get("current")]
        return {"session": {"accessToken": "b", "refreshToken": "s", "accessExpiresAt": "2099-01-01T00:00:00Z", "user": self.me["user"]}}

    def on_deleteAccount(self, _):
        return {"done": {}}

    def on_getProfile(self, fields):
        return {"profile": {"user": next(one for one in self.friends if one["userId"] == fields["userId"])}}

    def on_listFriendRequests(self, _):
        return {"friendRequests": {}}
