"""The common part of the tests of visits: pictures to choose, and the fake server with visits."""

import pathlib
import tempfile

from fakeanswers import BEN
from placespage import PlacesTest

# Drawn by the browser itself, so that no picture lies about in the repository.
DRAW = """
    const done = arguments[arguments.length - 1], [width, height, hue] = arguments;
    const canvas = Object.assign(document.createElement('canvas'), { width, height });
    const context = canvas.getContext('2d');
    const sky = context.createLinearGradient(0, 0, width, height);
    sky.addColorStop(0, `hsl(${hue} 70% 75%)`);
    sky.addColorStop(1, `hsl(${hue + 60} 60% 35%)`);
    context.fillStyle = sky;
    context.fillRect(0, 0, width, height);
    canvas.toBlob((blob) => blob.arrayBuffer().then((bytes) => done([...new Uint8Array(bytes)])), 'image/jpeg', 0.9);
"""


class VisitsTest(PlacesTest):
    """Ada at a browser of a fake server with visits."""

    def picture(self, browser, width=600, height=400, hue=200):
        """The bytes of a JPEG."""
        return bytes(browser.driver.execute_async_script(DRAW, width, height, hue))

    def picture_file(self, browser, name="street.jpg", **more):
        """The path of a JPEG, as a file chooser takes it."""
        path = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory())) / name
        path.write_bytes(self.picture(browser, **more))
        return str(path)

    def fill_server(self, server, browser):
        """Visits of Ada on two days, one with photos, and one that Ben shares."""
        server.friends = [BEN]
        first, second = [server.store(self.picture(browser, hue=hue)) for hue in (200, 20)]
        hour = {"condition": "RAIN", "temperatureCelsius": 8}
        made = server.make_visit(
            source="ARRIVAL", outcome="ON_TIME", rank=2, promiseId="promise-1", companions=[{"user": BEN}, {"name": "Grandma"}],
            title="Found it", memo="The second shelf on the left.\nClosed on Mondays.", emoji="📚", kind="BOOK",
            photos=[{"photoId": "p0", "file": first, "caption": "The door"}, {"photoId": "p1", "file": second}])
        made["weather"] = {"source": "recorded", "attribution": "Recorded weather", "hours": [{"at": made["visitedAt"], **hour}]}
        place = {"name": "Moon Market", "latitude": 37.561, "longitude": 126.983, "placeId": "place-2"}
        server.make_visit(days_ago=3, place=place, category="market/periodic", memo="Chestnuts", kind="FOOD", audience="FRIENDS")
        server.make_visit(days_ago=3, place={"name": "A bench by the river", "latitude": 37.52, "longitude": 126.99}, category="", title="Sunset")
        server.make_visit(days_ago=1, user=BEN, title="Ben's lunch", audience="FRIENDS", photos=[{"photoId": "p2", "file": second, "caption": "Soup"}])
        return made

    def notify_made(self, server, visit):
        """The event and the notification that follow a result."""
        told = server.notify("VISIT_MADE", "OTHER", visitId=visit["visitId"])
        server.push({"at": told["at"], "visitMade": {"visit": visit}})
        server.push({"at": told["at"], "notification": {"notification": told}})
