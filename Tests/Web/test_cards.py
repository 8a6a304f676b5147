"""The card of a place, favourites, and meeting there."""

from datetime import timedelta

from fakeanswers import outlook
from harness import wait_until
from placespage import PlacesTest


class CardTests(PlacesTest):
    def card(self, server, number=0, **options):
        ada = self.begin(server, **options)
        ada.open(f"#/place/place-{number}")
        return ada

    def test_a_card_has_hours_contact_weather_and_its_licence(self):
        server = self.fake()
        ada = self.card(server)
        ada.see("Silver Bookshop", "h1")
        ada.see("Second-hand bookshop · 은빛 책방")
        ada.see("Rain, 8", ".sky")
        ada.see("Recorded weather", ".outlook")
        ada.see("Roads may be slippery", ".advice")
        ada.see("09:00–12:00, 13:00–01:00", ".week")
        self.assertEqual(len(ada.all(".week dt")), 7)
        self.assertIn("Closed", ada.find(".week [aria-current]").text)
        ada.see("Public holidays are not taken into account.")
        ada.see("CC0 1.0", ".credits")
        self.assertEqual(ada.find("a[href^='tel:']").get_attribute("href"), "tel:+8225550100")
        ada.see("Map on this device", ".maps")
        addresses = [one.get_attribute("href") or "" for one in ada.all("main a")]
        self.assertFalse([one for one in addresses if one.startswith("javascript")], "a link runs code")
        self.shots(ada, "place")
        self.check()

    def test_a_card_of_a_place_of_which_little_is_known_says_nothing_of_the_rest(self):
        server = self.fake()
        server.state = "OFF"
        ada = self.card(server, 4)
        ada.see("Hours unknown", ".state")
        ada.see("OpenStreetMap", ".maps")
        self.assertEqual([one.text for one in ada.all(".place-card h2") if one.is_displayed()], ["OTHER MAPS"])
        self.assertNotRegex(ada.find(".place-card").text, "null|false|undefined")
        self.check()

    def test_a_card_becomes_a_favourite_and_is_one_no_more(self):
        server = self.fake()
        ada = self.card(server, 1)
        ada.press("Favourite")
        ada.wait(lambda: ada.find(".choice").get_attribute("aria-pressed") == "true", "it is no favourite")
        ada.find(".backlink").click()
        ada.see("Lantern Café", ".places")
        ada.press("Favourites")
        ada.see("Lantern Café", ".places")
        self.shots(ada, "favourites")
        ada.press("Remove Lantern Café")
        ada.see("No favourites yet")
        self.assertEqual(server.directory.favourites, {})
        self.check()

    def test_a_place_of_ones_own_is_kept_and_met_at(self):
        server = self.fake()
        ada = self.begin(server)
        ada.open("#/places/favourites")
        ada.see("No favourites yet")
        self.click_map(ada, 40, 40)
        ada.fill("name", "My bench", within="dialog")
        ada.fill("label", "Bench", within="dialog")
        self.assert_accessible(ada, "a place of one's own")
        ada.press("Save", within="dialog")
        ada.see("Bench", ".places")
        kept = server.asked("addFavourite")[-1]
        self.assertEqual((kept["place"]["name"], kept["label"]), ("My bench", "Bench"))
        ada.press("Meet here: Bench")
        ada.wait(lambda: ada.find("[name=placeName]").get_property("value") == "My bench", "the editor has no place")
        ada.fill("title", "Sunset")
        ada.press("Create promise")
        ada.see("Sunset", "h1")
        self.assertNotIn("placeId", server.asked("createPromise")[-1]["place"])
        self.check()

    def test_a_card_is_shared(self):
        server = self.fake()
        ada = self.card(server)
        ada.see("Silver Bookshop", "h1")
        ada.driver.execute_script("navigator.share = ({ text }) => { window.shared = text; return Promise.resolve(); }")
        ada.press("Share")
        ada.wait(lambda: ada.driver.execute_script("return window.shared") == "Silver Bookshop\nhttps://map.example/", "nothing is shared")
        ada.driver.execute_script("""navigator.share = undefined;
            Object.defineProperty(navigator, 'clipboard', { value: { writeText: () => Promise.reject(new Error()) } })""")
        ada.press("Share")
        self.assertIn("Silver Bookshop", ada.find("dialog textarea").get_property("value"))
        self.assert_accessible(ada, "sharing")
        self.check()

    def test_a_place_that_does_not_exist_is_said(self):
        server = self.fake()
        ada = self.card(server, 99)
        ada.see("This place does not exist.")
        self.check()


class MeetingThereTests(PlacesTest):
    def test_meet_here_takes_the_place_along_and_says_closed_that_day(self):
        server = self.fake()
        ada = self.begin(server)
        ada.open("#/place/place-0")
        ada.press("Meet here")
        ada.wait(lambda: ada.find("[name=placeName]").get_property("value") == "Silver Bookshop", "the editor has no place")
        ada.fill("title", "Reading")
        ada.see("Closed that day.", ".closed")
        ada.see("Rain", ".outlook")
        self.shots(ada, "editor-place")
        # The week of the card does not reach that day: its first instant at the place is asked for.
        day = (server.now + timedelta(days=40)).date().isoformat()
        ada.fill("meetsAt", f"{day}T12:00")
        midnight = "T15:00:00.000Z"
        wait_until(lambda: server.asked("getOutlook")[-1]["at"].endswith(midnight))
        ada.see("Closed that day.", ".closed")
        ada.press("Create promise")
        ada.see("Reading", "h1")
        self.assertEqual(server.asked("createPromise")[-1]["place"]["placeId"], "place-0")
        ada.see("Closed that day.", ".closed")
        ada.see("Rain", ".surroundings")
        self.shots(ada, "meetup-place")
        server.push({"promiseId": "promise-1", "at": server.promise["meetsAt"],
                     "weatherChanged": {"outlook": outlook(server.meets_at, "CLOSED", condition="HEAVY_SNOW")}})
        ada.see("Heavy snow", ".surroundings")
        ada.press("About this place")
        ada.see("Silver Bookshop", "h1")
        self.check()

    def test_a_place_that_is_changed_by_hand_is_no_longer_of_the_directory(self):
        server = self.fake()
        ada = self.begin(server)
        ada.open("#/new/place/place-1")
        ada.see("A place of the directory.")
        ada.see("Open", ".outlook")
        ada.fill("placeName", "Behind the café")
        ada.wait(lambda: not ada.find(".stack").text.count("A place of the directory."), "it still is")
        ada.fill("title", "Coffee")
        ada.press("Create promise")
        ada.see("Coffee", "h1")
        self.assertNotIn("placeId", server.asked("createPromise")[-1]["place"])
        self.check()

    def test_weather_that_is_pending_comes_later(self):
        server = self.fake()
        server.state = "PENDING"
        ada = self.begin(server)
        ada.open("#/place/place-1")
        ada.see("Fetching the weather …", ".sky")
        server.push({"outlookReady": {"placeId": "place-1", "outlook": outlook(server.now, "OPEN", condition="CLEAR")}})
        ada.see("Clear", ".sky")
        for state, words in (("BEYOND", "There is no forecast"), ("UNAVAILABLE", "not available")):
            server.push({"outlookReady": {"placeId": "place-1", "outlook": outlook(server.now, "OPEN", state=state)}})
            ada.see(words, ".sky")
        server.push({"outlookReady": {"placeId": "place-1", "outlook": outlook(server.now, "OPEN", state="STALE")}})
        ada.see("older forecast", ".outlook")
        self.check()
