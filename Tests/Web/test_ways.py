"""Ways at the built server: recorded without a network, taken in from files and out again, and shared without their ends."""

import json
import math
import pathlib
import tempfile
import unittest
import xml.etree.ElementTree as xml

from directory import distance
from harness import ROOT, wait_until
from keptpage import KeptTest
from proxy import Proxy
from test_courses import DROP

RIDES = ROOT.parent / "shared" / "tracks" / "ride-a"
# An hour of the server's clock passes in a minute, in which the receiver gives ten positions a second.
HOURLY = ["--clock-rate", "60"]
HOUR_MS = 3_600_000
WALK = """
    globalThis.receiverAt = { latitude: 37.5663, longitude: 126.9779, altitude: 30, accuracy: 5 };
    setInterval(() => (receiverAt.latitude += 0.00006), 100);
"""
HIDDEN = 200
HOME, WORK = (37.5000, 127.0000), (37.5004, 127.0300)


def gpx(points, waypoints=()):
    """A GPX file of segments; each point is latitude, longitude, altitude and second."""
    time = lambda second: f"2026-11-21T09:{second // 60:02}:{second % 60:02}.{second % 10}50Z"
    point = lambda one: f'<trkpt lat="{one[0]:.7f}" lon="{one[1]:.7f}"><ele>{one[2]}</ele><time>{time(one[3])}</time></trkpt>'
    marks = "".join(f'<wpt lat="{north:.7f}" lon="{east:.7f}"><name>{name}</name></wpt>' for name, (north, east) in waypoints)
    segments = "".join("<trkseg>" + "".join(map(point, segment)) + "</trkseg>" for segment in points)
    return ('<?xml version="1.0"?><gpx version="1.1" creator="tests" xmlns="http://www.topografix.com/GPX/1/1">'
            f"{marks}<trk><name>To work</name>{segments}</trk></gpx>")


def content(text):
    """Points by segment and way-points of a GPX file, as numbers and texts."""
    root = xml.fromstring(text)
    name = lambda one: one.tag.rpartition("}")[2]
    below = lambda parent, kind: [one for one in parent.iter() if name(one) == kind]
    texts = lambda one: {name(child): child.text for child in one}
    where = lambda one: (float(one.get("lat")), float(one.get("lon")))
    altitude = lambda fields: float(fields["ele"]) if "ele" in fields else None
    point = lambda one: (*where(one), altitude(texts(one)), stamp(texts(one).get("time")))
    segments = [[point(one) for one in below(segment, "trkpt")] for segment in below(root, "trkseg")]
    return [one for one in segments if one], [(*where(one), texts(one).get("name")) for one in below(root, "wpt")]


def stamp(text):
    """A time without the noughts at the end of its fraction."""
    return text and text.removesuffix("Z").rstrip("0").removesuffix(".") if "." in (text or "") else text and text.removesuffix("Z")


def to_work():
    """A way north, back to within 100 m of its start, and east: of two segments."""
    step, legs = 0.0001, [(HOME, (37.5150, 127.0005)), ((37.5150, 127.0005), (37.5004, 127.0008)), ((37.5004, 127.0008), WORK)]
    points = []
    for start, end in legs:
        count = round(math.dist(start, end) / step)
        points += [tuple(start[axis] + (end[axis] - start[axis]) * index / count for axis in (0, 1)) for index in range(count)]
    points.append(WORK)
    return points


def decoded(text):
    """The points of an encoded polyline with five decimals."""
    numbers, value, shift = [], 0, 0
    for letter in text:
        bits = ord(letter) - 63
        value |= (bits & 31) << shift
        shift += 5
        if bits < 32:
            numbers.append(~(value >> 1) if value & 1 else value >> 1)
            value, shift = 0, 0
    points, here = [], (0, 0)
    for north, east in zip(numbers[::2], numbers[1::2]):
        here = (here[0] + north, here[1] + east)
        points.append((here[0] / 1e5, here[1] / 1e5))
    return points


def coordinates(value):
    """All points that a frame holds, those of outlines included."""
    if isinstance(value, list):
        return [point for one in value for point in coordinates(one)]
    if not isinstance(value, dict):
        return []
    own = [(value.get("latitude", 0), value.get("longitude", 0))] if "latitude" in value or "longitude" in value else []
    lines = [point for line in value.get("outlines", []) for point in decoded(line)]
    return own + lines + [point for one in value.values() for point in coordinates(one)]


class WaysTests(KeptTest):
    def drop(self, browser, text):
        browser.open("#/courses")
        browser.driver.execute_script(DROP, browser.find(".drop"), text)

    def download(self, browser):
        """The file that the page saves of the course it shows."""
        folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        browser.cdp("Browser.setDownloadBehavior", behavior="allow", downloadPath=str(folder))
        browser.press("Save as GPX")
        wait_until(lambda: [one for one in folder.iterdir() if one.suffix == ".gpx"])
        return next(folder.glob("*.gpx")).read_text(encoding="utf-8")

    def track(self, browser, course_id):
        points, cursor = [], ""
        while True:
            page = self.call(browser, f"call('getTrack', {json.dumps({'courseId': course_id, **({'cursor': cursor} if cursor else {})})})")
            points += page.get("points", [])
            cursor = page.get("cursor", "")
            if not cursor:
                return points

    def test_an_hour_recorded_without_a_network_arrives_whole(self):
        server = self.serve(*HOURLY)
        with Proxy(server.port) as proxy:
            ada = self.helped(proxy, "Ada")
            ada.open("#/record")
            ada.driver.execute_script(WALK)
            numbers = lambda index: int(ada.all(".recording dd")[index].text)
            ada.press("Start recording")
            ada.press("Start recording", within="dialog")
            ada.wait(lambda: numbers(2) > 0, "nothing is recorded")
            proxy.cut()
            ada.see("Reconnecting", "#banner")
            before = numbers(2)
            ada.wait(lambda: numbers(2) >= before + 620, "an hour does not pass", seconds=150)
            ada.press("Pause")
            ada.see("Recording is paused", ".sign")
            ada.wait(lambda: numbers(2) == numbers(3), "what is recorded does not wait")
            recorded = numbers(2)
            ada.shot("record-offline-desktop-light")
            proxy.mend()
            ada.press("Connect now")
            ada.wait(lambda: numbers(3) == 0, "the points are not sent")
            ada.press("Finish")
            ada.fill("title", "Without a network", within="dialog")
            ada.press("Save", within="dialog")
            ada.see("Without a network", "h1")
            course_id = ada.driver.current_url.rpartition("/")[2]
            self.call(ada, "online()")
            points = self.track(ada, course_id)
            statistics = self.call(ada, f"call('getCourse', {{ courseId: '{course_id}' }})")["statistics"]
            self.assertEqual(len(points), recorded, "a point is missing")
            self.assertEqual((statistics["points"], statistics.get("dropped", 0)), (recorded, 0))
            self.assertEqual(sorted(points, key=lambda one: one["latitude"]), points, "the points are not in their order")
            self.assertTrue(all(one.get("at") for one in points))
            self.assertGreater(statistics["durationMs"], HOUR_MS)
            self.check(ignoring=["WebSocket connection to"])

    def test_a_file_dropped_in_is_downloaded_equal(self):
        server = self.serve()
        ada = self.helped(server, "Ada")
        row = lambda start, count: [(37.5 + 0.0001 * index, 127.0 + 0.00007 * (index % 7), 20.5 + index / 8, index * 3) for index in range(start, start + count)]
        text = gpx([row(0, 300), row(400, 200)], [("Café &amp; bar", (37.51, 127.0003)), ("반환점", (37.54, 127.0001))])
        self.drop(ada, text)
        ada.see("To work", "h1")
        self.assertEqual(content(self.download(ada)), content(text))
        ada.see("Café & bar", ".waypoints")
        self.check()

    @unittest.skipUnless(RIDES.exists(), "../shared/tracks is absent")
    def test_a_real_ride_is_downloaded_equal(self):
        server = self.serve()
        ada = self.helped(server, "Ada")
        text = min(RIDES.glob("*.gpx"), key=lambda path: path.stat().st_size).read_text(encoding="utf-8")
        self.drop(ada, text)
        ada.see("Edit the way-points", "a", seconds=60)
        self.assertEqual(content(self.download(ada))[0], content(text)[0])
        self.check()

    def test_a_shared_course_shows_no_hidden_end(self):
        server = self.serve()
        ada, bea = self.helped(server, "Ada"), self.helped(server, "Bea", size=(390, 844), mobile=True)
        self.befriend(ada, bea, "Bea")
        way = [(*point, 20, index) for index, point in enumerate(to_work())]
        self.drop(ada, gpx([way[:200], way[200:]], [("Home of Ada", HOME), ("Bakery", (37.5080, 127.0003)), ("Work of Ada", WORK)]))
        ada.see("Home of Ada", ".waypoints")
        ada.press("Share with friends")
        ada.find("dialog select[name=audience]")
        ada.driver.execute_script("""
            const select = document.querySelector('dialog select[name=audience]');
            select.value = 'FRIENDS';
            select.dispatchEvent(new Event('input', { bubbles: true }));
        """)
        ada.fill("hideMetres", HIDDEN, within="dialog")
        ada.see("They see the solid line.", "dialog")
        preview = ada.find(".preview .part").get_attribute("d")
        ada.press("Save", within="dialog")
        ada.see("Friends", ".chip")
        self.assertEqual(preview, self.drawn(ada, bea, ada.driver.current_url.rpartition("/")[2]), "others see another part")
        bea.open("#/courses/shared")
        bea.see("To work", ".course")
        bea.find(".course .cover").click()
        bea.see("Bakery", ".waypoints")
        bea.shot("course-of-another-phone-light")
        file = self.download(bea)
        self.assertEqual([word for word in ("Home of Ada", "Work of Ada") if word in bea.text() + file], [])
        self.nothing_near_the_ends(bea.frames(), file)
        # The owner's own page has all of it.
        mine = [point for frame in ada.frames() if '"track"' in frame for point in coordinates(json.loads(frame))]
        self.assertLess(min(distance(HOME, {"latitude": north, "longitude": east}) for north, east in mine), 1)
        self.check()

    def drawn(self, owner, friend, course_id):
        """The part of a course that a friend gets, as the preview of its owner draws it."""
        ask = lambda browser, most: self.call(browser, f"call('getTrack', {{ courseId: '{course_id}', maxPoints: {most} }})")["points"]
        script = """
            const [own, seen, done] = arguments;
            import('/assets/courses.js').then(({ pathOf, segmentsOf }) => done(pathOf(segmentsOf(seen), 260, segmentsOf(own))));
        """
        return owner.driver.execute_async_script(script, ask(owner, 2000), ask(friend, 500))

    def test_participants_see_the_course_of_a_promise_until_it_is_removed(self):
        server = self.serve("--set", "window.before=5m")
        ada, bea = self.helped(server, "Ada"), self.helped(server, "Bea", size=(390, 844), mobile=True)
        ids = self.befriend(ada, bea, "Bea")
        self.drop(ada, gpx([[(*point, 20, index) for index, point in enumerate(to_work())]], [("Home of Ada", HOME)]))
        ada.see("Home of Ada", ".waypoints")
        course_id = ada.driver.current_url.rpartition("/")[2]
        fields = {"title": "Ride out", "place": {"name": "Bridge", "latitude": 37.51, "longitude": 127.01}, "inviteeIds": [ids[1]], "courseId": course_id}
        promise_id = self.call(ada, f"promise({json.dumps(fields)})")["promise"]["promiseId"]
        bea.open(f"#/promise/{promise_id}")
        bea.see("Ride out", "h1")
        bea.press("Accept")
        bea.see("To work", ".carried")
        bea.press("Show the course on the map")
        bea.shot("meetup-course-real-phone-light")
        self.assert_hidden(coordinates(self.of_courses(bea.frames())))
        ada.open(f"#/promise/{promise_id}/edit")
        ada.wait(lambda: ada.all("[name=courseId]") and ada.find("[name=courseId]").get_property("value") == course_id, "the course is not chosen")
        ada.driver.execute_script("document.querySelector('[name=courseId]').value = ''")
        ada.press("Save")
        ada.see("Bridge", ".meetup-head")
        bea.wait(lambda: "To work" not in bea.text(), "the course stays")
        bea.open(f"#/course/{course_id}")
        bea.see("This course does not exist.")
        self.check()

    @staticmethod
    def of_courses(frames):
        """The frames that hold a course, a list of them, or a track."""
        return [json.loads(frame) for frame in frames if '"course":' in frame or '"courses":' in frame or '"track":' in frame]

    def assert_hidden(self, points):
        self.assertGreater(len(points), 100)
        for north, east, *_ in points:
            for end in (HOME, WORK):
                # Outlines have five decimals, which is a metre.
                self.assertGreater(distance(end, {"latitude": north, "longitude": east}), HIDDEN - 1, (north, east))

    def nothing_near_the_ends(self, frames, file):
        from_page = self.of_courses(frames)
        segments, waypoints = content(file)
        saved = [point for segment in segments for point in segment] + waypoints
        self.assert_hidden(coordinates(from_page))
        self.assert_hidden(saved)
        self.assertEqual({one[3] for segment in segments for one in segment}, {None}, "times are told")
        self.assertEqual([word for word in ("Home of Ada", "Work of Ada") if word in "".join(frames)], [])
        boxes = [frame["course"]["box"] for frame in from_page if "course" in frame]
        self.assertTrue(boxes and all(box["east"] < WORK[1] - 0.0015 for box in boxes), "the box tells where it ends")
