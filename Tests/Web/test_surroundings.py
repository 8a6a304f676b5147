"""The keyboard, a missing map, the address bar."""

from selenium.webdriver.common.keys import Keys

from page import PageTest


class SurroundingsTests(PageTest):
    def test_the_keyboard_is_enough(self):
        server = self.serve()
        ada = self.browse(server)
        ada.sign_up("Ada")

        def focused():
            return ada.driver.execute_script("const a = document.activeElement; return a.getAttribute('aria-label') ?? a.innerText")

        def reach(label):
            for _ in range(30):
                if focused().strip() == label:
                    return
                ada.driver.switch_to.active_element.send_keys(Keys.TAB)
            self.fail(f"no way to '{label}' by the tab key; the focus is on '{focused()}'")

        reach("Join with a code")
        ada.driver.switch_to.active_element.send_keys(Keys.ENTER)
        ada.see("Join with a code", "dialog")
        ada.driver.switch_to.active_element.send_keys(Keys.ESCAPE)
        ada.wait(lambda: not ada.all("dialog"), "the dialog stays")
        self.assertEqual(focused(), "Join with a code", "the focus was not given back")
        self.check()

    def test_without_leaflet_the_page_says_so(self):
        server = self.serve("--set", "web.leaflet=/nowhere")
        ada = self.browse(server)
        ada.sign_up("Ada")
        ada.see("Leaflet is missing on the server", "#map")
        self.check(ignoring=["leaflet.css"])

    def test_a_code_in_the_fragment_leaves_the_address_bar(self):
        server = self.serve()
        ada = self.browse(server)
        ada.open("#demo=abcDEF123_-")
        ada.see("Sign in", "button")
        self.assertEqual(ada.driver.current_url, server.url + "/")
        self.check()
