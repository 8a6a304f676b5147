"""The common part of the tests of the live map page (scripts/test web runs them)."""

import pathlib
import unittest

import accessibility
from harness import Browser, Server

PLACE = (37.5663, 126.9779)
ROBOTS = (pathlib.Path(__file__).parent / "robots.js").read_text(encoding="utf-8")
# Twenty of the server's seconds in a real one; the window opens two minutes before and closes twenty after: a minute.
FAST = ["--clock-rate", "20", "--set", "window.before=2m", "--set", "window.after=20m", "--set", "window.settle=20s",
        "--set", "report.interval=2s"]


class PageTest(unittest.TestCase):
    """Opens browsers, and looks at each when the test is over: no complaint, and nothing asked of another host."""

    def setUp(self):
        self.browsers = []

    def serve(self, *options):
        return self.enterContext(Server(*options))

    def browse(self, server, **options):
        browser = self.enterContext(Browser(server, **options))
        self.browsers.append(browser)
        return browser

    def check(self, *, ignoring=()):
        for browser in self.browsers:
            complaints = [one for one in browser.console() if not any(text in one for text in ignoring)]
            self.assertEqual(complaints, [], "the console has errors")
            self.assertLessEqual(browser.hosts(), {browser.server.url.removeprefix("http://")}, "another host was asked")

    def assert_accessible(self, browser, where):
        self.assertEqual(accessibility.findings(browser), [], where)

    def in_the_dark(self, browser, name):
        """A picture, and the accessibility check, with dark colours."""
        browser.scheme(dark=True)
        browser.shot(name)
        self.assert_accessible(browser, name)
        browser.scheme(dark=False)

    def robots(self, server):
        """A page whose people are clients of promised.js without a view."""
        browser = self.browse(server)
        browser.open()
        browser.driver.set_script_timeout(60)
        browser.cdp("Runtime.evaluate", expression=f"(async () => {{ {ROBOTS} }})()", awaitPromise=True)

        def call(expression):
            answer = browser.cdp("Runtime.evaluate", expression=f"robots.{expression}", awaitPromise=True, returnByValue=True)
            if "exceptionDetails" in answer:
                raise AssertionError(answer["exceptionDetails"]["exception"].get("description", answer))
            return answer["result"].get("value")

        return call
