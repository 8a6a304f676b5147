"""The page's courses, recordings and the archive of one's data."""

import pathlib
import re
import tempfile

from fakeanswers import BEN
from fakecourses import way
from harness import wait_until
from visitspage import VisitsTest

DROP = """
    const file = new File([arguments[1]], 'ride.gpx', { type: 'application/gpx+xml' });
    const transfer = new DataTransfer();
    transfer.items.add(file);
    for (const type of ['dragover', 'drop']) {
        arguments[0].dispatchEvent(new DragEvent(type, { bubbles: true, cancelable: true, dataTransfer: transfer }));
    }
"""


class CoursesTest(VisitsTest):
    def courses(self, server, fragment="#/courses", **options):
        ada = self.begin(server, **options)
        ada.open(fragment)
        return ada

    def choose(self, browser, name, value, within="main"):
        browser.driver.execute_script("""
            const select = document.querySelector(`${arguments[2]} select[name=${arguments[0]}]`);
            select.value = arguments[1];
            for (const type of ['input', 'change']) select.dispatchEvent(new Event(type, { bubbles: true }));
        """, name, value, within)


class CourseListTests(CoursesTest):
    def test_courses_are_listed_by_folder_with_their_outline(self):
        server = self.fake()
        rides, walks = server.make_folder("Rides", "🚲"), server.make_folder("Walks")
        server.make_course("Along the river", folderId=rides, audience="FRIENDS")
        server.make_course("To work", way(bend=-2), folderId=rides)
        server.make_course("Old town", way(bend=3), folderId=walks, activity="WALK")
        ada = self.courses(server)
        ada.see("3 courses, 10 km")
        self.assertEqual(len(ada.all(".course svg path")), 3)
        self.assertTrue(all(one.get_attribute("d").startswith("M") for one in ada.all(".course svg path")))
        self.shots(ada, "courses")
        ada.press("Walks1")
        ada.wait(lambda: [one.text for one in ada.all(".course .cover")] == ["Old town"], "the folder does not count")
        ada.press("Rename the folder")
        ada.fill("title", "Strolls", within="dialog")
        self.assert_accessible(ada, "a folder")
        ada.press("Save", within="dialog")
        ada.see("Strolls", ".folders")
        ada.press("Delete the folder")
        ada.see("Its courses (1) are deleted too.", "dialog")
        ada.press("Delete", within="dialog")
        ada.see("2 courses")
        self.assertEqual(server.asked("deleteFolder"), [{"folderId": walks, "withCourses": True}])
        self.check()

    def test_shared_and_recommended_courses_have_lists_of_their_own(self):
        server = self.fake()
        server.make_course("Ben's loop", user=BEN)
        server.make_course("City wall", source="OPERATOR", attribution="City of Seoul, CC BY 4.0")
        ada = self.courses(server, "#/courses/shared")
        ada.see("Ben's loop", ".course")
        ada.press("Recommended")
        ada.see("City of Seoul, CC BY 4.0", ".course")
        self.assertIn("box", server.asked("listCourses")[-1])
        self.assert_accessible(ada, "recommended courses")
        asked = len(server.asked("listCourses"))
        ada.press("Zoom in", css="a")
        wait_until(lambda: len(server.asked("listCourses")) > asked)
        self.check()

    def test_a_dropped_file_becomes_a_course(self):
        server = self.fake()
        ada = self.courses(server)
        ada.see("No courses here yet")
        content = "<gpx version='1.1'>" + " " * 60_000 + "</gpx>"
        ada.driver.execute_script(DROP, ada.find(".drop"), content)
        ada.see("Imported", "h1")
        ada.see("Left out: 2 points or tracks", ".toast")
        self.assertEqual(next(iter(server.files.values()))["data"], content.encode())
        self.assertEqual(len(server.asked("putChunk")), 2)
        self.check()

    def test_a_broken_file_is_refused_with_its_line(self):
        server = self.fake()
        server.refuse("importCourse", code="track.malformed", message="Line 3: the end tag belongs to another element.")
        ada = self.courses(server)
        path = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory())) / "broken.gpx"
        path.write_text("<gpx>")
        ada.find(".drop")
        ada.driver.find_element("id", "gpx-file").send_keys(str(path))
        ada.see("This is no GPX file that can be read. Line 3", ".error")
        self.check()


class CourseTests(CoursesTest):
    def test_a_course_shows_its_way_profile_and_figures(self):
        server = self.fake()
        stop = {"place": {"name": "Lantern Café", "placeId": "place-1"}, "from": "2026-11-21T09:10:00.000Z", "to": "2026-11-21T09:20:00.000Z"}
        server.make_course("Along the river", memo="Windy.\nTake gloves.", stops=[stop])
        ada = self.courses(server, "#/course/course-0")
        ada.see("Along the river", "h1")
        for words in ("3.3 km", "25 min", "20 min", "10 km/h", "34.2 km/h", "60 m", "30–90 m"):
            self.assertIn(words, ada.find(".numbers").text)
        self.assertIn("From 30 m to 90 m high", ada.find(".profile").get_attribute("aria-label").replace("\u00a0", " "))
        ada.see("Town hall", ".waypoints")
        ada.see("End", ".waypoints")
        self.shots(ada, "course")
        ada.press("Add a visit: Lantern Café")
        ada.wait(lambda: ada.find("[name=name]").get_property("value") == "Lantern Café", "the stop is not taken")
        self.check()

    def test_the_way_stays_in_view_on_a_smaller_screen(self):
        server = self.fake()
        server.make_course("Along the river")
        ada = self.courses(server, "#/course/course-0")
        ada.see("Along the river", "h1")
        scale = lambda: ada.find(".leaflet-control-scale-line").text
        ada.wait(lambda: not scale().endswith("km"), "the map does not show the way")
        before = scale()
        ada.resize(390, 844, mobile=True)
        ada.wait(lambda: scale() != before, "the map does not make room for the way")
        self.check()

    def test_a_course_is_edited_moved_and_deleted(self):
        server = self.fake()
        server.make_folder("Rides")
        other = server.make_folder("Best of")
        server.make_course("Along the river")
        ada = self.courses(server, "#/course/course-0")
        ada.press("Edit")
        ada.fill("title", "Along the Han", within="dialog")
        self.choose(ada, "folderId", other, within="dialog")
        ada.driver.find_element("id", "photo-files").send_keys(self.picture_file(ada))
        ada.wait(lambda: server.files and ada.find("dialog [type=submit]").is_enabled(), "nothing is uploaded")
        self.assert_accessible(ada, "editing a course")
        ada.shot("course-editor-desktop-light")
        ada.press("Save", within="dialog")
        ada.see("Along the Han", "h1")
        (changed,) = server.asked("updateCourse")
        self.assertEqual((changed["title"], changed["folderId"], changed["photos"]), ("Along the Han", other, [{"fileId": "file-0", "caption": ""}]))
        self.assertNotIn("activity", changed)
        ada.press("Delete")
        ada.press("Delete", within="dialog")
        ada.see("The course is deleted", ".toast")
        self.assertEqual(server.courses, {})
        self.check()

    def open_sharing(self, server, audience="FRIENDS"):
        """Opens the dialog for sharing. Gives the browser, and the line of the part that others see."""
        server.make_course("Along the river")
        ada = self.courses(server, "#/course/course-0")
        ada.press("Share with friends")
        ada.find("dialog select[name=audience]")
        self.assertEqual([one for one in ada.all(".preview") if one.is_displayed()], [])
        self.assertEqual(self.previews(server), [])
        self.choose(ada, "audience", audience, within="dialog")
        return ada, lambda: ada.all(".preview .part")[0].get_attribute("d") or ""

    def type_metres(self, browser, *values, then=""):
        """Types distances without a pause."""
        browser.driver.execute_script("""
            const input = document.querySelector('dialog [name=hideMetres]');
            for (const value of arguments[0]) {
                input.value = value;
                input.dispatchEvent(new Event('input', { bubbles: true }));
            }
        """ + then, values)

    def previews(self, server):
        """The distances for which the page has asked what others see."""
        return [fields["hideMetres"] for fields in server.asked("getTrack") if "hideMetres" in fields]

    def test_sharing_shows_what_others_will_see(self):
        server = self.fake()
        server.friends = [BEN]
        ada, line = self.open_sharing(server, "PEOPLE")
        ada.press("Ben", css="label", within="dialog")
        ada.see("They see the solid line.", "dialog")
        self.assertEqual(server.asked("getTrack")[-1], {"courseId": "course-0", "hideMetres": 200, "maxPoints": 500})
        before = line()
        ada.fill("hideMetres", 500, within="dialog")
        ada.wait(lambda: line() != before and len(line()) < len(before), "the preview does not change")
        script = """
            const [own, seen, done] = arguments;
            import('/assets/courses.js').then(({ pathOf, segmentsOf }) => done(pathOf(segmentsOf(seen), 260, segmentsOf(own))));
        """
        own = server.tracks["course-0"]
        self.assertEqual(line(), ada.driver.execute_async_script(script, own, server.seen(own, 500)))
        self.shots(ada, "course-sharing")
        ada.fill("hideMetres", 0, within="dialog")
        ada.see("They see the whole way, with both ends.", "dialog")
        ada.fill("hideMetres", 1000, within="dialog")
        ada.see("Nobody else sees any part of this way", "dialog")
        self.assertEqual(line(), "")
        ada.fill("hideMetres", 300, within="dialog")
        ada.see("They see the solid line.", "dialog")
        self.assertEqual(self.previews(server), [200, 500, 0, 1000, 300])
        ada.press("Save", within="dialog")
        ada.see("Chosen friends", ".chip")
        self.assertEqual(server.asked("shareCourse"), [{"courseId": "course-0", "audience": "PEOPLE", "userIds": ["ben"], "hideMetres": 300}])
        self.check()

    def test_the_preview_is_that_of_the_last_distance(self):
        server = self.fake()
        ada, line = self.open_sharing(server)
        ada.see("They see the solid line.", "dialog")
        wide = line()
        # Typed quickly it is one question, and answers in any order leave the last one.
        server.hold("getTrack")
        self.type_metres(ada, 5, 50, 500)
        wait_until(lambda: self.previews(server)[-1] == 500)
        ada.fill("hideMetres", 100, within="dialog")
        wait_until(lambda: self.previews(server)[-1] == 100)
        self.assertEqual(self.previews(server), [200, 500, 100])
        ada.see("Loading", "dialog")
        server.release("getTrack", order=reversed)
        ada.see("They see the solid line.", "dialog")
        narrow = line()
        self.assertGreater(len(narrow), len(wide))
        # A number that the server would refuse is not asked about.
        for metres in ("", -1, 1001, 12.5):
            ada.fill("hideMetres", metres, within="dialog")
            self.assertEqual(line(), "")
        ada.fill("hideMetres", 100, within="dialog")
        ada.wait(lambda: line() == narrow, "the preview does not come back")
        self.assertEqual(self.previews(server), [200, 500, 100, 100])
        self.check()

    def test_a_preview_that_fails_says_so_and_a_closed_dialog_asks_nothing(self):
        server = self.fake()
        ada, line = self.open_sharing(server)
        ada.see("They see the solid line.", "dialog")
        server.refuse("getTrack", code="course.not-found", message="There is no such course.")
        ada.fill("hideMetres", 400, within="dialog")
        ada.see("This course does not exist.", "dialog")
        self.assertEqual(line(), "")
        server.refuse("getTrack")
        ada.fill("hideMetres", 400, within="dialog")
        ada.see("They see the solid line.", "dialog")
        server.hold("getTrack")
        ada.fill("hideMetres", 600, within="dialog")
        wait_until(lambda: server.held["getTrack"])
        self.type_metres(ada, 800, then="document.querySelector('dialog').close()")
        server.release("getTrack")
        ada.press("Share with friends")
        ada.find("dialog select[name=audience]")
        self.choose(ada, "audience", "FRIENDS", within="dialog")
        ada.see("They see the solid line.", "dialog")
        self.assertEqual(self.previews(server), [200, 400, 400, 600, 200])
        self.assertEqual(server.asked("shareCourse"), [])
        self.check()

    def test_a_course_of_another_is_copied_and_saved_as_a_file(self):
        server = self.fake()
        server.make_course("Ben's loop", user=BEN)
        ada = self.courses(server, "#/course/course-0")
        ada.see("Ben's loop", "h1")
        self.assertFalse([one for one in ada.all("main button") if one.text in ("Edit", "Delete", "Share with friends")])
        folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        ada.cdp("Browser.setDownloadBehavior", behavior="allow", downloadPath=str(folder))
        ada.press("Save as GPX")
        wait_until(lambda: (folder / "Ben's loop.gpx").exists() or (folder / "Ben_s loop.gpx").exists())
        self.assertEqual(next(folder.iterdir()).read_bytes(), b"<gpx version='1.1'/>")
        ada.press("Copy to my courses")
        ada.wait(lambda: "course-1" in ada.driver.current_url, "the copy is not opened")
        self.check()

    def test_my_way_of_a_promise_is_kept(self):
        server = self.fake()
        server.make_promise(title="Dinner", place={"name": "Here", "latitude": 37.5, "longitude": 127.0}, meetsAt="2026-11-25T10:00:00.000Z")
        ada = self.courses(server, "#/promise/promise-1")
        server.promise["status"] = "FINAL"
        ada.press("Keep my way")
        ada.see("My way", "h1")
        self.assertEqual(server.asked("saveCourse")[0]["promiseId"], "promise-1")
        self.check()


class RecordTests(CoursesTest):
    def move(self, browser, number):
        browser.locate(37.5663 + number * 0.0005, 126.9779)

    def begin_recording(self, ada):
        ada.press("Start recording")
        ada.see("Nobody but you sees it.", "dialog")
        self.assert_accessible(ada, "the consent to record")
        ada.press("Start recording", within="dialog")
        ada.see("Recording your way", ".sign")

    def test_a_way_is_recorded_with_a_pause_and_becomes_a_course(self):
        server = self.fake()
        ada = self.courses(server, "#/record")
        self.move(ada, 0)
        self.assertEqual(server.asked("startRecording"), [])
        self.begin_recording(ada)
        ada.wait(lambda: int(ada.all(".recording dd")[2].text) > 0, "nothing is recorded")
        self.move(ada, 1)
        ada.wait(lambda: "56 m" in ada.find(".recording .numbers").text, "the distance does not grow")
        self.shots(ada, "record")
        ada.press("Pause")
        ada.see("Recording is paused", ".sign")
        ada.press("Promises")
        ada.see("Recording is paused", ".recording-sign")
        ada.press("Go on with the recording")
        ada.see("Recording your way", ".recording-sign")
        self.move(ada, 2)
        self.assert_accessible(ada, "the sign of a recording")
        self.shots(ada, "recording-sign")
        ada.press("Pause the recording")
        ada.see("Recording is paused", ".recording-sign")
        ada.press("Recording is paused")
        ada.see("Recording is paused", ".sign")
        ada.press("Promises")
        ada.press("Go on with the recording")
        ada.press("Recording your way")
        ada.press("Finish")
        ada.fill("title", "Home", within="dialog")
        ada.press("Save", within="dialog")
        ada.see("Home", "h1")
        (points,) = server.points.values()
        self.assertEqual({one.get("segment", 0) for one in points.values()} - {2}, {0, 1})
        self.assertEqual(sorted(points), list(range(1, len(points) + 1)))
        self.assertEqual(len(server.asked("finishRecording")), 1)
        self.check()

    def test_a_way_recorded_without_a_network_survives_a_reload(self):
        server = self.fake()
        ada = self.courses(server, "#/record")
        self.move(ada, 0)
        self.begin_recording(ada)
        ada.cdp("Network.enable")
        server.hold("appendRecording")
        server.hold("startRecording")
        ada.wait(lambda: int(ada.all(".recording dd")[2].text) >= 5, "nothing is recorded")
        recorded = int(ada.all(".recording dd")[3].text)
        self.assertGreater(recorded, 0, "the points do not wait")
        ada.driver.refresh()
        server.held.clear()
        ada.see("Unfinished recordings", "h2")
        self.shots(ada, "record-unfinished")
        ada.press("Finish", within=".row")
        ada.see("A way", "h1")
        (points,) = server.points.values()
        self.assertGreaterEqual(len(points), recorded)
        self.assertEqual(sorted(points), list(range(1, len(points) + 1)), "a point is missing")
        self.check()

    def test_a_recording_is_discarded(self):
        server = self.fake()
        ada = self.courses(server, "#/record")
        self.move(ada, 0)
        self.begin_recording(ada)
        wait_until(lambda: server.recordings)
        ada.press("Discard")
        ada.press("Cancel", within="dialog")
        ada.see("Recording your way", ".sign")
        ada.press("Discard")
        ada.press("Discard", within="dialog")
        ada.see("Start recording", "button")
        wait_until(lambda: not server.recordings)
        self.check()


    def test_a_way_of_another_device_is_finished_here(self):
        server = self.fake()
        server.recordings["r"] = {"recordingId": "r", "state": "INTERRUPTED", "activity": "RUN", "title": "Evening run",
                                  "startedAt": "2026-11-25T10:00:00.000Z", "distanceMetres": 5200}
        server.points["r"] = {index: {**point, "seq": index} for index, point in enumerate(way(10), 1)}
        ada = self.courses(server, "#/record")
        ada.see("5.2 km", ".row")
        ada.press("Finish: Evening run")
        ada.see("A way", "h1")
        self.assertEqual(server.asked("finishRecording"), [{"recordingId": "r"}])
        self.check()

    def test_a_refusal_is_told_and_the_points_stay(self):
        server = self.fake()
        server.refuse("startRecording", code="recording.limit", message="Too many.")
        ada = self.courses(server, "#/record")
        self.move(ada, 0)
        self.begin_recording(ada)
        ada.see("You have too many unfinished recordings.", ".error")
        ada.wait(lambda: int(ada.all(".recording dd")[3].text) >= 5, "the points do not wait")
        self.check()


class MyDataTests(CoursesTest):
    def test_an_archive_is_made_and_saved(self):
        server = self.fake()
        ada = self.courses(server, "#/me")
        ada.press("Make an archive")
        ada.see("You will be notified.")
        file = server.store(b"PK archive", "EXPORT", "application/zip")
        server.push({"at": "2026-11-25T10:00:00.000Z", "exportReady": {"file": file}})
        ada.see("The archive is complete.")
        self.assert_accessible(ada, "my data")
        folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        ada.cdp("Browser.setDownloadBehavior", behavior="allow", downloadPath=str(folder))
        ada.press("Save the archive")
        wait_until((folder / "promised.zip").exists)
        self.assertEqual((folder / "promised.zip").read_bytes(), b"PK archive")
        self.check()


class KoreanCourseTests(CoursesTest):
    def test_courses_are_translated(self):
        server = self.fake()
        server.make_folder("라이딩")
        server.make_course("강변길")
        ada = self.browse(server, language="ko-KR", size=(390, 844), mobile=True)
        ada.open()
        ada.press("계정 만들기")
        for name, value in (("email", "ada@example.org"), ("nickname", "아다"), ("password", "correct horse battery")):
            ada.fill(name, value)
        ada.press("계정 만들기", css="button[type=submit]")
        ada.see("약속", "h1")
        for fragment, words, shot in (("#/courses", "강변길", "courses"), ("#/course/course-0", "오르막", "course"),
                                       ("#/course/course-0/waypoints", "경유지 추가", "waypoints"), ("#/record", "기록 시작", "record"),
                                       ("#/new", "참여자에게는 숨긴", "editor-course")):
            with self.subTest(fragment):
                ada.driver.execute_script("location.hash = arguments[0]", fragment)
                ada.see(words)
                self.assert_accessible(ada, shot)
                ada.shot(f"{shot}-phone-korean")
                script = """const copy = document.querySelector('#panel').cloneNode(true);
                    copy.querySelectorAll('.waypoints').forEach((one) => one.remove());
                    return copy.textContent"""
                english = [one for one in re.findall("[A-Za-z]{3,}", ada.driver.execute_script(script)) if one not in ("GPX", "GeoJSON")]
                self.assertEqual(english, [], "words that are not translated")
        ada.driver.execute_script("location.hash = '#/course/course-0'")
        ada.press("친구와 공유")
        ada.find("dialog select[name=audience]")
        self.choose(ada, "audience", "FRIENDS", within="dialog")
        ada.see("다른 사람에게는 실선 부분만 보입니다.", "dialog")
        self.assert_accessible(ada, "sharing in Korean")
        ada.shot("course-sharing-phone-korean")
        self.check()
