"""Way-points of a course, on the map and by the keyboard."""

from fakeanswers import BEN
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys
from test_courses import CoursesTest


class WaypointTests(CoursesTest):
    def editor(self, server, **options):
        server.make_course("Along the river")
        ada = self.courses(server, "#/course/course-0", **options)
        ada.press("Edit the way-points")
        ada.wait(lambda: len(ada.all(".map-mark")) == 2, "the way-points are not on the map")
        return ada

    def focused(self, browser):
        return browser.driver.switch_to.active_element

    def saved(self, browser, server):
        browser.press("Save")
        browser.see("Edit the way-points", "a")
        (changed,) = server.asked("updateCourse")
        return changed

    def test_they_are_added_dragged_named_and_deleted(self):
        server = self.fake()
        ada = self.editor(server)
        self.click_map(ada, 60, 40)
        ada.see("3 of 50 way-points", "[role=status]")
        self.focused(ada).send_keys("Bakery")
        ada.see("Bakery", ".map-mark .name")
        mark = next(one for one in ada.all(".map-mark") if one.text.endswith("Bakery"))
        ActionChains(ada.driver).click_and_hold(mark).move_by_offset(0, -80).release().perform()
        ada.driver.execute_script("""
            const slider = document.querySelector('input[type=range]');
            slider.value = 1000;
            slider.dispatchEvent(new Event('input', { bubbles: true }));
        """)
        self.shots(ada, "waypoints")
        ada.press("Add this point")
        self.assertEqual(self.focused(ada).get_attribute("placeholder"), "Marked point")
        ada.press("Delete: Town hall")
        ada.see("3 of 50 way-points", "[role=status]")
        changed = self.saved(ada, server)
        self.assertEqual((changed["courseId"], changed["version"]), ("course-0", 1))
        kept = {one.get("name", ""): one for one in changed["waypoints"]}
        self.assertEqual([one["kind"] for one in changed["waypoints"]], ["NOTE", "NOTE", "END"])
        middle = 37.5663 + 0.01
        self.assertGreater(kept["Bakery"]["place"]["latitude"], middle, "the drag to the north is lost")
        self.assertAlmostEqual(changed["waypoints"][-1]["place"]["latitude"], 37.5863, 5)
        self.check()

    def test_the_keyboard_is_enough(self):
        server = self.fake()
        ada = self.editor(server)
        move = next(one for one in ada.all(".waypoint-edits button") if one.get_attribute("aria-label") == "Move by arrow keys: Town hall")
        ada.driver.execute_script("arguments[0].focus()", move)
        self.focused(ada).send_keys(Keys.ARROW_UP, Keys.ARROW_UP)
        self.assertEqual(self.focused(ada), move)
        ada.see("Town hall: at", "#polite")
        mark = next(one for one in ada.all(".map-mark") if one.get_attribute("aria-label") == "Move by arrow keys: Way-point 2")
        ada.driver.execute_script("arguments[0].focus()", mark)
        self.focused(ada).send_keys(Keys.SHIFT, Keys.ARROW_RIGHT)
        slider = ada.find("input[type=range]")
        slider.send_keys(Keys.END)
        self.assertEqual(slider.get_attribute("aria-valuetext"), "3.4\u00a0km")
        middle = next(one for one in ada.all("button") if one.text == "Add the map’s middle")
        middle.send_keys(Keys.ENTER)
        self.focused(ada).send_keys("Bench")
        places = {one.get("name", ""): one["place"] for one in self.saved(ada, server)["waypoints"]}
        self.assertEqual(len(places), 3)
        start, end = places["Town hall"], places[""]
        self.assertTrue(37.5663 < start["latitude"] < 37.5683, "it did not go north by some pixels")
        self.assertAlmostEqual(start["longitude"], 126.9779, 6)
        self.assertGreater(end["longitude"], 126.9779 + 0.006 * 0.657)
        self.check()

    def test_without_any_the_server_makes_its_own_again(self):
        server = self.fake()
        ada = self.editor(server)
        ada.press("Delete: Town hall")
        ada.press("Delete: Way-point 1")
        ada.see("Without way-points of yours", "[role=status]")
        self.assertEqual(self.saved(ada, server), {"courseId": "course-0", "version": 1, "withoutWaypoints": True})
        self.check()

    def test_at_most_fifty_are_taken(self):
        server = self.fake()
        points = [{"name": f"Point {index}", "place": {"latitude": 37.5663 + index * 0.0004, "longitude": 126.9779}} for index in range(50)]
        server.make_course("Along the river", waypoints=points)
        ada = self.courses(server, "#/course/course-0/waypoints")
        ada.see("50 of 50 way-points", "[role=status]")
        self.assertFalse(any(one.is_enabled() for one in ada.all("fieldset button")))
        self.click_map(ada, 200, 40)
        ada.see("A course has at most 50 way-points.", ".toast")
        self.check()

    def test_a_refusal_is_told_and_the_edits_stay(self):
        server = self.fake()
        ada = self.editor(server)
        server.refuse("updateCourse", code="course.stale-version", message="It changed.")
        self.click_map(ada, 60, 40)
        ada.press("Save")
        ada.see("The course has changed in the meantime.", ".toast")
        self.assertEqual(len(ada.all(".map-mark")), 3)
        self.check()

    def test_a_finger_drags_a_way_point_and_not_the_map(self):
        server = self.fake()
        ada = self.editor(server, size=(390, 844), mobile=True)
        ada.cdp("Emulation.setTouchEmulationEnabled", enabled=True)
        before = ada.driver.execute_script("return document.querySelectorAll('.map-mark')[1].getBoundingClientRect().toJSON()")
        mark = ada.all(".map-mark")[0]
        box = mark.rect
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        for kind, points in (("touchStart", [(x, y)]), ("touchMove", [(x + 20, y - 10)]), ("touchMove", [(x + 60, y - 20)]), ("touchEnd", [])):
            ada.cdp("Input.dispatchTouchEvent", type=kind, touchPoints=[{"x": left, "y": top} for left, top in points])
        ada.wait(lambda: ada.all(".map-mark")[0].rect["x"] > box["x"] + 50, "it does not follow the finger")
        after = ada.driver.execute_script("return document.querySelectorAll('.map-mark')[1].getBoundingClientRect().toJSON()")
        self.assertEqual(before, after, "the map moved too")
        self.check()

    def test_those_of_another_are_not_edited(self):
        server = self.fake()
        server.make_course("Ben's loop", user=BEN)
        ada = self.courses(server, "#/course/course-0/waypoints")
        ada.see("Ben's loop", "h1")
        self.assertNotIn("Edit the way-points", ada.text())
        self.check()
