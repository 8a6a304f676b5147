"""People who watch by a link without an account, and those who let them."""

import contextlib
import re

from selenium.common.exceptions import ElementNotInteractableException, StaleElementReferenceException

from page import PLACE
from proxy import Proxy
from test_actions import ActionTest

LIVE = ["--set", "window.before=5m", "--set", "report.interval=1s"]


class LinkTests(ActionTest):
    def begin(self, server):
        """Ada owns a promise that Bea and Cem are in. @returns her browser and the promise's id"""
        ada = self.gather(server, "Bea", "Cem")
        promise_id = self.promise("Bea", 305_000, "Cem", ada)
        self.become_owner(promise_id)
        return ada, promise_id

    def make_link(self, ada):
        """@returns the code of a link that Ada makes"""
        ada.press("Create a link")
        ada.see("All participants are notified.", "dialog")
        self.assert_accessible(ada, "making a link")
        self.sure(ada, "Create a link")
        address = ada.find(".made input").get_property("value")
        found = re.fullmatch(re.escape(ada.server.url) + r"/#view=([\w-]{22,})", address)
        self.assertIsNotNone(found, address)
        ada.see("A link for people without an account was created", ".timeline")
        return found[1]

    def watch(self, server, code, **options):
        gran = self.browse(server, **options)
        gran.open(f"#view={code}")
        return gran

    @staticmethod
    def go(browser, code):
        """Opens a link in a tab that is there, as if it were typed behind the address."""
        browser.driver.execute_script("location.hash = '#view=' + arguments[0]", code)

    def agree(self, ada):
        ada.press("Show me to people with the link", css="label", within=".links")

    def assert_unseen(self, browser, name):
        browser.wait(lambda: name not in browser.text(), f"{name} is still there")

    def test_a_link_shows_those_alone_who_agreed_until_it_is_revoked(self):
        server = self.serve(*LIVE)
        ada, promise_id = self.begin(server)
        code = self.make_link(ada)
        ada.cdp("Browser.grantPermissions", permissions=["clipboardReadWrite", "clipboardSanitizedWrite"])
        ada.press("Copy")
        ada.see("The link is copied", ".toast")
        gran = self.watch(server, code, size=(390, 844), mobile=True)
        gran.see("Dinner", "h1")
        self.assertEqual(gran.driver.current_url, server.url + "/#/watch")
        gran.see("Nobody has agreed yet.", ".guest")
        gran.see("by Ada", ".facts")
        ada.see("1 person is watching now.", ".links")
        ada.see("1 person watches through the link", ".timeline")
        self.consent(ada, gran, promise_id)
        self.look(ada, gran)
        ada.press("Revoke the link")
        ada.see("The link no longer works", ".toast")
        gran.see("The owner has revoked this link.", "[role=alert]")
        self.assert_accessible(gran, "a revoked link")
        gran.shot("watch-ended-phone-light")
        ada.see("There is no link now.", ".links")
        ada.see("The link for people without an account was revoked", ".timeline")
        gran.driver.refresh()
        gran.see("This tab no longer has the link.", "[role=alert]")
        self.assertEqual([url for url in gran.addresses() if code in url], [], "the code was sent in an address")
        self.check()

    def consent(self, ada, gran, promise_id):
        ada.see("Live", ".chip", seconds=30)
        for name, north in (("Bea", 0.002), ("Cem", 0.004)):
            self.call(f"report('{name}', '{promise_id}', {PLACE[0] + north}, {PLACE[1]})")
        ada.see("222 m", ".people")
        self.assertNotIn("Bea", gran.text(), "somebody is shown who did not agree")
        self.request("Bea", "setLinkSharing", promiseId=promise_id, on=True)
        gran.see("222 m", ".people")
        ada.see("1 of 3 have agreed to be seen.", ".links")
        self.agree(ada)
        gran.see("Ada", ".people")
        self.agree(ada)
        gran.wait(lambda: "Ada" not in gran.find(".people").text, "Ada is still shown")
        # Her arrival has a rank among all; nobody else appears for it.
        self.check_in("Cem", promise_id)
        ada.see("Cem", ".ranking")
        self.check_in("Bea", promise_id)
        gran.see("Bea has arrived", ".timeline")
        self.assertNotIn("Cem", gran.text(), "somebody is shown who did not agree")
        self.assertEqual(gran.all(".people button.small, .ranking button.small"), [], "a guest has nothing to press")

    def check_in(self, name, promise_id):
        """Puts a robot to the place. A position far from the one before counts with the next, of a later time: of two
        reports within milliseconds the second may be dated before the first."""
        for _ in range(20):
            self.call(f"report('{name}', '{promise_id}', {PLACE[0]}, {PLACE[1]})")
            try:
                return self.request(name, "checkIn", promiseId=promise_id)
            except AssertionError as refused:
                reason = refused
                if "too far" not in str(refused):
                    break
        raise reason

    def look(self, ada, gran):
        self.assert_accessible(ada, "an open link")
        ada.driver.execute_script("document.querySelector('.links').scrollIntoView({ block: 'center' })")
        ada.shot("link-desktop-light")
        self.in_the_dark(ada, "link-desktop-dark")
        self.assert_accessible(gran, "watching")
        gran.shot("watch-phone-light")
        self.in_the_dark(gran, "watch-phone-dark")
        gran.driver.refresh()
        gran.see("Bea", ".ranking")

    def test_a_viewer_comes_back_after_a_cut(self):
        server = self.serve(*LIVE)
        ada, promise_id = self.begin(server)
        code = self.make_link(ada)
        with Proxy(server.port) as proxy:
            gran = self.watch(proxy, code)
            gran.see("Nobody has agreed yet.", ".guest")
            proxy.cut()
            gran.see("Reconnecting", "#banner")
            self.request("Bea", "setLinkSharing", promiseId=promise_id, on=True)
            proxy.mend()
            # The page may have come back by itself meanwhile, and hidden the button.
            with contextlib.suppress(ElementNotInteractableException, StaleElementReferenceException):
                gran.press("Connect now")
            gran.see("Bea", ".people")
            gran.shot("watch-desktop-light")
            self.assert_unseen(gran, "Reconnecting")
        self.check(ignoring=["WebSocket connection to", "ERR_"])

    def test_a_link_expires_is_replaced_and_must_be_right(self):
        server = self.serve("--clock-rate", "10", "--set", "window.before=1m", "--set", "window.after=20m")
        call = self.robots(server)
        call("make('Bea')")
        promise_id = call("promise('Bea', 90000, {})")["promiseId"]

        def make(milliseconds):
            return call(f"call('Bea', 'createViewLink', {{ promiseId: '{promise_id}', expiresInMs: {milliseconds} }})")["code"]

        first, second = self.browse(server, language="ko-KR"), self.browse(server)
        for browser in (first, second):
            browser.open()
        self.go(first, make(600_000))
        first.see("Dinner", "h1")
        first.shot("watch-desktop-korean")
        self.go(second, make(150_000))
        first.see("주최자가 새 링크를 만들어", "[role=alert]")
        second.see("Dinner", "h1")
        second.see("This link has expired.", "[role=alert]", seconds=40)
        second.press("To the start page")
        second.see("Sign in", "button")
        self.go(second, "wrong")
        second.see("This link is invalid or has expired.", "[role=alert]")
        self.assertEqual(second.driver.current_url, server.url + "/#/watch")
        self.check()
