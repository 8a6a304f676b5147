"""People at the same place, places far away, invitations, and a forgotten password."""

from selenium.webdriver.common.keys import Keys

from harness import wait_until
from page import FAST, PLACE, PageTest

NAMES = ("Ben", "Carla", "Dan", "Eve")


class PlaceTests(PageTest):
    def test_people_at_the_same_place_are_one_sign(self):
        server = self.serve(*FAST)
        robots = self.robots(server)
        promise_id, code = self.meetup(robots)
        ada = self.join(server, code)
        ada.see("Live", ".chip", seconds=30)
        for index, name in enumerate(("Ann", *NAMES)):
            # A position from just before the window opened is refused.
            place = f"{PLACE[0] + 0.002 + index * 0.00001}, {PLACE[1]}"
            report = f"report('{name}', '{promise_id}', {place})"
            wait_until(lambda report=report: "taken" in robots(report))
        ada.see("5 here", ".crowd")
        ada.see("Ann, Ben, Carla …", ".crowd")
        ada.shot("crowd-desktop-light")
        self.assert_accessible(ada, "a crowd")
        self.open_by_keyboard(ada)
        ada.shot("crowd-open-desktop-light")
        self.assert_accessible(ada, "an open crowd")
        self.in_the_dark(ada, "crowd-open-desktop-dark")
        ada.driver.switch_to.active_element.send_keys(Keys.ESCAPE)
        ada.wait(lambda: not ada.find(".crowd .sign").get_attribute("aria-expanded") == "true", "it stays open")
        ada.resize(390, 844, mobile=True)
        ada.see("5 here", ".crowd")
        ada.press("Show all")
        ada.find(".crowd .sign").click()
        ada.see("Eve", ".crowd ul")
        ada.shot("crowd-open-phone-light")
        self.in_the_dark(ada, "crowd-open-phone-dark")
        # Somebody goes away: the sign says so and stays open.
        robots(f"report('Eve', '{promise_id}', {PLACE[0] + 0.0005}, {PLACE[1] + 0.003})")
        ada.see("4 here", ".crowd")
        ada.see("Dan", ".crowd ul")
        next(one for one in ada.all(".crowd li button") if "Carla" in one.text).click()
        ada.see("Carla", ".people [data-selected]")
        self.check()

    def open_by_keyboard(self, ada):
        """Reaches the sign by the tab key, opens it and goes to the first of the people in it."""
        sign = ada.find(".crowd .sign")
        self.assertEqual(sign.get_attribute("aria-label"), "5 here: Ann, Ben, Carla, Dan, Eve")
        ada.driver.execute_script("document.querySelector('#map').focus()")
        for _ in range(30):
            ada.driver.switch_to.active_element.send_keys(Keys.TAB)
            if ada.driver.execute_script("return document.activeElement.classList.contains('sign')"):
                break
        ada.driver.switch_to.active_element.send_keys(Keys.ENTER)
        self.assertEqual(sign.get_attribute("aria-expanded"), "true")
        ada.driver.switch_to.active_element.send_keys(Keys.TAB)
        focused = ada.driver.execute_script("return document.activeElement.textContent")
        self.assertIn("Ann", focused)

    def test_a_viewer_far_away_reads_the_times_of_the_place_too(self):
        server = self.serve("--set", "window.before=5m")
        robots = self.robots(server)
        robots("make('Ann')")
        promise = robots("promise('Ann', 3600000, {})")
        code = robots(f"call('Ann', 'createInvite', {{ promiseId: '{promise['promiseId']}' }})")["code"]
        for zone, language, told in (("Asia/Seoul", "en-GB", None), ("Asia/Tokyo", "en-GB", None),
                                     ("Europe/London", "en-GB", "At the place: "), ("Europe/London", "ko-KR", "약속 장소 시간은")):
            name = f"A{abs(hash((zone, language))) % 10**6}"
            robots(f"make('{name}')")
            with self.subTest(zone=zone, language=language):
                ada = self.browse(server, language=language, size=(390, 844), mobile=True)
                ada.cdp("Emulation.setTimezoneOverride", timezoneId=zone)
                self.enter(ada, name, code, language)
                there = ada.driver.execute_script("return document.querySelector('.there').textContent")
                if told is None:
                    self.assertEqual(there, "")
                    continue
                self.assertIn(told, there)
                seoul = ada.driver.execute_script("""
                    return new Intl.DateTimeFormat(arguments[0], { hour: arguments[2], minute: '2-digit', timeZone: 'Asia/Seoul' })
                        .format(new Date(arguments[1]))""", language, promise["meetsAt"], "numeric" if language == "ko-KR" else "2-digit")
                self.assertIn(seoul, there)
                ada.shot(f"far-phone-{language[:2]}")
                self.assert_accessible(ada, "far away")
                self.in_the_dark(ada, f"far-phone-{language[:2]}-dark")
        self.check()

    def test_a_forgotten_password_is_answered(self):
        server = self.serve()
        for language, question, answer in (("en-GB", "Forgot your password?", "Ask the operator of this server"),
                                           ("ko-KR", "비밀번호를 잊으셨나요?", "운영자에게 문의하세요")):
            ada = self.browse(server, language=language, size=(390, 844), mobile=True)
            ada.open()
            ada.press(question)
            ada.see(answer, ".forgotten")
            ada.shot(f"forgotten-phone-{language[:2]}")
            self.assert_accessible(ada, "a forgotten password")
            self.in_the_dark(ada, f"forgotten-phone-{language[:2]}-dark")
        self.check()

    # Steps

    @staticmethod
    def meetup(robots, ahead=300_000):
        """Ann meets the others, who have accepted. Gives the promise's id and a code to join it."""
        ids = robots("make(" + ", ".join(f"'{name}'" for name in ("Ann", *NAMES)) + ")")
        for name in NAMES:
            robots(f"call('Ann', 'requestFriend', {{ nickname: '{name}' }})")
            robots(f"call('{name}', 'acceptFriend', {{ userId: '{ids['Ann']}' }})")
        invitees = [ids[name] for name in NAMES]
        promise_id = robots(f"promise('Ann', {ahead}, {{ inviteeIds: {invitees} }})")["promiseId"]
        for name in NAMES:
            robots(f"call('{name}', 'respond', {{ promiseId: '{promise_id}', accept: true }})")
        return promise_id, robots(f"call('Ann', 'createInvite', {{ promiseId: '{promise_id}' }})")["code"]

    def join(self, server, code):
        ada = self.browse(server)
        ada.sign_up("Ada")
        ada.press("Join with a code")
        ada.fill("code", code)
        ada.press("Join", within="dialog")
        ada.see("Time line", "h2")
        return ada

    @staticmethod
    def enter(browser, name, code, language):
        """Signs up, in either language, and joins by a code."""
        words = {"en-GB": ("Create account", "Join with a code", "Join"), "ko-KR": ("계정 만들기", "코드로 참여", "참여")}
        account, by_code, join = words[language]
        browser.open()
        browser.press(account)
        for field, value in (("email", f"{name}x@example.org"), ("nickname", name + "x"), ("password", "correct horse battery")):
            browser.fill(field, value)
        browser.press(account, css="button[type=submit]")
        browser.press(by_code)
        browser.fill("code", code)
        browser.press(join, within="dialog")
        browser.find(".when")
