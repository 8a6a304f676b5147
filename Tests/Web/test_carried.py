"""The course that a promise carries."""

from fakeanswers import BEN
from fakecourses import way
from test_courses import CoursesTest

DINNER = {"title": "Ride out", "place": {"name": "Town hall", "latitude": 37.5663, "longitude": 126.9779}, "meetsAt": "2099-11-25T10:00:00.000Z"}


class CarriedCourseTests(CoursesTest):
    def carrying(self, **more):
        server = self.fake()
        server.make_course("Along the river", **more)
        server.make_promise(**DINNER, courseId="course-0")
        return server

    def test_it_is_chosen_shown_and_removed(self):
        server = self.fake()
        server.make_course("Along the river")
        server.make_course("To work", way(bend=-2))
        ada = self.courses(server, "#/new")
        for name, value in (("title", "Ride out"), ("placeName", "Town hall"), ("latitude", 37.5663), ("longitude", 126.9779)):
            ada.fill(name, value)
        ada.wait(lambda: ada.find("[name=courseId]").is_enabled(), "the courses are not there")
        self.assertEqual([one.text for one in ada.all("[name=courseId] option")], ["None", "Along the river · 3.3 km", "To work · 3.3 km"])
        self.choose(ada, "courseId", "course-1")
        ada.driver.execute_script("arguments[0].scrollIntoView({block: 'center'})", ada.find("[name=courseId]"))
        self.shots(ada, "editor-course")
        ada.press("Create promise")
        ada.see("To work", ".carried")
        self.assertEqual(server.asked("createPromise")[-1]["courseId"], "course-1")
        ada.press("Show the course on the map")
        self.shots(ada, "meetup-course")
        ada.press("Edit", css="a")
        ada.wait(lambda: ada.find("[name=courseId]").get_property("value") == "course-1", "the course is not chosen")
        self.choose(ada, "courseId", "")
        ada.press("Save")
        ada.see("Town hall", ".meetup-head")
        self.assertEqual(server.asked("updatePromise"), [{"promiseId": "promise-1", "version": 1, "courseId": ""}])
        ada.wait(lambda: "To work" not in ada.text(), "the course stays")
        self.check()

    def test_a_participant_sees_it_and_learns_of_changes(self):
        server = self.carrying(user=BEN)
        server.promise["ownerId"] = "ben"
        ada = self.courses(server, "#/promise/promise-1")
        ada.see("Along the river", ".carried")
        server.make_course("The long way", user=BEN)
        event = {"promiseId": "promise-1", "seq": 2, "at": "2026-11-25T10:00:00.000Z"}
        server.push({**event, "edited": {"promise": {**server.promise, "courseId": "course-1"}}})
        ada.see("The long way", ".carried")
        ada.press("The long way", css=".carried a")
        ada.see("The long way", "h1")
        ada.press("Promises")
        ada.open("#/promise/promise-1")
        ada.see("Along the river", ".carried")
        server.push({**event, "edited": {"promise": {key: value for key, value in server.promise.items() if key != "courseId"}}})
        ada.wait(lambda: "Along the river" not in ada.text(), "the course stays")
        self.check()

    def test_an_invited_user_is_told_nothing_of_it(self):
        server = self.carrying(user=BEN)
        server.promise.update(ownerId="ben", participants=[{"user": {"userId": "ada", "nickname": "Ada"}, "membership": "INVITED"}])
        ada = self.courses(server, "#/promise/promise-1")
        ada.see("Ride out", "h1")
        ada.see("Accept", "button")
        self.assertEqual(server.asked("getCourse"), [])
        self.check()

    def test_one_that_is_gone_is_told_and_can_be_removed(self):
        server = self.carrying()
        server.courses.clear()
        ada = self.courses(server, "#/promise/promise-1")
        ada.see("The course of this promise can no longer be seen.", ".carried-course")
        ada.press("Edit", css="a")
        ada.see("The course of this promise can no longer be seen.", ".error")
        self.assertEqual(ada.find("[name=courseId]").get_property("value"), "course-0")
        self.assert_accessible(ada, "a course that is gone")
        ada.fill("title", "Ride in")
        server.refuse("updatePromise", code="course.not-found", message="There is no such course.")
        self.choose(ada, "courseId", "")
        ada.press("Save")
        ada.see("This course does not exist.", ".toast")
        server.refused.clear()
        ada.press("Save")
        ada.see("Ride in", "h1")
        self.assertEqual(server.asked("updatePromise")[-1], {"promiseId": "promise-1", "version": 1, "title": "Ride in", "courseId": ""})
        self.check()

    def test_a_cut_connection_only_delays_it(self):
        server = self.carrying()
        ada = self.courses(server)
        server.hold("getCourse")
        ada.open("#/promise/promise-1")
        ada.see("Ride out", "h1")
        ada.wait(lambda: server.held["getCourse"], "the course is not asked for")
        server.held.clear()
        server.cut()
        ada.see("Along the river", ".carried")
        self.check()
