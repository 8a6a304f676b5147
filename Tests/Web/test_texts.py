"""The texts that people type, and the language that they read."""

import re

from page import PLACE, PageTest


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
        ada.find(".facts summary").click()
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
        eve.see("A nickname has 2 to 20 letters", ".error")
        self.check()

    def test_korean_browsers_read_korean(self):
        server = self.serve("--set", "window.before=5m")
        ada = self.browse(server, language="ko-KR", size=(390, 844), mobile=True)
        ada.open()
        ada.see("로그인", "button")
        self.assertEqual(ada.driver.execute_script("return document.documentElement.lang"), "ko")
        ada.shot("welcome-phone-korean")
        self.assert_accessible(ada, "korean")
        ada.press("계정 만들기")
        for name, value in (("email", "ada@example.org"), ("nickname", "아다"), ("password", "correct horse battery")):
            ada.fill(name, value)
        ada.press("계정 만들기", css="button[type=submit]")
        ada.see("약속", "h1")
        self.meet_in_korean(server, ada)
        self.check()

    def meet_in_korean(self, server, ada):
        robots = self.robots(server)
        robots("make('베아')")
        place = "{ name: '시청', latitude: 37.5663, longitude: 126.9779 }"
        promise_id = robots(f"promise('베아', 305000, {{ title: '저녁 식사', place: {place} }})")["promiseId"]
        code = robots(f"call('베아', 'createInvite', {{ promiseId: '{promise_id}' }})")["code"]
        ada.press("코드로 참여")
        ada.fill("code", code)
        ada.press("참여", within="dialog")
        ada.see("진행 중", ".chip", seconds=30)
        robots(f"report('베아', '{promise_id}', {PLACE[0] + 0.002}, {PLACE[1]})")
        ada.see("222 m", ".people")
        ada.shot("live-phone-korean")
        self.assert_accessible(ada, "a live promise in Korean")
        english = re.findall("[A-Za-z]{3,}", ada.find("#panel").text)
        self.assertEqual(english, [], "words that are not translated")
