"""Two people meet at the built server; what both keep of it."""

import json

from keptpage import KeptTest
from page import FAST, PLACE


# Uploads a JPEG of 40 × 20 px as a phone held upright writes it, to be turned by a quarter (Exif orientation 6), and
# keeps it with a visit. Gives the visit's id.
TURNED = """(async () => {
    const canvas = Object.assign(document.createElement('canvas'), { width: 40, height: 20 });
    canvas.getContext('2d').fillRect(0, 0, 20, 20);
    const blob = await new Promise((resolve) => canvas.toBlob(resolve, 'image/jpeg'));
    const jpeg = new Uint8Array(await blob.arrayBuffer());
    const exif = [0xff, 0xe1, 0, 34, 0x45, 0x78, 0x69, 0x66, 0, 0, 0x4d, 0x4d, 0, 42, 0, 0, 0, 8, 0, 1,
        1, 0x12, 0, 3, 0, 0, 0, 1, 0, 6, 0, 0, 0, 0, 0, 0];
    const photo = new Uint8Array([...jpeg.slice(0, 2), ...exif, ...jpeg.slice(2)]);
    const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', photo));
    const sha256 = [...digest].map((byte) => byte.toString(16).padStart(2, '0')).join('');
    const upload = await helper.call('beginUpload', { key: 'turned', kind: 'PHOTO', bytes: photo.length, sha256 });
    const data = btoa(String.fromCharCode(...photo));
    const done = await helper.call('putChunk', { uploadId: upload.uploadId, offset: 0, data });
    const visit = await helper.call('createVisit', { key: 'turned-visit', title: 'Upright', visitedAt: new Date().toISOString(),
        place: { name: 'A bench', latitude: 37.5, longitude: 127 }, photos: [{ fileId: done.file.fileId }] });
    return visit.visitId;
})()"""


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

    def test_a_photo_that_a_phone_turned_stays_upright(self):
        server = self.serve()
        ada = self.helped(server, "Ada", size=(390, 844), mobile=True)
        answer = ada.cdp("Runtime.evaluate", expression=TURNED, awaitPromise=True, returnByValue=True)
        self.assertNotIn("exceptionDetails", answer)
        ada.open(f"#/visit/{answer['result']['value']}")
        ada.see("A bench", "h1")
        ada.driver.execute_script("arguments[0].scrollIntoView()", ada.find(".photos img"))
        ada.wait(lambda: ada.find(".photos img").get_property("naturalWidth") == 20, "the photo lies on its side")
        self.assertEqual(ada.find(".photos img").get_property("naturalHeight"), 40)
        self.check()

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
