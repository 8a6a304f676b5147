"""Notifications, their settings, the focus, and the language of all that is about places."""

import re

from fakeanswers import BEN
from harness import wait_until
from placespage import PlacesTest


class NotificationTests(PlacesTest):
    def test_notifications_are_counted_listed_and_read(self):
        server = self.fake()
        server.make_promise(title="Dinner", place={"name": "Here", "latitude": 37.5, "longitude": 127.0}, meetsAt="2099-11-25T10:00:00.000Z")
        server.notify("INVITED", "MEETUP", promiseId="promise-1", user=BEN)
        server.notify("FRIEND_REQUESTED", "HOME", user=BEN, read=True)
        ada = self.begin(server)
        ada.wait(lambda: ada.find(".bell").get_attribute("aria-label") == "Notifications, 1 unread", "no badge")
        told = server.notify("WEATHER_TURNED", "MEETUP", promiseId="promise-1")
        server.push({"at": told["at"], "notification": {"notification": told}})
        ada.see("The weather at a meeting turns bad", ".toast")
        ada.wait(lambda: ada.find(".badge").text == "2", "the badge does not count")
        ada.press("Notifications, 2 unread")
        ada.see("Ben invites you to a promise", ".notifications")
        named = server.notify("RESULT_FINAL", "MEETUP", promiseId="promise-1", title="Dinner", placeName="Here", read=True)
        server.push({"at": named["at"], "notification": {"notification": named}})
        ada.see("The result of “Dinner” is final", ".notifications")
        self.shots(ada, "notifications")
        ada.press("Ben invites you to a promise")
        ada.see("Dinner", "h1")
        self.assertEqual(server.asked("readNotifications"), [{"notificationIds": ["n0"]}])
        ada.press("Notifications, 1 unread")
        ada.press("Mark all as read")
        ada.wait(lambda: not ada.find(".bell").text, "the badge stays")
        self.check()

    def test_a_notification_announced_while_the_list_loads_is_in_it_once(self):
        for answer_first in (False, True):
            with self.subTest(answer_first=answer_first):
                server = self.fake()
                server.notify("FRIEND_REQUESTED", "HOME", user=BEN)
                ada = self.begin(server)
                server.hold("listNotifications")
                ada.press("Notifications, 1 unread")
                wait_until(lambda: server.held["listNotifications"])
                told = server.notify("INVITED", "MEETUP", promiseId="promise-1", user=BEN)
                if answer_first:
                    server.release("listNotifications")
                    ada.see("Ben invites you to a promise", ".notifications")
                server.push({"at": told["at"], "notification": {"notification": told}})
                if not answer_first:
                    ada.see("Ben invites you to a promise", ".notifications")
                    server.release("listNotifications")
                ada.see("Ben wants to be your friend", ".notifications")
                ada.wait(lambda: len(ada.all(".notifications li")) == 2, "one is in the list twice")
                self.assertIn("Ben invites you", ada.all(".notifications li")[0].text)
        self.check()

    def test_kinds_and_quiet_hours_are_set(self):
        server = self.fake()
        server.settings["off"] = ["LATER_ONE", "NUDGED"]
        ada = self.begin(server)
        ada.open("#/notifications")
        ada.press("Settings", css="summary")
        ada.wait(lambda: ada.find("[name=quietFrom]").get_property("value") == "22:30", "the settings are not shown")
        self.assertFalse(ada.find("[value=NUDGED]").is_selected())
        ada.press("Results", css="label")
        ada.fill("quietTo", "")
        ada.press("Save")
        ada.see("Fill in two different times", ".error")
        ada.fill("quietFrom", "")
        self.assert_accessible(ada, "settings of notifications")
        ada.shot("notification-settings-desktop-light")
        ada.press("Save")
        ada.see("Saved", ".toast")
        self.assertEqual(server.settings, {"off": ["LATER_ONE", "NUDGED", "RESULT_FINAL"], "quietFrom": "", "quietTo": ""})
        self.check()

    def test_the_page_tells_what_it_shows(self):
        server = self.fake()
        server.make_promise(title="Dinner", place={"name": "Here", "latitude": 37.5, "longitude": 127.0}, meetsAt="2099-11-25T10:00:00.000Z")
        ada = self.begin(server)
        shown = (("#/places", "Places", {"screen": "PLACES", "active": True}),
                 ("#/new", "New promise", {"screen": "WRITING", "active": True}),
                 ("#/promise/promise-1", "Dinner", {"screen": "MEETUP", "promiseId": "promise-1", "active": True}),
                 ("#/notifications", "Notifications", {"screen": "OTHER", "active": True}),
                 ("#/friends", "Friends", {"screen": "HOME", "active": True}))
        for fragment, title, focus in shown:
            with self.subTest(fragment):
                ada.driver.execute_script("location.hash = arguments[0]", fragment)
                ada.see(title, "h1")
                wait_until(lambda focus=focus: server.asked("setFocus")[-1] == focus)
        ada.driver.execute_script("""Object.defineProperty(document, 'hidden', { value: true });
            document.dispatchEvent(new Event('visibilitychange'))""")
        wait_until(lambda: server.asked("setFocus")[-1] == {"screen": "HOME", "active": False})
        self.check()


class KoreanTests(PlacesTest):
    def test_places_and_notifications_are_translated(self):
        server = self.fake()
        server.notify("INVITED", "MEETUP", promiseId="promise-1", user={"userId": "b", "nickname": "베아"})
        ada = self.browse(server, language="ko-KR", size=(390, 844), mobile=True)
        ada.open()
        ada.press("계정 만들기")
        for name, value in (("email", "ada@example.org"), ("nickname", "아다"), ("password", "correct horse battery")):
            ada.fill(name, value)
        ada.press("계정 만들기", css="button[type=submit]")
        shown = (("#/places", "장소 6곳", "places"), ("#/place/place-0", "여기서 만나기", "place"),
                 ("#/notifications", "베아 님이 약속에 초대했습니다", "notifications"))
        for fragment, words, shot in shown:
            with self.subTest(fragment):
                ada.driver.execute_script("location.hash = arguments[0]", fragment)
                ada.see(words)
                self.assert_accessible(ada, shot)
                ada.shot(f"{shot}-phone-korean")
                # Texts of the directory stay as the operator imported them.
                script = """const copy = document.querySelector('#panel').cloneNode(true);
                    copy.querySelectorAll('.cover, .place .quiet, .cluster .quiet, h1, h1 ~ p, .title ~ p, .credits, .credit, .contact, .maps,'
                        + '.outlook > .quiet, .choice, select, .week ~ p').forEach((one) => one.remove());
                    return copy.textContent"""
                english = re.findall("[A-Za-z]{3,}", ada.driver.execute_script(script))
                self.assertEqual(english, [], "words that are not translated")
        self.check()


class LanguageTests(PlacesTest):
    def test_the_server_learns_the_language_and_the_zone_at_sign_up(self):
        for language, told in (("ko-KR", "ko"), ("en-GB", "en"), ("fr-FR", "en")):
            with self.subTest(language):
                server = self.fake()
                ada = self.begin(server, language=language)
                zone = ada.driver.execute_script("return Intl.DateTimeFormat().resolvedOptions().timeZone")
                wait_until(lambda: server.asked("updateMe"))
                self.assertEqual(server.asked("updateMe"), [{"locale": told, "timeZone": zone}])
        self.check()

    def test_a_zone_that_the_server_does_not_know_costs_nothing_else(self):
        server = self.fake()
        server.refuse("updateMe", code="request.invalid", field="timeZone", message="timeZone is unknown.")
        self.begin(server, language="ko-KR")
        wait_until(lambda: len(server.asked("updateMe")) == 2)
        self.assertEqual(server.asked("updateMe")[1], {"locale": "ko"})
        self.check()

    def test_the_language_is_chosen(self):
        server = self.fake()
        ada = self.begin(server)
        ada.open("#/me")
        ada.see("Language", "label")
        self.assertEqual(ada.find("[name=language]").get_property("value"), "en")
        server.refuse("updateMe", code="server.unavailable", message="Later.")
        self.choose_language(ada, "ko")
        ada.see("The server cannot do this now", ".toast")
        self.assertEqual(ada.find("[name=language]").get_property("value"), "en")
        del server.refused["updateMe"]
        self.choose_language(ada, "ko")
        ada.see("언어", "label")
        self.assertEqual(server.asked("updateMe")[-1], {"locale": "ko"})
        self.assert_accessible(ada, "the language")
        self.choose_language(ada, "en")
        ada.see("Language", "label")
        self.check()

    @staticmethod
    def choose_language(browser, language):
        browser.driver.execute_script("""
            const select = document.querySelector('[name=language]');
            select.value = arguments[0];
            select.dispatchEvent(new Event('change'));
        """, language)
