"""Sharing the position beside the screen of its promise, at a fake server."""

import json
import time

from fakeanswers import ADA, BEN, stamp
from harness import wait_until
from test_explanation import PLACE, ExplanationTest


# A permission that tests withdraw and give; the receiver obeys it.
PERMISSION = """
    const permission = Object.assign(new EventTarget(), { state: 'granted' });
    navigator.permissions.query = async () => permission;
    globalThis.setPermission = (state) => {
        permission.state = state;
        permission.dispatchEvent(new Event('change'));
    };
    const { watchPosition } = navigator.geolocation;
    navigator.geolocation.watchPosition = (found, failed) => (permission.state === 'denied' ? setTimeout(() => failed({ code: 1 }), 0)
        : watchPosition((position) => permission.state === 'granted' && found(position), failed));
"""


class SharingTests(ExplanationTest):
    def sharing(self, server, **options):
        """Ada shares in a promise under way."""
        self.under_way(server)
        server.next_report_ms = 300
        ada = self.meetup(server, **options)
        ada.locate(PLACE["latitude"] + 0.01, PLACE["longitude"])
        ada.press("Share my position")
        ada.press("Share", within="dialog")
        ada.see("You are sharing your position", ".own")
        return ada

    def reports_go_on(self, server):
        before = len(server.asked("report"))
        wait_until(lambda: len(server.asked("report")) >= before + 2)

    def reports_end(self, server, ada, seen="No friends yet"):
        """The sign goes out, and with it the reports."""
        ada.wait(lambda: not [one for one in ada.all(".sharing-sign") if one.is_displayed()], "the sign stays")
        count = len(server.asked("report"))
        # Answers come in order: a report sent meanwhile would be before this one's.
        ada.open("#/friends")
        ada.see(seen)
        self.assertLessEqual(len(server.asked("report")), count + 1)

    def event(self, server, **content):
        server.promise["seq"] = server.promise.get("seq", 1) + 1
        server.push({"promiseId": "promise-1", "seq": server.promise["seq"], "at": stamp(server.now), **content})

    def test_other_screens_leave_sharing_on_and_say_so(self):
        server = self.fake()
        ada = self.sharing(server)
        self.assertFalse([one for one in ada.all(".sharing-sign") if one.is_displayed()], "the screen itself says so")
        for screen, seen in (("Places", "places"), ("Journal", "No visits yet"), ("Friends", "No friends yet"), ("Promises", "Dinner")):
            ada.press(screen)
            ada.see(seen)
            ada.see("Sharing your position: Dinner", ".sharing-sign")
            self.reports_go_on(server)
        self.shots(ada, "sharing-beside")
        ada.find(".sharing-sign a").click()
        ada.see("You are sharing your position", ".own")
        self.reports_go_on(server)
        ada.press("Stop sharing")
        ada.see("Nobody sees you", ".own")
        self.check()

    def test_one_press_on_any_screen_stops_sharing(self):
        for language, size, words in (("en-GB", (1280, 800), ("Share my position", "Share", "Stop sharing your position: Dinner", "No friends yet")),
                                      ("ko-KR", (360, 740), ("내 위치 공유", "공유", "위치 공유 중지: Dinner", "아직 친구가 없습니다"))):
            with self.subTest(language):
                server = self.fake()
                self.under_way(server)
                server.next_report_ms = 300
                ada = self.meetup(server, language=language, size=size, mobile=size[0] < 800)
                ada.locate(PLACE["latitude"] + 0.01, PLACE["longitude"])
                ada.press(words[0])
                ada.press(words[1], within="dialog")
                self.reports_go_on(server)
                ada.open("#/places")
                sign = ada.find(".sharing-sign .sign-line")
                self.assertLessEqual(sign.rect["x"] + sign.rect["width"], size[0])
                self.assertGreaterEqual(sign.find_element("css selector", "button").rect["height"], 24)
                self.assert_accessible(ada, "the sign")
                ada.press(words[2])
                self.reports_end(server, ada, words[3])
                self.assertEqual(server.asked("setSharing"), [{"promiseId": "promise-1", "on": False}])
                ada.open("#/promise/promise-1")
                ada.see(words[0], ".own")
        self.check()

    def test_a_stop_without_a_network_reaches_the_server_later(self):
        server = self.fake()
        ada = self.sharing(server)
        ada.press("Places")
        server.hold("hello")
        server.cut()
        ada.see("No connection, your positions are kept: Dinner", ".sharing-sign")
        ada.press("Stop sharing your position: Dinner")
        ada.wait(lambda: not [one for one in ada.all(".sharing-sign") if one.is_displayed()], "the sign stays")
        self.assertEqual(server.asked("setSharing"), [])
        server.release("hello")
        wait_until(lambda: server.asked("setSharing") == [{"promiseId": "promise-1", "on": False}], seconds=40)
        self.check()

    def test_a_permission_that_is_withdrawn_is_said_at_once_and_sharing_goes_on_when_it_is_back(self):
        server = self.fake()
        self.under_way(server)
        # One report in five seconds: the sign does not wait for the next.
        server.next_report_ms = 60_000
        ada = self.browse(server)
        ada.cdp("Page.addScriptToEvaluateOnNewDocument", source=PERMISSION)
        ada.sign_up("Ada")
        ada.open("#/promise/promise-1")
        ada.locate(PLACE["latitude"] + 0.01, PLACE["longitude"])
        ada.press("Share my position")
        ada.press("Share", within="dialog")
        ada.see("You are sharing your position", ".own")
        ada.open("#/friends")
        ada.see("Sharing your position: Dinner", ".sharing-sign")
        ada.driver.execute_script("setPermission('denied')")
        ada.see("Your position cannot be found: Dinner", ".sharing-sign", seconds=2)
        server.next_report_ms = 300
        ada.press("Your position cannot be found: Dinner")
        ada.see("The browser does not allow this page to use your position.", ".own")
        wait_until(lambda: server.asked("reportTrouble"))
        self.assertEqual(server.asked("reportTrouble")[0]["cause"], "PERMISSION")
        ada.driver.execute_script("setPermission('granted')")
        ada.see("You are sharing your position", ".own", seconds=20)
        self.reports_go_on(server)
        self.check()

    def test_positions_that_the_server_rejects_are_told_with_the_reason(self):
        server = self.fake()
        on_report = server.on_report
        server.on_report = lambda fields: {"reported": {
            "rejected": [{"seq": one["seq"], "code": "position.mock"} for one in fields["fixes"]], "nextReportMs": 300}}
        self.under_way(server)
        ada = self.meetup(server)
        ada.locate(PLACE["latitude"] + 0.01, PLACE["longitude"])
        ada.press("Share my position")
        ada.press("Share", within="dialog")
        ada.see("The server does not accept your position: simulated", ".own")
        # Leaving the view subscribes anew, and the reply has a slot.
        server.next_report_ms = 300
        ada.press("Friends")
        ada.see("Your position is not accepted: Dinner", ".sharing-sign")
        server.on_report = on_report
        ada.see("Sharing your position: Dinner", ".sharing-sign")
        self.check()

    def test_a_stop_at_the_screen_itself_ends_the_reports(self):
        server = self.fake()
        ada = self.sharing(server)
        ada.press("Stop sharing")
        self.assertEqual(server.asked("setSharing")[-1], {"promiseId": "promise-1", "on": False})
        self.reports_end(server, ada)
        self.check()

    def test_a_reload_elsewhere_leaves_sharing_on(self):
        server = self.fake()
        ada = self.sharing(server)
        ada.press("Friends")
        ada.see("Sharing your position: Dinner", ".sharing-sign")
        ada.driver.refresh()
        ada.see("Sharing your position: Dinner", ".sharing-sign")
        self.reports_go_on(server)
        ada.locate_nowhere()
        ada.see("Your position cannot be found: Dinner", ".sharing-sign")
        self.check()

    def test_an_arrival_ends_sharing_elsewhere_and_its_retraction_begins_it_again(self):
        server = self.fake()
        ada = self.sharing(server)
        ada.press("Friends")
        ada.see("Dinner", ".sharing-sign")
        self.event(server, arrivalConfirmed={"arrival": self.arrival(server, ADA, 60)})
        self.reports_end(server, ada)
        self.event(server, arrivalRetracted={"userId": "ada"})
        server.push({"promiseId": "promise-1", "at": stamp(server.now), "pace": {"nextReportMs": 300}})
        ada.see("Dinner", ".sharing-sign")
        self.reports_go_on(server)
        self.check()

    def test_a_promise_that_is_cancelled_or_left_ends_sharing_elsewhere(self):
        for content in ({"cancelled": {}}, {"removed": {"user": ADA}}, {"trackingEnded": {}}):
            with self.subTest(json.dumps(content)):
                server = self.fake()
                ada = self.sharing(server)
                ada.press("Friends")
                ada.see("Dinner", ".sharing-sign")
                self.event(server, **content)
                self.reports_end(server, ada)
        self.check()

    def test_sharing_that_was_paused_at_another_device_ends(self):
        server = self.fake()
        ada = self.sharing(server)
        ada.press("Friends")
        ada.see("Dinner", ".sharing-sign")
        server.refuse("report", code="position.sharing-off", retry="NEVER", message="You have paused sharing your position.")
        self.reports_end(server, ada)
        self.check()

    def test_the_consent_leaves_with_the_user(self):
        server = self.fake()
        ada = self.sharing(server)
        ada.press("Ada")
        ada.press("Sign out", within="section:last-child > .buttons")
        ada.see("Sign in", "button")
        self.assertFalse([one for one in ada.all(".sharing-sign") if one.is_displayed()], "the sign stays")
        self.assertIsNone(ada.driver.execute_script("return sessionStorage.getItem('promised.sharing')"))
        self.check()

    def test_a_network_that_is_gone_is_noticed_at_once(self):
        server = self.fake()
        ada = self.sharing(server)
        # The server is silent, as it is where packets vanish, and the browser says why.
        server.hold("syncClock")
        server.hold("report")
        started = time.monotonic()
        ada.driver.execute_script("window.dispatchEvent(new Event('offline'))")
        ada.see("No connection: your positions are kept, and sent later", ".own", seconds=10)
        self.assertLess(time.monotonic() - started, 8)
        ada.see("Reconnecting", "#banner")
        server.held.clear()
        ada.see("You are sharing your position", ".own")
        self.reports_go_on(server)
        # A word of the browser's alone cuts nothing.
        connections = len(server.asked("hello"))
        ada.driver.execute_script("window.dispatchEvent(new Event('offline'))")
        self.reports_go_on(server)
        self.assertEqual(len(server.asked("hello")), connections)
        self.check()
