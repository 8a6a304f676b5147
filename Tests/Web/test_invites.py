"""Invite links: their creation, their QR code, and strangers who open them."""

import urllib.request

from test_actions import ActionTest

BASE = ["--set", "links.base=https://meet.example"]


class InviteTests(ActionTest):
    def begin(self, **options):
        """Ada owns a promise and makes its link. @returns her browser and the link"""
        server = self.serve(*BASE)
        self.call = self.robots(server)
        self.call("make('Bea')")
        ada = self.browse(server, **options)
        ada.sign_up("Ada")
        promise_id = self.promise("Bea", 3_600_000, ada)
        self.become_owner(promise_id)
        return ada

    def make_link(self, ada, label="Create an invite link"):
        ada.press(label)
        ada.wait(lambda: ada.find(".invite-link input").get_property("value"), "there is no link")
        address = ada.find(".invite-link input").get_property("value")
        self.assertRegex(address, r"https://meet\.example/j/[0-9A-Z]{10}")
        return address

    @staticmethod
    def here(browser, address):
        return address.replace("https://meet.example", browser.server.url)

    def open_link(self, browser, address):
        browser.driver.get(self.here(browser, address))
        browser.wait(lambda: "/j/" not in browser.driver.current_url, "the code stays in the address")

    def join(self, browser, nickname, words):
        lead, create, title, join = words
        browser.see(lead, ".lead")
        browser.press(create)
        browser.fill("email", f"{abs(hash(nickname))}@example.org")
        browser.fill("nickname", nickname)
        browser.fill("password", "correct horse battery")
        browser.press(create, css="button[type=submit]")
        browser.see(title, "dialog h2")
        self.assert_accessible(browser, "an invitation by a link")
        browser.press(join, within="dialog")
        browser.see("Dinner", "h1")

    def test_a_stranger_opens_a_link_signs_up_and_joins(self):
        ada = self.begin()
        address = self.make_link(ada)
        self.assert_accessible(ada, "an invite link")
        ada.shot("invite-link-desktop-light")
        with urllib.request.urlopen(self.here(ada, address)) as reply:
            head = reply.read().decode()
        self.assertIn('content="Dinner"', head)
        cem = self.browse(ada.server, size=(360, 740), mobile=True)
        self.open_link(cem, address)
        cem.driver.refresh()
        cem.shot("invited-phone-light")
        self.join(cem, "Cem", ("You are invited to a meetup.", "Create account", "You are invited", "Join"))
        ada.see("Cem joined", ".timeline")
        self.check()

    def test_a_korean_opens_a_link_and_may_decline(self):
        ada = self.begin(size=(360, 740), mobile=True)
        address = self.make_link(ada)
        minsu = self.browse(ada.server, language="ko-KR")
        self.open_link(minsu, address)
        minsu.shot("invited-desktop-ko-light")
        words = ("약속에 초대받았습니다", "계정 만들기", "초대를 받았습니다", "참여")
        self.join(minsu, "Minsu", words)
        self.open_link(minsu, address)
        minsu.see(words[2], "dialog h2")
        minsu.press("취소", within="dialog")
        minsu.see("약속", "h1")
        minsu.driver.refresh()
        minsu.see("약속", "h1")
        self.assertEqual(minsu.all("dialog"), [], "the link asks again")
        self.check()

    def test_an_owner_shows_the_link_as_a_picture_and_chooses_what_it_tells(self):
        ada = self.begin(size=(360, 740), mobile=True)
        address = self.make_link(ada)
        ada.press("QR code")
        picture = ada.find("dialog img.qr")
        ada.wait(lambda: picture.get_property("naturalWidth") > 100, "the picture is empty")
        self.assertEqual(picture.get_attribute("alt"), address)
        self.assert_accessible(ada, "a QR code")
        ada.shot("invite-qr-phone-light")
        ada.press("×", within="dialog")
        ada.driver.execute_script("const s = document.querySelector('[name=preview]'); s.value = 'NONE';"
                                  "s.dispatchEvent(new Event('change'));")
        ada.see("The promise was changed", ".timeline")
        with urllib.request.urlopen(self.here(ada, address)) as reply:
            self.assertNotIn("Dinner", reply.read().decode())
        ada.press("Revoke the link", within=".manage")
        ada.see("The link no longer works")
        self.check()
