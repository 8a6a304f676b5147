"""Two people meet at the built server; what both keep of it."""

import json

from keptpage import KeptTest
from page import FAST, PLACE


class KeptTests(KeptTest):
    def test_both_find_their_visit_and_one_shares_a_photo(self):
        server = self.serve(*FAST, "--set", "window.after=6m")
        ada, bea = self.helped(server, "Ada"), self.helped(server, "Bea", size=(390, 844), mobile=True)
        ids = self.befriend(ada, bea, "Bea")
        fields = {"title": "Dinner", "place": {"name": "Town hall", "latitude": PLACE[0], "longitude": PLACE[1]}, "inviteeIds": [ids[1]]}
        promise_id = self.call(ada, f"promise({json.dumps(fields)})")["promise"]["promiseId"]
        self.call(bea, f"call('respond', {{ promiseId: '{promise_id}', accept: true }})")
        for browser, north in ((ada, 0), (bea, 0.0001)):
            self.call(browser, f"call('setSharing', {{ promiseId: '{promise_id}', on: true }})")
            self.call(browser, f"stay('{promise_id}', {{ latitude: {PLACE[0] + north}, longitude: {PLACE[1]} }})")
            browser.driver.execute_script("location.hash = arguments[0]", f"#/promise/{promise_id}")
            browser.see("Dinner", "h1")
        for browser in (ada, bea):
            browser.see("You were there.", ".was-there", seconds=90)
        ada.press("Open the visit")
        ada.see("Town hall", "h1")
        ada.see("With Bea")
        self.keep_photo(ada)
        bea.driver.execute_script("location.hash = arguments[0]", f"#/visits/of/{ids[0]}")
        bea.see("A fine evening", ".visit")
        bea.find(".visit .cover").click()
        bea.see("The hall at night", "figcaption")
        bea.driver.execute_script("arguments[0].scrollIntoView()", bea.find(".photos img"))
        bea.wait(lambda: bea.find(".photos img").get_property("naturalWidth") == 2048, "the photo is not there")
        bea.driver.execute_script("location.hash = '#/visits'")
        bea.see("With Ada", ".visit")
        self.reload_finds_it(ada, promise_id)
        self.check()

    def keep_photo(self, ada):
        ada.press("Edit")
        ada.find("[name=memo]").send_keys("A fine evening")
        ada.driver.find_element("id", "photo-files").send_keys(self.picture_file(ada, width=4000, height=3000))
        ada.find(".photo-edits [maxlength='100']").send_keys("The hall at night")
        ada.driver.execute_script("document.querySelector('[name=audience]').value = 'COMPANIONS'")
        ada.wait(lambda: ada.find("form [type=submit]").is_enabled(), "the upload does not end")
        ada.press("Save")
        ada.see("The hall at night", "figcaption")
        ada.see("Companions", ".chip")

    def reload_finds_it(self, ada, promise_id):
        ada.open(f"#/promise/{promise_id}")
        ada.driver.refresh()
        ada.see("You were there.", ".was-there")

    def test_a_visit_by_hand_is_made_changed_and_deleted(self):
        server = self.serve()
        ada = self.helped(server, "Ada")
        ada.open("#/visits/new/at/37.5,127.0")
        ada.wait(lambda: ada.find("[name=latitude]").get_property("value") == "37.5", "the point is missing")
        ada.fill("name", "A bench")
        ada.fill("names", "Grandma")
        ada.fill("emoji", "🌇")
        ada.find("[name=memo]").send_keys("Two lines\nof text")
        ada.press("Save")
        ada.see("A bench", "h1")
        ada.see("With Grandma")
        self.assertEqual(ada.find(".memo").text, "Two lines\nof text")
        ada.press("Edit")
        ada.wait(lambda: ada.find("[name=names]").get_property("value") == "Grandma", "the form is empty")
        ada.fill("names", "")
        ada.press("Save")
        ada.see("A bench", "h1")
        ada.wait(lambda: "With Grandma" not in ada.text(), "the companion stays")
        ada.press("Delete")
        ada.press("Delete", within="dialog")
        ada.see("No visits yet.")
        ada.press("Badges")
        ada.see("Level 1", ".level")
        ada.see("0 of 17 provinces")
        ada.open("#/me")
        ada.wait(lambda: ada.find("[name=visitsFromArrivals]").is_selected(), "the switch is off")
        ada.press("Keep a visit of each arrival", css="label")
        # The switch shows what the server has.
        ada.wait(lambda: not ada.find("[name=visitsFromArrivals]").is_selected() and ada.find("[name=visitsFromArrivals]").is_enabled(), "it stays on")
        ada.driver.refresh()
        ada.wait(lambda: ada.all("[name=visitsFromArrivals]") and not ada.find("[name=visitsFromArrivals]").is_selected(), "it is on again")
        self.check()
