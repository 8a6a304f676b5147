"""The JavaScript of docs/web.md, word for word: modules of a page that a real server shows."""

import pathlib
import re
import shutil
import tempfile

from harness import ROOT
from page import PageTest

PAGE = ROOT / "Clients" / "Web"

# The page of the document's reader around the examples; imports stand at the top wherever they are written.
PREPARE = """
import { PromisedClient } from '/assets/promised.js';

const client = new PromisedClient({ storage: null, tabStorage: null });
await client.signUp('ada@example.org', 'correct horse battery', 'Ada');
while (!client.clock.isKnown) await new Promise((resolve) => setTimeout(resolve, 50));
const { promise } = await client.call('createPromise', {
  key: 'k', title: 'Dinner', place: { name: 'Town hall', latitude: 37.5663, longitude: 126.9779 },
  meetsAt: new Date(client.clock.now() + 301_000).toISOString(), radiusMetres: 50,
});
await client.call('setLinkSharing', { promiseId: promise.promiseId, on: true });
const { code } = await client.call('createViewLink', { promiseId: promise.promiseId });
// The window opens a second later.
while (!(await client.call('listPromises', { list: 'TRACKING' })).promises?.length) {
  await new Promise((resolve) => setTimeout(resolve, 100));
}
client.close();
globalThis.code = code;
globalThis.told = [];
"""
READER = """
const tell = (what) => globalThis.told.push(what);
const showState = (state) => tell(state);
const draw = (promise) => tell(`drawn: ${promise.title}`);
const update = (event) => tell(`update: ${Object.keys(event).find((key) => event[key] instanceof Object)}`);
const cheer = () => {};
const say = (text) => tell(`said: ${text}`);
"""
WHERE = """
const { promiseId } = promises[0];
const [latitude, longitude, accuracyMetres, ageMs] = [37.5663, 126.9779, 8, 0];
"""
REPORTED = """
globalThis.reported = async () => {
  const { promise } = await client.call('getPromise', { promiseId });
  return promise.participants[0].position?.latitude ?? null;
};
"""
KEEP = """
const canvas = new OffscreenCanvas(64, 64);
canvas.getContext('2d').fillRect(8, 8, 32, 32);
const input = { files: [new File([await canvas.convertToBlob({ type: 'image/png' })], 'door.png', { type: 'image/png' })] };
const img = document.createElement('img');
const [key, visitedAt] = ['visit', new Date(client.clock.now() - 60_000).toISOString()];
const place = { name: 'Town hall', latitude: 37.5663, longitude: 126.9779 };
const show = () => {};
const offer = (record) => tell(`left: ${record.recordingId}`);
// Half a kilometre to the north, a point each second.
navigator.geolocation.watchPosition = (found) => {
  for (let number = 0; number < 60; number += 1) {
    const coords = { latitude: 37.5663 + number * 0.000_08, longitude: 126.9779, accuracy: 5, altitude: null, speed: null };
    found({ coords, timestamp: Date.now() - (60 - number) * 1_000 });
  }
};
"""
KEPT = """
await img.decode();
release();
globalThis.kept = { side: img.naturalWidth, title: course.title, distance: course.statistics.distanceMetres };
"""


def blocks():
    """The blocks of JavaScript in the document, in its order."""
    return re.findall(r"^```js\n(.*?)^```$", (ROOT / "docs" / "web.md").read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)


class DocumentTests(PageTest):
    def page(self, **modules):
        """@returns a folder with the page's files and these modules"""
        folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory())) / "Page"
        shutil.copytree(PAGE, folder)
        for name, text in modules.items():
            (folder / f"{name}.js").write_text(text, encoding="utf-8")
        empty = '<!DOCTYPE html><html lang="en"><title>examples</title><link rel="icon" href="/assets/icon.svg"></html>'
        (folder / "index.html").write_text(empty, encoding="utf-8")
        return folder

    def test_the_examples_of_the_page_run_as_they_stand(self):
        app, viewer, photo, recorder, reporter = blocks()
        folder = self.page(
            prepare=PREPARE,
            app=READER + app + WHERE + reporter + REPORTED,
            kept=READER + app + KEEP + photo + recorder + KEPT,
            viewer=READER + "const { code } = globalThis;\n" + viewer,
        )
        server = self.serve("--set", f"web.directory={folder}", "--set", "window.before=5m", "--set", "report.interval=1s")
        browser = self.browse(server)
        browser.open()
        browser.driver.set_script_timeout(30)

        def load(name):
            failure = browser.driver.execute_async_script(
                "const done = arguments[1]; import(`/assets/${arguments[0]}.js`).then(() => done(null), (e) => done(String(e)))",
                name)
            self.assertIsNone(failure, name)

        def told():
            return browser.driver.execute_script("return globalThis.told")

        load("prepare")
        load("app")
        browser.wait(lambda: "online" in told() and "drawn: Dinner" in told(), "the app shows no promise")
        browser.wait(lambda: browser.driver.execute_async_script("globalThis.reported().then(arguments[0])") == 37.5663,
                     "the app's reporter reports nothing")
        self.assertNotIn("said", " ".join(told()))
        browser.driver.execute_script("globalThis.told.length = 0")
        load("viewer")
        browser.wait(lambda: "drawn: Dinner" in told(), "the viewer shows no promise")
        browser.wait(lambda: "update: positions" in told(), "the viewer is told of no position")
        load("kept")
        kept = browser.driver.execute_script("return globalThis.kept")
        self.assertEqual((kept["side"], kept["title"]), (64, "Along the river"))
        self.assertAlmostEqual(kept["distance"], 525, delta=30)
        self.assertNotIn("left", " ".join(told()))
        self.check()
