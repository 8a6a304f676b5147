"""The account: nickname, picture, language, zone, units, password, sessions, deletion. The server is a fake one."""

import pathlib
import struct
import tempfile
import zlib

from fakeanswers import BEN
from harness import wait_until
from placespage import PlacesTest


def picture(width, height):
    """A PNG of one colour."""
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    rows = (b"\0" + b"\x30\x80\x50" * width) * height
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
            + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))


class AccountTest(PlacesTest):
    def account(self, server, **options):
        ada = self.begin(server, **options)
        ada.open("#/me")
        ada.find("[name=nickname]")
        return ada

    @staticmethod
    def change(browser, name, value):
        browser.driver.execute_script("""
            const select = document.querySelector(`[name=${arguments[0]}]`);
            select.value = arguments[1];
            select.dispatchEvent(new Event('change'));
        """, name, value)


class NicknameTests(AccountTest):
    def test_a_nickname_is_checked_while_one_signs_up(self):
        server = self.fake()
        ada = self.browse(server)
        ada.open()
        ada.press("Create account")
        ada.fill("nickname", "Ben")
        ada.see("This nickname is taken.", ".check-result")
        self.assert_accessible(ada, "a taken nickname")
        ada.fill("nickname", "Ada")
        ada.see("This nickname is free.", ".check-result")
        # One letter is no nickname yet, and is not asked about.
        ada.fill("nickname", "A")
        ada.wait(lambda: not ada.driver.execute_script("return document.querySelector('.check-result').textContent"), "the answer stays")
        self.assertEqual(server.asked("checkNickname"), [{"nickname": "Ben"}, {"nickname": "Ada"}])
        self.assertEqual(server.asked("hello"), [])
        server.refuse("checkNickname", code="limit.attempts", message="Too often.", retry="LATER", retryAfterMs=60_000)
        ada.fill("nickname", "Adam")
        ada.wait(lambda: len(ada.find(".check-result").text) > 10, "the refusal is not shown")
        self.check()

    def test_a_nickname_is_changed_everywhere(self):
        server = self.fake()
        ada = self.account(server)
        ada.fill("nickname", "ben")
        ada.see("This nickname is taken.", ".check-result")
        server.refuse("updateMe", code="user.nickname-taken", field="nickname", message="Taken.")
        ada.press("Change nickname")
        ada.see("This nickname is taken.", ".nickname .error")
        del server.refused["updateMe"]
        ada.fill("nickname", "Adele")
        ada.see("This nickname is free.", ".check-result")
        ada.press("Change nickname")
        ada.see("Adele", ".bar")
        ada.see("Adele", ".profile")
        ada.driver.refresh()
        ada.see("Adele", ".bar")
        self.check()


class PictureTests(AccountTest):
    def choose(self, browser, data):
        file = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory())) / "me.png"
        file.write_bytes(data)
        browser.driver.execute_script("document.querySelector('[name=picture]').hidden = false")
        chooser = browser.all("[name=picture]")[0]
        chooser.send_keys(str(file))
        browser.driver.execute_script("arguments[0].hidden = true", chooser)

    def test_a_picture_is_cut_square_uploaded_shown_and_removed(self):
        server = self.fake()
        ada = self.account(server)
        self.choose(ada, picture(900, 600))
        ada.see("Saved", ".toast")
        file = next(iter(server.files.values()))["file"]
        self.assertEqual((file["kind"], file["width"], file["height"]), ("PICTURE", 256, 256))
        self.assertLessEqual(file["bytes"], 65_536)
        self.assertEqual(server.asked("updateMe")[-1], {"pictureFileId": file["fileId"]})
        for css in (".my-picture .avatar img", ".profile .avatar img"):
            ada.wait(lambda css=css: ada.driver.execute_script("return document.querySelector(arguments[0])?.naturalWidth", css) == 256, f"no picture in {css}")
        # Both discs show one reading.
        self.assertEqual(len(server.asked("readFile")), 1)
        self.shots(ada, "account")
        ada.press("Remove picture")
        ada.wait(lambda: not ada.all(".avatar img"), "the picture stays")
        self.assertEqual(server.asked("updateMe")[-1], {"pictureFileId": ""})
        self.check()

    def test_a_file_that_is_no_picture_is_refused_beside_the_button(self):
        server = self.fake()
        ada = self.account(server)
        self.choose(ada, b"not a picture")
        ada.wait(lambda: any(one.text for one in ada.all(".my-picture ~ .error")), "no error")
        self.assertEqual(server.asked("beginUpload"), [])
        self.check()

    def test_a_picture_of_a_friend_that_cannot_be_read_leaves_the_letters(self):
        server = self.fake()
        server.friends = [{**BEN, "picture": "gone"}]
        server.refuse("readFile", code="file.not-found", message="Gone.")
        ada = self.begin(server)
        ada.open("#/friends")
        ada.see("Ben")
        wait_until(lambda: server.asked("readFile"))
        self.assertEqual(ada.all(".avatar img"), [])
        ada.see("BE", ".avatar")
        self.check()


class SettingTests(AccountTest):
    def test_zone_and_units_are_chosen(self):
        server = self.fake()
        ada = self.begin(server)
        wait_until(lambda: server.asked("updateMe"))
        server.me["timeZone"] = "Asia/Seoul"
        ada.open("#/me")
        ada.see("Time zone", "label")
        self.assertEqual(ada.find("[name=timeZone]").get_property("value"), "Asia/Seoul")
        self.change(ada, "timeZone", "Europe/Paris")
        ada.see("Saved", ".toast")
        self.assertEqual(server.asked("updateMe")[-1], {"timeZone": "Europe/Paris"})
        self.assertEqual(ada.find("[name=timeZone]").get_property("value"), "Europe/Paris")
        server.make_promise(title="Dinner", place={"name": "Here", "latitude": 37.5, "longitude": 127.0}, meetsAt="2099-11-25T10:00:00.000Z")
        self.change(ada, "units", "imperial")
        ada.wait(lambda: ada.find("[name=units]").get_property("value") == "imperial", "the units are not kept")
        ada.open("#/promise/promise-1")
        ada.see("164 ft", ".facts")
        self.check()


class SecurityTests(AccountTest):
    def test_sessions_are_listed_and_ended(self):
        server = self.fake()
        ada = self.account(server)
        ada.see("tablet-app 2.1 (android)", ".sessions")
        ada.see("Not connected now", ".sessions")
        self.assertEqual(len(ada.all(".sessions .chip")), 1)
        ada.press("Sign out: tablet-app 2.1 (android)")
        ada.wait(lambda: len(ada.all(".sessions li")) == 2, "the session stays")
        self.assertEqual(server.asked("endSession"), [{"sessionId": "s2"}])
        ada.press("Sign out everywhere else")
        ada.wait(lambda: len(ada.all(".sessions li")) == 1, "the others stay")
        self.assertEqual(server.asked("endSession")[-1], {})
        self.check()

    def test_the_password_is_changed_and_the_new_session_kept(self):
        server = self.fake()
        ada = self.account(server)
        ada.press("Change password")
        ada.fill("old", "correct horse battery", within="dialog")
        ada.fill("new", "another horse entirely", within="dialog")
        self.assert_accessible(ada, "the dialog of the password")
        ada.press("Change password", within="dialog")
        ada.see("The password is changed", ".toast")
        self.assertEqual(server.asked("changePassword"), [{"oldPassword": "correct horse battery", "newPassword": "another horse entirely"}])
        self.assertIn('"refreshToken":"s"', ada.driver.execute_script("return localStorage['promised.session']"))
        server.refuse("changePassword", code="auth.invalid-credentials", message="Wrong.")
        ada.press("Change password")
        ada.fill("old", "wrong", within="dialog")
        ada.fill("new", "another horse entirely", within="dialog")
        ada.press("Change password", within="dialog")
        ada.see("The e-mail or the password is wrong.", ".toast")
        self.check()

    def test_deletion_says_first_what_it_does(self):
        server = self.fake()
        ada = self.account(server)
        ada.press("Delete account")
        ada.see("Nobody can undo this.", "dialog")
        ada.see("Results that you share with others stay", "dialog")
        self.assert_accessible(ada, "the dialog of the deletion")
        ada.press("Cancel", within="dialog")
        self.assertEqual(server.asked("deleteAccount"), [])
        ada.press("Delete account")
        ada.fill("password", "correct horse battery", within="dialog")
        ada.press("Delete for good", within="dialog")
        ada.see("Sign in", "button")
        self.assertEqual(server.asked("deleteAccount"), [{"password": "correct horse battery"}])
        self.assertIsNone(ada.driver.execute_script("return localStorage['promised.session'] ?? null"))
        self.check()

    def test_the_account_is_korean_and_fits_a_phone(self):
        for size in ((360, 740), (320, 640)):
            with self.subTest(size=size):
                server = self.fake()
                ada = self.browse(server, language="ko-KR", size=size, mobile=True)
                ada.open()
                ada.press("계정 만들기")
                for name, value in (("email", "ada@example.org"), ("nickname", "아다"), ("password", "correct horse battery")):
                    ada.fill(name, value)
                ada.press("계정 만들기", css="button[type=submit]")
                ada.see("약속", "h1")
                ada.open("#/me")
                ada.see("로그인된 기기", "h2")
                self.assert_accessible(ada, "the account in Korean")
                whole, shown = ada.driver.execute_script("const { scrollWidth, clientWidth } = document.documentElement; return [scrollWidth, clientWidth]")
                self.assertLessEqual(whole, shown, "the page is wider than the screen")
                ada.shot(f"account-phone-{size[0]}-korean")
        self.check()


class MockTests(AccountTest):
    def test_a_promise_refuses_simulated_positions_if_its_owner_wants(self):
        server = self.fake()
        ada = self.begin(server)
        ada.open("#/new")
        for name, value in (("title", "Dinner"), ("placeName", "Here"), ("latitude", 37.5), ("longitude", 127)):
            ada.fill(name, value)
        ada.press("Refuse simulated positions", css="label")
        self.assert_accessible(ada, "the editor of a promise")
        ada.press("Create promise")
        wait_until(lambda: server.asked("createPromise"))
        self.assertEqual(server.asked("createPromise")[0]["rule"], {"mock": "REJECT"})
        self.check()

    def test_a_visit_by_simulated_positions_has_the_mark(self):
        server = self.fake()
        visit = server.make_visit(mock=True, source="ARRIVAL", promiseId="promise-1", outcome="EARLY", rank=1)
        ada = self.begin(server)
        ada.open("#/visits")
        ada.see("Simulated position", ".visit")
        ada.open(f"#/visit/{visit['visitId']}")
        ada.see("Simulated position", ".visit-signs")
        self.check()
