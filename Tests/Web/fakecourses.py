"""Courses, recordings and the archive of the fake server."""

import math

from directory import distance

ORIGIN = (37.5663, 126.9779)


def polyline(points):
    """An encoded polyline with five decimals."""
    text, last = "", (0, 0)
    for point in points:
        here = tuple(round(one * 1e5) for one in point)
        for value in (here[0] - last[0], here[1] - last[1]):
            value = ~(value << 1) if value < 0 else value << 1
            while value >= 0x20:
                text += chr((0x20 | (value & 0x1F)) + 63)
                value >>= 5
            text += chr(value + 63)
        last = here
    return text


def box(points):
    """The smallest box around points; none without any."""
    sides = [[one[key] for one in points] for key in ("latitude", "longitude")]
    return {"south": min(sides[0]), "north": max(sides[0]), "west": min(sides[1]), "east": max(sides[1])} if points else None


def way(count=120, bend=1.0, altitude=True):
    """The points of a winding way over a hill, of two segments."""
    points = []
    for index in range(count):
        part = index / (count - 1)
        point = {"latitude": ORIGIN[0] + 0.02 * part, "longitude": ORIGIN[1] + 0.006 * bend * math.sin(part * 7), "segment": int(index >= count // 2)}
        points.append({**point, "altitudeMetres": 30 + 60 * math.sin(part * math.pi)} if altitude else point)
    return points


class FakeCourses:
    """Each method `on_NAME` gives the reply to a request."""

    def __init__(self, *arguments, **more):
        self.folders = {}
        self.courses = {}
        self.tracks = {}
        self.recordings = {}
        self.points = {}
        self.finished = {}
        self.export = {"state": "WORKING"}
        super().__init__(*arguments, **more)

    def make_folder(self, title, emoji=""):
        folder_id = f"folder-{len(self.folders)}"
        self.folders[folder_id] = {"folderId": folder_id, "version": 1, "title": title, "emoji": emoji}
        return folder_id

    def make_course(self, title, points=None, **more):
        course_id = f"course-{len(self.courses)}"
        points = way() if points is None else points
        segments = [[one for one in points if one.get("segment", 0) == segment] for segment in (0, 1)]
        lines = [[(one["latitude"], one["longitude"]) for one in segment] for segment in segments if segment]
        ends = [points[0], points[-1]] if points else []
        self.tracks[course_id] = points
        folder_id = next(iter(self.folders)) if self.folders else self.make_folder("Rides")
        self.courses[course_id] = {
            "courseId": course_id, "version": 1, "folderId": folder_id,
            "source": "FILE", "title": title, "activity": "RIDE", "startedAt": "2026-11-21T09:00:00.000Z", "audience": "PRIVATE", "hideMetres": 200,
            "statistics": {"points": len(points), "distanceMetres": 3321, "durationMs": 1_500_000, "movingMs": 1_200_000, "topSpeedMps": 9.5,
                           "ascentMetres": 60, "descentMetres": 58, "minAltitudeMetres": 30, "maxAltitudeMetres": 90},
            "outlines": [polyline(line) for line in lines], "box": box(points),
            "waypoints": [{"name": name, "place": {"latitude": one["latitude"], "longitude": one["longitude"]}, "kind": kind, "atMetres": metres}
                          for one, name, kind, metres in zip(ends, ("Town hall", ""), ("START", "END"), (0, 3321))], **more}
        return self.courses[course_id]

    # Folders

    def on_listFolders(self, _):
        count = lambda folder_id: sum(one["folderId"] == folder_id and "user" not in one for one in self.courses.values())
        return {"folders": {"folders": [{**one, "courses": count(one["folderId"])} for one in self.folders.values()]}}

    def on_createFolder(self, fields):
        return {"folder": self.folders[self.make_folder(fields.get("title", "New folder"), fields.get("emoji", ""))]}

    def on_updateFolder(self, fields):
        self.folders[fields["folderId"]].update(title=fields["title"], emoji=fields["emoji"])
        return {"folder": self.folders[fields["folderId"]]}

    def on_deleteFolder(self, fields):
        del self.folders[fields["folderId"]]
        self.courses = {key: one for key, one in self.courses.items() if one["folderId"] != fields["folderId"]}
        return {"done": {}}

    # Courses

    def on_listCourses(self, fields):
        kind = lambda one: "SHARED" if "user" in one else "RECOMMENDED" if one["source"] == "OPERATOR" else "MINE"
        found = [one for one in self.courses.values() if kind(one) == fields["list"]
                 and fields.get("folderId", one["folderId"]) == one["folderId"]]
        return {"courses": {"courses": found}}

    def on_getCourse(self, fields):
        if fields["courseId"] not in self.courses:
            return {"error": {"code": "course.not-found", "message": "There is no such course."}}
        return {"course": self.courses[fields["courseId"]]}

    def on_getTrack(self, fields):
        points = self.tracks.get(fields["courseId"], [])
        return {"track": {"points": self.seen(points, fields["hideMetres"]) if "hideMetres" in fields else points}}

    @staticmethod
    def seen(points, hide_metres):
        """The part of a way that others see: nothing in a circle beside each end."""
        middles = [(one["latitude"] + hide_metres / 222_640, one["longitude"]) for one in points[:1] + points[-1:]]
        return [one for one in points if hide_metres == 0 or min(distance(middle, one) for middle in middles) > 1.5 * hide_metres]

    def change_course(self, fields, *without):
        course = self.courses[fields["courseId"]]
        course.update({key: value for key, value in fields.items() if key not in ("courseId", "version", *without)}, version=course["version"] + 1)
        return {"course": course}

    def on_updateCourse(self, fields):
        if "photos" in fields:
            fields = {**fields, "photos": self.photos(fields)}
        if "withoutWaypoints" in fields:
            fields = {**fields, "waypoints": []}
        return self.change_course(fields, "withoutPhotos", "withoutWaypoints")

    def on_shareCourse(self, fields):
        people = [one for one in self.friends if one["userId"] in fields.get("userIds", [])]
        return self.change_course({**fields, "people": people}, "userIds")

    def on_deleteCourse(self, fields):
        del self.courses[fields["courseId"]]
        return {"done": {}}

    def on_copyCourse(self, fields):
        original = self.courses[fields["courseId"]]
        return {"course": self.make_course(original["title"], self.tracks[fields["courseId"]], source="COPY")}

    def on_importCourse(self, fields):
        assert self.files[fields["fileId"]]["file"]["kind"] == "TRACK"
        return {"courses": {"courses": [self.make_course("Imported", activity=fields["activity"])], "dropped": 2}}

    def on_exportCourse(self, fields):
        return {"file": {"file": self.store(b"<gpx version='1.1'/>", "EXPORT", "application/gpx+xml")}}

    def on_saveCourse(self, fields):
        return {"course": self.make_course("My way", source="PROMISE", promiseId=fields["promiseId"])}

    # Recordings

    def on_startRecording(self, fields):
        recording_id = "recording-" + fields["key"]
        self.recordings[recording_id] = {"recordingId": recording_id, "state": "RECORDING", "startedAt": "2026-11-25T10:00:00.000Z", **fields}
        return {"recording": self.recordings[recording_id]}

    def on_appendRecording(self, fields):
        points = self.points.setdefault(fields["recordingId"], {})
        for point in fields["points"]:
            points.setdefault(point["seq"], point)
        return {"recorded": {"taken": [one["seq"] for one in fields["points"]], "lastSeq": max(points)}}

    def on_finishRecording(self, fields):
        recording_id = fields["recordingId"]
        if recording_id not in self.finished:
            recording, points = self.recordings.pop(recording_id), list(self.points.get(recording_id, {}).values())
            title = fields.get("title", "A way")
            self.finished[recording_id] = self.make_course(title, points, source="RECORDING", activity=recording["activity"])
        return {"course": self.finished[recording_id]}

    def on_discardRecording(self, fields):
        self.recordings.pop(fields["recordingId"], None)
        return {"done": {}}

    def on_listRecordings(self, _):
        return {"recordings": {"recordings": list(self.recordings.values())}}

    def on_exportMyData(self, _):
        return {"export": self.export}
