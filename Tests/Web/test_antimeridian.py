"""The map of a promise at 180°, at a fake server."""

from fakeanswers import stamp
from test_explanation import ExplanationTest

# The smallest box around what a canvas of the map shows, in pixels of the page: [left, top, right, bottom].
DRAWN = """
    const canvas = document.querySelector(arguments[0]), { width, height } = canvas, ratio = width / canvas.clientWidth;
    const { data } = canvas.getContext('2d').getImageData(0, 0, width, height);
    let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
    for (let y = 0; y < height; y += 1) for (let x = 0; x < width; x += 1) {
        if (data[(y * width + x) * 4 + 3] < 40) continue;
        [left, top, right, bottom] = [Math.min(left, x), Math.min(top, y), Math.max(right, x), Math.max(bottom, y)];
    }
    return [left, top, right, bottom].map((one) => one / ratio);
"""


class AntimeridianTests(ExplanationTest):
    def at_the_line(self, server, place, ada, ben):
        self.under_way(server)
        server.promise["place"] = {"name": "Taveuni", "latitude": -16.8, "longitude": place}
        for person, longitude in zip(server.promise["participants"], (ada, ben)):
            person["position"] = self.position(person["user"]["userId"], longitude)

    @staticmethod
    def position(user_id, longitude):
        return {"userId": user_id, "latitude": -16.8, "longitude": longitude, "distanceMetres": 500}

    def test_people_on_both_sides_of_the_line_are_shown_side_by_side(self):
        for place, ada_at, ben_at in ((179.999, 179.998, -179.998), (-179.999, 179.997, -179.997), (180, 179.996, -179.999)):
            with self.subTest(place=place):
                server = self.fake()
                self.at_the_line(server, place, ada_at, ben_at)
                ada = self.meetup(server)
                ada.see("Ben", ".people")
                ada.wait(lambda: ada.driver.execute_script(DRAWN, ".leaflet-marker-pane canvas")[2] is not None, "nobody is drawn")
                left, _, right, _ = ada.driver.execute_script(DRAWN, ".leaflet-marker-pane canvas")
                width = ada.driver.execute_script("return document.querySelector('#map').clientWidth")
                self.assertGreater(right - left, width / 8, "both are at the same point")
                self.assertGreater(left, 0)
                self.assertLess(right, width)
                scale = ada.find(".leaflet-control-scale-line").text
                self.assertRegex(scale, "^(30|50|100|200) m$", "the map shows more than the meeting")

    def test_a_trail_over_the_line_is_a_short_one(self):
        server = self.fake()
        self.at_the_line(server, 179.999, 179.998, 179.9985)
        ada = self.meetup(server)
        ada.see("Ben", ".people")
        for step in range(8):
            longitude = 179.9985 + step * 0.0004
            longitude -= 360 if longitude > 180 else 0
            server.push({"promiseId": "promise-1", "at": stamp(server.now), "positions": {"positions": [
                {**self.position("ben", longitude), "distanceMetres": 500 + step}]}})
            ada.see(f"{500 + step} m", ".people")
        left, _, right, _ = ada.driver.execute_script(DRAWN, ".leaflet-overlay-pane canvas")
        width = ada.driver.execute_script("return document.querySelector('#map').clientWidth")
        self.assertGreater(left, 0, "the trail goes around the world")
        self.assertLess(right, width)
        ada.shot("antimeridian")
        self.check()
