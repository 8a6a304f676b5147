"""Finding places: on the map, by text, by filters, around the user."""

from directory import TOWN_HALL
from harness import wait_until
from placespage import PlacesTest
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys


class FindingTests(PlacesTest):
    def test_the_first_look_shows_all_places_and_their_sources(self):
        server = self.fake(places=300)
        ada = self.places(server)
        ada.see("306 places", "[role=status]")
        ada.see("places close together", ".cluster")
        ada.see("Invented places (The tests, CC0 1.0, 2026-11-01)", ".credits")
        self.assertEqual(ada.find(".credits a").get_attribute("href"), "https://places.example/data")
        self.shots(ada, "places")
        self.check()

    def test_a_server_that_builds_its_directory_is_asked_again(self):
        server = self.fake()
        server.refuse("listCategories", code="server.unavailable", message="Later.", retry="LATER", retryAfterMs=300)
        ada = self.begin(server)
        ada.press("Places")
        ada.see("The server cannot do this now.", "[role=status]")
        server.refuse("listCategories")
        ada.see("6 places", "[role=status]")
        self.check()

    def test_a_cluster_splits_when_it_is_touched(self):
        server = self.fake(places=300)
        ada = self.places(server)
        ada.see("306 places", "[role=status]")
        cluster = max(ada.all(".cluster"), key=lambda one: int(one.find_element(By.CSS_SELECTOR, ".sum").text.replace(",", "")))
        before = len(server.asked("viewPlaces"))
        cluster.send_keys(Keys.ENTER)
        wait_until(lambda: len(server.asked("viewPlaces")) > before)
        zoom = server.asked("viewPlaces")[-1]["zoom"]
        self.assertGreater(zoom, server.asked("viewPlaces")[before - 1]["zoom"])
        self.assertEqual(ada.driver.execute_script("return document.activeElement.className"), "rows places")
        # By the map: the heaviest cluster of a list entry lies in the middle now or has split; a touch goes on.
        ada.wait(lambda: ada.all(".cluster"), "no cluster is left to touch")
        self.touch_first_cluster(ada, server)
        self.check()

    def touch_first_cluster(self, ada, server):
        """Clicks a cluster where the map draws it."""
        view = server.asked("viewPlaces")[-1]
        cluster = max(server.directory.view(view)["clusters"], key=lambda one: one["count"])
        x, y = self.point(ada, view, cluster)
        before = len(server.asked("viewPlaces"))
        self.click_map(ada, x, y)
        wait_until(lambda: len(server.asked("viewPlaces")) > before)
        self.assertGreaterEqual(server.asked("viewPlaces")[-1]["zoom"], cluster["expandZoom"])

    @staticmethod
    def point(browser, view, item):
        """The pixel of an item, from the middle of the map."""
        box, size = view["box"], browser.find("#map").size
        x = (item["longitude"] - box["west"]) / (box["east"] - box["west"]) * size["width"]
        y = (box["north"] - item["latitude"]) / (box["north"] - box["south"]) * size["height"]
        return x - size["width"] / 2, y - size["height"] / 2

    def test_places_at_one_point_are_told_apart_by_a_list(self):
        server = self.fake()
        ada = self.places(server)
        for _ in range(12):
            clusters = ada.all(".cluster")
            if not clusters:
                break
            before = len(server.asked("viewPlaces"))
            clusters[0].click()
            wait_until(lambda before=before: len(server.asked("viewPlaces")) > before)
            ada.see("place", "[role=status]")
        ada.see("Silver Bookshop", ".places")
        self.click_map(ada, 0, 0)
        ada.see("2 here", "dialog")
        self.assert_accessible(ada, "places at one point")
        ada.press("Dice House", within="dialog")
        ada.see("Dice House", "h1")
        self.check()

    def test_places_found_around_the_user_are_joined_where_they_would_lie_over_each_other(self):
        server = self.fake(places=3000)
        ada = self.places(server)
        ada.locate(37.5663, 126.9779)
        ada.press("Near me")
        ada.press("Use my position", within="dialog")
        ada.see("places", "[role=status]")
        ada.wait(lambda: server.asked("nearbyPlaces"), "nothing is asked")
        ada.see("The first 50 places", "[role=status]")
        ada.shot("near-me-desktop-light")
        # The circle of two kilometres fills the map; in its middle many places are one sign.
        scale = ada.find(".leaflet-control-scale-line").text
        self.assertIn(scale, ("300 m", "500 m", "1 km"))
        self.check()

    def test_a_search_while_typing_shows_the_reply_to_the_latest_text(self):
        server = self.fake()
        ada = self.places(server)
        server.hold("searchPlaces")
        ada.fill("text", "moon")
        wait_until(lambda: len(server.asked("searchPlaces")) == 1)
        ada.fill("text", "lantern")
        wait_until(lambda: len(server.asked("searchPlaces")) == 2)
        server.release("searchPlaces", order=reversed)
        ada.see("1 place", "[role=status]")
        self.assertEqual(self.names(ada), ["Lantern Café"])
        self.assertEqual([one["text"] for one in server.asked("searchPlaces")], ["moon", "lantern"])
        ada.fill("text", "!?")
        ada.see("6 places", "[role=status]")
        self.assertEqual(len(server.asked("searchPlaces")), 2, "a text without letters is no search")
        ada.fill("text", "zzz")
        ada.see("No place matches.", "[role=status]")
        self.check()

    def test_a_long_result_comes_in_pages(self):
        server = self.fake(places=120)
        ada = self.places(server)
        ada.fill("text", "place")
        ada.see("The first 50 places", "[role=status]")
        self.assertEqual(len(self.names(ada)), 40)
        ada.press("Show more")
        ada.wait(lambda: len(self.names(ada)) == 80, "the second page is missing")
        ada.press("Show more")
        ada.see("120 places", "[role=status]")
        self.check()

    def test_filters_by_category_region_and_the_time_of_a_promise(self):
        server = self.fake()
        promise = server.make_promise(title="Dinner", place={"name": "Here", "latitude": 37.5, "longitude": 127.0},
                                      meetsAt="2099-11-25T10:00:00.000Z")
        ada = self.places(server)
        ada.press("Filter", css="summary")
        ada.press("Café")
        ada.see("1 place", "[role=status]")
        self.assertEqual(server.asked("viewPlaces")[-1]["filter"], {"categories": ["cafe"]})
        ada.see("Filter (1)", "summary")
        ada.press("Café")
        ada.see("6 places", "[role=status]")
        self.choose(ada, "openAt", promise["meetsAt"])
        ada.wait(lambda: server.asked("viewPlaces")[-1].get("filter") == {"openAt": promise["meetsAt"]}, "no filter by time")
        self.choose(ada, "region", "KR-11")
        self.choose(ada, "part", "KR-11/중구")
        ada.wait(lambda: server.asked("viewPlaces")[-1]["filter"].get("regions") == ["KR-11/중구"], "no filter by district")
        self.shots(ada, "places-filter")
        ada.press("Remove all filters")
        ada.see("6 places", "[role=status]")
        self.assertNotIn("filter", server.asked("viewPlaces")[-1])
        self.check()

    @staticmethod
    def choose(browser, name, value):
        browser.find(f"[name={name}] option[value='{value}']").click()

    def test_the_position_leaves_the_browser_only_after_consent(self):
        server = self.fake()
        ada = self.places(server)
        ada.locate(*TOWN_HALL)
        ada.press("Near me")
        ada.see("nobody else sees it", "dialog")
        self.assert_accessible(ada, "consent")
        ada.press("Cancel", within="dialog")
        ada.press("Near me")
        ada.press("Cancel", within="dialog")
        self.assertEqual(server.asked("nearbyPlaces"), [])
        ada.press("Near me")
        ada.press("Use my position", within="dialog")
        ada.see("520 m", ".places")
        asked = server.asked("nearbyPlaces")[-1]
        self.assertEqual((asked["latitude"], asked["longitude"], asked["radiusMetres"]), (*TOWN_HALL, 2000))
        self.shots(ada, "nearby")
        self.choose(ada, "radius", "500")
        ada.see("2 places", "[role=status]")
        before = len(server.asked("viewPlaces"))
        ada.press("Near me")
        wait_until(lambda: len(server.asked("viewPlaces")) > before)
        ada.see("places", "[role=status]")
        self.check()

    def test_without_a_map_the_list_leads_to_each_place(self):
        server = self.fake(places=60, leaflet=False)
        ada = self.places(server)
        ada.see("66 places", "[role=status]")
        ada.find(".cluster").click()
        ada.wait(lambda: len(server.asked("viewPlaces")) > 2, "the cluster does not split")
        self.assertGreater(server.asked("viewPlaces")[-1]["zoom"], 2)
        ada.press("Show all")
        ada.see("66 places", "[role=status]")
        ada.fill("text", "lantern")
        ada.press("Lantern Café")
        ada.see("Lantern Café", "h1")
        ada.press("Meet here")
        ada.wait(lambda: ada.find("[name=placeName]").get_property("value") == "Lantern Café", "the editor has no place")
        self.check()

    def test_the_keyboard_finds_a_place_and_meets_there(self):
        server = self.fake()
        ada = self.begin(server)
        self.reach(ada, "Places")
        ada.see("6 places", "[role=status]")
        for _ in range(30):
            if ada.driver.execute_script("return document.activeElement.name") == "text":
                break
            ada.driver.switch_to.active_element.send_keys(Keys.TAB)
        ada.driver.switch_to.active_element.send_keys("moon")
        ada.see("1 place", "[role=status]")
        self.reach(ada, "Moon Market")
        ada.see("Moon Market", "h1")
        self.reach(ada, "Meet here")
        ada.wait(lambda: ada.find("[name=placeName]").get_property("value") == "Moon Market", "the editor has no place")
        self.check()

    def reach(self, browser, label):
        """Goes to what bears a label by the tab key, and presses it."""
        script = "const a = document.activeElement; return (a.getAttribute('aria-label') ?? a.innerText ?? '').trim()"
        for _ in range(40):
            if browser.driver.execute_script(script) == label:
                return browser.driver.switch_to.active_element.send_keys(Keys.ENTER)
            browser.driver.switch_to.active_element.send_keys(Keys.TAB)
        return self.fail(f"no way to '{label}' by the tab key")

    def test_panning_asks_once_per_pause_and_keeps_nothing(self):
        server = self.fake(places=10_000)
        ada = self.places(server)
        ada.see("10,006 places", "[role=status]")
        elements = []
        for step in range(12):
            before = len(server.asked("viewPlaces"))
            # Each drag has several moves; the map is asked for once, when it rests.
            chain = ActionChains(ada.driver, duration=20).move_to_element(ada.find("#map")).click_and_hold()
            for _ in range(5):
                chain.move_by_offset(24 if step % 2 else -24, 10 if step % 2 else -10)
            chain.release().perform()
            wait_until(lambda before=before: len(server.asked("viewPlaces")) > before)
            self.assertEqual(len(server.asked("viewPlaces")), before + 1)
            elements.append(ada.driver.execute_script("return document.querySelectorAll('*').length"))
        self.assertLess(max(elements[6:]), max(elements[:6]) * 1.5)
        self.check()
