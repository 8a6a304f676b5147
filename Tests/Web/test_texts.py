"""What people type, and the language they read."""

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
