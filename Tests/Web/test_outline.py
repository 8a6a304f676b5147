"""The ground of the map without tiles: the outline of the world, at a fake server."""

import unittest

from fakeserver import FakeServer
from page import PageTest

# The colours of the ground that the map shows, with the number of their pixels.
COLOURS = """
    const canvas = document.querySelector('.leaflet-tile-pane canvas'), counts = {};
    const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
    for (let at = 0; at < data.length; at += 4) {
        const colour = `${data[at]} ${data[at + 1]} ${data[at + 2]}`;
        counts[colour] = (counts[colour] ?? 0) + 1;
    }
    return counts;
"""
RGB = """
    const context = document.createElement('canvas').getContext('2d');
    context.fillStyle = getComputedStyle(document.documentElement).getPropertyValue('--map-' + arguments[0]).trim();
    context.fillRect(0, 0, 1, 1);
    return [...context.getImageData(0, 0, 1, 1).data].slice(0, 3).join(' ');
"""


class OutlineTests(PageTest):
    def shares(self, browser):
        """The shares of the map that are water and land."""
        counts = browser.driver.execute_script(COLOURS)
        colours = [browser.driver.execute_script(RGB, name) for name in ("water", "ground")]
        return [counts.get(colour, 0) / sum(counts.values()) for colour in colours]

    def shows_the_world(self, browser):
        water, land = self.shares(browser)
        return water > 0.2 and land > 0.2

    def test_the_map_shows_land_and_sea_in_both_themes(self):
        server = self.enterContext(FakeServer())
        ada = self.browse(server)
        ada.sign_up("Ada")
        ada.wait(lambda: self.shows_the_world(ada), "no outline")
        ada.shot("outline-light")
        ada.scheme(dark=True)
        ada.wait(lambda: self.shows_the_world(ada), "no outline in the dark")
        ada.shot("outline-dark")
        self.check(ignoring=["willReadFrequently"])

    def test_the_map_keeps_its_grid_where_the_outline_cannot_be_read(self):
        server = self.enterContext(FakeServer())
        ada = self.browse(server)
        ada.cdp("Page.addScriptToEvaluateOnNewDocument", source="delete globalThis.DecompressionStream")
        ada.sign_up("Ada")
        ada.wait(lambda: any(one.endswith("/outline.bin.gz") for one in ada.addresses()), "the outline was not asked for")
        water, land = self.shares(ada)
        self.assertEqual(water, 0)
        self.assertGreater(land, 0.5, "no grid")
        self.check(ignoring=["willReadFrequently"])

    def test_a_map_with_tiles_loads_no_outline(self):
        server = self.enterContext(FakeServer(facts={"tiles": {"url": "/tiles/{z}/{x}/{y}", "attribution": "© The tests"}}))
        ada = self.browse(server)
        ada.sign_up("Ada")
        ada.see("© The tests", ".attribution")
        ada.wait(lambda: any("/tiles/" in one for one in ada.addresses()), "no tile was asked for")
        self.assertFalse([one for one in ada.addresses() if "outline" in one])
        self.check(ignoring=["404"])


if __name__ == "__main__":
    unittest.main()
