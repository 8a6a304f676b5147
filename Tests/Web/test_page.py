"""The live map page in headless Chromium against a built server (scripts/test-web runs this)."""

import pathlib
import time
import unittest

import accessibility
from harness import Browser, Server
from proxy import Proxy

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


class MeetingTests(PageTest):
    def test_two_people_meet(self):
        server = self.serve(*FAST)
        ada, bea = self.browse(server), self.browse(server, size=(390, 844), mobile=True)
        for browser, name in ((ada, "Ada"), (bea, "Bea")):
            browser.open()
            browser.see("Sign in", "button")
            browser.shot(f"welcome-{name}")
            browser.sign_up(name)
        self.assert_accessible(ada, "no promises")
        self.become_friends(ada, bea)
        self.make_promise(ada)
        ada.see("Planned", ".chip")
        ada.shot("planned-desktop-light")
        self.assert_accessible(ada, "planned")
        self.accept_invitation(bea)
        self.share(ada, bea)
        self.arrive(ada, bea)
        self.reload_and_leave(ada, bea)
        self.see_result(ada, bea)
        self.check()

    def become_friends(self, ada, bea):
        ada.press("Friends")
        ada.fill("nickname", "bea")
        ada.press("Send request")
        ada.see("Request sent to Bea")
        bea.see("Ada wants to be your friend", seconds=3)
        bea.press("Friends")
        bea.press("Accept Ada")
        bea.press("Statistics: Ada")
        bea.see("No promise counted yet.", "dialog")
        self.assert_accessible(bea, "a dialog")
        bea.press("Close")
        ada.see("You and Bea are friends", seconds=3)
        ada.see("Bea", ".row")
        self.assert_accessible(ada, "friends")

    def make_promise(self, ada):
        ada.press("Promises")
        ada.press("New promise")
        ada.see("Bea", "form label")
        self.assert_accessible(ada, "the form")
        # Clicking the map fills the coordinates in; typing them is exact.
        ada.find("#map").click()
        ada.wait(lambda: ada.find("[name=latitude]").get_property("value") != "", "the map's click chose nothing")
        ada.fill("latitude", PLACE[0])
        ada.fill("longitude", PLACE[1])
        ada.fill("title", "Dinner in Seoul")
        ada.fill("placeName", "Town hall")
        ada.fill("amount", "5")
        ada.fill("meetsAt", self.in_six_minutes(ada))
        ada.find("[name=invitee]").click()
        ada.press("Create promise")
        ada.see("Dinner in Seoul", "h1")

    @staticmethod
    def in_six_minutes(browser):
        """A time at least six minutes of the server's clock ahead, as the form has it: to the minute, local time."""
        script = """
            const done = arguments[0];
            Promise.all([import('/assets/promised.js'), import('/assets/format.js')]).then(([{ PromisedClient }, format]) => {
              const client = new PromisedClient({ tabStorage: null });
              client.addEventListener('clock', () => {
                done(format.localInput(Math.ceil((client.clock.now() + 360000) / 60000) * 60000));
                client.close();
              });
              client.connect();
            });
        """
        return browser.driver.execute_async_script(script)

    def accept_invitation(self, bea):
        bea.press("Promises")
        bea.see("Invitations", "h2")
        bea.shot("invited-phone-light")
        self.assert_accessible(bea, "invited")
        bea.press("Accept: Dinner in Seoul")
        bea.see("Dinner in Seoul", "h1")
        bea.shot("planned-phone-light")

    def share(self, ada, bea):
        ada.locate(PLACE[0] + 0.0025, PLACE[1])
        bea.locate(PLACE[0], PLACE[1] + 0.003)
        for browser in (ada, bea):
            browser.see("Live", ".chip", seconds=30)
            browser.press("Share my position")
            browser.see("It is deleted a day after the result", "dialog")
            browser.press("Share", within="dialog")
            browser.see("You are sharing your position")
        ada.see("264 m", ".people")
        bea.see("27", ".people")
        ada.locate(PLACE[0] + 0.0018, PLACE[1] + 0.0004)
        bea.locate(PLACE[0] + 0.0001, PLACE[1] + 0.002)
        bea.see("203 m", ".people")
        ada.shot("live-desktop-light")
        bea.shot("live-phone-light")
        self.in_the_dark(ada, "live-desktop-dark")
        self.in_the_dark(bea, "live-phone-dark")
        self.assert_accessible(ada, "live")

    def in_the_dark(self, browser, name):
        browser.scheme(dark=True)
        browser.shot(name)
        self.assert_accessible(browser, name)
        browser.scheme(dark=False)

    def arrive(self, ada, bea):
        bea.locate(PLACE[0], PLACE[1] + 0.0008)
        bea.see("7", ".people")
        bea.locate(PLACE[0], PLACE[1] + 0.0001)
        bea.see("Bea", ".ranking", seconds=20)
        seen = time.monotonic()
        ada.see("Bea", ".ranking", seconds=20)
        self.assertLess(time.monotonic() - seen, 1, "an arrival takes more than a second to the other")
        ada.see("Bea has arrived (1.)", ".timeline")
        ada.shot("arrived-desktop-light")
        bea.see("confirmed", ".ranking", seconds=20)
        bea.shot("arrived-phone-light")
        self.in_the_dark(bea, "arrived-phone-dark")
        ada.press("Why is Bea there?")
        ada.see("Credited at", "dialog")
        ada.shot("explanation-desktop-light")
        self.assert_accessible(ada, "the explanation")
        ada.press("Close", within="dialog")

    def reload_and_leave(self, ada, bea):
        ada.driver.refresh()
        ada.see("Bea", ".ranking")
        ada.see("Bea has arrived (1.)", ".timeline")
        ada.see("You are sharing your position")
        bea.see("Your position is no longer sent", ".own")

    def see_result(self, ada, bea):
        for browser in (ada, bea):
            browser.see("Final", ".chip", seconds=90)
            browser.see("No-show", ".result")
            browser.see("5.00", ".result")
        ada.shot("final-desktop-light")
        bea.shot("final-phone-light")
        self.in_the_dark(ada, "final-desktop-dark")
        ada.press("Ada", css="button", within=".result")
        ada.see("No-shows", "dialog")
        self.assert_accessible(ada, "statistics")


class ConnectionTests(PageTest):
    def test_a_cut_connection_resumes_without_a_reload(self):
        server = self.serve("--set", "window.before=5m")
        robots = self.robots(server)
        with Proxy(server.port) as proxy:
            ada = self.browse(proxy)
            ada.sign_up("Ada")
            robots("make('Bea')")
            promise = robots("promise('Bea', 305000, {})")
            code = robots(f"call('Bea', 'createInvite', {{ promiseId: '{promise['promiseId']}' }})")["code"]
            ada.press("Join with a code")
            ada.fill("code", code)
            ada.press("Join", within="dialog")
            ada.see("Dinner", "h1")
            ada.driver.execute_script("window.isSamePage = true")
            ada.see("Live", ".chip", seconds=30)
            robots(f"report('Bea', '{promise['promiseId']}', {PLACE[0] + 0.002}, {PLACE[1]})")
            ada.see("222 m", ".people")
            proxy.cut()
            ada.see("Reconnecting", "#banner")
            ada.shot("reconnecting-desktop-light")
            self.assert_accessible(ada, "reconnecting")
            # What happens meanwhile is there when the connection is; who pauses is gone from the map.
            robots(f"call('Bea', 'setSharing', {{ promiseId: '{promise['promiseId']}', on: false }})")
            robots(f"call('Bea', 'updatePromise', {{ promiseId: '{promise['promiseId']}', version: 1, title: 'Supper' }})")
            proxy.mend()
            ada.press("Connect now")
            ada.see("Supper", "h1")
            ada.see("no position yet · sharing paused", ".people")
            ada.wait(lambda: not ada.find("#banner", 0.1) if ada.all("#banner:not([hidden])") else True, "the banner stays")
            self.assertTrue(ada.driver.execute_script("return window.isSamePage"))
            self.check(ignoring=["WebSocket connection to", "ERR_"])

    def test_signing_out_forgets_everything(self):
        server = self.serve()
        ada = self.browse(server)
        ada.sign_up("Ada")
        ada.press("Ada")
        ada.press("Sign out")
        ada.see("Sign in", "button")
        ada.driver.refresh()
        ada.see("Sign in", "button")
        self.assertIsNone(ada.driver.execute_script("return localStorage.getItem('promised.session')"))
        ada.fill("email", "nobody@example.org")
        ada.fill("password", "wrong wrong")
        ada.press("Sign in", css="button[type=submit]")
        ada.see("The e-mail or the password is wrong.", ".error")
        self.assert_accessible(ada, "a refused sign-in")
        self.check()


class TextTests(PageTest):
    EVIL = "<script>window.broken=1</script><img src=x onerror=window.broken=1>"

    def test_what_people_type_is_text(self):
        server = self.serve("--set", "window.before=5m")
        robots = self.robots(server)
        ada = self.browse(server)
        ada.sign_up("Ada")
        robots("make('Bea')")
        fields = {"title": self.EVIL[:60], "note": self.EVIL, "place": {
            "name": self.EVIL[:90], "address": self.EVIL, "latitude": PLACE[0], "longitude": PLACE[1]}}
        promise = robots(f"promise('Bea', 300000, {fields})")
        promise_id = promise["promiseId"]
        robots(f"call('Bea', 'setStatus', {{ promiseId: '{promise_id}', text: {self.EVIL!r} }})")
        code = robots(f"call('Bea', 'createInvite', {{ promiseId: '{promise_id}' }})")["code"]
        ada.press("Join with a code")
        ada.fill("code", code)
        ada.press("Join", within="dialog")
        ada.see(self.EVIL[:60], "h1")
        ada.see(self.EVIL, ".note")
        ada.see(self.EVIL, ".status")
        self.assertIsNone(ada.driver.execute_script("return window.broken ?? null"))
        self.assertEqual(ada.all("main script, main img"), [])
        # A nickname cannot hold markup: the server refuses it, and the page says so in words.
        eve = self.browse(server)
        eve.open()
        eve.press("Create account")
        for name, value in (("email", "eve@example.org"), ("nickname", "<script>"), ("password", "correct horse battery")):
            eve.fill(name, value)
        eve.press("Create account", css="button[type=submit]")
        eve.see("(nickname)", ".error")
        self.check()

    def test_korean_browsers_read_korean(self):
        server = self.serve()
        ada = self.browse(server, language="ko-KR", size=(390, 844), mobile=True)
        ada.open()
        ada.see("로그인", "button")
        self.assertEqual(ada.driver.execute_script("return document.documentElement.lang"), "ko")
        ada.shot("welcome-phone-korean")
        self.assert_accessible(ada, "korean")
        self.check()


class SurroundingsTests(PageTest):
    def test_the_keyboard_is_enough(self):
        from selenium.webdriver.common.keys import Keys
        server = self.serve()
        ada = self.browse(server)
        ada.sign_up("Ada")

        def focused():
            return ada.driver.execute_script("const a = document.activeElement; return a.getAttribute('aria-label') ?? a.innerText")

        def reach(label):
            for _ in range(30):
                if focused().strip() == label:
                    return
                ada.driver.switch_to.active_element.send_keys(Keys.TAB)
            self.fail(f"no way to '{label}' by the tab key; the focus is on '{focused()}'")

        reach("Join with a code")
        ada.driver.switch_to.active_element.send_keys(Keys.ENTER)
        ada.see("Join with a code", "dialog")
        ada.driver.switch_to.active_element.send_keys(Keys.ESCAPE)
        ada.wait(lambda: not ada.all("dialog"), "the dialog stays")
        self.assertEqual(focused(), "Join with a code", "the focus was not given back")
        self.check()

    def test_without_leaflet_the_page_says_so(self):
        server = self.serve("--set", "web.leaflet=/nowhere")
        ada = self.browse(server)
        ada.sign_up("Ada")
        ada.see("Leaflet is missing on the server", "#map")
        self.check(ignoring=["leaflet.css"])

    def test_a_code_in_the_fragment_leaves_the_address_bar(self):
        server = self.serve()
        ada = self.browse(server)
        ada.open("#demo=abcDEF123_-")
        ada.see("Sign in", "button")
        self.assertEqual(ada.driver.current_url, server.url + "/")
        self.check()


if __name__ == "__main__":
    unittest.main(verbosity=2)
