"""Sharing what a user keeps with other apps, at a fake server."""

from fakeanswers import BEN
from visitspage import VisitsTest

# Records the arguments of the browser's own dialog; with or without files.
DIALOG = """
    window.passed = [];
    navigator.canShare = ({ files }) => !files || arguments[0];
    navigator.share = ({ text, files = [] }) => {
        window.passed.push([text, files.map(({ name, type, size }) => [name, type, size > 0])]);
        return Promise.resolve();
    };
"""


class RecordTests(VisitsTest):
    def passed(self, browser):
        """The text and the files of the last dialog."""
        browser.wait(lambda: browser.driver.execute_script("return window.passed.length"), "nothing is passed on")
        return browser.driver.execute_script("return window.passed.pop()")

    def visit(self, **more):
        server = self.fake()
        ada = self.begin(server, **more)
        ada.driver.set_script_timeout(60)
        self.fill_server(server, ada)
        ada.open("#/visit/visit-0")
        ada.see("Found it", ".visit-page")
        return server, ada

    def test_a_visit_is_passed_on_with_its_photos(self):
        server, ada = self.visit()
        ada.driver.execute_script(DIALOG, True)
        ada.press("Share", within=".own-visit .buttons")
        text, files = self.passed(ada)
        self.assertTrue(text.startswith("📚 Found it\nThe second shelf on the left.\nClosed on Mondays.\nSilver Bookshop · "), text)
        self.assertEqual(files, [["1.jpeg", "image/jpeg", True], ["2.jpeg", "image/jpeg", True]])
        self.assert_accessible(ada, "a visit that can be shared")
        self.check()

    def test_its_text_is_passed_on_where_photos_cannot_be_and_copied_by_hand_at_last(self):
        server, ada = self.visit()
        ada.driver.execute_script(DIALOG, False)
        ada.press("Share", within=".own-visit .buttons")
        text, files = self.passed(ada)
        self.assertEqual([text.splitlines()[0], files], ["📚 Found it", []])
        ada.driver.execute_script("navigator.share = undefined; navigator.clipboard.writeText = () => Promise.reject(new Error('no'))")
        ada.press("Share", within=".own-visit .buttons")
        ada.wait(lambda: ada.find("dialog textarea").get_property("value").startswith("📚 Found it"), "there is nothing to copy")
        self.check()

    def test_the_visit_of_another_is_not_passed_on(self):
        server, ada = self.visit()
        shared = next(one for one in server.visits.values() if one.get("user") == BEN)
        ada.open(f"#/visit/{shared['visitId']}")
        ada.see("Ben's lunch", ".visit-page")
        self.assertEqual(ada.all(".own-visit"), [])
        self.check()

    def test_a_course_is_passed_on_with_a_link_that_opens_it_unless_it_is_private(self):
        for audience, has_link in (("PRIVATE", False), ("FRIENDS", True)):
            with self.subTest(audience):
                server = self.fake()
                server.make_course("Along the river", audience=audience)
                ada = self.begin(server)
                ada.open("#/course/course-0")
                ada.see("Along the river", "h1")
                ada.driver.execute_script(DIALOG, False)
                ada.press("Share")
                text, _ = self.passed(ada)
                address = text.splitlines()[-1]
                self.assertEqual(address.endswith("/#/course/course-0"), has_link, text)
                if has_link:
                    ada.driver.get("about:blank")
                    ada.driver.get(address)
                    ada.see("Along the river", "h1")
        self.check()
