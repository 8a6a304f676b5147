"""The answers of the fake server: one user, one promise, one directory."""

from datetime import datetime, timedelta, timezone

from directory import CATEGORIES, SOURCE, Directory

ADA = {"userId": "ada", "nickname": "Ada"}
BEN = {"userId": "ben", "nickname": "Ben"}


def stamp(moment):
    return moment.astimezone(timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def outlook(at, opening="UNKNOWN", state="READY", condition="RAIN", **more):
    """An outlook with five hours of weather."""
    start = at.replace(minute=0, second=0, microsecond=0) - timedelta(hours=1)
    hours = [{"at": stamp(start + timedelta(hours=index)), "condition": condition, "temperatureCelsius": 7.4 + index,
              "feltCelsius": 4.2, "precipitationPercent": 70, "precipitationMm": 1.5, "windMps": 5.2, "humidityPercent": 88,
              "pm10": 35, "pm25": 12, "pm10Grade": "MODERATE", "pm25Grade": "GOOD", "advice": ["slippery"]} for index in range(5)]
    weather = {"source": "recorded", "attribution": "Recorded weather", "attributionUrl": "https://weather.example/",
               "fetchedAt": stamp(at), "hours": hours}
    return {"at": stamp(at), "opening": opening, "weatherState": state, "weather": weather if state in ("READY", "STALE") else None, **more}


class FakeAnswers:
    """The state behind the answers. Each method `on_NAME` gives the reply to a request."""

    def __init__(self, places):
        self.directory = Directory(places)
        self.now = datetime.now(timezone.utc)
        self.meets_at = (self.now + timedelta(hours=3)).replace(minute=0, second=0, microsecond=0)
        self.state = "READY"
        self.promise = None
        self.explanation = {}
        self.next_report_ms = 0
        self.notifications = []
        self.friends = []
        self.my_visits = 0
        self.settings = {"off": [], "quietFrom": "22:30", "quietTo": "07:00"}

    # Accounts

    def on_signUp(self, _):
        return {"session": {"accessToken": "a", "refreshToken": "r", "accessExpiresAt": "2099-01-01T00:00:00Z", "user": ADA}}

    def on_hello(self, _):
        unread = sum(not one.get("read") for one in self.notifications)
        return {"welcome": {"user": ADA, "reportIntervalMs": 5000, "unread": {"notifications": unread}}}

    def on_syncClock(self, _):
        now = stamp(datetime.now(timezone.utc))
        return {"clock": {"receivedAt": now, "sentAt": now}}

    def on_setFocus(self, _):
        return {"done": {}}

    def on_listFriends(self, _):
        return {"friends": {"users": self.friends}}

    # Promises

    def on_listPromises(self, fields):
        return {"promises": {"promises": [self.promise] if self.promise and fields["list"] == "UPCOMING" else []}}

    def make_promise(self, **fields):
        at = datetime.fromisoformat(fields["meetsAt"].replace("Z", "+00:00"))
        self.promise = {"promiseId": "promise-1", "ownerId": "ada", "version": 1, "status": "SCHEDULED", "radiusMetres": 50, **fields,
                        "opensAt": stamp(at - timedelta(minutes=30)), "closesAt": stamp(at + timedelta(hours=3)),
                        "settlesAt": stamp(at + timedelta(hours=4)),
                        "participants": [{"user": ADA, "membership": "ACCEPTED", "sharing": True}]}
        return self.promise

    def on_createPromise(self, fields):
        known = ("title", "note", "place", "meetsAt", "radiusMetres", "courseId")
        return {"promise": {"promise": self.make_promise(**{key: fields[key] for key in known if key in fields}), "outlook": self.then()}}

    def on_updatePromise(self, fields):
        changed = {key: value for key, value in fields.items() if key not in ("promiseId", "version")}
        self.promise.update(changed, version=self.promise["version"] + 1)
        return {"promise": {"promise": self.promise, "outlook": self.then()}}

    def on_getPromise(self, _):
        return {"promise": {"promise": self.promise, "outlook": self.then()}}

    def on_subscribe(self, _):
        return {"subscribed": {"epoch": "e", "seq": 1, "snapshot": self.promise, "nextReportMs": self.next_report_ms}}

    def on_report(self, fields):
        return {"reported": {"taken": [one["seq"] for one in fields["fixes"]], "nextReportMs": self.next_report_ms}}

    def on_unsubscribe(self, _):
        return {"done": {}}

    def on_setSharing(self, _):
        return {"done": {}}

    def on_explainArrival(self, fields):
        user = next(one["user"] for one in self.promise["participants"] if one["user"]["userId"] == fields["userId"])
        return {"explanation": {"promiseId": "promise-1", "user": user, **self.explanation}}

    def on_getStatistics(self, _):
        return {"statistics": {}}

    def then(self):
        at = datetime.fromisoformat(self.promise["meetsAt"].replace("Z", "+00:00"))
        card = self.directory.cards.get(self.promise["place"].get("placeId"))
        return outlook(at, card["opening"] if card else "UNKNOWN", self.state)

    # Places

    def on_listCategories(self, _):
        count = lambda one: sum(one["id"] in card["categories"] for card in self.directory.cards.values())
        return {"categories": {"categories": [{**one, "count": count(one)} for one in CATEGORIES], "sources": [SOURCE]}}

    def on_listRegions(self, fields):
        box = {"south": 37.4, "west": 126.7, "north": 37.7, "east": 127.2}
        code, name = ("KR-11/중구", "중구") if fields.get("parent") else ("KR-11", "Seoul")
        return {"regions": {"regions": [{"code": code, "name": name, "count": len(self.directory.cards), "box": box}]}}

    def on_viewPlaces(self, fields):
        return {"placeView": self.directory.view(fields)}

    def on_searchPlaces(self, fields):
        return self.page(self.directory.search(fields), fields)

    def on_nearbyPlaces(self, fields):
        return self.page(self.directory.nearby(fields), fields)

    @staticmethod
    def page(cards, fields):
        start, limit = int(fields.get("cursor", 0)), fields.get("limit", 20)
        shown, rest = cards[start:start + limit], len(cards) > start + limit
        return {"places": {"cards": shown, "cursor": str(start + limit) if rest else "", "sources": [SOURCE] if shown else []}}

    def on_getPlace(self, fields):
        if fields["placeId"] not in self.directory.cards:
            return {"error": {"code": "place.not-found", "message": "There is no such place."}}
        card = self.directory.card(fields["placeId"])
        if card["opening"] == "UNKNOWN":
            # As little as a place may have.
            return {"placeDetails": {"card": card, "timeZone": "Asia/Seoul", "updatedAt": stamp(self.now), "source": SOURCE}}
        is_closed = card["opening"] == "CLOSED"
        seoul = timezone(timedelta(hours=9))
        days = [(self.now.astimezone(seoul) + timedelta(days=index)).date().isoformat() for index in range(7)]
        open_day = {"opening": "OPEN", "spans": [{"from": "09:00", "to": "12:00"}, {"from": "13:00", "to": "25:00"}]}
        week = [{"date": day, **({"opening": "CLOSED"} if is_closed and index < 2 else open_day)} for index, day in enumerate(days)]
        return {"placeDetails": {
            "card": card, "names": [{"language": "ko", "name": "은빛 책방"}], "hours": "Mo-Su 09:00-12:00,13:00-25:00",
            "week": week, "holidaysUnknown": True, "phone": "+82 2-555-0100",
            "website": "https://silver.example/", "social": "javascript:alert(1)", "facts": [{"key": "floor", "value": "2"}],
            "timeZone": "Asia/Seoul", "updatedAt": stamp(self.now), "source": SOURCE, "myVisits": self.my_visits}}

    def on_getOutlook(self, fields):
        at = datetime.fromisoformat(fields["at"].replace("Z", "+00:00")) if "at" in fields else datetime.now(timezone.utc)
        if "promiseId" in fields:
            return {"outlook": self.then()}
        return {"outlook": outlook(at, self.directory.cards[fields["placeId"]]["opening"], self.state)}

    def on_getShareText(self, _):
        return {"shareText": {"text": "Silver Bookshop\nhttps://map.example/", "links": [
            {"name": "Map on this device", "url": "geo:37.5663,126.9779"}, {"name": "OpenStreetMap", "url": "https://map.example/"},
            {"name": "Trap", "url": "javascript:alert(1)"}]}}

    # Favourites

    def on_addFavourite(self, fields):
        favourite_id = f"favourite-{len(self.directory.favourites) + 1}"
        self.directory.favourites[favourite_id] = fields
        return {"favourite": self.favourite(favourite_id)}

    def favourite(self, favourite_id):
        fields = self.directory.favourites[favourite_id]
        card = self.directory.card(fields["placeId"]) if "placeId" in fields else None
        return {"favouriteId": favourite_id, "label": fields.get("label"), "place": card["place"] if card else fields["place"], "card": card}

    def on_removeFavourite(self, fields):
        del self.directory.favourites[fields["favouriteId"]]
        return {"done": {}}

    def on_listFavourites(self, _):
        return {"favourites": {"favourites": [self.favourite(one) for one in reversed(self.directory.favourites)]}}

    # Notifications

    def notify(self, kind, screen, **more):
        one = {"notificationId": f"n{len(self.notifications)}", "kind": kind, "at": stamp(datetime.now(timezone.utc)), "screen": screen, **more}
        self.notifications.insert(0, one)
        return one

    def on_listNotifications(self, _):
        unread = sum(not one.get("read") for one in self.notifications)
        return {"notifications": {"notifications": self.notifications, "unread": unread}}

    def on_readNotifications(self, fields):
        wanted = fields.get("notificationIds")
        for one in self.notifications:
            if not wanted or one["notificationId"] in wanted:
                one["read"] = True
        return {"done": {}}

    def on_getNotificationSettings(self, _):
        return {"notificationSettings": self.settings}

    def on_updateNotificationSettings(self, fields):
        self.settings.update(fields)
        return {"notificationSettings": self.settings}
