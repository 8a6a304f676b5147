"""The page's visits: the list, adding and changing them, photos, audiences, badges, and those of friends."""

import re

from fakeanswers import BEN
from harness import wait_until
from selenium.webdriver.common.keys import Keys
from visitspage import VisitsTest


class VisitListTests(VisitsTest):
    def test_visits_are_listed_by_day(self):
        server = self.fake()
        ada = self.begin(server)
        self.fill_server(server, ada)
        ada.press("Journal")
        ada.see("Silver Bookshop", ".visit")
        days = [one.text for one in ada.all(".days h2")]
        self.assertEqual(len(days), 2)
        card = ada.find(".visit").text
        for words in ("The second shelf on the left.", "With Ben and Grandma", "Rain, 8", "On time, Rank 2", "Only me", "📚 Book"):
            self.assertIn(words, card)
        self.assertEqual(len(ada.all(".visit")), 3)
        ada.see("Friends", "[data-audience=FRIENDS]")
        ada.wait(lambda: ada.find(".thumb img").get_attribute("data-state") == "shown", "the photo is not shown")
        self.shots(ada, "visits")
        self.check()

    def test_a_list_is_searched_and_filtered(self):
        server = self.fake()
        ada = self.begin(server)
        self.fill_server(server, ada)
        ada.open("#/visits")
        ada.see("Silver Bookshop", ".visit")
        ada.fill("text", "chest")
        ada.wait(lambda: len(ada.all(".visit")) == 1, "the search does not narrow the list")
        ada.fill("text", "nothing of the kind")
        ada.see("No visit matches.")
        ada.fill("text", "")
        ada.press("Filter", css="summary")
        self.choose(ada, "kind", "BOOK")
        ada.wait(lambda: [one.text for one in ada.all(".visit .cover")] == ["Silver Bookshop"], "the kind does not count")
        self.choose(ada, "kind", "")
        self.choose(ada, "category", "market/periodic")
        ada.wait(lambda: [one.text for one in ada.all(".visit .cover")] == ["Moon Market"], "the category does not count")
        self.choose(ada, "region", "KR-11")
        wait_until(lambda: server.asked("listVisits")[-1].get("filter") == {"categories": ["market/periodic"], "regions": ["KR-11"]})
        self.assert_accessible(ada, "the filter of visits")
        self.check()

    def choose(self, browser, name, value):
        browser.driver.execute_script("""
            const select = document.querySelector(`select[name=${arguments[0]}]`);
            select.value = arguments[1];
            select.dispatchEvent(new Event('input', { bubbles: true }));
            select.dispatchEvent(new Event('change', { bubbles: true }));
        """, name, value)

    def test_photos_are_released_when_the_view_is_left(self):
        server = self.fake()
        ada = self.begin(server)
        self.fill_server(server, ada)
        ada.open("#/visits")
        ada.wait(lambda: ada.find(".thumb img").get_attribute("data-state") == "shown", "the photo is not shown")
        url = ada.find(".thumb img").get_attribute("src")
        self.assertTrue(url.startswith("blob:"))
        ada.press("Promises")
        ada.see("Promises", "h1")
        status = ada.driver.execute_async_script("""
            const image = new Image();
            image.onload = () => arguments[1]('there');
            image.onerror = () => arguments[1]('gone');
            image.src = arguments[0];
        """, url)
        self.assertEqual(status, "gone")
        self.check(ignoring=["blob:"])

    def test_a_long_list_goes_on(self):
        server = self.fake()
        ada = self.begin(server)
        for day in range(40):
            server.make_visit(days_ago=day, title=f"Day {day}")
        ada.open("#/visits")
        ada.wait(lambda: len(ada.all(".visit")) == 30, "not thirty")
        ada.press("Show more")
        ada.wait(lambda: len(ada.all(".visit")) == 40, "not forty")
        self.check()

    def test_friends_share_their_visits(self):
        server = self.fake()
        ada = self.begin(server)
        self.fill_server(server, ada)
        ada.press("Friends")
        ada.press("Statistics: Ben")
        ada.press("Visits shared with you")
        ada.see("Ben's lunch", ".visit")
        self.assertEqual(len(ada.all(".visit")), 1)
        self.assertEqual(ada.find("[name=userId]").get_property("value"), "ben")
        self.assertNotIn("Add a visit", ada.text())
        self.assert_accessible(ada, "visits of a friend")
        ada.find(".visit .cover").click()
        ada.see("Ben's lunch", ".visit-page")
        self.assertFalse(ada.all(".own-visit"), "another's visit can be changed")
        self.choose_mine(ada)
        self.check()

    def choose_mine(self, browser):
        browser.find(".backlink").click()
        browser.see("Ben's lunch", ".visit")
        self.choose(browser, "userId", "")
        browser.see("Found it", ".visit")


class VisitTests(VisitsTest):
    def test_a_visit_shows_all_that_is_kept_of_it(self):
        server = self.fake()
        ada = self.begin(server)
        made = self.fill_server(server, ada)
        server.make_promise(title="Dinner", place=made["place"], meetsAt="2099-11-25T10:00:00.000Z")
        ada.open(f"#/visit/{made['visitId']}")
        ada.see("Silver Bookshop", "h1")
        ada.see("The door", "figcaption")
        ada.see("Recorded weather")
        ada.wait(lambda: all(one.get_attribute("data-state") == "shown" for one in ada.all(".photos img")), "the photos are not shown")
        self.shots(ada, "visit")
        ada.press("Enlarge: The door")
        ada.see("The door", "dialog")
        ada.wait(lambda: ada.find("dialog img").get_property("naturalWidth") == 600, "the photo is not shown")
        self.assert_accessible(ada, "a large photo")
        ada.press("Close")
        ada.press("The promise")
        ada.see("Dinner", "h1")
        self.check()

    def test_the_audience_is_chosen_and_a_visit_is_deleted(self):
        server = self.fake()
        ada = self.begin(server)
        made = self.fill_server(server, ada)
        ada.open(f"#/visit/{made['visitId']}")
        ada.see("Silver Bookshop", "h1")
        ada.wait(lambda: all(one.get_attribute("data-state") == "shown" for one in ada.all(".photos img")), "the photos are not shown")
        reads = len(server.asked("readFile"))
        VisitListTests.choose(self, ada, "audience", "FRIENDS")
        ada.see("Saved", ".toast")
        ada.see("Friends", ".chip")
        self.assertEqual(len(server.asked("readFile")), reads, "photos are read again")
        self.assertEqual(server.asked("updateVisit"), [{"visitId": made["visitId"], "version": 1, "audience": "FRIENDS"}])
        server.refuse("updateVisit", code="visit.stale-version", message="It was changed.")
        VisitListTests.choose(self, ada, "audience", "PRIVATE")
        ada.see("The visit has changed in the meantime", ".toast")
        ada.wait(lambda: ada.find("[name=audience]").get_property("value") == "FRIENDS", "the refused choice stays")
        ada.press("Delete")
        ada.see("Its photos (2) are deleted too.", "dialog")
        self.assert_accessible(ada, "the question before deleting")
        ada.press("Cancel", within="dialog")
        self.assertIn(made["visitId"], server.visits)
        ada.press("Delete")
        ada.press("Delete", within="dialog")
        ada.see("The visit is deleted", ".toast")
        ada.see("Moon Market", ".visit")
        self.assertNotIn(made["visitId"], server.visits)
        self.check()

    def test_a_visit_that_does_not_exist_is_said(self):
        ada = self.begin(self.fake())
        ada.open("#/visit/none")
        ada.see("This visit does not exist.")
        self.check()

    def test_texts_of_others_stay_text(self):
        evil = "<img src=x onerror=window.broken=1>"
        server = self.fake()
        server.friends = [BEN]
        server.make_visit(user=BEN, title=evil, memo=evil, place={"name": evil, "latitude": 37.5, "longitude": 127}, companions=[{"name": evil}])
        ada = self.begin(server)
        ada.open("#/visits/of/ben")
        ada.see(evil, ".cover")
        ada.open("#/visit/visit-0")
        ada.see(evil, "h1")
        self.assertIsNone(ada.driver.execute_script("return window.broken ?? null"))
        self.assertEqual(ada.all("main img"), [])
        self.check()


class VisitEditorTests(VisitsTest):
    def test_a_visit_is_added_from_a_place_with_a_photo(self):
        server = self.fake()
        server.friends = [BEN]
        ada = self.begin(server)
        ada.open("#/place/place-0")
        ada.press("I was here")
        ada.wait(lambda: ada.find("[name=name]").get_property("value") == "Silver Bookshop", "the place is missing")
        ada.press("Save")
        ada.see("Write a headline or a memo, or add a photo.", ".error")
        photo = self.picture_file(ada, width=3000, height=1500)
        ada.driver.find_element("id", "photo-files").send_keys(photo)
        ada.wait(lambda: server.files, "nothing is uploaded")
        ada.find(".photo-edits [maxlength='100']").send_keys("The street")
        ada.press("Ben", css="label")
        ada.fill("names", "Grandma, Uncle")
        ada.fill("memo", "First line\nSecond line")
        self.shots(ada, "visit-editor")
        ada.press("Save")
        ada.see("Silver Bookshop", "h1")
        ada.see("The street", "figcaption")
        ada.see("With Ben, Grandma and Uncle")
        (made,) = server.asked("createVisit")
        self.assertEqual((made["place"]["placeId"], made["memo"], made["audience"]), ("place-0", "First line\nSecond line", "PRIVATE"))
        self.assertEqual(made["companions"], [{"user": {"userId": "ben"}}, {"name": "Grandma"}, {"name": "Uncle"}])
        file = server.files[made["photos"][0]["fileId"]]
        self.assertEqual((file["file"]["width"], file["file"]["height"]), (2048, 1024))
        self.assertNotIn(b"Exif", file["data"])
        self.check()

    def test_a_point_of_the_map_becomes_a_visit(self):
        server = self.fake()
        ada = self.begin(server)
        self.fill_server(server, ada)
        ada.open("#/visits")
        ada.see("Silver Bookshop", ".visit")
        self.click_map(ada, 200, 150)
        ada.see("Add a visit", "h1")
        ada.wait(lambda: ada.find("[name=latitude]").get_property("value"), "the point is missing")
        before = ada.find("[name=latitude]").get_property("value")
        ada.fill("name", "Behind the market")
        self.click_map(ada, 60, 60)
        ada.wait(lambda: ada.find("[name=latitude]").get_property("value") != before, "the point does not move")
        ada.fill("title", "Cats")
        ada.press("Save")
        ada.see("Behind the market", "h1")
        self.assertNotIn("placeId", server.asked("createVisit")[-1]["place"])
        self.check()

    def test_a_visit_is_changed_and_only_changes_are_sent(self):
        server = self.fake()
        ada = self.begin(server)
        made = self.fill_server(server, ada)
        ada.open(f"#/visit/{made['visitId']}")
        ada.press("Edit")
        ada.wait(lambda: ada.find("[name=title]").get_property("value") == "Found it", "the form is empty")
        self.assertFalse(ada.all("[name=companion]"), "companions of an arrival can be changed")
        ada.press("Save")
        ada.see("The door", "figcaption")
        self.assertEqual(server.asked("updateVisit"), [])
        ada.press("Edit")
        ada.press("Move photo 2 up")
        ada.press("Remove photo 2")
        ada.fill("title", "")
        ada.press("Save")
        ada.see("Silver Bookshop", "h1")
        (changed,) = server.asked("updateVisit")
        self.assertEqual(changed, {"visitId": made["visitId"], "version": 1, "title": "", "photos": [{"fileId": "file-1", "caption": ""}]})
        ada.press("Edit")
        ada.press("Remove photo 1")
        ada.press("Save")
        ada.wait(lambda: not ada.all(".photos img"), "the photo stays")
        self.assertEqual(server.asked("updateVisit")[-1], {"visitId": made["visitId"], "version": 2, "withoutPhotos": True})
        self.check()

    def test_an_upload_survives_a_cut_connection(self):
        server = self.fake()
        ada = self.begin(server)
        ada.open("#/visits/new/place/place-1")
        ada.wait(lambda: ada.find("[name=name]").get_property("value") == "Lantern Café", "the place is missing")
        server.hold("putChunk")
        ada.driver.find_element("id", "photo-files").send_keys(self.picture_file(ada))
        wait_until(lambda: server.held["putChunk"])
        server.held.pop("putChunk")
        self.assertFalse(ada.find("button[type=submit]").is_enabled(), "it can be saved too early")
        server.cut()
        ada.wait(lambda: server.files, "the upload does not go on")
        self.assertEqual(len({one["key"] for one in server.asked("beginUpload")}), 1)
        ada.press("Save")
        ada.see("Lantern Café", "h1")
        self.check()

    def test_a_file_that_is_no_picture_is_refused(self):
        server = self.fake()
        ada = self.begin(server)
        ada.open("#/visits/new")
        ada.find("[name=title]")
        path = self.picture_file(ada, name="notes.jpg")
        with open(path, "wb") as file:
            file.write(b"PK\x03\x04 no picture")
        ada.driver.find_element("id", "photo-files").send_keys(path)
        ada.see("notes.jpg: This file is no picture that can be used here.", ".error")
        self.assertEqual((server.asked("beginUpload"), ada.all(".photo-edits li")), ([], []))
        self.check()


class KeyboardTests(VisitsTest):
    def test_the_keyboard_is_enough_to_add_a_visit(self):
        server = self.fake()
        server.friends = [BEN]
        ada = self.begin(server)
        ada.open("#/visits")
        ada.see("No visits yet.")

        def focused():
            return ada.driver.execute_script("""const one = document.activeElement;
                return (one.getAttribute('aria-label') ?? one.labels?.[0]?.textContent ?? one.innerText).trim()""")

        def reach(label):
            for _ in range(60):
                if focused() == label:
                    return ada.driver.switch_to.active_element
                ada.driver.switch_to.active_element.send_keys(Keys.TAB)
            return self.fail(f"no way to '{label}' by the tab key; the focus is on '{focused()}'")

        reach("Add a visit").send_keys(Keys.ENTER)
        ada.see("Name of the place", "label")
        for label, text in (("Name of the place", "A bench"), ("Latitude", "37.5"), ("Longitude", "127"), ("Headline", "Sunset")):
            reach(label).send_keys(text)
        reach("Ben").send_keys(Keys.SPACE)
        reach("Visible to").send_keys("F")
        reach("Save").send_keys(Keys.ENTER)
        ada.see("A bench", "h1")
        (made,) = server.asked("createVisit")
        self.assertEqual((made["title"], made["audience"], made["companions"]), ("Sunset", "FRIENDS", [{"user": {"userId": "ben"}}]))
        self.check()


class KeptTests(VisitsTest):
    def test_level_badges_and_provinces_are_shown(self):
        server = self.fake()
        ada = self.begin(server)
        self.fill_server(server, ada)
        ada.open("#/visits")
        ada.press("Badges")
        ada.see("Level 3", ".level")
        ada.see("2 of 17 provinces of Korea visited")
        self.assertEqual([one.text.splitlines()[0] for one in ada.all(".badge-list [data-earned]")], ["First visit"])
        self.assertEqual([one.text.splitlines()[0] for one in ada.all(".provinces [data-visited]")], ["Seoul", "Jeju", "JP-13"])
        ada.see("Periodic market", ".rows")
        self.shots(ada, "badges")
        self.check()

    def test_badges_without_a_category_say_nothing_of_categories(self):
        server = self.fake()
        ada = self.begin(server)
        ada.open("#/visits/badges")
        ada.see("Level 3", ".level")
        self.assertNotRegex(ada.find(".badges").text, "null|false|undefined|Categories")
        self.check()

    def test_a_result_leads_to_the_visit(self):
        server = self.fake()
        server.make_promise(title="Dinner", place={"name": "Here", "latitude": 37.5, "longitude": 127.0}, meetsAt="2026-11-25T10:00:00.000Z")
        ada = self.begin(server)
        ada.open("#/promise/promise-1")
        ada.see("Dinner", "h1")
        self.assertNotIn("You were there.", ada.text())
        self.notify_made(server, server.make_visit(source="ARRIVAL", promiseId="promise-1", outcome="EARLY", rank=1))
        ada.see("You were there.", ".was-there")
        ada.see("your arrival is now a visit", ".toast")
        self.shots(ada, "was-there")
        ada.press("Open the visit")
        ada.see("Silver Bookshop", "h1")
        ada.press("Notifications, 1 unread")
        ada.press("You were there: your arrival is now a visit")
        ada.see("Silver Bookshop", "h1")
        self.check()

    def test_visits_from_arrivals_are_switched_off(self):
        server = self.fake()
        ada = self.begin(server)
        ada.open("#/me")
        ada.wait(lambda: ada.find("[name=visitsFromArrivals]").is_selected(), "the switch is off")
        self.shots(ada, "me-settings")
        ada.press("Keep a visit of each arrival", css="label")
        ada.see("Saved", ".toast")
        self.assertEqual(server.asked("updateMe")[1:], [{"visitsFromArrivals": False}])
        server.refuse("updateMe", code="server.unavailable", message="Later.")
        ada.press("Keep a visit of each arrival", css="label")
        ada.see("The server cannot do this now", ".toast")
        self.assertFalse(ada.find("[name=visitsFromArrivals]").is_selected())
        self.check()

    def test_a_place_tells_how_often_one_was_there(self):
        server = self.fake()
        server.my_visits = 2
        ada = self.begin(server)
        self.fill_server(server, ada)
        ada.open("#/place/place-0")
        ada.press("You were here: 2 visits")
        ada.see("Found it", ".visit")
        self.assertEqual(len(ada.all(".visit")), 1)
        self.check()


class KoreanVisitTests(VisitsTest):
    def test_visits_are_translated(self):
        server = self.fake()
        ada = self.browse(server, language="ko-KR", size=(390, 844), mobile=True)
        ada.open()
        ada.press("계정 만들기")
        for name, value in (("email", "ada@example.org"), ("nickname", "아다"), ("password", "correct horse battery")):
            ada.fill(name, value)
        ada.press("계정 만들기", css="button[type=submit]")
        ada.see("약속", "h1")
        photo = server.store(self.picture(ada))
        server.make_visit(title="찾았다", memo="둘째 칸", kind="BOOK", photos=[{"photoId": "p", "file": photo}], outcome="EARLY", rank=1)
        shown = (("#/visits", "찾았다", "visits"), ("#/visits/badges", "레벨 3", "badges"), ("#/visit/visit-0", "둘째 칸", "visit"),
                 ("#/visits/new", "방문 남기기", "visit-editor"), ("#/me", "도착할 때마다", "me-settings"))
        for fragment, words, shot in shown:
            with self.subTest(fragment):
                ada.driver.execute_script("location.hash = arguments[0]", fragment)
                ada.see(words)
                self.assert_accessible(ada, shot)
                ada.shot(f"{shot}-phone-korean")
                # Names of the directory, accounts and codes of regions are not words of the page.
                script = """const copy = document.querySelector('#panel').cloneNode(true);
                    copy.querySelectorAll('.cover, h1, .title + div, .rows, .profile, li:has(> .number)').forEach((one) => one.remove());
                    copy.querySelectorAll('select[name=category] option, select[name=region] option, select[name=language] option').forEach((one) => one.remove());
                    return copy.textContent"""
                english = re.findall("[A-Za-z]{3,}", ada.driver.execute_script(script))
                self.assertEqual(english, [], "words that are not translated")
        self.check()
