"""The frame of the page: bar, map and dialogs, at a fake server."""

from test_explanation import ExplanationTest

# Whether the focused element shows it: by an outline that nothing cuts, or by a border in front of it.
RING = """
    const one = document.activeElement, style = getComputedStyle(one), after = getComputedStyle(one, '::after');
    const isCut = one.closest('.leaflet-bar') && parseFloat(style.outlineOffset) > -parseFloat(style.outlineWidth);
    const isOutlined = style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 2 && !isCut;
    return isOutlined || (after.content !== 'none' && parseFloat(after.borderTopWidth) >= 2);
"""
SCREENS = ("#/", "#/new", "#/places", "#/place/place-0", "#/friends", "#/me", "#/notifications", "#/visits", "#/visits/badges",
           "#/visits/new", "#/courses", "#/record", "#/promise/promise-1")


class FrameTests(ExplanationTest):
    def test_no_screen_is_wider_than_a_small_phone(self):
        for language in ("en-US", "ko-KR"):
            for width in (320, 360):
                server = self.fake()
                self.under_way(server, ada=60)
                ada = self.begin(server, language=language, size=(width, 640), mobile=True)
                for screen in SCREENS:
                    with self.subTest(language=language, width=width, screen=screen):
                        ada.open(screen)
                        ada.find("#panel h1, #panel h2")
                        page = ada.driver.execute_script("return [document.documentElement.scrollWidth, visualViewport.width, document.querySelector('#panel').scrollWidth, document.querySelector('#panel').clientWidth]")
                        self.assertLessEqual(page[0], width)
                        self.assertLessEqual(page[2], page[3], "the panel scrolls sideways")
        self.check()

    def test_the_map_and_its_buttons_show_the_focus(self):
        server = self.fake()
        ada = self.begin(server)
        for css in ("#map", ".leaflet-control-zoom-in", ".leaflet-control-zoom-out", "#map .fit", ".bar nav a"):
            for dark in (False, True):
                ada.scheme(dark)
                # A key was pressed last, so that the browser shows the focus.
                ada.driver.execute_script("arguments[0].focus({ focusVisible: true })", ada.find(css))
                self.assertTrue(ada.driver.execute_script(RING), css)
        self.check()

    def test_back_closes_a_dialog_with_its_screen(self):
        server = self.fake()
        self.under_way(server, ada=60)
        ada = self.begin(server)
        ada.press("Dinner")
        ada.see("Dinner", "h1")
        ada.press("Set status")
        ada.find("dialog")
        ada.driver.back()
        ada.see("Promises", "h1")
        self.assertEqual(ada.all("dialog"), [])
        ada.driver.forward()
        ada.see("Dinner", "h1")
        # An answer that comes after its screen was left opens nothing.
        server.hold("explainArrival")
        ada.press("Why is Ada there?")
        ada.wait(lambda: server.held["explainArrival"], "it is not asked")
        ada.driver.back()
        ada.see("Promises", "h1")
        server.release("explainArrival")
        ada.press("Friends")
        ada.see("No friends yet")
        self.assertEqual(ada.all("dialog"), [])
        self.check()
